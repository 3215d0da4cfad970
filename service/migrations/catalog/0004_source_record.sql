-- One row per CVE and source: what the source said, whole, as JSON text.
create table source.source_record (
  source       text        not null,
  cve_id       text        not null collate "C",
  -- SHA-256 of the text: whether a record changed is decided without reading it.
  content_hash bytea       not null,
  -- Upstream's own time of its last change, never later than when we read it (decision C22).
  modified     timestamptz not null,
  record       text        not null,
  -- With what a run compares: it needs the index alone.
  primary key (source, cve_id) include (content_hash, modified)
);

-- Text of this kind compresses threefold, and lz4 does it at several times the speed of the default.
do $$
begin
  alter table source.source_record alter column record set compression lz4;
exception when feature_not_supported then
  null; -- this PostgreSQL was built without lz4; its own compression is slower, and as good otherwise
end
$$;
