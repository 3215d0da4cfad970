import { beforeEach, describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
const ids = Array.from({ length: 7 }, (_, at) => `CVE-2026-000${at + 1}`)
await service.given(
  ...ids.map((id, at) =>
    cve(id, {
      published: `2026-08-21T0${at}:00:00Z`,
      modified: `2026-08-21T0${at}:30:00Z`,
      score: at + 1,
      epss: [(at + 1) / 10, 0.5],
      notices: ['Gateway is exploited'],
      kev: { dateAdded: `2026-08-1${at}`, product: `Product ${at}` },
    }),
  ),
)
const client = await service.client()
const newestFirst = ids.toReversed()

beforeEach(() => {
  service.responses.length = 0
})

describe('client.filters', () => {
  it('describes the parameters of lists, or only the named ones', async () => {
    const all = await client.filters()
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['q', 'cwe', 'product', 'hours', 'limit']))

    const [cwe, ...others] = await client.filters({ name: ['cwe'] })
    expect(others).toEqual([])
    expect(cwe).toMatchObject({ is_list: true, endpoints: expect.arrayContaining(['/api/v1/cves']) })
  })
})

describe('client.search', () => {
  it('sends filters that are lists, flags and dates', async () => {
    const found = await Array.fromAsync(
      client.search({ kev_added_after: '2026-08-12', kev_added_before: '2026-08-13', has_epss: true, cwe: ['CWE-79'] }),
      ({ cve_id }) => cve_id,
    )

    expect(found).toEqual([ids[3], ids[2]])
  })

  it('sends a name with a comma as a parameter of its own, because the service would read a list', async () => {
    await Array.fromAsync(client.search({ product: ['safari', 'ios,_ipados'] }))

    expect(service.responses[0]?.path).toBe('/api/v1/cves?product=safari&product=ios%2C_ipados')
  })

  it('reads all CVEs in a search page by page', async () => {
    const found = await Array.fromAsync(client.search({ limit: 3 }), ({ cve_id }) => cve_id)

    expect(found).toEqual(newestFirst)
    expect(service.responses).toHaveLength(3)
  })

  it('fetches nothing before the first read, and no page that is not read', async () => {
    const listing = client.search({ limit: 3 })
    expect(service.responses).toHaveLength(0)

    for await (const { cve_id } of listing) if (cve_id === newestFirst[3]) break
    expect(service.responses).toHaveLength(2)
  })

  it('returns hasMore and totalEstimate with each page', async () => {
    const pages = await Array.fromAsync(client.search({ limit: 3 }).pages())

    expect(pages.map(({ items, hasMore, totalEstimate }) => [items.length, hasMore, totalEstimate])).toEqual([
      [3, true, 7],
      [3, true, 7],
      [1, false, 7],
    ])
  })

  it('continues a search after a cursor', async () => {
    const { nextCursor = '' } = await client.search({ limit: 3 }).page()
    const rest = await Array.fromAsync(client.search({ limit: 3, after: nextCursor }), ({ cve_id }) => cve_id)

    expect(rest).toEqual(newestFirst.slice(3))
  })

  it('sends lists, numbers and booleans as query parameters', async () => {
    const page = await client
      .search({ severity: ['high', 'medium'], epss_min: 0.5, kev: true, ids, sort: 'severity_asc', fields: ['cve_id'] })
      .page()

    expect(page.items).toEqual([{ cve_id: ids[4] }, { cve_id: ids[5] }, { cve_id: ids[6] }])
  })

  it('returns an empty list if no CVE matches', async () => {
    expect(await Array.fromAsync(client.search({ q: 'unmatched' }))).toEqual([])
  })

  it('starts from the first page each time a listing is read', async () => {
    const listing = client.search({ limit: 100 })

    expect(await Array.fromAsync(listing)).toEqual(await Array.fromAsync(listing))
  })

  it('returns ACSC notices in the member acsc_notices', async () => {
    const { items } = await client.search({ include: ['acsc'], fields: ['acsc'] }).page()

    expect(items[0]?.acsc_notices?.[0]?.title).toBe('Gateway is exploited')
  })
})

describe('client.recent', () => {
  it('reads all recent CVEs and returns the lookback period', async () => {
    const recent = client.recent({ hours: 24, limit: 4 })

    expect(await Array.fromAsync(recent, ({ cve_id }) => cve_id)).toEqual(newestFirst)
    expect(await recent.page()).toMatchObject({ lookbackPeriod: '24 hours', totalFound: 7, hasMore: true })
  })

  it('reads the events of each CVE if include names them', async () => {
    const recent = client.recent({ hours: 24, include: ['events'], fields: ['cve_id', 'events'] })
    const kinds = await Array.fromAsync(recent, ({ events = [] }) => events.map(({ kind }) => kind).join())
    expect(new Set(kinds)).toEqual(new Set(['modified,published']))
  })
})

describe('client.kev', () => {
  it('reads the KEV catalog, newest entry first', async () => {
    expect(await Array.fromAsync(client.kev({ limit: 2 }), ({ cveId }) => cveId)).toEqual(newestFirst)
  })

  it('filters KEV entries by product', async () => {
    expect(await Array.fromAsync(client.kev({ product: 'product 3' }), ({ cveId }) => cveId)).toEqual([ids[3]])
  })
})

describe('client.exploits', () => {
  it('reads all evidence for a CVE page by page, and returns the summary with each page', async () => {
    await service.given(cve('CVE-2026-0100', { repositoryCount: 5, kev: { dateAdded: '2026-08-10' } }))
    const exploits = client.exploits('CVE-2026-0100', { limit: 4 })

    expect(await Array.fromAsync(exploits, ({ kind }) => kind)).toEqual(['kev', ...Array(5).fill('repository')])
    const pages = await Array.fromAsync(exploits.pages())
    expect(pages.map(({ items, hasMore }) => [items.length, hasMore])).toEqual([
      [4, true],
      [2, false],
    ])
    for (const { summary } of pages)
      expect(summary).toMatchObject({ cve_id: 'CVE-2026-0100', maturity: 'active', counts: { kev: 1, repository: 5 } })
  })

  it('rejects with NOT_FOUND for an unknown CVE', async () => {
    await expect(client.exploits('CVE-1999-9999').page()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('client: the signal option of a listing', () => {
  it("stops a listing between two pages with the signal's reason", async () => {
    const controller = new AbortController()
    const read = async () => {
      for await (const _ of client.search({ limit: 3, signal: controller.signal }).pages()) {
        controller.abort(new Error('enough'))
      }
    }

    await expect(read()).rejects.toThrow('enough')
    expect(service.responses).toHaveLength(1)
  })
})
