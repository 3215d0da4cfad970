// Kills `vis-server jobs` at random moments while it sends mails, makes snapshots and sums up the ledger. CHAOS_SEED=17
// repeats the moments of an earlier run.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startFeeds } from '../../../service/test/faults/feeds/process.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createDice } from '../../../service/test/support/generator/dice.ts'
import { startMailServer, type TestMailServer } from '../../../service/test/support/network/mail-server.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { waitUntil } from '../feeds/wait-until.ts'
import { countWrongSums, forgetRollUp, isRolledUp, storeCalls } from './ledger.ts'
import { type Copies, countRepetitions, groupByMail, readMessageId } from './received.ts'
import { type DueTime, readAskedMails, readDueTimes } from './record.ts'
import { createJobsSetup, type JobsSetup, type Query } from './setup.ts'
import {
  askForMails,
  endHeartbeats,
  isAllDone,
  makeSnapshotDue,
  type RunningJob,
  readRunningJobs,
  readWaitingMails,
  startTime,
} from './work.ts'

const PLAN = chooseBySize({
  short: { kills: 8, cves: 5000, days: 10, callsPerDay: 2000 },
  long: { kills: 100, cves: 5000, days: 30, callsPerDay: 4000 },
})
/** The process starts within a second; then it works for about two. */
const KILL_MS = { from: 300, to: 4000 }
const MAILS_AT_ONCE = 2
/** The mail server confirms a mail this long after it has arrived, at most. */
const MAX_ANSWER_DELAY_MS = 300
const END_TIMEOUT_MS = 240_000

const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000))
const moments = createDice(seed, 1)
const delays = createDice(seed, 2)

interface Kill {
  /** The jobs that the process was running; not those of processes that were killed earlier. */
  readonly running: readonly RunningJob[]
  /** Ids of the mails that had arrived at the mail server, but were not yet marked as sent. */
  readonly arrived: readonly string[]
  readonly wasStarted: boolean
}

interface DeadJob {
  readonly id: string
  readonly queue: string
  readonly attempts: number
}

interface Outcome {
  readonly kills: readonly Kill[]
  readonly copies: readonly Copies[]
  readonly dueTimes: readonly DueTime[]
  readonly dead: readonly DeadJob[]
  readonly rollUps: number
  readonly wrongSums: number
}

async function killRepeatedly(server: TestMailServer, setup: JobsSetup): Promise<Outcome> {
  const { query } = setup
  await storeCalls(query, PLAN.days, PLAN.callsPerDay)
  await forgetRollUp(query, PLAN.days)
  const ledger = { rollUps: 0, wrongSums: 0 }
  const kills: Kill[] = []
  const time = startTime(query)
  cleanUpAfterTests(time.stop)
  for (let nr = 0; nr < PLAN.kills; nr += 1) {
    await giveWork(setup, ledger)
    const kill = await runAndKill(server, setup)
    const earlier = kills.flatMap(({ running }) => running)
    kills.push({ ...kill, running: kill.running.filter((job) => !earlier.some((each) => isSameAttempt(each, job))) })
    await endHeartbeats(query)
  }
  await giveWork(setup, ledger)
  await runToEnd(setup)
  await time.stop()
  await checkRollUp(query, ledger)
  return {
    kills,
    copies: groupByMail(await readAskedMails(query), server.received),
    dueTimes: await readDueTimes(query),
    dead: await readDeadJobs(query),
    ...ledger,
  }
}

const isSameAttempt = (one: RunningJob, other: RunningJob) => one.id === other.id && one.attempt === other.attempt

async function giveWork({ query, makeTimedJobs }: JobsSetup, ledger: { rollUps: number; wrongSums: number }) {
  await askForMails(query, MAILS_AT_ONCE)
  await makeSnapshotDue(query)
  if (await isRolledUp(query)) {
    await checkRollUp(query, ledger)
    await forgetRollUp(query, PLAN.days)
  }
  await makeTimedJobs()
}

async function checkRollUp(query: Query, ledger: { rollUps: number; wrongSums: number }): Promise<void> {
  if (!(await isRolledUp(query))) throw new Error('the ledger is not summed up to the end')
  ledger.rollUps += 1
  ledger.wrongSums += await countWrongSums(query)
}

async function giveMoreWork({ query, makeTimedJobs }: JobsSetup, afterMs: number): Promise<void> {
  await sleep(afterMs)
  await askForMails(query, MAILS_AT_ONCE)
  await makeTimedJobs()
}

