-- Adds nine copies of each CVE under other keys to a scratch database, with the columns that facets read:
--   psql postgres://…/scratch -f lab/bench/facets/grow.sql
set session_replication_role = replica;
do $$
declare
  each record;
  columns text := (
    select string_agg(quote_ident(column_name), ', ')
      from information_schema.columns
     where table_schema = 'catalog' and table_name = 'cve' and column_name not in ('cve_key', 'words')
  );
begin
  for each in
    select indexrelid::regclass as name from pg_index where indrelid = 'catalog.cve'::regclass and not indisprimary
  loop
    execute format('drop index %s', each.name);
  end loop;
  execute format(
    'insert into catalog.cve (cve_key, words, %1$s)
     select cve_key + copy * 1000000000, '''', %1$s from catalog.cve, generate_series(1::bigint, 9) as copy', columns);
end
$$;
insert into catalog.epss (cve_key, score, percentile, held_since)
select cve_key + copy * 1000000000, score, percentile, held_since from catalog.epss, generate_series(1::bigint, 9) as copy;
insert into catalog.cve_product (product_key, cve_key)
select product_key, cve_key + copy * 1000000000 from catalog.cve_product, generate_series(1::bigint, 9) as copy;
vacuum analyze catalog.cve, catalog.epss, catalog.cve_product;
