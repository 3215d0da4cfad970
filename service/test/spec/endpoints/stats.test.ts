import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { dataset } from '../../support/builders.ts'
import { cve, statistic } from '../../support/catalog/cve-builder.ts'
import { startTestService } from '../../support/service.ts'

const { api, given, clock, database } = await startTestService()
const empty = await startTestService()
const limits = { poolSize: 1, statementTimeoutMs: 5000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
const { db } = openPool(database.url, 'stats', limits, () => {})

await given(
  statistic({
    totalCves: 381_234,
    totalKev: 1400,
    totalWithEpss: 350_000,
    totalWithAcsc: 42,
    averageEpss: 0.031234567,
  }),
  dataset('kev').fetchedAt('2026-08-21T10:00:00Z'),
  dataset('epss').fetchedAt('2026-08-21T13:30:00Z'),
  // The test clock starts at 2026-08-22T00:00:00Z.
  cve('CVE-2026-1001', { published: '2026-08-22T00:00:00Z' }),
  cve('CVE-2026-1002', { published: '2026-08-21T00:00:00Z' }),
  cve('CVE-2026-1003', { published: '2026-08-20T23:59:59Z' }),
  cve('CVE-2026-1004', { published: '2026-08-15T00:00:00Z' }),
  cve('CVE-2026-1005', { published: '2026-08-14T23:59:59Z' }),
  cve('CVE-2026-1006', { published: '2026-07-23T00:00:00Z', status: 'Rejected' }),
  cve('CVE-2026-1007', { published: '2026-07-22T23:59:59Z' }),
  cve('CVE-2026-1008', { published: null }),
)

const readStats = async () => (await api.get('/api/v1/stats')).json.data.stats

describe('GET /api/v1/stats', () => {
  it('returns totals, counts by publication date and the last feed success (decisions C20 and D17)', async () => {
    expect(await readStats()).toEqual({
      totalCves: 381_234,
      cvesLast24Hours: 2,
      cvesLast7Days: 4,
      cvesLast30Days: 6,
      totalKev: 1400,
      totalWithEpss: 350_000,
      totalWithAcsc: 42,
      averageEpssScore: 0.03123,
      lastUpdated: '2026-08-21T13:30:00Z',
    })
  })

  it('refreshes the counts by date at most once a minute, and totals on every call', async () => {
    await readStats()
    const published = '2026-08-21T12:00:00Z'
    await given(cve('CVE-2026-1009', { published }), cve('CVE-2026-1010', { published }))
    await sql`update catalog.statistic set total_kev = 1401`.execute(db)
    clock.advance({ seconds: 59 })
    expect(await readStats()).toMatchObject({ cvesLast24Hours: 2, totalKev: 1401 })
    clock.advance({ seconds: 1 })
    expect(await readStats()).toMatchObject({ cvesLast24Hours: 3, cvesLast7Days: 5, cvesLast30Days: 7 })
    clock.advance({ hours: -1 })
    expect((await readStats()).cvesLast24Hours, 'the counts are refreshed after the clock went back').toBe(4)
  })

  it('returns zeros for an empty catalog', async () => {
    expect((await empty.api.get('/api/v1/stats')).json.data.stats).toEqual({
      totalCves: 0,
      cvesLast24Hours: 0,
      cvesLast7Days: 0,
      cvesLast30Days: 0,
      totalKev: 0,
      totalWithEpss: 0,
      totalWithAcsc: 0,
      averageEpssScore: 0,
      lastUpdated: null,
    })
  })
})
