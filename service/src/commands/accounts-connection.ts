import { type Config, loadConfig, loadEnvironment } from '../config.ts'
import { type Database, openPool } from '../database/postgres.ts'

/** Runs an operator's command on the accounts' database with the owner's rights. */
export async function withAccountsOwner<T>(
  work: (db: Database, config: Config) => Promise<T>,
  config: Config = loadConfig(loadEnvironment()),
): Promise<T> {
  const limits = { ...config.database.limits, poolSize: 1, acquireTimeoutMs: 5000 }
  const pool = openPool(config.database.accountsOwnerUrl, 'operator', limits, () => {})
  try {
    return await work(pool.db, config)
  } finally {
    await pool.close()
  }
}
