-- Credits. There is one meter row per account and month, and one ledger row per charge and per refund. The functions
-- that write both in one transaction keep them equal. Months and days are UTC, by the database clock.

create table accounts.meter (
  account_id bigint not null references accounts.account,
  period     date   not null check (extract(day from period) = 1),
  used_half  bigint not null default 0 check (used_half >= 0),
  primary key (account_id, period)
) with (fillfactor = 50); -- room on the page keeps the constant updates heap-only

-- An enum takes four bytes. With text, the row and the primary key entry would each be 8 bytes larger.
create type accounts.ledger_kind as enum ('charge', 'refund');

-- The eight-byte columns come first, so that no space is lost to padding between columns.
create table accounts.ledger (
  at         timestamptz not null default now(),
  account_id bigint      not null,
  key_id     bigint      not null,
  request_id uuid        not null,
  -- The month that the charge counts towards. A refund has the month of its charge.
  period     date        not null,
  -- The UTC day on which the row was written. A refund may be written on a later day than its charge.
  day        date        not null default (clock_timestamp() at time zone 'utc')::date,
  cost_half  integer     not null check (cost_half >= 0),
  -- A refund without a charge costs 0: it prevents a charge that is still in flight from counting when it arrives.
  kind       accounts.ledger_kind not null,
  endpoint   text        not null,
  primary key (request_id, kind, day)
) partition by range (day);

-- Receives rows that have no partition, so that no call fails because a partition is missing.
create table accounts.ledger_default partition of accounts.ledger default;

create function accounts.current_period() returns date
  language sql stable set search_path = ''
as $$
  select date_trunc('month', now() at time zone 'utc')::date
$$;

-- Lists the tables of single days, attached and detached.
create function accounts.ledger_days() returns table (name text, day date, is_attached boolean)
  language sql stable set search_path = ''
as $$
  select relname::text, to_date(substr(relname, 8), 'YYYY_MM_DD'), relispartition
    from pg_catalog.pg_class
   where relnamespace = 'accounts'::regnamespace
     and relkind = 'r'
     and relname ~ '^ledger_\d{4}_\d{2}_\d{2}$'
$$;

-- Creates partitions for today and the next days, and for every day that has rows in the default partition; these rows
-- are moved. Waiting for a lock would make charges wait too, so it soon gives up and is called again later. It creates
-- at most 60 days: every charge locks all partitions, so a compromised caller must not be able to create thousands.
create function accounts.prepare_ledger(days_ahead integer default 3) returns integer
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  made integer := 0;
  each_day date;
  name text;
begin
  -- One process at a time: two would both create the same tables.
  perform pg_advisory_xact_lock(hashtextextended('vis prepare_ledger', 0));
  for each_day in
    select (now() at time zone 'utc')::date + n
      from generate_series(0, least(days_ahead, 60)) n
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
    -- "create table … partition of" would take a lock on accounts.ledger that blocks all charges.
    execute format(
      'alter table accounts.ledger attach partition accounts.%I for values from (%L) to (%L)', name, each_day, each_day + 1);
    made := made + 1;
  end loop;
  return made;
end
$$;

select accounts.prepare_ledger();

grant execute on function accounts.prepare_ledger(integer) to vis_jobs;

-- Finds the rows of these requests that were written before a given day, in attached and detached days. It is slow,
-- because it looks into every table since the given day. It is needed for a refund sent more than a day after its
-- charge.
create function accounts.find_old_entries(asked uuid[], since date, before date)
  returns table (
    request_id uuid, kind text, period date, at timestamptz, cost_half integer, account_id bigint, key_id bigint
  )
  language plpgsql stable set search_path = '' set enable_seqscan = off
as $$
declare
  name text;
begin
  if asked is null then
    return;
  end if;
  return query
    select entry.request_id, entry.kind::text, entry.period, entry.at, entry.cost_half, entry.account_id, entry.key_id
      from accounts.ledger entry
     where entry.request_id = any (asked) and entry.day >= since and entry.day < before;
  for name in
    select each.name from accounts.ledger_days() each where not each.is_attached and each.day >= since and each.day < before
  loop
    return query execute format(
      'select request_id, kind::text, period, at, cost_half, account_id, key_id from accounts.%I where request_id = any ($1)', name)
      using asked;
  end loop;
end
$$;

