// "vis-server demo" as its user starts it: in an empty folder, with nothing configured, and with a folder for temporary
// files that shows afterwards what was left behind.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atEnd } from '../cleanup.ts'

const VIS_SERVER = fileURLToPath(new URL('../../../bin/vis-server.js', import.meta.url))
const CLOSED_NETWORK = new URL('../network/closed-network.ts', import.meta.url).href
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 50
const READY = 'Ctrl-C stops it'

interface DemoProcess {
  /** Everything that it has said, on both channels. */
  said(): string
  /** The first command that it says to try, run in a shell: what it printed. */
  tryIt(): string
  /** Resolves with the exit code when all has ended; null when the signal itself ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Files, and processes that use them. */
  leftBehind(): readonly string[]
  /** Until nothing is left behind, or patience ends. */
  settled(): Promise<readonly string[]>
}

export function demoFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vis-demo-test-'))
  // PostgreSQL may run as another user, who must be able to pass.
  chmodSync(folder, 0o755)
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Resolves when it is ready to be tried, or has ended. */
export async function startDemo(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<DemoProcess> {
  const demo = launchDemo(environment, ...args)
  await until(() => demo.said().includes(READY) || demo.hasEnded())
  return demo
}

function launchDemo(environment: Readonly<Record<string, string>>, ...args: string[]) {
  const [folder, temporary] = [demoFolder(), demoFolder()]
  mkdirSync(join(folder, 'empty'))
  const child = spawn(process.execPath, [VIS_SERVER, 'demo', ...args], {
    cwd: join(folder, 'empty'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NODE_OPTIONS: `--import=${CLOSED_NETWORK}`, PORT: '0', TMPDIR: temporary, ...environment },
  })
  const closed = once(child, 'close')
  atEnd(() => child.kill('SIGKILL'))
  const said = saidBy(child)
  const leftBehind = () => [...readdirSync(temporary), ...readdirSync(join(folder, 'empty')), ...processesIn(temporary)]
  return {
    said,
    hasEnded: () => child.exitCode !== null,
    tryIt: () => execFileSync('sh', ['-c', firstCurl(said())], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      await closed
      return child.exitCode
    },
    leftBehind,
    settled: async () => {
      await until(() => leftBehind().length === 0)
      return leftBehind()
    },
  }
}

function saidBy(child: ChildProcess): () => string {
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

function firstCurl(said: string): string {
  const line = /^ *(curl .+)$/m.exec(said)?.[1]
  if (line === undefined) throw new Error(`There is no curl to try in what it said:\n${said}`)
  return line
}

function processesIn(folder: string): string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder))
}

async function until(isSo: () => boolean): Promise<void> {
  const started = performance.now()
  while (!isSo() && performance.now() - started < PATIENCE_MS) await sleep(LOOK_EVERY_MS)
}
