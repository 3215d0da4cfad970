// Adds earlier releases of CISA's KEV catalog, which the feed kev-history has read, to the history.
import { sql, type Transaction } from 'kysely'
import { KEV_DIFF, KEV_ENTRY } from './kev-entry.ts'

/**
 * Waits until the current catalog has been published once. Only earlier releases are added, because later changes are
 * found anyway.
 */
export async function publishPastKev(tx: Transaction<unknown>): Promise<void> {
  const { rows } = await sql<{ watchedSince: Date }>`
    select kev_watched_since as "watchedSince"
      from catalog.past_start
     where kev_watched_since is not null
       and exists (select from source.kev_past_entry where not is_published)
  `.execute(tx)
  const [start] = rows
  if (!start) return
  await addChanges(tx, start.watchedSince)
  await addRemovedEntries(tx, start.watchedSince)
  await moveStart(tx)
  await sql`update source.kev_past_entry set is_published = true where not is_published`.execute(tx)
}

/** A corrected file replaces the differences that were published from it before. */
async function addChanges(tx: Transaction<unknown>, watchedSince: Date): Promise<void> {
  await sql`
    with state as (
      select catalog.cve_key(cve_id) as cve_key, date_trunc('second', released_at) as at, is_removed, ${KEV_ENTRY} as entry,
             lag(${KEV_ENTRY}) over releases as old_entry,
             lag(is_removed) over releases as was_removed
        from source.kev_past_entry
       where released_at <= ${watchedSince}
      window releases as (partition by cve_id order by released_at)
    ), compared as (
      select cve_key, at, ${KEV_DIFF} as diff,
             case when is_removed then 'removed'
                  when was_removed then 'returned'
                  else 'changed'
             end as type
        from state
       where old_entry is not null
    )
    insert into catalog.kev_change (cve_key, at, type, diff)
    select cve_key, at, type, diff
      from compared
     where type <> 'changed' or diff <> '{}'
     order by cve_key, at
    on conflict (cve_key, at, type) do update
       set diff = excluded.diff
     where kev_change.diff <> excluded.diff
  `.execute(tx)
}

/**
 * Adds the entries that CISA removed before the service first read the catalog. An entry that is in the file's last
 * release but not in the current catalog is left out, because the time of its removal is unknown.
 */
async function addRemovedEntries(tx: Transaction<unknown>, watchedSince: Date): Promise<void> {
  await sql`
    insert into catalog.kev_history (cve_key, date_added, removed_at, entry, content_hash)
    select catalog.cve_key(cve_id), date_added, date_trunc('second', released_at), ${KEV_ENTRY}, content_hash
      from (
             select distinct on (cve_id) *
               from source.kev_past_entry
              where released_at <= ${watchedSince}
              order by cve_id, released_at desc
           ) last_state
     where is_removed
       and not exists (select from source.kev_entry current where current.cve_id = last_state.cve_id)
     order by cve_id
    on conflict (cve_key) do update
       set date_added = excluded.date_added,
           removed_at = excluded.removed_at,
           entry = excluded.entry,
           content_hash = excluded.content_hash
  `.execute(tx)
}

/** The history begins with the file if no release is missing between the file and the service's first catalog. */
async function moveStart(tx: Transaction<unknown>): Promise<void> {
  await sql`
    update catalog.past_start
       set kev_since = first.at
      from (select date_trunc('second', min(released_at)) as at from source.kev_past_entry) first
     where first.at < kev_since
       and kev_watched_since <= (select upstream_at from source.feed where name = 'kev-history')
  `.execute(tx)
}
