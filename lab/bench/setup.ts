// Creates the resources of the benchmark: a database with a catalog, a database with accounts of the pro plan, API
// processes and the bare baselines.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import { loadCatalog } from '../../service/test/support/catalog/load-catalog.ts'
import { openDatabaseCpu, readCpuSeconds } from '../../service/test/support/load/cpu.ts'
import { NODE_ARGUMENTS } from '../../service/test/support/processes/deployed-node.ts'
import { type SpawnedServer, spawnServer } from '../../service/test/support/processes/spawned-server.ts'
import { runStatements } from '../../service/test/support/run-statements.ts'
import type { BareAnswer } from './bare/fastify.ts'
import type { QueryData, QueryTask, QueryTaskResult } from './bare/queries.ts'
import { addCallers, type Caller } from './callers.ts'
import { readCommitSetting } from './commit.ts'
import { createDatabase, dropDatabase, openKeptDatabase, SERVER_URL } from './databases.ts'
import type { SharedCpu } from './load/measure-in-turns.ts'

const REDIS_URL = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
export const CURSOR_SECRET = 'a secret of the benchmark, of 32 characters or more'

/** Setting CHARGE_COMMIT of all processes of the run. */
export const COMMIT = readCommitSetting(process.env['CHARGE_COMMIT'])

const SETTINGS = {
  NODE_ENV: 'production',
  REDIS_URL,
  CURSOR_SECRET,
  CHARGE_COMMIT: COMMIT,
  // Timeouts longer than in production, because load shedding on a busy machine is not the subject of the benchmark.
  CHARGE_DEADLINE_MS: '5000',
  DATABASE_ACQUIRE_TIMEOUT_MS: '10000',
  MAX_EVENT_LOOP_DELAY_MS: '10000',
}

export interface BenchSetup {
  /** Database with the catalog. The benchmark only reads it. */
  readonly url: string
  /** Database with the accounts of `callers`. It is new in each run. */
  readonly accountsUrl: string
  readonly folder: string
  readonly callers: readonly Caller[]
  readonly sharedCpu: SharedCpu
  /** Starts an API process with additional settings and Node.js arguments. */
  serve(environment?: Readonly<Record<string, string>>, execArgs?: readonly string[]): Promise<SpawnedServer>
  /** Starts baseline F, a bare Fastify server that sends the given answer to each path. */
  startBareFastify(answers: ReadonlyMap<string, BareAnswer>): Promise<SpawnedServer>
  /** Starts the process of the baselines P and M, which runs SQL statements without HTTP. */
  startBareQueries(statements: QueryData['statements']): Promise<BareQueries>
  /** Creates another database, which is dropped at the end: empty tables, or a copy of the database `template`. */
  createDatabase(name: string, template?: string): Promise<string>
  /** Returns a database that is kept for later benchmark runs. If it is missing, `fill` fills a new copy of `template`. */
  openKeptDatabase(name: string, template: string | undefined, fill: (url: string) => Promise<void>): Promise<string>
  close(): Promise<void>
}

interface BareQueries {
  readonly pid: number
  run(task: QueryTask): Promise<QueryTaskResult>
  stop(): Promise<void>
}

/** Source of the benchmark's catalog. */
interface CatalogSource {
  /** Database to copy, to which no client may be connected; without it, the files are imported. */
  readonly database?: string | undefined
  /** Folder of upstream files. */
  readonly files: string
  /** Name of the database that keeps the catalog for later runs; without it, the catalog is dropped at the end. */
  readonly keptAs?: string | undefined
}

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
  callerCount: number,
  cleanUps: CleanUps,
  close: () => Promise<void>,
): Promise<BenchSetup> {
  const folder = mkdtempSync(join(tmpdir(), 'vis-bench-'))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  const sharedCpu = await openSharedCpu(cleanUps)
  const databases = createDatabaseFunctions(cleanUps, sharedCpu.add)
  const url = await openCatalog(source, databases)
  const accountsUrl = await databases.createDatabase('accounts')
  const callers = await addCallers(accountsUrl, callerCount)
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
    ...databases,
    url,
    accountsUrl,
    folder,
    callers,
    sharedCpu,
    serve: (environment = {}, execArgs = []) =>
      start({
        environment: { ...SETTINGS, DATABASE_URL: url, ACCOUNTS_DATABASE_URL: accountsUrl, ...environment },
        execArgs: [...NODE_ARGUMENTS, ...execArgs],
      }),
    startBareFastify: (answers) =>
      start({ environment: {}, script: new URL('./bare/fastify.ts', import.meta.url), args: [writeFile(answers)] }),
    startBareQueries: (statements) =>
      startQueries(writeFile({ url, accountsUrl, commit: COMMIT, statements, accounts: callers }), cleanUps),
    close,
  }
}

type DatabaseFunctions = Pick<BenchSetup, 'createDatabase' | 'openKeptDatabase'>

/** All databases of the benchmark are counted in the processor time of PostgreSQL. */
function createDatabaseFunctions(cleanUps: CleanUps, count: (database: string) => void): DatabaseFunctions {
  return {
    createDatabase: async (subject, template) => {
      const name = `vis_bench_${process.pid}_${subject}`
      const url = await createDatabase(name, template)
      cleanUps.push(() => dropDatabase(url))
      count(name)
      return url
    },
    openKeptDatabase: async (name, template, fill) => {
      const url = await openKeptDatabase(name, template, fill)
      count(name)
      return url
    },
  }
}

async function openCatalog({ database, files, keptAs }: CatalogSource, databases: DatabaseFunctions): Promise<string> {
  const fill = async (url: string) => {
    if (database === undefined) await loadCatalog(url, files)
    await runStatements(url, 'vacuum (analyze) catalog.cve, catalog.epss, catalog.kev, catalog.cve_document')
  }
  if (keptAs !== undefined) return databases.openKeptDatabase(keptAs, database, fill)
  const url = await databases.createDatabase('catalog', database)
  await fill(url)
  return url
}

async function openSharedCpu(cleanUps: CleanUps) {
  const postgres = await openDatabaseCpu(SERVER_URL)
  cleanUps.push(postgres.close)
  const redisPid = await readRedisPid()
  return { postgres: postgres.read, redis: async () => readCpuSeconds(redisPid), add: postgres.add }
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
