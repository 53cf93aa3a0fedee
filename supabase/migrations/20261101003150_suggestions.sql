-- Books that a visitor may mean while they type. Runs with the caller's rights.

/*
 * The text of suggest_books' query: titles that begin with the text first, then titles with its words in any order, then books that have
 * them elsewhere. The last word may be unfinished. Its work is bounded: two letters that begin a word of every book cost 200 of them.
 */
create function private.suggest_books_query(_q text)
returns text language plpgsql stable set search_path = ''
set jit = off as $$
declare
  typed constant text := private.clean_line(left(_q, 60));
  digits constant text := regexp_replace(typed, '[[:space:]-]', '', 'g');
  beginning constant text := replace(replace(replace(private.fold(typed), '\', '\\'), '%', '\%'), '_', '\_') || '%';
  -- The last word.
  unfinished constant text := '% ' || substring(private.search_form(typed) from '[^ ]+$') || '%';
  words text;
begin
  -- Of an ISBN, with hyphens or without, in its long or its short form.
  if digits ~ '^[0-9]{4,13}[xX]?$' then
    return format(
      'select b.id, b.title, b.publisher from public.books b'
      ' where b.isbn_key like %L or b.isbn_key like %L order by b.isbn_key, b.id limit 5', digits || '%', '978' || digits || '%');
  end if;
  select string_agg(
           case when t.words is null then format('b.word_text like %L', unfinished)
                when t.is_last then format('(b.word_text like %L or %s)', unfinished, private.words_condition(t.words))
                else private.words_condition(t.words) end, ' and ')
    into words
    from (select s.words, s.place = max(s.place) over () as is_last from private.search_terms(typed) as s) as t
   where t.words is not null or t.is_last;
  return format(
    'with found as ('
    '  (select b.id from public.books b where b.title_key like %1$L order by b.title_key, b.id limit 5)'
    '  union (select b.id from public.books b where %2$s limit 200)'
    ') select b.id, b.title, b.publisher from found join public.books b using (id)'
    ' order by b.title_key not like %1$L, '' '' || split_part(b.word_text, '' | '', 1) || '' '' not like %3$L, b.title_key, b.id limit 5',
    beginning, coalesce(words, 'false'), unfinished);
end $$;
revoke execute on function private.suggest_books_query(text) from public;
grant execute on function private.suggest_books_query(text) to anon, authenticated, service_role;

/* At most 5 books for what is being typed, best first; from 2 characters. */
create function public.suggest_books(_q text)
returns table (id uuid, title text, publisher text) language plpgsql stable set search_path = '' rows 5 as $$
begin
  if length(private.clean_line(left(_q, 60))) < 2 then return; end if;
  return query execute private.suggest_books_query(_q);
end $$;
revoke execute on function public.suggest_books(text) from public, anon, authenticated, service_role;
grant execute on function public.suggest_books(text) to anon, authenticated, service_role;
