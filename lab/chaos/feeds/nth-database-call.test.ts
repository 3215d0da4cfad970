// Makes each database call in a feed run fail in turn. The fault occurs before the call arrives or after it is
// answered, and either closes one connection or refuses all connections until the run has ended.
import { describe, expect, it } from 'vitest'
import {
  createNthFaultProxy,
  type HeldCall,
  type Moment,
  type NthFaultProxy,
} from '../../../service/test/support/network/nth-fault-proxy.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { findPartialImports, type Inspector, openInspector, startReader } from './content.ts'
import { saveState } from './restore-state.ts'
import { type RunReport, runOnce } from './run.ts'
import { createFeedsSetup, expireLeases, FEEDS, type FeedsSetup, fromDirectory } from './setup.ts'
import { createDirectorySlice } from './slice.ts'

interface NthCallOutcome {
  readonly feed: string
  readonly calls: readonly string[]
  readonly trials: readonly TrialReport[]
  readonly samples: number
  /** Descriptions of partial imports that a concurrent reader saw. */
  readonly violations: readonly string[]
}

interface TrialReport extends RunReport, Trial {
  readonly call: string
  /** Outcome stored in the run record of the failed feed run; undefined if there is no record. */
  readonly recorded: string | undefined
}

/** Extent of the fault: only the connection of the call fails, or the whole database. */
type Extent = 'connection' | 'database'

interface Trial {
  readonly number: number
  readonly moment: Moment
  readonly extent: Extent
}

/** Test dependencies that all trials share. */
interface TrialContext {
  readonly setup: FeedsSetup
  readonly feed: string
  readonly proxy: NthFaultProxy
  readonly inspector: Inspector
}

const SUCCESS: RunReport = { outcome: 'succeeded', error: '' }

interface TrialPlan {
  readonly extents: readonly Extent[]
  /** Whether each call fails both before and after the database has executed it; otherwise the two alternate. */
  readonly hasBothMoments: boolean
}

async function failEachCall(setup: FeedsSetup, feed: string, plan: TrialPlan): Promise<NthCallOutcome> {
  const database = await setup.clone()
  const [proxy, inspector] = [await createNthFaultProxy(database.url), await openInspector(database.url, setup.slice)]
  const context: TrialContext = { setup, feed, proxy, inspector }
  const restoreState = await saveState(inspector)
  const calls = await recordCalls(context)
  const reader = await startReader(database.url, setup.expected)
  const reports: TrialReport[] = []
  for (const trial of listTrials(calls.length, plan)) {
    await restoreState()
    reports.push({ ...trial, ...(await failOnce(context, trial)), call: calls[trial.number - 1] ?? '' })
  }
  const { samples, violations } = await reader.stop()
  await inspector.close()
  proxy.close()
  await database.drop()
  return { feed, calls, trials: reports, samples, violations }
}

function listTrials(count: number, { extents, hasBothMoments }: TrialPlan): Trial[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const trials = (['before', 'answered'] as const).flatMap((moment) =>
    extents.flatMap((extent) => numbers.map((number) => ({ number, moment, extent }))),
  )
  // Counted from the last call, because the trial in which its answer is lost has a different outcome from all others.
  return trials.filter(
    ({ number, moment }) => hasBothMoments || (moment === 'answered') === ((count - number) % 2 === 0),
  )
}

function run({ setup, feed, proxy }: TrialContext): Promise<RunReport> {
  return runOnce({ ...setup.location, feed, url: proxy.url, now: setup.slice.now })
}

async function recordCalls(context: TrialContext): Promise<readonly string[]> {
  context.proxy.arm()
  expect(await run(context)).toEqual(SUCCESS)
  return context.proxy.calls
}

async function failOnce(context: TrialContext, trial: Trial): Promise<Omit<TrialReport, keyof Trial | 'call'>> {
  const { setup, proxy, inspector } = context
  proxy.arm({ call: trial.number, moment: trial.moment, trigger: createTrigger(proxy, trial.extent) })
  const report = await run(context)
  expect(proxy.hasTriggered, `call ${trial.number} was made`).toBe(true)
  expect(findPartialImports(await inspector.content(), setup.expected)).toEqual([])
  const recorded = await readLastOutcome(context)
  await expireLeases(inspector)
  proxy.arm()
  expect(await run(context), `the run after call ${trial.number} failed`).toEqual(SUCCESS)
  await expectImported(context)
  return { ...report, recorded }
}

function createTrigger(proxy: NthFaultProxy, extent: Extent): (held: HeldCall) => void {
  return ({ disconnect }) => (extent === 'database' ? proxy.refuseConnections() : disconnect())
}

async function readLastOutcome({ feed, inspector }: TrialContext): Promise<string | undefined> {
  const [last] = await inspector.query<{ outcome: string }>(
    `select outcome from source.feed_run where feed = '${feed}' order by id desc limit 1`,
  )
  return last?.outcome
}

