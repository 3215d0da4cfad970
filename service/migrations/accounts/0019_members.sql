-- Members: the people of an account, their one-time links, and their sessions of the web console. The clock of this
-- database decides about all of them.

create table accounts.member (
  id               bigint      generated always as identity primary key,
  account_id       bigint      not null references accounts.account,
  -- In lower case; null after it was erased. The characters leave no way to add a header to a mail.
  email            text        check (length(email) <= 254 and email ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-z0-9.-]+$'),
  role             text        not null check (role in ('owner', 'admin', 'viewer')),
  created_at       timestamptz not null default now(),
  -- Time of the last invitation.
  invited_at       timestamptz not null default now(),
  -- Time of the first sign-in; null for a person who was invited only.
  joined_at        timestamptz,
  -- Time at which the person proved to receive mails at this address: by a link that was sent to it, or at the OpenID Connect
  -- provider. A link that another person handed over proves nothing.
  email_confirmed_at timestamptz,
  last_sign_in_day date,
  removed_at       timestamptz,
  -- The person at the OpenID Connect provider. It decides who signs in, because an e-mail may be given to another person.
  oidc_issuer      text,
  oidc_subject     text,
  -- True for a member whose role follows the groups at the provider.
  has_group_role   boolean     not null default false,
  check ((oidc_issuer is null) = (oidc_subject is null))
);

create index member_account on accounts.member (account_id);
-- An account has a person once.
create unique index member_email_account on accounts.member (email, account_id) where removed_at is null;
-- A person with a confirmed e-mail belongs to one account. Others may invite the person, and do not learn about it.
create unique index member_confirmed_email on accounts.member (email)
  where removed_at is null and email_confirmed_at is not null;
create unique index member_identity on accounts.member (oidc_issuer, oidc_subject)
  where removed_at is null and oidc_subject is not null;

-- Nodes cache sessions with the role of their member.
create trigger tell_nodes after update on accounts.member
  for each row when (old.role is distinct from new.role or old.removed_at is distinct from new.removed_at)
  execute function accounts.tell_nodes();

-- One-time links. The link has 256 random bits; this table has their SHA-256 digest only.
create table accounts.sign_in_token (
  digest     bytea       primary key check (length(digest) = 32),
  purpose    text        not null check (purpose in ('invitation', 'sign-in', 'sign-up')),
  -- Null for a sign-up: the member does not exist yet.
  member_id  bigint      references accounts.member,
  email      text        not null,
  -- True for a link that was sent to the e-mail, false for one that another person hands over.
  is_mailed  boolean     not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz,
  check ((member_id is null) = (purpose = 'sign-up'))
);

create index sign_in_token_member on accounts.sign_in_token (member_id);

-- Mails that wait to be sent. A row has no link and no token: the node that sends the mail makes the token, so that
-- neither this database nor its backups ever contain a link. The row of a sign-in says nothing about whether the e-mail
-- is known; the node that sends finds out.
create table accounts.mail (
  id         bigint      generated always as identity primary key,
  kind       text        not null check (kind in ('invitation', 'sign-in')),
  email      text        not null check (length(email) <= 254 and email ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-z0-9.-]+$'),
  -- The invited member; null for a sign-in.
  member_id  bigint      references accounts.member,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  attempts   integer     not null default 0,
  -- Time of the next attempt. While a node sends the mail, this is the end of its lease.
  due_at     timestamptz not null default now()
);

create index mail_due on accounts.mail (due_at);
create index mail_member on accounts.mail (member_id);

-- Counts of requests for links and of sign-ups, for all nodes together.
create table accounts.sign_in_window (
  -- SHA-256 of what is counted, such as an e-mail or a network.
  subject    bytea       primary key check (length(subject) = 32),
  started_at timestamptz not null,
  ends_at    timestamptz not null,
  attempts   integer     not null
);

-- The mailbox of an e-mail: ada+news@example.org is delivered to ada@example.org at most providers.
create function accounts.to_mailbox(email text) returns text
  language sql immutable set search_path = ''
as $$
  select regexp_replace(email, '\+[^@]*@', '@')
$$;

