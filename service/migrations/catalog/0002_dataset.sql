-- One row per data set, kept by its feed in the transaction that stores the data, so that /health
-- can tell size and age without counting a large table.
create table catalog.dataset (
  name                text        primary key,
  table_count         bigint      not null default 0 check (table_count >= 0),
  last_success_at     timestamptz,
  -- Beyond this age /health calls the data set stale.
  stale_after_seconds integer     not null check (stale_after_seconds > 0)
);

-- The three of the specification exist before their feeds first run; never fetched counts as stale.
insert into catalog.dataset (name, stale_after_seconds)
values ('kev', 86400), ('epss', 172800), ('acsc', 86400);
