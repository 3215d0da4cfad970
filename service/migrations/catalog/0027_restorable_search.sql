-- Names the parameter of catalog.search_parts. pg_dump writes the body of the function with the name of the parameter, and
-- writes "" for a parameter without a name, so a dump of the database could not be restored.
create or replace function catalog.search_parts(search text)
  returns table (phrase bigint, is_phrase boolean, word text, place bigint, next_word text)
  language sql immutable parallel safe
  begin atomic
    select phrase, is_phrase, word, min(place) as place, min(next_word) as next_word
      from (select phrase, is_phrase, word, place,
                   case when is_phrase then lead(word) over (partition by phrase order by place) end as next_word
              from (select part, is_phrase, case when is_phrase then place else 0 end as phrase
                      from (select part, place, place % 2 = 0 and place < count(*) over () as is_phrase
                              from unnest(string_to_array(search, '"')) with ordinality as each (part, place)) as parts) as numbered,
                   unnest(string_to_array(catalog.normalise_text(part), ' ')) with ordinality as words (word, place)) as placed
     group by phrase, is_phrase, word, case when is_phrase then place end;
  end;
