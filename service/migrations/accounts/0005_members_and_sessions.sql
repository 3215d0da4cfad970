-- Members (the people of an account), the web console's sessions, and the limit on its free reads. All times are
-- checked against the database clock.

create table accounts.member (
  id                 bigint      generated always as identity primary key,
  account_id         bigint      not null references accounts.account,
  -- In lower case; null after it was erased. The allowed characters cannot add a header to a mail.
  email              text        check (length(email) <= 254 and email ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-z0-9.-]+$'),
  role               text        not null check (role in ('owner', 'admin', 'viewer')),
  created_at         timestamptz not null default now(),
  -- Time of the last invitation.
  invited_at         timestamptz not null default now(),
  -- Time of the first sign-in; null for a person who was only invited.
  joined_at          timestamptz,
  -- Time at which the person proved that they receive mail at this address: with a link that was sent to it, or at the
  -- OpenID Connect provider. A link that another person handed over proves nothing.
  email_confirmed_at timestamptz,
  last_sign_in_day   date,
  removed_at         timestamptz,
  -- Identifies the person at the OpenID Connect provider. Sign-in relies on this and not on the e-mail address, which
  -- may be reassigned to another person.
  oidc_issuer        text,
  oidc_subject       text,
  -- True for a member whose role follows the provider's groups.
  has_group_role     boolean     not null default false,
  check ((oidc_issuer is null) = (oidc_subject is null))
);

create index member_account on accounts.member (account_id);
create unique index member_email_account on accounts.member (email, account_id) where removed_at is null;
-- A person with a confirmed e-mail address belongs to one account. Other accounts may invite the person, but do not
-- learn of that membership.
create unique index member_confirmed_email on accounts.member (email)
  where removed_at is null and email_confirmed_at is not null;
create unique index member_identity on accounts.member (oidc_issuer, oidc_subject)
  where removed_at is null and oidc_subject is not null;

-- Nodes cache sessions with the role of their member.
create trigger tell_nodes after update on accounts.member
  for each row when (old.role is distinct from new.role or old.removed_at is distinct from new.removed_at)
  execute function accounts.tell_nodes();

-- A member as the account sees it.
create view accounts.member_state as
select member.id,
       member.account_id,
       member.email,
       member.role,
       case when member.joined_at is null then 'invited' else 'active' end as state,
       member.created_at,
       member.last_sign_in_day
  from accounts.member member
 where member.removed_at is null;

create function accounts.find_member(asked_email text) returns accounts.member
  language sql stable security definer set search_path = ''
as $$
  select member.*
    from accounts.member member
   where member.email = asked_email
     and member.removed_at is null
     and member.email_confirmed_at is not null
$$;

-- Returns the unconfirmed memberships of an e-mail address, newest first: invitations, and members who joined with a
-- link that was handed over. Any account can invite any address, so none of these may capture a sign-in: a person
-- accepts one through a mail that names the account, or at the provider if there is only one.
create function accounts.list_unconfirmed(asked_email text) returns setof accounts.member
  language sql stable security definer set search_path = ''
as $$
  select member.*
    from accounts.member member
   where member.email = asked_email
     and member.removed_at is null
     and member.email_confirmed_at is null
     and (member.joined_at is not null or member.invited_at > now() - interval '72 hours')
   order by member.invited_at desc, member.id desc
$$;

-- Returns whether another owner of the account has joined. The caller must have locked the account.
create function accounts.has_other_owner(asked_account bigint, except_member bigint) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (
    select
      from accounts.member member
     where member.account_id = asked_account
       and member.id <> except_member
       and member.role = 'owner'
       and member.joined_at is not null
       and member.removed_at is null
  )
$$;

-- Members who become owners. A trigger records them, so every way to become one is covered, even a statement in an
-- operator's session. The process that decides on sign-ins exports their number as a metric for an alert, and logs
-- each.
create table accounts.new_owner (
  id         bigint      generated always as identity primary key,
  at         timestamptz not null default now(),
  account_id bigint      not null,
  member_id  bigint      not null,
  -- The database login that made the change. The audit log names the person.
  login      text        not null
);

create function accounts.note_new_owner() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Skips the first owner of an account created by a sign-up: no one gains rights over an account that already existed.
  if tg_op = 'INSERT' and exists (
    select from accounts.account account where account.id = new.account_id and account.created_at = now()
  ) then
    return null;
  end if;
  insert into accounts.new_owner (account_id, member_id, login) values (new.account_id, new.id, session_user);
  return null;
end
$$;

create trigger note_new_owner after insert on accounts.member
  for each row when (new.role = 'owner')
  execute function accounts.note_new_owner();
create trigger note_changed_owner after update on accounts.member
  for each row when (new.role = 'owner' and old.role is distinct from new.role)
  execute function accounts.note_new_owner();

create function accounts.count_new_owners() returns table (count integer, last bigint)
  language sql stable security definer set search_path = ''
as $$
  select count(*)::integer, coalesce(max(owner.id), 0) from accounts.new_owner owner
$$;

