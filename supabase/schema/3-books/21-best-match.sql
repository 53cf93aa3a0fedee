-- 'Best match first': what a search finds, in the order of the close matches. Which books it finds, and how many, stays as it is.

/*
 * The ids of the matching books, best first. _ids are all of them, if they are few. Of many, only some are ranked, so that a common text costs
 * no more than others: those of the first 500 titles that begin with the text, and 1,500 at most in about 500 blocks of the table, which are
 * all books of a small shop.
 */
create function private.best_matches(_search public.book_search, _ids uuid[])
returns uuid[] language plpgsql stable set search_path = '' as $$
declare
  conditions constant text := private.book_conditions(_search);
  score constant text := private.terms_score(jsonb_path_query_array(private.plain_terms(_search.q), '$[*] ? (@.words != null)'));
  ranked uuid[];
begin
  execute format(
    'select array_agg(b.id order by %s desc, b.for_sale <= 0, b.title_key, b.id)'
    '  from (%s) as b, lateral (select split_part(b.word_text, ''| '', 1) as title) as t', score,
    case when _ids is not null then format('select * from public.books b where b.id = any (%L::uuid[])', _ids)
         else format('select * from public.books b where b.id in ('
                     '  (select b.id from (select * from public.books b where b.title_key like %L order by b.title_key, b.id limit 500) as b where %s)'
                     '  union (select b.id from %s where %s limit 1500))',
                     private.begins_pattern(private.clean_line(left(_search.q, 200))), conditions, private.book_sample(500), conditions) end)
    into ranked;
  return coalesce(ranked, '{}');
end $$;
grant execute on function private.best_matches to anon, authenticated, service_role;

/* The text of the query for a page of a search's books, best first; those that are not ranked follow by title. _ids as few_books has them. */
create function private.best_page_query(_search public.book_search, _ids uuid[])
returns text language plpgsql stable set search_path = '' as $$
declare
  ranked constant uuid[] := private.best_matches(_search, _ids);
  page constant record := private.book_page(_search.page, _search.page_size);
  shown uuid[] := ranked[page.first_book:page.last_book];
  rest uuid[];
begin
  if _ids is null and page.last_book > cardinality(ranked) then
    execute format('select array_agg(b.id order by b.title_key, b.id) from (%s) as b', private.search_books_query(_search, ranked)) into rest;
    shown := shown || rest;
  end if;
  return format('select b.* from unnest(%L::uuid[]) with ordinality as shown (id, position) join public.books b on b.id = shown.id'
    ' order by shown.position', shown);
end $$;
grant execute on function private.best_page_query to anon, authenticated, service_role;
