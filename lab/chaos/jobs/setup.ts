// A database with work for `vis-server jobs`, the logins of that process, and the owner, who looks and moves the time.
import { Pool } from 'pg'
import { openPool } from '../../../service/src/database/postgres.ts'
import { startEngine } from '../../../service/src/jobs/engine.ts'
import { QUEUES, TIMED_QUEUES } from '../../../service/src/runtime/jobs/queues.ts'
import { generateCatalog } from '../../../service/test/support/catalog/generated-catalog.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { runStatements } from '../../../service/test/support/run-statements.ts'
import { createRecord } from './record.ts'

const LIMITS = { poolSize: 2, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }

/** Runs a statement as the owner. */
export type Query = <Row extends object>(statement: string, values?: readonly unknown[]) => Promise<readonly Row[]>

export interface JobsSetup {
  /** The settings of `vis-server jobs`. */
  readonly environment: Readonly<Record<string, string>>
  readonly query: Query
  /** Makes the jobs that the clock makes when their time has come. A queue whose job is waiting or running gets none. */
  makeTimedJobs(): Promise<void>
  /** Locks a table against writing until the returned function is called. */
  lock(table: string): Promise<() => Promise<void>>
  /** Counts the connections of processes that run jobs. */
  countConnections(): Promise<number>
}

export async function createJobsSetup(smtpUrl: string, cves: number): Promise<JobsSetup> {
  const { url, name } = await createTestDatabase()
  const owner = new Pool({ connectionString: url, max: 3 })
  // The database may be dropped while a connection is open.
  owner.on('error', () => {})
  cleanUpAfterTests(() => owner.end())
  const query: Query = async (statement, values = []) => (await owner.query(statement, [...values])).rows
  const createLogin = async (role: string, suffix = '') => {
    const login = `${name}_${role}${suffix}`
    await runStatements(url, `create role ${login} login in role ${role}`)
    cleanUpAfterTests(() => runStatements(url, `drop owned by ${login}; drop role ${login}`))
    return { login, url: Object.assign(new URL(url), { username: login }).href }
  }
  const [feeds, jobs, identity] = [
    await createLogin('vis_feeds'),
    await createLogin('vis_jobs'),
    await createLogin('vis_identity'),
  ]
  await fillDatabase(url, query, cves)
  const makeTimedJobs = await openClock((await createLogin('vis_jobs', '_clock')).url)
  return {
    environment: {
      NODE_ENV: 'test',
      DATABASE_URL: feeds.url,
      JOBS_DATABASE_URL: jobs.url,
      IDENTITY_DATABASE_URL: identity.url,
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'vis@example.org',
      PUBLIC_URL: 'http://127.0.0.1',
      // Far from now, so that no scheduled time passes during the test except those that the test makes due.
      SNAPSHOT_HOUR: String((new Date().getUTCHours() + 12) % 24),
    },
    query,
    makeTimedJobs,
    lock: async (table) => {
      const connection = await owner.connect()
      await connection.query('begin')
      await connection.query(`lock table ${table} in share mode`)
      return async () => {
        await connection.query('rollback')
        connection.release()
      }
    },
    countConnections: async () => {
      const logins = [feeds.login, jobs.login, identity.login]
      const rows = await query('select from pg_stat_activity where usename = any ($1)', [logins])
      return rows.length
    },
  }
}

async function fillDatabase(url: string, query: Query, cves: number): Promise<void> {
  const pool = openPool(url, 'fill', LIMITS, () => {})
  await generateCatalog(pool.db, cves)
  await pool.close()
  // Anyone may ask for a link, so that every mail is sent.
  await query('update accounts.sign_in_rule set allows_sign_up = true')
  await createRecord(query)
}

async function openClock(url: string): Promise<() => Promise<void>> {
  const pool = openPool(url, 'clock', LIMITS, () => {})
  cleanUpAfterTests(() => pool.close())
  const onError = (error: unknown) => {
    throw error
  }
  const engine = await startEngine(pool.db, { queues: QUEUES, keepsTime: false, onError })
  cleanUpAfterTests(() => engine.stop())
  // The jobs of the clock have no subject.
  return () =>
    pool.db.transaction().execute(async (tx) => {
      for (const { name } of TIMED_QUEUES) await engine.enqueue(tx, name, [''])
    })
}
