// The filters that a watch cannot have, with the reason and what to use instead.
import type { NewWatch } from 'vis-sdk'
import type { FilterName } from '../search/filters.ts'
import { describeNamed } from './query.ts'

type WatchedFilters = Exclude<NonNullable<NewWatch['query']>, string>

/** The filters of the list that the API leaves out of the query of a watch. */
type RefusedName = Exclude<FilterName, keyof WatchedFilters>

const EDITS =
  'every edit of a record would be an event. Leave the filter out, and choose “is edited in any other way” to be told of edits.'
const COMPONENT =
  'the versions that a component needs are not part of a search that a watch keeps. Filter by vendor and product.'

const REASONS: Readonly<Record<RefusedName, string>> = {
  modified_after: EDITS,
  modified_before: EDITS,
  epss_percentile_min: 'a percentile moves when the scores of other CVEs change. Filter by “EPSS at least”.',
  cpe: COMPONENT,
  purl: COMPONENT,
}

export interface RefusedFilter {
  readonly name: RefusedName
  /** The filter in words, such as `modified from 2026-08-01`. */
  readonly words: string
  /** Why, and what to use instead. */
  readonly reason: string
}

// The cast is safe: the keys of the table are the names.
const NAMES = Object.keys(REASONS) as readonly RefusedName[]

export function listRefused(query: string): readonly RefusedFilter[] {
  const values = new URLSearchParams(query)
  return NAMES.filter((name) => values.has(name)).map((name) => ({
    name,
    words: describeNamed([name], query).join(),
    reason: REASONS[name],
  }))
}

/** Returns the query without the filters that a watch cannot have. */
export function withoutRefused(query: string): string {
  const values = new URLSearchParams(query)
  for (const name of NAMES) values.delete(name)
  return values.toString()
}