async function runAndKill(server: TestMailServer, setup: JobsSetup): Promise<Kill> {
  const { environment, query, countConnections } = setup
  const receivedBefore = server.received.length
  const killAtMs = KILL_MS.from + moments.below(KILL_MS.to - KILL_MS.from)
  const giveAtMs = moments.below(killAtMs)
  const worker = startFeeds(['jobs'], environment)
  const given = giveMoreWork(setup, giveAtMs)
  await sleep(killAtMs)
  worker.signal('SIGKILL')
  const { stdout } = await worker.ended
  await given
  // PostgreSQL and the mail server may still do what the process had asked for.
  await waitUntil('the connections are closed', async () => (await countConnections()) === 0, END_TIMEOUT_MS)
  await waitUntil('the mail server is idle', () => server.countConnections() === 0, END_TIMEOUT_MS)
  const waiting = await readWaitingMails(query)
  const arrived = new Set(server.received.slice(receivedBefore).map(readMessageId))
  return {
    running: await readRunningJobs(query),
    arrived: (await readAskedMails(query))
      .filter(({ id, messageId }) => waiting.has(id) && arrived.has(messageId))
      .map(({ id }) => id),
    wasStarted: stdout.includes('running jobs'),
  }
}

async function runToEnd({ environment, query, makeTimedJobs }: JobsSetup): Promise<void> {
  const worker = startFeeds(['jobs'], environment)
  await waitUntil('all jobs are done', () => isAllDone(query), END_TIMEOUT_MS)
  // These have nothing left to do.
  await makeTimedJobs()
  await waitUntil('the last jobs are done', () => isAllDone(query), END_TIMEOUT_MS)
  worker.signal('SIGTERM')
  expect((await worker.ended).code).toBe(0)
}

function readDeadJobs(query: Query): Promise<readonly DeadJob[]> {
  return query<DeadJob>(`
    select source_id as id, source_name as queue, source_retry_count + 1 as attempts
      from jobs.job
     where name = 'dead' and state < 'active'
  `)
}

/** Returns the dead jobs that were not killed in each of their attempts. */
function findUnexplained({ dead, kills }: Outcome): readonly DeadJob[] {
  const killed = kills.flatMap(({ running }) => running)
  return dead.filter(({ id, attempts }) => killed.filter((job) => job.id === id).length < attempts)
}

/** Each kill between the arrival of a mail and the note that it is sent makes one repetition, and nothing else does. */
function findWrongRepetitions({ copies, kills }: Outcome): readonly string[] {
  const arrivals = kills.flatMap(({ arrived }) => arrived)
  return copies
    .filter(({ mail, messageIds }) => messageIds.length !== 1 + arrivals.filter((id) => id === mail.id).length)
    .map(({ mail, messageIds }) => `${mail.email} arrived ${messageIds.length} times`)
}

function formatSummary({ kills, copies, dueTimes, dead, rollUps }: Outcome): string {
  const countRunning = (queue: string) =>
    kills.filter(({ running }) => running.some((job) => job.queue === queue)).length
  const duringMail = kills.filter(({ arrived }) => arrived.length > 0)
  return [
    `vis-server jobs killed ${kills.length} times (CHAOS_SEED=${seed})`,
    `${kills.filter(({ wasStarted }) => !wasStarted).length} kills while it started, ${countRunning('mail')} while it sent mails, ${countRunning('snapshot')} during a snapshot, ${countRunning('ledger')} during a roll-up, ${kills.filter(({ running, wasStarted }) => wasStarted && running.length === 0).length} without a running job`,
    `${copies.length} mails asked for, all arrived; ${countRepetitions(copies)} repeated with the same Message-ID, because ${duringMail.length} kills came after a mail had arrived`,
    `${dueTimes.length} snapshots due, each made once`,
    `${rollUps} roll-ups agree with the ledger`,
    `${dead.length} dead jobs (${dead.map(({ queue }) => queue).join(' ')})`,
  ].join('; ')
}

describe('A process that runs jobs and is killed at random moments', () => {
  it('loses no mail, snapshot or daily sum, and repeats only mails', { timeout: 3_600_000 }, async () => {
    const server = await startMailServer({ beforeAnswer: () => sleep(delays.below(MAX_ANSWER_DELAY_MS)) })
    const setup = await createJobsSetup(server.url, PLAN.cves)

    const outcome = await killRepeatedly(server, setup)

    const { copies } = outcome
    process.stdout.write(`${formatSummary(outcome)}\n`)
    expect(copies.filter(({ messageIds }) => messageIds.length === 0)).toEqual([])
    expect(copies.filter(({ mail, messageIds }) => messageIds.some((id) => id !== mail.messageId))).toEqual([])
    expect(new Set(copies.map(({ mail }) => mail.messageId)).size).toBe(copies.length)
    expect(findWrongRepetitions(outcome)).toEqual([])
    expect(Math.max(...outcome.kills.map(({ arrived }) => arrived.length))).toBeLessThanOrEqual(1)
    expect(findUnexplained(outcome)).toEqual([])
    expect(outcome.dueTimes.filter(({ snapshots }) => snapshots !== 1)).toEqual([])
    expect(outcome.wrongSums).toBe(0)
  })
})
