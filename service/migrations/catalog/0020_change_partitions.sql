-- Divides the change log and the tables that complete its rows into ranges of numbers, so that old rows go by dropping a
-- table (ADR 0036). Names and columns stay. A range of the log has a table for each time for which rows are kept: 400 days
-- for changes of upstream data and for added and removed CVEs, 30 days for all others.

-- The existing rows stay in one table each, which becomes the first range. A new table takes over the name in the same
-- transaction.
-- squawk-ignore renaming-table
alter table catalog.change rename to change_first;
-- squawk-ignore renaming-table
alter table catalog.change_before rename to change_before_first;
-- squawk-ignore renaming-table
alter table catalog.affected_touched rename to affected_touched_first;
-- squawk-ignore renaming-table
alter table catalog.epss_moved rename to epss_moved_first;

-- The primary key cannot be kept, because PostgreSQL allows none on a table that is divided by an expression. Numbers are
-- unique because the sequence gives them, and no login but the owner's can write a number of its own.
alter table catalog.change_first drop constraint change_pkey;
alter table catalog.change_first validate constraint change_kind_check;
alter table catalog.change_first validate constraint change_cause_check;
alter index catalog.change_by_cve rename to change_first_by_cve;
alter index catalog.change_of_epss_release rename to change_first_of_epss_release;
alter index catalog.change_of_rare_type rename to change_first_of_rare_type;
alter index catalog.change_of_counted_type rename to change_first_of_counted_type;
alter index catalog.change_before_pkey rename to change_before_first_pkey;
alter index catalog.affected_touched_pkey rename to affected_touched_first_pkey;
alter index catalog.epss_moved_pkey rename to epss_moved_first_pkey;

select set_config('vis.next_change', (case when is_called then last_value + 1 else last_value end)::text, true)
  from catalog.change_seq_seq;
alter table catalog.change_first alter column seq drop identity;

-- The change log: published changes in commit order, so a reader of `seq > last` misses nothing (ADR 0024).
create table catalog.change (
  seq     bigint      generated always as identity,
  -- Null for a change to a whole data set, and of an advisory without a CVE.
  cve_key bigint,
  kind    text        not null,
  -- Time of the insertion, before the commit; catalog.change_time has the time after it.
  at      timestamptz not null default clock_timestamp(),
  -- The members of an answer that changed.
  fields  text[]      not null default '{}',
  -- The types of the change (domain/change/types.ts), sorted.
  types   text[]      not null default '{}',
  -- Day on which it happened according to upstream; null if upstream gives none.
  upstream_day date,
  -- Old and new values of small members: {"severity": {"old": 7.5, "new": 9.8}}.
  diff    jsonb,
  -- data: upstream data changed. rules: the service merges the same data differently. reload: an operator published
  -- again. source: a source was read as a whole or in a new way. epss_model: first week of a new EPSS model.
  cause   text        not null default 'data',
  -- Random value. A reader's position consists of seq and tag, so that after a database restore the reader notices that
  -- the history differs.
  tag     bigint      not null default hashtextextended(gen_random_uuid()::text, 0),
  constraint change_kind_check
    check (kind in ('added', 'changed', 'removed', 'kev', 'epss', 'rules', 'loaded', 'advisory')),
  constraint change_cause_check check (cause in ('data', 'rules', 'reload', 'source', 'epss_model'))
) partition by range (seq);

-- The values that a change to a CVE replaced, for the columns that filters of /cves read.
create table catalog.change_before (
  -- Number of the change in catalog.change.
  seq bigint primary key,
  -- Old values by table, only those that differ: {"cve": {"score": 7.5}, "product": [{"vendor": …, "product": …}],
  -- "kev": [{"date_added": …}]}. A list has all old rows of the CVE; an empty list means that there were none. For a
  -- removed CVE: all values, with "epss".
  row jsonb  not null
) partition by range (seq);

do $$
begin
  alter table catalog.change_before alter column row set compression lz4;
exception when feature_not_supported then
  null; -- same as for source.source_record
end
$$;

-- The products and packages whose affected versions a change added, removed or replaced (catalog.affected).
create table catalog.affected_touched (
  -- Number of the change in catalog.change.
  seq         bigint  not null,
  -- As in catalog.affected.
  subject_key bigint  not null,
  name_key    integer not null,
  primary key (seq, subject_key, name_key)
) partition by range (seq);

