// The tsqueries of a search. SQL functions compute them, because they apply the same rules for words as the publisher.
// They take about a millisecond, so they are computed once per search instead of in every statement that uses them.
import { sql } from 'kysely'
import { createFixedStatement } from '../../database/fixed-statement.ts'
import type { Database } from '../../database/postgres.ts'
import { parseSearch } from './parse.ts'
import { encodePieces } from './pieces.ts'

/** Texts of the type tsquery; null if the search has no words to put into it. */
export interface WordQueries {
  /** The words that a hit must and must not contain. */
  readonly query: string | null
  /** The same as `query` without the excluded words. */
  readonly required: string | null
  /** Words of the hits that are looked up in the index of words, along with the pairs. */
  readonly lookup: string | null
  /** Pairs of adjacent words in the hits. */
  readonly pairs: string | null
  /** Words of the hits that are looked up in indexes that contain no pairs. */
  readonly lookup_without_pairs: string | null
}

/** The functions are immutable, so the tsqueries of a text can be reused for later pages and equal searches. */
const resolved = new Map<string, WordQueries>()
const MAX_RESOLVED = 500

/** Computes the tsqueries for the text `sent`, unless they are already known. */
export async function resolveWords(db: Database, sent: string): Promise<void> {
  if (resolved.has(sent)) return
  const search = parseSearch(sent)
  const [pieces, required] = [encodePieces(search), encodePieces({ ...search, excluded: [] })]
  const [queries] = await computeQueries(db, [pieces, required, pieces, pieces, pieces])
  if (queries) keep(sent, queries)
}

/** Returns the tsqueries of a text, or undefined if `resolveWords` was not called or was called long ago. */
export function findResolved(sent: string): WordQueries | undefined {
  return resolved.get(sent)
}

/** Drops the text that was resolved first if there are too many. */
function keep(sent: string, queries: WordQueries): void {
  const [oldest] = resolved.keys()
  if (resolved.size >= MAX_RESOLVED && oldest !== undefined) resolved.delete(oldest)
  resolved.set(sent, queries)
}

const computeQueries = createFixedStatement(sql<WordQueries>`
  select catalog.pieces_query(${['a piece']}::text[])::text as query,
         catalog.pieces_query(${['a piece']}::text[])::text as required,
         catalog.pieces_lookup(${['a piece']}::text[], true)::text as lookup,
         catalog.pieces_pairs(${['a piece']}::text[])::text as pairs,
         catalog.pieces_lookup(${['a piece']}::text[], false)::text as lookup_without_pairs
`)
