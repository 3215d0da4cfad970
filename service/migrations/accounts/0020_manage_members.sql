-- Members are invited, changed and removed by the owners and admins of their account, and by its API keys with the scope
-- manage. Only owners make, change or remove owners. The functions take the digest of the caller's credential (migration
-- 0017), and write the audit row in the same transaction. Audit rows name members by id: an e-mail can be erased.

-- Returns whether a credential is a key with a list of addresses. Such a key neither invites nor promotes members, who could
-- sign in from anywhere and create keys without the list.
create function accounts.is_bound_to_addresses(credential text, digest bytea) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select credential = 'key' and exists (
    select from accounts.api_key key where key.digest = is_bound_to_addresses.digest and key.allowed_ips <> '{}'
  )
$$;

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

create function accounts.read_members(credential text, digest bytea) returns setof accounts.member_state
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select member.*
      from accounts.member_state member
     where member.account_id = (accounts.require_admin(credential, read_members.digest)).account_id
     order by member.id;
end
$$;

-- Invites a person, or invites again a person who has not joined yet: earlier links are of no use any more then. With the
-- digest of a token, the caller hands over the link; otherwise the invitation is sent by mail. Whether the person is a
-- member of another account makes no difference here. The outcome is 'done', 'owner' (only an owner may do this),
-- 'addresses' (see is_bound_to_addresses), 'joined', 'limit' (the account has 100 members), or 'too many' (20 invitations by mail within a day).
create function accounts.invite_member(
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

-- Replaces the links of an invited member by one with the given digest, or by a mail.
create function accounts.send_invitation(invited_member bigint, token_digest bytea) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from accounts.sign_in_token token where token.member_id = invited_member;
  delete from accounts.mail mail where mail.member_id = invited_member;
  if token_digest is null then
    -- Beyond 5 a day for one mailbox, by all accounts together, no mail is sent; the caller does not learn about it.
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

-- Ends the membership of a person: sessions, links and mails included. Nodes learn of it at once.
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

-- Changes the role of a member, or removes the member if the new role is null. The outcome is 'done', 'unknown', 'owner'
-- (only an owner may do this), 'addresses' (see is_bound_to_addresses), or 'last' (an account that has an owner keeps one). The change locks the account, so that
-- two owners cannot remove each other at the same moment.
create function accounts.change_member(credential text, digest bytea, asked_member bigint, new_role text)
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

grant execute on function
  accounts.read_members(text, bytea),
  accounts.invite_member(text, bytea, text, text, bytea),
  accounts.change_member(text, bytea, bigint, text)
  to vis_api;
