-- The last day (UTC, by this database's clock) on which an API key was used. A table of its own, because an update of
-- accounts.api_key notifies all nodes and waits for operators who have locked the key.
create table accounts.key_use (
  key_id       bigint primary key references accounts.api_key,
  last_used_on date   not null
);

-- Records that these keys were used today. Writes a row at most once per key and day: rows that already say so are only
-- read, because "on conflict do update" would lock each of them.
create function accounts.record_key_use(used_keys bigint[]) returns void
language sql security definer set search_path = ''
as $$
  insert into accounts.key_use as stored (key_id, last_used_on)
  select key.id, (now() at time zone 'utc')::date
    from accounts.api_key key
    left join accounts.key_use earlier on earlier.key_id = key.id
   where key.id = any (used_keys)
     and (earlier.last_used_on is null or earlier.last_used_on < (now() at time zone 'utc')::date)
   -- One order for all nodes, so that two of them cannot deadlock.
   order by key.id
      on conflict (key_id) do update set last_used_on = excluded.last_used_on
   where stored.last_used_on < excluded.last_used_on
$$;

grant execute on function accounts.record_key_use(bigint[]) to vis_api;
