// The scores of FIRST: a line for every record that was not rejected.
import { join } from 'node:path'
import { shareBelow } from './draw.ts'
import { writePieces } from './packed-file.ts'
import { recordFacts, type Wanted } from './record-facts.ts'
import { PERCENTILES } from './shape.ts'

export async function writeEpss(folder: string, wanted: Wanted): Promise<void> {
  await writePieces(join(folder, `epss_scores-${wanted.today}.csv.gz`), lines(wanted))
}

function* lines(wanted: Wanted): Generator<string> {
  yield `#model_version:v2026.06.15,score_date:${wanted.today}T00:00:00Z\ncve,epss,percentile\n`
  for (const { cveId, epss } of recordFacts(wanted))
    if (epss !== undefined) yield `${cveId},${epss.toFixed(5)},${shareBelow(PERCENTILES.epss, epss).toFixed(5)}\n`
}
