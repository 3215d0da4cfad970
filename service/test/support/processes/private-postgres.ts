// A PostgreSQL of one test's own, from Debian's packages: to be stopped, killed and set to another time.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../../tools/free-port.ts'
import { atEnd } from '../cleanup.ts'

export interface PrivatePostgres {
  /** Of its maintenance database, as a superuser. */
  readonly url: string
  /** Resolves when the server has ended. */
  stop(mode: StopMode): Promise<void>
  /** Resolves when it accepts connections. `at`: what its clock says now, instead of the truth. */
  start(at?: Date): Promise<void>
}

/** As pg_ctl calls them. `immediate` leaves a crash to recover from; `killed` leaves orphans too, for a moment. */
export type StopMode = 'fast' | 'immediate' | 'killed'

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', killed: 'SIGKILL' } as const
const VERSIONS = '/usr/lib/postgresql'
// The loader puts in its own folder for this kind of processor.
const FAKETIME = '/usr/$LIB/faketime/libfaketime.so.1'
const FAKETIME_FOUND_BY = '/usr/bin/faketime'
const START_WITHIN_MS = 30_000
const STOP_WITHIN_MS = 30_000
const READY = /ready to accept (read-only )?connections/
const SHOWN_LOG_LINES = 20
const MAX_ATTEMPTS = 50
const PAUSE_MS = 200
// PostgreSQL refuses to run as root; then it runs as nobody.
const NOBODY = 65534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  // A process that is killed, unlike a machine, leaves what it has written to the kernel.
  'fsync=off',
  'max_connections=100',
  'logging_collector=off',
  'log_destination=stderr',
]

const EMPTY = ['initdb', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-locale', '--no-sync'] as const

const atHand = new Set<() => void>()
// When the test runner is interrupted no hook is called, but this is.
process.once('exit', () => {
  for (const abandon of atHand) abandon()
})

/** Why a private server cannot be had here; undefined when it can. */
export const whyNoPostgres: string | undefined = existsSync(VERSIONS)
  ? undefined
  : `${VERSIONS} does not exist: install Debian's package postgresql`

/** Why its clock cannot be set; undefined when it can. */
export const whyNoFaketime: string | undefined =
  whyNoPostgres ??
  (existsSync(FAKETIME_FOUND_BY) ? undefined : `${FAKETIME_FOUND_BY} does not exist: install Debian's package faketime`)

/** It is stopped and removed after the file's last test. */
export function privatePostgres(at?: Date): Promise<PrivatePostgres> {
  return serve({ fillBy: EMPTY, settings: [], at })
}

/** A streaming replica that applies each commit only so long after it was made. To be removed likewise. */
export function privateReplica(primary: PrivatePostgres, applyDelayMs: number): Promise<PrivatePostgres> {
  return serve({
    fillBy: ['pg_basebackup', '--dbname', primary.url, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
    // Nobody's query is ended for the sake of replay: a replica that never catches up would soon have no patience left.
    settings: [`recovery_min_apply_delay=${applyDelayMs}ms`, 'max_standby_streaming_delay=-1'],
    at: undefined,
  })
}

/** One that hands every finished piece of its log to this program, which is called as archive_command. */
export function archivingPostgres(archiveCommand: string): Promise<PrivatePostgres> {
  return serve({
    fillBy: EMPTY,
    settings: ['archive_mode=on', 'archive_timeout=60s', `archive_command=${archiveCommand}`],
    at: undefined,
  })
}

/** One whose data a program of ours makes, which is told `--pgdata DIR` and these. */
export function restoredPostgres(program: string, ...told: readonly string[]): Promise<PrivatePostgres> {
  return serve({ fillBy: [program, ...told], settings: [], at: undefined })
}

/** Runs a program as whoever runs the servers, and says what it printed. */
export function asServerUser(file: string, args: readonly string[], environment: Readonly<Record<string, string>>) {
  return execFileSync(file, args, {
    ...identity,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], ...environment },
  })
}

/** A folder that whoever runs the servers may write to. */
export function serverFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vis-server-folder-'))
  if ('uid' in identity) chownSync(folder, NOBODY, NOBODY)
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Wanted {
  /** The program that makes its data, PostgreSQL's or by its path, and what it is told beyond where. */
  readonly fillBy: readonly [string, ...string[]]
  readonly settings: readonly string[]
  readonly at: Date | undefined
}

async function serve({ fillBy: [filler, ...told], settings, at }: Wanted): Promise<PrivatePostgres> {
  const home = mkdtempSync(join(tmpdir(), 'vis-postgres-'))
  if ('uid' in identity) chownSync(home, NOBODY, NOBODY)
  let server: ChildProcess | undefined
  const stop = async (mode: StopMode) => {
    if (server) await end(server, mode)
    server = undefined
  }
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  const abandon = () => {
    server?.kill('SIGKILL')
    remove()
  }
  atHand.add(abandon)
  atEnd(async () => {
    await stop('immediate')
    atHand.delete(abandon)
    remove()
  })
  execFileSync(filler.includes('/') ? filler : program(filler), ['--pgdata', join(home, 'data'), ...told], {
    ...identity,
    cwd: home,
    stdio: 'pipe',
  })
  const port = await freePort()
  const start = async (at?: Date) => {
    server = await launch({ home, port, settings: [...SETTINGS, ...settings], at })
  }
  await start(at)
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop, start }
}

function program(name: string): string {
  const version =
    readdirSync(VERSIONS)
      .toSorted((a, b) => Number(a) - Number(b))
      .at(-1) ?? ''
  return join(VERSIONS, version, 'bin', name)
}

interface Launch {
  readonly home: string
  readonly port: number
  readonly settings: readonly string[]
  readonly at: Date | undefined
}

async function launch(wanted: Launch, attempt = 1): Promise<ChildProcess> {
  const { home, port, settings, at } = wanted
  const args = ['-D', join(home, 'data'), '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn(program('postgres'), args, {
    ...identity,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LC_ALL: 'C', TZ: 'UTC', ...(at ? clockSetTo(at) : {}) },
  })
  try {
    await ready(child)
    return child
  } catch (error) {
    child.kill('SIGKILL')
    // The orphans of a server that was killed hold its memory for a moment.
    if (!String(error).includes('shared memory block') || attempt > MAX_ATTEMPTS) throw error
    await sleep(PAUSE_MS)
    return launch(wanted, attempt + 1)
  }
}

/** As a distance from the truth, which is the same in every process of the server. Timers keep to the truth. */
function clockSetTo(at: Date): Readonly<Record<string, string>> {
  const seconds = (at.getTime() - Date.now()) / 1000
  return {
    LD_PRELOAD: FAKETIME,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds.toFixed(3)}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

function ready(child: ChildProcess): Promise<void> {
  const log: string[] = []
  return new Promise((resolve, reject) => {
    const fail = (what: string) =>
      reject(new Error(`${what}. Its log ends with:\n${log.slice(-SHOWN_LOG_LINES).join('\n')}`))
    const timer = setTimeout(() => fail('PostgreSQL did not start in time'), START_WITHIN_MS)
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

/** Whoever does not go in time is killed: a test must never leave a server behind. */
async function end(server: ChildProcess, mode: StopMode): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill(SIGNALS[mode])
  const late = setTimeout(() => server.kill('SIGKILL'), STOP_WITHIN_MS)
  await gone
  clearTimeout(late)
  // Until its orphans have noticed.
  if (mode === 'killed') await sleep(PAUSE_MS)
}
