-- The queries by which visitors read the catalogue: conditions, order and paging.
-- They are put together as text, with only the conditions in use. One query for all cases
-- ("_q is null or …") is planned well only as long as its arguments are constants for the planner, and the data API
-- hands them over as columns of a parsed body: then no index is used. Values go in through format's %L alone.

/*
 * A search of the catalogue: text, filters, order and position. Each attribute is optional: null or a blank text means that it does not
 * apply. q is found anywhere in title, authors, publisher, course, subject, ISBN or description. sort is 'best' (of the matches of q; by
 * title without it), 'price', 'price-desc', 'newest' or 'rating'; sale_state is one of private.sale_states or 'any': without it, titles that are
 * not for sale are found by their ISBN alone; by default books are ordered by title (case and accents do not count), then
 * id. page is at most 100, page_size at most 1,000 (24); beyond them, in the default order, after_title with after_id continues after a book,
 * before_title with before_id goes back before one. In calls through the API it is a JSON object.
 */
create type public.book_search as (
  q text, publisher text, course text, subject text, grade_level text, curriculum_type text,
  min_price numeric, max_price numeric, min_rating numeric, in_stock boolean,
  sort text, page int, page_size int, after_title text, after_id uuid, before_title text, before_id uuid, kind text,
  sale_state text
);

/* The WHERE clause for the books b that contain a text; "true" for a blank one. */
create function private.text_condition(_q text)
returns text language sql immutable set search_path = '' as $$
  select coalesce('(' || string_agg(format('b.search_text like %L', pattern), ' or ') || ')', 'true')
    from unnest(private.book_patterns(_q)) as pattern
$$;
grant execute on function private.text_condition to anon, authenticated, service_role;

