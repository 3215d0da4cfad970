-- Functions for callers: they read and change watches, read events, and make feeds. Each function takes a credential and
-- finds the account itself; the credential of a feed is its token.

-- How many watches and feeds an account may have; domain/account/plan.ts has the same numbers.
create function notify.plan_limits(plan text, out watches integer, out feeds integer)
  language sql immutable set search_path = ''
as $$
  select most.number, most.number
    from (select case plan when 'free' then 3 when 'pro' then 25 when 'business' then 200 else 1000 end as number) most
$$;

-- Finds the newest events of a watch without reading older ones. The table was made by the migration before, so it has
-- hardly any rows.
-- squawk-ignore require-concurrent-index-creation
create index event_of_watch_by_time on notify.event (watch_id, at);

create view notify.watch as
select saved.id,
       saved.account_id,
       saved.member_id,
       saved.name,
       saved.team,
       saved.query,
       saved.kinds,
       saved.snoozed_until,
       saved.is_paused,
       saved.revision,
       saved.created_at,
       saved.changed_at,
       exists (select from notify.feed feed where feed.watch_id = saved.id) as has_feed
  from accounts.view saved
 where saved.kinds is not null;

-- Rights to watches are rights to shared views (find_view_rights). SQLSTATE VI001: the credential is not valid; VI003: it
-- may not read what the account saved.
create function notify.require_reader(credential text, digest bytea)
  returns bigint
  language plpgsql stable security definer set search_path = ''
as $$
declare
  rights record;
begin
  rights := accounts.read_view_rights(credential, digest);
  if not rights.reads_saved then
    raise exception 'the credential may not read watches' using errcode = 'VI003';
  end if;
  return rights.account_id;
end
$$;

-- The watches of the caller's account, newest first, with the newest event of each and the numbers of its events on this
-- UTC day and the six before, oldest first. A filter that is null is not applied.
create function notify.read_watches(
  credential text, digest bytea, asked_watch bigint, asked_team text, before_id bigint, max_rows integer
)
  returns table (
    watch notify.watch, last_nr bigint, last_type text, last_subject text, last_kinds text[], last_at timestamptz,
    daily integer[]
  )
  language plpgsql stable security definer set search_path = ''
as $$
declare
  own bigint := notify.require_reader(credential, digest);
  today date := (now() at time zone 'utc')::date;
begin
  return query
    select listed, newest.nr, newest.type, news.subject, newest.kinds, newest.at,
           array(
             select count(event.nr)::integer
               from generate_series(today - 6, today, interval '1 day') as each_day (day)
               left join notify.event event
                 on event.watch_id = listed.id
                and event.account_id = own
                and event.at >= each_day.day at time zone 'utc'
                and event.at < (each_day.day + interval '1 day') at time zone 'utc'
              group by each_day.day
              order by each_day.day
           )
      from notify.watch listed
      left join lateral (
        select event.nr, event.type, event.seq, event.subject_key, event.kinds, event.at
          from notify.event event
         where event.watch_id = listed.id and event.account_id = own
         order by event.nr desc
         limit 1
      ) newest on true
      left join notify.news news on news.seq = newest.seq and news.subject_key = newest.subject_key
     where listed.account_id = own
       and (asked_watch is null or listed.id = asked_watch)
       and (asked_team is null or listed.team = asked_team)
       and (before_id is null or listed.id < before_id)
     order by listed.id desc
     limit max_rows;
end
$$;

-- The spans of a watch of the caller's account, oldest first: when it watched for what.
create function notify.read_spans(credential text, digest bytea, asked_watch bigint)
  returns table (revision integer, query text, kinds text[], from_seq bigint, until_seq bigint)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  own bigint := notify.require_reader(credential, digest);
begin
  return query
    select span.revision, span.query, span.kinds, span.from_seq, span.until_seq
      from notify.watch_span span
     where span.watch_id = asked_watch and span.account_id = own
     order by span.from_seq, span.revision;
end
$$;

