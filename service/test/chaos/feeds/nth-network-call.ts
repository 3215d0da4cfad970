// Each call that a feed makes to its upstream fails in turn: once, or from then on until the run has ended.
import { expect } from 'vitest'
import { testDatabase } from '../../support/database.ts'
import {
  type Content as Body,
  type Handler,
  manners,
  startUpstream,
  type Upstream,
} from '../../support/network/upstream.ts'
import { type Expected, type Inspector, openInspector, startReader, strangersIn } from './content.ts'
import { runOnce, type Told } from './run.ts'
import { FEEDS } from './setup.ts'
import { type EditionNumber, editionAt, makeEdition, type Slice, serveEdition, settingsFor } from './slice.ts'
import { rememberState } from './start-again.ts'

export interface NetworkOutcome {
  /** Requests of an undisturbed run, by feed. */
  readonly requests: ReadonlyMap<string, number>
  readonly faults: readonly FaultTold[]
  readonly samples: number
  readonly strangers: readonly string[]
}

interface FaultTold extends Told, Trial {}

interface Trial {
  readonly feed: string
  readonly number: number
  readonly manner: MannerName
  readonly extent: Extent
}

/** `once`: the next attempt is answered. `lasting`: nothing is answered any more, until the run has ended. */
type Extent = 'once' | 'lasting'

/** Half of it is not enough, and so says its length. */
const halfOf = (bytes: Buffer): Handler => manners.claimsLength(bytes.length, bytes.subarray(0, bytes.length / 2))

const MANNERS = {
  'cut before the answer': () => manners.resets(),
  'cut in the middle of the answer': halfOf,
  'an error of the server': () => manners.answers(500, 'oops'),
  'asked to come back later': () => manners.throttles(503, '1'),
} satisfies Record<string, (bytes: Buffer) => Handler>

type MannerName = keyof typeof MANNERS
const MANNER_NAMES = Object.keys(MANNERS) as MannerName[]

interface Fault {
  readonly number: number
  readonly extent: Extent
  readonly manner: MannerName
}

/** An upstream that counts what it is asked, and fails where it is told to. */
interface MoodyUpstream {
  readonly settings: Readonly<Record<string, string>>
  serve(edition: EditionNumber): void
  /** Counts anew from 1. */
  arm(fault?: Fault): void
  asked(): number
}

interface Bench {
  readonly slice: Slice
  readonly url: string
  readonly upstream: MoodyUpstream
  readonly inspector: Inspector
}

const UNDISTURBED: Told = { outcome: 'succeeded', words: '' }

export async function failEachRequest(slice: Slice): Promise<NetworkOutcome> {
  const { url } = await testDatabase()
  const inspector = await openInspector(url, slice)
  const bench: Bench = { slice, url, upstream: await moodyUpstream(slice), inspector }
  const before = await takeOver(bench, 1)
  const startAgain = await rememberState(inspector)
  const { requests, ...after } = await takeOver(bench, 2)
  const expected: Expected = { slice, before: before.content, after: after.content }
  const reader = await startReader(url, expected)
  const faults: FaultTold[] = []
  for (const trial of trials(requests)) {
    await startAgain()
    faults.push({ ...trial, ...(await failOnce(bench, trial, expected)) })
    // With everything beside the data that the next run goes by.
    expect(await cursorOf(bench, trial.feed)).toEqual(after.cursors.get(trial.feed))
  }
  const { samples, faults: strangers } = await reader.stop()
  await inspector.close()
  return { requests, faults, samples, strangers }
}

/** All feeds, undisturbed. */
async function takeOver(bench: Bench, edition: EditionNumber) {
  const [requests, cursors] = [new Map<string, number>(), new Map<string, unknown>()]
  bench.upstream.serve(edition)
  for (const feed of FEEDS) {
    bench.upstream.arm()
    expect(await run(bench, feed)).toEqual(UNDISTURBED)
    requests.set(feed, bench.upstream.asked())
    cursors.set(feed, await cursorOf(bench, feed))
  }
  return { requests, cursors, content: await bench.inspector.content() }
}

