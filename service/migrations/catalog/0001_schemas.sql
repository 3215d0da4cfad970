-- `source`: what the feeds said. `catalog`: what we conclude and serve.
-- Grants follow the schema, so a later migration cannot forget them.
create schema source;
create schema catalog;

grant usage on schema source, catalog to vis_feeds;
grant usage on schema catalog to vis_api;

alter default privileges in schema source grant select, insert, update, delete on tables to vis_feeds;
alter default privileges in schema source grant usage on sequences to vis_feeds;
alter default privileges in schema catalog grant select, insert, update, delete on tables to vis_feeds;
alter default privileges in schema catalog grant usage on sequences to vis_feeds;
alter default privileges in schema catalog grant select on tables to vis_api;
-- Not per schema: that form can only add to what everybody has by default.
alter default privileges revoke execute on functions from public;

create table catalog.migration (
  name       text        primary key,
  checksum   text        not null,
  applied_at timestamptz not null default now()
);

-- Only migrations write their own record.
revoke insert, update, delete on catalog.migration from vis_feeds;
