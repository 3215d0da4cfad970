// SQL for the words of a search: conditions that find or check hits, a hit's class, and its text rank.
import { type RawBuilder, sql } from 'kysely'
import { parseCveId, toCveKey } from '../../domain/cve-id.ts'
import { MAX_RANK } from '../../domain/priority/policy.ts'
import type { Condition } from '../filter.ts'
import { type ParsedSearch, parseSearch } from './parse.ts'
import { encodePieces } from './pieces.ts'
import { findResolved } from './resolve.ts'

/**
 * Builds an SQL condition that finds texts through indexes. If the search is a few single words, they are looked up in
 * the index of words, which finds exactly the hits. Otherwise indexes find candidates: texts that contain some of the
 * words, and pairs of adjacent words that start like the words of a phrase. Each candidate is then compared with the
 * whole search.
 *
 * PostgreSQL's planner evaluates the tsqueries while planning, so it removes a lookup that is null, and the whole
 * condition if the search contains no words.
 */
export function findText(sent: string): Condition {
  const { search, query, lookup, pairs } = read(sent)
  if (isLookedUpWhole(search)) return sql`(${query} is null or cve.words @@ ${query})`
  return sql`(${query} is null
          or (${lookup} is null or cve.words @@ ${lookup})
         and (${pairs} is null or catalog.word_pairs(cve.words) @@ ${pairs})
         and ts_match_vq(cve.words, ${query}))`
}

/**
 * Builds an SQL condition for rows that have already been read. It calls a function instead of using the operator `@@`,
 * for which PostgreSQL would use an index.
 */
export function matchText(sent: string): Condition {
  const { query } = read(sent)
  return sql`(${query} is null or ts_match_vq(cve.words, ${query}))`
}

/** Classes whose hits are found by names. */
export type NameClass = 1 | 2

/**
 * The words that have the weights of a class: A for well-known names and names of KEV entries, B for vendors and
 * products.
 */
const WORDS_OF_CLASS: Readonly<Record<NameClass, RawBuilder<unknown>>> = {
  1: sql`ts_filter(cve.words, '{a}')`,
  2: sql`ts_filter(cve.words, '{a,b}')`,
}

/**
 * Builds an SQL condition for the hits of a class or an earlier class, which can use an index of the words of the
 * class. A CVE that meets it is a hit only if it also meets `findText`, because its description may contain excluded
 * words.
 */
export function inClass(sent: string, nameClass: NameClass): Condition {
  const { search, required, lookupWithoutPairs } = read(sent)
  const words = WORDS_OF_CLASS[nameClass]
  if (isLookedUpWhole(search)) return sql`${words} @@ ${required}`
  return sql`(${words} @@ ${lookupWithoutPairs} and ts_match_vq(${words}, ${required}))`
}

/**
 * Builds an SQL expression for the class of a hit: 0 if the search is the CVE's id, 1 if all words are in well-known
 * names or the name of the KEV entry, 2 if they are in these names or in names of vendors and products, otherwise 3.
 */
export function textClass(sent: string): RawBuilder<number> {
  const { required } = read(sent)
  const id = parseCveId(sent.trim())
  const key = id && toCveKey(id)
  return sql<number>`case ${key === undefined ? sql`` : sql`when cve.cve_key = ${key}::bigint then 0`}
         when ts_match_vq(${WORDS_OF_CLASS[1]}, ${required}) then 1
         when ts_match_vq(${WORDS_OF_CLASS[2]}, ${required}) then 2
         else 3 end`
}

/**
 * Builds an SQL expression for the text rank of a hit, from the columns `words` and `priority`. The rank is higher if
 * the words occur more often or with a higher weight, if they match as whole words, and if the CVE is more urgent.
 * Without urgency, the six Shellshock CVEs would be ordered by the length of their descriptions.
 */
export function textRank(sent: string): RawBuilder<number> {
  const { required } = read(sent)
  const wholeWords = sql`replace(${required}::text, ':*', '')::tsquery`
  return sql<number>`(ts_rank(cve.words, ${required}, ${sql.lit(BY_LENGTH)})
         + case when ts_match_vq(cve.words, ${wholeWords}) then ${sql.lit(WHOLE_WORDS_BONUS)} else 0 end
         + ${sql.lit(PRIORITY_BONUS)} * coalesce(cve.priority, 0) / ${sql.lit(MAX_RANK + 1)})::real`
}

/** A normalisation option of ts_rank: the rank is divided by 1 + the logarithm of the number of words. */
const BY_LENGTH = 1
/** Results of ts_rank are mostly below 0.5, so each bonus outweighs a longer text, but not a name. */
const WHOLE_WORDS_BONUS = 0.3
const PRIORITY_BONUS = 0.3

/** All words are looked up if the search has at most this many words, and at most as many excluded words. */
const MAX_WORDS_LOOKED_UP = 3

function isLookedUpWhole({ groups, excluded }: ParsedSearch): boolean {
  return (
    groups.length <= MAX_WORDS_LOOKED_UP &&
    excluded.length <= MAX_WORDS_LOOKED_UP &&
    [...groups.flat(), ...excluded].every(({ text }) => countWords(text) === 1)
  )
}

function countWords(text: string): number {
  return text.split(/[^\p{L}\p{Nd}]+/u).filter((word) => word !== '').length
}

/**
 * Returns the parsed search and its tsqueries as SQL: their texts if they have been resolved, otherwise function calls.
 */
function read(sent: string) {
  const search = parseSearch(sent)
  const resolved = findResolved(sent)
  if (resolved) {
    const toQuery = (text: string | null) => sql`${text}::tsquery`
    return {
      search,
      query: toQuery(resolved.query),
      required: toQuery(resolved.required),
      lookup: toQuery(resolved.lookup),
      pairs: toQuery(resolved.pairs),
      lookupWithoutPairs: toQuery(resolved.lookup_without_pairs),
    }
  }
  const [pieces, required] = [encodePieces(search), encodePieces({ ...search, excluded: [] })]
  return {
    search,
    query: sql`catalog.pieces_query(${pieces}::text[])`,
    required: sql`catalog.pieces_query(${required}::text[])`,
    lookup: sql`catalog.pieces_lookup(${pieces}::text[], true)`,
    pairs: sql`catalog.pieces_pairs(${pieces}::text[])`,
    lookupWithoutPairs: sql`catalog.pieces_lookup(${pieces}::text[], false)`,
  }
}
