// Merges all real source records into CVEs. Measures the time per record, compares how many CVEs have a value from NVD
// alone and from all sources, and counts the published scores that differ from the score computed from their vector.
import { expect, it } from 'vitest'
import type { Resolved } from '../../../service/src/catalog/model/resolved.ts'
import type { SourceData } from '../../../service/src/catalog/model/source-data.ts'
import { resolve } from '../../../service/src/catalog/resolve/resolve.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { readRealSourceData } from './real-records.ts'

const MAX_MS_PER_RECORD = 0.25
const EXAMPLES = 10

const data = realData('the test that resolves all real records')

it.skipIf(!data)(
  'resolver handles all real records in less than 0.25 ms each and finds more values than NVD alone',
  async () => {
    const counters = await countAll(data ?? '')
    report(counters)

    expect(counters.published).toBeGreaterThan(260_000)
    expect(counters.ms / counters.published).toBeLessThan(MAX_MS_PER_RECORD)
    // Expected shares of CVEs with a value, from NVD alone → from all sources, for ids with an NVD record:
    // 2024 severity 71 → 83 %, CWE 60 → 71 %, CPE 31 → 75 %; 2026 CPE 42 → 77 %.
    expect(share(counters, 'alone 2024', 'cpe')).toBeLessThan(0.35)
    expect(share(counters, 'merged 2024', 'severity')).toBeGreaterThan(0.8)
    expect(share(counters, 'merged 2024', 'cwe')).toBeGreaterThan(0.7)
    expect(share(counters, 'merged 2024', 'cpe')).toBeGreaterThan(0.73)
    expect(share(counters, 'merged 2024', 'any product')).toBeGreaterThan(0.9)
    expect(share(counters, 'merged 2026', 'any product')).toBeGreaterThan(0.75)
  },
)

interface CoverageCounters {
  readonly shares: Map<string, Map<string, number>>
  readonly disagreements: Map<string, number>
  readonly examples: string[]
  readonly cpeBy: Map<string, number>
  published: number
  ms: number
}

async function countAll(folder: string): Promise<CoverageCounters> {
  const counters: CoverageCounters = {
    shares: new Map(),
    disagreements: new Map(),
    examples: [],
    cpeBy: new Map(),
    published: 0,
    ms: 0,
  }
  for await (const sourceData of readRealSourceData(folder)) countOne(counters, sourceData)
  return counters
}

function countOne(counters: CoverageCounters, sourceData: SourceData): void {
  // Measures CPU time instead of wall time, because other tests may run at the same time.
  const started = process.threadCpuUsage()
  const merged = resolve(sourceData)
  const { user, system } = process.threadCpuUsage(started)
  counters.ms += (user + system) / 1000
  if (merged === undefined) return
  counters.published += 1
  countScores(counters, merged)
  if (merged.status.value === 'Rejected') return
  const year = sourceData.cveId.slice(4, 8)
  const alone = resolve({ ...sourceData, records: sourceData.records.filter(({ source }) => source === 'nvd') })
  if (alone !== undefined) {
    countShare(counters, `alone ${year}`, alone)
    countShare(counters, `merged ${year}`, merged)
  }
  countShare(counters, `all ${year}`, merged)
  increase(
    counters.cpeBy,
    `${merged.cpe.by?.replace(/:.*/, '') ?? 'no provider'}${merged.cpe.isDerived ? ', derived' : ''}`,
  )
}

function countShare({ shares }: CoverageCounters, group: string, { score, weaknesses, cpe, affected }: Resolved): void {
  const counts = shares.get(group) ?? new Map<string, number>()
  shares.set(group, counts)
  increase(counts, 'count')
  if (score !== null) increase(counts, 'severity')
  if (weaknesses.length > 0) increase(counts, 'cwe')
  if (cpe.matches.length > 0 && !cpe.isDerived) increase(counts, 'cpe')
  if (cpe.matches.length > 0) increase(counts, 'cpe or derived')
  if (cpe.matches.length > 0 || affected.length > 0) increase(counts, 'any product')
}

function countScores(counters: CoverageCounters, { cveId, claims }: Resolved): void {
  for (const rating of claims.flatMap(({ ratings }) => ratings)) {
    increase(counters.disagreements, 'ratings')
    if (rating.statedScore === null || rating.statedScore === rating.score) continue
    increase(counters.disagreements, `${rating.version} ${rating.by}`)
    const example = `${cveId} ${rating.by}: stated ${rating.statedScore}, computed ${rating.score}, ${rating.vector}`
    if (counters.examples.length < EXAMPLES) counters.examples.push(example)
  }
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function share({ shares }: CoverageCounters, group: string, name: string): number {
  return (shares.get(group)?.get(name) ?? 0) / (shares.get(group)?.get('count') ?? 1)
}

const SHOWN = ['severity', 'cwe', 'cpe', 'cpe or derived', 'any product'] as const

function report(counters: CoverageCounters): void {
  const percent = (group: string, name: string) => `${Math.round(100 * share(counters, group, name))}`
  const years = [...counters.shares.keys()].filter((name) => name.startsWith('all ')).map((name) => name.slice(4))
  const lines = years.sort().map((year) => {
    const cells = SHOWN.map(
      (name) =>
        `${name} ${percent(`alone ${year}`, name)} → ${percent(`merged ${year}`, name)}, ${percent(`all ${year}`, name)}`,
    )
    const counts = [
      counters.shares.get(`alone ${year}`)?.get('count') ?? 0,
      counters.shares.get(`all ${year}`)?.get('count') ?? 0,
    ]
    return `${year} (${counts.join(' of ')} in nvd): ${cells.join('; ')}`
  })
  const sorted = (counts: Map<string, number>) =>
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 30)
      .map((each) => each.join(': '))
  process.stdout.write(
    `${[
      `${counters.published} published, ${(counters.ms / counters.published).toFixed(3)} ms each`,
      'Share in percent by year: NVD alone → merged, for ids with an NVD record; merged for all ids',
      ...lines,
      `CPE by: ${sorted(counters.cpeBy).join(', ')}`,
      `Stated scores that differ from the score of the vector: ${sorted(counters.disagreements).join(', ')}`,
      ...counters.examples,
    ].join('\n')}\n`,
  )
}
