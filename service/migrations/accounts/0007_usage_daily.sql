-- Usage added up by day: what reports read, and what is left of a month when its raw ledger is dropped. Days are UTC.

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

-- At most one row: days before this one are in usage_daily, the others only in the ledger.
create table accounts.usage_rolled_up (
  is_only    boolean primary key default true check (is_only),
  before_day date    not null
);

-- The ledger is as new as this file, so there is nobody to keep waiting while its indexes are made.
-- A day's rows lie together, as they were written: this index is a few pages, and costs the charging next to nothing.
-- squawk-ignore require-concurrent-index-creation
create index ledger_at on accounts.ledger using brin (at);
-- Refunds are few, and some come late.
-- squawk-ignore require-concurrent-index-creation
create index ledger_refund_at on accounts.ledger (at) where kind = 'refund';

-- Each charge with what is left of it: a refund counts where and when its charge did.
create view accounts.net_charge as
select charge.period,
       charge.account_id,
       charge.key_id,
       charge.endpoint,
       charge.at,
       (refund.request_id is null)::integer as calls,
       charge.cost_half - coalesce(refund.cost_half, 0) as cost_half
  from accounts.ledger charge
  left join accounts.ledger refund
    on refund.period = charge.period and refund.request_id = charge.request_id and refund.kind = 'refund'
 where charge.kind = 'charge';

-- Makes usage_daily say of this day what the ledger says; touches no row that says so already.
-- Plans are made for the values at hand, so that only that month's partition is locked and read.
create function accounts.add_up_day(asked date) returns void
language plpgsql set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  with fresh as (
    select charge.account_id, charge.key_id, charge.endpoint, sum(charge.calls) as calls, sum(charge.cost_half) as cost_half
      from accounts.net_charge charge
     where charge.period = date_trunc('month', asked::timestamp)::date
       and charge.at >= asked::timestamp at time zone 'utc'
       and charge.at < (asked + 1)::timestamp at time zone 'utc'
     group by charge.account_id, charge.key_id, charge.endpoint
    having sum(charge.calls) > 0 or sum(charge.cost_half) > 0
  ), gone as (
    delete from accounts.usage_daily stored
     where stored.day = asked
       and not exists (
             select from fresh
              where (fresh.account_id, fresh.key_id, fresh.endpoint) = (stored.account_id, stored.key_id, stored.endpoint)
           )
  )
  insert into accounts.usage_daily as stored (account_id, key_id, endpoint, day, calls, cost_half)
  select fresh.account_id, fresh.key_id, fresh.endpoint, asked, fresh.calls, fresh.cost_half
    from fresh
      on conflict (account_id, day, key_id, endpoint) do update
     set calls = excluded.calls, cost_half = excluded.cost_half
   where (stored.calls, stored.cost_half) <> (excluded.calls, excluded.cost_half);
end
$$;

-- Adds up every complete day that is not yet, the two before them again, and any older day of which a charge was given
-- back meanwhile. Returns how many days that were; 0 if another node is at it.
create function accounts.roll_up_usage() returns integer
language plpgsql security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  today date := (now() at time zone 'utc')::date;
  since date;
  each_day date;
  days integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('vis roll_up_usage', 0)) then
    return 0;
  end if;

  select least(before_day, today) - 2 into since from accounts.usage_rolled_up;
  if since is null then
    select coalesce(min(period), today) into since from accounts.ledger;
  end if;

  for each_day in
    select since + n
      from generate_series(0, today - since - 1) n
     union
    select (charge.at at time zone 'utc')::date
      from accounts.ledger refund
      join accounts.ledger charge
        on charge.period = refund.period and charge.request_id = refund.request_id and charge.kind = 'charge'
     -- A refund goes back to the month before at most.
     where refund.period >= (date_trunc('month', since::timestamp) - interval '1 month')::date
       and refund.period <= date_trunc('month', today::timestamp)::date
       and refund.kind = 'refund'
       and refund.at >= since::timestamp at time zone 'utc'
       and charge.at < since::timestamp at time zone 'utc'
  loop
    perform accounts.add_up_day(each_day);
    days := days + 1;
  end loop;

  insert into accounts.usage_rolled_up as stored (before_day) values (today)
      on conflict (is_only) do update set before_day = excluded.before_day
   where stored.before_day <> excluded.before_day;
  return days;
