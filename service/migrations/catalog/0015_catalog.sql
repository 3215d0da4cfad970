-- What we conclude and serve: one row per CVE for searching, one with the finished answer, KEV and EPSS apart, because
-- they change apart. Written by the catalog alone, in transactions that hold one advisory lock.

-- `CVE-2021-44228` → 202100000000044228: the natural order of ids, ties and cursors are one integer (decision B5).
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
  cve_key       bigint           primary key,
  -- Null for a CVE that is known to the KEV catalogue alone.
  published     timestamptz,
  modified      timestamptz      not null,
  -- The one score of decision C3.
  score         double precision,
  status        text             not null,
  is_enriched   boolean          not null,
  has_exploit   boolean          not null,
  in_kev        boolean          not null,
  has_notice    boolean          not null,
  has_reference boolean          not null,
  cpe_count     integer          not null,
  attack_vector text             check (attack_vector in ('network', 'adjacent', 'local', 'physical')),
  has_patch     boolean          not null,
  -- Who holds a record, of those that can be asked for by name.
  sources       text[]           not null,
  words         tsvector         not null,
  -- SHA-256 of all that is published of it, but for KEV and EPSS: what has the same is not written again.
  content_hash  bytea            not null
);

-- Finished JSON, a column for each member of an answer: every answer is some of them, joined.
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
  -- Without `enriched_at`, or null.
  enrichment        text        not null,
  -- When the enrichment last changed.
  enriched_at       timestamptz not null
);

create table catalog.cve_detail (
  cve_key      bigint      not null,
  source       text        not null,
  -- Without `enrichment_metadata`, which is made of the columns below.
  record       text        not null,
  content_hash bytea       not null,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (cve_key, source)
);

-- A row for every published CVE, without a score where there is none, so that sorting and filtering need no outer join.
create table catalog.epss (
  cve_key    bigint           primary key,
  score      double precision,
  percentile double precision
)
with (fillfactor = 45);

-- One row: of which day the scores are.
create table catalog.epss_release (
  is_current    boolean     primary key default true check (is_current),
  scored_at     timestamptz not null,
  model_version text        not null
);

create table catalog.kev (
  cve_key          bigint  primary key,
  vendor_project   text    not null,
  product          text    not null,
  date_added       date    not null,
  due_date         date,
  known_ransomware boolean not null,
  -- Finished JSON: inside a CVE, in a batch, among recent ones, and in the list of /kev.
  summary          text    not null,
  in_batch         text    not null,
  in_recent        text    not null,
  entry            text    not null,
  content_hash     bytea   not null
);

-- What was published when, in the order of commits: whoever reads `seq > last` misses nothing.
create table catalog.change (
  seq     bigint      generated always as identity primary key,
  -- Null: a whole data set.
  cve_key bigint,
  kind    text        not null check (kind in ('added', 'changed', 'removed', 'kev', 'epss')),
  at      timestamptz not null default clock_timestamp(),
  -- Which members of an answer are different now.
  fields  text[]      not null default '{}'
);

-- One row: totals, counted when data changes.
create table catalog.statistic (
  is_current      boolean          primary key default true check (is_current),
  total_cves      bigint           not null,
  total_kev       bigint           not null,
  total_with_epss bigint           not null,
  total_with_acsc bigint           not null,
  average_epss    double precision not null,
  -- Up to which change they hold.
  change_seq      bigint           not null
);

-- One row: by what rules and with what knowledge of weaknesses and techniques everything here was concluded. When either
-- is another one, every CVE is concluded again.
create table catalog.premise (
  is_current       boolean primary key default true check (is_current),
  resolver_version text    not null,
  knowledge_hash   bytea   not null
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
  loop
    execute format('alter table %s alter column %I set compression lz4', each.owner, each.name);
  end loop;
exception when feature_not_supported then
  null; -- as in source.source_record
end
$$;
