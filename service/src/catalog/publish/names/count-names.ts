// Counts the CVEs of each vendor, weakness, assigner and technique in catalog.name_count, for suggestions. The counts
// change by the difference between the names of a chunk's CVEs before and after the chunk is merged.
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { CveKey } from '../../../domain/cve-id.ts'

/** Creates the table that collects the differences from all chunks of a transaction. */
export async function prepareNameChanges(tx: Transaction<unknown>): Promise<void> {
  await sql`
    create temporary table name_change (kind text, name text collate "C", change integer) on commit drop
  `.execute(tx)
}

/** Call it before the staged CVEs are merged. */
export async function subtractStagedNames(tx: Transaction<unknown>): Promise<void> {
  await insertChanges(tx, -1, selectNames(sql`select cve_key from staged_cve`))
}

export async function addStagedNames(tx: Transaction<unknown>): Promise<void> {
  await insertChanges(
    tx,
    1,
    sql`
      ${unnestNames(sql`staged_cve`)}
       union all
      select 'vendor', vendor
        from (select distinct cve_key, vendor from staged_product) vendors
    `,
  )
}

/** Call it before the CVEs are removed. */
export async function subtractNames(tx: Transaction<unknown>, keys: readonly CveKey[]): Promise<void> {
  await insertChanges(tx, -1, selectNames(sql`select unnest(${keys}::bigint[])`))
}

async function insertChanges(tx: Transaction<unknown>, change: 1 | -1, names: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into name_change (kind, name, change)
    select kind, name, ${change}::integer
      from (${names}) names
  `.execute(tx)
}

/** `cves` must have the columns of catalog.cve. */
function unnestNames(cves: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select 'cwe' as kind, unnest(cwes) as name from ${cves}
     union all
    select 'technique', unnest(techniques) from ${cves}
     union all
    select 'assigner', assigner from ${cves} where assigner is not null`
}

/**
 * Selects each name of each CVE once: a CVE counts once for a vendor, however many of its products it names. `keys`
 * must not list a CVE twice. The lateral subqueries with `offset 0` force index lookups; a join would read all CVEs and
 * products for each chunk of 500 CVEs.
 */
export function selectNames(keys: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
      with published as materialized (
        select cve.cwes, cve.techniques, cve.assigner
          from (${keys}) requested (cve_key)
         cross join lateral (
                 select cwes, techniques, assigner
                   from catalog.cve
                  where cve_key = requested.cve_key
                 offset 0
               ) cve
      )
      ${unnestNames(sql`published`)}
    )
     union all
    select 'vendor', vendor
      from (
             select distinct requested.cve_key, product.vendor
               from (${keys}) requested (cve_key)
              cross join lateral (
                      select product_key
                        from catalog.cve_product
                       where cve_key = requested.cve_key
                      offset 0
                    ) named
              cross join lateral (
                      select vendor
                        from catalog.product
                       where product_key = named.product_key
                      offset 0
                    ) product
           ) vendors`
}

/** Also removes names without a CVE, and sets the titles of weaknesses and techniques. */
export async function countNames(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into catalog.name_count as counted (kind, name, cve_count)
    select kind, name, sum(change)::integer
      from name_change
     group by kind, name
    having sum(change) <> 0
     order by kind, name
    on conflict (kind, name) do update
       set cve_count = counted.cve_count + excluded.cve_count
  `.execute(tx)
  await sql`
    delete from catalog.name_count
     where cve_count = 0
       and (kind, name) in (select kind, name from name_change where change < 0)
  `.execute(tx)
  await sql`
    update catalog.name_count counted
       set title = known.title
      from (
             select 'cwe' as kind, cwe_id as name, name as title from source.weakness
              union all
             select 'technique', technique_id, name from source.attack_technique
           ) known
     where known.kind = counted.kind
       and known.name = counted.name
       and known.title is distinct from counted.title
  `.execute(tx)
}
