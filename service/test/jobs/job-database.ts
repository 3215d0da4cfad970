// A database with a login that has only the role vis_jobs, and engines that use it.
import { type Database, openPool } from '../../src/database/postgres.ts'
import { type Jobs, startEngine } from '../../src/jobs/engine.ts'
import type { Queue } from '../../src/jobs/queue.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { readRows, runStatements } from '../support/run-statements.ts'

/** Two attempts without a noticeable pause. */
export const QUEUE: Queue = {
  name: 'errands',
  maxAttempts: 2,
  retrySeconds: 0,
  maxRetrySeconds: 1,
  timeLimitSeconds: 60,
  keptSeconds: 60,
}

const LIMITS = { poolSize: 4, statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }

export interface JobDatabase extends TestDatabase {
  readonly db: Database
  /** Starts the engine of another process. */
  startEngine(clockIntervalSeconds?: number): Promise<Jobs>
  /** Runs a statement as the owner. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any column.
  readRows(statement: string): Promise<any[]>
  /** Makes it look as if the processes that run jobs gave no sign of life for a minute. */
  suspendProcesses(): Promise<void>
}

export async function createJobDatabase(): Promise<JobDatabase> {
  const database = await createTestDatabase()
  const login = `${database.name}_jobs`
  await runStatements(database.url, `create role ${login} login in role vis_jobs`)
  cleanUpAfterTests(() => runStatements(database.url, `drop role ${login}`))
  const url = new URL(database.url)
  url.username = login
  const pool = openPool(url.href, 'jobs', LIMITS, () => {})
  cleanUpAfterTests(() => pool.close())
  return {
    ...database,
    db: pool.db,
    startEngine: async (clockIntervalSeconds) => {
      const keepsTime = clockIntervalSeconds !== undefined
      const onError = (error: unknown) => {
        throw error
      }
      const options = { queues: [QUEUE], keepsTime, onError }
      const engine = await startEngine(pool.db, keepsTime ? { ...options, clockIntervalSeconds } : options)
      cleanUpAfterTests(() => engine.stop())
      return engine
    },
    readRows: (statement) => readRows(database.url, statement),
    suspendProcesses: async () => {
      await runStatements(
        database.url,
        "update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'",
        // The engine looks at most once a second.
        'update jobs.queue set monitor_claim_on = null, monitor_on = null',
      )
    },
  }
}
