-- Requests for a sign-in, which the API nodes forward to the process that decides (role vis_identity), and its answers.
--
-- A node names its request by a random id and gets the answer with this id, so it never sees the requests of other nodes.
-- Both sides ask again after a short pause, because notifications do not pass through a pooler in transaction mode.

-- Unlogged: a row lives for seconds and may hold the code of a sign-in at the provider, so it belongs neither into the
-- write-ahead log nor into replicas. After a crash of PostgreSQL people sign in again.
create unlogged table accounts.identity_request (
  id             uuid        primary key,
  kind           text        not null check (kind in ('link', 'token', 'description', 'oidc-start', 'oidc-finish')),
  -- Parameters from the browser. Empty as soon as a process has taken the request.
  parameters     jsonb       not null check (octet_length(parameters::text) <= 16384),
  created_at     timestamptz not null default clock_timestamp(),
  -- Time until which the node waits for the answer.
  expires_at     timestamptz not null,
  taken_at       timestamptz,
  answer         jsonb
);

create index identity_request_waiting on accounts.identity_request (created_at) where taken_at is null;

-- Last report of the process that decides about sign-ins. At most one row: all such processes have the same settings.
create table accounts.identity_status (
  is_only     boolean     primary key default true check (is_only),
  -- 'normal', or 'delayed' while the mail server cannot be reached; null if no mails are sent.
  mail        text        check (mail in ('normal', 'delayed')),
  -- Name of the OpenID Connect provider; null if there is none.
  oidc_name   text,
  reported_at timestamptz not null
) with (fillfactor = 50); -- room on the page, so that the constant updates stay heap-only

-- Adds a request. SQLSTATE VI005: too many requests wait already.
create function accounts.ask_identity(request_id uuid, asked_kind text, sent jsonb, wait_seconds integer) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if (select count(*) >= 1000 from accounts.identity_request waiting where waiting.expires_at > clock_timestamp()) then
    raise exception 'too many requests for a sign-in are waiting' using errcode = 'VI005';
  end if;
  insert into accounts.identity_request (id, kind, parameters, expires_at)
  values (request_id, asked_kind, sent, clock_timestamp() + make_interval(secs => least(greatest(wait_seconds, 1), 30)));
end
$$;

-- Returns the answer to a request and forgets it. Returns null while there is no answer.
create function accounts.take_identity_answer(request_id uuid) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  given jsonb;
begin
  delete from accounts.identity_request request
   where request.id = request_id and request.answer is not null
  returning request.answer into given;
  return given;
end
$$;

-- The ways to sign in, by the last report. No row before the first one.
create function accounts.read_identity_status()
  returns table (mail text, oidc_name text, allows_sign_up boolean, age_seconds double precision)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select status.mail, status.oidc_name, rule.allows_sign_up,
           extract(epoch from clock_timestamp() - status.reported_at)::double precision
      from accounts.identity_status status
     cross join accounts.sign_in_rule rule;
end
$$;

-- Takes requests that wait, the oldest first, and deletes those whose node waits no longer. Several processes may do so.
create function accounts.take_identity_requests(max_requests integer)
  returns table (id uuid, kind text, parameters jsonb)
  language plpgsql security definer set search_path = ''
as $$
declare
  expired uuid[];
begin
  -- Nearly always nothing waits, and this is all that is read.
  if not exists (select from accounts.identity_request request) then
    return;
  end if;
  select array_agg(old.id) into expired
    from (
           select request.id
             from accounts.identity_request request
            where request.expires_at <= clock_timestamp()
              for update skip locked
         ) old;
  delete from accounts.identity_request request where request.id = any (expired);
  return query
    with waiting as (
      select request.id, request.parameters
        from accounts.identity_request request
       where request.taken_at is null
       order by request.created_at
       limit max_requests
         for update skip locked
    )
    update accounts.identity_request request
       set taken_at = clock_timestamp(), parameters = '{}'
      from waiting
     where request.id = waiting.id
    returning request.id, request.kind, waiting.parameters;
end
$$;

create function accounts.answer_identity_request(request_id uuid, given jsonb) returns void
  language sql security definer set search_path = ''
as $$
  update accounts.identity_request request set answer = given where request.id = request_id
$$;

create function accounts.report_identity(current_mail text, current_oidc_name text) returns void
  language sql security definer set search_path = ''
as $$
  insert into accounts.identity_status as stored (mail, oidc_name, reported_at)
  values (current_mail, current_oidc_name, clock_timestamp())
      on conflict (is_only) do update
     set mail = excluded.mail, oidc_name = excluded.oidc_name, reported_at = excluded.reported_at
$$;

-- The rules, so that a process can tell whether its settings differ from them.
create function accounts.read_sign_in_rule() returns accounts.sign_in_rule
  language sql stable security definer set search_path = ''
as $$
  select rule.* from accounts.sign_in_rule rule
$$;

grant execute on function
  accounts.ask_identity(uuid, text, jsonb, integer),
  accounts.take_identity_answer(uuid),
  accounts.read_identity_status()
  to vis_api;

grant execute on function
  accounts.take_identity_requests(integer),
  accounts.answer_identity_request(uuid, jsonb),
  accounts.report_identity(text, text),
  accounts.read_sign_in_rule()
  to vis_identity;
