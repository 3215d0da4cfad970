-- A first load keeps all indexes: creating the indexes of words at its end was not faster than writing them through their
-- pending lists (54,068 CVEs: 67.7 and 69.0 s instead of 69.7 and 66.1 s), and searches for words scanned the table until
-- then. A publisher still creates an index that is missing, such as one that an interrupted first load of an earlier
-- version left out.
drop function catalog.drop_first_load_indexes();
drop function catalog.create_first_load_indexes();

-- A migration that changes one of these indexes must replace this function too; missing-indexes.test.ts compares the
-- definitions with the indexes that the migrations create.
alter function catalog.first_load_indexes() rename to word_indexes;

-- Creates the indexes of words that are missing and returns their number. Readers continue meanwhile. Only the owner of the
-- table may create an index, so the function runs with the rights of the owner.
create function catalog.create_missing_indexes() returns integer
  language plpgsql security definer set search_path = '' set maintenance_work_mem = '256MB'
as $$
declare
  index_definition text;
  created integer := 0;
begin
  for index_definition in
    select listed.definition
      from catalog.word_indexes() as listed
     where pg_catalog.to_regclass('catalog.' || listed.name) is null
  loop
    execute index_definition;
    created := created + 1;
  end loop;
  return created;
end
$$;

grant execute on function catalog.create_missing_indexes() to vis_feeds;
