import { describe, expect, it } from 'vitest'
import { sortRows, toggleSort } from '../src/kit/tables/sort-rows.ts'
import { parseCveIds } from '../src/text/cve-id.ts'
import { formatProbability, formatSeconds, formatTime, formatTimeAgo } from '../src/text/format.ts'
import { findScoreVersion, toSeverityLevel } from '../src/text/severity.ts'
import { toSummary } from '../src/text/summary.ts'

describe('Console text', () => {
  it.each([
    [0.5, '50.0 %'],
    [0.00042, '0.04 %'],
    [0.99971, '99.97 %'],
    [0.9999, '99.99 %'],
    [0.99996, '99.996 %'],
    [0.99999, '99.999 %'],
    [0.9999999, '99.999 %'],
    [1, '100 %'],
    [0.000001, '< 0.01 %'],
    [0, '0.00 %'],
  ])('formats the probability %d as %s', (probability, text) => {
    expect(formatProbability(probability)).toBe(text)
  })

  it.each([
    ['2026-08-19T12:00:00Z', '3 days ago'],
    ['2026-09-05T12:00:00Z', 'in 2 weeks'],
    ['2026-08-22T11:59:30Z', 'just now'],
    ['no time', 'no time'],
  ])('describes %s relative to now as "%s"', (time, text) => {
    expect(formatTimeAgo(time, new Date('2026-08-22T12:00:00Z'))).toBe(text)
  })

  it('shows times in UTC and durations in minutes and seconds', () => {
    expect(formatTime('2026-08-22T23:59:30Z')).toBe('2026-08-22 23:59 UTC')
    expect([formatSeconds(45), formatSeconds(125)]).toEqual(['45 s', '2 min 5 s'])
  })

  it.each([
    [10, 'critical'],
    [9, 'critical'],
    [8.9, 'high'],
    [6.9, 'medium'],
    [0.1, 'low'],
    [0, 'none'],
    [null, 'unknown'],
  ])('gives the score %s the level %s', (score, level) => {
    expect(toSeverityLevel(score)).toBe(level)
  })

  it.each([
    [10, 'high'],
    [7, 'high'],
    [6.9, 'medium'],
    [0, 'low'],
    [null, 'unknown'],
  ])('gives the CVSS 2.0 score %s the level %s', (score, level) => {
    expect(toSeverityLevel(score, '2.0')).toBe(level)
  })

  it('reads from a CVE whether its score is a CVSS 2.0 score', () => {
    expect(findScoreVersion({ v2_0: { baseScore: 9.3 } })).toBe('2.0')
    expect(findScoreVersion({})).toBeUndefined()
  })

  it('omits the sentence with which every Linux kernel description begins', () => {
    const first = 'In the Linux kernel, the following vulnerability has been resolved:'
    expect(toSummary(`${first}\n\ngpio: free the line`)).toBe('gpio: free the line')
    expect(toSummary('A heap overflow in FortiOS.')).toBe('A heap overflow in FortiOS.')
    expect(toSummary(null)).toBe('')
  })

  it('recognizes complete CVE ids in any letter case, but not ids within other text', () => {
    expect(parseCveIds(' cve-2021-44228 ')).toEqual(['CVE-2021-44228'])
    expect(parseCveIds('CVE-2021-44228, CVE-2014-0160')).toEqual(['CVE-2021-44228', 'CVE-2014-0160'])
    expect(parseCveIds('CVE-2021')).toEqual([])
    expect(parseCveIds('log4j CVE-2021-44228')).toEqual([])
  })
})

describe('Sorting in the browser', () => {
  const rows = [{ score: 2 }, { score: null }, { score: 10 }]
  const sort = (direction: 'asc' | 'desc') => sortRows(rows, ({ score }) => score, direction).map(({ score }) => score)

  it('puts rows without a value last in both directions', () => {
    expect(sort('asc')).toEqual([2, 10, null])
    expect(sort('desc')).toEqual([10, 2, null])
  })

  it('starts with the first direction of a column and then alternates', () => {
    const first = toggleSort(undefined, 'score', 'desc')

    expect(first).toEqual({ column: 'score', direction: 'desc' })
    expect(toggleSort(first, 'score', 'desc').direction).toBe('asc')
    expect(toggleSort(first, 'name', 'asc')).toEqual({ column: 'name', direction: 'asc' })
  })
})
