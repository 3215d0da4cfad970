// Each call that a feed makes to the database fails once, in turn: it never arrives, or its answer is lost; the connection
// alone is cut, or the database is away until the run has ended.
import { expect } from 'vitest'
import { type Held, type Moment, type NthFaultProxy, nthFaultLink } from '../../support/network/nth-fault-proxy.ts'
import { type Inspector, openInspector, startReader, strangersIn } from './content.ts'
import { runOnce, type Told } from './run.ts'
import { expireLeases, type FeedsWorld } from './setup.ts'
import { rememberState } from './start-again.ts'

export interface NthCallOutcome {
  readonly feed: string
  readonly calls: readonly string[]
  readonly faults: readonly FaultTold[]
  readonly samples: number
  /** Whatever a reader saw that is neither before nor after. */
  readonly strangers: readonly string[]
}

interface FaultTold extends Told, Trial {
  readonly call: string
  /** What the record of the run says, before anybody runs it again; undefined when there was no run. */
  readonly recorded: string | undefined
}

/** How much goes away with the call. */
export type Extent = 'connection' | 'database'

interface Trial {
  readonly number: number
  readonly moment: Moment
  readonly extent: Extent
}

/** What stays the same from trial to trial. */
interface Bench {
  readonly world: FeedsWorld
  readonly feed: string
  readonly link: NthFaultProxy
  readonly inspector: Inspector
}

const UNDISTURBED: Told = { outcome: 'succeeded', words: '' }

export async function failEachCall(
  world: FeedsWorld,
  feed: string,
  extents: readonly Extent[],
): Promise<NthCallOutcome> {
  const database = await world.clone()
  const [link, inspector] = [await nthFaultLink(database.url), await openInspector(database.url, world.slice)]
  const bench: Bench = { world, feed, link, inspector }
  const startAgain = await rememberState(inspector)
  const calls = await callsOf(bench)
  const reader = await startReader(database.url, world.expected)
  const faults: FaultTold[] = []
  for (const trial of trials(calls.length, extents)) {
    await startAgain()
    faults.push({ ...trial, ...(await failOnce(bench, trial)), call: calls[trial.number - 1] ?? '' })
  }
  const { samples, faults: strangers } = await reader.stop()
  await inspector.close()
  link.close()
  await database.drop()
  return { feed, calls, faults, samples, strangers }
}

function trials(count: number, extents: readonly Extent[]): Trial[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  return (['before', 'answered'] as const).flatMap((moment) =>
    extents.flatMap((extent) => numbers.map((number) => ({ number, moment, extent }))),
  )
}

function run({ world, feed, link }: Bench): Promise<Told> {
  return runOnce({ ...world.offer, feed, url: link.url, now: world.slice.now })
}

async function callsOf(bench: Bench): Promise<readonly string[]> {
  bench.link.arm()
  expect(await run(bench)).toEqual(UNDISTURBED)
  return bench.link.calls
}

async function failOnce(bench: Bench, trial: Trial): Promise<Omit<FaultTold, keyof Trial | 'call'>> {
  const { world, link, inspector } = bench
  link.arm({ call: trial.number, moment: trial.moment, strike: fail(link, trial.extent) })
  const told = await run(bench)
  expect(link.hasStruck, `call ${trial.number} was made`).toBe(true)
  expect(strangersIn(await inspector.content(), world.expected)).toEqual([])
  const recorded = await lastOutcome(bench)
  await expireLeases(inspector)
  link.arm()
  expect(await run(bench), `the run after call ${trial.number} failed`).toEqual(UNDISTURBED)
  await expectDone(bench)
  return { ...told, recorded }
}

function fail(link: NthFaultProxy, extent: Extent): (held: Held) => void {
  return ({ cut }) => (extent === 'database' ? link.goAway() : cut())
}

async function lastOutcome({ feed, inspector }: Bench): Promise<string | undefined> {
  const [last] = await inspector.look<{ outcome: string }>(
    `select outcome from source.feed_run where feed = '${feed}' order by id desc limit 1`,
  )
  return last?.outcome
}

/** This feed's parts are those of an undisturbed run, those of others are untouched, and the records say so. */
async function expectDone({ world, feed, inspector }: Bench): Promise<void> {
  const { before, after } = world.expected
  for (const [part, found] of await inspector.content())
    expect(found, part).toBe((part.startsWith(feed) ? after : before).get(part))
  const [state] = await inspector.look(`select lease_holder, failures from source.feed where name = '${feed}'`)
  expect(state).toEqual({ lease_holder: null, failures: 0 })
  const [last] = await inspector.look('select feed, outcome, fault from source.feed_run order by id desc limit 1')
  expect(last).toEqual({ feed, outcome: 'succeeded', fault: null })
}

/** A run whose record nobody could close is called abandoned by the next; only the answer to the last call is no loss. */
const RECORDED: Readonly<Record<Extent, RegExp>> = {
  connection: /^(failed|succeeded)$/,
  database: /^(running|succeeded)$/,
}

/** Whoever reads it must learn that it was the database, and that nobody has to mend anything. */
export function expectFaultsInWords({ faults, strangers, calls }: NthCallOutcome): void {
  expect(strangers).toEqual([])
  for (const { outcome, words, recorded = 'running', ...at } of faults) {
    const where = `call ${at.number} of ${calls.length}, ${at.moment}, ${at.extent}: ${at.call}`
    expect(outcome, where).toMatch(/^(failed|unreachable)$/)
    expect(recorded, where).toMatch(outcome === 'failed' ? RECORDED[at.extent] : /^running$/)
    if (outcome === 'failed') expect(words, where).toMatch(/^PostgreSQL could not be used \(.+\)\. The run will be/)
    if (recorded === 'succeeded') expect(at, where).toMatchObject({ number: calls.length, moment: 'answered' })
  }
}

export function summaryOf({ feed, calls, faults, samples }: NthCallOutcome): string {
  const by = (extent: Extent) => faults.filter((each) => each.extent === extent).length
  const recorded = (outcome: string | undefined) => faults.filter((each) => each.recorded === outcome).length
  return [
    `${feed}: ${calls.length} database calls, ${faults.length} failures (${by('connection')} cut connections, ${by('database')} databases gone)`,
    `${recorded('failed')} recorded as failed, ${recorded('running')} left to be called abandoned, ${recorded(undefined)} before there was a run`,
    `a reader looked ${samples} times`,
  ].join('; ')
}
