-- The change log, snapshots, and the data for records as they were on an earlier day.

-- The change log: published changes in commit order, so a reader of `seq > last` misses nothing (ADR 0024).
create table catalog.change (
  seq     bigint      generated always as identity primary key,
  -- Null for a change to a whole data set.
  cve_key bigint,
  kind    text        not null check (kind in ('added', 'changed', 'removed', 'kev', 'epss', 'rules', 'loaded')),
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
  -- again.
  cause   text        not null default 'data' check (cause in ('data', 'rules', 'reload', 'epss_model')),
  -- Random value. A reader's position consists of seq and tag, so that after a database restore the reader notices that
  -- the history differs.
  tag     bigint      not null default hashtextextended(gen_random_uuid()::text, 0)
);

create index change_by_cve on catalog.change (cve_key, seq) where cve_key is not null;
-- Finds the EPSS release of a day; there is one row per day.
create index change_of_epss_release on catalog.change (seq) where kind = 'epss' and cve_key is null;

-- Finds the changes of types that few rows have (RARE_TYPES in domain/change/types.ts) without reading the others.
create index change_of_rare_type on catalog.change (seq) where types && '{became_urgent,epss_model_changed,epss_released,eu_kev_added,eu_kev_removed,exploit_added,kev_added,kev_removed,kev_updated,loaded,maturity_raised,notice_added,ransomware_added,rejected,removed,rules_changed,unrejected}'::text[];

-- Finds the events that /stats/series counts.
create index change_of_counted_type on catalog.change (at)
  where cause = 'data' and types && '{became_urgent,exploit_added}'::text[];

-- Times at which the rows up to a number were committed and visible to every reader. Each publisher writes the time for
-- the rows before its own, once it holds the publishers' lock. Both columns rise together.
create table catalog.change_time (
  seq bigint      primary key,
  at  timestamptz not null
);

create index change_time_at on catalog.change_time (at, seq);

insert into catalog.change_time (seq, at) values (0, clock_timestamp());

-- One row: the numbers up to which rows of catalog.change were deleted. After complete_seq, the log contains every
-- change.
create table catalog.change_floor (
  is_current   boolean primary key default true check (is_current),
  -- Every row up to this number may be deleted.
  data_seq     bigint  not null,
  -- Rows with the cause `rules` or `reload` up to this number may be deleted.
  complete_seq bigint  not null
);

insert into catalog.change_floor (data_seq, complete_seq) values (0, 0);

-- Snapshots (ADR 0024): every record at one position in the change log, for callers that keep a copy. One transaction
-- writes a whole snapshot, so readers see all of it or nothing.
create table catalog.snapshot (
  -- Time of creation and a random part, which distinguishes snapshots from different databases.
  id             text        collate "C" primary key check (id ~ '^\d{8}T\d{6}Z-[0-9a-f]{8}$'),
  created_at     timestamptz not null,
  -- Number and tag of the newest row in catalog.change when the snapshot was taken; 0 and 0 if there was none.
  seq            bigint      not null,
  tag            bigint      not null,
  records        integer     not null,
  -- Version of the API that the snapshot's records conform to.
  schema_version text        not null,
  -- The scheduled time for which the snapshot was made, so that two processes cannot make one for the same time; null if
  -- an operator made it.
  scheduled_for  timestamptz unique
);

-- A part of a snapshot: one gzip member of whole lines, one record per line, ordered by cve_key.
create table catalog.snapshot_part (
  snapshot_id text     collate "C" not null references catalog.snapshot on delete cascade,
  nr          smallint not null check (nr >= 1),
  bytes       bytea    not null,
  sha256      bytea    not null check (octet_length(sha256) = 32),
  primary key (snapshot_id, nr)
);

-- The bytes are already compressed, and without further compression a slice of them can be read on its own.
alter table catalog.snapshot_part alter column bytes set storage external;

-- For a CVE's record on an earlier day (ADR 0024): the members that a change replaced, or all of them if it removed the
-- CVE.
create table catalog.cve_past (
  cve_key   bigint      not null,
  -- Number and time of the change (catalog.change) that replaced the values.
  until_seq bigint      not null,
  until_at  timestamptz not null,
  -- Texts from catalog.cve_document by column, kev (null: not listed), aliases, enriched_at, and epss if a release was
  -- corrected.
  members   jsonb       not null,
  primary key (cve_key, until_seq)
);

do $$
begin
  alter table catalog.cve_past alter column members set compression lz4;
exception when feature_not_supported then
  null; -- same as for source.source_record
end
$$;

-- The worker deletes rows that are older than 400 days.
create index cve_past_until on catalog.cve_past (until_at);

-- One row: the times since which catalog.cve_past and catalog.kev_change contain everything that this service saw.
create table catalog.past_start (
  is_current        boolean primary key default true check (is_current),
  -- Null before the end of the first publication.
  complete_since    timestamptz,
  -- Null before the first publication of KEV catalog entries.
  kev_since         timestamptz,
  -- Release time of the first catalog that the publisher compared with later ones. Earlier changes are known only from
  -- source.kev_past_entry.
  kev_watched_since timestamptz
);

insert into catalog.past_start default values;

-- Every entry that is or was in CISA's KEV catalog, including those that CISA removed.
create table catalog.kev_history (
  cve_key      bigint      primary key,
  -- Date added, according to CISA.
  date_added   date        not null,
  -- Null while CISA lists the CVE, otherwise the release time of the first catalog without it.
  removed_at   timestamptz,
  -- The members of the entry under CISA's names; for a removed entry, those in the last catalog that listed it.
  entry        jsonb       not null,
  content_hash bytea       not null
);

-- A change to an entry in CISA's KEV catalog after it was added.
create table catalog.kev_change (
  cve_key bigint      not null,
  at      timestamptz not null,
  type    text        not null check (type in ('changed', 'removed', 'returned')),
  -- Old and new values of the members that differ: {"dueDate": {"old": "2026-09-02", "new": "2026-09-09"}}.
  diff    jsonb       not null,
  primary key (cve_key, at, type)
);

-- NVD's changes of a CVE, from which the API reconstructs NVD's record on an earlier day (ADR 0033). The view exists because
-- the API's login cannot read the schema source.
create view catalog.nvd_history as
  select cve_id, changes from source.nvd_history;

create view catalog.nvd_record as
  select cve_id, modified, record from source.source_record where source = 'nvd';

-- The period whose changes are all stored; no row before the first run of the feed.
create view catalog.nvd_history_extent as
  select (cursor ->> 'oldest')::timestamptz as oldest, (cursor ->> 'newest')::timestamptz as newest
    from source.feed
   where name = 'nvd-history'
     and cursor is not null;

revoke insert, update, delete on catalog.nvd_history, catalog.nvd_record, catalog.nvd_history_extent from vis_feeds;
