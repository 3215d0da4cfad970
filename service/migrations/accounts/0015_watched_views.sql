-- Functions of views, triage and read marks, which now know watches.

-- As before, with one more outcome: 'watched', for a change of the query of a view that is watched, or of its sharing: the
-- watch is changed instead, so that it tells exactly what it says. Watches do not count towards the limit of views.
create or replace function accounts.save_view(
  credential text, digest bytea, asked_view bigint, expected_revision integer,
  new_name text, new_query text, new_columns text[], new_place integer, new_shared boolean
)
  returns table (outcome text, view accounts.view, is_own boolean)
  language plpgsql security definer set search_path = ''
as $$
declare
  rights record;
  known accounts.view;
  will_share boolean;
begin
  rights := accounts.begin_view_change(credential, digest);
  select saved.* into known
    from accounts.view saved
   where saved.id = asked_view
     and saved.account_id = rights.account_id
     and rights.reads_saved
     and (saved.is_shared or saved.member_id = rights.member_id);
  will_share := coalesce(new_shared, known.is_shared, rights.member_id is null);
  outcome := case
    when not rights.reads_saved then 'forbidden'
    when asked_view is not null and known.id is null then 'unknown'
    when not will_share and rights.member_id is null then 'member'
    when (will_share or known.is_shared) and not rights.shares then 'role'
    when known.is_shared and not will_share and known.member_id is distinct from rights.member_id then 'owner'
    when known.revision <> expected_revision then 'conflict'
    when known.kinds is not null and (known.query <> new_query or not will_share) then 'watched'
    when exists (
      select from accounts.view other
       where other.id is distinct from known.id
         and lower(other.name) = lower(new_name)
         and case when will_share then other.is_shared and other.account_id = rights.account_id
                  else not other.is_shared and other.member_id = rights.member_id end
    ) then 'name'
    when known.is_shared is distinct from will_share and (
      select count(*) >= case when will_share then 100 else 50 end
        from accounts.view other
       where case when will_share then other.is_shared and other.account_id = rights.account_id
                  else not other.is_shared and other.member_id = rights.member_id end
         and other.kinds is null
    ) then case when will_share then 'shared limit' else 'limit' end
    when (will_share or known.is_shared) and accounts.has_many_view_changes(rights.account_id) then 'too many'
    else 'done'
  end;
  if outcome = 'done' and known.id is null then
    insert into accounts.view as saved (account_id, member_id, is_shared, name, query, columns, place)
    values (rights.account_id, rights.member_id, will_share, new_name, new_query, new_columns, coalesce(new_place, 0))
    returning saved.* into view;
  elsif outcome = 'done' then
    update accounts.view saved
       set is_shared = will_share, name = new_name, query = new_query, columns = new_columns,
           place = coalesce(new_place, saved.place), revision = saved.revision + 1, changed_at = now()
     where saved.id = known.id
    returning saved.* into view;
  elsif outcome <> 'unknown' then
    view := known;
  end if;
  is_own := coalesce((view).member_id = rights.member_id, false);
  if outcome = 'done' and (will_share or known.is_shared) then
    insert into accounts.audit (actor, action, account_id, details)
    values (rights.actor, case when known.id is null then 'view.create' else 'view.change' end, rights.account_id,
            jsonb_build_object('view_id', (view).id::text, 'shared', will_share));
  end if;
  return next;
end
$$;

-- As before, with one more outcome: 'watched'. Whoever removes a view must not end a watch without noticing.
create or replace function accounts.remove_view(credential text, digest bytea, asked_view bigint, expected_revision integer)
  returns table (outcome text, view accounts.view, is_own boolean)
  language plpgsql security definer set search_path = ''
as $$
declare
  rights record;
begin
  rights := accounts.begin_view_change(credential, digest);
  select saved.* into view
    from accounts.view saved
   where saved.id = asked_view
     and saved.account_id = rights.account_id
     and rights.reads_saved
     and (saved.is_shared or saved.member_id = rights.member_id);
  is_own := coalesce((view).member_id = rights.member_id, false);
  outcome := case
    when not rights.reads_saved then 'forbidden'
    when (view).id is null then 'unknown'
    when (view).is_shared and not rights.shares then 'role'
    when (view).revision <> expected_revision then 'conflict'
    when (view).kinds is not null then 'watched'
    when (view).is_shared and accounts.has_many_view_changes(rights.account_id) then 'too many'
    else 'done'
  end;
  if outcome = 'done' then
    delete from accounts.view saved where saved.id = (view).id;
    if (view).is_shared then
      insert into accounts.audit (actor, action, account_id, details)
      values (rights.actor, 'view.remove', rights.account_id, jsonb_build_object('view_id', (view).id::text));
    end if;
  end if;
  return next;
end
$$;

-- As before, with the changes of watches: both are changes of what the account saved.
create or replace function accounts.has_many_view_changes(asked_account bigint) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select count(*) >= 200
    from accounts.audit entry
   where entry.account_id = asked_account
     and entry.at > now() - interval '24 hours'
     and entry.action ~ '^(view|watch)\.'
