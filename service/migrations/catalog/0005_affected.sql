-- Affected versions of products and packages, for matching: which CVEs concern the versions that somebody runs, and who
-- says so. Only publishers write these tables, in the transaction that publishes the CVE or the advisory.

-- Names of affected products and packages. catalog.product is not used: it has the products that searches offer, with
-- exact counts, while this table also has packages and the names that only one of several sources uses.
create table catalog.affected_name (
  name_key integer generated always as identity primary key,
  kind     text    not null check (kind in ('cpe', 'purl')),
  vendor   text    collate "C" not null,
  product  text    collate "C" not null,
  unique (product, vendor, kind)
);

-- Advisories that name no CVE, such as GHSA-… or GO-….
create table catalog.advisory (
  advisory_key integer     generated always as identity primary key,
  id           text        collate "C" not null unique,
  source       text        not null,
  -- Ids of the same vulnerability in other databases.
  aliases      text[]      not null,
  title        text,
  -- CVSS base score that the service computes from the vector of the advisory.
  score        numeric(3, 1),
  published    timestamptz,
  modified     timestamptz not null,
  -- A withdrawn advisory has no rows in catalog.affected.
  is_withdrawn boolean     not null,
  -- Hash of the stored advisory and of the version of the resolver. Advisories with an equal hash are not written again.
  content_hash bytea       not null
);

-- Versions of a product or package that one source calls affected or unaffected by a CVE or advisory.
create table catalog.affected (
  -- Key of the CVE; for an advisory without a CVE its negative advisory_key.
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
  -- CPE target software such as wordpress, or the release of a distribution such as bookworm; empty for any.
  target      text     collate "C" not null,
  -- CPE software edition such as enterprise; null for any.
  edition     text     collate "C",
  -- Single versions. An update follows after a blank (`11.1.2 h1`), `-` for none. Null for a range.
  versions    text[]   collate "C",
  -- First version, or the one before the first if not low_in; null: no limit.
  low         text     collate "C",
  high        text     collate "C",
  -- Version that contains the fix, if the source names one for this range.
  fixed       text     collate "C",
  -- Products that must be present as well: a list of lists, of which each needs one of its products.
  condition   jsonb,
  primary key (subject_key, nr)
);

create index affected_name_key on catalog.affected (name_key);
