// All real records: how long it takes to conclude one, how much is known merged that NVD alone does not say, and whose
// scores are not what their vectors give.
import { expect, it } from 'vitest'
import type { Resolved } from '../../../src/catalog/model/resolved.ts'
import type { Facts } from '../../../src/catalog/model/source-data.ts'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import { sharedData } from '../../support/shared-data.ts'
import { realFacts } from '../real-records.ts'

const MAX_MS_PER_RECORD = 0.25
const EXAMPLES = 10

const data = sharedData('concluding the real records')

it.skipIf(!data)('The real records say more together than NVD says alone, and take no time', async () => {
  const tally = await countAll(data ?? '')
  report(tally)

  expect(tally.published).toBeGreaterThan(260_000)
  expect(tally.ms / tally.published).toBeLessThan(MAX_MS_PER_RECORD)
  // What issue 6 expects of the ids that NVD has: 2024 severity 71 → 83 %, CWE 60 → 71 %, CPE 31 → 75 %; 2026 CPE 42 → 77 %.
  expect(share(tally, 'alone 2024', 'cpe')).toBeLessThan(0.35)
  expect(share(tally, 'merged 2024', 'severity')).toBeGreaterThan(0.8)
  expect(share(tally, 'merged 2024', 'cwe')).toBeGreaterThan(0.7)
  expect(share(tally, 'merged 2024', 'cpe')).toBeGreaterThan(0.73)
  expect(share(tally, 'merged 2024', 'any product')).toBeGreaterThan(0.9)
  expect(share(tally, 'merged 2026', 'any product')).toBeGreaterThan(0.75)
})

interface Tally {
  readonly shares: Map<string, Map<string, number>>
  readonly disagreements: Map<string, number>
  readonly examples: string[]
  readonly cpeBy: Map<string, number>
  published: number
  ms: number
}

async function countAll(folder: string): Promise<Tally> {
  const tally: Tally = {
    shares: new Map(),
    disagreements: new Map(),
    examples: [],
    cpeBy: new Map(),
    published: 0,
    ms: 0,
  }
  for await (const facts of realFacts(folder)) countOne(tally, facts)
  return tally
}

function countOne(tally: Tally, facts: Facts): void {
  // Of the processor, not of the clock: other tests may have it in between.
  const started = process.threadCpuUsage()
  const merged = resolve(facts)
  const { user, system } = process.threadCpuUsage(started)
  tally.ms += (user + system) / 1000
  if (merged === undefined) return
  tally.published += 1
  countScores(tally, merged)
  if (merged.status.value === 'Rejected') return
  const year = facts.cveId.slice(4, 8)
  const alone = resolve({ ...facts, records: facts.records.filter(({ source }) => source === 'nvd') })
  if (alone !== undefined) {
    countShare(tally, `alone ${year}`, alone)
    countShare(tally, `merged ${year}`, merged)
  }
  countShare(tally, `all ${year}`, merged)
  increase(tally.cpeBy, `${merged.cpe.by?.replace(/:.*/, '') ?? 'nobody'}${merged.cpe.isDerived ? ', derived' : ''}`)
}

function countShare({ shares }: Tally, group: string, { score, weaknesses, cpe, affected }: Resolved): void {
  const counts = shares.get(group) ?? new Map<string, number>()
  shares.set(group, counts)
  increase(counts, 'count')
  if (score !== null) increase(counts, 'severity')
  if (weaknesses.length > 0) increase(counts, 'cwe')
  if (cpe.matches.length > 0 && !cpe.isDerived) increase(counts, 'cpe')
  if (cpe.matches.length > 0) increase(counts, 'cpe or derived')
  if (cpe.matches.length > 0 || affected.length > 0) increase(counts, 'any product')
}

function countScores(tally: Tally, { cveId, statements }: Resolved): void {
  for (const rating of statements.flatMap(({ ratings }) => ratings)) {
    increase(tally.disagreements, 'ratings')
    if (rating.statedScore === null || rating.statedScore === rating.score) continue
    increase(tally.disagreements, `${rating.version} ${rating.by}`)
    const example = `${cveId} ${rating.by}: said ${rating.statedScore}, is ${rating.score}, ${rating.vector}`
    if (tally.examples.length < EXAMPLES) tally.examples.push(example)
  }
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function share({ shares }: Tally, group: string, name: string): number {
  return (shares.get(group)?.get(name) ?? 0) / (shares.get(group)?.get('count') ?? 1)
}

const SHOWN = ['severity', 'cwe', 'cpe', 'cpe or derived', 'any product'] as const

function report(tally: Tally): void {
  const percent = (group: string, name: string) => `${Math.round(100 * share(tally, group, name))}`
  const years = [...tally.shares.keys()].filter((name) => name.startsWith('all ')).map((name) => name.slice(4))
  const lines = years.sort().map((year) => {
    const cells = SHOWN.map(
      (name) =>
        `${name} ${percent(`alone ${year}`, name)} → ${percent(`merged ${year}`, name)}, ${percent(`all ${year}`, name)}`,
    )
    const counts = [
      tally.shares.get(`alone ${year}`)?.get('count') ?? 0,
      tally.shares.get(`all ${year}`)?.get('count') ?? 0,
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
      `${tally.published} published, ${(tally.ms / tally.published).toFixed(3)} ms each`,
      'Share in percent by year: NVD alone → merged, of the ids that NVD has; merged, of all ids',
      ...lines,
      `CPE by: ${sorted(tally.cpeBy).join(', ')}`,
      `Scores that are not those of their vectors: ${sorted(tally.disagreements).join(', ')}`,
      ...tally.examples,
    ].join('\n')}\n`,
  )
}
