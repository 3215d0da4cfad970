// Makes each request of a feed to its upstream server fail in turn. Either only that request fails, or all requests
// fail from then on until the run has ended.
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import {
  type Content as Body,
  behaviours,
  type Handler,
  startUpstream,
  type Upstream,
} from '../../../service/test/support/network/upstream.ts'
import { chooseBySize, isLongRun } from '../../../service/test/support/size.ts'
import { type Expected, findPartialImports, type Inspector, openInspector, startReader } from './content.ts'
import { saveState } from './restore-state.ts'
import { type RunReport, runOnce } from './run.ts'
import { FEEDS } from './setup.ts'
import {
  buildEdition,
  buildSettings,
  createNetworkSlice,
  type EditionNumber,
  getEditionTime,
  type Slice,
  serveEdition,
} from './slice.ts'

interface NetworkOutcome {
  /** Number of upstream requests in a feed run without faults, by feed. */
  readonly requests: ReadonlyMap<string, number>
  readonly trials: readonly TrialReport[]
  readonly samples: number
  /** Descriptions of partial imports that a concurrent reader saw. */
  readonly violations: readonly string[]
}

interface TrialReport extends RunReport, Trial {}

interface Trial {
  readonly feed: string
  readonly number: number
  readonly failure: FailureName
  readonly duration: Duration
}

/** `once`: only the chosen request fails. `permanent`: the chosen request and all later requests of the run fail. */
type Duration = 'once' | 'permanent'

/**
 * Sends half of the response body with the Content-Length of the whole body, as if the connection broke during the
 * download.
 */
const sendHalf = (bytes: Buffer): Handler => behaviours.claimsLength(bytes.length, bytes.subarray(0, bytes.length / 2))

const FAILURES = {
  'connection reset before the answer': () => behaviours.resets(),
  'connection closed in the middle of the answer': sendHalf,
  'status 500': () => behaviours.answers(500, 'oops'),
  'status 503 with Retry-After': () => behaviours.throttles(503, '1'),
} satisfies Record<string, (bytes: Buffer) => Handler>

type FailureName = keyof typeof FAILURES
const FAILURE_NAMES = Object.keys(FAILURES) as FailureName[]

interface Fault {
  /** Number of the request that fails, from 1. */
  readonly number: number
  readonly duration: Duration
  readonly failure: FailureName
}

/** An upstream test server that counts requests and makes a chosen request fail. */
interface FailingUpstream {
  readonly settings: Readonly<Record<string, string>>
  serve(edition: EditionNumber): void
  /** Restarts the count of requests and sets which request fails next. */
  arm(fault?: Fault): void
  countRequests(): number
}

interface TrialContext {
  readonly slice: Slice
  readonly url: string
  readonly upstream: FailingUpstream
  readonly inspector: Inspector
}

const SUCCESS: RunReport = { outcome: 'succeeded', error: '' }

async function failEachRequest(slice: Slice): Promise<NetworkOutcome> {
  const { url } = await createTestDatabase()
  const inspector = await openInspector(url, slice)
  const context: TrialContext = { slice, url, upstream: await startFailingUpstream(slice), inspector }
  const before = await importEdition(context, 1)
  const restoreState = await saveState(inspector)
  const { requests, ...after } = await importEdition(context, 2)
  const expected: Expected = { slice, before: before.content, after: after.content }
  const reader = await startReader(url, expected)
  const reports: TrialReport[] = []
  for (const trial of listTrials(requests)) {
    await restoreState()
    reports.push({ ...trial, ...(await failOnce(context, trial, expected)) })
    // The feed's cursor, from which the next run continues, is the same as after a run without faults.
    expect(await readCursor(context, trial.feed)).toEqual(after.cursors.get(trial.feed))
  }
  const { samples, violations } = await reader.stop()
  await inspector.close()
  return { requests, trials: reports, samples, violations }
}

/** Imports an edition of the test data with all feeds, without faults. */
async function importEdition(context: TrialContext, edition: EditionNumber) {
  const [requests, cursors] = [new Map<string, number>(), new Map<string, unknown>()]
  context.upstream.serve(edition)
  for (const feed of FEEDS) {
    context.upstream.arm()
    expect(await run(context, feed)).toEqual(SUCCESS)
    requests.set(feed, context.upstream.countRequests())
    cursors.set(feed, await readCursor(context, feed))
  }
  return { requests, cursors, content: await context.inspector.content() }
}

/** Lists the trials. The short run lets each request fail in one way only and takes the kinds of failures in turn. */
function listTrials(requests: ReadonlyMap<string, number>): Trial[] {
  const all = [...requests].flatMap(([feed, count]) =>
    Array.from({ length: count }, (_, index) => [feed, index + 1] as const),
  )
  return all.flatMap(([feed, number], request) =>
    (['once', 'permanent'] as const).flatMap((duration, shift) =>
      FAILURE_NAMES.filter((_, kind) => isLongRun || kind === (request + shift) % FAILURE_NAMES.length).map(
        (failure) => ({
          feed,
          number,
          failure,
          duration,
        }),
      ),
    ),
  )
}

