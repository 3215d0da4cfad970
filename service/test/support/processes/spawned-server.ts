// vis-server, or another program that announces itself like it, for programs that are no tests: conformance and bench.
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
  readonly pid: number
  stop(): Promise<void>
}

interface Wanted {
  readonly environment: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly script?: URL
  /** For Node itself. */
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
}: Wanted): Promise<SpawnedServer> {
  // A folder of its own: a developer's .env in the checkout must not be read.
  const folder = mkdtempSync(join(tmpdir(), 'vis-server-'))
  const child = spawn(process.execPath, [...execArgs, fileURLToPath(script), ...args], {
    cwd: folder,
    env: { NODE_ENV: 'test', PORT: '0', OPS_PORT: '0', DRAIN_DELAY_MS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  const port = await portOf(child)
  const stop = async () => {
    if (!running.has(child)) return
    const exited = once(child, 'exit')
    child.kill()
    await exited
    running.delete(child)
    rmSync(folder, { recursive: true, force: true })
  }
  return { port, pid: child.pid ?? 0, stop }
}

async function portOf(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('the server has no output')
  for await (const line of createInterface(child.stdout)) {
    const { msg, api }: { msg?: string; api?: { port: number } } = JSON.parse(line)
    if (msg === 'serving' && api) {
      // Its log is read to nowhere: a full pipe would stop it.
      child.stdout.resume()
      return api.port
    }
  }
  throw new Error('the server ended before it served')
}
