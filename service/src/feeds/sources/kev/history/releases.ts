// Reads the file of the kev-history feed: one release of the KEV catalog per line, oldest first. A line contains all
// entries of the release, as CISA publishes them, or only the differences from the previous line.
import { Type } from 'typebox'
import { parseDateTime } from '../../../../domain/instant.ts'
import { FeedError } from '../../../feed.ts'
import { readDecompressed } from '../../../formats/decompress.ts'
import { readJsonLines } from '../../../formats/json-lines.ts'
import { compileSchema } from '../../../schema-check.ts'

export type Entry = Readonly<Record<string, unknown>> & { readonly cveID: string }

export interface Release {
  readonly version: string
  readonly releasedAt: Date
  readonly count: number
  /** All entries; undefined if the line has only the differences. */
  readonly vulnerabilities?: readonly Entry[]
  readonly added: readonly Entry[]
  readonly changed: readonly { readonly cveID: string; readonly now: Readonly<Record<string, unknown>> }[]
  readonly removed: readonly string[]
}

/** Maximum uncompressed size: twice the size of all releases up to 2026 with all entries on each line. */
const MAX_BYTES = 1024 * 1024 * 1024

const ENTRY = Type.Object({ cveID: Type.String({ maxLength: 30 }) })

const LINE = compileSchema(
  Type.Object({
    catalogVersion: Type.String({ minLength: 1, maxLength: 50 }),
    dateReleased: Type.String({ maxLength: 50 }),
    count: Type.Integer({ minimum: 0 }),
    vulnerabilities: Type.Optional(Type.Array(ENTRY)),
    added: Type.Optional(Type.Array(ENTRY)),
    changed: Type.Optional(
      Type.Array(
        Type.Object({ cveID: Type.String({ maxLength: 30 }), now: Type.Record(Type.String(), Type.Unknown()) }),
      ),
    ),
    removed: Type.Optional(Type.Array(Type.String({ maxLength: 30 }))),
  }),
)

/** Throws a FeedError for a line that cannot be read, because later lines build on it. */
export async function* readReleases(path: string, onBytes?: (count: number) => void): AsyncGenerator<Release> {
  let number = 0
  for await (const line of readJsonLines(readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes))) {
    number += 1
    if (!('raw' in line)) throw new FeedError(`${line.rejected} is ${line.reason}`)
    yield parseLine(line.raw, number)
  }
}

function parseLine(raw: unknown, number: number): Release {
  if (!LINE.matches(raw)) throw new FeedError(`release ${number}: ${LINE.describeMismatch(raw)}`)
  const { catalogVersion: version, dateReleased, count, vulnerabilities, added = [], changed = [], removed = [] } = raw
  const releasedAt = parseDateTime(dateReleased)
  if (!releasedAt) throw new FeedError(`release ${number}: dateReleased is not a date and time: "${dateReleased}"`)
  if (number === 1 && !vulnerabilities)
    throw new FeedError('the first line has no member "vulnerabilities" with all entries of the oldest release')
  return { version, releasedAt, count, added, changed, removed, ...(vulnerabilities && { vulnerabilities }) }
}
