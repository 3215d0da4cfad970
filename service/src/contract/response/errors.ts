// The table of all errors that a client can receive (decision B1). Any exception that is not in the table is an
// internal error with status 500.

import type { Plan } from '../../domain/account/plan.ts'
import type { Role } from '../../domain/account/role.ts'
import type { Scope } from '../../domain/account/scope.ts'
import { formatInstant } from '../../domain/instant.ts'
import { boundIssues } from '../request/bounded-issues.ts'
import type { ValidationIssue } from '../request/validation-issue.ts'
import { describeLoading, type Loading } from './loading.ts'

export const ERRORS = {
  INVALID_PARAMETER: { status: 400, meaning: 'A parameter fails validation; details.errors lists every issue.' },
  UNAUTHORIZED: {
    status: 401,
    meaning: 'The API key is missing, invalid, revoked or expired, or its account is suspended.',
  },
  FORBIDDEN: {
    status: 403,
    meaning: 'The address, the origin, the scopes of the key or the plan do not allow this call.',
  },
  NOT_FOUND: { status: 404, meaning: 'There is no such path or record.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists, but not with this method; see the Allow header.' },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request did not arrive in time.' },
  CONFLICT: {
    status: 409,
    meaning:
      'The change does not fit the present state: a limit of the account is reached, or another change came first.',
  },
  GONE: {
    status: 410,
    meaning:
      'The position of the change log, the snapshot or the day is no longer kept, or the position is from before a restore of the database. details says what is kept; for positions and snapshots, details.snapshot is the id of the newest snapshot, or null.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: 'The body is larger than the endpoint allows: 64 KiB, unless its description gives another limit.',
  },
  URI_TOO_LONG: { status: 414, meaning: 'The URL is longer than 8 KiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning:
      'The endpoint does not accept the Content-Type or the Content-Encoding of the body: only application/json without compression, unless its description names others.',
  },
  RATE_LIMIT_EXCEEDED: { status: 429, meaning: "The free plan's rate limit is used up until details.reset_at." },
  CREDIT_LIMIT_EXCEEDED: { status: 429, meaning: 'The monthly credit quota is used up until details.reset_at.' },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The headers are larger than 16 KiB.' },
  INTERNAL_ERROR: { status: 500, meaning: 'Internal error. Quote meta.correlationId when you report it.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning: 'The service is temporarily unavailable or overloaded; retry after the Retry-After header.',
  },
  NOT_READY: {
    status: 503,
    meaning:
      'The catalog is loading for the first time, so that the answer would say nothing; retry after the Retry-After header. details.loading has the progress.',
  },
  QUERY_TIMEOUT: { status: 503, meaning: 'The query took too long; narrow it, or retry after the Retry-After header.' },
} as const satisfies Record<string, { status: number; meaning: string }>

export type ErrorCode = keyof typeof ERRORS
export type KeyRefusal = 'missing' | 'invalid' | 'revoked' | 'expired' | 'suspended'

interface ErrorExtras {
  readonly details?: Readonly<Record<string, unknown>>
  readonly parameter?: string
  readonly value?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly extras: ErrorExtras

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? {} : { cause: extras.cause })
    this.name = 'ApiError'
    this.code = code
    this.extras = extras
  }
}

/** Maximum size of the body of a parameter error, without `meta`. */
const MAX_ISSUES_BYTES = 7500

export function invalidParameters(issues: readonly [ValidationIssue, ...ValidationIssue[]]): ApiError {
  const [{ subject, parameter, value, message }] = issues
  const sentence = `${subject ?? parameter} ${message}`
  const otherBytes = Buffer.byteLength(JSON.stringify({ parameter, value, sentence }))
  const { shown, omitted } = boundIssues(issues, MAX_ISSUES_BYTES - otherBytes)
  return new ApiError('INVALID_PARAMETER', `${sentence}${countOthers(issues.length - 1, omitted)}`, {
    parameter,
    value,
    details: { errors: shown, ...(omitted === 0 ? {} : { omitted_errors: omitted }) },
  })
}

function countOthers(others: number, omitted: number): string {
  if (others === 0) return ''
  return omitted === 0
    ? ` (and ${others} more in details.errors)`
    : ` (and ${others} more, of which details.errors lists ${others - omitted})`
}

/**
 * Creates the error for a bad API key. The message never reveals what is wrong with the key; only details.reason does
 * (threat T-3).
 */
export function badKey(reason: KeyRefusal): ApiError {
  return new ApiError('UNAUTHORIZED', 'A valid API key is required in the X-API-Key header, and nowhere else.', {
    details: { reason },
    headers: { 'WWW-Authenticate': 'ApiKey' },
  })
}

