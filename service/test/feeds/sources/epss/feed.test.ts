import { beforeEach, describe, expect, it } from 'vitest'
import { epssMachine, lines, MODEL, SCORED, scores } from './fixtures.ts'

const NEXT_DAY = { scored: '2026-08-21T12:05:00Z' }
const { read, stored, release, queued, look, reset } = await epssMachine()
beforeEach(reset)

describe('EPSS scores are stored', () => {
  it('to the last digit, each with its model, and the day once for all', async () => {
    const report = await read(
      scores(['CVE-1999-0001,0.03351,0.87650', 'CVE-2024-3094,1,0.999990001', 'CVE-2020-0001,9e-05,0']),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, rejected: 0 })
    expect(await stored()).toEqual([
      `CVE-1999-0001 0.03351 0.8765 ${MODEL}`,
      `CVE-2020-0001 9e-05 0 ${MODEL}`,
      `CVE-2024-3094 1 0.999990001 ${MODEL}`,
    ])
    expect(await release()).toEqual([{ scored_at: new Date(SCORED), model_version: MODEL }])
  })

  it('and left alone when they did not change, although the day did', async () => {
    const rows = 'select cve_id, xmin::text, xmax::text, ctid::text from source.epss_score order by cve_id'
    await read(scores(lines(100)))
    const before = await look(rows)

    const again = await read(scores(lines(100), NEXT_DAY))

    expect(again).toMatchObject({ outcome: 'succeeded', read: 100, written: 0, removed: 0, unchanged: 100 })
    expect(await look(rows)).toEqual(before)
    expect(await release()).toEqual([{ scored_at: new Date(NEXT_DAY.scored), model_version: MODEL }])
  })

  it('when the score or only the percentile changed, when a CVE is new, and no longer when it is gone', async () => {
    await read(
      scores(['CVE-2024-0001,0.5,0.9', 'CVE-2024-0002,0.5,0.9', 'CVE-2024-0003,0.5,0.9', 'CVE-2024-0004,0.5,0.9']),
    )

    const report = await read(
      scores(
        ['CVE-2024-0001,0.5,0.9', 'CVE-2024-0002,0.6,0.9', 'CVE-2024-0003,0.5,0.8', 'CVE-2024-0005,0.5,0.9'],
        NEXT_DAY,
      ),
    )

    expect(report).toMatchObject({ written: 3, unchanged: 1, removed: 1 })
    expect(await stored()).toEqual([
      `CVE-2024-0001 0.5 0.9 ${MODEL}`,
      `CVE-2024-0002 0.6 0.9 ${MODEL}`,
      `CVE-2024-0003 0.5 0.8 ${MODEL}`,
      `CVE-2024-0005 0.5 0.9 ${MODEL}`,
    ])
    expect(await look("select table_count::int from catalog.dataset where name = 'epss'")).toEqual([{ table_count: 4 }])
  })

  it('once for each CVE: of several lines the last', async () => {
    const report = await read(scores(['CVE-2024-0001,0.5,0.9', 'cve-2024-0001,0.4,0.8', 'CVE-2024-0001,0.3,0.7']))
    expect(report).toMatchObject({ read: 3, written: 1, duplicates: 2 })
    expect(await stored()).toEqual([`CVE-2024-0001 0.3 0.7 ${MODEL}`])
  })

  it('without those that cannot be used, which are rejected with their reason', async () => {
    const report = await read(scores([...lines(5), 'CVE-2024-0001,1.2,0.9']))

    expect(report).toMatchObject({ outcome: 'succeeded', read: 6, written: 5, rejected: 1 })
    expect(await stored()).toHaveLength(5)
    expect(await look('select subject, reason from source.feed_rejection')).toEqual([
      { subject: 'CVE-2024-0001', reason: 'its score is no number from 0 to 1: "1.2"' },
    ])
  })
})

describe('A line that cannot be used', () => {
  it('leaves the score that we have, and only what is not there is removed', async () => {
    await read(scores(['CVE-2024-0001,0.5,0.9', 'CVE-2024-0002,0.5,0.9', 'CVE-2024-0003,0.5,0.9', ...lines(5)]))

    const report = await read(scores(['CVE-2024-0001,1.2,0.9', 'CVE-2024-0002,0.5', ...lines(5)], NEXT_DAY))

    expect(report).toMatchObject({ outcome: 'succeeded', rejected: 2, removed: 1, unchanged: 5 })
    expect((await stored()).slice(0, 2)).toEqual([`CVE-2024-0001 0.5 0.9 ${MODEL}`, `CVE-2024-0002 0.5 0.9 ${MODEL}`])
    expect((await queued()).slice(3)).toEqual(['CVE-2024-0003'])
  })

  it('leaves none of another model, since two are never mixed', async () => {
    await read(scores(['CVE-2024-0001,0.5,0.9', ...lines(5)]))

    const report = await read(scores(['CVE-2024-0001,1.2,0.9', ...lines(5)], { model: 'v2027.01.01', ...NEXT_DAY }))

    expect(report).toMatchObject({ outcome: 'succeeded', written: 5, removed: 1 })
    expect((await stored()).every((each) => each.endsWith('v2027.01.01'))).toBe(true)
  })
})

describe('A CVE is published again because of its score', () => {
  it('only when it crosses 0.1, either way (D12)', async () => {
    await read(
      scores([
        'CVE-2024-0001,0.1,0.9',
        'CVE-2024-0002,0.09999,0.9',
        'CVE-2024-0003,0.5,0.9',
        'CVE-2024-0004,0.5,0.9',
        'CVE-2024-0005,0.01,0.9',
        'CVE-2024-0006,0.01,0.9',
      ]),
    )
    expect((await queued()).toSorted()).toEqual(['CVE-2024-0001', 'CVE-2024-0003', 'CVE-2024-0004'])

    await read(
      scores(
        [
          'CVE-2024-0001,0.09999,0.9', // sank below it
          'CVE-2024-0002,0.1,0.9', // rose to it
          'CVE-2024-0003,0.9,0.9', // was above it, and is
          'CVE-2024-0005,0.09,0.9', // was below it, and is
          'CVE-2024-0007,0.7,0.9', // is new above it
          'CVE-2024-0008,0.07,0.9', // is new below it
        ],
        NEXT_DAY,
      ),
      // CVE-2024-0004 is gone, and was above it; CVE-2024-0006 is gone, and was not.
      { allowed: new Set(['shrunken-snapshot']) },
    )
    expect((await queued()).slice(3).toSorted()).toEqual([
      'CVE-2024-0001',
      'CVE-2024-0002',
      'CVE-2024-0004',
      'CVE-2024-0007',
    ])
  })
})
