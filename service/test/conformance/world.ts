// A service of its own for the suite: a fresh database, the accounts that its README names, a real process on a free port.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { createMissingDatabase, MIGRATION_SETS, migrate } from '../../src/database/migrate.ts'
import { openPool } from '../../src/database/postgres.ts'
import { type AccountGiven, account, aKey } from '../support/builders.ts'

export interface World {
  readonly url: string
  readonly keys: Readonly<Record<string, string | { key: string; origin: string }>>
  stop(): Promise<void>
}

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const VIS_SERVER = fileURLToPath(new URL('../../bin/vis-server.js', import.meta.url))
const SERVER_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const ORIGIN = 'https://console.example'

export async function startWorld(): Promise<World> {
  const database = `vis_conformance_${process.pid}`
  const databaseUrl = new URL(`/${database}`, SERVER_URL).href
  await createMissingDatabase(databaseUrl)
  for (const set of MIGRATION_SETS) await migrate(databaseUrl, set, MIGRATIONS)
  const keys = await makeAccounts(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'vis-conformance-'))
  const child = spawn(process.execPath, [VIS_SERVER, 'serve'], {
    cwd: folder,
    env: {
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      REDIS_URL: process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
      REDIS_PREFIX: `${database}:`,
      PORT: '0',
      OPS_PORT: '0',
      DRAIN_DELAY_MS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await portOf(child)
  const stop = async () => {
    child.kill()
    await new Promise((resolve) => child.once('exit', resolve))
    rmSync(folder, { recursive: true })
    const client = new Client({ connectionString: SERVER_URL })
    await client.connect()
    await client.query(`drop database ${database} with (force)`)
    await client.end()
  }
  return { url: `http://127.0.0.1:${port}`, keys, stop }
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

async function portOf(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('the service has no output')
  for await (const line of createInterface(child.stdout)) {
    const { msg, api } = JSON.parse(line)
    if (msg === 'serving') {
      child.stdout.resume()
      return api.port
    }
  }
  throw new Error('the service ended before it served')
}
