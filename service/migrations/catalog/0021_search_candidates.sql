-- Phrases of common words. The index told all texts with `remote:*`, with `code:*` and with `execution:*` (a third, a fifth
-- and a quarter of all) to find the few percent that have them all; on ten times the data that alone took longer than a
-- search may. The first letters of neighbours find nearly as few for a tenth of the time: of three words and more, those
-- that are common are no longer looked up, only compared.

-- The words of a search: those in each pair of quotation marks in their order, all others as phrase 0, once each.
create function catalog.search_parts(text)
  returns table (phrase bigint, is_phrase boolean, word text, place bigint, next_letter text)
  language sql immutable parallel safe
  begin atomic
    select phrase, is_phrase, word, min(place) as place, min(next_letter) as next_letter
      from (select phrase, is_phrase, word, place,
                   left(lead(word) over (partition by phrase order by place), 1) as next_letter
              from (select part, is_phrase, case when is_phrase then place else 0 end as phrase
                      from (select part, place, place % 2 = 0 and place < count(*) over () as is_phrase
                              from unnest(string_to_array($1, '"')) with ordinality as each (part, place)) as parts) as told,
                   unnest(string_to_array(catalog.normalise_text(part), ' ')) with ordinality as words (word, place)) as placed
     group by phrase, is_phrase, word, case when is_phrase then place end;
  end;

-- In a language that keeps plans: the planner of a search asks for the query at every place where it stands, and a
-- function in SQL would be planned each time. Once is enough for all texts.
create or replace function catalog.search_query(text) returns tsquery
  language plpgsql immutable strict parallel safe set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select string_agg(asked || coalesce(' & ' || neighbours, ''), ' & ')::tsquery
      from (select string_agg(
                     catalog.search_term(word, length(word) >= 3 and (is_phrase or word <> 'cve')),
                     case when is_phrase then ' <-> ' else ' & ' end
                     order by place) as asked,
                   string_agg(distinct '''^' || left(word, 1) || next_letter || '''', ' & ') filter (where is_phrase) as neighbours
              from catalog.search_parts($1)
             group by phrase, is_phrase) as asked_parts
  );
end
$$;

-- What the index is asked for: found by it is everything that search_query matches, and some that it does not. The words
-- listed are stems that more than a tenth of all texts have; one that is missing here, or too many, costs time only.
create function catalog.search_candidates(text) returns tsquery
  language plpgsql immutable strict parallel safe set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select string_agg(concat_ws(' & ', asked, neighbours), ' & ')::tsquery
      from (select string_agg(
                     catalog.search_term(word, length(word) >= 3 and (is_phrase or word <> 'cve')),
                     ' & '
                     order by place) filter (where pairs < 2 or not is_common) as asked,
                   string_agg(distinct '''^' || left(word, 1) || next_letter || '''', ' & ') filter (where is_phrase) as neighbours
              from (select phrase, is_phrase, word, place, next_letter,
                           count(next_letter) filter (where is_phrase) over (partition by phrase) as pairs,
                           (ts_lexize('catalog.english_stem', word))[1] = any (
                             '{a,access,affect,allow,an,and,arbitrari,as,attack,authent,be,befor,by,can,caus,code,craft,cross,cve,
                               denial,execut,file,for,from,has,in,inform,inject,is,issu,it,not,of,on,or,paramet,php,privileg,remot,
                               script,servic,site,that,the,this,through,to,use,user,version,via,vulner,was,web,which,with,xss}'
                           ) as is_common
                      from catalog.search_parts($1)) as judged
             group by phrase, is_phrase) as asked_parts
  );
end
$$;

grant execute on function catalog.search_parts(text), catalog.search_candidates(text) to vis_feeds, vis_api;
