-- No release has used it: nothing is lost.
drop function accounts.find_key(bytea);

-- Whose key it is, with all that admission needs to know; the database's clock decides about expiry.
create function accounts.find_caller(key_digest bytea)
returns table (
  key_id             bigint,
  account_id         bigint,
  plan               text,
  origins            text[],
  refusal            text,
  expires_in_seconds double precision
)
language sql stable security definer set search_path = ''
as $$
  select key.id,
         account.id,
         account.plan,
         array(select origin.origin from accounts.account_origin origin where origin.account_id = account.id),
         case when key.revoked_at is not null then 'revoked'
              when key.expires_at <= now() then 'expired'
              when account.suspended_at is not null then 'suspended'
         end,
         extract(epoch from key.expires_at - now())
    from accounts.api_key key
    join accounts.account account on account.id = key.account_id
   where key.digest = key_digest
$$;

-- A preflight carries no key: an origin passes if any account lists it.
create function accounts.is_configured_origin(asked text)
returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from accounts.account_origin origin where origin.origin = asked)
$$;

grant execute on function accounts.find_caller(bytea), accounts.is_configured_origin(text) to vis_api;
