// Starts an API node with the price probes (test endpoints that cost credits) in a process of its own, and creates
// accounts with ample credits.
import { inject } from 'vitest'
import { openPool } from '../../../service/src/database/postgres.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { startProcess } from '../../../service/test/support/processes/server-process.ts'

export interface PricedService {
  readonly port: number
  readonly keys: readonly string[]
}

export async function startPricedService(accountCount: number): Promise<PricedService> {
  const { url } = await createTestDatabase()
  const limits = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
  const pool = openPool(url, 'bench', limits, () => {})
  const keys = Array.from({ length: accountCount }, () => createTestKey())
  for (const key of keys) await account('enterprise').withQuota(100_000_000).withKey(key).store(pool.db)
  await pool.close()
  const { port } = await startProcess({
    script: new URL('../../../service/test/faults/nodes/priced-node.ts', import.meta.url),
    environment: {
      NODE_ENV: 'test',
      DATABASE_URL: url,
      REDIS_URL: inject('redisUrl'),
      // Timeouts longer than in production, because load shedding on a busy machine is not the subject of the charge
      // measurements.
      DATABASE_ACQUIRE_TIMEOUT_MS: '10000',
      CHARGE_DEADLINE_MS: '5000',
      MAX_EVENT_LOOP_DELAY_MS: '10000',
    },
  })
  return { port, keys: keys.map(({ key }) => key) }
}
