-- How feeds run: whose turn it is, what each run did, what could not be used, and which CVEs are to be published again.

-- One row per feed, made when it first runs.
create table source.feed (
  name            text        primary key,
  -- How far the feed has read, in its own words; moves only in the transaction that stores the data.
  cursor          jsonb,
  -- Grows with every lease: whoever holds an older number may not write any more.
  lease_epoch     bigint      not null default 0,
  lease_holder    text,
  lease_until     timestamptz not null default '-infinity',
  next_due_at     timestamptz not null default '-infinity',
  -- In a row, since the last success.
  failures        integer     not null default 0,
  -- What upstream said of its own age in the newest data we have.
  upstream_at     timestamptz
);

create table source.feed_run (
  id               bigint      generated always as identity primary key,
  feed             text        not null references source.feed,
  lease_epoch      bigint      not null,
  origin           text        not null check (origin in ('network', 'directory')),
  started_at       timestamptz not null,
  finished_at      timestamptz,
  -- `absent`: the directory held no file of this feed. `abandoned`: its process died, as whoever came next found.
  outcome          text        not null default 'running'
                   check (outcome in ('running', 'succeeded', 'failed', 'refused', 'fenced', 'absent', 'stopped', 'abandoned')),
  read_count       bigint      not null default 0,
  written_count    bigint      not null default 0,
  removed_count    bigint      not null default 0,
  unchanged_count  bigint      not null default 0,
  duplicate_count  bigint      not null default 0,
  rejected_count   bigint      not null default 0,
  -- What an operator should know although nothing failed: a new model, a mass change.
  notices          text[]      not null default '{}',
  -- In words an operator understands; absent when the run succeeded.
  fault            text
);

create index feed_run_by_feed on source.feed_run (feed, id desc);

-- Records that could not be used. Of a run that rejects very many, the first ones are kept, and all are counted.
create table source.feed_rejection (
  id       bigint generated always as identity primary key,
  run_id   bigint not null references source.feed_run on delete cascade,
  -- The file or page it came in.
  delivery text   not null,
  -- What upstream calls the record, as far as it can be told.
  subject  text   not null,
  reason   text   not null
);

create index feed_rejection_by_run on source.feed_rejection (run_id);

-- CVEs whose published record is out of date. Only ever appended to, so that feeds never wait for one another or for
-- the catalog: a row that is visible here was committed with the data it speaks of.
create table source.publication_queue (
  seq       bigint      generated always as identity primary key,
  cve_id    text        not null,
  feed      text        not null,
  queued_at timestamptz not null default now()
);

-- Without these two there is nothing to enrich.
insert into catalog.dataset (name, stale_after_seconds)
values ('nvd', 86400), ('cve', 86400);
