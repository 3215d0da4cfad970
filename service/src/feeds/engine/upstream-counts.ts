// Reads the file in which an operator states how many records upstream's own indexes had when the files of a directory
// were fetched. Without it, nothing tells a whole database from a sample of it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { parseDateTime } from '../../domain/instant.ts'
import { FeedError } from '../feed.ts'
import { parseRecord } from '../formats/parse-json.ts'
import { compileSchema } from '../schema-check.ts'

export const COUNTS_FILE = 'upstream-counts.json'

const Count = Type.Integer({ minimum: 1 })
/**
 * `as_of`: when the files of the feed were fetched, for files without a date. `whole`: the files are upstream's whole
 * index, as a download would be.
 */
const Entry = Type.Union([
  Count,
  Type.Object(
    { records: Type.Optional(Count), whole: Type.Optional(Type.Literal(true)), as_of: Type.String() },
    { additionalProperties: false },
  ),
])
const FILE = compileSchema(Type.Record(Type.String(), Entry))

export interface UpstreamCount {
  readonly indexCount: number | null
  readonly isWhole: boolean
  readonly asOf: Date | undefined
}

const UNKNOWN: UpstreamCount = { indexCount: null, isWhole: false, asOf: undefined }

export async function readUpstreamCount(directory: string, feed: string): Promise<UpstreamCount> {
  const text = await readIfPresent(join(directory, COUNTS_FILE))
  if (text === undefined) return UNKNOWN
  const parsed = parseRecord(text)
  if ('error' in parsed) throw new FeedError(`${COUNTS_FILE} cannot be parsed: ${parsed.error}.`)
  if (!FILE.matches(parsed.value))
    throw new FeedError(
      `${COUNTS_FILE} must map feeds to record counts, as in {"osv-go": 4291} or {"debian": {"records": 64000, "as_of": "2026-08-22T06:00:00Z"}}: ${FILE.describeMismatch(parsed.value)}.`,
    )
  const entry = parsed.value[feed]
  if (entry === undefined) return UNKNOWN
  if (typeof entry === 'number') return { ...UNKNOWN, indexCount: entry }
  const asOf = parseDateTime(entry.as_of)
  if (asOf === undefined) throw new FeedError(`${COUNTS_FILE}: as_of of ${feed} is not a date-time: ${entry.as_of}.`)
  return { indexCount: entry.records ?? null, isWhole: entry.whole ?? false, asOf }
}

async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
