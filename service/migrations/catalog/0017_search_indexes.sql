-- An index for every filter and every sort of /cves, chosen by measuring (docs/data-model.md has the figures).
--
-- The tables are empty when this runs for the first time, and new in this release: nobody waits for their locks.
-- squawk-ignore-file require-concurrent-index-creation, constraint-missing-not-valid, adding-serial-primary-key-field

-- One index per sort serves both directions. Each holds what filters read, so that a walk in the order of the sort, a
-- count and a look-up by key need no row of the table, which is wide because of its words.
create index cve_published on catalog.cve (published, cve_key)
  include (modified, score, status, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector);
create index cve_modified on catalog.cve (modified, cve_key)
  include (published, score, status, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector);
create index cve_score on catalog.cve (score, cve_key)
  include (published, modified, status, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector);
create index cve_status on catalog.cve (status, cve_key)
  include (published, modified, score, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector);
alter table catalog.cve
  drop constraint cve_pkey,
  add primary key (cve_key)
  include (published, modified, score, status, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector);

-- What few have. What many have needs no index: a walk meets it soon.
create index cve_in_kev on catalog.cve (cve_key) where in_kev;
create index cve_has_notice on catalog.cve (cve_key) where has_notice;
create index cve_without_reference on catalog.cve (cve_key) where not has_reference;
create index cve_attack_vector on catalog.cve (attack_vector) where attack_vector <> 'network';
create index cve_cpe_count on catalog.cve (cpe_count);
create index cve_sources on catalog.cve using gin (sources) with (fastupdate = off);

-- Without the list of pending entries, which every search would have to read through.
create index cve_words on catalog.cve using gin (words) with (fastupdate = off);

create index epss_score on catalog.epss (score, cve_key);
alter table catalog.epss
  drop constraint epss_pkey,
  add primary key (cve_key) include (score);

-- How common a word is, for as many words as can be kept: it decides between a walk and the index of words.
alter table catalog.cve alter column words set statistics 300;

-- Rejected records have hardly ever a reference or a score, exploited ones have both: these are no independent odds.
create statistics catalog.cve_flags (mcv, dependencies)
  on status, has_exploit, in_kev, has_notice, has_reference, has_patch, attack_vector
  from catalog.cve;
