-- Books that a visitor may mean while they type. Runs with the caller's rights.

/*
 * The text of suggest_books' query: titles that begin with the text first, then titles with its words in any order, then books that have
 * them elsewhere, or whose ISBN begins so. The last word may be unfinished. Only if fewer than five titles begin with the text
 * is anything else looked for, so that two letters cost little.
 */
create function private.suggest_books_query(_q text)
returns text language plpgsql stable set search_path = ''
set jit = off as $$
declare
  typed constant text := private.clean_line(left(_q, 60));
  digits constant text := regexp_replace(typed, '[[:space:]-]', '', 'g');
  beginning constant text := replace(replace(replace(private.fold(typed), '\', '\\'), '%', '\%'), '_', '\_') || '%';
  last_word constant text := substring(private.search_form(typed) from '[^ ]+$');
  unfinished constant text := '% ' || last_word || '%';
  words text;
  query text;
begin
  select string_agg(
           case when t.words is null then format('b.word_text like %L', unfinished)
                when t.is_last then format('(b.word_text like %L or %s)', unfinished, private.words_condition(t.words))
                else private.words_condition(t.words) end, ' and '),
         string_agg(
           '(' || concat_ws(' | ', case when t.is_last then quote_literal(last_word) || ':*' end, private.words_query(t.words)::text) || ')', ' & ')
    into words, query
    from (select s.words, s.place = max(s.place) over () as is_last from private.search_terms(typed) as s) as t
   where t.words is not null or t.is_last;
  return format(
    'with beginning as materialized ('
    '  select b.id from public.books b where b.title_key like %1$L order by b.title_key, b.id limit 5'
    '), found as ('
    '  select id from beginning'
    '  union (select b.id from public.books b'
    '          where (select count(*) from beginning) < 5 and private.words_vector(b.word_text) @@ %2$L and %3$s limit 200)%4$s'
    ') select b.id, b.title, b.publisher from found join public.books b using (id)'
    ' order by b.title_key not like %1$L, '' '' || split_part(b.word_text, '' | '', 1) || '' '' not like %5$L, b.title_key, b.id limit 5',
    beginning, coalesce(query, ''), coalesce(words, 'false'),
    -- An ISBN's digits, with hyphens or without, in its long or its short form.
    case when digits ~ '^[0-9]{4,13}[xX]?$' then format(
      ' union (select b.id from public.books b where (select count(*) from beginning) < 5'
      '           and (b.isbn_key like %L or b.isbn_key like %L) order by b.isbn_key, b.id limit 5)', digits || '%', '978' || digits || '%')
    else '' end,
    unfinished);
end $$;
revoke execute on function private.suggest_books_query(text) from public;
grant execute on function private.suggest_books_query(text) to anon, authenticated, service_role;

/* At most 5 books for what is being typed, best first; from 2 characters. */
create function public.suggest_books(_q text)
returns table (id uuid, title text, publisher text) language plpgsql stable set search_path = '' set enable_seqscan = off rows 5 as $$
begin
  if length(private.clean_line(left(_q, 60))) < 2 then return; end if;
  return query execute private.suggest_books_query(_q);
end $$;
revoke execute on function public.suggest_books(text) from public, anon, authenticated, service_role;
grant execute on function public.suggest_books(text) to anon, authenticated, service_role;
