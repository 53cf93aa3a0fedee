-- The catalogue and the back office's list of books can be filtered by kind, and staff see how many titles there are of each.

alter type public.book_search add attribute kind text;

create index books_by_kind on public.books (kind, title_key, id);

drop function private.book_list_conditions(text, text);
drop function public.admin_list_books(text, text, text, boolean, int, int);
drop function private.admin_list_books(text, text, text, boolean, int, int);
drop function public.admin_count_books(text, text);
drop function private.admin_count_books(text, text);
drop function public.stage_price_change(numeric, numeric, text, text);
drop function private.stage_price_change(numeric, numeric, text, text);

/*
 * The WHERE clause for the books b that match; "true" without filters. With _price_is_filter, or beside another filter, the price index is
 * not used: under row level security the planner expects only a few books in any price range.
 */
create or replace function private.book_conditions(_search public.book_search, _price_is_filter boolean default false)
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
  if _search.in_stock then conditions := conditions || 'b.stock_quantity > 0'::text; end if;
  return coalesce(nullif(array_to_string(conditions, ' and '), ''), 'true');
end $$;

/*
 * The text of search_books' query where few_books returns null, in the order of _sort if there is one; a function of its own so that a
 * test can EXPLAIN it. A book's text is read from its row, everything else from an index. The books of _shown_before come before its first
 * page and are left out.
 */
create or replace function private.search_books_query(_search public.book_search, _shown_before uuid[] default '{}')
returns text language plpgsql immutable set search_path = '' as $$
declare
  bounds text := private.book_place(_search);
  conditions constant text := concat_ws(' and ', bounds, private.book_conditions(_search),
    case when cardinality(_shown_before) > 0 then format('b.id <> all (%L::uuid[])', _shown_before) end);
  page record := private.book_page(case bounds when 'true' then _search.page end, _search.page_size);
  -- A kind is only in the index of its own.
  by_row constant boolean :=
    private.clean_line(left(_search.q, 200)) is not null or _search.curriculum_type is not null or _search.min_rating is not null
    or _search.kind is not null and (private.book_order(_search.sort) is not null or _search.in_stock or num_nonnulls(
         _search.publisher, _search.course, _search.subject, _search.grade_level, _search.min_price, _search.max_price) > 0);
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
    part.kind := null;
    covered := private.book_conditions(part, not by_price);
  elsif num_nonnulls(_search.publisher, _search.course, _search.subject, _search.grade_level) > 1
        or num_nonnulls(_search.min_price, _search.max_price) > 0 then
    -- The index on prices is slower to read in order, above all from the highest price down, but holds no others between two prices.
    walked := case when by_price then 10000 else greatest(page.last_book * 8, 50000) end;
  end if;
  if by_price then
    part := null;
    part.min_price := _search.min_price;
    part.max_price := _search.max_price;
    bounds := private.book_conditions(part);
  elsif bounds <> 'true' and _search.after_title is null then
    ordered := 'b.title_key desc, b.id desc';
  end if;
  return private.ordered_books_query(conditions, covered, bounds, ordered, shown, walked, page.first_book, page.last_book);
end $$;

/*
 * The grade levels, price ranges, stock and kinds among the books that match the other filters: of each those that match all filters but its
 * own, so that a choice's number is what choosing it shows. "choice" is 'grade', 'price', 'stock' or 'kind'; a price's value is the index of its
 * range: 0 below the first of _price_steps (in cedis, ascending), 1 from it to below the second, and so on. The 300 most frequent grade
 * levels. _price_range is the chosen range, in place of the search's prices.
 */
create or replace function public.list_book_choices(_search public.book_search, _price_steps numeric[], _price_range int default null)
returns table (choice text, value text, books bigint) language plpgsql stable set search_path = '' as $$
declare
  others public.book_search;
  steps constant numeric[] := array(select step from unnest(_price_steps[1:20]) as step where step is not null order by step);
begin
  others.q := _search.q;
  others.publisher := _search.publisher;
  others.course := _search.course;
  others.subject := _search.subject;
  return query execute
    'with counted as materialized (
       select b.grade_level, case when cardinality($1) > 0 then width_bucket(b.price, $1) else 0 end as price_range,
              b.stock_quantity > 0 as in_stock, b.kind, count(*) as books
         from public.books b where ' || private.counting_conditions(others) || '
        group by 1, 2, 3, 4
     ), fitting as (
       select *, grade_level = $2 or $2 is null as fits_grade, price_range = $3 or $3 is null as fits_price,
              in_stock or $4 is not true as fits_stock, kind = $5 or $5 is null as fits_kind
         from counted
     )
     (select ''grade'', grade_level, sum(books)::bigint from fitting
       where fits_price and fits_stock and fits_kind and grade_level is not null group by 2 order by 3 desc, 2 limit 300)
     union all
     select ''price'', price_range::text, sum(books)::bigint from fitting where fits_grade and fits_stock and fits_kind group by 2
     union all
     select ''stock'', ''in'', sum(books)::bigint from fitting where fits_grade and fits_price and fits_kind and in_stock having sum(books) > 0
     union all
     select ''kind'', kind, sum(books)::bigint from fitting where fits_grade and fits_price and fits_stock group by 2'
    using steps, private.clean_line(_search.grade_level), _price_range, _search.in_stock, private.clean_line(_search.kind);
end $$;

create or replace function private.book_list_conditions(_publisher text, _q text, _kind text default null)
returns text language sql immutable set search_path = '' as $$
  select private.book_conditions(jsonb_populate_record(null::public.book_search, jsonb_build_object('publisher', _publisher, 'kind', _kind)))
    || case when words is null then ''
            when strpos(found, words) > 0 then ' and ' || found
            else format(' and (%s or %s)', found, words) end
    from private.text_condition(_q) as found,
         private.contains_condition('b.search_text', _q, 'key') as words
