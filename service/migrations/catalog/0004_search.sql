-- Full-text search (decisions D5 and E13), and the indexes of filters, sorts and facets. The same functions build index
-- and query, and none of them depends on session settings.
--
-- The tables are empty while their indexes are created.
-- squawk-ignore-file require-concurrent-index-creation

-- Which characters are letters must not depend on how a database was created: one with locale C recognizes only a to z.
-- Every common build of PostgreSQL includes ICU; the other collations are for builds without it.
do $$
declare
  model name := (
    select collname
      from pg_collation
      join unnest(array['und-x-icu', 'pg_unicode_fast', 'pg_c_utf8', 'C.utf8']) with ordinality as wished (name, rank)
        on wished.name = collname
     where collnamespace = 'pg_catalog'::regnamespace
       and collencoding in (-1, pg_char_to_encoding(getdatabaseencoding()))
     order by rank
     limit 1
  );
begin
  if model is null then
    raise exception 'this PostgreSQL knows no collation that tells letters: none of und-x-icu, pg_c_utf8, C.utf8';
  end if;
  execute format('create collation catalog.letters from pg_catalog.%I', model);
end
$$;

-- No stop words: a search for "out of bounds" means all three words.
create text search dictionary catalog.english_stem (template = snowball, language = english);

-- Returns the words of a text, with one space between them.
create function catalog.normalise_text(text) returns text
  language sql immutable strict parallel safe
  return btrim(regexp_replace(lower($1 collate catalog.letters), '[^[:alnum:]]+', ' ', 'g'));

