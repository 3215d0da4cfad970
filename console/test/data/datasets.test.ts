import { describe, expect, it } from 'vitest'
import {
  type Dataset,
  describeFreshness,
  describeGeneralGaps,
  describeLoading,
  formatAge,
  isOutdated,
  listDatasets,
} from '../../src/data/datasets.ts'

function dataset(known: Partial<Dataset> = {}): Dataset {
  return {
    table_count: 10,
    state: 'fresh',
    last_success_at: '2026-08-21T18:00:00Z',
    age_seconds: 60,
    upstream_at: null,
    as_of_basis: null,
    data_age_seconds: null,
    last_run_at: '2026-08-21T18:00:00Z',
    last_run_result: 'succeeded',
    rejected_count: 0,
    index_count: null,
    unheld_count: 0,
    complete: false,
    stale: false,
    ...known,
  }
}

describe('What is missing of the general data sets', () => {
  it('is named, unless all records are held', () => {
    const nvd = (known: Partial<Dataset>) =>
      describeGeneralGaps({ status: 'ok', loading: null, datasets: { nvd: dataset(known) } } as never)
    expect(nvd({ complete: true })).toEqual([])
    expect(nvd({ state: 'never_loaded' })).toEqual(['NVD is not loaded'])
    expect(nvd({ index_count: 12 })).toEqual(['NVD is loaded in part'])
    expect(nvd({})).toEqual(['whether NVD is complete is not known'])
  })
})

describe('Data set descriptions', () => {
  it.each([
    [{ complete: true, index_count: 10 }, 'Up to date'],
    [{ complete: true, last_run_result: 'failed' }, 'Up to date'],
    [{}, 'Up to date, completeness not known'],
    [{ index_count: 12_000, unheld_count: 11_990 }, 'Up to date, partial: 11,990 of 12,000 records are missing'],
    [{ stale: true }, 'Stale: imported 1 minute ago'],
    [
      { stale: true, age_seconds: 90_000, data_age_seconds: 864_000 },
      'Stale: imported 1 day ago, newest data 10 days old',
    ],
    [{ stale: true, age_seconds: 60, data_age_seconds: 864_000 }, 'Stale: newest data 10 days old'],
    [{ stale: true, last_run_result: 'failed' }, 'Stale: the last import failed'],
    [
      { stale: true, last_run_result: 'refused' },
      'Stale: the last import was refused, because the new data was implausible',
    ],
    [{ stale: true, state: 'never_loaded', last_success_at: null, last_run_result: 'failed' }, 'Never loaded'],
    [{ state: 'never_loaded' }, 'Never loaded'],
    [{ stale: true, state: 'partly_loaded', last_success_at: null }, 'Never imported completely'],
    [{ stale: true, last_success_at: null, last_run_result: 'absent' }, 'Not set up: no file was found'],
  ] as const)('describes %o as "%s"', (known, words) => {
    expect(describeFreshness(dataset(known))).toBe(words)
  })

  it.each([
    [5, '5 seconds'],
    [60, '1 minute'],
    [7200, '2 hours'],
    [86_400 * 1500, '1,500 days'],
  ])('formats the age of %d s as "%s"', (seconds, words) => {
    expect(formatAge(seconds)).toBe(words)
  })

  it('calls a data set outdated only if it is set up and stale', () => {
    const absent = { last_success_at: null, last_run_result: 'absent' } as const
    expect(isOutdated(dataset({ stale: true }))).toBe(true)
    expect(isOutdated(dataset({ stale: true, last_success_at: null, last_run_result: 'failed' }))).toBe(true)
    expect(isOutdated(dataset({ stale: true, ...absent }))).toBe(false)
    // The file was there once, so its absence is an error.
    expect(isOutdated(dataset({ stale: true, last_run_result: 'absent' }))).toBe(true)
  })

  it('lists stale data sets first and those not set up last, each group sorted by title', () => {
    const datasets = {
      debian: dataset({ stale: true, last_success_at: null, last_run_result: 'absent' }),
      epss: dataset(),
      kev: dataset(),
      acsc: dataset(),
      nvd: dataset({ stale: true }),
    }
    expect(listDatasets({ status: 'ok', datasets } as never).map(({ name }) => name)).toEqual([
      'nvd',
      'acsc',
      'kev',
      'epss',
      'debian',
    ])
  })
})

describe('describeLoading', () => {
  const loading = { feeds_done: 1, feeds_total: 2, waiting_for: ['epss'], cves_done: 1000, cves_total: 3000 }
  const describeIn = (progress: object | null) => describeLoading({ loading: progress } as never)

  it('describes the progress of the first load', () => {
    expect(describeIn(loading)).toBe('1 of 2 feeds have run, 1,000 of 3,000 CVEs are published')
    expect(describeIn({ ...loading, cves_total: null })).toBe('1 of 2 feeds have run, no CVE is published yet')
  })

  it('describes nothing after the first load', () => {
    expect(describeIn(null)).toBeUndefined()
  })
})
