-- A cheaper charge. It takes what is asked for first, under the row lock that this needs anyway, and looks afterwards
-- whether all of it fits: nearly always it does, and the walk from call to call is not needed.

-- Takes a batch in the order of arrival and answers for each item; used_half and limit_half only where it does not fit.
-- Idempotent by request id: a batch that is sent again after a lost reply charges nothing twice. Missing rows are made
-- before any lock is taken, and accounts are locked in one order, so batches cannot deadlock.
create or replace function accounts.charge_batch(
  request_ids uuid[], account_ids bigint[], key_ids bigint[], endpoints text[], costs_half integer[]
)
returns table (item integer, verdict text, period date, used_half bigint, limit_half bigint)
-- Planned once: planning anew for the partitions of the moment took longer than the work. The plan may be made while the
-- tables are empty, so it must not be one for empty tables, such as reading all meters of the month: everything here is
-- looked up by key.
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_bitmapscan = off set enable_material = off
as $$
declare
  -- Not accounts.current_period(): a function with a search_path of its own is parsed at every call.
  this_month timestamp := date_trunc('month', now() at time zone 'utc');
  next_month timestamp := this_month + interval '1 month';
  this_period date := this_month;
  -- Of the request ids to recognise.
  first_period date := this_period;
  final_period date := this_period;
  unmetered bigint[];
  strangers bigint[] := '{}'; -- accounts that do not exist
  metered bigint[];           -- the others, once each
  used bigint[];              -- by those, and their limits
  limits bigint[];
  all_fit boolean;
  place integer[];            -- of each item's account in metered
  known text[];               -- 'charge' or 'refund' for request ids that the ledger has
  known_period date[];
  verdicts text[] := array_fill('charged'::text, array[cardinality(request_ids)]);
  k integer;
begin
  select array_agg(each.id) into unmetered
    from unnest(account_ids) each (id)
   where not exists (select from accounts.meter meter where meter.account_id = each.id and meter.period = this_period);
  if unmetered is not null then
    insert into accounts.meter (account_id, period)
    select account.id, this_period
      from accounts.account account
     where account.id = any (unmetered)
     order by account.id
        on conflict do nothing;
    select coalesce(array_agg(each.id), '{}') into strangers
      from unnest(unmetered) each (id)
     where not exists (select from accounts.account account where account.id = each.id);
  end if;

  -- The lock. Every row is there by now, so that this only ever updates.
  with wanted as (
    select sent.account_id, sum(sent.cost) as cost
      from unnest(account_ids, costs_half) sent (account_id, cost)
     where sent.account_id <> all (strangers)
     group by sent.account_id
  ), taken as (
    insert into accounts.meter as meter (account_id, period, used_half)
    select wanted.account_id, this_period, wanted.cost
      from wanted
     order by wanted.account_id
        on conflict on constraint meter_pkey do update set used_half = meter.used_half + excluded.used_half
    returning meter.account_id, meter.used_half
  )
  select array_agg(taken.account_id), array_agg(taken.used_half) into metered, used from taken;

  -- Statements of their own, after the lock: each sees what was committed by whoever held it before.
  select array_agg(account.limit_half order by each.n), bool_and(each.used <= account.limit_half)
    into limits, all_fit
    from unnest(metered, used) with ordinality each (id, used, n)
    join accounts.account account on account.id = each.id;

  -- A reply can be lost at midnight, and a refund made after midnight can overtake a charge that began before.
  if now() at time zone 'utc' < this_month + interval '1 hour' then
    first_period := this_month - interval '1 month';
  end if;
  if clock_timestamp() at time zone 'utc' > next_month - interval '1 hour' then
    final_period := next_month;
  end if;

  -- Hardly ever: a batch that was sent before, a refund that overtook its charge, or an account at its limit.
  if all_fit is not true or strangers <> '{}' or exists (
    select from accounts.ledger entry
     where entry.period in (first_period, this_period, final_period) and entry.request_id = any (request_ids)
  ) then
    select array_agg(array_position(metered, sent.account_id) order by sent.n),
           array_agg(ledger.kind order by sent.n),
           array_agg(ledger.period order by sent.n)
      into place, known, known_period
      from unnest(request_ids, account_ids) with ordinality sent (request_id, account_id, n)
      left join lateral (
        -- A refund counts more than the charge it undoes.
        select entry.kind, entry.period
          from accounts.ledger entry
         where entry.period in (first_period, this_period, final_period) and entry.request_id = sent.request_id
         order by entry.kind desc
         limit 1
      ) ledger on true;

    -- Back to what was used before.
    for i in 1..cardinality(request_ids) loop
      k := place[i];
      if k is not null then
        used[k] := used[k] - costs_half[i];
      end if;
    end loop;

    for i in 1..cardinality(request_ids) loop
      k := place[i];
      if known[i] = 'refund' then
        verdicts[i] := 'refunded';
      elsif known[i] = 'charge' then
        verdicts[i] := 'charged before';
      elsif used[k] + costs_half[i] <= limits[k] then
        used[k] := used[k] + costs_half[i];
      else
        -- A smaller one behind it may still fit.
        verdicts[i] := 'exceeded';
      end if;
    end loop;

    update accounts.meter meter
       set used_half = walked.used
      from unnest(metered, used) walked (id, used)
     where meter.account_id = walked.id and meter.period = this_period and meter.used_half <> walked.used;
  end if;

  insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half)
  select this_period, sent.request_id, 'charge', sent.account_id, sent.key_id, sent.endpoint, sent.cost
    from unnest(request_ids, account_ids, key_ids, endpoints, costs_half, verdicts)
         sent (request_id, account_id, key_id, endpoint, cost, verdict)
   where sent.verdict = 'charged';

  return query
    select sent.n::integer, sent.verdict, coalesce(known_period[sent.n], this_period), used[place[sent.n]], limits[place[sent.n]]
      from unnest(verdicts) with ordinality sent (verdict, n);
end
$$;
