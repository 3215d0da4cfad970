import { describe, expect, it } from 'vitest'
import { parseSearch, stringifySearch } from '../../src/app/search-string.ts'
import { findSearchHint } from '../../src/pages/explorer/search-hint.ts'
import { parseState, toSearch } from '../../src/pages/explorer/state.ts'

const find = (query: string) => findSearchHint(parseState(parseSearch(query)), 2026)

describe('A search whose words name filters', () => {
  it.each([
    ['FortiOS exploited 2024', 'FortiOS', ['exploited', 'published 2024']],
    ['kev P0 Exchange Server', 'Exchange Server', ['in CISA KEV', 'level P0']],
    ['Citrix exploited ransomware', 'Citrix', ['exploited by ransomware']],
    ['Critical critical nginx', 'nginx', ['severity critical']],
  ])('offers them for "%s"', (q, words, filters) => {
    expect(find(`?q=${q}`)).toMatchObject({ words, filters })
  })

  it.each([
    ['no word that names a filter', 'FortiOS'],
    ['no other word', 'exploited 2024'],
    ['a year to come', 'FortiOS 2027'],
    ['two years, which are more likely versions', 'Office 2016 2019'],
    ['an id', 'CVE-2024-1234'],
    ['the name of a member that every object has', 'constructor FortiOS'],
  ])('offers nothing for %s', (_, q) => {
    expect(find(`?q=${q}`)).toBeUndefined()
  })

  it('leads to the other words with the filters, and keeps those that are set', () => {
    const hint = find('?q=FortiOS exploited 2024&severity=high')
    expect(hint && stringifySearch(toSearch(hint.state))).toBe(
      '?q=FortiOS&severity=high&published_after=2024-01-01&published_before=2024-12-31&exploit_maturity=ransomware,active',
    )
  })
})
