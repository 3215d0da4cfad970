// A real vis-server in a process of its own: for what only a process has, such as signals, exit codes and descriptors.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

export interface ProcessOptions {
  /** All of its settings: nothing is inherited from the developer's shell. */
  readonly environment: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Another program that logs "serving" as vis-server does. */
  readonly script?: URL
}

export interface ServiceProcess {
  readonly port: number
  readonly opsPort: number
  readonly pid: number
  /** Everything that was logged so far, line by line. */
  readonly logLines: readonly string[]
  /** Resolves with the exit code, or null when the signal itself ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  kill(): Promise<void>
}

const VIS_SERVER = new URL('../../../bin/vis-server.js', import.meta.url)
const CLOSED_NETWORK = new URL('../network/closed-network.ts', import.meta.url)
const START_WITHIN_MS = 20_000
// Longer than the longest drain, so that a drain which hangs until its hard stop is still seen to end.
const EXIT_WITHIN_MS = 50_000
const SHOWN_LOG_LINES = 30

const running = new Set<ChildProcess>()
afterAll(async () => {
  await Promise.all([...running].map(endNow))
})
// When the test runner is interrupted no hook is called, but this is.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export async function startProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const child = launch(options)
  const logLines: string[] = []
  const exited = exitOf(child)
  const { api, ops } = await within(serving(child, logLines, exited), START_WITHIN_MS, 'start serving', logLines).catch(
    async (error: unknown) => {
      await endNow(child)
      throw error
    },
  )
  return {
    port: api.port,
    opsPort: ops.port,
    pid: child.pid ?? 0,
    logLines,
    kill: () => endNow(child),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return within(exited, EXIT_WITHIN_MS, `end after ${signal}`, logLines)
    },
  }
}

function launch({ environment, args = ['serve'], script = VIS_SERVER }: ProcessOptions): ChildProcess {
  // A folder of its own: a developer's .env in the checkout must not be read.
  const folder = mkdtempSync(join(tmpdir(), 'vis-process-'))
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NODE_OPTIONS: `--import=${CLOSED_NETWORK.href}`, PORT: '0', OPS_PORT: '0', ...environment },
  })
  running.add(child)
  child.once('close', () => {
    running.delete(child)
    rmSync(folder, { recursive: true, force: true })
  })
  return child
}

/** After its output has been read to the end, so that the last log line is there too. */
async function exitOf(child: ChildProcess): Promise<number | null> {
  await once(child, 'close')
  return child.exitCode
}

async function endNow(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

interface Serving {
  readonly api: { readonly port: number }
  readonly ops: { readonly port: number }
}

function serving(child: ChildProcess, logLines: string[], exited: Promise<number | null>): Promise<Serving> {
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        logLines.push(line)
        const announced = announcement(line)
        if (announced) resolve(announced)
      })
    }
    exited.then(
      (code) => reject(new Error(`The process ended with exit code ${code} before it was serving.${tail(logLines)}`)),
      reject,
    )
  })
}

function announcement(line: string): Serving | undefined {
  if (!line.includes('"msg":"serving"')) return undefined
  const { api, ops }: Partial<Serving> = JSON.parse(line)
  return api && ops && { api, ops }
}

async function within<T>(work: Promise<T>, ms: number, what: string, logLines: readonly string[]): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The process did not ${what} within ${ms / 1000} s.${tail(logLines)}`)),
      ms,
    )
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function tail(logLines: readonly string[]): string {
  return `\nIts log ends with:\n${logLines.slice(-SHOWN_LOG_LINES).join('\n') || '(nothing)'}`
}
