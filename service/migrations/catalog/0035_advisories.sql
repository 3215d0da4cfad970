-- Advisories without a CVE are kept: they are found by their own id and later matched by package.
-- squawk-ignore ban-drop-not-null
alter table source.ghsa_advisory alter column cve_id drop not null;

-- Advisories of the databases in OSV format, such as Go, RustSec and AlmaLinux. One advisory may name several CVEs or
-- none.
create table source.osv_advisory (
  -- Name of the feed, which is the name of the database with the prefix "osv-".
  feed         text        not null,
  id           text        not null collate "C",
  -- Time of the last change of the content, never later than the import (decision C22); 1970 if the database gives none.
  modified     timestamptz not null,
  -- The advisory as JSON text in the form that all vendors share.
  record       text        not null,
  -- SHA-256 of the record without the time of its last change.
  content_hash bytea       not null,
  primary key (feed, id)
);

-- An advisory is looked up by its id alone.
create index osv_advisory_by_id on source.osv_advisory (id);

create table source.osv_advisory_cve (
  feed        text not null,
  advisory_id text not null collate "C",
  cve_id      text not null collate "C",
  primary key (feed, advisory_id, cve_id),
  foreign key (feed, advisory_id) references source.osv_advisory (feed, id) on delete cascade
);

create index osv_advisory_cve_by_cve on source.osv_advisory_cve (cve_id);

do $$
begin
  alter table source.osv_advisory alter column record set compression lz4;
exception when feature_not_supported then
  null; -- as for source.source_record
end
$$;

insert into catalog.dataset (name, stale_after_seconds, is_required)
values ('osv-go', 259200, false),
       ('osv-rustsec', 259200, false),
       ('osv-bitnami', 259200, false),
       ('osv-almalinux', 259200, false),
       ('osv-pypa', 259200, false);
