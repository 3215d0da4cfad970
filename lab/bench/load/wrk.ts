// Runs the load generator wrk (Debian package wrk). It takes less than half of the processor time per call that a bare
// Fastify server takes, so it can saturate the server on two cores. A client in Node.js takes more than the server.
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoadClient, LoadResult } from './client.ts'

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url))
/** A call that takes longer counts as failed. */
const ANSWER_TIMEOUT_SECONDS = 30

/** Returns the program that WRK names, or `wrk` if it is on PATH. Throws if WRK names a program that does not run. */
export function findWrk(named: string | undefined, path: string | undefined): string | undefined {
  const program = named ?? 'wrk'
  const { error } = spawnSync(program, ['--version'], { env: { PATH: path } })
  if (error === undefined) return program
  if (named === undefined) return undefined
  throw new Error(`WRK is ${named}, which cannot be run: ${error.message}`)
}

/** The folder receives one file of requests per prepared load. */
export function createWrkClient(program: string, folder: string): LoadClient {
  let fileCount = 0
  return {
    name: 'wrk',
    prepare: async (port, callers, requests) => {
      fileCount += 1
      const file = join(folder, `requests-${fileCount}`)
      writeFileSync(file, requests.join('\0'))
      return { run: (ms) => runWrk(program, buildArguments(port, callers, file, ms)), close: () => {} }
    },
  }
}

/** wrk accepts whole seconds only. One thread of wrk keeps all connections. */
function buildArguments(port: number, callers: number, file: string, ms: number): readonly string[] {
  const duration = ['--duration', `${Math.max(1, Math.round(ms / 1000))}s`, '--timeout', `${ANSWER_TIMEOUT_SECONDS}s`]
  const target = [`http://127.0.0.1:${port}/`, '--', file]
  return ['--threads', '1', '--connections', `${callers}`, ...duration, '--script', SCRIPT, ...target]
}

async function runWrk(program: string, args: readonly string[]): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)(program, [...args])
  const line = stdout.split('\n').find((each) => each.startsWith('{'))
  if (line === undefined) throw new Error(`wrk printed no result: ${stdout}`)
  return JSON.parse(line)
}
