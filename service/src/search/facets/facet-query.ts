import type { FilterValues } from '../filters/table.ts'
import type { FacetName, ProductNames } from './facets.ts'

export interface FacetQuery {
  readonly values: FilterValues
  readonly facets: readonly FacetName[]
  /** Maximum number of values of each facet. */
  readonly size: number
  readonly names: ProductNames
}

export interface ValueCount {
  /** Null for the CVEs without a value of the facet. */
  readonly value: string | null
  readonly count: number
}

export interface FacetCounts {
  /** Number of CVEs that match all filters. */
  readonly total: number
  readonly facets: Readonly<Record<string, readonly ValueCount[]>>
}