type SessionProblem = 'missing' | 'invalid' | 'ended' | 'expired' | 'revoked' | 'suspended' | 'address'

/** Creates the error for a console call without a valid session. */
export function noSession(reason: SessionProblem): ApiError {
  const message =
    reason === 'address'
      ? 'This session came from an API key that may not be used from this address. Use the console from an allowed address of the key, or sign in again at /console/.'
      : 'This request needs a console session. Sign in at /console/.'
  return new ApiError('UNAUTHORIZED', message, {
    details: { reason },
    headers: { 'WWW-Authenticate': 'Session' },
  })
}

/** Creates the error for a sign-in with a bad API key. As in `badKey`, the message is always the same. */
export function signInRefused(reason: KeyRefusal): ApiError {
  return new ApiError(
    'UNAUTHORIZED',
    'This API key is not valid here. Copy the whole key: it starts with vis_live_ or vis_test_ and was shown once, when it was created.',
    { details: { reason }, headers: { 'WWW-Authenticate': 'Session' } },
  )
}

export function tooManySignIns(waitSeconds: number): ApiError {
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    'This API key was used for too many sign-ins within a minute; wait, then try again.',
    { headers: { 'Retry-After': String(waitSeconds) } },
  )
}

export function tooManyFailedSignIns(waitSeconds: number): ApiError {
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    'Too many sign-ins from this address have failed within a minute; wait, then try again.',
    { headers: { 'Retry-After': String(waitSeconds) } },
  )
}

export function tooManyLinkViews(waitSeconds: number): ApiError {
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    'Too many sign-in links were opened from this address within a minute; wait, then try again. The link stays valid.',
    { headers: { 'Retry-After': String(waitSeconds) } },
  )
}

export function consoleReadsExceeded(reads: {
  limit: number
  window: 'minute' | 'day'
  resetAt: Date
  waitSeconds: number
}): ApiError {
  const { limit, window, resetAt, waitSeconds } = reads
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The console allows ${limit} free reads a ${window} for each account; calls with an API key have their own limits.`,
    {
      details: { limit, window_seconds: window === 'day' ? 86_400 : 60, reset_at: formatInstant(resetAt) },
      headers: { 'Retry-After': String(waitSeconds) },
    },
  )
}

export function roleRefused(role: Role): ApiError {
  return new ApiError('FORBIDDEN', `The role ${role} may not call this endpoint. Ask an owner of the account.`)
}

/** Creates the error for a console request that a page of another origin may have sent. */
export function crossOriginRefused(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'The console accepts requests from its own pages only: a change needs the header Sec-Fetch-Site: same-origin or the Origin of this server, and Content-Type: application/json.',
  )
}

export function originRefused(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    "This browser origin is not configured on the key's account; ask its owner to add it.",
  )
}

export function addressRefused(address: string): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `This API key may not be used from ${address}. Use it from one of its allowed addresses, or ask an admin or owner of the account for a key that allows this one.`,
    { details: { reason: 'address', address } },
  )
}

export function scopeRefused(requiredScope: Scope): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `This needs an API key with the scope ${requiredScope}. An admin or owner of the account can create one, or an operator can grant the scope.`,
    { details: { required_scope: requiredScope } },
  )
}

/** Creates the error for a console session that may not read or change triage states. */
export function triageRefused(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'This session may not do this: changes of triage states need the role admin or owner, and a session that was made from an API key needs the scope triage of the key.',
    { details: { required_scope: 'triage' } },
  )
}

export function planRefused(requiredPlan: Plan): ApiError {
  return new ApiError('FORBIDDEN', `This needs the plan ${requiredPlan}; nothing was charged.`, {
    details: { required_plan: requiredPlan },
  })
}

/** `knownTo`: sources that have the CVE but say nothing about the vulnerability, such as EPSS (decision E32). */
export function noSuchRecord(id: string, knownTo: readonly string[] = []): ApiError {
  if (knownTo.length === 0) return new ApiError('NOT_FOUND', `There is no record of ${id}.`)
  return new ApiError(
    'NOT_FOUND',
    `There is no record of ${id}: no source describes it. Known only to ${knownTo.join(', ')}.`,
    { details: { known_to: knownTo } },
  )
}

/** Creates the error for a position in the change log that is too old for all later changes to be listed. */
export function positionGone(
  since: string,
  details: { readonly oldest: string; readonly newest: string; readonly snapshot: string | null },
): ApiError {
  return new ApiError(
    'GONE',
    'The change log cannot list every change after this position: it is too old, or the database was restored. Take a new full copy (GET /api/v1/snapshots), and continue with the position of that copy.',
    { parameter: 'since', value: since, details },
  )
}

/** Creates the error for a time before the log begins. `earliest` is the first time that it covers. */
export function changesGone(
  since: string,
  details: {
    readonly earliest: string | null
    readonly oldest: string
    readonly newest: string
    readonly snapshot: string | null
  },
): ApiError {
  const { earliest } = details
  return new ApiError(
    'GONE',
    `The change log does not list every change after this time${earliest === null ? '' : `: it is complete since ${earliest}`}. For what was in the catalog before, take a full copy (GET /api/v1/snapshots).`,
    { parameter: 'since', value: since, details },
  )
}

/** Creates the error for a snapshot that no longer exists. `newest` is null if there is no snapshot at all. */
export function snapshotGone(id: string, newest: string | null): ApiError {
  return new ApiError(
    'GONE',
    'This snapshot is no longer kept. Only the newest ones are: GET /api/v1/snapshots lists them. Begin again with another one.',
    { parameter: 'snapshot-id', value: id, details: { snapshot: newest } },
  )
}

export function noSuchPart(part: number, parts: number): ApiError {
  return new ApiError('NOT_FOUND', `The snapshot has no part ${part}. Its parts have the numbers 1 to ${parts}.`)
}

/** Creates the error for a day without a record. `published`: when the CVE was published, if that was later. */
export function noRecordThen(id: string, day: string, published: string | null): ApiError {
  if (published === null) return new ApiError('NOT_FOUND', `There was no record of ${id} at the end of ${day}.`)
  return new ApiError('NOT_FOUND', `${id} was not published on ${day}, but later, on ${published.slice(0, 10)}.`, {
    details: { published },
  })
}

/** Creates the error for a day about which nothing is known: no history of an upstream reaches it. */
export function pastGone(day: string, completeSince: string | null): ApiError {
  const since = completeSince === null ? 'has not begun to keep records' : `keeps records since ${completeSince}`
  return new ApiError(
    'GONE',
    `Nothing is known about the CVE on ${day}: this service ${since}, and no history that it has reaches that day.`,
    { parameter: 'date', value: day, details: { complete_since: completeSince } },
  )
}

export function noSuchPath(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such path. /openapi.json lists every path, /docs explains them.')
}

export function methodNotAllowed(allow: readonly string[]): ApiError {
  const allowed = allow.join(', ')
  return new ApiError('METHOD_NOT_ALLOWED', `This path answers ${allowed} only.`, { headers: { Allow: allowed } })
}

export function payloadTooLarge(maxBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body may have at most ${maxBytes} bytes (${maxBytes / 1024} KiB).`)
}