-- Charges a batch in order of arrival and returns a result for each item; used_half and limit_half are set only where
-- the item does not fit. An item without a valid admission gets the verdict 'not admitted' and touches no row of its
-- account. Idempotent by request id: a batch that is sent again after a lost reply charges nothing twice. Missing rows
-- are created before any lock is taken, and accounts are always locked in the same order, so batches cannot deadlock.
create function accounts.charge_batch(
  request_ids uuid[], account_ids bigint[], key_ids bigint[], endpoints text[], costs_half integer[], admissions uuid[]
)
  returns table (item integer, verdict text, period date, used_half bigint, limit_half bigint)
  -- Planned once, because planning for the current partitions took longer than the work itself. The plan may be made
  -- while the tables are empty, so it must not suit only empty tables, for example by reading all meters of the month:
  -- everything here is looked up by key.
  language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_bitmapscan = off set enable_material = off
as $$
declare
  -- Not accounts.current_period(): a function with its own search_path is parsed on every call.
  this_period date := date_trunc('month', now() at time zone 'utc');
  -- Days in which to look for known request ids. A reply can be lost at midnight, and a refund made after midnight can
  -- arrive before a charge that began earlier.
  first_day date := now() at time zone 'utc' - interval '1 hour';
  today date;
  is_known boolean;
  signing bytea;
  -- The real time in seconds, as used by the caller lookups that issue admissions.
  moment bytea := substr(int8send(date_part('epoch', statement_timestamp())::bigint), 5);
  admission bytea;
  is_admitted boolean := true;
  unmetered bigint[];
  strangers bigint[] := '{}'; -- accounts that do not exist
  metered bigint[];           -- the other accounts, once each
  used bigint[];              -- credits used by those accounts, and their limits
  limits bigint[];
  all_fit boolean;
  place integer[];            -- position of each item's account in metered
  known text[];               -- 'charge' or 'refund' for request ids already in the ledger
  known_period date[];
  verdicts text[] := array_fill('charged'::text, array[cardinality(request_ids)]);
  k integer;
begin
  select stored.secret into signing from accounts.admission_secret stored where stored.is_only;
  -- A loop, because a query over the items costs more than the signatures. Items of one caller are often adjacent.
  for i in 1..cardinality(account_ids) loop
    if account_ids[i] = account_ids[i - 1] and key_ids[i] = key_ids[i - 1] and admissions[i] = admissions[i - 1] then
      continue;
    end if;
    admission := uuid_send(admissions[i]);
    if (substr(admission, 1, 4) > moment and substr(admission, 5)
          = accounts.sign_admission(signing, substr(admission, 1, 4), account_ids[i], key_ids[i])) is not true then
      is_admitted := false;
      exit;
    end if;
  end loop;
  if not is_admitted
     or cardinality(request_ids) <> cardinality(account_ids) or cardinality(costs_half) <> cardinality(account_ids)
     or cardinality(key_ids) <> cardinality(account_ids) or cardinality(admissions) <> cardinality(account_ids)
     or 0 > any (costs_half) then
    return query
      select *
        from accounts.charge_admitted(request_ids, account_ids, key_ids, endpoints, costs_half, admissions);
    return;
  end if;

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

  -- This takes the lock. By now every row exists, so this only ever updates.
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

  -- These are separate statements after the lock, so each sees what the previous holder of the lock committed.
  select array_agg(account.limit_half order by each.n), bool_and(each.used <= account.limit_half)
    into limits, all_fit
    from unnest(metered, used) with ordinality each (id, used, n)
    join accounts.account account on account.id = each.id;

  -- Read after locking accounts.meter: the roll-up relies on this order.
  today := clock_timestamp() at time zone 'utc';
  is_known := exists (
    select from accounts.ledger entry
     where entry.day >= first_day and entry.day <= today and entry.request_id = any (request_ids)
  );

  -- Rare: a batch that was sent before, a refund that arrived before its charge, or an account at its limit.
  if is_known or all_fit is not true or strangers <> '{}' then
    select array_agg(array_position(metered, sent.account_id) order by sent.n),
           array_agg(ledger.kind order by sent.n),
           array_agg(ledger.period order by sent.n)
      into place, known, known_period
      from unnest(request_ids, account_ids) with ordinality sent (request_id, account_id, n)
      left join lateral (
        select entry.kind::text, entry.period
          from accounts.ledger entry
         where entry.day >= first_day and entry.day <= today and entry.request_id = sent.request_id
         -- A refund outweighs the charge that it undoes.
         order by entry.kind desc
         limit 1
      ) ledger on true;

    -- Restore the usage from before this batch.
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
        -- A cheaper item after this one may still fit.
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

-- Charges only the items with a valid admission. Rare: our nodes send no others.
create function accounts.charge_admitted(
  request_ids uuid[], account_ids bigint[], key_ids bigint[], endpoints text[], costs_half integer[], admissions uuid[]
)
  returns table (item integer, verdict text, period date, used_half bigint, limit_half bigint)
  language plpgsql set search_path = ''
