import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issueKey, toKeyDigest } from '../../src/accounts/keys/api-key.ts'

const random = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))

describe('API key (decision A1)', () => {
  it('consists of vis_<environment>_ and 49 letters and digits', () => {
    expect(issueKey('live').key).toMatch(/^vis_live_[0-9A-Za-z]{49}$/)
    expect(issueKey('test').key).toMatch(/^vis_test_[0-9A-Za-z]{49}$/)
    expect(issueKey('live').key).not.toBe(issueKey('live').key)
  })

  it('has a prefix and a suffix of four characters that may be shown', () => {
    const { key, prefix, lastFour } = issueKey('live')
    expect([prefix, lastFour]).toEqual(['vis_live_', key.slice(-4)])
  })

  it('has the digest that was computed when the key was issued, for any random bytes', () => {
    fc.assert(
      fc.property(random, (bytes) => {
        const { key, digest } = issueKey('live', bytes)
        expect(toKeyDigest(key)).toBe(digest.toString('hex'))
      }),
    )
  })

  it('is different for different random bytes', () => {
    fc.assert(
      fc.property(random, random, (one, other) => {
        fc.pre(!one.equals(other))
        expect(issueKey('live', one).key).not.toBe(issueKey('live', other).key)
      }),
    )
  })

  it('is rejected by its checksum when any one character is changed', () => {
    fc.assert(
      fc.property(
        random,
        fc.nat(48),
        fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
        (bytes, offset, letter) => {
          const { key } = issueKey('live', bytes)
          const place = 'vis_live_'.length + offset
          fc.pre(key[place] !== letter)
          expect(toKeyDigest(key.slice(0, place) + letter + key.slice(place + 1))).toBeUndefined()
        },
      ),
    )
  })
})
