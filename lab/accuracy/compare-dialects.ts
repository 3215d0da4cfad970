// Compares what two documents about the same packages find.

import type { Database } from '../../service/src/database/postgres.ts'
import { readScanDocument, scanSbom } from '../../service/src/matching/sbom/scan.ts'

/** Verdicts and hits by the ref of the component. */
export type Findings = ReadonlyMap<string, readonly string[]>

export interface Difference {
  readonly ref: string
  /** Missing in the second document. */
  readonly onlyFirst: readonly string[]
  readonly onlySecond: readonly string[]
}

interface ScannedMatch {
  readonly id: string
  readonly verdict: string
  readonly confidence: string
}

interface Scan {
  readonly components: readonly {
    readonly ref?: string
    readonly verdict: string
    readonly matches: readonly ScannedMatch[]
  }[]
}

export async function scanDocument(db: Database, document: object, now: Date): Promise<Findings> {
  const { signal } = new AbortController()
  const read = await readScanDocument(db, { bytes: new TextEncoder().encode(JSON.stringify(document)), isGzip: false })
  const options = {
    confidenceMin: 'low',
    maxLevel: 'P4',
    maxMatches: 1000,
    isSameHost: true,
    format: 'json',
    gate: undefined,
    author: 'lab',
    now,
  } as const
  const texts = await Array.fromAsync(scanSbom(db, read, options, signal))
  const { components }: Scan = JSON.parse(texts.join(''))
  return new Map(
    components.map(({ ref = '', verdict, matches }) => [
      ref,
      [verdict, ...matches.map((each) => `${each.id} ${each.verdict} ${each.confidence}`).sort()],
    ]),
  )
}

export function compareFindings(first: Findings, second: Findings): readonly Difference[] {
  return [...new Set([...first.keys(), ...second.keys()])].flatMap((ref) => {
    const [one, other] = [first.get(ref) ?? ['absent'], second.get(ref) ?? ['absent']]
    const onlyFirst = one.filter((each) => !other.includes(each))
    const onlySecond = other.filter((each) => !one.includes(each))
    return onlyFirst.length + onlySecond.length === 0 ? [] : [{ ref, onlyFirst, onlySecond }]
  })
}
