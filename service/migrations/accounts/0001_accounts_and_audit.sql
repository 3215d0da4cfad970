-- Accounts have their own schema, which may be in another database: nothing here refers to the catalog. The API's login
-- cannot read its tables and can only call its functions.
create schema accounts;

grant usage on schema accounts to vis_api, vis_identity, vis_jobs;

-- For all schemas, because the per-schema form can only add to the privileges that everyone has by default.
alter default privileges revoke execute on functions from public;

create table accounts.migration (
  name       text        primary key,
  checksum   text        not null,
  applied_at timestamptz not null default now()
);

-- When a process starts, it compares these rows with its own list of migrations.
grant select on accounts.migration to vis_api, vis_identity, vis_jobs;

create table accounts.account (
  id           bigint      generated always as identity primary key,
  name         text        not null check (name <> ''),
  plan         text        not null check (plan in ('free', 'pro', 'business', 'enterprise')),
  created_at   timestamptz not null default now(),
  -- The effective limit in half-credits: the only limit that charging reads.
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

-- Nodes cache keys and sessions for a few seconds. On this notification, they drop those of the changed account.
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

-- A preflight request carries no key, so an origin passes if any account lists it. This is PL/pgSQL because it keeps
-- its plan for the session: PostgreSQL plans an SQL function that runs with its owner's rights again on every call.
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
  -- The member affected by the change, or the one who made it. An e-mail address can be erased, so no row contains one.
  member_id  bigint
);

create index audit_account on accounts.audit (account_id, at);

-- Rows can be added to the audit log but not changed, not even by the owner of the table, so a mistake or an injected
-- statement in an operator's session cannot remove its traces. The owner can still drop the trigger or the table, which
-- are schema changes: `vis-server audit export` keeps a copy elsewhere.
create function accounts.refuse_audit_change() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  raise exception 'accounts.audit accepts new rows only: % is refused', lower(tg_op)
    using errcode = 'integrity_constraint_violation',
          hint = 'Correct a wrong entry by a new one.';
end
$$;

-- Per statement, so that even a statement that would change no row is refused.
create trigger insert_only before update or delete or truncate on accounts.audit
  for each statement execute function accounts.refuse_audit_change();

-- Without this, a session with session_replication_role = replica would not run the trigger.
alter table accounts.audit enable always trigger insert_only;
