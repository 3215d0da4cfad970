-- The age of the data itself and the result of the last run of each data set (decision E10). The API role cannot read
-- the schema `source`, so the end of each run copies these values to the data set.
alter table catalog.dataset
  -- Time of the newest upstream release or record that is stored; null if upstream states no time.
  add column upstream_at     timestamptz,
  -- Time when the last run ended, whatever its result was; null before the first run.
  add column last_run_at     timestamptz,
  add column last_run_result text,
  -- Records that the last run could not use.
  add column rejected_count  bigint not null default 0 check (rejected_count >= 0);

update catalog.dataset
   set upstream_at = feed.upstream_at
  from source.feed
 where feed.name = dataset.name;

update catalog.dataset
   set last_run_at = run.finished_at,
       last_run_result = run.outcome,
       rejected_count = run.rejected_count
  from (
    select distinct on (feed) feed, finished_at, outcome, rejected_count
      from source.feed_run
     where finished_at is not null
     order by feed, id desc
  ) as run
 where run.feed = dataset.name;
