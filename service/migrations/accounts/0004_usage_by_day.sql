-- Usage by UTC day: what reports read, and what remains of a month when its ledger is dropped.

create table accounts.usage_daily (
  account_id bigint not null,
  key_id     bigint not null,
  endpoint   text   not null,
  day        date   not null,
  calls      bigint not null,
  cost_half  bigint not null,
  primary key (account_id, day, key_id, endpoint)
);

create index usage_daily_day on accounts.usage_daily (day);

-- The roll-up counts the ledger in portions: each call counts some pages of one day in its own transaction, and the
-- next call continues from there. Every ledger row is counted exactly once, on the day of its charge.
--
-- A day is counted once no more rows can be added to it. The column "day" is the day on which a row was written, and
-- every writer locks accounts.meter or accounts.ledger before it reads the clock for this column. The day is complete
-- once all transactions have ended that held such a lock at some moment after the end of the day. A late refund is a
-- row of a later day; it reduces the usage on the day of its charge when the day on which it was written is counted.

-- Always one row: days before before_day have been counted, and so have the first counted_pages pages of that day.
create table accounts.usage_rolled_up (
  is_only       boolean primary key default true check (is_only),
  before_day    date    not null,
  counted_pages bigint  not null default 0 constraint usage_rolled_up_pages check (counted_pages >= 0),
  -- The file of that day's table: in another file, rows have other positions, and the counted pages would be wrong.
  counted_file  oid
);

insert into accounts.usage_rolled_up (before_day) values ((now() at time zone 'utc')::date);

-- The sums of the counted rows, by month and by the day on which they were written. They prove, before a day is
-- dropped, that all of its rows were counted.
create table accounts.ledger_day (
  day       date   not null,
  period    date   not null,
  entries   bigint not null,
  cost_half bigint not null, -- charges minus refunds
  primary key (day, period)
);

-- Adds some pages of one day's table to usage_daily. The pages are read by number, so no index is needed.
create function accounts.count_ledger_pages(asked date, first_page bigint, next_page bigint) returns void
  -- 64 MB hold the sums for 300,000 different keys and endpoints; more are written to temporary files. A hash join
  -- would read the whole day to find the charges of a few refunds.
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
             -- This is cheaper than converting every time to a date.
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
      -- A refund of 0 without a charge does not change any sum.
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

  -- All calls in these rows were refunded.
  delete from accounts.usage_daily stored
   using unnest(zero_accounts, zero_days, zero_keys, zero_endpoints) zero (account_id, day, key_id, endpoint)
   where (stored.account_id, stored.day, stored.key_id, stored.endpoint) = (zero.account_id, zero.day, zero.key_id, zero.endpoint);
end
$$;

-- The transactions that may currently write to the ledger, except this one. Writers are not identified by transaction
-- id, because long transactions that write to other tables or databases would then delay the roll-up.
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

-- Waits up to a second for all transactions to end that may currently write to the ledger. Returns false if one is
-- still running then.
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
-- process counts, or 'waiting' while a running transaction may still add rows to the next day. 65,536 pages are 512 MB,
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
  if state.before_day >= today then
    return 'done';
  end if;
  if not accounts.wait_for_ledger_writers()
     or exists (select from accounts.ledger_default entry where entry.day = state.before_day) then
    -- prepare_ledger moves rows from the default partition to the table for their day.
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

-- Days that charges and refunds no longer need are detached, kept as separate tables for 13 months and then dropped.
--
-- Detaches the oldest counted day that is older than the given number of days, and returns its name, or null if there
-- is none. A statement locks all partitions, so their number is limited. "detach concurrently" is not possible with a
-- default partition, so charges wait for this lock: it soon gives up and is called again.
create function accounts.detach_ledger_day(days_kept integer default 35) returns text
  language plpgsql security definer set search_path = '' set lock_timeout = '50ms'
as $$
declare
  old_day text;
begin
  if days_kept is null or days_kept < 2 then
    raise exception 'days_kept must be at least 2, not %: charges and refunds read today and yesterday', days_kept;
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('vis roll_up_usage', 0)) then
    return null;
  end if;
  select each.name into old_day
    from accounts.ledger_days() each
   where each.is_attached
     and each.day < (now() at time zone 'utc')::date - days_kept
     and each.day < (select before_day from accounts.usage_rolled_up)
   order by each.day
   limit 1;
  if old_day is not null then
    execute format('alter table accounts.ledger detach partition accounts.%I', old_day);
  end if;
  return old_day;
end
$$;

grant execute on function accounts.roll_up_portion(bigint), accounts.detach_ledger_day(integer) to vis_jobs;

create function accounts.prove_day_counted(asked date) returns void
  language plpgsql set search_path = ''
as $$
declare
  difference text;
