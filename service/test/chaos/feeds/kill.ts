// A sync is killed at a random point of its work, and started again until it is done; many times over.
import { expect } from 'vitest'
import { type Moment, type NthFaultProxy, nthFaultLink, type Strike } from '../../support/network/nth-fault-proxy.ts'
import { type Inspector, openInspector, type Seen, startReader } from './content.ts'
import type { Ended } from './process.ts'
import { type ClonedDatabase, expectSuccess, expireLeases, type FeedsWorld } from './setup.ts'

export interface KillOutcome {
  readonly kills: readonly Kill[]
  /** Databases that were brought from the first edition to the second. */
  readonly trials: number
  readonly samples: number
  readonly faults: readonly string[]
  readonly abandonedRuns: number
}

interface Kill {
  readonly point: Point
  /** Parts that were stored by then, of all. */
  readonly stored: number
}

/** After a time, or at a call to the database: at any of them, or around one that commits. */
type Point = { readonly kind: 'timer'; readonly ms: number } | { readonly kind: 'call' | 'commit'; at: At }

interface At {
  readonly call: number
  readonly moment: Moment
}

/** The same process may be killed that often before it may finish. */
const MAX_KILLS_IN_A_ROW = 3

export async function killAtRandomPoints(world: FeedsWorld, wanted: number): Promise<KillOutcome> {
  const [kills, faults]: [Kill[], string[]] = [[], []]
  let [trials, samples, abandonedRuns] = [0, 0, 0]
  while (kills.length < wanted) {
    const database = await world.clone()
    const most = Math.min(wanted - kills.length, 1 + Math.floor(Math.random() * MAX_KILLS_IN_A_ROW))
    const { seen, ...trial } = await surviveKills(world, database, { most, before: kills.length })
    trials += 1
    kills.push(...trial.kills)
    samples += seen.samples
    faults.push(...seen.faults)
    abandonedRuns += trial.abandonedRuns
    await database.drop()
  }
  return { kills, trials, samples, faults, abandonedRuns }
}

async function surviveKills(
  world: FeedsWorld,
  { url }: ClonedDatabase,
  { most, before }: { readonly most: number; readonly before: number },
): Promise<Pick<KillOutcome, 'kills' | 'abandonedRuns'> & { readonly seen: Seen }> {
  const link = await nthFaultLink(url)
  const inspector = await openInspector(url, world.slice)
  const reader = await startReader(url, world.expected)
  const kills: Kill[] = []
  while (kills.length < most) {
    const point = randomPoint(world, before + kills.length)
    const ended = await syncAndKill(world, link, point)
    if (ended.code !== null) break
    kills.push({ point, stored: await storedParts(world, inspector) })
    await expireLeases(inspector)
  }
  link.arm()
  expectSuccess(await world.sync(link.url).ended)
  const seen = await reader.stop()
  link.close()
  expect(await inspector.content()).toEqual(world.expected.after)
  const abandonedRuns = await countAbandoned(inspector)
  await inspector.close()
  return { kills, seen, abandonedRuns }
}

/** Without luck it is faster than the timer, and ends by itself. */
async function syncAndKill(world: FeedsWorld, link: NthFaultProxy, point: Point): Promise<Ended> {
  const sync = world.sync(link.url)
  const kill = () => sync.signal('SIGKILL')
  let timer: NodeJS.Timeout | undefined
  const strike: Strike =
    point.kind === 'timer'
      ? {
          call: 1,
          moment: 'before',
          strike: ({ passOn }) => {
            timer = setTimeout(kill, point.ms)
            passOn()
          },
        }
      : {
          ...point.at,
          strike: ({ cut }) => {
            kill()
            cut()
          },
        }
  link.arm(strike)
  return sync.ended.finally(() => clearTimeout(timer))
}

/** A third each, in turn. */
function randomPoint({ calls, runMs }: FeedsWorld, turn: number): Point {
  const moment = Math.random() < 0.5 ? 'before' : 'answered'
  if (turn % 3 === 1) return { kind: 'timer', ms: Math.random() * runMs }
  if (turn % 3 === 2) return { kind: 'call', at: { moment, call: 1 + Math.floor(Math.random() * calls.length) } }
  const commits = calls.flatMap((what, index) => (what === 'commit' ? [index + 1] : []))
  return { kind: 'commit', at: { moment, call: commits[Math.floor(Math.random() * commits.length)] ?? 1 } }
}

async function storedParts({ expected: { before, after } }: FeedsWorld, { content }: Inspector): Promise<number> {
  const now = await content()
  return [...now].filter(([part, found]) => found === after.get(part) && found !== before.get(part)).length
}

/** A killed run leaves a record that does not end; whoever comes next says so. */
async function countAbandoned({ look }: Inspector): Promise<number> {
  const runs = await look<{ outcome: string; fault: string | null }>('select outcome, fault from source.feed_run')
  expect(runs.filter(({ outcome }) => outcome !== 'succeeded' && outcome !== 'abandoned')).toEqual([])
  const left = runs.filter(({ outcome }) => outcome === 'abandoned')
  for (const { fault } of left) expect(fault).toMatch(/process died/)
  return left.length
}

export function summaryOf({ kills, trials, samples, abandonedRuns }: KillOutcome, world: FeedsWorld): string {
  const parts = [...world.expected.after.keys()].filter((part) => !part.endsWith(' count')).length
  const by = (kind: Point['kind']) => kills.filter(({ point }) => point.kind === kind).length
  const landed = [
    `${kills.filter(({ stored }) => stored === 0).length} before anything was stored`,
    `${kills.filter(({ stored }) => stored > 0 && stored < parts).length} in the middle`,
    `${kills.filter(({ stored }) => stored === parts).length} when everything was`,
  ]
  return [
    `sync killed ${kills.length} times on ${trials} databases (${by('timer')} by a timer over ${world.runMs.toFixed(0)} ms, ${by('call')} at any of ${world.calls.length} database calls, ${by('commit')} around a commit)`,
    landed.join(', '),
    `${abandonedRuns} runs found abandoned`,
    `a reader looked ${samples} times`,
  ].join('; ')
}
