-- The days that the feed epss-history has read (ADR 0044). The scores of a day stay here only until the publisher has
-- added them to catalog.epss_series; the row stays, so that the next day can be compared with it.
create table source.epss_past_day (
  day           date      primary key,
  -- Null for files that name no model: those before 2022-02-04.
  model_version text,
  score_count   integer   not null,
  -- The CVEs with their scores and percentiles in units of 0.00001, in the same order; null after the publication. One
  -- row instead of one per CVE: thousands of days would leave hundreds of millions of deleted rows behind.
  cve_ids       text[],
  scores        integer[],
  -- Null if the file has no percentiles.
  percentiles   integer[]
);

do $$
begin
  alter table source.epss_past_day
    alter column cve_ids set compression lz4,
    alter column scores set compression lz4,
    alter column percentiles set compression lz4;
exception when feature_not_supported then
  null; -- PostgreSQL was built without lz4
end
$$;

comment on table source.epss_past_day is 'The days of EPSS scores that the feed epss-history has read.';

insert into catalog.dataset (name, stale_after_seconds, is_required)
values ('epss-history', 259200, false);
