import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { dryRunFeed } from '../../../src/feeds/engine/run.ts'
import { FeedError, StoppedError } from '../../../src/feeds/feed.ts'
import { createFakeFeed, type FakeRecord } from '../fake-feed.ts'
import { createFeedHarness } from '../feed-harness.ts'

const { run, selectRows, clock, dependencies, reset } = await createFeedHarness()

beforeEach(reset)

const DAY_ONE = '2026-08-01T00:00:00Z'
const DAY_TWO = '2026-08-02T00:00:00Z'

const record = (id: string, modified = DAY_ONE, text = 'first'): FakeRecord => ({ id, modified, text })
const records = (count: number, change: Partial<FakeRecord> = {}): FakeRecord[] =>
  Array.from({ length: count }, (_, index) => ({ ...record(`CVE-2024-${10_000 + index}`), ...change }))

const stored = "select cve_id, modified, record::jsonb ->> 'text' as text from source.source_record order by cve_id"
const queue = 'select cve_id from source.publication_queue order by seq'
const lastRun = 'select * from source.feed_run order by id desc limit 1'
const state = "select cursor, upstream_at, failures, lease_holder from source.feed where name = 'nvd'"
const dataset = "select table_count::int, last_success_at from catalog.dataset where name = 'nvd'"

describe('feed engine: runs', () => {
  it('stores records, cursor, data set and publication queue, and records the run', async () => {
    const upstreamAt = new Date('2026-08-02T06:00:00Z')

    const report = await run(
      createFakeFeed([{ items: [record('CVE-2024-0001'), record('CVE-2024-0002')], cursor: { page: 7 }, upstreamAt }]),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, unchanged: 0, rejected: 0, error: null })
    expect(await selectRows(stored)).toHaveLength(2)
    expect(await selectRows(queue)).toEqual([{ cve_id: 'CVE-2024-0001' }, { cve_id: 'CVE-2024-0002' }])
    expect(await selectRows(state)).toEqual([
      { cursor: { page: 7 }, upstream_at: upstreamAt, failures: 0, lease_holder: null },
    ])
    expect(await selectRows(dataset)).toEqual([{ table_count: 2, last_success_at: new Date('2026-08-22T00:00:00Z') }])
    expect(await selectRows(lastRun)).toMatchObject([
      { feed: 'nvd', outcome: 'succeeded', read_count: '2', written_count: '2' },
    ])
  })

  it('shows the time of the data and the result of the last run in the data set', async () => {
    const shown = `select upstream_at, last_run_at, last_run_result, rejected_count::int
                     from catalog.dataset where name = 'nvd'`
    const upstreamAt = new Date('2026-08-02T06:00:00Z')
    await run(createFakeFeed([{ items: [...records(3), { id: 'unusable' }], upstreamAt }]))
    const finishedAt = new Date('2026-08-22T00:00:00Z')
    expect(await selectRows(shown)).toEqual([
      { upstream_at: upstreamAt, last_run_at: finishedAt, last_run_result: 'succeeded', rejected_count: 1 },
    ])

    clock.advance({ hours: 1 })
    const afterLastRecord = () => {
      throw new FeedError('upstream is away')
    }
    await run(createFakeFeed([{ items: [], afterLastRecord }]))
    expect(await selectRows(shown)).toEqual([
      {
        upstream_at: upstreamAt,
        last_run_at: new Date('2026-08-22T01:00:00Z'),
        last_run_result: 'failed',
        rejected_count: 0,
      },
    ])
  })

  it("uses the newest record's time for a delivery that states no release time", async () => {
    await run(createFakeFeed([{ items: [record('CVE-2024-0001', DAY_TWO), record('CVE-2024-0002', DAY_ONE)] }]))
    expect(await selectRows(state)).toMatchObject([{ upstream_at: new Date(DAY_TWO) }])
  })

  it('writes and queues only changed records', async () => {
    await run(createFakeFeed([{ items: records(100) }]))

    const again = await run(createFakeFeed([{ items: records(100) }]))
    expect(again).toMatchObject({ written: 0, unchanged: 100 })
    const changed = records(100).map((each, index) =>
      index === 7 ? { ...each, modified: DAY_TWO, text: 'second' } : each,
    )
    expect(await run(createFakeFeed([{ items: changed }]))).toMatchObject({ written: 1, unchanged: 99 })

    expect(await selectRows(queue)).toHaveLength(101)
    expect(await selectRows(`${queue} offset 100`)).toEqual([{ cve_id: 'CVE-2024-10007' }])
  })

  it('skips an older record, and stores new content even if its date is unchanged', async () => {
    await run(
      createFakeFeed([
        { items: [record('CVE-2024-0001', DAY_TWO, 'newer'), record('CVE-2024-0002', DAY_ONE, 'before')] },
      ]),
    )

    const report = await run(
      createFakeFeed([
        { items: [record('CVE-2024-0001', DAY_ONE, 'older'), record('CVE-2024-0002', DAY_ONE, 'after')] },
      ]),
    )

    expect(report).toMatchObject({ written: 1, unchanged: 1 })
    expect(report.notices.join()).toMatch(
      /1 records are older than the stored ones.*1 records changed without a new date/,
    )
    expect((await selectRows<{ text: string }>(stored)).map(({ text }) => text)).toEqual(['newer', 'after'])
  })

  it('stores the newest of several records for one CVE and counts the duplicates', async () => {
    const report = await run(
      createFakeFeed([
        { items: [record('CVE-2024-0001', DAY_TWO, 'newest'), record('CVE-2024-0001', DAY_ONE, 'older')] },
      ]),
    )

    expect(report).toMatchObject({ read: 2, written: 1, duplicates: 1 })
    expect(await selectRows(stored)).toMatchObject([{ text: 'newest' }])
  })

  it('replaces a modification date in the future with the current time', async () => {
    await run(createFakeFeed([{ items: [record('CVE-2024-0001', '2031-01-01T00:00:00Z')] }]))

    expect(await selectRows(stored)).toMatchObject([{ modified: clock.now() }])
  })

  it('keeps the deliveries and the cursor that were stored before a failure', async () => {
    const fail = () => {
      throw new FeedError('The page ends in the middle of a record.')
    }

    const report = await run(
      createFakeFeed([
        { items: [record('CVE-2024-0001')], cursor: { page: 1 } },
        { items: [record('CVE-2024-0002')], cursor: { page: 2 }, afterLastRecord: fail },
      ]),
    )

    expect(report).toMatchObject({
      outcome: 'failed',
      error: 'The page ends in the middle of a record.',
      read: 2,
      written: 1,
    })
    expect(await selectRows(stored)).toMatchObject([{ cve_id: 'CVE-2024-0001' }])
    expect(await selectRows(state)).toMatchObject([{ cursor: { page: 1 }, failures: 1, lease_holder: null }])
    expect(await selectRows(lastRun)).toMatchObject([{ outcome: 'failed', written_count: '1', fault: report.error }])
  })

  it('leaves last_success_at unset when a later delivery fails', async () => {
    const failing = createFakeFeed([
      { items: [record('CVE-2024-0001')] },
      { items: [], afterLastRecord: () => Promise.reject(new FeedError('no')) },
    ])

    await run(failing)

    expect(await selectRows(dataset)).toEqual([{ table_count: 1, last_success_at: null }])
  })

  it('doubles the retry delay, starting at one minute, and resets it after a success', async () => {
    const failing = createFakeFeed([{ items: [], afterLastRecord: () => Promise.reject(new FeedError('no')) }])
    const readDelay = async () =>
      Math.round(
        (
          await selectRows<{ s: number }>(
            'select extract(epoch from next_due_at - now())::float8 as s from source.feed',
          )
        )[0]?.s ?? 0,
      )

    const delays: number[] = []
    for (let failures = 0; failures < 4; failures += 1) {
      await run(failing)
      delays.push(await readDelay())
    }
    await run(createFakeFeed([{ items: records(1) }]))

    expect(delays.map((each) => Math.round(each / 60))).toEqual([1, 2, 4, 8])
    expect(Math.round((await readDelay()) / 60)).toBe(120)
  })

  it('rolls back the current delivery when the run is stopped, counts no failure and leaves the feed due', async () => {
    const stop = new AbortController()
    const stopRun = () => stop.abort(new StoppedError('Stopped by SIGTERM.'))

    const report = await run(createFakeFeed([{ items: records(5), afterLastRecord: stopRun }]), {
      signal: stop.signal,
    })

    expect(report).toMatchObject({ outcome: 'stopped', written: 0, error: 'Stopped by SIGTERM.' })
    expect(await selectRows(stored)).toEqual([])
    expect(await selectRows(state)).toMatchObject([{ failures: 0, lease_holder: null }])
    expect(await selectRows('select next_due_at <= now() as is_due from source.feed')).toEqual([{ is_due: true }])
  })

  it('closes the database connection when the run is stopped during a long statement', async () => {
    const stop = new AbortController()
    const { store, ...rest } = createFakeFeed([{ items: records(5) }])
    const computeStats: typeof store.computeStats = async (tx, scope) => {
      stop.abort(new StoppedError('Stopped by SIGTERM.'))
      await sql`select pg_sleep(600)`.execute(tx)
      return store.computeStats(tx, scope)
    }
    const other = await createFeedHarness()

    const report = await other.run({ ...rest, store: { ...store, computeStats } }, { signal: stop.signal })

    expect(report).toMatchObject({ outcome: 'stopped', written: 0 })
  })

  it('removes NUL characters and terminal escape sequences from error messages and labels', async () => {
    const hostile = 'The title is \u0000 \u001B]0;owned\u0007.'
    const fail = () => Promise.reject(new FeedError(hostile))

    const report = await run(
      createFakeFeed([
        { label: 'a \u001B[2J file', items: [record('nonsense'), ...records(3)], afterLastRecord: fail },
      ]),
    )

    expect(report.error).toMatch(/^The title is +\]0;owned +\.$/)
    expect(await selectRows(state)).toMatchObject([{ failures: 1 }])
    expect(await selectRows('select delivery from source.feed_rejection')).toEqual([{ delivery: 'a  [2J file' }])
  })

  it('replaces an upstream date in the future with the current time', async () => {
    await run(createFakeFeed([{ items: records(1), upstreamAt: new Date('2099-01-01T00:00:00Z') }]))

    expect(await selectRows(state)).toMatchObject([{ upstream_at: clock.now() }])
  })

  it('stores nothing in a dry run', async () => {
    const report = await dryRunFeed(
      createFakeFeed([{ items: records(5) }, { items: records(3) }]),
      dependencies,
      undefined,
    )

    expect(report).toMatchObject({ outcome: 'succeeded', read: 8, written: 8 })
    expect(await selectRows(stored)).toEqual([])
    expect(await selectRows(queue)).toEqual([])
    expect(await selectRows(lastRun)).toEqual([])
  })
})