begin
  execute format($sql$
    select format('%%s rows and %%s half-credits for %%s, but %%s rows and %%s half-credits were counted',
                  stored.entries, stored.cost_half, to_char(period, 'YYYY-MM'),
                  coalesce(counted.entries, 0), coalesce(counted.cost_half, 0))
      from (
             select entry.period, count(*) as entries,
                    sum(case entry.kind when 'charge' then entry.cost_half else -entry.cost_half end) as cost_half
               from accounts.%I entry
              group by entry.period
           ) stored
      left join (select * from accounts.ledger_day where day = $1) counted using (period)
     where (stored.entries, stored.cost_half) is distinct from (counted.entries, counted.cost_half)
     limit 1
  $sql$, 'ledger_' || to_char(asked, 'YYYY_MM_DD')) into difference using asked;
  if difference is not null then
    raise exception 'the ledger of % holds %: refusing to drop it', to_char(asked, 'YYYY-MM-DD'), difference;
  end if;
end
$$;

-- Drops the days of months older than the given number, once all their rows are proven to be counted. Returns the names
-- of the dropped tables. Only the owner of the schema may call it. It gives up rather than let charges wait for its
-- lock; run it again in that case.
create function accounts.drop_old_ledger(months integer default 13) returns setof text
  language plpgsql set search_path = '' set lock_timeout = '500ms'
as $$
declare
  first_kept date := (accounts.current_period() - make_interval(months => months))::date;
  old_tables text[];
  name text;
begin
  if months is null or months < 1 then
    raise exception 'months must be at least 1, not %: refunds still go to the month before this one', months;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('vis roll_up_usage', 0));
  if exists (select from accounts.usage_rolled_up where before_day < first_kept) then
    raise exception 'the usage before % is not summed up yet: refusing to drop its ledger', first_kept;
  end if;

  select array_agg(each.name order by each.name) into old_tables
    from accounts.ledger_days() each
   where each.day < first_kept;

  -- Do all reading first: once an attached day is dropped, charges wait until this transaction ends.
  foreach name in array coalesce(old_tables, '{}') loop
    perform accounts.prove_day_counted(to_date(substr(name, 8), 'YYYY_MM_DD'));
  end loop;
  foreach name in array coalesce(old_tables, '{}') loop
    execute format('drop table accounts.%I', name);
    return next name;
  end loop;
end
$$;

-- Compares the meter of every account and month with the ledger, and returns the differences. It reads all tables of
-- the ledger, including the detached days. Months whose ledger was dropped are compared with usage_daily.
create function accounts.find_wrong_meters()
  returns table (account_id bigint, period date, meter_half bigint, ledger_half bigint)
  language plpgsql stable set search_path = '' set work_mem = '64MB'
as $$
declare
  first_period date;
  detached text;
begin
  select date_trunc('month', min(each.day)::timestamp) into first_period from accounts.ledger_days() each;
  select string_agg(
           format('union all select account_id, period, kind::text, cost_half from accounts.%I', each.name), ' ')
    into detached
    from accounts.ledger_days() each
   where not each.is_attached;

  return query execute format($sql$
    select account_id, period, coalesce(meter.used_half, 0), coalesce(ledger.half, 0)
      from accounts.meter meter
      full join (
             select account_id, period, sum(case kind when 'charge' then cost_half else -cost_half end)::bigint as half
               from (
                      select account_id, period, kind::text, cost_half from accounts.ledger
                      %s
                    ) entry
              where period >= $1
              group by account_id, period
              union all
             select account_id, date_trunc('month', day::timestamp)::date, sum(cost_half)::bigint
               from accounts.usage_daily
              where day < $1
              group by 1, 2
           ) ledger using (account_id, period)
     where coalesce(meter.used_half, 0) <> coalesce(ledger.half, 0)
     order by period, account_id
  $sql$, detached) using first_period;
end
$$;

-- The usage of an account in a period, by default this month. Usage that the roll-up has counted is read from
-- usage_daily, the remaining usage from the ledger. The function is stable, so everything is read in one snapshot:
-- counting a portion at the same time moves no row from one part to the other. The sum for a month therefore equals the
-- account's meter in the same snapshot.
create function accounts.usage_between(
  asked_account bigint, first_day date default accounts.current_period(),
  last_day date default (accounts.current_period() + interval '1 month - 1 day')::date
)
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
       and daily.day <= last_day;
  return query
    select (charge.at at time zone 'utc')::date, charge.key_id, charge.endpoint, count(*), sum(charge.cost_half)
      from accounts.ledger charge
     where charge.account_id = asked_account
       and charge.at >= since
       and charge.at < until
       and charge.kind = 'charge'
       and charge.day >= state.before_day
       -- A row is written soon after its time, so later partitions do not need to be read.
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
  -- A refund counts on the day of its charge, which may be in a detached day.
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
