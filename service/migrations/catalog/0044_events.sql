-- Events that a caller of /cves/recent must not miss although their upstream dates them hours or days earlier: additions
-- to and removals from KEV catalogs, and notices of the ACSC that name a CVE.

-- Time at which the feed first stored the fact; set again for an entry that returns after its removal. Null for the rows
-- of the feed's first load and for rows that were stored before this migration: upstream may have listed them for years.
alter table source.kev_entry
  add column first_seen         timestamptz,
  -- Time at which the feed first stored the removal.
  add column removal_first_seen timestamptz;

alter table source.eu_kev_entry
  add column first_seen         timestamptz,
  add column removal_first_seen timestamptz;

-- Also null for an older notice that the import of the history of notices adds later.
alter table source.acsc_notice add column first_seen timestamptz;
-- Time at which the feed first stored that the notice names the CVE.
alter table source.acsc_notice_cve add column first_seen timestamptz;

create table catalog.event (
  cve_key           bigint      not null,
  kind              text        collate "C" not null
                    check (kind in ('kev_added', 'kev_removed', 'eu_kev_added', 'eu_kev_removed', 'acsc_notice')),
  -- Id of the ACSC notice; empty for the other kinds.
  subject           text        collate "C" not null default '',
  -- Upstream's own date.
  upstream_at       timestamptz not null,
  -- Copy of the feed's first_seen. Another value means that the event occurred again.
  source_first_seen timestamptz,
  -- Time of the publication; null if the feed's first_seen is null.
  first_seen        timestamptz,
  -- A reader may not see the event before this time: infinity until a later transaction of a publisher, which sees the
  -- event as committed, sets a time. Null if first_seen is null.
  unseen_until      timestamptz,
  -- Time of the event in answers.
  at                timestamptz not null generated always as (greatest(upstream_at, first_seen)) stored,
  -- End of the time in which the event is new: a period that begins later does not contain the event.
  recent_until      timestamptz not null generated always as (greatest(upstream_at, unseen_until)) stored,
  primary key (cve_key, kind, subject),
  check ((first_seen is null) = (source_first_seen is null) and (first_seen is null) = (unseen_until is null))
);

create index event_recent on catalog.event (recent_until) include (cve_key, at);

grant select on catalog.event to vis_api;
grant select, insert, update, delete on catalog.event to vis_feeds;

comment on table catalog.event is
  'Additions to and removals from KEV catalogs, and ACSC notices that name a CVE; see catalog/publish/steps/publish-events.ts.';

insert into catalog.event (cve_key, kind, subject, upstream_at)
select cve.cve_key, event.kind, event.subject, date_trunc('second', event.upstream_at)
  from (
         select cve_id, 'kev_added' as kind, '' as subject, date_added::timestamp at time zone 'utc' as upstream_at
           from source.kev_entry
          union all
         select cve_id, 'kev_removed', '', removed_at
           from source.kev_entry
          where removed_at is not null
          union all
         select cve_id, 'eu_kev_added', '', date_listed::timestamp at time zone 'utc'
           from source.eu_kev_entry
          union all
         select cve_id, 'eu_kev_removed', '', removed_at
           from source.eu_kev_entry
          where removed_at is not null
          union all
         select named.cve_id, 'acsc_notice', notice.id, greatest(notice.published, notice.updated)
           from source.acsc_notice_cve named
           join source.acsc_notice notice
             on notice.id = named.notice_id
       ) event
  join catalog.cve
    on cve.cve_key = catalog.cve_key(event.cve_id);
