create table accounts.account (
  id         bigint      generated always as identity primary key,
  name       text        not null check (name <> ''),
  plan       text        not null check (plan in ('free', 'pro', 'business', 'enterprise')),
  created_at timestamptz not null default now()
);

create table accounts.api_key (
  id         bigint      generated always as identity primary key,
  account_id bigint      not null references accounts.account,
  -- SHA-256 of the whole key: 256 random bits need no salt, and nothing here can be turned back into a key.
  digest     bytea       not null unique check (length(digest) = 32),
  -- What may be shown, to tell keys apart.
  prefix     text        not null,
  last_four  text        not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);

create index api_key_account on accounts.api_key (account_id);

-- The database's clock decides about expiry: a node's may be wrong, or set for a demonstration.
create function accounts.find_key(key_digest bytea)
returns table (key_id bigint, account_id bigint, plan text, refusal text)
language sql stable security definer set search_path = ''
as $$
  select key.id,
         account.id,
         account.plan,
         case when key.revoked_at is not null then 'revoked'
              when key.expires_at <= now() then 'expired'
         end
    from accounts.api_key key
    join accounts.account account on account.id = key.account_id
   where key.digest = key_digest
$$;

grant execute on function accounts.find_key(bytea) to vis_api;
