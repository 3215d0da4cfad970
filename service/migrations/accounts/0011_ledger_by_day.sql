-- The ledger gets one partition per day instead of one per month, and smaller rows. The earlier table stays as it is,
-- with its monthly partitions, under the name accounts.ledger_monthly: it gets no new rows, and no row is moved.
--
-- The rename waits for charges in flight, and later charges wait for it. It gives up soon, so that they do not fail.
set local lock_timeout = '200ms';

-- A type of four bytes. With a text, the row takes 8 bytes more and the entry of the primary key too.
create type accounts.ledger_kind as enum ('charge', 'refund');

-- Columns of eight bytes first, so that no space is lost between columns.
create table accounts.ledger_by_day (
  at         timestamptz not null default now(),
  account_id bigint      not null,
  key_id     bigint      not null,
  request_id uuid        not null,
  -- The month to which the charge counts. A refund has the month of its charge.
  period     date        not null,
  -- The UTC day on which the row was written. A refund may be written on a later day than its charge.
  day        date        not null default (clock_timestamp() at time zone 'utc')::date,
  cost_half  integer     not null check (cost_half >= 0),
  -- A refund without a charge costs 0: it prevents that a charge which is still in flight counts when it arrives.
  kind       accounts.ledger_kind not null,
  endpoint   text        not null,
  constraint ledger_by_day_pkey primary key (request_id, kind, day)
) partition by range (day);

-- The time of this change: charges of the last hour before it are in accounts.ledger_monthly, where a repeated charge must
-- be found. An immutable function is evaluated only once per plan.
do $$
begin
  execute format(
    'create function accounts.daily_ledger_since() returns timestamptz language sql immutable parallel safe as %L',
    format('select timestamptz %L', now()));
end
$$;

-- The tables of single days, both the partitions of accounts.ledger and those that were detached from it.
create function accounts.ledger_days() returns table (name text, day date, is_attached boolean)
language sql stable set search_path = ''
as $$
  select relname::text, to_date(substr(relname, 8), 'YYYY_MM_DD'), relispartition
    from pg_catalog.pg_class
   where relnamespace = 'accounts'::regnamespace
     and relkind = 'r'
     and relname ~ '^ledger_\d{4}_\d{2}_\d{2}$'
$$;

drop function accounts.prepare_ledger(integer);

-- Creates partitions for today and the next days, and for every day whose rows are in the default partition; these rows
-- are moved. Waiting for a lock would make charges wait too, so it gives up soon and is called again later.
create function accounts.prepare_ledger(days_ahead integer default 3) returns integer
language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  made integer := 0;
  each_day date;
  name text;
begin
  -- One node at a time: two nodes that start together would both create the same tables.
  perform pg_advisory_xact_lock(hashtextextended('vis prepare_ledger', 0));
  for each_day in
    select (now() at time zone 'utc')::date + n
      from generate_series(0, days_ahead) n
     union
    select day from accounts.ledger_default
     order by 1
  loop
    name := 'ledger_' || to_char(each_day, 'YYYY_MM_DD');
    if to_regclass('accounts.' || name) is not null then
      continue;
    end if;
    -- No row of this day may be added to the default partition between the move and the attachment.
    lock table accounts.ledger_default in access exclusive mode;
    execute format('create table accounts.%I (like accounts.ledger including all)', name);
    execute format(
      'with moved as (delete from accounts.ledger_default where day = %L returning *) insert into accounts.%I select * from moved',
      each_day, name);
    -- "create table … partition of" would lock accounts.ledger against all charges.
    execute format(
      'alter table accounts.ledger attach partition accounts.%I for values from (%L) to (%L)', name, each_day, each_day + 1);
    made := made + 1;
  end loop;
  return made;
end
$$;

-- Finds the rows of these requests that were written before a day, in the attached days, in the detached days and in
-- the monthly ledger. Slow: it looks into every table since the given day. Needed for a refund that was sent more than a
-- day after its charge.
create function accounts.find_old_entries(asked uuid[], since date, before date)
returns table (request_id uuid, kind text, period date, at timestamptz, cost_half integer)
language plpgsql stable set search_path = '' set enable_seqscan = off
as $$
declare
  name text;
