// Starts PostgreSQL servers for one test file from Debian's packages. A test may stop and kill the servers and set
// their clocks.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../../tools/free-port.ts'
import { cleanUpAfterTests } from '../cleanup.ts'

export interface PrivatePostgres {
  /** URL of the database named postgres, with the superuser as the user. */
  readonly url: string
  /** Stops the server and resolves when the server has ended. */
  stop(mode: StopMode): Promise<void>
  /** Resolves when the server has ended for any reason. */
  waitForExit(): Promise<void>
  /** Starts the server and resolves when it accepts connections. `at` sets the clock of the server to another time. */
  start(at?: Date): Promise<void>
}

/**
 * How to stop the server. `fast` and `immediate` have the same meaning as in pg_ctl: after `immediate`, the next start
 * needs crash recovery. `killed` sends SIGKILL to the main process.
 */
export type StopMode = 'fast' | 'immediate' | 'killed'

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', killed: 'SIGKILL' } as const
const VERSIONS = '/usr/lib/postgresql'
/** Path of libfaketime. The dynamic loader replaces $LIB with the library folder for the processor architecture. */
export const FAKETIME = '/usr/$LIB/faketime/libfaketime.so.1'
const FAKETIME_FOUND_BY = '/usr/bin/faketime'
const START_TIMEOUT_MS = 100_000
const STOP_TIMEOUT_MS = 100_000
const READY = /ready to accept (read-only )?connections/
const MAX_SHOWN_LOG_LINES = 20
const MAX_ATTEMPTS = 50
const PAUSE_MS = 200
// PostgreSQL refuses to run as root, so a root user starts it as nobody.
const NOBODY = 65534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** Operating system user of the PostgreSQL servers; undefined if it is the user of the tests. */
export const serverUser: number | undefined = 'uid' in identity ? NOBODY : undefined

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  // fsync is switched off: data that a killed process has written stays in the kernel, and fsync protects only against
  // a crash of the whole machine.
  'fsync=off',
  'max_connections=100',
  'logging_collector=off',
  'log_destination=stderr',
]

const INITDB_COMMAND = [
  'initdb',
  '--auth=trust',
  '--username=postgres',
  '--encoding=UTF8',
  '--no-locale',
  '--no-sync',
] as const

const abandonCallbacks = new Set<() => void>()
// If the test runner is interrupted, it runs no clean-up hooks, but its process still emits the event "exit".
process.once('exit', () => {
  for (const abandon of abandonCallbacks) abandon()
})

/** Reason why no PostgreSQL server can be started on this machine; undefined if a server can be started. */
export const postgresMissingReason: string | undefined = existsSync(VERSIONS)
  ? undefined
  : `${VERSIONS} does not exist: install Debian's package postgresql`

/** Reason why the clock of a PostgreSQL server cannot be set; undefined if the clock can be set. */
export const faketimeMissingReason: string | undefined =
  postgresMissingReason ??
  (existsSync(FAKETIME_FOUND_BY) ? undefined : `${FAKETIME_FOUND_BY} does not exist: install Debian's package faketime`)

/** Starts an empty PostgreSQL server, which is stopped and removed after the last test of the file. */
export function startPrivatePostgres(at?: Date): Promise<PrivatePostgres> {
  return startServer({ initCommand: INITDB_COMMAND, settings: [], at })
}

export interface WalOptions {
  /** Empty folder for the write-ahead log, for example on a small disk of its own. */
  readonly walFolder: string
  readonly settings: readonly string[]
}

/** Starts an empty PostgreSQL server whose write-ahead log is in a folder of its own. */
export function startPostgresWithWal({ walFolder, settings }: WalOptions): Promise<PrivatePostgres> {
  return startServer({ initCommand: [...INITDB_COMMAND, '--waldir', walFolder], settings, at: undefined })
}

/** Starts a streaming replica of `primary` whose write-ahead log is in a folder of its own. */
export function startReplicaWithWal(
  primary: PrivatePostgres,
  { walFolder, settings }: WalOptions,
): Promise<PrivatePostgres> {
  return startServer({ initCommand: [...buildBackupCommand(primary), '--waldir', walFolder], settings, at: undefined })
}

function buildBackupCommand({ url }: PrivatePostgres): readonly [string, ...string[]] {
  return ['pg_basebackup', '--dbname', url, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
}

/** Starts a streaming replica that applies each commit `applyDelayMs` milliseconds after the commit on the primary. */
export function startPrivateReplica(primary: PrivatePostgres, applyDelayMs: number): Promise<PrivatePostgres> {
  return startServer({
    initCommand: buildBackupCommand(primary),
    // With the limit -1, the replica never cancels a query to apply a commit. Because of the apply delay, any other
    // limit would soon be exceeded and queries would be cancelled.
    settings: [`recovery_min_apply_delay=${applyDelayMs}ms`, 'max_standby_streaming_delay=-1'],
    at: undefined,
  })
}

/** Takes a backup of a server and starts another server on it, which continues independently, like a restored one. */
export function startBackupOf({ url }: PrivatePostgres): Promise<PrivatePostgres> {
  const initCommand = ['pg_basebackup', '--dbname', url, '--checkpoint=fast', '--no-sync'] as const
  return startServer({ initCommand, settings: [], at: undefined })
}

/** Starts a PostgreSQL server that archives its write-ahead log with the given archive_command. */
export function startArchivingPostgres(archiveCommand: string): Promise<PrivatePostgres> {
  return startServer({
    initCommand: INITDB_COMMAND,
    settings: ['archive_mode=on', 'archive_timeout=60s', `archive_command=${archiveCommand}`],
    at: undefined,
  })
}

/**
 * Starts a PostgreSQL server on data that the given program creates, called with `--pgdata DIR` and the given
 * arguments.
 */
export function startRestoredPostgres(program: string, ...args: readonly string[]): Promise<PrivatePostgres> {
  return startServer({ initCommand: [program, ...args], settings: [], at: undefined })
}

/** Runs a program as the operating system user of the PostgreSQL servers and returns its output. */
export function runAsServerUser(file: string, args: readonly string[], environment: Readonly<Record<string, string>>) {
  return execFileSync(file, args, {
    ...identity,
    cwd: tmpdir(),
    encoding: 'utf8',
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], ...environment },
  })
}

