-- Bounds for what the API's login passes to the maintenance of the ledger. A node that was broken into could otherwise make
-- thousands of partitions, each of which every charge locks, or count the pages of a day again.

-- squawk-ignore constraint-missing-not-valid -- The table has one row.
alter table accounts.usage_rolled_up add constraint usage_rolled_up_pages check (counted_pages >= 0);

-- As in migration 0011, for at most 60 days ahead.
create or replace function accounts.prepare_ledger(days_ahead integer default 3) returns integer
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
    -- "create table … partition of" would lock accounts.ledger against all charges.
    execute format(
      'alter table accounts.ledger attach partition accounts.%I for values from (%L) to (%L)', name, each_day, each_day + 1);
    made := made + 1;
  end loop;
  return made;
end
$$;

-- The plans of a function are shown to a login that asks for them (debug_print_plan). Under generic plans they do not contain
-- the secret of admissions, but a login chooses other plans where the function does not.
alter function accounts.issue_admission(bigint, bigint, timestamptz) set debug_print_plan = off;
