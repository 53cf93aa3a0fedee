-- Books that a visitor may mean while they type. Runs with the caller's rights.

/* The LIKE pattern for title keys that begin with a typed text. */
create function private.begins_pattern(_typed text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select replace(replace(replace(private.title_key(_typed), '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;
grant execute on function private.begins_pattern to anon, authenticated, service_role;

/*
 * For each of these terms, as private.corrected_terms has it, that says something: the condition that a book b has it, and its query for the
 * index. The last term may be unfinished.
 */
create function private.typed_terms(_terms jsonb)
returns table (needed text, query text) language sql stable set search_path = '' as $$
  select case when is_last then format('(b.word_text like %L or %s)', '% ' || typed || '%', coalesce(private.words_condition(words), 'false'))
              else private.words_condition(words) end,
         format('(%s)', concat_ws(' | ',
           case when is_last then regexp_replace(private.words_query(array[typed])::text, '''$', ''':*') end, private.words_query(words)::text))
    from (select position, position = jsonb_array_length(_terms) as is_last, term ->> 'typed' as typed,
                 array(select jsonb_array_elements_text(coalesce(nullif(term -> 'words', 'null'), '[]') || (term -> 'corrections'))) as words
            from jsonb_array_elements(_terms) with ordinality as item (term, position)) as t
   where is_last or cardinality(words) > 0 order by position
$$;
grant execute on function private.typed_terms to anon, authenticated, service_role;

/*
 * The text of suggest_books' query for these terms, each as private.corrected_terms has it: up to _most books that have all terms, those
 * with the last one in their titles first, or whose ISBN begins so; without titles that begin with the text.
 */
create function private.suggest_books_query(_typed text, _terms jsonb, _most int)
returns text language plpgsql stable set search_path = '' as $$
declare
  digits constant text := private.isbn_digits(_typed);
  words text;
  query text;
begin
  select string_agg(t.needed, ' and '), string_agg(t.query, ' & ') into words, query from private.typed_terms(_terms) as t;
  return format(
    'with found as ('
    '  (select b.id from public.books b where private.words_vector(b.word_text) @@ %1$L and %2$s and b.for_sale > -2 and b.title_key not like %3$L limit 200)%4$s'
    ') select b.id, b.title, b.publisher, b.course, b.subject, b.image_url, b.price'
    '    from found join public.books b using (id), lateral (select split_part(b.word_text, ''| '', 1) as title) as t'
    '   where b.title_key not like %3$L'
    '   order by t.title not like %5$L, (%6$s) desc, b.title_key, b.id limit %7$s',
    coalesce(query, ''), coalesce(words, 'false'), private.begins_pattern(_typed),
    -- An ISBN's digits, with hyphens or without, in its long or its short form.
    case when digits is not null then format(
      ' union (select b.id from public.books b where (b.isbn_key like %L or b.isbn_key like %L) and b.for_sale > -2 or b.isbn_key = %L'
      ' order by b.isbn_key, b.id limit 5)', digits || '%', '978' || digits || '%', private.isbn_key(digits))
    else '' end,
    -- Whole, so that 'jhs 2' is not the beginning of '2B'.
    '% ' || (_terms -> -1 ->> 'typed') || '%', private.terms_score(jsonb_path_query_array(_terms, '$[*] ? (@.words != null)')), _most);
end $$;
grant execute on function private.suggest_books_query to anon, authenticated, service_role;

/*
 * The text of the query for 5 books that have as many of these terms as any book has, at least half, those with rare terms first. Up to 1,200
 * books are read: for each term as many as for the others, and each is checked for all terms. Null for a single term.
 */
create function private.nearly_suggested_query(_terms jsonb)
returns text language sql stable set search_path = '' as $$
  select format(
      'with looked_at as materialized (select distinct on (id) * from (%1$s) as found order by id), hits as ('
      '  select b.id, 1 / ln(2 + count(*) over (partition by term)) as weight'
      '    from looked_at b, unnest(array[%2$s]) with ordinality as item (has_it, term) where has_it'
      '), found as (select id, count(*) as terms, sum(weight) as weight from hits group by id'
      '), best as (select * from found where terms = (select max(terms) from found) and terms * 2 >= %3$s)'
      ' select b.id, b.title, b.publisher, b.course, b.subject, b.image_url, b.price'
      '   from best join looked_at b using (id), lateral (select split_part(b.word_text, ''| '', 1) as title) as t'
      '  where best.weight * 2 >= (select max(weight) from best) order by best.weight desc, (%4$s) desc, b.title_key, b.id limit 5',
      string_agg(format(
        '(select b.id, b.title, b.publisher, b.course, b.subject, b.image_url, b.price, b.title_key, b.word_text'
        '   from public.books b where private.words_vector(b.word_text) @@ %L and b.for_sale > -2 limit %s)', query, 1200 / terms), ' union all '),
      string_agg(needed, ', '), terms, private.terms_score(jsonb_path_query_array(_terms, '$[*] ? (@.words != null)')))
    from (select *, count(*) over () as terms from private.typed_terms(_terms)) as each where terms > 1 group by terms
$$;
grant execute on function private.nearly_suggested_query to anon, authenticated, service_role;

/*
 * At most 5 books for what is being typed, as a line with a small cover shows them (price in cedis), best first, from 2 characters: titles
 * that begin so, and only if they are fewer, books that have the words. If there are none of either, what the search for the text finds, with
 * less reading: the book of an ISBN within the text, books that contain the text, books that have the corrected words, or most of them.
 */
create function public.suggest_books(_q text)
returns table (id uuid, title text, publisher text, course text, subject text, image_url text, price numeric)
language plpgsql stable set search_path = '' rows 5 as $$
declare
  typed constant text := private.clean_line(left(_q, 60));
  terms jsonb;
  shown int;
  search public.book_search;
  ids uuid[];
begin
  if length(typed) < 2 then return; end if;
  return query execute format(
    'select b.id, b.title, b.publisher, b.course, b.subject, b.image_url, b.price'
    '  from public.books b where b.title_key like %L and b.for_sale > -2 order by b.title_key, b.id limit 5',
    private.begins_pattern(typed));
  get diagnostics shown = row_count;
  if shown = 5 then return; end if;
  terms := private.plain_terms(typed);
  return query execute private.suggest_books_query(typed, terms, 5 - shown);
  if shown > 0 or found then return; end if;

  select array_agg(b.id) into ids from public.books b where b.isbn_key = private.typed_isbn(typed);
  -- The index on texts has no parts of less than three characters.
  if ids is null and length(typed) > 2 then
    search.q := typed;
    execute private.few_books_query(private.counting_conditions(search), 199) into ids;
  end if;
  return query select b.id, b.title, b.publisher, b.course, b.subject, b.image_url, b.price
    from unnest(ids[:5]) with ordinality as near (id, position) join public.books b on b.id = near.id order by near.position;
  if found then return; end if;

  terms := private.corrected_terms(terms);
  if jsonb_path_exists(terms, '$[*].corrections[*]') then
    return query execute private.suggest_books_query(typed, terms, 5);
    if found then return; end if;
  end if;
  if private.nearly_suggested_query(terms) is not null then return query execute private.nearly_suggested_query(terms); end if;
end $$;
grant execute on function public.suggest_books to anon, authenticated, service_role;
