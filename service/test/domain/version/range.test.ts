import { describe, expect, it } from 'vitest'
import { isInside } from '../../../src/domain/version/range.ts'

describe('Position of a version relative to a range', () => {
  const range = { low: '2.4.0', lowIncluded: true, high: '2.4.60', highIncluded: false }

  it.each([
    ['2.3.9', 'outside'],
    ['2.4.0', 'inside'],
    ['2.4', 'inside'],
    ['2.4.59', 'inside'],
    ['2.4.60', 'outside'],
    ['2.10', 'outside'],
    ['latest', 'unknown'],
    ['2.4.60-foo', 'unknown'],
    ['2.4.0-foo', 'unknown'],
  ])('from 2.4.0 before 2.4.60: %s is %s', (version, position) => {
    expect(isInside(range, version, 'generic')).toBe(position)
  })

  it('excludes the low end and includes the high end if the range says so', () => {
    const other = { low: '1.0', lowIncluded: false, high: '2.0', highIncluded: true }

    expect(['1.0', '1.0.1', '2.0', '2.0.1'].map((version) => isInside(other, version, 'generic'))).toEqual([
      'outside',
      'inside',
      'inside',
      'outside',
    ])
  })

  it('is open at a missing end', () => {
    expect(isInside({ high: '3.0.7' }, '0.1', 'generic')).toBe('inside')
    expect(isInside({ low: '3.0.0', lowIncluded: true }, '99', 'generic')).toBe('inside')
    expect(isInside({}, 'any text', 'generic')).toBe('inside')
  })

  it('is outside if one end excludes the version, even if the other end cannot be read', () => {
    expect(isInside({ low: '2.0', high: 'unspecified' }, '1.0', 'generic')).toBe('outside')
    expect(isInside({ low: '2.0', high: 'unspecified' }, '3.0', 'generic')).toBe('unknown')
  })

  it('treats equal texts as equal, even if the scheme cannot read them', () => {
    expect(isInside({ low: 'k', lowIncluded: true }, 'k', 'generic')).toBe('inside')
    expect(isInside({ high: 'k', highIncluded: false }, 'k', 'generic')).toBe('outside')
  })

  it('depends on the scheme: 1.0-1 is before 1.0 only in SemVer', () => {
    const before = { high: '1.0.0', highIncluded: false }

    expect(isInside(before, '1.0.0-1', 'semver')).toBe('inside')
    expect(isInside(before, '1.0.0-1', 'deb')).toBe('outside')
  })
})

describe('Position of a version relative to a list of versions', () => {
  it.each([
    ['1.0.2', 'inside'],
    ['1.0.2.0', 'inside'],
    ['1.0.3', 'outside'],
    ['latest', 'unknown'],
  ])('1.0.1 and 1.0.2: %s is %s', (version, position) => {
    expect(isInside({ versions: ['1.0.1', '1.0.2'] }, version, 'generic')).toBe(position)
  })

  it('is unknown if a listed version cannot be read', () => {
    expect(isInside({ versions: ['1.0.1', 'beta'] }, '1.0.2', 'generic')).toBe('unknown')
    expect(isInside({ versions: ['1.0.1', 'beta'] }, '1.0.1', 'generic')).toBe('inside')
  })

  it('is outside an empty list', () => {
    expect(isInside({ versions: [] }, '1.0', 'generic')).toBe('outside')
  })
})
