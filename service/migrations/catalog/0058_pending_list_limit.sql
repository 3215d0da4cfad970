-- Lets the publisher choose the length of the pending lists of the search indexes for each transaction
-- (gin_pending_list_limit, search-indexes.ts): the limit of an index would take precedence over the setting. An index of
-- words may be missing, and the next publisher creates it.
alter index if exists catalog.cve_words reset (gin_pending_list_limit);
alter index if exists catalog.cve_word_pairs reset (gin_pending_list_limit);
alter index if exists catalog.cve_known_words reset (gin_pending_list_limit);
alter index if exists catalog.cve_name_words reset (gin_pending_list_limit);
alter index catalog.cve_sources reset (gin_pending_list_limit);
alter index catalog.cve_cwes reset (gin_pending_list_limit);
alter index catalog.cve_techniques reset (gin_pending_list_limit);

-- The indexes of words that a publisher creates if they are missing. A migration that changes one of them must replace this
-- function too; missing-indexes.test.ts compares the definitions with the indexes that the migrations create.
create or replace function catalog.word_indexes() returns table (name text, definition text)
  language sql immutable set search_path = ''
as $$
  values
    ('cve_words', 'create index cve_words on catalog.cve using gin (words) with (fastupdate = on)'),
    ('cve_word_pairs',
     'create index cve_word_pairs on catalog.cve using gin (catalog.word_pairs(words)) with (fastupdate = on)'),
    ('cve_known_words',
     'create index cve_known_words on catalog.cve using gin (ts_filter(words, ''{a}'')) with (fastupdate = on)'),
    ('cve_name_words',
     'create index cve_name_words on catalog.cve using gin (ts_filter(words, ''{a,b}'')) with (fastupdate = on)')
$$;
