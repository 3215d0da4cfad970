-- Until when the makers of products support their releases, from the feed endoflife.

create table source.end_of_life (
  -- Name at endoflife.date, such as debian.
  product      text   collate "C" primary key,
  label        text   not null,
  -- Names under which components state the product, such as purl:maven/log4j/log4j or cpe:apache/log4j.
  names        text[] not null collate "C",
  -- JSON text: the release cycles in the form of domain/component/release-cycle.ts.
  cycles       text   not null,
  content_hash bytea  not null,
  truncated    text[]
);

-- The published copy, about 460 products. API nodes read it for components that are affected.
create table catalog.end_of_life (
  product      text   collate "C" primary key,
  label        text   not null,
  names        text[] not null collate "C",
  cycles       text   not null,
  content_hash bytea  not null
);
