-- How much of upstream's database a data set holds (decision E29). Written in the transaction that stores the data.
alter table catalog.dataset
  -- Number of records in upstream's own index; null if it is not known, for example after an import from a directory.
  add column index_count  bigint check (index_count >= 0),
  -- Number of records of upstream that are not held, because the feed could not use them.
  add column unheld_count bigint not null default 0 check (unheld_count >= 0),
  -- What `upstream_at` is: the time of upstream's release, of its newest record, or of the delivery.
  add column as_of_basis  text   check (as_of_basis in ('released', 'newest_record', 'delivered'));

alter table source.feed add column as_of_basis text check (as_of_basis in ('released', 'newest_record', 'delivered'));
