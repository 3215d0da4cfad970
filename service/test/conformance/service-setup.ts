// Starts a service for the conformance suite: a database with a catalog, the accounts that conformance/README.md lists,
// and a server process on a free port whose clock is set to the day of the data.
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Key } from '../../../conformance/lib/suite.mjs'
import { publish } from '../../src/catalog/publish/publish.ts'
import { makeSnapshot } from '../../src/catalog/snapshot/make.ts'
import { dateChanges } from '../../src/commands/input/change-times.ts'
import { createDatabaseIfMissing } from '../../src/database/migrate.ts'
import { openSession } from '../../src/database/session.ts'
import { main } from '../../src/main.ts'
import { loadNotices } from '../support/catalog/load-catalog.ts'
import { migrateAll } from '../support/migrate-all.ts'
import { spawnServer } from '../support/processes/spawned-server.ts'
import { runStatements } from '../support/run-statements.ts'

export interface TestedService {
  readonly url: string
  readonly keys: Readonly<Record<string, Key>>
  /** How far the service's clock is ahead of this machine's, in milliseconds. */
  readonly clockOffsetMs: number
  stop(): Promise<void>
}

export interface Catalog {
  /** The time at which the service's clock starts. */
  readonly now: string
  /**
   * A database with the real data. The database is copied, so no client may be connected to it, and the copy also gets
   * the notices of conformance/notices.
   */
  readonly template?: string | undefined
  /** Loads the catalog into an empty database. Not called if a loaded database is copied instead. */
  load(databaseUrl: string): Promise<void>
}

const SERVER_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const REDIS_URL = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const ORIGIN = 'https://console.example'
/** Timeouts are longer than in production: a busy machine must not turn a correct answer into a 503. */
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
    const url = `http://127.0.0.1:${server.port}`
    const { status } = await fetch(`${url}/api/v1/kev`, { headers: { 'X-API-Key': keys.exhausted } })
    if (status !== 200) throw new Error(`The call that spends the only credit of "exhausted" returned ${status}.`)
    return { url, keys, clockOffsetMs, stop }
  } catch (error) {
    await drop()
    throw error
  }
}

async function prepareDatabase(name: string, { template, load }: Catalog): Promise<string> {
  const url = new URL(`/${name}`, SERVER_URL).href
  if (template === undefined) await createDatabaseIfMissing(url)
  else await runStatements(SERVER_URL, `create database ${name} template ${template}`)
  await migrateAll(url)
  await (template === undefined ? load(url) : loadNotices(url))
  return url
}

/**
 * Creates a snapshot, and dates the catalog's changes by the service's clock. A copied database also gets what this
 * release would add when publishing.
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

/** Creates the accounts and keys of keys.json with the commands that conformance/README.md lists. */
async function createAccounts(databaseUrl: string) {
  const run = (...args: readonly string[]) => runCommand(args, databaseUrl)
  const createAccount = (plan: string, ...options: readonly string[]) =>
    run('accounts', 'create', '--name', 'conformance', '--plan', plan, ...options)
  const issueKey = async (account: string): Promise<{ id: string; key: string }> =>
    JSON.parse(await run('keys', 'issue', '--account', account, '--json'))
  const createKey = async (...options: Parameters<typeof createAccount>) =>
    (await issueKey(await createAccount(...options))).key

  const revoked = await issueKey(await createAccount('pro'))
  await run('keys', 'revoke', revoked.id)
  const expired = await issueKey(await createAccount('pro'))
  await run('keys', 'rotate', expired.id, '--overlap', '0')
  const suspendedAccount = await createAccount('pro')
  const suspended = await issueKey(suspendedAccount)
  await run('accounts', 'suspend', suspendedAccount)
  const manager = await issueKey(await createAccount('pro'))
  await run('keys', 'grant', manager.id, '--scopes', 'read,manage,watch,triage')
  const browserAccount = await createAccount('pro')
  const browser = await issueKey(browserAccount)
  await run('accounts', 'origins', browserAccount, ORIGIN)
  return {
    pro: await createKey('pro', '--quota', '5000000'),
    enterprise: await createKey('enterprise', '--quota', '1000000'),
    free: await createKey('free'),
    burst: await createKey('free'),
    revoked: revoked.key,
    expired: expired.key,
    suspended: suspended.key,
    exhausted: await createKey('pro', '--quota', '1'),
    nearly: await createKey('pro', '--quota', '10'),
    manager: manager.key,
    browser: { key: browser.key, origin: ORIGIN },
  }
}

/** Runs a vis-server command in this process and returns what it prints. */
async function runCommand(args: readonly string[], databaseUrl: string): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const output = Promise.all([text(stdout), text(stderr)])
  const readEnvironment = () => ({ NODE_ENV: 'test', DATABASE_URL: databaseUrl })
  const code = await main(['node', 'vis-server', ...args], {
    stdin: process.stdin,
    stdout,
    stderr,
    readEnvironment,
    exitCode: 0,
  })
  stdout.end()
  stderr.end()
  const [printed, notes] = await output
  if (code !== 0) throw new Error(`vis-server ${args.join(' ')} failed: ${notes}`)
  return printed.trim()
}
