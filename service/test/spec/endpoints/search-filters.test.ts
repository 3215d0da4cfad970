import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { cve, withdrawnCve } from '../../support/catalog/cve-builder.ts'
import { listCveIds } from '../../support/catalog/page-through.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()

// The number in a CVE id shows which filter the CVE tests; properties that are not given are the same for all CVEs.
await given(
  cve('CVE-2024-0000', { score: null, cpeCount: 0, referenceCount: 0, attackVector: null, isEnriched: false }),
  cve('CVE-2024-0001', { score: 0 }),
  cve('CVE-2024-0002', { score: 0.1 }),
  cve('CVE-2024-0003', { score: 3.9 }),
  cve('CVE-2024-0004', { score: 4 }),
  cve('CVE-2024-0005', { score: 6.9 }),
  cve('CVE-2024-0006', { score: 7 }),
  cve('CVE-2024-0007', { score: 8.9 }),
  cve('CVE-2024-0008', { score: 9 }),
  cve('CVE-2024-0009', { score: 10 }),
  cve('CVE-2024-1001', { score: null, hasExploit: true }),
  cve('CVE-2024-1002', { score: null, kev: {} }),
  cve('CVE-2024-1003', { score: null, hasExploit: true, kev: {}, notices: ['Notice'] }),
  cve('CVE-2024-1004', { score: null, kev: {}, euKevSince: '2026-08-18' }),
  cve('CVE-2024-1005', { score: null, euKevSince: '2026-08-18' }),
  cve('CVE-2024-2001', { score: null, epss: [0.1, 0.5] }),
  cve('CVE-2024-2002', { score: null, epss: [0.2, 0.6] }),
  cve('CVE-2024-2003', { score: null, epss: [0, 0] }),
  cve('CVE-2024-3001', { score: null, cpeCount: 7 }),
  cve('CVE-2024-4001', { score: null, published: '2019-12-31T23:59:59Z', modified: '2020-01-01T00:00:00Z' }),
  cve('CVE-2024-5001', { score: null, attackVector: 'physical', hasPatch: true, sources: ['cve', 'ghsa'] }),
  cve('CVE-2024-6001', { score: null, status: 'Rejected' }),
  cve('CVE-2024-6002', { score: null, status: 'Awaiting Analysis' }),
)

const get = (query: string, key?: string) =>
  api.get(`/api/v1/cves?limit=100&sort=published_asc&${query}`, key === undefined ? {} : { key })

/** Returns the numbers in the ids of the CVEs that a query returns, sorted by id. */
async function found(query: string): Promise<readonly number[]> {
  const { status, json } = await get(query)
  expect([status, json.error]).toEqual([200, undefined])
  return listCveIds(json.data)
    .map((id) => Number(id.slice(9)))
    .sort((a, b) => a - b)
}

const EVERY = await found('')
const allBut = (...numbers: readonly number[]) => EVERY.filter((each) => !numbers.includes(each))

