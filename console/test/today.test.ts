// The start page: weeks, events, and the cells of the vendor map.
import type { Change } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { findFirstDay, findFirstWeekEnd, isChartEmpty } from '../src/pages/today/model/beginning.ts'
import { partEvents } from '../src/pages/today/model/new-events.ts'
import { layOutCells } from '../src/pages/today/model/treemap.ts'
import { countWeek, listWeeks } from '../src/pages/today/model/weeks.ts'
import { toDisplayName } from '../src/text/display-name.ts'
import { type CveEvent, listEvents } from '../src/text/event.ts'

const change = (values: Partial<Change>): Change => ({
  seq: 1,
  at: null,
  recorded_at: '2026-08-20T10:00:00Z',
  cve_id: 'CVE-2026-0001',
  types: [],
  cause: 'data',
  fields: [],
  diff: {},
  ...values,
})

describe('Weeks', () => {
  it('end on the given day, without a gap', () => {
    expect(listWeeks('2026-08-22', 2)).toEqual([
      { from: '2026-08-09', to: '2026-08-15' },
      { from: '2026-08-16', to: '2026-08-22' },
    ])
  })

  it('have no count if one of their days is not known', () => {
    const [week] = listWeeks('2026-08-22', 1)
    const days = ['2026-08-15', '2026-08-16', '2026-08-22'].map((from) => ({ from, to: from, count: 2 }))
    expect(week && countWeek(days, week)).toBe(4)
    const [first, ...others] = days.toReversed()
    expect(week && first && countWeek([{ ...first, count: null }, ...others], week)).toBeNull()
    expect(week && countWeek([], week)).toBeNull()
  })
})

describe('What is not known yet', () => {
  it('begins with the first whole day, and as a week with the first whole week', () => {
    expect(findFirstDay('2026-08-20T18:00:00Z')).toBe('2026-08-21')
    expect(findFirstWeekEnd('2026-08-20T18:00:00Z')).toBe('2026-08-27')
    expect(findFirstDay('2026-08-20T00:00:00Z')).toBe('2026-08-20')
  })

  it('is the chart, unless one of its own days is known', () => {
    const bucket = (from: string, count: number | null) => ({ from, to: from, count })
    const series = (...buckets: ReturnType<typeof bucket>[]) => ({ to: '2026-08-22', buckets })
    expect(isChartEmpty(series(bucket('2026-07-01', 3), bucket('2026-08-22', null)))).toBe(true)
    expect(isChartEmpty(series(bucket('2026-08-21', 0), bucket('2026-08-22', null)))).toBe(false)
  })
})

describe('Events', () => {
  it('have one line per CVE with the most important reason and its own day', () => {
    const events = listEvents([
      change({ seq: 1, types: ['epss_jump'], diff: { 'epss.score': { old: 0.04, new: 0.2 } } }),
      change({ seq: 2, types: ['kev_added'], at: '2026-08-19' }),
      change({ seq: 3, types: ['eu_kev_added'], recorded_at: '2026-08-21T10:00:00Z' }),
      change({ seq: 4, types: ['patch_added'], cve_id: 'CVE-2026-0002', recorded_at: '2026-08-22T10:00:00Z' }),
      change({ seq: 5, types: ['updated'], cve_id: 'CVE-2026-0003' }),
      change({ seq: 6, types: ['loaded'], cve_id: null }),
    ])
    expect(events).toEqual([
      { cveId: 'CVE-2026-0002', kind: 'fix', words: 'Fix named', day: '2026-08-22', seq: 4 },
      { cveId: 'CVE-2026-0001', kind: 'exploited', words: 'Added to KEV by CISA and ENISA', day: '2026-08-21', seq: 3 },
    ])
  })

  it('tell an EPSS rise from the first old to the last new value, and leave out a fall', () => {
    const rise = [
      change({ types: ['epss_jump'], diff: { 'epss.score': { old: 0.04, new: 0.2 } } }),
      change({ types: ['epss_jump'], diff: { 'epss.score': { old: 0.2, new: 0.56 } } }),
    ]
    expect(listEvents(rise).map(({ words }) => words)).toEqual(['EPSS 4.0 % → 56.0 %'])
    expect(listEvents([change({ types: ['epss_jump'], diff: { 'epss.score': { old: 0.5, new: 0.1 } } })])).toEqual([])
  })
})

describe('New events', () => {
  const event = (seq: number): CveEvent => ({
    cveId: `CVE-2026-000${seq}`,
    kind: 'fix',
    words: 'Fix named',
    day: '2026-08-20',
    seq,
  })
  const events = [event(3), event(9), event(5)]

  it('are those after the position that the member has seen, in their order', () => {
    const { fresh, seen } = partEvents(events, '4:0f3a5c1d2b4e6f70')
    expect([fresh.map(({ seq }) => seq), seen.map(({ seq }) => seq)]).toEqual([[9, 5], [3]])
  })

  it('are none on a first visit, and none that are older than the change log', () => {
    expect(partEvents(events, undefined)).toEqual({ fresh: [], seen: events })
    expect(partEvents([event(0)], '0:0000000000000000').fresh).toEqual([])
  })
})

describe('The vendor map', () => {
  it('fills the rectangle with cells in proportion to their numbers', () => {
    const numbers = [8, 6, 3, 3, 3, 2, 2, 1]
    const cells = layOutCells(numbers, 1.2)
    const areas = cells.map(({ width, height }) => width * height)
    for (const [index, area] of areas.entries()) expect(area).toBeCloseTo(((numbers[index] ?? 0) / 28) * 10_000, 5)
    for (const { left, top, width, height } of cells) {
      expect(left + width).toBeLessThan(100.001)
      expect(top + height).toBeLessThan(100.001)
    }
  })

  it('writes names as people do', () => {
    expect(toDisplayName('palo_alto_networks')).toBe('Palo Alto Networks')
    expect(toDisplayName('apache http_server')).toBe('Apache HTTP Server')
    expect(toDisplayName('TrueConf')).toBe('TrueConf')
  })
})
