-- The priority of each CVE (ADR 0033). An empty text of facts means that the CVE has not been published since this
-- migration; the next publication with a new resolver or policy version fills the columns.
alter table catalog.cve_document
  add column decision_facts text not null default '';

alter table catalog.cve
  add column priority smallint,
  add column ssvc     smallint;

comment on column catalog.cve_document.decision_facts is
  'JSON text of the facts from which the priority is computed; see domain/priority/facts.ts.';
comment on column catalog.cve.priority is
  'Rank by the priority policy, 0 to 4999, with the EPSS score at the time of publication; null for a rejected CVE.';
comment on column catalog.cve.ssvc is
  'exploitation * 9 + automatable * 3 + technical impact; exploitation: 0 none, 1 poc, 2 active; automatable: 0 unknown, 1 no, 2 yes; technical impact: 0 unknown, 1 partial, 2 total; null for a rejected CVE.';

alter table catalog.resolver_inputs
  add column policy_version text not null default '';

-- The table is read once while the index is created: readers continue, a publisher waits.
-- squawk-ignore require-concurrent-index-creation
create index cve_priority on catalog.cve (priority, cve_key)
  include (published, modified, score, status, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count,
           attack_vector);
