-- The queries by which visitors read the catalogue: conditions, order and paging.
-- They are put together as text, with only the conditions that were asked for. One query for all cases
-- ("_q is null or …") is planned well only as long as its arguments are constants for the planner, and the data API
-- hands them over as columns of a parsed body: then no index is used. Values go in through format's %L alone.

/*
 * The WHERE clause for the books b that match; "true" without filters. With _price_is_filter, or beside another filter, the price index is
 * not used: under row level security the planner expects only a few books in any price range.
 */
create function private.book_conditions(
  _q text, _publisher text, _course text, _subject text, _grade_level text, _curriculum_type text,
  _min_price numeric, _max_price numeric, _min_rating numeric, _in_stock boolean default null, _price_is_filter boolean default false
) returns text language plpgsql immutable set search_path = '' as $$
declare
  columns constant text[] := '{publisher,course,subject,grade_level,curriculum_type}';
  wanted constant text[] := array[_publisher, _course, _subject, _grade_level, _curriculum_type];
  conditions text[] := '{}';
  patterns text[];
  pattern text;
  value text;
  price_is text;
begin
  if _q is not null then
    foreach pattern in array private.book_patterns(_q) loop
      patterns := patterns || format('b.search_text like %L', pattern);
    end loop;
  end if;
  if patterns is not null then conditions := conditions || ('(' || array_to_string(patterns, ' or ') || ')'); end if;
  for at in 1..5 loop
    continue when wanted[at] is null;
    value := private.clean_line(wanted[at]);
    if value is not null then conditions := conditions || format('b.%I = %L', columns[at], value); end if;
  end loop;
  price_is := case when _price_is_filter or cardinality(conditions) > 0 then '(b.price %s %L::numeric) is true' else 'b.price %s %L::numeric' end;
  if _min_price is not null then conditions := conditions || format(price_is, '>=', _min_price); end if;
  if _max_price is not null then conditions := conditions || format(price_is, '<=', _max_price); end if;
  if _min_rating is not null then conditions := conditions || format('b.average_rating >= %L::numeric', _min_rating); end if;
  if _in_stock then conditions := conditions || 'b.stock_quantity > 0'::text; end if;
  return coalesce(nullif(array_to_string(conditions, ' and '), ''), 'true');
end $$;
revoke execute on function
  private.book_conditions(text, text, text, text, text, text, numeric, numeric, numeric, boolean, boolean) from public;
grant execute on function
  private.book_conditions(text, text, text, text, text, text, numeric, numeric, numeric, boolean, boolean)
  to anon, authenticated, service_role;

