// Creates the resources of the benchmark: a database with a catalog, accounts of the pro plan, API processes and the
// bare baselines.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import { Client } from 'pg'
import { createDatabaseIfMissing, MIGRATION_SETS, MIGRATIONS_FOLDER, migrate } from '../../src/database/migrate.ts'
import { openPool } from '../../src/database/postgres.ts'
import type { Plan } from '../../src/domain/plan.ts'
import { account, createTestKey } from '../support/builders.ts'
import { loadCatalog } from '../support/catalog/load-catalog.ts'
import { NODE_ARGUMENTS } from '../support/processes/deployed-node.ts'
import { type SpawnedServer, spawnServer } from '../support/processes/spawned-server.ts'
import { runStatements } from '../support/run-statements.ts'
import type { QueryData, QueryTask, QueryTaskResult } from './bare/queries.ts'
import { openPostgresProcesses, readCpuSeconds } from './load/cpu.ts'
import type { SharedCpu } from './load/measure-in-turns.ts'

const SERVER_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const REDIS_URL = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const QUOTA_CREDITS = 100_000_000
export const CURSOR_SECRET = 'a secret of the benchmark, of 32 characters or more'

const SETTINGS = {
  NODE_ENV: 'production',
  REDIS_URL,
  CURSOR_SECRET,
  // Timeouts longer than in production, because load shedding on a busy machine is not the subject of the benchmark.
  CHARGE_DEADLINE_MS: '5000',
  DATABASE_ACQUIRE_TIMEOUT_MS: '10000',
}

export interface BenchSetup {
  readonly url: string
  readonly folder: string
  readonly callers: readonly Caller[]
  readonly sharedCpu: SharedCpu
  /** Starts an API process with additional settings and Node.js arguments. */
  serve(environment?: Readonly<Record<string, string>>, execArgs?: readonly string[]): Promise<SpawnedServer>
  /** Starts baseline F, a bare Fastify server that answers each path with the given body. */
  startBareFastify(bodies: ReadonlyMap<string, Buffer>): Promise<SpawnedServer>
  /** Starts the process of the baselines P and M, which runs SQL statements without HTTP. */
  startBareQueries(statements: QueryData['statements']): Promise<BareQueries>
  /**
   * Creates another database on the PostgreSQL server of the benchmark: a copy of the database `template`, or without a
   * template one with empty tables.
   */
  createDatabase(name: string, template?: string): Promise<string>
  /**
   * Returns a database that is kept for later benchmark runs. If the database is missing, it is created as a copy of
   * the catalog, which `prepare` then changes.
   */
  openKeptDatabase(name: string, prepare: (url: string) => Promise<void>): Promise<string>
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
  run(task: QueryTask): Promise<QueryTaskResult>
  stop(): Promise<void>
}

/**
 * Source of the benchmark's catalog: a database to copy, to which no client may be connected, or a folder of files to
 * import.
 */
export type CatalogSource = { readonly database: string } | { readonly files: string }

export async function openBenchSetup(source: CatalogSource, callers: number): Promise<BenchSetup> {
  const cleanUps: CleanUps = []
  const close = async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
  }
  try {
    return await createResources(source, callers, cleanUps, close)
  } catch (error) {
    await close()
    throw error
  }
}

type CleanUps = (() => unknown)[]