as $$
declare
  moment bytea := substr(int8send(date_part('epoch', statement_timestamp())::bigint), 5);
  signing bytea := (select stored.secret from accounts.admission_secret stored);
  kept integer[]; -- positions of the admitted items
begin
  select coalesce(array_agg(sent.n order by sent.n), '{}') into kept
    from unnest(request_ids, account_ids, key_ids, costs_half, admissions) with ordinality
         sent (request_id, account_id, key_id, cost, admission, n)
   where substr(uuid_send(sent.admission), 1, 4) > moment
     and substr(uuid_send(sent.admission), 5)
       = accounts.sign_admission(signing, substr(uuid_send(sent.admission), 1, 4), sent.account_id, sent.key_id)
     and sent.cost >= 0
     and sent.request_id is not null;
  return query
    select n::integer, 'not admitted', accounts.current_period(), null::bigint, null::bigint
      from generate_series(1, cardinality(request_ids)) n
     where n <> all (kept);
  if kept <> '{}' then
    return query
      select kept[charged.item], charged.verdict, charged.period, charged.used_half, charged.limit_half
        from accounts.charge_batch(
               array(select request_ids[n] from unnest(kept) with ordinality each (n, place) order by place),
               array(select account_ids[n] from unnest(kept) with ordinality each (n, place) order by place),
               array(select key_ids[n] from unnest(kept) with ordinality each (n, place) order by place),
               array(select endpoints[n] from unnest(kept) with ordinality each (n, place) order by place),
               array(select costs_half[n] from unnest(kept) with ordinality each (n, place) order by place),
               array(select admissions[n] from unnest(kept) with ordinality each (n, place) order by place)) charged;
  end if;
end
$$;

-- Refunds calls, each in the month of its charge and at most once. Where there is no charge yet, it stores a refund of
-- 0, so that a charge whose reply was lost, and which is still in flight, does not count when it arrives. An item needs
-- an admission that was once issued for its account and key, even an expired one: refunds are retried until they
-- succeed. An item whose charge belongs to another account or key is refused.
create function accounts.refund_batch(
  request_ids uuid[], account_ids bigint[], key_ids bigint[], endpoints text[], admissions uuid[]
)
  returns integer
  language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_bitmapscan = off
as $$
declare
  signing bytea := (select stored.secret from accounts.admission_secret stored where stored.is_only);
  this_period date := accounts.current_period();
  last_period date := (this_period - interval '1 month')::date;
  yesterday date;
  today date;
  not_recent uuid[];
  refunded integer;
begin
  select array_agg(sent.request_id order by sent.n), array_agg(sent.account_id order by sent.n),
         array_agg(sent.key_id order by sent.n), array_agg(sent.endpoint order by sent.n)
    into request_ids, account_ids, key_ids, endpoints
    from unnest(request_ids, account_ids, key_ids, endpoints, admissions) with ordinality
         sent (request_id, account_id, key_id, endpoint, admission, n)
   where substr(uuid_send(sent.admission), 5)
       = accounts.sign_admission(signing, substr(uuid_send(sent.admission), 1, 4), sent.account_id, sent.key_id);
  if request_ids is null then
    return 0;
  end if;

  -- As in charge_batch, the row to lock must exist; otherwise a first charge that is still in flight would not be seen.
  insert into accounts.meter (account_id, period)
  select account.id, each.period
    from accounts.account account
   cross join unnest(array[last_period, this_period]) each (period)
   where account.id = any (account_ids)
         -- A charge from last month can be in flight only shortly after midnight.
     and (each.period = this_period or now() at time zone 'utc' < this_period + interval '1 hour')
   order by account.id, each.period
      on conflict do nothing;

  perform from accounts.meter meter
    where meter.account_id = any (account_ids) and meter.period in (this_period, last_period)
    order by meter.account_id, meter.period
      for update;

  -- The roll-up relies on this order: first lock accounts.meter, then read the day of the rows.
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
    select entry.request_id, entry.kind::text, entry.period, entry.cost_half, entry.account_id, entry.key_id
      from accounts.ledger entry
     where entry.request_id = any (request_ids) and entry.day >= yesterday and entry.day <= today
     union all
    select entry.request_id, entry.kind, entry.period, entry.cost_half, entry.account_id, entry.key_id
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
       and (charge.request_id is null or (charge.account_id = sent.account_id and charge.key_id = sent.key_id))
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

-- The usage of an account in the current month. It requires no credential, so a login could read every account's usage
-- with it: logins may call only accounts.read_own_usage.
create function accounts.read_usage(asked_account bigint)
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

grant execute on function
  accounts.charge_batch(uuid[], bigint[], bigint[], text[], integer[], uuid[]),
  accounts.refund_batch(uuid[], bigint[], bigint[], text[], uuid[])
  to vis_api;
