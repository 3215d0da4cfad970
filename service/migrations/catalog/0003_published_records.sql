-- The merged records that the API serves: one row per CVE for searching and one with the finished JSON. KEV and EPSS
-- are separate, because they change independently. Only publishers write here, in transactions that hold one advisory
-- lock.

-- `CVE-2021-44228` → 202100000000044228: as a single integer, ids, ties and cursors have their natural order (decision
-- B5).
create function catalog.cve_key(cve_id text) returns bigint
  language sql immutable strict parallel safe
  return split_part(cve_id, '-', 2)::bigint * 100000000000000 + split_part(cve_id, '-', 3)::bigint;

create function catalog.cve_id(cve_key bigint) returns text
  language sql immutable strict parallel safe
  return 'CVE-' || lpad((cve_key / 100000000000000)::text, 4, '0') || '-'
      || case when cve_key % 100000000000000 < 1000
              then lpad((cve_key % 100000000000000)::text, 4, '0')
              else (cve_key % 100000000000000)::text
         end;

grant execute on function catalog.cve_key(text), catalog.cve_id(bigint) to vis_feeds, vis_api;

create table catalog.cve (
  cve_key        bigint           not null,
  -- Null for a CVE that only the KEV catalog contains.
  published      timestamptz,
  modified       timestamptz      not null,
  -- The one score that severity, filters and sorts use, chosen from all ratings (decision C3).
  score          double precision,
  status         text             not null,
  is_enriched    boolean          not null,
  has_exploit    boolean          not null,
  in_kev         boolean          not null,
  has_notice     boolean          not null,
  has_reference  boolean          not null,
  cpe_count      integer          not null,
  attack_vector  text             check (attack_vector in ('network', 'adjacent', 'local', 'physical')),
  has_patch      boolean          not null,
  -- The sources that have a record, among those that can be requested by name.
  sources        text[]           not null,
  -- Weights: A for well-known names and the name of the KEV entry, B for vendors and products, C for the id, D for the
  -- description. One position is left free between two names, so that a phrase never spans two names.
  words          tsvector         not null,
  -- SHA-256 of the published record without KEV and EPSS: a CVE with the same hash is not written again.
  content_hash   bytea            not null,
  in_eu_kev      boolean          not null default false,
  -- Rank under the priority policy, 0 to 4999, with the EPSS score at the time of publication; null for a rejected CVE.
  priority       smallint,
  -- exploitation * 9 + automatable * 3 + technical impact; exploitation: 0 none, 1 poc, 2 active; automatable: 0 unknown, 1
  -- no, 2 yes; technical impact: 0 unknown, 1 partial, 2 total; null for a rejected CVE.
  ssvc           smallint,
  -- Weaknesses from all sources, such as CWE-79, in numeric order.
  cwes           text[]           not null default '{}',
  -- ATT&CK techniques as served, plus the parent of each sub-technique: T1059 for T1059.001.
  techniques     text[]           not null default '{}',
  -- Short name of the CNA that assigned the id, according to the CVE List or else NVD; null if neither names it.
  assigner       text,
  -- Exploit maturity as served in the add-on `exploits`: 0 none, 1 poc, 2 functional, 3 weaponized, 4 active, 5
  -- ransomware.
  maturity       smallint         not null default 0,
  -- Number of items of exploit evidence as served in the add-on `exploits`, including KEV catalog entries.
  evidence_count smallint         not null default 0,
  -- True if a source names a fixed version in structured data.
  has_fix        boolean          not null default false,
  -- True if CISA lists the CVE in KEV and knows of ransomware campaigns.
  is_ransomware  boolean          not null default false,
  -- Major CVSS version of the score: 2, 3 or 4; null without a score.
  score_version  smallint,
  -- What the sources disagree about, as a sum of 1 (score), 2 (affected), 4 (rejected) and 8 (KEV and SSVC).
  disagreements  smallint         not null default 0,
  primary key (cve_key)
  include (published, modified, score, status, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector)
);

