// The shape of generated records: that they have the one of our table, and that the table has the one of the real ones.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sharedData } from '../support/shared-data.ts'
import { type Content, contentOf } from './data/content.ts'
import { type Percentiles, RANKS } from './data/draw.ts'
import { type RecordFacts, recordFacts } from './data/record-facts.ts'
import { ERAS, PERCENTILES, SHARES, THOUSANDS_OF_YEAR } from './data/shape.ts'

interface Made {
  readonly facts: RecordFacts
  readonly content: Content
}

const WANTED = { records: 20_000, seed: 7, today: '2026-08-22' }
const made: readonly Made[] = [...recordFacts(WANTED)]
  .filter(({ status }) => status !== 'Rejected')
  .map((facts) => ({ facts, content: contentOf(facts) }))

function scoresOf(version: string): readonly number[] {
  return made.flatMap(({ content }) =>
    content.ratings.filter((each) => each.version === version).map(({ baseScore }) => baseScore),
  )
}

function valueOfRank(values: readonly number[], rank: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * rank) / 100))] ?? Number.NaN
}

/** The ends are single records, and no two samples have the same. */
const TESTED_RANKS = RANKS.filter((rank) => rank >= 5 && rank <= 95)

describe('generated records', () => {
  it.each([
    [
      'lengths of descriptions',
      PERCENTILES.descriptionCharacters,
      () => made.map(({ content }) => content.description.length),
    ],
    ['CPE matches', PERCENTILES.cpeMatches, () => made.map(({ content }) => content.matches.flat().length)],
    ['references', PERCENTILES.references, () => made.map(({ content }) => content.references.length)],
    ['scores of CVSS 2.0', PERCENTILES.scoreOfVersion2, () => scoresOf('2.0')],
    ['scores of CVSS 3.0', PERCENTILES.scoreOfVersion30, () => scoresOf('3.0')],
    ['scores of CVSS 3.1', PERCENTILES.scoreOfVersion31, () => scoresOf('3.1')],
    ['scores of CVSS 4.0', PERCENTILES.scoreOfVersion40, () => scoresOf('4.0')],
    ['EPSS', PERCENTILES.epss, () => made.flatMap(({ facts }) => facts.epss ?? [])],
  ] as const)('have the %s of the table', (_what, percentiles: Percentiles, values) => {
    const found = values()
    for (const rank of TESTED_RANKS) {
      const expected = percentiles[RANKS.indexOf(rank)] ?? Number.NaN
      const got = valueOfRank(found, rank)
      expect(Math.abs(got - expected), `p${rank}: ${got} for ${expected}`).toBeLessThanOrEqual(expected * 0.12 + 0.0002)
    }
  })

  it('are as often in KEV, at NVD and in the CVE List', () => {
    const share = (of: (facts: RecordFacts) => boolean) => made.filter(({ facts }) => of(facts)).length / made.length
    expect(share(({ isInKev }) => isInKev)).toBeCloseTo(SHARES.inKev, 2)
    expect(share(({ isAtNvd }) => isAtNvd)).toBeCloseTo(SHARES.atNvd, 1)
    expect(share(({ isInCveList }) => isInCveList)).toBeCloseTo(SHARES.inCveList, 1)
    expect(made.every(({ facts }) => facts.isAtNvd || facts.isInCveList)).toBe(true)
  })

  it('have dates in order, and none after the day of the files', () => {
    const today = new Date(WANTED.today)
    expect(made.filter(({ facts }) => facts.published > facts.modified || facts.modified > today)).toEqual([])
  })

  it('have words that everybody uses and words that hardly anybody does', () => {
    const share = (words: string) =>
      made.filter(({ content }) => content.description.includes(words)).length / made.length
    expect(share('vulnerability')).toBeGreaterThan(0.3)
    for (const words of ['remote code execution', 'kernel', 'linux', 'overflow', 'sql injection'])
      expect(share(words), words).toSatisfy((each: number) => each > 0.01 && each < 0.3)
    for (const words of ['zyxel', 'log4j'])
      expect(share(words), words).toSatisfy((each: number) => each > 0 && each < 0.02)
  })
})

const data = sharedData('the comparison of our table with the real distributions')

