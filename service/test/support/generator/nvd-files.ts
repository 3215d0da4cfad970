// Writes NVD's year files in format 2.0, with one record per line.
import { join } from 'node:path'
import { generateContent } from './content.ts'
import { type DatasetOptions, type GeneratedRecord, generateRecords } from './generated-records.ts'
import { writePieces } from './packed-file.ts'
import type { Match } from './products.ts'
import type { GeneratedRating } from './ratings.ts'

/** Year of NVD's first year file, which also contains the records of all earlier years. */
const FIRST_YEAR = 2002

export async function writeNvd(folder: string, options: DatasetOptions): Promise<void> {
  for (const [year, count] of countRecordsPerFile(options))
    await writePieces(join(folder, `nvdcve-2.0-${year}.json.gz`), generateYearFile(options, year, count))
}

const getFileYear = ({ year }: GeneratedRecord) => Math.max(FIRST_YEAR, year)

/** Counts the records before writing, because the first line of an NVD file contains the number of records. */
function countRecordsPerFile(options: DatasetOptions): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const record of generateRecords(options))
    if (record.isAtNvd) counts.set(getFileYear(record), (counts.get(getFileYear(record)) ?? 0) + 1)
  return counts
}

function* generateYearFile(options: DatasetOptions, year: number, count: number): Generator<string> {
  const head = { resultsPerPage: count, startIndex: 0, totalResults: count, format: 'NVD_CVE', version: '2.0' }
  const timestamp = `${options.today}T00:00:00.000`
  yield `${JSON.stringify({ ...head, timestamp }).slice(0, -1)},"vulnerabilities":[\n`
  let isFirst = true
  for (const record of generateRecords(options, { first: year === FIRST_YEAR ? 0 : year, last: year })) {
    if (!record.isAtNvd) continue
    yield `${isFirst ? '' : ',\n'}${JSON.stringify({ cve: buildNvdRecord(record) })}`
    isFirst = false
  }
  yield '\n]}\n'
}

/** Share of records with a tag. The real share is 0.5 %; this one is higher, so that small data sets have some. */
const TAGGED_SHARE = 0.02
const DISPUTED = { sourceIdentifier: 'cve@numbering.example', tags: ['disputed'] }

function buildNvdRecord(record: GeneratedRecord) {
  const { description, ratings, weakness, matches, references } = generateContent(record)
  const isRejected = record.status === 'Rejected'
  return {
    id: record.cveId,
    sourceIdentifier: 'cve@numbering.example',
    published: formatNvdTime(record.published),
    lastModified: formatNvdTime(record.modified),
    vulnStatus: record.status,
    cveTags: record.dice('tags').share() < TAGGED_SHARE ? [DISPUTED] : [],
    descriptions: [{ lang: 'en', value: description }],
    metrics: buildMetrics(ratings),
    ...(!isRejected && { weaknesses: [buildWeakness(weakness)] }),
    ...(matches.length > 0 && { configurations: [{ nodes: matches.map(buildNode) }] }),
    references,
  }
}

/** Formats a time without a zone, as NVD does. */
const formatNvdTime = (instant: Date) => instant.toISOString().slice(0, -1)

const MEMBERS = {
  '2.0': 'cvssMetricV2',
  '3.0': 'cvssMetricV30',
  '3.1': 'cvssMetricV31',
  '4.0': 'cvssMetricV40',
} as const

function buildMetrics(ratings: readonly GeneratedRating[]) {
  return Object.fromEntries(
    ratings.map((cvssData) => [MEMBERS[cvssData.version], [{ source: 'nvd@nist.gov', type: 'Primary', cvssData }]]),
  )
}

function buildWeakness(value: string) {
  return { source: 'nvd@nist.gov', type: 'Primary', description: [{ lang: 'en', value }] }
}

const buildNode = (cpeMatch: readonly Match[]) => ({ operator: 'OR', negate: false, cpeMatch })
