-- The tags of each CVE, such as ["disputed"] (decision E8). The next publication with a new resolver version fills the
-- column.
alter table catalog.cve_document add column tags text not null default '[]';
