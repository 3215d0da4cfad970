-- Columns and tables for more search filters: weaknesses, techniques, assigner, exploits, fixes, disagreements, products
-- and aliases. The next publication with a new resolver version fills them; until then the columns have their defaults and
-- the tables are empty.
alter table catalog.cve
  add column cwes           text[]   not null default '{}',
  add column techniques     text[]   not null default '{}',
  add column assigner       text,
  add column maturity       smallint not null default 0,
  add column evidence_count smallint not null default 0,
  add column has_fix        boolean  not null default false,
  add column is_ransomware  boolean  not null default false,
  add column score_version  smallint,
  add column disagreements  smallint not null default 0;

comment on column catalog.cve.cwes is
  'Weaknesses of all sources, such as CWE-79, in the order of their numbers.';
comment on column catalog.cve.techniques is
  'ATT&CK techniques as served, and the parent of each sub-technique: T1059 for T1059.001.';
comment on column catalog.cve.assigner is
  'Short name of the CNA that assigned the id, by the CVE List or else by NVD; null if neither names it.';
comment on column catalog.cve.maturity is
  'Maturity of the exploits as served in the add-on `exploits`: 0 none, 1 poc, 2 functional, 3 weaponized, 4 active, 5 ransomware.';
comment on column catalog.cve.evidence_count is
  'Number of pieces of exploit evidence as served in the add-on `exploits`, with the entries of KEV catalogs.';
comment on column catalog.cve.has_fix is
  'True if structured data of a source names a fixed version.';
comment on column catalog.cve.is_ransomware is
  'True if CISA lists the CVE in KEV and knows of ransomware campaigns.';
comment on column catalog.cve.score_version is
  'Major version of CVSS of the score: 2, 3 or 4; null without a score.';
comment on column catalog.cve.disagreements is
  'Sum of 1 (score), 2 (affected), 4 (rejected) and 8 (KEV and SSVC), for what the sources disagree about.';

-- Each index reads the table once while it is created: readers continue, a publisher waits.
-- squawk-ignore require-concurrent-index-creation
create index cve_cwes on catalog.cve using gin (cwes) with (fastupdate = on, gin_pending_list_limit = 16384);
-- squawk-ignore require-concurrent-index-creation
create index cve_techniques on catalog.cve using gin (techniques) with (fastupdate = on, gin_pending_list_limit = 16384);
-- squawk-ignore require-concurrent-index-creation
create index cve_assigner on catalog.cve (lower(assigner));
-- squawk-ignore require-concurrent-index-creation
create index cve_maturity on catalog.cve (maturity) where maturity > 0;
-- squawk-ignore require-concurrent-index-creation
create index cve_evidence_count on catalog.cve (evidence_count) where evidence_count > 0;
-- squawk-ignore require-concurrent-index-creation
create index cve_ransomware on catalog.cve (cve_key) where is_ransomware;
-- squawk-ignore require-concurrent-index-creation
create index cve_disagreements on catalog.cve (disagreements) where disagreements > 0;

-- Names of vulnerable products. Only publishers write these tables, in the transaction that publishes the CVE.
create table catalog.product (
  product_key integer generated always as identity primary key,
  vendor      text    collate "C" not null,
  product     text    collate "C" not null,
  cve_count   integer not null default 0,
  unique (vendor, product)
)
with (fillfactor = 80);

comment on table catalog.product is
  'A vulnerable product of at least one published CVE, named as in its CPE name, or as the CNA names it if it has none.';
comment on column catalog.product.cve_count is 'Number of rows of the product in catalog.cve_product.';

create table catalog.cve_product (
  product_key integer not null,
  cve_key     bigint  not null,
  primary key (product_key, cve_key)
);

create index cve_product_cve_key on catalog.cve_product (cve_key);

comment on table catalog.cve_product is 'A vulnerable product of a CVE. Platforms on which it must run are left out.';

create view catalog.cve_product_name as
  select named.cve_key, product.vendor, product.product
    from catalog.cve_product named
    join catalog.product using (product_key);

comment on view catalog.cve_product_name is 'The vulnerable products of each CVE by their names.';

create index product_product on catalog.product (product, vendor);

-- Other identifiers of a CVE, such as GHSA-jfh8-c2jp-5v3q or RHSA-2021:5127. An advisory can name several CVEs.
create table catalog.alias (
  alias   text   collate "C" not null,
  cve_key bigint not null,
  source  text   not null,
  primary key (alias, cve_key)
);

create index alias_cve_key on catalog.alias (cve_key);

comment on table catalog.alias is
  'Another identifier of a CVE in its usual spelling, and the source that names it: a feed, or `reference` for a link.';

grant select on catalog.product, catalog.cve_product, catalog.cve_product_name, catalog.alias to vis_api;
grant select, insert, update, delete on catalog.product, catalog.cve_product, catalog.alias to vis_feeds;
grant select on catalog.cve_product_name to vis_feeds;

-- The similarity of names, for suggestions. No trigram index is needed: only names with the same first letters are
-- compared. pg_trgm is a trusted extension: a role that may create objects in the database may
-- create it. In the schema catalog it is dumped and restored with the tables that use it.
create extension pg_trgm schema catalog;

-- Names that suggestions offer, with the number of CVEs that have them. Products are in catalog.product.
create table catalog.name_count (
  kind      text    not null check (kind in ('vendor', 'cwe', 'assigner', 'technique')),
  name      text    collate "C" not null,
  -- Title of a weakness or a technique; null for the other kinds.
  title     text,
  cve_count integer not null,
  primary key (kind, name)
);

comment on table catalog.name_count is 'Number of published CVEs of each vendor, weakness, assigner and technique.';

-- The names with the most CVEs among those with the same first two letters.
create index name_count_start on catalog.name_count (kind, left(name, 2), cve_count desc);
create index product_start on catalog.product (left(product, 2), cve_count desc);

grant select on catalog.name_count to vis_api;
grant select, insert, update, delete on catalog.name_count to vis_feeds;
