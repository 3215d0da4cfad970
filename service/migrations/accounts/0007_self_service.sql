-- The rules for keys, browser origins and members, for accounts that manage their own and for operators who manage any.
--
-- Functions that read or change an account for a caller require the digest of the caller's credential and never the id
-- of an account. A login with the role vis_api can therefore act only for keys and sessions that were presented to it.
-- Every change writes its audit row in the same transaction.

-- Finds the account that a credential acts for, the actor's name in the audit log, and the role with its rights.
-- Returns no row if the credential is not valid. A key with the scope manage has an admin's rights.
--
-- With the credential 'operator', the digest is text: the id of an account and the operator's name. Only a login that
-- is a member of the owner's role may use it, so nodes' logins may not. An operator acts for any account, even a
-- suspended one, with an owner's rights and without the limits that protect the service and the account from its
-- callers.
create function accounts.find_actor(credential text, digest bytea)
  returns table (account_id bigint, actor text, role text)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  if credential = 'key' then
    return query
      select key.account_id,
             'key:' || key.id,
             case when 'manage' = any (key.scopes) then 'admin' else 'viewer' end
        from accounts.api_key key
        join accounts.account account on account.id = key.account_id
       where key.digest = find_actor.digest
         and key.revoked_at is null
         and (key.expires_at is null or key.expires_at > clock_timestamp())
         and account.suspended_at is null;
  elsif credential = 'operator' and pg_has_role(session_user, current_user, 'member') then
    return query
      select account.id,
             session_user || ' (' || substring(convert_from(find_actor.digest, 'UTF8') from ' (.*)') || ')',
             'owner'
        from accounts.account account
       where account.id = substring(convert_from(find_actor.digest, 'UTF8') from '^\d+')::bigint;
  else
    return query
      select state.account_id, coalesce('member:' || state.member_id, 'key:' || state.key_id), state.role
        from accounts.session_state state
       where credential = 'session' and state.digest = find_actor.digest and state.refusal is null;
  end if;
end
$$;

-- Returns the account of a credential, which must have an admin's rights unless a viewer may do this too. SQLSTATE
-- VI001: the credential is not valid; VI003: it has too few rights.
create function accounts.require_actor(
  credential text, digest bytea, least_role text default 'admin', out account_id bigint, out actor text, out role text
)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  select found.account_id, found.actor, found.role into account_id, actor, role
    from accounts.find_actor(credential, digest) found;
  if account_id is null then
    raise exception 'the credential is not valid' using errcode = 'VI001';
  end if;
  if least_role = 'admin' and role not in ('admin', 'owner') then
    raise exception 'the credential has the rights of a % only', role using errcode = 'VI003';
  end if;
end
$$;

-- Like require_actor, for a change by an admin: it locks the account, so changes to one account run one after the
-- other. The rights are checked again after waiting for the lock, because the previous change may have revoked the key.
-- Also returns the calling key, if the credential is one.
-- SQLSTATE VI009: the account has made 200 changes within 24 hours. The audit log is never deleted, so a program that
-- makes changes in a loop must not fill it. A change that only removes rights is always possible: otherwise someone who
-- stole a key could prevent its revocation.
create function accounts.begin_change(
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
  ) then
    raise exception 'the account has made too many changes' using errcode = 'VI009';
  end if;
end
$$;

-- Returns the reason why a calling key may not issue a key with these rights, or null if it may. A key can issue only
-- keys whose scopes and addresses are a subset of its own: otherwise a key that is restricted to an office network
-- could issue an unrestricted one.
create function accounts.find_excess(own accounts.key_state, new_scopes text[], new_ips cidr[]) returns text
  language sql stable set search_path = ''
as $$
  select case
    when not new_scopes <@ own.scopes then 'scopes'
    when own.allowed_ips <> '{}' and (new_ips = '{}' or exists (
      select from unnest(new_ips) wanted (range)
       where not wanted.range operator(pg_catalog.<<=) any (own.allowed_ips::cidr[])
    )) then 'addresses'
  end
$$;

-- A key that expires cannot give anyone rights that last longer than its own: otherwise a 30-day key, or whoever stole
-- it, could issue one that lasts forever. A key with a list of addresses can neither invite nor promote members,
-- because they could sign in from anywhere and create keys without the list. Sessions have neither restriction.

create function accounts.read_keys(credential text, digest bytea) returns setof accounts.key_state
  language sql stable security definer set search_path = ''
as $$
  select key.*
    from accounts.key_state key
   where key.account_id = (accounts.require_actor(credential, read_keys.digest)).account_id
   order by key.state <> 'active', key.id desc
   limit 500
$$;

