import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { rehearseFeed } from '../../../src/feeds/engine/run.ts'
import { FeedError, StoppedError } from '../../../src/feeds/feed.ts'
import { testMachine } from '../feed-harness.ts'
import { type Said, toyFeed } from '../toy-feed.ts'

const { run, look, clock, tools, reset } = await testMachine()

beforeEach(reset)

const DAY_ONE = '2026-08-01T00:00:00Z'
const DAY_TWO = '2026-08-02T00:00:00Z'

const said = (id: string, modified = DAY_ONE, text = 'first'): Said => ({ id, modified, text })
const many = (count: number, change: Partial<Said> = {}): Said[] =>
  Array.from({ length: count }, (_, index) => ({ ...said(`CVE-2024-${10_000 + index}`), ...change }))

const records = "select cve_id, modified, record::jsonb ->> 'text' as text from source.source_record order by cve_id"
const queue = 'select cve_id from source.publication_queue order by seq'
const lastRun = 'select * from source.feed_run order by id desc limit 1'
const state = "select cursor, upstream_at, failures, lease_holder from source.feed where name = 'nvd'"
const dataset = "select table_count::int, last_success_at from catalog.dataset where name = 'nvd'"

describe('a run', () => {
  it('stores records, cursor, data set and queue together, and writes down what it did', async () => {
    const upstreamAt = new Date('2026-08-02T06:00:00Z')

    const report = await run(
      toyFeed([{ says: [said('CVE-2024-0001'), said('CVE-2024-0002')], cursor: { page: 7 }, upstreamAt }]),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, unchanged: 0, rejected: 0, fault: null })
    expect(await look(records)).toHaveLength(2)
    expect(await look(queue)).toEqual([{ cve_id: 'CVE-2024-0001' }, { cve_id: 'CVE-2024-0002' }])
    expect(await look(state)).toEqual([
      { cursor: { page: 7 }, upstream_at: upstreamAt, failures: 0, lease_holder: null },
    ])
    expect(await look(dataset)).toEqual([{ table_count: 2, last_success_at: new Date('2026-08-22T00:00:00Z') }])
    expect(await look(lastRun)).toMatchObject([
      { feed: 'nvd', outcome: 'succeeded', read_count: '2', written_count: '2' },
    ])
  })

  it('leaves unchanged records alone and queues only what changed', async () => {
    await run(toyFeed([{ says: many(100) }]))

    const again = await run(toyFeed([{ says: many(100) }]))
    expect(again).toMatchObject({ written: 0, unchanged: 100 })
    const changed = many(100).map((each, index) =>
      index === 7 ? { ...each, modified: DAY_TWO, text: 'second' } : each,
    )
    expect(await run(toyFeed([{ says: changed }]))).toMatchObject({ written: 1, unchanged: 99 })

    expect(await look(queue)).toHaveLength(101)
    expect(await look(`${queue} offset 100`)).toEqual([{ cve_id: 'CVE-2024-10007' }])
  })

  it('never lets an older record overwrite a newer one, and takes other content of the same date over', async () => {
    await run(toyFeed([{ says: [said('CVE-2024-0001', DAY_TWO, 'newer'), said('CVE-2024-0002', DAY_ONE, 'before')] }]))

    const report = await run(
      toyFeed([{ says: [said('CVE-2024-0001', DAY_ONE, 'older'), said('CVE-2024-0002', DAY_ONE, 'after')] }]),
    )

    expect(report).toMatchObject({ written: 1, unchanged: 1 })
    expect(report.notices.join()).toMatch(/1 records are older than ours.*1 records changed without a new date/)
    expect((await look<{ text: string }>(records)).map(({ text }) => text)).toEqual(['newer', 'after'])
  })

  it('takes the newest of several records for one CVE, and counts the others', async () => {
    const report = await run(
      toyFeed([{ says: [said('CVE-2024-0001', DAY_TWO, 'newest'), said('CVE-2024-0001', DAY_ONE, 'older')] }]),
    )

    expect(report).toMatchObject({ read: 2, written: 1, duplicates: 1 })
    expect(await look(records)).toMatchObject([{ text: 'newest' }])
  })

  it('cuts a date in the future to now', async () => {
    await run(toyFeed([{ says: [said('CVE-2024-0001', '2031-01-01T00:00:00Z')] }]))

    expect(await look(records)).toMatchObject([{ modified: clock.now() }])
  })

  it('keeps what the deliveries before a failure brought, and its place', async () => {
    const broken = () => {
      throw new FeedError('The page ends in the middle of a record.')
    }

    const report = await run(
      toyFeed([
        { says: [said('CVE-2024-0001')], cursor: { page: 1 } },
        { says: [said('CVE-2024-0002')], cursor: { page: 2 }, atEnd: broken },
      ]),
    )

    expect(report).toMatchObject({
      outcome: 'failed',
      fault: 'The page ends in the middle of a record.',
      read: 2,
      written: 1,
    })
    expect(await look(records)).toMatchObject([{ cve_id: 'CVE-2024-0001' }])
    expect(await look(state)).toMatchObject([{ cursor: { page: 1 }, failures: 1, lease_holder: null }])
    expect(await look(lastRun)).toMatchObject([{ outcome: 'failed', written_count: '1', fault: report.fault }])
  })

  it('is not a success in the eyes of /health when it failed half way', async () => {
    const failing = toyFeed([
      { says: [said('CVE-2024-0001')] },
      { says: [], atEnd: () => Promise.reject(new FeedError('no')) },
    ])

    await run(failing)

    expect(await look(dataset)).toEqual([{ table_count: 1, last_success_at: null }])
  })

  it('is tried again after a minute, then less and less often, and as usual after a success', async () => {
    const failing = toyFeed([{ says: [], atEnd: () => Promise.reject(new FeedError('no')) }])
    const dueIn = async () =>
      Math.round(
        (await look<{ s: number }>('select extract(epoch from next_due_at - now())::float8 as s from source.feed'))[0]
          ?.s ?? 0,
      )

    const waits: number[] = []
    for (let failures = 0; failures < 4; failures += 1) {
      await run(failing)
      waits.push(await dueIn())
    }
    await run(toyFeed([{ says: many(1) }]))

    expect(waits.map((each) => Math.round(each / 60))).toEqual([1, 2, 4, 8])
    expect(Math.round((await dueIn()) / 60)).toBe(120)
  })

  it('that is told to stop undoes what it was at, is no failure, and stays due', async () => {
    const stop = new AbortController()
    const halfWay = () => stop.abort(new StoppedError('It was stopped by SIGTERM.'))

    const report = await run(toyFeed([{ says: many(5), atEnd: halfWay }]), { signal: stop.signal })

    expect(report).toMatchObject({ outcome: 'stopped', written: 0, fault: 'It was stopped by SIGTERM.' })
    expect(await look(records)).toEqual([])
    expect(await look(state)).toMatchObject([{ failures: 0, lease_holder: null }])
    expect(await look('select next_due_at <= now() as is_due from source.feed')).toEqual([{ is_due: true }])
  })

  it('that waits for the database when it is told to stop does not wait for ever', async () => {
    const stop = new AbortController()
    const { store, ...rest } = toyFeed([{ says: many(5) }])
    const measure: typeof store.measure = async (tx, scope) => {
      stop.abort(new StoppedError('It was stopped by SIGTERM.'))
      await sql`select pg_sleep(600)`.execute(tx)
      return store.measure(tx, scope)
    }
    const other = await testMachine()

    const report = await other.run({ ...rest, store: { ...store, measure } }, { signal: stop.signal })

    expect(report).toMatchObject({ outcome: 'stopped', written: 0 })
  })

  it('writes down words of others without what a database or a terminal cannot take', async () => {
    const hostile = 'The title is \u0000 \u001B]0;owned\u0007.'
    const broken = () => Promise.reject(new FeedError(hostile))

    const report = await run(
      toyFeed([{ label: 'a \u001B[2J file', says: [said('nonsense'), ...many(3)], atEnd: broken }]),
    )

    expect(report.fault).toMatch(/^The title is +\]0;owned +\.$/)
    expect(await look(state)).toMatchObject([{ failures: 1 }])
    expect(await look('select delivery from source.feed_rejection')).toEqual([{ delivery: 'a  [2J file' }])
  })

  it('does not believe that upstream is from the future', async () => {
    await run(toyFeed([{ says: many(1), upstreamAt: new Date('2099-01-01T00:00:00Z') }]))

    expect(await look(state)).toMatchObject([{ upstream_at: clock.now() }])
  })

  it('rehearses without leaving a trace', async () => {
    const report = await rehearseFeed(toyFeed([{ says: many(5) }, { says: many(3) }]), tools, undefined)

    expect(report).toMatchObject({ outcome: 'succeeded', read: 8, written: 8 })
    expect(await look(records)).toEqual([])
    expect(await look(queue)).toEqual([])
    expect(await look(lastRun)).toEqual([])
  })
})

