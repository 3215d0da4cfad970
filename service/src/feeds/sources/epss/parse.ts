// Parser for FIRST's EPSS file: a line about the release, a line of column names, and one line per CVE.
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'

export interface EpssHeader {
  readonly modelVersion: string
  readonly scoredAt: Date
  readonly columnCount: number
}

export interface EpssLine {
  readonly cve: string
  readonly epss: string
  readonly percentile: string
}

export interface PastHeader {
  /** Null for files from before 2022-02-04, which begin with the column names. */
  readonly release: Pick<EpssHeader, 'modelVersion' | 'scoredAt'> | null
  readonly lineCount: number
  readonly columnCount: number
  /** False for the earliest files. */
  readonly hasPercentiles: boolean
}

const HEADER_LINES = 2
const RELEASE = /^#model_version:([\w.-]{1,50}),score_date:([^,]+)$/
const COLUMNS = /^cve,epss,percentile(,|$)/
const PAST_COLUMNS = /^cve,epss(,percentile)?(,|$)/
/** Twenty times the size of the EPSS file in 2026. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_LINE_CHARACTERS = 1000

export async function readHeader(path: string): Promise<EpssHeader> {
  const [release = '', columns = ''] = await readFirstLines(path)
  const { modelVersion, scoredAt } = parseRelease(release)
  if (!COLUMNS.test(columns)) throw invalidLine('second', 'cve,epss,percentile', columns)
  return { modelVersion, scoredAt, columnCount: columns.split(',').length }
}

export async function readPastHeader(path: string): Promise<PastHeader> {
  const [first = '', second = ''] = await readFirstLines(path)
  const release = first.startsWith('#') ? parseRelease(first) : null
  const columns = release ? second : first
  const match = PAST_COLUMNS.exec(columns)
  if (!match) throw invalidLine(release ? 'second' : 'first', 'cve,epss or cve,epss,percentile', columns)
  const [lineCount, columnCount] = [release ? 2 : 1, columns.split(',').length]
  return { release, lineCount, columnCount, hasPercentiles: match[1] !== undefined }
}

async function readFirstLines(path: string): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of readLines(path)) {
    lines.push(line)
    if (lines.length === HEADER_LINES) break
  }
  return lines
}

function parseRelease(line: string): Pick<EpssHeader, 'modelVersion' | 'scoredAt'> {
  const [, modelVersion, scoreDate] = RELEASE.exec(line) ?? []
  // Older EPSS files write the time zone offset without a colon.
  const scoredAt = scoreDate && parseDateTime(scoreDate.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  if (!modelVersion || !scoredAt) throw invalidLine('first', '#model_version:…,score_date:…', line)
  return { modelVersion, scoredAt }
}

function invalidLine(position: string, expected: string, found: string): FeedError {
  const actual = found === '' ? 'empty' : `"${found.slice(0, 100)}"`
  return new FeedError(
    `The file does not contain EPSS scores: its ${position} line is ${actual}, expected "${expected}".`,
  )
}

export async function* readScores(
  path: string,
  columnCount: number,
  onBytes?: (count: number) => void,
  headerLines: number = HEADER_LINES,
): AsyncGenerator<Reading<EpssLine>> {
  let number = 0
  for await (const line of readLines(path, onBytes)) {
    number += 1
    if (number > headerLines) yield parseScore(line, columnCount)
  }
  if (number <= headerLines) throw new FeedError('The EPSS file contains no scores.')
}

function parseScore(line: string, columnCount: number): Reading<EpssLine> {
  const values = line.split(',')
  const [cve = '', epss = '', percentile = ''] = values
  if (values.length === columnCount) return { raw: { cve, epss, percentile } }
  return { rejected: cve, reason: `the line has ${values.length} values, expected ${columnCount}` }
}

async function* readLines(path: string, onBytes?: (count: number) => void): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const chunk of readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes)) {
    // Valid lines are ASCII; in any encoding, other bytes never form a CVE id or a number.
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new FeedError(
        `The file does not contain EPSS scores: a line has more than ${MAX_LINE_CHARACTERS} characters.`,
      )
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
  // A truncated number still looks like a number, so the last line must end with a line break.
  if (rest !== '') throw new FeedError('The EPSS file is truncated: it ends in the middle of a line.')
}
