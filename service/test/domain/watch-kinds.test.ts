import { describe, expect, it } from 'vitest'
import { CHANGE_TYPES } from '../../src/domain/change/types.ts'
import { DEFAULT_WATCH_KINDS, isTypeKind, WATCH_KIND_NAMES, WATCH_KINDS } from '../../src/domain/watch/kinds.ts'

describe('The words of `on`', () => {
  it('are the own words and the types of changes to one CVE', () => {
    expect(WATCH_KIND_NAMES).toEqual([
      'entered',
      'left',
      'exploited',
      'epss_rise',
      'epss_fall',
      'affected_changed',
      'became_urgent',
      'cwe_changed',
      'eu_kev_added',
      'eu_kev_removed',
      'exploit_added',
      'kev_added',
      'kev_removed',
      'kev_updated',
      'maturity_raised',
      'notice_added',
      'patch_added',
      'priority_lowered',
      'priority_raised',
      'ransomware_added',
      'rejected',
      'score_changed',
      'severity_band_changed',
      'status_changed',
      'unrejected',
      'updated',
    ])
  })

  it('have the meanings of the types', () => {
    expect(WATCH_KINDS.kev_added).toBe(CHANGE_TYPES.kev_added)
    expect(isTypeKind('kev_added')).toBe(true)
    expect(isTypeKind('entered')).toBe(false)
    expect(isTypeKind('published')).toBe(false)
  })

  it('include the default', () => {
    expect(WATCH_KIND_NAMES).toEqual(expect.arrayContaining([...DEFAULT_WATCH_KINDS]))
  })
})
