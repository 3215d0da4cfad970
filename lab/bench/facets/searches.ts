// The searches and facets of the comparison. Each design says the same filters in its own language.
import type { FilterValues } from '../../../service/src/search/filters/table.ts'

/** Facets whose values are few, and two whose values are many. */
export const FACETS = ['severity', 'status', 'year', 'cwe', 'product_vendor'] as const

export interface Search {
  readonly title: string
  readonly values: FilterValues
  /** On the tables of the comparison, in SQL that PostgreSQL and DuckDB both read. */
  readonly where: string
  /** Whether the cube has all columns of the filters. */
  readonly isInCube: boolean
}

export const SEARCHES: readonly Search[] = [
  { title: 'no filter', values: {}, where: 'true', isInCube: true },
  {
    title: 'critical, in KEV',
    values: { severity: ['critical'], kev: true },
    where: "severity = 'critical' and kev",
    isInCube: true,
  },
  { title: 'EPSS from 0.01', values: { epss_min: 0.01 }, where: 'epss >= 0.01', isInCube: false },
  {
    title: 'published from 2020, high',
    values: { published_after: { first: new Date('2020-01-01Z'), last: new Date('2020-01-01Z') }, severity: ['high'] },
    where: "year >= '2020' and severity = 'high'",
    isInCube: true,
  },
  {
    title: 'CWE-79',
    values: { cwe: ['CWE-79'] },
    where: "(cwes = 'CWE-79' or cwes like 'CWE-79 %' or cwes like '% CWE-79' or cwes like '% CWE-79 %')",
    isInCube: false,
  },
  {
    title: 'vendor microsoft',
    values: { product_vendor: ['microsoft'] },
    where: "cve_key in (select cve_key from cve_vendor where vendor = 'microsoft')",
    isInCube: false,
  },
]

export interface Counts {
  readonly total: number
  /** The most frequent values of each facet as `value count`, those without a value included. */
  readonly facets: Readonly<Record<string, readonly string[]>>
}

export interface Design {
  readonly title: string
  count(search: Search): Promise<Counts>
  /** Processor seconds used so far. */
  cpuSeconds(): number
}

export const SIZE = 10
