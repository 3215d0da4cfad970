// The contract of the engine for jobs. Another engine that passes these tests can replace it.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../src/jobs/queue.ts'
import { listDeadJobs, listJobs, readDueWork, readQueueStates } from '../../src/jobs/read-jobs.ts'
import { createJobDatabase, QUEUE } from './job-database.ts'

const database = await createJobDatabase()
const { db, readRows, suspendProcesses } = database
const jobs = await database.startEngine()
const other = await database.startEngine()
const { name } = QUEUE

beforeEach(async () => {
  await readRows(`delete from jobs.job`)
  await readRows(`delete from jobs.schedule`)
})

const enqueue = (...subjects: readonly string[]) => db.transaction().execute((tx) => jobs.enqueue(tx, name, subjects))

const list = async () => (await listJobs(db, [name], 100)).map(({ subject, state }) => `${subject} ${state}`)

async function take(engine = jobs): Promise<Job> {
  const job = await engine.take(name)
  if (!job) throw new Error('no job is due')
  return job
}

describe('Enqueueing', () => {
  it('takes effect with the transaction of the caller', async () => {
    await db.transaction().execute(async (tx) => {
      await jobs.enqueue(tx, name, ['1'])
      expect(await list()).toEqual([])
    })
    expect(await list()).toEqual(['1 waiting'])
  })

  it('is undone if the transaction of the caller is rolled back', async () => {
    const failing = db.transaction().execute(async (tx) => {
      await jobs.enqueue(tx, name, ['1', '2'])
      await sql`select 1 / 0`.execute(tx)
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(await list()).toEqual([])
  })

  it('stores nothing except the id of the subject', async () => {
    await enqueue('7')
    const [row] = await readRows('select data, output, singleton_key from jobs.job')
    expect(row).toEqual({ data: { id: '7' }, output: null, singleton_key: '7' })
  })
})

describe('One subject', () => {
  it('has one job at a time: another one is not made while the first is waiting or running', async () => {
    await enqueue('1')
    await enqueue('1', '2')
    const job = await take()
    await enqueue('1')
    expect(await list()).toEqual(['1 running', '2 waiting'])

    await jobs.finish(job)
    await enqueue('1')
    expect(await list()).toEqual(['2 waiting', '1 waiting'])
  })

  it('is given to one of several processes', async () => {
    const subjects = Array.from({ length: 40 }, (_, index) => String(index))
    await enqueue(...subjects)
    const taken = await Promise.all(subjects.map((_, index) => take(index % 2 === 0 ? jobs : other)))
    expect(taken.map(({ subject }) => subject).sort()).toEqual([...subjects].sort())
    expect(await jobs.take(name)).toBeUndefined()
  })
})

describe('A sign of life', () => {
  it('keeps the job', async () => {
    await enqueue('1')
    const job = await take()
    await suspendProcesses()
    expect((await readDueWork(db, [])).hasLapsed).toBe(true)

    expect(await jobs.keep(job)).toBe(true)
    expect((await readDueWork(db, [])).hasLapsed).toBe(false)
    await jobs.supervise()
    expect(await list()).toEqual(['1 running'])
  })

  it('that stops lets another process take the job, and the first process can no longer change it', async () => {
    await enqueue('1')
    const job = await take()
    await suspendProcesses()
    await other.supervise()
    await readRows('update jobs.job set start_after = now()')
    const second = await other.take(name)
    expect(second).toMatchObject({ id: job.id, subject: '1', attempt: 2 })
    if (!second) return

    expect([await jobs.keep(job), await jobs.finish(job), await jobs.fail(job, 'late')]).toEqual([false, false, false])
    expect(await list()).toEqual(['1 running'])
    expect(await other.finish(second)).toBe(true)
    expect(await list()).toEqual([])
  })

  it('does not save a job that takes longer than its queue allows', async () => {
    await enqueue('1')
    const job = await take()
    await suspendProcesses()
    await jobs.keep(job)
    expect((await readDueWork(db, [])).hasLapsed).toBe(false)
    await readRows("update jobs.job set started_on = started_on - interval '2 minutes'")
    expect((await readDueWork(db, [])).hasLapsed).toBe(true)
    await other.supervise()
    expect(await jobs.keep(job)).toBe(false)
  })
})

describe('A failed job', () => {
  it('is tried again, then dead and visible with its reason, and retried by an operator', async () => {
    await enqueue('1')
    expect(await jobs.fail(await take(), 'ECONNREFUSED')).toBe(true)
    expect(await list()).toEqual(['1 failed'])
    expect((await readQueueStates(db, [name]))[0]).toMatchObject({ waiting: 1, failed: 1, dead: 0 })
    await readRows('update jobs.job set start_after = now()')
    await jobs.fail(await take(), 'ETIMEDOUT')

    expect(await list()).toEqual([])
    expect(await jobs.take(name)).toBeUndefined()
    const dead = await listDeadJobs(db, 10)
    expect(dead).toMatchObject([{ queue: name, subject: '1', attempts: 2, reason: 'ETIMEDOUT' }])
    expect((await readQueueStates(db, [name]))[0]).toMatchObject({ waiting: 0, dead: 1 })

    expect(await jobs.retryDead([dead[0]?.id ?? ''])).toBe(1)
    expect(await listDeadJobs(db, 10)).toEqual([])
    expect(await take()).toMatchObject({ subject: '1', attempt: 1 })
  })

  it('whose process died in every attempt is dead too', async () => {
    await enqueue('1')
    for (let attempt = 1; attempt <= QUEUE.maxAttempts; attempt += 1) {
      await readRows('update jobs.job set start_after = now()')
      await take()
      await suspendProcesses()
      await other.supervise()
    }
    expect(await listDeadJobs(db, 10)).toMatchObject([{ subject: '1', reason: 'job heartbeat timeout' }])
  })

  it('does not use up an attempt if its process was only asked to stop', async () => {
    await enqueue('1')
    const job = await take()
    await jobs.release(job)
    await jobs.fail(await take(), 'first')
    await readRows('update jobs.job set start_after = now()')
    await jobs.fail(await take(), 'second')
    expect(await listDeadJobs(db, 10)).toMatchObject([{ reason: 'second' }])
  })
})

describe('The clock', () => {
  const EVERY_MINUTE = '* * * * *'

  it('makes one job for a time, however many processes watch it', async () => {
    await jobs.schedule(name, EVERY_MINUTE)
    await Promise.all([database.startEngine(1), database.startEngine(1)])
    await expect.poll(list, { timeout: 30_000 }).toEqual([' waiting'])
    const job = await take()
    expect(job).toMatchObject({ subject: '', attempt: 1 })
    await jobs.finish(job)
    await sleep(2500)
    expect((await list()).length).toBeLessThanOrEqual(1)
    const [row] = await readRows(
      `select count(*)::integer as jobs, count(distinct date_trunc('minute', created_on))::integer as minutes
         from jobs.job where name = '${name}'`,
    )
    expect(row.jobs).toBe(row.minutes)
    await jobs.unschedule(name)
  })

  it('makes up once for times that passed while no process was running', async () => {
    // Every day, twelve hours from now and twelve hours ago.
    const hour = (new Date().getUTCHours() + 12) % 24
    await jobs.schedule(name, `30 ${hour} * * *`)
    await readRows("update jobs.version set cron_on = now() - interval '3 days'")
    await readRows("update jobs.schedule set created_on = now() - interval '9 days'")
    await database.startEngine(1)
    await expect.poll(list, { timeout: 30_000 }).toEqual([' waiting'])
  })
})
