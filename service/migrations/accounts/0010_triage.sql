-- Triage: what an account decided about a CVE, within a scope (decision E51).
--
-- An entry is one CVE in one scope. Each change adds a revision with the complete state; the entry's number of the
-- newest one is the current state, and a removal is a revision without a state. Nothing is overwritten, so two people who
-- change the same entry cannot undo each other's work unseen: a change names the revision that it replaces.
--
-- CVE ids refer to the catalog, which may be in another database. What was known about the CVE when the state was set is
-- stored with the revision: a state reopens when the catalog knows more.

-- The previous release's nodes ignore scopes that they do not know.
alter table accounts.api_key drop constraint api_key_scopes;
alter table accounts.api_key add constraint api_key_scopes
  check (scopes <> '{}' and scopes <@ array['read', 'manage', 'watch', 'triage']) not valid;
-- An account has few keys, so checking them all takes milliseconds.
-- squawk-ignore constraint-missing-not-valid
alter table accounts.api_key validate constraint api_key_scopes;

create table accounts.triage_entry (
  id         bigint generated always as identity primary key,
  account_id bigint  not null references accounts.account,
  cve_id     text    not null check (cve_id ~ '^CVE-\d{4}-\d{4,19}$'),
  -- Further kinds, such as a watch or an inventory, have their id as scope.
  kind       text    not null check (kind in ('all', 'package', 'product')),
  -- `*`, or a purl or a CPE name without a version, in normal form.
  scope      text    not null check (length(scope) between 1 and 1024),
  -- Such as `>=1.0|<2.0`; empty for all versions.
  versions   text    not null check (length(versions) <= 4096),
  -- The newest revision; it has no state if the entry was removed.
  revision   integer not null check (revision > 0),
  check ((kind = 'all') = (scope = '*') and (kind <> 'all' or versions = '')),
  unique (account_id, cve_id, scope, versions)
);

create index triage_entry_account on accounts.triage_entry (account_id, id desc);

create table accounts.triage_revision (
  entry_id         bigint      not null references accounts.triage_entry,
  revision         integer     not null check (revision > 0),
  at               timestamptz not null default now(),
  -- As in the audit log. An e-mail address can be erased, so no row contains one.
  actor            text        not null,
  -- Null if the entry was removed.
  state            text        check (state in ('not_affected', 'affected', 'fixed', 'under_investigation', 'accepted')),
  justification    text        check (justification in (
                                 'component_not_present', 'vulnerable_code_not_present',
                                 'vulnerable_code_not_in_execute_path',
                                 'vulnerable_code_cannot_be_controlled_by_adversary', 'inline_mitigations_already_exist')),
  impact_statement text        check (length(impact_statement) between 1 and 2000),
  action_statement text        check (length(action_statement) between 1 and 2000),
  note             text        check (length(note) between 1 and 2000),
  until            date,
  unless           text[]      not null default '{}' check (unless <@ array['exploited', 'priority_raised']),
  -- What was known about the CVE at this time.
  level            text        check (level in ('P0', 'P1', 'P2', 'unrated', 'P3', 'P4')),
  is_exploited     boolean     not null default false,
  primary key (entry_id, revision),
  check (state is distinct from 'not_affected' or justification is not null or impact_statement is not null),
  check (state = 'not_affected' or (justification is null and impact_statement is null)),
  check (state in ('affected', 'accepted') or action_statement is null)
);

-- Revisions can be added but not changed, as in accounts.audit.
create function accounts.refuse_revision_change() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  raise exception 'accounts.triage_revision accepts new rows only: % is refused', lower(tg_op)
    using errcode = 'integrity_constraint_violation';
end
$$;

create trigger insert_only before update or delete or truncate on accounts.triage_revision
  for each statement execute function accounts.refuse_revision_change();

-- One row per account, which every change locks: the number of entries with a state, and the changes of a UTC day.
create table accounts.triage_use (
  account_id bigint  primary key references accounts.account,
  entries    integer not null check (entries >= 0),
  day        date    not null,
  changes    integer not null check (changes >= 0)
) with (fillfactor = 50);

-- The current state of each entry that has one.
create view accounts.triage_state as
select entry.id,
       entry.account_id,
       entry.cve_id,
       entry.kind,
       entry.scope,
       entry.versions,
       entry.revision,
       stored.at,
       stored.actor,
       stored.state,
       stored.justification,
       stored.impact_statement,
       stored.action_statement,
       stored.note,
       stored.until,
       stored.unless,
       stored.level,
       stored.is_exploited
  from accounts.triage_entry entry
  join accounts.triage_revision stored on stored.entry_id = entry.id and stored.revision = entry.revision
 where stored.state is not null;

