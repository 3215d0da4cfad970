-- Sessions of the web console, and the limit of its free reads. The clock of this database decides about both.

create table accounts.session (
  -- SHA-256 of the session id in the browser's cookie: 256 random bits need no salt.
  digest       bytea       primary key check (length(digest) = 32),
  account_id   bigint      not null references accounts.account,
  -- The API key that was exchanged for the session. The session ends with the key.
  key_id       bigint      not null references accounts.api_key,
  role         text        not null check (role in ('owner', 'admin', 'viewer')),
  created_at   timestamptz not null default now(),
  -- Written at most once a minute.
  last_used_at timestamptz not null default now(),
  expires_at   timestamptz not null default now() + interval '7 days',
  ended_at     timestamptz
) with (fillfactor = 80); -- Space on the page keeps the updates of last_used_at heap-only.

create index session_key on accounts.session (key_id, created_at);
-- Finds the open sessions of a key among many ended ones.
create index session_open on accounts.session (key_id, created_at) where ended_at is null;

-- Nodes cache sessions for two seconds. The notification makes them drop the sessions of the account at once.
create trigger tell_nodes after update on accounts.session
  for each row when (old.ended_at is distinct from new.ended_at)
  execute function accounts.tell_nodes();
create trigger tell_nodes_of_deletion after delete on accounts.session
  for each row when (old.ended_at is null)
  execute function accounts.tell_nodes();

-- Each session with its account and key, the time at which it ends unless it is used, and the reason if it is refused.
create view accounts.session_state as
select session.digest,
       session.account_id,
       session.key_id,
       session.role,
       session.created_at,
       session.last_used_at,
       account.name as account_name,
       account.plan,
       key.last_four as key_last_four,
       least(session.expires_at, session.last_used_at + interval '12 hours', key.expires_at) as ends_at,
       case when session.ended_at is not null then 'ended'
            when key.revoked_at is not null then 'revoked'
            when account.suspended_at is not null then 'suspended'
            when least(session.expires_at, session.last_used_at + interval '12 hours', key.expires_at) <= now() then 'expired'
       end as refusal
  from accounts.session session
  join accounts.api_key key on key.id = session.key_id
  join accounts.account account on account.id = session.account_id;