begin
  if asked is null then
    return;
  end if;
  return query
    select entry.request_id, entry.kind::text, entry.period, entry.at, entry.cost_half
      from accounts.ledger entry
     where entry.request_id = any (asked) and entry.day >= since and entry.day < before;
  return query
    select entry.request_id, entry.kind, entry.period, entry.at, entry.cost_half
      from accounts.ledger_monthly entry
     where entry.request_id = any (asked) and entry.period >= date_trunc('month', since::timestamp)::date;
  for name in
    select each.name from accounts.ledger_days() each where not each.is_attached and each.day >= since and each.day < before
  loop
    return query execute format(
      'select request_id, kind::text, period, at, cost_half from accounts.%I where request_id = any ($1)', name) using asked;
  end loop;
end
$$;

-- Charges a batch in the order of arrival and returns a result for each item; used_half and limit_half only where it does
-- not fit. Idempotent by request id: a batch that is sent again after a lost reply charges nothing twice. Missing rows are
-- made before any lock is taken, and accounts are locked in one order, so batches cannot deadlock.
create or replace function accounts.charge_batch(
  request_ids uuid[], account_ids bigint[], key_ids bigint[], endpoints text[], costs_half integer[]
)
returns table (item integer, verdict text, period date, used_half bigint, limit_half bigint)
-- Planned once: planning for the partitions of the moment took longer than the work. The plan may be made while the
-- tables are empty, so it must not be one for empty tables, such as reading all meters of the month: everything here is
-- looked up by key.
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_bitmapscan = off set enable_material = off
as $$
declare
  -- Not accounts.current_period(): a function with a search_path of its own is parsed at every call.
  this_period date := date_trunc('month', now() at time zone 'utc');
  last_period date;
  -- Days of the request ids to recognise. A reply can be lost at midnight, and a refund made after midnight can arrive
  -- before a charge that began before.
  first_day date := now() at time zone 'utc' - interval '1 hour';
  today date;
  is_known boolean;
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

  -- Read after accounts.meter is locked: the roll-up relies on this order.
  today := clock_timestamp() at time zone 'utc';
  is_known := exists (
    select from accounts.ledger entry
     where entry.day >= first_day and entry.day <= today and entry.request_id = any (request_ids)
  );
  if now() < accounts.daily_ledger_since() + interval '1 hour' then
    is_known := is_known or exists (select from accounts.ledger_monthly earlier where earlier.request_id = any (request_ids));
  end if;

  -- Rare: a batch that was sent before, a refund that arrived before its charge, or an account at its limit.
  if is_known or all_fit is not true or strangers <> '{}' then
    last_period := this_period - interval '1 month';
    select array_agg(array_position(metered, sent.account_id) order by sent.n),
           array_agg(ledger.kind order by sent.n),
           array_agg(ledger.period order by sent.n)
      into place, known, known_period
      from unnest(request_ids, account_ids) with ordinality sent (request_id, account_id, n)
      left join lateral (
        select entry.kind::text, entry.period
          from accounts.ledger entry
         where entry.day >= first_day and entry.day <= today and entry.request_id = sent.request_id
         union all
        select earlier.kind, earlier.period
          from accounts.ledger_monthly earlier
         where earlier.period >= last_period and earlier.request_id = sent.request_id
         -- A refund counts more than the charge it undoes.
         order by 1 desc
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

  insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, day)
  select this_period, sent.request_id, 'charge', sent.account_id, sent.key_id, sent.endpoint, sent.cost, today
    from unnest(request_ids, account_ids, key_ids, endpoints, costs_half, verdicts)
         sent (request_id, account_id, key_id, endpoint, cost, verdict)
   where sent.verdict = 'charged';

  return query
    select sent.n::integer, sent.verdict, coalesce(known_period[sent.n], this_period), used[place[sent.n]], limits[place[sent.n]]
      from unnest(verdicts) with ordinality sent (verdict, n);
end
$$;

