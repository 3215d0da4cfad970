-- The roll-up of usage in portions: each call counts some pages of one day of the ledger, in a transaction of its own,
-- and the next call goes on from there. Every row of the ledger is counted exactly once, on the day of its charge.
--
-- A day is counted when no row can be added to it any more. The column "day" is the day on which a row was written, and
-- every writer locks accounts.meter or accounts.ledger before it reads the clock for this column. Once all transactions
-- have ended that held such a lock at some moment after the end of the day, the day is complete. A late refund is a row of
-- a later day; it reduces the usage of the day of its charge when the day on which it was written is counted.

-- Days before before_day are counted, and the first counted_pages pages of that day.
alter table accounts.usage_rolled_up add column counted_pages bigint not null default 0;
-- The file of that day's table: in another file, rows have other places, and the counted pages would be wrong.
alter table accounts.usage_rolled_up add column counted_file oid;
-- The next day and the last day of accounts.ledger_monthly to sum up once more, before any day of accounts.ledger.
alter table accounts.usage_rolled_up add column recount_day date;
alter table accounts.usage_rolled_up add column recount_until date;

-- The sums of the counted rows, by the day on which they were written and by month. They show before a day is dropped
-- that all of its rows were counted.
create table accounts.ledger_day (
  day       date   not null,
  period    date   not null,
  entries   bigint not null,
  cost_half bigint not null, -- charges minus refunds
  primary key (day, period)
);

-- The monthly ledger is summed up once more from the month before the last roll-up: a refund in it may be newer than the
-- last roll-up, and it refers to the month before at most.
insert into accounts.usage_rolled_up as stored (before_day, recount_day, recount_until)
select daily.since,
       case when exists (select from accounts.ledger_monthly)
         then coalesce(
           (select (date_trunc('month', earlier.before_day::timestamp) - interval '1 month')::date
              from accounts.usage_rolled_up earlier),
           (select min(entry.period) from accounts.ledger_monthly entry))
       end,
       daily.since
  from (select (accounts.daily_ledger_since() at time zone 'utc')::date as since) daily
    on conflict (is_only) do update
   set before_day = excluded.before_day, recount_day = excluded.recount_day, recount_until = excluded.recount_until;

drop function accounts.add_up_day(date);

-- Makes usage_daily say of this day what the monthly ledger says.
create function accounts.recount_monthly_day(asked date) returns void
language plpgsql set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  delete from accounts.usage_daily where day = asked;
  insert into accounts.usage_daily (account_id, key_id, endpoint, day, calls, cost_half)
  select charge.account_id, charge.key_id, charge.endpoint, asked, sum(charge.calls), sum(charge.cost_half)
    from accounts.monthly_net_charge charge
   where charge.period = date_trunc('month', asked::timestamp)::date
     and charge.at >= asked::timestamp at time zone 'utc'
     and charge.at < (asked + 1)::timestamp at time zone 'utc'
   group by charge.account_id, charge.key_id, charge.endpoint
  having sum(charge.calls) > 0 or sum(charge.cost_half) > 0;
end
$$;

-- Adds some pages of one day's table to usage_daily. The pages are read by their numbers, so no index is needed.
create function accounts.count_ledger_pages(asked date, first_page bigint, next_page bigint) returns void
-- 64 MB hold the sums of 300,000 different keys and endpoints; more are written to temporary files. A hash join would
-- read the whole day to find the charges of a few refunds.
language plpgsql set search_path = '' set work_mem = '64MB' set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  zero_accounts bigint[];
  zero_days date[];
  zero_keys bigint[];
  zero_endpoints text[];
