// A service of its own for the suite: a database with the real data, the accounts that the suite's README names, a real
// process on a free port, and the clock at the newest of the data.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { createMissingDatabase, MIGRATION_SETS, migrate } from '../../src/database/migrate.ts'
import { openPool } from '../../src/database/postgres.ts'
import { type AccountGiven, account, aKey } from '../support/builders.ts'
import { spawnServer } from '../support/spawned-server.ts'

export interface World {
  readonly url: string
  readonly keys: Readonly<Record<string, string | { key: string; origin: string }>>
  /** How far the clock of the service is ahead of the system's. */
  readonly aheadMs: number
  stop(): Promise<void>
}

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const VIS_SERVER = fileURLToPath(new URL('../../bin/vis-server.js', import.meta.url))
const SERVER_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const FIXTURES = fileURLToPath(new URL('../../src/feeds/acsc/fixtures', import.meta.url))
const NOW = '2026-08-22T23:59:59Z'
/** A database that was loaded before, to save the five minutes: it is copied, and nobody may be connected to it. */
const LOADED = process.env['WHOLE_CATALOG']

const ORIGIN = 'https://console.example'

export async function startWorld(data: string): Promise<World> {
  const database = `vis_conformance_${process.pid}`
  const databaseUrl = new URL(`/${database}`, SERVER_URL).href
  if (LOADED) await administer(`create database ${database} template ${LOADED}`)
  else await createMissingDatabase(databaseUrl)
  for (const set of MIGRATION_SETS) await migrate(databaseUrl, set, MIGRATIONS)
  if (!LOADED) load(databaseUrl, data)
  const keys = await makeAccounts(databaseUrl)
  const server = await spawnServer({
    args: ['serve', '--now', NOW],
    environment: {
      DATABASE_URL: databaseUrl,
      REDIS_URL: process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
      REDIS_PREFIX: `${database}:`,
    },
  })
  const aheadMs = Date.parse(NOW) - Date.now()
  const stop = async () => {
    await server.stop()
    await administer(`drop database ${database} with (force)`)
  }
  return { url: `http://127.0.0.1:${server.port}`, keys, aheadMs, stop }
}

/** All of the real data, then our notices: there are no real ones in the bundle. */
function load(databaseUrl: string, data: string): void {
  for (const args of [
    ['--no-publish', '--from', data],
    ['acsc', '--from', FIXTURES],
  ]) {
    const { status } = spawnSync(process.execPath, [VIS_SERVER, 'sync', '--now', NOW, ...args], {
      env: { NODE_ENV: 'test', DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) throw new Error(`vis-server sync ${args.join(' ')} ended with ${status}`)
  }
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: SERVER_URL })
  await client.connect()
  await client.query(statement)
  await client.end()
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
