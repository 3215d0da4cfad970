// Benchmark section load: compares an import by the feeds, without publication, with baseline C, which only unzips and
// parses the files and copies them into tables.
import { REAL_DATA_NOW } from '../../../service/test/support/catalog/load-catalog.ts'
import { runMeasuredCommand } from '../../../service/test/support/processes/measured-command.ts'
import { runBareLoad } from '../bare/load.ts'
import type { Section } from '../section.ts'

export const load: Section = async ({ setup, files }) => {
  const url = await setup.createDatabase('load')
  const before = await runBareLoad(url, files)
  const run = await runMeasuredCommand(['sync', '--no-publish', '--from', files, '--now', REAL_DATA_NOW], {
    DATABASE_URL: url,
    NODE_ENV: 'test',
  })
  if (run.code !== 0) throw new Error(`vis-server sync ended with exit code ${run.code}: ${run.stderr}`)
  const after = await runBareLoad(url, files)
  const [min, max] = [run.seconds / Math.max(before, after), run.seconds / Math.min(before, after)]
  return {
    measured: [{ figure: 'fullLoad', ratio: { value: run.seconds / ((before + after) / 2), min, max } }],
    notes: [
      `The full load of the real data by the feeds took ${run.seconds.toFixed(1)} s with a peak memory of ${run.peakMegabytes.toFixed(0)} MB; baseline C took ${before.toFixed(1)} s and ${after.toFixed(1)} s`,
    ],
  }
}
