// The feeds alone, against the bare minimum for the same rows: gunzip, parse, COPY.

import { NEWEST } from '../../support/catalog/load-catalog.ts'
import { bareLoad } from '../bare-load.ts'
import { measuredCommand } from '../measured-command.ts'
import type { Section } from '../section.ts'

export const load: Section = async ({ world, files }) => {
  const url = await world.database('load')
  const before = await bareLoad(url, files)
  const run = await measuredCommand(['sync', '--no-publish', '--from', files, '--now', NEWEST], {
    DATABASE_URL: url,
    NODE_ENV: 'test',
  })
  if (run.code !== 0) throw new Error(`vis-server sync ended with ${run.code}: ${run.stderr}`)
  const after = await bareLoad(url, files)
  const [least, greatest] = [run.seconds / Math.max(before, after), run.seconds / Math.min(before, after)]
  return {
    measured: [{ figure: 'fullLoad', ratio: { value: run.seconds / ((before + after) / 2), least, greatest } }],
    remarks: [
      `full load: ${run.seconds.toFixed(1)} s, at most ${run.peakMegabytes.toFixed(0)} MB; bare ${before.toFixed(1)} and ${after.toFixed(1)} s`,
    ],
  }
}
