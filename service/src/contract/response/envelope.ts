// Builds the body of every response: { data, meta } or { error, meta }. `data` is passed in as JSON text.
import { formatInstant } from '../../domain/instant.ts'
import type { ApiError } from './errors.ts'
import type { Loading } from './loading.ts'

export interface Stamp {
  readonly correlationId: string
  readonly now: Date
  /** Progress of the first load of the catalog; undefined once it is finished. */
  readonly loading?: Loading | undefined
}

/**
 * Builds the body of a success response. `topLevel` holds members besides `data` and `meta`; only /health has any
 * (decision D15).
 */
export function buildSuccess(data: string, stamp: Stamp, topLevel: TopLevel = {}): string {
  return `${buildStart(topLevel)}${data}${buildTail(stamp)}`
}

/** Builds the same body as `buildSuccess` from the chunks of a large `data`. */
export function buildSuccessInPieces(data: readonly string[], stamp: Stamp, topLevel: TopLevel = {}): string[] {
  return [buildStart(topLevel), ...data, buildTail(stamp)]
}

type TopLevel = Readonly<Record<string, unknown>>

/** Builds the part of a success body before the value of `data`. */
function buildStart(topLevel: TopLevel): string {
  const extra = Object.entries(topLevel).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
  return `{${extra.join('')}"data":`
}

/** Builds the part of a success body that depends only on `data` and can be cached. `buildTail` builds the rest. */
export function buildHead(data: string): string {
  return `${buildStart({})}${data}`
}

/** Builds the end of a success body, which differs from response to response. */
export function buildTail(stamp: Stamp): string {
  return `,"meta":${formatMeta(stamp)}}`
}

export function buildFailure(error: ApiError, stamp: Stamp): string {
  const { parameter, value = null, details } = error.extras
  const body = {
    code: error.code,
    message: error.message,
    ...(parameter === undefined ? {} : { parameter, value }),
    ...(details === undefined ? {} : { details }),
  }
  return `{"error":${JSON.stringify(body)},"meta":${formatMeta(stamp)}}`
}

/** Correlation ids and times contain no characters that JSON escapes, so the text is assembled directly. */
function formatMeta({ correlationId, now, loading }: Stamp): string {
  const state = loading === undefined ? '' : `,"loading":${JSON.stringify(loading)}`
  return `{"timestamp":"${formatInstant(now)}","version":"v1","correlationId":"${correlationId}"${state}}`
}
