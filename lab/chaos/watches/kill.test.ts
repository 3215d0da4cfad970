// Kills the evaluator and the publisher and ends the evaluator's connections at random moments, while CVEs change and
// watches are made, changed and removed. A reader that only follows the numbers of events must get every event once, and
// the events must be those of an evaluator that nobody disturbs. CHAOS_SEED=17 repeats the moments of an earlier run.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type FeedsProcess, startFeeds } from '../../../service/test/faults/feeds/process.ts'
import { createWatchHarness, type ToldEvent, type WatchHarness } from '../../../service/test/notify/watch-harness.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createDice } from '../../../service/test/support/generator/dice.ts'
import { runStatements } from '../../../service/test/support/run-statements.ts'
import { createRandomPublications } from '../../../service/test/support/search/random-publications.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { judgeUndisturbed, noteSpans } from './span-history.ts'

const PLAN = chooseBySize({
  short: { kills: 8, watches: 40, accounts: 3 },
  long: { kills: 200, watches: 1000, accounts: 20 },
})
/** The process starts within a second; then it looks every half second. */
const KILL_MS = { from: 100, to: 5000 }

const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000))
const [moments, choices] = [createDice(seed, 1), createDice(seed, 2)]

const QUERIES = [
  'severity_min=7',
  'severity_min=9',
  'q=kernel',
  'q=flaw',
  'kev=true',
  'epss_min=0.3',
  'priority=P0,P1,P2',
  'product=router',
  'product_vendor=examplesoft&severity_min=4',
  'cwe=CWE-79',
  'status=Analyzed',
  '',
]
const KINDS = ['entered', 'left', 'exploited', 'epss_rise', 'priority_raised', 'score_changed']

const draw = ({ from, to }: { readonly from: number; readonly to: number }) => from + moments.below(to - from)
const pick = <T>(list: readonly T[]): T => list[choices.below(list.length)] as T

it('Every event is told once, whatever is killed', { timeout: 7_200_000 }, async () => {
  const harness = await createWatchHarness()
  const evaluator = await createEvaluator(harness)
  const publisher = createKilledPublisher(harness)
  const random = createRandomPublications({ ...harness, publish: publisher.publish }, seed)
  await random.publishNext()
  await harness.judge()
  await noteSpans(harness)
  const [start] = await harness.selectRows<{ seq: string; tag: string }>(
    'select seq::text, tag::text from notify.evaluator',
  )
  if (!start) throw new Error('the evaluator has no position')
  const people = await createPeople(harness)
  const reader = startReader(harness)
  /** `afterEvents`: the evaluator had told something since the kill before. `behind`: there was more to judge. */
  const kills = { evaluator: 0, connections: 0, publisher: 0, afterEvents: 0, behind: 0 }
  let eventsBefore = 0
  for (let nr = 0; nr < PLAN.kills; nr += 1) {
    const kind = pick(['evaluator', 'evaluator', 'connections', 'publisher'] as const)
    evaluator.start()
    publisher.killsNext = kind === 'publisher'
    const until = performance.now() + draw(KILL_MS)
    do {
      await Promise.all([random.publishNext(), people.act()])
    } while (performance.now() < until)
    kills[kind] += 1
    if (await isBehind(harness)) kills.behind += 1
    if (reader.count() > eventsBefore) kills.afterEvents += 1
    eventsBefore = reader.count()
    if (kind === 'evaluator') await evaluator.kill()
    if (kind === 'connections') await evaluator.endConnections()
  }
  await evaluator.kill()
  await harness.publish()
  harness.restart()
  await harness.judge({ waveEndMs: -1 })
  const events = await harness.readEvents()
  expect(await reader.stop(events.length)).toEqual(events)
  for (const account of people.accounts) {
    const numbers = events.filter((event) => event.account === account).map(({ nr }) => nr)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  }
  const [log] = await harness.selectRows<{ changes: number }>('select count(*)::int as changes from catalog.change')
  const counted = { matched: 0, recalculated: 0, gap: 0, ...countTypes(events) }
  process.stdout.write(`seed ${seed}: ${JSON.stringify({ ...kills, ...log, ...people.counts, ...counted })}\n`)
  expect(counted.gap).toBe(0)
  expect(counted.matched).toBeGreaterThan(PLAN.kills)
  const undisturbed = await judgeUndisturbed(harness, start)
  expect(toSet(events)).toEqual(toSet(undisturbed))
})

