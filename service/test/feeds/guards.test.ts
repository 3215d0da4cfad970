import { beforeEach, describe, expect, it } from 'vitest'
import { testMachine } from './feed-harness.ts'
import { type Said, toyFeed } from './toy-feed.ts'

const { run, look, reset } = await testMachine()

beforeEach(reset)

const DAY_ONE = '2026-08-01T00:00:00Z'
const DAY_TWO = '2026-08-02T00:00:00Z'

const said = (id: string, modified = DAY_ONE): Said => ({ id, modified, text: 'first' })
const many = (count: number, change: Partial<Said> = {}): Said[] =>
  Array.from({ length: count }, (_, index) => ({ ...said(`CVE-2024-${10_000 + index}`), ...change }))

const records = 'select cve_id from source.source_record order by cve_id'

describe('the guards', () => {
  const cases: [string, Said[], Said[], string][] = [
    ['a snapshot that lost more than 2 %', many(100), many(97), 'it would drop 3 of the 100 records we have'],
    ['a flood of ids that nobody has seen', many(10), many(20_011), 'it brings 20001 records that nobody has seen'],
    [
      'dates in the future',
      [],
      many(100, { modified: '2031-01-01T00:00:00Z' }),
      '100 of its 100 records are dated in the future',
    ],
    ['scores of zero', [], many(100, { score: 0 }), '100 of its 100 scores are zero'],
  ]

  it.each(cases)('refuse %s, and leave what we have', async (_name, before, poisoned, complaint) => {
    await run(toyFeed([{ kind: 'snapshot', says: before }]))

    const report = await run(toyFeed([{ kind: 'snapshot', says: poisoned }]))

    expect(report).toMatchObject({ outcome: 'refused', written: 0 })
    expect(report.fault).toContain(complaint)
    expect(await look(records)).toHaveLength(before.length)
  })

  it('do not ask how much is new of what comes for the first time', async () => {
    await run(toyFeed([{ says: many(10) }]))

    const report = await run(toyFeed([{ kind: 'snapshot', isFirst: true, says: many(20_011) }]))

    expect(report).toMatchObject({ outcome: 'succeeded', written: 20_001 })
  })

  it('look only at the slice that a snapshot speaks of', async () => {
    await run(toyFeed([{ says: [...many(100), said('CVE-2023-0001')] }]))

    const report = await run(
      toyFeed([
        { kind: 'snapshot', slice: { first: 'CVE-2023-', last: 'CVE-2023-~' }, says: [said('CVE-2023-0001', DAY_TWO)] },
      ]),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', written: 1 })
  })

  it('note a mass change, and do not stop it', async () => {
    await run(toyFeed([{ says: many(1000) }]))

    const report = await run(toyFeed([{ says: many(1000, { modified: DAY_TWO }) }]))

    expect(report).toMatchObject({ outcome: 'succeeded', written: 1000 })
    expect(report.notices).toEqual(['toys.json: 1000 of 1000 records changed at once'])
  })
})
