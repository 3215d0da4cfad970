import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { markPublished } from '../../support/catalog/cve-builder.ts'
import { startTestService } from '../../support/service.ts'

describe('HTTP: slow database', () => {
  it('returns 503 QUERY_TIMEOUT with Retry-After and charges nothing (decisions B1 and A6)', async () => {
    const slow = await startTestService({ environment: { DATABASE_LOCK_TIMEOUT_MS: '200' } })
    const limits = { poolSize: 1, statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }
    const pool = openPool(slow.database.url, 'lock', limits, () => {})
    const answers = await pool.db.transaction().execute(async (tx) => {
      await sql`lock table catalog.cve, catalog.cve_document, catalog.kev in access exclusive mode`.execute(tx)
      return [
        await slow.api.get('/api/v1/cve/CVE-2021-44228'),
        await slow.api.get('/api/v1/cve/CVE-2021-44228/detail'),
        await slow.api.get('/api/v1/kev'),
        await slow.api.get('/api/v1/cves?q=x'),
        await slow.api.get('/api/v1/cves/recent'),
      ]
    })
    await pool.close()
    for (const { status, json, headers } of answers) {
      expect([status, json.error.code, headers['retry-after']]).toEqual([503, 'QUERY_TIMEOUT', '5'])
    }
    const used = async () => (await slow.api.get('/api/v1/usage')).json.data.usage.credits_used
    await expect.poll(used).toBe(0)
  })
})

describe('HTTP: all read connections are in use', () => {
  it('still answers /health, /ping and /stats, which use their own connection', async () => {
    const busy = await startTestService({
      environment: { DATABASE_POOL_SIZE: '1', DATABASE_LOCK_TIMEOUT_MS: '20000' },
    })
    await busy.given({ store: markPublished })
    const limits = { poolSize: 1, statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }
    const pool = openPool(busy.database.url, 'lock', limits, () => {})
    const { waiting, checks } = await pool.db.transaction().execute(async (tx) => {
      await sql`lock table catalog.cve_document in access exclusive mode`.execute(tx)
      const call = busy.api.get('/api/v1/cve/CVE-2021-44228')
      const areAllInUse = async () => {
        const text = await busy.metrics.text()
        return /pool="reads",state="total"\} 1/.test(text) && /pool="reads",state="idle"\} 0/.test(text)
      }
      await expect.poll(areAllInUse).toBe(true)
      const answers = await Promise.all(['/health', '/api/v1/ping', '/api/v1/stats'].map((path) => busy.api.get(path)))
      return { waiting: call, checks: answers }
    })
    await pool.close()
    expect((await waiting).status).toBe(404)
    const [health, ping, stats] = checks
    expect([health?.status, ping?.json.data.database.connected, stats?.status]).toEqual([200, true, 200])
  })
})
