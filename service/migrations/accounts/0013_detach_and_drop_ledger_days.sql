-- Days that are no longer needed for charges and refunds: they are detached, kept as tables of their own for 13 months
-- and then dropped.

-- Detaches the oldest counted day that is older than so many days, and returns its name, or null if there is none. A
-- statement locks all partitions, so their number is limited. "detach concurrently" is not possible beside a default
-- partition, so charges wait for this lock: it gives up soon and is called again.
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

grant execute on function accounts.detach_ledger_day(integer) to vis_api;

-- Fails unless every row of this day was counted.
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

-- Fails unless usage_daily holds all that the monthly ledger and the daily ledger say of this month.
create function accounts.prove_month_counted(first_day date) returns void
language plpgsql set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  stored_half bigint;
  counted_half bigint;
begin
  select coalesce(sum(case kind when 'charge' then cost_half else -cost_half end), 0)
         + (select coalesce(sum(cost_half), 0) from accounts.ledger_day where period = first_day)
    into stored_half
    from accounts.ledger_monthly
   where period = first_day;
  select coalesce(sum(cost_half), 0) into counted_half
    from accounts.usage_daily
   where day >= first_day and day < (first_day + interval '1 month')::date;
  if stored_half <> counted_half then
    raise exception 'the ledger of % holds % half-credits, but its days add up to %: refusing to drop it',
      to_char(first_day, 'YYYY-MM'), stored_half, counted_half;
  end if;
end
$$;

drop function accounts.prove_rolled_up(date);

-- Drops the ledger of months older than so many, once usage_daily is proven to hold all of it. Returns the names of the
-- dropped tables. For the owner of the schema. Gives up rather than let charges wait for its lock; run it again then.
create or replace function accounts.drop_old_ledger(months integer default 13) returns setof text
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
  if exists (select from accounts.usage_rolled_up where before_day < first_kept or recount_day < first_kept) then
    raise exception 'the usage before % is not summed up yet: refusing to drop its ledger', first_kept;
  end if;

  select array_agg(each.name order by each.name) into old_tables
    from (
           select days.name from accounts.ledger_days() days where days.day < first_kept
            union all
           select child.relname
             from pg_catalog.pg_inherits inherits
             join pg_catalog.pg_class child on child.oid = inherits.inhrelid
            where inherits.inhparent = 'accounts.ledger_monthly'::regclass
              and child.relname ~ '^ledger_\d{4}_\d{2}$'
              and to_date(substr(child.relname, 8), 'YYYY_MM') < first_kept
         ) each;

  -- All of the reading first: once an attached day is dropped, charges wait until this transaction ends.
  foreach name in array coalesce(old_tables, '{}') loop
    if length(name) = length('ledger_YYYY_MM_DD') then
      perform accounts.prove_day_counted(to_date(substr(name, 8), 'YYYY_MM_DD'));
    else
      perform accounts.prove_month_counted(to_date(substr(name, 8), 'YYYY_MM'));
    end if;
  end loop;
  foreach name in array coalesce(old_tables, '{}') loop
    execute format('drop table accounts.%I', name);
    return next name;
  end loop;
end
$$;

-- Compares the meter of every account and month with the ledger, and returns the differences. It reads all tables of the
-- ledger, also the detached days. Months whose ledger was dropped are compared with usage_daily.
create function accounts.find_wrong_meters()
returns table (account_id bigint, period date, meter_half bigint, ledger_half bigint)
language plpgsql stable set search_path = '' set work_mem = '64MB'
as $$
declare
  first_period date;
  detached text;
begin
  select date_trunc('month', least(
           (select min(each.day) from accounts.ledger_days() each), (select min(entry.period) from accounts.ledger_monthly entry)
         )::timestamp) into first_period;
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
                      union all
                      select account_id, period, kind, cost_half from accounts.ledger_monthly
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
