// A command as a process of its own, with the most memory it ever held.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

const VIS_SERVER = fileURLToPath(new URL('../../bin/vis-server.js', import.meta.url))
const LOOK_EVERY_MS = 100

export interface Measured {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly seconds: number
  readonly peakMegabytes: number
}

export async function measuredCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Measured> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [VIS_SERVER, ...args], { cwd: tmpdir(), env: environment })
  let [stdout, stderr, peakMegabytes] = ['', '', 0]
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const timer = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, residentPeak(child.pid ?? 0))
  }, LOOK_EVERY_MS)
  await once(child, 'close')
  clearInterval(timer)
  return { code: child.exitCode, stdout, stderr, seconds: (performance.now() - startedAt) / 1000, peakMegabytes }
}

/** The kernel keeps the high-water mark; the last look before the end sees it. */
function residentPeak(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0 // it has just ended
  }
}
