-- Accounts have their own schema, which may be in another database: nothing here refers to the catalog. The API's login
-- reads no table of it, only functions.
create schema accounts;

grant usage on schema accounts to vis_api, vis_identity;

-- For all schemas, because the form for one schema can only add to what everybody has by default.
alter default privileges revoke execute on functions from public;

create table accounts.migration (
  name       text        primary key,
  checksum   text        not null,
  applied_at timestamptz not null default now()
);

-- A process compares the rows with its own list when it starts.
grant select on accounts.migration to vis_api, vis_identity;

create table accounts.account (
  id           bigint      generated always as identity primary key,
  name         text        not null check (name <> ''),
  plan         text        not null check (plan in ('free', 'pro', 'business', 'enterprise')),
  created_at   timestamptz not null default now(),
  -- The effective limit, in half-credits: the only value that charging reads.
  limit_half   bigint      not null check (limit_half >= 0),
  suspended_at timestamptz
);

-- Browser origins, exactly as browsers send them: scheme, host and port.
create table accounts.account_origin (
  account_id bigint      not null references accounts.account,
  origin     text        not null check (origin ~ '^https?://[^/?#@\s]+$'),
  created_at timestamptz default now(),
  primary key (account_id, origin)
);

create index account_origin_origin on accounts.account_origin (origin);

-- Nodes cache keys and sessions for a few seconds, and drop those of a changed account when they get this notification.
create function accounts.tell_nodes() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  changed bigint;
begin
  if tg_table_name = 'account' then
    changed := coalesce(new.id, old.id);
  else
    changed := coalesce(new.account_id, old.account_id);
  end if;
  perform pg_notify('vis_account_changed', changed::text);
  return null;
end
$$;

create trigger tell_nodes after update on accounts.account
  for each row when (old.plan is distinct from new.plan or old.suspended_at is distinct from new.suspended_at)
  execute function accounts.tell_nodes();
create trigger tell_nodes after insert or delete on accounts.account_origin
  for each row execute function accounts.tell_nodes();

-- A preflight carries no key, so an origin passes if any account lists it. In PL/pgSQL, because it keeps its plan for the
-- session: PostgreSQL plans an SQL function again in every call if it runs with the rights of its owner.
create function accounts.is_configured_origin(asked text) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from accounts.account_origin origin where origin.origin = asked);
end
$$;

grant execute on function accounts.is_configured_origin(text) to vis_api;

create table accounts.audit (
  id         bigint      generated always as identity primary key,
  at         timestamptz not null default now(),
  -- `key:…` or `member:…`, or the database login and the operating system's user behind an operator's command.
  actor      text        not null,
  action     text        not null,
  account_id bigint,
  key_id     bigint,
  details    jsonb       not null default '{}',
  -- The member whom a change concerns or who made it. An e-mail can be erased, so no row contains one.
  member_id  bigint
);

create index audit_account on accounts.audit (account_id, at);

-- Rows of the audit log can be added but not changed, not even by the owner of the table, so a mistake or an injected
-- statement in an operator's session cannot remove its traces. The owner can still drop the trigger or the table, which are
-- changes of the schema: `vis-server audit export` keeps a copy elsewhere.
create function accounts.refuse_audit_change() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  raise exception 'accounts.audit accepts new rows only: % is refused', lower(tg_op)
    using errcode = 'integrity_constraint_violation',
          hint = 'Correct a wrong entry by a new one.';
end
$$;

-- Per statement: a statement that would change no row is refused too.
create trigger insert_only before update or delete or truncate on accounts.audit
  for each statement execute function accounts.refuse_audit_change();

-- Without this, a session with session_replication_role = replica would not run the trigger.
alter table accounts.audit enable always trigger insert_only;
