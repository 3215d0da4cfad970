import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { account, createTestKey, type Fixture } from '../../support/builders.ts'
import { cve } from '../../support/catalog/cve-builder.ts'
import { EXTENDED_TIMEOUTS, startTestService } from '../../support/service.ts'

const { api, given } = await startTestService({ environment: EXTENDED_TIMEOUTS })

const toId = (number: number) => `CVE-2026-${8000 + number}`
/** Old and new scores of the window of 7 days, in units of 0.00001. */
const MOVES = [
  [1000, 61_000],
  [20_000, 30_000],
  [5, 10_005],
  [10_000, 20_000],
  [0, 500],
  [90_000, 10_000],
] as const

const movers: Fixture = {
  store: async (db) => {
    await sql`
      insert into catalog.epss_mover_window (days, from_day, to_day, is_comparable)
      values (7, '2026-08-14', '2026-08-21', true), (30, '2026-07-22', '2026-08-21', false)
    `.execute(db)
    for (const [index, [before, after]] of MOVES.entries())
      await sql`
        insert into catalog.epss_mover (days, cve_key, old_score, new_score, old_day)
        values (7, catalog.cve_key(${toId(index)}), ${before}, ${after}, '2026-08-14')
      `.execute(db)
  },
}

describe('GET /api/v1/epss/movers', () => {
  const get = (query = '') => api.get(`/api/v1/epss/movers${query}`)
  const readData = async (query = '') => (await get(query)).json.data
  const listIds = async (query: string) => (await readData(query)).movers.map((each: { cve_id: string }) => each.cve_id)

  it('is empty before the first EPSS release', async () => {
    expect(await readData()).toEqual({
      window: { days: 7, from: null, to: null, comparable: true },
      movers: [],
      pagination: { limit: 50, hasMore: false, totalEstimate: 0 },
    })
  })

  it('lists the CVEs that rose, the largest difference first, with KEV and priority', async () => {
    await given(movers, cve(toId(0), { kev: {} }), ...[1, 2, 3, 5].map((number) => cve(toId(number))))
    await given(cve(toId(4), { status: 'Rejected', facts: { isRejected: true } }))
    const { window, movers: listed } = await readData()
    expect(window).toEqual({ days: 7, from: '2026-08-14', to: '2026-08-21', comparable: true })
    expect(listed[0]).toEqual({
      cve_id: toId(0),
      from: { date: '2026-08-14', score: 0.01 },
      to: { date: '2026-08-21', score: 0.61 },
      delta: 0.6,
      ratio: 61,
      in_kev: true,
      priority: expect.stringMatching(/^P[0-4]$/),
    })
    // Of equal differences, the newer CVE comes first.
    expect(listed.map((each: { cve_id: string }) => each.cve_id)).toEqual([0, 3, 2, 1, 4].map(toId))
    expect(listed.at(-1)).toMatchObject({ ratio: null, priority: null })
  })

  it('lists the CVEs that fell', async () => {
    const { movers: listed } = await readData('?direction=down')
    expect(listed).toMatchObject([{ cve_id: toId(5), delta: -0.8, ratio: 9 }])
  })

  it('applies the minimum difference and ratio, both inclusive', async () => {
    expect(await listIds('?min_delta=0.1')).toEqual([0, 3, 2, 1].map(toId))
    expect(await listIds('?min_delta=0.10001')).toEqual([toId(0)])
    expect(await listIds('?min_ratio=2')).toEqual([0, 3, 2, 4].map(toId))
  })

  it('says that a window with two models is not comparable', async () => {
    expect(await readData('?days=30')).toMatchObject({
      window: { days: 30, from: '2026-07-22', comparable: false },
      movers: [],
    })
  })

  it('returns every CVE once over all pages', async () => {
    const ids: string[] = []
    for (let after = ''; ; ) {
      const { movers: listed, pagination } = await readData(`?limit=2&after=${after}`)
      ids.push(...listed.map((each: { cve_id: string }) => each.cve_id))
      expect(pagination.totalEstimate).toBe(5)
      if (!pagination.hasMore) break
      after = pagination.nextCursor
    }
    expect(ids).toEqual([0, 3, 2, 1, 4].map(toId))
  })

  it('rejects another window length and the cursor of another list, and costs 1 credit', async () => {
    const key = createTestKey()
    await given(account('pro').withKey(key))
    const send = (query: string) => api.get(`/api/v1/epss/movers${query}`, { key: key.key })
    expect((await send('?days=2')).json.error).toMatchObject({
      parameter: 'days',
      details: { errors: [{ allowed: ['1', '7', '30'] }] },
    })
    const { nextCursor } = (await send('?limit=1')).json.data.pagination
    expect((await send(`?limit=1&direction=down&after=${nextCursor}`)).json.error).toMatchObject({ parameter: 'after' })
    expect((await api.get('/api/v1/usage', { key: key.key })).json.data.usage.credits_used).toBe(1)
  })
})
