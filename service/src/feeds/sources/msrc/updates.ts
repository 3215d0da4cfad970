// Fetches Microsoft's list of monthly documents with the revision date of each document.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { parseDateTime } from '../../../domain/instant.ts'
import type { DownloadContext } from '../../download.ts'
import { FeedError } from '../../feed.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { sanitizeText } from '../../sanitize-text.ts'
import { compileSchema } from '../../schema-check.ts'
import { type Month, parseMonth } from './month.ts'

export interface Update {
  readonly month: Month
  /** As Microsoft wrote it; a different text means a different revision. */
  readonly revised: string
  readonly revisedAt: Date
}

/** Maximum size of Microsoft's list of documents, which was 100 kB in 2026. */
const MAX_BYTES = 4 * 1024 ** 2
const MAX_SHOWN_LENGTH = 60
/** The URL in each entry is ignored, because it could name any host. */
const ENTRY = compileSchema(Type.Object({ ID: Type.String(), CurrentReleaseDate: Type.String() }))
const List = Type.Object({
  value: Type.Array(Type.Unknown()),
  '@odata.nextLink': Type.Optional(Type.Unknown()),
})
const LIST = compileSchema(List)

/** Returns the latest revision first, so that an error in an old month does not delay new months. */
export async function fetchUpdates(baseUrl: string, context: DownloadContext): Promise<readonly Update[]> {
  const path = join(context.spool, 'updates.json')
  const request = { url: `${baseUrl}/updates`, maxBytes: MAX_BYTES, headers: { accept: 'application/json' } }
  await context.download.file(request, path)
  const { value } = readList(await readFile(path))
  const updates: Update[] = []
  for (const each of value) {
    const update = readEntry(each)
    if (update) updates.push(update)
    else context.notice(`Ignored an entry of Microsoft's list of months: ${formatEntry(each)}`)
  }
  if (updates.length === 0)
    throw new FeedError("Microsoft's list of months has no usable entry; the API seems to be broken.")
  updates.sort((left, right) => right.revisedAt.getTime() - left.revisedAt.getTime())
  return updates.filter(({ month }, index) => updates.findIndex((each) => each.month.id === month.id) === index)
}

function readList(bytes: Buffer): Static<typeof List> {
  const parsed = parseRecord(bytes)
  if ('error' in parsed) throw new FeedError(`Microsoft's list of months cannot be used: ${parsed.error}.`)
  if (!LIST.matches(parsed.value))
    throw new FeedError(`Microsoft's list of months cannot be used: ${LIST.describeMismatch(parsed.value)}.`)
  // Further pages are not fetched, so the newest months, which come last, would be missing.
  if (parsed.value['@odata.nextLink'] !== undefined)
    throw new FeedError("Microsoft's list of months is split into pages, which is not supported.")
  return parsed.value
}

function readEntry(entry: unknown): Update | undefined {
  if (!ENTRY.matches(entry)) return undefined
  const month = parseMonth(entry.ID)
  const revisedAt = parseDateTime(entry.CurrentReleaseDate)
  return month && revisedAt && { month, revised: entry.CurrentReleaseDate, revisedAt }
}

function formatEntry(entry: unknown): string {
  return sanitizeText(JSON.stringify(entry) ?? '', MAX_SHOWN_LENGTH)
}
