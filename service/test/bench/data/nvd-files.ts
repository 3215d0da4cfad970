// NVD's year files, version 2.0, a record on each line.
import { join } from 'node:path'
import { contentOf } from './content.ts'
import { writePieces } from './packed-file.ts'
import type { Match } from './products.ts'
import type { MadeRating } from './ratings.ts'
import { type RecordFacts, recordFacts, type Wanted } from './record-facts.ts'

/** Its file holds all that came before as well. */
const FIRST_YEAR = 2002

export async function writeNvd(folder: string, wanted: Wanted): Promise<void> {
  for (const [year, count] of recordsPerFile(wanted))
    await writePieces(join(folder, `nvdcve-2.0-${year}.json.gz`), yearFile(wanted, year, count))
}

const fileYearOf = ({ year }: RecordFacts) => Math.max(FIRST_YEAR, year)

/** Counted beforehand, because the file says it in its first line. */
function recordsPerFile(wanted: Wanted): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const facts of recordFacts(wanted))
    if (facts.isAtNvd) counts.set(fileYearOf(facts), (counts.get(fileYearOf(facts)) ?? 0) + 1)
  return counts
}

function* yearFile(wanted: Wanted, year: number, count: number): Generator<string> {
  const head = { resultsPerPage: count, startIndex: 0, totalResults: count, format: 'NVD_CVE', version: '2.0' }
  const timestamp = `${wanted.today}T00:00:00.000`
  yield `${JSON.stringify({ ...head, timestamp }).slice(0, -1)},"vulnerabilities":[\n`
  let isFirst = true
  for (const facts of recordFacts(wanted, { first: year === FIRST_YEAR ? 0 : year, last: year })) {
    if (!facts.isAtNvd) continue
    yield `${isFirst ? '' : ',\n'}${JSON.stringify({ cve: nvdRecord(facts) })}`
    isFirst = false
  }
  yield '\n]}\n'
}

function nvdRecord(facts: RecordFacts) {
  const { description, ratings, weakness, matches, references } = contentOf(facts)
  const isRejected = facts.status === 'Rejected'
  return {
    id: facts.cveId,
    sourceIdentifier: 'cve@numbering.example',
    published: nvdTime(facts.published),
    lastModified: nvdTime(facts.modified),
    vulnStatus: facts.status,
    cveTags: [],
    descriptions: [{ lang: 'en', value: description }],
    metrics: metricsOf(ratings),
    ...(!isRejected && { weaknesses: [weaknessOf(weakness)] }),
    ...(matches.length > 0 && { configurations: [{ nodes: matches.map(nodeOf) }] }),
    references,
  }
}

/** Without a zone, as NVD writes it. */
const nvdTime = (instant: Date) => instant.toISOString().slice(0, -1)

const MEMBERS = {
  '2.0': 'cvssMetricV2',
  '3.0': 'cvssMetricV30',
  '3.1': 'cvssMetricV31',
  '4.0': 'cvssMetricV40',
} as const

function metricsOf(ratings: readonly MadeRating[]) {
  return Object.fromEntries(
    ratings.map((cvssData) => [MEMBERS[cvssData.version], [{ source: 'nvd@nist.gov', type: 'Primary', cvssData }]]),
  )
}

function weaknessOf(value: string) {
  return { source: 'nvd@nist.gov', type: 'Primary', description: [{ lang: 'en', value }] }
}

const nodeOf = (cpeMatch: readonly Match[]) => ({ operator: 'OR', negate: false, cpeMatch })
