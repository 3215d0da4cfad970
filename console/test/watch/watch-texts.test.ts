import { describe, expect, it } from 'vitest'
import { DEFAULT_WATCH_KINDS } from '../../../service/src/domain/watch/kinds.ts'
import { REFUSED_FILTERS } from '../../../service/src/search/watch/refused-filters.ts'
import { readWatchScope, toWatchScope } from '../../src/text/triage.ts'
import { isBell, readBellQuery } from '../../src/text/watch/bell.ts'
import { DEFAULT_KINDS } from '../../src/text/watch/kinds.ts'
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
