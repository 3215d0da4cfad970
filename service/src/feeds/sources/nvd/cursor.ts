// Cursor of the NVD feed. It holds the positions in NVD's files and in NVD's API, so that an operator can switch
// between the two.
import { type Static, Type } from 'typebox'
import type { FetchContext } from '../../feed.ts'
import { compileSchema } from '../../schema-check.ts'

const FileState = Type.Object({
  sha256: Type.String(),
  /** Creation time of NVD's file, from its .meta file. */
  at: Type.String(),
  /** Number of records that NVD's file announces. */
  count: Type.Optional(Type.Integer()),
})

const Cursor = Type.Object({
  /** Imported NVD files by key: a year or `modified`. */
  files: Type.Record(Type.String(), FileState),
  /** When all year files were last compared with NVD's; null while records may be missing. */
  comparedAt: Type.Union([Type.String(), Type.Null()]),
  /** End of the last complete time window of the API; null until all records have been loaded once. */
  api: Type.Union([Type.Object({ until: Type.String() }), Type.Null()]),
})

export type NvdCursor = Static<typeof Cursor>

const shape = compileSchema(Cursor)

const EMPTY_CURSOR: NvdCursor = { files: {}, comparedAt: null, api: null }

export function readCursor(context: FetchContext): NvdCursor {
  const { cursor } = context
  if (cursor === undefined || cursor === null) return EMPTY_CURSOR
  if (shape.matches(cursor)) return cursor
  // Importing everything again is slow but harmless; an error would make every later run fail too.
  context.notice(
    `The stored position in NVD's data is invalid (${shape.describeMismatch(cursor)}): importing everything again.`,
  )
  return EMPTY_CURSOR
}
