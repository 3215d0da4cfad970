import { describe, expect, it } from 'vitest'
import { findCycle, findEnd, type ReleaseCycle } from '../../src/domain/component/release-cycle.ts'

const NOW = new Date('2026-08-22T12:00:00Z')

const cycle = (name: string, changed: Partial<ReleaseCycle> = {}): ReleaseCycle => ({
  name,
  code_name: null,
  is_over: false,
  over_from: null,
  extended: null,
  ...changed,
})

describe('The release cycle of a version', () => {
  const cycles = ['2', '2.12', '2.3', '1', '1.1.1', '2019', 'r5-linux'].map((name) => cycle(name))

  it.each([
    ['2.14.1', '2'],
    ['2.12.4', '2.12'],
    ['2.30.0', '2'],
    ['2', '2'],
    ['v1.2.17', '1'],
    ['1.1.1k', '1.1.1'],
    ['2.12-rc1', '2.12'],
    ['R5-Linux', 'r5-linux'],
  ])('of %s is %s', (version, name) => {
    expect(findCycle(cycles, version)?.name).toBe(name)
  })

  it.each(['15.0.2000', '20.1', '1:1.2', '3.0', 'latest', '', 'r5-linux2', '20190'])(
    'of "%s" is not known',
    (version) => {
      expect(findCycle(cycles, version)).toBeUndefined()
    },
  )

  it('is found by the code name of a distribution', () => {
    expect(findCycle([cycle('10', { code_name: 'buster' })], 'buster')?.name).toBe('10')
    expect(findCycle([cycle('10', { code_name: 'buster' })], 'stretch')).toBeUndefined()
  })
})

describe('The end of a release cycle', () => {
  it.each([
    ['a day before today', { over_from: '2026-08-21', is_over: false }, { cycle: '1', since: '2026-08-21' }],
    ['no day, but the word that it is over', { is_over: true }, { cycle: '1', since: null }],
  ])('follows from %s', (_, changed, end) => {
    expect(findEnd(cycle('1', changed), NOW)).toEqual(end)
  })

  it.each([
    ['the day is today', { over_from: '2026-08-22' }],
    ['the day is to come', { over_from: '2027-01-01', is_over: true }],
    ['neither day nor word says so', {}],
  ])('is not claimed if %s', (_, changed) => {
    expect(findEnd(cycle('1', changed), NOW)).toBeUndefined()
  })

  it.each([
    ['is still given', { is_over: false, over_from: '2028-04-01' }, '2028-04-01'],
    ['has no known end', { is_over: false, over_from: null }, null],
  ])('names extended support that %s', (_, extended, until) => {
    expect(findEnd(cycle('1', { over_from: '2024-01-01', extended }), NOW)?.extendedUntil).toBe(until)
  })

  it('does not name extended support that is over', () => {
    const extended = { is_over: false, over_from: '2025-01-01' }
    expect(findEnd(cycle('1', { over_from: '2024-01-01', extended }), NOW)).not.toHaveProperty('extendedUntil')
  })
})
