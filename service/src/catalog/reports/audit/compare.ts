// Compares an earlier catalog with the current one and counts the CVEs that lost a value.
import type { Database } from '../../../database/postgres.ts'
import { countServed, readServedBatches, readServedRows } from '../served/read-served.ts'
import { readServed, type Served, type ServedRow } from '../served/served.ts'

export interface Loss {
  readonly id: string
  readonly sentence: string
  /** Whether the current record (undefined if it is gone) lacks a value of the earlier record. Has no side effects. */
  readonly applies: (earlier: Served, current: Served | undefined) => boolean
}

const lacksSome = (earlier: readonly string[], current: readonly string[]): boolean => {
  const held = new Set(current)
  return earlier.some((each) => !held.has(each))
}

const listNames = ({ matches }: Served): readonly string[] =>
  matches.filter(({ isVulnerable }) => isVulnerable).map(({ part, vendor, product }) => `${part}:${vendor}:${product}`)

/** A rejected CVE keeps no values of its own (decision E9), so a CVE that is now rejected is counted separately. */
const isKept = (current: Served | undefined): current is Served => current !== undefined && !current.isRejected

export const LOSSES: readonly Loss[] = [
  { id: 'record', sentence: 'the CVE is gone', applies: (_earlier, current) => current === undefined },
  {
    id: 'score',
    sentence: 'the CVE had a score and has none',
    applies: (earlier, current) => isKept(current) && earlier.score !== null && current.score === null,
  },
  {
    id: 'weakness',
    sentence: 'a CWE of the CVE is gone',
    applies: (earlier, current) => isKept(current) && lacksSome(earlier.weaknesses, current.weaknesses),
  },
  {
    id: 'product',
    sentence: 'the CVE had products and has none',
    applies: (earlier, current) => isKept(current) && earlier.matches.length > 0 && current.matches.length === 0,
  },
  {
    id: 'product-name',
    sentence: 'a CPE name of a vulnerable product is gone; the CVE has other names',
    applies: (earlier, current) =>
      isKept(current) && current.matches.length > 0 && lacksSome(listNames(earlier), listNames(current)),
  },
  {
    id: 'link',
    sentence: 'a link of the CVE is gone',
    applies: (earlier, current) => isKept(current) && lacksSome(earlier.links, current.links),
  },
  {
    id: 'description',
    sentence: 'the CVE had a description and has none',
    applies: (earlier, current) => isKept(current) && earlier.description !== null && current.description === null,
  },
  {
    id: 'fix',
    sentence: 'patch_available was true and is false',
    applies: (earlier, current) => isKept(current) && earlier.hasPatch && !current.hasPatch,
  },
  {
    id: 'rejected-values',
    sentence: 'the CVE is rejected and lost a score, a CWE, a product or a link (intended, decision E9)',
    applies: (earlier, current) =>
      current?.isRejected === true &&
      ((earlier.score !== null && current.score === null) ||
        lacksSome(earlier.weaknesses, current.weaknesses) ||
        (earlier.matches.length > 0 && current.matches.length === 0) ||
        lacksSome(earlier.links, current.links)),
  },
]

export interface Comparison {
  readonly cves: number
  readonly losses: readonly {
    readonly id: string
    readonly sentence: string
    readonly count: number
    readonly examples: readonly string[]
  }[]
}

interface LossCounter {
  readonly loss: Loss
  count: number
  readonly examples: string[]
}

export interface CompareOptions {
  readonly maxExamples: number
  readonly onProgress?: (progress: { readonly done: number; readonly total: number | undefined }) => void
}

export async function compareCatalogs(
  earlier: Database,
  current: Database,
  { maxExamples, onProgress }: CompareOptions,
): Promise<Comparison> {
  const total = await countServed(earlier)
  const counters: readonly LossCounter[] = LOSSES.map((loss) => ({ loss, count: 0, examples: [] }))
  let cves = 0
  for await (const rows of readServedBatches(earlier)) {
    const now = await readServedRows(
      current,
      rows.map(({ cve_id }) => cve_id),
    )
    for (const row of rows) countLosses(counters, row, now.get(row.cve_id), maxExamples)
    cves += rows.length
    onProgress?.({ done: cves, total })
  }
  return {
    cves,
    losses: counters.map(({ loss: { id, sentence }, count, examples }) => ({ id, sentence, count, examples })),
  }
}

function countLosses(
  counters: readonly LossCounter[],
  earlierRow: ServedRow,
  currentRow: ServedRow | undefined,
  maxExamples: number,
): void {
  const [earlier, current] = [readServed(earlierRow), currentRow && readServed(currentRow)]
  for (const counter of counters.filter(({ loss }) => loss.applies(earlier, current))) {
    counter.count += 1
    if (counter.examples.length < maxExamples) counter.examples.push(earlierRow.cve_id)
  }
}
