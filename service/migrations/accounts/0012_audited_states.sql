-- The audit row of a call says which states it set, and how many times each: "decided about CVE-…" alone did not say what.

-- As before, apart from `states` in the audit row.
create or replace function accounts.change_triage(credential text, digest bytea, cause text, changes jsonb)
  returns table (change_position integer, outcome text, entry accounts.triage_state)
  language plpgsql security definer set search_path = ''
as $$
declare
  own record;
  allowed integer;
  used accounts.triage_use;
  today date;
  wanted record;
  change jsonb;
  known accounts.triage_entry;
  is_set boolean;
  done text[] := '{}';
  removed integer := 0;
  states text[] := '{}';
begin
  if jsonb_array_length(changes) > 500 or cause not in ('set', 'remove', 'import') then
    raise exception 'a call makes at most 500 changes, for a known cause' using errcode = 'invalid_parameter_value';
  end if;
  own := accounts.require_triage(credential, digest, true);
  insert into accounts.triage_use (account_id, entries, day, changes)
  values (own.account_id, 0, current_date, 0)
      on conflict (account_id) do nothing;
  select * into strict used from accounts.triage_use stored where stored.account_id = own.account_id for update;
  -- The credential may have lost its rights while the call waited for the lock.
  own := accounts.require_triage(credential, digest, true);
  select case account.plan when 'free' then 1000 when 'pro' then 5000 when 'business' then 10000 else 20000 end
    into strict allowed
    from accounts.account account
   where account.id = own.account_id;
  today := (clock_timestamp() at time zone 'utc')::date;
  if used.day <> today then
    used.day := today;
    used.changes := 0;
  end if;
  for wanted in select each.value, each.position::integer - 1 as place
                  from jsonb_array_elements(changes) with ordinality as each (value, position)
                 order by each.position
  loop
    change := wanted.value;
    change_position := wanted.place;
    select * into known
      from accounts.triage_entry stored
     where stored.account_id = own.account_id
       and stored.cve_id = change ->> 'cve_id'
       and stored.scope = change ->> 'scope'
       and stored.versions = change ->> 'versions';
    is_set := exists (select from accounts.triage_state stored where stored.id = known.id);
    outcome := case
      when not is_set and change ->> 'state' is null then 'unknown'
      when (change ->> 'revision')::integer <> case when is_set then known.revision else 0 end then 'conflict'
      when used.changes >= 2 * allowed and change ->> 'state' is not null then 'too many'
      when not is_set and used.entries >= allowed then 'limit'
      else 'done'
    end;
    if outcome = 'done' then
      insert into accounts.triage_entry as stored (account_id, cve_id, kind, scope, versions, revision)
      values (own.account_id, change ->> 'cve_id', change ->> 'kind', change ->> 'scope', change ->> 'versions', 1)
          on conflict (account_id, cve_id, scope, versions) do update set revision = stored.revision + 1
      returning stored.* into known;
      insert into accounts.triage_revision (
        entry_id, revision, at, actor, state, justification, impact_statement, action_statement, note, until, unless,
        level, is_exploited)
      values (
        known.id, known.revision, clock_timestamp(), own.actor, change ->> 'state', change ->> 'justification',
        change ->> 'impact_statement', change ->> 'action_statement', change ->> 'note', (change ->> 'until')::date,
        array(select jsonb_array_elements_text(coalesce(change -> 'unless', '[]'))),
        change ->> 'level', coalesce((change ->> 'is_exploited')::boolean, false));
      used.changes := used.changes + 1;
      if change ->> 'state' is null then
        used.entries := used.entries - 1;
        removed := removed + 1;
      else
        states := states || (change ->> 'state');
        used.entries := used.entries + case when is_set then 0 else 1 end;
      end if;
      done := done || (change ->> 'cve_id');
    end if;
    entry := null;
    select stored.* into entry from accounts.triage_state stored where stored.id = known.id;
    return next;
  end loop;
  if done <> '{}' then
    update accounts.triage_use stored
       set entries = used.entries, day = used.day, changes = used.changes
     where stored.account_id = own.account_id;
    insert into accounts.audit (actor, action, account_id, details)
    values (own.actor, 'triage.' || cause, own.account_id, jsonb_build_object(
      'set', cardinality(done) - removed,
      'removed', removed,
      'cve_ids', to_jsonb(array(select distinct id from unnest(done[1:20]) id order by id)))
      || case when states = '{}' then '{}' else jsonb_build_object('states', (
        select jsonb_object_agg(counted.state, counted.total)
          from (select each.state, count(*) as total from unnest(states) as each (state) group by each.state) counted
      )) end);
  end if;
end
$$;
