// The filters of a request, as SQL conditions on catalog.cve and catalog.epss, and in the normalised form that the
// signature of a cursor covers.
import type { SortColumn } from '../../cve-record/sort.ts'
import type { Condition, Filter } from './filter.ts'
import { FILTER_ENTRIES, type FilterName, type FilterValues } from './table.ts'

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

export function buildFilters(values: FilterValues): Filters {
  const used = listUsed(values)
  const readsEpss = used.some(({ filter }) => filter.reads === 'epss')
  return {
    conditions: used.map(({ filter, value }) => filter.condition(value)),
    rowConditions: used.map(({ filter, value }) => filter.rowCondition(value)),
    cveConditions: used
      .filter(({ filter }) => filter.reads === 'cve')
      .map(({ filter, value }) => filter.condition(value)),
    bounds: (column) =>
      used.filter(({ filter }) => filter.boundedColumn === column).map(({ filter, value }) => filter.bound(value)),
    readsCve: used.some(({ filter }) => filter.reads === 'cve'),
    readsEpss,
    findsTextFirst: values.q !== undefined && readsEpss && (values.epss_min ?? 0) < HIGH_EPSS,
  }
}

/** Normalises filters, so that filters with the same meaning give equal values (decision D8). */
export function normaliseFilters(values: FilterValues): Readonly<Record<string, unknown>> {
  return Object.fromEntries(listUsed(values).map(({ name, filter, value }) => [name, filter.normalise(value)]))
}

interface UsedFilter {
  readonly name: FilterName
  readonly filter: Filter<unknown>
  readonly value: unknown
}

function listUsed(values: FilterValues): readonly UsedFilter[] {
  return FILTER_ENTRIES.map(([name, filter]) => ({ name, filter, value: values[name] })).filter(
    ({ value }) => value !== undefined,
  )
}
