// The type of a filter of CVE lists. One value describes one filter: its parameter, its SQL condition and its form in
// a cursor's signature. Every list that offers the filter uses this value.
import type { RawBuilder } from 'kysely'
import type { Parameter } from '../contract/request/parameters.ts'
import type { SortColumn } from './sort.ts'

export type Condition = RawBuilder<unknown>

/** Lists of CVEs that have filters: /cves and /cves/recent. */
export type List = 'search' | 'recent'

/**
 * Tables that filters read. catalog.epss has a row for every CVE; catalog.kev and catalog.product have rows for some CVEs
 * only.
 */
export type Table = 'cve' | 'epss' | 'kev' | 'product'

export interface Filter<T, L extends List = List> {
  /** Name of the filter for people: `CVSS at least`. */
  readonly label: string
  readonly parameter: Parameter<T | undefined>
  /** Lists that offer the filter. */
  readonly lists: readonly L[]
  /** Table whose columns the condition reads, under its name as alias. */
  readonly reads: Table
  /**
   * Sort column whose range the filter limits. A scan in the order of this column reads only the limited range. Every
   * filter that reads catalog.epss limits `epss`, because a search finds its hits in catalog.epss by these bounds.
   */
  readonly boundedColumn: SortColumn | undefined
  /** Add-on without which the filter is rejected. */
  readonly needs: 'enrichment' | undefined
  /** Filter for the other end of the range, and the rule that the two ends keep. */
  readonly upperEnd: UpperEnd<T> | undefined
  /** Name of a filter that must not be used together with this one. */
  readonly excludes: string | undefined
  /** Returns whether at most a few thousand CVEs match, so that a search collects its hits without an estimate. */
  findsFew(value: T): boolean
  /** Returns the end of the error message "<parameter> …" for a value that the filter cannot use. */
  readonly findMistake: ((value: T) => string | undefined) | undefined
  /**
   * Builds the SQL condition that finds the hits with indexes. Conditions of several filters on catalog.kev or
   * catalog.product must be met by the same row.
   */
  condition(value: T): Condition
  /** Builds an SQL condition with the same meaning, for rows that were already read in another way. */
  rowCondition(value: T): Condition
  /**
   * Builds an SQL condition on `boundedColumn` alone, which every hit meets. It must be a single range, because an index
   * scan can follow a single range, but not several.
   */
  bound(value: T): Condition
  /** Returns equal values for values with the same meaning. A cursor is only valid for equal values (decision D8). */
  normalise(value: T): unknown
}

interface UpperEnd<T> {
  /** Name of the filter that limits the other end of the range. */
  readonly filter: string
  /** End of the error message "<parameter> …" for a range whose ends are in the wrong order. */
  readonly message: string
  isExceeded(value: T, upperEnd: T): boolean
}

type Definition<T, L extends List> = Pick<Filter<T, L>, 'label' | 'parameter' | 'lists' | 'condition'> &
  Partial<Filter<T, L>>

/**
 * Creates a filter. Unless the definition says otherwise, the filter reads catalog.cve, has the same condition in every
 * place, and a list means the same in every order.
 */
export function defineFilter<T, const L extends List>(definition: Definition<T, L>): Filter<T, L> {
  return {
    reads: 'cve',
    boundedColumn: undefined,
    needs: undefined,
    upperEnd: undefined,
    excludes: undefined,
    findMistake: undefined,
    // Few CVEs have a row in catalog.kev, and few have the same product.
    findsFew: () => definition.reads === 'kev' || definition.reads === 'product',
    rowCondition: definition.condition,
    bound: definition.condition,
    normalise: (value) => (Array.isArray(value) ? value.map(String).toSorted() : value),
    ...definition,
    parameter: {
      ...definition.parameter,
      label: definition.label,
      needs: definition.needs && `include=${definition.needs}`,
    },
  }
}
