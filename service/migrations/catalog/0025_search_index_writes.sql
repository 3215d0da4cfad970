-- Makes publication cheaper: the GIN indexes of catalog.cve collect new entries in a pending list, and the publisher
-- moves the collected entries into the index before it commits.
--
-- Without a pending list, each row of catalog.cve searches the index once for each of its words, about 150 times. With
-- it, the rows of a whole batch are sorted first, and the index is searched once for each distinct word.

-- A search reads the whole pending list. The limit bounds this list, in kB, while a batch is being written, and after a
-- publisher was killed; if the list is longer, the writing session empties it by itself.
alter index catalog.cve_words set (fastupdate = on, gin_pending_list_limit = 16384);
alter index catalog.cve_word_pairs set (fastupdate = on, gin_pending_list_limit = 16384);
alter index catalog.cve_sources set (fastupdate = on, gin_pending_list_limit = 16384);

-- Empties the pending lists of all GIN indexes of catalog.cve, also those of killed publishers. Only the owner of an index
-- may empty its list, so the function runs with the rights of the owner.
create function catalog.empty_pending_lists() returns void
  language plpgsql security definer set search_path = '' set maintenance_work_mem = '64MB'
as $$
begin
  perform pg_catalog.gin_clean_pending_list(index.indexrelid)
     from pg_catalog.pg_index as index
     join pg_catalog.pg_class as class on class.oid = index.indexrelid
     join pg_catalog.pg_am as method on method.oid = class.relam
    where index.indrelid = 'catalog.cve'::pg_catalog.regclass
      and method.amname = 'gin';
end
$$;

grant execute on function catalog.empty_pending_lists() to vis_feeds;
