-- Saved searches ("views") of members and accounts, and how far a member has read the change log.

-- A key with the scope watch reads and changes what its account saved.
alter table accounts.api_key drop constraint api_key_scopes;
alter table accounts.api_key add constraint api_key_scopes
  check (scopes <> '{}' and scopes <@ array['read', 'manage', 'watch']) not valid;
-- An account has few keys, so checking them all takes milliseconds.
-- squawk-ignore constraint-missing-not-valid
alter table accounts.api_key validate constraint api_key_scopes;

create table accounts.view (
  id         bigint      generated always as identity primary key,
  account_id bigint      not null references accounts.account,
  -- The member who saved it; null if a key did, or if the member has left.
  member_id  bigint      references accounts.member,
  -- All members of the account see a shared view. Its own view only the member sees.
  is_shared  boolean     not null check (is_shared or member_id is not null),
  name       text        not null check (length(name) between 1 and 100),
  -- Query string of GET /api/v1/cves as the filters' own code writes it. A date can be relative: today-7d.
  query      text        not null check (length(query) <= 2000),
  -- Columns to show, in order; null for the client's own choice.
  columns    text[]      check (cardinality(columns) between 1 and 30),
  place      integer     not null default 0,
  -- Grows with each change, so that two people do not overwrite each other's changes.
  revision   integer     not null default 1,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);

create unique index view_shared_name on accounts.view (account_id, lower(name)) where is_shared;
create unique index view_own_name on accounts.view (member_id, lower(name)) where not is_shared;
create index view_member on accounts.view (member_id);

-- How far a member has read the change log. Kept apart from accounts.member, whose rows sign-ins lock.
create table accounts.member_seen (
  member_id     bigint      primary key references accounts.member,
  -- Position in the change log, and its number, which only grows.
  position      text        not null check (position ~ '^\d{1,18}:[0-9a-f]{16}$'),
  number        bigint      not null,
  seen_at       timestamptz not null default now(),
  -- The position at the end of the visit before this one.
  last_visit    text        check (last_visit ~ '^\d{1,18}:[0-9a-f]{16}$'),
  last_visit_at timestamptz
);

-- What a person saved alone goes with the person. Shared views stay, without an owner.
create function accounts.forget_member() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from accounts.view saved where saved.member_id = new.id and not saved.is_shared;
  update accounts.view saved set member_id = null where saved.member_id = new.id;
  delete from accounts.member_seen seen where seen.member_id = new.id;
  return null;
end
$$;

create trigger forget_member after update on accounts.member
  for each row when (old.removed_at is null and new.removed_at is not null)
  execute function accounts.forget_member();

-- What a credential may do with views. A key acts for the account: with the scope watch it reads and changes shared
-- views. A session that was opened with a key has the key's scopes, reads only, and has no views of its own. A member
-- reads shared views and saves own ones; admins and owners also share. Returns no row if the credential is not valid.
create function accounts.find_view_rights(credential text, digest bytea)
  returns table (
    account_id bigint, actor text, member_id bigint, reads_saved boolean, saves_own boolean, shares boolean
  )
  language sql stable security definer set search_path = ''
as $$
  select key.account_id, 'key:' || key.id, null::bigint, 'watch' = any (key.scopes), false, 'watch' = any (key.scopes)
    from accounts.api_key key
    join accounts.account account on account.id = key.account_id
   where credential = 'key'
     and key.digest = find_view_rights.digest
     and key.revoked_at is null
     and (key.expires_at is null or key.expires_at > clock_timestamp())
     and account.suspended_at is null
   union all
  select state.account_id, coalesce('member:' || state.member_id, 'key:' || state.key_id), state.member_id,
         state.member_id is not null or 'watch' = any (key.scopes),
         state.member_id is not null,
         state.member_id is not null and state.role in ('admin', 'owner')
    from accounts.session_state state
    left join accounts.api_key key on key.id = state.key_id
   where credential = 'session' and state.digest = find_view_rights.digest and state.refusal is null
$$;

-- Like find_view_rights. SQLSTATE VI001: the credential is not valid.
create function accounts.read_view_rights(
  credential text, digest bytea, out account_id bigint, out actor text, out member_id bigint, out reads_saved boolean,
  out saves_own boolean, out shares boolean
)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  select rights.* into account_id, actor, member_id, reads_saved, saves_own, shares
    from accounts.find_view_rights(credential, digest) rights;
  if account_id is null then
    raise exception 'the credential is not valid' using errcode = 'VI001';
  end if;
end
$$;

-- The views that a credential may see: shared ones of its account and own ones of its member.
create function accounts.read_views(credential text, digest bytea)
  returns table (view accounts.view, is_own boolean)
  language sql stable security definer set search_path = ''