-- Finished JSON, with one column per member of an answer: every answer combines some of them.
create table catalog.cve_document (
  cve_key           bigint      primary key,
  source_tag        text        not null,
  published         text        not null,
  modified          text        not null,
  description       text        not null,
  severity          text        not null,
  status            text        not null,
  enrichment_status text        not null,
  cvss              text        not null,
  cpe               text        not null,
  "references"      text        not null,
  acsc              text        not null,
  acsc_notices      text        not null,
  techniques        text        not null,
  -- Does not contain `enriched_at`. The JSON may be null.
  enrichment        text        not null,
  -- Time of the enrichment's last change.
  enriched_at       timestamptz not null,
  tags              text        not null default '[]',
  -- "curated" by people, "derived" by rules, or null without techniques.
  technique_mapping text        not null default 'null',
  -- The AND/OR tree of the CPE matches, as positions in the list `cpe` of the same row.
  configurations    text        not null default 'null',
  -- The sources of the values.
  sources           text        not null default '{"origins":[],"values":{}}',
  exploits          text        not null default 'null',
  -- JSON text of the facts that the priority is computed from; see domain/priority/facts.ts.
  decision_facts    text        not null default '{}',
  -- The evidence beyond the 50 items in `exploits`.
  more_evidence     text        not null default '[]',
  -- Fixed versions, and the number of those beyond the 50 in the list.
  fixes             text        not null default '[]',
  fixes_omitted     text        not null default '0',
  -- Advice of publishers (patches, workarounds, mitigations), and the number of remediations that the list leaves out.
  remediations      text        not null default '[]',
  remediations_omitted text     not null default '0'
);

create table catalog.cve_detail (
  cve_key      bigint      not null,
  source       text        not null,
  -- Does not contain `enrichment_metadata`, which is built from the columns below.
  record       text        not null,
  -- What the record contains: score, weaknesses, products; see domain/source/detail-record.ts.
  parts        text[]      not null,
  content_hash bytea       not null,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (cve_key, source)
);

do $$
declare
  each record;
begin
  for each in
    select attrelid::regclass as owner, attname as name
      from pg_attribute
     where attrelid in ('catalog.cve_document'::regclass, 'catalog.cve_detail'::regclass)
       and atttypid = 'text'::regtype and attnum > 0
       and attname not in ('tags', 'technique_mapping', 'exploits', 'decision_facts', 'fixes_omitted',
                           'remediations_omitted')
  loop
    execute format('alter table %s alter column %I set compression lz4', each.owner, each.name);
  end loop;
exception when feature_not_supported then
  null; -- same as for source.source_record
end
$$;

-- The sources that have a CVE but say nothing about the vulnerability, so that no record exists if there is no other
-- source (decision E32). Readers have no rights on the schema source, so the function runs with its owner's rights.
create function catalog.knowing_sources(cve_key bigint) returns text[]
  language sql stable security definer set search_path = ''
as $$
  select array_remove(
           array[
             case when exists (select from source.epss_score where cve_id = catalog.cve_id($1)) then 'epss' end,
             case when exists (select from source.exploit_item_cve where cve_id = catalog.cve_id($1) and feed = 'poc')
                  then 'poc' end,
             case when exists (select from source.acsc_notice_cve where cve_id = catalog.cve_id($1)) then 'acsc' end,
             case when exists (select from source.attack_mapping where cve_id = catalog.cve_id($1) and removed_at is null)
                  then 'attack-mapping' end
           ],
           null
         )
$$;

grant execute on function catalog.knowing_sources(bigint) to vis_api;

-- One row for every published CVE, without a score if there is none, so that sorting and filtering need no outer join.
-- The key contains the scores: filters read many CVEs' scores by key and then need no table row.
create table catalog.epss (
  cve_key    bigint           not null,
  score      double precision,
  percentile double precision,
  -- For each EPSS threshold that the CVE holds, lowest first: the day on which it got it; null if it holds none.
  held_since date[],
  primary key (cve_key) include (score, percentile)
)
with (fillfactor = 45);

-- One row: the day that the scores are from.
create table catalog.epss_release (
  is_current    boolean     primary key default true check (is_current),
  scored_at     timestamptz not null,
  model_version text        not null,
  revision      bigint      not null default 0,
  -- The thresholds of the priority policy for the release's scores, lowest first.
  thresholds    double precision[] not null default '{}',
  -- The first day whose scores catalog.epss.held_since was computed from.
  known_from    date,
  -- Whether held_since must be computed again from catalog.epss_series.
  is_hold_stale boolean     not null default false
);

