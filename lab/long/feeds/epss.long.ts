// Imports the real EPSS scores and prints the duration of each import.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { RunReport } from '../../../service/src/feeds/engine/run.ts'
import { epssFeed } from '../../../service/src/feeds/sources/epss/feed.ts'
import { createEpssHarness } from '../../../service/test/feeds/sources/epss/fixtures.ts'
import { writeTemporaryDirectory } from '../../../service/test/feeds/temporary-files.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const SCORES = 360_142
const HEADER_LINES = 2

const from = realData('the test of the real EPSS scores')
const feed = epssFeed({ baseUrl: 'https://epss.example/' })

async function measureRun(label: string, run: () => Promise<RunReport>): Promise<RunReport> {
  const startedAt = performance.now()
  const report = await run()
  const seconds = (performance.now() - startedAt) / 1000
  const memory = process.memoryUsage().rss / 2 ** 20
  process.stdout.write(`EPSS, ${label}: ${report.written} written, ${seconds.toFixed(1)} s, ${memory.toFixed(0)} MiB\n`)
  return report
}

/** Returns the content of the real EPSS file, with different scores in the selected lines. */
function changeScores(isSelected: (lineNumber: number) => boolean): string {
  const lines = gunzipSync(readFileSync(`${from}/epss_scores-2026-08-15.csv.gz`))
    .toString('latin1')
    .split('\n')
  const changed = lines.map((line, index) => {
    const [cve, score = '', percentile] = line.split(',')
    const isScore = index >= HEADER_LINES && percentile !== undefined
    return isScore && isSelected(index) ? `${cve},${(Number(score) * 0.9 + 0.00001).toFixed(5)},${percentile}` : line
  })
  return changed.join('\n')
}

describe.skipIf(!from)('EPSS feed with the real scores', () => {
  it('stores all scores once and then writes only the changed 1 % of the scores', async () => {
    const { run, selectRows } = await createEpssHarness()

    const first = await measureRun('first load', () => run(feed, { from }))
    expect(first).toMatchObject({ outcome: 'succeeded', read: SCORES, written: SCORES, rejected: 0, error: null })
    expect(await selectRows('select count(*)::int from source.epss_score')).toEqual([{ count: SCORES }])

    const again = await measureRun('unchanged', () => run(feed, { from }))
    expect(again).toMatchObject({ outcome: 'succeeded', written: 0, removed: 0, unchanged: SCORES })

    const few = await writeTemporaryDirectory({
      'epss_scores-current.csv': changeScores((lineNumber) => lineNumber % 100 === 7),
    })
    expect(await measureRun('1 % changed', () => run(feed, { from: few }))).toMatchObject({ written: 3602 })

    const all = await writeTemporaryDirectory({ 'epss_scores-current.csv': changeScores(() => true) })
    const next = await measureRun('nearly all changed', () => run(feed, { from: all }))
    expect(next).toMatchObject({ outcome: 'succeeded', removed: 0 })
    expect(next.written).toBeGreaterThan(SCORES * 0.9)
  })
})
