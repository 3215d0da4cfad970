import { beforeEach, describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { world } from './world.ts'

const service = await world()
const ids = Array.from({ length: 7 }, (_, at) => `CVE-2026-000${at + 1}`)
await service.given(
  ...ids.map((id, at) =>
    cve(id, {
      published: `2026-08-21T0${at}:00:00Z`,
      modified: `2026-08-21T0${at}:30:00Z`,
      score: at + 1,
      epss: [(at + 1) / 10, 0.5],
      notices: ['Take care'],
      kev: { dateAdded: `2026-08-1${at}`, product: `Product ${at}` },
    }),
  ),
)
const client = await service.client()
const newestFirst = ids.toReversed()

beforeEach(() => {
  service.seen.length = 0
})

describe('search', () => {
  it('goes through all records, page after page', async () => {
    const found = await Array.fromAsync(client.search({ limit: 3 }), ({ cve_id }) => cve_id)

    expect(found).toEqual(newestFirst)
    expect(service.seen).toHaveLength(3)
  })

  it('asks for nothing before it is read, and for no page that is not read', async () => {
    const listing = client.search({ limit: 3 })
    expect(service.seen).toHaveLength(0)

    for await (const { cve_id } of listing) if (cve_id === newestFirst[3]) break
    expect(service.seen).toHaveLength(2)
  })

  it('goes through pages, each with what it knows of the rest', async () => {
    const pages = await Array.fromAsync(client.search({ limit: 3 }).pages())

    expect(pages.map(({ items, hasMore, totalEstimate }) => [items.length, hasMore, totalEstimate])).toEqual([
      [3, true, 7],
      [3, true, 7],
      [1, false, 7],
    ])
  })

  it('carries on at a cursor', async () => {
    const { nextCursor = '' } = await client.search({ limit: 3 }).page()
    const rest = await Array.fromAsync(client.search({ limit: 3, after: nextCursor }), ({ cve_id }) => cve_id)

    expect(rest).toEqual(newestFirst.slice(3))
  })

  it('takes lists, numbers and booleans as they are', async () => {
    const found = await client
      .search({ severity: ['high', 'medium'], epss_min: 0.5, kev: true, ids, sort: 'severity_asc', fields: ['cve_id'] })
      .page()

    expect(found.items).toEqual([{ cve_id: ids[4] }, { cve_id: ids[5] }, { cve_id: ids[6] }])
  })

  it('without a match is empty, not an error', async () => {
    expect(await Array.fromAsync(client.search({ q: 'unheardof' }))).toEqual([])
  })

  it('can be read twice, each time from its beginning', async () => {
    const listing = client.search({ limit: 100 })

    expect(await Array.fromAsync(listing)).toEqual(await Array.fromAsync(listing))
  })

  it('has notices under the key of lists', async () => {
    const { items } = await client.search({ include: ['acsc'], fields: ['acsc'] }).page()

    expect(items[0]?.acsc_notices?.[0]?.title).toBe('Take care')
  })
})

describe('recent', () => {
  it('goes through all records and says how far it looked', async () => {
    const recent = client.recent({ hours: 24, limit: 4 })

    expect(await Array.fromAsync(recent, ({ cve_id }) => cve_id)).toEqual(newestFirst)
    expect(await recent.page()).toMatchObject({ lookbackPeriod: '24 hours', totalFound: 7, hasMore: true })
  })
})

describe('kev', () => {
  it('goes through the catalogue, newest entry first', async () => {
    expect(await Array.fromAsync(client.kev({ limit: 2 }), ({ cveId }) => cveId)).toEqual(newestFirst)
  })

  it('filters', async () => {
    expect(await Array.fromAsync(client.kev({ product: 'product 3' }), ({ cveId }) => cveId)).toEqual([ids[3]])
  })
})

describe('a signal', () => {
  it('ends a list between two pages, with its own reason', async () => {
    const controller = new AbortController()
    const read = async () => {
      for await (const _ of client.search({ limit: 3, signal: controller.signal }).pages()) {
        controller.abort(new Error('enough'))
      }
    }

    await expect(read()).rejects.toThrow('enough')
    expect(service.seen).toHaveLength(1)
  })
})
