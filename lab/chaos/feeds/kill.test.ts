// Kills `vis-server sync` at random points and restarts the command until it completes, many times.
import { describe, expect, it } from 'vitest'
import type { ProcessResult } from '../../../service/test/faults/feeds/process.ts'
import {
  createNthFaultProxy,
  type Fault,
  type Moment,
  type NthFaultProxy,
} from '../../../service/test/support/network/nth-fault-proxy.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { type Inspector, openInspector, type ReaderReport, startReader } from './content.ts'
import {
  type ClonedDatabase,
  createFeedsSetup,
  expectSuccess,
  expireLeases,
  type FeedsSetup,
  fromDirectory,
  fromNetwork,
} from './setup.ts'
import { createDirectorySlice, createNetworkSlice } from './slice.ts'

interface KillOutcome {
  readonly kills: readonly Kill[]
  /** Number of databases into which the second edition of the test data was imported. */
  readonly trials: number
  readonly samples: number
  readonly violations: readonly string[]
  readonly abandonedRuns: number
}

interface Kill {
  readonly point: Point
  /** Number of parts of the data (NVD files, KEV, EPSS) that were imported before the kill. */
  readonly stored: number
}

/** Point at which the sync process is killed: after a time, at any of its database calls, or at a call that commits. */
type Point =
  | { readonly kind: 'timer'; readonly ms: number }
  | { readonly kind: 'call' | 'commit'; position: CallPosition }

interface CallPosition {
  readonly call: number
  readonly moment: Moment
}

/** Maximum number of times that the sync into one database is killed before it may complete. */
const MAX_KILLS_PER_DATABASE = 3

async function killAtRandomPoints(setup: FeedsSetup, killCount: number): Promise<KillOutcome> {
  const [kills, violations]: [Kill[], string[]] = [[], []]
  let [trials, samples, abandonedRuns] = [0, 0, 0]
  while (kills.length < killCount) {
    const database = await setup.clone()
    const maxKills = Math.min(killCount - kills.length, 1 + Math.floor(Math.random() * MAX_KILLS_PER_DATABASE))
    const { report, ...trial } = await killAndComplete(setup, database, { maxKills, earlierKills: kills.length })
    trials += 1
    kills.push(...trial.kills)
    samples += report.samples
    violations.push(...report.violations)
    abandonedRuns += trial.abandonedRuns
    await database.drop()
  }
  return { kills, trials, samples, violations, abandonedRuns }
}

async function killAndComplete(
  setup: FeedsSetup,
  { url }: ClonedDatabase,
  { maxKills, earlierKills }: { readonly maxKills: number; readonly earlierKills: number },
): Promise<Pick<KillOutcome, 'kills' | 'abandonedRuns'> & { readonly report: ReaderReport }> {
  const proxy = await createNthFaultProxy(url)
  const inspector = await openInspector(url, setup.slice)
  const reader = await startReader(url, setup.expected)
  const kills: Kill[] = []
  while (kills.length < maxKills) {
    const point = choosePoint(setup, earlierKills + kills.length)
    const ended = await syncAndKill(setup, proxy, point)
    if (ended.code !== null) break
    kills.push({ point, stored: await countImportedParts(setup, inspector) })
    await expireLeases(inspector)
  }
  proxy.arm()
  expectSuccess(await setup.sync(proxy.url).ended)
  const report = await reader.stop()
  proxy.close()
  expect(await inspector.content()).toEqual(setup.expected.after)
  const abandonedRuns = await countAbandoned(inspector)
  await inspector.close()
  return { kills, report, abandonedRuns }
}

/**
 * Returns the result of the sync process. Its exit code is null if the process was killed, and a number if the sync
 * completed before the kill.
 */
