-- Who decides about a sign-in. Only the role vis_identity, the login of the process that checks the evidence itself, opens
-- sessions of members, uses links and sends mails. The login of the API nodes loses these rights: whoever breaks into a node
-- must not become anybody on the node's own word.
--
-- The rules of a sign-in are a row that only the owner of the schema writes (`vis-server migrate`, from its settings). They
-- were parameters, so that a node could allow itself a sign-up, a quota or a role.

grant usage on schema accounts to vis_identity;
grant select on accounts.migration to vis_identity;

-- At most one row, which is the case from the start.
create table accounts.sign_in_rule (
  is_only              boolean     primary key default true check (is_only),
  allows_sign_up       boolean     not null,
  -- The limit of an account that a sign-up creates, in half-credits.
  free_limit_half      bigint      not null check (free_limit_half >= 0),
  -- Accounts that one network, or all e-mails of one domain, may create within a day.
  sign_ups_per_network integer     not null check (sign_ups_per_network > 0),
  sign_ups_per_domain  integer     not null check (sign_ups_per_domain > 0),
  -- Domains of e-mails that may sign in at the OpenID Connect provider; empty: all.
  email_domains        text[]      not null,
  -- The account that people with a role by groups join, and the role of each group.
  group_account        bigint,
  group_roles          jsonb       not null check (jsonb_typeof(group_roles) = 'object'),
  changed_at           timestamptz not null default now()
);

insert into accounts.sign_in_rule
  (allows_sign_up, free_limit_half, sign_ups_per_network, sign_ups_per_domain, email_domains, group_account, group_roles)
values (false, 2000, 5, 50, '{}', null, '{}');

-- The role that the groups of a person give: the one with the most rights. Null if no group gives a role.
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

drop function accounts.sign_up(text, text, bigint, integer, integer);

-- Creates a free account whose owner has this confirmed e-mail. Returns null if too many were created on this day for
-- the network of the client or for the domain of the e-mail.
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
  -- The name must not contain the e-mail, which can be erased.
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

drop function accounts.take_mail(bytea, boolean, integer);

-- Takes the next mail that is due, for `lease_seconds`, and stores the digest of the token that the caller will send.
-- Deletes mails that have expired, and mails to e-mails that belong to nobody. Several processes may take mails at once.
create function accounts.take_mail(token_digest bytea, lease_seconds integer)
  returns table (mail_id bigint, purpose text, email text, account_name text, attempts integer)
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

drop function accounts.use_token(bytea, bytea, text, boolean, bigint, integer, integer);

-- Uses a one-time link for a session. Returns 'created' or the reason of the refusal. Only a link that opened a session
-- is used up; all other links of the member are then of no use any more.
create function accounts.use_token(token_digest bytea, session_digest bytea, client_network text) returns text
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

drop function accounts.describe_token(bytea, boolean);

-- Says who would be signed in by a one-time link, and to which account, without using the link. Returns the refusals of
-- accounts.use_token, except 'too many' and 'too many sign-ups', which only the use of a link counts. With a refusal, it
-- returns nothing else: an old link must not tell who used it. The account is null if the link would create one.
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

drop function accounts.sign_in_with_identity(text, text, text, bytea, bigint, text, text, boolean, bigint, integer, integer);

-- Opens a session for a person whom the OpenID Connect provider has identified. Issuer and subject decide who it is; the
-- e-mail, which the provider has confirmed, decides only the first time. An invitation counts only if sign-up is closed and
-- there is no other one. If the groups of the person give a role, unknown people join the account of the groups, and their
-- role follows their groups. Returns 'created' or the reason of the refusal.
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

revoke execute on function
  accounts.request_link(text, text),
  accounts.finish_mail(bigint),
  accounts.retry_mail(bigint),
  accounts.read_mail_queue(),
  accounts.delete_old_sign_in_data()
  from vis_api;

grant execute on function
  accounts.request_link(text, text),
  accounts.take_mail(bytea, integer),
  accounts.finish_mail(bigint),
  accounts.retry_mail(bigint),
  accounts.read_mail_queue(),
  accounts.use_token(bytea, bytea, text),
  accounts.describe_token(bytea),
  accounts.sign_in_with_identity(text, text, text, text[], bytea, text),
  accounts.delete_old_sign_in_data()
  to vis_identity;
