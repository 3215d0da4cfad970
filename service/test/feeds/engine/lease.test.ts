import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeFeed, type FakeRecord } from '../fake-feed.ts'
import { createFeedHarness } from '../feed-harness.ts'

const { run, runInOtherProcess, selectRows, reset } = await createFeedHarness()

beforeEach(reset)

const DAY_TWO = '2026-08-02T00:00:00Z'

const record = (id: string, text = 'first'): FakeRecord => ({ id, modified: DAY_TWO, text })
const records = (count: number): FakeRecord[] =>
  Array.from({ length: count }, (_, index) => record(`CVE-2024-${10_000 + index}`))

const storedTexts = "select record::jsonb ->> 'text' as text from source.source_record order by cve_id"
const state = "select cursor, failures from source.feed where name = 'nvd'"

describe('feed engine: lease', () => {
  it('lets only one worker run a feed at a time', async () => {
    const [first, second] = await Promise.all([
      run(createFakeFeed([{ items: records(100) }])),
      runInOtherProcess(createFakeFeed([{ items: records(100) }])),
    ])

    expect([first.outcome, second.outcome].sort()).toEqual(['busy', 'succeeded'])
    expect([first.error, second.error].join()).toMatch(/nvd is being run by (a test|another)/)
  })

  it('rolls back the changes of a worker that continues after another worker acquired the lease', async () => {
    const runOther = async () => {
      // Lets the lease (a worker's exclusive right to run the feed) expire, as if the worker was suspended for over a
      // minute.
      await selectRows("update source.feed set lease_until = '-infinity'")
      await runInOtherProcess(
        createFakeFeed([{ items: [record('CVE-2024-0001', 'by the other worker')], cursor: 'other' }]),
      )
    }

    const late = await run(
      createFakeFeed([
        {
          items: [record('CVE-2024-0001', 'by the suspended worker')],
          cursor: 'suspended',
          afterLastRecord: runOther,
        },
      ]),
    )

    expect(late.outcome).toBe('fenced')
    expect(await selectRows(storedTexts)).toMatchObject([{ text: 'by the other worker' }])
    expect(await selectRows(state)).toMatchObject([{ cursor: 'other', failures: 0 }])
    expect(await selectRows('select outcome from source.feed_run order by id')).toEqual([
      { outcome: 'fenced' },
      { outcome: 'succeeded' },
    ])
  })

  it('marks the run of a dead process as abandoned', async () => {
    await selectRows("insert into source.feed (name) values ('nvd')")
    await selectRows(
      "insert into source.feed_run (feed, lease_epoch, origin, started_at) values ('nvd', 0, 'network', '2026-08-21')",
    )

    await run(createFakeFeed([{ items: records(1) }]))

    expect(await selectRows('select outcome from source.feed_run order by id')).toEqual([
      { outcome: 'abandoned' },
      { outcome: 'succeeded' },
    ])
  })
})
