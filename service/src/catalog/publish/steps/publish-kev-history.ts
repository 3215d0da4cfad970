// Publishes the history of CISA's KEV catalog: every entry that it has or had, and what changed.
import { sql, type Transaction } from 'kysely'
import { KEV_DIFF, KEV_ENTRY } from './kev-entry.ts'
import { publishPastKev } from './publish-past-kev.ts'

/**
 * Compares about 1,700 entries. Changes get the time `now`, because CISA gives none; a removal gets the release time of
 * the first catalog without the entry.
 */
export async function publishKevHistory(tx: Transaction<unknown>, now: Date): Promise<void> {
  await sql`
    with changed as (
      select stored.*, published.entry as old_entry, published.removed_at as old_removed_at,
             published.cve_key is null as is_new
        from (
               select catalog.cve_key(cve_id) as cve_key, date_added, date_trunc('second', removed_at) as removed_at,
                      content_hash, ${KEV_ENTRY} as entry
                 from source.kev_entry
             ) stored
        left join catalog.kev_history published
          on published.cve_key = stored.cve_key
       where published.cve_key is null
          or published.content_hash <> stored.content_hash
          or published.removed_at is distinct from stored.removed_at
    ), compared as (
      select cve_key, ${KEV_DIFF} as diff,
             case when removed_at is null and old_removed_at is null then 'changed'
                  when removed_at is null then 'returned'
                  else 'removed'
             end as type,
             coalesce(removed_at, date_trunc('second', ${now}::timestamptz)) as at
        from changed
       where not is_new
    ), logged as (
      insert into catalog.kev_change (cve_key, at, type, diff)
      select cve_key, at, type, diff
        from compared
       where type <> 'changed' or diff <> '{}'
       order by cve_key
      on conflict do nothing
    ), started as (
      update catalog.past_start
         set kev_since = date_trunc('second', ${now}::timestamptz),
             kev_watched_since = least(${now}, (select upstream_at from source.feed where name = 'kev'))
       where kev_since is null
         and exists (select from changed)
    )
    insert into catalog.kev_history (cve_key, date_added, removed_at, entry, content_hash)
    select cve_key, date_added, removed_at, entry, content_hash
      from changed
     order by cve_key
    on conflict (cve_key) do update
       set date_added = excluded.date_added,
           removed_at = excluded.removed_at,
           entry = excluded.entry,
           content_hash = excluded.content_hash
  `.execute(tx)
  await publishPastKev(tx)
}