-- Stores a new key. The outcome is 'done', 'limit' (20 keys are active; keys replaced by a rotation do not count),
-- 'expiry' (with the calling key: the new key would expire later), or what find_excess returns.
create function accounts.create_key(
  credential text, digest bytea, new_digest bytea, new_prefix text, new_last_four text,
  new_name text, new_scopes text[], new_expiry timestamptz, new_ips text[]
)
  returns table (outcome text, key accounts.key_state)
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
  issued accounts.key_state;
  excess text;
begin
  change := accounts.begin_change(credential, digest);
  excess := accounts.find_excess(change.own, new_scopes, new_ips::cidr[]);
  if excess is not null then
    return query select excess, null::accounts.key_state;
    return;
  end if;
  if coalesce(new_expiry, 'infinity') > (change.own).expires_at then
    return query select 'expiry', change.own;
    return;
  end if;
  if credential <> 'operator' and (
      select count(*) >= 20
        from accounts.key_state active
       where active.account_id = change.account_id and active.state = 'active' and active.replaced_by is null
  ) then
    return query select 'limit', null::accounts.key_state;
    return;
  end if;
  insert into accounts.api_key (account_id, digest, prefix, last_four, name, scopes, allowed_ips, expires_at)
  values (change.account_id, new_digest, new_prefix, new_last_four, new_name, new_scopes, new_ips::cidr[], new_expiry)
  returning id into issued.id;
  select stored.* into issued from accounts.key_state stored where stored.id = issued.id;
  insert into accounts.audit (actor, action, account_id, key_id, details)
  values (change.actor, 'key.issue', change.account_id, issued.id, jsonb_strip_nulls(jsonb_build_object(
    'name', issued.name,
    'scopes', issued.scopes,
    'allowed_ips', nullif(issued.allowed_ips, '{}'),
    'expires_at', to_char(issued.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))));
  return query select 'done', issued;
end
$$;

