-- The tables of the library pg-boss 12.35.0, which runs jobs (ADR 0009): its own definitions, made by our migration. A
-- test compares them with what the library would create, so a new version of the library needs a new migration.
--
-- A job carries the id of the row that it is about, and never an address, a token or a text. Only vis_jobs may write
-- here: for an API node, a function writes the row, and a process with the login vis_jobs makes the job.
create schema jobs;

grant usage on schema jobs to vis_jobs;
alter default privileges in schema jobs grant select, insert, update, delete on tables to vis_jobs;

create type jobs.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');

CREATE FUNCTION jobs.job_now()
RETURNS timestamp with time zone AS
$$
  SELECT pg_catalog.now();
$$
LANGUAGE sql STABLE;

create table jobs.version (
  version int primary key,
  cron_on timestamp with time zone,
  bam_on timestamp with time zone,
  flow_on timestamp with time zone,
  reindex_on timestamp with time zone,
  monitor_backoff_on timestamp with time zone
);

create table jobs.queue (
  name text not null,
  policy text not null,
  retry_limit int not null,
  retry_delay int not null,
  retry_backoff bool not null,
  retry_delay_max int,
  expire_seconds int not null,
  retention_seconds int not null,
  deletion_seconds int not null,
  dead_letter text references jobs.queue (name) check (dead_letter is distinct from name),
  partition bool not null,
  table_name text not null,
  deferred_count int not null default 0,
  queued_count int not null default 0,
  ready_count int not null default 0,
  warning_queued int not null default 0,
  active_count int not null default 0,
  failed_count int not null default 0,
  total_count int not null default 0,
  created_delta int not null default 0,
  completed_delta int not null default 0,
  failed_delta int not null default 0,
  delta_on timestamp with time zone,
  delta_seconds int,
  ready_history int[] not null default '{}',
  heartbeat_seconds int,
  notify bool not null default false,
  singletons_active text[],
  monitor_claim_on timestamp with time zone,
  monitor_on timestamp with time zone,
  maintain_on timestamp with time zone,
  created_on timestamp with time zone not null default now(),
  updated_on timestamp with time zone not null default now(),
  primary key (name)
);

create table jobs.schedule (
  name text references jobs.queue on delete cascade,
  key text not null default '',
  kind text not null default 'cron' check (kind in ('cron', 'rrule')),
  cron text not null,
  timezone text default 'UTC',
  data jsonb,
  options jsonb,
  created_on timestamp with time zone not null default now(),
  updated_on timestamp with time zone not null default now(),
  last_job_id uuid,
  primary key (name, key)
);

create table jobs.subscription (
  event text not null,
  name text not null references jobs.queue on delete cascade,
  created_on timestamp with time zone not null default now(),
  updated_on timestamp with time zone not null default now(),
  primary key(event, name)
);

create table jobs.bam (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  version int not null,
  status text not null default 'pending',
  queue text,
  table_name text not null,
  command text not null,
  error text,
  created_on timestamp with time zone not null default clock_timestamp(),
  started_on timestamp with time zone,
  completed_on timestamp with time zone
);

CREATE FUNCTION jobs.job_table_format(command text, table_name text)
RETURNS text AS
$$
  SELECT format(
    regexp_replace(
      regexp_replace(command, '\.job\y', '.%1$I', 'g'),
      '\yjob_i(\d+)', '%1$s_i\1', 'g'
    ),
    table_name
  );
$$
LANGUAGE sql IMMUTABLE;

CREATE FUNCTION jobs.job_table_run(command text, tbl_name text DEFAULT NULL, queue_name text DEFAULT NULL)
RETURNS VOID AS
$$
DECLARE
  tbl RECORD;
BEGIN
  IF queue_name IS NOT NULL THEN
    SELECT table_name INTO tbl_name FROM jobs.queue WHERE name = queue_name;
  END IF;

  IF tbl_name IS NOT NULL THEN
    EXECUTE jobs.job_table_format(command, tbl_name);
    RETURN;
  END IF;

  EXECUTE jobs.job_table_format(command, 'job_common');

  FOR tbl IN SELECT table_name FROM jobs.queue WHERE partition = true
  LOOP
    EXECUTE jobs.job_table_format(command, tbl.table_name);
  END LOOP;
END;
$$
LANGUAGE plpgsql;

CREATE FUNCTION jobs.job_table_run_async(command_name text, version int, command text, tbl_name text DEFAULT NULL, queue_name text DEFAULT NULL)
RETURNS VOID AS
$$
BEGIN
  IF queue_name IS NOT NULL THEN
    SELECT table_name INTO tbl_name FROM jobs.queue WHERE name = queue_name;
  END IF;

  IF tbl_name IS NOT NULL THEN
    INSERT INTO jobs.bam (name, version, status, queue, table_name, command)
    VALUES (
      command_name,
      version,
      'pending',
      queue_name,
      tbl_name,
      jobs.job_table_format(command, tbl_name)
    );
    RETURN;
  END IF;

  INSERT INTO jobs.bam (name, version, status, queue, table_name, command)
  SELECT
    command_name,
    version,
    'pending',
    NULL,
    'job_common',
    jobs.job_table_format(command, 'job_common')
  UNION ALL
  SELECT
    command_name,
    version,
    'pending',
    queue.name,
    queue.table_name,
    jobs.job_table_format(command, queue.table_name)
  FROM jobs.queue
  WHERE partition = true;
