// Filters of a search, as SQL conditions on catalog.cve and catalog.epss, and in the normalised form that the signature
// of a cursor covers.
import { type RawBuilder, sql } from 'kysely'
import { toCveKey } from '../../domain/cve-id.ts'
import type { KevCatalog } from '../../domain/kev-catalog.ts'
import { hasLevel, isAroundLevels } from '../cve-record/priority.ts'
import { isAroundBands, isInBands } from '../cve-record/severity.ts'
import type { SortColumn } from '../cve-record/sort.ts'
import { hasStatus } from '../cve-record/status.ts'
import type { Query } from './parameters.ts'

type Condition = RawBuilder<unknown>
type Predicates = { readonly [Name in Filter]: (value: NonNullable<Query[Name]>) => Condition }
type Filter = Exclude<keyof Query, 'sort' | 'limit' | 'after' | 'fields' | 'include'>

// A filter by minimum or maximum (such as `epss_min`) excludes CVEs that have no value to compare, because an SQL
// comparison with null is not true (decision C7).
const PREDICATES: Predicates = {
  // PostgreSQL's planner evaluates catalog.search_query while planning the query. If the search text contains no words,
  // the planner thus removes the whole condition.
  q: (text) => sql`(catalog.search_query(${text}) is null or ${findText(text)})`,
  ids: (ids) => sql`cve.cve_key = any(${ids.flatMap((id) => toCveKey(id) ?? [])}::bigint[])`,
  severity: isInBands,
  severity_min: (score) => sql`cve.score >= ${score}`,
  severity_max: (score) => sql`cve.score <= ${score}`,
  exploit: (isRequired) =>
    isRequired ? sql`(cve.has_exploit or cve.in_kev)` : sql`not cve.has_exploit and not cve.in_kev`,
  exploitable: (isRequired) => isSet('has_exploit', isRequired),
  kev: (isRequired) => isSet('in_kev', isRequired),
  kev_in: isInCatalogs,
  has_acsc: (isRequired) => isSet('has_notice', isRequired),
  has_references: (isRequired) => isSet('has_reference', isRequired),
  epss_min: (score) => sql`epss.score >= ${score}`,
  epss_max: (score) => sql`epss.score <= ${score}`,
  cvss_min: (score) => sql`cve.score >= ${score}`,
  cpe_count_min: (count) => sql`cve.cpe_count >= ${count}`,
  published_after: ({ first }) => sql`cve.published >= ${first}`,
  published_before: ({ last }) => sql`cve.published <= ${last}`,
  modified_after: ({ first }) => sql`cve.modified >= ${first}`,
  modified_before: ({ last }) => sql`cve.modified <= ${last}`,
  vendor: (source) => sql`cve.sources @> array[${source}]`,
  attack_vector: (vector) => sql`cve.attack_vector = ${vector}`,
  patched: (isRequired) => isSet('has_patch', isRequired),
  status: hasStatus,
  priority: hasLevel,
}

// The cast is safe: Object.keys returns the keys of PREDICATES.
const FILTERS = Object.keys(PREDICATES) as readonly Filter[]

/** For each column that a search can be sorted by, the filters that limit the range of the column. */
const BOUNDS: Readonly<Record<SortColumn, readonly Filter[]>> = {
  severity: ['severity_min', 'severity_max', 'cvss_min'],
  published: ['published_after', 'published_before'],
  modified: ['modified_after', 'modified_before'],
  epss: ['epss_min', 'epss_max'],
  priority: [],
}

export interface Filters {
  /** Conditions that find the hits with indexes. */
  readonly conditions: readonly Condition[]
  /** Conditions with the same meaning, for rows that were already read in another way. */
  readonly rowConditions: readonly Condition[]
  /** The conditions on catalog.cve, without those on catalog.epss. */
  readonly cveConditions: readonly Condition[]
  /**
   * The filter conditions that limit the range of the column by which the search is sorted. A scan in sort order reads
   * only this range.
   */
  readonly bounds: (column: SortColumn) => readonly Condition[]
  readonly readsCve: boolean
  readonly readsEpss: boolean
  /**
   * Whether the hits are best found on catalog.cve before they are joined with catalog.epss: the search has words, and
   * many CVEs are in its range of EPSS scores.
   */
  readonly findsTextFirst: boolean
}

/** Few CVEs have a higher EPSS score. */
const HIGH_EPSS = 0.1

