-- What Microsoft says of a CVE is kept in source.source_record, as whatever is said once per CVE.
insert into catalog.dataset (name, stale_after_seconds, is_required)
values ('msrc', 604800, false);