create table catalog.kev (
  cve_key          bigint  primary key,
  vendor_project   text    not null,
  product          text    not null,
  date_added       date    not null,
  due_date         date,
  known_ransomware boolean not null,
  -- Finished JSON: within a CVE, in a batch, among recent CVEs, and in the list of /kev.
  summary          text    not null,
  in_batch         text    not null,
  in_recent        text    not null,
  entry            text    not null,
  content_hash     bytea   not null
);

-- One row of totals, counted when data changes.
create table catalog.statistic (
  is_current      boolean          primary key default true check (is_current),
  total_cves      bigint           not null,
  total_kev       bigint           not null,
  total_with_epss bigint           not null,
  total_with_acsc bigint           not null,
  average_epss    double precision not null,
  -- The newest change that the totals include.
  change_seq      bigint           not null
);

-- If one of these changes, every CVE is resolved again.
create table catalog.resolver_inputs (
  is_current          boolean primary key default true check (is_current),
  resolver_version    text    not null,
  reference_data_hash bytea   not null,
  policy_version      text    not null default ''
);

-- CVEs that could not be resolved or published, with the reason: one record never blocks the others. The row is deleted
-- when its CVE is published again.
create table catalog.publication_fault (
  cve_id text        collate "C" primary key,
  reason text        not null,
  at     timestamptz not null
);

-- Events that a caller of /cves/recent must not miss although upstream dates them hours or days earlier.
create table catalog.event (
  cve_key           bigint      not null,
  kind              text        collate "C" not null
                    check (kind in ('kev_added', 'kev_removed', 'eu_kev_added', 'eu_kev_removed', 'acsc_notice')),
  -- Id of the ACSC notice; empty for other types of events.
  subject           text        collate "C" not null default '',
  -- Upstream's own date.
  upstream_at       timestamptz not null,
  -- Copy of the feed's first_seen. A different value means that the event has occurred again.
  source_first_seen timestamptz,
  -- Time of the publication; null if the feed's first_seen is null.
  first_seen        timestamptz,
  -- Until this time, the event may still be invisible to readers. It is infinity until a later publisher transaction,
  -- which sees the event as committed, sets a time. Null if first_seen is null.
  unseen_until      timestamptz,
  -- Time of the event in answers.
  at                timestamptz not null generated always as (greatest(upstream_at, first_seen)) stored,
  -- End of the time in which the event is new: a period that begins later does not contain the event.
  recent_until      timestamptz not null generated always as (greatest(upstream_at, unseen_until)) stored,
  primary key (cve_key, kind, subject),
  check ((first_seen is null) = (source_first_seen is null) and (first_seen is null) = (unseen_until is null))
);

create index event_recent on catalog.event (recent_until) include (cve_key, at);

-- Other identifiers of a CVE, such as GHSA-jfh8-c2jp-5v3q or RHSA-2024:4312, as the database that issues
-- them states. An advisory can be about several CVEs.
create table catalog.alias (
  alias   text   collate "C" not null,
  cve_key bigint not null,
  source  text   not null,
  primary key (alias, cve_key)
);

create index alias_cve_key on catalog.alias (cve_key);

-- The dictionary of product names that NVD uses, which the publisher learns from NVD's configurations (decision E6).
-- The number of CVEs per name prevents a wrong NVD entry from deciding the name of a product.
create table catalog.cpe_name (
  part       text    not null,
  vendor     text    not null,
  product    text    not null,
  -- Bit n is set if NVD uses the name for a CVE whose number is n modulo 32.
  cve_sample integer not null default 0,
  primary key (vendor, product, part)
);

-- Vendor and product as a CNA names them, with NVD's CPE name, from CVEs for which both name exactly one product.
create table catalog.cpe_alias (
  cna_vendor  text    not null,
  cna_product text    not null,
  part        text    not null,
  vendor      text    not null,
  product     text    not null,
  -- Bit n is set if a CVE whose number is n modulo 32 has this pair of names.
  cve_sample  integer not null default 0,
  primary key (cna_vendor, cna_product, vendor, product, part)
);

-- Published CVEs with a derived CPE name that is not in the dictionary, by the keys under which the name may be learnt
-- later.
create table catalog.cpe_unmapped (
  cve_key     bigint not null,
  product_key text   not null,
  primary key (cve_key, product_key)
);

create index cpe_unmapped_product_key_idx on catalog.cpe_unmapped (product_key);

-- One row: a random value that changes with the dictionary and tells each process when to reload it.
create table catalog.cpe_dictionary (
  is_current boolean primary key default true check (is_current),
  revision   uuid    not null
);
