-- What a search shows below its result when that is small: books with the words in any order, other words for the same thing, or
-- words spelt alike. Runs with the caller's rights. Its work is bounded, however large the catalogue: 12 words typed, 3 of them
-- corrected, 20,000 books read, 300 compared. A term that more than 20,000 books have is not searched on its own.

/*
 * How well a book b, whose title is t.title, has one of these words: 1 or more, and higher in a title or as a whole word; 0 without any. A class counts less
 * where it is one end of a range, such as 'Primary 4 to SHS 3'.
 */
create function private.words_score(_words text[], _weight numeric)
returns text language sql immutable parallel safe set search_path = '' as $$
  select coalesce('greatest(' || string_agg(
      'case ' || case when word ~ '^[a-z ]+ [0-9]+$'
                      then format('when b.word_text like %L or b.word_text like %L then %s ', '% ' || word || ' to %', '% to ' || word || ' %', 0.3 * _weight)
                      else '' end
      || format('when t.title like %1$L then %3$s when t.title like %2$L then %4$s when b.word_text like %1$L then %5$s'
                ' when b.word_text like %2$L then %6$s else 0 end',
                '% ' || word || ' %', private.words_pattern(word), 1.7 * _weight, 1.5 * _weight, 1.1 * _weight, _weight), ', ') || ')', '0')
    from unnest(_words) as word
$$;
grant execute on function private.words_score to anon, authenticated, service_role;

/*
 * How well a book b, whose title is t.title, has these terms, each as corrected_terms has it: words that were typed count more than others for
 * the same thing. A title in the order of the text, and a short one, come first.
 */
create function private.terms_score(_terms jsonb)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case when count(*) = 0 then '0::numeric' else format(
           '(%s) / %s::numeric + case when t.title like %L then 0.2 else 0 end - length(t.title) / 500.0',
           string_agg(format('greatest(%s, %s, %s)',
             private.words_score(own, 1),
             private.words_score(array(select word from jsonb_array_elements_text(term -> 'words') as word where word <> all (own)), 0.6),
             private.words_score(array(select jsonb_array_elements_text(term -> 'corrections')), 0.8)), ' + '),
           count(*), '%' || string_agg(term -> 'words' ->> 0, '%' order by position) || '%') end
    from jsonb_array_elements(_terms) with ordinality as item (term, position), private.word_forms(term ->> 'typed') as own
$$;
grant execute on function private.terms_score to anon, authenticated, service_role;

/* The whole text with its corrections, those first that this book has; null if nothing was corrected. */
create function private.meant_text(_terms jsonb, _book_id uuid)
returns text language sql stable set search_path = '' as $$
  select case when count(best.word) > 0 then string_agg(coalesce(best.word, term ->> 'typed'), ' ' order by position) end
    from jsonb_array_elements(_terms) with ordinality as item (term, position)
    left join lateral (
      select word
        from jsonb_array_elements_text(term -> 'corrections') with ordinality as correction (word, rank),
             public.books b
       where b.id = _book_id
       order by b.word_text not like '% ' || word || ' %', rank limit 1
    ) as best on true
$$;
grant execute on function private.meant_text to anon, authenticated, service_role;

/* The ISBN in a text, such as 'isbn: 978 0 00 148948 6'; null without one. */
create function private.typed_isbn(_q text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select private.isbn_key(substring(private.plain_code(left(_q, 200)) from '(?:97[89][ -]*)?(?:[0-9][ -]*){9}[0-9xX]'))
$$;
grant execute on function private.typed_isbn to anon, authenticated, service_role;

/*
 * The ids of up to 300 books that have all terms. Each term is given as its condition, its query for the index, and about how many books
 * have it. The index is searched for the rare terms, and the books found are checked for the others; if all are common, a sample is searched.
 */
create function private.books_with_all(_needed text[], _queries tsquery[], _estimates bigint[], _conditions text)
returns uuid[] language plpgsql stable set search_path = '' as $$
declare
  rare constant text := (
    select string_agg('(' || query::text || ')', ' & ') from unnest(_queries, _estimates) as each (query, estimate) where estimate <= 20000);
  ids uuid[];
begin
  execute format('select array_agg(id) from (select b.id from %s where %s and %s limit 300) as found',
    case when rare is null then private.book_sample(2500)
         else format('(select * from public.books b where private.words_vector(b.word_text) @@ %L limit 20000) as b', rare) end,
    _conditions, array_to_string(_needed, ' and ')) into ids;
  return ids;
end $$;
grant execute on function private.books_with_all to anon, authenticated, service_role;

/*
 * The ids of up to 300 books that have as many terms as any book has, at least half, and not only terms that are
 * common: in 'ananse story', 'story' says little. Arguments as for books_with_all: the books with rare terms are checked for the
 * common ones; without any, a sample is.
 */
create function private.books_with_most(_needed text[], _queries tsquery[], _estimates bigint[], _conditions text)
returns uuid[] language plpgsql stable set search_path = '' as $$
declare
  terms constant int := cardinality(_needed);
  rare text;
  common text;
  ids uuid[];
begin
  select string_agg(format(
           '(select b.id, %s as term from (select * from public.books b where private.words_vector(b.word_text) @@ %L limit %s) as b'
           ' where %s and %s)', position, query, 20000 / terms, _conditions, needed), ' union all ')
           filter (where estimate <= 20000),
         string_agg(format(' union all select b.id, %s, %s from looked_at b where %s', position, estimate, needed), '')
           filter (where estimate > 20000)
    into rare, common
    from unnest(_needed, _queries, _estimates) with ordinality as each (needed, query, estimate, position);
  execute format(
    'with rare as materialized (%s), looked_at as materialized ('
    '  select b.id, b.word_text from public.books b where b.id in (select id from rare)'
    '  union all select b.id, b.word_text from %s where not exists (select from rare) and %s'
    '), hits as ('
    '  select id, term, 0::bigint as estimate from rare %s'
    '), found as ('
    '  select id, count(*) as terms, sum(weight) as weight'
    '    from (select id, 1 / ln(2 + greatest(estimate, count(*) over (partition by term))) as weight from hits) as weighted group by id'
    '), best as (select * from found where terms = (select max(terms) from found) and terms * 2 >= %s)'
    ' select array_agg(id) from ('
    '   select id from best where weight * 2 >= (select max(weight) from best) order by weight desc, id limit 300) as best',
    coalesce(rare, 'select null::uuid as id, 0 as term where false'), private.book_sample(2500 / terms), _conditions, common, terms)
    into ids;
  return ids;
end $$;
grant execute on function private.books_with_most to anon, authenticated, service_role;

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
    '   order by %s desc, b.for_sale <= 0, b.title_key, b.id'
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
    filters.sale_state := coalesce(filters.sale_state, 'any');
    execute format('select array_agg(b.id) from public.books b where b.isbn_key = $1 and %s and not (%s)', private.book_conditions(filters), literal)
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
