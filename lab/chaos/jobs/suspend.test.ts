// Suspends one of two processes that run jobs, while it sends a mail and makes a snapshot. The other one takes over.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { startMailServer, type TestMailServer } from '../../../service/test/support/network/mail-server.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { waitUntil } from '../feeds/wait-until.ts'
import { groupByMail } from './received.ts'
import { readAskedMails, readDueTimes } from './record.ts'
import { createJobsSetup, type JobsSetup, type Query } from './setup.ts'
import { askForMail, countDeadJobs, isAllDone, makeSnapshotDue, readRunningJobs, startTime } from './work.ts'
import { startWorker, type Worker } from './worker.ts'

/** A process counts as dead 15 s after its last sign of life. */
const SUSPENDED_MS = chooseBySize({ short: 25_000, long: 60_000 })
const CVES = 5000
const HELD = 'held@example.org'
const TIMEOUT_MS = 60_000
/** Longer than two looks for new jobs, in which a second process would repeat a mail. */
const REPETITION_MS = 5000

/** A mail server that confirms the first mail to one address only when it is told to. */
async function startHoldingServer(): Promise<TestMailServer & { readonly confirm: () => void }> {
  const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>()
  let isHolding = true
  const server = await startMailServer({
    beforeAnswer: async ({ to }) => {
      if (to !== HELD || !isHolding) return
      isHolding = false
      await confirmed
    },
  })
  return { ...server, confirm }
}

/** Returns when the process is in the middle of a mail and at the end of a snapshot. `release` lets the snapshot end. */
async function startBusyWorker(
  server: TestMailServer,
  setup: JobsSetup,
): Promise<Worker & { release(): Promise<void> }> {
  const { query, environment } = setup
  // The content of a snapshot is written at its end.
  const release = await setup.lock('catalog.snapshot_part')
  await askForMail(query, HELD)
  await setup.makeTimedJobs()
  const worker = await startWorker(environment)
  await waitUntil('the mail arrives', () => server.received.length === 1, TIMEOUT_MS)
  await waitUntil('the snapshot waits', () => isSomeoneWaiting(query), TIMEOUT_MS)
  return { ...worker, release }
}

async function isSomeoneWaiting(query: Query): Promise<boolean> {
  const waiting = "select from pg_locks where relation = 'catalog.snapshot_part'::regclass and not granted"
  return (await query(waiting)).length > 0
}

interface Processes {
  readonly suspended: Worker
  readonly other: Worker
  /** Time from the suspension until the other process had finished all jobs. */
  readonly takenOverMs: number
}

async function suspendAndResume(
  server: TestMailServer & { readonly confirm: () => void },
  setup: JobsSetup,
): Promise<Processes> {
  const { query, environment } = setup
  const suspended = await startBusyWorker(server, setup)
  const other = await startWorker(environment)
  await waitUntil(
    'the other process is running',
    async () => (await other.countJobs('mail', 'finished')) === 0,
    TIMEOUT_MS,
  )
  // A process that starts makes a job for each timer. The others soon have nothing left to do.
  const areOthersDone = async () =>
    (await readRunningJobs(query))
      .map(({ queue }) => queue)
      .sort()
      .join(' ') === 'mail snapshot'
  await waitUntil('only the mail and the snapshot are running', areOthersDone, TIMEOUT_MS)
  suspended.signal('SIGSTOP')
  await suspended.release()
  const takenOverMs = await waitUntil('the jobs are taken over', () => isAllDone(query), TIMEOUT_MS)
  // On a busy machine, taking over may last longer than the suspension at the small size.
  await sleep(Math.max(0, SUSPENDED_MS - takenOverMs))
  server.confirm()
  suspended.signal('SIGCONT')
  return { suspended, other, takenOverMs }
}

/** Checks that further work is done once while both processes run, and that the suspended one can do it alone. */
async function expectFurtherWork(
  server: TestMailServer,
  setup: JobsSetup,
  { suspended, other }: Processes,
): Promise<void> {
  const { query } = setup
  await askForMail(query, 'both@example.org')
  await makeSnapshotDue(query)
  await setup.makeTimedJobs()
  await waitUntil('further jobs are done', () => isAllDone(query), TIMEOUT_MS)
  await sleep(REPETITION_MS)
  other.signal('SIGTERM')
  expect((await other.ended).code).toBe(0)
  await askForMail(query, 'alone@example.org')
  await server.receive('alone@example.org')
  await waitUntil('the last mail is sent', () => isAllDone(query), TIMEOUT_MS)
  suspended.signal('SIGTERM')
}

describe('One of two processes that run jobs, suspended while it sends a mail and makes a snapshot', () => {
  it('leaves both to the other process, says so, and keeps working', { timeout: 600_000 }, async () => {
    const server = await startHoldingServer()
    const setup = await createJobsSetup(server.url, CVES)
    const time = startTime(setup.query)
    cleanUpAfterTests(time.stop)

    const processes = await suspendAndResume(server, setup)
    const countLost = async () => [
      await processes.suspended.countJobs('mail', 'lost'),
      await processes.suspended.countJobs('snapshot', 'lost'),
    ]
    await expect.poll(countLost, { timeout: TIMEOUT_MS }).toEqual([1, 1])
    await expectFurtherWork(server, setup, processes)
    await time.stop()

    const { code, stdout } = await processes.suspended.ended
    const copies = groupByMail(await readAskedMails(setup.query), server.received)
    process.stdout.write(
      `vis-server jobs suspended for at least ${SUSPENDED_MS / 1000} s: the other process had finished its jobs after ${(processes.takenOverMs / 1000).toFixed(1)} s; its mail arrived ${copies[0]?.messageIds.length} times\n`,
    )
    expect(code).toBe(0)
    const takenOver = stdout.split('\n').filter((line) => line.includes('another process has taken the job over'))
    expect(takenOver.map((line) => JSON.parse(line).queue).sort()).toEqual(['mail', 'snapshot'])
    expect((await processes.other.ended).stdout).not.toContain('another process')
    // The suspended process had already handed its mail to the mail server.
    expect(copies.map(({ messageIds }) => messageIds.length)).toEqual([2, 1, 1])
    expect(copies.filter(({ mail, messageIds }) => messageIds.some((id) => id !== mail.messageId))).toEqual([])
    expect(await readDueTimes(setup.query)).toEqual([
      { nr: 1, snapshots: 1 },
      { nr: 2, snapshots: 1 },
    ])
    expect(await countDeadJobs(setup.query)).toBe(0)
  })
})
