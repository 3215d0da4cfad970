-- A search for words also finds vendors, products, the names of KEV entries and well-known names such as Log4Shell. Joined
-- words must be adjacent, words can be excluded, and words can be alternatives (decision E13).
--
-- catalog.cve.words gets weights: A for well-known names and the name of the KEV entry, B for vendors and products, C for
-- the id, D for the description. One position is left free between two names, so that a phrase never begins in one name
-- and ends in the next.

-- Returns words, separated by blanks, as the text of a tsvector: each word and its stem, if different, at the position of
-- the word. A word `|` takes a position, but is left out.
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

-- Returns the words of names. The first position is free, so that the words can be appended to others.
create function catalog.name_words(names text[], weight text) returns tsvector
  language plpgsql immutable strict parallel safe
as $$
begin
  if cardinality(names) = 0 then
    return '';
  end if;
  -- One expression normalises all names. It is that of catalog.normalise_text, except that line feeds remain, which
  -- separate the names.
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

-- Returns all words of a CVE. The publisher concatenates the same parts, but takes the words of an unchanged description
-- from the published words.
create function catalog.cve_words(cve_id text, description text, known_names text[], product_names text[])
  returns tsvector
  language sql immutable strict parallel safe
  return catalog.text_words($1, $2) || catalog.name_words($3, 'A') || catalog.name_words($4, 'B');

-- The API parses a search into pieces. Each piece is a text of one operator, one kind and the words. Operators: `+` must
-- match, `|` is an alternative to the piece before it, `-` must not match. Kinds: `w` is a word, or words that are joined by
-- other characters; `p` is a phrase in quotation marks. Examples: `+wmod_ssl`, `|pasp net`, `-wphp`.
--
-- This function returns the words of all pieces. A word that matches as a prefix also matches its other grammatical forms.
-- Of joined words, only the last matches as a prefix: `admin.php` finds `admin.php5`, not `administrator.php`. The word
-- `cve` is in every text, so it matches as a whole word.
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

-- Returns what one word of a search matches.
create function catalog.word_term(word text, is_inner boolean, is_prefix boolean) returns text
  language sql immutable strict parallel safe
  return case when is_inner then '''' || word || '''' else catalog.search_term(word, is_prefix) end;

-- Returns what the words of a CVE must contain; null if no piece that must match has a word.
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

-- Returns the words that a search looks up in an index of words; null if it needs none, because it looks up pairs
-- (pieces_pairs). Every hit contains these words, but not every text with these words is a hit.
--
-- Words outside of alternatives: all words that match whole words only, which is cheap, and three of the words that match
-- as a prefix, the longest first, and words with one of the listed stems last, because more than a tenth of all texts
-- contain them. A word of a phrase is not needed if it is common or short, because the pairs of the phrase are looked up.
-- Alternatives: the two longest words of each. A missing or unnecessary stem in the list costs time only.
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

-- Returns the pairs of adjacent words that a search looks up in the index of catalog.word_pairs; null if it needs none. Every
-- hit contains these pairs. A word matches words that begin with it and words with the same stem, so the letters of both
-- are allowed. Alternatives are looked up by pairs only if each of them has a pair.
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

grant execute on function
  catalog.format_lexemes(text, integer, text), catalog.text_words(text, text), catalog.name_words(text[], text),
  catalog.cve_words(text, text, text[], text[]), catalog.piece_words(text[]), catalog.word_term(text, boolean, boolean),
  catalog.pieces_query(text[]), catalog.pieces_lookup(text[], boolean), catalog.pieces_pairs(text[])
  to vis_feeds, vis_api;

-- The functions catalog.search_words, search_parts, search_query, search_lookup, search_pairs and search_candidates stay for
-- API nodes and publishers of the previous release. To be dropped in the next release.

-- The well-known names that the publisher has used, so that it can tell which CVEs a changed list of names concerns.
create table catalog.known_name (
  cve_key bigint not null,
  name    text   not null,
  primary key (cve_key, name)
);

comment on table catalog.known_name is
  'Well-known names of CVEs as published. Only publishers write this table, from the list in the code of the service.';

grant select, insert, update, delete on catalog.known_name to vis_feeds;

-- The words of published CVEs have no weights and no names yet. Publication adds them.
insert into source.publication_queue (cve_id, feed)
select catalog.cve_id(cve_key), 'catalog'
  from catalog.cve
 order by cve_key;
