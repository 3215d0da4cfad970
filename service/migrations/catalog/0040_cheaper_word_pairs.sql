-- Makes catalog.word_pairs cheaper. It returns the same pairs as before, so that the index on it stays valid.
--
-- The positions of a lexeme are expanded in the select list. A function in the from clause wrote a result set of its own
-- for each lexeme, about 80 per text.
create or replace function catalog.word_pairs(words tsvector) returns tsvector
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
