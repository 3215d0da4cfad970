import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CursorPosition, createCursors } from '../../src/contract/cursor.ts'
import { ApiError } from '../../src/contract/response/errors.ts'

const SECRET = 'a secret that is long enough for tests'
const cursors = createCursors([SECRET])
const query = { endpoint: 'list-kev', filters: { vendor: 'apache', ransomware: true } }
const position: CursorPosition = { value: '2021-12-10', key: '202100000000044228', totalEstimate: 1400, asOf: null }

function catchApiError(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error instanceof ApiError ? [error.code, error.extras.parameter, error.extras.value] : error
  }
  return 'accepted'
}

const invalidAfter = (after: string) => ['INVALID_PARAMETER', 'after', after.slice(0, 200)]

const positions = fc.record({
  value: fc.oneof(fc.constant(null), fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 10 })),
  key: fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String),
  totalEstimate: fc.nat(),
  asOf: fc.option(fc.string()),
})

describe('Cursor encoding (decision D8)', () => {
  it('decodes a cursor to the position that was encoded', () => {
    fc.assert(
      fc.property(positions, (each) => {
        expect(cursors.decode(query, cursors.encode(query, each))).toEqual(each)
      }),
    )
  })

  it('encodes cursors that need no URL escaping and do not reveal the filters', () => {
    fc.assert(
      fc.property(positions, (each) => {
        expect(cursors.encode(query, each)).toMatch(/^[\w-]+$/)
      }),
    )
    expect(Buffer.from(cursors.encode(query, position), 'base64url').toString()).not.toContain('apache')
  })

  it('returns 400 with the parameter "after" if one bit of the cursor is changed', () => {
    const after = cursors.encode(query, position)
    for (let at = 0; at < after.length; at += 1) {
      for (let bit = 0; bit < 7; bit += 1) {
        const flipped = String.fromCharCode(after.charCodeAt(at) ^ (1 << bit))
        const changed = `${after.slice(0, at)}${flipped}${after.slice(at + 1)}`
        expect(
          catchApiError(() => cursors.decode(query, changed)),
          `${at}/${bit}`,
        ).toEqual(invalidAfter(changed))
      }
    }
  })

  it('returns 400 with the parameter "after" if one character of the cursor is replaced', () => {
    const after = cursors.encode(query, position)
    fc.assert(
      fc.property(fc.nat(after.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, letter) => {
        fc.pre(after[at] !== letter)
        const changed = `${after.slice(0, at)}${letter}${after.slice(at + 1)}`
        expect(catchApiError(() => cursors.decode(query, changed))).toEqual(invalidAfter(changed))
      }),
    )
  })

  it('returns 400 with the parameter "after" if the cursor is shortened, extended, padded or made up', () => {
    const after = cursors.encode(query, position)
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
      expect(catchApiError(() => cursors.decode(query, changed))).toEqual(invalidAfter(changed))
    }
  })

  it('returns 400 with the parameter "after" if the cursor is random text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(catchApiError(() => cursors.decode(query, text))).toEqual(invalidAfter(text))
      }),
    )
  })

  it.each([
    ['another endpoint', { ...query, endpoint: 'search-cves' }],
    ['another filter value', { ...query, filters: { ...query.filters, vendor: 'apach' } }],
    ['one more filter', { ...query, filters: { ...query.filters, product: 'log4j' } }],
    ['one filter less', { ...query, filters: { vendor: 'apache' } }],
    ['a renamed filter', { ...query, filters: { product: 'apache', ransomware: true } }],
    ['text instead of a boolean', { ...query, filters: { ...query.filters, ransomware: 'true' } }],
  ])('returns 400 with the parameter "after" if the cursor is used with %s', (_, other) => {
    const after = cursors.encode(query, position)
    expect(catchApiError(() => cursors.decode(other, after))).toEqual(invalidAfter(after))
  })

  it('accepts a cursor if the filters are in a different order or additional filters are undefined', () => {
    const same = { endpoint: 'list-kev', filters: { ransomware: true, product: undefined, vendor: 'apache' } }
    expect(cursors.decode(same, cursors.encode(query, position))).toEqual(position)
  })

  it('accepts a cursor encoded with the previous secret and rejects a cursor encoded with an older secret', () => {
    const [oldest, older] = [
      createCursors(['first']).encode(query, position),
      createCursors(['second']).encode(query, position),
    ]
    const now = createCursors(['third', 'second'])
    expect(now.decode(query, older)).toEqual(position)
    expect(catchApiError(() => now.decode(query, oldest))).toEqual(invalidAfter(oldest))
    expect(
      createCursors(['third']).decode(query, now.encode(query, position)),
      'new cursors are signed with the first secret',
    ).toEqual(position)
  })
})
