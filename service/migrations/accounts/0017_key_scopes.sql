-- Self-service: accounts manage their own keys and browser origins, and read their own audit log.
--
-- Functions that read or change an account for a caller take the digest of the caller's credential and never the id of an
-- account, so that a login with the role vis_api can act only for keys and sessions that were presented to it. Every
-- change writes its audit row in the same transaction.

-- Existing keys can read and nothing else. An operator grants more (vis-server keys grant).
alter table accounts.api_key add column name text;
alter table accounts.api_key add column scopes text[] not null default '{read}';
-- Addresses from which the key may be used. An empty list allows every address.
alter table accounts.api_key add column allowed_ips cidr[] not null default '{}';
-- The key that a rotation created in place of this one.
alter table accounts.api_key add column replaced_by bigint;
alter table accounts.api_key add constraint api_key_scopes
  check (scopes <> '{}' and scopes <@ array['read', 'manage']) not valid;

-- Null for origins that were added before this migration.
alter table accounts.account_origin add column created_at timestamptz;
alter table accounts.account_origin alter column created_at set default now();

-- The member whom a change concerns or who made it.
alter table accounts.audit add column member_id bigint;

-- The parts of a key that may be shown. They do not reveal the key itself.
create view accounts.key_state as
select key.id,
       key.account_id,
       key.name,
       key.prefix,
       key.last_four,
       key.scopes,
       key.allowed_ips::text[] as allowed_ips,
       key.created_at,
       key.expires_at,
       key.revoked_at,
       key.replaced_by,
       used.last_used_on,
       case when key.revoked_at is not null then 'revoked'
            when key.expires_at <= now() then 'expired'
            else 'active'
       end as state
  from accounts.api_key key
  left join accounts.key_use used on used.key_id = key.id;

-- The new columns need a new result type, so the function is created again. Nodes of the previous release name the columns
-- that they read, so they can call it too.
drop function accounts.find_caller(bytea);

create function accounts.find_caller(key_digest bytea)
  returns table (
    key_id bigint, account_id bigint, plan text, origins text[], refusal text, expires_in_seconds double precision,
    scopes text[], allowed_ips text[]
  )
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select key.id,
           account.id,
           account.plan,
           array(select origin.origin from accounts.account_origin origin where origin.account_id = account.id),
           case when key.revoked_at is not null then 'revoked'
                when key.expires_at <= now() then 'expired'
                when account.suspended_at is not null then 'suspended'
           end,
           extract(epoch from key.expires_at - now())::double precision,
           key.scopes,
           key.allowed_ips::text[]
      from accounts.api_key key
      join accounts.account account on account.id = key.account_id
     where key.digest = key_digest;
end
$$;

-- Finds the account for which a credential acts, with the name of the actor in the audit log and the rights of a role.
-- Returns no row if the credential is not valid. A key with the scope manage has the rights of an admin.
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
  else
    return query
      select state.account_id, 'key:' || state.key_id, state.role
        from accounts.session_state state
       where credential = 'session' and state.digest = find_actor.digest and state.refusal is null;
  end if;
end
$$;

-- Returns the account of a credential that has the rights of an admin. SQLSTATE VI001: the credential is not valid;
-- VI003: it has fewer rights.
create function accounts.require_admin(credential text, digest bytea, out account_id bigint, out actor text)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  role text;
begin
  select found.account_id, found.actor, found.role into account_id, actor, role
    from accounts.find_actor(credential, digest) found;
  if account_id is null then
    raise exception 'the credential is not valid' using errcode = 'VI001';
  end if;
  if role not in ('admin', 'owner') then
    raise exception 'the credential has the rights of a % only', role using errcode = 'VI003';
  end if;
end
$$;

-- As require_admin, for a change: the changes of one account run one after the other, because each of them locks the
-- account. The rights are checked again after the wait for the lock, because the change before may have revoked the key.
-- SQLSTATE VI009: the account has made 200 changes within 24 hours. The audit log is never deleted, so a program that
-- makes changes in a loop must not fill it. A change that only takes rights away is always possible: otherwise the thief of a
-- key could prevent its revocation.
create function accounts.begin_change(
  credential text, digest bytea, is_reduction boolean default false, out account_id bigint, out actor text
)
  language plpgsql security definer set search_path = ''
