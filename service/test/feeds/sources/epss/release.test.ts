import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { epssFeed } from '../../../../src/feeds/sources/epss/feed.ts'
import { createTestDownload } from '../../../support/network/downloads.ts'
import { behaviours, startUpstream } from '../../../support/network/upstream.ts'
import { writeTemporaryDirectory } from '../../temporary-files.ts'
import { buildFile, buildLines, createEpssHarness, MODEL, SCORED } from './fixtures.ts'

const feed = epssFeed({ baseUrl: 'https://epss.example/' })
const NEXT_DAY = { scored: '2026-08-21T12:05:00Z' }
const { run, importScores, listStored, getRelease, reset } = await createEpssHarness()
beforeEach(reset)

describe('EPSS feed: new model version', () => {
  it('reports a new model version and does not compare mean scores across two versions', async () => {
    await importScores(buildFile(buildLines(1000)))
    const changed = { model: 'v2027.01.01', ...NEXT_DAY }

    const report = await importScores(buildFile(buildLines(1000, '0.03000'), changed))

    expect(report).toMatchObject({ outcome: 'succeeded', written: 1000 })
    expect(report.notices).toContain(
      'FIRST changed the EPSS model from v2026.06.15 to v2027.01.01; scores may differ for that reason alone.',
    )
    expect(new Set((await listStored()).map((each) => each.split(' ')[3]))).toEqual(new Set(['v2027.01.01']))
    expect(await getRelease()).toMatchObject([{ model_version: 'v2027.01.01' }])

    const after = await importScores(
      buildFile(buildLines(1000, '0.09000'), { model: 'v2027.01.01', scored: '2026-08-21T13:00:00Z' }),
    )
    expect(after).toMatchObject({ outcome: 'refused' })
  })

  it('rewrites unchanged scores so that all scores have the new model version', async () => {
    await importScores(buildFile(buildLines(10)))
    expect(await importScores(buildFile(buildLines(10), { model: 'v2027.01.01', ...NEXT_DAY }))).toMatchObject({
      written: 10,
    })
    expect((await listStored()).every((each) => each.endsWith('v2027.01.01'))).toBe(true)
  })
})

describe('EPSS feed: rejected deliveries', () => {
  it.each([
    ['rises', '0.01501', '0.01501'],
    ['falls', '0.00499', '0.00499'],
  ])(
    'rejects scores whose mean %s by more than half within the same model version',
    async (_direction, score, mean) => {
      await importScores(buildFile(buildLines(1000)))
      const before = await listStored()

      const report = await importScores(buildFile(buildLines(1000, score), NEXT_DAY))

      expect(report).toMatchObject({ outcome: 'refused', written: 0 })
      expect(report.error).toContain(
        `the mean score is ${mean}, but the stored mean score of the same model is 0.01000`,
      )
      expect(report.error).toContain('--allow scores-drifted')
      expect(await listStored()).toEqual(before)
    },
  )

  it('accepts a changed mean score for fewer than 1,000 scores or with --allow scores-drifted', async () => {
    await importScores(buildFile(buildLines(999)))
    expect(await importScores(buildFile(buildLines(999, '0.05000'), NEXT_DAY))).toMatchObject({
      outcome: 'succeeded',
      written: 999,
    })

    const third = { scored: '2026-08-21T13:00:00Z' }
    await importScores(buildFile(buildLines(1000, '0.05000'), third))
    expect(await importScores(buildFile(buildLines(1000, '0.50000'), third))).toMatchObject({ outcome: 'refused' })
    expect(
      await importScores(buildFile(buildLines(1000, '0.50000'), third), { allowed: new Set(['scores-drifted']) }),
    ).toMatchObject({
      outcome: 'succeeded',
      written: 1000,
    })
  })

  it('rejects scores that are older than the stored ones or dated in the future', async () => {
    await importScores(buildFile(buildLines(10)))

    const older = await importScores(buildFile(buildLines(10, '0.02'), { scored: '2026-08-19T12:00:00Z' }))
    const future = await importScores(buildFile(buildLines(10, '0.02'), { scored: '2026-08-22T12:00:00Z' }))

    expect([older.outcome, future.outcome]).toEqual(['failed', 'failed'])
    expect(older.error).toContain(
      'The release of 2026-08-19T12:00:00Z is older than the stored one of 2026-08-20T12:03:00Z',
    )
    expect(future.error).toContain('which is in the future')
    expect(await getRelease()).toEqual([{ scored_at: new Date(SCORED), model_version: MODEL }])
    expect(await importScores(buildFile(buildLines(10, '0.02')))).toMatchObject({ outcome: 'succeeded', written: 10 })
  })
})

describe('EPSS feed: reading from a directory', () => {
  it.each([
    ['the last dated file', 'epss_scores-2026-08-20.csv.gz', 'epss_scores-2026-08-19.csv.gz'],
    ['the current file when it is newer', 'epss_scores-current.csv.gz', 'epss_scores-2026-08-19.csv.gz'],
    [
      'the last dated file when the current file is older',
      'epss_scores-2026-08-20.csv.gz',
      'epss_scores-current.csv.gz',
    ],
  ])('reads EPSS scores from %s', async (_case, newer, older) => {
    const from = await writeTemporaryDirectory({
      [older]: buildFile(buildLines(3), { scored: '2026-08-19T12:00:00Z' }),
      [newer]: buildFile(buildLines(3)),
      'epss_scores-2025-01-01.csv.gz': 'never opened',
      'epss_scores-2026-08-30.csv.bak': 'never opened',
    })
    expect(await run(feed, { from })).toMatchObject({ outcome: 'succeeded', written: 3 })
    expect(await getRelease()).toMatchObject([{ scored_at: new Date(SCORED) }])
  })
})

describe('EPSS feed: downloading scores', () => {
  it('follows a redirect on the same host and rejects a redirect to another host', async () => {
    const other = await startUpstream({ '/day': gzipSync(buildFile(buildLines(3))) })
    const upstream = await startUpstream({ '/day': gzipSync(buildFile(buildLines(3))) })
    const fromNetwork = { openDownload: () => createTestDownload([upstream, other]) }
    const networkFeed = epssFeed({ baseUrl: `${upstream.url}/` })

    upstream.serve('/epss_scores-current.csv.gz', behaviours.redirects(`${other.url}/day`))
    expect((await run(networkFeed, fromNetwork)).error).toContain('the server redirects to')
    expect(other.requests()).toEqual([])

    upstream.serve('/epss_scores-current.csv.gz', behaviours.redirects(`${upstream.url}/day`))
    expect(await run(networkFeed, fromNetwork)).toMatchObject({ outcome: 'succeeded', written: 3 })
  })
})
