-- The change log for callers of the API (ADR 0041): what changed with the old and the new value, why, and a position that
-- no other database has.

-- The table is short enough to be written again and scanned under the lock: readers wait for about a second.
alter table catalog.change
  -- The types of the change (domain/change/types.ts), sorted.
  add column types text[] not null default '{}',
  -- Old and new value of small members: {"severity": {"old": 7.5, "new": 9.8}}.
  add column diff jsonb,
  add column cause text not null default 'data',
  -- The default is a random value for each row, so the table is written again: 0.1 GB for 260,000 CVEs. Rows without a
  -- tag would not do: a database that was restored to a time before this migration could have other rows with the same
  -- numbers.
  -- squawk-ignore adding-field-with-default
  add column tag bigint not null default hashtextextended(gen_random_uuid()::text, 0),
  drop constraint change_kind_check,
  -- squawk-ignore constraint-missing-not-valid
  add constraint change_kind_check check (kind in ('added', 'changed', 'removed', 'kev', 'epss', 'rules')),
  -- squawk-ignore constraint-missing-not-valid
  add constraint change_cause_check check (cause in ('data', 'rules', 'reload'));

comment on column catalog.change.cause is
  'data: upstream data changed. rules: the service merges the same data in another way. reload: an operator published again.';
comment on column catalog.change.tag is
  'Random value. A position of a reader is seq and tag, so that a reader of a restored database notices another history.';

create table catalog.change_floor (
  is_current   boolean primary key default true check (is_current),
  -- Every row up to this number may be deleted.
  data_seq     bigint  not null,
  -- Rows with the cause `rules` or `reload` up to this number may be deleted.
  complete_seq bigint  not null
);

comment on table catalog.change_floor is
  'One row: up to which numbers rows of catalog.change were deleted. After complete_seq, the log has every change.';

insert into catalog.change_floor (data_seq, complete_seq) values (0, 0);
