import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeFeed, type FakeRecord } from './fake-feed.ts'
import { createFeedHarness } from './feed-harness.ts'

const { run, selectRows, reset } = await createFeedHarness()

beforeEach(reset)

const DAY_ONE = '2026-08-01T00:00:00Z'
const DAY_TWO = '2026-08-02T00:00:00Z'

const record = (id: string, modified = DAY_ONE): FakeRecord => ({ id, modified, text: 'first' })
const records = (count: number, change: Partial<FakeRecord> = {}): FakeRecord[] =>
  Array.from({ length: count }, (_, index) => ({ ...record(`CVE-2024-${10_000 + index}`), ...change }))

const stored = 'select cve_id from source.source_record order by cve_id'

describe('Feed guards', () => {
  const cases: [string, FakeRecord[], FakeRecord[], string][] = [
    [
      'a delivery with more than 20,000 new records',
      records(10),
      records(20_011),
      'the delivery has 20001 new records',
    ],
    [
      'a delivery with dates in the future',
      [],
      records(100, { modified: '2031-01-01T00:00:00Z' }),
      '100 of the 100 records are dated in the future',
    ],
    ['a delivery with scores of zero', [], records(100, { score: 0 }), '100 of the 100 scores are zero'],
  ]

  it.each(cases)('refuse %s and leave the stored records unchanged', async (_name, before, delivered, message) => {
    await run(createFakeFeed([{ kind: 'snapshot', items: before }]))

    const report = await run(createFakeFeed([{ kind: 'snapshot', items: delivered }]))

    expect(report).toMatchObject({ outcome: 'refused', written: 0 })
    expect(report.error).toContain(message)
    expect(await selectRows(stored)).toHaveLength(before.length)
  })

  it('allow more than 20,000 new records in a delivery that the feed marks as its first', async () => {
    await run(createFakeFeed([{ items: records(10) }]))

    const report = await run(createFakeFeed([{ kind: 'snapshot', isFirst: true, items: records(20_011) }]))

    expect(report).toMatchObject({ outcome: 'succeeded', written: 20_001 })
  })

  it('compare a snapshot only with the stored records in the range of CVE ids that it covers', async () => {
    await run(createFakeFeed([{ items: [...records(100), record('CVE-2023-0001')] }]))

    const report = await run(
      createFakeFeed([
        {
          kind: 'snapshot',
          slice: { first: 'CVE-2023-', last: 'CVE-2023-~' },
          items: [record('CVE-2023-0001', DAY_TWO)],
        },
      ]),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', written: 1 })
  })

  it('allow a delivery that changes most records, and add a notice', async () => {
    await run(createFakeFeed([{ items: records(1000) }]))

    const report = await run(createFakeFeed([{ items: records(1000, { modified: DAY_TWO }) }]))

    expect(report).toMatchObject({ outcome: 'succeeded', written: 1000 })
    expect(report.notices).toEqual(['records.json: 1000 of 1000 stored records changed at once'])
  })
})
