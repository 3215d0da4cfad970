// Filters of a search, as SQL conditions on catalog.cve and catalog.epss, and in the normalised form that the signature
// of a cursor covers.
import { type RawBuilder, sql } from 'kysely'
import { toCveKey } from '../../domain/cve-id.ts'
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
  q: (text) => sql`(catalog.search_query(${text}) is null or ${text.includes('"') ? hasPhrase(text) : hasWords(text)})`,
  ids: (ids) => sql`cve.cve_key = any(${ids.flatMap((id) => toCveKey(id) ?? [])}::bigint[])`,
  severity: isInBands,
  severity_min: (score) => sql`cve.score >= ${score}`,
  severity_max: (score) => sql`cve.score <= ${score}`,
  exploit: (isRequired) =>
    isRequired ? sql`(cve.has_exploit or cve.in_kev)` : sql`not cve.has_exploit and not cve.in_kev`,
  exploitable: (isRequired) => isSet('has_exploit', isRequired),
  kev: (isRequired) => isSet('in_kev', isRequired),
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
}

// The cast is safe: Object.keys returns the keys of PREDICATES.
const FILTERS = Object.keys(PREDICATES) as readonly Filter[]

/** For each column that a search can be sorted by, the filters that limit the range of the column. */
const BOUNDS: Readonly<Record<SortColumn, readonly Filter[]>> = {
  severity: ['severity_min', 'severity_max', 'cvss_min'],
  published: ['published_after', 'published_before'],
  modified: ['modified_after', 'modified_before'],
  epss: ['epss_min', 'epss_max'],
}

export interface Filters {
  readonly conditions: readonly Condition[]
  /**
   * The filter conditions that limit the range of the column by which the search is sorted. A scan in sort order reads
   * only this range.
   */
  readonly bounds: (column: SortColumn) => readonly Condition[]
  readonly readsCve: boolean
  readonly readsEpss: boolean
}

export function buildFilters(query: Query): Filters {
  const used = FILTERS.filter((name) => query[name] !== undefined)
  const readsEpss = (name: Filter) => name === 'epss_min' || name === 'epss_max'
  return {
    conditions: used.flatMap((name) => buildCondition(name, query)),
    bounds: (column) => [
      ...BOUNDS[column].flatMap((name) => buildCondition(name, query)),
      ...(column === 'severity' && query.severity ? [isAroundBands(query.severity)] : []),
    ],
    readsCve: !used.every(readsEpss),
    readsEpss: used.some(readsEpss),
  }
}

function buildCondition<Name extends Filter>(name: Name, query: Pick<Query, Name>): readonly Condition[] {
  const value = query[name]
  return value === undefined || value === null ? [] : [PREDICATES[name](value)]
}

function hasWords(text: string): Condition {
  return sql`cve.words @@ catalog.search_query(${text})`
}

/**
 * Builds an SQL condition for a search text with a phrase: finds CVEs that contain the words through the index, then
 * checks that the words are adjacent. The check calls a function instead of using the operator `@@`, because with `@@`
 * PostgreSQL would use the index for the check too, which costs more.
 */
function hasPhrase(text: string): Condition {
  return sql`cve.words @@ catalog.search_candidates(${text}) and ts_match_vq(cve.words, catalog.search_query(${text}))`
}

/**
 * Builds the SQL condition `column` or `not column` instead of `column = $1`, so that PostgreSQL can use partial
 * indexes and statistics.
 */
function isSet(column: string, isRequired: boolean): Condition {
  return isRequired ? sql`${sql.ref(`cve.${column}`)}` : sql`not ${sql.ref(`cve.${column}`)}`
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
    status: query.status?.toSorted(),
    published_after: query.published_after?.first,
    published_before: query.published_before?.last,
    modified_after: query.modified_after?.first,
    modified_before: query.modified_before?.last,
  }
}
