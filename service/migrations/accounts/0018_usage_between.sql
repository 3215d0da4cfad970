-- The usage of an account in any period, by day, endpoint and key, for the account itself.

-- The migration before added the constraint. All rows fulfil it, because the scopes have a default.
alter table accounts.api_key validate constraint api_key_scopes;

-- Usage that the roll-up has counted is read from usage_daily, other usage from the ledger. The function is stable, so
-- that all of it is read in one snapshot: a portion that is counted meanwhile moves no row from one part to the other. The
-- sum of a month therefore equals the meter of the account in the same snapshot.
create function accounts.usage_between(asked_account bigint, first_day date, last_day date)
returns table (day date, key_id bigint, endpoint text, calls bigint, cost_half bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  -- A refund belongs to this month or to the one before, and so does its charge.
  refunds_since date := greatest(
    date_trunc('month', first_day::timestamp), accounts.current_period() - interval '1 month')::date;
  since timestamptz := first_day::timestamp at time zone 'utc';
  until timestamptz := (last_day + 1)::timestamp at time zone 'utc';
  state accounts.usage_rolled_up;
  next_tid tid;
  late uuid[];
begin
  select * into strict state from accounts.usage_rolled_up;
  next_tid := format('(%s,0)', state.counted_pages)::tid;

  return query
    select daily.day, daily.key_id, daily.endpoint, daily.calls, daily.cost_half
      from accounts.usage_daily daily
     where daily.account_id = asked_account
       and daily.day >= first_day
       and daily.day <= last_day
       and daily.day < coalesce(state.recount_day, 'infinity');
  return query
    select (charge.at at time zone 'utc')::date, charge.key_id, charge.endpoint, sum(charge.calls), sum(charge.cost_half)
      from accounts.monthly_net_charge charge
     where charge.account_id = asked_account
       and charge.period >= date_trunc('month', first_day::timestamp)
       and charge.at >= greatest(since, state.recount_day::timestamp at time zone 'utc')
       and charge.at < until
       and state.recount_day is not null
     group by 1, 2, 3;
  return query
    select (charge.at at time zone 'utc')::date, charge.key_id, charge.endpoint, count(*), sum(charge.cost_half)
      from accounts.ledger charge
     where charge.account_id = asked_account
       and charge.at >= since
       and charge.at < until
       and charge.kind = 'charge'
       and charge.day >= state.before_day
       -- A row is written soon after its time, so later partitions need not be read.
       and charge.day <= last_day + 1
       and (charge.day > state.before_day or charge.ctid >= next_tid)
     group by 1, 2, 3;

  select array_agg(refund.request_id) into late
    from accounts.ledger refund
   where refund.account_id = asked_account
     and refund.period >= refunds_since
     and refunds_since <= last_day
     and refund.kind = 'refund'
     and refund.cost_half > 0
     and refund.day >= state.before_day
     and (refund.day > state.before_day or refund.ctid >= next_tid);
  -- A refund counts on the day of its charge, which may be in a detached day or in the monthly ledger.
  return query
    select refunded.day, refunded.key_id, refunded.endpoint, -count(refunded.charged_at), -sum(refunded.cost_half)
      from (
             select coalesce((charge.at at time zone 'utc')::date, refund.day) as day,
                    refund.key_id, refund.endpoint, refund.cost_half, charge.at as charged_at
               from accounts.ledger refund
               left join accounts.find_old_entries(late, refunds_since, 'infinity') charge
                 on charge.request_id = refund.request_id and charge.kind = 'charge'
              where refund.request_id = any (late)
                and refund.kind = 'refund'
                and refund.day >= state.before_day
           ) refunded
     where refunded.day >= first_day and refunded.day <= last_day
     group by 1, 2, 3;
end
$$;

create or replace function accounts.usage_this_month(asked_account bigint)
returns table (day date, key_id bigint, endpoint text, calls bigint, cost_half bigint)
language sql stable set search_path = ''
as $$
  select * from accounts.usage_between(
    asked_account, accounts.current_period(), (accounts.current_period() + interval '1 month - 1 day')::date)
$$;

-- The usage of the caller's account. SQLSTATE VI001: the credential is not valid; VI022: the period does not have 1 to 400
-- days.
create function accounts.read_usage_between(credential text, digest bytea, first_day date, last_day date)
returns table (day date, key_id bigint, endpoint text, calls bigint, cost_half bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  asked_account bigint := (select actor.account_id from accounts.find_actor(credential, read_usage_between.digest) actor);
begin
  if asked_account is null then
    raise exception 'the credential is not valid' using errcode = 'VI001';
  end if;
  if last_day - first_day not between 0 and 399 then
    raise exception 'the period has % days', last_day - first_day + 1 using errcode = 'VI022';
  end if;
  return query select * from accounts.usage_between(asked_account, first_day, last_day);
end
$$;

grant execute on function accounts.read_usage_between(text, bytea, date, date) to vis_api;
