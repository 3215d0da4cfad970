-- GitHub's advisories. Several may speak of one CVE, and one may come to speak of another: each has a row of its own.
create table source.ghsa_advisory (
  ghsa_id      text        not null collate "C",
  cve_id       text        not null collate "C",
  -- SHA-256 of what the advisory says in either of its forms: the archive and the API differ in what they leave out.
  content_hash bytea       not null,
  -- GitHub's own time of its last change, never later than when we read it (decision C22).
  modified     timestamptz not null,
  -- What it says, as JSON text in the form that all vendors share.
  record       text        not null,
  -- With what a run compares: it needs the index alone.
  primary key (ghsa_id) include (content_hash, modified)
);

create index ghsa_advisory_by_cve on source.ghsa_advisory (cve_id);

do $$
begin
  alter table source.ghsa_advisory alter column record set compression lz4;
exception when feature_not_supported then
  null; -- as for source.source_record
end
$$;

insert into catalog.dataset (name, stale_after_seconds, is_required)
values ('ghsa', 172800, false);
