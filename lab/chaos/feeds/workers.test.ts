// Starts real worker processes with a local upstream server and checks the records of their feed runs.
import { describe, expect, it } from 'vitest'
import { type FeedsProcess, startFeeds } from '../../../service/test/faults/feeds/process.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { createNthFaultProxy, type HeldCall } from '../../../service/test/support/network/nth-fault-proxy.ts'
import { behaviours, startUpstream, type Upstream } from '../../../service/test/support/network/upstream.ts'
import { isLongRun } from '../../../service/test/support/size.ts'
import { type Inspector, openInspector } from './content.ts'
import { createFeedsSetup, expectSuccess, expireLeases, FEEDS, fromDirectory, startSync } from './setup.ts'
import {
  buildEdition,
  buildSettings,
  type EditionNumber,
  getEditionTime,
  KEV_FILE,
  type Slice,
  serveEdition,
} from './slice.ts'
import { waitUntil } from './wait-until.ts'

interface WorkersSetup {
  readonly slice: Slice
  readonly upstream: Upstream
  readonly inspector: Inspector
  readonly environment: Readonly<Record<string, string>>
  serve(edition: EditionNumber): void
  startWorker(...feeds: readonly string[]): FeedsProcess
  /** Returns the records of all feed runs, oldest first. */
  readRuns(): Promise<readonly Run[]>
}

interface Run {
  readonly feed: string
  readonly outcome: string
  readonly epoch: number
  readonly fault: string | null
}

/** Year of NVD's first data file. */
const FIRST_YEAR = 2002

