-- Sign-ins by one-time link or OpenID Connect. Only the role vis_identity, the login of the process that checks the
-- evidence itself, opens member sessions, uses links and sends mail. API nodes may not: someone who breaks into a node
-- must not be able to sign in as anyone just because the node says so.

-- Always one row. Only the owner of the schema writes these rules (`vis-server migrate`, from its settings). If they
-- were parameters of the functions, a node could allow itself a sign-up, a quota or a role.
create table accounts.sign_in_rule (
  is_only              boolean     primary key default true check (is_only),
  allows_sign_up       boolean     not null,
  -- The limit of an account created by a sign-up, in half-credits.
  free_limit_half      bigint      not null check (free_limit_half >= 0),
  -- Number of accounts that one network, or all e-mail addresses of one domain, may create per day.
  sign_ups_per_network integer     not null check (sign_ups_per_network > 0),
  sign_ups_per_domain  integer     not null check (sign_ups_per_domain > 0),
  -- E-mail domains that may sign in through the OpenID Connect provider; empty: all.
  email_domains        text[]      not null,
  -- The account that people join if their groups give them a role, and the role of each group.
  group_account        bigint,
  group_roles          jsonb       not null check (jsonb_typeof(group_roles) = 'object'),
  changed_at           timestamptz not null default now()
);

insert into accounts.sign_in_rule
  (allows_sign_up, free_limit_half, sign_ups_per_network, sign_ups_per_domain, email_domains, group_account, group_roles)
values (false, 2000, 5, 50, '{}', null, '{}');

create function accounts.read_sign_in_rule() returns accounts.sign_in_rule
  language sql stable security definer set search_path = ''
as $$
  select rule.* from accounts.sign_in_rule rule
$$;

-- One-time links. A link contains 256 random bits; this table stores only their SHA-256 digest.
create table accounts.sign_in_token (
  digest     bytea       primary key check (length(digest) = 32),
  purpose    text        not null check (purpose in ('invitation', 'sign-in', 'sign-up')),
  -- Null for a sign-up: the member does not exist yet.
  member_id  bigint      references accounts.member,
  email      text        not null,
  -- True for a link that was sent to the e-mail address, false for one that another person hands over.
  is_mailed  boolean     not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz,
  check ((member_id is null) = (purpose = 'sign-up'))
);

create index sign_in_token_member on accounts.sign_in_token (member_id);

-- Mail waiting to be sent. A row has no link and no token: the process that sends the mail creates the token, so
-- neither this database nor its backups ever contain a link. A sign-in row does not reveal whether the address is
-- known; the sending process finds out.
create table accounts.mail (
  id         bigint      generated always as identity primary key,
  kind       text        not null check (kind in ('invitation', 'sign-in')),
  email      text        not null check (length(email) <= 254 and email ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-z0-9.-]+$'),
  -- The invited member; null for a sign-in.
  member_id  bigint      references accounts.member,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Part of the header Message-ID, which is the same in every attempt: a receiver can recognise a repetition.
  message_id uuid        not null default gen_random_uuid(),
  -- Time when the job that sends the mail was made; null if there is none yet.
  queued_at  timestamptz,
  -- Time of the first attempt.
  tried_at   timestamptz
);

create index mail_without_job on accounts.mail (id) where queued_at is null;
create index mail_untried on accounts.mail (created_at) where tried_at is null;
create index mail_member on accounts.mail (member_id);

-- Counts of link requests and sign-ups, across all processes.
create table accounts.sign_in_window (
  -- SHA-256 of what is counted, such as an e-mail or a network.
  subject    bytea       primary key check (length(subject) = 32),
  started_at timestamptz not null,
  ends_at    timestamptz not null,
  attempts   integer     not null
);

-- The mailbox of an e-mail address: most providers deliver ada+news@example.org to ada@example.org.
create function accounts.to_mailbox(email text) returns text
  language sql immutable set search_path = ''
as $$
  select regexp_replace(email, '\+[^@]*@', '@')
$$;

-- Counts an attempt. Returns 0, or the seconds until the window ends if the limit was already reached.
create function accounts.count_attempt(subject_text text, max_attempts integer, window_length interval) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  counted accounts.sign_in_window;
begin
  -- Attempts beyond the limit must not wait for each other to write the same row.
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

