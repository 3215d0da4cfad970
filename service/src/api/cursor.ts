// Cursors of lists: the position of the last item of a page, signed and bound to the query (decision D8).
//
// The query is part of the signature only, not of the cursor. A cursor of another query or endpoint, or a changed cursor,
// therefore fails the signature check.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidParameters } from '../contract/errors.ts'
import { optional } from '../contract/parameters.ts'
import { createIssue } from '../contract/validation-issue.ts'
import { text } from '../contract/value-types.ts'

/** The position of the last item of a page, and the values that all pages take from the first page. */
export interface CursorPosition {
  /** The item's value in the sorted column; null if the item has none. */
  readonly value: string | number | null
  /** The item's key, which breaks ties. */
  readonly key: string
  /** Counted or estimated on the first page, and the same on all pages (decision D9). */
  readonly totalEstimate: number
  /** Time of the first page, for queries whose result depends on the time; otherwise null. */
  readonly asOf: string | null
}

/** The endpoint and everything that decides which items its list has and in which order, in normalised form. */
export interface CursorScope {
  readonly endpoint: string
  readonly filters: Readonly<Record<string, unknown>>
}

export interface Cursors {
  encode(scope: CursorScope, position: CursorPosition): string
  /** Returns undefined on the first page. Throws 400 for a cursor that `encode` did not create for this scope. */
  decode(scope: CursorScope, after: string | undefined): CursorPosition | undefined
}

const SIGNATURE_BYTES = 16
const MAX_CURSOR_LENGTH = 1024

export const afterParameter = () =>
  optional(text({ maxLength: MAX_CURSOR_LENGTH }), 'Cursor of the page: pagination.nextCursor of the previous page.')

interface Page {
  readonly limit: number
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined
  readonly totalEstimate: number
}

export function renderPagination({ limit, nextCursor, totalEstimate }: Page) {
  const more = nextCursor === undefined ? { hasMore: false } : { hasMore: true, nextCursor }
  return { limit, ...more, totalEstimate }
}

/** The first secret signs new cursors. The other secrets are still accepted, so that a secret can be replaced. */
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
      // Node ignores characters that are not base64url, and the unused bits of the last character. Only the exact text
      // that `encode` returned is accepted.
      const isExact = bytes.toString('base64url') === after
      const [signature, payload] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)]
      const isSigned = secrets.some((secret) => isEqual(signature, sign(secret, scope, payload)))
      if (!isExact || !isSigned) throw invalidCursor(after)
      return parsePosition(payload) ?? raise(invalidCursor(after))
    },
  }
}

/** Uses half of the SHA-256 digest: 128 bits are enough, and URLs stay short. */
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

/** Returns undefined for a payload of another form: the signature is valid, but another release may have written it. */
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
