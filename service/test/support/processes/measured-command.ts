// Runs a vis-server command in a separate process and measures its duration and peak memory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

const VIS_SERVER = fileURLToPath(new URL('../../../bin/vis-server.js', import.meta.url))
const POLL_INTERVAL_MS = 100

export interface MeasuredCommand {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly seconds: number
  readonly peakMegabytes: number
}

type Environment = Readonly<Record<string, string>>

export function runMeasuredCommand(args: readonly string[], environment: Environment): Promise<MeasuredCommand> {
  return startMeasuredCommand(args, environment).ended
}

/** The code of a killed command is null. */
export function startMeasuredCommand(args: readonly string[], environment: Environment) {
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
    peakMegabytes = Math.max(peakMegabytes, readPeakMegabytes(child.pid ?? 0))
  }, POLL_INTERVAL_MS)
  const waitForEnd = async (): Promise<MeasuredCommand> => {
    await once(child, 'close')
    clearInterval(timer)
    return { code: child.exitCode, stdout, stderr, seconds: (performance.now() - startedAt) / 1000, peakMegabytes }
  }
  return { ended: waitForEnd(), kill: () => void child.kill('SIGKILL') }
}

/**
 * Reads VmHWM, the peak of the process's resident memory so far. It is polled until the process ends, and the last
 * value counts.
 */
function readPeakMegabytes(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0 // The process has just ended.
  }
}
