-- Two people may sign in with one API key at the same moment, or one person in two tabs. The second sign-in now waits for
-- the first instead of being refused for a minute. A sign-in takes a few milliseconds, and a node lets only a third of its
-- connections run the sign-ins of all accounts, so waiting ones never use up the connections.
--
-- Exchanges a valid API key for a session with the rights of a viewer. Takes the digest of the key, so that a login with
-- the role vis_api cannot create a session of any other account. Returns 'created', 'refused' if the key is not valid
-- (any more), or 'too many' after 30 sessions in a minute. A key has at most 20 open sessions; the oldest one ends.
create or replace function accounts.create_session(session_digest bytea, key_digest bytea) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  found_key accounts.api_key;
begin
  select key.* into found_key
    from accounts.api_key key
    join accounts.account account on account.id = key.account_id
   where key.digest = key_digest
     and key.revoked_at is null
     and (key.expires_at is null or key.expires_at > now())
     and account.suspended_at is null;
  if not found then
    return 'refused';
  end if;
  -- One sign-in of a key at a time, so that concurrent ones cannot exceed the limits. The lock timeout of the connection
  -- limits the wait.
  perform pg_advisory_xact_lock(hashtextextended('vis create_session', found_key.id));
  if (select count(*) >= 30
        from accounts.session session
       where session.key_id = found_key.id and session.created_at > clock_timestamp() - interval '1 minute') then
    return 'too many';
  end if;
  update accounts.session session
     set ended_at = now()
   where session.digest in (
           select open.digest
             from accounts.session open
            where open.key_id = found_key.id and open.ended_at is null
            order by open.created_at desc
           offset 19
         );
  insert into accounts.session (digest, account_id, key_id, role)
  values (session_digest, found_key.account_id, found_key.id, 'viewer');
  return 'created';
end
$$;
