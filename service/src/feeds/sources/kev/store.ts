import { sql, type Transaction } from 'kysely'
import { idsAmong } from '../../download/dated-release.ts'
import type { Measure } from '../../guard.ts'
import type { Merged, Scope, Store } from '../../store.ts'
import type { KevRow } from './normalise.ts'

export const kevStore: Store<KevRow> = {
  staging: `staged_kev (
    cve_id, vendor_project, product, vulnerability_name, date_added, short_description, required_action, due_date,
    known_ransomware, notes, cwes, content_hash, is_future, released_at
  )`,
  values: (row) => [
    row.cveId,
    row.vendorProject,
    row.product,
    row.vulnerabilityName,
    row.dateAdded,
    row.shortDescription,
    row.requiredAction,
    row.dueDate,
    row.isKnownRansomware,
    row.notes,
    row.cwes,
    row.contentHash,
    row.isFuture,
    row.releasedAt,
  ],
  stage,
  measure,
  merge,
}

async function stage(tx: Transaction<unknown>): Promise<void> {
  await sql`
    create temporary table staged_kev (
      ordinal            bigint      generated always as identity,
      cve_id             text        collate "C" not null,
      vendor_project     text        not null,
      product            text        not null,
      vulnerability_name text        not null,
      date_added         date        not null,
      short_description  text        not null,
      required_action    text        not null,
      due_date           date,
      known_ransomware   boolean     not null,
      notes              text,
      cwes               text[]      not null,
      content_hash       bytea       not null,
      is_future          boolean     not null,
      released_at        timestamptz not null
    ) on commit drop
  `.execute(tx)
}

/** What counts as ours is what is in the catalogue: a removed entry that comes back is fresh. */
async function measure(tx: Transaction<unknown>, { rejected }: Scope): Promise<Measure> {
  const duplicates = await dropDuplicates(tx)
  const { rows } = await sql<Omit<Measure, 'duplicates'>>`
    select count(staged.cve_id)::integer as staged,
           count(ours.cve_id)::integer as existing,
           count(*) filter (where ours.cve_id is null)::integer as fresh,
           count(*) filter (where ours.content_hash <> staged.content_hash)::integer as changed,
           count(*) filter (where staged.cve_id is null and ours.cve_id <> all (${idsAmong(rejected)}))::integer as vanished,
           count(*) filter (where staged.is_future)::integer as future,
           0 as scored,
           0 as "scoredZero"
      from staged_kev staged
      full join (
             select cve_id, content_hash
               from source.kev_entry
              where removed_at is null
           ) ours
        on ours.cve_id = staged.cve_id
  `.execute(tx)
  const [counted] = rows
  if (!counted) throw new Error('a count has one row')
  return { ...counted, duplicates }
}

/** Of several entries for one CVE the one added last counts; of those added on one day, the last in the list. */
async function dropDuplicates(tx: Transaction<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from staged_kev
     where ordinal in (
             select ordinal
               from (
                      select ordinal, row_number() over (partition by cve_id order by date_added desc, ordinal desc) as place
                        from staged_kev
                    ) ranked
              where place > 1
           )
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

async function merge(tx: Transaction<unknown>, scope: Scope): Promise<Merged> {
  const removed = await removeVanished(tx, scope)
  const written = await queueChanged(tx)
  await upsertChanged(tx, scope.now)
  return { ...written, removed }
}

/** Kept, and marked: what was known to be exploited has a history. */
async function removeVanished(tx: Transaction<unknown>, { rejected, now }: Scope): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with removed as (
      update source.kev_entry ours
         set removed_at = coalesce((select max(released_at) from staged_kev), ${now})
       where removed_at is null
         and cve_id <> all (${idsAmong(rejected)})
         and not exists (select from staged_kev staged where staged.cve_id = ours.cve_id)
      returning cve_id
    ), queued as (
      insert into source.publication_queue (cve_id, feed)
      select cve_id, 'kev'
        from removed
    )
    select count(*)::integer as removed
      from removed
  `.execute(tx)
  return rows[0]?.removed ?? 0
}

/** New, changed, or back after it was removed. */
const isNews = sql`(ours.cve_id is null or ours.removed_at is not null or ours.content_hash <> staged.content_hash)`

async function queueChanged(tx: Transaction<unknown>): Promise<Omit<Merged, 'removed'>> {
  const { rows } = await sql<Omit<Merged, 'removed'>>`
    with news as (
      select staged.cve_id, ours.cve_id is null or ours.removed_at is not null as is_new
        from staged_kev staged
        left join source.kev_entry ours
          on ours.cve_id = staged.cve_id
       where ${isNews}
    ), queued as (
      insert into source.publication_queue (cve_id, feed)
      select cve_id, 'kev'
        from news
    )
    select count(*) filter (where is_new)::integer as inserted,
           count(*) filter (where not is_new)::integer as updated
      from news
  `.execute(tx)
  return rows[0] ?? { inserted: 0, updated: 0 }
}

async function upsertChanged(tx: Transaction<unknown>, now: Date): Promise<void> {
  await sql`
    insert into source.kev_entry (
      cve_id, vendor_project, product, vulnerability_name, date_added, short_description, required_action, due_date,
      known_ransomware, notes, cwes, content_hash, first_stored_at
    )
    select staged.cve_id, staged.vendor_project, staged.product, staged.vulnerability_name, staged.date_added,
           staged.short_description, staged.required_action, staged.due_date, staged.known_ransomware, staged.notes,
           staged.cwes, staged.content_hash, ${now}
      from staged_kev staged
      left join source.kev_entry ours
        on ours.cve_id = staged.cve_id
     where ${isNews}
    on conflict (cve_id) do update
       set vendor_project = excluded.vendor_project,
           product = excluded.product,
           vulnerability_name = excluded.vulnerability_name,
           date_added = excluded.date_added,
           short_description = excluded.short_description,
           required_action = excluded.required_action,
           due_date = excluded.due_date,
           known_ransomware = excluded.known_ransomware,
           notes = excluded.notes,
           cwes = excluded.cwes,
           content_hash = excluded.content_hash,
           removed_at = null
  `.execute(tx)
}
