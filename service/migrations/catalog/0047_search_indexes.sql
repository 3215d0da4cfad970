-- Indexes for searches that are sorted by relevance (decision E14, ADR 0035), and for filters that read too much.

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

-- Filters by the CVSS version and by SSVC values read the whole table or a row for each CVE with a score in the range of
-- other filters. With the sorted columns in the index, they read no row.
-- squawk-ignore require-concurrent-index-creation
create index cve_score_version on catalog.cve (score_version, published) include (score, modified, cve_key);
-- squawk-ignore require-concurrent-index-deletion
drop index catalog.cve_ssvc;
-- squawk-ignore require-concurrent-index-creation
create index cve_ssvc on catalog.cve (ssvc, score) include (published, modified, cve_key);

-- High percentiles only: for a lower one, a join with all scores above it would cost more than single lookups.
-- squawk-ignore require-concurrent-index-creation
create index epss_percentile on catalog.epss (percentile) include (score, cve_key) where percentile >= 0.9;

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
