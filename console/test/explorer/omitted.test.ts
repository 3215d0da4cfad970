// What a list says about the CVEs that it cannot find.
import { describe, expect, it } from 'vitest'
import { describeUnscored, describeUrgentRecord, dropScoreFilters } from '../../src/pages/explorer/omitted/omissions.ts'
import { parseState } from '../../src/pages/explorer/state.ts'
import { chooseFixWord } from '../../src/text/verdict/fix-word.ts'

describe('CVEs without a score', () => {
  it('are counted, or named without a number until they are', () => {
    expect(describeUnscored(undefined)).toBe('CVEs without a score are left out.')
    expect(describeUnscored(1)).toMatch(/^1 CVE without a score, or with 0\.0, is left out/)
    expect(describeUnscored(1496)).toMatch(/^1,496 CVEs without a score, or with 0\.0, are left out/)
  })

  it('come back without the filters by score, and every other filter stays', () => {
    const state = parseState({ severity: 'high', cvss_min: '7', product_vendor: 'acme' })
    expect(dropScoreFilters(state)?.filters).toEqual({ product_vendor: 'acme' })
    expect(dropScoreFilters(parseState({ product_vendor: 'acme' }))).toBeUndefined()
  })
})

describe('CVEs that became urgent', () => {
  it('are not said to be all of them if the record began after the first day of the filter', () => {
    expect(describeUrgentRecord('2026-08-15', '2026-08-20T18:00:00Z')).toMatch(/recorded since 20 August/)
    expect(describeUrgentRecord('2026-08-15', null)).toMatch(/not recorded a change of a level yet/)
    expect(describeUrgentRecord('2026-08-21', '2026-08-20T18:00:00Z')).toBeUndefined()
  })
})

describe('The word for a fix', () => {
  it('is "exists" if a source says that a fix exists and none names a version', () => {
    expect(chooseFixWord({ fixes: [{}], enrichment: { patch_available: true } })).toBe('named')
    expect(chooseFixWord({ fixes: [], enrichment: { patch_available: true } })).toBe('exists')
    expect(chooseFixWord({ enrichment: null })).toBe('none named')
  })
})
