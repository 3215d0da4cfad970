// Starts vis-server commands that run feeds, in processes that a test can signal and kill.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { NODE_ENVIRONMENT } from '../../support/processes/node-environment.ts'

export interface FeedsProcess {
  signal(name: NodeJS.Signals): void
  /** Resolves when the process has ended and its output was read to the end. */
  readonly ended: Promise<ProcessResult>
}

export interface ProcessResult {
  /** Exit code; null if the process was killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const VIS_SERVER = fileURLToPath(new URL('../../../bin/vis-server.js', import.meta.url))

const running = new Set<ChildProcess>()
// An interrupted test runner calls no cleanup hooks, but it emits the event exit, on which the started processes are
// killed.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function startFeeds(args: readonly string[], environment: Readonly<Record<string, string>>): FeedsProcess {
  // The working folder is empty, so that the command does not read a developer's .env file.
  const folder = mkdtempSync(join(tmpdir(), 'vis-feeds-'))
  const child = spawn(process.execPath, [VIS_SERVER, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Downloaded files also go into the temporary working folder, because a killed process cannot remove its files.
    env: {
      ...NODE_ENVIRONMENT,
      NODE_ENV: 'test',
      TMPDIR: folder,
      WORKER_OPS_PORT: '0',
      ...environment,
    },
  })
  running.add(child)
  const ended = waitForEnd(child).finally(() => {
    running.delete(child)
    rmSync(folder, { recursive: true, force: true })
  })
  cleanUpAfterTests(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { ended, signal: (name) => void child.kill(name) }
}

async function waitForEnd(child: ChildProcess): Promise<ProcessResult> {
  const closed = once(child, 'close')
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)])
  await closed
  return { code: child.exitCode, stdout, stderr }
}

async function read(stream: Readable | null): Promise<string> {
  return stream ? text(stream) : ''
}
