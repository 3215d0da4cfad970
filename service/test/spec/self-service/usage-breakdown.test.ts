import { describe, expect, it } from 'vitest'
import { readRows, runStatements } from '../../support/run-statements.ts'
import { createManager } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'
import { compareWhileCharging } from './usage-sums.ts'

const service = await startTestService({ environment: { CONSOLE_KEY_SIGN_IN: 'on' } })
const { api, database } = service
const PATH = '/api/v1/usage/breakdown'

const getBreakdown = async (key: string, query = '') => (await api.get(`${PATH}${query}`, { key })).json.data

const today = new Date().toISOString().slice(0, 10)

describe('GET /api/v1/usage/breakdown', () => {
  it("breaks this month's credits down by day, endpoint and key, without refunded calls", async () => {
    const { key } = await createManager(service)
    for (const path of ['/api/v1/stats', '/api/v1/stats', '/api/v1/kev', '/api/v1/cve/CVE-1999-0001'])
      await api.get(path, { key })

    const { from, to, by, rows, totals } = await getBreakdown(key, '?by=endpoint,day')

    expect([from, to, by]).toEqual([`${today.slice(0, 8)}01`, today, ['day', 'endpoint']])
    expect(rows).toEqual([
      { day: today, endpoint: 'get-stats', calls: 2, credits: 1 },
      { day: today, endpoint: 'list-kev', calls: 1, credits: 1 },
    ])
    expect(totals).toEqual({ calls: 3, credits: 2 })
    expect((await getBreakdown(key, '?by=key')).rows).toEqual([
      { key_id: expect.stringMatching(/^\d+$/), calls: 3, credits: 2 },
    ])
    expect((await getBreakdown(key)).rows).toEqual([{ day: today, calls: 3, credits: 2 }])
  })

  it('reads days that were counted before, even those from last year', async () => {
    const { key, accountId } = await createManager(service)
    await readRows(
      database.url,
      `insert into accounts.usage_daily (account_id, key_id, endpoint, day, calls, cost_half)
       values ($1, 1, 'get-cve', '2025-11-30', 3, 30), ($1, 1, 'get-cve', '2025-12-01', 1, 10), ($1, 1, 'console', '2025-12-01', 7, 0)`,
      [accountId],
    )
    expect((await getBreakdown(key, '?by=day,endpoint&from=2025-11-30&to=2025-12-01')).rows).toEqual([
      { day: '2025-11-30', endpoint: 'get-cve', calls: 3, credits: 15 },
      { day: '2025-12-01', endpoint: 'console', calls: 7, credits: 0 },
      { day: '2025-12-01', endpoint: 'get-cve', calls: 1, credits: 5 },
    ])
    // Without `from`, the period begins with the month of `to`.
    expect((await getBreakdown(key, '?to=2025-12-24')).totals).toEqual({ calls: 8, credits: 5 })
  })

  it('has the same sum as /api/v1/usage at every moment while calls are charged and refunded', async () => {
    const { comparisons, differences } = await compareWhileCharging(service, { callers: 4, comparisons: 15 })
    expect(comparisons).toBe(15)
    expect(differences).toEqual([])
  })

  it("has the same sum before and after the ledger's days are counted", async () => {
    const { key, accountId } = await createManager(service)
    for (let count = 0; count < 3; count += 1) await api.get('/api/v1/stats', { key })
    // Moves the calls to yesterday, as if they had been made then. The two days may or may not be in the same month.
    await runStatements(
      database.url,
      `update accounts.ledger set at = at - interval '1 day', day = day - 1 where account_id = ${accountId}`,
      'select accounts.prepare_ledger()',
      'update accounts.usage_rolled_up set before_day = before_day - 1',
    )
    const query = `?by=day,endpoint,key&from=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}`
    const before = await getBreakdown(key, query)
    expect(before.totals).toEqual({ calls: 3, credits: 1.5 })

    await runStatements(database.url, 'select accounts.roll_up_portion()')
    const [{ counted }] = await readRows(
      database.url,
      'select count(*)::integer as counted from accounts.usage_daily where account_id = $1',
      [accountId],
    )
    expect(counted).toBe(1)
    expect(await getBreakdown(key, query)).toEqual(before)
  })
})