begin
  execute format($sql$
    with refund as (
      select refund.account_id, refund.key_id, refund.endpoint, refund.period, refund.request_id, refund.cost_half,
             (charge.at at time zone 'utc')::date as charged_on
        from accounts.%1$I refund
        left join accounts.%1$I charge on charge.request_id = refund.request_id and charge.kind = 'charge'
       where refund.ctid >= %2$L and refund.ctid < %3$L and refund.kind = 'refund'
    ), late as (
      select array_agg(request_id) as request_ids, min(period) as since from refund where charged_on is null and cost_half > 0
    ), counted as (
      select charge.account_id, charge.key_id, charge.endpoint, charge.period,
             -- Cheaper than the conversion of every time to a date.
             case when charge.at >= %4$L and charge.at < %5$L then %6$L else (charge.at at time zone 'utc')::date end as day,
             count(*) as entries, count(*) as calls, sum(charge.cost_half) as cost_half
        from accounts.%1$I charge
       where charge.ctid >= %2$L and charge.ctid < %3$L and charge.kind = 'charge'
       group by 1, 2, 3, 4, 5
       union all
      select account_id, key_id, endpoint, period, charged_on, 1, -1, -cost_half
        from refund
       where charged_on is not null
       union all
      -- A refund of 0 without a charge changes no sum.
      select refund.account_id, refund.key_id, refund.endpoint, refund.period,
             coalesce((charge.at at time zone 'utc')::date, %6$L), 1, case when charge.at is null then 0 else -1 end,
             -refund.cost_half
        from refund
        left join (
               select older.request_id, older.at
                 from late, accounts.find_old_entries(late.request_ids, late.since, %6$L) older
                where older.kind = 'charge'
             ) charge on charge.request_id = refund.request_id
       where refund.charged_on is null
    ), checked as (
      insert into accounts.ledger_day as stored (day, period, entries, cost_half)
      select %6$L, period, sum(entries), sum(cost_half)
        from counted
       group by period
          on conflict (day, period) do update
         set entries = stored.entries + excluded.entries, cost_half = stored.cost_half + excluded.cost_half
    ), merged as (
      insert into accounts.usage_daily as stored (account_id, key_id, endpoint, day, calls, cost_half)
      select account_id, key_id, endpoint, day, sum(calls), sum(cost_half)
        from counted
       group by account_id, day, key_id, endpoint
      having sum(calls) <> 0 or sum(cost_half) <> 0
       order by account_id, day, key_id, endpoint
          on conflict (account_id, day, key_id, endpoint) do update
         set calls = stored.calls + excluded.calls, cost_half = stored.cost_half + excluded.cost_half
      returning account_id, day, key_id, endpoint, calls, cost_half
    )
    select array_agg(account_id), array_agg(day), array_agg(key_id), array_agg(endpoint)
      from merged
     where calls = 0 and cost_half = 0
  $sql$,
    'ledger_' || to_char(asked, 'YYYY_MM_DD'),
    format('(%s,0)', first_page)::tid,
    format('(%s,0)', next_page)::tid,
    asked::timestamp at time zone 'utc',
    (asked + 1)::timestamp at time zone 'utc',
    asked)
    into zero_accounts, zero_days, zero_keys, zero_endpoints;

  -- All calls of these lines were refunded.
  delete from accounts.usage_daily stored
   using unnest(zero_accounts, zero_days, zero_keys, zero_endpoints) zero (account_id, day, key_id, endpoint)
   where (stored.account_id, stored.day, stored.key_id, stored.endpoint) = (zero.account_id, zero.day, zero.key_id, zero.endpoint);
end
$$;

-- The transactions that may write to the ledger now, except this one. A writer is not recognised by its transaction id,
-- because long transactions that write to other tables or other databases would then delay the roll-up.
create function accounts.ledger_writers() returns setof text
language sql volatile set search_path = ''
as $$
  select virtualtransaction
    from pg_catalog.pg_locks
   where locktype = 'relation'
     and database = (select oid from pg_catalog.pg_database where datname = current_database())
     and relation in ('accounts.meter'::regclass, 'accounts.ledger'::regclass)
     and mode = 'RowExclusiveLock'
     and granted
     and pid is distinct from pg_backend_pid()
$$;

-- Waits for up to a second until all transactions have ended that may write to the ledger now. Returns false if one still
-- runs then.
create function accounts.wait_for_ledger_writers() returns boolean
language plpgsql set search_path = ''
as $$
declare
  writers text[] := array(select accounts.ledger_writers());
begin
  for attempt in 1..50 loop
    if not exists (select from accounts.ledger_writers() writer where writer = any (writers)) then
      return true;
    end if;
    perform pg_sleep(0.02);
  end loop;
  return false;
end
$$;

