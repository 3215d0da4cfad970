-- Data for the record of a CVE on an earlier day (ADR 0045): the values that each change of a CVE replaced, and the
-- history of the KEV catalog.

create table catalog.cve_past (
  cve_key   bigint      not null,
  -- Number and time of the change (catalog.change) that replaced the values.
  until_seq bigint      not null,
  until_at  timestamptz not null,
  members   jsonb       not null,
  primary key (cve_key, until_seq)
);

do $$
begin
  alter table catalog.cve_past
    alter column members set compression lz4;
exception when feature_not_supported then
  null; -- PostgreSQL was built without lz4
end
$$;

comment on table catalog.cve_past is
  'The values that a change of a CVE replaced: only the members that the change touched, all members if it removed the CVE.';
comment on column catalog.cve_past.members is
  'Texts of catalog.cve_document by column, kev (null: not listed), aliases, enriched_at, and epss if a release was corrected.';

-- The worker deletes rows that are older than 400 days.
create index cve_past_until on catalog.cve_past (until_at);

create table catalog.past_start (
  is_current     boolean primary key default true check (is_current),
  -- Null before the end of the first publication that keeps what it replaces.
  complete_since timestamptz,
  -- Null before the first publication of entries of the KEV catalog.
  kev_since      timestamptz
);

comment on table catalog.past_start is
  'One row: the times since which catalog.cve_past and catalog.kev_change have everything that this service saw.';

insert into catalog.past_start default values;

-- The table has no other writers than the publisher, which waits for about a second.
-- squawk-ignore require-concurrent-index-creation
create index change_by_cve on catalog.change (cve_key, seq) where cve_key is not null;

-- Finds the EPSS release of a day; one row a day.
-- squawk-ignore require-concurrent-index-creation
create index change_of_epss_release on catalog.change (seq) where kind = 'epss' and cve_key is null;

create table catalog.kev_history (
  cve_key      bigint      primary key,
  -- Day of the addition by CISA's own date.
  date_added   date        not null,
  -- Null while CISA lists the CVE, else the release time of the first catalog without it.
  removed_at   timestamptz,
  -- The members of the entry by CISA's names; those of the last catalog with it for a removed entry.
  entry        jsonb       not null,
  content_hash bytea       not null
);

comment on table catalog.kev_history is 'Every entry that CISA''s KEV catalog has or had, also those that CISA removed.';

create table catalog.kev_change (
  cve_key bigint      not null,
  at      timestamptz not null,
  type    text        not null check (type in ('changed', 'removed', 'returned')),
  -- Old and new value of the members that differ: {"dueDate": {"old": "2026-09-02", "new": "2026-09-09"}}.
  diff    jsonb       not null,
  primary key (cve_key, at, type)
);

comment on table catalog.kev_change is 'A change of an entry of CISA''s KEV catalog after its addition.';
