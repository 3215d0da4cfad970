// Which CVEs a search is about: as SQL over `cve` and `epss`, and as what a cursor is bound to.
import { type RawBuilder, sql } from 'kysely'
import { toCveKey } from '../../domain/cve-id.ts'
import { isAroundBands, isInBands } from '../cve-record/severity.ts'
import type { SortColumn } from '../cve-record/sort.ts'
import { hasStatus } from '../cve-record/status.ts'
import type { Asked } from './parameters.ts'

type Condition = RawBuilder<unknown>
type Predicates = { readonly [Name in Filter]: (value: NonNullable<Asked[Name]>) => Condition }
type Filter = Exclude<keyof Asked, 'sort' | 'limit' | 'after' | 'fields' | 'include'>

// A bound excludes CVEs without the value, as SQL does (decision C7).
const PREDICATES: Predicates = {
  // The planner knows the query before it plans: one without a word leaves nothing of this condition.
  q: (text) => sql`(catalog.search_query(${text}) is null or ${text.includes('"') ? hasPhrase(text) : hasWords(text)})`,
  ids: (ids) => sql`cve.cve_key = any(${ids.flatMap((id) => toCveKey(id) ?? [])}::bigint[])`,
  severity: isInBands,
  severity_min: (score) => sql`cve.score >= ${score}`,
  severity_max: (score) => sql`cve.score <= ${score}`,
  exploit: (is) => (is ? sql`(cve.has_exploit or cve.in_kev)` : sql`not cve.has_exploit and not cve.in_kev`),
  exploitable: (is) => isSet('has_exploit', is),
  kev: (is) => isSet('in_kev', is),
  has_acsc: (is) => isSet('has_notice', is),
  has_references: (is) => isSet('has_reference', is),
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
  patched: (is) => isSet('has_patch', is),
  status: hasStatus,
}

/** Earned: these are the keys of the object just above. */
const FILTERS = Object.keys(PREDICATES) as readonly Filter[]

/** Filters that bound what lists are sorted by. */
const BOUNDS: Readonly<Record<SortColumn, readonly Filter[]>> = {
  severity: ['severity_min', 'severity_max', 'cvss_min'],
  published: ['published_after', 'published_before'],
  modified: ['modified_after', 'modified_before'],
  epss: ['epss_min', 'epss_max'],
}

export interface Filters {
  readonly conditions: readonly Condition[]
  /** Of those conditions, the bounds on a column that lists are sorted by: a walk in its order begins and ends there. */
  readonly bounds: (column: SortColumn) => readonly Condition[]
  readonly readsCve: boolean
  readonly readsEpss: boolean
}

export function filtersOf(asked: Asked): Filters {
  const used = FILTERS.filter((name) => asked[name] !== undefined)
  const isOfEpss = (name: Filter) => name === 'epss_min' || name === 'epss_max'
  return {
    conditions: used.flatMap((name) => conditionOf(name, asked)),
    bounds: (column) => [
      ...BOUNDS[column].flatMap((name) => conditionOf(name, asked)),
      ...(column === 'severity' && asked.severity ? [isAroundBands(asked.severity)] : []),
    ],
    readsCve: !used.every(isOfEpss),
    readsEpss: used.some(isOfEpss),
  }
}

function conditionOf<Name extends Filter>(name: Name, asked: Pick<Asked, Name>): readonly Condition[] {
  const value = asked[name]
  return value === undefined || value === null ? [] : [PREDICATES[name](value)]
}

function hasWords(text: string): Condition {
  return sql`cve.words @@ catalog.search_query(${text})`
}

/** As a function, the operator is not for the index: that is asked for candidates, which costs less. */
function hasPhrase(text: string): Condition {
  return sql`cve.words @@ catalog.search_candidates(${text}) and ts_match_vq(cve.words, catalog.search_query(${text}))`
}

/** Written out, so that the planner sees the column as partial indexes and its statistics know it. */
function isSet(column: string, is: boolean): Condition {
  return is ? sql`${sql.ref(`cve.${column}`)}` : sql`not ${sql.ref(`cve.${column}`)}`
}

/** Equal for queries that ask the same: lists in one order, letters in one case (decision D8). */
export function normalised(asked: Asked): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(FILTERS.map((name) => [name, asked[name]])),
    sort: asked.sort,
    q: asked.q?.toLowerCase().split(/\s+/u).join(' ').trim() || undefined,
    ids: asked.ids?.toSorted(),
    severity: asked.severity?.toSorted(),
    status: asked.status?.toSorted(),
    published_after: asked.published_after?.first,
    published_before: asked.published_before?.last,
    modified_after: asked.modified_after?.first,
    modified_before: asked.modified_before?.last,
  }
}
