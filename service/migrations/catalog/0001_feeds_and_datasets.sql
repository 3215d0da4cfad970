-- `source`: what the feeds delivered. `catalog`: what the service merges from it and serves.
-- Grants belong to the schema, so a later migration cannot forget them.
create schema source;
create schema catalog;

grant usage on schema source, catalog to vis_feeds;
grant usage on schema catalog to vis_api;

alter default privileges in schema source grant select, insert, update, delete on tables to vis_feeds;
alter default privileges in schema source grant usage on sequences to vis_feeds;
alter default privileges in schema catalog grant select, insert, update, delete on tables to vis_feeds;
alter default privileges in schema catalog grant usage on sequences to vis_feeds;
alter default privileges in schema catalog grant select on tables to vis_api;
-- For all schemas, because the per-schema form can only add to the privileges that everyone has by default.
alter default privileges revoke execute on functions from public;

create table catalog.migration (
  name       text        primary key,
  checksum   text        not null,
  applied_at timestamptz not null default now()
);

-- Only migrations write to this table.
revoke insert, update, delete on catalog.migration from vis_feeds;

-- One row per data set, added by `vis-server migrate`. Its feed updates the row in the transaction that stores the
-- data, so /health can report size and age without counting a large table. The API's login cannot read the schema
-- `source`, so each run copies its result here at the end.
create table catalog.dataset (
  name                text        primary key,
  table_count         bigint      not null default 0 check (table_count >= 0),
  last_success_at     timestamptz,
  -- Beyond this age, /health reports the data set as stale. A data set that was never fetched is stale.
  stale_after_seconds integer     not null check (stale_after_seconds > 0),
  -- False: without this data set, answers contain less, but the service is not degraded.
  is_required         boolean     not null default true,
  -- Time of the newest upstream release or record that is stored; null if upstream states none.
  upstream_at         timestamptz,
  -- Time when the last run ended, regardless of its result; null before the first run.
  last_run_at         timestamptz,
  last_run_result     text,
  -- Records that the last run could not use.
  rejected_count      bigint      not null default 0 check (rejected_count >= 0)
);

-- One row per feed, inserted when it first runs.
create table source.feed (
  name         text        primary key,
  -- How far the feed has read, in the feed's own format; written only in the transaction that stores the data.
  cursor       jsonb,
  -- Increases with every lease: a process with an older number may no longer write.
  lease_epoch  bigint      not null default 0,
  lease_holder text,
  lease_until  timestamptz not null default '-infinity',
  next_due_at  timestamptz not null default '-infinity',
  -- Consecutive failures since the last success.
  failures     integer     not null default 0,
  -- Upstream's own timestamp for the newest stored data.
  upstream_at  timestamptz,
  -- When the stored data was collected from upstream: the start of the last download, or the time that a bundle states.
  collected_at timestamptz
);

create table source.feed_run (
  id               bigint      generated always as identity primary key,
  feed             text        not null references source.feed,
  lease_epoch      bigint      not null,
  origin           text        not null check (origin in ('network', 'directory')),
  started_at       timestamptz not null,
  finished_at      timestamptz,
  -- `absent`: the directory has no file for this feed. `abandoned`: the next run found that the process had died.
  outcome          text        not null default 'running'
                   check (outcome in ('running', 'succeeded', 'failed', 'refused', 'fenced', 'absent', 'stopped', 'abandoned')),
  read_count       bigint      not null default 0,
  written_count    bigint      not null default 0,
  removed_count    bigint      not null default 0,
  unchanged_count  bigint      not null default 0,
  duplicate_count  bigint      not null default 0,
  rejected_count   bigint      not null default 0,
  -- Messages for operators from a run that did not fail, such as "EPSS has a new model".
  notices          text[]      not null default '{}',
  -- Error for operators; null if the run succeeded.
  fault            text,
  -- Number of stored records with a value that was cut (decision E42).
  truncated_count  bigint      not null default 0
);

create index feed_run_by_feed on source.feed_run (feed, id desc);

-- Records that could not be used. All are counted, but only the first ones of a run are kept.
create table source.feed_rejection (
  id       bigint generated always as identity primary key,
  run_id   bigint not null references source.feed_run on delete cascade,
  -- The file or page that contained the record.
  delivery text   not null,
  -- Upstream's name for the record, if known.
  subject  text   not null,
  reason   text   not null
);

create index feed_rejection_by_run on source.feed_rejection (run_id);

-- CVEs whose published record is out of date. Rows are only inserted and deleted, so feeds never wait for each other or
-- for the publisher. A visible row was committed together with the data that it refers to.
create table source.publication_queue (
  seq       bigint      generated always as identity primary key,
  cve_id    text        not null,
  feed      text        not null,
  queued_at timestamptz not null default now()
);

-- The first load of an empty catalog (ADR 0030): one row, from the migration on.
create table catalog.first_load (
  is_current  boolean     primary key default true check (is_current),
  -- Records of each feed that teaches product names, when all names were last learnt: {"nvd": 221687}.
  learnt_from jsonb       not null default '{}',
  -- CVEs published so far, and these plus the queued ones.
  cves_done   bigint      not null default 0,
  cves_total  bigint,
  -- Null while the catalog is loading.
  finished_at timestamptz
);

insert into catalog.first_load default values;

-- The feeds that the first load waits for. A feed that has ended its first run, successfully or not, is in catalog.dataset.
create table catalog.first_load_feed (
  name       text primary key,
  -- True if the feed has no address to download from.
  is_skipped boolean not null default false
);

-- Plans of searches depend on statistics, and autovacuum collects them only minutes after a load.
create function catalog.analyze_tables() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  loaded regclass;
begin
  for loaded in
    select class.oid
      from pg_catalog.pg_class as class
     where class.relnamespace in ('catalog'::pg_catalog.regnamespace, 'source'::pg_catalog.regnamespace)
       and class.relkind in ('r', 'p')
       and class.relname not like 'snapshot%'
  loop
    execute pg_catalog.format('analyze %s', loaded);
  end loop;
end
$$;

grant execute on function catalog.analyze_tables() to vis_feeds;
