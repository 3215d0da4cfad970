// Where a list goes on: the place of its last item, signed, and bound to the query that it belongs to (decision D8).
//
// The query is not in the cursor, only in its signature: a cursor of another query or another endpoint, or one that
// was touched, is simply not ours.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidParameters } from '../contract/errors.ts'
import { optional } from '../contract/parameters.ts'
import { fault } from '../contract/validation-issue.ts'
import { text } from '../contract/value-types.ts'

/** The last item of a page, and what the first page found out. */
export interface Place {
  /** What the list is sorted by; null where that item has none. */
  readonly value: string | number | null
  /** Of the item itself, which breaks ties. */
  readonly key: string
  /** Computed on the first page, the same on all (decision D9). */
  readonly totalEstimate: number
  /** The `now` of the first page, for queries that depend on it. */
  readonly asOf: string | null
}

/** An endpoint, and whatever decides which items are in its list and in which order: defaults filled in, lists sorted. */
export interface Query {
  readonly endpoint: string
  readonly filters: Readonly<Record<string, unknown>>
}

export interface Cursors {
  seal(query: Query, place: Place): string
  /** Nothing on the first page. Throws 400 naming `after` for anything that `seal` did not make for this query. */
  open(query: Query, after: string | undefined): Place | undefined
}

const SIGNATURE_BYTES = 16
const MAX_CURSOR_LENGTH = 1024

export const afterParameter = () =>
  optional(text({ maxLength: MAX_CURSOR_LENGTH }), 'nextCursor of the page before, for the same query.')

interface Page {
  readonly limit: number
  /** Nothing on the last page. */
  readonly nextCursor: string | undefined
  readonly totalEstimate: number
}

export function renderPagination({ limit, nextCursor, totalEstimate }: Page) {
  const more = nextCursor === undefined ? { hasMore: false } : { hasMore: true, nextCursor }
  return { limit, ...more, totalEstimate }
}

/** The first secret signs; the others are still believed, so that one can replace another without a failed page. */
export function createCursors(secrets: readonly [string, ...string[]]): Cursors {
  const [current] = secrets
  return {
    seal: (query, place) => {
      const payload = Buffer.from(JSON.stringify([place.value, place.key, place.totalEstimate, place.asOf]))
      return Buffer.concat([signatureOf(current, query, payload), payload]).toString('base64url')
    },
    open: (query, after) => {
      if (after === undefined) return undefined
      const bytes = Buffer.from(after, 'base64url')
      // Node skips what is not base64url, and ignores the last bits: only our own spelling counts.
      const isSpelledAsSealed = bytes.toString('base64url') === after
      const [signature, payload] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)]
      const isSigned = secrets.some((secret) => isEqual(signature, signatureOf(secret, query, payload)))
      if (!isSpelledAsSealed || !isSigned) throw notOurs(after)
      return readPlace(payload) ?? raise(notOurs(after))
    },
  }
}

/** Half of the digest is plenty, and keeps addresses short. */
function signatureOf(secret: string, { endpoint, filters }: Query, payload: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([endpoint, sorted(filters)]))
    .update('\0')
    .update(payload)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
}

function sorted(filters: Query['filters']): [string, unknown][] {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Signed by us, but perhaps by another release with other places. */
function readPlace(payload: Buffer): Place | undefined {
  const read: unknown = JSON.parse(payload.toString())
  if (!Array.isArray(read)) return undefined
  const [value, key, totalEstimate, asOf]: unknown[] = read
  const isValue = value === null || typeof value === 'string' || typeof value === 'number'
  const isAsOf = asOf === null || typeof asOf === 'string'
  if (!isValue || typeof key !== 'string' || typeof totalEstimate !== 'number' || !isAsOf) return undefined
  return { value, key, totalEstimate, asOf }
}

function notOurs(after: string) {
  return invalidParameters([fault('after', after, 'the nextCursor of an answer to this very query, unchanged')])
}

function raise(error: Error): never {
  throw error
}
