-- The sort order level_desc: the level, then the newest of the day of publication, of the additions to KEV catalogs, and
-- of the change with which the CVE became P0 or P1. Days are counted from 1970.
alter table catalog.cve
  -- Newest of the days that sources state; null without any.
  add column event_day  integer,
  -- Day of the newest change of type became_urgent whose cause is upstream data. The change log keeps such a change for a
  -- limited time; this column keeps it for good.
  add column urgent_day integer;

update catalog.cve
   set urgent_day = became.day
  from (
         select cve_key, max((at at time zone 'utc')::date) - date '1970-01-01' as day
           from catalog.change
          where cause = 'data' and types && '{became_urgent,exploit_added}'::text[] and 'became_urgent' = any (types)
          group by cve_key
       ) as became
 where became.cve_key = cve.cve_key;

-- Each level has 2,000 ranks (domain/priority/policy.ts). Null for a rejected CVE. A function and not a column, because
-- two statements write the days, and adding a computed column would rewrite the table while nobody can read it.
create function catalog.level_order(priority smallint, event_day integer, urgent_day integer) returns integer
  language sql immutable parallel safe
as $$ select priority / 2000 * 100000 + coalesce(greatest(event_day, urgent_day), 0) $$;

grant execute on function catalog.level_order(smallint, integer, integer) to vis_feeds, vis_api;

-- The arguments are included, because PostgreSQL otherwise reads the table row for them.
-- Only the publisher waits while the index is built: migrations run in a transaction.
-- squawk-ignore require-concurrent-index-creation
create index cve_level_order on catalog.cve (catalog.level_order(priority, event_day, urgent_day), cve_key)
  include (priority, event_day, urgent_day, published, modified, score, status, has_exploit, in_kev, has_notice,
           has_reference, has_patch, cpe_count, attack_vector);
