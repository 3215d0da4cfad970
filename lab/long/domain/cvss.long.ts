// Compares every CVSS rating that NVD and the CVE List publish with the scores and metric names that this service
// computes.
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import calculator from 'ae-cvss-calculator'
import { describe, expect, it } from 'vitest'
import { cvssV2Object, cvssV3Object, cvssV4Object } from '../../../service/src/domain/cvss/cvss-object.ts'
import { baseScore, exploitabilityScore, impactScore } from '../../../service/src/domain/cvss/cvss-score.ts'
import { type CvssVector, parseCvssVector } from '../../../service/src/domain/cvss/cvss-vector.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const data = realData('the test of all real CVSS vectors') ?? ''

interface StatedRating {
  readonly cveId: string
  readonly source: string
  readonly cvss: StatedCvss
  readonly exploitability?: number | undefined
  readonly impact?: number | undefined
}

/**
 * CVSS object of an NVD or CVE List record. Besides vector and score, it states metric values by name, such as
 * attackVector.
 */
interface StatedCvss extends Readonly<Record<string, unknown>> {
  readonly vectorString: string
  readonly baseScore: number
}

describe.skipIf(data === '')('CVSS calculator with the real data', () => {
  it('computes the stated scores of all NVD vectors, except fewer than 10 CVSS 4.0 vectors', async () => {
    const counters = createCounters()
    for (const name of await readdir(join(data, 'nvd'))) {
      if (!/^nvdcve-.*\.json\.gz$/.test(name)) continue
      for await (const line of readLines(join(data, 'nvd', name))) countAll(counters, readNvdRatings(line))
    }

    report('NVD', counters)
    expect(counters.seen).toBeGreaterThan(290_000)
    expect(counters.malformed).toEqual([])
    expect(counters.otherNames).toEqual([])
    expect(counters.otherSubscores).toEqual([])
    expect([...counters.bySource.keys()].filter((kind) => !kind.startsWith('4.0 '))).toEqual([])
    expect(counters.otherScores.length).toBeLessThan(10)
  })

  it('computes the stated scores of more than 99.5 % of the vectors in the CVE List', async () => {
    const counters = createCounters()
    for await (const line of readLines(join(data, 'cvelist5.ndjson.gz'))) countAll(counters, readCveListRatings(line))

    report('the CVE List', counters)
    expect(counters.seen).toBeGreaterThan(60_000)
    expect(counters.malformed).toEqual([])
    expect(counters.otherScores.length).toBeLessThan(counters.seen / 200)
  })
})

interface Counters {
  seen: number
  readonly malformed: string[]
  /** Published scores that are not base scores because they include temporal, threat or environmental metrics. */
  readonly notBase: string[]
  readonly otherScores: string[]
  readonly otherSubscores: string[]
  readonly otherNames: string[]
  /** Number of published scores that differ from the score we compute, by CVSS version, source and reason. */
  readonly bySource: Map<string, number>
}

function createCounters(): Counters {
  const lists = { malformed: [], notBase: [], otherScores: [], otherSubscores: [], otherNames: [] }
  return { seen: 0, ...lists, bySource: new Map() }
}

function countAll(counters: Counters, ratings: readonly StatedRating[]): void {
  for (const each of ratings) count(counters, each)
}

function count(counters: Counters, { cveId, source, cvss, exploitability, impact }: StatedRating): void {
  counters.seen += 1
  const vector = parseCvssVector(cvss.vectorString)
  if (vector === undefined) return void counters.malformed.push(`${cveId} ${source}: ${cvss.vectorString}`)
  const where = `${cveId} ${source} ${vector.vector.replaceAll(/\/\w+:X/g, '')}`
  if (cvss.baseScore !== baseScore(vector)) {
    const reason = cvss.baseScore === overallScore(vector) ? 'notBase' : 'otherScores'
    const kind = `${vector.version} ${source}: ${reason}`
    counters.bySource.set(kind, (counters.bySource.get(kind) ?? 0) + 1)
    counters[reason].push(`${where}: ${cvss.baseScore}, computed ${baseScore(vector)}`)
  }
  if (exploitability !== undefined && exploitability !== exploitabilityScore(vector))
    counters.otherSubscores.push(`${where}: exploitability ${exploitability}, not ${exploitabilityScore(vector)}`)
  if (impact !== undefined && impact !== impactScore(vector))
    counters.otherSubscores.push(`${where}: impact ${impact}, not ${impactScore(vector)}`)
  counters.otherNames.push(...listOtherNames(cvss, vector).map((each) => `${where}: ${each}`))
}

function overallScore({ vector }: CvssVector): number | undefined {
  return calculator.fromVector(vector)?.calculateScores().overall
}

/** Lists members of a CVSS object, except scores and vectors, that differ from the metric names that we compute. */
function listOtherNames(cvss: StatedCvss, vector: CvssVector): string[] {
  return Object.entries(buildObject(vector))
    .filter(([name, word]) => !/^base|^vector/.test(name) && cvss[name] !== undefined && cvss[name] !== word)
    .map(([name, word]) => `${name} ${JSON.stringify(cvss[name])}, not ${word}`)
}

function buildObject(vector: CvssVector): Readonly<Record<string, string | number>> {
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

function report(name: string, { seen, bySource, ...lists }: Counters): void {
  const lines = [
    `${name}: ${seen} vectors`,
    ...[...bySource].sort((a, b) => b[1] - a[1]).map(([kind, times]) => `  ${times} × ${kind}`),
    ...Object.entries(lists).flatMap(([kind, each]) => [
      `  ${kind}: ${each.length}`,
      ...each.slice(0, 10).map((line) => `    ${line}`),
    ]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function readLines(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY })
}

interface NvdCve {
  readonly id: string
  readonly metrics?: Readonly<Record<string, readonly NvdMetric[]>>
}

interface NvdMetric {
  readonly type: string
  readonly source: string
  readonly cvssData?: StatedCvss
  readonly exploitabilityScore?: number
  readonly impactScore?: number
}

/**
 * Reads the ratings from one line of an NVD file. The first line also contains the header of the file, and the last
 * line the end of the list.
 */
function readNvdRatings(line: string): StatedRating[] {
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
              source: describeSource(source, type),
              cvss: cvssData,
              exploitability: exploitabilityScore,
              impact: impactScore,
            },
          ],
    )
}

function describeSource(source: string, type: string): string {
  return source === 'nvd@nist.gov' ? 'NVD itself' : `${type} of ${source}`
}

interface Container {
  readonly providerMetadata?: { readonly shortName?: string }
  readonly metrics?: readonly Readonly<Record<string, StatedCvss>>[]
}

function readCveListRatings(line: string): StatedRating[] {
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