-- Returns what one word of a search matches. A word in a text that is its own stem has no `~stem`, but then the word
-- itself is that stem.
create function catalog.search_term(word text, is_prefix boolean) returns text
  language sql immutable strict parallel safe
  begin atomic
    select '(''' || word || '''' || case when is_prefix then ':*' else '' end
        || '|''~' || stem || ''''
        || case when stem <> word and stem = (ts_lexize('catalog.english_stem', stem))[1] then '|''' || stem || '''' else '' end
        || ')'
      from (select (ts_lexize('catalog.english_stem', word))[1] as stem offset 0) as stemmed;
  end;

-- Returns words, separated by spaces, as the text of a tsvector: each word and its stem, if different, at the position
-- of the word. `authentication` at 7 becomes `authentication:7` and `~authent:7`: no word begins with a tilde. The word
-- `|` takes up a position but is left out. No text search parser is used, because it would split `log4j`. Words are cut
-- at 256 characters because a tsvector is limited to one megabyte.
create function catalog.format_lexemes(words text, first_position integer, weight text) returns text
  language plpgsql immutable strict parallel safe
as $$
begin
  return (
    select string_agg(case when stem = word then word || place else word || place || ' ~' || stem || place end, ' ')
      from (select left(word, 256) as word,
                   (ts_lexize('catalog.english_stem', left(word, 256)))[1] as stem,
                   ':' || first_position - 1 + position || weight as place
              from unnest(string_to_array(words, ' ')) with ordinality as each (word, position)
             where word <> '|'
            offset 0) as stemmed
  );
end
$$;

-- Returns the words of the id (weight C) and of the description (weight D). The words of an id are numbers and `cve`, which
-- are their own stems.
create function catalog.text_words(cve_id text, description text) returns tsvector
  language plpgsql immutable strict parallel safe
as $$
begin
  return concat(
    'cve:1C ', split_part(cve_id, '-', 2), ':2C ', split_part(cve_id, '-', 3), ':3C ',
    catalog.format_lexemes(catalog.normalise_text(left(description, 60000)), 5, '')
  )::tsvector;
end
$$;

-- Returns the words of names. The first position is left free, so that the words can be appended to others.
create function catalog.name_words(names text[], weight text) returns tsvector
  language plpgsql immutable strict parallel safe
as $$
begin
  if cardinality(names) = 0 then
    return '';
  end if;
  -- A single expression normalises all names. It is the one in catalog.normalise_text, except that it keeps line feeds,
  -- which separate the names.
  return coalesce(
    catalog.format_lexemes(
      replace(
        regexp_replace(
          lower(left(array_to_string(names, E'\n'), 16000) collate catalog.letters), '[^[:alnum:]\n]+', ' ', 'g'
        ),
        E'\n', ' | '
      ),
      2, weight
    ),
    ''
  )::tsvector;
end
$$;

-- Returns all words of a CVE. The publisher concatenates the same parts, but reuses the published words of an unchanged
-- description.
create function catalog.cve_words(cve_id text, description text, known_names text[], product_names text[])
  returns tsvector
  language sql immutable strict parallel safe
  return catalog.text_words($1, $2) || catalog.name_words($3, 'A') || catalog.name_words($4, 'B');

-- Returns the first three letters of each pair of adjacent words, such as 'rem cod' and 'cod exe'. For the phrase "a a
-- a", the index on the pairs finds 54 texts, whereas an index on words finds nearly all. A stem of more than three
-- letters begins with the same three letters as its word; a shorter stem (`id` for `ids`, `die` for `dying`) may not,
-- so its letters are added too. The cost keeps the planner from computing the pairs of many rows if it can use the
-- index. The positions are expanded in the select list: a function in the from clause would write a result set for each
-- lexeme, about 80 per text.
create function catalog.word_pairs(words tsvector) returns tsvector
  language plpgsql immutable strict parallel safe cost 10000
as $$
begin
  return (
    with placed as materialized (
      select case when lexeme like '~%' then substr(lexeme, 2) else left(lexeme, 3) end as start,
             unnest(positions) as place
        from unnest($1)
       where lexeme not like '~____%'
    )
    select array_to_tsvector(coalesce(array_agg(first.start || ' ' || second.start), '{}'))
      from placed as first
      join placed as second on second.place = first.place + 1
  );
end
$$;

-- The API parses a search into pieces. Each piece is a string of one operator, one type and the words. Operators: `+`
-- must match, `|` is an alternative to the piece before it, `-` must not match. Types: `w` is a word, or words joined
-- by other characters; `p` is a phrase in quotation marks. Examples: `+wmod_ssl`, `|pasp net`, `-wphp`.
--
-- This function returns the words of all pieces. A word that matches as a prefix also matches its other grammatical
-- forms. Only the last of several joined words matches as a prefix: `admin.php` finds `admin.php5`, not
-- `administrator.php`. The word `cve` is in every text, so it matches only as a whole word.
create function catalog.piece_words(pieces text[])
  returns table (
    part bigint, piece bigint, is_excluded boolean, word text, place bigint, next_word text, is_inner boolean, is_prefix boolean
  )
  language sql immutable parallel safe
  begin atomic
    select part, piece, operator = '-', word, place, next_word, is_inner,
           not is_inner and length(word) >= 3 and (kind = 'p' or word <> 'cve')
      from (select part, piece, operator, kind, word, place, next_word, kind = 'w' and next_word is not null as is_inner
              from (select part, piece, operator, kind, words.word, words.place,
                           lead(words.word) over (partition by piece order by words.place) as next_word
                      from (select sent.piece, left(sent.text, 1) as operator, substr(sent.text, 2, 1) as kind,
                                   substr(sent.text, 3) as text,
                                   count(*) filter (where left(sent.text, 1) <> '|') over (order by sent.piece) as part
                              from unnest(pieces) with ordinality as sent (text, piece)) as parsed,
                           unnest(string_to_array(catalog.normalise_text(text), ' ')) with ordinality as words (word, place)
                   ) as placed) as judged;
  end;

-- Returns what one word of a piece matches.
create function catalog.word_term(word text, is_inner boolean, is_prefix boolean) returns text
  language sql immutable strict parallel safe
  return case when is_inner then '''' || word || '''' else catalog.search_term(word, is_prefix) end;

-- Returns the query that the words of a CVE must match; null if no piece that must match has a word.
create function catalog.pieces_query(pieces text[]) returns tsquery
  language plpgsql immutable strict parallel safe
as $$
begin
  return (
    select case when bool_or(not is_excluded) then string_agg(distinct condition, ' & ') end::tsquery
      from (select is_excluded,
                   case when is_excluded then '!(' else '(' end || string_agg(distinct matched, ' | ') || ')' as condition
              from (select part, is_excluded,
                           '(' || string_agg(catalog.word_term(word, is_inner, is_prefix), ' <-> ' order by place) || ')' as matched
                      from catalog.piece_words($1)
                     group by part, piece, is_excluded) as matches
             group by part, is_excluded) as parts
  );
end
$$;

-- Returns the words that a search looks up in an index on words; null if it needs none because it looks up pairs
-- (pieces_pairs). Every hit contains these words, but not every text with these words is a hit.
--
-- Words outside of alternatives: all words that match only whole words, which is cheap, and three of the words that
-- match as a prefix, longest first. A query of fifty common words would read fifty lists, and three find nearly as few
-- texts. Words with one of the listed stems come last, because more than a tenth of all texts contain them; a missing
-- or unnecessary stem in the list only costs time. A word of a phrase is not needed if it is common or short, because
-- the pairs of the phrase are looked up. Alternatives: the two longest words of each.
create function catalog.pieces_lookup(pieces text[], uses_pairs boolean) returns tsquery
  language plpgsql immutable strict parallel safe
as $$
begin
  return (
    with words as materialized (
      select part, piece, word, is_inner, is_prefix, min(piece) over in_part <> max(piece) over in_part as is_alternative,
             count(*) over (partition by piece) > 1 as has_pair,
             (ts_lexize('catalog.english_stem', word))[1] = any (
               '{a,access,affect,allow,an,and,arbitrari,as,attack,authent,be,befor,by,can,caus,code,craft,cross,cve,denial,
                 execut,file,for,from,has,in,inform,inject,is,issu,it,not,of,on,or,paramet,php,privileg,remot,script,servic,
                 site,that,the,this,through,to,use,user,version,via,vulner,was,web,which,with,xss}'
             ) as is_common
        from catalog.piece_words(pieces)
       where not is_excluded
      window in_part as (partition by part)
    ), required as (
      select catalog.word_term(word, is_inner, is_prefix) as term
        from (select word, is_inner, is_prefix,
                     row_number() over (partition by is_prefix order by is_common, length(word) desc, word) as rank
                from (select distinct word, is_inner, is_prefix, is_common
                        from words
                       where not is_alternative
                         and not (uses_pairs and has_pair and (is_common or length(word) <= 3))) as needed) as ranked
       where rank <= 3 or not is_prefix
    ), alternatives as (
      select '(' || string_agg(distinct terms, ' | ') || ')' as term
        from (select part, string_agg(distinct catalog.word_term(word, is_inner, is_prefix), ' & ') as terms
                from (select part, piece, word, is_inner, is_prefix,
                             row_number() over (partition by piece order by is_common, length(word) desc, word) as rank
                        from words
                       where is_alternative) as ranked
               where rank <= 2
               group by part, piece) as pieces_of_parts
       group by part
    )
    select string_agg(term, ' & ')::tsquery
      from (select term from required union all select term from alternatives) as terms
  );
end
$$;

-- Returns the pairs of adjacent words that a search looks up in the index on catalog.word_pairs; null if it needs none.
-- Every hit contains these pairs. A word matches words that begin with it and words with the same stem, so the letters
-- of both are allowed. Alternatives are looked up by pairs only if each of them has a pair.
create function catalog.pieces_pairs(pieces text[]) returns tsquery
  language plpgsql immutable strict parallel safe
as $$
begin
  return (
    with words as materialized (
      select part, piece, place, word, next_word
        from catalog.piece_words(pieces)
       where not is_excluded
    ), pairs as (
      select part, piece,
             '(' || string_agg(distinct '''' || left(first, 3) || ' ' || left(second, 3) || '''', '|') || ')' as pair
        from words,
             unnest(array[word, (ts_lexize('catalog.english_stem', word))[1]]) as first,
             unnest(array[next_word, (ts_lexize('catalog.english_stem', next_word))[1]]) as second
       where next_word is not null
       group by part, piece, place
    )
    select string_agg(distinct condition, ' & ')::tsquery
      from (select '(' || string_agg(distinct matched, ' | ') || ')' as condition
              from (select part, piece, '(' || string_agg(distinct pair, ' & ') || ')' as matched
                      from pairs
                     group by part, piece) as matches
             group by part
            having count(*) = (select count(distinct piece) from words where words.part = matches.part)) as parts
  );
end
$$;

-- Returns the position of a CVE in an order that is independent of its values: an integer below 2^32. The number in the
-- id is multiplied by 2^32 divided by the golden ratio, modulo 2^32. Consecutive ids get positions that are far apart,
-- and the CVEs up to any position are spread evenly over all ids.
create function catalog.sample_place(cve_key bigint) returns bigint
  language sql immutable strict parallel safe
  return ($1 % 1000000000 * 2654435769) & 4294967295;

grant execute on function
  catalog.normalise_text(text), catalog.search_term(text, boolean), catalog.format_lexemes(text, integer, text),
  catalog.text_words(text, text), catalog.name_words(text[], text), catalog.cve_words(text, text, text[], text[]),
  catalog.word_pairs(tsvector), catalog.piece_words(text[]), catalog.word_term(text, boolean, boolean),
  catalog.pieces_query(text[]), catalog.pieces_lookup(text[], boolean), catalog.pieces_pairs(text[]),
  catalog.sample_place(bigint)
  to vis_feeds, vis_api;

-- The indexes were chosen by measurement; docs/data-model.md has the figures.

-- One index per sort order serves both directions. Each includes the columns that filters read, so a scan in sort
-- order, a count and a lookup by key do not need the table row, which is wide because of its words.
create index cve_published on catalog.cve (published, cve_key)
  include (modified, score, status, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector);
create index cve_modified on catalog.cve (modified, cve_key)
  include (published, score, status, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector);
create index cve_status on catalog.cve (status, cve_key)
  include (published, modified, score, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector);
create index cve_priority on catalog.cve (priority, cve_key)
  include (published, modified, score, status, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count,
           attack_vector);
-- Also includes the columns that facets count.
create index cve_score on catalog.cve (score, cve_key)
  include (published, modified, status, has_exploit, in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector,
           priority, maturity);
-- The sort order within a relevance class that has many hits (ADR 0023). The index includes no further columns, because
-- each row is read for its words anyway.
create index cve_relevance on catalog.cve
  (coalesce(priority, (-1)::smallint), coalesce(published, '-infinity'::timestamptz), cve_key);

-- Values that few CVEs have. Common values need no index: a scan in sort order soon finds them.
create index cve_has_notice on catalog.cve (cve_key) where has_notice;
create index cve_without_reference on catalog.cve (cve_key) where not has_reference;
create index cve_attack_vector on catalog.cve (attack_vector) where attack_vector <> 'network';
create index cve_cpe_count on catalog.cve (cpe_count);
-- Hits of `kev=true`, the most common filter, are counted and sorted without reading table rows.
create index cve_kev on catalog.cve (cve_key) include (published, modified, score) where in_kev;
create index cve_eu_kev on catalog.cve (cve_key) include (published, modified, score) where in_eu_kev;
create index cve_assigner on catalog.cve (lower(assigner));
create index cve_maturity on catalog.cve (maturity) where maturity > 0;
create index cve_evidence_count on catalog.cve (evidence_count) where evidence_count > 0;
create index cve_ransomware on catalog.cve (cve_key) where is_ransomware;
create index cve_disagreements on catalog.cve (disagreements) where disagreements > 0;
-- Without these, filters by CVSS version, by SSVC values, and by a missing fix together with an EPSS score would read
-- the whole table.
create index cve_score_version on catalog.cve (score_version, published) include (score, modified, cve_key);
create index cve_ssvc on catalog.cve (ssvc, score) include (published, modified, cve_key);
create index cve_without_fix on catalog.cve (cve_key) where not has_fix;

-- The first sixteenth of the order defined by sample_place, from which a search estimates its number of hits (ADR
-- 0023). It includes the columns that most filters read, so the estimate for a search without words needs no table row.
create index cve_sample on catalog.cve (catalog.sample_place(cve_key))
  include (cve_key, published, modified, score, status, has_exploit, in_kev, in_eu_kev, has_notice, has_reference, has_patch,
           cpe_count, attack_vector, priority, ssvc, assigner, maturity, evidence_count, has_fix, is_ransomware,
           score_version, disagreements)
  where catalog.sample_place(cve_key) < 268435456;

-- GIN indexes collect new entries in a pending list, which the publisher empties before it commits. Without the list,
-- each row would search the index once for each of its words, about 150 times; with it, the index is searched once for
-- each distinct word in a batch. The indexes have no gin_pending_list_limit, because it would override the publisher's
-- setting (search-indexes.ts).
create index cve_sources on catalog.cve using gin (sources) with (fastupdate = on);
create index cve_cwes on catalog.cve using gin (cwes) with (fastupdate = on);
create index cve_techniques on catalog.cve using gin (techniques) with (fastupdate = on);
create index cve_words on catalog.cve using gin (words) with (fastupdate = on);
create index cve_word_pairs on catalog.cve using gin (catalog.word_pairs(words)) with (fastupdate = on);
-- The first two classes of relevance. These indexes are small, because they do not contain the words of descriptions.
create index cve_known_words on catalog.cve using gin (ts_filter(words, '{a}')) with (fastupdate = on);
create index cve_name_words on catalog.cve using gin (ts_filter(words, '{a,b}')) with (fastupdate = on);

-- Empties the pending lists of all GIN indexes on catalog.cve, including those left by killed publishers. Only the
-- owner of an index may empty its list, so the function runs with the owner's rights.
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

create index epss_score on catalog.epss (score, cve_key);
-- High percentiles only: for lower ones, joining all scores above them would cost more than single lookups.
create index epss_percentile on catalog.epss (percentile) include (score, cve_key) where percentile >= 0.9;

-- How common a word is, for as many words as possible: this decides between a scan in sort order and the index on
-- words.
alter table catalog.cve alter column words set statistics 300;

-- Flags depend on each other: rejected records hardly ever have a reference or a score, exploited ones have both. The
-- statistics type `dependencies` is left out: it took 8 s of every `analyze` of 14,000 CVEs and made no search faster.
create statistics catalog.cve_flags (mcv)
  on status, has_exploit, in_kev, has_notice, has_reference, has_patch, attack_vector
  from catalog.cve;

-- The well-known names that the publisher has used, so that it can find the CVEs affected by a change in the list of
-- names.
create table catalog.known_name (
  cve_key bigint not null,
  name    text   not null,
  primary key (cve_key, name)
);

-- The index of names: a vulnerable product of at least one published CVE, as its CPE name, the CNA, a package database or
-- a KEV catalog names it.
create table catalog.product (
  product_key integer generated always as identity primary key,
  vendor      text    collate "C" not null,
  product     text    collate "C" not null,
  -- Number of the product's rows in catalog.cve_product.
  cve_count   integer not null default 0,
  unique (vendor, product)
)
with (fillfactor = 80);

create index product_product on catalog.product (product, vendor);

-- A name of a vulnerable product of a CVE. Platforms that it must run on are left out.
create table catalog.cve_product (
  product_key integer not null,
  cve_key     bigint  not null,
  primary key (product_key, cve_key)
);

-- Lets facets count products without reading the table.
create index cve_product_cve_key on catalog.cve_product (cve_key) include (product_key);

-- The vulnerable products of each CVE by name.
create view catalog.cve_product_name as
  select named.cve_key, product.vendor, product.product
    from catalog.cve_product named
    join catalog.product using (product_key);

-- Names that suggestions offer. Products are in catalog.product.
create table catalog.name_count (
  kind      text    not null check (kind in ('vendor', 'cwe', 'assigner', 'technique')),
  name      text    collate "C" not null,
  -- Title of a weakness or a technique; null for other types of names.
  title     text,
  cve_count integer not null,
  primary key (kind, name)
);

-- The names with the most CVEs among those that start with the same two letters.
create index name_count_start on catalog.name_count (kind, left(name, 2), cve_count desc);
create index product_start on catalog.product (left(product, 2), cve_count desc);
-- The same for the second word, so that exchange finds microsoft_exchange_server. Every seventh product is a firmware, so
-- that word is left out: it would make a lookup of names with "fi" seven times as long as any other.
create index product_second_word on catalog.product (left(split_part(product, '_', 2), 2), cve_count desc)
  where split_part(product, '_', 2) not in ('', 'firmware');

-- Measures the similarity of names for suggestions. No trigram index is needed: only names with the same first letters
-- are compared. pg_trgm is a trusted extension, so any role that may create objects in the database may create it. In
-- the schema catalog, it is dumped and restored with the tables that use it.
create extension pg_trgm schema catalog;
