-- Which runs of a feed changed records because of how the source was read, and not because of news about CVEs (decision
-- E50): their changes have the cause `source`.
alter table source.feed
  -- Version of the feed's reader in its last run that succeeded.
  add column reader_version integer not null default 1;

alter table source.feed_run
  -- Cause of the changes in the change log. Becomes `source` during a run that changes too much.
  add column cause        text   not null default 'data' check (cause in ('data', 'source')),
  -- CVEs that the run queued for publication; a CVE counts again for each delivery that queues it.
  add column queued_count bigint not null default 0;

-- The run that queued the CVE; null if no run did, as for a change of the rules.
alter table source.publication_queue add column run_id bigint;

-- The existing rows met the narrower check, so none is read again.
alter table catalog.change
  drop constraint change_cause_check,
  add constraint change_cause_check
    check (cause in ('data', 'rules', 'reload', 'source', 'epss_model')) not valid;
