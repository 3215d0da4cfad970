// A database with one pro account, and the settings that make a process use it.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { account, aKey, type Given } from '../../support/builders.ts'
import { testDatabase } from '../../support/database.ts'

export interface ChaosWorld {
  readonly databaseUrl: string
  readonly environment: Readonly<Record<string, string>>
  /** Of a pro account, so that no rate limit interferes. */
  readonly key: string
  /** Keys of the same plan which no node has seen yet. */
  freshKeys(count: number): Promise<readonly string[]>
  given(...wanted: readonly Given[]): Promise<void>
}

/** A node that sheds load because the machine is busy with other tests has not lost a request to its restart. */
export const PATIENT_WITH_THE_DATABASE = {
  DATABASE_ACQUIRE_TIMEOUT_MS: '20000',
  DATABASE_LOCK_TIMEOUT_MS: '20000',
  DATABASE_STATEMENT_TIMEOUT_MS: '20000',
} as const

/** Call it at the top of a test file. */
export async function chaosWorld(): Promise<ChaosWorld> {
  const { url } = await testDatabase()
  const freshKeys = (count: number) => storeKeys(url, count)
  const [key = ''] = await freshKeys(1)
  return {
    key,
    freshKeys,
    given: (...wanted) => store(url, wanted),
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
  const keys = Array.from({ length: count }, aKey)
  await store(url, [keys.reduce((given, key) => given.withKey(key), account('pro'))])
  return keys.map(({ key }) => key)
}

async function store(url: string, wanted: readonly Given[]): Promise<void> {
  const limits = { poolSize: 1, statementTimeoutMs: 5000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
  const pool = openPool(url, 'chaos', limits, () => {})
  try {
    for (const each of wanted) await each.store(pool.db)
  } finally {
    await pool.close()
  }
}
