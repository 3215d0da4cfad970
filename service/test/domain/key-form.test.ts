import { describe, expect, it } from 'vitest'
import { issueKey } from '../../src/accounts/keys/api-key.ts'
import { containsKey, redactKeys } from '../../src/domain/account/key-form.ts'

const { key } = issueKey('live')
const encode = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('')

const FORMS = {
  'as issued': key,
  'in capital letters': key.toUpperCase(),
  'with one escaped letter': key.replace('v', '%76'),
  'with one escaped letter in capitals': key.replace('v', '%56'),
  'with an escaped underscore': key.replace('_', '%5F'),
  'with every character escaped': encode(key),
  'escaped twice': encode(key).replaceAll('%', '%25'),
  'escaped four times': encode(key).replaceAll('%', '%252525'),
  'with every character of its escapes escaped': encode(encode(key)),
  'inside a longer word': `x${key}y`,
} as const

describe.each(Object.entries(FORMS))('Key form: an API key %s', (_form, text) => {
  it('is recognised', () => {
    expect(containsKey(`before ${text} after`)).toBe(true)
  })

  it('is removed from a text, leaving the text around it', () => {
    const redacted = redactKeys(`{"path":"/a/${text}/b","n":1}`)
    expect(redacted).toContain('[redacted]')
    expect(redacted.toLowerCase()).not.toContain(key.slice(9).toLowerCase())
    expect(decodeURIComponent(redacted).toLowerCase()).not.toContain(key.slice(9).toLowerCase())
    expect(redacted).toMatch(/^\{"path":"\/a\/.*\/b","n":1\}$/)
  })
})

describe('Key form: other text', () => {
  it.each(['CVE-2021-44228', '100%', '%zz%2', '%25%25%25', 'vis_other_x', 'vis live', 'a%20b'])('keeps %j', (text) => {
    expect([containsKey(text), redactKeys(text)]).toEqual([false, text])
  })

  it('removes every key in a text', () => {
    expect(redactKeys(`${key} and ${key.toUpperCase()},${encode(key)}`)).toBe(
      'vis_live_[redacted] and vis_live_[redacted],[redacted]',
    )
  })
})
