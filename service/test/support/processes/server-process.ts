// Runs vis-server in a separate process, for tests of signals, exit codes and file descriptors.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cleanUpAfterTests } from '../cleanup.ts'
import { NODE_ENVIRONMENT } from './node-environment.ts'

export interface ProcessOptions {
  /** All environment variables of the process. Variables of the developer's shell are not inherited. */
  readonly environment: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Program to start, which must log "serving" as vis-server does; the default is vis-server. */
  readonly script?: URL
  /** Arguments of Node.js. */
  readonly execArgs?: readonly string[]
  /** File to which standard output is appended. `logLines` then has only the lines of standard error. */
  readonly logFile?: string
}

export interface ServiceProcess {
  readonly port: number
  readonly opsPort: number
  readonly pid: number
  /** Log lines of the process so far, oldest first. */
  readonly logLines: readonly string[]
  /** Resolves with the exit code, or null when the signal itself ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  kill(): Promise<void>
}

const VIS_SERVER = new URL('../../../bin/vis-server.js', import.meta.url)
const START_TIMEOUT_MS = 100_000
// Longer than the longest shutdown: a server that cannot finish its open requests and stops by force still ends within
// this time.
const EXIT_TIMEOUT_MS = 100_000
const MAX_SHOWN_LOG_LINES = 30
const LOG_POLL_MS = 50

const running = new Set<ChildProcess>()
// If the test runner is interrupted, it runs no clean-up hooks, but its process still emits the event "exit".
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export async function startProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const child = launch(options)
  const logLines: string[] = []
  const exited = waitForExit(child)
  const { api, ops } = await withTimeout(
    waitUntilServing(child, { logLines, logFile: options.logFile, exited }),
    START_TIMEOUT_MS,
    'start serving',
    logLines,
  ).catch(async (error: unknown) => {
    await killProcess(child)
    throw error
  })
  return {
    port: api.port,
    opsPort: ops.port,
    pid: child.pid ?? 0,
    logLines,
    kill: () => killProcess(child),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return withTimeout(exited, EXIT_TIMEOUT_MS, `end after ${signal}`, logLines)
    },
  }
}

function launch({ environment, args = ['serve'], script = VIS_SERVER, ...options }: ProcessOptions): ChildProcess {
  // The working folder is empty, so that the server does not read a developer's .env file.
  const folder = mkdtempSync(join(tmpdir(), 'vis-process-'))
  const output = options.logFile === undefined ? 'pipe' : openSync(options.logFile, 'a')
  const child = spawn(process.execPath, [...(options.execArgs ?? []), fileURLToPath(script), ...args], {
    cwd: folder,
    stdio: ['ignore', output, 'pipe'],
    env: { ...NODE_ENVIRONMENT, PORT: '0', OPS_PORT: '0', ...environment },
  })
  if (output !== 'pipe') closeSync(output)
  running.add(child)
  cleanUpAfterTests(() => killProcess(child))
  child.once('close', () => {
    running.delete(child)
    rmSync(folder, { recursive: true, force: true })
  })
  return child
}

/** Resolves after the output of the process has been read to the end, so that the last log line is included. */
async function waitForExit(child: ChildProcess): Promise<number | null> {
  await once(child, 'close')
  return child.exitCode
}

async function killProcess(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

interface Announcement {
  readonly api: { readonly port: number }
  readonly ops: { readonly port: number }
}

interface StartingProcess {
  readonly logLines: string[]
  readonly logFile: string | undefined
  readonly exited: Promise<number | null>
}

function waitUntilServing(child: ChildProcess, { logLines, logFile, exited }: StartingProcess): Promise<Announcement> {
  const stopPolling = new AbortController()
  return new Promise<Announcement>((resolve, reject) => {
    if (logFile !== undefined) void pollAnnouncement(logFile, stopPolling.signal).then(resolve, reject)
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        logLines.push(line)
        const announcement = parseAnnouncement(line)
        if (announcement) resolve(announcement)
      })
    }
    exited.then(
      (code) =>
        reject(new Error(`The process ended with exit code ${code} before it was serving.${formatLogTail(logLines)}`)),
      reject,
    )
  }).finally(() => stopPolling.abort())
}

/** Waits for the announcement of the process in a log file. Earlier processes may have written to the same file. */
async function pollAnnouncement(logFile: string, signal: AbortSignal): Promise<Announcement> {
  const writtenBefore = statSync(logFile).size
  while (!signal.aborted) {
    const lines = readFileSync(logFile).subarray(writtenBefore).toString().split('\n')
    const announcement = lines.slice(0, -1).map(parseAnnouncement).find(Boolean)
    if (announcement) return announcement
    await sleep(LOG_POLL_MS)
  }
  throw new Error('The process was not awaited any longer.')
}

function parseAnnouncement(line: string): Announcement | undefined {
  if (!line.includes('"msg":"serving"')) return undefined
  const { api, ops }: Partial<Announcement> = JSON.parse(line)
  return api && ops && { api, ops }
}

async function withTimeout<T>(work: Promise<T>, ms: number, action: string, logLines: readonly string[]): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The process did not ${action} within ${ms / 1000} s.${formatLogTail(logLines)}`)),
      ms,
    )
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

function formatLogTail(logLines: readonly string[]): string {
  return `\nIts log ends with:\n${logLines.slice(-MAX_SHOWN_LOG_LINES).join('\n') || '(nothing)'}`
}
