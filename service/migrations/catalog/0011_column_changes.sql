-- Names the CVEs whose filter columns have changed, so that each node can bring its columns in memory up to date
-- (ADR 0032). The change log cannot do that: it leaves out changes that no answer shows, and has one row for all scores of
-- an EPSS release.
--
-- Triggers write the rows, so that no writer can forget them. Only the newest rows are kept: a node that is further behind
-- reads all CVEs again.
create table catalog.column_change (
  seq      bigint   generated always as identity primary key,
  -- The table that was written: cve, cve_product, epss or kev.
  source   text     not null,
  -- Null if a statement changed more CVEs than are listed.
  cve_keys bigint[],
  -- Random value, as in catalog.change: a node notices a restored backup.
  tag      bigint   not null default hashtextextended(gen_random_uuid()::text, 0)
);

-- The position of a catalog without CVEs.
insert into catalog.column_change (source, cve_keys) values ('cve', '{}');

-- The lock keeps the rows in commit order, so that a reader of `seq > last` misses none. Publishers hold a lock of their
-- own, so they never wait for this one.
create function catalog.note_column_change() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  max_keys constant integer := 5000;
  kept_rows constant integer := 2000;
  keys bigint[];
  newest bigint;
begin
  if tg_op <> 'TRUNCATE' then
    select array_agg(distinct changed.cve_key)
      into keys
      from (select changed_row.cve_key from changed_row limit max_keys * 10 + 1) changed;
    if keys is null then
      return null;
    end if;
    if cardinality(keys) > max_keys or (select count(*) from changed_row) > max_keys * 10 then
      keys := null;
    end if;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('vis column_change', 0));
  insert into catalog.column_change (source, cve_keys) values (tg_table_name, keys) returning seq into newest;
  delete from catalog.column_change where seq <= newest - kept_rows;
  return null;
end
$$;

-- A trigger with a transition table serves a single type of statement.
do $$
declare
  written text;
begin
  foreach written in array array['cve', 'cve_product', 'epss', 'kev'] loop
    execute format(
      'create trigger note_insert after insert on catalog.%I referencing new table as changed_row
         for each statement execute function catalog.note_column_change()', written);
    execute format(
      'create trigger note_update after update on catalog.%I referencing new table as changed_row
         for each statement execute function catalog.note_column_change()', written);
    execute format(
      'create trigger note_delete after delete on catalog.%I referencing old table as changed_row
         for each statement execute function catalog.note_column_change()', written);
    execute format(
      'create trigger note_truncate after truncate on catalog.%I
         for each statement execute function catalog.note_column_change()', written);
  end loop;
end
$$;
