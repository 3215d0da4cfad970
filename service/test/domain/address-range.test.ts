import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAddressCheck, isWholeRange, normalizeAddressRange } from '../../src/domain/account/address-range.ts'

describe('normalizeAddressRange', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1', '2001:db8::1/128'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['64:ff9b::192.0.2.33/96', '64:ff9b::/96'],
    ['::/0', '::/0'],
  ])('writes %s as %s', (sent, stored) => {
    expect(normalizeAddressRange(sent)).toBe(stored)
  })

  it.each([
    '',
    '203.0.113',
    '203.0.113.0/33',
    '2001:db8::/129',
    '203.0.113.0/',
    '/24',
    'fe80::1%eth0',
    '::ffff:192.0.2.1',
    'office',
    '1.2.3.4/8/8',
  ])('does not accept %j', (sent) => {
    expect(normalizeAddressRange(sent)).toBeUndefined()
  })
})

describe('isWholeRange', () => {
  it('is false for a range whose address has bits after the prefix', () => {
    expect(['10.0.0.0/8', '10.0.0.1/8', '2001:db8::/32', '2001:db8::1/32', 'office'].map(isWholeRange)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ])
  })
})

describe('createAddressCheck', () => {
  it('allows every address if there are no ranges, and none if it cannot read the ranges', () => {
    expect(createAddressCheck([])('192.0.2.1')).toBe(true)
    expect(createAddressCheck(['unreadable'])('192.0.2.1')).toBe(false)
    expect(createAddressCheck(['192.0.2.0/24'])('unknown')).toBe(false)
  })

  it('allows exactly the addresses with the same prefix', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (one, other, length) => {
        const toBits = (text: string) =>
          text
            .split('.')
            .map((part) => Number(part).toString(2).padStart(8, '0'))
            .join('')
            .slice(0, length)
        const range = normalizeAddressRange(`${one}/${length}`) ?? ''
        const isAllowed = createAddressCheck([range])
        expect(isAllowed(one)).toBe(true)
        expect(isAllowed(`::ffff:${one}`)).toBe(true)
        expect(isAllowed(other)).toBe(toBits(one) === toBits(other))
      }),
    )
  })
})