-- Creates a watch, makes one of a shared view (asked_view, is_new), or changes one if it still has the revision. What is
-- null stays as it is; an empty team is none. `seen` is the newest position of the change log that the node has seen: from
-- there, the watch is judged as it is now.
--
-- The outcome is 'done', 'unknown', 'conflict' (with the watch as it is), 'name' (another shared view has it), 'own' (only
-- shared views can be watched), 'watched' (the view is a watch already), 'limit' (of the plan), 'role' (only admins and
-- owners, and keys with the scope watch, change watches), 'forbidden' (the credential may not read watches), or 'too many'
-- (200 changes of shared views and watches in 24 hours).
create function notify.save_watch(
  credential text, digest bytea, asked_view bigint, expected_revision integer, is_new boolean,
  new_name text, new_query text, new_kinds text[], new_team text, new_paused boolean, seen_seq bigint, seen_tag bigint
)
  returns table (outcome text, watch notify.watch, allowed integer)
  language plpgsql security definer set search_path = ''
as $$
declare
  rights record;
  known accounts.view;
  saved_view accounts.view;
begin
  rights := accounts.begin_view_change(credential, digest);
  select (notify.plan_limits(account.plan)).watches into strict allowed
    from accounts.account account
   where account.id = rights.account_id;
  select saved.* into known
    from accounts.view saved
   where saved.id = asked_view
     and saved.account_id = rights.account_id
     and rights.reads_saved
     and (saved.is_shared or saved.member_id = rights.member_id)
     and (is_new or saved.kinds is not null);
  outcome := case
    when not rights.reads_saved then 'forbidden'
    when asked_view is not null and known.id is null then 'unknown'
    when not rights.shares then 'role'
    when not known.is_shared then 'own'
    when is_new and known.kinds is not null then 'watched'
    when known.revision <> expected_revision then 'conflict'
    when new_name is not null and exists (
      select from accounts.view other
       where other.account_id = rights.account_id
         and other.is_shared
         and other.id is distinct from known.id
         and lower(other.name) = lower(new_name)
    ) then 'name'
    when is_new and (
      select count(*) >= allowed
        from accounts.view other
       where other.account_id = rights.account_id and other.kinds is not null
    ) then 'limit'
    when not is_new and known.is_paused and not coalesce(new_paused, true) and (
      select count(*) >= allowed
        from accounts.view other
       where other.account_id = rights.account_id and other.kinds is not null and not other.is_paused
    ) then 'limit'
    when accounts.has_many_view_changes(rights.account_id) then 'too many'
    else 'done'
  end;
  if outcome = 'done' then
    if known.id is null then
      insert into accounts.view as saved (account_id, member_id, is_shared, name, query, kinds, team)
      values (rights.account_id, rights.member_id, true, new_name, new_query, new_kinds, nullif(new_team, ''))
      returning saved.* into saved_view;
    else
      update accounts.view saved
         set name = coalesce(new_name, saved.name),
             query = coalesce(new_query, saved.query),
             kinds = coalesce(new_kinds, saved.kinds),
             team = case when new_team is null then saved.team else nullif(new_team, '') end,
             is_paused = coalesce(new_paused, saved.is_paused),
             revision = saved.revision + 1,
             changed_at = now()
       where saved.id = known.id
      returning saved.* into saved_view;
    end if;
    perform notify.follow_watch(known, saved_view, seen_seq, seen_tag);
    insert into accounts.audit (actor, action, account_id, details)
    values (rights.actor, case when is_new then 'watch.create' else 'watch.change' end, rights.account_id,
            jsonb_build_object('watch_id', saved_view.id::text));
  end if;
  if outcome not in ('unknown', 'forbidden') then
    select listed.* into watch from notify.watch listed where listed.id = coalesce(saved_view.id, known.id);
  end if;
  return next;
end
$$;

-- Ends and begins spans after a watch changed. A new name or team needs no span.
create function notify.follow_watch(old accounts.view, new accounts.view, seen_seq bigint, seen_tag bigint) returns void
  language plpgsql set search_path = ''
as $$
declare
  was_followed boolean := old.kinds is not null and not old.is_paused;
  is_followed boolean := new.kinds is not null and not new.is_paused;
  begin_seq bigint;
  begin_tag bigint;
begin
  if was_followed and is_followed and old.query = new.query and old.kinds = new.kinds then
    return;
  end if;
  if was_followed then
    select ended.seq, ended.tag into begin_seq, begin_tag from notify.end_span(old.id, seen_seq, seen_tag) ended;
  end if;
  if begin_seq is null then
    -- A watch that was paused begins after what was judged before.
    select ends.seq, ends.tag into begin_seq, begin_tag
      from (
        select seen_seq as seq, seen_tag as tag
         union all
        select evaluator.seq, evaluator.tag from notify.evaluator evaluator
      ) ends
     where ends.seq is not null
     order by ends.seq desc
     limit 1;
  end if;
  if is_followed then
    perform notify.begin_span(new.id, new.revision, new.account_id, new.query, new.kinds, begin_seq, begin_tag);
  end if;