END;
$$
LANGUAGE plpgsql;

create table jobs.job (
  id uuid not null default gen_random_uuid(),
  name text not null,
  priority integer not null default(0),
  data jsonb,
  state jobs.job_state not null default 'created',
  retry_limit integer not null default 2,
  retry_count integer not null default 0,
  retry_delay integer not null default 0,
  retry_backoff boolean not null default false,
  retry_delay_max integer,
  expire_seconds int not null default 900,
  deletion_seconds int not null default 604800,
  singleton_key text,
  -- squawk-ignore prefer-timestamp-tz -- the library's own type
  singleton_on timestamp without time zone,
  group_id text,
  group_tier text,
  start_after timestamp with time zone not null default now(),
  created_on timestamp with time zone not null default now(),
  started_on timestamp with time zone,
  completed_on timestamp with time zone,
  keep_until timestamp with time zone not null default now() + interval '1209600',
  output jsonb,
  dead_letter text,
  policy text,
  heartbeat_on timestamp with time zone,
  heartbeat_seconds int,
  blocked boolean not null default false,
  blocking boolean not null default false,
  pending_dependencies int not null default 0,
  source_name text,
  source_id uuid,
  source_created_on timestamp with time zone,
  source_retry_count int,
  source_output jsonb,
  source_root_id uuid
) partition by list (name);

-- squawk-ignore adding-serial-primary-key-field -- the table is empty
alter table jobs.job add primary key (name, id);

-- All jobs are in this partition.
create table jobs.job_common (like jobs.job including generated including defaults);

-- squawk-ignore adding-serial-primary-key-field -- the table is empty
alter table jobs.job_common add primary key (name, id);
alter table jobs.job_common add constraint q_fkey foreign key (name) references jobs.queue (name) on delete restrict deferrable initially deferred;
alter table jobs.job_common add constraint dlq_fkey foreign key (dead_letter) references jobs.queue (name) on delete restrict deferrable initially deferred;
create unique index job_common_i1 on jobs.job_common (name, coalesce(singleton_key, '')) where state = 'created' and policy = 'short';
create unique index job_common_i2 on jobs.job_common (name, coalesce(singleton_key, '')) where state = 'active' and policy = 'singleton';
create unique index job_common_i3 on jobs.job_common (name, state, coalesce(singleton_key, '')) where state <= 'active' and policy = 'stately';
create unique index job_common_i6 on jobs.job_common (name, coalesce(singleton_key, '')) where state <= 'active' and policy = 'exclusive';
create unique index job_common_i8 on jobs.job_common (name, singleton_key) where state in ('active', 'retry', 'failed') and policy = 'key_strict_fifo';
create index job_common_i10 on jobs.job_common (name, singleton_key, state desc, created_on, id) include (start_after) where state < 'active' and not blocked and policy = 'key_strict_fifo';
alter table jobs.job_common add constraint job_key_strict_fifo_singleton_key_check check (not (policy = 'key_strict_fifo' and singleton_key is null));
create unique index job_common_i4 on jobs.job_common (name, singleton_on, coalesce(singleton_key, '')) where state <> 'cancelled' and singleton_on is not null;
create index job_common_i11 on jobs.job_common (name, priority desc, created_on, start_after) where state < 'active' and not blocked;
create index job_common_i7 on jobs.job_common (name, group_id) where state = 'active' and group_id is not null;
create index job_common_i9 on jobs.job_common (name, id) where blocking and state = 'completed';
create index job_common_i12 on jobs.job_common (source_root_id) where source_root_id is not null;

alter table jobs.job attach partition jobs.job_common default;

create table jobs.warning (
  id uuid primary key default gen_random_uuid(),
  type text not null,
  message text not null,
  data jsonb,
  created_on timestamp with time zone not null default now()
);

create index warning_i1 on jobs.warning (created_on desc);

-- Empty: the service reads its numbers from jobs.job.
create table jobs.queue_stats (
  id uuid not null default gen_random_uuid(),
  name text not null,
  deferred_count int not null default 0,
  queued_count   int not null default 0,
  ready_count    int not null default 0,
  active_count   int not null default 0,
  failed_count   int not null default 0,
  total_count    int not null default 0,
  created_delta   int,
  completed_delta int,
  failed_delta    int,
  delta_seconds   int,
  delta_on        timestamptz,
  captured_on timestamptz not null default now(),
  primary key (id, captured_on)
) partition by range (captured_on);