-- Stores a new key in place of an active one, with the same name, scopes, addresses and lifetime; if the calling key
-- expires earlier, the new key expires with it. An operator names the expiry instead, and may replace a key that has
-- expired. The old key expires after the overlap, or at its own expiry if that is earlier. Returns two rows if it is
-- done: the new key and the old key. Other outcomes are 'unknown', 'inactive', 'rotated' (with the old key, which names
-- its successor), 'expiry' (with the calling key: the old key expires later, so the new key would end too early for the
-- old key's users), or what find_excess returns.
create function accounts.rotate_key(
  credential text, digest bytea, asked_key bigint, new_digest bytea, new_prefix text, new_last_four text,
  overlap interval, operator_expiry timestamptz default null
)
  returns table (outcome text, key accounts.key_state)
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
  old accounts.key_state;
  problem text;
  new_id bigint;
begin
  change := accounts.begin_change(credential, digest);
  select stored.* into old
    from accounts.key_state stored
   where stored.id = asked_key and stored.account_id = change.account_id;
  problem := case
    when old.id is null then 'unknown'
    when old.replaced_by is not null then 'rotated'
    when old.state = 'revoked' or old.state = 'expired' and credential <> 'operator' then 'inactive'
    else accounts.find_excess(change.own, old.scopes, old.allowed_ips::cidr[])
  end;
  if problem is not null then
    return query select problem, old;
    return;
  end if;
  if coalesce(old.expires_at, 'infinity') > (change.own).expires_at then
    return query select 'expiry', change.own;
    return;
  end if;
  insert into accounts.api_key (account_id, digest, prefix, last_four, name, scopes, allowed_ips, expires_at)
  values (change.account_id, new_digest, new_prefix, new_last_four, old.name, old.scopes, old.allowed_ips::cidr[],
          case when credential = 'operator' then operator_expiry
               else least(now() + (old.expires_at - old.created_at), (change.own).expires_at)
          end)
  returning id into new_id;
  update accounts.api_key stored
     set replaced_by = new_id,
         expires_at = least(stored.expires_at, now() + overlap)
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

-- Revokes a key. The outcome is 'done', 'unknown', or 'last': a key may not revoke the account's last key with the
-- scope manage, because only an operator could then issue another one. A key that is already revoked stays unchanged.
create function accounts.revoke_key(credential text, digest bytea, asked_key bigint, reason text default null)
  returns table (outcome text, key accounts.key_state)
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
  old accounts.key_state;
begin
  change := accounts.begin_change(credential, digest, true);
  select stored.* into old
    from accounts.key_state stored
   where stored.id = asked_key and stored.account_id = change.account_id;
  if old.id is null then
    return query select 'unknown', old;
    return;
  end if;
  if credential = 'key' and old.state = 'active' and 'manage' = any (old.scopes) and not exists (
    select from accounts.key_state other
     where other.account_id = change.account_id
       and other.id <> asked_key
       and other.state = 'active'
       and other.replaced_by is null
       and 'manage' = any (other.scopes)
  ) then
    return query select 'last', old;
    return;
  end if;
  if old.revoked_at is null then
    update accounts.api_key stored set revoked_at = now() where stored.id = asked_key;
    insert into accounts.audit (actor, action, account_id, key_id, details)
    values (change.actor, 'key.revoke', change.account_id, asked_key,
            jsonb_strip_nulls(jsonb_build_object('reason', reason)));
  end if;
  return query select 'done', stored from accounts.key_state stored where stored.id = asked_key;
end
$$;

create function accounts.read_origins(credential text, digest bytea)
  returns table (origin text, created_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select listed.origin, listed.created_at
    from accounts.account_origin listed
   where listed.account_id = (accounts.require_actor(credential, read_origins.digest)).account_id
   order by listed.origin
$$;

-- Adds and removes browser origins; without a list of origins to remove, removes all that are not added. Writes only
-- differences, because every written row notifies all nodes. Returns 'done', 'unchanged', or 'limit' (20 origins are
-- listed).
create function accounts.change_origins(credential text, digest bytea, new_origins text[], old_origins text[]) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
  before text[];
  added text[];
  removed text[];
begin
  change := accounts.begin_change(credential, digest);
  before := array(
    select listed.origin from accounts.account_origin listed where listed.account_id = change.account_id order by 1
  );
  added := array(select wanted from unnest(new_origins) wanted where wanted <> all (before));
  removed := array(
    select listed
      from unnest(before) listed
     where listed = any (old_origins) or old_origins is null and listed <> all (new_origins)
  );
  if added = '{}' and removed = '{}' then
    return 'unchanged';
  end if;
  if added <> '{}' and cardinality(before) + cardinality(added) > 20 and credential <> 'operator' then
    return 'limit';
  end if;
  delete from accounts.account_origin listed where listed.account_id = change.account_id and listed.origin = any (removed);
  insert into accounts.account_origin (account_id, origin) select change.account_id, unnest(added);
  insert into accounts.audit (actor, action, account_id, details)
  values (change.actor, 'account.origins', change.account_id, jsonb_build_object('added', added, 'removed', removed));
  return 'done';
end
$$;

-- The audit log of the caller's account, newest first. Operators' names and their reason for a suspension are internal
-- and are left out.
create function accounts.read_audit(credential text, digest bytea, before_id bigint, max_entries integer)
  returns table (
    id bigint, at timestamptz, actor text, action text, key_id bigint, member_id bigint, details jsonb
  )
  language sql stable security definer set search_path = ''
as $$
  select entry.id,
         entry.at,
         case when entry.actor ~ '^(key|member):\d+$' then entry.actor else 'operator' end,
         entry.action,
         entry.key_id,
         entry.member_id,
         case when entry.action = 'account.suspend' then '{}' else entry.details end
    from accounts.audit entry
   where entry.account_id = (accounts.require_actor(credential, read_audit.digest)).account_id
     and (before_id is null or entry.id < before_id)
   order by entry.id desc
   limit max_entries
$$;

create function accounts.read_own_usage(credential text, digest bytea)
  returns table (plan text, limit_half bigint, used_half bigint, reset_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select * from accounts.read_usage((accounts.require_actor(credential, digest, 'viewer')).account_id)
$$;

-- The usage of the caller's account. SQLSTATE VI022: the period is not 1 to 400 days long.
create function accounts.read_usage_between(credential text, digest bytea, first_day date, last_day date)
  returns table (day date, key_id bigint, endpoint text, calls bigint, cost_half bigint)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  asked_account bigint := (accounts.require_actor(credential, digest, 'viewer')).account_id;
begin
  if last_day - first_day not between 0 and 399 then
    raise exception 'the period has % days', last_day - first_day + 1 using errcode = 'VI022';
  end if;
  return query select * from accounts.usage_between(asked_account, first_day, last_day);
end
$$;

-- Members are invited, changed and removed by the owners and admins of their account, and by its API keys with the
-- scope manage. Only owners can appoint, change or remove owners.

create function accounts.read_members(credential text, digest bytea) returns setof accounts.member_state
  language sql stable security definer set search_path = ''
as $$
  select member.*
    from accounts.member_state member
   where member.account_id = (accounts.require_actor(credential, read_members.digest)).account_id
   order by member.id
$$;

-- Replaces an invited member's links with one that has the given digest, or with a mail.
create function accounts.send_invitation(invited_member bigint, token_digest bytea) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from accounts.sign_in_token token where token.member_id = invited_member;
  delete from accounts.mail mail where mail.member_id = invited_member;
  if token_digest is null then
    -- Beyond 5 mails a day to one mailbox, across all accounts, no mail is sent; the caller is not told.
    insert into accounts.mail (kind, email, member_id, expires_at)
    select 'invitation', member.email, member.id, now() + interval '72 hours'
      from accounts.member member
     where member.id = invited_member
       and accounts.count_attempt('invitations to ' || accounts.to_mailbox(member.email), 5, interval '1 day') = 0;
  else
    insert into accounts.sign_in_token (digest, purpose, member_id, email, is_mailed, expires_at)
    select token_digest, 'invitation', member.id, member.email, false, now() + interval '72 hours'
      from accounts.member member
     where member.id = invited_member;
  end if;
end
$$;

-- Invites a person, or re-invites a person who has not joined yet, which invalidates earlier links. With the digest of
-- a token, the caller hands over the link; otherwise the invitation is sent by mail. Whether the person is a member of
-- another account makes no difference here. The outcome is 'done', 'owner' (only an owner may do this), 'addresses'
-- (the calling key has a list of them), 'expiry' (a member would stay after the calling key has expired), 'joined',
-- 'limit' (the account has 100 members), or 'too many' (20 invitations by mail within a day).
create function accounts.invite_member(
  credential text, digest bytea, new_email text, new_role text, token_digest bytea
)
  returns table (outcome text, member accounts.member_state)
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
  known accounts.member;
begin
  change := accounts.begin_change(credential, digest);
  select stored.* into known
    from accounts.member stored
   where stored.account_id = change.account_id and stored.email = new_email and stored.removed_at is null;
  outcome := case
    when (change.own).allowed_ips <> '{}' then 'addresses'
    when (change.own).expires_at is not null then 'expiry'
    when known.joined_at is not null then 'joined'
    when not change.is_owner and 'owner' in (new_role, known.role) then 'owner'
    when credential = 'operator' then 'done'
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

-- Ends a person's membership, with all sessions, links and mails. Nodes are notified immediately.
create function accounts.end_membership(ended_member bigint) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  update accounts.member member set removed_at = now() where member.id = ended_member and member.removed_at is null;
  update accounts.session session
     set ended_at = now()
   where session.member_id = ended_member and session.ended_at is null;
  delete from accounts.sign_in_token token where token.member_id = ended_member;
  delete from accounts.mail mail where mail.member_id = ended_member;
end
$$;

-- Changes a member's role, or removes the member if the new role is null. The outcome is 'done', 'unknown', 'owner'
-- (only an owner may do this), 'addresses' (the calling key has a list of them), 'expiry' (the new role would stay
-- after the calling key has expired), or 'last' (an account that has an owner keeps one). The change locks the account,
-- so two owners cannot remove each other at the same moment.
create function accounts.change_member(credential text, digest bytea, asked_member bigint, new_role text)
  returns table (outcome text, member accounts.member_state)
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
  known accounts.member;
begin
  change := accounts.begin_change(credential, digest, new_role is null);
  -- A sign-in that is currently running has locked the member, and may be the one through which the member joins.
  select stored.* into known
    from accounts.member stored
   where stored.id = asked_member and stored.account_id = change.account_id and stored.removed_at is null
     for no key update;
  select state.* into member from accounts.member_state state where state.id = known.id;
  outcome := case
    when known.id is null then 'unknown'
    when new_role is not null and (change.own).allowed_ips <> '{}' then 'addresses'
    when new_role is not null and (change.own).expires_at is not null then 'expiry'
    when not change.is_owner and 'owner' in (known.role, new_role) then 'owner'
    when credential <> 'operator' and known.role = 'owner' and known.joined_at is not null
     and new_role is distinct from 'owner' and not accounts.has_other_owner(known.account_id, known.id) then 'last'
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

grant execute on function
  accounts.read_keys(text, bytea),
  accounts.create_key(text, bytea, bytea, text, text, text, text[], timestamptz, text[]),
  accounts.rotate_key(text, bytea, bigint, bytea, text, text, interval, timestamptz),
  accounts.revoke_key(text, bytea, bigint, text),
  accounts.read_origins(text, bytea),
  accounts.change_origins(text, bytea, text[], text[]),
  accounts.read_audit(text, bytea, bigint, integer),
  accounts.read_own_usage(text, bytea),
  accounts.read_usage_between(text, bytea, date, date),
  accounts.read_members(text, bytea),
  accounts.invite_member(text, bytea, text, text, bytea),
  accounts.change_member(text, bytea, bigint, text)
  to vis_api;