end
$$;

-- Ends a watch: its view is removed too, or stays as a plain one. Its events stay for their time, and so do triage entries
-- that muted CVEs in it. Outcomes as of save_watch; 'shared limit' if the view cannot stay because the account has 100
-- plain shared ones.
create function notify.remove_watch(
  credential text, digest bytea, asked_watch bigint, expected_revision integer, keeps_view boolean,
  seen_seq bigint, seen_tag bigint
)
  returns table (outcome text, watch notify.watch)
  language plpgsql security definer set search_path = ''
as $$
declare
  rights record;
begin
  rights := accounts.begin_view_change(credential, digest);
  select listed.* into watch
    from notify.watch listed
   where listed.id = asked_watch and listed.account_id = rights.account_id and rights.reads_saved;
  outcome := case
    when not rights.reads_saved then 'forbidden'
    when (watch).id is null then 'unknown'
    when not rights.shares then 'role'
    when (watch).revision <> expected_revision then 'conflict'
    when keeps_view and (
      select count(*) >= 100
        from accounts.view other
       where other.account_id = rights.account_id and other.is_shared and other.kinds is null
    ) then 'shared limit'
    when accounts.has_many_view_changes(rights.account_id) then 'too many'
    else 'done'
  end;
  if outcome = 'done' then
    perform notify.end_span(asked_watch, seen_seq, seen_tag);
    delete from notify.feed feed where feed.watch_id = asked_watch;
    if keeps_view then
      update accounts.view saved
         set kinds = null, team = null, snoozed_until = null, is_paused = false, revision = saved.revision + 1,
             changed_at = now()
       where saved.id = asked_watch;
    else
      delete from accounts.view saved where saved.id = asked_watch;
    end if;
    insert into accounts.audit (actor, action, account_id, details)
    values (rights.actor, 'watch.remove', rights.account_id,
            jsonb_build_object('watch_id', asked_watch::text, 'kept_view', keeps_view));
  end if;
  return next;
end
$$;

-- Snoozes a watch until a time; null ends a snooze. Outcomes as of save_watch.
create function notify.snooze_watch(credential text, digest bytea, asked_watch bigint, new_until timestamptz)
  returns table (outcome text, watch notify.watch)
  language plpgsql security definer set search_path = ''
as $$
declare
  rights record;
begin
  rights := accounts.begin_view_change(credential, digest);
  outcome := case
    when not rights.reads_saved then 'forbidden'
    when not exists (
      select from notify.watch listed where listed.id = asked_watch and listed.account_id = rights.account_id
    ) then 'unknown'
    when not rights.shares then 'role'
    when accounts.has_many_view_changes(rights.account_id) then 'too many'
    else 'done'
  end;
  if outcome = 'done' then
    update accounts.view saved set snoozed_until = new_until where saved.id = asked_watch;
    insert into accounts.audit (actor, action, account_id, details)
    values (rights.actor, 'watch.snooze', rights.account_id, jsonb_strip_nulls(jsonb_build_object(
      'watch_id', asked_watch::text,
      'until', to_char(new_until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))));
    select listed.* into watch from notify.watch listed where listed.id = asked_watch;
  end if;
  return next;
end
$$;

-- Makes the feed of a watch, or gives it another address, so that the one before ends. Outcomes as of save_watch; 'exists'
-- (a new feed, but there is one), 'none' (there is no feed to give another address).
create function notify.make_feed(
  credential text, digest bytea, asked_watch bigint, new_digest bytea, is_rotation boolean
)
  returns table (outcome text, watch notify.watch, allowed integer)
  language plpgsql security definer set search_path = ''
as $$
declare
  rights record;
