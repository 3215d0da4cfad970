import { describe, expect, it } from 'vitest'
import { normaliseNotice } from '../../../../src/feeds/sources/acsc/normalise.ts'
import { SITE } from './documents.ts'

const NOW = new Date('2026-08-22T00:00:00Z')

const WRITTEN = {
  title: 'About a notice',
  url: `${SITE}/alerts/a-notice`,
  type: 'alert',
  publishedDate: '2026-08-21',
  cves: ['CVE-2024-1111'],
}

const normalise = (changed: Readonly<Record<string, unknown>>) =>
  normaliseNotice({ place: 'acsc-notices.ndjson line 7', written: { ...WRITTEN, ...changed } }, NOW)

describe('ACSC feed: a notice that an operator wrote', () => {
  it('needs a title, a url, a type, a date and its CVE ids', () => {
    expect(normalise({})).toMatchObject({
      id: 'a-notice',
      title: 'About a notice',
      url: `${SITE}/alerts/a-notice`,
      type: 'alert',
      priority: null,
      published: new Date('2026-08-20T14:00:00Z'),
      updated: null,
      summary: null,
      affectedProducts: [],
      cveIds: ['CVE-2024-1111'],
      isWhole: true,
      isFuture: false,
    })
  })

  it('may state a priority, an update, a summary and products', () => {
    expect(
      normalise({
        title: '  About\na notice ',
        type: 'advisory',
        publishedDate: '2026-08-20T09:30:00+10:00',
        lastUpdated: '2026-08-21T00:00:00Z',
        priority: 'critical',
        summary: 'word '.repeat(200),
        affectedProducts: ['Gateway 14.1', ' Gateway 13.1', 'Gateway 14.1'],
        cves: ['cve-2024-2222', 'CVE-2024-1111', 'CVE-2024-1111'],
      }),
    ).toMatchObject({
      title: 'About a notice',
      type: 'advisory',
      published: new Date('2026-08-19T23:30:00Z'),
      updated: new Date('2026-08-21T00:00:00Z'),
      priority: 'Critical',
      summary: expect.stringMatching(/^(word )+word…$/),
      affectedProducts: ['Gateway 14.1', 'Gateway 13.1'],
      cveIds: ['CVE-2024-2222', 'CVE-2024-1111'],
    })
  })

  it('may name no CVE, and may leave optional members null', () => {
    expect(
      normalise({ cves: [], lastUpdated: null, priority: null, summary: null, affectedProducts: null }),
    ).toMatchObject({ cveIds: [], updated: null, priority: null, summary: null, affectedProducts: [] })
  })

  it('takes CVE ids only from its list, because a text may also name others', () => {
    expect(normalise({ summary: 'Unlike CVE-2020-9999.', cves: [] })).toMatchObject({ cveIds: [] })
  })

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['no title', { title: undefined }, 'title is missing; it must be a text that is not empty'],
    ['a blank title', { title: '  ' }, 'title is "  "; it must be a text that is not empty'],
    ['no url', { url: undefined }, 'url is missing; it must be an http or https address'],
    ['a javascript: url', { url: 'javascript:alert(1)' }, 'url is "javascript:alert(1)"; it must be an http or https'],
    ['the url of a site', { url: 'https://www.cyber.gov.au/' }, 'url is "https://www.cyber.gov.au/"; it must be'],
    ['another type', { type: 'warning' }, 'type is "warning"; it must be "alert" or "advisory"'],
    ['no date', { publishedDate: undefined }, 'publishedDate is missing; it must be a day in Sydney ("2026-09-28")'],
    ['a day that does not exist', { publishedDate: '2026-02-30' }, 'publishedDate is "2026-02-30"; it must be a day'],
    ['a time without a zone', { publishedDate: '2026-08-21T10:00:00' }, 'or a time with its zone ("2026-09-28T09:30'],
    ['an RSS date', { publishedDate: 'Fri, 21 Aug 2026 10:00:00 +1000' }, 'publishedDate is "Fri, 21 Aug 2026'],
    ['an update before the date', { lastUpdated: '2026-08-20' }, 'lastUpdated is "2026-08-20"; it must be'],
    ['no CVE list', { cves: undefined }, 'cves is missing; it must be a list of at most 500 CVE ids'],
    ['a text instead of a list', { cves: 'CVE-2024-1111' }, 'cves is "CVE-2024-1111"; it must be a list'],
    ['a wrong CVE id', { cves: ['CVE-2024-1111', 'CVE-24-1'] }, 'cves[1] is "CVE-24-1"; it must be a CVE id'],
    ['501 CVE ids', { cves: Array(501).fill('CVE-2024-1111') }, 'it must be a list of at most 500 CVE ids'],
    ['another priority', { priority: 'P1' }, 'priority is "P1"; it must be one of "Critical", "High", "Medium", "Low"'],
    ['a number as summary', { summary: 7 }, 'summary is 7; it must be a text'],
    ['a text as products', { affectedProducts: 'all' }, 'affectedProducts is "all"; it must be a list of at most 100'],
    ['a misspelt member', { cve: [] }, 'there is no member "cve"; the members of a notice are title, url, type'],
    ['a member named like a method', { toString: 1 }, 'there is no member "toString"'],
  ])('with %s is rejected with the file, the line, the member and what is allowed', (_name, changed, reason) => {
    expect(normalise(changed)).toEqual({
      rejected: 'acsc-notices.ndjson line 7',
      reason: expect.stringContaining(reason),
    })
  })

  it.each([['a text'], [7], [null], [[WRITTEN]]])('that is %j instead of an object is rejected', (written) => {
    expect(normaliseNotice({ place: 'acsc-notices.json', written }, NOW)).toMatchObject({
      reason: expect.stringContaining('a notice must be an object with the members title, url'),
    })
  })
})