/** Workers use the real clock, so the upstream test server must serve files dated today. */
async function createWorkersSetup(recordsPerYear: number): Promise<WorkersSetup> {
  const now = new Date()
  const years = Array.from({ length: now.getUTCFullYear() - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index)
  const slice = { now, years, recordsPerYear }
  const [{ url }, upstream] = [await createTestDatabase(), await startUpstream()]
  const inspector = await openInspector(url, slice)
  const environment = { DATABASE_URL: url, FEEDS_CONCURRENT_RUNS: String(FEEDS.length), ...buildSettings(upstream) }
  return {
    slice,
    upstream,
    inspector,
    environment,
    serve: (edition) => serveEdition(upstream, buildEdition(slice, edition), getEditionTime(slice, edition)),
    startWorker: (...feeds) => startFeeds(['worker', ...feeds], environment),
    readRuns: () =>
      inspector.query('select feed, outcome, lease_epoch::integer as epoch, fault from source.feed_run order by id'),
  }
}

/**
 * Maximum delay of a due feed. A worker looks for due feeds every 10 s; the remaining time allows for a busy machine.
 */
const RUN_TIMEOUT_MS = 240_000

const slice = { years: [2024, 2025], recordsPerYear: 200, now: new Date('2026-08-22T00:00:00Z') }
const source = fromDirectory(slice)
const setup = await createFeedsSetup(slice, source)
const firstEdition = await source(1)

describe('Two feed workers at the same time', () => {
  it('run every feed exactly once each time the feed is due', { timeout: 900_000 }, async () => {
    const { serve, startWorker, readRuns, inspector, upstream } = await createWorkersSetup(10)
    serve(1)
    const workers = [startWorker(...FEEDS), startWorker(...FEEDS)]
    const countSucceeded = async () => (await readRuns()).filter(({ outcome }) => outcome === 'succeeded').length

    await waitUntil('every feed ran', async () => (await countSucceeded()) === FEEDS.length, RUN_TIMEOUT_MS)
    const requestsPerRound = upstream.requests().length
    serve(2)
    await inspector.query('update source.feed set next_due_at = now()')
    await waitUntil('every feed ran again', async () => (await countSucceeded()) === 2 * FEEDS.length, RUN_TIMEOUT_MS)
    for (const each of workers) each.signal('SIGTERM')
    const ended = await Promise.all(workers.map((each) => each.ended))

    expect(ended.map(({ code }) => code)).toEqual([0, 0])
    const expected = FEEDS.flatMap((feed) => [
      { feed, outcome: 'succeeded', epoch: 1, fault: null },
      { feed, outcome: 'succeeded', epoch: 2, fault: null },
    ])
    expect([...(await readRuns())].sort(byFeed)).toEqual(expected.sort(byFeed))
    // Each upstream file was requested once per round.
    expect(upstream.requests()).toHaveLength(2 * requestsPerRound)
    expect(new Set(upstream.requests().map(({ path }) => path)).size).toBe(requestsPerRound)
  })

  it('let vis-server sync report which worker is running the requested feed', { timeout: 900_000 }, async () => {
    const { serve, startWorker, upstream, environment } = await createWorkersSetup(10)
    serve(1)
    upstream.serve(`/${KEV_FILE}`, behaviours.hangs())
    startWorker('kev')
    await waitUntil('the worker sent a request', () => upstream.requests(`/${KEV_FILE}`).length === 1, RUN_TIMEOUT_MS)

    const { code, stdout, stderr } = await startFeeds(['sync', 'kev'], environment).ended

    expect(code).toBe(1)
    expect(stdout).toMatch(/kev +busy/)
    expect(stderr).toMatch(/kev is being run by .+, process \d+\./)
    expect(upstream.requests(`/${KEV_FILE}`)).toHaveLength(1)
  })
})

const byFeed = (one: { feed: string; epoch: number }, other: { feed: string; epoch: number }) =>
  one.feed.localeCompare(other.feed) || one.epoch - other.epoch

describe('vis-server sync that is suspended until its lease has expired', () => {
  it.each([
    ['during COPY', /^copy data/],
    ['before its first write', /^with changed/],
    ['after its last write and before the commit', /^select from source.feed .* for update/],
  ])(
    'ends with the outcome "fenced" and stores nothing if the process is suspended %s',
    { timeout: 900_000 },
    async (_when, call) => {
      const database = await setup.clone()
      const [proxy, inspector] = [await createNthFaultProxy(database.url), await openInspector(database.url, slice)]
      const suspended = setup.sync(proxy.url, ['nvd'])
      const held = await new Promise<HeldCall>((resolve) => proxy.arm({ call, moment: 'before', trigger: resolve }))
      suspended.signal('SIGSTOP')

      await expireLeases(inspector)
      // While the first sync is suspended, a second sync imports the old edition of the test data. New data in the
      // database could therefore only come from the suspended sync.
      expectSuccess(await startSync({ slice, url: database.url, location: firstEdition, feeds: ['nvd'] }).ended)
      held.forward()
      suspended.signal('SIGCONT')
      const { code, stdout, stderr } = await suspended.ended

      expect(code).toBe(1)
      expect(stdout).toMatch(/nvd +fenced/)
      expect(stderr).toMatch(/Another worker has acquired the lease on nvd/)
      expect(await inspector.content()).toEqual(setup.expected.before)
      expect(await inspector.query(RUNS)).toMatchObject([
        { outcome: 'succeeded', epoch: 1 },
        { outcome: 'fenced', epoch: 2, fault: expect.stringMatching(/Another worker has acquired the lease on nvd/) },
        { outcome: 'succeeded', epoch: 3 },
      ])
      expect(await inspector.query("select lease_epoch::integer as epoch from source.feed where name = 'nvd'")).toEqual(
        [{ epoch: 3 }],
      )
      await inspector.close()
      await database.drop()
    },
  )
})

const RUNS = "select outcome, lease_epoch::integer as epoch, fault from source.feed_run where feed = 'nvd' order by id"

/** Maximum time until another worker runs the feed of a dead worker: two minutes. */
const TAKEOVER_TIMEOUT_MS = 400_000
const START_TIMEOUT_MS = 240_000

const hasSucceeded = async ({ readRuns }: WorkersSetup) =>
  (await readRuns()).some(({ outcome }) => outcome === 'succeeded')

describe.runIf(isLongRun)('Feed whose worker is killed during a run', () => {
  it('is run by another worker within two minutes', async () => {
    const setup = await createWorkersSetup(10)
    setup.upstream.serve(`/${KEV_FILE}`, behaviours.hangs())
    const first = setup.startWorker('kev')
    await waitUntil('the first worker sent a request', () => setup.upstream.requests().length === 1, START_TIMEOUT_MS)
    setup.serve(1)
    const second = setup.startWorker('kev')

    first.signal('SIGKILL')
    await first.ended
    const waitedMs = await waitUntil('kev ran again', () => hasSucceeded(setup), TAKEOVER_TIMEOUT_MS)
    second.signal('SIGTERM')

    console.log(`kev ran again ${(waitedMs / 1000).toFixed(1)} s after its worker was killed`)
    expect(await setup.readRuns()).toMatchObject([
      { outcome: 'abandoned', epoch: 1, fault: expect.stringMatching(/process died/) },
      { outcome: 'succeeded', epoch: 2 },
    ])
    expect((await second.ended).code).toBe(0)
  })
})

describe.runIf(isLongRun)('Feed whose worker is suspended right before its commit', () => {
  it('is run by another worker within two minutes, and the suspended worker changes nothing when it resumes', async () => {
    const setup = await createWorkersSetup(10)
    setup.serve(1)
    const proxy = await createNthFaultProxy(setup.environment['DATABASE_URL'] ?? '')
    const first = startFeeds(['worker', 'kev'], { ...setup.environment, DATABASE_URL: proxy.url })
    // The first worker is suspended right before its commit, when all rows are written and the row of the feed's lease
    // is locked.
    const held = await new Promise<HeldCall>((resolve) =>
      proxy.arm({ call: /^commit/, moment: 'before', trigger: resolve }),
    )
    first.signal('SIGSTOP')
    const second = setup.startWorker('kev')

    const waitedMs = await waitUntil('kev ran again', () => hasSucceeded(setup), TAKEOVER_TIMEOUT_MS)
    const content = await setup.inspector.content()
    held.forward()
    first.signal('SIGCONT')
    await waitUntil(
      'the suspended worker recorded the end of its run',
      async () => (await setup.readRuns())[0]?.outcome !== 'abandoned',
      START_TIMEOUT_MS,
    )
    for (const each of [first, second]) each.signal('SIGTERM')
    const ended = await Promise.all([first.ended, second.ended])

    const runs = await setup.readRuns()
    console.log(
      `kev ran again ${(waitedMs / 1000).toFixed(1)} s after its worker was suspended; the suspended run: ${runs[0]?.outcome}, ${runs[0]?.fault}`,
    )
    expect(runs).toMatchObject([
      { outcome: expect.stringMatching(/fenced|failed/), epoch: 1 },
      { outcome: 'succeeded', epoch: 2 },
    ])
    expect(await setup.inspector.content()).toEqual(content)
    expect(ended.map(({ code }) => code)).toEqual([0, 0])
  })
})