-- The scores that each EPSS release changed.
create table catalog.epss_moved (
  -- Number of the release's row in catalog.change (type epss_released).
  seq     bigint           not null,
  cve_key bigint           not null,
  -- Null if a release has no score for the CVE.
  old     double precision,
  new     double precision,
  primary key (seq, cve_key)
) partition by range (seq);

do $$
declare
  next_seq constant bigint := current_setting('vis.next_change');
  name text;
begin
  foreach name in array array['change', 'change_before', 'affected_touched', 'epss_moved'] loop
    if next_seq = 1 then
      execute format('drop table catalog.%I', name || '_first');
    else
      execute format(
        'alter table catalog.%I attach partition catalog.%I for values from (minvalue) to (%s)',
        name, name || '_first', next_seq);
    end if;
  end loop;
  execute format('alter table catalog.change alter column seq restart with %s', next_seq);
end
$$;

-- Publishers wait while the index on the existing numbers is built, and readers too: 0.1 s for 100,000 rows.
-- squawk-ignore require-concurrent-index-creation
create index change_seq on catalog.change (seq);
-- squawk-ignore require-concurrent-index-creation
create index change_by_cve on catalog.change (cve_key, seq) where cve_key is not null;
-- Finds the EPSS release of a day; there is one row per day.
-- squawk-ignore require-concurrent-index-creation
create index change_of_epss_release on catalog.change (seq) where kind = 'epss' and cve_key is null;
-- Finds the changes of types that few rows have (RARE_TYPES in domain/change/types.ts) without reading the others.
-- squawk-ignore require-concurrent-index-creation
create index change_of_rare_type on catalog.change (seq) where types && '{became_urgent,epss_model_changed,epss_released,eu_kev_added,eu_kev_removed,exploit_added,kev_added,kev_removed,kev_updated,loaded,maturity_raised,notice_added,ransomware_added,rejected,removed,rules_changed,unrejected}'::text[];
-- Finds the events that /stats/series counts.
-- squawk-ignore require-concurrent-index-creation
create index change_of_counted_type on catalog.change (at)
  where cause = 'data' and types && '{became_urgent,exploit_added}'::text[];

-- Publishers only add rows, and rows go with their table; no row ever changes.
revoke delete on catalog.change from vis_feeds;
revoke update, delete on catalog.change_before, catalog.affected_touched, catalog.epss_moved from vis_feeds;

-- The ranges of one of the tables, oldest first. The first range has no lower end if it has the rows of an older release.
create function catalog.list_change_ranges(divided regclass)
  returns table (range_table regclass, first_seq bigint, end_seq bigint)
  language sql stable set search_path = ''
as $$
  select class.oid::pg_catalog.regclass,
         pg_catalog.substring(bounds.text, 'FROM \(''(\d+)''\)')::bigint,
         pg_catalog.substring(bounds.text, 'TO \(''(\d+)''\)')::bigint as end_seq
    from pg_catalog.pg_inherits inherited
    join pg_catalog.pg_class class on class.oid = inherited.inhrelid
   cross join lateral (select pg_catalog.pg_get_expr(class.relpartbound, class.oid) as text) bounds
   where inherited.inhparent = divided
   order by end_seq
$$;

-- Makes sure that the next rows of the log have ranges. The caller holds the publishers' lock. Readers do not wait: a new
-- table is made on its own and attached when it is complete.
create function catalog.add_change_ranges(expected_rows bigint) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  -- For a publisher of the previous release, which does not call this function.
  spare_rows constant bigint := 50000;
  needed bigint := expected_rows + spare_rows;
  divided record;
  range_start bigint;
  range_end bigint;
