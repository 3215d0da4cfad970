-- Accounts live in a schema of their own, possibly in a database of their own: nothing here refers to the catalog.
-- vis_api reads no table of it: it executes functions.
create schema accounts;

grant usage on schema accounts to vis_api;

-- Not per schema: that form can only add to what everybody has by default.
alter default privileges revoke execute on functions from public;

create table accounts.migration (
  name       text        primary key,
  checksum   text        not null,
  applied_at timestamptz not null default now()
);

-- A node compares it with its own list when it starts.
grant select on accounts.migration to vis_api;
