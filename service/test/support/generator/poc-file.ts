// Writes the PoC-in-GitHub file, with a line for each CVE that has proof-of-concept repositories.
import { join } from 'node:path'
import { getValueAt } from './draw.ts'
import { type DatasetOptions, type GeneratedRecord, generateRecords } from './generated-records.ts'
import { writePieces } from './packed-file.ts'
import { PERCENTILES, SHARES } from './shape.ts'

export async function writePoc(folder: string, options: DatasetOptions): Promise<void> {
  await writePieces(join(folder, 'poc_in_github.ndjson.gz'), generateLines(options))
}

/**
 * Generated CVEs in KEV always have proof-of-concept repositories, so that the PoC-in-GitHub file is never empty. The
 * feed would reject an empty file.
 */
function* generateLines(options: DatasetOptions): Generator<string> {
  for (const record of generateRecords(options)) {
    const dice = record.dice('repositories')
    if (!record.isInKev && dice.share() >= SHARES.withRepository) continue
    const count = Math.round(getValueAt(PERCENTILES.repositories, dice.share()))
    yield `${JSON.stringify({ cve: record.cveId, repos: generateRepositories(record, count) })}\n`
  }
}

function generateRepositories({ cveId, modified }: GeneratedRecord, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const name = `example/${cveId.toLowerCase()}-${index}`
    return { full_name: name, html_url: `https://github.com/${name}`, created_at: modified.toISOString() }
  })
}
