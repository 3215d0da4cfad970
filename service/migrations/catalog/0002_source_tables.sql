-- The data stored by the feeds. Common columns:
--   content_hash  SHA-256 of the record: a run compares hashes and reads no records.
--   modified, published, date_…  upstream's own times, never later than the import (decision C22).
--   removed_at    null while upstream lists the record. Removed records are kept, because other records may name them.
--   first_seen    time at which the feed first stored the record; set again if it returns after a removal. Null for the
--                 records from the feed's first load: upstream may have listed them for years.
--   truncated     values that were cut because they are too long (decision E42), as names in `include=sources`.

-- One row per CVE and source: the whole record as JSON text, from the feeds nvd, cve, overrides, redhat and msrc.
create table source.source_record (
  source       text        not null,
  cve_id       text        not null collate "C",
  content_hash bytea       not null,
  modified     timestamptz not null,
  record       text        not null,
  truncated    text[],
  -- A run reads only this index to compare records.
  primary key (source, cve_id) include (content_hash, modified)
);

-- The changes of NVD's record of a CVE that the feed nvd-history has read (ADR 0033), all of them in one row, which an
-- answer reads with one lookup (lab/docs/nvd-history.md).
create table source.nvd_history (
  cve_id  text collate "C" primary key,
  -- JSON list, oldest change first; its form is explained in service/src/domain/nvd-history/stored-change.ts.
  changes text not null
);

-- CISA's catalog of known exploited vulnerabilities.
create table source.kev_entry (
  cve_id             text        collate "C" primary key,
  vendor_project     text        not null,
  product            text        not null,
  vulnerability_name text        not null,
  date_added         date        not null,
  short_description  text        not null,
  required_action    text        not null,
  due_date           date,
  known_ransomware   boolean     not null,
  -- Null if the catalog does not have this member, empty if the member is empty (decision D14).
  notes              text,
  cwes               text[]      not null,
  content_hash       bytea       not null,
  first_stored_at    timestamptz not null,
  -- CISA does not announce removals, so this is the release time of the first catalog without the entry.
  removed_at         timestamptz,
  first_seen         timestamptz,
  -- Time at which the feed first stored the removal.
  removal_first_seen timestamptz,
  truncated          text[]
);

-- Earlier releases of the KEV catalog, which an operator imports from a file (ADR 0024).
create table source.kev_past_entry (
  cve_id             text        collate "C" not null,
  -- Release time of the catalog that added, changed or removed the entry.
  released_at        timestamptz not null,
  -- True if the entry is missing from the release; the other columns then hold its last values.
  is_removed         boolean     not null,
  vendor_project     text        not null,
  product            text        not null,
  vulnerability_name text        not null,
  date_added         date        not null,
  short_description  text        not null,
  required_action    text        not null,
  due_date           date,
  known_ransomware   boolean     not null,
  notes              text,
  cwes               text[]      not null,
  -- False until the publisher has added the row to catalog.kev_history and catalog.kev_change.
  is_published       boolean     not null,
  content_hash       bytea       not null,
  truncated          text[],
  primary key (cve_id, released_at)
);

-- ENISA's catalog of vulnerabilities known to be exploited in the EU (decision E23). The catalog has no licence, so
-- only facts are stored and no sentences.
create table source.eu_kev_entry (
  cve_id             text        collate "C" primary key,
  euvd_id            text        not null,
  vendor_project     text        not null,
  product            text        not null,
  -- Day on which the exploitation was reported.
  date_reported      date        not null,
  -- Day on which the CVE was added to the catalog; the day of the report if the catalog does not state it.
  date_listed        date        not null,
  patched_since      date,
  -- Organisation that reported the exploitation.
  origin             text        not null,
  exploitation       text[]      not null,
  threat_actors      text[]      not null,
  cwes               text[]      not null,
  content_hash       bytea       not null,
  first_stored_at    timestamptz not null,
  removed_at         timestamptz,
  first_seen         timestamptz,
  removal_first_seen timestamptz,
  truncated          text[]
);

-- FIRST's scores from the latest release.
create table source.epss_score (
  cve_id        text             collate "C" primary key,
  -- A double preserves any decimal of up to 15 digits, and compares as the decimals do.
  score         double precision not null check (score between 0 and 1),
  percentile    double precision not null check (percentile between 0 and 1),
  -- Scores from different models are not comparable.
  model_version text             not null
)
-- Nearly every row changes every day. With more than half of each page free, the new version of a row fits next to the
-- old one, and neither the index nor the table grows.
with (fillfactor = 45);

-- One row about the scores above. It is separate, so that a score that stays the same from day to day is not rewritten.
create table source.epss_release (
  is_current    boolean     primary key default true check (is_current),
  scored_at     timestamptz not null,
  model_version text        not null,
  -- Increases with every stored release, even if it is the same one: the publisher uses it to know what it has
  -- published.
  revision      bigint      not null default 1
);

