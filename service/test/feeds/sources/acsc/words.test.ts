import { describe, expect, it } from 'vitest'
import { formatInstant } from '../../../../src/domain/instant.ts'
import { cveIdsInText } from '../../../../src/feeds/sources/acsc/cve-ids-in-text.ts'
import { parseDay, parseMailDate } from '../../../../src/feeds/sources/acsc/dates.ts'
import { noticeAddress, onSiteOf } from '../../../../src/feeds/sources/acsc/notice.ts'

describe('Dates in the feeds of the ACSC', () => {
  it.each([
    ['Mon, 28 Sep 2026 09:30:00 +1000', '2026-09-27T23:30:00Z'],
    ['Mon, 28 Sep 2026 09:30:00 AEST', '2026-09-27T23:30:00Z'],
    ['Mon, 05 Oct 2026 09:30:00 AEDT', '2026-10-04T22:30:00Z'],
    ['Mon, 05 Oct 2026 09:30:00 +1100', '2026-10-04T22:30:00Z'],
    ['Mon, 28 Sep 2026 09:30:00 GMT', '2026-09-28T09:30:00Z'],
    ['28 Sep 2026 09:30 UT', '2026-09-28T09:30:00Z'],
    ['Mon, 28 Sep 2026 09:30:00 -0330', '2026-09-28T13:00:00Z'],
    [' Mon,  8 Sep 2025\n09:30:00 Z ', '2025-09-08T09:30:00Z'],
  ])('%s is %s', (said, meant) => {
    expect(formatInstant(parseMailDate(said) ?? new Date(0))).toBe(meant)
  })

  it('are meant for Sydney when they do not say where, on either side of the change to summer time', () => {
    const [before, after] = ['Sun, 04 Oct 2026 01:30:00', 'Sun, 04 Oct 2026 03:30:00'].map(parseMailDate)

    expect(before).toEqual(new Date('2026-10-03T15:30:00Z'))
    expect(after).toEqual(new Date('2026-10-03T16:30:00Z'))
  })

  it.each([
    'Sun, 27 Sep 26 12:00:00 +0000',
    'Mon, 28 Sep 2026 09:30:00 EST',
    'Mon, 28 Sep 2026 09:30:00 +10:00',
    'Mon, 28 Sep 2026 09:30:00 +2500',
    'Mon, 31 Sep 2026 09:30:00 +1000',
    'Mon, 28 Sept 2026 09:30:00 +1000',
    'Mon, 28 Sep 2026 24:00:00 +1000',
    'Mon, 28 Sep 2026',
    'Funday, 28 Sep 2026 09:30:00 +1000',
    '2026-09-28T09:30:00Z',
    'yesterday',
    '',
  ])('are refused when they are not of that form: %j', (said) => {
    expect(parseMailDate(said)).toBeUndefined()
  })

  it('are days on its pages, which begin at midnight in Sydney', () => {
    expect(parseDay('09 Feb 2024')).toEqual(new Date('2024-02-08T13:00:00Z'))
    expect(parseDay('9 June 2024')).toEqual(new Date('2024-06-08T14:00:00Z'))
    expect([parseDay('30 Feb 2024'), parseDay('9 Foo 2024'), parseDay('')]).toEqual([undefined, undefined, undefined])
  })
})

describe('CVE ids in running text', () => {
  it.each([
    ['in any letter case', 'cve-2024-21762 and Cve-2024-23897', ['CVE-2024-21762', 'CVE-2024-23897']],
    [
      'each once, by year and number',
      'CVE-2024-10000, CVE-2024-9999, CVE-2023-4966, CVE-2024-9999',
      ['CVE-2023-4966', 'CVE-2024-9999', 'CVE-2024-10000'],
    ],
    ['with a space, as partners write them', 'CVE 2019-11510', ['CVE-2019-11510']],
    [
      'with the hyphens of word processors',
      'CVE‑2024‑21762, CVE–2024–23897, CVE−2023−4966',
      ['CVE-2023-4966', 'CVE-2024-21762', 'CVE-2024-23897'],
    ],
    ['side by side', '(CVE-2023-4966/CVE-2023-4967)', ['CVE-2023-4966', 'CVE-2023-4967']],
    ['of four digits and of many', 'CVE-2024-0001 CVE-2024-1234567', ['CVE-2024-0001', 'CVE-2024-1234567']],
  ])('are found %s', (_name, text, ids) => {
    expect(cveIdsInText(text)).toEqual(ids)
  })

  it.each([
    ['too short', 'CVE-2024-123'],
    ['not numbered yet', 'CVE-2024-XXXX'],
    ['part of another word', 'XCVE-2024-12345 or notcve-2024-12345'],
    ['padded beyond four digits', 'CVE-2024-00012'],
    ['longer than any', 'CVE-2024-12345678901234567890'],
    ['something else', 'CVSS 9.8, CWE-79, KB2024-12345'],
  ])('are not seen in what is %s', (_name, text) => {
    expect(cveIdsInText(text)).toEqual([])
  })

  it('are all those from the first through the last', () => {
    expect(cveIdsInText('See CVE-2026-88771 through CVE-2026-88774.')).toEqual([
      'CVE-2026-88771',
      'CVE-2026-88772',
      'CVE-2026-88773',
      'CVE-2026-88774',
    ])
    expect(cveIdsInText('CVE-2026-9999 through CVE-2026-10001')).toEqual([
      'CVE-2026-9999',
      'CVE-2026-10000',
      'CVE-2026-10001',
    ])
    expect(cveIdsInText('CVE-2026-0998 through CVE-2026-1000')).toEqual([
      'CVE-2026-0998',
      'CVE-2026-0999',
      'CVE-2026-1000',
    ])
  })

  it('are only two when the words between may mean a list, a slip or another year', () => {
    for (const text of [
      'CVE-2026-88771 to CVE-2026-88774',
      'CVE-2026-88771 – CVE-2026-88774',
      'CVE-2026-10000 through CVE-2026-90000',
      'CVE-2025-88771 through CVE-2026-88774',
      'CVE-2026-88774 through CVE-2026-88771',
    ])
      expect(cveIdsInText(text)).toHaveLength(2)
  })
})

describe('The address of a notice', () => {
  it('is one, however it is linked', () => {
    const plain = { id: 'a-notice', url: 'https://www.cyber.gov.au/alerts/a-notice' }
    for (const link of ['', '/', '?utm_source=rss', '#top', '/?a=b#c'].map((end) => `${plain.url}${end}`))
      expect(noticeAddress(link)).toEqual(plain)
    expect(noticeAddress('https://www.cyber.gov.au/alerts/A-Notice')?.id).toBe('a-notice')
  })

  it('is none when nothing is named, or when it is not of the web', () => {
    const links = [
      'https://www.cyber.gov.au/',
      '/alerts/a',
      'javascript:alert(1)',
      'a notice',
      `https://a.b/${'c'.repeat(400)}`,
    ]
    expect(links.map(noticeAddress)).toEqual(links.map(() => undefined))
  })

  it('leads to the site that we were told to ask, or nowhere', () => {
    const told = 'https://www.cyber.gov.au/rss/alerts'
    expect(onSiteOf(told, 'http://cyber.gov.au/alerts/a')).toBe('https://www.cyber.gov.au/alerts/a')
    for (const elsewhere of [
      'https://www.cisa.gov/a',
      'https://www.cyber.gov.au.example.org/a',
      'https://www.cyber.gov.au:8443/a',
    ])
      expect(onSiteOf(told, elsewhere)).toBeUndefined()
  })
})
