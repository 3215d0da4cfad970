import { describe, expect, it } from 'vitest'
import { SCHEMES } from '../../../../src/domain/version/schemes.ts'
import { findAffectedRanges, type GemRange } from '../../../../src/feeds/sources/repository/requirements.ts'

const UNBOUNDED = { introduced: null, fixed: null, last_affected: null }

const find = (patched: readonly string[], unaffected: readonly string[] = []) => findAffectedRanges(patched, unaffected)

describe('Affected versions of a gem', () => {
  it('are all versions if none is patched or unaffected', () => {
    expect(find([])).toEqual([UNBOUNDED])
  })

  it('end before the first patched version, which is the fix', () => {
    expect(find(['>= 4.3.0'])).toEqual([{ ...UNBOUNDED, fixed: '4.3.0' }])
  })

  it('begin after the unaffected versions', () => {
    expect(find(['>= 4.3.3'], ['< 4.0.0'])).toEqual([{ ...UNBOUNDED, introduced: '4.0.0', fixed: '4.3.3' }])
    expect(find(['>= 1.5.0'], ['<= 1.4.0'])).toEqual([{ ...UNBOUNDED, after: '1.4.0', fixed: '1.5.0' }])
  })

  it('end before unaffected versions without a fix', () => {
    expect(find(['>= 2.0'], ['>= 1.4, < 1.6'])).toEqual([
      { ...UNBOUNDED, before: '1.4' },
      { ...UNBOUNDED, introduced: '1.6', fixed: '2.0' },
    ])
  })

  it('include the last version before patched ones that exclude it', () => {
    expect(find(['> 1.0.9'])).toEqual([{ ...UNBOUNDED, last_affected: '1.0.9' }])
  })

  it('lie between patched branches, with the prereleases of the next branch', () => {
    expect(find(['~> 4.1.14, >= 4.1.14.1', '~> 4.2.5', '>= 5.0.0.beta1.1'])).toEqual([
      { ...UNBOUNDED, fixed: '4.1.14.1' },
      { ...UNBOUNDED, introduced: '4.2.A', fixed: '4.2.5' },
      { ...UNBOUNDED, introduced: '4.3.A', fixed: '5.0.0.beta1.1' },
    ])
  })

  it('are those on both sides of a single patched version', () => {
    expect(find(['= 2.2.10', '>= 2.2.18'])).toEqual([
      { ...UNBOUNDED, fixed: '2.2.10' },
      { ...UNBOUNDED, after: '2.2.10', fixed: '2.2.18' },
    ])
  })

  it.each(['!= 1.0', '>= one', '', '>= 1.0 < 2', '^1.2', '~> 1.0,'])(
    'are not known for the requirement "%s"',
    (text) => {
      expect(find([text])).toBeUndefined()
    },
  )
})

/** Ruby's Gem::Requirement, written out for plain versions. */
function satisfies(version: string, requirement: string): boolean {
  return requirement.split(', ').every((each) => {
    const [operator = '', bound = ''] = each.split(' ')
    const order = SCHEMES.gem.compare(version, bound) ?? 0
    if (operator === '~>') return order >= 0 && version.startsWith(`${bound.split('.').slice(0, -1).join('.')}.`)
    return { '>=': order >= 0, '>': order > 0, '<': order < 0, '<=': order <= 0, '=': order === 0 }[operator] ?? false
  })
}

function isIn({ introduced, after, fixed, before, last_affected: last }: GemRange, version: string): boolean {
  const order = (bound: string) => SCHEMES.gem.compare(version, bound) ?? 0
  const end = fixed ?? before ?? null
  return (
    (introduced === null || order(introduced) >= 0) &&
    (after === undefined || order(after) > 0) &&
    (end === null || order(end) < 0) &&
    (last === null || order(last) <= 0)
  )
}

describe('Ranges of a gem', () => {
  const versions = [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].flatMap((b) => [0, 1, 2, 3].map((c) => `${a}.${b}.${c}`)))
  const operators = ['>=', '>', '<', '<=', '=', '~>']
  const requirements = operators.flatMap((operator) =>
    ['1.1.2', '1.3.0', '2.1.1'].map((bound) => `${operator} ${bound}`),
  )
  const all = [...requirements, '>= 1.1.1, < 2.1.0', '~> 1.1.1, >= 1.1.2', '> 1.0.1, <= 1.3.3']

  it('contain exactly the versions that satisfy no requirement', () => {
    for (const patched of all)
      for (const unaffected of all) {
        const ranges = findAffectedRanges([patched], [unaffected]) ?? []
        const found = versions.filter((version) => ranges.some((range) => isIn(range, version)))
        const expected = versions.filter((version) => !satisfies(version, patched) && !satisfies(version, unaffected))
        expect(found, `${patched} and ${unaffected}`).toEqual(expected)
      }
  })
})