-- Queues a mail with a sign-in link. It does the same for known and unknown addresses, so neither the answer nor its
-- timing reveals which is which. Returns which limit was reached, if any, and the seconds to wait.
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
  -- The window is as long as a link is valid: requesting many links for another person cannot lock that person out for
  -- longer.
  email_wait := accounts.count_attempt('link e-mail ' || accounts.to_mailbox(asked_email), 5, interval '15 minutes');
  if email_wait > 0 then
    return query select 'e-mail', email_wait;
    return;
  end if;
  -- Beyond 20 a day, no more mail is sent. The answer stays the same, because it must not depend on the address.
  if accounts.count_attempt('links of a day ' || accounts.to_mailbox(asked_email), 20, interval '1 day') = 0 then
    insert into accounts.mail (kind, email, expires_at) values ('sign-in', asked_email, now() + interval '1 hour');
  end if;
  return query select null::text, 0;
end
$$;

-- Returns the mails that have no job yet. The caller makes the jobs in the same transaction.
create function accounts.queue_mail(max_mails integer) returns setof bigint
  language sql security definer set search_path = ''
as $$
  update accounts.mail mail
     set queued_at = now()
   where mail.id in (
           select waiting.id
             from accounts.mail waiting
            where waiting.queued_at is null
            order by waiting.id
            limit max_mails
              for update skip locked
         )
  returning mail.id
$$;

create function accounts.has_mail_without_job() returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (select from accounts.mail mail where mail.queued_at is null)
$$;

grant execute on function accounts.queue_mail(integer), accounts.has_mail_without_job() to vis_jobs;

-- Returns a mail that is to be sent, and stores the digest of the token that the caller will send. Returns nothing if
-- the mail was sent before, and deletes a mail that has expired or whose address belongs to no member. Two processes
-- that take the same mail both get it: the receiver recognises the repetition by message_id, and both links work.
create function accounts.take_mail(wanted_id bigint, token_digest bytea)
  returns table (purpose text, email text, account_name text, message_id uuid)
  language plpgsql security definer set search_path = ''
as $$
declare
  allows_sign_up boolean;
  taken accounts.mail;
  receiver accounts.member;
  receiving_account accounts.account;
  is_wanted boolean;
begin
  select rule.allows_sign_up into strict allows_sign_up from accounts.sign_in_rule rule;
  select mail.* into taken from accounts.mail mail where mail.id = wanted_id for update;
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
                    -- A role that follows groups is known only when the member signs in at the provider.
                    else receiving_account.suspended_at is null and not receiver.has_group_role
               end;
  if taken.expires_at <= now() or not is_wanted then
    delete from accounts.mail mail where mail.id = taken.id;
    return;
  end if;
  purpose := case when receiver.id is null then 'sign-up'
                  when receiver.email_confirmed_at is null then 'invitation'
                  else 'sign-in'
             end;
  update accounts.mail mail set tried_at = coalesce(mail.tried_at, now()) where mail.id = taken.id;
  insert into accounts.sign_in_token (digest, purpose, member_id, email, is_mailed, expires_at)
  values (token_digest,
          take_mail.purpose,
          receiver.id,
          taken.email,
          true,
          now() + case take_mail.purpose when 'invitation' then interval '72 hours' else interval '15 minutes' end);
  email := taken.email;
  account_name := receiving_account.name;
  message_id := taken.message_id;
  return next;
end
$$;

create function accounts.finish_mail(sent_id bigint) returns void
  language sql security definer set search_path = ''
as $$
  delete from accounts.mail mail where mail.id = sent_id
$$;

-- Returns the role that a person's groups give: the one with the most rights, or null if no group gives a role.
create function accounts.find_group_role(member_groups text[]) returns text
  language sql stable set search_path = ''
as $$
  select given.role
    from accounts.sign_in_rule rule
   cross join lateral jsonb_each_text(rule.group_roles) given (name, role)
   where given.name = any (member_groups) and rule.group_account is not null
   order by array_position(array['owner', 'admin', 'viewer'], given.role)
   limit 1
$$;

-- Creates a free account whose owner has this confirmed e-mail address. Returns null if too many were created today for
-- the client's network or the address's domain.
create function accounts.sign_up(new_email text, client_network text) returns accounts.member
  language plpgsql security definer set search_path = ''
as $$
declare
  rule accounts.sign_in_rule;
  new_account bigint;
  new_owner accounts.member;
