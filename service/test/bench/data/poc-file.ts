// Repositories that claim to show how a CVE is exploited, a line for each CVE that has some.
import { join } from 'node:path'
import { valueAt } from './draw.ts'
import { writePieces } from './packed-file.ts'
import { type RecordFacts, recordFacts, type Wanted } from './record-facts.ts'
import { PERCENTILES, SHARES } from './shape.ts'

export async function writePoc(folder: string, wanted: Wanted): Promise<void> {
  await writePieces(join(folder, 'poc_in_github.ndjson.gz'), lines(wanted))
}

/** What is known to be exploited always has some: a file without any would be refused. */
function* lines(wanted: Wanted): Generator<string> {
  for (const facts of recordFacts(wanted)) {
    const dice = facts.dice('repositories')
    if (!facts.isInKev && dice.share() >= SHARES.withRepository) continue
    const count = Math.round(valueAt(PERCENTILES.repositories, dice.share()))
    yield `${JSON.stringify({ cve: facts.cveId, repos: repositoriesOf(facts, count) })}\n`
  }
}

function repositoriesOf({ cveId, modified }: RecordFacts, count: number) {
  return Array.from({ length: count }, (_, place) => {
    const name = `example/${cveId.toLowerCase()}-${place}`
    return { full_name: name, html_url: `https://github.com/${name}`, created_at: modified.toISOString() }
  })
}
