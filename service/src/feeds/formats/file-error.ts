// Translates file system and zlib errors into messages for operators.
import { FeedError } from '../feed.ts'

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a directory',
  EISDIR: 'is a directory',
  EACCES: 'cannot be read by this user (permission denied)',
  EPERM: 'cannot be read by this user (permission denied)',
  ERR_BUFFER_TOO_LARGE: 'is damaged: it decompresses to more than its stated size',
  Z_BUF_ERROR: 'is truncated: the compressed data is incomplete',
}

/** Returns an error unchanged if it has no file system or zlib error code. */
export function toFileError(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || error instanceof FeedError || !('code' in error)) return error
  const code = String(error.code)
  const fallback = /^Z(STD)?_/.test(code) ? `is damaged: ${error.message}` : `cannot be read: ${error.message}`
  return new FeedError(`${name} ${MESSAGES[code] ?? fallback}`, { cause: error })
}

/** Adds the file name to every error that a reader throws. */
export async function* nameErrors<T, R>(
  name: string,
  readings: AsyncGenerator<T, R, undefined>,
): AsyncGenerator<T, R, undefined> {
  try {
    return yield* readings
  } catch (error) {
    throw error instanceof FeedError ? toUnusableError(name, error) : error
  }
}

/** Adds the file name to an error that does not contain it yet. */
export function addFileName(name: string, error: unknown): unknown {
  const lacksName = error instanceof FeedError && !error.message.includes(name)
  return lacksName ? toUnusableError(name, error) : error
}

function toUnusableError(name: string, error: FeedError): FeedError {
  return new FeedError(`${name} cannot be used: ${error.message}.`, { cause: error })
}