$$;

-- As before, but changes of watches do not count either.
create or replace function accounts.begin_change(
  credential text, digest bytea, is_reduction boolean default false,
  out account_id bigint, out actor text, out is_owner boolean, out own accounts.key_state
)
  language plpgsql security definer set search_path = ''
as $$
begin
  account_id := (accounts.require_actor(credential, digest)).account_id;
  -- Charges and sign-ins also reference the account, but this lock does not delay them.
  perform from accounts.account account where account.id = begin_change.account_id for no key update;
  select found.actor, found.role = 'owner' into actor, is_owner from accounts.require_actor(credential, digest) found;
  select state.* into own
    from accounts.key_state state
    join accounts.api_key key on key.id = state.id
   where credential = 'key' and key.digest = begin_change.digest;
  if not is_reduction and credential <> 'operator' and (
      select count(*) >= 200
        from accounts.audit entry
       where entry.account_id = begin_change.account_id
         and entry.at > now() - interval '24 hours'
         and entry.actor ~ '^(key|member):'
         and entry.action !~ '^(view|watch|triage)\.'
  ) then
    raise exception 'the account has made too many changes' using errcode = 'VI009';
  end if;
end
$$;

-- As before, with one more outcome: 'no watch', if a state is set for a watch that the account does not have. What muted CVEs
-- in a watch that was removed stays, is listed, has no effect, and can be removed: ids are never used again.
create or replace function accounts.change_triage(credential text, digest bytea, cause text, changes jsonb)
  returns table (change_position integer, outcome text, entry accounts.triage_state)
  language plpgsql security definer set search_path = ''
as $$
declare
  own record;
  allowed integer;
  used accounts.triage_use;
  today date;
  wanted record;
  change jsonb;
  known accounts.triage_entry;
  is_set boolean;
  done text[] := '{}';
  removed integer := 0;
  states text[] := '{}';
begin
  if jsonb_array_length(changes) > 500 or cause not in ('set', 'remove', 'import') then
    raise exception 'a call makes at most 500 changes, for a known cause' using errcode = 'invalid_parameter_value';
  end if;
  own := accounts.require_triage(credential, digest, true);
  insert into accounts.triage_use (account_id, entries, day, changes)
  values (own.account_id, 0, current_date, 0)
      on conflict (account_id) do nothing;
  select * into strict used from accounts.triage_use stored where stored.account_id = own.account_id for update;
  -- The credential may have lost its rights while the call waited for the lock.
  own := accounts.require_triage(credential, digest, true);
  select case account.plan when 'free' then 1000 when 'pro' then 5000 when 'business' then 10000 else 20000 end
    into strict allowed
    from accounts.account account
   where account.id = own.account_id;
  today := (clock_timestamp() at time zone 'utc')::date;
  if used.day <> today then
    used.day := today;
    used.changes := 0;
  end if;
  for wanted in select each.value, each.position::integer - 1 as place
                  from jsonb_array_elements(changes) with ordinality as each (value, position)
                 order by each.position
  loop
    change := wanted.value;
    change_position := wanted.place;
    select * into known
      from accounts.triage_entry stored
     where stored.account_id = own.account_id
       and stored.cve_id = change ->> 'cve_id'
       and stored.scope = change ->> 'scope'
       and stored.versions = change ->> 'versions';
    is_set := exists (select from accounts.triage_state stored where stored.id = known.id);
    outcome := case
      when not is_set and change ->> 'state' is null then 'unknown'
      when change ->> 'state' is not null and change ->> 'kind' = 'watch' and not exists (
        select from accounts.view saved
         where saved.id = substring(change ->> 'scope' from '^watch:(\d{1,18})$')::bigint
           and saved.account_id = own.account_id
           and saved.kinds is not null
      ) then 'no watch'
      when (change ->> 'revision')::integer <> case when is_set then known.revision else 0 end then 'conflict'
      when used.changes >= 2 * allowed and change ->> 'state' is not null then 'too many'
      when not is_set and used.entries >= allowed then 'limit'
      else 'done'
    end;
    if outcome = 'done' then
      insert into accounts.triage_entry as stored (account_id, cve_id, kind, scope, versions, revision)
      values (own.account_id, change ->> 'cve_id', change ->> 'kind', change ->> 'scope', change ->> 'versions', 1)
          on conflict (account_id, cve_id, scope, versions) do update set revision = stored.revision + 1
      returning stored.* into known;
      insert into accounts.triage_revision (
        entry_id, revision, at, actor, state, justification, impact_statement, action_statement, note, until, unless,
        level, is_exploited)
      values (
        known.id, known.revision, clock_timestamp(), own.actor, change ->> 'state', change ->> 'justification',
        change ->> 'impact_statement', change ->> 'action_statement', change ->> 'note', (change ->> 'until')::date,
        array(select jsonb_array_elements_text(coalesce(change -> 'unless', '[]'))),
        change ->> 'level', coalesce((change ->> 'is_exploited')::boolean, false));
      used.changes := used.changes + 1;
      if change ->> 'state' is null then
        used.entries := used.entries - 1;
        removed := removed + 1;
      else
        states := states || (change ->> 'state');
        used.entries := used.entries + case when is_set then 0 else 1 end;
      end if;
      done := done || (change ->> 'cve_id');
    end if;
    entry := null;
    select stored.* into entry from accounts.triage_state stored where stored.id = known.id;
    return next;
  end loop;
  if done <> '{}' then
    update accounts.triage_use stored
       set entries = used.entries, day = used.day, changes = used.changes
     where stored.account_id = own.account_id;
    insert into accounts.audit (actor, action, account_id, details)
    values (own.actor, 'triage.' || cause, own.account_id, jsonb_build_object(
      'set', cardinality(done) - removed,
      'removed', removed,
      'cve_ids', to_jsonb(array(select distinct id from unnest(done[1:20]) id order by id)))
      || case when states = '{}' then '{}' else jsonb_build_object('states', (
        select jsonb_object_agg(counted.state, counted.total)
          from (select each.state, count(*) as total from unnest(states) as each (state) group by each.state) counted
      )) end);
  end if;
