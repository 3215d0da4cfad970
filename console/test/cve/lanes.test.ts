import type { Cve } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { buildLanes, labelMark, type Mark } from '../../src/pages/cve/timeline/lanes.ts'
import {
  centerOn,
  chooseTicks,
  findBusyPeriod,
  findWholePeriod,
  placeMarks,
} from '../../src/pages/cve/timeline/layout.ts'
import { EMPTY_CVE } from './empty-cve.ts'

type Timeline = NonNullable<Cve['timeline']>
type Fact = Timeline['dated'][number]

const PUBLISHED: Fact = { lane: 'known', kind: 'published', date: '2024-04-12' }

const withFacts = (dated: readonly Fact[], more: Partial<Timeline> = {}): Cve => ({
  ...EMPTY_CVE,
  timeline: { dated, undated: [], omitted: 0, ...more },
})

const kev = (date: string): Fact => ({
  lane: 'exploited',
  kind: 'kev',
  source: 'CISA',
  date,
  says: 'listed',
  maturity: 'active',
})
const REPOSITORY = { lane: 'exploit', kind: 'repository', id: 'a/b', maturity: 'poc' } as const

describe('timeline of a CVE: lanes', () => {
  it('puts facts of one day and lane into one mark', () => {
    const repository: Fact = { ...REPOSITORY, date: '2024-04-13' }
    const { marks } = buildLanes(withFacts([PUBLISHED, kev('2024-04-12'), repository, repository]))
    expect(marks.map((mark) => [mark.day, mark.lane, labelMark(mark)])).toEqual([
      ['2024-04-12', 'known', 'published'],
      ['2024-04-12', 'exploited', 'CISA KEV'],
      ['2024-04-13', 'exploit', '2 × repository'],
    ])
  })

  it('lists what has no date and never places it', () => {
    const { marks, undated } = buildLanes(withFacts([PUBLISHED], { undated: [REPOSITORY] }))
    expect(marks.map(({ lane }) => lane)).toEqual(['known'])
    expect(undated.map(({ text }) => text)).toEqual(['Public repository a/b'])
  })

  it('does not take the day of disclosure in Metasploit for the day of its module', () => {
    const module: Fact = {
      lane: 'known',
      kind: 'metasploit',
      date: '2024-04-10',
      date_is: 'disclosure',
      id: 'x',
      maturity: 'weaponized',
    }
    const [mark] = buildLanes(withFacts([module])).marks
    expect(mark && [mark.events[0]?.dayNote, labelMark(mark)]).toEqual(['day of disclosure', 'disclosed (Metasploit)'])
  })

  it('says that the day of a fix is the latest possible, and how soon after the publication it was named', () => {
    const fix: Fact = { lane: 'fix', kind: 'fix', date: '2024-04-14', date_is: 'latest', source: 'cna:palo_alto' }
    const { dated, gaps } = buildLanes(withFacts([PUBLISHED, fix]))
    expect(dated.at(-1)).toMatchObject({
      lane: 'fix',
      day: '2024-04-14',
      dayNote: 'at the latest',
      text: 'Fix named by Palo Alto Networks (CNA)',
    })
    expect(gaps.map(({ text }) => text)).toEqual(['fix named within 2 days'])
  })

  it('tells a lane of which nothing is known from one whose facts have no day', () => {
    const undated: Fact = { lane: 'exploit', kind: 'reference', source: 'nvd' } as Fact
    expect(buildLanes(withFacts([PUBLISHED])).notes).toMatchObject({ exploit: 'none known', exploited: 'none known' })
    const { notes } = buildLanes({ timeline: { dated: [], undated: [undated], omitted: 0 } })
    expect(notes).toMatchObject({ exploit: 'no day is stated', exploited: 'none known', fix: 'none known' })
  })

  it.each([
    ['2024-03-26', ['17 days known as exploited before publication']],
    ['2024-04-12', []],
    ['2024-04-13', ['1 day from publication to the first dated report of attacks']],
  ])('names the gap if attacks are dated %s and publication 2024-04-12', (day, texts) => {
    const facts = [PUBLISHED, kev(day)].toSorted((a, b) => a.date.localeCompare(b.date))
    expect(buildLanes(withFacts(facts)).gaps.map(({ text }) => text)).toEqual(texts)
  })
})

describe('timeline of a CVE: layout', () => {
  const mark = (lane: Mark['lane'], day: string, label = 'published'): Mark => ({
    lane,
    day,
    events: [{ lane, day, label, text: label }],
  })

  it('opens on the weeks with the most marks, with space on both sides', () => {
    const marks = ['2021-01-01', '2024-04-12', '2024-04-13', '2024-04-20'].map((day) => mark('known', day))
    expect(findBusyPeriod(marks)).toEqual({ from: '2024-04-07', to: '2024-04-25' })
  })

  it('has no busy weeks if most marks are elsewhere', () => {
    expect(findBusyPeriod(['2020-01-01', '2021-01-01', '2022-01-01'].map((day) => mark('known', day)))).toBeUndefined()
  })

  it('ends the whole period today', () => {
    expect(findWholePeriod([mark('known', '2024-04-12')], '2026-08-22')).toMatchObject({ to: '2026-08-22' })
  })

  it('keeps the length of a period that moves', () => {
    expect(centerOn('2024-06-15', { from: '2024-04-01', to: '2024-04-11' })).toEqual({
      from: '2024-06-10',
      to: '2024-06-20',
    })
  })

  it('gives every mark a place, and a label only where it covers no other', () => {
    const marks = Array.from({ length: 10 }, (_, index) => mark('exploit', `2024-04-${10 + index}`, 'repository'))
    const placed = placeMarks(marks, { from: '2024-04-09', to: '2024-04-20' }, 400)
    expect(placed).toHaveLength(10)
    const spans = placed.flatMap(({ x, label }) => (label?.side === 'right' ? [[x * 400, x * 400 + 78] as const] : []))
    for (const [index, [start]] of spans.entries()) expect(start).toBeGreaterThanOrEqual(spans[index - 1]?.[1] ?? 0)
    expect(placed.filter(({ label }) => label === undefined).length).toBeGreaterThan(0)
  })

  it('names only days that do not cover each other', () => {
    const marks = Array.from({ length: 10 }, (_, index) => mark('exploit', `2024-04-${10 + index}`))
    const ticks = chooseTicks(placeMarks(marks, { from: '2024-04-09', to: '2024-04-20' }, 300), 300)
    for (const [index, { x }] of ticks.entries())
      expect((x - (ticks[index - 1]?.x ?? -1)) * 300).toBeGreaterThanOrEqual(56)
  })
})
