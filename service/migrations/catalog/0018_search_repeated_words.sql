-- A word that is asked for many times is asked for once: `a a a …` made the index read the longest of its lists a
-- hundred times. In a phrase every place counts.
create or replace function catalog.search_query(text) returns tsquery
  language sql immutable strict parallel safe
  begin atomic
    select string_agg(asked, ' & ')::tsquery
      from (select string_agg(
                     catalog.search_term(word, length(word) >= 3 and (is_phrase or word <> 'cve')),
                     case when is_phrase then ' <-> ' else ' & ' end
                     order by place) as asked
              from (select phrase, is_phrase, word, min(words.place) as place
                      from (select part, is_phrase, case when is_phrase then place else 0 end as phrase
                              from (select part, place, place % 2 = 0 and place < count(*) over () as is_phrase
                                      from unnest(string_to_array($1, '"')) with ordinality as each (part, place)) as parts) as told,
                           unnest(string_to_array(catalog.normalise_text(part), ' ')) with ordinality as words (word, place)
                     group by phrase, is_phrase, word, case when is_phrase then words.place end) as distinct_words
             group by phrase, is_phrase) as asked_parts;
  end;
