// Tests that generated records have the distributions listed in shape.ts, and that the distributions in shape.ts are
// those of the real data.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Content, generateContent } from '../../../service/test/support/generator/content.ts'
import { type Percentiles, RANKS } from '../../../service/test/support/generator/draw.ts'
import { type GeneratedRecord, generateRecords } from '../../../service/test/support/generator/generated-records.ts'
import { ERAS, PERCENTILES, SHARES, THOUSANDS_PER_YEAR } from '../../../service/test/support/generator/shape.ts'
import { realData } from '../../../service/test/support/real-data.ts'

interface GeneratedSample {
  readonly record: GeneratedRecord
  readonly content: Content
}

const OPTIONS = { records: 20_000, seed: 7, today: '2026-08-22' }
const samples: readonly GeneratedSample[] = [...generateRecords(OPTIONS)]
  .filter(({ status }) => status !== 'Rejected')
  .map((record) => ({ record, content: generateContent(record) }))

function listScores(version: string): readonly number[] {
  return samples.flatMap(({ content }) =>
    content.ratings.filter((each) => each.version === version).map(({ baseScore }) => baseScore),
  )
}

function getPercentile(values: readonly number[], rank: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * rank) / 100))] ?? Number.NaN
}

/**
 * Tested percentile ranks. The lowest and highest ranks are left out, because their values depend on single records.
 */
const TESTED_RANKS = RANKS.filter((rank) => rank >= 5 && rank <= 95)

describe('Generator of CVE records', () => {
  it.each([
    [
      'description length',
      PERCENTILES.descriptionCharacters,
      () => samples.map(({ content }) => content.description.length),
    ],
    [
      'number of CPE matches',
      PERCENTILES.cpeMatches,
      () => samples.map(({ content }) => content.matches.flat().length),
    ],
    ['number of references', PERCENTILES.references, () => samples.map(({ content }) => content.references.length)],
    ['CVSS 2.0 score', PERCENTILES.scoreV2, () => listScores('2.0')],
    ['CVSS 3.0 score', PERCENTILES.scoreV30, () => listScores('3.0')],
    ['CVSS 3.1 score', PERCENTILES.scoreV31, () => listScores('3.1')],
    ['CVSS 4.0 score', PERCENTILES.scoreV40, () => listScores('4.0')],
    ['EPSS score', PERCENTILES.epss, () => samples.flatMap(({ record }) => record.epss ?? [])],
  ] as const)(
    'generates records whose %s percentiles match shape.ts',
    (_name, percentiles: Percentiles, listValues) => {
      const values = listValues()
      for (const rank of TESTED_RANKS) {
        const expected = percentiles[RANKS.indexOf(rank)] ?? Number.NaN
        const actual = getPercentile(values, rank)
        expect(Math.abs(actual - expected), `p${rank}: ${actual}, expected ${expected}`).toBeLessThanOrEqual(
          expected * 0.12 + 0.0002,
        )
      }
    },
  )

  it('puts the fractions of records stated in shape.ts into KEV, NVD and the CVE List', () => {
    const share = (of: (record: GeneratedRecord) => boolean) =>
      samples.filter(({ record }) => of(record)).length / samples.length
    expect(share(({ isInKev }) => isInKev)).toBeCloseTo(SHARES.inKev, 2)
    expect(share(({ isAtNvd }) => isAtNvd)).toBeCloseTo(SHARES.atNvd, 1)
    expect(share(({ isInCveList }) => isInCveList)).toBeCloseTo(SHARES.inCveList, 1)
    expect(samples.every(({ record }) => record.isAtNvd || record.isInCveList)).toBe(true)
  })

  it('generates no modification date before the publication date and no date after the day of the files', () => {
    const today = new Date(OPTIONS.today)
    expect(samples.filter(({ record }) => record.published > record.modified || record.modified > today)).toEqual([])
  })

  it('generates descriptions with common, less common and rare words', () => {
    const share = (words: string) =>
      samples.filter(({ content }) => content.description.includes(words)).length / samples.length
    expect(share('vulnerability')).toBeGreaterThan(0.3)
    for (const words of ['remote code execution', 'kernel', 'linux', 'overflow', 'sql injection'])
      expect(share(words), words).toSatisfy((each: number) => each > 0.01 && each < 0.3)
    for (const words of ['zyxel', 'log4j'])
      expect(share(words), words).toSatisfy((each: number) => each > 0 && each < 0.02)
  })
})

const data = realData('the comparison of shape.ts with the real distributions')

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

describe.skipIf(data === undefined)('Distributions for generated test data (shape.ts)', () => {
  const real: Distributions = JSON.parse(data === undefined ? '{}' : readFileSync(`${data}/distributions.json`, 'utf8'))
  const getNvdPercentiles = (name: string) => real.nvd['all']?.percentiles[name]

  it.each([
    ['descriptionCharacters', () => getNvdPercentiles('description_chars_en')],
    ['cpeMatches', () => getNvdPercentiles('cpe_matches')],
    ['products', () => getNvdPercentiles('distinct_vendor_product')],
    ['references', () => getNvdPercentiles('references')],
    ['scoreV2', () => getNvdPercentiles('basescore_cvssMetricV2')],
    ['scoreV30', () => getNvdPercentiles('basescore_cvssMetricV30')],
    ['scoreV31', () => getNvdPercentiles('basescore_cvssMetricV31')],
    ['scoreV40', () => getNvdPercentiles('basescore_cvssMetricV40')],
    ['repositories', () => real.exploit_evidence.poc_repos_per_cve],
    ['epss', () => real.epss.score_quantiles],
    ['kevEpss', () => real.epss.kev_score_quantiles],
  ] as const)('have the same percentiles of %s as the real data', (name, getReal) => {
    for (const [index, rank] of RANKS.entries()) {
      const [ours, theirs] = [PERCENTILES[name][index] ?? Number.NaN, getReal()?.[`p${rank}`] ?? Number.NaN]
      expect(Math.abs(ours - theirs), `p${rank}: ${ours}, real ${theirs}`).toBeLessThanOrEqual(theirs * 0.03 + 0.0001)
    }
  })

  it('have the same fractions of NVD statuses and CVSS versions in each period of years as the real data', () => {
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

  it('have the same ids per year and the same fractions in NVD, CVE List, KEV and PoC-in-GitHub as the real data', () => {
    for (const [year, thousands] of THOUSANDS_PER_YEAR)
      expect(Math.abs(thousands * 1000 - (real.epss.rows_by_cve_id_year[year] ?? 0)), `${year}`).toBeLessThanOrEqual(60)
    const { records, union_nvd_or_cve5: all } = real.cvelist5
    expect(SHARES.atNvd).toBeCloseTo(real.coverage.nvd_in_bundle / all, 2)
    expect(SHARES.inCveList).toBeCloseTo(records / all, 2)
    expect(SHARES.withRepository).toBeCloseTo(real.exploit_evidence.poc_in_github_cves / all, 2)
    expect(SHARES.inKev).toBeCloseTo(real.kev.share_of_epss_ids, 3)
    expect(SHARES.knownRansomware).toBeCloseTo(real.kev.ransomware_known_share, 2)
  })
})
