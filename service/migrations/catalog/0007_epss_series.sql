-- The EPSS scores of every day (ADR 0024). The publisher adds the day of each release; the feed epss-history adds
-- earlier days.

-- The days whose EPSS scores are in catalog.epss_series.
create table catalog.epss_day (
  day           date    primary key,
  -- Null for files that do not name a model: those before 2022-02-04.
  model_version text,
  score_count   integer not null,
  -- The scores that the shares of the priority policy select, lowest first; null for a model with thresholds.
  thresholds    double precision[],
  -- The feed that delivered the day's scores.
  feed          text    not null check (feed in ('epss', 'epss-history'))
);

-- One row per CVE and month. The byte format is explained in service/src/domain/epss-series/codec.ts. Unpublished CVEs
-- have rows too, because a CVE's record may arrive later than its first score.
create table catalog.epss_series (
  cve_key     bigint not null,
  -- First day of the month.
  month       date   not null,
  scores      bytea  not null,
  percentiles bytea  not null,
  primary key (cve_key, month)
) partition by range (month);

-- Prepares a month for writing: creates its partition, or makes room in one that was compacted. Only the owner of a
-- table may attach a partition, so this runs with the owner's rights.
--
-- Every release updates every row of its month, and the rows grow until the end of the month. With three quarters of
-- each page free on the first day, the new version of a row fits next to the old one until the last day.
create function catalog.prepare_epss_month(month date) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  name text := 'epss_series_' || pg_catalog.to_char(month, 'YYYY_MM');
begin
  if pg_catalog.to_regclass('catalog.' || name) is not null then
    execute pg_catalog.format('alter table catalog.%I set (fillfactor = 25)', name);
    return;
  end if;
  execute pg_catalog.format('create table catalog.%I (like catalog.epss_series including all) with (fillfactor = 25)', name);
  -- "create table … partition of" would take a lock on catalog.epss_series that blocks all readers.
  execute pg_catalog.format(
    'alter table catalog.epss_series attach partition catalog.%I for values from (%L) to (%L)',
    name, month, month + interval '1 month');
end
$$;

-- Rewrites the months before the given one without free space, unless that was done since they were last written.
-- Returns the number of months. Readers of a month wait for about a second. A month that someone reads for longer than
-- 2 s is left for the next call.
create function catalog.compact_epss_months(current_month date) returns integer
  language plpgsql security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  name text;
  compacted integer := 0;
begin
  for name in
    select partition.relname
      from pg_catalog.pg_inherits link
      join pg_catalog.pg_class partition on partition.oid = link.inhrelid
     where link.inhparent = 'catalog.epss_series'::regclass
       and partition.relname < 'epss_series_' || pg_catalog.to_char(current_month, 'YYYY_MM')
       and 'fillfactor=25' = any (partition.reloptions)
  loop
    begin
      execute pg_catalog.format('alter table catalog.%I set (fillfactor = 100)', name);
      execute pg_catalog.format('cluster catalog.%I using %I', name, name || '_pkey');
      compacted := compacted + 1;
    exception
      when lock_not_available then
        null;
    end;
  end loop;
  return compacted;
end
$$;

grant execute on function catalog.prepare_epss_month(date), catalog.compact_epss_months(date) to vis_feeds;

-- The days that the newest EPSS release is compared with, one row per window.
create table catalog.epss_mover_window (
  days          smallint primary key,
  -- Null if there is no release to compare with.
  from_day      date,
  to_day        date     not null,
  is_comparable boolean  not null
);

-- The CVEs whose EPSS score moved most within each window: up to 5,000 that rose and 5,000 that fell.
create table catalog.epss_mover (
  days      smallint not null,
  cve_key   bigint   not null,
  -- In units of 0.00001.
  old_score integer  not null,
  new_score integer  not null,
  old_day   date     not null,
  primary key (days, cve_key)
);