-- Returns the account of a credential that may read its triage states, or change them. A key needs the scope triage, and
-- so does a session that was made from a key. Members read with every role; admins and owners change. SQLSTATEs as in
-- require_actor.
create function accounts.require_triage(
  credential text, digest bytea, is_change boolean, out account_id bigint, out actor text
)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  is_allowed boolean;
begin
  select found.account_id,
         found.actor,
         coalesce('triage' = any (key.scopes), true)
         and (not is_change or credential = 'key' or found.role in ('admin', 'owner'))
    into account_id, actor, is_allowed
    from accounts.find_actor(credential, digest) found
    left join accounts.api_key key on key.id = substring(found.actor from '^key:(\d+)$')::bigint;
  if account_id is null then
    raise exception 'the credential is not valid' using errcode = 'VI001';
  end if;
  if not is_allowed then
    raise exception 'the credential has no right to triage' using errcode = 'VI003';
  end if;
end
$$;

-- The states of the caller's account, newest entry first. A filter that is null is not applied. An entry keeps its place
-- when it changes, so a reader of all pages misses none.
create function accounts.read_triage(
  credential text, digest bytea, cve_ids text[], states text[], asked_scope text, asked_name text,
  before_id bigint, max_rows integer
)
  returns setof accounts.triage_state
  language plpgsql stable security definer set search_path = ''
as $$
declare
  own bigint := (accounts.require_triage(credential, digest, false)).account_id;
begin
  return query
    select stored.*
      from accounts.triage_state stored
     where stored.account_id = own
       and (cve_ids is null or stored.cve_id = any (cve_ids))
       and (states is null or stored.state = any (states))
       and (asked_scope is null or stored.scope = asked_scope)
       and (asked_name is null or position(lower(asked_name) in lower(stored.scope)) > 0)
       and (before_id is null or stored.id < before_id)
     order by stored.id desc
     limit max_rows;
end
$$;

-- All revisions of one CVE's entries, also of removed ones, newest first.
create function accounts.read_triage_history(credential text, digest bytea, asked_cve text, max_rows integer)
  returns table (
    cve_id text, kind text, scope text, versions text, revision integer, at timestamptz, actor text, state text,
    justification text, impact_statement text, action_statement text, note text, until date, unless text[], level text,
    is_exploited boolean, is_current boolean
  )
  language plpgsql stable security definer set search_path = ''
as $$
declare
  own bigint := (accounts.require_triage(credential, digest, false)).account_id;
begin
  return query
    select entry.cve_id, entry.kind, entry.scope, entry.versions, stored.revision, stored.at, stored.actor, stored.state,
           stored.justification, stored.impact_statement, stored.action_statement, stored.note, stored.until, stored.unless,
           stored.level, stored.is_exploited, stored.revision = entry.revision
      from accounts.triage_entry entry
      join accounts.triage_revision stored on stored.entry_id = entry.id
     where entry.account_id = own and entry.cve_id = asked_cve
     order by stored.at desc, stored.entry_id desc, stored.revision desc
     limit max_rows;
end
$$;

-- Makes up to 500 changes, each judged alone, and writes one audit row for those that were made. Each change is an object
-- with the columns of an entry and of its new revision; without a state it removes the entry. `revision` is the one that
-- the change replaces, 0 for a new entry.
--
-- The outcome is 'done', 'conflict' (the entry has another revision), 'unknown' (there is no entry to remove), 'limit'
-- (the account has as many entries as its plan allows) or 'too many' (it has changed twice as many within a UTC day:
-- revisions are never deleted, so a program that makes changes in a loop must not fill the table). Also returns the
-- entry's state after the call, which after a conflict is the other person's.
create function accounts.change_triage(credential text, digest bytea, cause text, changes jsonb)
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
      elsif not is_set then
        used.entries := used.entries + 1;
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
      'cve_ids', to_jsonb(array(select distinct id from unnest(done[1:20]) id order by id))));
  end if;
end
$$;

-- As before, but changes of triage states do not count either: they have their own limit, and must not keep an account from
-- changing its keys.
create or replace function accounts.begin_change(
  credential text, digest bytea, is_reduction boolean default false,
  out account_id bigint, out actor text, out is_owner boolean, out own accounts.key_state
)
  language plpgsql security definer set search_path = ''
as $$
begin
  account_id := (accounts.require_actor(credential, digest)).account_id;
  -- Charges and sign-ins also reference the account, but this lock does not delay them.
  perform from accounts.account account where account.id = begin_change.account_id for no key update;
  select found.actor, found.role = 'owner' into actor, is_owner from accounts.require_actor(credential, digest) found;
  select state.* into own
    from accounts.key_state state
    join accounts.api_key key on key.id = state.id
   where credential = 'key' and key.digest = begin_change.digest;
  if not is_reduction and credential <> 'operator' and (
      select count(*) >= 200
        from accounts.audit entry
       where entry.account_id = begin_change.account_id
         and entry.at > now() - interval '24 hours'
         and entry.actor ~ '^(key|member):'
         and entry.action !~ '^(view|triage)\.'
  ) then
    raise exception 'the account has made too many changes' using errcode = 'VI009';
  end if;
end
$$;

grant execute on function
  accounts.read_triage(text, bytea, text[], text[], text, text, bigint, integer),
  accounts.read_triage_history(text, bytea, text, integer),
  accounts.change_triage(text, bytea, text, jsonb)
  to vis_api;
