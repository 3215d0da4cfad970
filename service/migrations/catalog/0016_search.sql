-- Full-text search (decision D5): what a word is, which words a text has, and what a query asks for. Index and query are
-- made by the same functions, and none of them depends on the settings of a session.

-- Which characters are letters, and how they are lowered, must not depend on how a database was created: one made with
-- locale C knows no letter but a to z. ICU comes with every common build of PostgreSQL; the others are for those without.
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

-- Without stop words: who asks for "out of bounds" means all three.
create text search dictionary catalog.english_stem (template = snowball, language = english);

-- Words, with one space between them.
create function catalog.normalise_text(text) returns text
  language sql immutable strict parallel safe
  return btrim(regexp_replace(lower($1 collate catalog.letters), '[^[:alnum:]]+', ' ', 'g'));

-- `log4j` is a word of its own whatever a text search parser would make of it, hence none is used.
-- `authentication` at 7 becomes `authentication:7` and its stem `~authent:7`: no word begins with a tilde. A word that is
-- its own stem is there once. What is cut off here would burst a tsvector, which ends at one megabyte; no real
-- description comes near.
create function catalog.search_words(text) returns tsvector
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

-- What one word of a query asks for. A word of a text that is its own stem has no `~stem`, but then it is that stem.
create function catalog.search_term(word text, is_prefix boolean) returns text
  language sql immutable strict parallel safe
  begin atomic
    select '(''' || word || '''' || case when is_prefix then ':*' else '' end
        || '|''~' || stem || ''''
        || case when stem <> word and stem = (ts_lexize('catalog.english_stem', stem))[1] then '|''' || stem || '''' else '' end
        || ')'
      from (select (ts_lexize('catalog.english_stem', word))[1] as stem offset 0) as stemmed;
  end;

-- Every other part between quotation marks is a phrase, if it is closed. Null if there is no word to ask for.
-- `cve` asks for the whole word only, because it is in every text (each begins with the id), and to collect all that
-- begins so would be most of the work of looking for an id.
create function catalog.search_query(text) returns tsquery
  language sql immutable strict parallel safe
  begin atomic
    select string_agg(asked, ' & ')::tsquery
      from (select string_agg(
                     catalog.search_term(word, length(word) >= 3 and (is_phrase or word <> 'cve')),
                     case when is_phrase then ' <-> ' else ' & ' end
                     order by place) as asked
              from (select part, place % 2 = 0 and place < count(*) over () as is_phrase, place as part_place
                      from unnest(string_to_array($1, '"')) with ordinality as each (part, place)) as parts,
                   unnest(string_to_array(catalog.normalise_text(part), ' ')) with ordinality as words (word, place)
             group by part_place, is_phrase) as asked_parts;
  end;

grant execute on function
  catalog.normalise_text(text), catalog.search_words(text), catalog.search_term(text, boolean), catalog.search_query(text)
  to vis_feeds, vis_api;
