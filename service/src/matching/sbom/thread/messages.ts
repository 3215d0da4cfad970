// Messages between the main thread and its worker threads. Errors are sent as plain values, because their classes do
// not survive the transfer.
import type { SentDocument } from '../../../contract/endpoint.ts'
import { ApiError, type ErrorCode, queryTimeout, unavailable } from '../../../contract/response/errors.ts'
import { classifyDatabaseError } from '../../../database/classify-error.ts'
import type { PoolLimits } from '../../../database/postgres.ts'
import type { Component } from '../../../domain/component/component.ts'
import type { MatchCall } from '../../answer/answer.ts'
import type { ComponentCves } from '../../find-cves.ts'
import type { ScanOptions } from '../scan.ts'

export interface ThreadSettings {
  readonly databaseUrl: string
  readonly poolLimits: PoolLimits
}

/** A small call takes a few tenths of a second alongside others; a large one needs the thread to itself. */
export type WorkSize = 'small' | 'large'

/** A component by which a list of CVEs is filtered. */
export interface ComponentSearch {
  readonly component: Component
  readonly parameter: 'cpe' | 'purl'
  readonly now: Date
}

export type ThreadWork =
  | { readonly kind: 'read'; readonly sent: SentDocument }
  /** Scans the document that was last read. */
  | { readonly kind: 'scan'; readonly options: ScanOptions }
  | { readonly kind: 'estimate'; readonly components: MatchCall['components'] }
  | { readonly kind: 'match'; readonly call: MatchCall }
  | { readonly kind: 'find'; readonly search: ComponentSearch }

export interface ThreadResults {
  readonly read: undefined
  readonly scan: undefined
  readonly estimate: WorkSize
  readonly match: undefined
  readonly find: ComponentCves
}

export type ThreadRequest =
  | { readonly id: number; readonly work: ThreadWork }
  | { readonly id: number; readonly isAborted: true }

export type ThreadReply =
  | { readonly id: number; readonly pieces: readonly string[] }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure }

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

/** Logs only the stack, because the error's message may quote the document. */
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
      return new Error(`work in a thread failed: ${failure.message}`)
  }
}
