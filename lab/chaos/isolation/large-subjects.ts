// Makes a generated catalog as uneven as the real one: some records are large, and one product has many ranges of versions.
import { sql } from 'kysely'
import type { Database } from '../../../service/src/database/postgres.ts'

export const LARGE_PRODUCT = { vendor: 'maker', product: 'kernel' } as const

/**
 * Adds a product for which every CVE of the catalog has `rangesPerCve` ranges, as the kernel of Linux has, and a second
 * product with one range of each CVE.
 */
export async function addManyRanges(db: Database, rangesPerCve: number): Promise<void> {
  const { vendor, product } = LARGE_PRODUCT
  await sql`
    insert into catalog.affected_name (kind, vendor, product)
    values ('cpe', ${vendor}, ${product}), ('cpe', ${vendor}, 'router')
  `.execute(db)
  await sql`
    insert into catalog.affected (subject_key, name_key, nr, is_affected, is_vague, low_in, high_in, scheme, source, target,
                                  low, high)
    select cve_key, name_key, 1 + n * 2 + (product = 'router')::int, true, false, true, false, 'generic', 'nvd', '',
           n || '.' || cve_key % 50 || '.0', n || '.' || cve_key % 50 + 1 || '.' || cve_key % 90
      from catalog.cve, catalog.affected_name, generate_series(0, ${rangesPerCve}::int - 1) as n
     where vendor = ${vendor} and (product = ${product} or n = 0)
  `.execute(db)
  await sql`analyze catalog.affected, catalog.affected_name`.execute(db)
}

/** Gives the first 50 records of the catalog about 40 KB of references each; a batch of all 50 has about 2 MB. */
export async function enlargeRecords(db: Database): Promise<void> {
  await sql`
    update catalog.cve_document
       set "references" = (select json_agg(json_build_object('url', 'https://example.com/' || n, 'tags', array['Patch']))::text
                             from generate_series(1, 700) as n)
     where cve_key in (select cve_key from catalog.cve_document order by cve_key limit 50)
  `.execute(db)
}
