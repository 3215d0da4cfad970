import { describe, expect, it } from 'vitest'
import { openPool } from '../../src/database/postgres.ts'
import { startEngine } from '../../src/jobs/engine.ts'
import { MAIL, QUEUE_NAMES, QUEUES } from '../../src/runtime/jobs/queues.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { runCommand } from '../support/run-command.ts'
import { runStatements } from '../support/run-statements.ts'

const { url } = await createTestDatabase()
const limits = { poolSize: 2, statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }
const { db, close } = openPool(url, 'jobs-test', limits, () => {})
cleanUpAfterTests(close)
const engine = await startEngine(db, { queues: QUEUES, keepsTime: false, onError: () => {} })
cleanUpAfterTests(engine.stop)

const run = (...args: readonly string[]) => runCommand(['jobs', ...args], { NODE_ENV: 'test', DATABASE_URL: url })
const runJson = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).stdout)

const enqueue = (...ids: readonly string[]) => db.transaction().execute((tx) => engine.enqueue(tx, MAIL.name, ids))

/** Lets every attempt of the waiting mails fail. */
async function killMails(): Promise<void> {
  for (let attempt = 1; attempt <= MAIL.maxAttempts; attempt += 1) {
    await runStatements(url, 'update jobs.job set start_after = now()')
    for (let job = await engine.take(MAIL.name); job; job = await engine.take(MAIL.name))
      await engine.fail(job, 'EENVELOPE')
  }
}

describe('vis-server jobs list', () => {
  it('shows every queue, and the jobs that are waiting, failed or running', async () => {
    await enqueue('1')
    const first = await engine.take(MAIL.name)
    await enqueue('2')
    if (first) await engine.fail(first, 'ETIMEDOUT')
    await engine.take(MAIL.name)

    const { stdout } = await run('list')
    const { queues, jobs } = await runJson('list')

    expect(queues.map(({ queue }: { queue: string }) => queue)).toEqual([...QUEUE_NAMES].sort())
    expect(queues.find(({ queue }: { queue: string }) => queue === 'mail')).toMatchObject({
      waiting: 1,
      running: 1,
      failed: 1,
      dead: 0,
      last_finished_at: null,
    })
    expect(jobs).toMatchObject([
      { queue: 'mail', subject: '1', state: 'failed', attempts: 1, reason: 'ETIMEDOUT' },
      { queue: 'mail', subject: '2', state: 'running', attempts: 1, reason: null },
    ])
    expect(stdout).toMatch(/^QUEUE +WAITING +RUNNING +FAILED +DEAD +LAST FINISHED\n/)
    expect(stdout).toMatch(/mail +1 +failed +1 +\S+Z +\S+Z +ETIMEDOUT/)
    await runStatements(url, 'delete from jobs.job')
  })
})

describe('vis-server jobs dead and retry', () => {
  it('show jobs that failed for the last time, and put them back', async () => {
    expect((await run('dead')).stderr).toBe('There are no dead jobs.\n')
    await enqueue('7', '8', '9')
    await killMails()

    const dead = await runJson('dead')
    expect(dead).toHaveLength(3)
    expect(dead[0]).toMatchObject({ queue: 'mail', attempts: MAIL.maxAttempts, reason: 'EENVELOPE' })
    expect((await run('dead')).stdout).toMatch(/mail +7 +10 +\S+Z +\S+Z +EENVELOPE/)

    const { id, subject } = dead[0]
    expect((await run('retry', id)).stdout).toBe('1 job is waiting for another attempt.\n')
    expect((await runJson('list')).jobs).toMatchObject([{ queue: 'mail', subject, state: 'waiting', attempts: 0 }])
    const again = await run('retry', id)
    expect(again.stdout).toBe('0 jobs are waiting for another attempt.\n')
    expect(again.stderr).toContain('A job is left out if it is not dead')
    expect(await runJson('retry', '--all')).toEqual({ retried: 2 })
    expect(await runJson('dead')).toEqual([])
  })

  it.each([
    [['retry'], 'Name the ids of dead jobs'],
    [['retry', 'x', '--all'], 'Name the ids of dead jobs'],
    [['retry', '12'], '"12" is no id of a job.'],
  ])('refuse %j and say what is allowed', async (args, message) => {
    const { code, stderr } = await run(...args)
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
  })
})
