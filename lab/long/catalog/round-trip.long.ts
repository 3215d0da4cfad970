// Compares everything in a whole published catalog with the raw records of the sources. The test only reads.
import { describe, expect, it } from 'vitest'
import { compareCatalog } from '../../../service/src/catalog/reports/audit/round-trip/compare-catalog.ts'
import { findPublishedCatalog, openPublishedCatalog } from '../matching/published-catalog.ts'

const url = findPublishedCatalog('the round trip of the whole catalog')

const MAX_MEGABYTES = 600

describe.skipIf(url === undefined)('The round trip of the whole catalog', () => {
  it('finds no value that its source does not state, with bounded memory', async () => {
    const db = openPublishedCatalog(url ?? '')
    const started = performance.now()
    let peak = 0
    const { compared, differences } = await compareCatalog(db, {
      maxExamples: 5,
      onProgress: () => {
        peak = Math.max(peak, process.memoryUsage.rss() / 1e6)
      },
    })
    process.stderr.write(
      `${JSON.stringify(compared)}, ${Math.round((performance.now() - started) / 1000)} s, ${Math.round(peak)} MB\n`,
    )
    for (const { place, kind, values, count, reason, sources, examples } of differences) {
      const bySource = sources.slice(0, 5).map((each) => `${each.source} ${each.values}`)
      process.stderr.write(
        `${place} ${kind}${reason === undefined ? '' : ' (intended)'}: ${values} values, ${count} CVEs; ${bySource.join(', ')}; ${examples.join(' ')}\n`,
      )
    }
    expect(differences.filter(({ reason }) => reason === undefined)).toEqual([])
    expect(peak).toBeLessThan(MAX_MEGABYTES)
  }, 3_600_000)
})
