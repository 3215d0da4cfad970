-- CVEs that could not be concluded or published: set aside with a reason, so that one record never stops the others. A
-- row goes when its CVE is published again.
create table catalog.publication_fault (
  cve_id text        collate "C" primary key,
  reason text        not null,
  at     timestamptz not null
);

-- Grows with every release that is stored, the same one again included: what is published of the scores is known by it.
alter table source.epss_release add column revision bigint not null default 1;
alter table catalog.epss_release add column revision bigint not null default 0;
