-- Earlier releases of the KEV catalog, which an operator imports from a file (ADR 0045).
create table source.kev_past_entry (
  cve_id             text        collate "C" not null,
  -- Release time of the catalog that added, changed or removed the entry.
  released_at        timestamptz not null,
  -- True if the release lacks the entry; the other columns then have its last values.
  is_removed         boolean     not null,
  vendor_project     text        not null,
  product            text        not null,
  vulnerability_name text        not null,
  date_added         date        not null,
  short_description  text        not null,
  required_action    text        not null,
  due_date           date,
  known_ransomware   boolean     not null,
  notes              text,
  cwes               text[]      not null,
  -- False until the publisher has added the row to catalog.kev_history and catalog.kev_change.
  is_published       boolean     not null,
  content_hash       bytea       not null,
  primary key (cve_id, released_at)
);

comment on table source.kev_past_entry is
  'The state of an entry of CISA''s KEV catalog after each earlier release that changed it.';

alter table catalog.past_start
  -- Release time of the first catalog that the publisher compared with later ones. Earlier changes are known only from
  -- source.kev_past_entry.
  add column kev_watched_since timestamptz;

update catalog.past_start set kev_watched_since = kev_since;

insert into catalog.dataset (name, stale_after_seconds, is_required)
values ('kev-history', 604800, false);
