import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCursors, type Place } from '../../src/api/cursor.ts'
import { ApiError } from '../../src/contract/errors.ts'

const SECRET = 'a secret that is long enough for tests'
const cursors = createCursors([SECRET])
const query = { endpoint: 'list-kev', filters: { vendor: 'apache', ransomware: true } }
const place: Place = { value: '2021-12-10', key: '202100000000044228', totalEstimate: 1400, asOf: null }

function refusal(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error instanceof ApiError ? [error.code, error.extras.parameter, error.extras.value] : error
  }
  return 'accepted'
}

const refused = (after: string) => ['INVALID_PARAMETER', 'after', after.slice(0, 200)]

const places = fc.record({
  value: fc.oneof(fc.constant(null), fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 10 })),
  key: fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String),
  totalEstimate: fc.nat(),
  asOf: fc.option(fc.string()),
})

describe('A cursor (D8)', () => {
  it('comes back as the place that was sealed', () => {
    fc.assert(
      fc.property(places, (each) => {
        expect(cursors.open(query, cursors.seal(query, each))).toEqual(each)
      }),
    )
  })

  it('fits into an address as it is, and says nothing of the query', () => {
    fc.assert(
      fc.property(places, (each) => {
        expect(cursors.seal(query, each)).toMatch(/^[\w-]+$/)
      }),
    )
    expect(Buffer.from(cursors.seal(query, place), 'base64url').toString()).not.toContain('apache')
  })

  it('with any one bit of any character changed is 400 naming after', () => {
    const after = cursors.seal(query, place)
    for (let at = 0; at < after.length; at += 1) {
      for (let bit = 0; bit < 7; bit += 1) {
        const flipped = String.fromCharCode(after.charCodeAt(at) ^ (1 << bit))
        const changed = `${after.slice(0, at)}${flipped}${after.slice(at + 1)}`
        expect(
          refusal(() => cursors.open(query, changed)),
          `${at}/${bit}`,
        ).toEqual(refused(changed))
      }
    }
  })

  it('with any other character in any place is 400 naming after', () => {
    const after = cursors.seal(query, place)
    fc.assert(
      fc.property(fc.nat(after.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, letter) => {
        fc.pre(after[at] !== letter)
        const changed = `${after.slice(0, at)}${letter}${after.slice(at + 1)}`
        expect(refusal(() => cursors.open(query, changed))).toEqual(refused(changed))
      }),
    )
  })

  it('cut, lengthened, padded or made up is 400 naming after', () => {
    const after = cursors.seal(query, place)
    const madeUp = Buffer.from('{"id":1}').toString('base64url')
    for (const changed of [
      after.slice(1),
      after.slice(0, -1),
      `${after}A`,
      `${after}=`,
      ` ${after}`,
      madeUp,
      'x',
      '{}',
    ]) {
      expect(refusal(() => cursors.open(query, changed))).toEqual(refused(changed))
    }
  })

  it('of random text is 400 naming after', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(refusal(() => cursors.open(query, text))).toEqual(refused(text))
      }),
    )
  })

  it.each([
    ['another endpoint', { ...query, endpoint: 'search-cves' }],
    ['another value', { ...query, filters: { ...query.filters, vendor: 'apach' } }],
    ['one more filter', { ...query, filters: { ...query.filters, product: 'log4j' } }],
    ['a filter dropped', { ...query, filters: { vendor: 'apache' } }],
    ['a filter renamed', { ...query, filters: { product: 'apache', ransomware: true } }],
    ['a boolean that became text', { ...query, filters: { ...query.filters, ransomware: 'true' } }],
  ])('with %s is 400 naming after', (_, other) => {
    const after = cursors.seal(query, place)
    expect(refusal(() => cursors.open(other, after))).toEqual(refused(after))
  })

  it('does not mind the order of filters, nor those that are absent', () => {
    const same = { endpoint: 'list-kev', filters: { ransomware: true, product: undefined, vendor: 'apache' } }
    expect(cursors.open(same, cursors.seal(query, place))).toEqual(place)
  })

  it('of the secret before is still good, of one before that no longer', () => {
    const [oldest, older] = [createCursors(['first']).seal(query, place), createCursors(['second']).seal(query, place)]
    const now = createCursors(['third', 'second'])
    expect(now.open(query, older)).toEqual(place)
    expect(refusal(() => now.open(query, oldest))).toEqual(refused(oldest))
    expect(createCursors(['third']).open(query, now.seal(query, place)), 'signs with the first').toEqual(place)
  })
})
