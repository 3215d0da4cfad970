-- What an account may spend and from where it may be called; suspension; a record of every operator's action.

-- The effective limit, in half-credits: the only value that charging reads.
alter table accounts.account add column limit_half bigint not null default 2000 check (limit_half >= 0);
alter table accounts.account add column suspended_at timestamptz;
alter table accounts.account alter column limit_half drop default;

-- Browser origins, exactly as browsers send them: scheme, host and port.
create table accounts.account_origin (
  account_id bigint not null references accounts.account,
  origin     text   not null check (origin ~ '^https?://[^/?#@\s]+$'),
  primary key (account_id, origin)
);

create index account_origin_origin on accounts.account_origin (origin);

create table accounts.audit (
  id         bigint      generated always as identity primary key,
  at         timestamptz not null default now(),
  -- The database login and the operating system's user behind the command.
  actor      text        not null,
  action     text        not null,
  account_id bigint,
  key_id     bigint,
  details    jsonb       not null default '{}'
);

create index audit_account on accounts.audit (account_id, at);

-- Nodes cache keys for a few seconds; this tells them at once whose are no longer true. It is only a hint:
-- a node that misses it asks again when its copy is five seconds old.
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
create trigger tell_nodes after update or delete on accounts.api_key
  for each row execute function accounts.tell_nodes();
create trigger tell_nodes after insert or delete on accounts.account_origin
  for each row execute function accounts.tell_nodes();
