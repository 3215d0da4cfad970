-- Charging, refunding and reading the meter: all that vis_api may do with credits.

-- Takes a batch in the order of arrival and answers for each item. Idempotent by request id: a batch that is sent
-- again after a lost reply charges nothing twice. Accounts are locked in one order, so batches cannot deadlock.
create function accounts.charge_batch(
  request_ids uuid[], account_ids bigint[], key_ids bigint[], endpoints text[], costs_half integer[]
)
returns table (item integer, verdict text, period date, used_half bigint, limit_half bigint)
-- Planned once: planning anew for the partitions of the moment took longer than the work. The plan may be made while the
-- tables are empty, so it must not be one for empty tables: everything here is looked up by key.
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  this_period date := accounts.current_period();
  last_period date := (this_period - interval '1 month')::date;
  next_period date := (this_period + interval '1 month')::date;
  accounts_in_order bigint[];
  place integer[];           -- of each item's account in accounts_in_order
  known text[];              -- 'charge' or 'refund' for request ids that the ledger has
  known_period date[];
  used bigint[];
  limits bigint[];
  verdicts text[] := array_fill(null::text, array[cardinality(request_ids)]);
  k integer;
begin
  select array_agg(each.id order by each.id) into accounts_in_order
    from (select distinct unnest(account_ids) as id) each;

  insert into accounts.meter (account_id, period)
  select account.id, this_period
    from accounts.account account
   where account.id = any (accounts_in_order)
     and not exists (select from accounts.meter meter where meter.account_id = account.id and meter.period = this_period)
   order by account.id
      on conflict do nothing;

  perform from accounts.meter meter
    where meter.account_id = any (accounts_in_order) and meter.period = this_period
    order by meter.account_id
      for update;

  -- Statements of their own, after the lock: each sees what was committed by whoever held it before.
  select array_agg(coalesce(meter.used_half, 0) order by each.n), array_agg(coalesce(account.limit_half, -1) order by each.n)
    into used, limits
    from unnest(accounts_in_order) with ordinality each (id, n)
    left join accounts.account account on account.id = each.id
    left join accounts.meter meter on meter.account_id = each.id and meter.period = this_period;

  select array_agg(array_position(accounts_in_order, sent.account_id) order by sent.n) into place
    from unnest(account_ids) with ordinality sent (account_id, n);

  -- Hardly ever: a batch that was sent before, or a refund that overtook its charge. The months around this one count
  -- too: a reply can be lost at midnight, and a refund made after midnight can overtake a charge that began before.
  if exists (
    select from accounts.ledger entry
     where entry.period in (last_period, this_period, next_period) and entry.request_id = any (request_ids)
  ) then
    select array_agg(ledger.kind order by sent.n), array_agg(ledger.period order by sent.n)
      into known, known_period
      from unnest(request_ids) with ordinality sent (request_id, n)
      left join lateral (
        -- A refund counts more than the charge it undoes.
        select entry.kind, entry.period
          from accounts.ledger entry
         where entry.period in (last_period, this_period, next_period) and entry.request_id = sent.request_id
         order by entry.kind desc
         limit 1
      ) ledger on true;
  end if;

  for i in 1..cardinality(request_ids) loop
    k := place[i];
    if known[i] = 'refund' then
      verdicts[i] := 'refunded';
    elsif known[i] = 'charge' then
      verdicts[i] := 'charged before';
    elsif used[k] + costs_half[i] <= limits[k] then
      used[k] := used[k] + costs_half[i];
      verdicts[i] := 'charged';
    else
      -- A smaller one behind it may still fit.
      verdicts[i] := 'exceeded';
    end if;
  end loop;

  update accounts.meter meter
     set used_half = spent.used
    from unnest(accounts_in_order, used) spent (id, used)
   where meter.account_id = spent.id and meter.period = this_period and meter.used_half <> spent.used;

  insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half)
  select this_period, sent.request_id, 'charge', sent.account_id, sent.key_id, sent.endpoint, sent.cost
    from unnest(request_ids, account_ids, key_ids, endpoints, costs_half, verdicts)
         sent (request_id, account_id, key_id, endpoint, cost, verdict)
   where sent.verdict = 'charged';

  return query
    select sent.n::integer, sent.verdict, coalesce(known_period[sent.n], this_period), used[sent.place], limits[sent.place]
      from unnest(verdicts, place) with ordinality sent (verdict, place, n);
end
$$;

-- Gives back, to the month in which it was taken. Idempotent. Where there is no charge yet, a refund of 0 is left, so
-- that a charge whose reply was lost, and which is still under way, does not count when it arrives.
create function accounts.refund_batch(
  request_ids uuid[], account_ids bigint[], key_ids bigint[], endpoints text[]
)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  this_period date := accounts.current_period();
  last_period date := (this_period - interval '1 month')::date;
  refunded integer;
begin
  -- As in charge_batch: the row to lock must be there, or a first charge that is still under way would go unseen.
  insert into accounts.meter (account_id, period)
  select account.id, each.period
    from accounts.account account
   cross join unnest(array[last_period, this_period]) each (period)
   where account.id = any (account_ids)
         -- A charge of last month can only be under way shortly after midnight.
     and (each.period = this_period or now() at time zone 'utc' < this_period + interval '1 hour')
   order by account.id, each.period
      on conflict do nothing;

  perform from accounts.meter meter
    where meter.account_id = any (account_ids) and meter.period in (this_period, last_period)
    order by meter.account_id, meter.period
      for update;

  with given_back as (
    insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half)
    select coalesce(charge.period, this_period), sent.request_id, 'refund',
           sent.account_id, sent.key_id, sent.endpoint, coalesce(charge.cost_half, 0)
      from unnest(request_ids, account_ids, key_ids, endpoints) sent (request_id, account_id, key_id, endpoint)
      left join accounts.ledger charge
        on charge.request_id = sent.request_id and charge.kind = 'charge' and charge.period in (this_period, last_period)
     where not exists (
             select from accounts.ledger earlier
              where earlier.request_id = sent.request_id and earlier.kind = 'refund'
                and earlier.period in (this_period, last_period)
           )
        on conflict do nothing
    returning period, account_id, cost_half
  ), sums as (
    select given_back.account_id, given_back.period, sum(given_back.cost_half) as half
      from given_back
     where given_back.cost_half > 0
     group by given_back.account_id, given_back.period
  ), settled as (
    update accounts.meter meter
       set used_half = meter.used_half - sums.half
      from sums
     where meter.account_id = sums.account_id and meter.period = sums.period
  )
  select count(*) into refunded from given_back;
  return refunded;
end
$$;

-- Exact and cheap: the meter row that every charge keeps equal to the ledger.
create function accounts.read_usage(asked_account bigint)
returns table (plan text, limit_half bigint, used_half bigint, reset_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select account.plan,
         account.limit_half,
         coalesce(meter.used_half, 0),
         (accounts.current_period() + interval '1 month') at time zone 'utc'
    from accounts.account account
    left join accounts.meter meter on meter.account_id = account.id and meter.period = accounts.current_period()
   where account.id = asked_account
$$;

grant execute on function
  accounts.charge_batch(uuid[], bigint[], bigint[], text[], integer[]),
  accounts.refund_batch(uuid[], bigint[], bigint[], text[]),
  accounts.read_usage(bigint),
  accounts.prepare_ledger(integer)
  to vis_api;
