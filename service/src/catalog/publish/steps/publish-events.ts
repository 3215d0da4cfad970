// Publishes events: additions to and removals from KEV catalogs, and ACSC notices that name a CVE.
//
// GET /api/v1/cves/recent must show an event to every client that calls it once per period, so the time of an event is
// that of its publication. But a transaction does not know when its commit becomes visible: a call before the commit
// misses the event, and the next call's period begins after any time that the transaction could have written. So an
// event is published as new until `infinity`, and a later transaction, which sees it committed, sets the end.
import { sql, type Transaction } from 'kysely'
import type { CveId } from '../../../domain/cve-id.ts'
import { toStoredCveKey } from '../cve-key.ts'

/**
 * Allows for replica lag and for clock differences between workers and API nodes. The alert VisReplicaLag fires at this
 * lag.
 */
export const EVENT_ALLOWANCE_MS = 5 * 60_000

const selectSourceEvents = (ids: readonly CveId[]) => sql`
    select catalog.cve_key(event.cve_id) as cve_key, event.kind, event.subject,
           date_trunc('second', event.upstream_at) as upstream_at, event.first_seen
      from (
             select cve_id, 'kev_added' as kind, '' as subject,
                    date_added::timestamp at time zone 'utc' as upstream_at, first_seen
               from source.kev_entry
              where cve_id = any (${ids}::text[])
                and removed_at is null
              union all
             select cve_id, 'kev_removed', '', removed_at, removal_first_seen
               from source.kev_entry
              where cve_id = any (${ids}::text[])
                and removed_at is not null
              union all
             select cve_id, 'eu_kev_added', '', date_listed::timestamp at time zone 'utc', first_seen
               from source.eu_kev_entry
              where cve_id = any (${ids}::text[])
                and removed_at is null
              union all
             select cve_id, 'eu_kev_removed', '', removed_at, removal_first_seen
               from source.eu_kev_entry
              where cve_id = any (${ids}::text[])
                and removed_at is not null
              union all
             select named.cve_id, 'acsc_notice', notice.id, greatest(notice.published, notice.updated), named.first_seen
               from source.acsc_notice_cve named
               join source.acsc_notice notice
                 on notice.id = named.notice_id
              where named.cve_id = any (${ids}::text[])
           ) event`

/** An event that only catalog.event holds is history and stays, such as the removal of a KEV entry that returned. */
const selectUnpublishedEvents = (ids: readonly CveId[]) => sql`
    select stored.cve_key, stored.kind, stored.subject, stored.upstream_at, stored.first_seen
      from (${selectSourceEvents(ids)}) stored
      left join catalog.event published
        on published.cve_key = stored.cve_key
       and published.kind = stored.kind
       and published.subject = stored.subject
     where (stored.upstream_at, stored.first_seen)
           is distinct from (published.upstream_at, published.source_first_seen)`

/** Only PostgreSQL reads the JSON text. */
export type UnpublishedEvents = { readonly json: string } | undefined

/** Must run before the source data of the CVEs is read, so every returned event is part of the published records. */
export async function readUnpublishedEvents(
  tx: Transaction<unknown>,
  ids: readonly CveId[],
): Promise<UnpublishedEvents> {
  const { rows } = await sql<{ json: string | null }>`
    select json_agg(event)::text as json
      from (${selectUnpublishedEvents(ids)}) event
  `.execute(tx)
  const json = rows[0]?.json ?? null
  return json === null ? undefined : { json }
}

/**
 * Must run in the transaction that published the CVEs (all except `failed`). If the source's `first_seen` of an event
 * has changed since the event was published, it has occurred again and gets the time of this publication.
 */
export async function publishEvents(
  tx: Transaction<unknown>,
  events: UnpublishedEvents,
  { failed, now }: { readonly failed: readonly CveId[]; readonly now: Date },
): Promise<void> {
  if (events === undefined) return
  const occurredAgain = sql`published.source_first_seen is distinct from excluded.source_first_seen`
  await sql`
    insert into catalog.event as published
           (cve_key, kind, subject, upstream_at, source_first_seen, first_seen, unseen_until)
    select event.cve_key, event.kind, event.subject, event.upstream_at, event.first_seen,
           case when event.first_seen is not null then date_trunc('second', ${now}::timestamptz) end,
           case when event.first_seen is not null then 'infinity'::timestamptz end
      from json_to_recordset(${events.json}::json)
           as event (cve_key bigint, kind text, subject text, upstream_at timestamptz, first_seen timestamptz)
      join catalog.cve
        on cve.cve_key = event.cve_key
     where event.cve_key <> all (${failed.map(toStoredCveKey)}::bigint[])
     order by event.cve_key, event.kind, event.subject
    on conflict (cve_key, kind, subject) do update
       set upstream_at = excluded.upstream_at,
           source_first_seen = excluded.source_first_seen,
           first_seen = case when ${occurredAgain} then excluded.first_seen else published.first_seen end,
           unseen_until = case when ${occurredAgain} then excluded.unseen_until else published.unseen_until end
  `.execute(tx)
}

/**
 * Ends the period in which earlier events count as new. Requires the publishers' lock, and a `now` that was read after
 * acquiring it: every event that the statement sees was committed before `now`.
 */
export async function settleEvents(tx: Transaction<unknown>, now: Date): Promise<void> {
  await sql`
    update catalog.event
       set unseen_until = ${new Date(now.getTime() + EVENT_ALLOWANCE_MS)}
     where recent_until = 'infinity'
  `.execute(tx)
}

export async function findUnpublishedEvents(
  tx: Transaction<unknown>,
  ids: readonly CveId[],
): Promise<readonly { readonly key: string; readonly columns: readonly string[] }[]> {
  const { rows } = await sql<{ key: string; columns: string[] }>`
    select cve_key::text as key, array_agg(distinct 'event:' || kind order by 'event:' || kind) as columns
      from (${selectUnpublishedEvents(ids)}) event
      join catalog.cve using (cve_key)
     group by cve_key
  `.execute(tx)
  return rows
}
