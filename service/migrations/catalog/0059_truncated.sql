-- Values of upstream records that were cut because they are too long (decision E42), as names of `include=sources`. Null
-- without such a value. Null also for records that were stored before: a publication applies the limits to those too.
alter table source.source_record add column truncated text[];
alter table source.ghsa_advisory add column truncated text[];
alter table source.osv_advisory add column truncated text[];
alter table source.kev_entry add column truncated text[];
alter table source.kev_past_entry add column truncated text[];
alter table source.eu_kev_entry add column truncated text[];
alter table source.acsc_notice add column truncated text[];
alter table source.exploit_item add column truncated text[];
alter table source.weakness add column truncated text[];
alter table source.attack_technique add column truncated text[];
alter table source.capec add column truncated text[];
alter table source.attack_mapping add column truncated text[];
alter table source.debian_status add column truncated text[];

-- Number of stored records of the run with a value that was cut.
alter table source.feed_run add column truncated_count bigint not null default 0;