async function syncAndKill(setup: FeedsSetup, proxy: NthFaultProxy, point: Point): Promise<ProcessResult> {
  const sync = setup.sync(proxy.url)
  const kill = () => sync.signal('SIGKILL')
  let timer: NodeJS.Timeout | undefined
  const fault: Fault =
    point.kind === 'timer'
      ? {
          call: 1,
          moment: 'before',
          trigger: ({ forward }) => {
            timer = setTimeout(kill, point.ms)
            forward()
          },
        }
      : {
          ...point.position,
          trigger: ({ disconnect }) => {
            kill()
            disconnect()
          },
        }
  proxy.arm(fault)
  return sync.ended.finally(() => clearTimeout(timer))
}

/** Chooses the point of the next kill, in turn: at a commit, after a time, and at any database call. */
function choosePoint({ calls, runMs }: FeedsSetup, turn: number): Point {
  const moment = Math.random() < 0.5 ? 'before' : 'answered'
  if (turn % 3 === 1) return { kind: 'timer', ms: Math.random() * runMs }
  if (turn % 3 === 2) return { kind: 'call', position: { moment, call: 1 + Math.floor(Math.random() * calls.length) } }
  const commits = calls.flatMap((call, index) => (call === 'commit' ? [index + 1] : []))
  return { kind: 'commit', position: { moment, call: commits[Math.floor(Math.random() * commits.length)] ?? 1 } }
}

async function countImportedParts(
  { expected: { before, after } }: FeedsSetup,
  { content }: Inspector,
): Promise<number> {
  const now = await content()
  return [...now].filter(([part, found]) => found === after.get(part) && found !== before.get(part)).length
}

/**
 * A killed feed run leaves a run record without an end time. The next run of the feed marks that record as abandoned.
 */
async function countAbandoned({ query }: Inspector): Promise<number> {
  const runs = await query<{ outcome: string; fault: string | null }>('select outcome, fault from source.feed_run')
  expect(runs.filter(({ outcome }) => outcome !== 'succeeded' && outcome !== 'abandoned')).toEqual([])
  const abandoned = runs.filter(({ outcome }) => outcome === 'abandoned')
  for (const { fault } of abandoned) expect(fault).toMatch(/process died/)
  return abandoned.length
}

function formatSummary({ kills, trials, samples, abandonedRuns }: KillOutcome, setup: FeedsSetup): string {
  const parts = [...setup.expected.after.keys()].filter((part) => !part.endsWith(' count')).length
  const countKills = (kind: Point['kind']) => kills.filter(({ point }) => point.kind === kind).length
  const killTimes = [
    `${kills.filter(({ stored }) => stored === 0).length} before the first import`,
    `${kills.filter(({ stored }) => stored > 0 && stored < parts).length} between imports`,
    `${kills.filter(({ stored }) => stored === parts).length} after the last import`,
  ]
  return [
    `sync killed ${kills.length} times on ${trials} databases (${countKills('timer')} by a timer over ${setup.runMs.toFixed(0)} ms, ${countKills('call')} at any of ${setup.calls.length} database calls, ${countKills('commit')} at a commit)`,
    killTimes.join(', '),
    `${abandonedRuns} runs marked as abandoned`,
    `a reader took ${samples} samples`,
  ].join('; ')
}

const SIZES = chooseBySize({
  short: { records: 100, directoryKills: 2, networkKills: 1, samplesPerKill: 3 },
  long: { records: 1000, directoryKills: 100, networkKills: 50, samplesPerKill: 50 },
})

describe('vis-server sync killed at random points', () => {
  it.each([
    ['a directory', createDirectorySlice(SIZES.records), fromDirectory, SIZES.directoryKills],
    ['the network', createNetworkSlice(SIZES.records), fromNetwork, SIZES.networkKills],
  ])(
    'stores the same data from %s as a sync that is not killed, and never shows readers a partial import',
    { timeout: 3_600_000 },
    async (location, slice, createSource, kills) => {
      const setup = await createFeedsSetup(slice, await createSource(slice))

      const outcome = await killAtRandomPoints(setup, kills)

      process.stdout.write(`from ${location}: ${formatSummary(outcome, setup)}\n`)
      expect(outcome.violations).toEqual([])
      expect(outcome.kills).toHaveLength(kills)
      expect(outcome.samples).toBeGreaterThan(kills * SIZES.samplesPerKill)
    },
  )
})