function trials(requests: ReadonlyMap<string, number>): Trial[] {
  return [...requests].flatMap(([feed, count]) =>
    Array.from({ length: count }, (_, index) => index + 1).flatMap((number) =>
      MANNER_NAMES.flatMap((manner) =>
        (['once', 'lasting'] as const).map((extent) => ({ feed, number, manner, extent })),
      ),
    ),
  )
}

const run = ({ slice: { now }, url, upstream: { settings } }: Bench, feed: string) =>
  runOnce({ feed, url, now, settings })

async function failOnce(bench: Bench, trial: Trial, expected: Expected): Promise<Told> {
  const { upstream, inspector } = bench
  upstream.arm(trial)
  const told = await run(bench, trial.feed)
  expect(upstream.asked(), `request ${trial.number} was made`).toBeGreaterThanOrEqual(trial.number)
  expect(strangersIn(await inspector.content(), expected)).toEqual([])
  upstream.arm()
  if (trial.extent === 'lasting') expect(await run(bench, trial.feed)).toEqual(UNDISTURBED)
  for (const [part, found] of await inspector.content())
    expect(found, part).toBe((part.startsWith(trial.feed) ? expected.after : expected.before).get(part))
  return told
}

async function cursorOf({ inspector }: Bench, feed: string): Promise<unknown> {
  const [state] = await inspector.look<{ cursor: unknown }>(`select cursor from source.feed where name = '${feed}'`)
  return state?.cursor
}

async function moodyUpstream(slice: Slice): Promise<MoodyUpstream> {
  let [asked, fault]: [number, Fault | undefined] = [0, undefined]
  const upstream = await startUpstream()
  const moody = (body: Buffer | string): Handler => {
    const bytes = Buffer.from(body)
    return (request, response) => {
      asked += 1
      const isStruck = fault && (fault.extent === 'once' ? asked === fault.number : asked >= fault.number)
      const manner = fault && isStruck ? MANNERS[fault.manner](bytes) : manners.answers(200, bytes)
      return manner(request, response)
    }
  }
  return {
    settings: settingsFor(upstream),
    serve: (edition) =>
      serveEdition(withMoods(upstream, moody), makeEdition(slice, edition), editionAt(slice, edition)),
    arm: (next) => {
      ;[asked, fault] = [0, next]
    },
    asked: () => asked,
  }
}

function withMoods(upstream: Upstream, moody: (body: Buffer | string) => Handler): Pick<Upstream, 'serve'> {
  return {
    serve: (path, how: Body | Handler) =>
      upstream.serve(path, typeof how === 'string' || Buffer.isBuffer(how) ? moody(how) : how),
  }
}

export function expectFaultsInWords({ faults, strangers }: NetworkOutcome): void {
  expect(strangers).toEqual([])
  for (const { extent, outcome, words, ...at } of faults) {
    const where = JSON.stringify(at)
    // What fails once is asked again, and nobody notices.
    if (extent === 'once') expect({ outcome, words }, where).toEqual(UNDISTURBED)
    else expect({ outcome, words }, where).toEqual({ outcome: 'failed', words: expect.stringMatching(IN_WORDS) })
  }
}

const IN_WORDS = /^http:\S+ could not be downloaded: .+\. Tried 4 times\.$/

export function summaryOf({ requests, faults, samples }: NetworkOutcome): string {
  const by = (extent: Extent) => faults.filter((each) => each.extent === extent).length
  return [
    `requests to upstream: ${[...requests].map(([feed, count]) => `${feed} ${count}`).join(', ')}`,
    `${faults.length} failures in ${MANNER_NAMES.length} manners: ${by('once')} that passed, overcome in the same run; ${by('lasting')} that lasted, made good by the next run`,
    `a reader looked ${samples} times`,
  ].join('; ')
}