async function createResources(
  source: CatalogSource,
  count: number,
  cleanUps: CleanUps,
  close: () => Promise<void>,
): Promise<BenchSetup> {
  const folder = mkdtempSync(join(tmpdir(), 'vis-bench-'))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  const createDatabase = (name: string, template?: string) =>
    makeDatabase(`vis_bench_${process.pid}_${name}`, template, cleanUps)
  const url = await createDatabase('catalog', 'database' in source ? source.database : undefined)
  if ('files' in source) await loadCatalog(url, source.files)
  await runStatements(url, 'vacuum (analyze) catalog.cve, catalog.epss, catalog.kev, catalog.cve_document')
  const callers = await addCallers(url, count)
  const start = async (options: Parameters<typeof spawnServer>[0]) => {
    const server = await spawnServer(options)
    cleanUps.push(server.stop)
    return server
  }
  let fileCount = 0
  const writeFile = (value: unknown) => {
    fileCount += 1
    const file = join(folder, `${fileCount}.v8`)
    writeFileSync(file, serialize(value))
    return file
  }
  return {
    url,
    folder,
    callers,
    sharedCpu: await openSharedCpu(cleanUps),
    serve: (environment = {}, execArgs = []) =>
      start({
        environment: { ...SETTINGS, DATABASE_URL: url, ...environment },
        execArgs: [...NODE_ARGUMENTS, ...execArgs],
      }),
    startBareFastify: (bodies) =>
      start({ environment: {}, script: new URL('./bare/fastify.ts', import.meta.url), args: [writeFile(bodies)] }),
    startBareQueries: (statements) =>
      startQueries(writeFile({ url, accountsUrl: url, statements, accounts: callers }), cleanUps),
    createDatabase,
    openKeptDatabase: (name, prepare) => openKeptDatabase(name, getDatabaseName(url), prepare),
    addCallers,
    close,
  }
}

async function openKeptDatabase(
  name: string,
  template: string,
  prepare: (url: string) => Promise<void>,
): Promise<string> {
  if (await hasDatabase(name)) return buildDatabaseUrl(name)
  const cleanUps: CleanUps = []
  const url = await makeDatabase(name, template, cleanUps)
  try {
    await prepare(url)
  } catch (error) {
    for (const cleanUp of cleanUps) await cleanUp()
    throw error
  }
  return url
}

const buildDatabaseUrl = (database: string) => new URL(`/${database}`, SERVER_URL).href
export const getDatabaseName = (url: string) => new URL(url).pathname.slice(1)

async function hasDatabase(name: string): Promise<boolean> {
  const client = new Client({ connectionString: SERVER_URL })
  await client.connect()
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  await client.end()
  return rowCount === 1
}

async function makeDatabase(name: string, template: string | undefined, cleanUps: CleanUps): Promise<string> {
  const url = buildDatabaseUrl(name)
  if (template === undefined) await createDatabaseIfMissing(url)
  else await runStatements(SERVER_URL, `create database ${name} template ${template}`)
  cleanUps.push(() => runStatements(SERVER_URL, `drop database if exists ${name} with (force)`))
  for (const set of MIGRATION_SETS) await migrate(url, set, MIGRATIONS_FOLDER)
  return url
}

async function addCallers(url: string, count: number, plan: Plan = 'pro'): Promise<readonly Caller[]> {
  const limits = { poolSize: 1, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
  const pool = openPool(url, 'bench', limits, () => {})
  const callers: Caller[] = []
  for (let each = 0; each < count; each += 1) {
    const [key, owner] = [createTestKey(), account(plan).withQuota(QUOTA_CREDITS)]
    await owner.withKey(key).store(pool.db)
    callers.push({ key: key.key, accountId: owner.id, keyId: await readKeyId(url, owner.id) })
  }
  await pool.close()
  return callers
}

async function readKeyId(url: string, accountId: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from accounts.api_key where account_id = $1', [
    accountId,
  ])
  await client.end()
  return rows[0]?.id ?? ''
}

async function openSharedCpu(cleanUps: CleanUps): Promise<SharedCpu> {
  const postgres = await openPostgresProcesses(SERVER_URL)
  cleanUps.push(postgres.close)
  const redisPid = await readRedisPid()
  return { postgres: postgres.read, redis: async () => readCpuSeconds(redisPid) }
}

async function readRedisPid(): Promise<number> {
  const { createClient } = await import('@redis/client')
  const client = createClient({ url: REDIS_URL })
  await client.connect()
  const info = await client.info('server')
  client.destroy()
  return Number(/process_id:(\d+)/.exec(info)?.[1] ?? 0)
}

async function startQueries(file: string, cleanUps: CleanUps): Promise<BareQueries> {
  const child = fork(fileURLToPath(new URL('./bare/queries.ts', import.meta.url)), [file])
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  cleanUps.push(stop)
  await waitForMessage(child)
  return {
    pid: child.pid ?? 0,
    stop,
    run: async (task) => {
      const result = waitForMessage<QueryTaskResult>(child)
      child.send(task)
      return result
    },
  }
}

async function waitForMessage<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message')
  return message
}