-- The days that the feed epss-history has read (ADR 0024). The scores of a day stay here only until the publisher has
-- added them to catalog.epss_series; the row stays, because the next day is compared with it.
create table source.epss_past_day (
  day           date      primary key,
  -- Null for files that do not name a model: those before 2022-02-04.
  model_version text,
  score_count   integer   not null,
  -- The CVEs with their scores and percentiles in units of 0.00001, in the same order; null after publication. This is
  -- one row instead of one per CVE, because thousands of days would leave hundreds of millions of deleted rows behind.
  cve_ids       text[],
  scores        integer[],
  -- Null if the file has no percentiles.
  percentiles   integer[]
);

-- Notices from the Australian Cyber Security Centre, including those that name no CVE.
create table source.acsc_notice (
  -- The last part of the notice's address: the same in the feed, in the listing and on the page.
  id                text        primary key,
  title             text        not null,
  type              text        not null check (type in ('alert', 'advisory')),
  -- `Critical`, `High`, `Medium` or `Low`; null if unknown.
  priority          text,
  published         timestamptz not null,
  updated           timestamptz,
  url               text        not null,
  summary           text,
  affected_products text[]      not null default '{}',
  -- False if only the feed was read and not the page. Such data never overwrites data from a page.
  is_whole          boolean     not null,
  content_hash      bytea       not null,
  -- Also null for older notices, which the import of past notices adds.
  first_seen        timestamptz,
  truncated         text[]
);

create table source.acsc_notice_cve (
  notice_id  text        not null references source.acsc_notice on delete cascade,
  cve_id     text        not null collate "C",
  first_seen timestamptz,
  primary key (notice_id, cve_id)
);

create index acsc_notice_cve_by_cve on source.acsc_notice_cve (cve_id);

-- The Common Weakness Enumeration.
create table source.weakness (
  -- For example `CWE-79`.
  cwe_id        text        collate "C" primary key,
  -- Only a weakness is a cause, but some CVE records name categories and views anyway.
  kind          text        not null check (kind in ('weakness', 'category', 'view')),
  name          text        not null,
  -- `Pillar`, `Class`, `Base`, `Variant` or `Compound`; null for categories and views.
  abstraction   text,
  status        text        not null,
  is_deprecated boolean     not null,
  description   text        not null,
  content_hash  bytea       not null,
  removed_at    timestamptz,
  truncated     text[]
);

-- MITRE's ATT&CK techniques and CAPEC patterns, and the techniques that exploit each CVE, as assigned by people.
create table source.attack_technique (
  -- For example `T1059`, or the sub-technique `T1059.003`.
  technique_id    text        collate "C" primary key,
  name            text        not null,
  -- As written in ATT&CK: `initial-access`.
  tactics         text[]      not null,
  is_subtechnique boolean     not null,
  is_deprecated   boolean     not null,
  content_hash    bytea       not null,
  removed_at      timestamptz,
  truncated       text[]
);

create table source.capec (
  -- For example `CAPEC-66`.
  capec_id      text        collate "C" primary key,
  name          text        not null,
  status        text        not null,
  -- `Meta`, `Standard` or `Detailed`.
  abstraction   text,
  likelihood    text,
  severity      text,
  -- The weaknesses that the pattern requires, and the techniques that it belongs to.
  cwe_ids       text[]      not null,
  technique_ids text[]      not null,
  is_deprecated boolean     not null,
  content_hash  bytea       not null,
  removed_at    timestamptz,
  truncated     text[]
);

create table source.attack_mapping (
  cve_id           text        collate "C" not null,
  technique_id     text        collate "C" not null,
  -- How the vulnerability is exploited, or what exploiting it leads to.
  mapping_type     text        not null
                   check (mapping_type in ('exploitation_technique', 'primary_impact', 'secondary_impact', 'uncategorized')),
  -- The type of vulnerability, in the words of the mapping's authors.
  capability_group text,
  comments         text,
  content_hash     bytea       not null,
  removed_at       timestamptz,
  truncated        text[],
  primary key (cve_id, technique_id, mapping_type)
);

-- Public evidence that a vulnerability can be exploited: where to find it, never what it does.
create table source.exploit_item (
  feed         text        not null,
  -- Upstream's id.
  id           text        not null,
  kind         text        not null check (kind in ('exploit', 'module', 'template', 'repository')),
  title        text        not null,
  url          text        not null,
  published    date,
  -- Upstream's own rank: Exploit-DB's verified, Metasploit's excellent, Nuclei's critical.
  rank         text,
  content_hash bytea       not null,
  first_seen   timestamptz,
  -- An item that returns keeps its first_seen.
  removed_at   timestamptz,
  truncated    text[],
  primary key (feed, id)
);

