// Starts vis-server, or another program that logs "serving" like it, for the conformance run and the benchmark, which
// do not run in vitest.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const VIS_SERVER = new URL('../../../bin/vis-server.js', import.meta.url)

export interface SpawnedServer {
  readonly port: number
  /** Operators' port; 0 if the program has none. */
  readonly opsPort: number
  readonly pid: number
  stop(): Promise<void>
}

interface SpawnOptions {
  readonly environment: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly script?: URL
  /** Arguments of Node.js. */
  readonly execArgs?: readonly string[]
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export async function spawnServer({
  environment,
  args = ['serve'],
  script = VIS_SERVER,
  execArgs = [],
}: SpawnOptions): Promise<SpawnedServer> {
  // The working folder is empty, so that the server does not read a developer's .env file.
  const folder = mkdtempSync(join(tmpdir(), 'vis-server-'))
  const child = spawn(process.execPath, [...execArgs, fileURLToPath(script), ...args], {
    cwd: folder,
    env: { NODE_ENV: 'test', PORT: '0', OPS_PORT: '0', DRAIN_DELAY_MS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  const { port, opsPort } = await readPorts(child)
  const stop = async () => {
    if (!running.has(child)) return
    const exited = once(child, 'exit')
    child.kill()
    await exited
    running.delete(child)
    rmSync(folder, { recursive: true, force: true })
  }
  return { port, opsPort, pid: child.pid ?? 0, stop }
}

async function readPorts(child: ChildProcess): Promise<Pick<SpawnedServer, 'port' | 'opsPort'>> {
  if (!child.stdout) throw new Error('The server process has no stdout.')
  for await (const line of createInterface(child.stdout)) {
    const { msg, api, ops }: { msg?: string; api?: { port: number }; ops?: { port: number } } = JSON.parse(line)
    if (msg === 'serving' && api) {
      // The server's log is read and discarded, because a full pipe would block the server.
      child.stdout.resume()
      return { port: api.port, opsPort: ops?.port ?? 0 }
    }
  }
  throw new Error('The server process ended before it was serving.')
}
