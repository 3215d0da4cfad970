import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import type { ExportedProducts } from '../../../record/export-row.ts'

const MAX_NAMES = 5

/** Returns the products of each CVE that has any. */
export async function readProducts(
  db: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ExportedProducts>> {
  const { rows } = await sql<{ key: string; names: readonly string[]; total: number }>`
    select named.cve_key as key,
           (array_agg(product.vendor || ' ' || product.product order by product.vendor, product.product))[:${MAX_NAMES}] as names,
           count(*)::integer as total
      from catalog.cve_product as named
      join catalog.product as product on product.product_key = named.product_key
     where named.cve_key = any(${keys}::bigint[])
     group by named.cve_key
  `.execute(db)
  return new Map(rows.map(({ key, names, total }) => [key, { names, total }]))
}
