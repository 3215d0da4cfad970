-- Makes a first load cheaper: the publisher drops the indexes of words of an empty catalog, publishes, and then
-- creates the indexes, which sorts all entries once. A filled catalog never loses an index.

-- The indexes that a first load creates at its end. A migration that changes one of them must replace this function too;
-- first-load.test.ts compares the definitions with the indexes that the migrations create.
create function catalog.first_load_indexes() returns table (name text, definition text)
  language sql immutable set search_path = ''
as $$
  values
    ('cve_words',
     'create index cve_words on catalog.cve using gin (words)
        with (fastupdate = on, gin_pending_list_limit = 16384)'),
    ('cve_word_pairs',
     'create index cve_word_pairs on catalog.cve using gin (catalog.word_pairs(words))
        with (fastupdate = on, gin_pending_list_limit = 16384)')
$$;

-- Returns false and drops nothing if the catalog contains a CVE, or if a search reads the table for longer than 2 s.
-- Only the owner of an index may drop or create it, so both functions run with the rights of the owner.
create function catalog.drop_first_load_indexes() returns boolean
  language plpgsql security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  index_name text;
begin
  -- Checked before the lock, so that readers of a filled catalog never wait, and again when nobody else can write.
  if exists (select from catalog.cve) then
    return false;
  end if;
  lock table catalog.cve in access exclusive mode;
  if exists (select from catalog.cve) then
    return false;
  end if;
  for index_name in select listed.name from catalog.first_load_indexes() as listed loop
    execute pg_catalog.format('drop index if exists catalog.%I', index_name);
  end loop;
  return true;
exception
  when lock_not_available then
    return false;
end
$$;

-- Creates the indexes that are missing and returns their number. Readers continue meanwhile.
create function catalog.create_first_load_indexes() returns integer
  language plpgsql security definer set search_path = '' set maintenance_work_mem = '256MB'
as $$
declare
  index_definition text;
  created integer := 0;
begin
  for index_definition in
    select listed.definition
      from catalog.first_load_indexes() as listed
     where pg_catalog.to_regclass('catalog.' || listed.name) is null
  loop
    execute index_definition;
    created := created + 1;
  end loop;
  return created;
end
$$;

grant execute on function catalog.drop_first_load_indexes() to vis_feeds;
grant execute on function catalog.create_first_load_indexes() to vis_feeds;
