// The spans of watches as the evaluator knows them, and their queries, each compiled once.
import { type Kysely, sql } from 'kysely'
import { QueryIndex } from '../../search/watch/query-index.ts'
import { readStoredQuery, type StoredQuery } from '../../search/watch/stored-query.ts'
import type { LogPosition } from './read-log.ts'

/** One revision of a watch (notify.watch_span). */
export interface Span {
  readonly watch: string
  readonly revision: number
  readonly account: string
  readonly kinds: ReadonlySet<string>
  readonly from: LogPosition
  /** Null for an open span. */
  readonly until: bigint | null
  /** Null if it was judged as far as the evaluator's position. */
  readonly done: bigint | null
}

/** Spans whose queries have the same meaning are judged once. */
export interface QueryGroup {
  readonly stored: StoredQuery
  readonly spans: ReadonlyMap<string, Span>
}

export interface SpanRegistry {
  /**
   * Reads the spans that were changed since the last read under the lock, and returns them. Numbers of changes become
   * visible out of order, so only a transaction that keeps all others from changing spans (lockSpans) has seen them all.
   */
  refresh(tx: Kysely<unknown>, isLocked: boolean): Promise<readonly Span[]>
  /** Reads all spans again with the next refresh: another process may have judged, or a commit was not answered. */
  forget(): void
  /** The spans were judged to `done`, or are no longer needed. */
  settle(judged: readonly Span[], done: bigint | null): void
  remove(finished: readonly Span[]): void
  /** Whether spans were changed since the last read under the lock. */
  hasChanges(accounts: Kysely<unknown>): Promise<boolean>
  /** Finds the groups of spans whose query a CVE meets. */
  readonly index: QueryIndex<QueryGroup>
  groups(): Iterable<QueryGroup>
  all(): Iterable<Span>
  /** Number of queries that cannot be judged, such as with a filter that no longer exists. */
  readonly invalid: number
}

interface Row {
  readonly watch: string
  readonly revision: number
  readonly account: string
  readonly query: string
  readonly kinds: readonly string[]
  readonly from_seq: string
  readonly from_tag: string
  readonly until_seq: string | null
  readonly done_seq: string | null
  readonly change_nr: string
}

interface Held {
  readonly span: Span
  /** Undefined if the query cannot be judged. */
  readonly stored: StoredQuery | undefined
}

export const spanKey = ({ watch, revision }: Pick<Span, 'watch' | 'revision'>) => `${watch}/${revision}`

/** Holds spans by key, and by query. */
function createHeldSpans() {
  const held = new Map<string, Held>()
  const groups = new Map<string, { stored: StoredQuery; spans: Map<string, Span> }>()
  const index = new QueryIndex<QueryGroup>()
  const drop = (key: string) => {
    const stored = held.get(key)?.stored
    held.delete(key)
    const group = stored && groups.get(stored.key)
    if (!group) return
    group.spans.delete(key)
    if (group.spans.size > 0) return
    groups.delete(stored.key)
    index.remove(stored, group)
  }
  const put = (span: Span, stored: StoredQuery | undefined) => {
    const key = spanKey(span)
    drop(key)
    held.set(key, { span, stored })
    if (!stored) return
    const known = groups.get(stored.key)
    const group = known ?? { stored, spans: new Map<string, Span>() }
    group.spans.set(key, span)
    if (known) return
    groups.set(stored.key, group)
    index.add(stored, group)
  }
  const clear = () => {
    for (const key of held.keys()) drop(key)
  }
  return { held, groups, index, drop, put, clear }
}

export function createSpanRegistry(onInvalid: (watch: string, error: unknown) => void): SpanRegistry {
  const { held, groups, index, drop, put, clear } = createHeldSpans()
  /** Queries by their text, so that reading all spans again compiles none again. */
  const compiled = new Map<string, StoredQuery | undefined>()
  /** Changes up to this number were read under the lock; undefined if all spans must be read. */
  let known: string | undefined

  const compile = ({ query, watch }: Row): StoredQuery | undefined => {
    if (!compiled.has(query))
      compiled.set(
        query,
        tryToRead(query, (error) => onInvalid(watch, error)),
      )
    return compiled.get(query)
  }
  return {
    index,
    refresh: async (tx, isLocked) => {
      const rows = await readSpans(tx, known ?? '0')
      if (known === undefined) {
        clear()
        keepOnly(compiled, new Set(rows.map(({ query }) => query)))
      }
      if (isLocked) known = rows.at(-1)?.change_nr ?? known ?? '0'
      return rows.map((row) => {
        const span = toSpan(row)
        put(span, compile(row))
        return span
      })
    },
    forget: () => {
      known = undefined
    },
    settle: (judged, done) => {
      for (const span of judged) {
        const own = held.get(spanKey(span))
        if (own) put({ ...own.span, done }, own.stored)
      }
    },
    remove: (finished) => {
      for (const span of finished) drop(spanKey(span))
    },
    hasChanges: (accounts) => (known === undefined ? Promise.resolve(true) : hasChangesAfter(accounts, known)),
    groups: () => groups.values(),
    all: () => held.values().map(({ span }) => span),
    get invalid() {
      return held
        .values()
        .filter(({ stored }) => stored === undefined)
        .toArray().length
    },
  }
}

async function hasChangesAfter(accounts: Kysely<unknown>, known: string): Promise<boolean> {
  const { rows } = await sql<{ isChanged: boolean }>`
    select exists (select from notify.watch_span where change_nr > ${known}) as "isChanged"
  `.execute(accounts)
  return rows[0]?.isChanged ?? false
}

async function readSpans(tx: Kysely<unknown>, since: string): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select watch_id::text as watch, revision, account_id::text as account, query, kinds, from_seq::text, from_tag::text,
           until_seq::text, done_seq::text, change_nr::text
      from notify.watch_span
     where watch_span.change_nr > ${since}
     order by watch_span.change_nr
  `.execute(tx)
  return rows
}

/** Until the transaction ends, no span is opened or ended. */
export async function lockSpans(tx: Kysely<unknown>): Promise<void> {
  await sql`lock table notify.watch_span in share mode`.execute(tx)
}

function tryToRead(query: string, onError: (error: unknown) => void): StoredQuery | undefined {
  try {
    return readStoredQuery(query)
  } catch (error) {
    onError(error)
    return undefined
  }
}

function keepOnly<K>(map: Map<K, unknown>, keys: ReadonlySet<K>): void {
  for (const key of map.keys()) if (!keys.has(key)) map.delete(key)
}

const toBigInt = (text: string | null) => (text === null ? null : BigInt(text))

const toSpan = (row: Row): Span => ({
  watch: row.watch,
  revision: row.revision,
  account: row.account,
  kinds: new Set(row.kinds),
  from: { seq: BigInt(row.from_seq), tag: BigInt(row.from_tag) },
  until: toBigInt(row.until_seq),
  done: toBigInt(row.done_seq),
})
