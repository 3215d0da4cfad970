import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issueKey, readKey } from '../../src/accounts/api-key.ts'

const random = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))

describe('A key (A1)', () => {
  it('is vis_<env>_, 43 characters of randomness and 6 of checksum', () => {
    expect(issueKey('live').key).toMatch(/^vis_live_[0-9A-Za-z]{49}$/)
    expect(issueKey('test').key).toMatch(/^vis_test_[0-9A-Za-z]{49}$/)
    expect(issueKey('live').key).not.toBe(issueKey('live').key)
  })

  it('shows only its prefix and its last four', () => {
    const { key, prefix, lastFour } = issueKey('live')
    expect([prefix, lastFour]).toEqual(['vis_live_', key.slice(-4)])
  })

  it('is read back to the digest that was stored, for every randomness', () => {
    fc.assert(
      fc.property(random, (bytes) => {
        const { key, digest } = issueKey('live', bytes)
        expect(readKey(key)).toBe(digest.toString('hex'))
      }),
    )
  })

  it('has its own characters for every randomness', () => {
    fc.assert(
      fc.property(random, random, (one, other) => {
        fc.pre(!one.equals(other))
        expect(issueKey('live', one).key).not.toBe(issueKey('live', other).key)
      }),
    )
  })

  it('with any one character changed is recognised as a typo, without a look-up', () => {
    fc.assert(
      fc.property(
        random,
        fc.nat(48),
        fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
        (bytes, at, letter) => {
          const { key } = issueKey('live', bytes)
          const place = 'vis_live_'.length + at
          fc.pre(key[place] !== letter)
          expect(readKey(key.slice(0, place) + letter + key.slice(place + 1))).toBeUndefined()
        },
      ),
    )
  })
})
