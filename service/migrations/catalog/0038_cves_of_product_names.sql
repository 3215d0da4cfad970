-- Counts the CVEs for which NVD uses a name, so that a wrong entry of NVD does not decide the name of a product.

alter table catalog.cpe_name
  add column cve_sample integer not null default 0;

comment on column catalog.cpe_name.cve_sample is
  'Bit n is set if NVD uses the name for a CVE whose number is n modulo 32.';

alter table catalog.cpe_alias
  add column cve_sample integer not null default 0;

comment on column catalog.cpe_alias.cve_sample is
  'Bit n is set if a CVE whose number is n modulo 32 has this pair of names.';
