import { describe, expect, it } from 'vitest'
import { parseCanonicalCveId, toCveId } from '../../src/domain/cve-id.ts'
import { KNOWN_NAMES } from '../../src/domain/known-names/known-name-list.ts'
import list from '../../src/domain/known-names/known-names.json' with { type: 'json' }
import { listKnownNames } from '../../src/domain/known-names/known-names.ts'

describe('Well-known names', () => {
  it('number at least 300', () => {
    expect(KNOWN_NAMES.length).toBeGreaterThanOrEqual(300)
  })

  it('each have canonical CVE ids, without duplicates', () => {
    for (const [name, ids] of Object.entries(list)) {
      const split = ids.split(' ')
      expect(split.map(parseCanonicalCveId), name).toEqual(split)
      expect(new Set(split).size, name).toBe(split.length)
    }
  })

  it('are in alphabetical order and have no second spelling that differs only in letter case', () => {
    const lowered = Object.keys(list).map((name) => name.toLowerCase())
    expect(lowered).toEqual(lowered.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(new Set(lowered).size).toBe(lowered.length)
  })

  it('are found by the CVE id', () => {
    const key = (year: number, number: number) => toCveId(`${year}${String(number).padStart(14, '0')}`)
    expect(listKnownNames(key(2021, 44228))).toEqual(['Log4Shell'])
    expect(listKnownNames(key(2017, 144))).toEqual(expect.arrayContaining(['EternalBlue', 'WannaCry']))
    expect(listKnownNames(key(1999, 1))).toEqual([])
  })
})