create function accounts.list_new_owners(after_id bigint, max_rows integer)
  returns table (id bigint, account_id bigint, member_id bigint, login text)
  language sql stable security definer set search_path = ''
as $$
  select owner.id, owner.account_id, owner.member_id, owner.login
    from accounts.new_owner owner
   where owner.id > after_id
   order by owner.id
   limit max_rows
$$;

grant execute on function accounts.count_new_owners(), accounts.list_new_owners(bigint, integer) to vis_identity;

-- A session belongs to a member, or to the API key that was exchanged for it; in the latter case it ends with the key.
create table accounts.session (
  -- SHA-256 of the session id in the browser's cookie: 256 random bits need no salt.
  digest       bytea       primary key check (length(digest) = 32),
  account_id   bigint      not null references accounts.account,
  key_id       bigint      references accounts.api_key,
  role         text        not null check (role in ('owner', 'admin', 'viewer')),
  created_at   timestamptz not null default now(),
  -- Written at most once a minute.
  last_used_at timestamptz not null default now(),
  expires_at   timestamptz not null default now() + interval '7 days',
  ended_at     timestamptz,
  member_id    bigint      references accounts.member,
  method       text,
  constraint session_of_key_or_member
    check ((key_id is null) <> (member_id is null) and (member_id is null) = (method is null) and method in ('link', 'oidc'))
) with (fillfactor = 80); -- room on the page keeps the updates of last_used_at heap-only

create index session_key on accounts.session (key_id, created_at);
-- Finds the open sessions of a key among many ended ones.
create index session_open on accounts.session (key_id, created_at) where ended_at is null;
create index session_member on accounts.session (member_id, created_at);

create trigger tell_nodes after update on accounts.session
  for each row when (old.ended_at is distinct from new.ended_at)
  execute function accounts.tell_nodes();
create trigger tell_nodes_of_deletion after delete on accounts.session
  for each row when (old.ended_at is null)
  execute function accounts.tell_nodes();

-- Each session with the time at which it ends if it is not used, and the reason if it is refused. A member's session
-- has the member's current role.
create view accounts.session_state as
select session.digest,
       session.account_id,
       session.key_id,
       coalesce(member.role, session.role) as role,
       session.created_at,
       session.last_used_at,
       account.name as account_name,
       account.plan,
       key.last_four as key_last_four,
       least(session.expires_at, session.last_used_at + interval '12 hours', key.expires_at) as ends_at,
       case when session.ended_at is not null then 'ended'
            when member.removed_at is not null then 'ended'
            when key.revoked_at is not null then 'revoked'
            when account.suspended_at is not null then 'suspended'
            when least(session.expires_at, session.last_used_at + interval '12 hours', key.expires_at) <= now() then 'expired'
       end as refusal,
       session.member_id,
       member.email as member_email,
       coalesce(session.method, 'api-key') as method,
       -- Identifies the session to its owner. The digest itself stays in the database.
       left(encode(sha256(session.digest), 'hex'), 16) as public_id
  from accounts.session session
  join accounts.account account on account.id = session.account_id
  left join accounts.api_key key on key.id = session.key_id
  left join accounts.member member on member.id = session.member_id;

-- Finds a session by the digest of its id and records its use, at most once a minute. A member's session has the key 0:
-- the ledger and the account's usage show its calls under this key. Also returns the addresses from which the session
-- may be used, which are those of its API key (an empty list allows all addresses), and an admission as for a key.
create function accounts.use_session(session_digest bytea)
  returns table (
    account_id bigint, key_id bigint, plan text, role text, refusal text, expires_in_seconds double precision,
    member_id bigint, allowed_ips text[], admission uuid
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
    -- If PostgreSQL crashes, this use may be lost. Waiting for neither the disk nor locks keeps the lookup short.
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
           coalesce((select key.allowed_ips::text[] from accounts.api_key key where key.id = found_session.key_id), '{}'),
           case when found_session.refusal is null
                then accounts.issue_admission(
                       found_session.account_id, coalesce(found_session.key_id, 0), statement_timestamp() + interval '2 minutes')
           end;
end
$$;

-- Exchanges a valid API key for a session with a viewer's rights. Requires the digest of the key, so that a login with
-- the role vis_api cannot create a session for another account. Returns 'created', 'refused' if the key is invalid or
-- no longer valid, or 'too many' after 30 sessions in a minute. A key has at most 20 open sessions; after that, the
-- oldest one ends.
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
  -- One sign-in per key at a time, so that concurrent ones cannot exceed the limits. A sign-in takes a few
  -- milliseconds, the lock timeout limits the wait, and a node lets only a third of its connections run sign-ins.
  perform pg_advisory_xact_lock(hashtextextended('vis create_session', found_key.id));
  if (select count(*) >= 30
        from accounts.session session
       where session.key_id = found_key.id and session.created_at > clock_timestamp() - interval '1 minute') then
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

-- Opens a session for a member. The first one makes an invited person a member, and the first one that proves the
-- e-mail address confirms it. Returns 'created', 'elsewhere' if the address is confirmed for a member of another
-- account, 'suspended', or 'too many' after 30 sessions in a minute. A member has at most 20 open sessions; after that,
-- the oldest one ends. The caller must have locked the member.
create function accounts.open_member_session(
  signed_in accounts.member, session_digest bytea, used_method text, confirms_email boolean
)
  returns text
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from accounts.account account where account.id = signed_in.account_id and account.suspended_at is not null) then
    return 'suspended';
  end if;
  if (select count(*) >= 30
        from accounts.session session
       where session.member_id = signed_in.id and session.created_at > clock_timestamp() - interval '1 minute') then
    return 'too many';
  end if;
  if confirms_email and signed_in.email_confirmed_at is null then
    begin
      update accounts.member member set email_confirmed_at = now() where member.id = signed_in.id;
    exception when unique_violation then
      return 'elsewhere';
    end;
    -- Earlier sessions came from a link that was handed over, so another person may have used it.
    update accounts.session session
       set ended_at = now()
     where session.member_id = signed_in.id and session.ended_at is null;
  end if;
  if signed_in.joined_at is null then
    update accounts.member member set joined_at = now() where member.id = signed_in.id;
    insert into accounts.audit (actor, action, account_id, member_id, details)
    values ('member:' || signed_in.id, 'member.join', signed_in.account_id, signed_in.id,
            jsonb_build_object('role', signed_in.role, 'method', used_method));
  end if;
  update accounts.member member
     set last_sign_in_day = (now() at time zone 'utc')::date
   where member.id = signed_in.id;
  update accounts.session session
     set ended_at = now()
   where session.digest in (
           select open.digest
             from accounts.session open
            where open.member_id = signed_in.id and open.ended_at is null
            order by open.created_at desc
           offset 19
         );
  insert into accounts.session (digest, account_id, member_id, method, role)
  values (session_digest, signed_in.account_id, signed_in.id, used_method, signed_in.role);
  return 'created';
