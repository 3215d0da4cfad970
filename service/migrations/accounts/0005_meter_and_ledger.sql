-- Credits. One meter row per account and month, one ledger row per charge and per refund, kept equal
-- by the functions that write both in one transaction. Months are UTC, by this database's clock.

create table accounts.meter (
  account_id bigint not null references accounts.account,
  period     date   not null check (extract(day from period) = 1),
  used_half  bigint not null default 0 check (used_half >= 0),
  primary key (account_id, period)
) with (fillfactor = 50); -- room on the page, so that the constant updates stay heap-only

create table accounts.ledger (
  period     date        not null,
  request_id uuid        not null,
  -- A refund without a charge costs 0: it keeps a charge that is still under way from counting later.
  kind       text        not null check (kind in ('charge', 'refund')),
  account_id bigint      not null,
  key_id     bigint      not null,
  endpoint   text        not null,
  cost_half  integer     not null check (cost_half >= 0),
  at         timestamptz not null default now(),
  -- The request first: within a partition the period is always the same, and an index that begins with it finds nothing.
  primary key (request_id, kind, period)
) partition by range (period);

-- Catches what no partition was made for, so that no call ever fails for want of one.
create table accounts.ledger_default partition of accounts.ledger default;

create function accounts.current_period() returns date
language sql stable set search_path = ''
as $$
  select date_trunc('month', now() at time zone 'utc')::date
$$;

-- Partitions for this month and the next ones, and for whatever the default partition had to catch; its rows are moved.
-- Waiting for a lock would make charges wait too: rather give up soon and be called again.
create function accounts.prepare_ledger(months_ahead integer default 3) returns integer
language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  made integer := 0;
  first_day date;
  name text;
begin
  -- One at a time: two nodes that start together would both try.
  perform pg_advisory_xact_lock(hashtextextended('vis prepare_ledger', 0));
  for first_day in
    select (accounts.current_period() + make_interval(months => month))::date
      from generate_series(0, months_ahead) month
     union
    select period from accounts.ledger_default
     order by 1
  loop
    name := 'ledger_' || to_char(first_day, 'YYYY_MM');
    if to_regclass('accounts.' || name) is not null then
      continue;
    end if;
    -- Nobody may add a row for this month to the default partition between the move and the attachment.
    lock table accounts.ledger_default in access exclusive mode;
    execute format('create table accounts.%I (like accounts.ledger including all)', name);
    execute format(
      'with moved as (delete from accounts.ledger_default where period = %L returning *) insert into accounts.%I select * from moved',
      first_day, name);
    execute format(
      'alter table accounts.ledger attach partition accounts.%I for values from (%L) to (%L)',
      name, first_day, (first_day + interval '1 month')::date);
    made := made + 1;
  end loop;
  return made;
end
$$;

select accounts.prepare_ledger();