describe('GET /api/v1/cves: severity and score', () => {
  it.each([
    ['critical', [8, 9]],
    ['high', [6, 7]],
    ['medium', [4, 5]],
    ['low', [2, 3]],
    ['critical,low', [2, 3, 8, 9]],
    ['Critical&severity=HIGH', [6, 7, 8, 9]],
    ['critical,high,medium,low', [2, 3, 4, 5, 6, 7, 8, 9]],
  ])('filters by severity=%s', async (severity, numbers) => {
    expect(await found(`severity=${severity}`)).toEqual(numbers)
  })

  it.each([
    ['severity_min=7', [6, 7, 8, 9]],
    ['severity_max=3.9', [1, 2, 3]],
    ['severity_min=0', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['severity_max=10.0', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['severity_min=4.0&severity_max=4', [4]],
    ['cvss_min=8.9', [7, 8, 9]],
    ['cvss_min=9&severity=high', []],
  ])('filters by %s inclusively, and omits CVEs without a score', async (query, numbers) => {
    expect(await found(query)).toEqual(numbers)
  })
})

describe('GET /api/v1/cves: boolean filters', () => {
  it.each([
    ['exploit', [1001, 1002, 1003, 1004], ''],
    ['exploitable', [1001, 1003], ''],
    ['kev', [1002, 1003, 1004], ''],
    ['has_acsc', [1003], ''],
    ['has_references', allBut(0), ''],
    ['patched', [5001], '&include=enrichment'],
  ])('filters by %s=true, and returns all other CVEs for false', async (name, numbers, more) => {
    expect(await found(`${name}=true${more}`)).toEqual(numbers)
    expect(await found(`${name}=false${more}`)).toEqual(allBut(...numbers))
  })
})

describe('GET /api/v1/cves: catalogs of known exploited vulnerabilities (decision E23)', () => {
  it.each([
    ['kev_in=cisa', [1002, 1003, 1004]],
    ['kev_in=eu', [1004, 1005]],
    ['kev_in=cisa,EU', [1002, 1003, 1004, 1005]],
    ['kev_in=eu&kev_in=cisa', [1002, 1003, 1004, 1005]],
    ['kev_in=eu&kev=false', [1005]],
    ['kev_in=', EVERY],
  ])('filters by %s, in any of the named catalogs', async (query, numbers) => {
    expect(await found(query)).toEqual(numbers)
  })

  it('returns 400 for an unknown catalog, with the names of the catalogs', async () => {
    const { status, json } = await get('kev_in=cisa,enisa')
    expect([status, json.error.parameter, json.error.value]).toEqual([400, 'kev_in', 'enisa'])
    expect(json.error.details.errors[0].allowed).toEqual(['cisa', 'eu'])
  })
})

describe('GET /api/v1/cves: numeric bounds', () => {
  it.each([
    ['epss_min=0.2', [2002]],
    ['epss_min=0.1&epss_max=0.1', [2001]],
    ['epss_max=0.1', [2001, 2003]],
    ['epss_min=0', [2001, 2002, 2003]],
    ['epss_min=1', []],
    ['cpe_count_min=7', [3001]],
    ['cpe_count_min=8', []],
    ['cpe_count_min=1', allBut(0)],
  ])('filters by %s', async (query, numbers) => {
    expect(await found(query)).toEqual(numbers)
  })
})

describe('GET /api/v1/cves: dates', () => {
  it.each([
    ['published_before=2019-12-31', [4001]],
    ['published_before=2019-12-31T23:59:58Z', []],
    ['published_before=2019-12-31T23:59:59', [4001]],
    ['published_before=2020-01-01T01:59:59%2B02:00', [4001]],
    ['published_before=2020-01-01T01:59:58%2B02:00', []],
    ['published_after=2019-12-31T23:59:59Z&published_before=2019-12-31T23:59:59Z', [4001]],
    ['published_after=2020-01-01', allBut(4001)],
    ['modified_before=2019-12-31', []],
    ['modified_before=2020-01-01', [4001]],
    ['modified_after=2020-01-01T00:00:01Z', allBut(4001)],
    ['modified_after=2020-01-01&modified_before=2020-01-01', [4001]],
  ])('filters by %s inclusively', async (query, numbers) => {
    expect(await found(query)).toEqual(numbers)
  })

  it('omits CVEs without a publication date if a date filter is given', async () => {
    await given(cve('CVE-2023-0001', { published: null }))
    expect(listCveIds((await get('published_before=2099-01-01&ids=CVE-2023-0001')).json.data)).toEqual([])
    expect(listCveIds((await get('ids=CVE-2023-0001')).json.data)).toEqual(['CVE-2023-0001'])
    await given(withdrawnCve('CVE-2023-0001'))
  })
})

describe('GET /api/v1/cves: filters that require include=enrichment', () => {
  it.each([
    ['attack_vector=physical', [5001]],
    ['attack_vector=P', [5001]],
    ['attack_vector=p', [5001]],
    ['attack_vector=network', allBut(0, 5001)],
    ['attack_vector=N', allBut(0, 5001)],
    ['vendor=nvd', allBut(5001)],
    ['vendor=cve', EVERY],
  ])('filters by %s', async (query, numbers) => {
    const ids = await found(`${query}&include=enrichment`)
    expect(ids).toEqual(numbers)
  })
})

describe('GET /api/v1/cves: vendor', () => {
  it('returns 403 with the required plan for an enterprise source on other plans', async () => {
    const { status, json } = await get('vendor=ghsa&include=enrichment')
    expect([status, json.error.code, json.error.details.required_plan]).toEqual([403, 'FORBIDDEN', 'enterprise'])
    const key = createTestKey()
    await given(account('enterprise').withKey(key))
    expect(listCveIds((await get('vendor=ghsa&include=enrichment', key.key)).json.data)).toEqual(['CVE-2024-5001'])
  })

  it('explains the parameter vendor when its value is unknown or empty', async () => {
    for (const vendor of ['apache', '']) {
      const { status, json } = await get(`vendor=${vendor}&include=enrichment`)
      expect([status, json.error.parameter, json.error.value]).toEqual([400, 'vendor', vendor])
      expect(json.error.message).toContain('data source')
      expect(json.error.message).toContain('/kev?vendor=')
    }
  })
})

describe('GET /api/v1/cves: status', () => {
  it('accepts a list of statuses in any letter case', async () => {
    expect(await found('status=Rejected')).toEqual([6001])
    expect(await found('status=rejected,awaiting%20analysis')).toEqual([6001, 6002])
    expect(await found('status=Analyzed')).toEqual(allBut(6001, 6002))
  })
})

describe('GET /api/v1/cves: combined filters', () => {
  it('combines all filters with AND', async () => {
    expect(await found('exploit=true&kev=true&has_acsc=true&q=overflow')).toEqual([1003])
    expect(await found('exploitable=false&kev=true')).toEqual([1002, 1004])
    expect(await found('epss_min=0.1&kev=true')).toEqual([])
  })
})
