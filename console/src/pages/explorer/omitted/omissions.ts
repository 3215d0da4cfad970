// What a list cannot find, in words.
import { formatNumber } from '../../../text/format.ts'
import { formatLongDay } from '../../../text/months.ts'
import type { FilterName } from '../../../text/search/filters.ts'
import type { ExplorerState } from '../state.ts'

/** Filters that find no CVE without a score. */
const SCORE_FILTERS: readonly FilterName[] = ['severity', 'severity_min', 'severity_max', 'cvss_min']

/** Returns the list without its filters by score; undefined if it has none. */
export function dropScoreFilters(state: ExplorerState): ExplorerState | undefined {
  const entries = Object.entries(state.filters)
  const kept = entries.filter(([name]) => !SCORE_FILTERS.some((each) => each === name))
  return kept.length === entries.length ? undefined : { ...state, filters: Object.fromEntries(kept) }
}

/** `count` is undefined until it has been read. */
export function describeUnscored(count: number | undefined): string {
  if (count === undefined) return 'CVEs without a score are left out.'
  const left =
    count === 1
      ? '1 CVE without a score, or with 0.0, is'
      : `${formatNumber(count)} CVEs without a score, or with 0.0, are`
  return `${left} left out of this search.`
}

/** `after` is the first day of the filter, and `since` the time from which changes of the level are recorded. */
export function describeUrgentRecord(after: string, since: string | null): string | undefined {
  if (since === null) return 'This service has not recorded a change of a level yet, so this list cannot be complete.'
  if (Date.parse(after) >= Date.parse(since)) return undefined
  return `Changes of the level are recorded since ${formatLongDay(since.slice(0, 10))}. What became urgent before is not known.`
}
