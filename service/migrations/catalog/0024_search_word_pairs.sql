-- Bounds what a search for many words or for a phrase reads from catalog.cve.
--
-- A phrase of very common words made a search read nearly every text: the first letters of adjacent words, the lexemes
-- `^rc` and `^ce` of "remote code execution", were in 114,000 of 264,000 texts for "a a a". An index on the first three
-- letters of adjacent words finds 54 texts, and for most phrases hardly any text that does not contain the phrase.
-- A query of fifty common words made PostgreSQL read fifty lists of the words index. Three of them find nearly as few
-- texts; the other words are compared with the texts that were found.

-- Returns the first three letters of each pair of adjacent words, such as 'rem cod' and 'cod exe'. The positions in the
-- tsvector tell which words are adjacent. A stem of more than three letters begins with the same three letters as its
-- word; a shorter stem (`id` of `ids`, `die` of `dying`) may not, so its letters are added as well. Lexemes that begin
-- with a circumflex have no position. The cost keeps the planner from computing the pairs of many rows, when it can use
-- the index.
create function catalog.word_pairs(words tsvector) returns tsvector
  language plpgsql immutable strict parallel safe cost 10000
as $$
begin
  return (
    with placed as materialized (
      select left(ltrim(lexeme, '~'), 3) as start, place
        from unnest($1) as each (lexeme, places, weights), unnest(places) as place
       where left(lexeme, 1) <> '~' or length(lexeme) <= 4
    )
    select array_to_tsvector(coalesce(array_agg(first.start || ' ' || second.start), '{}'))
      from placed as first
      join placed as second on second.place = first.place + 1
  );
end
$$;

-- The words of a search: the words in each pair of quotation marks in their order, all other words as phrase 0, each
-- word once.
drop function catalog.search_parts(text);
create function catalog.search_parts(text)
  returns table (phrase bigint, is_phrase boolean, word text, place bigint, next_word text)
  language sql immutable parallel safe
  begin atomic
    select phrase, is_phrase, word, min(place) as place, min(next_word) as next_word
      from (select phrase, is_phrase, word, place,
                   case when is_phrase then lead(word) over (partition by phrase order by place) end as next_word
              from (select part, is_phrase, case when is_phrase then place else 0 end as phrase
                      from (select part, place, place % 2 = 0 and place < count(*) over () as is_phrase
                              from unnest(string_to_array($1, '"')) with ordinality as each (part, place)) as parts) as numbered,
                   unnest(string_to_array(catalog.normalise_text(part), ' ')) with ordinality as words (word, place)) as placed
     group by phrase, is_phrase, word, case when is_phrase then place end;
  end;

-- Returns what a text must contain to be a hit; null if the search has no word.
create or replace function catalog.search_query(text) returns tsquery
  language plpgsql immutable strict parallel safe set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select string_agg(part, ' & ')::tsquery
      from (select string_agg(
                     catalog.search_term(word, length(word) >= 3 and (is_phrase or word <> 'cve')),
                     case when is_phrase then ' <-> ' else ' & ' end
                     order by place) as part
              from catalog.search_parts($1)
             group by phrase, is_phrase) as parts
  );
end
$$;

-- Returns the words that a search looks up in the words index; null if it needs none. Every hit contains these words, but
-- not every text with these words is a hit. All words that match whole words only are looked up, which is cheap, and three
-- of the words that match as a prefix: the longest first, and words with one of the listed stems last, because more than a
-- tenth of all texts contain them. A phrase whose pairs are looked up (search_pairs) needs no such words. A missing or
-- unnecessary stem in the list costs time only.
create function catalog.search_lookup(text, uses_pairs boolean) returns tsquery
  language plpgsql immutable strict parallel safe set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select string_agg(catalog.search_term(word, is_prefix), ' & ')::tsquery
      from (select word, is_prefix,
                   row_number() over (partition by is_prefix order by is_common, length(word) desc, word) as rank
              from (select word, is_prefix, is_common
                      from (select word, length(word) >= 3 and (is_phrase or word <> 'cve') as is_prefix,
                                   is_phrase and count(*) over (partition by phrase) > 1 as has_pair,
                                   (ts_lexize('catalog.english_stem', word))[1] = any (
                                     '{a,access,affect,allow,an,and,arbitrari,as,attack,authent,be,befor,by,can,caus,code,
                                       craft,cross,cve,denial,execut,file,for,from,has,in,inform,inject,is,issu,it,not,of,on,
                                       or,paramet,php,privileg,remot,script,servic,site,that,the,this,through,to,use,user,
                                       version,via,vulner,was,web,which,with,xss}'
                                   ) as is_common
                              from catalog.search_parts($1)) as judged
                     where not (uses_pairs and has_pair and (is_common or length(word) <= 3))
                     group by word, is_prefix, is_common) as distinct_words) as ranked
     where rank <= 3 or not is_prefix
  );
end
$$;

-- Returns the words to look up for API nodes of the previous release, which do not look up pairs. To be dropped in the
-- next release.
create or replace function catalog.search_candidates(text) returns tsquery
  language plpgsql immutable strict parallel safe
as $$
begin
  return catalog.search_lookup($1, false);
end
$$;

-- Returns the pairs of adjacent words in the phrases of a search, to be matched with catalog.word_pairs; null if the
-- search has no phrase of two words. Every hit contains these pairs. A word of the search matches words that begin with
-- it and words with the same stem, so the letters of both are allowed.
create function catalog.search_pairs(text) returns tsquery
  language plpgsql immutable strict parallel safe set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select string_agg(distinct pair, ' & ')::tsquery
      from (select '(' || string_agg(distinct '''' || left(first, 3) || ' ' || left(second, 3) || '''', '|') || ')' as pair
              from catalog.search_parts($1),
                   unnest(array[word, (ts_lexize('catalog.english_stem', word))[1]]) as first,
                   unnest(array[next_word, (ts_lexize('catalog.english_stem', next_word))[1]]) as second
             where next_word is not null
             group by phrase, place) as pairs
  );
end
$$;

grant execute on function
  catalog.word_pairs(tsvector), catalog.search_parts(text), catalog.search_lookup(text, boolean), catalog.search_pairs(text)
  to vis_feeds, vis_api;

-- Texts are written without the lexemes of first letters from now on. The texts that have them keep them, because no
-- query asks for them.
create or replace function catalog.search_words(text) returns tsvector
  language sql immutable strict parallel safe
  begin atomic
    select coalesce(
             string_agg(case when stem = word then word || place else word || place || ' ~' || stem || place end, ' '),
             ''
           )::tsvector
      from (select left(word, 256) as word,
                   (ts_lexize('catalog.english_stem', left(word, 256)))[1] as stem,
                   ':' || place as place
              from unnest(string_to_array(catalog.normalise_text(left($1, 60000)), ' '))
                   with ordinality as each (word, place)
            offset 0) as stemmed;
  end;

-- About a minute on 264,000 CVEs. Readers continue; a publisher waits.
-- squawk-ignore require-concurrent-index-creation
create index cve_word_pairs on catalog.cve using gin (catalog.word_pairs(words)) with (fastupdate = off);
