// Messages between the main thread and the thread that reads documents. Errors are sent as plain values, because their
// classes do not survive the way between threads.
import type { SentDocument } from '../../../contract/endpoint.ts'
import { ApiError, type ErrorCode, queryTimeout, unavailable } from '../../../contract/errors.ts'
import { classifyDatabaseError } from '../../../database/classify-error.ts'
import type { PoolLimits } from '../../../database/postgres.ts'
import type { ScanOptions } from '../scan.ts'

/** Settings of the thread. */
export interface ThreadSettings {
  readonly databaseUrl: string
  readonly poolLimits: PoolLimits
}

export interface ScanRequest {
  readonly sent: SentDocument
  readonly options: ScanOptions
}

export type ScanReply = { readonly pieces: readonly string[] } | { readonly failure: Failure }

type Failure =
  | { readonly kind: 'api'; readonly code: ErrorCode; readonly message: string; readonly extras: ApiError['extras'] }
  | { readonly kind: 'unreachable' | 'timeout'; readonly message: string }
  | { readonly kind: 'bug'; readonly message: string }

export function toFailure(error: unknown): Failure {
  if (error instanceof ApiError) {
    const { cause: _, ...extras } = error.extras
    return { kind: 'api', code: error.code, message: error.message, extras }
  }
  const kind = classifyDatabaseError(error)
  if (kind === 'bug') return { kind, message: describeBug(error) }
  return { kind: kind === 'timeout' ? 'timeout' : 'unreachable', message: error instanceof Error ? error.message : '' }
}

/** Returns the place of a bug without the message of the error, which may quote the document: it is logged. */
function describeBug(error: unknown): string {
  if (!(error instanceof Error)) return 'an exception that is no error'
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return [error.name, ...frames].join('\n')
}

export function toError(failure: Failure): Error {
  switch (failure.kind) {
    case 'api':
      return new ApiError(failure.code, failure.message, failure.extras)
    case 'unreachable':
      return unavailable('The database is not reachable.', new Error(failure.message))
    case 'timeout':
      return queryTimeout(new Error(failure.message))
    case 'bug':
      return new Error(`scanning a document failed: ${failure.message}`)
  }
}
