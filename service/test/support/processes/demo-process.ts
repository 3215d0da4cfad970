// Runs "vis-server demo" in an empty folder without configuration. The demo's temporary folder shows which files are
// left at the end.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cleanUpAfterTests } from '../cleanup.ts'
import { NODE_ENVIRONMENT } from './node-environment.ts'

const VIS_SERVER = fileURLToPath(new URL('../../../bin/vis-server.js', import.meta.url))
const TIMEOUT_MS = 240_000
const POLL_INTERVAL_MS = 50
const READY = 'Ctrl-C stops the demo'
const LOADING = 'Loading the sample into'

interface DemoProcess {
  /** Returns everything that the demo has printed to stdout and stderr so far. */
  output(): string
  /** Runs the first curl command that the demo prints, in a shell, and returns its output. */
  runPrintedCommand(): string
  /** Sends the signal to the demo and resolves with the exit code, or null when the signal itself ended the process. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Returns the files left in the demo's folders, and the processes that use its temporary folder. */
  listLeftovers(): readonly string[]
  /** Waits for at most 60 s until no file or process of the demo is left, and returns the remaining ones. */
  waitForCleanup(): Promise<readonly string[]>
}

export function createDemoFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vis-demo-test-'))
  // PostgreSQL may run as another user, which needs access to the folder.
  chmodSync(folder, 0o755)
  cleanUpAfterTests(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Resolves when the demo is ready or its process has ended. */
export async function startDemo(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<DemoProcess> {
  const demo = launchDemo(environment, ...args)
  await waitUntil(() => demo.output().includes(READY) || demo.hasEnded())
  return demo
}

/** Starts a demo and kills it with SIGKILL when its PostgreSQL runs, before the sample is loaded. */
export async function killStartingDemo(): Promise<DemoProcess> {
  const demo = launchDemo({})
  await waitUntil(() => demo.output().includes(LOADING) || demo.hasEnded())
  await demo.end('SIGKILL')
  return demo
}

function launchDemo(environment: Readonly<Record<string, string>>, ...args: string[]) {
  const [folder, temporary] = [createDemoFolder(), createDemoFolder()]
  mkdirSync(join(folder, 'empty'))
  const child = spawn(process.execPath, [VIS_SERVER, 'demo', ...args], {
    cwd: join(folder, 'empty'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...NODE_ENVIRONMENT,
      PORT: '0',
      TMPDIR: temporary,
      ...environment,
    },
  })
  const closed = once(child, 'close')
  cleanUpAfterTests(() => child.kill('SIGKILL'))
  const output = collectOutput(child)
  const listLeftovers = () => [
    ...readdirSync(temporary),
    ...readdirSync(join(folder, 'empty')),
    ...listProcessesUsing(temporary),
  ]
  return {
    output,
    hasEnded: () => child.exitCode !== null,
    runPrintedCommand: () =>
      execFileSync('sh', ['-c', findCurlCommand(output())], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      await closed
      return child.exitCode
    },
    listLeftovers,
    waitForCleanup: async () => {
      await waitUntil(() => listLeftovers().length === 0)
      return listLeftovers()
    },
  }
}

function collectOutput(child: ChildProcess): () => string {
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

function findCurlCommand(output: string): string {
  const line = /^ *(curl .+)$/m.exec(output)?.[1]
  if (line === undefined) throw new Error(`The demo printed no curl command:\n${output}`)
  return line
}

function listProcessesUsing(folder: string): string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder))
}

async function waitUntil(condition: () => boolean): Promise<void> {
  const started = performance.now()
  while (!condition() && performance.now() - started < TIMEOUT_MS) await sleep(POLL_INTERVAL_MS)
}
