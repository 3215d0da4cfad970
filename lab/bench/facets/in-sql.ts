// Facets in SQL over a narrow copy of the filter columns, and over a cube of the columns with few values. The same
// statements serve PostgreSQL and DuckDB.
import { type Counts, FACETS, type Search, SIZE } from './searches.ts'

/** Creates the narrow tables in PostgreSQL, in the schema `compared`. */
export const NARROW_TABLES = `
  drop schema if exists compared cascade;
  create schema compared;
  create table compared.cve as
    select cve_key, case when cve.score >= 9 then 'critical' when cve.score >= 7 then 'high'
                         when cve.score >= 4 then 'medium' when cve.score > 0 then 'low' end as severity,
           status, to_char(published at time zone 'utc', 'YYYY') as year, in_kev as kev, epss.score as epss,
           array_to_string(cwes, ' ') as cwes
      from catalog.cve join catalog.epss using (cve_key);
  create table compared.cve_vendor as
    select distinct cve_key, vendor from catalog.cve_product_name;
  create index on compared.cve (cve_key);
  create index on compared.cve_vendor (vendor, cve_key);
  create index on compared.cve_vendor (cve_key, vendor);
  analyze compared.cve, compared.cve_vendor;`

export const CUBE_TABLE = `
  create table compared.cube as
    select severity, status, year, kev, count(*)::bigint as cves from compared.cve group by 1, 2, 3, 4;`

const VALUES: Readonly<Record<(typeof FACETS)[number], string>> = {
  severity: 'select severity as value from hits',
  status: 'select status as value from hits',
  year: 'select year as value from hits',
  cwe: "select unnest(string_to_array(cwes, ' ')) as value from hits where cwes <> '' union all select null from hits where cwes = ''",
  product_vendor: 'select vendor as value from hits left join cve_vendor using (cve_key)',
}

const top = (counted: string) => `
  (select value, cves from (${counted}) c where value is not null order by cves desc, value limit ${SIZE})
   union all select value, cves from (${counted}) c where value is null`

export function buildCount({ where }: Search, facets: readonly (typeof FACETS)[number][] = FACETS): string {
  const parts = facets.map(
    (name) => `
    select '${name}' as facet, value, cves from (${top(`select value, count(*) as cves from (${VALUES[name]}) v group by value`)}) t`,
  )
  return `with hits as materialized (select * from cve where ${where})
    select 'total' as facet, null as value, count(*) as cves from hits union all ${parts.join(' union all ')}`
}

/** The facets with few values, from the cube. */
export function buildCubeCount({ where }: Search): string {
  const parts = (['severity', 'status', 'year'] as const).map(
    (name) => `
    select '${name}' as facet, value, cves
      from (${top(`select ${name} as value, sum(cves) as cves from hits group by ${name}`)}) t`,
  )
  return `with hits as materialized (select * from cube where ${where})
    select 'total' as facet, null as value, coalesce(sum(cves), 0) as cves from hits union all ${parts.join(' union all ')}`
}

interface Row {
  readonly facet: string
  readonly value: string | null
  readonly cves: unknown
}

export function toCounts(rows: readonly Row[]): Counts {
  const list = (name: string) =>
    rows.filter(({ facet }) => facet === name).map(({ value, cves }) => `${value ?? 'null'} ${Number(cves)}`)
  return {
    total: Number(rows.find(({ facet }) => facet === 'total')?.cves ?? 0),
    facets: Object.fromEntries(FACETS.map((name) => [name, list(name).toSorted()])),
  }
}