export function buildFilters(query: Query): Filters {
  const used = FILTERS.filter((name) => query[name] !== undefined)
  const readsEpss = (name: Filter) => name === 'epss_min' || name === 'epss_max'
  return {
    conditions: used.flatMap((name) => buildCondition(name, query)),
    rowConditions: used.flatMap((name) =>
      name === 'q' && query.q !== undefined ? [matchText(query.q)] : buildCondition(name, query),
    ),
    cveConditions: used.filter((name) => !readsEpss(name)).flatMap((name) => buildCondition(name, query)),
    bounds: (column) => [
      ...BOUNDS[column].flatMap((name) => buildCondition(name, query)),
      ...(column === 'severity' && query.severity ? [isAroundBands(query.severity)] : []),
      ...(column === 'priority' && query.priority ? [isAroundLevels(query.priority)] : []),
    ],
    readsCve: !used.every(readsEpss),
    readsEpss: used.some(readsEpss),
    findsTextFirst: query.q !== undefined && used.some(readsEpss) && (query.epss_min ?? 0) < HIGH_EPSS,
  }
}

function buildCondition<Name extends Filter>(name: Name, query: Pick<Query, Name>): readonly Condition[] {
  const value = query[name]
  return value === undefined || value === null ? [] : [PREDICATES[name](value)]
}

/** A search of at most this number of words, without a phrase, looks up all its words (SQL function search_lookup). */
const MAX_WORDS_LOOKED_UP = 3

/**
 * Builds an SQL condition that finds texts with indexes. For a few words, the words index finds exactly the hits. For
 * many words or a phrase, indexes find candidates: texts that contain some of the words, and pairs of adjacent words
 * with the first letters of the phrase's words. Each candidate is then compared with the whole search.
 */
function findText(text: string): Condition {
  const isPhrase = text.includes('"')
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  if (!isPhrase && words.length <= MAX_WORDS_LOOKED_UP) return sql`cve.words @@ catalog.search_query(${text})`
  // The planner evaluates the functions of the text and removes a lookup that is null.
  return sql`(catalog.search_lookup(${text}, true) is null or cve.words @@ catalog.search_lookup(${text}, true))
         and (catalog.search_pairs(${text}) is null or catalog.word_pairs(cve.words) @@ catalog.search_pairs(${text}))
         and ${containsText(text)}`
}

/** Builds an SQL condition for rows that were already read: the text contains the words and phrases of the search. */
function matchText(text: string): Condition {
  return sql`(catalog.search_query(${text}) is null or ${containsText(text)})`
}

/** Calls a function instead of using the operator `@@`, because PostgreSQL would use an index for the operator. */
function containsText(text: string): Condition {
  return sql`ts_match_vq(cve.words, catalog.search_query(${text}))`
}

/**
 * Builds the SQL condition `column` or `not column` instead of `column = $1`, so that PostgreSQL can use partial
 * indexes and statistics.
 */
function isSet(column: string, isRequired: boolean): Condition {
  return isRequired ? sql`${sql.ref(`cve.${column}`)}` : sql`not ${sql.ref(`cve.${column}`)}`
}

const CATALOG_COLUMNS: Readonly<Record<KevCatalog, string>> = { cisa: 'in_kev', eu: 'in_eu_kev' }

/** Builds an SQL condition: at least one of the catalogs lists the CVE. */
function isInCatalogs(catalogs: readonly KevCatalog[]): Condition {
  return sql`(${sql.join(
    catalogs.map((each) => sql.ref(`cve.${CATALOG_COLUMNS[each]}`)),
    sql` or `,
  )})`
}

/**
 * Normalises a search, so that two searches with the same meaning give equal values: lists are sorted, `q` is in lower
 * case (decision D8).
 */
export function normaliseQuery(query: Query): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(FILTERS.map((name) => [name, query[name]])),
    sort: query.sort,
    q: query.q?.toLowerCase().split(/\s+/u).join(' ').trim() || undefined,
    ids: query.ids?.toSorted(),
    severity: query.severity?.toSorted(),
    kev_in: query.kev_in?.toSorted(),
    status: query.status?.toSorted(),
    priority: query.priority?.toSorted(),
    published_after: query.published_after?.first,
    published_before: query.published_before?.last,
    modified_after: query.modified_after?.first,
    modified_before: query.modified_before?.last,
  }
}
