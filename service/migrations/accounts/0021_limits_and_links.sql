-- Limits that rights inherit from the credential that gave them, and the description of a one-time link.
--
-- A key that expires gives nobody rights that last longer than its own. Otherwise a key for 30 days could issue one for ever,
-- and so could its thief.

-- Returns the calling key, if the credential is a key that expires. A session does not limit its member: the rights of a
-- member have no end.
create function accounts.find_expiring_key(credential text, digest bytea) returns accounts.key_state
  language sql stable set search_path = ''
as $$
  select state.*
    from accounts.key_state state
    join accounts.api_key key on key.id = state.id
   where credential = 'key' and key.digest = find_expiring_key.digest and key.expires_at is not null
$$;

-- Stores a new key of the caller's account. The outcome is 'done', 'limit' (20 keys are active; keys that a rotation has
-- replaced do not count), 'expiry' (with the calling key: the new key would expire later), or what find_excess returns.
create or replace function accounts.create_key(
  credential text, digest bytea, new_digest bytea, new_prefix text, new_last_four text,
  new_name text, new_scopes text[], expires_in_days integer, new_ips text[]
)
  returns table (outcome text, key accounts.key_state)
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
  new_id bigint;
  excess text;
  own accounts.key_state;
begin
  change := accounts.begin_change(credential, digest);
  excess := accounts.find_excess(credential, digest, new_scopes, new_ips::cidr[]);
  if excess is not null then
    return query select excess, null::accounts.key_state;
    return;
  end if;
  own := accounts.find_expiring_key(credential, digest);
  if own.id is not null and (expires_in_days is null or now() + make_interval(days => expires_in_days) > own.expires_at) then
    return query select 'expiry', own;
    return;
  end if;
  if (select count(*) >= 20
        from accounts.key_state active
       where active.account_id = change.account_id and active.state = 'active' and active.replaced_by is null) then
    return query select 'limit', null::accounts.key_state;
    return;
  end if;
  insert into accounts.api_key (account_id, digest, prefix, last_four, name, scopes, allowed_ips, expires_at)
  values (change.account_id, new_digest, new_prefix, new_last_four, new_name, new_scopes, new_ips::cidr[],
          now() + make_interval(days => expires_in_days))
  returning id into new_id;
  insert into accounts.audit (actor, action, account_id, key_id, details)
  select change.actor, 'key.issue', change.account_id, new_id, accounts.describe_new_key(stored)
    from accounts.key_state stored
   where stored.id = new_id;
  return query select 'done', stored from accounts.key_state stored where stored.id = new_id;
end
$$;

-- Stores a new key in place of an active one, with the same name, scopes, addresses and lifetime; if the calling key expires
-- earlier, the new key expires with it. The old key expires after the overlap, or at its own expiry if that is earlier.
-- Returns two rows if it is done: the new key and the old key. Other outcomes are 'unknown', 'inactive', 'rotated' (with the
-- old key, which names its successor), 'expiry' (with the calling key: the old key expires later, so the new key would end
-- too early for the users of the old one), or what find_excess returns.
create or replace function accounts.rotate_key(
  credential text, digest bytea, asked_key bigint, new_digest bytea, new_prefix text, new_last_four text,
  overlap_hours integer
)
  returns table (outcome text, key accounts.key_state)
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
  old accounts.key_state;
  own accounts.key_state;
  problem text;
  new_id bigint;
