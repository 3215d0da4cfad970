-- Indexes for searches that are sorted by relevance (decision E14, ADR 0035).

-- The words of the first two classes: well-known names and names of KEV entries (weight A), and these with the names of
-- vendors and products (weights A and B). Both are small, because they do not contain the words of descriptions.
--
-- The table is read once while each index is created: readers continue, a publisher waits.
-- squawk-ignore require-concurrent-index-creation
create index cve_known_words on catalog.cve using gin (ts_filter(words, '{a}'))
  with (fastupdate = on, gin_pending_list_limit = 16384);
-- squawk-ignore require-concurrent-index-creation
create index cve_name_words on catalog.cve using gin (ts_filter(words, '{a,b}'))
  with (fastupdate = on, gin_pending_list_limit = 16384);

-- The order of a class with many hits. It has no further columns, because each row is read for its words.
-- squawk-ignore require-concurrent-index-creation
create index cve_relevance on catalog.cve
  (coalesce(priority, (-1)::smallint), coalesce(published, '-infinity'::timestamptz), cve_key);

-- The indexes of words that a publisher creates if they are missing. A migration that changes one of them must replace this
-- function too; missing-indexes.test.ts compares the definitions with the indexes that the migrations create.
create or replace function catalog.word_indexes() returns table (name text, definition text)
  language sql immutable set search_path = ''
as $$
  values
    ('cve_words',
     'create index cve_words on catalog.cve using gin (words)
        with (fastupdate = on, gin_pending_list_limit = 16384)'),
    ('cve_word_pairs',
     'create index cve_word_pairs on catalog.cve using gin (catalog.word_pairs(words))
        with (fastupdate = on, gin_pending_list_limit = 16384)'),
    ('cve_known_words',
     'create index cve_known_words on catalog.cve using gin (ts_filter(words, ''{a}''))
        with (fastupdate = on, gin_pending_list_limit = 16384)'),
    ('cve_name_words',
     'create index cve_name_words on catalog.cve using gin (ts_filter(words, ''{a,b}''))
        with (fastupdate = on, gin_pending_list_limit = 16384)')
$$;