interface Distributions {
  readonly nvd: Readonly<Record<string, Cohort>>
  readonly epss: {
    readonly score_quantiles: Ranked
    readonly kev_score_quantiles: Ranked
    readonly rows: number
    readonly rows_by_cve_id_year: Readonly<Record<string, number>>
  }
  readonly kev: { readonly share_of_epss_ids: number; readonly ransomware_known_share: number }
  readonly exploit_evidence: { readonly poc_in_github_cves: number; readonly poc_repos_per_cve: Ranked }
  readonly cvelist5: { readonly records: number; readonly union_nvd_or_cve5: number }
  readonly coverage: { readonly nvd_in_bundle: number }
}
type Ranked = Readonly<Record<string, number>>
interface Cohort {
  readonly percentiles: Readonly<Record<string, Ranked>>
  readonly cvss_presence_share: Ranked
  readonly vulnStatus_share: Ranked
}

describe.skipIf(data === undefined)('our table of the shape of records', () => {
  const real: Distributions = JSON.parse(data === undefined ? '{}' : readFileSync(`${data}/distributions.json`, 'utf8'))
  const ofNvd = (name: string) => real.nvd['all']?.percentiles[name]

  it.each([
    ['descriptionCharacters', () => ofNvd('description_chars_en')],
    ['cpeMatches', () => ofNvd('cpe_matches')],
    ['products', () => ofNvd('distinct_vendor_product')],
    ['references', () => ofNvd('references')],
    ['scoreOfVersion2', () => ofNvd('basescore_cvssMetricV2')],
    ['scoreOfVersion30', () => ofNvd('basescore_cvssMetricV30')],
    ['scoreOfVersion31', () => ofNvd('basescore_cvssMetricV31')],
    ['scoreOfVersion40', () => ofNvd('basescore_cvssMetricV40')],
    ['repositories', () => real.exploit_evidence.poc_repos_per_cve],
    ['epss', () => real.epss.score_quantiles],
    ['epssOfKev', () => real.epss.kev_score_quantiles],
  ] as const)('has the real %s', (name, realOnes) => {
    for (const [place, rank] of RANKS.entries()) {
      const [ours, theirs] = [PERCENTILES[name][place] ?? Number.NaN, realOnes()?.[`p${rank}`] ?? Number.NaN]
      expect(Math.abs(ours - theirs), `p${rank}: ${ours} for ${theirs}`).toBeLessThanOrEqual(theirs * 0.03 + 0.0001)
    }
  })

  it('has the real statuses and versions of CVSS of each era', () => {
    for (const { cohort, statuses, rated } of ERAS) {
      const theirs = real.nvd[cohort]
      for (const [status, share] of statuses)
        expect(Math.abs(share - (theirs?.vulnStatus_share[status] ?? 0)), `${cohort} ${status}`).toBeLessThan(0.005)
      for (const [version, member] of [
        ['2.0', 'V2'],
        ['3.0', 'V30'],
        ['3.1', 'V31'],
        ['4.0', 'V40'],
      ] as const)
        expect(
          Math.abs(rated[version] - (theirs?.cvss_presence_share[`cvssMetric${member}`] ?? 0)),
          `${cohort} ${version}`,
        ).toBeLessThan(0.005)
    }
  })

  it('has the real years and shares', () => {
    for (const [year, thousands] of THOUSANDS_OF_YEAR)
      expect(Math.abs(thousands * 1000 - (real.epss.rows_by_cve_id_year[year] ?? 0)), `${year}`).toBeLessThanOrEqual(60)
    const { records, union_nvd_or_cve5: all } = real.cvelist5
    expect(SHARES.atNvd).toBeCloseTo(real.coverage.nvd_in_bundle / all, 2)
    expect(SHARES.inCveList).toBeCloseTo(records / all, 2)
    expect(SHARES.withRepository).toBeCloseTo(real.exploit_evidence.poc_in_github_cves / all, 2)
    expect(SHARES.inKev).toBeCloseTo(real.kev.share_of_epss_ids, 3)
    expect(SHARES.knownRansomware).toBeCloseTo(real.kev.ransomware_known_share, 2)
  })
})