export function rateLimited(limit: number, windowSeconds: number, resetAt: Date, waitSeconds: number): ApiError {
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The free plan allows ${limit} calls in ${windowSeconds} s; paid plans have no rate limit.`,
    {
      details: { limit, window_seconds: windowSeconds, reset_at: formatInstant(resetAt) },
      headers: { 'Retry-After': String(waitSeconds) },
    },
  )
}

export function creditsExceeded(spent: { used: number; limit: number; resetAt: Date; waitSeconds: number }): ApiError {
  return new ApiError(
    'CREDIT_LIMIT_EXCEEDED',
    'The monthly credit quota does not cover this call; nothing was charged.',
    {
      details: { credits_used: spent.used, credits_limit: spent.limit, reset_at: formatInstant(spent.resetAt) },
      headers: { 'Retry-After': String(spent.waitSeconds) },
    },
  )
}

export function unavailable(what: string, cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', `${what} Nothing was charged; please retry.`, {
    cause,
    headers: { 'Retry-After': '1' },
  })
}

/** Publishing all data for the first time takes minutes. */
const READY_RETRY_SECONDS = 30

/** Creates the error for a call that requires published data before there is any. */
export function notReady(loading: Loading | null): ApiError {
  const state =
    loading === null ? 'has not published any data yet' : `is loading its catalog: ${describeLoading(loading)}`
  return new ApiError(
    'NOT_READY',
    `This service ${state}, so that it cannot answer. Nothing was charged; retry later. GET /health shows the data sets.`,
    { headers: { 'Retry-After': String(READY_RETRY_SECONDS) }, ...(loading && { details: { loading } }) },
  )
}

export function queryTimeout(cause: unknown): ApiError {
  return new ApiError('QUERY_TIMEOUT', 'The query took too long. Nothing was charged; narrow the query, or retry.', {
    cause,
    headers: { 'Retry-After': '5' },
  })
}

/** Creates the error for a call that waited in vain for its account's clients to read earlier responses. */
export function unreadAnswers(bytes: number): ApiError {
  const megabytes = (bytes / 1_000_000).toFixed(1)
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `This account has ${megabytes} MB of answers that its clients have not read. Nothing was charged; read or close them, then retry.`,
    { headers: { 'Retry-After': '5' } },
  )
}
