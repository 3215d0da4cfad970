-- The events of a watch about given changes, for the explanation of what it told. Among the changes are those of an EPSS
-- release, which is one change of many CVEs.
create function notify.read_watch_events(
  credential text, digest bytea, asked_watch bigint, asked_subject text, seqs bigint[]
)
  returns table (seq bigint, nr bigint, is_muted boolean)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  own bigint := notify.require_reader(credential, digest);
begin
  return query
    select event.seq, event.nr, event.is_muted
      from notify.event event
      join notify.news news on news.seq = event.seq and news.subject_key = event.subject_key
     where event.account_id = own
       and event.watch_id = asked_watch
       and event.seq = any (seqs)
       and news.subject = asked_subject;
end
$$;

grant execute on function notify.read_watch_events(text, bytea, bigint, text, bigint[]) to vis_api;
