import { describe, expect, it } from 'vitest'
import { parseEmail } from '../../src/domain/account/email.ts'

describe('parseEmail', () => {
  it('returns the address in lower case and without spaces around it', () => {
    expect(parseEmail(' Ada.Lovelace+vis@Example.org ')).toBe('ada.lovelace+vis@example.org')
  })

  it.each(['ada', 'ada@', 'ada@example.org, eve@example.org', 'ada@example.org\nbcc: eve', 'mar\u212A@example.org'])(
    'rejects %j: it is not an address, is more than one, or has a letter that becomes an ASCII letter in lower case',
    (text) => {
      expect(parseEmail(text)).toBeUndefined()
    },
  )
})
