// The real scores, all of them; and how long a day of them takes.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { RunReport } from '../../../../src/feeds/engine/run.ts'
import { epssFeed } from '../../../../src/feeds/sources/epss/feed.ts'
import { sharedData } from '../../../support/shared-data.ts'
import { directoryWith } from '../../small-files.ts'
import { epssMachine } from './fixtures.ts'

const SCORES = 360_142
const HEAD_LINES = 2

const from = sharedData('the real EPSS scores')
const feed = epssFeed({ baseUrl: 'https://epss.example/' })

async function timed(what: string, run: () => Promise<RunReport>): Promise<RunReport> {
  const began = performance.now()
  const report = await run()
  const seconds = (performance.now() - began) / 1000
  const memory = process.memoryUsage().rss / 2 ** 20
  process.stdout.write(`EPSS, ${what}: ${report.written} written, ${seconds.toFixed(1)} s, ${memory.toFixed(0)} MiB\n`)
  return report
}

/** The real file, with those lines changed that are chosen by their number. */
function changedWhere(isChosen: (number: number) => boolean): string {
  const lines = gunzipSync(readFileSync(`${from}/epss_scores-2026-08-15.csv.gz`))
    .toString('latin1')
    .split('\n')
  const changed = lines.map((line, index) => {
    const [cve, score = '', percentile] = line.split(',')
    const isScore = index >= HEAD_LINES && percentile !== undefined
    return isScore && isChosen(index) ? `${cve},${(Number(score) * 0.9 + 0.00001).toFixed(5)},${percentile}` : line
  })
  return changed.join('\n')
}

describe.skipIf(!from)('The real EPSS scores', () => {
  it('are stored whole, once, and of a copy with one in a hundred changed exactly those are written', async () => {
    const { run, look, queued } = await epssMachine()

    const first = await timed('first load', () => run(feed, { from }))
    expect(first).toMatchObject({ outcome: 'succeeded', read: SCORES, written: SCORES, rejected: 0, fault: null })
    expect(await look('select count(*)::int from source.epss_score')).toEqual([{ count: SCORES }])
    expect(await look('select count(*)::int from source.epss_score where score >= 0.1')).toEqual([
      { count: (await queued()).length },
    ])

    const again = await timed('the same again', () => run(feed, { from }))
    expect(again).toMatchObject({ outcome: 'succeeded', written: 0, removed: 0, unchanged: SCORES })

    const few = await directoryWith({ 'epss_scores-current.csv': changedWhere((number) => number % 100 === 7) })
    expect(await timed('one in a hundred', () => run(feed, { from: few }))).toMatchObject({ written: 3602 })

    const all = await directoryWith({ 'epss_scores-current.csv': changedWhere(() => true) })
    const next = await timed('nearly all', () => run(feed, { from: all }))
    expect(next).toMatchObject({ outcome: 'succeeded', removed: 0 })
    expect(next.written).toBeGreaterThan(SCORES * 0.9)
  })
})
