import { beforeAll, describe, expect, it, vi } from 'vitest'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { countedNames } from '../../../support/catalog/cve-names.ts'
import { event } from '../../../support/catalog/event-builder.ts'
import { beginFirstLoad, endFirstLoad } from '../../../support/catalog/first-load.ts'
import { startTestService } from '../../../support/service.ts'

/** The test clock shows 2026-08-22, a Saturday. */
const { api, given, database } = await startTestService()
await given(
  cve('CVE-2026-1001', { published: '2026-08-02T23:59:59Z', score: 9.8, products: ['fortinet/fortios'] }),
  cve('CVE-2026-1002', { published: '2026-08-03T00:00:00Z', score: 5, products: ['fortinet/fortiweb', 'acme/box'] }),
  cve('CVE-2026-1003', { published: '2026-08-03T12:00:00Z', score: null, cwes: ['CWE-89', 'CWE-79'] }),
  cve('CVE-2026-1004', { published: '2026-08-22T00:00:00Z', status: 'Rejected', score: null, cwes: [] }),
  cve('CVE-2026-1005', { published: null }),
  cve('CVE-2026-1006', {
    published: '2026-07-01T00:00:00Z',
    kev: { dateAdded: '2026-08-03', knownRansomware: true },
    euKevSince: '2026-08-05',
    score: 9,
    products: ['acme/box'],
  }),
  cve('CVE-2026-1007', { published: '2026-07-02T00:00:00Z', kev: { dateAdded: '2026-08-09' }, products: ['acme/box'] }),
  event('CVE-2026-1006', { kind: 'eu_kev_added', upstreamAt: '2026-08-05T00:00:00Z' }),
  // ENISA removed this one.
  event('CVE-2026-1007', { kind: 'eu_kev_added', upstreamAt: '2026-08-06T00:00:00Z' }),
  countedNames(),
)

const send = (query: string) => api.get(`/api/v1/stats/series?${query}`)
const read = async (query: string) => (await send(query)).json.data
const top = async (query: string) => {
  const { json } = await api.get(`/api/v1/stats/top?${query}`)
  expect(json.error).toBeUndefined()
  return json.data
}

interface Counted {
  readonly from: string
  readonly count: number | null
  readonly values?: readonly { readonly value: string | null; readonly count: number | null }[]
}

const listCounts = ({ buckets }: { buckets: readonly Counted[] }) => buckets.map(({ count }) => count)
const listValues = ({ buckets }: { buckets: readonly Counted[] }) =>
  buckets.map(({ values = [] }) => values.map(({ value, count }) => `${value} ${count}`).join(', '))

