import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { listDeadJobs, listJobs } from '../../src/jobs/read-jobs.ts'
import { type JobResult, type Runner, startRunner, type Work } from '../../src/jobs/runner.ts'
import { createLog } from '../../src/log.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { runStatements } from '../support/run-statements.ts'
import { createJobDatabase, QUEUE } from './job-database.ts'

const database = await createJobDatabase()
const { db, url, readRows, suspendProcesses } = database
const jobs = await database.startEngine()
const { name } = QUEUE
const POLL = { timeout: 30_000 }
const logLines: string[] = []
const log = createLog('debug', { write: (line) => void logLines.push(line) })

beforeEach(async () => {
  await readRows('delete from jobs.job')
  logLines.length = 0
})

const enqueue = (...subjects: readonly string[]) => db.transaction().execute((tx) => jobs.enqueue(tx, name, subjects))
const readStates = async () => (await listJobs(db, [name], 100)).map(({ state }) => state)

function start(work: Omit<Work, 'queue' | 'concurrency'>): Runner & { readonly results: JobResult[] } {
  const results: JobResult[] = []
  const onResult = (_: string, result: JobResult) => void results.push(result)
  const runner = startRunner({ db, jobs, works: [{ queue: QUEUE, concurrency: 2, ...work }], log, onResult })
  cleanUpAfterTests(runner.stop)
  return { ...runner, results }
}

/** Waits until the signal aborts, and then fails as an interrupted statement does. */
async function waitForAbort(signal: AbortSignal): Promise<void> {
  await sleep(60_000, undefined, { signal })
}

describe('The runner', () => {
  it('runs waiting jobs, and those that are made for rows without one', async () => {
    const subjects: string[] = []
    await runStatements(
      url,
      "create table public.errand as select '2' as id",
      'grant select on public.errand to vis_jobs',
    )
    await enqueue('1')
    const { results, stop } = start({
      rows: {
        exist: sql<boolean>`exists (select from public.errand)`,
        collect: async () => {
          await enqueue('2')
          await runStatements(url, 'delete from public.errand')
        },
      },
      run: async ({ subject }) => void subjects.push(subject),
    })
    await expect.poll(() => results, POLL).toEqual(['finished', 'finished'])
    await stop()
    expect(subjects.sort()).toEqual(['1', '2'])
    expect(await readStates()).toEqual([])
  })

  it('tries a failed job again and stores the code of the error, but not its message', async () => {
    await enqueue('1')
    const { results, wake, stop } = start({
      run: async () => {
        throw Object.assign(new Error('550 ada@example.org is unknown'), { code: 'EENVELOPE' })
      },
    })
    await expect.poll(() => results, POLL).toEqual(['failed'])
    await readRows('update jobs.job set start_after = now()')
    wake()
    await expect.poll(() => results, POLL).toEqual(['failed', 'dead'])
    await stop()
    expect(await listDeadJobs(db, 10)).toMatchObject([{ subject: '1', reason: 'EENVELOPE', attempts: 2 }])
    const [row] = await readRows("select count(*)::integer as count from jobs.job where job::text like '%ada@%'")
    expect(row).toEqual({ count: 0 })
  })

  it('takes no job while its work is not ready, and so uses up no attempt', async () => {
    await enqueue('1')
    let isReady = false
    let checks = 0
    const { results, wake, stop } = start({
      isReady: async () => {
        checks += 1
        return isReady
      },
      run: async () => {},
    })
    await expect.poll(() => checks, POLL).toBeGreaterThan(0)
    expect(await listJobs(db, [name], 10)).toMatchObject([{ state: 'waiting', attempts: 0 }])
    isReady = true
    wake()
    await expect.poll(() => results, POLL).toEqual(['finished'])
    await stop()
  })

  it('returns a running job when it is stopped, without using up an attempt', async () => {
    await enqueue('1')
    const { results, stop } = start({ run: (_, signal) => waitForAbort(signal) })
    await expect.poll(readStates, POLL).toEqual(['running'])
    await stop()
    // The second slot may have taken the job that the first one returned.
    expect(new Set(results)).toEqual(new Set(['stopped']))
    expect(await readStates()).toEqual(['failed'])
    expect(await jobs.take(name)).toMatchObject({ subject: '1' })
  })

  it('interrupts a job that another process has taken over, and leaves it to that process', async () => {
    await enqueue('1')
    const { results, stop } = start({ run: (_, signal) => waitForAbort(signal) })
    await expect.poll(readStates, POLL).toEqual(['running'])
    await suspendProcesses()
    await jobs.supervise()
    await readRows('update jobs.job set start_after = now()')
    const second = await jobs.take(name)

    await expect.poll(() => results, POLL).toEqual(['lost'])
    await stop()
    expect(await readStates()).toEqual(['running'])
    expect(second && (await jobs.finish(second))).toBe(true)
  })

  it('notices a job whose process died, and runs it again', async () => {
    await enqueue('1')
    await jobs.take(name)
    await suspendProcesses()
    await readRows('update jobs.job set retry_backoff = false')
    const { results, stop } = start({ run: async () => {} })
    await expect.poll(() => results, POLL).toEqual(['finished'])
    await stop()
  })

  it('keeps running while the database cannot be read, and says so once', async () => {
    await readRows('alter table jobs.job rename to job_away')
    const { results, stop } = start({ run: async () => {} })
    await expect.poll(() => logLines.filter((line) => line.includes('cannot be read')), POLL).toHaveLength(1)
    await readRows('alter table jobs.job_away rename to job')
    await enqueue('1')
    await expect.poll(() => results, POLL).toEqual(['finished'])
    await stop()
    expect(logLines.filter((line) => line.includes('cannot be read'))).toHaveLength(1)
  })
})
