-- The AND/OR tree of each CVE's CPE matches, and the sources of its values. An empty text means that the CVE has not been
-- published since this migration; the next publication with a new resolver version fills both columns.
alter table catalog.cve_document
  add column configurations text not null default '',
  add column sources        text not null default '';

do $$
begin
  alter table catalog.cve_document
    alter column configurations set compression lz4,
    alter column sources set compression lz4;
exception when feature_not_supported then
  null; -- PostgreSQL was built without lz4
end
$$;