describe('what cannot be used', () => {
  it('is counted and kept with its reason, while the rest is stored', async () => {
    const report = await run(toyFeed([{ label: 'page 1', says: [...many(20), said('CVE-24-1'), { id: 5 }] }]))

    expect(report).toMatchObject({ outcome: 'succeeded', read: 22, written: 20, rejected: 2 })
    expect(await look('select delivery, subject, reason from source.feed_rejection order by id')).toEqual([
      { delivery: 'page 1', subject: 'CVE-24-1', reason: 'not a CVE id, or no date' },
      { delivery: 'page 1', subject: 'a toy', reason: expect.stringContaining('required') },
    ])
  })

  it('refuses the whole delivery when more than one in a thousand is poison', async () => {
    const poison = Array.from({ length: 12 }, () => said('nonsense'))

    const report = await run(toyFeed([{ says: [...many(10_000), ...poison] }]))

    expect(report).toMatchObject({ outcome: 'refused', rejected: 12, written: 0 })
    expect(report.fault).toContain('12 of its 10012 records cannot be used')
    expect(report.fault).toContain('--allow too-many-rejections')
    expect(await look(records)).toEqual([])
    expect(await look('select count(*)::int as kept from source.feed_rejection')).toEqual([{ kept: 12 }])
  })

  it('is believed when the operator says so', async () => {
    const report = await run(toyFeed([{ says: [said('nonsense'), said('CVE-2024-0001')] }]), {
      allowed: new Set(['too-many-rejections']),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', written: 1, rejected: 1 })
  })
})
