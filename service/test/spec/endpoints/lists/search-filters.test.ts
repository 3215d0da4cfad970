// Edge cases of filters, and cursors with every filter. The conformance suite and spec/comparisons compare each filter
// with the records that it should return.
import { describe, expect, it } from 'vitest'
import { FILTER_ENTRIES } from '../../../../src/search/filters/table.ts'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { listCveIds } from '../../../support/catalog/page-through.ts'
import { startTestService } from '../../../support/service.ts'

const { api, given } = await startTestService()

// The number in a CVE id shows which filter the CVE tests.
await given(
  ...[0, 0.1, 3.9, 4, 6.9, 7, 8.9, 9, 10].map((score, at) => cve(`CVE-2026-000${at + 1}`, { score })),
  cve('CVE-2026-1001', { score: null, published: null }),
  cve('CVE-2026-1002', { score: null, published: '2026-08-01T23:59:59Z' }),
  cve('CVE-2026-2001', { score: null, products: ['fortinet/fortios', 'acme/router_os'] }),
  cve('CVE-2026-2002', { score: null, products: ['fortinet/fortiproxy', 'acme/fortios'] }),
  cve('CVE-2026-3001', { score: null, disagreements: 1 }),
  cve('CVE-2026-3002', { score: null, disagreements: 6 }),
  cve('CVE-2026-3003', { score: null, disagreements: 9 }),
  cve('CVE-2026-4001', { score: null, status: 'Rejected', facts: { isRejected: true } }),
)

const LISTS = { search: '/api/v1/cves?limit=100', recent: '/api/v1/cves/recent?days=30&limit=500' } as const

/** Returns the numbers in the ids of the CVEs that a list returns, sorted by id. */
async function find(list: string, query: string): Promise<readonly number[]> {
  const { status, json } = await api.get(`${list}&${query}`)
  expect([status, json.error]).toEqual([200, undefined])
  return listCveIds(json.data)
    .map((id) => Number(id.slice(9)))
    .sort((a, b) => a - b)
}

describe.each(Object.entries(LISTS))('Filters on the list %s', (_list, path) => {
  it.each([
    ['severity=low', [2, 3]],
    ['severity=medium', [4, 5]],
    ['severity=high', [6, 7]],
    ['severity=critical', [8, 9]],
    ['product=router%20os', [2001]],
    ['product=FortiOS', [2001, 2002]],
    ['product_vendor=fortinet&product=fortios', [2001]],
    ['product_vendor=acme&product=fortios,router_os', [2001, 2002]],
    ['disagree=score', [3001, 3003]],
    ['disagree=affected,kev_ssvc', [3002, 3003]],
    ['disagree=rejected', [3002]],
  ])('return the CVEs for %s: %j', async (query, numbers) => {
    expect(await find(path, query)).toEqual(numbers)
  })

  it('never return a rejected CVE for any value of ssvc_exploitation', async () => {
    const all = await find(path, '')
    expect(await find(path, 'ssvc_exploitation=none,poc,active')).toEqual(all.filter((number) => number !== 4001))
  })
})

describe('Date filters of GET /api/v1/cves', () => {
  it.each([
    ['published_before=2026-08-01', [1002]],
    ['published_before=2026-08-01T23:59:58Z', []],
    ['published_before=2026-08-02T01:59:59%2B02:00', [1002]],
    ['published_before=2026-08-02T01:59:58%2B02:00', []],
    ['published_before=2099-01-01', [1002]],
  ])('return the CVEs for %s: %j, and none without a publication date', async (query, numbers) => {
    expect(await find(LISTS.search, `${query}&ids=CVE-2026-1001,CVE-2026-1002`)).toEqual(numbers)
  })
})

describe.each(Object.entries(LISTS))('Cursors for the list %s', (list, path) => {
  const start = path.replace(/limit=\d+/, 'limit=1')

  it.each(
    FILTER_ENTRIES.filter(([, { lists }]) => (lists as readonly string[]).includes(list)).map(
      ([name, { parameter, needs }]) => ({
        name,
        query: new URLSearchParams({ [name]: String(parameter.example), ...(needs && { include: needs }) }).toString(),
      }),
    ),
  )('are valid only with the same value of $name', async ({ query }) => {
    const cursor: string = (await api.get(start)).json.data.pagination.nextCursor
    const other = await api.get(`${start}&after=${cursor}&${query}`)
    expect([other.status, other.json.error?.parameter]).toEqual([400, 'after'])
  })
})
