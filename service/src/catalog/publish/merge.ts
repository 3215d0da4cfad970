// From the temporary tables to those that are served: only what is different is written, and every difference is in the
// log of changes. All of it inside the caller's transaction, which holds the publishers' lock.
import { sql, type Transaction } from 'kysely'
import type { CveKey } from '../../domain/cve-id.ts'
import { FRAGMENT_NAMES } from './stage.ts'

interface Merged {
  readonly added: number
  readonly changed: number
}

export async function merge(tx: Transaction<unknown>, now: Date): Promise<Merged> {
  await sql`analyze staged_cve (cve_key), staged_document (cve_key), staged_detail (cve_key)`.execute(tx)
  await dropUnchanged(tx)
  const written = await logChanges(tx)
  if (written.added + written.changed === 0) return written
  await writeColumns(tx)
  await writeDocuments(tx, now)
  await writeDetails(tx, now)
  await addToEpss(tx)
  return written
}

/** Afterwards the temporary tables hold news alone. */
async function dropUnchanged(tx: Transaction<unknown>): Promise<void> {
  await sql`
    delete from staged_cve staged
     using catalog.cve ours
     where ours.cve_key = staged.cve_key
       and ours.content_hash = staged.content_hash
  `.execute(tx)
  await sql`
    delete from staged_document staged
     where not exists (select from staged_cve news where news.cve_key = staged.cve_key)
  `.execute(tx)
  await sql`
    delete from staged_detail staged
     where not exists (select from staged_cve news where news.cve_key = staged.cve_key)
  `.execute(tx)
}

const changedFields = sql.join([
  ...FRAGMENT_NAMES.map(
    (name) => sql`case when staged.${sql.id(name)} is distinct from ours.${sql.id(name)} then ${sql.lit(name)} end`,
  ),
  sql`case when staged_details.hashes is distinct from our_details.hashes then 'detail' end`,
])

const hashesOf = (table: 'staged_detail' | 'catalog.cve_detail') => sql`(
  select cve_key, array_agg(content_hash order by source) as hashes
    from ${sql.table(table)}
   where cve_key in (select cve_key from staged_document)
   group by cve_key
)`

async function logChanges(tx: Transaction<unknown>): Promise<Merged> {
  const { rows } = await sql<{ added: number; changed: number }>`
    with logged as (
      insert into catalog.change (cve_key, kind, fields)
      select staged.cve_key,
             case when ours.cve_key is null then 'added' else 'changed' end,
             array_remove(array[${changedFields}], null)
        from staged_document staged
        left join catalog.cve_document ours
          on ours.cve_key = staged.cve_key
        left join ${hashesOf('staged_detail')} staged_details
          on staged_details.cve_key = staged.cve_key
        left join ${hashesOf('catalog.cve_detail')} our_details
          on our_details.cve_key = staged.cve_key
       order by staged.cve_key
      returning kind
    )
    select count(*) filter (where kind = 'added')::integer as added,
           count(*) filter (where kind = 'changed')::integer as changed
      from logged
  `.execute(tx)
  return rows[0] ?? { added: 0, changed: 0 }
}

async function writeColumns(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into catalog.cve (
      cve_key, published, modified, score, status, is_enriched, has_exploit, in_kev, has_notice, has_reference,
      cpe_count, attack_vector, has_patch, sources, words, content_hash
    )
    select cve_key, published, modified, score, status, is_enriched, has_exploit, in_kev, has_notice, has_reference,
           cpe_count, attack_vector, has_patch, sources,
           catalog.search_words(catalog.cve_id(cve_key) || ' ' || text), content_hash
      from staged_cve
     order by cve_key
    on conflict (cve_key) do update
       set published = excluded.published,
           modified = excluded.modified,
           score = excluded.score,
           status = excluded.status,
           is_enriched = excluded.is_enriched,
           has_exploit = excluded.has_exploit,
           in_kev = excluded.in_kev,
           has_notice = excluded.has_notice,
           has_reference = excluded.has_reference,
           cpe_count = excluded.cpe_count,
           attack_vector = excluded.attack_vector,
           has_patch = excluded.has_patch,
           sources = excluded.sources,
           words = excluded.words,
           content_hash = excluded.content_hash
  `.execute(tx)
}

async function writeDocuments(tx: Transaction<unknown>, now: Date): Promise<void> {
  const names = sql.join(FRAGMENT_NAMES.map((name) => sql.id(name)))
  const overwritten = sql.join(FRAGMENT_NAMES.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`))
  await sql`
    insert into catalog.cve_document as ours (cve_key, ${names}, enriched_at)
    select cve_key, ${names}, ${now}::timestamptz
      from staged_document
     order by cve_key
    on conflict (cve_key) do update
       set ${overwritten},
           enriched_at = case when ours.enrichment = excluded.enrichment then ours.enriched_at else excluded.enriched_at end
  `.execute(tx)
}

async function writeDetails(tx: Transaction<unknown>, now: Date): Promise<void> {
  await sql`
    delete from catalog.cve_detail ours
     using staged_cve news
     where news.cve_key = ours.cve_key
       and not exists (
             select from staged_detail staged
              where staged.cve_key = ours.cve_key and staged.source = ours.source
           )
  `.execute(tx)
  await sql`
    insert into catalog.cve_detail as ours (cve_key, source, record, content_hash, created_at, updated_at)
    select cve_key, source, record, content_hash, ${now}::timestamptz, ${now}::timestamptz
      from staged_detail
     order by cve_key, source
    on conflict (cve_key, source) do update
       set record = excluded.record,
           content_hash = excluded.content_hash,
           updated_at = excluded.updated_at
     where ours.content_hash <> excluded.content_hash
  `.execute(tx)
}

/** With its score if that is of the day that is published; otherwise the next publication of EPSS brings it. */
async function addToEpss(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into catalog.epss (cve_key, score, percentile)
    select staged.cve_key, said.score, said.percentile
      from staged_cve staged
      left join source.epss_score said
        on said.cve_id = catalog.cve_id(staged.cve_key)
       and (select revision from source.epss_release) = (select revision from catalog.epss_release)
     order by staged.cve_key
    on conflict (cve_key) do nothing
  `.execute(tx)
}

/** Those that no source knows any more: a CVE that was known to the KEV catalogue alone, and is not any more. */
export async function remove(tx: Transaction<unknown>, keys: readonly CveKey[]): Promise<number> {
  if (keys.length === 0) return 0
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from catalog.cve
       where cve_key = any (${keys}::bigint[])
      returning cve_key
    ), documents as (
      delete from catalog.cve_document
       where cve_key in (select cve_key from gone)
    ), details as (
      delete from catalog.cve_detail
       where cve_key in (select cve_key from gone)
    ), scores as (
      delete from catalog.epss
       where cve_key in (select cve_key from gone)
    ), logged as (
      insert into catalog.change (cve_key, kind)
      select cve_key, 'removed'
        from gone
    )
    select count(*)::integer as removed
      from gone
  `.execute(tx)
  return rows[0]?.removed ?? 0
}
