-- Sessions show the browser and network of their sign-in, and the audit log can be filtered.

-- Words of the service for the browser and the system, never what the browser sent; and a range of addresses, not the
-- address: enough for a person to recognise an own session.
alter table accounts.session
  add column browser text check (length(browser) <= 60),
  add column network text check (length(network) <= 60);

-- Notes where a session was opened. Only the first call has an effect.
create function accounts.note_session_client(session_digest bytea, used_browser text, used_network text) returns void
  language sql security definer set search_path = ''
as $$
  update accounts.session session
     set browser = used_browser, network = used_network
   where session.digest = session_digest and session.browser is null and session.ended_at is null
$$;

drop function accounts.list_sessions(bytea);

-- Lists the valid sessions that have the same member or key as a valid session.
create function accounts.list_sessions(session_digest bytea)
  returns table (
    id text, created_at timestamptz, last_used_at timestamptz, ends_at timestamptz, method text, is_current boolean,
    browser text, network text
  )
  language sql stable security definer set search_path = ''
as $$
  select other.public_id, other.created_at, other.last_used_at, other.ends_at, other.method,
         other.digest = session_digest, stored.browser, stored.network
    from accounts.session_state own
    join accounts.session_state other on other.key_id = own.key_id or other.member_id = own.member_id
    join accounts.session stored on stored.digest = other.digest
   where own.digest = session_digest
     and own.refusal is null
     and other.refusal is null
   order by other.created_at desc, other.public_id
   limit 100
$$;

drop function accounts.read_audit(text, bytea, bigint, integer);

-- The audit log of the caller's account, newest first. Operators' names and their reason for a suspension are internal
-- and are left out. A kind of action is its part before the dot, such as member.
create function accounts.read_audit(
  credential text, digest bytea, before_id bigint, max_entries integer,
  wanted_actor text default null, wanted_kinds text[] default null, from_time timestamptz default null,
  to_time timestamptz default null
)
  returns table (
    id bigint, at timestamptz, actor text, action text, key_id bigint, member_id bigint, details jsonb
  )
  language sql stable security definer set search_path = ''
as $$
  select entry.id,
         entry.at,
         case when entry.actor ~ '^(key|member):\d+$' then entry.actor else 'operator' end,
         entry.action,
         entry.key_id,
         entry.member_id,
         case when entry.action = 'account.suspend' then '{}' else entry.details end
    from accounts.audit entry
   where entry.account_id = (accounts.require_actor(credential, read_audit.digest)).account_id
     and (before_id is null or entry.id < before_id)
     and (wanted_actor is null
          or case when entry.actor ~ '^(key|member):\d+$' then entry.actor else 'operator' end = wanted_actor)
     and (wanted_kinds is null or split_part(entry.action, '.', 1) = any (wanted_kinds))
     and (from_time is null or entry.at >= from_time)
     and (to_time is null or entry.at < to_time)
   order by entry.id desc
   limit max_entries
$$;

grant execute on function
  accounts.note_session_client(bytea, text, text),
  accounts.list_sessions(bytea),
  accounts.read_audit(text, bytea, bigint, integer, text, text[], timestamptz, timestamptz)
  to vis_api;
