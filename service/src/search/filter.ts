// Defines what a filter of CVE lists is: its parameter, its SQL condition and its form in a cursor's signature. Every
// list that offers the filter uses the same definition.
import type { RawBuilder } from 'kysely'
import type { Parameter } from '../contract/request/parameters.ts'
import type { Equality, FactTest, ValueTest } from './column-values.ts'
import type { SortColumn } from './sort.ts'

export type Condition = RawBuilder<unknown>

/** The lists that have filters: /cves, /cves/recent and /changes. */
export type List = 'search' | 'recent' | 'changes'

/**
 * Tables that filters read. catalog.epss has a row for every CVE; catalog.kev and catalog.product have rows only for
 * some CVEs.
 */
export type Table = 'cve' | 'epss' | 'kev' | 'product'

export interface Filter<T, L extends List = List> {
  /** The filter's name for people, such as `CVSS at least`. */
  readonly label: string
  readonly parameter: Parameter<T | undefined>
  /** The lists that offer the filter. */
  readonly lists: readonly L[]
  /** The table whose columns the condition reads; its alias is its name. */
  readonly reads: Table
  /**
   * The sort column whose range the filter limits. A scan in the order of this column reads only that range. Every
   * filter that reads catalog.epss limits `epss`, because a search uses these bounds to find its hits in catalog.epss.
   */
  readonly boundedColumn: SortColumn | undefined
  /** The add-on without which the filter is rejected. */
  readonly needs: 'enrichment' | undefined
  /** The filter for the upper end of the range, and the rule that relates both ends. */
  readonly upperEnd: UpperEnd<T> | undefined
  /** The name of a filter that must not be used together with this one. */
  readonly excludes: string | undefined
  /** Returns whether at most a few thousand CVEs match, so that a search can collect its hits without an estimate. */
  findsFew(value: T): boolean
  /** Returns the end of the error message "<parameter> …" for a value that the filter cannot use. */
  readonly findMistake: ((value: T) => string | undefined) | undefined
  /**
   * Builds the SQL condition that finds hits through indexes. If several filters read catalog.kev or catalog.product,
   * one row must meet all their conditions.
   */
  condition(value: T): Condition
  /** Builds an SQL condition with the same meaning for rows that have already been read in another way. */
  rowCondition(value: T): Condition
  /**
   * Builds an SQL condition on `boundedColumn` alone that every hit meets. It must be a single range, because an index
   * scan can follow only one.
   */
  bound(value: T): Condition
  /** Returns the same condition for a CVE's values in memory; undefined if only an index can find the CVEs. */
  readonly test: ((value: T) => ValueTest) | undefined
  /**
   * Returns the same condition for the facts of a CVE; undefined if they do not suffice. Unless the definition says
   * otherwise, this is `test`.
   */
  readonly factTest: ((value: T) => FactTest) | undefined
  /** Returns texts of which every hit has at least one; undefined if hits have nothing of the kind in common. */
  readonly equality: ((value: T) => Equality) | undefined
  /** Returns equal values for values with the same meaning. A cursor is valid only for equal values (decision D8). */
  normalise(value: T): unknown
}

interface UpperEnd<T> {
  /** Name of the filter that limits the upper end of the range. */
  readonly filter: string
  /** End of the error message "<parameter> …" for a range whose ends are in the wrong order. */
  readonly message: string
  isExceeded(value: T, upperEnd: T): boolean
}

type Definition<T, L extends List> = Pick<Filter<T, L>, 'label' | 'parameter' | 'lists' | 'condition' | 'test'> &
  Partial<Filter<T, L>>

/**
 * Creates a filter. Unless the definition says otherwise, it reads catalog.cve, has the same condition everywhere, and
 * ignores the order of a list of values.
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
    factTest: definition.test,
    equality: undefined,
    normalise: (value) => (Array.isArray(value) ? value.map(String).toSorted() : value),
    ...definition,
    parameter: {
      ...definition.parameter,
      label: definition.label,
      needs: definition.needs && `include=${definition.needs}`,
    },
  }
}
