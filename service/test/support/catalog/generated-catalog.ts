// Generates many CVEs in SQL: values repeat, some are missing, and the same count gives the same catalog every time.

import { type RawBuilder, sql } from 'kysely'
import { advanceHoldSql } from '../../../src/catalog/epss-history/holds.ts'
import type { Database } from '../../../src/database/postgres.ts'
import { REFERENCE_THRESHOLDS } from '../../../src/domain/priority/epss-rule.ts'
import { markPublished } from './cve-builder.ts'

/** The tables that generateCatalog fills, for ANALYZE. */
export const GENERATED_TABLES =
  'catalog.cve, catalog.epss, catalog.kev, catalog.cve_document, catalog.product, catalog.cve_product'

/**
 * Without statistics, the caller must run ANALYZE after its own changes: the statistics of 20,000 CVEs take three seconds
 * of processor time.
 */
export async function generateCatalog(db: Database, count: number, hasStatistics = true): Promise<void> {
  await insertCves(db, count)
  await sql`
    insert into catalog.epss (cve_key, score, percentile, held_since)
    select cve_key, score, score, ${advanceHoldSql({ held: sql`null::date[]`, score: sql`score`, day: '2026-08-21', thresholds: REFERENCE_THRESHOLDS })}
      from (select cve_key, case when dice % 15 > 0 then (dice % 101) / 100.0 end as score
              from (select cve_key, ${dice('cve_key', 1)} as dice from catalog.cve) as rolled) as scored
  `.execute(db)
  await sql`
    insert into catalog.kev (cve_key, vendor_project, product, date_added, known_ransomware, summary, in_batch, in_recent,
                             entry, content_hash)
    select cve_key, 'Maker', 'Thing', added, is_ransomware, kev, kev, kev, kev, ''
      from catalog.cve,
           lateral (select date '2024-01-01' + ${dice('cve_key', 20)} % 400 as added) as dated,
           lateral (select json_build_object('dateAdded', added, 'knownRansomware', is_ransomware)::text as kev) as rendered
     where in_kev
  `.execute(db)
  await insertProducts(db)
  await markPublished(db)
  await sql`
    insert into catalog.epss_release (scored_at, model_version, thresholds)
    values ('2026-08-21T12:00:00Z', 'v1', ${REFERENCE_THRESHOLDS}::float8[])
  `.execute(db)
  if (hasStatistics) await sql.raw(`analyze ${GENERATED_TABLES}`).execute(db)
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

/** Values of the columns of catalog.cve for which DRAWN_BY_TYPE does not suffice. */
const VALUES: Readonly<Record<string, RawBuilder<unknown>>> = {
  published: sql`case when n % 53 > 0 then timestamptz '2020-01-01Z' + ${dice('n', 5)} % 400 * interval '1 day' end`,
  modified: sql`timestamptz '2022-01-01Z' + ${dice('n', 6)} % 300 * interval '7 hours'`,
  score: sql`case when n % 9 > 0 then ${dice('n', 7)} % 101 / 10.0 end`,
  status: sql`(${STATUSES}::text[])[1 + ${dice('n', 8)} % 7]`,
  is_enriched: sql`n % 9 > 0`,
  in_kev: sql`${dice('n', 10)} % 60 = 0`,
  in_eu_kev: sql`${dice('n', 17)} % 900 = 0`,
  has_notice: sql`${dice('n', 11)} % 80 = 0`,
  has_reference: sql`${dice('n', 12)} % 20 > 0`,
  cpe_count: sql`${dice('n', 13)} % 40 * (${dice('n', 13)} % 7)`,
  attack_vector: sql`('{network,network,network,local,adjacent,physical,null}'::text[])[1 + ${dice('n', 14)} % 7]`,
  sources: sql`(array['{cve,nvd}', '{nvd}', '{cve,ghsa,nvd}', '{cve}'])[1 + ${dice('n', 16)} % 4]::text[]`,
  // Few CVEs have a high rank, and some have none.
  priority: sql`case when n % 7 > 0 then (${dice('n', 18)} % 1000) * (${dice('n', 19)} % 6) end`,
  ssvc: sql`case when ${dice('n', 8)} % 7 < 6 then ${dice('n', 21)} % 27 end`,
  cwes: sql`(array['{}', '{}', '{CWE-79}', '{CWE-89}', '{CWE-79,CWE-352}', '{CWE-787}'])[1 + ${dice('n', 22)} % 6]::text[]`,
  techniques: sql`(array['{}', '{}', '{T1190}', '{T1059,T1059.001}', '{T1059,T1059.003,T1190}'])[1 + ${dice('n', 23)} % 5]::text[]`,
  assigner: sql`('{maker,Maker,redhat,mitre,null}'::text[])[1 + ${dice('n', 24)} % 5]`,
  maturity: sql`greatest(${dice('n', 25)} % 20 - 14, 0)`,
  is_ransomware: sql`${dice('n', 10)} % 60 = 0 and ${dice('n', 28)} % 4 = 0`,
  score_version: sql`case when n % 9 > 0 then 2 + ${dice('n', 29)} % 3 end`,
  event_day: sql`case when n % 53 > 0 then 18262 + ${dice('n', 5)} % 400 end`,
  urgent_day: sql`case when ${dice('n', 32)} % 40 = 0 then 18500 + ${dice('n', 33)} % 300 end`,
  disagreements: sql`case when ${dice('n', 30)} % 6 = 0 then ${dice('n', 31)} % 16 else 0 end`,
}

const drawCount = (salt: number) => sql`greatest(${dice('n', salt)} % 12 - 6, 0)`
const DRAWN_BY_TYPE: Readonly<Record<string, (salt: number) => RawBuilder<unknown>>> = {
  boolean: (salt) => sql`${dice('n', salt)} % 3 = 0`,
  integer: drawCount,
  smallint: drawCount,
}

interface TypedColumn {
  readonly name: string
  readonly type: string
  readonly position: number
}

function drawColumn({ name, type, position }: TypedColumn): RawBuilder<unknown> {
  const value = VALUES[name] ?? DRAWN_BY_TYPE[type]?.(100 + position)
  if (!value) throw new Error(`catalog.cve.${name} (${type}) needs a line in VALUES of generated-catalog.ts.`)
  return value
}

async function insertCves(db: Database, count: number): Promise<void> {
  const { rows: columns } = await sql<TypedColumn>`
    select column_name as name, data_type as type, ordinal_position::int as position
      from information_schema.columns
     where table_schema = 'catalog' and table_name = 'cve'
       and column_name not in ('cve_key', 'words', 'content_hash')
  `.execute(db)
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
      insert into catalog.cve (cve_key, ${sql.join(columns.map(({ name }) => sql.id(name)))}, words, content_hash)
      select cve_key, ${sql.join(columns.map(drawColumn))},
             catalog.text_words(catalog.cve_id(cve_key), description), ${FILLER}
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

/** Three of four CVEs have one to three products, of 8 vendors with 5 products each. */
async function insertProducts(db: Database): Promise<void> {
  await sql`
    insert into catalog.product (vendor, product)
    select 'vendor_' || vendor, 'product_' || product
      from generate_series(0, 7) as vendor, generate_series(0, 4) as product
  `.execute(db)
  await sql`
    insert into catalog.cve_product (product_key, cve_key)
    select distinct product_key, cve_key
      from catalog.cve,
           generate_series(1, ${dice('cve_key', 32)} % 4) as n
      join catalog.product on true
     where product.vendor = 'vendor_' || (cve_key + n * 5) % 8
       and product.product = 'product_' || (cve_key + n * 3) % 5
  `.execute(db)
  await sql`
    update catalog.product
       set cve_count = (select count(*) from catalog.cve_product named where named.product_key = product.product_key)
  `.execute(db)
}
