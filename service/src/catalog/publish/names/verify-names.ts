// Compares published products and aliases with the staged ones, and the CVE count of each name with the rows.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import { selectNames } from './count-names.ts'

export interface DifferingNames {
  readonly key: string
  readonly columns: readonly string[]
}

/** A CVE that is not published is reported as missing, so its names are skipped here. */
const IS_PUBLISHED = sql`exists (select from catalog.cve where cve_key = coalesce(staged.cve_key, published.cve_key))`

export async function findDifferingNames(tx: Transaction<unknown>): Promise<readonly DifferingNames[]> {
  const { rows } = await sql<DifferingNames>`
    select coalesce(staged.cve_key, published.cve_key)::text as key, array['products'] as columns
      from staged_product staged
      full join (
             select cve_key, vendor, product
               from catalog.cve_product_name
              where cve_key in (select cve_key from staged_cve)
           ) published
        on published.cve_key = staged.cve_key
       and published.vendor = staged.vendor
       and published.product = staged.product
     where (staged.cve_key is null or published.cve_key is null)
       and ${IS_PUBLISHED}
     group by 1
     union all
    select coalesce(staged.cve_key, published.cve_key)::text, array['aliases']
      from staged_alias staged
      full join (
             select cve_key, alias, source
               from catalog.alias
              where cve_key in (select cve_key from staged_cve)
           ) published
        on published.cve_key = staged.cve_key
       and published.alias = staged.alias
       and published.source = staged.source
     where (staged.cve_key is null or published.cve_key is null)
       and ${IS_PUBLISHED}
     group by 1
  `.execute(tx)
  return rows
}

const PRODUCT_COUNTS = sql`(
      select product_key, count(named.cve_key)::integer as cve_count
        from catalog.product
        left join catalog.cve_product named using (product_key)
       group by product_key
    )`

const WRONG_NAMES = sql`(
      select coalesce(stored.kind, counted.kind) as kind, coalesce(stored.name, counted.name) as name,
             coalesce(counted.cve_count, 0) as cve_count
        from catalog.name_count stored
        full join (
               select kind, name, count(*)::integer as cve_count
                 from (${selectNames(sql`select cve_key from catalog.cve`)}) names
                group by kind, name
             ) counted
          on counted.kind = stored.kind
         and counted.name = stored.name
       where stored.cve_count is distinct from counted.cve_count
    )`

/** Counts the products and other names whose CVE count is wrong. */
export async function countWrongCounts(db: Database): Promise<number> {
  const { rows } = await sql<{ wrong: number }>`
    select (select count(*) from ${WRONG_NAMES} wrong)::integer
           + (
               select count(*)
                 from catalog.product
                 join ${PRODUCT_COUNTS} counted using (product_key)
                where product.cve_count <> counted.cve_count
             )::integer as wrong
  `.execute(db)
  return rows[0]?.wrong ?? 0
}

/** Also removes names without CVEs. Requires the publishers' lock. */
export async function repairCounts(tx: Transaction<unknown>): Promise<void> {
  await sql`
    update catalog.product
       set cve_count = counted.cve_count
      from ${PRODUCT_COUNTS} counted
     where product.product_key = counted.product_key
       and product.cve_count <> counted.cve_count
  `.execute(tx)
  await sql`delete from catalog.product where cve_count = 0`.execute(tx)
  await sql`
    insert into catalog.name_count (kind, name, cve_count)
    select kind, name, cve_count from ${WRONG_NAMES} wrong
    on conflict (kind, name) do update
       set cve_count = excluded.cve_count
  `.execute(tx)
  await sql`delete from catalog.name_count where cve_count = 0`.execute(tx)
}
