// Writes the EPSS file of FIRST, with a line for every generated CVE that is not rejected.
import { join } from 'node:path'
import { getShareBelow } from './draw.ts'
import { type DatasetOptions, generateRecords } from './generated-records.ts'
import { writePieces } from './packed-file.ts'
import { PERCENTILES } from './shape.ts'

export async function writeEpss(folder: string, options: DatasetOptions): Promise<void> {
  await writePieces(join(folder, `epss_scores-${options.today}.csv.gz`), generateLines(options))
}

function* generateLines(options: DatasetOptions): Generator<string> {
  yield `#model_version:v2026.06.15,score_date:${options.today}T00:00:00Z\ncve,epss,percentile\n`
  for (const { cveId, epss } of generateRecords(options))
    if (epss !== undefined) yield `${cveId},${epss.toFixed(5)},${getShareBelow(PERCENTILES.epss, epss).toFixed(5)}\n`
}