begin
  rights := accounts.begin_view_change(credential, digest);
  select (notify.plan_limits(account.plan)).feeds into strict allowed
    from accounts.account account
   where account.id = rights.account_id;
  select listed.* into watch
    from notify.watch listed
   where listed.id = asked_watch and listed.account_id = rights.account_id and rights.reads_saved;
  outcome := case
    when not rights.reads_saved then 'forbidden'
    when (watch).id is null then 'unknown'
    when not rights.shares then 'role'
    when not is_rotation and (watch).has_feed then 'exists'
    when is_rotation and not (watch).has_feed then 'none'
    when not is_rotation and (
      select count(*) >= allowed
        from notify.watch other
       where other.account_id = rights.account_id and other.has_feed
    ) then 'limit'
    when accounts.has_many_view_changes(rights.account_id) then 'too many'
    else 'done'
  end;
  if outcome = 'done' then
    insert into notify.feed as stored (watch_id, token_digest)
    values (asked_watch, new_digest)
        on conflict (watch_id) do update set token_digest = excluded.token_digest, created_at = now(), read_at = null;
    insert into accounts.audit (actor, action, account_id, details)
    values (rights.actor, case when is_rotation then 'watch.rotate_feed' else 'watch.make_feed' end, rights.account_id,
            jsonb_build_object('watch_id', asked_watch::text));
    select listed.* into watch from notify.watch listed where listed.id = asked_watch;
  end if;
  return next;
end
$$;

-- Ends the feed of a watch. Outcomes as of make_feed. It is always possible: a leaked address must not stay valid because
-- the account has made too many changes.
create function notify.remove_feed(credential text, digest bytea, asked_watch bigint)
  returns table (outcome text, watch notify.watch)
  language plpgsql security definer set search_path = ''
as $$
declare
  rights record;
begin
  rights := accounts.begin_view_change(credential, digest);
  select listed.* into watch
    from notify.watch listed
   where listed.id = asked_watch and listed.account_id = rights.account_id and rights.reads_saved;
  outcome := case
    when not rights.reads_saved then 'forbidden'
    when (watch).id is null then 'unknown'
    when not rights.shares then 'role'
    when not (watch).has_feed then 'none'
    else 'done'
  end;
  if outcome = 'done' then
    delete from notify.feed feed where feed.watch_id = asked_watch;
    insert into accounts.audit (actor, action, account_id, details)
    values (rights.actor, 'watch.remove_feed', rights.account_id, jsonb_build_object('watch_id', asked_watch::text));
    select listed.* into watch from notify.watch listed where listed.id = asked_watch;
  end if;
  return next;
end
$$;

-- The bounds of the events of the caller's account, and up to where the watches were judged.
create function notify.read_inbox(credential text, digest bytea)
  returns table (oldest_nr bigint, newest_nr bigint, judged_seq bigint, judged_tag bigint, judged_at timestamptz)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  own bigint := notify.require_reader(credential, digest);
begin
  return query
    select coalesce((select min(event.nr) from notify.event event where event.account_id = own), inbox.newest + 1),
           inbox.newest, evaluator.seq, evaluator.tag, evaluator.at
      from notify.evaluator evaluator
      cross join (
        select coalesce((select stored.last_nr from notify.inbox stored where stored.account_id = own), 0) as newest
      ) inbox;
end
$$;

create view notify.told as
select event.account_id,
       event.nr,
       event.watch_id,
       saved.name as watch_name,
       saved.team as watch_team,
       event.seq,
       event.type,
       event.kinds,
       event.entered_by,
       event.is_muted,
       event.at,
       event.detail,
       news.subject,
       news.at as recorded_at,
       news.upstream_day,
       news.types,
       news.diff,
       news.record
  from notify.event event
  left join notify.news news on news.seq = event.seq and news.subject_key = event.subject_key
  left join accounts.view saved
    on saved.id = event.watch_id and saved.account_id = event.account_id and saved.kinds is not null;

-- The events of the caller's account after a number, in their order; or before one, newest first. A filter that is null is
-- not applied. Events about no single CVE are among those of all kinds.
create function notify.read_events(
  credential text, digest bytea, asked_watch bigint, asked_team text, asked_kinds text[], asked_muted boolean,
  after_nr bigint, before_nr bigint, max_rows integer
)
  returns setof notify.told
  language plpgsql stable security definer set search_path = ''
as $$
declare
  own bigint := notify.require_reader(credential, digest);
begin
  -- Two statements, so that each reads the index in its order.
  if before_nr is null then
    return query
      select listed.*
        from notify.told listed
       where listed.account_id = own
         and (asked_watch is null or listed.watch_id = asked_watch)
         and (asked_team is null or listed.watch_team = asked_team)
         and (asked_muted is null or listed.is_muted = asked_muted)
         and (asked_kinds is null or listed.type <> 'matched' or listed.kinds && asked_kinds)
         and listed.nr > after_nr
       order by listed.nr
       limit max_rows;
  else
    return query
      select listed.*
        from notify.told listed
       where listed.account_id = own
         and (asked_watch is null or listed.watch_id = asked_watch)
         and (asked_team is null or listed.watch_team = asked_team)
         and (asked_muted is null or listed.is_muted = asked_muted)
         and (asked_kinds is null or listed.type <> 'matched' or listed.kinds && asked_kinds)
         and listed.nr < before_nr
       order by listed.nr desc
       limit max_rows;
  end if;