describe('feed engine: rejected records', () => {
  it('stores rejected records with their reason and imports the other records', async () => {
    const report = await run(
      createFakeFeed([{ label: 'page 1', items: [...records(20), record('CVE-24-1'), { id: 5 }] }]),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', read: 22, written: 20, rejected: 2 })
    expect(await selectRows('select delivery, subject, reason from source.feed_rejection order by id')).toEqual([
      { delivery: 'page 1', subject: 'CVE-24-1', reason: 'not a CVE id, or no date' },
      { delivery: 'page 1', subject: 'a record', reason: expect.stringContaining('required') },
    ])
  })

  it('refuses a delivery with more than one rejected record in a thousand', async () => {
    const invalid = Array.from({ length: 12 }, () => record('nonsense'))

    const report = await run(createFakeFeed([{ items: [...records(10_000), ...invalid] }]))

    expect(report).toMatchObject({ outcome: 'refused', rejected: 12, written: 0 })
    expect(report.error).toContain('12 of the 10012 records were rejected')
    expect(report.error).toContain('--allow too-many-rejections')
    expect(await selectRows(stored)).toEqual([])
    expect(await selectRows('select count(*)::int as kept from source.feed_rejection')).toEqual([{ kept: 12 }])
  })

  it('imports a delivery with many rejected records when the operator allows it', async () => {
    const report = await run(createFakeFeed([{ items: [record('nonsense'), record('CVE-2024-0001')] }]), {
      allowed: new Set(['too-many-rejections']),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', written: 1, rejected: 1 })
  })
})
