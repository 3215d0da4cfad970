// The catalogue as CISA writes it: one JSON object around one list.
import { Type } from 'typebox'
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import { cutElements } from '../../formats/json-elements.ts'
import { shapeOf } from '../../schema-check.ts'

export interface CatalogueHead {
  readonly version: string
  readonly releasedAt: Date
  readonly count: number
}

/** Forty times what it is today. */
const MAX_BYTES = 64 * 1024 * 1024
/** A hundred times what the longest entry is today. */
const MAX_ENTRY_BYTES = 256 * 1024

const HEAD = shapeOf(
  Type.Object({
    title: Type.String(),
    catalogVersion: Type.String({ minLength: 1, maxLength: 50 }),
    dateReleased: Type.String(),
    count: Type.Integer({ minimum: 0 }),
  }),
)

/** Reads the whole file: the head is only worth something if the list it speaks of is there, to the end. */
export async function readCatalogueHead(path: string): Promise<CatalogueHead> {
  const entries = readEntries(path)
  for (;;) {
    const { done, value } = await entries.next()
    if (done) return value
  }
}

export async function* readEntries(
  path: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<Reading<unknown>, CatalogueHead, undefined> {
  try {
    return yield* readToTheEnd(path, onBytes)
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    throw new FeedError(`The KEV catalogue cannot be used: ${error.message}.`, { cause: error })
  }
}

async function* readToTheEnd(
  path: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<Reading<unknown>, CatalogueHead, undefined> {
  const catalogue = await cutElements(openFile(path, { maxBytes: MAX_BYTES }, onBytes), {
    member: 'vulnerabilities',
    maxElementBytes: MAX_ENTRY_BYTES,
  })
  let length = 0
  for await (const each of catalogue.elements) {
    length += 1
    yield each
  }
  const head = readHead(catalogue.members())
  if (head.count !== length)
    throw new FeedError(`it says that it has ${head.count} entries, and its list has ${length}`)
  if (length === 0) throw new FeedError('it has no entries, and there were never fewer than hundreds')
  return head
}

function readHead(members: Readonly<Record<string, unknown>>): CatalogueHead {
  if (!HEAD.fits(members)) throw new FeedError(HEAD.fault(members))
  const { title, catalogVersion, dateReleased, count } = members
  // Others publish catalogues of their own in the same form.
  if (!/known exploited vulnerabilities/i.test(title)) throw new FeedError(`its title is "${title.slice(0, 100)}"`)
  const releasedAt = parseDateTime(dateReleased)
  if (!releasedAt) throw new FeedError(`its dateReleased is no date: "${dateReleased.slice(0, 100)}"`)
  return { version: catalogVersion, releasedAt, count }
}
