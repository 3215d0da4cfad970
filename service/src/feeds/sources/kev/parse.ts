// Parser for CISA's KEV catalog: one JSON object with a list of entries.
import { Type } from 'typebox'
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { nameErrors } from '../../formats/file-error.ts'
import { readJsonElements, readToEnd } from '../../formats/json-elements.ts'
import { compileSchema } from '../../schema-check.ts'

export interface CatalogHeader {
  readonly version: string
  readonly releasedAt: Date
  readonly count: number
}

/** Maximum uncompressed size: forty times the size of the KEV catalog in 2026. */
const MAX_BYTES = 64 * 1024 * 1024
/** Maximum size of an entry: a hundred times the size of the longest KEV entry in 2026. */
const MAX_ENTRY_BYTES = 256 * 1024

const HEADER = compileSchema(
  Type.Object({
    title: Type.String(),
    catalogVersion: Type.String({ minLength: 1, maxLength: 50 }),
    dateReleased: Type.String(),
    count: Type.Integer({ minimum: 0 }),
  }),
)

/** Reads the whole catalog, so that truncation or a wrong count is detected before any entry is stored. */
export function readCatalogHeader(path: string): Promise<CatalogHeader> {
  return readToEnd(readEntries(path))
}

export function readEntries(path: string, onBytes?: (count: number) => void) {
  return nameErrors('The KEV catalog', readAllEntries(path, onBytes))
}

async function* readAllEntries(
  path: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<Reading<unknown>, CatalogHeader, undefined> {
  const catalog = await readJsonElements(readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes), {
    member: 'vulnerabilities',
    maxElementBytes: MAX_ENTRY_BYTES,
  })
  let length = 0
  for await (const entry of catalog.elements) {
    length += 1
    yield entry
  }
  const header = parseHeader(catalog.members())
  if (header.count !== length) throw new FeedError(`its count is ${header.count}, but its list has ${length} entries`)
  if (length === 0) throw new FeedError('it has no entries')
  return header
}

function parseHeader(members: Readonly<Record<string, unknown>>): CatalogHeader {
  if (!HEADER.matches(members)) throw new FeedError(HEADER.describeMismatch(members))
  const { title, catalogVersion, dateReleased, count } = members
  // Other organisations publish their own catalogs in the format of the KEV catalog, so the title is checked.
  if (!/known exploited vulnerabilities/i.test(title))
    throw new FeedError(`its title is "${title.slice(0, 100)}", which is not the title of the KEV catalog`)
  const releasedAt = parseDateTime(dateReleased)
  if (!releasedAt) throw new FeedError(`its dateReleased is not a date and time: "${dateReleased.slice(0, 100)}"`)
  return { version: catalogVersion, releasedAt, count }
}
