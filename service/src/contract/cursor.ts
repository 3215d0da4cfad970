// Cursors for lists: the position of the last item of a page, signed together with the query (decision D8).
//
// The cursor does not contain the query, but its signature covers the query. A cursor that was altered, or that belongs
// to another query or endpoint, therefore fails the signature check.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { optional } from './request/parameters.ts'
import { createIssue } from './request/validation-issue.ts'
import { text, withExample } from './request/value-types.ts'
import { invalidParameters } from './response/errors.ts'

/**
 * The content of a cursor: the position of the last item of a page, and values from the first page that all later pages
 * reuse.
 */
export interface CursorPosition {
  /** The last item's value in the sort column; null if the item has none. */
  readonly value: string | number | null
  /** Key of the last item of the page. It orders items that have equal values in the sort column. */
  readonly key: string
  /** Total number of items, counted or estimated on the first page and repeated on all later pages (decision D9). */
  readonly totalEstimate: number
  /** Time at which the first page was read, for queries whose result depends on the time; otherwise null. */
  readonly asOf: string | null
}

/** The query for which a cursor is valid: the endpoint, and the list's filters and sort order in normalised form. */
export interface CursorScope {
  readonly endpoint: string
  readonly filters: Readonly<Record<string, unknown>>
}

export interface Cursors {
  encode(scope: CursorScope, position: CursorPosition): string
  /**
   * Returns undefined for the first page, which has no cursor. Throws 400 for a cursor that `encode` did not create for
   * the same query.
   */
  decode(scope: CursorScope, after: string | undefined): CursorPosition | undefined
}

const SIGNATURE_BYTES = 16
const MAX_CURSOR_LENGTH = 1024
/** Shows what a cursor looks like. No node accepts it, because its signature matches no query. */
const EXAMPLE_CURSOR = 'nBPIRXVAWSmTdiOzBfy33VswLjk0MzU4LCIyMDIxMDAwMDAwMDAwNDQyMjgiLDIsbnVsbF0'

export const afterParameter = () =>
  optional(
    withExample(text({ maxLength: MAX_CURSOR_LENGTH }), EXAMPLE_CURSOR),
    'Cursor of the page: pagination.nextCursor of the previous page.',
  )

interface Page {
  readonly limit: number
  /** Cursor of the next page; undefined on the last page. */
  readonly nextCursor: string | undefined
  readonly totalEstimate: number
}

export function renderPagination({ limit, nextCursor, totalEstimate }: Page) {
  const more = nextCursor === undefined ? { hasMore: false } : { hasMore: true, nextCursor }
  return { limit, ...more, totalEstimate }
}

/**
 * The first secret signs new cursors. Cursors signed with any of the other secrets are still accepted, so that a secret
 * can be replaced.
 */
export function createCursors(secrets: readonly [string, ...string[]]): Cursors {
  const [current] = secrets
  return {
    encode: (scope, position) => {
      const payload = Buffer.from(JSON.stringify([position.value, position.key, position.totalEstimate, position.asOf]))
      return Buffer.concat([sign(current, scope, payload), payload]).toString('base64url')
    },
    decode: (scope, after) => {
      if (after === undefined) return undefined
      const bytes = Buffer.from(after, 'base64url')
      // Node's base64url decoder ignores invalid characters and the unused bits of the last character, so several texts
      // decode to the same cursor. A cursor is accepted only if it is exactly the text that `encode` returned.
      const isExact = bytes.toString('base64url') === after
      const [signature, payload] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)]
      const isSigned = secrets.some((secret) => isEqual(signature, sign(secret, scope, payload)))
      if (!isExact || !isSigned) throw invalidCursor(after)
      return parsePosition(payload) ?? raise(invalidCursor(after))
    },
  }
}

/** Signs a cursor with half of the SHA-256 digest: 128 bits are secure enough, and URLs stay short. */
function sign(secret: string, { endpoint, filters }: CursorScope, payload: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([endpoint, sortFilters(filters)]))
    .update('\0')
    .update(payload)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
}

function sortFilters(filters: CursorScope['filters']): [string, unknown][] {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Returns undefined for a cursor whose content does not have the expected members. This can happen although the
 * signature is valid, because another release of the service may have written the cursor.
 */
function parsePosition(payload: Buffer): CursorPosition | undefined {
  const parsed: unknown = JSON.parse(payload.toString())
  if (!Array.isArray(parsed)) return undefined
  const [value, key, totalEstimate, asOf]: unknown[] = parsed
  const isValue = value === null || typeof value === 'string' || typeof value === 'number'
  const isAsOf = asOf === null || typeof asOf === 'string'
  if (!isValue || typeof key !== 'string' || typeof totalEstimate !== 'number' || !isAsOf) return undefined
  return { value, key, totalEstimate, asOf }
}

function invalidCursor(after: string) {
  return invalidParameters([createIssue('after', after, 'the unchanged nextCursor of a response to the same query')])
}

function raise(error: Error): never {
  throw error
}
