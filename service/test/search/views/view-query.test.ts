import { describe, expect, it } from 'vitest'
import { BUILT_IN_VIEWS } from '../../../src/search/views/built-in.ts'
import { readViewQuery, toSearch } from '../../../src/search/views/view-query.ts'

const NOW = new Date('2026-08-22T23:30:00Z')

const read = (text: string) => readViewQuery(text, NOW)
const listIssues = (text: string) => {
  const reading = read(text)
  return 'issues' in reading ? reading.issues.map(({ parameter, message }) => `${parameter} ${message}`) : []
}

describe('The query of a view', () => {
  it.each([
    ['sort=epss_desc&severity=HIGH,critical,high&kev=true', 'severity=critical,high&kev=true&sort=epss_desc'],
    ['severity=high&severity=critical', 'severity=critical,high'],
    ['ids=cve-2024-3094,CVE-2021-44228', 'ids=CVE-2021-44228,CVE-2024-3094'],
    ['product_vendor=Palo%20Alto%20Networks', 'product_vendor=Palo%20Alto%20Networks'],
    ['product=iOS, iPadOS&product=macos', 'product=iOS,%20iPadOS&product=macos'],
    ['q=%22remote+code%22+-php&epss_min=0.10', 'q=%22remote%20code%22%20-php&epss_min=0.1'],
    ['published_after=today-7d&published_before=today', 'published_after=today-7d&published_before=today'],
    ['purl=pkg:npm/lodash@4.17.20', 'purl=pkg:npm%2Flodash%404.17.20'],
    ['vendor=nvd&q=', 'vendor=nvd'],
    ['', ''],
  ])('%j is stored as %j', (sent, stored) => {
    expect(read(sent)).toEqual({ value: stored })
    expect(read(stored), 'the stored form is stable').toEqual({ value: stored })
  })

  it.each([
    ['severity_min=8&severity_max=3', ['severity_min must not exceed severity_max']],
    ['kevv=true', ['kevv is not a query parameter of a view; did you mean kev?']],
    ['limit=5&include=enrichment', [expect.stringMatching(/^limit is not/), expect.stringMatching(/^include is not/)]],
    ['sort=relevance', [expect.stringMatching(/^sort relevance requires words in q/)]],
    [
      'kev=1&kev_added_after=yesterday',
      ['kev must be true or false', expect.stringMatching(/^kev_added_after must be a date.*or relative .*today-7d/)],
    ],
    [
      'published_after=today-7d&published_before=2026-09-01',
      ['published_before must be relative too, such as today, because published_after moves with the day'],
    ],
    ['published_after=today-1d&published_before=today-3d', ['published_after must not be later than published_before']],
    [
      'cpe=cpe:2.3:a:x:y:*:*:*:*:*:*:*:*&purl=pkg:npm/a',
      [expect.stringMatching(/^cpe must not be sent together with purl/)],
    ],
    [`q=${'a'.repeat(257)}`, [expect.stringMatching(/^q must be text of at most 256/)]],
  ])('%j is refused with the messages of a search', (sent, issues) => {
    expect(listIssues(sent)).toEqual(issues)
  })

  it('is refused if it is longer than can be stored', () => {
    const names = Array.from({ length: 20 }, (_, index) => `${index}${'x'.repeat(110)}`).join(',')
    expect(listIssues(`product=${names}`)).toEqual([expect.stringMatching(/ must have at most 2000 characters/)])
  })

  it('runs with the days of today in UTC, and with the add-on that a filter needs', () => {
    expect(toSearch('patched=false&kev_added_after=today-30d&published_before=today', NOW)).toBe(
      'patched=false&kev_added_after=2026-07-23&published_before=2026-08-22&include=enrichment',
    )
    expect(toSearch('kev_added_after=2024-01-01', NOW)).toBe('kev_added_after=2024-01-01')
    expect(toSearch('q=today-7d', NOW), 'words are not days').toBe('q=today-7d')
  })
})

describe('The built-in views', () => {
  it.each(BUILT_IN_VIEWS)('$id has a valid query in the stored form', ({ query }) => {
    expect(read(query)).toEqual({ value: query })
  })
})
