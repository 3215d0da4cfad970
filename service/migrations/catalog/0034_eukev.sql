-- ENISA's catalog of vulnerabilities that are known to be exploited in the EU (EU KEV, decision E23). The catalog has no
-- licence, so only facts are stored and no sentences of the catalog.
create table source.eu_kev_entry (
  cve_id            text        collate "C" primary key,
  euvd_id           text        not null,
  vendor_project    text        not null,
  product           text        not null,
  -- Day on which the exploitation was reported, never later than the day of the import (decision C22).
  date_reported     date        not null,
  -- Day on which the CVE was added to the catalog; the day of the report if the catalog does not name it.
  date_listed       date        not null,
  patched_since     date,
  -- Organisation that reported the exploitation.
  origin            text        not null,
  exploitation      text[]      not null,
  threat_actors     text[]      not null,
  cwes              text[]      not null,
  -- SHA-256 of the stored members, as the catalog has them.
  content_hash      bytea       not null,
  first_stored_at   timestamptz not null,
  -- Null while the catalog contains the entry, else the time of the first import without the entry.
  removed_at        timestamptz
);

insert into catalog.dataset (name, stale_after_seconds, is_required)
values ('eukev', 604800, false);