-- Counts an attempt. Returns 0, or the seconds until the window ends if the limit was reached already.
create function accounts.count_attempt(subject_text text, max_attempts integer, window_length interval) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  counted accounts.sign_in_window;
begin
  -- Many attempts beyond the limit must not wait for each other to write the same row.
  select stored.* into counted
    from accounts.sign_in_window stored
   where stored.subject = sha256(convert_to(subject_text, 'UTF8'))
     and stored.ends_at > clock_timestamp()
     and stored.attempts > max_attempts;
  if found then
    return greatest(1, ceil(extract(epoch from counted.ends_at - clock_timestamp())))::integer;
  end if;
  insert into accounts.sign_in_window as stored (subject, started_at, ends_at, attempts)
  values (sha256(convert_to(subject_text, 'UTF8')), clock_timestamp(), clock_timestamp() + window_length, 1)
      on conflict (subject) do update
     set started_at = case when stored.ends_at <= excluded.started_at then excluded.started_at else stored.started_at end,
         ends_at = case when stored.ends_at <= excluded.started_at then excluded.ends_at else stored.ends_at end,
         attempts = case when stored.ends_at <= excluded.started_at then 1
                         else least(stored.attempts, max_attempts) + 1
                    end
  returning * into counted;
  if counted.attempts <= max_attempts then
    return 0;
  end if;
  return greatest(1, ceil(extract(epoch from counted.ends_at - clock_timestamp())))::integer;
end
$$;

-- A session belongs to a member, or to the API key that was exchanged for it. Nodes of the previous release read the key
-- through functions only, which return 0 for the session of a member.
-- squawk-ignore ban-drop-not-null
alter table accounts.session alter column key_id drop not null;
-- squawk-ignore adding-foreign-key-constraint -- The table has at most 20 open sessions of a key, and a day of old ones.
alter table accounts.session add column member_id bigint references accounts.member;
alter table accounts.session add column method text;
-- squawk-ignore constraint-missing-not-valid -- See above: the check reads few rows.
alter table accounts.session add constraint session_of_key_or_member
  check ((key_id is null) <> (member_id is null) and (member_id is null) = (method is null) and method in ('link', 'oidc'));
-- squawk-ignore require-concurrent-index-creation -- The index is built from few rows.
create index session_member on accounts.session (member_id, created_at);

-- The columns up to `refusal` are those of migration 0015. A member's session has the role that the member has now.
create or replace view accounts.session_state as
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
       -- Names the session for its owner. The digest itself stays in the database.
       left(encode(sha256(session.digest), 'hex'), 16) as public_id
  from accounts.session session
  join accounts.account account on account.id = session.account_id
  left join accounts.api_key key on key.id = session.key_id
  left join accounts.member member on member.id = session.member_id;