end
$$;

-- As before, with the member's position in the events.
create or replace function accounts.forget_member() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from accounts.view saved where saved.member_id = new.id and not saved.is_shared;
  update accounts.view saved set member_id = null where saved.member_id = new.id;
  delete from accounts.member_seen seen where seen.member_id = new.id;
  delete from notify.read_mark mark where mark.member_id = new.id;
  return null;
end
$$;

drop function accounts.mark_seen(text, bytea, text);
drop function accounts.read_own_member(text, bytea);

-- The member of a session, how far the member has read the change log and the account's events, and how many later events
-- there are, counted up to 1,001. Muted events and those of snoozed watches are not counted. Empty for a key, and for a
-- session opened with one.
create function accounts.read_own_member(credential text, digest bytea)
  returns table (
    member accounts.member_state, seen_position text, seen_at timestamptz, last_visit text, last_visit_at timestamptz,
    events_seen bigint, events_newest bigint, events_unread integer
  )
  language sql stable security definer set search_path = ''
as $$
  select member, seen.position, seen.seen_at, seen.last_visit, seen.last_visit_at,
         mark.nr, coalesce(inbox.last_nr, 0),
         (select count(*)::integer
            from (
              select
                from notify.event event
                left join accounts.view saved on saved.id = event.watch_id and saved.account_id = event.account_id
               where event.account_id = rights.account_id
                 and event.nr > coalesce(mark.nr, 0)
                 and not event.is_muted
                 and (saved.snoozed_until is null or saved.snoozed_until <= now())
               limit 1001
            ) unread)
    from accounts.read_view_rights(credential, digest) rights
    join accounts.member_state member on member.id = rights.member_id
    left join accounts.member_seen seen on seen.member_id = member.id
    left join notify.read_mark mark on mark.member_id = member.id
    left join notify.inbox inbox on inbox.account_id = rights.account_id
$$;

-- Moves the positions of the session's member forward, in the change log, in the account's events, or both; an earlier one
-- changes nothing. After half an hour without a call, a new visit begins, and the position so far is the end of the last
-- one. Returns no row for a key.
create function accounts.mark_seen(credential text, digest bytea, new_position text, new_events bigint default null)
  returns table (
    member accounts.member_state, seen_position text, seen_at timestamptz, last_visit text, last_visit_at timestamptz,
    events_seen bigint, events_newest bigint, events_unread integer
  )
  language plpgsql security definer set search_path = ''
as $$
declare
  rights record;
begin
  rights := accounts.read_view_rights(credential, digest);
  -- A removal of the member that runs at this moment waits, or is seen here.
  perform from accounts.member locked where locked.id = rights.member_id and locked.removed_at is null for share;
  if not found then
    return;
  end if;
  if new_position is not null then
    insert into accounts.member_seen as stored (member_id, position, number)
    values (rights.member_id, new_position, split_part(new_position, ':', 1)::bigint)
        on conflict (member_id) do update
       set last_visit = case when stored.seen_at < now() - interval '30 minutes' then stored.position else stored.last_visit end,
           last_visit_at = case when stored.seen_at < now() - interval '30 minutes' then stored.seen_at else stored.last_visit_at end,
           position = case when excluded.number > stored.number then excluded.position else stored.position end,
           number = greatest(excluded.number, stored.number),
           seen_at = now();
  end if;
  if new_events is not null then
    insert into notify.read_mark as stored (member_id, account_id, nr)
    values (rights.member_id, rights.account_id, new_events)
        on conflict (member_id) do update set nr = greatest(excluded.nr, stored.nr), at = now();
  end if;
  return query select * from accounts.read_own_member(credential, digest);
end
$$;

grant execute on function
  accounts.read_own_member(text, bytea),
  accounts.mark_seen(text, bytea, text, bigint)
  to vis_api;