create index queue_stats_i1 on jobs.queue_stats (name, captured_on desc)
  include (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);

create table jobs.job_dependency (
  child_name text not null,
  child_id uuid not null,
  parent_name text not null,
  parent_id uuid not null,
  primary key (child_name, child_id, parent_name, parent_id)
);

create index job_dep_parent_idx on jobs.job_dependency (parent_name, parent_id);

CREATE FUNCTION jobs.create_queue(queue_name text, options jsonb)
RETURNS VOID AS
$$
DECLARE
  tablename varchar := CASE WHEN options->>'partition' = 'true'
                        THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                        ELSE 'job_common'
                        END;
  queue_created_on timestamptz;
BEGIN

  WITH q as (
    INSERT INTO jobs.queue (
      name,
      policy,
      retry_limit,
      retry_delay,
      retry_backoff,
      retry_delay_max,
      expire_seconds,
      retention_seconds,
      deletion_seconds,
      warning_queued,
      dead_letter,
      partition,
      table_name,
      heartbeat_seconds,
      notify,
      created_on,
      updated_on
    )
    VALUES (
      queue_name,
      options->>'policy',
      COALESCE((options->>'retryLimit')::int, 2),
      COALESCE((options->>'retryDelay')::int, 0),
      COALESCE((options->>'retryBackoff')::bool, false),
      (options->>'retryDelayMax')::int,
      COALESCE((options->>'expireInSeconds')::int, 900),
      COALESCE((options->>'retentionSeconds')::int, 1209600),
      COALESCE((options->>'deleteAfterSeconds')::int, 604800),
      COALESCE((options->>'warningQueueSize')::int, 0),
      options->>'deadLetter',
      COALESCE((options->>'partition')::bool, false),
      tablename,
      (options->>'heartbeatSeconds')::int,
      COALESCE((options->>'notify')::bool, false),
      jobs.job_now(),
      jobs.job_now()
    )
    ON CONFLICT DO NOTHING
    RETURNING created_on
  )
  SELECT created_on into queue_created_on from q;

  IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
    RETURN;
  END IF;

  EXECUTE format('CREATE TABLE jobs.%I (LIKE jobs.job INCLUDING DEFAULTS)', tablename);

  EXECUTE jobs.job_table_format($cmd$ALTER TABLE jobs.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
  EXECUTE jobs.job_table_format($cmd$ALTER TABLE jobs.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES jobs.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
  EXECUTE jobs.job_table_format($cmd$ALTER TABLE jobs.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES jobs.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

  EXECUTE jobs.job_table_format($cmd$CREATE INDEX job_i11 ON jobs.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
  EXECUTE jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON jobs.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
  EXECUTE jobs.job_table_format($cmd$CREATE INDEX job_i7 ON jobs.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
  EXECUTE jobs.job_table_format($cmd$CREATE INDEX job_i9 ON jobs.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
  EXECUTE jobs.job_table_format($cmd$CREATE INDEX job_i12 ON jobs.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, tablename);

  IF options->>'policy' = 'short' THEN
    EXECUTE jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON jobs.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
  ELSIF options->>'policy' = 'singleton' THEN
    EXECUTE jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON jobs.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
  ELSIF options->>'policy' = 'stately' THEN
    EXECUTE jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON jobs.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
  ELSIF options->>'policy' = 'exclusive' THEN
    EXECUTE jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON jobs.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
  ELSIF options->>'policy' = 'key_strict_fifo' THEN
    EXECUTE jobs.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON jobs.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
    EXECUTE jobs.job_table_format($cmd$CREATE INDEX job_i10 ON jobs.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
    EXECUTE jobs.job_table_format($cmd$ALTER TABLE jobs.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
  END IF;

  EXECUTE format('ALTER TABLE jobs.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
  EXECUTE format('ALTER TABLE jobs.job ATTACH PARTITION jobs.%I FOR VALUES IN (%L)', tablename, queue_name);
END;
$$
LANGUAGE plpgsql;

CREATE FUNCTION jobs.delete_queue(queue_name text)
RETURNS VOID AS
$$
DECLARE
  v_table varchar;
  v_partition bool;
BEGIN
  
  SELECT table_name, partition
  FROM jobs.queue
  WHERE name = queue_name
  INTO v_table, v_partition;

  IF v_partition THEN
    EXECUTE format('DROP TABLE IF EXISTS jobs.%I', v_table);
  ELSE
    EXECUTE format('DELETE FROM jobs.%I WHERE name = %L', v_table, queue_name);
  END IF;

  DELETE FROM jobs.queue WHERE name = queue_name;
END;
$$
LANGUAGE plpgsql;

insert into jobs.version (version) values (43);

grant execute on function jobs.job_now(), jobs.create_queue(text, jsonb) to vis_jobs;
