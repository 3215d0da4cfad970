import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_VERSION_LENGTH } from '../../../src/domain/version/scheme.ts'
import { SCHEMES, type SchemeName } from '../../../src/domain/version/schemes.ts'
import { ANY_VERSION, anyPair } from './any-version.ts'
import { KNOWN_ORDERS, listKnownPairs, UNREADABLE } from './known-orders.ts'

const NAMES = Object.keys(KNOWN_ORDERS) as SchemeName[]
const PROPERTY = { seed: 20261117, numRuns: 500 }

/** Returns -1, 0, 1 or undefined. */
function compare(scheme: SchemeName, a: string, b: string): number | undefined {
  const order = SCHEMES[scheme].compare(a, b)
  return order === undefined ? undefined : Math.sign(order)
}

describe.each(NAMES)('Order of versions in the scheme %s', (scheme) => {
  it('is correct for more than 200 known pairs of versions', () => {
    const pairs = listKnownPairs(scheme)
    const asStated = pairs.map(({ a, b, sign }) => `${a} ${b} ${sign}`)

    expect(pairs.length).toBeGreaterThan(200)
    expect(pairs.map(({ a, b }) => `${a} ${b} ${compare(scheme, a, b)}`)).toEqual(asStated)
  })

  it.each(UNREADABLE[scheme])('is unknown for %j', (text) => {
    expect([compare(scheme, text, '1.0.0'), compare(scheme, '1.0.0', text), compare(scheme, text, text)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('is unknown for a text longer than 256 characters', () => {
    const longest = '1'.repeat(MAX_VERSION_LENGTH + 1)

    expect(compare(scheme, longest, '1.0.0')).toBeUndefined()
    expect(compare(scheme, '1.0.0', longest)).toBeUndefined()
  })

  it('treats a version as equal to itself', () => {
    fc.assert(
      fc.property(ANY_VERSION[scheme], (version) => [0, undefined].includes(compare(scheme, version, version))),
      PROPERTY,
    )
  })

  it('is reversed if the versions are swapped', () => {
    fc.assert(
      fc.property(anyPair(scheme), ([a, b]) => {
        const order = compare(scheme, b, a)
        expect(compare(scheme, a, b)).toBe(order === undefined ? undefined : 0 - order)
      }),
      PROPERTY,
    )
  })

  it('is transitive: a version after one that is after a third is after the third', () => {
    fc.assert(
      fc.property(anyPair(scheme), ANY_VERSION[scheme], ([a, b], c) => {
        expect(findContradiction(scheme, [a, b, c])).toBeUndefined()
      }),
      PROPERTY,
    )
  })

  it('is found within a second for hostile texts', () => {
    const started = performance.now()
    for (const unit of [
      '1',
      '0',
      '.',
      '1.',
      '-',
      '-1',
      'a',
      'a1',
      '~',
      '(',
      '1-a.',
      '_p',
      '+1',
      ' ',
      '1!',
      '.0',
      '9999999999.',
    ]) {
      const text = `1${unit.repeat(MAX_VERSION_LENGTH)}`.slice(0, MAX_VERSION_LENGTH)
      compare(scheme, text, `${text.slice(0, -1)}!`)
      compare(scheme, text, text)
    }

    expect(performance.now() - started).toBeLessThan(1000)
  })
})

/** Returns three versions, each before or equal to the next, where the last is nevertheless before the first. */
function findContradiction(scheme: SchemeName, versions: readonly [string, string, string]): string | undefined {
  const [a, b, c] = versions
  for (const [x, y, z] of [
    [a, b, c],
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ] as const) {
    const [xy, yz, xz] = [compare(scheme, x, y), compare(scheme, y, z), compare(scheme, x, z)]
    if (xy === undefined || yz === undefined || xz === undefined || xy > 0 || yz > 0) continue
    if (xz !== Math.min(xy, yz)) return `${x} (${xy}) ${y} (${yz}) ${z}, but ${x} (${xz}) ${z}`
  }
  return undefined
}
