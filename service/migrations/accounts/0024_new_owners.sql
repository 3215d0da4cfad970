-- Members who become owners. A trigger notes them, so that no way to become one goes unseen: neither a function of today
-- nor one of tomorrow, nor a statement in an operator's session. The process that decides about sign-ins shows their number
-- as a metric, on which an alert rests, and logs each of them.

create table accounts.new_owner (
  id         bigint      generated always as identity primary key,
  at         timestamptz not null default now(),
  account_id bigint      not null,
  member_id  bigint      not null,
  -- The database login that made the change. The audit log has the person.
  login      text        not null
);

create function accounts.note_new_owner() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Not the first owner of an account that a sign-up creates: nobody gains a right over an account that existed before.
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
