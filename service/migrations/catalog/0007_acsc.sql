-- Notices of the Australian Cyber Security Centre, and the CVEs they name. A notice that names none is kept too.
create table source.acsc_notice (
  -- The last part of its address: the same in the feed, in the listing and on the page.
  id                text        primary key,
  title             text        not null,
  type              text        not null check (type in ('alert', 'advisory')),
  -- `Critical`, `High`, `Medium` or `Low`; absent as long as nobody said.
  priority          text,
  -- Never later than when we read it (decision C22).
  published         timestamptz not null,
  updated           timestamptz,
  url               text        not null,
  summary           text,
  affected_products text[]      not null default '{}',
  -- False: from the feed alone, since its page was not read yet. Such news never overwrites what a page said.
  is_whole          boolean     not null,
  content_hash      bytea       not null
);

create table source.acsc_notice_cve (
  notice_id text not null references source.acsc_notice on delete cascade,
  cve_id    text not null collate "C",
  primary key (notice_id, cve_id)
);

create index acsc_notice_cve_by_cve on source.acsc_notice_cve (cve_id);
