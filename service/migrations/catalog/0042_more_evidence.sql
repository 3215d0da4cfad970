-- The evidence of exploits that the column `exploits` does not contain, because it has at most 50 items. An empty text
-- means that the CVE has not been published since this migration; the next publication with a new resolver version fills
-- the column.
alter table catalog.cve_document
  add column more_evidence text not null default '';

do $$
begin
  alter table catalog.cve_document
    alter column more_evidence set compression lz4;
exception when feature_not_supported then
  null; -- PostgreSQL was built without lz4
end
$$;
