// Creates a database with one pro account, and the environment of a process that uses the database.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { account, createTestKey, type Fixture } from '../../support/builders.ts'
import { createTestDatabase } from '../../support/database.ts'

export interface NodesSetup {
  readonly databaseUrl: string
  readonly environment: Readonly<Record<string, string>>
  /** API key of a pro account, so that no rate limit interferes. */
  readonly key: string
  /** Creates API keys of the pro plan that no node has cached. */
  createKeys(count: number): Promise<readonly string[]>
  given(...fixtures: readonly Fixture[]): Promise<void>
}

/**
 * Settings with long timeouts, because a node that sheds load on a busy machine would look like a node that loses
 * requests.
 */
export const PATIENT_SETTINGS = {
  CHARGE_DEADLINE_MS: '10000',
  DATABASE_ACQUIRE_TIMEOUT_MS: '20000',
  DATABASE_LOCK_TIMEOUT_MS: '20000',
  DATABASE_STATEMENT_TIMEOUT_MS: '20000',
  MAX_EVENT_LOOP_DELAY_MS: '10000',
} as const

/** Must be called at the top of a test file, not inside a test. */
export async function createNodesSetup(): Promise<NodesSetup> {
  const { url } = await createTestDatabase()
  const createKeys = (count: number) => storeKeys(url, count)
  const [key = ''] = await createKeys(1)
  return {
    key,
    createKeys,
    given: (...fixtures) => store(url, fixtures),
    databaseUrl: url,
    environment: {
      NODE_ENV: 'test',
      DATABASE_URL: url,
      REDIS_URL: inject('redisUrl'),
      REDIS_PREFIX: `vis_test_${randomBytes(6).toString('hex')}:`,
    },
  }
}

async function storeKeys(url: string, count: number): Promise<readonly string[]> {
  const keys = Array.from({ length: count }, createTestKey)
  await store(url, [keys.reduce((owner, key) => owner.withKey(key), account('pro'))])
  return keys.map(({ key }) => key)
}

async function store(url: string, fixtures: readonly Fixture[]): Promise<void> {
  const limits = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
  const pool = openPool(url, 'chaos', limits, () => {})
  try {
    for (const fixture of fixtures) await fixture.store(pool.db)
  } finally {
    await pool.close()
  }
}
