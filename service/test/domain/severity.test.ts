import { describe, expect, it } from 'vitest'
import { baseSeverity, baseSeverityV2, SEVERITY_BANDS } from '../../src/domain/cvss/severity.ts'

describe('Severity of a base score (decision C6)', () => {
  it.each([
    [10, 'CRITICAL'],
    [9, 'CRITICAL'],
    [8.9, 'HIGH'],
    [7, 'HIGH'],
    [6.9, 'MEDIUM'],
    [4, 'MEDIUM'],
    [3.9, 'LOW'],
    [0.1, 'LOW'],
    [0, 'NONE'],
  ])('maps the score %d to %s', (score, severity) => {
    expect(baseSeverity(score)).toBe(severity)
  })

  it('maps every score to the severity whose filter also selects that score', () => {
    for (let tenths = 0; tenths <= 100; tenths += 1) {
      const score = tenths / 10
      const selecting = SEVERITY_BANDS.filter(({ min, max }) => score >= min && score <= max)
      expect(selecting.map(({ name }) => name.toUpperCase())).toEqual(score === 0 ? [] : [baseSeverity(score)])
    }
  })
})

describe('Severity of a CVSS 2.0 base score (decision E2)', () => {
  it.each([
    [10, 'HIGH'],
    [7, 'HIGH'],
    [6.9, 'MEDIUM'],
    [4, 'MEDIUM'],
    [3.9, 'LOW'],
    [0, 'LOW'],
  ])('maps the score %d to %s', (score, severity) => {
    expect(baseSeverityV2(score)).toBe(severity)
  })
})