end
$$;

create function accounts.end_session(session_digest bytea) returns void
  language sql security definer set search_path = ''
as $$
  update accounts.session session
     set ended_at = now()
   where session.digest = session_digest and session.ended_at is null
$$;

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
     and (session.key_id = own.key_id or session.member_id = own.member_id)
     and session.ended_at is null;
  get diagnostics ended = row_count;
  return ended;
end
$$;

create function accounts.list_sessions(session_digest bytea)
  returns table (
    id text, created_at timestamptz, last_used_at timestamptz, ends_at timestamptz, method text, is_current boolean
  )
  language sql stable security definer set search_path = ''
as $$
  select other.public_id, other.created_at, other.last_used_at, other.ends_at, other.method,
         other.digest = session_digest
    from accounts.session_state own
    join accounts.session_state other on other.key_id = own.key_id or other.member_id = own.member_id
   where own.digest = session_digest
     and own.refusal is null
     and other.refusal is null
   order by other.created_at desc, other.public_id
   limit 100
$$;

-- Ends one session from the list above. Returns false if it is not in the list.
create function accounts.end_listed_session(session_digest bytea, ended_id text) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  update accounts.session session
     set ended_at = now()
    from accounts.session_state own, accounts.session_state other
   where own.digest = session_digest
     and own.refusal is null
     and (other.key_id = own.key_id or other.member_id = own.member_id)
     and other.refusal is null
     and other.public_id = ended_id
     and session.digest = other.digest;
  return found;
end
$$;

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

-- Free console reads in the current minute and on the current UTC day. There is one row per account, which every read
-- locks, so that all nodes together never exceed the limits.
create table accounts.console_window (
  account_id   bigint      primary key references accounts.account,
  minute       timestamptz not null,
  minute_reads integer     not null check (minute_reads >= 0),
  day          date        not null,
  day_reads    integer     not null check (day_reads >= 0)
) with (fillfactor = 50);

-- Counts up to `asked` console reads, as many multiples of `portion` as the limits allow, and returns how many it
-- counted. A call that counts as several reads is one portion: it is counted completely or not at all. The reads are
-- added to the account's usage as free calls of the endpoint `console`.
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
  -- A crash of PostgreSQL may lose the most recent counts. Reads are free, so counting them need not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  insert into accounts.console_window (account_id, minute, minute_reads, day, day_reads)
  values (asked_account, now(), 0, current_date, 0)
      on conflict (account_id) do nothing;
  select * into strict used
    from accounts.console_window stored
   where stored.account_id = asked_account
     for update;
  -- The clock is read after the lock, because a call may have waited for it.
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

create function accounts.read_session(session_digest bytea)
  returns table (
    account_name text, plan text, role text, key_id bigint, key_last_four text, created_at timestamptz, ends_at timestamptz,
    minute_reads integer, day_reads integer, minute_resets_at timestamptz, day_resets_at timestamptz,
    member_id bigint, member_email text, method text
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
           (today + 1)::timestamp at time zone 'utc',
           state.member_id, state.member_email, state.method
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
  accounts.list_sessions(bytea),
  accounts.end_listed_session(bytea, text),
  accounts.count_console_reads(bigint, bigint, integer, integer, integer, integer),
  accounts.read_session(bytea)
  to vis_api;

grant execute on function accounts.delete_old_sessions() to vis_jobs;
