// The sdk's only error class. Programs check `code`, people read `message`.
import type { components } from './generated/openapi.ts'

type ErrorBody = components['schemas']['Error']['error']

/** Code of an error that the service returned. */
export type ServiceErrorCode = ErrorBody['code']

/**
 * Code of an error without a response from the service: host unreachable, timeout, or a response from another server.
 */
export type TransportErrorCode = 'NETWORK_ERROR' | 'TIMEOUT' | 'INVALID_RESPONSE'

/** Every `code` that a {@link VisError} can have. */
export type VisErrorCode = ServiceErrorCode | TransportErrorCode

/** A parameter that the service rejected. */
export interface ParameterIssue {
  readonly parameter: string
  /** Parameter value as it was sent. */
  readonly value: unknown
  readonly message: string
  readonly allowed: readonly string[]
  readonly suggestion?: string
}

interface DetailsByCode {
  readonly INVALID_PARAMETER: {
    readonly errors: readonly ParameterIssue[]
    /** Number of rejected parameters that `errors` omits to keep the response small. */
    readonly omitted_errors?: number
  }
  readonly UNAUTHORIZED: { readonly reason: 'missing' | 'invalid' | 'revoked' | 'expired' | 'suspended' }
  readonly FORBIDDEN: {
    readonly required_plan?: string
    /** Scope that the API key does not have. */
    readonly required_scope?: 'read' | 'manage' | 'watch' | 'triage'
    /** Address from which the API key may not be used. */
    readonly address?: string
  }
  readonly CONFLICT: {
    /** The limit that is reached. */
    readonly limit?: number
    /** Id of the key that replaced this one. */
    readonly replaced_by?: string
    /** The triage entry as it is now; null if it does not exist. */
    readonly current?: components['schemas']['TriageEntry'] | null
  }
  readonly GONE: {
    /** Newest snapshot, from which to start a new full copy; null if there is none. */
    readonly snapshot: string | null
    /** Oldest and newest position in the change log, if the error is about a position. */
    readonly oldest?: string
    readonly newest?: string
  }
  readonly RATE_LIMIT_EXCEEDED: { readonly limit: number; readonly window_seconds: number; readonly reset_at: string }
  readonly CREDIT_LIMIT_EXCEEDED: {
    readonly credits_used: number
    readonly credits_limit: number
    readonly reset_at: string
  }
}

/** Type of `details` for each code. All members are optional, because other versions of the service may send fewer. */
export type ErrorDetails<Code extends VisErrorCode> = Code extends keyof DetailsByCode
  ? Partial<DetailsByCode[Code]>
  : Readonly<Record<string, unknown>>

interface VisErrorOptions<Code extends VisErrorCode> {
  readonly code: Code
  readonly message: string
  readonly status?: number
  readonly parameter?: string | undefined
  readonly value?: unknown
  readonly details?: ErrorDetails<Code> | undefined
  readonly correlationId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/**
 * Every failed call rejects with a VisError. Only a call that you abort rejects with the reason of your signal.
 *
 * ```ts
 * try {
 *   await client.cve('CVE-2021-44228')
 * } catch (error) {
 *   if (isVisError(error, 'CREDIT_LIMIT_EXCEEDED')) console.log(`no credits until ${error.details.reset_at}`)
 *   else throw error
 * }
 * ```
 */
export class VisError<Code extends VisErrorCode = VisErrorCode> extends Error {
  /** Stable error code for programs to check. */
  readonly code: Code
  /** HTTP status, or 0 if there was no response. */
  readonly status: number
  /** Name of the first rejected parameter, if the error is about a parameter. */
  readonly parameter: string | undefined
  /** Value that was sent for `parameter`. */
  readonly value: unknown
  /** Additional error data, typed by code. */
  readonly details: ErrorDetails<Code>
  /** All rejected parameters, not only the first. */
  readonly issues: readonly ParameterIssue[]
  /** The service's suggestion for a misspelled parameter or value. */
  readonly didYouMean: string | undefined
  /** Id of the call in the service's log. */
  readonly correlationId: string | undefined
  /** Seconds to wait before a retry makes sense. */
  readonly retryAfter: number | undefined

  constructor(options: VisErrorOptions<Code>) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'VisError'
    this.code = options.code
    this.status = options.status ?? 0
    this.parameter = options.parameter
    this.value = options.value
    // The cast of the empty object is safe: all members of ErrorDetails are optional.
    this.details = options.details ?? ({} as ErrorDetails<Code>)
    this.issues = readIssues(options.details)
    this.didYouMean = this.issues.find((issue) => issue.suggestion !== undefined)?.suggestion
    this.correlationId = options.correlationId
    this.retryAfter = options.retryAfter
  }
}

function readIssues(details: object | undefined): readonly ParameterIssue[] {
  // The cast is safe: openapi.json declares the items of `details.errors`.
  return details && 'errors' in details && Array.isArray(details.errors) ? (details.errors as ParameterIssue[]) : []
}

/**
 * Returns whether a thrown value is a {@link VisError} and, if you pass a code, one with that code.
 *
 * ```ts
 * if (isVisError(error, 'INVALID_PARAMETER')) console.log(error.parameter, error.didYouMean)
 * ```
 */
export function isVisError<Code extends VisErrorCode = VisErrorCode>(
  error: unknown,
  code?: Code,
): error is VisError<Code> {
  return error instanceof VisError && (code === undefined || error.code === code)
}
