-- Affected versions of products and packages, for matching: which CVEs affect the versions in use, and according to
-- which source. Only publishers write these tables, in the transaction that publishes the CVE or the advisory.

-- Names of affected products and packages. catalog.product is not used: it holds the names that searches offer, with
-- exact counts, which are no claims about versions.
create table catalog.affected_name (
  name_key integer generated always as identity primary key,
  kind     text    not null check (kind in ('cpe', 'purl')),
  vendor   text    collate "C" not null,
  product  text    collate "C" not null,
  unique (product, vendor, kind)
);

-- Vulnerabilities that have an advisory, such as GHSA-… or GO-…, and no CVE. Advisories of several databases about the
-- same vulnerability are one row with the id of one of them.
create table catalog.advisory (
  advisory_key   integer     generated always as identity primary key,
  id             text        collate "C" not null unique,
  source         text        not null,
  -- Ids of the same vulnerability in other databases.
  aliases        text[]      not null,
  -- Null for a vulnerability.
  kind           text        check (kind = 'malicious'),
  title          text,
  -- CVSS base score that the service computes from the advisory's vector.
  score          numeric(3, 1),
  -- The source's word for the severity, if there is no score.
  severity_word  text,
  -- Rank of the level; null for a withdrawn advisory.
  priority       smallint,
  -- The facts from which the priority follows, as in catalog.cve_document.
  decision_facts text        not null,
  published      timestamptz,
  modified       timestamptz not null,
  -- A withdrawn advisory has no rows in catalog.affected.
  is_withdrawn   boolean     not null,
  -- Hash of the stored advisories and the resolver version. An advisory with the same hash is not written again.
  content_hash   bytea       not null
);

-- Versions of a product or package that one source lists as affected or unaffected by a CVE or advisory.
create table catalog.affected (
  -- Key of the CVE; for an advisory without a CVE, its negated advisory_key.
  subject_key bigint   not null,
  name_key    integer  not null,
  nr          smallint not null,
  is_affected boolean  not null,
  -- True if the source gives no usable version: no version or bound at all, `-`, or a start after the end.
  is_vague    boolean  not null,
  low_in      boolean,
  high_in     boolean,
  scheme      text     not null,
  source      text     not null,
  -- CPE target software such as wordpress, or a distribution release such as bookworm; empty for any.
  target      text     collate "C" not null,
  -- CPE software edition such as enterprise; null for any.
  edition     text     collate "C",
  -- Single versions. An update follows after a space (`11.1.2 h1`), `-` for none. Null for a range.
  versions    text[]   collate "C",
  -- First affected version, or if not low_in, the version that the range starts after; null: no limit.
  low         text     collate "C",
  high        text     collate "C",
  -- Version that contains the fix, if the source names one for this range.
  fixed       text     collate "C",
  -- Products that must also be present: a list of lists. At least one product from each inner list is required.
  condition   jsonb,
  primary key (subject_key, nr)
);

create index affected_name_key on catalog.affected (name_key);
