import type { Config } from '../config.ts'
import { type Database, openPool } from '../database/postgres.ts'

/**
 * Runs `work` on a connection to the accounts database with the owner's rights, and closes the connection afterwards.
 */
export async function withAccountsOwner<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const limits = { ...config.database.limits, poolSize: 1, acquireTimeoutMs: 5000 }
  const pool = openPool(config.database.accountsOwnerUrl, 'operator', limits, () => {})
  try {
    return await work(pool.db)
  } finally {
    await pool.close()
  }
}
