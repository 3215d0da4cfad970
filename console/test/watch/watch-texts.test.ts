import { describe, expect, it } from 'vitest'
import { DEFAULT_WATCH_KINDS } from '../../../service/src/domain/watch/kinds.ts'
import { REFUSED_FILTERS } from '../../../service/src/search/watch/refused-filters.ts'
import { readWatchScope, toWatchScope } from '../../src/text/triage.ts'
import { isBell, readBellQuery } from '../../src/text/watch/bell.ts'
import {
  describeChange,
  describeOutcome,
  type ExplainedChange,
  summariseExplanation,
} from '../../src/text/watch/explain.ts'
import { DEFAULT_KINDS } from '../../src/text/watch/kinds.ts'
import { describeAmount } from '../../src/text/watch/preview.ts'
import { describeQuery, suggestWatchName } from '../../src/text/watch/query.ts'
import { listRefused, withoutRefused } from '../../src/text/watch/refused.ts'

describe('The search of a watch', () => {
  it('is described in the words of the list, whatever form its lists have', () => {
    expect(describeQuery('priority=P0&priority=P1&product_vendor=fortinet,citrix&sort=level_desc')).toEqual([
      'Level: P0 act now, P1 this week',
      'Vendor: Fortinet, Citrix',
    ])
  })

  it('says to which day a relative day belongs', () => {
    expect(describeQuery('kev_added_after=today-7d')).toEqual(['in KEV from 7 days before the change'])
  })

  it('says that it finds everything if it has no filter', () => {
    expect(describeQuery('sort=level_desc')).toEqual(['every CVE'])
  })

  it('gives the watch a name that the service accepts', () => {
    expect(suggestWatchName('product_vendor=apache')).toBe('Vendor: Apache')
    expect(suggestWatchName(`q=${'word '.repeat(60)}`)).toHaveLength(100)
  })
})

describe('Filters that a watch cannot have', () => {
  it('are those of the service', () => {
    const query = new URLSearchParams(Object.keys(REFUSED_FILTERS).map((name) => [name, '0.5']))

    expect(
      listRefused(query.toString())
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(Object.keys(REFUSED_FILTERS).toSorted())
  })

  it('are left out, and each says what to use instead', () => {
    const query = 'modified_after=2026-01-01&product_vendor=apache'

    expect(listRefused(query)).toMatchObject([{ words: 'modified from 2026-01-01' }])
    expect(withoutRefused(query)).toBe('product_vendor=apache')
  })
})

describe('A new watch', () => {
  it('tells what the service tells by default', () => {
    expect(DEFAULT_KINDS).toEqual(DEFAULT_WATCH_KINDS)
  })
})

describe('The bell of a CVE', () => {
  it('is a watch of this CVE alone', () => {
    expect(readBellQuery('ids=CVE-2024-3400&sort=level_desc')).toBe('CVE-2024-3400')
    expect(readBellQuery('ids=CVE-2024-3400,CVE-2024-3401')).toBeUndefined()
    expect(readBellQuery('ids=CVE-2024-3400&kev=true')).toBeUndefined()
  })

  it('is no view that people chose', () => {
    expect(isBell({ on: ['exploited'], query: 'ids=CVE-2024-3400' })).toBe(true)
    expect(isBell({ on: null, query: 'ids=CVE-2024-3400' })).toBe(false)
  })
})

describe('The scope of a mute', () => {
  it('names the watch', () => {
    expect(readWatchScope(toWatchScope('7'))).toBe('7')
    expect(readWatchScope('pkg:npm/lodash')).toBeUndefined()
  })
})

describe('The amount of events of a preview', () => {
  const count = (kind: string, total: number) => ({ kind, count: total, daily: [] })
  const preview = {
    examined_since: null,
    is_complete: true,
    judged_days: Array.from({ length: 30 }, (_, day) => `2026-08-${day}`),
    expected_total: 16,
    expected_daily: [],
    by_kind: [count('entered', 11), count('exploited', 5)],
    expected_events: [],
  }

  it('is a maximum if one event can have several of the kinds', () => {
    expect(describeAmount(preview, ['entered', 'exploited'])).toBe(
      'With what is chosen: at most 16 events in 30 days, about 4 a week.',
    )
    expect(describeAmount(preview, ['exploited'])).toBe('With what is chosen: 5 events in 30 days, about 1 a week.')
    expect(describeAmount(preview, ['left'])).toBe('What is chosen did not happen in 30 days.')
  })

  it('says that fewer days were examined', () => {
    const short = { ...preview, is_complete: false, judged_days: ['2026-08-21'] }

    expect(describeAmount(short, ['exploited'])).toBe(
      'With what is chosen: 5 events in 1 day. The service could not look at all of the last 30 days.',
    )
  })
})

describe('The answer to "Why was I not told?"', () => {
  const change: ExplainedChange = {
    position: '7:0f3a5c1d2b4e6f70',
    recorded_at: '2026-08-21T20:00:03Z',
    at: '2026-08-21',
    types: ['kev_added'],
    cause: 'data',
    matched_before: false,
    matched_after: false,
    failed_filters: ['product_vendor'],
    entered_by: [],
    on: [],
    other_kinds: [],
    event_nr: null,
    muted: false,
    no_event_because: 'not_in_search',
  }

  it('names the filter that said no, in the words of the search', () => {
    expect(describeOutcome(change, 'product_vendor=fortinet')).toBe(
      'Not told: the search did not find it, because “Vendor: Fortinet” did not hold.',
    )
    expect(describeChange(change)).toBe('Added to KEV')
  })

  it('names what the watch does not ask for', () => {
    const asked: ExplainedChange = {
      ...change,
      no_event_because: 'not_asked',
      other_kinds: ['patch_added', 'epss_rise'],
    }

    expect(describeOutcome(asked, '')).toBe(
      'Not told: the watch does not ask when a CVE “gets a named fix” or “gets a clearly higher EPSS score”.',
    )
  })

  it('says what was told, and that it was muted', () => {
    const told: ExplainedChange = { ...change, no_event_because: null, event_nr: 4, on: ['entered'], muted: true }

    expect(describeOutcome(told, '')).toBe('You were told: “entered your search”. The event was muted.')
  })

  it('begins with one sentence', () => {
    const explanation = { matches_now: false, failed_now: ['kev'], examined_since: null, is_complete: true }

    expect(summariseExplanation({ ...explanation, explained_changes: [change] }, 'kev=true')).toBe(
      'You were not told. The search does not find it now: “In CISA KEV” does not hold.',
    )
    expect(summariseExplanation({ ...explanation, failed_now: [], explained_changes: [] }, '')).toBe(
      'No change of it is known in this time. The search does not find it now.',
    )
  })
})
