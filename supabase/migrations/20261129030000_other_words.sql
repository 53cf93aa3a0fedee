-- Beside a search that finds enough, 'Close matches' shows the books that have the owner's other words for the same thing.

drop function public.near_books(public.book_search);
drop function private.nearest_books(jsonb, text, text, int);

/*
 * The ids of the nearest books among those that fit the conditions, best first. All terms have to be there; if no book has them all, and
 * _all is false, as many as any book has. What the search itself finds is left out last: comparing its text with whole descriptions is expensive.
 */
create function private.nearest_books(_terms jsonb, _conditions text, _found text, _most int, _all boolean)
returns uuid[] language plpgsql stable set search_path = '' as $$
declare
  terms constant int := jsonb_array_length(_terms);
  absent constant int := (select count(*) from jsonb_array_elements(_terms) as term where (term -> 'absent')::boolean);
  needed text[];
  queries tsquery[];
  estimates bigint[];
  candidates uuid[];
  ids uuid[];
begin
  if terms = 0 or absent * 2 > terms then return '{}'; end if;
  select array_agg(private.words_condition(words) order by position), array_agg(private.words_query(words) order by position)
    into needed, queries
    from (select position, array(select jsonb_array_elements_text(term -> 'words' || (term -> 'corrections'))) as words
            from jsonb_array_elements(_terms) with ordinality as item (term, position)) as each;
  estimates := private.estimate_books(needed);
  if absent = 0 then candidates := private.books_with_all(needed, queries, estimates, _conditions); end if;
  if candidates is null and terms > 1 and not _all then
    candidates := private.books_with_most(needed, queries, estimates, _conditions);
  end if;
  if candidates is null then return '{}'; end if;
  execute format(
    'select array_agg(id) from ('
    '  select b.id from public.books b, lateral (select split_part(b.word_text, ''| '', 1) as title) as t'
    '   where b.id = any ($1) and not (%s)'
    '   order by %s desc, b.stock_quantity = 0, b.title_key, b.id'
    '   limit %s) as best', _found, private.terms_score(_terms), _most) into ids using candidates;
  return coalesce(ids, '{}');
end $$;
grant execute on function private.nearest_books to anon, authenticated, service_role;

/* Whether the owner's list has other words for one of these terms, each as plain_terms has it. */
create function private.has_other_words(_terms jsonb)
returns boolean language sql stable set search_path = '' as $$
  select exists (
    select from jsonb_array_elements(_terms) as term, jsonb_array_elements_text(nullif(term -> 'words', 'null')) as word
     where word <> all (private.word_forms(term ->> 'typed')))
$$;
grant execute on function private.has_other_words to anon, authenticated, service_role;

/* The owner's other word that this book has for a text of one term; null for other texts, whose terms are searched apart. */
create function private.other_word(_terms jsonb, _book_id uuid)
returns text language sql stable set search_path = '' as $$
  select word
    from public.books b, jsonb_array_elements_text(_terms -> 0 -> 'words') as word
   where b.id = _book_id and jsonb_array_length(_terms) = 1
     and word <> all (private.word_forms(_terms -> 0 ->> 'typed')) and b.word_text like private.words_pattern(word)
   order by b.word_text not like '% ' || word || ' %', length(word) desc limit 1
$$;
grant execute on function private.other_word to anon, authenticated, service_role;

/*
 * Beside a search that found this many books: {"books", "meant", "also"}, the nearest books that the search itself does not find, best
 * first, as cards show them (price in cedis), and what was probably meant, null if the text seems to be spelt correctly. Beside a search
 * that finds enough, only up to 8 books that have the owner's other words for the same thing, and such a word: 'maths' finds no title of
 * 'Mathematics'. page_size is at most 24; the search's filters apply, its order and position do not.
 */
create function public.near_books(_search public.book_search, _found bigint default 0)
returns json language plpgsql stable set search_path = ''
-- Otherwise its parts are planned for each text: 4.1 ms in place of 2.0 ms for a word that no book has, with 10,000 or 100,000 books.
set plan_cache_mode = force_generic_plan as $$
declare
  q constant text := _search.q;
  isbn constant text := private.typed_isbn(q);
  is_enough constant boolean := coalesce(_found, 0) >= 8;
  most constant int := least(greatest(coalesce(_search.page_size, 24), 1), case when is_enough then 8 else 24 end);
  filters public.book_search := _search;
  conditions text;
  literal constant text := private.text_condition(q);
  terms jsonb;
  meant text;
  ids uuid[];
begin
  filters.q := null;
  conditions := private.book_conditions(filters);
  if isbn is not null then
    execute format('select array_agg(b.id) from public.books b where b.isbn_key = $1 and %s and not (%s)', conditions, literal)
      into ids using isbn;
  end if;
  if ids is null then
    terms := private.plain_terms(q);
    if not is_enough then
      terms := private.corrected_terms(terms);
    elsif private.has_other_words(terms) then
      -- Otherwise the few books that are compared would be those that the search has found.
      conditions := concat_ws(' and ', conditions, format('position(%L in b.word_text) = 0', private.search_form(private.clean_line(q))));
    else
      terms := '[]';
    end if;
    ids := private.nearest_books(
      coalesce((select jsonb_agg(term order by position) from jsonb_array_elements(terms) with ordinality as item (term, position)
                 where term -> 'words' <> 'null'), '[]'),
      conditions, literal, most, is_enough);
    meant := private.meant_text(terms, ids[1]);
  end if;
  return json_build_object('meant', meant, 'also', case when is_enough then private.other_word(terms, ids[1]) end, 'books', coalesce((
    select json_agg(private.book_card(b) order by near.position)
      from unnest(ids[:most]) with ordinality as near (id, position) join public.books b on b.id = near.id), '[]'));
end $$;
grant execute on function public.near_books to anon, authenticated, service_role;