$$;

/*
 * Staff: books. _publisher one publisher; _kind 'book', 'digital' or 'stationery'; _q as in search_books, with any punctuation between its words.
 * _sort created_at (default), title, publisher, price or stock_quantity. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create or replace function private.admin_list_books(
  _publisher text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50, _kind text default null
)
returns setof public.books language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'title' then case when _descending then 'b.title_key desc, b.id desc' else 'b.title_key asc, b.id asc' end
    when 'publisher' then case when _descending then 'b.publisher desc, b.title_key desc, b.id desc' else 'b.publisher asc, b.title_key asc, b.id asc' end
    when 'price' then case when _descending then 'b.price desc, b.title_key desc, b.id desc' else 'b.price asc, b.title_key asc, b.id asc' end
    when 'stock_quantity' then case when _descending then 'b.stock_quantity desc, b.id desc' else 'b.stock_quantity asc, b.id asc' end
    else case when coalesce(_descending, true) then 'b.created_at desc, b.id desc' else 'b.created_at asc, b.id asc' end end;
  conditions constant text := private.book_list_conditions(_publisher, _q, _kind);
begin
  perform private.require_a_duty();
  return query execute
    'select b.*
       from (select b.id from public.books b where ' || conditions
         || private.ordered_paging('books', conditions, sorted, _page, _page_size) || ') as page
         join public.books b on b.id = page.id
      order by ' || sorted;
end $$;

select private.expose('admin_list_books', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_books has with the same filters: exact. */
create or replace function private.admin_count_books(_publisher text default null, _q text default null, _kind text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  conditions constant text := private.book_list_conditions(_publisher, _q, _kind);
  found_rows bigint;
begin
  perform private.require_a_duty();
  if conditions = private.book_list_conditions(_publisher, null) then
    return private.tally('books', private.clean_line(_publisher));
  end if;
  execute 'select count(*) from public.books b where ' || conditions into found_rows;
  return found_rows;
end $$;

select private.expose('admin_count_books', 'authenticated', 'service_role');

/* Staff: how many titles there are of each kind, in the order of the kinds. Few aren't books, so only those are counted. */
create or replace function private.count_kinds()
returns table (kind text, titles bigint) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_a_duty();
  return query
    with others as (select b.kind, count(*) as titles from public.books b where b.kind <> 'book' group by b.kind)
    select k, case k when 'book' then private.tally('books') - coalesce((select sum(o.titles) from others o), 0)::bigint
                     else coalesce(o.titles, 0) end
      from unnest(private.book_kinds()) with ordinality as kinds (k, position) left join others o on o.kind = k
     order by position;
end $$;

select private.expose('count_kinds', 'authenticated', 'service_role');

/*
 * Staff: stages new prices for the books that admin_list_books finds by the same filters; returns the import's id. A book whose price
 * has changed by the time it is applied is refused.
 */
create or replace function private.stage_price_change(
  _percent numeric, _round_to numeric, _publisher text default null, _q text default null, _kind text default null
)
returns uuid language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  import_id uuid;
  staged int;
begin
  perform private.require_duty('catalogue');
  perform private.require_number('percent', 'The change in percent', _percent, -90, 900);
  if _percent = 0 then
    perform private.refuse('PT400', 'invalid_field', 'A change of 0 percent changes nothing.', jsonb_build_object('field', 'percent', 'rule', 'range'));
  end if;
  if _round_to is null or _round_to <> all ('{0.01,0.05,0.10,0.50,1,5,10}') then
    perform private.refuse('PT400', 'invalid_field', 'Prices can be rounded to 0.01, 0.05, 0.10, 0.50, 1, 5 or 10 cedis.',
      jsonb_build_object('field', 'round_to', 'rule', 'choice'));
  end if;
  import_id := private.create_book_import(
    _file_name => format('Prices %s%s%%, rounded to %s%s', case when _percent > 0 then '+' end, trim_scale(_percent), to_char(_round_to, 'FM90.00'),
                         coalesce(', ' || nullif(_publisher, ''), '') || coalesce(', ' || nullif(btrim(_q), ''), '')
                           || coalesce(', ' || nullif(_kind, ''), '')),
    _fingerprint => 'prices');
  execute format(
    'insert into public.book_import_rows (import_id, line, fields, given_id)
     select %L, row_number() over (order by b.title_key, b.id),
            jsonb_build_object(''price'', private.changed_price(b.price, %s, %s), ''seen_price'', b.price), b.id
       from public.books b where %s', import_id, _percent, _round_to, private.book_list_conditions(_publisher, _q, _kind));
  get diagnostics staged = row_count;
  if staged = 0 then
    perform private.refuse('PT404', 'no_books', 'No book matches.');
  end if;
  return import_id;
end $$;

select private.expose('stage_price_change', 'authenticated', 'service_role');
/* A book with the fields shown on cards. */
create or replace function private.book_card(_book public.books)
returns jsonb language sql immutable set search_path = '' as $$
  select case when _book.id is not null then jsonb_build_object(
    'id', _book.id, 'title', _book.title, 'authors', _book.authors, 'publisher', _book.publisher, 'isbn', _book.isbn,
    'price', _book.price, 'stock_quantity', _book.stock_quantity, 'course', _book.course, 'subject', _book.subject,
    'grade_level', _book.grade_level, 'edition', _book.edition, 'image_url', _book.image_url,
    'average_rating', _book.average_rating, 'review_count', _book.review_count,
    'kind', _book.kind, 'digital_by', _book.digital_by) end
$$;

