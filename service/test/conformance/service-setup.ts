// Starts a service for the conformance suite: a database with a catalog, the accounts that conformance/README.md lists,
// and a server process on a free port whose clock is set to the day of the data.
import { fileURLToPath } from 'node:url'
import type { Key } from '../../../conformance/lib/suite.mjs'
import { publish } from '../../src/catalog/publish/publish.ts'
import { makeSnapshot } from '../../src/catalog/snapshot/make.ts'
import { dateChanges } from '../../src/commands/demo/change-times.ts'
import { createDatabaseIfMissing, MIGRATION_SETS, migrate } from '../../src/database/migrate.ts'
import { openPool } from '../../src/database/postgres.ts'
import { openSession } from '../../src/database/session.ts'
import { type AccountFixture, account, createTestKey } from '../support/builders.ts'
import { spawnServer } from '../support/processes/spawned-server.ts'
import { runStatements } from '../support/run-statements.ts'

export interface TestedService {
  readonly url: string
  readonly keys: Readonly<Record<string, Key>>
  /** Milliseconds by which the clock of the service is ahead of the clock of this machine. */
  readonly clockOffsetMs: number
  stop(): Promise<void>
}

export interface Catalog {
  /** The time at which the clock of the service starts. */
  readonly now: string
  /** A database with a loaded catalog. The database is copied, so no client may be connected to it. */
  readonly template?: string | undefined
  /** Loads the catalog into an empty database. Not called if a loaded database is copied instead. */
  load(databaseUrl: string): Promise<void>
}

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const SERVER_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const REDIS_URL = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const ORIGIN = 'https://console.example'
/** Timeouts longer than in production: a busy machine must not turn a correct answer into a 503. */
const TIMEOUTS = { CHARGE_DEADLINE_MS: '5000', DATABASE_ACQUIRE_TIMEOUT_MS: '10000' }

export async function startService(catalog: Catalog): Promise<TestedService> {
  const database = `vis_conformance_${process.pid}`
  const drop = () => runStatements(SERVER_URL, `drop database if exists ${database} with (force)`)
  try {
    const databaseUrl = await prepareDatabase(database, catalog)
    await completeCatalog(databaseUrl, catalog)
    const keys = await createAccounts(databaseUrl)
    const server = await spawnServer({
      args: ['serve', '--now', catalog.now],
      environment: { DATABASE_URL: databaseUrl, REDIS_URL, REDIS_PREFIX: `${database}:`, ...TIMEOUTS },
    })
    const clockOffsetMs = Date.parse(catalog.now) - Date.now()
    const stop = async () => {
      await server.stop()
      await drop()
    }
    return { url: `http://127.0.0.1:${server.port}`, keys, clockOffsetMs, stop }
  } catch (error) {
    await drop()
    throw error
  }
}

async function prepareDatabase(name: string, { template, load }: Catalog): Promise<string> {
  const url = new URL(`/${name}`, SERVER_URL).href
  if (template === undefined) await createDatabaseIfMissing(url)
  else await runStatements(SERVER_URL, `create database ${name} template ${template}`)
  for (const set of MIGRATION_SETS) await migrate(url, set, MIGRATIONS)
  if (template === undefined) await load(url)
  return url
}

/**
 * Makes a snapshot, and dates the changes of the catalog by the clock of the service. A copied database gets what a
 * publication of this release adds.
 */
async function completeCatalog(databaseUrl: string, { template, now }: Catalog): Promise<void> {
  const session = openSession(databaseUrl, 'conformance')
  const context = { session, clock: () => new Date(now), signal: new AbortController().signal }
  try {
    if (template !== undefined) await publish(context)
    await dateChanges(session.db, now)
    await makeSnapshot(context)
  } finally {
    await session.close()
  }
}

/** Creates the eleven accounts that conformance/README.md lists. */
async function createAccounts(databaseUrl: string): Promise<TestedService['keys']> {
  const limits = { poolSize: 1, statementTimeoutMs: 5000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
  const pool = openPool(databaseUrl, 'conformance', limits, () => {})
  const store = async (owner: AccountFixture, state?: Parameters<AccountFixture['withKey']>[1]) => {
    const key = createTestKey()
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
    manager: await store(account('pro'), { scopes: ['read', 'manage'] }),
    browser: { key: await store(account('pro').withOrigins(ORIGIN)), origin: ORIGIN },
  }
  await pool.close()
  return keys
}
