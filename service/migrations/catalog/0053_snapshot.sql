-- Snapshots of the catalog (ADR 0043): every record at one position of the change log, for whoever keeps a copy. One
-- transaction writes a whole snapshot, so that readers see all of it or nothing.

create table catalog.snapshot (
  id             text        collate "C" primary key check (id ~ '^\d{8}T\d{6}Z-[0-9a-f]{8}$'),
  created_at     timestamptz not null,
  -- Number and tag of the newest row of catalog.change at the moment of the snapshot; 0 and 0 if there was none.
  seq            bigint      not null,
  tag            bigint      not null,
  records        integer     not null,
  schema_version text        not null
);

comment on table catalog.snapshot is
  'Every record of the catalog at one position of the change log. Written by workers and by vis-server catalog snapshot.';
comment on column catalog.snapshot.id is 'Time of creation and a random part, which tells snapshots of two databases apart.';
comment on column catalog.snapshot.schema_version is 'Version of the API whose records the snapshot has.';

create table catalog.snapshot_part (
  snapshot_id text     collate "C" not null references catalog.snapshot on delete cascade,
  nr          smallint not null check (nr >= 1),
  bytes       bytea    not null,
  sha256      bytea    not null check (octet_length(sha256) = 32),
  primary key (snapshot_id, nr)
);

comment on table catalog.snapshot_part is
  'A part of a snapshot: one gzip member with whole lines, one record a line, in the order of cve_key.';

-- The bytes are compressed already, and without another compression a slice of them can be read alone.
alter table catalog.snapshot_part alter column bytes set storage external;

grant select on catalog.snapshot, catalog.snapshot_part to vis_api;
grant select, insert, update, delete on catalog.snapshot, catalog.snapshot_part to vis_feeds;
