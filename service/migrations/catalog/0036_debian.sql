-- State of a CVE in a source package of a Debian release, from Debian's security tracker. Needed to match packages;
-- not published yet.
create table source.debian_status (
  package       text  not null collate "C",
  cve_id        text  not null collate "C",
  -- Code name of the release, such as bookworm or sid.
  release       text  not null collate "C",
  -- In the tracker's words: resolved, open or undetermined.
  status        text  not null,
  -- First version of the package without the vulnerability; 0 if the release never had it; null without a fix.
  fixed_version text,
  -- In the tracker's words, such as unimportant, low or "not yet assigned".
  urgency       text,
  -- SHA-256 of the columns above.
  content_hash  bytea not null,
  primary key (package, cve_id, release)
);

create index debian_status_by_cve on source.debian_status (cve_id);

insert into catalog.dataset (name, stale_after_seconds, is_required)
values ('debian', 259200, false);