as $$
  select saved, saved.member_id is not distinct from rights.member_id and rights.member_id is not null
    from accounts.read_view_rights(credential, digest) rights
    join accounts.view saved on saved.account_id = rights.account_id
   where rights.reads_saved
     and (saved.is_shared or saved.member_id = rights.member_id)
   order by saved.place, lower(saved.name), saved.id
$$;

-- Creates a view, or changes the one with the id if it still has the revision. `new_shared` null keeps it as it is; a
-- new view is then the member's own, and a key's is shared. The outcome is 'done', 'unknown', 'conflict' (with the
-- view as it is), 'name' (taken), 'limit' (50 own views), 'shared limit' (100 of the account), 'role' (only admins and
-- owners change shared views), 'member' (a key has no views of its own), 'owner' (only the member who saved a view may
-- stop sharing it), 'forbidden' (the key has not the scope), or 'too many' (200 changes of shared views in 24 hours,
-- because the audit log is never deleted).
create function accounts.save_view(
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

-- Removes a view. Outcomes as of save_view; without an expected revision, in any revision.
create function accounts.remove_view(credential text, digest bytea, asked_view bigint, expected_revision integer)
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

-- Locks the account, so that its changes run one after the other, and checks the rights again after the wait.
create function accounts.begin_view_change(
  credential text, digest bytea, out account_id bigint, out actor text, out member_id bigint, out reads_saved boolean,
  out saves_own boolean, out shares boolean
)
  language plpgsql security definer set search_path = ''
as $$
begin
  account_id := (accounts.read_view_rights(credential, digest)).account_id;
  perform from accounts.account account where account.id = begin_view_change.account_id for no key update;
  select rights.* into account_id, actor, member_id, reads_saved, saves_own, shares
    from accounts.read_view_rights(credential, digest) rights;
end
$$;

create function accounts.has_many_view_changes(asked_account bigint) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select count(*) >= 200
    from accounts.audit entry
   where entry.account_id = asked_account
     and entry.at > now() - interval '24 hours'
     and entry.action ~ '^view\.'
$$;

-- As before, but changes of views have their own limit: whoever may save views must not use up the changes that
-- managing keys and members needs.
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
         and entry.action !~ '^view\.'
  ) then
    raise exception 'the account has made too many changes' using errcode = 'VI009';
  end if;
end
$$;

-- The member of a session, and how far the member has read. Empty for a key, and for a session opened with one.
create function accounts.read_own_member(credential text, digest bytea)
  returns table (
    member accounts.member_state, seen_position text, seen_at timestamptz, last_visit text, last_visit_at timestamptz
  )
  language sql stable security definer set search_path = ''
as $$
  select member, seen.position, seen.seen_at, seen.last_visit, seen.last_visit_at
    from accounts.read_view_rights(credential, digest) rights
    join accounts.member_state member on member.id = rights.member_id
    left join accounts.member_seen seen on seen.member_id = member.id
$$;

-- Moves the position of the session's member forward; an earlier position changes nothing. After half an hour without
-- a call, a new visit begins, and the position so far is the end of the last one. Returns no row for a key.
create function accounts.mark_seen(credential text, digest bytea, new_position text)
  returns table (
    member accounts.member_state, seen_position text, seen_at timestamptz, last_visit text, last_visit_at timestamptz
  )
  language plpgsql security definer set search_path = ''
as $$
declare
  own_member bigint := (accounts.read_view_rights(credential, digest)).member_id;
begin
  -- A removal of the member that runs at this moment waits, or is seen here.
  perform from accounts.member locked where locked.id = own_member and locked.removed_at is null for share;
  if not found then
    return;
  end if;
  insert into accounts.member_seen as stored (member_id, position, number)
  values (own_member, new_position, split_part(new_position, ':', 1)::bigint)
      on conflict (member_id) do update
     set last_visit = case when stored.seen_at < now() - interval '30 minutes' then stored.position else stored.last_visit end,
         last_visit_at = case when stored.seen_at < now() - interval '30 minutes' then stored.seen_at else stored.last_visit_at end,
         position = case when excluded.number > stored.number then excluded.position else stored.position end,
         number = greatest(excluded.number, stored.number),
         seen_at = now();
  return query select * from accounts.read_own_member(credential, digest);
end
$$;

grant execute on function
  accounts.read_view_rights(text, bytea),
  accounts.read_views(text, bytea),
  accounts.save_view(text, bytea, bigint, integer, text, text, text[], integer, boolean),
  accounts.remove_view(text, bytea, bigint, integer),
  accounts.read_own_member(text, bytea),
  accounts.mark_seen(text, bytea, text)
  to vis_api;
