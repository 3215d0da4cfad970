-- The evaluator of watches reads the published catalog, which every caller of the API may read, and writes nothing here.
grant usage on schema catalog to vis_notify;
grant select on all tables in schema catalog to vis_notify;
alter default privileges in schema catalog grant select on tables to vis_notify;

grant execute on function
  catalog.cve_key(text), catalog.cve_id(bigint),
  catalog.normalise_text(text), catalog.search_term(text, boolean), catalog.format_lexemes(text, integer, text),
  catalog.text_words(text, text), catalog.name_words(text[], text), catalog.cve_words(text, text, text[], text[]),
  catalog.word_pairs(tsvector), catalog.piece_words(text[]), catalog.word_term(text, boolean, boolean),
  catalog.pieces_query(text[]), catalog.pieces_lookup(text[], boolean), catalog.pieces_pairs(text[])
  to vis_notify;
