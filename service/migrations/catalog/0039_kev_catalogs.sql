-- The catalogs of known exploited vulnerabilities that list a CVE: CISA's KEV and ENISA's EU KEV (decision E23). An empty
-- text means that the CVE has not been published since this migration; the next publication with a new resolver version
-- fills both columns.
alter table catalog.cve_document
  add column exploits text not null default '';

alter table catalog.cve
  add column in_eu_kev boolean not null default false;

-- No row of catalog.cve is in this index yet: PostgreSQL reads the table once, readers continue and a publisher waits.
-- squawk-ignore require-concurrent-index-creation
create index cve_eu_kev on catalog.cve (cve_key) include (published, modified, score) where in_eu_kev;
