// Every CVSS object of NVD and of the CVE List: is its score the one of its vector, and are its words ours?
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import calculator from 'ae-cvss-calculator'
import { describe, expect, it } from 'vitest'
import { cvssV2Object, cvssV3Object, cvssV4Object } from '../../src/domain/cvss-object.ts'
import { baseScore, exploitabilityScore, impactScore } from '../../src/domain/cvss-score.ts'
import { type CvssVector, parseCvssVector } from '../../src/domain/cvss-vector.ts'
import { sharedData } from '../support/shared-data.ts'

const data = sharedData('CVSS at full size') ?? ''

interface Printed {
  readonly cveId: string
  readonly source: string
  readonly cvss: PrintedCvss
  readonly exploitability?: number | undefined
  readonly impact?: number | undefined
}

/** The words for the metrics are beside these two. */
interface PrintedCvss extends Readonly<Record<string, unknown>> {
  readonly vectorString: string
  readonly baseScore: number
}

describe.skipIf(data === '')('The scores of the real data', () => {
  it('are those of their vectors in NVD, but for a few of 4.0', async () => {
    const tally = newTally()
    for (const name of await readdir(join(data, 'nvd'))) {
      if (!/^nvdcve-.*\.json\.gz$/.test(name)) continue
      for await (const line of linesOf(join(data, 'nvd', name))) countAll(tally, inNvd(line))
    }

    report('NVD', tally)
    expect(tally.seen).toBeGreaterThan(290_000)
    expect(tally.malformed).toEqual([])
    expect(tally.otherWords).toEqual([])
    expect(tally.otherParts).toEqual([])
    expect([...tally.bySource.keys()].filter((kind) => !kind.startsWith('4.0 '))).toEqual([])
    expect(tally.otherScores.length).toBeLessThan(10)
  })

  it('are those of their vectors in the CVE List, but for a few', async () => {
    const tally = newTally()
    for await (const line of linesOf(join(data, 'cvelist5.ndjson.gz'))) countAll(tally, inCveList(line))

    report('the CVE List', tally)
    expect(tally.seen).toBeGreaterThan(60_000)
    expect(tally.malformed).toEqual([])
    expect(tally.otherScores.length).toBeLessThan(tally.seen / 200)
  })
})

interface Tally {
  seen: number
  readonly malformed: string[]
  /** The printed score counts temporal, threat or environmental metrics as well, which a base score must not. */
  readonly beyondBase: string[]
  readonly otherScores: string[]
  readonly otherParts: string[]
  readonly otherWords: string[]
  /** How often each source differs, by version and reason. */
  readonly bySource: Map<string, number>
}

function newTally(): Tally {
  const lists = { malformed: [], beyondBase: [], otherScores: [], otherParts: [], otherWords: [] }
  return { seen: 0, ...lists, bySource: new Map() }
}

function countAll(tally: Tally, printed: readonly Printed[]): void {
  for (const each of printed) count(tally, each)
}

function count(tally: Tally, { cveId, source, cvss, exploitability, impact }: Printed): void {
  tally.seen += 1
  const vector = parseCvssVector(cvss.vectorString)
  if (vector === undefined) return void tally.malformed.push(`${cveId} ${source}: ${cvss.vectorString}`)
  const where = `${cveId} ${source} ${vector.vector.replaceAll(/\/\w+:X/g, '')}`
  if (cvss.baseScore !== baseScore(vector)) {
    const reason = cvss.baseScore === overallScore(vector) ? 'beyondBase' : 'otherScores'
    const kind = `${vector.version} ${source}: ${reason}`
    tally.bySource.set(kind, (tally.bySource.get(kind) ?? 0) + 1)
    tally[reason].push(`${where}: ${cvss.baseScore}, computed ${baseScore(vector)}`)
  }
  if (exploitability !== undefined && exploitability !== exploitabilityScore(vector))
    tally.otherParts.push(`${where}: exploitability ${exploitability}, not ${exploitabilityScore(vector)}`)
  if (impact !== undefined && impact !== impactScore(vector))
    tally.otherParts.push(`${where}: impact ${impact}, not ${impactScore(vector)}`)
  tally.otherWords.push(...otherWords(cvss, vector).map((each) => `${where}: ${each}`))
}

function overallScore({ vector }: CvssVector): number | undefined {
  return calculator.fromVector(vector)?.calculateScores().overall
}

/** Neither the score nor what follows from it, nor the spelling of the vector: the words for its metrics alone. */
function otherWords(cvss: PrintedCvss, vector: CvssVector): string[] {
  return Object.entries(served(vector))
    .filter(([name, word]) => !/^base|^vector/.test(name) && cvss[name] !== undefined && cvss[name] !== word)
    .map(([name, word]) => `${name} ${JSON.stringify(cvss[name])}, not ${word}`)
}

function served(vector: CvssVector): Readonly<Record<string, string | number>> {
  switch (vector.version) {
    case '2.0':
      return cvssV2Object(vector)
    case '3.0':
    case '3.1':
      return cvssV3Object(vector)
    case '4.0':
      return cvssV4Object(vector)
  }
}

function report(name: string, { seen, bySource, ...lists }: Tally): void {
  const lines = [
    `${name}: ${seen} vectors`,
    ...[...bySource].sort((a, b) => b[1] - a[1]).map(([kind, times]) => `  ${times} times ${kind}`),
    ...Object.entries(lists).flatMap(([kind, each]) => [
      `  ${kind}: ${each.length}`,
      ...each.slice(0, 10).map((line) => `    ${line}`),
    ]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY })
}

interface NvdCve {
  readonly id: string
  readonly metrics?: Readonly<Record<string, readonly NvdMetric[]>>
}

interface NvdMetric {
  readonly type: string
  readonly source: string
  readonly cvssData?: PrintedCvss
  readonly exploitabilityScore?: number
  readonly impactScore?: number
}

/** The first line of a file has its head before the record, the last one the end of the list behind it. */
function inNvd(line: string): Printed[] {
  const record = line.slice(line.indexOf('{"cve":')).replace(/(?:,|\]\})$/, '')
  const { cve }: { cve: NvdCve } = JSON.parse(record)
  return Object.values(cve.metrics ?? {})
    .flat()
    .flatMap(({ cvssData, source, type, exploitabilityScore, impactScore }) =>
      cvssData === undefined
        ? []
        : [
            {
              cveId: cve.id,
              source: nvdSource(source, type),
              cvss: cvssData,
              exploitability: exploitabilityScore,
              impact: impactScore,
            },
          ],
    )
}

function nvdSource(source: string, type: string): string {
  return source === 'nvd@nist.gov' ? 'NVD itself' : `${type} of ${source}`
}

interface Container {
  readonly providerMetadata?: { readonly shortName?: string }
  readonly metrics?: readonly Readonly<Record<string, PrintedCvss>>[]
}

function inCveList(line: string): Printed[] {
  const record: {
    cveMetadata: { cveId: string }
    containers: { cna: Container; adp?: readonly Container[] }
  } = JSON.parse(line)
  return [record.containers.cna, ...(record.containers.adp ?? [])].flatMap(({ providerMetadata, metrics = [] }) =>
    metrics
      .flatMap((metric) => Object.entries(metric))
      .filter(([name]) => name.startsWith('cvssV'))
      .map(([, cvss]) => ({ cveId: record.cveMetadata.cveId, source: providerMetadata?.shortName ?? 'unnamed', cvss })),
  )
}
