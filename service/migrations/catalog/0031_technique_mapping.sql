-- Whether the ATT&CK techniques of a CVE were curated by people or derived by rules, as JSON text: "curated", "derived"
-- or null without techniques. The default is a constant, so no row is rewritten. It stays until the CVEs are published
-- again, which the new resolver version causes.
alter table catalog.cve_document add column technique_mapping text not null default 'null';
