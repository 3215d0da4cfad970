import { beforeEach, describe, expect, it } from 'vitest'
import { testMachine } from '../feed-harness.ts'
import { type Said, toyFeed } from '../toy-feed.ts'

const { run, runElsewhere, look, reset } = await testMachine()

beforeEach(reset)

const DAY_TWO = '2026-08-02T00:00:00Z'

const said = (id: string, text = 'first'): Said => ({ id, modified: DAY_TWO, text })
const many = (count: number): Said[] => Array.from({ length: count }, (_, index) => said(`CVE-2024-${10_000 + index}`))

const records = "select record::jsonb ->> 'text' as text from source.source_record order by cve_id"
const state = "select cursor, failures from source.feed where name = 'nvd'"

describe('the lease', () => {
  it('lets one run at a time', async () => {
    const [first, second] = await Promise.all([
      run(toyFeed([{ says: many(100) }])),
      runElsewhere(toyFeed([{ says: many(100) }])),
    ])

    expect([first.outcome, second.outcome].sort()).toEqual(['busy', 'succeeded'])
    expect([first.fault, second.fault].join()).toMatch(/nvd is being run by (a test|another) just now/)
  })

  it('fences off a worker that wakes after its lease was taken over', async () => {
    const takenOver = async () => {
      // As if it had slept for more than a minute.
      await look("update source.feed set lease_until = '-infinity'")
      await runElsewhere(toyFeed([{ says: [said('CVE-2024-0001', 'by the other')], cursor: 'other' }]))
    }

    const late = await run(
      toyFeed([{ says: [said('CVE-2024-0001', 'by the sleeper')], cursor: 'sleeper', atEnd: takenOver }]),
    )

    expect(late.outcome).toBe('fenced')
    expect(await look(records)).toMatchObject([{ text: 'by the other' }])
    expect(await look(state)).toMatchObject([{ cursor: 'other', failures: 0 }])
    expect(await look('select outcome from source.feed_run order by id')).toEqual([
      { outcome: 'fenced' },
      { outcome: 'succeeded' },
    ])
  })

  it('calls a run abandoned whose process died', async () => {
    await look("insert into source.feed (name) values ('nvd')")
    await look(
      "insert into source.feed_run (feed, lease_epoch, origin, started_at) values ('nvd', 0, 'network', '2026-08-21')",
    )

    await run(toyFeed([{ says: many(1) }]))

    expect(await look('select outcome from source.feed_run order by id')).toEqual([
      { outcome: 'abandoned' },
      { outcome: 'succeeded' },
    ])
  })
})
