import { writeFile } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Download } from '../../../../src/feeds/download.ts'
import { MissingFileError } from '../../../../src/feeds/feed.ts'
import { planDays } from '../../../../src/feeds/sources/epss/history/cursor.ts'
import { epssHistoryFeed } from '../../../../src/feeds/sources/epss/history/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'

const harness = await createFeedHarness()
beforeEach(harness.reset)

const feed = epssHistoryFeed({ baseUrl: 'https://epss.example/', daysPerRun: 4, pauseMs: 0 })
const [ONE, TWO] = ['CVE-2020-0001', 'CVE-2020-0002']

const importFiles = (files: Readonly<Record<string, string>>) => harness.importFiles(feed, files)

const listStored = () =>
  harness.selectRows(`
    select day::text, model_version as model, score_count as count, cve_ids as ids, scores, percentiles
      from source.epss_past_day order by 1
  `)

const buildFile = (day: string, score: number) =>
  `#model_version:v2023.03.01,score_date:${day}T00:00:00+0000\ncve,epss,percentile\n${ONE},${score},0.9\n`

describe('Feed epss-history: files in a directory', () => {
  it('reads the three formats of EPSS files, and stores null for values that a format lacks', async () => {
    const report = await importFiles({
      'epss_scores-2021-04-14.csv.gz': `cve,epss\n${TWO},0.00043\n${ONE},0.97224\n`,
      'epss_scores-2021-09-01.csv': `cve,epss,percentile\n${ONE},0.2,0.99999\n${TWO},0.1,\n`,
      'epss_scores-2022-02-04.csv.gz': `#model_version:v2022.01.01,score_date:2022-02-04T00:00:00+0000\ncve,epss,percentile\n${ONE},1.0,1.0\n`,
    })
    expect(report).toMatchObject({ outcome: 'succeeded', read: 5, rejected: 0 })
    expect(await listStored()).toEqual([
      { day: '2021-04-14', model: null, count: 2, ids: [ONE, TWO], scores: [97_224, 43], percentiles: null },
      {
        day: '2021-09-01',
        model: null,
        count: 2,
        ids: [ONE, TWO],
        scores: [20_000, 10_000],
        percentiles: [99_999, null],
      },
      { day: '2022-02-04', model: 'v2022.01.01', count: 1, ids: [ONE], scores: [100_000], percentiles: [100_000] },
    ])
    expect(
      await harness.selectRows("select table_count::int from catalog.dataset where name = 'epss-history'"),
    ).toEqual([{ table_count: 3 }])
  })

  it('stores the scores of a file dated one day off its name, and rejects a file dated another day', async () => {
    await importFiles({ 'epss_scores-2023-05-02.csv': buildFile('2023-05-01', 0.1) })
    expect(await listStored()).toMatchObject([{ day: '2023-05-01' }])
    expect(await importFiles({ 'epss_scores-2023-06-02.csv': buildFile('2023-05-01', 0.1) })).toMatchObject({
      outcome: 'failed',
      error: 'The file of 2023-06-02 contains the scores of 2023-05-01.',
    })
  })

  it('rejects a day with far fewer scores than the next day of the same model', async () => {
    const lines = Array.from({ length: 10 }, (_, index) => `CVE-2020-100${index},0.1,0.5\n`).join('')
    await importFiles({ 'epss_scores-2023-05-02.csv': `${buildFile('2023-05-02', 0.1)}${lines}` })
    expect(await importFiles({ 'epss_scores-2023-05-01.csv': buildFile('2023-05-01', 0.1) })).toMatchObject({
      outcome: 'refused',
      error: expect.stringContaining('too-few-scores'),
    })
  })
})

describe('Feed epss-history: downloads', () => {
  /** The test clock shows 2026-08-22. */
  const runWith = (answer: (day: string) => string | undefined) => {
    const asked: string[] = []
    const download: Download = {
      file: async ({ url }, path) => {
        const day = /epss_scores-(.*)\.csv\.gz$/.exec(url)?.[1] ?? ''
        asked.push(day)
        const content = answer(day)
        if (content === undefined) throw new MissingFileError('404')
        await writeFile(path, content)
        return { isUnchanged: false, bytes: content.length, validators: {} }
      },
    }
    return harness.run(feed, { openDownload: () => download }).then((report) => ({ report, asked }))
  }

  it('reads the newest days first and continues in the next run, with new days first', async () => {
    const first = await runWith((day) => buildFile(day, 0.1))
    expect(first.asked).toEqual(['2026-08-20', '2026-08-19', '2026-08-18', '2026-08-17'])
    harness.clock.advance({ days: 1 })
    const second = await runWith((day) => buildFile(day, 0.1))
    expect(second.asked).toEqual(['2026-08-21', '2026-08-16', '2026-08-15', '2026-08-14'])
    expect(await listStored()).toHaveLength(8)
    harness.clock.advance({ days: -1 })
  })

  it('after a failure, continues after the last stored day', async () => {
    const failed = await runWith((day) => {
      if (day === '2026-08-18') throw new Error('the network is down')
      return buildFile(day, 0.1)
    })
    expect(failed.report.outcome).toBe('failed')
    expect((await runWith((day) => buildFile(day, 0.1))).asked[0]).toBe('2026-08-18')
  })

  it('lists days without a usable file, and requests recent ones again', async () => {
    const { report } = await runWith((day) =>
      day === '2026-08-19' ? undefined : day === '2026-08-18' ? 'cve,epss\nCVE-2020-0001,0.' : buildFile(day, 0.1),
    )
    expect(report.notices).toEqual([
      'FIRST has no EPSS file of 2026-08-19.',
      expect.stringContaining('The EPSS file of 2026-08-18 cannot be read'),
    ])
    expect(await listStored()).toMatchObject([{ day: '2026-08-17' }, { day: '2026-08-20' }])
    expect((await runWith((day) => buildFile(day, 0.1))).asked).toEqual([
      '2026-08-18',
      '2026-08-19',
      '2026-08-16',
      '2026-08-15',
    ])
  })

  it('fails if upstream has no file for many days, and does not count them as missing', async () => {
    const many = epssHistoryFeed({ baseUrl: 'https://epss.example/', daysPerRun: 31, pauseMs: 0 })
    const download: Download = { file: () => Promise.reject(new MissingFileError('404')) }
    const report = await harness.run(many, { openDownload: () => download })
    expect(report).toMatchObject({ outcome: 'failed', error: expect.stringContaining('FEED_EPSS_HISTORY_URL') })
    expect((await runWith((day) => buildFile(day, 0.1))).asked[0]).toBe('2026-08-20')
  })

  it('stops at the first EPSS file', () => {
    const cursor = { newest: '2026-08-20', oldest: '2021-04-16', missing: ['2021-05-01'] }
    expect(planDays(cursor, '2026-08-22', 10)).toEqual(['2021-04-15', '2021-04-14'])
    expect(planDays({ ...cursor, oldest: '2021-04-14' }, '2026-08-22', 10)).toEqual([])
  })
})