/* The WHERE clause for the books b behind a book on the shelf, or before one; "true" without either. */
create function private.book_place(_after_title text, _after_id uuid, _before_title text, _before_id uuid)
returns text language plpgsql immutable set search_path = '' as $$
begin
  if _after_title is not null then
    return format('(b.title_key, b.id) > (%L, %L::uuid)', private.fold(_after_title),
      coalesce(_after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'));
  elsif _before_title is not null then
    return format('(b.title_key, b.id) < (%L, %L::uuid)', private.fold(_before_title),
      coalesce(_before_id, '00000000-0000-0000-0000-000000000000'));
  end if;
  return 'true';
end $$;
revoke execute on function private.book_place(text, uuid, text, uuid) from public;
grant execute on function private.book_place(text, uuid, text, uuid) to anon, authenticated, service_role;

/* The positions of the first and the last book of a page, from 1. */
create function private.book_page(_page int, _page_size int, out first_book int, out last_book int)
language plpgsql immutable set search_path = '' as $$
declare
  page_size constant int := least(greatest(coalesce(_page_size, 24), 1), 1000);
begin
  first_book := (least(greatest(coalesce(_page, 1), 1), 100) - 1) * page_size + 1;
  last_book := first_book + page_size - 1;
end $$;
revoke execute on function private.book_page(int, int) from public;
grant execute on function private.book_page(int, int) to anon, authenticated, service_role;

/* The columns of an ORDER BY. */
create function private.order_columns(_ordered text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(_ordered, ' (desc|nulls last)', '', 'g')
$$;
revoke execute on function private.order_columns(text) from public;
grant execute on function private.order_columns(text) to anon, authenticated, service_role;

/*
 * The text of few_books' query, apart so that a test can have it explained. The limit keeps a word that is everywhere cheap; without an
 * order inside it, nothing tempts the planner into walking along the shelf instead of asking the trigram index.
 */
create function private.few_books_query(_conditions text, _most int default 500, _ordered text default 'b.title_key, b.id')
returns text language sql immutable set search_path = '' as $$
  select format('select array_agg(found.id order by %s) from (select %s from public.books b where %s limit %s) as found',
    replace(_ordered, 'b.', 'found.'), private.order_columns(_ordered), _conditions, _most + 1)
$$;
revoke execute on function private.few_books_query(text, int, text) from public;
grant execute on function private.few_books_query(text, int, text) to anon, authenticated, service_role;

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
  conditions := private.book_conditions(_q, null, null, null, null, null, null, null, null);
  execute format(sample, 100000 / books, conditions) into seen;
  if seen not between 1 and 12 then return seen; end if;
  execute format(sample, 500000 / books, conditions) into seen;
  return seen / 5;
end $$;
revoke execute on function private.text_share(text) from public;
grant execute on function private.text_share(text) to anon, authenticated, service_role;

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
revoke execute on function private.few_books(text, text, text) from public;
grant execute on function private.few_books(text, text, text) to anon, authenticated, service_role;

/*
 * book_conditions for counting all books b that match: a text in a tenth of the books or more is searched without the trigram index,
 * which would list them all before the first is read.
 */
create function private.counting_conditions(
  _q text, _publisher text default null, _course text default null, _subject text default null, _grade_level text default null,
  _curriculum_type text default null, _min_price numeric default null, _max_price numeric default null, _min_rating numeric default null,
  _in_stock boolean default null
) returns text language plpgsql stable set search_path = '' as $$
begin
  if private.clean_line(left(_q, 200)) is null or private.text_share(_q) < 100 then
    return private.book_conditions(
      _q, _publisher, _course, _subject, _grade_level, _curriculum_type, _min_price, _max_price, _min_rating, _in_stock);
  end if;
  return format('%s and (%s) is true',
    private.book_conditions(
      null, _publisher, _course, _subject, _grade_level, _curriculum_type, _min_price, _max_price, _min_rating, _in_stock, true),
    private.book_conditions(_q, null, null, null, null, null, null, null, null));
end $$;
revoke execute on function
  private.counting_conditions(text, text, text, text, text, text, numeric, numeric, numeric, boolean) from public;
grant execute on function
  private.counting_conditions(text, text, text, text, text, text, numeric, numeric, numeric, boolean)
  to anon, authenticated, service_role;

/* The ORDER BY that a visitor chose for books b; null for the default, by title. */
create function private.book_order(_sort text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case _sort
    when 'price' then 'b.price, b.title_key, b.id'
    when 'price-desc' then 'b.price desc, b.title_key, b.id'
    when 'newest' then 'b.created_at desc, b.id desc'
    when 'rating' then 'b.average_rating desc nulls last, b.review_count desc, b.title_key, b.id'
  end
$$;
revoke execute on function private.book_order(text) from public;
grant execute on function private.book_order(text) to anon, authenticated, service_role;

/*
 * The text of a page's query: the first to the last of the matching books b in one order, shown in another. It finds their ids first,
 * so that an index alone can answer, and then their rows.
 *
 * Scanning in order until a page is full takes forever when the matches come late, and collecting and sorting all matches is a waste
 * when every tenth book matches. The planner can't know: two filters may have no books in common, and under row level security it has no
 * statistics on prices and texts. So the next _walked books in order are scanned first, and only if they do not fill the page are
 * all matches collected, fenced by OFFSET 0 to keep the planner from scanning in order after all. Without
 * _walked the order's index is known to be enough. If some conditions need the row, those that an index can answer are in _covered, and
 * only rows that pass these count as scanned. _place is what the scan in order may start and end with; _conditions alone say what matches.
 */
create function private.ordered_books_query(
  _conditions text, _covered text, _place text, _ordered text, _shown text, _walked int, _first_book int, _last_book int
) returns text language plpgsql immutable set search_path = '' as $$
declare
  keys constant text := private.order_columns(_ordered);
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
revoke execute on function private.ordered_books_query(text, text, text, text, text, int, int, int) from public;
grant execute on function private.ordered_books_query(text, text, text, text, text, int, int, int) to anon, authenticated, service_role;

/*
 * The text of search_books' query where few_books does not answer, in the order of _sort if there is one; a function of its own so that a
 * test can EXPLAIN it. A book's text is read from its row, everything else from an index.
 */
create function private.search_books_query(
  _q text, _publisher text, _course text, _subject text, _grade_level text, _curriculum_type text,
  _min_price numeric, _max_price numeric, _min_rating numeric, _page int, _page_size int,
  _after_title text, _after_id uuid, _before_title text, _before_id uuid, _in_stock boolean default null, _sort text default null
) returns text language plpgsql immutable set search_path = '' as $$
declare
  place text := private.book_place(_after_title, _after_id, _before_title, _before_id);
  conditions constant text := place || ' and ' || private.book_conditions(
    _q, _publisher, _course, _subject, _grade_level, _curriculum_type, _min_price, _max_price, _min_rating, _in_stock);
  page constant record := private.book_page(case place when 'true' then _page end, _page_size);
  by_row constant boolean :=
    private.clean_line(left(_q, 200)) is not null or _curriculum_type is not null or _min_rating is not null;
  by_price constant boolean := coalesce(_sort in ('price', 'price-desc'), false);
  shown constant text := coalesce(private.book_order(_sort), 'b.title_key, b.id');
  ordered text := shown;
  covered text;
  walked int;
begin
  if by_row then
    walked := least(greatest(page.last_book * 400, 5000), 20000);
    covered := private.book_conditions(
      null, _publisher, _course, _subject, _grade_level, null, _min_price, _max_price, null, _in_stock, not by_price);
  elsif num_nonnulls(_publisher, _course, _subject, _grade_level) > 1 or num_nonnulls(_min_price, _max_price) > 0 then
    -- The index on prices is slower to read in order, above all from the highest price down, but holds no others between two prices.
    walked := case when by_price then 10000 else greatest(page.last_book * 8, 50000) end;
  end if;
  if by_price then
    place := private.book_conditions(null, null, null, null, null, null, _min_price, _max_price, null);
  elsif _after_title is null and _before_title is not null then
    ordered := 'b.title_key desc, b.id desc';
  end if;
  return private.ordered_books_query(conditions, covered, place, ordered, shown, walked, page.first_book, page.last_book);
end $$;
revoke execute on function private.search_books_query(
  text, text, text, text, text, text, numeric, numeric, numeric, int, int, text, uuid, text, uuid, boolean, text) from public;
grant execute on function private.search_books_query(
  text, text, text, text, text, text, numeric, numeric, numeric, int, int, text, uuid, text, uuid, boolean, text)
  to anon, authenticated, service_role;
