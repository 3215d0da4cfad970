// How a search is sorted by relevance (decision E14, ADR 0023): the classes of hits, and a hit's position among them.
//
// Classes are read one after another. A small class is ordered by text rank, a large one by the priority of its CVEs.
// The order depends only on values of each CVE itself, so publishing other CVEs does not move a hit.
import { type RawBuilder, sql } from 'kysely'
import type { CursorPosition } from '../contract/cursor.ts'
import { type CveKey, parseCveId, toCveKey } from '../domain/cve-id.ts'
import { formatInstant } from '../domain/instant.ts'
import type { Condition } from './filter.ts'
import { addConditions, buildFilters, type Filters } from './filters/build-filters.ts'
import type { FilterValues } from './filters/table.ts'
import type { Hit } from './keyset-page.ts'
import { findText, inClass, matchText, textClass, textRank } from './words/conditions.ts'

/**
 * Classes of hits, most relevant first. 0: the search is the CVE's id. 1: well-known names and names of KEV entries
 * contain all words. 2: these names together with those of vendors and products contain them. 3: all other hits.
 */
const CLASSES = [0, 1, 2, 3] as const

export type RelevanceClass = (typeof CLASSES)[number]

export interface Relevance {
  /** Filters for the hits of all classes. */
  readonly all: Filters
  /** The classes that the search can have, in order, each with the filters for its hits. */
  readonly classes: readonly { readonly class: RelevanceClass; readonly filters: Filters }[]
  /** SQL expressions on rows that have the columns `cve_key`, `words` and `priority` and the alias `cve`. */
  readonly class: RawBuilder<number>
  readonly rank: RawBuilder<number>
}

/** Builds the classes of a search for the words `q`. */
export function buildRelevance(values: FilterValues, q: string): Relevance {
  const [all, others] = [buildFilters(values), buildFilters({ ...values, q: undefined })]
  const restrict = (number: RelevanceClass, find: Condition) => {
    const isInClass = sql`${textClass(q)} = ${sql.lit(number)}`
    const further = { find: [find, matchText(q), isInClass], match: [matchText(q), isInClass] }
    return { class: number, filters: { ...addConditions(others, further), findsTextFirst: all.findsTextFirst } }
  }
  const id = parseCveId(q.trim())
  return {
    all,
    classes: [
      ...(id ? [restrict(0, sql`cve.cve_key = ${toCveKey(id)}`)] : []),
      restrict(1, inClass(q, 1)),
      restrict(2, inClass(q, 2)),
      restrict(3, findText(q)),
    ],
    class: textClass(q),
    rank: textRank(q),
  }
}

/** The main value by which a class is ordered. CVEs with equal values are ordered by publication time and id. */
type ClassOrder = 'rank' | 'priority'

/** How the hits of a class are ordered. This is decided on the first page of the class and kept in the cursor. */
export interface OrderedClass {
  readonly class: RelevanceClass
  readonly order: ClassOrder
  /** Number of hits in a class that is ordered by priority; otherwise 0. */
  readonly total: number
}

export interface RelevancePosition extends OrderedClass {
  /** The hit's text rank or priority. */
  readonly value: number
  readonly published: Date | null
  readonly key: string
}

/** A hit with the values that determine its position. */
export interface RelevantRow {
  readonly cve_key: CveKey
  readonly value: number
  readonly published: Date | null
}

/** Formats the position of a hit for use in a cursor. */
export function toHit({ class: number, order, total }: OrderedClass, { cve_key, value, published }: RelevantRow): Hit {
  const time = published === null ? '' : formatInstant(published)
  return { cve_key, sort_value: [number, order, total, value, time].join(' ') }
}

/** Parses the position in a cursor. The cursor's signature guarantees that `toHit` wrote it. */
export function parsePosition({ value: text, key }: CursorPosition): RelevancePosition {
  const [number = '', order, total, value, time = ''] = String(text).split(' ')
  const relevanceClass = CLASSES.find((each) => String(each) === number)
  if (relevanceClass === undefined || (order !== 'rank' && order !== 'priority'))
    throw new Error(`The cursor contains no position in the order by relevance: ${text}`)
  const published = time === '' ? null : new Date(time)
  return { class: relevanceClass, order, total: Number(total), value: Number(value), published, key }
}
