-- Anchore's overrides are kept in source.source_record, as whatever is said once per CVE.
insert into catalog.dataset (name, stale_after_seconds, is_required)
values ('overrides', 604800, false);
