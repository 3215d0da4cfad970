// What the operating system and zlib complain about, in words for an operator.
import { FeedError } from '../feed.ts'

const COMPLAINTS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a directory',
  EISDIR: 'is a directory',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  ERR_BUFFER_TOO_LARGE: 'is damaged: it unpacks to more than it says',
  Z_BUF_ERROR: 'is cut off: it ends before what is packed in it does',
}

/** A FeedError for an error that is about the file of this name; any other error as it is. */
export function toFileError(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || error instanceof FeedError || !('code' in error)) return error
  const code = String(error.code)
  const otherwise = /^Z(STD)?_/.test(code) ? `is damaged: ${error.message}` : `cannot be read: ${error.message}`
  return new FeedError(`${name} ${COMPLAINTS[code] ?? otherwise}`, { cause: error })
}
