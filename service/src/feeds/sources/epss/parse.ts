// The scores as FIRST publishes them: a line about the release, a line of column names, and a line for each CVE.
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'

/** What the first two lines say. */
export interface EpssHead {
  readonly modelVersion: string
  readonly scoredAt: Date
  readonly columnCount: number
}

export interface EpssLine {
  readonly cve: string
  readonly epss: string
  readonly percentile: string
}

const HEAD_LINES = 2
const RELEASE = /^#model_version:([\w.-]{1,50}),score_date:([^,]+)$/
const COLUMNS = /^cve,epss,percentile(,|$)/
/** Twenty times what it is today. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_LINE_CHARACTERS = 1000

export async function readHead(path: string): Promise<EpssHead> {
  const head: string[] = []
  for await (const line of readLines(path)) {
    head.push(line)
    if (head.length === HEAD_LINES) break
  }
  return parseHead(head)
}

function parseHead([release = '', columns = '']: readonly string[]): EpssHead {
  const [, modelVersion, said] = RELEASE.exec(release) ?? []
  // Older files write the offset without its colon.
  const scoredAt = said && parseDateTime(said.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  if (!modelVersion || !scoredAt) throw isNotEpss('first', '#model_version:…,score_date:…', release)
  if (!COLUMNS.test(columns)) throw isNotEpss('second', 'cve,epss,percentile', columns)
  return { modelVersion, scoredAt, columnCount: columns.split(',').length }
}

function isNotEpss(which: string, expected: string, found: string): FeedError {
  const what = found === '' ? 'empty' : `"${found.slice(0, 100)}"`
  return new FeedError(`These are not EPSS scores: the ${which} line should be "${expected}", and is ${what}.`)
}

export async function* readScores(
  path: string,
  columnCount: number,
  onBytes?: (count: number) => void,
): AsyncGenerator<Reading<EpssLine>> {
  let number = 0
  for await (const line of readLines(path, onBytes)) {
    number += 1
    if (number > HEAD_LINES) yield parseScore(line, columnCount)
  }
  if (number <= HEAD_LINES) throw new FeedError('There is not one score in the file.')
}

function parseScore(line: string, columnCount: number): Reading<EpssLine> {
  const values = line.split(',')
  const [cve = '', epss = '', percentile = ''] = values
  if (values.length === columnCount) return { raw: { cve, epss, percentile } }
  return { rejected: cve, reason: `${values.length} values, where ${columnCount} are expected` }
}

async function* readLines(path: string, onBytes?: (count: number) => void): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const chunk of openFile(path, { maxBytes: MAX_BYTES }, onBytes)) {
    // All of it is ASCII; whatever is not will not be an id or a number, however it is read.
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new FeedError(`These are not EPSS scores: a line has more than ${MAX_LINE_CHARACTERS} characters.`)
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
  // Half a number looks like a number.
  if (rest !== '') throw new FeedError('The file ends in the middle of a line: the rest of it is missing.')
}
