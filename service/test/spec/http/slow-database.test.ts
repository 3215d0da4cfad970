import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { EXTENDED_TIMEOUTS, startTestService } from '../../support/service.ts'

describe('HTTP: slow database', () => {
  it('returns 503 QUERY_TIMEOUT with Retry-After and charges nothing (decisions B1 and A6)', async () => {
    const slow = await startTestService({ environment: { ...EXTENDED_TIMEOUTS, DATABASE_LOCK_TIMEOUT_MS: '200' } })
    const limits = { poolSize: 1, statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }
    const pool = openPool(slow.database.url, 'lock', limits, () => {})
    const answers = await pool.db.transaction().execute(async (tx) => {
      await sql`lock table catalog.cve_document, catalog.kev in access exclusive mode`.execute(tx)
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
    await expect.poll(used, { timeout: 5000 }).toBe(0)
  })
})