/**
 * Expects that the parts of the given feed are imported, the parts of other feeds are unchanged, and the last run
 * succeeded.
 */
async function expectImported({ setup, feed, inspector }: TrialContext): Promise<void> {
  const { before, after } = setup.expected
  for (const [part, found] of await inspector.content())
    expect(found, part).toBe((part.startsWith(feed) ? after : before).get(part))
  const [state] = await inspector.query(`select lease_holder, failures from source.feed where name = '${feed}'`)
  expect(state).toEqual({ lease_holder: null, failures: 0 })
  const [last] = await inspector.query('select feed, outcome, fault from source.feed_run order by id desc limit 1')
  expect(last).toEqual({ feed, outcome: 'succeeded', fault: null })
}

/**
 * Possible outcomes in the record of a feed run that failed. If the database is down, the record stays `running` until
 * the next run marks it as abandoned. The record says `succeeded` if only the database's answer to the last call was
 * lost.
 */
const RECORDED_OUTCOMES: Readonly<Record<Extent, RegExp>> = {
  connection: /^(failed|succeeded)$/,
  database: /^(running|succeeded)$/,
}

/** Each error message must name the database as the cause and say that the run will be retried. */
function expectErrorsReported({ trials, violations, calls }: NthCallOutcome): void {
  expect(violations).toEqual([])
  for (const { outcome, error, recorded = 'running', ...at } of trials) {
    const where = `call ${at.number} of ${calls.length}, ${at.moment}, ${at.extent}: ${at.call}`
    expect(outcome, where).toMatch(/^(failed|unreachable)$/)
    expect(recorded, where).toMatch(outcome === 'failed' ? RECORDED_OUTCOMES[at.extent] : /^running$/)
    if (outcome === 'failed') expect(error, where).toMatch(/^PostgreSQL could not be used \(.+\)\. The run will be/)
    if (recorded === 'succeeded') expect(at, where).toMatchObject({ number: calls.length, moment: 'answered' })
  }
}

function formatSummary({ feed, calls, trials, samples }: NthCallOutcome): string {
  const countTrials = (extent: Extent) => trials.filter((each) => each.extent === extent).length
  const countRecorded = (outcome: string | undefined) => trials.filter((each) => each.recorded === outcome).length
  return [
    `${feed}: ${calls.length} database calls, ${trials.length} failures (${countTrials('connection')} closed connections, ${countTrials('database')} unreachable databases)`,
    `${countRecorded('failed')} recorded as failed, ${countRecorded('running')} to be marked as abandoned, ${countRecorded(undefined)} before the run was recorded`,
    `a reader took ${samples} samples`,
  ].join('; ')
}

const SIZES = chooseBySize({
  short: {
    slice: { years: [2025], recordsPerYear: 30, now: new Date('2026-08-22T00:00:00Z') },
    extents: ['connection'],
    hasBothMoments: false,
  },
  long: { slice: createDirectorySlice(1000), extents: ['connection', 'database'], hasBothMoments: true },
} as const)
const setup = await createFeedsSetup(SIZES.slice, fromDirectory(SIZES.slice))

describe('Feed run in which one database call fails, for every call in turn', () => {
  it('reports the error and stores nothing partial; a later run stores the same data as one without faults', {
    timeout: 7_200_000,
  }, async () => {
    const outcomes = await Promise.all(FEEDS.map((feed) => failEachCall(setup, feed, SIZES)))

    process.stdout.write(`${outcomes.map(formatSummary).join('\n')}\n`)
    for (const each of outcomes) expectErrorsReported(each)
    // Checks that the proxy saw all database calls of a run, from the lease to the last commit.
    for (const { calls } of outcomes) expect(calls).toEqual(expect.arrayContaining(['connect', 'copy data', 'commit']))
  })
})

describe('vis-server sync whose database connection is closed', () => {
  const syncDisconnectedAt = async (call: RegExp) => {
    const database = await setup.clone()
    const proxy = await createNthFaultProxy(database.url)
    proxy.arm({ call, moment: 'before', trigger: ({ disconnect }) => disconnect() })
    const ended = await setup.sync(proxy.url).ended
    expect(proxy.hasTriggered).toBe(true)
    return ended
  }

  it('reports the feed as failed, runs the other feeds and exits with code 1 if the connection is closed during COPY', async () => {
    const { code, stdout, stderr } = await syncDisconnectedAt(/^copy data/)

    expect(code).toBe(1)
    expect(stdout).toMatch(/nvd +failed.*kev +succeeded.*epss +succeeded/s)
    expect(stderr).toMatch(/nvd: PostgreSQL could not be used \(.+\)\. The run will be retried\./)
  })

  it('reports the error without a stack trace and exits with code 1 if the connection is closed before the first feed', async () => {
    const { code, stderr } = await syncDisconnectedAt(/^update source.feed set lease_epoch/)

    expect(code).toBe(1)
    expect(stderr).toMatch(/PostgreSQL is not available \(.+\)/)
    expect(stderr).not.toMatch(/^ +at /m)
  })
})
