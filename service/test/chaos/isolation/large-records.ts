// Makes some records of a generated catalog large.
import { sql } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'

/** Gives the first 50 records of the catalog about 40 KB of references each; a batch of all 50 has about 2 MB. */
export async function enlargeRecords(db: Database): Promise<void> {
  await sql`
    update catalog.cve_document
       set "references" = (select json_agg(json_build_object('url', 'https://example.com/' || n, 'tags', array['Patch']))::text
                             from generate_series(1, 700) as n)
     where cve_key in (select cve_key from catalog.cve_document order by cve_key limit 50)
  `.execute(db)
}
