import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { epssFeed } from '../../../../src/feeds/sources/epss/feed.ts'
import { testDownload } from '../../../support/network/downloads.ts'
import { manners, startUpstream } from '../../../support/network/upstream.ts'
import { directoryWith } from '../../small-files.ts'
import { epssMachine, lines, MODEL, SCORED, scores } from './fixtures.ts'

const feed = epssFeed({ baseUrl: 'https://epss.example/' })
const NEXT_DAY = { scored: '2026-08-21T12:05:00Z' }
const { run, read, stored, release, reset } = await epssMachine()
beforeEach(reset)

describe('A new model', () => {
  it('is noted, and may move the scores as it likes, once', async () => {
    await read(scores(lines(1000)))
    const changed = { model: 'v2027.01.01', ...NEXT_DAY }

    const report = await read(scores(lines(1000, '0.03000'), changed))

    expect(report).toMatchObject({ outcome: 'succeeded', written: 1000 })
    expect(report.notices).toContain(
      'FIRST changed its model from v2026.06.15 to v2027.01.01: scores moved for that reason alone',
    )
    expect(new Set((await stored()).map((each) => each.split(' ')[3]))).toEqual(new Set(['v2027.01.01']))
    expect(await release()).toMatchObject([{ model_version: 'v2027.01.01' }])

    const after = await read(scores(lines(1000, '0.09000'), { model: 'v2027.01.01', scored: '2026-08-21T13:00:00Z' }))
    expect(after).toMatchObject({ outcome: 'refused' })
  })

  it('replaces scores that stay the same too, so that two models are never mixed', async () => {
    await read(scores(lines(10)))
    expect(await read(scores(lines(10), { model: 'v2027.01.01', ...NEXT_DAY }))).toMatchObject({ written: 10 })
    expect((await stored()).every((each) => each.endsWith('v2027.01.01'))).toBe(true)
  })
})

describe('Scores are not believed', () => {
  it.each([
    ['rose', '0.01501', '0.01501'],
    ['sank', '0.00499', '0.00499'],
  ])('when their mean %s by more than half within one model', async (_how, score, mean) => {
    await read(scores(lines(1000)))
    const before = await stored()

    const report = await read(scores(lines(1000, score), NEXT_DAY))

    expect(report).toMatchObject({ outcome: 'refused', written: 0 })
    expect(report.fault).toContain(`its mean score is ${mean}, where ours is 0.01000, from the same model`)
    expect(report.fault).toContain('--allow scores-drifted')
    expect(await stored()).toEqual(before)
  })

  it('unless they are few, or the operator says so', async () => {
    await read(scores(lines(999)))
    expect(await read(scores(lines(999, '0.05000'), NEXT_DAY))).toMatchObject({ outcome: 'succeeded', written: 999 })

    const third = { scored: '2026-08-21T13:00:00Z' }
    await read(scores(lines(1000, '0.05000'), third))
    expect(await read(scores(lines(1000, '0.50000'), third))).toMatchObject({ outcome: 'refused' })
    expect(await read(scores(lines(1000, '0.50000'), third), { allowed: new Set(['scores-drifted']) })).toMatchObject({
      outcome: 'succeeded',
      written: 1000,
    })
  })

  it('when half of them are zero, or more than a few are gone', async () => {
    await read(scores(lines(100)))
    expect((await read(scores(lines(100, '0.00000'), NEXT_DAY))).fault).toContain('100 of its 100 scores are zero')
    expect((await read(scores(lines(97), NEXT_DAY))).fault).toContain('it would drop 3 of the 100 records we have')
  })

  it('when they are older than those we have, or from the future; those of the same time are', async () => {
    await read(scores(lines(10)))

    const older = await read(scores(lines(10, '0.02'), { scored: '2026-08-19T12:00:00Z' }))
    const ahead = await read(scores(lines(10, '0.02'), { scored: '2026-08-22T12:00:00Z' }))

    expect([older.outcome, ahead.outcome]).toEqual(['failed', 'failed'])
    expect(older.fault).toContain('released at 2026-08-19T12:00:00Z, before the one we have, of 2026-08-20T12:03:00Z')
    expect(ahead.fault).toContain('which is in the future')
    expect(await release()).toEqual([{ scored_at: new Date(SCORED), model_version: MODEL }])
    expect(await read(scores(lines(10, '0.02')))).toMatchObject({ outcome: 'succeeded', written: 10 })
  })
})

describe('EPSS scores from a directory', () => {
  it.each([
    ['the last day', 'epss_scores-2026-08-20.csv.gz', 'epss_scores-2026-08-19.csv.gz'],
    ['the current ones, when they are newer', 'epss_scores-current.csv.gz', 'epss_scores-2026-08-19.csv.gz'],
    ['the last day, when the current ones are older', 'epss_scores-2026-08-20.csv.gz', 'epss_scores-current.csv.gz'],
  ])('are those of %s', async (_which, newer, older) => {
    const from = await directoryWith({
      [older]: scores(lines(3), { scored: '2026-08-19T12:00:00Z' }),
      [newer]: scores(lines(3)),
      'epss_scores-2025-01-01.csv.gz': 'not opened at all',
      'epss_scores-2026-08-30.csv.bak': 'nor this',
    })
    expect(await run(feed, { from })).toMatchObject({ outcome: 'succeeded', written: 3 })
    expect(await release()).toMatchObject([{ scored_at: new Date(SCORED) }])
  })

  it('may be missing, which is no failure of the upstream', async () => {
    const from = await directoryWith({})
    expect(await run(feed, { from })).toMatchObject({
      outcome: 'absent',
      fault: `${from} has no epss_scores-….csv.gz.`,
    })
  })
})

describe('EPSS scores from the network', () => {
  it('are asked for under their name, and not read again when nothing changed', async () => {
    const packed = gzipSync(scores(lines(3)))
    const upstream = await startUpstream({ '/mirror/epss_scores-current.csv.gz': manners.validates('"one"', packed) })
    const fromNetwork = { openDownload: () => testDownload([upstream]) }
    const online = epssFeed({ baseUrl: `${upstream.url}/mirror` })

    expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 3, written: 3 })
    expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })
    expect(upstream.requests().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"'])
  })

  it('may be elsewhere on the same host, and nowhere else', async () => {
    const other = await startUpstream({ '/day': gzipSync(scores(lines(3))) })
    const upstream = await startUpstream({ '/day': gzipSync(scores(lines(3))) })
    const fromNetwork = { openDownload: () => testDownload([upstream, other]) }
    const online = epssFeed({ baseUrl: `${upstream.url}/` })

    upstream.serve('/epss_scores-current.csv.gz', manners.redirects(`${other.url}/day`))
    expect((await run(online, fromNetwork)).fault).toContain('the server redirects to')
    expect(other.requests()).toEqual([])

    upstream.serve('/epss_scores-current.csv.gz', manners.redirects(`${upstream.url}/day`))
    expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', written: 3 })
  })
})