-- Many items name no CVE; some name several.
create table source.exploit_item_cve (
  feed    text not null,
  item_id text not null,
  cve_id  text not null collate "C",
  primary key (feed, item_id, cve_id),
  foreign key (feed, item_id) references source.exploit_item (feed, id) on delete cascade
);

create index exploit_item_cve_by_cve on source.exploit_item_cve (cve_id);

-- GitHub's advisories. Several may name the same CVE, and one may later name another CVE or none.
create table source.ghsa_advisory (
  ghsa_id      text        not null collate "C",
  cve_id       text        collate "C",
  -- Hash of the members that both the archive and the API provide; each of the two lacks some.
  content_hash bytea       not null,
  modified     timestamptz not null,
  -- JSON text in the format that all vendors share.
  record       text        not null,
  truncated    text[],
  -- A run reads only this index to compare advisories.
  primary key (ghsa_id) include (content_hash, modified)
);

create index ghsa_advisory_by_cve on source.ghsa_advisory (cve_id);
-- The advisories that name no CVE. Every publication compares them with the published ones.
create index ghsa_advisory_without_cve on source.ghsa_advisory (ghsa_id) include (content_hash) where cve_id is null;

-- Advisories from databases in OSV format, such as Go, RustSec and AlmaLinux. An advisory may name several CVEs or
-- none.
create table source.osv_advisory (
  -- Name of the feed: the name of the database with the prefix "osv-".
  feed         text        not null,
  id           text        not null collate "C",
  -- 1970 if the database states none.
  modified     timestamptz not null,
  -- JSON text in the format that all vendors share.
  record       text        not null,
  -- Does not cover the time of the last change.
  content_hash bytea       not null,
  truncated    text[],
  primary key (feed, id)
);

-- An advisory is looked up by its id alone.
create index osv_advisory_by_id on source.osv_advisory (id);

create table source.osv_advisory_cve (
  feed        text not null,
  advisory_id text not null collate "C",
  cve_id      text not null collate "C",
  primary key (feed, advisory_id, cve_id),
  foreign key (feed, advisory_id) references source.osv_advisory (feed, id) on delete cascade
);

create index osv_advisory_cve_by_cve on source.osv_advisory_cve (cve_id);

-- CSAF documents. The feeds are those whose names begin with "csaf-".
create table source.csaf_document (
  feed         text        not null,
  -- The publisher's id of the document, such as ICSA-22-349-21.
  id           text        not null collate "C",
  modified     timestamptz not null,
  -- The numbers of the document's version: of two documents with the same date, the higher one is newer.
  revision     integer[]   not null,
  -- JSON texts: the document's own facts, and the products to which its statements refer by position.
  head         text        not null,
  products     text        not null,
  content_hash bytea       not null,
  truncated    text[],
  primary key (feed, id)
);

-- The statements of CSAF documents, one row for each document and CVE. A withdrawn document has no statements.
create table source.csaf_statement (
  feed        text not null,
  document_id text not null collate "C",
  cve_id      text not null collate "C",
  -- JSON text.
  record      text not null,
  primary key (feed, document_id, cve_id),
  foreign key (feed, document_id) references source.csaf_document (feed, id) on delete cascade
);

create index csaf_statement_by_cve on source.csaf_statement (cve_id);

-- Status of a CVE in a source package of a Debian release, from Debian's security tracker.
create table source.debian_status (
  package       text   not null collate "C",
  cve_id        text   not null collate "C",
  -- Code name of the release, such as bookworm or sid.
  release       text   not null collate "C",
  -- In the tracker's words: resolved, open or undetermined.
  status        text   not null,
  -- First version of the package without the vulnerability; 0 if the release was never vulnerable; null without a fix.
  fixed_version text,
  -- In the tracker's words, such as unimportant, low or "not yet assigned".
  urgency       text,
  -- False if the tracker has no text about the CVE, because its id is only reserved. The text itself is not stored.
  is_described  boolean not null default true,
  content_hash  bytea  not null,
  truncated     text[],
  primary key (package, cve_id, release)
);

create index debian_status_by_cve on source.debian_status (cve_id);

-- lz4 compresses this text to a third, several times faster than the default.
do $$
begin
  alter table source.source_record alter column record set compression lz4;
  alter table source.nvd_history alter column changes set compression lz4;
  alter table source.ghsa_advisory alter column record set compression lz4;
  alter table source.osv_advisory alter column record set compression lz4;
  alter table source.csaf_document
    alter column head set compression lz4,
    alter column products set compression lz4;
  alter table source.csaf_statement alter column record set compression lz4;
  alter table source.epss_past_day
    alter column cve_ids set compression lz4,
    alter column scores set compression lz4,
    alter column percentiles set compression lz4;
exception when feature_not_supported then
  null; -- this PostgreSQL was built without lz4; the default compression is only slower
end
$$;