end
$$;

-- For calls that wait for events, all in one statement: which of them has one, and the newest number of its account. Each is
-- an object with credential, digest (hexadecimal), watch, team, kinds, muted and after. A credential that is no longer valid has no row.
create function notify.find_awaited(waits jsonb)
  returns table (wait_position integer, is_found boolean, newest_nr bigint)
  language sql stable security definer set search_path = ''
as $$
  select asked.place::integer - 1,
         exists (
           select from notify.event event
            where event.account_id = rights.account_id
              and event.nr > (asked.wait ->> 'after')::bigint
              and (asked.wait ->> 'watch' is null or event.watch_id = (asked.wait ->> 'watch')::bigint)
              and (asked.wait ->> 'muted' is null or event.is_muted = (asked.wait ->> 'muted')::boolean)
              and (asked.wait ->> 'team' is null or exists (
                select from accounts.view saved
                 where saved.id = event.watch_id
                   and saved.account_id = rights.account_id
                   and saved.team = asked.wait ->> 'team'
              ))
              and (asked.wait -> 'kinds' = 'null'
                   or event.type <> 'matched'
                   or event.kinds && array(select jsonb_array_elements_text(asked.wait -> 'kinds')))
         ),
         coalesce(inbox.last_nr, 0)
    from jsonb_array_elements(waits) with ordinality as asked (wait, place)
    cross join lateral accounts.find_view_rights(
      asked.wait ->> 'credential', decode(asked.wait ->> 'digest', 'hex')) rights
    left join notify.inbox inbox on inbox.account_id = rights.account_id
   where rights.reads_saved
$$;

-- Which of these digests belong to feeds of accounts that are not suspended.
create function notify.find_feeds(digests bytea[]) returns setof bytea
  language sql stable security definer set search_path = ''
as $$
  select feed.token_digest
    from notify.feed feed
    join accounts.view saved on saved.id = feed.watch_id
    join accounts.account account on account.id = saved.account_id
   where feed.token_digest = any (digests) and account.suspended_at is null
$$;

-- The newest events of a feed's watch without muted ones, newest first, each with the name of the watch; one row without an
-- event if there is none. Notes the use of the feed, at most once an hour.
create function notify.read_feed(asked_digest bytea, max_rows integer)
  returns table (watch_id bigint, watch_name text, changed_at timestamptz, event notify.told)
  language plpgsql security definer set search_path = ''
as $$
begin
  update notify.feed feed
     set read_at = now()
   where feed.watch_id = (
           select used.watch_id
             from notify.feed used
            where used.token_digest = asked_digest
              and (used.read_at is null or used.read_at < now() - interval '1 hour')
              for update skip locked
         );
  return query
    select saved.id, saved.name, saved.changed_at, listed.told
      from notify.feed feed
      join accounts.view saved on saved.id = feed.watch_id
      join accounts.account account on account.id = saved.account_id and account.suspended_at is null
      left join lateral (
        select told
          from notify.told told
         where told.watch_id = feed.watch_id and told.account_id = saved.account_id and not told.is_muted
         order by told.nr desc
         limit max_rows
      ) listed on true
     where feed.token_digest = asked_digest;
end
$$;

grant execute on function
  notify.read_watches(text, bytea, bigint, text, bigint, integer),
  notify.read_spans(text, bytea, bigint),
  notify.save_watch(text, bytea, bigint, integer, boolean, text, text, text[], text, boolean, bigint, bigint),
  notify.remove_watch(text, bytea, bigint, integer, boolean, bigint, bigint),
  notify.snooze_watch(text, bytea, bigint, timestamptz),
  notify.make_feed(text, bytea, bigint, bytea, boolean),
  notify.remove_feed(text, bytea, bigint),
  notify.read_inbox(text, bytea),
  notify.read_events(text, bytea, bigint, text, text[], boolean, bigint, bigint, integer),
  notify.find_awaited(jsonb),
  notify.find_feeds(bytea[]),
  notify.read_feed(bytea, integer)
  to vis_api;
