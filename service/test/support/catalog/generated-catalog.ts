// Generates many CVEs in SQL: values repeat, some are missing, and the same count gives the same catalog every time.
import { sql } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'

export async function generateCatalog(db: Database, count: number): Promise<void> {
  await insertCves(db, count)
  await sql`
    insert into catalog.epss (cve_key, score, percentile)
    select cve_key, score, score
      from (select cve_key, case when dice % 15 > 0 then (dice % 101) / 100.0 end as score
              from (select cve_key, ${dice('cve_key', 1)} as dice from catalog.cve) as rolled) as scored
  `.execute(db)
  await sql`
    insert into catalog.kev (cve_key, vendor_project, product, date_added, known_ransomware, summary, in_batch, in_recent,
                             entry, content_hash)
    select cve_key, 'Maker', 'Thing', '2024-01-01', false, kev, kev, kev, kev, ''
      from catalog.cve,
           lateral (select '{"dateAdded":"2024-01-01","knownRansomware":false}' as kev) as rendered
     where in_kev
  `.execute(db)
  await sql`
    insert into catalog.epss_release (scored_at, model_version)
    values ('2026-08-21T12:00:00Z', 'v1')
  `.execute(db)
  await sql`analyze catalog.cve, catalog.epss, catalog.kev, catalog.cve_document`.execute(db)
}

/** More words than the searches use, so that each searched word is in few CVEs, as in real descriptions. */
const WORDS =
  'overflow overflows kernel kernels authentication remote remotely code script log4j linux mod_ssl router browser driver parser header session cookie archive printer camera gateway scheduler'.split(
    ' ',
  )
/** Makes rows as wide as those of real descriptions, because the planner's costs depend on the width of a row. */
const FILLER = Buffer.alloc(700)
const STATUSES = 'Analyzed Analyzed Analyzed Modified Deferred Received Rejected'.split(' ')

/** A pseudo-random number that depends on the column and on `salt`. */
function dice(column: string, salt: number) {
  return sql`(hashint8extended(${sql.ref(column)}, ${sql.lit(salt)}) & 1048575)::int`
}

async function insertCves(db: Database, count: number): Promise<void> {
  await sql`
    with rolled as (
      select catalog.cve_key('CVE-' || 2000 + n % 25 || '-' || 1000 + n) as cve_key, n::bigint
        from generate_series(1, ${count}::int) as n
    ), described as (
      select cve_key, n,
             (${WORDS}::text[])[1 + ${dice('n', 2)} % 24] || ' and ' || (${WORDS}::text[])[1 + ${dice('n', 3)} % 24]
               || ' in ' || (${WORDS}::text[])[1 + ${dice('n', 4)} % 24] || case when n % 97 = 0 then ' zebra' else '' end
               as description
        from rolled
    ), cves as (
      insert into catalog.cve (cve_key, published, modified, score, status, is_enriched, has_exploit, in_kev, in_eu_kev,
                               has_notice, has_reference, cpe_count, attack_vector, has_patch, sources, priority, words,
                               content_hash)
      select cve_key,
             case when n % 53 > 0 then timestamptz '2020-01-01Z' + ${dice('n', 5)} % 400 * interval '1 day' end,
             timestamptz '2022-01-01Z' + ${dice('n', 6)} % 300 * interval '7 hours',
             case when n % 9 > 0 then ${dice('n', 7)} % 101 / 10.0 end,
             (${STATUSES}::text[])[1 + ${dice('n', 8)} % 7],
             n % 9 > 0,
             ${dice('n', 9)} % 3 = 0,
             ${dice('n', 10)} % 60 = 0,
             ${dice('n', 17)} % 900 = 0,
             ${dice('n', 11)} % 80 = 0,
             ${dice('n', 12)} % 20 > 0,
             ${dice('n', 13)} % 40 * (${dice('n', 13)} % 7),
             ('{network,network,network,local,adjacent,physical,null}'::text[])[1 + ${dice('n', 14)} % 7],
             ${dice('n', 15)} % 2 = 0,
             (array['{cve,nvd}', '{nvd}', '{cve,ghsa,nvd}', '{cve}'])[1 + ${dice('n', 16)} % 4]::text[],
             -- Few CVEs have a high rank, and some have none.
             case when n % 7 > 0 then (${dice('n', 18)} % 1000) * (${dice('n', 19)} % 6) end,
             catalog.search_words(catalog.cve_id(cve_key) || ' ' || description),
             ${FILLER}
        from described
    )
    insert into catalog.cve_document (cve_key, source_tag, published, modified, description, severity, status,
                                      enrichment_status, cvss, cpe, "references", acsc, acsc_notices, techniques,
                                      enrichment, enriched_at)
    select cve_key, '"nvd"', 'null', '"2024-01-01T00:00:00Z"', to_json(description)::text, 'null', '"Analyzed"',
           '"enriched"', '{"v3_1":null}', '[]', '[]', '[]', '[]', '[]', 'null', '2024-01-01Z'
      from described
  `.execute(db)
}