begin
  select needed + last_value into needed from catalog.change_seq_seq;
  for divided in
    -- At about 2,000 changes a day, these are four months and four weeks. Every range of the log costs its readers a moment of
    -- planning; the others are read by number.
    select * from (values ('change', 250000::bigint), ('change_before', 50000), ('affected_touched', 50000), ('epss_moved', 50000))
                    as tables (name, width)
  loop
    select coalesce(max(end_seq), 1) into range_start from catalog.list_change_ranges(('catalog.' || divided.name)::regclass);
    while range_start <= needed loop
      range_end := (range_start / divided.width + 1) * divided.width;
      execute format(
        'create table catalog.%1$I (like catalog.%2$I including defaults including constraints including compression) %3$s',
        divided.name || '_' || range_start, divided.name,
        case divided.name
          when 'change' then 'partition by list ((cause = ''data'' or kind in (''added'', ''removed'')))'
          else ''
        end);
      if divided.name = 'change' then
        execute format('create table catalog.change_%1$s_400 partition of catalog.change_%1$s for values in (true)', range_start);
        execute format('create table catalog.change_%1$s_30 partition of catalog.change_%1$s for values in (false)', range_start);
      end if;
      execute format(
        'alter table catalog.%I attach partition catalog.%I for values from (%s) to (%s)',
        divided.name, divided.name || '_' || range_start, range_start, range_end);
      range_start := range_end;
    end loop;
  end loop;
end
$$;

-- Drops what is expired of the oldest range of the log that has anything expired, and raises the floors with it. A range is
-- judged only if every number in it is below `kept_from` and below that of the newest row, so nothing is added to it any
-- more. Returns the number of dropped rows; null if nothing is expired.
create function catalog.drop_expired_changes(kept_from bigint, data_before timestamptz, others_before timestamptz)
  returns bigint
  language plpgsql security definer set search_path = ''
as $$
declare
  newest constant bigint := (select seq from catalog.change order by seq desc limit 1);
  closed record;
  leaf regclass;
  expired regclass[];
  has_kept_rows boolean;
  is_expired boolean;
  leaving record;
  dropped bigint := 0;
begin
  for closed in
    select * from catalog.list_change_ranges('catalog.change') where end_seq <= least(kept_from, newest)
  loop
    expired := '{}';
    has_kept_rows := false;
    for leaf in select relid from pg_catalog.pg_partition_tree(closed.range_table) where isleaf loop
      execute format(
        'select not exists (
           select from %s
            where at >= case when cause = ''data'' or kind in (''added'', ''removed'') then $1 else $2 end
         )', leaf)
         into is_expired
        using data_before, others_before;
      if is_expired then
        expired := expired || leaf;
      else
        has_kept_rows := true;
      end if;
    end loop;
    continue when has_kept_rows and expired = '{}';
    if expired = '{}' then
      -- The range has no table left. Every reader of the log waits for this lock.
      set local lock_timeout = '500ms';
      execute format('drop table %s', closed.range_table);
      return 0;
    end if;
    -- Readers of newer rows do not wait for these locks, because their plans leave the range out.
    set local lock_timeout = '2s';
    foreach leaf in array expired loop
      execute format('lock table %s in access exclusive mode', leaf);
      execute format(
        'select count(*) as rows, max(seq) as seq, max(seq) filter (where cause = ''data'') as data_seq from %s', leaf)
         into leaving;
      update catalog.change_floor
         set data_seq = greatest(data_seq, leaving.data_seq),
             complete_seq = greatest(complete_seq, leaving.seq);
      -- The log is complete since the first of the other times.
      delete from catalog.change_time where seq < leaving.data_seq;
      execute format('drop table %s', leaf);
      dropped := dropped + leaving.rows;
    end loop;
    return dropped;
  end loop;
  return null;
end
$$;

-- Drops the oldest range of a table that completes the log if every number in it is at most `last_seq`, and raises the
-- floor with it. Returns false if there is none.
create function catalog.drop_expired_details(divided regclass, last_seq bigint) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  oldest record;
begin
  if divided not in ('catalog.change_before'::regclass, 'catalog.affected_touched'::regclass, 'catalog.epss_moved'::regclass)
  then
    raise exception '% is no table that completes the change log', divided;
  end if;
  select * into oldest from catalog.list_change_ranges(divided) limit 1;
  if oldest.end_seq is null or oldest.end_seq - 1 > last_seq then
    return false;
  end if;
  set local lock_timeout = '500ms';
  execute format('drop table %s', oldest.range_table);
  update catalog.change_floor set details_seq = greatest(details_seq, oldest.end_seq - 1);
  return true;
end
$$;

grant execute on function
  catalog.list_change_ranges(regclass), catalog.add_change_ranges(bigint),
  catalog.drop_expired_changes(bigint, timestamptz, timestamptz), catalog.drop_expired_details(regclass, bigint)
  to vis_feeds;

select catalog.add_change_ranges(0);