-- Counts the next portion and returns 'counted', or returns why there is nothing to count: 'done', 'busy' while another
-- node counts, or 'waiting' while a transaction runs that may still add rows to the next day. 65,536 pages are 512 MB,
-- about 5.7 million rows.
create function accounts.roll_up_portion(max_pages bigint default 65536) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  today date := (now() at time zone 'utc')::date;
  state accounts.usage_rolled_up;
  stored regclass;
  pages bigint;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('vis roll_up_usage', 0)) then
    return 'busy';
  end if;
  select * into strict state from accounts.usage_rolled_up;

  if state.recount_day is not null then
    perform accounts.recount_monthly_day(state.recount_day);
    update accounts.usage_rolled_up set recount_day = case when recount_day < recount_until then recount_day + 1 end;
    return 'counted';
  end if;
  if state.before_day >= today then
    return 'done';
  end if;
  if not accounts.wait_for_ledger_writers()
     or exists (select from accounts.ledger_default entry where entry.day = state.before_day) then
    -- prepare_ledger moves the rows of the default partition to a table of their day.
    return 'waiting';
  end if;

  stored := to_regclass('accounts.ledger_' || to_char(state.before_day, 'YYYY_MM_DD'));
  if state.counted_pages > 0 and state.counted_file is distinct from pg_relation_filenode(stored) then
    raise exception 'accounts.ledger_% was rewritten after % of its pages were counted',
      to_char(state.before_day, 'YYYY_MM_DD'), state.counted_pages
      using hint = 'See "The ledger grows" in docs/operations.md.';
  end if;
  pages := coalesce(pg_relation_size(stored) / current_setting('block_size')::bigint, 0);
  if state.counted_pages < pages then
    perform accounts.count_ledger_pages(
      state.before_day, state.counted_pages, least(pages, state.counted_pages + max_pages));
  end if;
  if state.counted_pages + max_pages < pages then
    update accounts.usage_rolled_up
       set counted_pages = state.counted_pages + max_pages, counted_file = pg_relation_filenode(stored);
  else
    update accounts.usage_rolled_up set before_day = state.before_day + 1, counted_pages = 0;
  end if;
  return 'counted';
end
$$;

-- Counts portions for up to a minute and returns their number. Nodes of the previous release call it; a node of this
-- release calls roll_up_portion, so that each portion is kept even if a later one fails.
create or replace function accounts.roll_up_usage() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  portions integer := 0;
begin
  while clock_timestamp() < now() + interval '1 minute' and accounts.roll_up_portion() = 'counted' loop
    portions := portions + 1;
  end loop;
  return portions;
end
$$;

grant execute on function accounts.roll_up_portion(bigint) to vis_api;

-- An account's current month: what is counted is read from usage_daily, the rest from the ledger. Stable, so that all of
-- it is read in one snapshot: a portion that is counted meanwhile moves no row from one part to the other.
create or replace function accounts.usage_this_month(asked_account bigint)
returns table (day date, key_id bigint, endpoint text, calls bigint, cost_half bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  this_period date := accounts.current_period();
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
       and daily.day >= this_period
       and daily.day < coalesce(state.recount_day, 'infinity');
  return query
    select (charge.at at time zone 'utc')::date, charge.key_id, charge.endpoint, sum(charge.calls), sum(charge.cost_half)
      from accounts.monthly_net_charge charge
     where charge.account_id = asked_account
       and charge.period = this_period
       and charge.at >= state.recount_day::timestamp at time zone 'utc'
     group by 1, 2, 3;
  return query
    select (charge.at at time zone 'utc')::date, charge.key_id, charge.endpoint, count(*), sum(charge.cost_half)
      from accounts.ledger charge
     where charge.account_id = asked_account
       and charge.period = this_period
       and charge.kind = 'charge'
       and charge.day >= state.before_day
       and (charge.day > state.before_day or charge.ctid >= next_tid)
     group by 1, 2, 3;

  select array_agg(refund.request_id) into late
    from accounts.ledger refund
   where refund.account_id = asked_account
     and refund.period = this_period
     and refund.kind = 'refund'
     and refund.cost_half > 0
     and refund.day >= state.before_day
     and (refund.day > state.before_day or refund.ctid >= next_tid);
  -- A refund counts on the day of its charge, which may be in a detached day or in the monthly ledger.
  return query
    select coalesce((charge.at at time zone 'utc')::date, refund.day), refund.key_id, refund.endpoint,
           -count(charge.at), -sum(refund.cost_half)
      from accounts.ledger refund
      left join accounts.find_old_entries(late, this_period, 'infinity') charge
        on charge.request_id = refund.request_id and charge.kind = 'charge'
     where refund.request_id = any (late)
       and refund.kind = 'refund'
       and refund.day >= state.before_day
     group by 1, 2, 3;
end
$$;