/* The WHERE clause for the books b in a state, as the search has it: only an ISBN finds what is not for sale. */
create function private.state_condition(_sale_state text, _q text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case _sale_state when 'any' then null when 'on_sale' then 'b.for_sale >= 0' when 'coming_soon' then 'b.for_sale = -1'
              when 'not_for_sale' then 'b.for_sale = -2' when 'last_copies' then 'b.sale_state = ''last_copies'''
              else case when private.isbn13(_q) is null then 'b.for_sale > -2'
                        else format('(b.for_sale > -2 or b.isbn13 = %L)', private.isbn13(_q)) end end
$$;
grant execute on function private.state_condition to anon, authenticated, service_role;

/*
 * The WHERE clause for the books b that match; "true" without filters for a search of any state. With _price_is_filter, or beside another filter, the price index is
 * not used: under row level security the planner expects only a few books in any price range.
 */
create function private.book_conditions(_search public.book_search, _price_is_filter boolean default false)
returns text language plpgsql immutable set search_path = '' as $$
declare
  columns constant text[] := '{publisher,course,subject,grade_level,curriculum_type,kind}';
  wanted constant text[] := array[
    _search.publisher, _search.course, _search.subject, _search.grade_level, _search.curriculum_type, _search.kind];
  conditions text[] := '{}';
  value text;
  price_is text;
begin
  if _search.q is not null then conditions := array_remove(array[private.text_condition(_search.q)], 'true'); end if;
  for at in 1..6 loop
    continue when wanted[at] is null;
    value := private.clean_line(wanted[at]);
    if value is not null then conditions := conditions || format('b.%I = %L', columns[at], value); end if;
  end loop;
  price_is := case when _price_is_filter or cardinality(conditions) > 0 then '(b.price %s %L::numeric) is true' else 'b.price %s %L::numeric' end;
  if _search.min_price is not null then conditions := conditions || format(price_is, '>=', _search.min_price); end if;
  if _search.max_price is not null then conditions := conditions || format(price_is, '<=', _search.max_price); end if;
  if _search.min_rating is not null then conditions := conditions || format('b.average_rating >= %L::numeric', _search.min_rating); end if;
  if _search.in_stock then conditions := conditions || 'b.for_sale > 0'::text;
  else conditions := array_remove(conditions || private.state_condition(_search.sale_state, _search.q), null); end if;
  return coalesce(nullif(array_to_string(conditions, ' and '), ''), 'true');
end $$;
grant execute on function private.book_conditions to anon, authenticated, service_role;

/* The WHERE clause for the books b after a book, or before one, by title; "true" without either, or in another order. */
create function private.book_place(_search public.book_search)
returns text language plpgsql immutable set search_path = '' as $$
begin
  if private.book_order(_search.sort) is not null then
    return 'true';
  elsif _search.after_title is not null then
    return format('(b.title_key, b.id) > (%L, %L::uuid)', private.title_key(_search.after_title),
      coalesce(_search.after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'));
  elsif _search.before_title is not null then
    return format('(b.title_key, b.id) < (%L, %L::uuid)', private.title_key(_search.before_title),
      coalesce(_search.before_id, '00000000-0000-0000-0000-000000000000'));
  end if;
  return 'true';
end $$;
grant execute on function private.book_place to anon, authenticated, service_role;

/* The positions of the first and the last book of a page, from 1. */
create function private.book_page(_page int, _page_size int, out first_book int, out last_book int)
language plpgsql immutable set search_path = '' as $$
declare
  page_size constant int := least(greatest(coalesce(_page_size, 24), 1), 1000);
begin
  first_book := (least(greatest(coalesce(_page, 1), 1), 100) - 1) * page_size + 1;
  last_book := first_book + page_size - 1;
end $$;
grant execute on function private.book_page to anon, authenticated, service_role;

/* The columns of an ORDER BY. */
create function private.sorted_columns(_ordered text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(_ordered, ' (desc|nulls last)', '', 'g')
$$;
grant execute on function private.sorted_columns to anon, authenticated, service_role;

/*
 * The text of few_books' query, apart so that a test can have it explained. The limit keeps a word that is everywhere cheap; without an
 * order inside it, nothing tempts the planner into walking along the shelf instead of asking the trigram index.
 */
create function private.few_books_query(_conditions text, _most int default 500, _ordered text default 'b.title_key, b.id')
returns text language sql immutable set search_path = '' as $$
  select format('select array_agg(found.id order by %s) from (select %s from public.books b where %s limit %s) as found',
    replace(_ordered, 'b.', 'found.'), private.sorted_columns(_ordered), _conditions, _most + 1)
$$;
grant execute on function private.few_books_query to anon, authenticated, service_role;

/*
 * About how many of a thousand books contain a search text; 0 unless the catalogue is large: only there the trigram index is slow for
 * a common text. Counted in a sample of a thousand across the table, then in one of five thousand if the text is neither rare nor common.
 */
create function private.text_share(_q text)
returns real language plpgsql stable set search_path = '' as $$
declare
  sample constant text := 'select count(*) from public.books b tablesample system (%s) repeatable (1) where %s';
  books constant real := reltuples from pg_catalog.pg_class where oid = 'public.books'::regclass;
  conditions text;
  seen real;
begin
  if books < 100000 then return 0; end if;
  conditions := private.text_condition(_q);
  execute format(sample, 100000 / books, conditions) into seen;
  if seen not between 1 and 12 then return seen; end if;
  execute format(sample, 500000 / books, conditions) into seen;
  return seen / 5;
end $$;
grant execute on function private.text_share to anon, authenticated, service_role;

/*
 * The ids of all books that match, in this order; null when there are more than 500 (10,000 in a large catalogue), or a page of 24 is
 * likely to be found sooner by reading books in order.
 */
create function private.few_books(_conditions text, _q text, _ordered text default null)
returns uuid[] language plpgsql stable set search_path = '' as $$
declare
  books constant real := reltuples from pg_catalog.pg_class where oid = 'public.books'::regclass;
  most constant int := case when books >= 100000 then 10000 else 500 end;
  share constant real := private.text_share(_q) / 1000;
  ids uuid[];
begin
  if share * books > 24 / nullif(share, 0) then return null; end if;
  execute private.few_books_query(_conditions, most, coalesce(_ordered, 'b.title_key, b.id')) into ids;
  if cardinality(ids) > most then return null; end if;
  return coalesce(ids, '{}');
end $$;
grant execute on function private.few_books to anon, authenticated, service_role;

/*
 * book_conditions for counting all books b that match: a text in a tenth of the books or more is searched without the trigram index,
 * which would list them all before the first is read.
 */
create function private.counting_conditions(_search public.book_search)
returns text language plpgsql stable set search_path = '' as $$
declare
  q constant text := _search.q;
begin
  if private.clean_line(left(q, 200)) is null or private.text_share(q) < 100 then return private.book_conditions(_search); end if;
  _search.q := null;
  return format('%s and (%s) is true', private.book_conditions(_search, true), private.text_condition(q));
end $$;
grant execute on function private.counting_conditions to anon, authenticated, service_role;

/* The ORDER BY that a visitor chose for books b; null for the default, by title. The best matches are ranked later, by best_matches. */
create function private.book_order(_sort text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case _sort
    when 'best' then 'b.title_key, b.id'
    when 'price' then 'b.price, b.title_key, b.id'
    when 'price-desc' then 'b.price desc, b.title_key, b.id'
    when 'newest' then 'b.created_at desc, b.id desc'
    when 'rating' then 'b.average_rating desc nulls last, b.review_count desc, b.title_key, b.id'
  end
$$;
grant execute on function private.book_order to anon, authenticated, service_role;

/*
 * The text of a page's query: the first to the last of the matching books b in one order, shown in another. It finds their ids first,
 * so that an index alone suffices, and then their rows.
 *
 * Scanning in order until a page is full takes forever when the matches come late, and collecting and sorting all matches is a waste
 * when every tenth book matches. The planner can't know: two filters may have no books in common, and under row level security it has no
 * statistics on prices and texts. So the next _walked books in order are scanned first, and only if they do not fill the page are
 * all matches collected, fenced by OFFSET 0 to keep the planner from scanning in order after all. Without
 * _walked the order's index is known to be enough. If some conditions need the row, those that an index can check are in _covered, and
 * only rows that pass these count as scanned. _place is what the scan in order may start and end with; _conditions alone say what matches.
 */
create function private.ordered_books_query(
  _conditions text, _covered text, _place text, _ordered text, _shown text, _walked int, _first_book int, _last_book int
) returns text language plpgsql immutable set search_path = '' as $$
declare
  keys constant text := private.sorted_columns(_ordered);
  size constant int := _last_book - _first_book + 1;
  page text;
begin
  page := case
    when _walked is null then
      'select b.id from public.books b where %1$s order by %3$s'
    when _covered is null then
      'select %4$s from (select * from public.books b where %2$s order by %3$s limit %6$s) as b where %1$s order by %3$s limit %7$s'
    else
      'select %5$s from (select %4$s from public.books b where %8$s and %2$s order by %3$s limit %6$s) as near'
      ' cross join lateral (select * from public.books b where b.id = near.id offset 0) as b'
      ' where %1$s order by %9$s limit %7$s' end;
  if _walked is not null then
    page := 'with near as materialized (' || page || ')'
      ' select b.id from ('
      '   select * from near where (select count(*) from near) = %7$s'
      '   union all'
      '   select * from (select %4$s from public.books b where %1$s offset 0) as found'
      '    where (select count(*) from near) < %7$s'
      ' ) as b order by %3$s';
  end if;
  page := format(page, _conditions, _place, _ordered, keys, replace(keys, 'b.', 'near.'), _walked, _last_book, _covered,
    replace(_ordered, 'b.', 'near.'));
  return format('with page as materialized (%s limit %s offset %s) select b.* from page join public.books b on b.id = page.id order by %s',
    page, size, _first_book - 1, _shown);
end $$;
grant execute on function private.ordered_books_query to anon, authenticated, service_role;

/*
 * The text of search_books' query where few_books returns null, in the order of _sort if there is one; a function of its own so that a
 * test can EXPLAIN it. A book's text is read from its row, everything else from an index. The books of _shown_before come before its first
 * page and are left out.
 */
create function private.search_books_query(_search public.book_search, _shown_before uuid[] default '{}')
returns text language plpgsql immutable set search_path = '' as $$
declare
  bounds text := private.book_place(_search);
  conditions constant text := concat_ws(' and ', bounds, private.book_conditions(_search),
    case when cardinality(_shown_before) > 0 then format('b.id <> all (%L::uuid[])', _shown_before) end);
  page record := private.book_page(case bounds when 'true' then _search.page end, _search.page_size);
  by_row constant boolean :=
    private.clean_line(left(_search.q, 200)) is not null or _search.curriculum_type is not null or _search.min_rating is not null;
  by_price constant boolean := coalesce(_search.sort in ('price', 'price-desc'), false);
  shown constant text := coalesce(private.book_order(_search.sort), 'b.title_key, b.id');
  ordered text := shown;
  part public.book_search;
  covered text;
  walked int;
begin
  page.first_book := greatest(page.first_book - cardinality(_shown_before), 1);
  page.last_book := page.last_book - cardinality(_shown_before);
  if by_row then
    walked := least(greatest(page.last_book * 400, 5000), 20000);
    part := _search;
    part.q := null;
    part.curriculum_type := null;
    part.min_rating := null;
    covered := private.book_conditions(part, not by_price);
  elsif num_nonnulls(_search.publisher, _search.course, _search.subject, _search.grade_level, _search.kind) > 1
        or num_nonnulls(_search.min_price, _search.max_price) > 0 then
    -- The index on prices is slower to read in order, above all from the highest price down, but holds no others between two prices.
    walked := case when by_price then 10000 else greatest(page.last_book * 8, 50000) end;
  end if;
  if by_price then
    part := null;
    part.sale_state := 'any';
    part.min_price := _search.min_price;
    part.max_price := _search.max_price;
    bounds := private.book_conditions(part);
  elsif bounds <> 'true' and _search.after_title is null then
    ordered := 'b.title_key desc, b.id desc';
  end if;
  return private.ordered_books_query(conditions, covered, bounds, ordered, shown, walked, page.first_book, page.last_book);
end $$;
grant execute on function private.search_books_query to anon, authenticated, service_role;

/*
 * The text of the query for a page of the books that match: by the ids of few_books, which are in the search's order and, after or before a
 * book, only the ones there; without ids by search_books_query.
 */
create function private.book_page_query(_search public.book_search, _ids uuid[])
returns text language plpgsql stable set search_path = '' as $$
declare
  by_position constant boolean := private.book_place(_search) = 'true';
  page record;
begin
  if _search.sort = 'best' and private.clean_line(left(_search.q, 200)) is not null then return private.best_page_query(_search, _ids); end if;
  if _ids is null then return private.search_books_query(_search); end if;
  page := private.book_page(case when by_position then _search.page end, _search.page_size);
  if not by_position and _search.after_title is null then
    page.first_book := greatest(cardinality(_ids) - page.last_book + 1, 1);
    page.last_book := cardinality(_ids);
  end if;
  return format('select b.* from public.books b where b.id = any (%L::uuid[]) order by %s', _ids[page.first_book:page.last_book],
    coalesce(private.book_order(_search.sort), 'b.title_key, b.id'));
end $$;
grant execute on function private.book_page_query to anon, authenticated, service_role;
