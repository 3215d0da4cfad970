-- Watches: shared views that tell their account when a CVE enters the search, or when something happens to a CVE inside it.
-- One process, the evaluator, follows the catalog's change log, judges each change against the watches, and writes what
-- they tell as events. Positions of the log and CVEs refer to the catalog, which may be in another database.
create schema notify;

grant usage on schema notify to vis_api, vis_notify, vis_jobs;
grant usage on schema accounts to vis_notify;
grant select on accounts.migration to vis_notify;

alter table accounts.view
  -- The kinds of events that the watch asks for (domain/watch/kinds.ts); null for a view that is no watch.
  add column kinds         text[]      check (cardinality(kinds) between 1 and 50),
  -- For whom the events are, in the account's own words.
  add column team          text        check (length(team) between 1 and 60),
  -- Until then, nothing is sent; events are still recorded.
  add column snoozed_until timestamptz,
  -- A paused watch has no open span, so it tells nothing.
  add column is_paused     boolean     not null default false,
  -- New columns, so every row meets both.
  add constraint view_watch_is_shared check (kinds is null or is_shared) not valid,
  add constraint view_paused_is_watch check (kinds is not null or (not is_paused and snoozed_until is null)) not valid;

-- A triage entry can mute a CVE in a watch; its scope is then watch: and the id of the view.
alter table accounts.triage_entry
  drop constraint triage_entry_kind_check,
  add constraint triage_entry_kind_check check (kind in ('all', 'package', 'product', 'watch')) not valid,
  add constraint triage_entry_watch_scope check ((kind = 'watch') = (scope ~ '^watch:\d{1,18}$')) not valid;

-- One row: the position in the change log up to which all watches were judged. Whoever judges locks it, so only one process
-- judges at a time, and the events, their numbers and the position are written in one transaction.
create table notify.evaluator (
  is_current boolean     primary key default true check (is_current),
  -- Null until a process judges for the first time: it begins at the newest position.
  seq        bigint,
  tag        bigint,
  at         timestamptz not null default now(),
  check ((seq is null) = (tag is null))
) with (fillfactor = 50);

insert into notify.evaluator default values;

-- Numbers the changes of spans, so that the evaluator finds those that it does not know yet.
create sequence notify.span_change;

-- One revision of a watch, from one position of the change log to another. A change is judged by the span with
-- from_seq < seq <= until_seq, so which events exist depends on the log and the spans, and not on when the evaluator
-- met them. No reference to the view: a removed watch is judged to the end of its last span.
create table notify.watch_span (
  watch_id   bigint  not null,
  revision   integer not null,
  account_id bigint  not null references accounts.account,
  -- As in accounts.view.
  query      text    not null,
  kinds      text[]  not null,
  from_seq   bigint  not null,
  from_tag   bigint  not null,
  -- Null for the span that is open.
  until_seq  bigint  check (until_seq >= from_seq),
  -- Up to here the span was judged; null: as far as notify.evaluator.
  done_seq   bigint  check (done_seq >= from_seq),
  done_tag   bigint,
  change_nr  bigint  not null default nextval('notify.span_change'),
  primary key (watch_id, revision),
  check ((done_seq is null) = (done_tag is null))
);

create unique index watch_span_open on notify.watch_span (watch_id) where until_seq is null;
create index watch_span_change on notify.watch_span (change_nr);
-- The spans that are not judged as far as the others.
create index watch_span_done on notify.watch_span (done_seq) where done_seq is not null;
create index watch_span_account on notify.watch_span (account_id);

-- An account's events are numbered without gaps, in the order in which they become visible: whoever writes events locks
-- the row.
create table notify.inbox (
  account_id bigint primary key references accounts.account,
  last_nr    bigint not null check (last_nr >= 0)
) with (fillfactor = 50);