describe('GET /api/v1/stats/series', () => {
  it('counts CVEs by their day of publication in UTC, and today as far as it has passed', async () => {
    const series = await read('metric=published&from=2026-08-02&to=2026-08-03')
    expect(series).toMatchObject({
      metric: 'published',
      is_level: false,
      dated_by: 'source',
      split_by: null,
      from: '2026-08-02',
      to: '2026-08-03',
      complete_since: '2026-07-01T00:00:00Z',
      total: 3,
      buckets: [
        { from: '2026-08-02', to: '2026-08-02', count: 1 },
        { from: '2026-08-03', to: '2026-08-03', count: 2 },
      ],
    })
    expect(listCounts(await read('metric=published&from=2026-08-22'))).toEqual([1])
  })

  it('divides the window into weeks that begin on Monday, and shortens the first and the last one', async () => {
    expect((await read('metric=published&bucket=week&from=2026-08-01&to=2026-08-12')).buckets).toEqual([
      { from: '2026-08-01', to: '2026-08-02', count: 1 },
      { from: '2026-08-03', to: '2026-08-09', count: 2 },
      { from: '2026-08-10', to: '2026-08-12', count: 0 },
    ])
  })

  it('divides the window into months, and has null for months that begin before the data', async () => {
    expect((await read('metric=published&bucket=month&from=2026-06-30')).buckets).toEqual([
      { from: '2026-06-30', to: '2026-06-30', count: null },
      { from: '2026-07-01', to: '2026-07-31', count: 2 },
      { from: '2026-08-01', to: '2026-08-22', count: 4 },
    ])
    expect(await read('metric=published&bucket=month&from=2026-06-30')).toMatchObject({ total: null })
  })

  it.each([
    ['day', '2026-05-25', 90],
    ['week', '2025-07-28', 56],
    ['month', '2025-08-01', 13],
  ])('has a default window with whole buckets for bucket=%s', async (bucket, from, count) => {
    const series = await read(`metric=published&bucket=${bucket}`)
    expect([series.from, series.to, series.buckets.length]).toEqual([from, '2026-08-22', count])
  })

  it('divides published CVEs by severity and by priority, with null for those without a value', async () => {
    expect(listValues(await read('metric=published&by=severity&bucket=month&from=2026-08-01'))).toEqual([
      'critical 1, high 0, medium 1, low 0, null 2',
    ])
    const [byPriority] = listValues(await read('metric=published&by=priority&from=2026-08-22'))
    expect(byPriority).toMatch(/null 1$/)
  })

  it("counts KEV entries by CISA's own day, and ENISA's beside the count", async () => {
    const series = await read('metric=kev_added&by=catalog&bucket=week&from=2026-08-03&to=2026-08-16')
    expect(listCounts(series)).toEqual([2, 0])
    expect(series.complete_since).toBe('2026-08-03T00:00:00Z')
    // The first week begins before ENISA's first entry. The entry that ENISA removed does not count.
    expect(listValues(series)).toEqual(['kev 2, eu_kev null', 'kev 0, eu_kev 0'])
    expect(listValues(await read('metric=kev_added&by=catalog&from=2026-08-05&to=2026-08-06'))).toEqual([
      'kev 0, eu_kev 1',
      'kev 0, eu_kev 0',
    ])
    expect(listValues(await read('metric=kev_added&by=ransomware&bucket=week&from=2026-08-03&to=2026-08-09'))).toEqual([
      'true 1, false 1',
    ])
  })

  it('counts the CVEs of a vendor, and suggests similar names for an unknown one', async () => {
    const window = 'bucket=month&from=2026-08-01'
    expect(await read(`metric=published&product_vendor=Fortinet&${window}`)).toMatchObject({ total: 2 })
    expect(await read(`metric=kev_added&product_vendor=acme,fortinet&bucket=week&from=2026-08-03`)).toMatchObject({
      total: 2,
    })
    expect(await read(`metric=published&product_vendor=fortinett&${window}`)).toMatchObject({
      total: 0,
      did_you_mean: [{ parameter: 'product_vendor', value: 'fortinett', suggestions: [{ value: 'fortinet' }] }],
    })
  })

  it.each([
    ['metric', 'from=2026-08-01', 'metric'],
    ['an unknown metric', 'metric=publishd', 'metric'],
    ['a value that does not fit the metric', 'metric=published&by=ransomware', 'by'],
    ['a day in the future', 'metric=published&to=2026-08-23', 'to'],
    ['from after to', 'metric=published&from=2026-08-02&to=2026-08-01', 'from'],
    ['more than 400 days', 'metric=published&from=2025-07-18', 'from'],
  ])('rejects a call without or with a wrong value: %s', async (_name, query, parameter) => {
    const { status, json } = await send(query)
    expect([status, json.error]).toMatchObject([400, { code: 'INVALID_PARAMETER', parameter }])
  })

  it('says by which values a metric can be divided, and which bucket has fewer of them', async () => {
    expect((await send('metric=published&by=catalog')).json.error.message).toContain(
      'must be one of severity, priority for metric=published',
    )
    expect((await send('metric=published&from=2020-01-01')).json.error.message).toContain('or send bucket=month')
    expect((await send('metric=published&from=2025-07-19')).status).toBe(200)
  })

  it('knows no count while the catalog is loaded for the first time', async () => {
    await beginFirstLoad(database.url)
    const series = await read('metric=published&from=2026-08-03')
    expect([series.complete_since, series.total]).toEqual([null, null])
    expect(await top('of=vendor&metric=published&from=2026-08-03')).toMatchObject({ first_counted_day: null, total: 0 })
    await endFirstLoad(database.url)
  })
})

describe('GET /api/v1/stats/top', () => {
  // On a busy machine, the thread that counts can take longer to start than an answer may take.
  beforeAll(() =>
    vi.waitFor(() => top('of=vendor&metric=published&from=2026-08-01'), { timeout: 100_000, interval: 100 }),
  )

  it('counts each CVE once for each of its names, and the CVEs without one', async () => {
    const august = 'metric=published&from=2026-08-01'
    expect(await top(`of=vendor&${august}`)).toMatchObject({
      first_counted_day: '2026-08-01',
      total: 4,
      without_name: 2,
      names: [
        { value: 'fortinet', count: 2 },
        { value: 'acme', count: 1 },
      ],
    })
    expect((await top(`of=cwe&${august}`)).names).toEqual([
      { value: 'CWE-79', count: 3 },
      { value: 'CWE-89', count: 1 },
    ])
    expect((await top(`of=product&${august}&product_vendor=fortinet&limit=1`)).names).toEqual([
      { value: 'fortios', count: 1 },
    ])
  })

  it('counts KEV entries, and begins with the first day that is known', async () => {
    expect(await top('of=product&metric=kev_added&from=2026-07-01')).toMatchObject({
      from: '2026-07-01',
      first_counted_day: '2026-08-03',
      total: 2,
      without_name: 0,
      names: [{ value: 'box', count: 2 }],
    })
  })

  it('says how long a window can be', async () => {
    const { status, json } = await api.get('/api/v1/stats/top?of=vendor&metric=published&from=2020-01-01&to=2026-08-01')
    expect([status, json.error.message]).toEqual([
      400,
      'from must be a later day: a window has at most 400 days, and to is 2026-08-01',
    ])
  })
})