as $$
begin
  account_id := (accounts.require_admin(credential, digest)).account_id;
  -- Charges and sign-ins refer to the account, and this lock does not delay them.
  perform from accounts.account account where account.id = begin_change.account_id for no key update;
  actor := (accounts.require_admin(credential, digest)).actor;
  if not is_reduction and (
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

-- The keys of the account: active ones first, then newer ones first.
create function accounts.read_keys(credential text, digest bytea) returns setof accounts.key_state
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select key.*
      from accounts.key_state key
     where key.account_id = (accounts.require_admin(credential, read_keys.digest)).account_id
     order by key.state <> 'active', key.id desc
     limit 500;
end
$$;

-- Returns the reason why a credential may not issue a key with these rights, or null if it may. A key can issue only keys
-- whose scopes and addresses are among its own: otherwise a key that is limited to an office network could issue one that
-- is not.
create function accounts.find_excess(credential text, digest bytea, new_scopes text[], new_ips cidr[]) returns text
  language plpgsql stable set search_path = ''
as $$
declare
  own accounts.api_key;
begin
  if credential <> 'key' then
    return null;
  end if;
  select key.* into strict own from accounts.api_key key where key.digest = find_excess.digest;
  if not new_scopes <@ own.scopes then
    return 'scopes';
  end if;
  if own.allowed_ips <> '{}' and (new_ips = '{}' or exists (
    select from unnest(new_ips) wanted (range)
     where not exists (select from unnest(own.allowed_ips) allowed (range) where wanted.range operator(pg_catalog.<<=) allowed.range)
  )) then
    return 'addresses';
  end if;
  return null;
end
$$;

create function accounts.describe_new_key(key accounts.key_state) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'name', key.name,
    'scopes', key.scopes,
    'allowed_ips', case when key.allowed_ips <> '{}' then key.allowed_ips end,
    'expires_at', to_char(key.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
$$;

-- Stores a new key of the caller's account. The outcome is 'done', 'limit' (20 keys are active; keys that a rotation has
-- replaced do not count), or what find_excess returns.
create function accounts.create_key(
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
begin
  change := accounts.begin_change(credential, digest);
  excess := accounts.find_excess(credential, digest, new_scopes, new_ips::cidr[]);
  if excess is not null then
    return query select excess, null::accounts.key_state;
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

-- Stores a new key in place of an active one, with the same name, scopes, addresses and lifetime. The old key expires after
-- the overlap, or at its own expiry if that is earlier. Returns two rows if it is done: the new key and the old key. Other
-- outcomes are 'unknown', 'inactive', 'rotated' (with the old key, which names its successor), or what find_excess returns.
create function accounts.rotate_key(
  credential text, digest bytea, asked_key bigint, new_digest bytea, new_prefix text, new_last_four text,
  overlap_hours integer
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
    when old.state <> 'active' then 'inactive'
    else accounts.find_excess(credential, digest, old.scopes, old.allowed_ips::cidr[])
  end;
  if problem is not null then
    return query select problem, old;
    return;
  end if;
  insert into accounts.api_key (account_id, digest, prefix, last_four, name, scopes, allowed_ips, expires_at)
  values (change.account_id, new_digest, new_prefix, new_last_four, old.name, old.scopes, old.allowed_ips::cidr[],
          now() + (old.expires_at - old.created_at))
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

-- Revokes a key. The outcome is 'done', 'unknown', or 'last': a key may not revoke the account's last key with the scope
-- manage, because nobody could issue another one without an operator. A key that is revoked already stays unchanged.
create function accounts.revoke_key(credential text, digest bytea, asked_key bigint)
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
    insert into accounts.audit (actor, action, account_id, key_id)
    values (change.actor, 'key.revoke', change.account_id, asked_key);
  end if;
  return query select 'done', stored from accounts.key_state stored where stored.id = asked_key;
end
$$;

create function accounts.read_origins(credential text, digest bytea)
  returns table (origin text, created_at timestamptz)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select listed.origin, listed.created_at
      from accounts.account_origin listed
     where listed.account_id = (accounts.require_admin(credential, read_origins.digest)).account_id
     order by listed.origin;
end
$$;

-- Adds a browser origin to the caller's account. Returns 'done' or 'limit' (20 origins are listed). An origin that is
-- listed already stays unchanged.
create function accounts.add_origin(credential text, digest bytea, new_origin text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
begin
  change := accounts.begin_change(credential, digest);
  if exists (select from accounts.account_origin listed
              where listed.account_id = change.account_id and listed.origin = new_origin) then
    return 'done';
  end if;
  if (select count(*) >= 20 from accounts.account_origin listed where listed.account_id = change.account_id) then
    return 'limit';
  end if;
  insert into accounts.account_origin (account_id, origin) values (change.account_id, new_origin);
  insert into accounts.audit (actor, action, account_id, details)
  values (change.actor, 'account.origins', change.account_id,
          jsonb_build_object('added', jsonb_build_array(new_origin), 'removed', jsonb_build_array()));
  return 'done';
end
$$;

-- Removes a browser origin from the caller's account. Returns 'done' or 'unknown'.
create function accounts.remove_origin(credential text, digest bytea, old_origin text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  change record;
begin
  change := accounts.begin_change(credential, digest);
  delete from accounts.account_origin listed
   where listed.account_id = change.account_id and listed.origin = old_origin;
  if not found then
    return 'unknown';
  end if;
  insert into accounts.audit (actor, action, account_id, details)
  values (change.actor, 'account.origins', change.account_id,
          jsonb_build_object('added', jsonb_build_array(), 'removed', jsonb_build_array(old_origin)));
  return 'done';
end
$$;

-- The audit log of the caller's account, newest first. The names of operators and their reason for a suspension are
-- internal.
create function accounts.read_audit(credential text, digest bytea, before_id bigint, max_entries integer)
  returns table (
    id bigint, at timestamptz, actor text, action text, key_id bigint, member_id bigint, details jsonb
  )
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select entry.id,
           entry.at,
           case when entry.actor ~ '^(key|member):\d+$' then entry.actor else 'operator' end,
           entry.action,
           entry.key_id,
           entry.member_id,
           case when entry.action = 'account.suspend' then '{}' else entry.details end
      from accounts.audit entry
     where entry.account_id = (accounts.require_admin(credential, read_audit.digest)).account_id
       and (before_id is null or entry.id < before_id)
     order by entry.id desc
     limit max_entries;
end
$$;

grant execute on function
  accounts.find_caller(bytea),
  accounts.read_keys(text, bytea),
  accounts.create_key(text, bytea, bytea, text, text, text, text[], integer, text[]),
  accounts.rotate_key(text, bytea, bigint, bytea, text, text, integer),
  accounts.revoke_key(text, bytea, bigint),
  accounts.read_origins(text, bytea),
  accounts.add_origin(text, bytea, text),
  accounts.remove_origin(text, bytea, text),
  accounts.read_audit(text, bytea, bigint, integer)
  to vis_api;