const run = ({ slice: { now }, url, upstream: { settings } }: TrialContext, feed: string) =>
  runOnce({ feed, url, now, settings })

async function failOnce(context: TrialContext, trial: Trial, expected: Expected): Promise<RunReport> {
  const { upstream, inspector } = context
  upstream.arm(trial)
  const report = await run(context, trial.feed)
  expect(upstream.countRequests(), `request ${trial.number} was made`).toBeGreaterThanOrEqual(trial.number)
  expect(findPartialImports(await inspector.content(), expected)).toEqual([])
  upstream.arm()
  if (trial.duration === 'permanent') expect(await run(context, trial.feed)).toEqual(SUCCESS)
  for (const [part, found] of await inspector.content())
    expect(found, part).toBe((part.startsWith(trial.feed) ? expected.after : expected.before).get(part))
  return report
}

async function readCursor({ inspector }: TrialContext, feed: string): Promise<unknown> {
  const [state] = await inspector.query<{ cursor: unknown }>(`select cursor from source.feed where name = '${feed}'`)
  return state?.cursor
}

async function startFailingUpstream(slice: Slice): Promise<FailingUpstream> {
  let [requestCount, fault]: [number, Fault | undefined] = [0, undefined]
  const upstream = await startUpstream()
  const createHandler = (body: Buffer | string): Handler => {
    const bytes = Buffer.from(body)
    return (request, response) => {
      requestCount += 1
      const isFailing =
        fault && (fault.duration === 'once' ? requestCount === fault.number : requestCount >= fault.number)
      const handler = fault && isFailing ? FAILURES[fault.failure](bytes) : behaviours.answers(200, bytes)
      return handler(request, response)
    }
  }
  return {
    settings: buildSettings(upstream),
    serve: (edition) =>
      serveEdition(withHandlers(upstream, createHandler), buildEdition(slice, edition), getEditionTime(slice, edition)),
    arm: (next) => {
      ;[requestCount, fault] = [0, next]
    },
    countRequests: () => requestCount,
  }
}

function withHandlers(upstream: Upstream, createHandler: (body: Buffer | string) => Handler): Pick<Upstream, 'serve'> {
  return {
    serve: (path, answer: Body | Handler) =>
      upstream.serve(path, typeof answer === 'string' || Buffer.isBuffer(answer) ? createHandler(answer) : answer),
  }
}

function expectErrorsReported({ trials, violations }: NetworkOutcome): void {
  expect(violations).toEqual([])
  for (const { duration, outcome, error, ...at } of trials) {
    const where = JSON.stringify(at)
    // A request that fails once is retried, and the run succeeds.
    if (duration === 'once') expect({ outcome, error }, where).toEqual(SUCCESS)
    else expect({ outcome, error }, where).toEqual({ outcome: 'failed', error: expect.stringMatching(DOWNLOAD_ERROR) })
  }
}

const DOWNLOAD_ERROR = /^http:\S+ could not be downloaded: .+\. Tried 4 times\.$/

function formatSummary({ requests, trials, samples }: NetworkOutcome): string {
  const countTrials = (duration: Duration) => trials.filter((trial) => trial.duration === duration).length
  return [
    `requests to upstream: ${[...requests].map(([feed, count]) => `${feed} ${count}`).join(', ')}`,
    `${trials.length} failures of ${FAILURE_NAMES.length} kinds: ${countTrials('once')} transient, retried in the same run; ${countTrials('permanent')} permanent, imported by the next run`,
    `a reader took ${samples} samples`,
  ].join('; ')
}

// NVD publishes one file per year since 2002, so a clock in June 2003 keeps the number of requests small.
const SHORT_SLICE = { years: [2002, 2003], recordsPerYear: 30, now: new Date('2003-06-01T00:00:00Z') }

describe('Feed run in which one upstream request fails, for every request in turn', () => {
  it('retries or reports the error, and stores nothing partial; a later run stores the same data as one without faults', {
    timeout: 3_600_000,
  }, async () => {
    const outcome = await failEachRequest(chooseBySize({ short: SHORT_SLICE, long: createNetworkSlice(1000) }))

    process.stdout.write(`${formatSummary(outcome)}\n`)
    expectErrorsReported(outcome)
    // Expected requests: for NVD three files with a .meta file each, for KEV one catalog, for EPSS one file of scores.
    if (!isLongRun) expect(Object.fromEntries(outcome.requests)).toEqual({ nvd: 6, kev: 1, epss: 1 })
  })
})