-- Refunds to the month of the charge, which may be this month or the one before. Idempotent. Where there is no charge
-- yet, a refund of 0 is stored, so that a charge whose reply was lost, and which is still in flight, does not count when
-- it arrives.
create or replace function accounts.refund_batch(
  request_ids uuid[], account_ids bigint[], key_ids bigint[], endpoints text[]
)
returns integer
-- As in charge_batch: planning for 40 partitions at every call takes longer than the work.
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_bitmapscan = off
as $$
declare
  this_period date := accounts.current_period();
  last_period date := (this_period - interval '1 month')::date;
  yesterday date;
  today date;
  not_recent uuid[];
  refunded integer;
begin
  -- As in charge_batch: the row to lock must exist, or a first charge that is still in flight would not be seen.
  insert into accounts.meter (account_id, period)
  select account.id, each.period
    from accounts.account account
   cross join unnest(array[last_period, this_period]) each (period)
   where account.id = any (account_ids)
         -- A charge of last month can only be in flight shortly after midnight.
     and (each.period = this_period or now() at time zone 'utc' < this_period + interval '1 hour')
   order by account.id, each.period
      on conflict do nothing;

  perform from accounts.meter meter
    where meter.account_id = any (account_ids) and meter.period in (this_period, last_period)
    order by meter.account_id, meter.period
      for update;

  -- The roll-up relies on this order: first the lock of accounts.meter, then the day of the rows.
  today := clock_timestamp() at time zone 'utc';
  yesterday := today - 1;

  select array_agg(sent.request_id) into not_recent
    from unnest(request_ids) sent (request_id)
   where not exists (
           select from accounts.ledger charge
            where charge.request_id = sent.request_id and charge.kind = 'charge'
              and charge.day >= yesterday and charge.day <= today
         );

  with known as (
    select entry.request_id, entry.kind::text, entry.period, entry.cost_half
      from accounts.ledger entry
     where entry.request_id = any (request_ids) and entry.day >= yesterday and entry.day <= today
     union all
    select entry.request_id, entry.kind, entry.period, entry.cost_half
      from accounts.find_old_entries(not_recent, last_period, yesterday) entry
     where entry.period in (this_period, last_period)
  ), given_back as (
    insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half, day)
    select coalesce(charge.period, this_period), sent.request_id, 'refund',
           sent.account_id, sent.key_id, sent.endpoint, coalesce(charge.cost_half, 0), today
      from unnest(request_ids, account_ids, key_ids, endpoints) sent (request_id, account_id, key_id, endpoint)
      left join known charge on charge.request_id = sent.request_id and charge.kind = 'charge'
     where not exists (
             select from known earlier where earlier.request_id = sent.request_id and earlier.kind = 'refund'
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

-- The next migration replaces it. Until then a node must not sum up the new table in the old way.
create or replace function accounts.roll_up_usage() returns integer
language sql security definer set search_path = ''
as $$
  select 0
$$;

-- Nodes call functions only, which are replaced in the same transaction.
-- squawk-ignore renaming-table
alter table accounts.ledger rename to ledger_monthly;
-- squawk-ignore renaming-table
alter table accounts.ledger_default rename to ledger_monthly_default;
alter table accounts.ledger_monthly rename constraint ledger_pkey to ledger_monthly_pkey;
alter index accounts.ledger_at rename to ledger_monthly_at;
alter index accounts.ledger_refund_at rename to ledger_monthly_refund_at;
alter view accounts.net_charge rename to monthly_net_charge;
-- squawk-ignore renaming-table
alter table accounts.ledger_by_day rename to ledger;
alter table accounts.ledger rename constraint ledger_by_day_pkey to ledger_pkey;

-- Gets the rows for which there is no partition, so that no call fails because a partition is missing.
create table accounts.ledger_default partition of accounts.ledger default;

-- Months without rows, such as the prepared ones, will never get any.
do $$
declare
  name text;
  has_rows boolean;
begin
  for name in
    select child.relname
      from pg_catalog.pg_inherits inherits
      join pg_catalog.pg_class child on child.oid = inherits.inhrelid
     where inherits.inhparent = 'accounts.ledger_monthly'::regclass and child.relname ~ '^ledger_\d{4}_\d{2}$'
  loop
    execute format('select exists (select from accounts.%I)', name) into has_rows;
    if not has_rows then
      execute format('drop table accounts.%I', name);
    end if;
  end loop;
end
$$;

select accounts.prepare_ledger();

grant execute on function accounts.prepare_ledger(integer) to vis_api;
