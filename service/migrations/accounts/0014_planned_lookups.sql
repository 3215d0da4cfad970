-- Makes the lookups that precede a call cheaper. PostgreSQL plans the statement of a function in SQL again in every call,
-- unless it can inline the function, and it inlines no function that runs with the rights of its owner. A function in
-- PL/pgSQL keeps its plan for the session: a lookup of an API key took 0.07 ms instead of 0.45 ms.
-- The statements are unchanged.
create or replace function accounts.find_caller(key_digest bytea)
  returns table (
    key_id bigint, account_id bigint, plan text, origins text[], refusal text, expires_in_seconds double precision
  )
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select key.id,
           account.id,
           account.plan,
           array(select origin.origin from accounts.account_origin origin where origin.account_id = account.id),
           case when key.revoked_at is not null then 'revoked'
                when key.expires_at <= now() then 'expired'
                when account.suspended_at is not null then 'suspended'
           end,
           extract(epoch from key.expires_at - now())::double precision
      from accounts.api_key key
      join accounts.account account on account.id = key.account_id
     where key.digest = key_digest;
end
$$;

create or replace function accounts.is_configured_origin(asked text) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from accounts.account_origin origin where origin.origin = asked);
end
$$;

create or replace function accounts.read_usage(asked_account bigint)
  returns table (plan text, limit_half bigint, used_half bigint, reset_at timestamptz)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  this_month date := accounts.current_period();
begin
  return query
    select account.plan,
           account.limit_half,
           coalesce(meter.used_half, 0),
           (this_month + interval '1 month') at time zone 'utc'
      from accounts.account account
      left join accounts.meter meter on meter.account_id = account.id and meter.period = this_month
     where account.id = asked_account;
end
$$;
