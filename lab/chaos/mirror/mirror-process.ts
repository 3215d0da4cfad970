// Runs `visctl mirror` in a process that a test can kill and start again, and reads its copy.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { NODE_ENVIRONMENT } from '../../../service/test/support/processes/node-environment.ts'

const VISCTL = fileURLToPath(new URL('../../../cli/bin/visctl.js', import.meta.url))

export interface MirrorProcess {
  /** Everything that the processes wrote to standard error. */
  readonly notes: string
  /** Starts a process that follows the changes, unless one is running. */
  start(...options: readonly string[]): void
  kill(): Promise<void>
  /** Ends the process with SIGTERM and returns its exit code. */
  stop(): Promise<number | null>
  /** Runs a process until the copy is up to date, and returns its exit code. */
  runOnce(...options: readonly string[]): Promise<number | null>
  /** Position of the copy; undefined if there is none yet. */
  readPosition(): string | undefined
  /** The records of the copy by CVE id. */
  readRecords(): ReadonlyMap<string, string>
}

export function createMirror(url: string, key: string): MirrorProcess {
  const folder = mkdtempSync(join(tmpdir(), 'vis-mirror-'))
  const file = join(folder, 'catalog.sqlite')
  let [child, notes]: [ChildProcess | undefined, string] = [undefined, '']
  const launch = (options: readonly string[]) => {
    child = spawn(process.execPath, [VISCTL, 'mirror', '--into', folder, ...options], {
      env: { ...NODE_ENVIRONMENT, PATH: process.env['PATH'], VIS_URL: url, VIS_API_KEY: key },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr?.on('data', (text) => {
      notes += text
    })
    return child
  }
  const end = async (signal?: NodeJS.Signals) => {
    const ending = child
    child = undefined
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return ending?.exitCode ?? null
    const closed = once(ending, 'close')
    if (signal) ending.kill(signal)
    await closed
    return ending.exitCode
  }
  cleanUpAfterTests(async () => {
    await end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    get notes() {
      return notes
    },
    start: (...options) => {
      if (!child) launch(['--wait', '0', ...options])
    },
    kill: async () => {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    runOnce: (...options) => {
      launch(['--once', ...options])
      return end()
    },
    readPosition: () => {
      const [row] = existsSync(file) ? query(file, 'select position from state') : []
      return typeof row?.['position'] === 'string' ? row['position'] : undefined
    },
    readRecords: () =>
      new Map(
        query(file, 'select cve_id, record from record').map((row) => [String(row['cve_id']), String(row['record'])]),
      ),
  }
}

function query(file: string, statement: string) {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    db.exec('pragma busy_timeout = 10000')
    return db.prepare(statement).all()
  } catch {
    // The process was killed before it had created the tables.
    return []
  } finally {
    db.close()
  }
}
