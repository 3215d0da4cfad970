import { describe, expect, it } from 'vitest'
import { buildStateTable, renderState } from '../../../src/commands/output/feeds.ts'
import type { FeedState } from '../../../src/feeds/engine/feed-status.ts'

const NOW = new Date('2026-11-15T12:00:40Z')
const EPSS: FeedState = {
  name: 'epss',
  records: 330_000,
  lastSuccessAt: new Date('2026-11-15T12:00:00Z'),
  upstreamAt: new Date('2026-08-15T12:00:00Z'),
  failures: 0,
  isRunning: false,
  nextDueAt: null,
  lastRun: null,
}

describe('vis-server feeds: age of the data', () => {
  it('shows old data as stale although the last run was 40 seconds ago', () => {
    const state = renderState(EPSS, 172_800, NOW)

    expect(state).toMatchObject({ state: 'stale data', stale: true, age_seconds: 40, data_age_seconds: 7_948_840 })
    expect(buildStateTable([state]).rows[0]?.slice(0, 6)).toEqual([
      'epss',
      'stale data',
      '2026-11-15T12:00:00Z',
      expect.any(String),
      '2026-08-15T12:00:00Z',
      expect.stringMatching(/92|2208/),
    ])
  })

  it('shows new data from a recent run as fresh, and as stale after a long time without a run', () => {
    const fresh = { ...EPSS, upstreamAt: new Date('2026-11-15T00:00:00Z') }
    expect(renderState(fresh, 172_800, NOW)).toMatchObject({ state: 'fresh', stale: false })
    expect(renderState(fresh, 39, NOW)).toMatchObject({ state: 'stale', stale: true })
  })

  it('shows that a stale feed fails, and that a feed never ran', () => {
    expect(renderState({ ...EPSS, failures: 2 }, 172_800, NOW).state).toBe('stale data, failing')
    expect(buildStateTable([renderState(EPSS, 172_800, NOW)]).rows[0]).toContain(330_000)
    expect(renderState({ ...EPSS, lastSuccessAt: null, upstreamAt: null }, 172_800, NOW)).toMatchObject({
      state: 'never run',
      data_age_seconds: null,
    })
  })

  it('shows that nothing was ever loaded, instead of 0 records', () => {
    const state = renderState({ ...EPSS, records: 0, upstreamAt: null }, 172_800, NOW)

    expect(state).toMatchObject({ records: 0, never_loaded: true })
    expect(buildStateTable([state]).rows[0]).toContain('never loaded')
    expect(renderState({ ...EPSS, records: 0 }, 172_800, NOW).never_loaded).toBe(false)
  })
})
