-- Prints one line per table: the number of rows and a checksum over all rows, independent of their order. Two databases
-- with equal lines hold the same data. Run: psql --no-psqlrc --tuples-only --file fingerprint.sql --dbname vis
\set QUIET on
\pset format unaligned
select format(
         'select %L, count(*), coalesce(sum(hashtextextended(one::text, 0)), 0) from %I.%I one',
         nspname || '.' || relname, nspname, relname)
  from pg_class
  join pg_namespace on pg_namespace.oid = relnamespace
 where relkind = 'r'
   and nspname in ('accounts', 'catalog', 'jobs', 'source')
 order by nspname, relname
\gexec
-- For every account and month, the ledger must add up to the meter. The expected number of mismatches is 0. Detached days
-- of the ledger are read too, and months whose ledger was dropped are compared with the daily sums.
select 'accounts that do not add up', count(*) from accounts.find_wrong_meters();
