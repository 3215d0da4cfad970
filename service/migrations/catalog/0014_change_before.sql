-- The values that a change to a CVE replaced, for the columns that filters of /cves read: whether the CVE was a hit of a
-- search before the change.
create table catalog.change_before (
  -- Number of the change in catalog.change.
  seq bigint primary key,
  -- Old values by table, only those that differ: {"cve": {"score": 7.5}, "product": [{"vendor": …, "product": …}],
  -- "kev": [{"date_added": …}]}. A list has all old rows of the CVE; an empty list means that there were none. For a
  -- removed CVE: all values, with "epss".
  row jsonb  not null
);

do $$
begin
  alter table catalog.change_before alter column row set compression lz4;
exception when feature_not_supported then
  null; -- same as for source.source_record
end
$$;

-- Only the publisher adds rows, and the worker deletes them after 30 days; no row ever changes.
revoke update on catalog.change_before from vis_feeds;

-- Changes before this migration have no such rows.
update catalog.change_floor
   set details_seq = coalesce((select max(seq) from catalog.change), 0);
