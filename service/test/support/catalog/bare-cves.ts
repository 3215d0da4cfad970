// Many CVEs with empty records, for measurements that need only their keys.
import { sql } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'
import { markPublished } from './cve-builder.ts'

/** Drops the secondary indexes of the table first: filling them would take longer than everything else. */
export async function insertBareCves(db: Database, ids: readonly string[]): Promise<void> {
  await sql`
    do $$
    declare
      name text;
    begin
      for name in
        select indexrelid::regclass from pg_index where indrelid = 'catalog.cve'::regclass and not indisprimary
      loop
        execute 'drop index ' || name;
      end loop;
    end
    $$
  `.execute(db)
  await sql`
    insert into catalog.cve (cve_key, published, modified, score, status, is_enriched, has_exploit, in_kev, in_eu_kev,
                             has_notice, has_reference, cpe_count, attack_vector, has_patch, sources, priority, ssvc, cwes,
                             techniques, assigner, maturity, evidence_count, has_fix, is_ransomware, score_version,
                             disagreements, words, content_hash)
    select catalog.cve_key(id), now(), now(), null, 'Received', false, false, false, false, false, false, 0, null, false,
           '{nvd}', null, 0, '{}', '{}', null, 0, 0, false, false, null, 0, words, ''
      from unnest(${ids}::text[]) id, catalog.cve_words('CVE-2000-0001', '', '{}', '{}') words
  `.execute(db)
  await markPublished(db)
}
