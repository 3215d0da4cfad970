-- The Common Weakness Enumeration: what the ids mean that CVE records name.
create table source.weakness (
  -- As `CWE-79`.
  cwe_id        text        collate "C" primary key,
  -- Only a weakness is a cause; categories and views are shelves that some records name all the same.
  kind          text        not null check (kind in ('weakness', 'category', 'view')),
  name          text        not null,
  -- Of a weakness: `Pillar`, `Class`, `Base`, `Variant` or `Compound`.
  abstraction   text,
  status        text        not null,
  -- Withdrawn, and kept: records that were written before go on naming it.
  is_deprecated boolean     not null,
  description   text        not null,
  -- SHA-256 of all of the above.
  content_hash  bytea       not null,
  -- Null while it is in the catalogue; otherwise when we first saw one without it.
  removed_at    timestamptz
);

-- Without some data sets the service answers all the same, only with less around it: those do not make it degraded.
alter table catalog.dataset
  add column is_required boolean not null default true;

insert into catalog.dataset (name, stale_after_seconds, is_required)
values ('cwe', 2592000, false);