-- Finds a session by the digest of its id. Records the use of a valid session, at most once a minute. A member's session
-- has the key 0: the ledger and the usage of the account show its calls under this key.
drop function accounts.use_session(bytea);
create function accounts.use_session(session_digest bytea)
  returns table (
    account_id bigint, key_id bigint, plan text, role text, refusal text, expires_in_seconds double precision,
    member_id bigint
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
           found_session.member_id;
end
$$;

-- Describes a valid session and the reads of its account, for the person who is signed in.
drop function accounts.read_session(bytea);
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

-- Finds the account for which a credential acts, with the name of the actor in the audit log and the rights of a role.
-- Returns no row if the credential is not valid. A key with the scope manage has the rights of an admin.
create or replace function accounts.find_actor(credential text, digest bytea)
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
      select state.account_id, coalesce('member:' || state.member_id, 'key:' || state.key_id), state.role
        from accounts.session_state state
       where credential = 'session' and state.digest = find_actor.digest and state.refusal is null;
  end if;
end
$$;

-- Ends all sessions of the same member, or of the same API key, as this one, if this one is still valid. Returns their
-- number.
create or replace function accounts.end_sessions(session_digest bytea) returns integer
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

-- Lists the valid sessions of the same member, or of the same API key, as this one, the newest first.
create function accounts.list_sessions(session_digest bytea)
  returns table (
    id text, created_at timestamptz, last_used_at timestamptz, ends_at timestamptz, method text, is_current boolean
  )
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select other.public_id, other.created_at, other.last_used_at, other.ends_at, other.method,
           other.digest = session_digest
      from accounts.session_state own
      join accounts.session_state other on other.key_id = own.key_id or other.member_id = own.member_id
     where own.digest = session_digest
       and own.refusal is null
       and other.refusal is null
     order by other.created_at desc, other.public_id
     limit 100;
end
$$;

-- Ends one session of the list above. Returns false if the list does not have it.
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

-- Queues a mail with a sign-in link. It does the same for known and unknown e-mails, so that neither the answer nor its
-- time tells them apart. Returns which limit was reached, if any, and the seconds to wait.
create function accounts.request_link(asked_email text, client_network text)
  returns table (reached text, wait_seconds integer)
  language plpgsql security definer set search_path = ''
as $$
declare
  network_wait integer;
  email_wait integer;
begin
  network_wait := accounts.count_attempt('link network ' || client_network, 30, interval '1 hour');
  if network_wait > 0 then
    return query select 'network', network_wait;
    return;
  end if;
  -- As long as a link is valid: somebody who asks for many links of another person cannot keep that person out for longer.
  email_wait := accounts.count_attempt('link e-mail ' || accounts.to_mailbox(asked_email), 5, interval '15 minutes');
  if email_wait > 0 then
    return query select 'e-mail', email_wait;
    return;
  end if;
  -- Beyond 20 a day the mails stop. The answer stays the same, because it must not depend on the e-mail.
  if accounts.count_attempt('links of a day ' || accounts.to_mailbox(asked_email), 20, interval '1 day') = 0 then
    insert into accounts.mail (kind, email, expires_at) values ('sign-in', asked_email, now() + interval '1 hour');
  end if;
  return query select null::text, 0;
end
$$;

-- Returns the member with this confirmed e-mail.
create function accounts.find_member(asked_email text) returns accounts.member
  language sql stable security definer set search_path = ''
as $$
  select member.*
    from accounts.member member
   where member.email = asked_email
     and member.removed_at is null
     and member.email_confirmed_at is not null
$$;

-- Returns the memberships of an e-mail that nobody has confirmed, the newest first: invitations, and members who joined with
-- a link that was handed over. Any account can invite any e-mail, so none of them may capture a sign-in: a person accepts one
-- with a mail that names the account, or at the provider if there is only one.
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

-- Takes the next mail that is due, for `lease_seconds`, and stores the digest of the token that the caller will send.
-- Deletes mails that have expired, and mails to e-mails that belong to nobody. Several nodes may take mails at once.
create function accounts.take_mail(token_digest bytea, allows_sign_up boolean, lease_seconds integer)
  returns table (mail_id bigint, purpose text, email text, account_name text, attempts integer)
  language plpgsql security definer set search_path = ''
as $$
declare
  taken accounts.mail;
  receiver accounts.member;
  receiving_account accounts.account;
  is_wanted boolean;
begin
  for checked in 1 .. 100 loop
    select mail.* into taken
      from accounts.mail mail
     where mail.due_at <= now()
     order by mail.due_at
     limit 1
       for update skip locked;
    if not found then
      return;
    end if;
    if taken.kind = 'invitation' then
      select member.* into receiver
        from accounts.member member
       where member.id = taken.member_id and member.removed_at is null and member.joined_at is null;
    else
      select found.* into receiver from accounts.find_member(taken.email) found;
      if receiver.id is null and not allows_sign_up then
        select found.* into receiver from accounts.list_unconfirmed(taken.email) found limit 1;
      end if;
    end if;
    select account.* into receiving_account from accounts.account account where account.id = receiver.account_id;
    is_wanted := case when receiver.id is null then taken.kind = 'sign-in' and allows_sign_up
                      -- The role of a member by groups is known only at a sign-in with the provider.
                      else receiving_account.suspended_at is null and not receiver.has_group_role
                 end;
    purpose := case when receiver.id is null then 'sign-up'
                    when receiver.email_confirmed_at is null then 'invitation'
                    else 'sign-in'
               end;
    if taken.expires_at <= now() or not is_wanted then
      delete from accounts.mail mail where mail.id = taken.id;
    else
      update accounts.mail mail
         set attempts = mail.attempts + 1, due_at = now() + make_interval(secs => lease_seconds)
       where mail.id = taken.id;
      return query
        with stored as (
          insert into accounts.sign_in_token as token (digest, purpose, member_id, email, is_mailed, expires_at)
          values (token_digest,
                  take_mail.purpose,
                  receiver.id,
                  taken.email,
                  true,
                  now() + case take_mail.purpose when 'invitation' then interval '72 hours' else interval '15 minutes' end)
          returning token.purpose
        )
        select taken.id, stored.purpose, taken.email, receiving_account.name, taken.attempts + 1 from stored;
      return;
    end if;
  end loop;
end
$$;

-- Deletes a mail that was sent, or that can never be sent.
create function accounts.finish_mail(sent_id bigint) returns void
  language sql security definer set search_path = ''
as $$
  delete from accounts.mail mail where mail.id = sent_id
$$;

-- Lets a mail be tried again: after 5 s, then twice as long each time, at most 10 minutes.
create function accounts.retry_mail(failed_id bigint) returns void
  language sql security definer set search_path = ''
as $$
  update accounts.mail mail
     set due_at = now() + least(interval '10 minutes', interval '5 seconds' * power(2, least(mail.attempts, 10) - 1))
   where mail.id = failed_id
$$;

-- Number of mails that wait, and the age of the oldest in seconds.
create function accounts.read_mail_queue() returns table (waiting integer, oldest_seconds double precision)
  language sql stable security definer set search_path = ''
as $$
  select count(*)::integer, coalesce(extract(epoch from now() - min(mail.created_at)), 0)::double precision
    from accounts.mail mail
$$;

-- Opens a session of a member. The first one makes an invited person a member, and the first one that proves the e-mail
-- confirms it. Returns 'created', 'elsewhere' if the e-mail is confirmed for a member of another account, 'suspended', or 'too
-- many' after 30 sessions in a minute. A member has at most 20 open sessions; the oldest one ends. The caller has locked the member.
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
    -- Earlier sessions came from a link that was handed over, and another person may have used it.
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

-- Creates a free account whose owner has this confirmed e-mail. Returns null if too many were created on this day for
-- the network of the client or for the domain of the e-mail.
create function accounts.sign_up(
  new_email text, client_network text, free_limit_half bigint, max_per_network integer, max_per_domain integer
)
  returns accounts.member
  language plpgsql security definer set search_path = ''
as $$
declare
  new_account bigint;
  new_owner accounts.member;
begin
  if accounts.count_attempt('sign-up network ' || client_network, max_per_network, interval '1 day') > 0
     or accounts.count_attempt('sign-up domain ' || split_part(new_email, '@', 2), max_per_domain, interval '1 day') > 0 then
    return null;
  end if;
  insert into accounts.account (name, plan, limit_half)
  -- The name must not contain the e-mail, which can be erased.
  values ('Sign-up of ' || to_char(now() at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS'), 'free', free_limit_half)
  returning id into new_account;
  insert into accounts.member (account_id, email, role)
  values (new_account, new_email, 'owner')
  returning * into new_owner;
  insert into accounts.audit (actor, action, account_id, member_id)
  values ('member:' || new_owner.id, 'account.sign-up', new_account, new_owner.id);
  return new_owner;
end
$$;

-- Uses a one-time link for a session. Returns 'created' or the reason of the refusal. Only a link that opened a session
-- is used up; all other links of the member are then of no use any more.
create function accounts.use_token(
  token_digest bytea, session_digest bytea, client_network text, allows_sign_up boolean, free_limit_half bigint,
  max_per_network integer, max_per_domain integer
)
  returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  token accounts.sign_in_token;
  signed_in accounts.member;
  opened text;
begin
  -- Every function locks a member before the links of the member, so that no two of them wait for each other.
  perform from accounts.member member
    join accounts.sign_in_token stored on stored.member_id = member.id
   where stored.digest = token_digest
     for no key update of member;
  -- This lock makes a second use wait for the first and then see it.
  select stored.* into token from accounts.sign_in_token stored where stored.digest = token_digest for update;
  if not found then
    return 'unknown';
  end if;
  if token.used_at is not null or token.expires_at <= clock_timestamp() then
    return case when token.used_at is not null then 'used' else 'expired' end;
  end if;
  if token.member_id is null then
    -- One sign-up of an e-mail at a time. The second one finds the account of the first.
    perform pg_advisory_xact_lock(hashtextextended('vis sign-up ' || token.email, 0));
    select found.* into signed_in from accounts.find_member(token.email) found;
    if signed_in.id is null and not allows_sign_up then
      return 'unknown';
    end if;
    if signed_in.id is null then
      select created.* into signed_in
        from accounts.sign_up(token.email, client_network, free_limit_half, max_per_network, max_per_domain) created;
    end if;
    if signed_in.id is null then
      return 'too many sign-ups';
    end if;
  else
    select member.* into signed_in from accounts.member member where member.id = token.member_id;
  end if;
  -- The role of a member by groups is known only at a sign-in with the provider.
  if signed_in.removed_at is not null or signed_in.has_group_role then
    return 'removed';
  end if;
  opened := accounts.open_member_session(signed_in, session_digest, 'link', token.is_mailed);
  if opened = 'created' then
    update accounts.sign_in_token stored
       set used_at = now()
     where (stored.digest = token_digest or stored.member_id = signed_in.id) and stored.used_at is null;
  end if;
  return opened;
end
$$;

-- Returns whether another owner of the account has joined. The caller has locked the account.
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

-- Opens a session for a person whom the OpenID Connect provider has identified. Issuer and subject decide who it is; the
-- e-mail, which the provider has confirmed, decides only the first time. An invitation counts only if sign-up is closed and
-- there is no other one. With a role by groups, unknown people join the
-- given account, and their role follows their groups. Returns 'created' or the reason of the refusal.
create function accounts.sign_in_with_identity(
  issuer text, subject text, confirmed_email text, session_digest bytea, group_account bigint, group_role text,
  client_network text, allows_sign_up boolean, free_limit_half bigint, max_per_network integer, max_per_domain integer
)
  returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  signed_in accounts.member;
begin
  -- One sign-in of an e-mail at a time, so that two of them create one member.
  perform pg_advisory_xact_lock(hashtextextended('vis sign-up ' || confirmed_email, 0));
  select member.* into signed_in
    from accounts.member member
   where member.oidc_issuer = issuer and member.oidc_subject = subject and member.removed_at is null;
  if signed_in.id is null then
    select found.* into signed_in from accounts.find_member(confirmed_email) found;
    if signed_in.oidc_subject is not null then
      return 'identity';
    end if;
    if signed_in.id is null and group_role is not null then
      insert into accounts.member (account_id, email, role, has_group_role)
      values (group_account, confirmed_email, group_role, true)
          on conflict (email, account_id) where removed_at is null do update
         set role = excluded.role, has_group_role = true, invited_at = now()
      returning * into signed_in;
    elsif signed_in.id is null and allows_sign_up then
      select created.* into signed_in
        from accounts.sign_up(confirmed_email, client_network, free_limit_half, max_per_network, max_per_domain) created;
      if signed_in.id is null then
        return 'too many sign-ups';
      end if;
    elsif signed_in.id is null then
      if (select count(*) from accounts.list_unconfirmed(confirmed_email)) <> 1 then
        return 'unknown';
      end if;
      select found.* into signed_in from accounts.list_unconfirmed(confirmed_email) found;
    end if;
    update accounts.member member
       set oidc_issuer = issuer, oidc_subject = subject
     where member.id = signed_in.id
    returning * into signed_in;
  elsif signed_in.has_group_role and group_role is null then
    return 'no group';
  end if;
  -- Every function locks an account before its members.
  if signed_in.has_group_role then
    perform from accounts.account account where account.id = signed_in.account_id for no key update;
  end if;
  select member.* into signed_in from accounts.member member where member.id = signed_in.id for no key update;
  if signed_in.removed_at is not null then
    return 'removed';
  end if;
  if signed_in.has_group_role and group_role <> signed_in.role then
    if signed_in.role <> 'owner' or accounts.has_other_owner(signed_in.account_id, signed_in.id) then
      insert into accounts.audit (actor, action, account_id, member_id, details)
      values ('member:' || signed_in.id, 'member.role', signed_in.account_id, signed_in.id,
              jsonb_build_object('role', group_role, 'role_before', signed_in.role, 'reason', 'groups'));
      update accounts.member member set role = group_role where member.id = signed_in.id returning * into signed_in;
    end if;
  end if;
  return accounts.open_member_session(signed_in, session_digest, 'oidc', true);
end
$$;

-- Deletes links a day after they expired, counts whose window is over, and mails that were never sent. Returns the
-- number of rows.
create function accounts.delete_old_sign_in_data() returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  tokens integer;
  windows integer;
  mails integer;
begin
  delete from accounts.sign_in_token token where token.expires_at < now() - interval '1 day';
  get diagnostics tokens = row_count;
  delete from accounts.sign_in_window stored where stored.ends_at < now();
  get diagnostics windows = row_count;
  delete from accounts.mail mail where mail.expires_at < now();
  get diagnostics mails = row_count;
  return tokens + windows + mails;
end
$$;

grant execute on function
  accounts.use_session(bytea),
  accounts.read_session(bytea),
  accounts.list_sessions(bytea),
  accounts.end_listed_session(bytea, text),
  accounts.request_link(text, text),
  accounts.take_mail(bytea, boolean, integer),
  accounts.finish_mail(bigint),
  accounts.retry_mail(bigint),
  accounts.read_mail_queue(),
  accounts.use_token(bytea, bytea, text, boolean, bigint, integer, integer),
  accounts.sign_in_with_identity(text, text, text, bytea, bigint, text, text, boolean, bigint, integer, integer),
  accounts.delete_old_sign_in_data()
  to vis_api;
