import { describe, expect, it } from 'vitest'
import { ageInSeconds, isOutdated, isStale, maxDataAgeSeconds } from '../../src/domain/source/data-age.ts'

const NOW = new Date('2026-11-15T12:00:40Z')
const RUN_40_SECONDS_AGO = { lastSuccessAt: new Date('2026-11-15T12:00:00Z'), staleAfterSeconds: 172_800 }

describe('Limits on the age of the data', () => {
  it('are undefined for an unknown data set and for a member that every object has', () => {
    expect([maxDataAgeSeconds('unknown'), maxDataAgeSeconds('constructor')]).toEqual([null, null])
  })
})

describe('isStale', () => {
  it.each([
    ["August's EPSS scores after a run 40 seconds ago", 'epss', '2026-08-15T00:00:00Z', true],
    ["yesterday's EPSS scores", 'epss', '2026-11-14T00:00:00Z', false],
    ['a KEV catalog that is two weeks old', 'kev', '2026-11-01T12:00:00Z', false],
    ['a KEV catalog that is a month old', 'kev', '2026-10-15T12:00:00Z', true],
    ["April's ATT&CK release in November", 'attack', '2026-04-21T00:00:00Z', false],
    ["last year's ATT&CK release", 'attack', '2025-10-28T00:00:00Z', true],
    ["last December's CWE release", 'cwe', '2025-12-11T00:00:00Z', false],
    ['CAPEC, which has had no release since 2023', 'capec', '2023-01-24T00:00:00Z', false],
  ])('judges %s by the age of the data', (_case, name, upstreamAt, expected) => {
    expect(isStale({ name, ...RUN_40_SECONDS_AGO, upstreamAt: new Date(upstreamAt) }, NOW)).toBe(expected)
  })

  it('is true for new data if the last run is too old', () => {
    const times = { name: 'epss', staleAfterSeconds: 39, upstreamAt: NOW }
    expect(isStale({ ...times, lastSuccessAt: RUN_40_SECONDS_AGO.lastSuccessAt }, NOW)).toBe(true)
  })

  it('is true without a successful run, and depends only on the run for data without a time', () => {
    expect(isStale({ name: 'epss', ...RUN_40_SECONDS_AGO, lastSuccessAt: null, upstreamAt: NOW }, NOW)).toBe(true)
    expect(isStale({ name: 'nuclei', ...RUN_40_SECONDS_AGO, upstreamAt: null }, NOW)).toBe(false)
  })

  it('allows an age that is exactly the limit', () => {
    const limit = maxDataAgeSeconds('epss') ?? 0
    const at = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)
    expect([isOutdated('epss', at(limit), NOW), isOutdated('epss', at(limit + 1), NOW)]).toEqual([false, true])
  })
})

describe('ageInSeconds', () => {
  it("is never negative, because the worker's clock may be ahead", () => {
    expect(ageInSeconds(new Date('2026-11-15T12:05:00Z'), NOW)).toBe(0)
    expect(ageInSeconds(null, NOW)).toBeNull()
  })
})
