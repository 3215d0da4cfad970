// Advisories replace one another by their own id. What an archive no longer has is deleted, and so is an advisory that
// no longer names a CVE.
import { sql, type Transaction } from 'kysely'
import type { Measure } from '../../guard.ts'
import type { Merged, Scope, Store } from '../../store.ts'
import type { AdvisoryRow } from './advisory.ts'

const FEED = 'ghsa'
const ID = /GHSA(?:-[0-9a-z]{4}){3}/

export const advisoryStore: Store<AdvisoryRow> = {
  staging: 'staged_advisory (ghsa_id, cve_id, content_hash, modified, record, is_future)',
  values: ({ ghsaId, contentHash, modified, isFuture, kept }) => [
    ghsaId,
    kept?.cveId ?? null,
    contentHash,
    modified,
    kept?.record ?? null,
    isFuture,
  ],
  stage,
  measure,
  merge,
}

async function stage(tx: Transaction<unknown>): Promise<void> {
  // The same compression as in the table it goes to, so that the text is compressed once and then only copied.
  await sql`
    create temporary table staged_advisory (
      like source.ghsa_advisory including compression,
      ordinal   bigint generated always as identity,
      is_future boolean not null
    ) on commit drop
  `.execute(tx)
  await sql`
    alter table staged_advisory
      alter column cve_id drop not null,
      alter column record drop not null
  `.execute(tx)
}

async function measure(tx: Transaction<unknown>, scope: Scope): Promise<Measure> {
  const duplicates = await dropDuplicates(tx)
  await sql`analyze staged_advisory (ghsa_id, cve_id, content_hash, modified)`.execute(tx)
  const { rows } = await sql<Omit<Measure, 'duplicates'>>`
    select count(*)::integer as staged,
           count(*) filter (where ours.ghsa_id is null)::integer as fresh,
           count(*) filter (where ${isNewer} and staged.modified >= ours.modified)::integer as changed,
           count(*) filter (where ${isNewer} and staged.modified = ours.modified)::integer as "changedSilently",
           count(*) filter (where staged.modified < ours.modified)::integer as older,
           count(*) filter (where staged.is_future)::integer as future,
           0 as scored,
           0 as "scoredZero",
           (select count(*)::integer from source.ghsa_advisory) as existing,
           (select count(*)::integer from source.ghsa_advisory ours where ${isGone(scope)}) as vanished
      from staged_advisory staged
      left join source.ghsa_advisory ours
        on ours.ghsa_id = staged.ghsa_id
     where staged.cve_id is not null
  `.execute(tx)
  const [counted] = rows
  if (!counted) throw new Error('a count has one row')
  return { ...counted, duplicates }
}

const isNewer = sql`ours.content_hash <> staged.content_hash`

/** Of several with one id the newest counts; of equally new ones, the last. */
async function dropDuplicates(tx: Transaction<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from staged_advisory staged
     using (
             select ordinal, row_number() over (partition by ghsa_id order by modified desc, ordinal desc) as place
               from staged_advisory
           ) ranked
     where ranked.ordinal = staged.ordinal
       and ranked.place > 1
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/**
 * It names no CVE any more; or the archive lacks it, although it is older than others there. The API is ahead of the
 * archive, by hours as a rule: what is as new as the archive itself may not have been in it yet.
 */
const isGone = ({ kind, rejected }: Scope) => sql`
  ours.ghsa_id in (
    select held.ghsa_id
      from source.ghsa_advisory held
      left join staged_advisory present
        on present.ghsa_id = held.ghsa_id
     where (present.cve_id is null and present.modified >= held.modified)
        or (
                 ${kind === 'snapshot'}
             and present.ghsa_id is null
             and held.ghsa_id <> all (${rejected.flatMap((each) => ID.exec(each)?.[0] ?? [])}::text[])
             and held.modified < (select max(modified) - interval '1 day' from staged_advisory)
           )
  )
`

async function merge(tx: Transaction<unknown>, scope: Scope): Promise<Merged> {
  const removed = await removeGone(tx, scope)
  return { ...(await upsertChanged(tx)), removed }
}

async function removeGone(tx: Transaction<unknown>, scope: Scope): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from source.ghsa_advisory ours
       where ${isGone(scope)}
      returning ours.cve_id
    ), queued as (
      insert into source.publication_queue (cve_id, feed)
      select distinct cve_id, ${FEED}
        from gone
    )
    select count(*)::integer as removed
      from gone
  `.execute(tx)
  return rows[0]?.removed ?? 0
}

/** An older one never overwrites a newer one. Queued is the CVE that it names, and the one that it named before. */
async function upsertChanged(tx: Transaction<unknown>): Promise<Omit<Merged, 'removed'>> {
  const { rows } = await sql<Omit<Merged, 'removed'>>`
    with news as (
      select staged.ghsa_id, staged.cve_id, ours.cve_id as former_cve_id
        from staged_advisory staged
        left join source.ghsa_advisory ours
          on ours.ghsa_id = staged.ghsa_id
       where staged.cve_id is not null
         and (ours.ghsa_id is null or (${isNewer} and staged.modified >= ours.modified))
    ), written as (
      insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
      select staged.ghsa_id, staged.cve_id, staged.content_hash, staged.modified, staged.record
        from staged_advisory staged
        join news
          on news.ghsa_id = staged.ghsa_id
      on conflict (ghsa_id) do update
         set cve_id = excluded.cve_id,
             content_hash = excluded.content_hash,
             modified = excluded.modified,
             record = excluded.record
    ), queued as (
      insert into source.publication_queue (cve_id, feed)
      select cve_id, ${FEED}
        from (
               select cve_id from news
                union
               select former_cve_id from news where former_cve_id is not null
             ) touched
    )
    select count(*) filter (where former_cve_id is null)::integer as inserted,
           count(*) filter (where former_cve_id is not null)::integer as updated
      from news
  `.execute(tx)
  return rows[0] ?? { inserted: 0, updated: 0 }
}
