// Merges vulnerable products into catalog.product and catalog.cve_product. Only rows that differ are written. The CVE
// counts of products are updated once per transaction, because common products occur in every chunk.
import { sql, type Transaction } from 'kysely'

/**
 * `offset 0` forces an index lookup per staged name. For a chunk of 500 CVEs, the planner would otherwise read all
 * products.
 */
const STAGED_KEYS = sql`
      select staged.cve_key, known.product_key
        from staged_product staged
       cross join lateral (
               select product_key
                 from catalog.product
                where vendor = staged.vendor
                  and product = staged.product
               offset 0
             ) known`

/**
 * Selects published products of changed CVEs that are not staged. They are looked up by CVE and deleted by row address
 * (ctid): a join with catalog.cve_product would read the whole table for each chunk, 278,000 rows on average in a first
 * load. A row address is valid within the statement that read it.
 */
const REMOVED_ROWS = sql`
             select published.place
               from staged_cve changed
              cross join lateral (
                      select ctid as place, product_key
                        from catalog.cve_product
                       where cve_key = changed.cve_key
                      offset 0
                    ) published
              where (changed.cve_key, published.product_key) not in (select cve_key, product_key from staged)`

export async function mergeProducts(tx: Transaction<unknown>): Promise<void> {
  await insertProducts(tx)
  await sql`
    with staged as materialized (${STAGED_KEYS}
    ), removed as (
      delete from catalog.cve_product
       where ctid = any (array(${REMOVED_ROWS}
           ))
      returning product_key
    ), added as (
      insert into catalog.cve_product (product_key, cve_key)
      select product_key, cve_key
        from staged
       order by product_key, cve_key
      on conflict do nothing
      returning product_key
    )
    insert into product_change (product_key, change)
    select product_key, -1 from removed
     union all
    select product_key, 1 from added
  `.execute(tx)
}

async function insertProducts(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into catalog.product (vendor, product)
    select vendor, product
      from (select distinct vendor, product from staged_product) staged
      left join lateral (
             select product_key
               from catalog.product
              where vendor = staged.vendor
                and product = staged.product
             offset 0
           ) known on true
     where known.product_key is null
     order by vendor, product
  `.execute(tx)
}

/** Also removes products that no longer belong to any published CVE. */
export async function countProducts(tx: Transaction<unknown>): Promise<void> {
  await sql`
    update catalog.product counted
       set cve_count = counted.cve_count + changed.change
      from (
             select product_key, sum(change)::integer as change
               from product_change
              group by product_key
             having sum(change) <> 0
           ) changed
     where counted.product_key = changed.product_key
  `.execute(tx)
  // The rows decide, not the count: a count edited by hand must not remove a product that a CVE has.
  await sql`
    delete from catalog.product unused
     where product_key in (select product_key from product_change where change < 0)
       and not exists (select from catalog.cve_product named where named.product_key = unused.product_key)
  `.execute(tx)
}