end
$$;

grant execute on function accounts.roll_up_usage() to vis_api;

-- An account's current month: rolled-up days from usage_daily, the others from the ledger. Stable, so that all of it is
-- read in one snapshot: a roll-up that ends meanwhile moves no row from one half to the other.
create function accounts.usage_this_month(asked_account bigint)
returns table (day date, key_id bigint, endpoint text, calls bigint, cost_half bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  this_period date := accounts.current_period();
  border date := greatest(this_period, (select before_day from accounts.usage_rolled_up));
begin
  return query
    select daily.day, daily.key_id, daily.endpoint, daily.calls, daily.cost_half
      from accounts.usage_daily daily
     where daily.account_id = asked_account
       and daily.day >= this_period
       and daily.day < border;
  return query
    select (charge.at at time zone 'utc')::date, charge.key_id, charge.endpoint, sum(charge.calls), sum(charge.cost_half)
      from accounts.net_charge charge
     where charge.account_id = asked_account
       and charge.period = this_period
       and charge.at >= border::timestamp at time zone 'utc'
     group by 1, 2, 3;
end
$$;

-- Adds up each day of a month once more, and fails unless usage_daily then holds all that the ledger does.
create function accounts.prove_rolled_up(first_day date) returns void
language plpgsql set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  next_month date := (first_day + interval '1 month')::date;
  raw_half bigint;
  rolled_up_half bigint;
begin
  perform accounts.add_up_day(first_day + n) from generate_series(0, next_month - first_day - 1) n;

  select coalesce(sum(case kind when 'charge' then cost_half else -cost_half end), 0) into raw_half
    from accounts.ledger
   where period = first_day;
  select coalesce(sum(cost_half), 0) into rolled_up_half
    from accounts.usage_daily
   where day >= first_day and day < next_month;
  if raw_half <> rolled_up_half then
    raise exception 'the ledger of % holds % half-credits, but its days add up to %: refusing to drop it',
      to_char(first_day, 'YYYY-MM'), raw_half, rolled_up_half;
  end if;
end
$$;

-- Drops the raw ledger of months older than so many, once their days are proven to hold all of it. Returns what it
-- dropped. For whoever owns the schema. Gives up, to be run again, rather than keep charges waiting for its lock.
create function accounts.drop_old_ledger(months integer default 13) returns setof text
language plpgsql set search_path = '' set lock_timeout = '500ms'
as $$
declare
  first_kept date := (accounts.current_period() - make_interval(months => months))::date;
  old text[];
  name text;
begin
  if months is null or months < 1 then
    raise exception 'months must be at least 1, not %: refunds still go to the month before this one', months;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('vis roll_up_usage', 0));
  perform accounts.roll_up_usage();

  select array_agg(child.relname order by child.relname) into old
    from pg_catalog.pg_inherits inherits
    join pg_catalog.pg_class child on child.oid = inherits.inhrelid
   where inherits.inhparent = 'accounts.ledger'::regclass
     and child.relname ~ '^ledger_\d{4}_\d{2}$'
     and to_date(substr(child.relname, 8), 'YYYY_MM') < first_kept;

  -- All of the reading first: once a partition is dropped, charges wait until this transaction ends.
  foreach name in array coalesce(old, '{}') loop
    perform accounts.prove_rolled_up(to_date(substr(name, 8), 'YYYY_MM'));
  end loop;
  foreach name in array coalesce(old, '{}') loop
    execute format('drop table accounts.%I', name);
    return next name;
  end loop;
end
$$;
