import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { account, aKey, dataset } from '../../support/builders.ts'
import { cve, statistic } from '../../support/catalog/cve-builder.ts'
import { PATIENT, testService } from '../../support/service.ts'

const { api, given, clock, database } = await testService({ environment: PATIENT })
const empty = await testService({ environment: PATIENT })
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
  // The clock of the tests stands at 2026-08-22T00:00:00Z.
  cve('CVE-2026-1001', { published: '2026-08-22T00:00:00Z' }),
  cve('CVE-2026-1002', { published: '2026-08-21T00:00:00Z' }),
  cve('CVE-2026-1003', { published: '2026-08-20T23:59:59Z' }),
  cve('CVE-2026-1004', { published: '2026-08-15T00:00:00Z' }),
  cve('CVE-2026-1005', { published: '2026-08-14T23:59:59Z' }),
  cve('CVE-2026-1006', { published: '2026-07-23T00:00:00Z', status: 'Rejected' }),
  cve('CVE-2026-1007', { published: '2026-07-22T23:59:59Z' }),
  cve('CVE-2026-1008', { published: null }),
)

const statsOf = async () => (await api.get('/api/v1/stats')).json.data.stats

describe('GET /api/v1/stats', () => {
  it('has totals, windows by published with both ends included, and the last success of a feed (C20, D17)', async () => {
    expect(await statsOf()).toEqual({
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

  it('counts the windows at most once a minute; totals are always current', async () => {
    await statsOf()
    const published = '2026-08-21T12:00:00Z'
    await given(cve('CVE-2026-1009', { published }), cve('CVE-2026-1010', { published }))
    await sql`update catalog.statistic set total_kev = 1401`.execute(db)
    clock.advance({ seconds: 59 })
    expect(await statsOf()).toMatchObject({ cvesLast24Hours: 2, totalKev: 1401 })
    clock.advance({ seconds: 1 })
    expect(await statsOf()).toMatchObject({ cvesLast24Hours: 3, cvesLast7Days: 5, cvesLast30Days: 7 })
    clock.advance({ hours: -1 })
    expect((await statsOf()).cvesLast24Hours, 'a clock that went back is not waited for').toBe(4)
  })

  it('is all zero before anything was published, not an error', async () => {
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

  it('takes no parameters (B6)', async () => {
    expect((await api.get('/api/v1/stats?days=5')).json.error).toMatchObject({ parameter: 'days', value: '5' })
  })

  it('costs half a credit: two calls cost one', async () => {
    const key = aKey()
    await given(account('pro').withKey(key))
    const used = async () => (await api.get('/api/v1/usage', { key: key.key })).json.data.usage.credits_used
    await api.get('/api/v1/stats', { key: key.key })
    await api.get('/api/v1/stats', { key: key.key })
    expect(await used()).toBe(1)
  })

  it('may be kept for a minute, and answers 304', async () => {
    const { headers } = await api.get('/api/v1/stats')
    expect(headers['cache-control']).toBe('private, max-age=60')
    expect((await api.get('/api/v1/stats', { headers: { 'If-None-Match': headers['etag'] } })).status).toBe(304)
  })
})
