// A real vis-server that runs feeds: started, watched, stopped, killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { atEnd } from '../../support/cleanup.ts'

export interface FeedsProcess {
  signal(name: NodeJS.Signals): void
  /** When it has ended, and its output was read to the end. */
  readonly ended: Promise<Ended>
}

export interface Ended {
  /** Null when it was killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const VIS_SERVER = fileURLToPath(new URL('../../../bin/vis-server.js', import.meta.url))
const CLOSED_NETWORK = new URL('../../support/network/closed-network.ts', import.meta.url)

const running = new Set<ChildProcess>()
// When the test runner is interrupted no hook is called, but this is.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function startFeeds(args: readonly string[], environment: Readonly<Record<string, string>>): FeedsProcess {
  // A folder of its own: a developer's .env in the checkout must not be read.
  const folder = mkdtempSync(join(tmpdir(), 'vis-feeds-'))
  const child = spawn(process.execPath, [VIS_SERVER, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // What it downloads goes into this folder too: a process that is killed cannot tidy up.
    env: {
      NODE_OPTIONS: `--import=${CLOSED_NETWORK.href}`,
      NODE_ENV: 'test',
      TMPDIR: folder,
      WORKER_OPS_PORT: '0',
      ...environment,
    },
  })
  running.add(child)
  const ended = endOf(child).finally(() => {
    running.delete(child)
    rmSync(folder, { recursive: true, force: true })
  })
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { ended, signal: (name) => void child.kill(name) }
}

async function endOf(child: ChildProcess): Promise<Ended> {
  const closed = once(child, 'close')
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)])
  await closed
  return { code: child.exitCode, stdout, stderr }
}

async function read(stream: Readable | null): Promise<string> {
  return stream ? text(stream) : ''
}
