// A service of its own for the suite: a database with the real data, the accounts that the suite's README names, a real
// process on a free port, and the clock at the newest of the data.
import { fileURLToPath } from 'node:url'
import { createMissingDatabase, MIGRATION_SETS, migrate } from '../../src/database/migrate.ts'
import { openPool } from '../../src/database/postgres.ts'
import { administer } from '../support/administer.ts'
import { type AccountGiven, account, aKey } from '../support/builders.ts'
import { loadCatalog, NEWEST } from '../support/catalog/load-catalog.ts'
import { spawnServer } from '../support/processes/spawned-server.ts'

export interface World {
  readonly url: string
  readonly keys: Readonly<Record<string, string | { key: string; origin: string }>>
  /** How far the clock of the service is ahead of the system's. */
  readonly aheadMs: number
  stop(): Promise<void>
}

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const SERVER_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
/** A database that was loaded before, to save the five minutes: it is copied, and nobody may be connected to it. */
const LOADED = process.env['WHOLE_CATALOG']

const ORIGIN = 'https://console.example'

export async function startWorld(data: string): Promise<World> {
  const database = `vis_conformance_${process.pid}`
  const databaseUrl = new URL(`/${database}`, SERVER_URL).href
  if (LOADED) await administer(SERVER_URL, `create database ${database} template ${LOADED}`)
  else await createMissingDatabase(databaseUrl)
  for (const set of MIGRATION_SETS) await migrate(databaseUrl, set, MIGRATIONS)
  if (!LOADED) await loadCatalog(databaseUrl, data)
  const keys = await makeAccounts(databaseUrl)
  const server = await spawnServer({
    args: ['serve', '--now', NEWEST],
    environment: {
      DATABASE_URL: databaseUrl,
      REDIS_URL: process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
      REDIS_PREFIX: `${database}:`,
    },
  })
  const aheadMs = Date.parse(NEWEST) - Date.now()
  const stop = async () => {
    await server.stop()
    await administer(SERVER_URL, `drop database ${database} with (force)`)
  }
  return { url: `http://127.0.0.1:${server.port}`, keys, aheadMs, stop }
}

/** The ten accounts that the suite's README names. */
async function makeAccounts(databaseUrl: string): Promise<World['keys']> {
  const limits = { poolSize: 1, statementTimeoutMs: 5000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
  const pool = openPool(databaseUrl, 'conformance', limits, () => {})
  const store = async (owner: AccountGiven, state?: { expired?: boolean; revoked?: boolean }) => {
    const key = aKey()
    await owner.withKey(key, state).store(pool.db)
    return key.key
  }
  const keys = {
    pro: await store(account('pro').withQuota(5_000_000)),
    enterprise: await store(account('enterprise')),
    free: await store(account('free')),
    burst: await store(account('free')),
    revoked: await store(account('pro'), { revoked: true }),
    expired: await store(account('pro'), { expired: true }),
    suspended: await store(account('pro').suspended()),
    exhausted: await store(account('pro').withCreditsLeft(0)),
    nearly: await store(account('pro').withCreditsLeft(10)),
    browser: { key: await store(account('pro').withOrigins(ORIGIN)), origin: ORIGIN },
  }
  await pool.close()
  return keys
}