/** What an event says, without its number: the undisturbed evaluator meets the changes in another order. */
const toSet = (events: readonly ToldEvent[]) =>
  events
    .map(({ watch, seq, subject, type, kinds, enteredBy, detail }) =>
      JSON.stringify(
        type === 'matched'
          ? [watch, seq, subject, kinds, enteredBy]
          : [watch, type, detail?.['entered'], detail?.['left']],
      ),
    )
    .toSorted()

function countTypes(events: readonly ToldEvent[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(events, ({ type }) => type)
  return Object.fromEntries(groups.entries().map(([type, own]) => [type, own.length]))
}

async function isBehind({ selectRows }: WatchHarness): Promise<boolean> {
  const [row] = await selectRows<{ isBehind: boolean }>(
    'select (select max(seq) from catalog.change) > (select seq from notify.evaluator) as "isBehind"',
  )
  return row?.isBehind ?? false
}

/** `vis-server notify` with the login of the evaluator alone. */
async function createEvaluator({ url, selectRows }: WatchHarness) {
  const [database] = await selectRows<{ name: string }>('select current_database() as name')
  const login = `${database?.name}_notify`
  await runStatements(url, `create role ${login} login in role vis_notify`)
  cleanUpAfterTests(() => runStatements(url, `drop owned by ${login}; drop role ${login}`))
  let running: FeedsProcess | undefined
  return {
    start: () => {
      running ??= startFeeds(['notify'], { DATABASE_URL: Object.assign(new URL(url), { username: login }).href })
    },
    kill: async () => {
      running?.signal('SIGKILL')
      const ended = await running?.ended
      running = undefined
      // Another reason than the kill would show here.
      if (ended && ended.code !== null) throw new Error(`the evaluator ended: ${ended.stderr}${ended.stdout}`)
    },
    endConnections: () =>
      selectRows(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${login}'`),
  }
}

/** Publishes in a process that is killed at a random moment if `killsNext`, and then to the end. */
function createKilledPublisher({ url, publish }: WatchHarness) {
  const publisher = {
    killsNext: false,
    publish: async () => {
      if (publisher.killsNext) {
        publisher.killsNext = false
        const process = startFeeds(['catalog', 'publish'], { DATABASE_URL: url })
        await sleep(draw({ from: 500, to: 2500 }))
        process.signal('SIGKILL')
        await process.ended
      }
      return publish()
    },
  }
  return publisher
}

/** Makes, changes and removes watches. */
async function createPeople(harness: WatchHarness) {
  const accounts: number[] = []
  for (let nr = 0; nr < PLAN.accounts; nr += 1) accounts.push(await harness.createAccount())
  const watches: number[] = []
  const counts = { created: 0, changed: 0, removed: 0 }
  const create = async () => {
    watches.push(await harness.createWatch(pick(accounts), pick(QUERIES), KINDS))
    counts.created += 1
  }
  for (let nr = 0; nr < PLAN.watches / 2; nr += 1) await create()
  return {
    accounts,
    counts,
    act: async () => {
      const watch = pick(watches)
      const choice = choices.below(10)
      if (choice < 5 || watch === undefined) {
        if (counts.created < PLAN.watches) await create()
        return
      }
      if (choice < 8) {
        await harness.changeWatch(watch, pick(QUERIES))
        counts.changed += 1
        return
      }
      watches.splice(watches.indexOf(watch), 1)
      await harness.removeWatch(watch)
      counts.removed += 1
    },
  }
}

/** Follows the events of all accounts by their numbers alone, as callers do. */
function startReader(harness: WatchHarness) {
  const read: ToldEvent[] = []
  const last = new Map<number, number>()
  const stopping = new AbortController()
  const poll = async () => {
    for (const event of await harness.readEvents(last)) {
      last.set(event.account, event.nr)
      read.push(event)
    }
  }
  const follow = async () => {
    while (!stopping.signal.aborted) {
      await poll()
      await sleep(100)
    }
  }
  const followed = follow()
  cleanUpAfterTests(async () => {
    stopping.abort()
    await followed
  })
  return {
    count: () => read.length,
    /** Waits for the last event, and returns all in the order of their accounts and numbers. */
    stop: async (expected: number) => {
      while (read.length < expected) await sleep(50)
      stopping.abort()
      await followed
      return read.toSorted((one, other) => one.account - other.account || one.nr - other.nr)
    },
  }
}
