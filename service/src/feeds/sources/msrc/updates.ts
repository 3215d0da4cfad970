// Microsoft's list of all months, and when each of them was last revised.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, type FetchContext } from '../../feed.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { printable } from '../../sanitize-text.ts'
import { shapeOf } from '../../schema-check.ts'
import { type Month, parseMonth } from './month.ts'

export interface Update {
  readonly month: Month
  /** As Microsoft writes it: another text is another revision. */
  readonly revised: string
  readonly revisedAt: Date
}

/** The list of 2026 has 100 kB. */
const MAX_BYTES = 4 * 1024 ** 2
const MAX_SHOWN_LENGTH = 60
/** It also says where the document is. That could be anywhere, and is not read. */
const ENTRY = shapeOf(Type.Object({ ID: Type.String(), CurrentReleaseDate: Type.String() }))
const List = Type.Object({
  value: Type.Array(Type.Unknown()),
  '@odata.nextLink': Type.Optional(Type.Unknown()),
})
const LIST = shapeOf(List)

/** Those revised last come first: whatever is wrong with an old month keeps no news out. Each month once. */
export async function obtainUpdates(baseUrl: string, context: FetchContext): Promise<readonly Update[]> {
  const path = join(context.spool, 'updates.json')
  const request = { url: `${baseUrl}/updates`, maxBytes: MAX_BYTES, headers: { accept: 'application/json' } }
  await context.download.file(request, path)
  const { value } = readList(await readFile(path))
  const updates: Update[] = []
  for (const each of value) {
    const update = readEntry(each)
    if (update) updates.push(update)
    else context.notice(`Microsoft's list names a month that we cannot use: ${shown(each)}`)
  }
  if (updates.length === 0)
    throw new FeedError('Microsoft lists not one month that we can use: that is a breakdown, not an answer.')
  updates.sort((left, right) => right.revisedAt.getTime() - left.revisedAt.getTime())
  return updates.filter(({ month }, index) => updates.findIndex((each) => each.month.id === month.id) === index)
}

function readList(bytes: Buffer): Static<typeof List> {
  const parsed = parseRecord(bytes)
  if ('fault' in parsed) throw new FeedError(`Microsoft's list of months cannot be used: ${parsed.fault}.`)
  if (!LIST.fits(parsed.value))
    throw new FeedError(`Microsoft's list of months cannot be used: ${LIST.fault(parsed.value)}.`)
  // The newest months come last: they would be missing.
  if (parsed.value['@odata.nextLink'] !== undefined)
    throw new FeedError("Microsoft's list of months goes on elsewhere, which it never did: part of it is not enough.")
  return parsed.value
}

function readEntry(entry: unknown): Update | undefined {
  if (!ENTRY.fits(entry)) return undefined
  const month = parseMonth(entry.ID)
  const revisedAt = parseDateTime(entry.CurrentReleaseDate)
  return month && revisedAt && { month, revised: entry.CurrentReleaseDate, revisedAt }
}

function shown(entry: unknown): string {
  return printable(JSON.stringify(entry) ?? '', MAX_SHOWN_LENGTH)
}