-- A change that at least one event is about: what all of them say.
create table notify.news (
  -- Number of the change in catalog.change.
  seq          bigint      not null,
  -- As catalog.cve_key; negative for an advisory without a CVE.
  subject_key  bigint      not null,
  -- Id of the CVE.
  subject      text        not null,
  -- When the change was recorded.
  at           timestamptz not null,
  -- As in catalog.change.
  upstream_day date,
  types        text[]      not null,
  diff         jsonb       not null,
  -- Some members of the record after the change; null if no source lists the CVE any more.
  record       jsonb,
  primary key (seq, subject_key)
);

create table notify.event (
  account_id  bigint      not null,
  nr          bigint      not null,
  -- The id of the view, also after its removal; null for an event of the account.
  watch_id    bigint,
  -- Number of a change in catalog.change, and whom it is about; null for events about no single CVE.
  seq         bigint,
  subject_key bigint,
  -- matched: a row of notify.news. recalculated: CVEs entered or left because we judge differently. gap: the watch was not
  -- judged between two positions.
  type        text        not null check (type in ('matched', 'recalculated', 'gap')),
  -- Why the watch tells it; empty unless the type is matched.
  kinds       text[]      not null,
  -- For `entered`: the filters that did not hold before; 'published' for a new CVE.
  entered_by  text[]      not null default '{}',
  is_muted    boolean     not null default false,
  at          timestamptz not null,
  -- Counts, ids and positions of recalculated and gap.
  detail      jsonb,
  primary key (account_id, nr),
  check ((type = 'matched') = (subject_key is not null and cardinality(kinds) > 0 and detail is null)),
  check (subject_key is null or seq is not null)
);

-- One event per watch, change and CVE. The order of the columns finds the events of a row of notify.news.
create unique index event_once on notify.event (seq, subject_key, watch_id);
create index event_of_watch on notify.event (watch_id, nr);

-- CVEs that entered or left a watch because we judge differently, until they become one event (recalculated): when no
-- further change of the cause was recorded for a while.
create table notify.recalculation (
  watch_id   bigint not null,
  cause      text   not null,
  account_id bigint not null references accounts.account,
  first_seq  bigint not null,
  last_seq   bigint not null check (last_seq >= first_seq),
  -- Numbers of CVEs by level, and the first ids.
  detail     jsonb  not null,
  primary key (watch_id, cause)
);

-- The newest changes with such a cause, as far as they were judged: no two neighbours are far apart in time.
create table notify.recalculation_wave (
  cause     text        primary key,
  first_seq bigint      not null,
  last_seq  bigint      not null check (last_seq >= first_seq),
  -- When the last one was recorded.
  last_at   timestamptz not null,
  -- False once its events were written.
  is_open   boolean     not null
);

-- Secret addresses that show the events of a watch.
create table notify.feed (
  watch_id     bigint      primary key,
  token_digest bytea       not null unique check (length(token_digest) = 32),
  created_at   timestamptz not null default now(),
  read_at      timestamptz
);

-- How far a member has read the account's events.
create table notify.read_mark (
  member_id  bigint      primary key references accounts.member,
  account_id bigint      not null references accounts.account,
  nr         bigint      not null check (nr >= 0),
  at         timestamptz not null default now()
);

create index recalculation_account on notify.recalculation (account_id);
create index read_mark_account on notify.read_mark (account_id);

-- Opens a span of a watch that has no open one. For the functions that change watches; see end_span.
create function notify.begin_span(
  changed_watch bigint, new_revision integer, owner_account bigint, new_query text, new_kinds text[],
  begin_seq bigint, begin_tag bigint
)
  returns void
  language plpgsql set search_path = ''
as $$
begin
  lock table notify.watch_span in row exclusive mode;
  insert into notify.watch_span
    (watch_id, revision, account_id, query, kinds, from_seq, from_tag, done_seq, done_tag)
  values (changed_watch, new_revision, owner_account, new_query, new_kinds, begin_seq, begin_tag, begin_seq, begin_tag);
end
$$;