/** Creates a folder that the operating system user of the PostgreSQL servers may write to. */
export function createServerFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vis-server-folder-'))
  if ('uid' in identity) chownSync(folder, NOBODY, NOBODY)
  cleanUpAfterTests(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Copies the files of a folder to where the operating system user of the PostgreSQL servers can run them. A root user's
 * clone may be in a folder that other users cannot enter.
 */
export function copyForServerUser(source: string): string {
  const folder = createServerFolder()
  cpSync(source, folder, { recursive: true })
  chmodSync(folder, 0o755)
  return folder
}

interface ServerOptions {
  /**
   * Program that creates the data folder (a PostgreSQL program such as initdb, or a path), and its arguments without
   * --pgdata.
   */
  readonly initCommand: readonly [string, ...string[]]
  readonly settings: readonly string[]
  readonly at: Date | undefined
}

async function startServer({
  initCommand: [initProgram, ...args],
  settings,
  at,
}: ServerOptions): Promise<PrivatePostgres> {
  const home = mkdtempSync(join(tmpdir(), 'vis-postgres-'))
  if ('uid' in identity) chownSync(home, NOBODY, NOBODY)
  let server: ChildProcess | undefined
  const stop = async (mode: StopMode) => {
    if (server) await stopServer(server, mode)
    server = undefined
  }
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  const abandon = () => {
    server?.kill('SIGKILL')
    remove()
  }
  abandonCallbacks.add(abandon)
  cleanUpAfterTests(async () => {
    await stop('immediate')
    abandonCallbacks.delete(abandon)
    remove()
  })
  execFileSync(
    initProgram.includes('/') ? initProgram : findProgram(initProgram),
    ['--pgdata', join(home, 'data'), ...args],
    {
      ...identity,
      cwd: home,
      stdio: 'pipe',
    },
  )
  const port = await freePort()
  const start = async (at?: Date) => {
    server = await launch({ home, port, settings: [...SETTINGS, ...settings], at })
  }
  await start(at)
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop, start, waitForExit: () => waitForExit(server) }
}

function findProgram(name: string): string {
  const version =
    readdirSync(VERSIONS)
      .toSorted((a, b) => Number(a) - Number(b))
      .at(-1) ?? ''
  return join(VERSIONS, version, 'bin', name)
}

interface LaunchOptions {
  readonly home: string
  readonly port: number
  readonly settings: readonly string[]
  readonly at: Date | undefined
}

async function launch(options: LaunchOptions, attempt = 1): Promise<ChildProcess> {
  const { home, port, settings, at } = options
  const args = ['-D', join(home, 'data'), '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn(findProgram('postgres'), args, {
    ...identity,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LC_ALL: 'C', TZ: 'UTC', ...(at ? buildClockEnvironment(at) : {}) },
  })
  try {
    await waitUntilReady(child)
    return child
  } catch (error) {
    child.kill('SIGKILL')
    // Child processes of a killed PostgreSQL server hold its shared memory for a moment.
    if (!String(error).includes('shared memory block') || attempt > MAX_ATTEMPTS) throw error
    await sleep(PAUSE_MS)
    return launch(options, attempt + 1)
  }
}

/**
 * Returns environment variables that start a PostgreSQL server at the time `at`: every process of the server adds the
 * same offset to the real time. Timers are not affected.
 */
function buildClockEnvironment(at: Date): Readonly<Record<string, string>> {
  const seconds = (at.getTime() - Date.now()) / 1000
  return {
    LD_PRELOAD: FAKETIME,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds.toFixed(3)}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  const log: string[] = []
  return new Promise((resolve, reject) => {
    const fail = (message: string) =>
      reject(new Error(`${message}. Its log ends with:\n${log.slice(-MAX_SHOWN_LOG_LINES).join('\n')}`))
    const timer = setTimeout(() => fail('PostgreSQL did not start in time'), START_TIMEOUT_MS)
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`PostgreSQL ended with ${code}`)
    })
    if (!child.stderr) return
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.push(line)
      if (!READY.test(line)) return
      clearTimeout(timer)
      resolve()
    })
  })
}

async function waitForExit(server: ChildProcess | undefined): Promise<void> {
  if (server && server.exitCode === null && server.signalCode === null) await once(server, 'exit')
}

/** Kills a server that does not stop in time: a test must never leave a server running. */
async function stopServer(server: ChildProcess, mode: StopMode): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit')
  server.kill(SIGNALS[mode])
  const killTimer = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await exited
  clearTimeout(killTimer)
  // The child processes of a killed PostgreSQL server need a moment to end.
  if (mode === 'killed') await sleep(PAUSE_MS)
}
