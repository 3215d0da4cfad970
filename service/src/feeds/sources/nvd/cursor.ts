// How far we have read NVD. The two routes keep their places side by side, so that one can take over from the other.
import { type Static, Type } from 'typebox'
import type { FetchContext } from '../../feed.ts'
import { shapeOf } from '../../schema-check.ts'

const FileState = Type.Object({
  sha256: Type.String(),
  /** When NVD made it. */
  at: Type.String(),
})

const Cursor = Type.Object({
  /** The files that we have stored: the years, and `modified`. */
  files: Type.Record(Type.String(), FileState),
  /** When all years were last compared with what NVD has; null while there may be a hole. */
  comparedAt: Type.Union([Type.String(), Type.Null()]),
  /** The end of the last window of the API that was complete; null until everything was loaded once. */
  api: Type.Union([Type.Object({ until: Type.String() }), Type.Null()]),
})

export type NvdCursor = Static<typeof Cursor>

const shape = shapeOf(Cursor)

const NOTHING_READ: NvdCursor = { files: {}, comparedAt: null, api: null }

export function readCursor(context: FetchContext): NvdCursor {
  const { cursor } = context
  if (cursor === undefined || cursor === null) return NOTHING_READ
  if (shape.fits(cursor)) return cursor
  // Reading everything again is slow and does no harm; being stuck would do some.
  context.notice(
    `What was kept about how far NVD had been read cannot be understood (${shape.fault(cursor)}): it is read anew.`,
  )
  return NOTHING_READ
}
