// The filter `q`: words in the id or the description of a CVE.
import { sql } from 'kysely'
import { optional } from '../../../contract/parameters.ts'
import { text, withExample } from '../../../contract/value-types.ts'
import { type Condition, defineFilter } from './filter.ts'

export const q = defineFilter({
  parameter: optional(
    withExample(text({ maxLength: 256 }), 'log4j'),
    'Words in the id or the description. All words must match. A word matches the beginning of a word (from 3 characters) or another grammatical form of it. Words in "quotation marks" must be adjacent.',
  ),
  lists: ['search'],
  // PostgreSQL's planner evaluates catalog.search_query while planning the query. If the search text contains no words,
  // the planner thus removes the whole condition.
  condition: (sent) => sql`(catalog.search_query(${sent}) is null or ${findText(sent)})`,
  rowCondition: matchText,
  normalise: (sent) => sent.toLowerCase().split(/\s+/u).join(' ').trim() || undefined,
})

/** A search of at most this number of words, without a phrase, looks up all its words (SQL function search_lookup). */
const MAX_WORDS_LOOKED_UP = 3

/**
 * Builds an SQL condition that finds texts with indexes. For a few words, the words index finds exactly the hits. For
 * many words or a phrase, indexes find candidates: texts that contain some of the words, and pairs of adjacent words
 * with the first letters of the phrase's words. Each candidate is then compared with the whole search.
 */
function findText(sent: string): Condition {
  const isPhrase = sent.includes('"')
  const words = sent.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  if (!isPhrase && words.length <= MAX_WORDS_LOOKED_UP) return sql`cve.words @@ catalog.search_query(${sent})`
  // The planner evaluates the functions of the text and removes a lookup that is null.
  return sql`(catalog.search_lookup(${sent}, true) is null or cve.words @@ catalog.search_lookup(${sent}, true))
         and (catalog.search_pairs(${sent}) is null or catalog.word_pairs(cve.words) @@ catalog.search_pairs(${sent}))
         and ${containsText(sent)}`
}

/** Builds an SQL condition for rows that were already read: the text contains the words and phrases of the search. */
function matchText(sent: string): Condition {
  return sql`(catalog.search_query(${sent}) is null or ${containsText(sent)})`
}

/** Calls a function instead of using the operator `@@`, because PostgreSQL would use an index for the operator. */
function containsText(sent: string): Condition {
  return sql`ts_match_vq(cve.words, catalog.search_query(${sent}))`
}
