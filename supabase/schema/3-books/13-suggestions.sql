-- Books that a visitor may mean while they type. Runs with the caller's rights.

/* The LIKE pattern for title keys that begin with a typed text. */
create function private.begins_pattern(_typed text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select replace(replace(replace(private.title_key(_typed), '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;
grant execute on function private.begins_pattern to anon, authenticated, service_role;

/*
 * The text of suggest_books' query for these terms, each as private.corrected_terms has it: up to _most books that have all terms, those
 * with the last one in their titles first, or whose ISBN begins so; without titles that begin with the text. The last term may be
 * unfinished.
 */
create function private.suggest_books_query(_typed text, _terms jsonb, _most int)
returns text language plpgsql stable set search_path = '' as $$
declare
  digits constant text := private.isbn_digits(_typed);
  -- Whole, so that 'jhs 2' is not the beginning of '2B'.
  last constant text := _terms -> -1 ->> 'typed';
  unfinished constant text := '% ' || last || '%';
  words text;
  query text;
begin
  select string_agg(format('(%s)', concat_ws(' or ',
           case when t.is_last then format('b.word_text like %L', unfinished) end, private.words_condition(t.words))), ' and '),
         string_agg(format('(%s)', concat_ws(' | ',
           case when t.is_last then regexp_replace(private.words_query(array[last])::text, '''$', ''':*') end, private.words_query(t.words)::text)), ' & ')
    into words, query
    from (select position = jsonb_array_length(_terms) as is_last,
                 array(select jsonb_array_elements_text(coalesce(nullif(term -> 'words', 'null'), '[]') || (term -> 'corrections'))) as words
            from jsonb_array_elements(_terms) with ordinality as item (term, position)) as t
   where t.is_last or cardinality(t.words) > 0;
  return format(
    'with found as ('
    '  (select b.id from public.books b where private.words_vector(b.word_text) @@ %1$L and %2$s and b.title_key not like %3$L limit 200)%4$s'
    ') select b.id, b.title, b.publisher'
    '    from found join public.books b using (id), lateral (select split_part(b.word_text, ''| '', 1) as title) as t'
    '   where b.title_key not like %3$L'
    '   order by t.title not like %5$L, (%6$s) desc, b.title_key, b.id limit %7$s',
    coalesce(query, ''), coalesce(words, 'false'), private.begins_pattern(_typed),
    -- An ISBN's digits, with hyphens or without, in its long or its short form.
    case when digits is not null then format(
      ' union (select b.id from public.books b where b.isbn_key like %L or b.isbn_key like %L or b.isbn_key = %L order by b.isbn_key, b.id limit 5)',
      digits || '%', '978' || digits || '%', private.isbn_key(digits))
    else '' end,
    unfinished, private.terms_score(jsonb_path_query_array(_terms, '$[*] ? (@.words != null)')), _most);
end $$;
grant execute on function private.suggest_books_query to anon, authenticated, service_role;

/*
 * At most 5 books for what is being typed, best first, from 2 characters: titles that begin so, and only if they are fewer, books that
 * have the words. If there are none of either, the words are corrected.
 */
create function public.suggest_books(_q text)
returns table (id uuid, title text, publisher text) language plpgsql stable set search_path = '' rows 5 as $$
declare
  typed constant text := private.clean_line(left(_q, 60));
  shown int;
  terms jsonb;
begin
  if length(typed) < 2 then return; end if;
  return query execute format(
    'select b.id, b.title, b.publisher from public.books b where b.title_key like %L order by b.title_key, b.id limit 5',
    private.begins_pattern(typed));
  get diagnostics shown = row_count;
  if shown = 5 then return; end if;
  terms := private.plain_terms(typed);
  return query execute private.suggest_books_query(typed, terms, 5 - shown);
  if shown = 0 and not found then
    terms := private.corrected_terms(terms);
    -- No book has an absent term, unless it is the last, which may be unfinished.
    if jsonb_path_exists(terms, '$[*].corrections[*]') and not jsonb_path_exists(terms - -1, '$[*] ? (@.absent == true)') then
      return query execute private.suggest_books_query(typed, terms, 5);
    end if;
  end if;
end $$;
grant execute on function public.suggest_books to anon, authenticated, service_role;
