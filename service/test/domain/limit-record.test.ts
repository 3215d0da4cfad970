import { describe, expect, it } from 'vitest'
import { limitRecord, limitRecordText, TRUNCATION_MARK, truncateText } from '../../src/domain/source/limit-record.ts'
import { findUpstreamLimits, MAX_MEMBERS, TEXT_LIMITS } from '../../src/domain/source/upstream-limits.ts'

const limit = <T>(record: T, feed = 'nvd') => limitRecord(record, findUpstreamLimits(feed))
const long = (max: number) => 'x'.repeat(max + 1)

describe('limitRecord', () => {
  it('returns a record within the limits unchanged', () => {
    const record = {
      descriptions: [{ value: 'x'.repeat(TEXT_LIMITS.text.max) }],
      references: Array.from({ length: 2000 }, () => ({ url: 'x'.repeat(TEXT_LIMITS.link.max) })),
      day: new Date(0),
      names: new Map([['a', long(900_000)]]),
    }

    expect(limit(record)).toEqual({ record, truncated: [] })
    expect(limit(record).record).toBe(record)
  })

  it('cuts a text that is one character too long, marks the end and names the value', () => {
    const { record, truncated, excess } = limit({ cve: { descriptions: [{ value: long(TEXT_LIMITS.text.max) }] } })

    const { value } = record.cve.descriptions[0] ?? { value: '' }
    expect(value).toHaveLength(TEXT_LIMITS.text.max)
    expect(value.endsWith(`x${TRUNCATION_MARK}`)).toBe(true)
    expect([truncated, excess]).toEqual([['description'], undefined])
  })

  it.each([40, 41, 42, 43])('cuts text between two characters, never inside one, at a maximum of %i', (max) => {
    const cut = truncateText('😀'.repeat(100), max)

    expect(cut.isWellFormed()).toBe(true)
    expect(cut.length).toBeLessThanOrEqual(max)
    expect(cut.length).toBeGreaterThan(max - 2)
  })

  it('keeps the first entries of a list that is too long', () => {
    const references = Array.from({ length: 2001 }, (_, index) => ({ url: `https://example.com/${index}` }))

    const { record, truncated } = limit({ cve: { references } })
    expect(record.cve.references).toEqual(references.slice(0, 2000))
    expect(truncated).toEqual(['references'])
  })

  it('drops a reference whose link is too long, because a truncated link leads elsewhere', () => {
    const references = [{ url: 'https://example.com/' }, { url: long(TEXT_LIMITS.link.max), tags: ['Patch'] }]

    expect(limit({ cve: { references } })).toEqual({
      record: { cve: { references: [{ url: 'https://example.com/' }] } },
      truncated: ['references'],
    })
  })

  it.each([
    ['an id', { cve: { id: long(TEXT_LIMITS.id.max) } }, '/cve/id has 2001 characters, at most 2000 are allowed'],
    ['a CPE name', { cpes: [long(TEXT_LIMITS.id.max)] }, '/cpes has 2001 characters'],
    ['the name of a package', { package: { name: long(TEXT_LIMITS.id.max) } }, '/package/name has 2001 characters'],
    ['a version', { versions: [{ lessThan: long(TEXT_LIMITS.version.max) }] }, '/versions/lessThan has 5001'],
    ['a link outside a list', { html_url: long(TEXT_LIMITS.link.max) }, 'a link is too long'],
    ['a member name', { [long(200)]: 1 }, 'a member of the record has a too long name'],
    [
      'too many members',
      Object.fromEntries(Array.from({ length: MAX_MEMBERS + 1 }, (_, index) => [`m${index}`, 0])),
      'the record has 1001 members',
    ],
  ])('rejects a record with %s beyond the limit', (_name, record, reason) => {
    expect(limit(record).excess).toContain(reason)
  })

  it('has a higher limit for the text of advisories from GitHub and OSV databases', () => {
    const description = long(TEXT_LIMITS.text.max)
    for (const feed of ['ghsa', 'osv-go', 'osv']) expect(limit({ description }, feed).truncated).toEqual([])
    expect(limit({ details: long(TEXT_LIMITS.article.max) }, 'osv-go').truncated).toEqual(['description'])
  })

  it('keeps a member named __proto__ as an ordinary member', () => {
    const { record } = limit(JSON.parse(`{"__proto__": {"a": 1}, "text": "${long(TEXT_LIMITS.text.max)}"}`))

    expect(Object.keys(record)).toEqual(['__proto__', 'text'])
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype)
  })
})

describe('limitRecordText', () => {
  it('returns stored text within the limits unchanged', () => {
    const text = JSON.stringify({ descriptions: [{ value: 'x'.repeat(TEXT_LIMITS.text.max) }] })

    expect(limitRecordText(text, 'nvd')).toEqual({ text, truncated: [] })
  })

  it('cuts stored text that is too long', () => {
    const limited = limitRecordText(JSON.stringify({ descriptions: [{ value: long(900_000) }] }), 'nvd')

    expect(limited?.truncated).toEqual(['description'])
    expect(limited?.text.length).toBeLessThan(TEXT_LIMITS.text.max + 100)
  })

  it('returns undefined for a stored record that a feed would reject', () => {
    expect(limitRecordText(JSON.stringify({ id: long(900_000) }), 'nvd')).toBeUndefined()
  })
})