begin
  change := accounts.begin_change(credential, digest);
  own := accounts.find_expiring_key(credential, digest);
  select stored.* into old
    from accounts.key_state stored
   where stored.id = asked_key and stored.account_id = change.account_id;
  problem := case
    when old.id is null then 'unknown'
    when old.replaced_by is not null then 'rotated'
    when old.state <> 'active' then 'inactive'
    else accounts.find_excess(credential, digest, old.scopes, old.allowed_ips::cidr[])
  end;
  if problem is not null then
    return query select problem, old;
    return;
  end if;
  if own.id is not null and (old.expires_at is null or old.expires_at > own.expires_at) then
    return query select 'expiry', own;
    return;
  end if;
  insert into accounts.api_key (account_id, digest, prefix, last_four, name, scopes, allowed_ips, expires_at)
  values (change.account_id, new_digest, new_prefix, new_last_four, old.name, old.scopes, old.allowed_ips::cidr[],
          least(now() + (old.expires_at - old.created_at), own.expires_at))
  returning id into new_id;
  update accounts.api_key stored
     set replaced_by = new_id,
         expires_at = least(stored.expires_at, now() + make_interval(hours => overlap_hours))
   where stored.id = asked_key;
  insert into accounts.audit (actor, action, account_id, key_id, details)
  select change.actor, 'key.rotate', change.account_id, asked_key,
         jsonb_build_object('replaced_by', new_id::text,
                            'expires_at', to_char(stored.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
    from accounts.key_state stored
   where stored.id = asked_key;
  return query
    select 'done', stored
      from accounts.key_state stored
     where stored.id in (new_id, asked_key)
     order by stored.id <> new_id;
end
$$;

-- Invites a person, or invites again a person who has not joined yet: earlier links are of no use any more then. With the
-- digest of a token, the caller hands over the link; otherwise the invitation is sent by mail. Whether the person is a
-- member of another account makes no difference here. The outcome is 'done', 'owner' (only an owner may do this),
-- 'addresses' (see is_bound_to_addresses), 'expiry' (a member would stay after the calling key has expired), 'joined', 'limit'
-- (the account has 100 members), or 'too many' (20 invitations by mail within a day).
create or replace function accounts.invite_member(
  credential text, digest bytea, new_email text, new_role text, token_digest bytea
)
  returns table (outcome text, member accounts.member_state)
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
  is_owner boolean;
  known accounts.member;
begin
  change := accounts.begin_change(credential, digest);
  select found.role = 'owner' into is_owner from accounts.find_actor(credential, digest) found;
  select stored.* into known
    from accounts.member stored
   where stored.account_id = change.account_id and stored.email = new_email and stored.removed_at is null;
  outcome := case
    when accounts.is_bound_to_addresses(credential, digest) then 'addresses'
    when (accounts.find_expiring_key(credential, digest)).id is not null then 'expiry'
    when known.joined_at is not null then 'joined'
    when not is_owner and 'owner' in (new_role, known.role) then 'owner'
    when known.id is null and (
      select count(*) >= 100 from accounts.member_state other where other.account_id = change.account_id
    ) then 'limit'
    when token_digest is null
     and accounts.count_attempt('invitations of account ' || change.account_id, 20, interval '1 day') > 0 then 'too many'
    else 'done'
  end;
  if outcome <> 'done' then
    return next;
    return;
  end if;
  insert into accounts.member as stored (account_id, email, role)
  values (change.account_id, new_email, new_role)
      on conflict (email, account_id) where removed_at is null do update
     set role = excluded.role, invited_at = now()
  returning stored.* into known;
  perform accounts.send_invitation(known.id, token_digest);
  insert into accounts.audit (actor, action, account_id, member_id, details)
  values (change.actor, 'member.invite', change.account_id, known.id, jsonb_build_object('role', new_role));
  select state.* into member from accounts.member_state state where state.id = known.id;
  return next;
end
$$;

-- Changes the role of a member, or removes the member if the new role is null. The outcome is 'done', 'unknown', 'owner'
-- (only an owner may do this), 'addresses' (see is_bound_to_addresses), 'expiry' (the new role would stay after the calling key
-- has expired), or 'last' (an account that has an owner keeps one). The change locks the account, so that two owners cannot
-- remove each other at the same moment.
create or replace function accounts.change_member(credential text, digest bytea, asked_member bigint, new_role text)
  returns table (outcome text, member accounts.member_state)
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
  is_owner boolean;
  known accounts.member;
begin
  change := accounts.begin_change(credential, digest, new_role is null);
  select found.role = 'owner' into is_owner from accounts.find_actor(credential, digest) found;
  -- A sign-in that runs at the moment has locked the member, and may be the one by which the member joins.
  select stored.* into known
    from accounts.member stored
   where stored.id = asked_member and stored.account_id = change.account_id and stored.removed_at is null
     for no key update;
  select state.* into member from accounts.member_state state where state.id = known.id;
  outcome := case
    when known.id is null then 'unknown'
    when new_role is not null and accounts.is_bound_to_addresses(credential, digest) then 'addresses'
    when new_role is not null and (accounts.find_expiring_key(credential, digest)).id is not null then 'expiry'
    when not is_owner and 'owner' in (known.role, new_role) then 'owner'
    when known.role = 'owner' and known.joined_at is not null and new_role is distinct from 'owner'
     and not accounts.has_other_owner(known.account_id, known.id) then 'last'
    else 'done'
  end;
  if outcome <> 'done' or new_role = known.role then
    return next;
    return;
  end if;
  if new_role is null then
    perform accounts.end_membership(known.id);
  else
    update accounts.member stored set role = new_role where stored.id = known.id;
    select state.* into member from accounts.member_state state where state.id = known.id;
  end if;
  insert into accounts.audit (actor, action, account_id, member_id, details)
  values (change.actor, case when new_role is null then 'member.remove' else 'member.role' end, change.account_id, known.id,
          case when new_role is null then '{}' else jsonb_build_object('role', new_role, 'role_before', known.role) end);
  return next;
end
$$;

-- Finds a session by the digest of its id, as migration 0019 does, and also returns the addresses from which it may be used:
-- those of the API key that was exchanged for it. An empty list allows every address. Nodes of the previous release name the
-- columns that they read, so they can call it too.
drop function accounts.use_session(bytea);
create function accounts.use_session(session_digest bytea)
  returns table (
    account_id bigint, key_id bigint, plan text, role text, refusal text, expires_in_seconds double precision,
    member_id bigint, allowed_ips text[]
  )
  language plpgsql security definer set search_path = ''
as $$
declare
  found_session accounts.session_state;
begin
  select * into found_session from accounts.session_state state where state.digest = session_digest;
  if not found then
    return;
  end if;
  if found_session.refusal is null and found_session.last_used_at < now() - interval '1 minute' then
    -- A crash of PostgreSQL may forget the use. Without the wait for the disk and for locks, the lookup is short.
    perform set_config('synchronous_commit', 'off', true);
    update accounts.session session
       set last_used_at = now()
     where session.digest = (
             select free.digest
               from accounts.session free
              where free.digest = session_digest
                and free.ended_at is null
                and free.last_used_at = found_session.last_used_at
                for update skip locked
           );
  end if;
  return query
    select found_session.account_id, coalesce(found_session.key_id, 0), found_session.plan, found_session.role,
           found_session.refusal, extract(epoch from found_session.ends_at - now())::double precision,
           found_session.member_id,
           coalesce((select key.allowed_ips::text[] from accounts.api_key key where key.id = found_session.key_id), '{}');
end
$$;

-- Says who would be signed in by a one-time link, and to which account, without using the link. Returns the refusals of
-- accounts.use_token, except 'too many' and 'too many sign-ups', which only the use of a link counts. With a refusal, it
-- returns nothing else: an old link must not tell who used it. The account is null if the link would create one.
create function accounts.describe_token(token_digest bytea, allows_sign_up boolean)
  returns table (refusal text, email text, account_name text)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  token accounts.sign_in_token;
  signed_in accounts.member;
  opened accounts.account;
begin
  select stored.* into token from accounts.sign_in_token stored where stored.digest = token_digest;
  if token.member_id is null then
    select found.* into signed_in from accounts.find_member(token.email) found;
  else
    select member.* into signed_in from accounts.member member where member.id = token.member_id;
  end if;
  select account.* into opened from accounts.account account where account.id = signed_in.account_id;
  refusal := case
    when token.digest is null then 'unknown'
    when token.used_at is not null then 'used'
    when token.expires_at <= clock_timestamp() then 'expired'
    when signed_in.id is null and not allows_sign_up then 'unknown'
    when signed_in.removed_at is not null or signed_in.has_group_role then 'removed'
    when opened.suspended_at is not null then 'suspended'
    when token.is_mailed and signed_in.email_confirmed_at is null
     and (accounts.find_member(signed_in.email)).id is not null then 'elsewhere'
  end;
  if refusal is null then
    email := token.email;
    account_name := opened.name;
  end if;
  return next;
end
$$;

grant execute on function
  accounts.use_session(bytea),
  accounts.describe_token(bytea, boolean)
  to vis_api;
