// What can go wrong, in one class: by `code` a program decides, by `message` a person.
import type { components } from './generated/openapi.ts'

type ErrorBody = components['schemas']['Error']['error']

/** Why the service refused. */
export type ServiceErrorCode = ErrorBody['code']

/** Why there is no answer: it could not be reached, was too slow, or something else answered in its place. */
export type TransportErrorCode = 'NETWORK_ERROR' | 'TIMEOUT' | 'INVALID_RESPONSE'

/** Every `code` that a {@link VisError} can have. */
export type VisErrorCode = ServiceErrorCode | TransportErrorCode

/** One of the parameters that the service could not use. */
export interface Fault {
  readonly parameter: string
  /** As it was sent. */
  readonly value: unknown
  readonly message: string
  readonly allowed: readonly string[]
  readonly did_you_mean?: string
}

interface DetailsByCode {
  readonly INVALID_PARAMETER: { readonly errors: readonly Fault[] }
  readonly UNAUTHORIZED: { readonly reason: 'missing' | 'invalid' | 'revoked' | 'expired' | 'suspended' }
  readonly FORBIDDEN: { readonly required_plan?: string }
  readonly RATE_LIMIT_EXCEEDED: { readonly limit: number; readonly window_seconds: number; readonly reset_at: string }
  readonly CREDIT_LIMIT_EXCEEDED: {
    readonly credits_used: number
    readonly credits_limit: number
    readonly reset_at: string
  }
}

/** What `details` holds, by code. A service that is newer or older than this package may say less: hence the `Partial`. */
export type DetailsOf<Code extends VisErrorCode> = Code extends keyof DetailsByCode
  ? Partial<DetailsByCode[Code]>
  : Readonly<Record<string, unknown>>

interface Said<Code extends VisErrorCode> {
  readonly code: Code
  readonly message: string
  readonly status?: number
  readonly parameter?: string | undefined
  readonly value?: unknown
  readonly details?: DetailsOf<Code> | undefined
  readonly correlationId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/**
 * Every call that does not succeed rejects with one of these; only a call that you abort rejects with your own reason.
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
  /** What a program decides by. */
  readonly code: Code
  /** The HTTP status, or 0 where there was no answer. */
  readonly status: number
  /** Which parameter was wrong, if one was. */
  readonly parameter: string | undefined
  /** What was sent for it. */
  readonly value: unknown
  /** More, depending on the code. */
  readonly details: DetailsOf<Code>
  /** Every parameter that was wrong, not only the first. */
  readonly faults: readonly Fault[]
  /** What was probably meant, if the service can guess. */
  readonly didYouMean: string | undefined
  /** By this id the service finds the call in its log. */
  readonly correlationId: string | undefined
  /** In how many seconds it makes sense to try again. */
  readonly retryAfter: number | undefined

  constructor(said: Said<Code>) {
    super(said.message, said.cause === undefined ? undefined : { cause: said.cause })
    this.name = 'VisError'
    this.code = said.code
    this.status = said.status ?? 0
    this.parameter = said.parameter
    this.value = said.value
    // Earned: every member of every kind of details is optional.
    this.details = said.details ?? ({} as DetailsOf<Code>)
    this.faults = faultsIn(said.details)
    this.didYouMean = this.faults.find((fault) => fault.did_you_mean !== undefined)?.did_you_mean
    this.correlationId = said.correlationId
    this.retryAfter = said.retryAfter
  }
}

function faultsIn(details: object | undefined): readonly Fault[] {
  // Earned: whoever has `errors` among its details has these there, says openapi.json.
  return details && 'errors' in details && Array.isArray(details.errors) ? (details.errors as Fault[]) : []
}

/**
 * Whether something that was thrown is a {@link VisError}, and if you name a code, one with that code.
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
