import { describe, expect, it } from 'vitest'
import { buildFacts } from '../../service/test/domain/priority/facts-fixture.ts'
import { measureLevels, type Week } from './measure-levels.ts'

const [ONE, OTHER] = ['CVE-2026-0001', 'CVE-2026-0002']
const cves = [ONE, OTHER].map((cveId) => ({
  cveId,
  facts: buildFacts({ hasPublicExploit: true, automatable: { value: 'yes', source: 'cisa-adp' } }),
}))
const weeks: readonly Week[] = [
  ['2026-05-31', 0.8, 0.2],
  ['2026-06-07', 0.6, 0.19],
  ['2026-06-14', 0.75, 0.2],
  ['2026-06-21', 0.3, 0.01],
].map(([day, one, other]) => ({
  day: String(day),
  scores: new Map([
    [ONE, Number(one)],
    [OTHER, Number(other)],
  ]),
}))
const measure = (keep: number) =>
  measureLevels(cves, weeks, '2026-06-15', { name: 'test', keep, thresholds: () => [0.1, 0.2, 0.7] })

describe('Levels over time', () => {
  it('count the sizes before and after a new model, and who left', () => {
    expect(measure(1)).toMatchObject({ urgent: [1, 0], upToP2: [2, 1], leftUrgent: 1, changesOfModelWeek: 2 })
  })

  it('count fewer changes if thresholds are kept', () => {
    // One CVE leaves P1 and returns; the other stays in P2 because of its public exploit.
    expect(measure(1).changesPerWeek[0]).toBe(1)
    expect(measure(0.65).changesPerWeek[0]).toBe(0)
  })

  it('count the first score of an unrated CVE apart', () => {
    const unrated = [{ cveId: ONE, facts: buildFacts({}) }]
    const late = [{ day: '2026-05-24', scores: new Map() }, ...weeks.slice(0, 2)]
    const report = measureLevels(unrated, late, '2026-06-15', {
      name: 'test',
      keep: 1,
      thresholds: () => [0.1, 0.2, 0.7],
    })
    expect(report).toMatchObject({ changesPerWeek: [0, NaN], ratedPerWeek: [0.5, NaN] })
  })

  it('count additions to KEV that were in P0 to P2 without knowledge of exploitation', () => {
    const kev = { since: '2026-06-10', dueDate: null, isUsedByRansomware: false }
    const listed = [{ cveId: OTHER, facts: buildFacts({ kev }) }]
    const report = measureLevels(listed, weeks, '2026-06-15', {
      name: 'test',
      keep: 1,
      thresholds: () => [0.1, 0.2, 0.7],
    })
    expect(report.kev).toMatchObject({ added: 2, caught: 1 })
  })
})
