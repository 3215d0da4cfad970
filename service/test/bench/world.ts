// What the benchmark runs against: a database with a catalog, accounts of the pro plan, servers, and the bare baselines.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import { Client } from 'pg'
import { createMissingDatabase, MIGRATION_SETS, MIGRATIONS_FOLDER, migrate } from '../../src/database/migrate.ts'
import { openPool } from '../../src/database/postgres.ts'
import type { Plan } from '../../src/domain/plan.ts'
import { administer } from '../support/administer.ts'
import { account, aKey } from '../support/builders.ts'
import { loadCatalog } from '../support/catalog/load-catalog.ts'
import { NODE_ARGUMENTS } from '../support/processes/deployed-node.ts'
import { type SpawnedServer, spawnServer } from '../support/processes/spawned-server.ts'
import type { Done, Materials, Order } from './bare/queries.ts'
import { cpuSeconds, postgresProcesses } from './load/cpu.ts'
import type { Shared } from './load/turns.ts'

const SERVER_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const REDIS_URL = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const QUOTA = 100_000_000
export const CURSOR_SECRET = 'a secret of the benchmark, of 32 characters or more'

const SETTINGS = {
  NODE_ENV: 'production',
  REDIS_URL,
  CURSOR_SECRET,
  // A machine that is busy with something else sheds load; that is not what is measured here.
  CHARGE_DEADLINE_MS: '5000',
  DATABASE_ACQUIRE_TIMEOUT_MS: '10000',
}

export interface World {
  readonly url: string
  readonly folder: string
  readonly callers: readonly Caller[]
  readonly shared: Shared
  /** An API process, with settings of its own beside the usual ones, and arguments for Node. */
  serve(environment?: Readonly<Record<string, string>>, execArgs?: readonly string[]): Promise<SpawnedServer>
  bareFastify(bodies: ReadonlyMap<string, Buffer>): Promise<SpawnedServer>
  bareQueries(statements: Materials['statements']): Promise<BareQueries>
  /** Another database on the same server: a copy of one of ours, or with empty tables. */
  database(name: string, template?: string): Promise<string>
  /** One that outlives the run, for the next: a copy of ours, changed by `prepare` when it is made. */
  keptDatabase(name: string, prepare: (url: string) => Promise<void>): Promise<string>
  addCallers(url: string, count: number, plan?: Plan): Promise<readonly Caller[]>
  close(): Promise<void>
}

export interface Caller {
  readonly key: string
  readonly accountId: string
  readonly keyId: string
}

interface BareQueries {
  readonly pid: number
  run(order: Order): Promise<Done>
  stop(): Promise<void>
}

/** Where the catalog comes from: a database that has it (to be copied; nobody may be connected), or files to load. */
export type CatalogFrom = { readonly database: string } | { readonly files: string }

export async function openWorld(from: CatalogFrom, callers: number): Promise<World> {
  const undo: Undo = []
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step()
  }
  try {
    return await build(from, callers, undo, close)
  } catch (error) {
    await close()
    throw error
  }
}

type Undo = (() => unknown)[]

async function build(from: CatalogFrom, count: number, undo: Undo, close: () => Promise<void>): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'vis-bench-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const database = (name: string, template?: string) => makeDatabase(`vis_bench_${process.pid}_${name}`, template, undo)
  const url = await database('catalog', 'database' in from ? from.database : undefined)
  if ('files' in from) await loadCatalog(url, from.files)
  await administer(url, 'vacuum (analyze) catalog.cve, catalog.epss, catalog.kev, catalog.cve_document')
  const callers = await addCallers(url, count)
  const start = async (wanted: Parameters<typeof spawnServer>[0]) => {
    const server = await spawnServer(wanted)
    undo.push(server.stop)
    return server
  }
  let files = 0
  const keep = (value: unknown) => {
    files += 1
    const file = join(folder, `${files}.v8`)
    writeFileSync(file, serialize(value))
    return file
  }
  return {
    url,
    folder,
    callers,
    shared: await sharedProcesses(undo),
    serve: (environment = {}, execArgs = []) =>
      start({
        environment: { ...SETTINGS, DATABASE_URL: url, ...environment },
        execArgs: [...NODE_ARGUMENTS, ...execArgs],
      }),
    bareFastify: (bodies) =>
      start({ environment: {}, script: new URL('./bare/fastify.ts', import.meta.url), args: [keep(bodies)] }),
    bareQueries: (statements) => startQueries(keep({ url, accountsUrl: url, statements, accounts: callers }), undo),
    database,
    keptDatabase: (name, prepare) => keepDatabase(name, nameOf(url), prepare),
    addCallers,
    close,
  }
}

async function keepDatabase(name: string, template: string, prepare: (url: string) => Promise<void>): Promise<string> {
  if (await hasDatabase(name)) return urlOf(name)
  const undo: Undo = []
  const url = await makeDatabase(name, template, undo)
  try {
    await prepare(url)
  } catch (error) {
    for (const step of undo) await step()
    throw error
  }
  return url
}

const urlOf = (database: string) => new URL(`/${database}`, SERVER_URL).href
export const nameOf = (url: string) => new URL(url).pathname.slice(1)

async function hasDatabase(name: string): Promise<boolean> {
  const client = new Client({ connectionString: SERVER_URL })
  await client.connect()
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  await client.end()
  return rowCount === 1
}

async function makeDatabase(name: string, template: string | undefined, undo: Undo): Promise<string> {
  const url = urlOf(name)
  if (template === undefined) await createMissingDatabase(url)
  else await administer(SERVER_URL, `create database ${name} template ${template}`)
  undo.push(() => administer(SERVER_URL, `drop database if exists ${name} with (force)`))
  for (const set of MIGRATION_SETS) await migrate(url, set, MIGRATIONS_FOLDER)
  return url
}

async function addCallers(url: string, count: number, plan: Plan = 'pro'): Promise<readonly Caller[]> {
  const limits = { poolSize: 1, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
  const pool = openPool(url, 'bench', limits, () => {})
  const callers: Caller[] = []
  for (let each = 0; each < count; each += 1) {
    const [key, owner] = [aKey(), account(plan).withQuota(QUOTA)]
    await owner.withKey(key).store(pool.db)
    callers.push({ key: key.key, accountId: owner.id, keyId: await keyIdOf(url, owner.id) })
  }
  await pool.close()
  return callers
}

async function keyIdOf(url: string, accountId: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from accounts.api_key where account_id = $1', [
    accountId,
  ])
  await client.end()
  return rows[0]?.id ?? ''
}

async function sharedProcesses(undo: Undo): Promise<Shared> {
  const postgres = await postgresProcesses(SERVER_URL)
  undo.push(postgres.close)
  const redis = await redisPid()
  return { postgres: postgres.read, redis: async () => cpuSeconds(redis) }
}

async function redisPid(): Promise<number> {
  const { createClient } = await import('@redis/client')
  const client = createClient({ url: REDIS_URL })
  await client.connect()
  const info = await client.info('server')
  client.destroy()
  return Number(/process_id:(\d+)/.exec(info)?.[1] ?? 0)
}

async function startQueries(file: string, undo: Undo): Promise<BareQueries> {
  const child = fork(fileURLToPath(new URL('./bare/queries.ts', import.meta.url)), [file])
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  undo.push(stop)
  await messageOf(child)
  return {
    pid: child.pid ?? 0,
    stop,
    run: async (order) => {
      const done = messageOf<Done>(child)
      child.send(order)
      return done
    },
  }
}

async function messageOf<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message')
  return message
}