-- Finds a session by the digest of its id. Records the use of a valid session, at most once a minute.
create function accounts.use_session(session_digest bytea)
  returns table (
    account_id bigint, key_id bigint, plan text, role text, refusal text, expires_in_seconds double precision
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
    select found_session.account_id, found_session.key_id, found_session.plan, found_session.role, found_session.refusal,
           extract(epoch from found_session.ends_at - now())::double precision;
end
$$;

-- Exchanges a valid API key for a session with the rights of a viewer. Takes the digest of the key, so that a login with
-- the role vis_api cannot create a session of any other account. Returns 'created', 'refused' if the key is not valid
-- (any more), or 'too many' after 30 sessions in a minute or while another sign-in with the key runs. A key has at most 20 open sessions; the oldest one ends.
create function accounts.create_session(session_digest bytea, key_digest bytea) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  found_key accounts.api_key;
begin
  select key.* into found_key
    from accounts.api_key key
    join accounts.account account on account.id = key.account_id
   where key.digest = key_digest
     and key.revoked_at is null
     and (key.expires_at is null or key.expires_at > now())
     and account.suspended_at is null;
  if not found then
    return 'refused';
  end if;
  -- One sign-in of a key at a time, so that concurrent ones cannot exceed the limits. Another one does not wait, because
  -- it would hold a connection meanwhile.
  if not pg_try_advisory_xact_lock(hashtextextended('vis create_session', found_key.id)) then
    return 'too many';
  end if;
  if (select count(*) >= 30
        from accounts.session session
       where session.key_id = found_key.id and session.created_at > now() - interval '1 minute') then
    return 'too many';
  end if;
  update accounts.session session
     set ended_at = now()
   where session.digest in (
           select open.digest
             from accounts.session open
            where open.key_id = found_key.id and open.ended_at is null
            order by open.created_at desc
           offset 19
         );
  insert into accounts.session (digest, account_id, key_id, role)
  values (session_digest, found_key.account_id, found_key.id, 'viewer');
  return 'created';
end
$$;

-- Ends one session. Has no effect on a session that does not exist or has ended.
create function accounts.end_session(session_digest bytea) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  update accounts.session session
     set ended_at = now()
   where session.digest = session_digest and session.ended_at is null;
end
$$;

-- Ends all sessions that came from the same API key as this one, if this one is still valid. Returns their number.
create function accounts.end_sessions(session_digest bytea) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  ended integer;
begin
  update accounts.session session
     set ended_at = now()
    from accounts.session_state own
   where own.digest = session_digest
     and own.refusal is null
     and session.key_id = own.key_id
     and session.ended_at is null;
  get diagnostics ended = row_count;
  return ended;
end
$$;

-- Deletes sessions a day after their end. Returns their number.
create function accounts.delete_old_sessions() returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  deleted integer;
begin
  delete from accounts.session session
   where coalesce(session.ended_at, least(session.expires_at, session.last_used_at + interval '12 hours'))
         < now() - interval '1 day';
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- Free reads of the console in the current minute and on the current UTC day. One row per account, which every read
-- locks, so that all nodes together never exceed the limits.
create table accounts.console_window (
  account_id   bigint      primary key references accounts.account,
  minute       timestamptz not null,
  minute_reads integer     not null check (minute_reads >= 0),
  day          date        not null,
  day_reads    integer     not null check (day_reads >= 0)
) with (fillfactor = 50);

-- Counts up to `asked` reads of the console, as many multiples of `portion` as the limits allow, and returns how many it
-- counted. A call that counts as several reads is one portion: it is counted wholly or not at all. The reads are added to
-- the usage of the account as calls of the endpoint `console` that cost nothing.
create function accounts.count_console_reads(
  asked_account bigint, asked_key bigint, asked integer, portion integer, max_per_minute integer, max_per_day integer
)
  returns table (granted integer, minute_left integer, day_left integer, minute_seconds integer, day_seconds integer)
  language plpgsql security definer set search_path = ''
as $$
declare
  utc_now timestamp;
  this_minute timestamptz;
  today date;
  used accounts.console_window;
  counted integer;
begin
  -- A crash of PostgreSQL may forget the reads of its last moment. They cost nothing, so they need not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  insert into accounts.console_window (account_id, minute, minute_reads, day, day_reads)
  values (asked_account, now(), 0, current_date, 0)
      on conflict (account_id) do nothing;
  select * into strict used
    from accounts.console_window stored
   where stored.account_id = asked_account
     for update;
  -- The clock is read after the lock: a call may have waited for it.
  utc_now := clock_timestamp() at time zone 'utc';
  this_minute := date_trunc('minute', utc_now) at time zone 'utc';
  today := utc_now::date;
  if used.minute <> this_minute then
    used.minute_reads := 0;
  end if;
  if used.day <> today then
    used.day_reads := 0;
  end if;
  counted := greatest(0, least(asked, max_per_minute - used.minute_reads, max_per_day - used.day_reads));
  counted := counted - counted % portion;
  if counted > 0 then
    update accounts.console_window stored
       set minute = this_minute, minute_reads = used.minute_reads + counted, day = today, day_reads = used.day_reads + counted
     where stored.account_id = asked_account;
    insert into accounts.usage_daily as stored (account_id, key_id, endpoint, day, calls, cost_half)
    values (asked_account, asked_key, 'console', today, counted, 0)
        on conflict (account_id, day, key_id, endpoint) do update set calls = stored.calls + excluded.calls;
  end if;
  return query
    select counted,
           greatest(0, max_per_minute - used.minute_reads - counted),
           greatest(0, max_per_day - used.day_reads - counted),
           ceil(extract(epoch from date_trunc('minute', utc_now) + interval '1 minute' - utc_now))::integer,
           ceil(extract(epoch from (today + 1)::timestamp - utc_now))::integer;
end
$$;

-- Describes a valid session and the reads of its account, for the person who is signed in.
create function accounts.read_session(session_digest bytea)
  returns table (
    account_name text, plan text, role text, key_id bigint, key_last_four text, created_at timestamptz, ends_at timestamptz,
    minute_reads integer, day_reads integer, minute_resets_at timestamptz, day_resets_at timestamptz
  )
  language plpgsql stable security definer set search_path = ''
as $$
declare
  this_minute timestamptz := date_trunc('minute', now() at time zone 'utc') at time zone 'utc';
  today date := (now() at time zone 'utc')::date;
begin
  return query
    select state.account_name, state.plan, state.role, state.key_id, state.key_last_four, state.created_at, state.ends_at,
           case when used.minute = this_minute then used.minute_reads else 0 end,
           case when used.day = today then used.day_reads else 0 end,
           this_minute + interval '1 minute',
           (today + 1)::timestamp at time zone 'utc'
      from accounts.session_state state
      left join accounts.console_window used on used.account_id = state.account_id
     where state.digest = session_digest and state.refusal is null;
end
$$;

grant execute on function
  accounts.use_session(bytea),
  accounts.create_session(bytea, bytea),
  accounts.end_session(bytea),
  accounts.end_sessions(bytea),
  accounts.delete_old_sessions(),
  accounts.count_console_reads(bigint, bigint, integer, integer, integer, integer),
  accounts.read_session(bytea)
  to vis_api;
