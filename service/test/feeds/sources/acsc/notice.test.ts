import { describe, expect, it } from 'vitest'
import { parseNoticeAddress, resolveOnSite } from '../../../../src/feeds/sources/acsc/notice.ts'

describe('ACSC notice URL parser', () => {
  it('removes a trailing slash, the query and the fragment from a notice URL', () => {
    const plain = { id: 'a-notice', url: 'https://www.cyber.gov.au/alerts/a-notice' }
    for (const link of ['', '/', '?utm_source=rss', '#top', '/?a=b#c'].map((end) => `${plain.url}${end}`))
      expect(parseNoticeAddress(link)).toEqual(plain)
    expect(parseNoticeAddress('https://www.cyber.gov.au/alerts/A-Notice')?.id).toBe('a-notice')
  })

  it('rejects a notice URL without a path, without http or https, or with a segment over 300 characters', () => {
    const links = [
      'https://www.cyber.gov.au/',
      '/alerts/a',
      'javascript:alert(1)',
      'a notice',
      `https://a.b/${'c'.repeat(400)}`,
    ]
    expect(links.map(parseNoticeAddress)).toEqual(links.map(() => undefined))
  })

  it('resolves a page URL to the configured site and returns undefined for another site', () => {
    const siteUrl = 'https://www.cyber.gov.au/rss/alerts'
    expect(resolveOnSite(siteUrl, 'http://cyber.gov.au/alerts/a')).toBe('https://www.cyber.gov.au/alerts/a')
    for (const elsewhere of [
      'https://www.cisa.gov/a',
      'https://www.cyber.gov.au.example.org/a',
      'https://www.cyber.gov.au:8443/a',
    ])
      expect(resolveOnSite(siteUrl, elsewhere)).toBeUndefined()
  })
})