begin
  select * into strict rule from accounts.sign_in_rule;
  if not rule.allows_sign_up then
    raise exception 'sign-up is closed';
  end if;
  if accounts.count_attempt('sign-up network ' || client_network, rule.sign_ups_per_network, interval '1 day') > 0
     or accounts.count_attempt('sign-up domain ' || split_part(new_email, '@', 2), rule.sign_ups_per_domain, interval '1 day') > 0
  then
    return null;
  end if;
  insert into accounts.account (name, plan, limit_half)
  -- The name must not contain the e-mail address, because that can be erased.
  values ('Sign-up of ' || to_char(now() at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS'), 'free', rule.free_limit_half)
  returning id into new_account;
  insert into accounts.member (account_id, email, role)
  values (new_account, new_email, 'owner')
  returning * into new_owner;
  insert into accounts.audit (actor, action, account_id, member_id)
  values ('member:' || new_owner.id, 'account.sign-up', new_account, new_owner.id);
  return new_owner;
end
$$;

-- Exchanges a one-time link for a session. Returns 'created' or the reason for the refusal. Only a link that opened a
-- session is used up; all other links of the member then become invalid too.
create function accounts.use_token(token_digest bytea, session_digest bytea, client_network text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  token accounts.sign_in_token;
  signed_in accounts.member;
  opened text;
begin
  -- Every function locks a member before the member's links, so that no two of them wait for each other.
  perform from accounts.member member
    join accounts.sign_in_token stored on stored.member_id = member.id
   where stored.digest = token_digest
     for no key update of member;
  -- This lock makes a second use wait for the first one and then see it.
  select stored.* into token from accounts.sign_in_token stored where stored.digest = token_digest for update;
  if not found then
    return 'unknown';
  end if;
  if token.used_at is not null or token.expires_at <= clock_timestamp() then
    return case when token.used_at is not null then 'used' else 'expired' end;
  end if;
  if token.member_id is null then
    -- One sign-up per e-mail address at a time. The second one finds the account created by the first.
    perform pg_advisory_xact_lock(hashtextextended('vis sign-up ' || token.email, 0));
    select found.* into signed_in from accounts.find_member(token.email) found;
    if signed_in.id is null and not (select rule.allows_sign_up from accounts.sign_in_rule rule) then
      return 'unknown';
    end if;
    if signed_in.id is null then
      select created.* into signed_in from accounts.sign_up(token.email, client_network) created;
    end if;
    if signed_in.id is null then
      return 'too many sign-ups';
    end if;
  else
    select member.* into signed_in from accounts.member member where member.id = token.member_id;
  end if;
  -- A role that follows groups is known only when the member signs in at the provider.
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

-- Returns who a one-time link would sign in, and to which account, without using the link. Returns the same refusals as
-- accounts.use_token, except 'too many' and 'too many sign-ups', which count only when a link is used. After a refusal
-- it returns nothing else: an old link must not reveal who used it. The account is null if the link would create one.
create function accounts.describe_token(token_digest bytea)
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
    when signed_in.id is null and not (select rule.allows_sign_up from accounts.sign_in_rule rule) then 'unknown'
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

-- Opens a session for a person identified by the OpenID Connect provider. Issuer and subject decide who it is; the
-- e-mail address, which the provider has confirmed, decides only the first time. An invitation counts only if sign-up
-- is closed and it is the only one. If the person's groups give a role, an unknown person joins the groups' account,
-- and the role follows the groups. Returns 'created' or the reason for the refusal.
create function accounts.sign_in_with_identity(
  issuer text, subject text, confirmed_email text, member_groups text[], session_digest bytea, client_network text
)
  returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  rule accounts.sign_in_rule;
  group_role text := accounts.find_group_role(member_groups);
  signed_in accounts.member;
begin
  select * into strict rule from accounts.sign_in_rule;
  if rule.email_domains <> '{}' and split_part(confirmed_email, '@', 2) <> all (rule.email_domains) then
    return 'domain';
  end if;
  -- One sign-in per e-mail address at a time, so that two of them create only one member.
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
      values (rule.group_account, confirmed_email, group_role, true)
          on conflict (email, account_id) where removed_at is null do update
         set role = excluded.role, has_group_role = true, invited_at = now()
      returning * into signed_in;
    elsif signed_in.id is null and rule.allows_sign_up then
      select created.* into signed_in from accounts.sign_up(confirmed_email, client_network) created;
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
  accounts.read_sign_in_rule(),
  accounts.request_link(text, text),
  accounts.take_mail(bigint, bytea),
  accounts.finish_mail(bigint),
  accounts.use_token(bytea, bytea, text),
  accounts.describe_token(bytea),
  accounts.sign_in_with_identity(text, text, text, text[], bytea, text)
  to vis_identity;

grant execute on function accounts.delete_old_sign_in_data() to vis_jobs;

-- Sign-in requests, which the API nodes forward to the process that decides, and its answers. A node identifies its
-- request by a random id and gets the answer with this id, so it never sees other nodes' requests. Both sides poll,
-- because notifications do not pass through a pooler in transaction mode.
--
-- Unlogged: a row lives for seconds and may hold the provider's sign-in code, so it must reach neither the write-ahead
-- log nor replicas. After a PostgreSQL crash, people sign in again.
create unlogged table accounts.identity_request (
  id         uuid        primary key,
  kind       text        not null check (kind in ('link', 'token', 'description', 'oidc-start', 'oidc-finish')),
  -- Parameters from the browser. Cleared as soon as a process has taken the request.
  parameters jsonb       not null check (octet_length(parameters::text) <= 16384),
  created_at timestamptz not null default clock_timestamp(),
  -- Time until which the node waits for the answer.
  expires_at timestamptz not null,
  taken_at   timestamptz,
  answer     jsonb
);

create index identity_request_waiting on accounts.identity_request (created_at) where taken_at is null;

-- Last report from the process that decides on sign-ins. At most one row: all such processes have the same settings.
create table accounts.identity_status (
  is_only     boolean     primary key default true check (is_only),
  sends_mail  boolean     not null,
  -- Name of the OpenID Connect provider; null if there is none.
  oidc_name   text,
  reported_at timestamptz not null
) with (fillfactor = 50); -- room on the page keeps the constant updates heap-only

-- Adds a request. SQLSTATE VI005: too many requests are already waiting.
create function accounts.ask_identity(request_id uuid, asked_kind text, sent jsonb, wait_seconds integer) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if (select count(*) >= 1000 from accounts.identity_request waiting where waiting.expires_at > clock_timestamp()) then
    raise exception 'too many requests for a sign-in are waiting' using errcode = 'VI005';
  end if;
  insert into accounts.identity_request (id, kind, parameters, expires_at)
  values (request_id, asked_kind, sent, clock_timestamp() + make_interval(secs => least(greatest(wait_seconds, 1), 30)));
end
$$;

create function accounts.take_identity_answer(request_id uuid) returns jsonb
  language sql security definer set search_path = ''
as $$
  delete from accounts.identity_request request
   where request.id = request_id and request.answer is not null
  returning request.answer
$$;

-- The available ways to sign in, according to the last report. There is no row before the first report. Mail is
-- 'delayed' while a mail has waited for its first attempt longer than usual; null if no mail is sent.
create function accounts.read_identity_status()
  returns table (mail text, oidc_name text, allows_sign_up boolean, age_seconds double precision)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select case when not status.sends_mail then null
                when exists (select
                               from accounts.mail mail
                              where mail.tried_at is null and mail.created_at < now() - interval '5 seconds')
                then 'delayed'
                else 'normal'
           end,
           status.oidc_name, rule.allows_sign_up,
           extract(epoch from clock_timestamp() - status.reported_at)::double precision
      from accounts.identity_status status
     cross join accounts.sign_in_rule rule;
end
$$;

grant execute on function
  accounts.ask_identity(uuid, text, jsonb, integer),
  accounts.take_identity_answer(uuid),
  accounts.read_identity_status()
  to vis_api;

-- Takes waiting requests, oldest first, and deletes those that their node no longer waits for. Several processes may do
-- so.
create function accounts.take_identity_requests(max_requests integer)
  returns table (id uuid, kind text, parameters jsonb)
  language plpgsql security definer set search_path = ''
as $$
declare
  expired uuid[];
begin
  -- Nearly always nothing is waiting, and this is all that is read.
  if not exists (select from accounts.identity_request request) then
    return;
  end if;
  select array_agg(old.id) into expired
    from (
           select request.id
             from accounts.identity_request request
            where request.expires_at <= clock_timestamp()
              for update skip locked
         ) old;
  delete from accounts.identity_request request where request.id = any (expired);
  return query
    with waiting as (
      select request.id, request.parameters
        from accounts.identity_request request
       where request.taken_at is null
       order by request.created_at
       limit max_requests
         for update skip locked
    )
    update accounts.identity_request request
       set taken_at = clock_timestamp(), parameters = '{}'
      from waiting
     where request.id = waiting.id
    returning request.id, request.kind, waiting.parameters;
end
$$;

create function accounts.answer_identity_request(request_id uuid, given jsonb) returns void
  language sql security definer set search_path = ''
as $$
  update accounts.identity_request request set answer = given where request.id = request_id
$$;

create function accounts.report_identity(currently_sends_mail boolean, current_oidc_name text) returns void
  language sql security definer set search_path = ''
as $$
  insert into accounts.identity_status as stored (sends_mail, oidc_name, reported_at)
  values (currently_sends_mail, current_oidc_name, clock_timestamp())
      on conflict (is_only) do update
     set sends_mail = excluded.sends_mail, oidc_name = excluded.oidc_name, reported_at = excluded.reported_at
$$;

grant execute on function
  accounts.take_identity_requests(integer),
  accounts.answer_identity_request(uuid, jsonb),
  accounts.report_identity(boolean, text)
  to vis_identity;
