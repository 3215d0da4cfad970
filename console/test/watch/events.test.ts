import type { WatchEvent } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import {
  describeItem,
  describeReason,
  describeWhole,
  groupByDay,
  groupEvents,
  type InboxItem,
  listItemChanges,
  listItemWatches,
  nameItem,
} from '../../src/text/watch/events.ts'
import { event, withRecord } from './example-event.ts'

function item(...events: readonly WatchEvent[]): InboxItem {
  const [only, ...others] = groupEvents(events)
  if (!only || others.length > 0) throw new Error('The events make no single item')
  return only
}

describe('The lines of the inbox', () => {
  it('are one for each day and CVE, with the newest event first', () => {
    const items = groupEvents([
      event(4),
      event(3, { cve_id: 'CVE-2026-2222' }),
      event(2, { watch: { id: '9', name: 'All', team: null } }),
      event(1, { recorded_at: '2026-08-20T10:00:00Z' }),
    ])

    expect(items.map(({ cveId, nr, day }) => [cveId, nr, day])).toEqual([
      ['CVE-2026-1111', 4, '2026-08-21'],
      ['CVE-2026-2222', 3, '2026-08-21'],
      ['CVE-2026-1111', 1, '2026-08-20'],
    ])
    expect(items[0] && listItemWatches(items[0]).map(({ name }) => name)).toEqual(['Edge devices', 'All'])
  })

  it('keep muted events apart, so that they hide nothing', () => {
    expect(groupEvents([event(2, { muted: true }), event(1)]).map(({ isMuted }) => isMuted)).toEqual([true, false])
  })

  it('put an event that was caught up later on the day of its change', () => {
    const days = groupByDay(groupEvents([event(2, { recorded_at: '2026-08-19T10:00:00Z' }), event(1)]))

    expect(days.map(([day]) => day)).toEqual(['2026-08-21', '2026-08-19'])
  })

  it('never join events that are about no single CVE', () => {
    const gap = { type: 'gap', cve_id: null, on: [], record_after: null } as const
    expect(groupEvents([event(2, gap), event(1, gap)])).toHaveLength(2)
  })

  it('name the products in the words of people', () => {
    expect(nameItem(item(event(1)))).toBe('Fortinet FortiOS')
    expect(nameItem(item(event(1, { record_after: withRecord({ product_count: 3 }) })))).toBe(
      'Fortinet FortiOS and 2 more',
    )
    expect(nameItem(item(event(1, { record_after: null })))).toBe('Product not named')
  })
})

describe('What happened, in one line', () => {
  it('says who lists an exploited CVE', () => {
    const listed = event(1, {
      on: ['entered', 'exploited', 'kev_added'],
      diff: { 'kev.dateAdded': { old: null, new: '2026-08-21' }, 'eu_kev.listed': { old: false, new: true } },
    })

    expect(describeItem(item(listed))).toEqual({
      icon: 'exploited',
      words: 'Entered your search and exploited (CISA and ENISA)',
    })
  })

  it('shows the old and the new level', () => {
    const raised = event(1, {
      on: ['priority_raised', 'became_urgent'],
      diff: { 'priority.level': { old: 'unrated', new: 'P1' } },
    })

    expect(describeItem(item(raised)).words).toBe('More urgent level (not assessed → P1)')
  })

  it('keeps the capitals of an abbreviation inside of the line', () => {
    expect(describeItem(item(event(1, { on: ['entered', 'epss_rise'] }))).words).toBe(
      'Entered your search and EPSS rose',
    )
  })
})

describe('What changed', () => {
  it('has the first old and the last new value of a day, with the level first', () => {
    const later = event(2, {
      recorded_at: '2026-08-21T21:00:00Z',
      types: ['priority_raised'],
      diff: { severity: { old: 7.5, new: 9.8 }, 'priority.level': { old: 'P2', new: 'P0' } },
    })
    const earlier = event(1, { types: ['priority_raised'], diff: { 'priority.level': { old: 'P3', new: 'P2' } } })

    expect(listItemChanges(item(later, earlier)).values).toEqual([
      { label: 'Priority', old: 'P3 next cycle', new: 'P0 act now' },
      { label: 'Base score', old: '7.5 high', new: '9.8 critical' },
    ])
  })

  it('names what has no value', () => {
    const { values, titles } = listItemChanges(item(event(1, { types: ['affected_changed'] })))

    expect(values).toEqual([])
    expect(titles).toEqual(['Affected products changed'])
  })
})

describe('Why an event was told', () => {
  it('names the filter that holds since the change, in the words of the search', () => {
    const entered = event(1, { on: ['entered'], entered_by: ['priority'] })

    expect(describeReason(entered, 'priority=P0,P1&product_vendor=fortinet')).toBe(
      'The search finds it since this change: “Level: P0 act now, P1 this week” did not hold before and holds now.',
    )
  })

  it('says that a CVE is new in the catalog', () => {
    expect(describeReason(event(1, { entered_by: ['published'] }), 'kev=true')).toBe(
      'It is new in the catalog, and the search finds it.',
    )
  })

  it('names what the watch asked for, if the CVE was in the search before', () => {
    expect(describeReason(event(1, { on: ['exploited', 'patch_added'] }), undefined)).toBe(
      'It is in the search. The watch tells when a CVE “becomes exploited” and “gets a named fix”.',
    )
  })

  it('says that a CVE left', () => {
    expect(describeReason(event(1, { on: ['left'] }), undefined)).toBe('It is no longer found by the search.')
  })
})

describe('Events about no single CVE', () => {
  const recalculated = (cause: string, entered: number, left: number) =>
    event(1, {
      type: 'recalculated',
      cve_id: null,
      on: [],
      record_after: null,
      recalculation: {
        cause,
        entered_count: entered,
        left_count: left,
        entered_levels: {},
        left_levels: {},
        entered_ids: [],
        left_ids: [],
      },
    })

  it('say that nothing happened to the CVEs, and why they moved', () => {
    expect(describeWhole(recalculated('rules', 2, 1))).toBe(
      '2 CVEs entered and 1 CVE left “Edge devices”, because this service has new rules. They have no events of their own.',
    )
    expect(describeWhole(recalculated('source', 1, 0))).toBe(
      '1 CVE entered “Edge devices”, because a source was read as a whole or in a new way. They have no events of their own.',
    )
  })

  it('say that something may have been missed', () => {
    const gap = event(1, { type: 'gap', cve_id: null, on: [], record_after: null })

    expect(describeWhole(gap)).toContain('could not be judged for “Edge devices”')
  })
})