-- Ends the open span of a watch at the position that the caller's node has seen, or later if the watch was judged beyond it:
-- what was told stays true. Returns the position, at which the next span of the watch begins; null without an open span.
-- The lock waits while the evaluator commits, which takes milliseconds.
create function notify.end_span(changed_watch bigint, seen_seq bigint, seen_tag bigint, out seq bigint, out tag bigint)
  language plpgsql set search_path = ''
as $$
begin
  lock table notify.watch_span in row exclusive mode;
  select ends.seq, ends.tag
    into end_span.seq, end_span.tag
    from notify.watch_span span
    cross join notify.evaluator evaluator
    cross join lateral (values (seen_seq, seen_tag), (span.done_seq, span.done_tag), (evaluator.seq, evaluator.tag))
                    as ends (seq, tag)
   where span.watch_id = changed_watch and span.until_seq is null and ends.seq is not null
   order by ends.seq desc
   limit 1;
  update notify.watch_span span
     set until_seq = end_span.seq, change_nr = nextval('notify.span_change')
   where span.watch_id = changed_watch and span.until_seq is null;
end
$$;

-- Deletes up to max_rows old events and what only they needed, and returns how many events. `days` has the number of days
-- for which events are kept, by plan; fewer than 30 are refused, so that nobody can empty the inboxes this way.
create function notify.delete_old_events(days jsonb, max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  deleted integer := 0;
  old record;
  seqs bigint[];
  subject_keys bigint[];
begin
  if exists (select from jsonb_each_text(days) each where each.value::integer < 30) then
    raise exception 'events are kept for at least 30 days' using errcode = 'invalid_parameter_value';
  end if;
  for old in
    select inbox.account_id, now() - make_interval(days => (days ->> account.plan)::integer) as before
      from notify.inbox inbox
      join accounts.account account on account.id = inbox.account_id
  loop
    -- Events become visible in the order of their numbers, so the oldest have the lowest.
    with oldest as materialized (
      select event.nr, event.at
        from notify.event event
       where event.account_id = old.account_id
       order by event.nr
       limit max_rows - deleted
    ), gone as (
      delete from notify.event event
       using oldest
       where event.account_id = old.account_id and event.nr = oldest.nr and oldest.at < old.before
      returning event.seq, event.subject_key
    )
    select coalesce(array_agg(gone.seq), '{}'), coalesce(array_agg(gone.subject_key), '{}') into seqs, subject_keys from gone;
    deleted := deleted + cardinality(seqs);
    delete from notify.news news
     using (select distinct pair.seq, pair.subject_key from unnest(seqs, subject_keys) pair (seq, subject_key)) pair
     where news.seq = pair.seq
       and news.subject_key = pair.subject_key
       and not exists (
         select from notify.event event where event.seq = pair.seq and event.subject_key = pair.subject_key
       );
    exit when deleted >= max_rows;
  end loop;
  return deleted;
end
$$;

grant execute on function notify.delete_old_events(jsonb, integer) to vis_jobs;

-- The evaluator's login reads and writes what it needs for its own work: no credentials, no addresses, no credits.
grant select on notify.evaluator, notify.watch_span, notify.inbox, notify.news, notify.event, notify.recalculation,
                notify.recalculation_wave
  to vis_notify;
grant update on notify.evaluator, notify.watch_span, notify.inbox, notify.recalculation, notify.recalculation_wave
  to vis_notify;
grant insert on notify.inbox, notify.news, notify.event, notify.recalculation, notify.recalculation_wave to vis_notify;
grant delete on notify.watch_span, notify.recalculation to vis_notify;
-- After a restore of the catalog, changes get numbers again that events already have: those events get other numbers.
grant update (seq) on notify.news, notify.event to vis_notify;
-- Which CVEs are muted in which watches.
grant select (account_id, cve_id, kind, scope, state, until, unless, level, is_exploited) on accounts.triage_state
  to vis_notify;
