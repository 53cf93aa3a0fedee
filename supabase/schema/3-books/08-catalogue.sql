-- Reading the catalogue: search with every filter, paged by number or by key, exact counts, the values to filter by,
-- and the Cambridge page's sections. All run with the caller's rights.

/*
 * The books that match all given filters, by title (case and accents do not count), then id. _q is found anywhere in
 * title, authors, publisher, course, subject, ISBN or description. Page sizes up to 1,000, pages up to 100; beyond
 * them _after_title with _after_id continues after a book, _before_title with _before_id goes back before one.
 */
create function public.search_books(
  _q text default null, _publisher text default null, _course text default null, _subject text default null,
  _grade_level text default null, _curriculum_type text default null, _min_price numeric default null,
  _max_price numeric default null, _min_rating numeric default null, _page int default null,
  _page_size int default null, _after_title text default null, _after_id uuid default null,
  _before_title text default null, _before_id uuid default null
) returns setof public.books language plpgsql stable set search_path = '' rows 24 as $$
declare
  filters constant private.book_filters := (
    _q, _publisher, _course, _subject, _grade_level, _curriculum_type, _min_price, _max_price, _min_rating, null);
  asked constant private.shelf_page := (null, _page, _page_size, _after_title, _after_id, _before_title, _before_id);
  place constant text := private.book_place(asked);
  page record;
  ids uuid[];
begin
  if private.clean_line(left(_q, 200)) is not null then
    ids := private.few_books(place || ' and ' || private.book_conditions(filters), _q);
  end if;
  if ids is null then
    return query execute private.search_books_query(filters, asked);
    return;
  end if;
  page := private.book_page(case place when 'true' then _page end, _page_size);
  if _after_title is null and _before_title is not null then
    page.first_book := greatest(cardinality(ids) - page.last_book + 1, 1);
    page.last_book := cardinality(ids);
  end if;
  return query select b.* from public.books b where b.id = any (ids[page.first_book:page.last_book]) order by b.title_key, b.id;
end $$;
grant execute on function public.search_books to anon, authenticated, service_role;

/* The exact number of books that match. */
create function public.count_books(
  _q text default null, _publisher text default null, _course text default null, _subject text default null,
  _grade_level text default null, _curriculum_type text default null, _min_price numeric default null,
  _max_price numeric default null, _min_rating numeric default null
) returns bigint language plpgsql stable set search_path = '' as $$
declare
  books bigint;
begin
  execute 'select count(*) from public.books b where ' || private.counting_conditions((
    _q, _publisher, _course, _subject, _grade_level, _curriculum_type, _min_price, _max_price, _min_rating, null)) into books;
  return books;
end $$;
grant execute on function public.count_books to anon, authenticated, service_role;

/* The text of list_book_facets' query over the matching books b. */
create function private.book_facets_query(_conditions text)
returns text language sql immutable set search_path = '' as $$
  select
    'with counted as (
       select case when grouping(b.publisher) = 0 then ''publisher''
                   when grouping(b.course) = 0 then ''course'' else ''subject'' end as facet,
              coalesce(b.publisher, b.course, b.subject) as value, count(*) as books
         from public.books b where ' || _conditions || '
        group by grouping sets ((b.publisher), (b.course), (b.subject))
     ), ranked as (
       select *, count(*) over (partition by facet) as total,
              row_number() over (partition by facet order by books desc, value) as place
         from counted where value is not null
     )
     select facet, value, books, total from ranked where place <= 300
      order by facet, private.fold(value) collate "C", value'
$$;
grant execute on function private.book_facets_query to anon, authenticated, service_role;

/*
 * The publishers, courses and subjects among the books that match _q (null: all books), with their numbers of books:
 * the 300 most frequent of each, in the order of the alphabet. "total" is how many values the facet has in all.
 */
create function public.list_book_facets(_q text default null)
returns table (facet text, value text, books bigint, total bigint)
language plpgsql stable set search_path = '' as $$
declare
  filters private.book_filters;
begin
  filters.q := _q;
  return query execute private.book_facets_query(private.counting_conditions(filters));
end $$;
grant execute on function public.list_book_facets to anon, authenticated, service_role;

/*
 * What a page of the catalogue shows, in one call: {"books", "total", "facets"}, as search_books (with these of its columns; page size 0:
 * none; in the order of _sort, which is 'price', 'price-desc', 'newest' or 'rating', and then by number only), count_books and
 * list_book_facets have them for the same arguments; "total" and "facets" are null unless asked for. What few
 * books match is looked up once for all three.
 */
create function public.catalogue_page(
  _columns text[], _q text default null, _publisher text default null, _course text default null,
  _subject text default null, _page int default null, _page_size int default null, _after_title text default null,
  _after_id uuid default null, _before_title text default null, _before_id uuid default null,
  _with_total boolean default false, _with_facets boolean default false, _grade_level text default null,
  _min_price numeric default null, _max_price numeric default null, _in_stock boolean default null, _sort text default null
) returns json language plpgsql stable set search_path = '' as $$
declare
  -- Each once: a thousand times the description would be a large answer.
  columns constant text := (select string_agg(distinct format('b.%I', name), ', ') from unnest(_columns) as name);
  filters private.book_filters := (
    _q, _publisher, _course, _subject, _grade_level, null, _min_price, _max_price, null, _in_stock);
  has_text constant boolean := private.clean_line(left(_q, 200)) is not null;
  conditions constant text := private.book_conditions(filters);
  ordered constant text := private.book_order(_sort);
  ids uuid[];
  page record;
  source text;
  facets_of text;
  books json := '[]';
  total bigint;
  facets json;
begin
  if has_text then ids := private.few_books(conditions, _q, ordered); end if;
  if _page_size = 0 or columns is null then
    source := null;
  elsif ids is not null and (ordered is not null or _after_title is null and _before_title is null) then
    page := private.book_page(_page, _page_size);
    source := format('public.books b where b.id = any (%L::uuid[]) order by %s', ids[page.first_book:page.last_book],
      coalesce(ordered, 'b.title_key, b.id'));
  else
    source := '(' || private.search_books_query(filters, (
      _sort, _page, _page_size, case when ordered is null then _after_title end, _after_id,
      case when ordered is null then _before_title end, _before_id)) || ') as b';
  end if;
  if source is not null then
    execute 'select coalesce(json_agg(page), ''[]'') from (select ' || columns || ' from ' || source || ') as page' into books;
  end if;
  if _with_total and ids is not null then
    total := cardinality(ids);
  elsif _with_total then
    execute 'select count(*) from public.books b where ' || private.counting_conditions(filters) into total;
  end if;
  if _with_facets then
    filters := null;
    filters.q := _q;
    facets_of := case when ids is not null and conditions = private.text_condition(_q) then format('b.id = any (%L::uuid[])', ids)
                      else private.counting_conditions(filters) end;
    execute 'select coalesce(json_agg(f), ''[]'') from (' || private.book_facets_query(facets_of) || ') as f' into facets;
  end if;
  return json_build_object('books', books, 'total', total, 'facets', facets);
end $$;
grant execute on function public.catalogue_page to anon, authenticated, service_role;

/*
 * A section of the Cambridge page, 'Primary', 'Secondary/IGCSE' or 'A Level': at most 8 books of 'Cambridge University
 * Press', by title. A book may be in several.
 */
create function public.list_cambridge_books(_section text)
returns setof public.books language sql stable set search_path = '' rows 8 as $$
  select b.*
    from (values ('Primary', '(primary|ks1|ks2)'), ('Secondary/IGCSE', 'igcse'), ('A Level', 'a[ -]level'))
           as s (section, pattern)
    join public.books b on b.grade_level ~* s.pattern or b.course ~* s.pattern
   where s.section = _section and b.publisher = 'Cambridge University Press'
   order by b.title_key, b.id limit 8
$$;
grant execute on function public.list_cambridge_books to anon, authenticated, service_role;

-- What the shop offers to filter by beside publisher, course and subject, each with its number of books.

/*
 * The grade levels, price ranges and stock among the books that fit the other filters: of each kind those that fit all filters but its own,
 * so that a choice's number is what choosing it shows. "choice" is 'grade', 'price' or 'stock'; a price's value is the number
 * of its range: 0 below the first of _price_steps (in cedis, ascending), 1 from it to below the second, and so on. The
 * 300 most frequent grade levels.
 */
create function public.list_book_choices(
  _price_steps numeric[], _q text default null, _publisher text default null, _course text default null,
  _subject text default null, _grade_level text default null, _price_range int default null, _in_stock boolean default null
) returns table (choice text, value text, books bigint) language plpgsql stable set search_path = ''
set jit = off as $$
declare
  filters constant private.book_filters := (_q, _publisher, _course, _subject, null, null, null, null, null, null);
  steps constant numeric[] := array(select step from unnest(_price_steps[1:20]) as step where step is not null order by step);
begin
  return query execute
    'with counted as materialized (
       select b.grade_level, case when cardinality($1) > 0 then width_bucket(b.price, $1) else 0 end as price_range,
              b.stock_quantity > 0 as in_stock, count(*) as books
         from public.books b where ' || private.counting_conditions(filters) || '
        group by 1, 2, 3
     ), fitting as (
       select *, grade_level = $2 or $2 is null as fits_grade, price_range = $3 or $3 is null as fits_price,
              in_stock or $4 is not true as fits_stock
         from counted
     )
     (select ''grade'', grade_level, sum(books)::bigint from fitting
       where fits_price and fits_stock and grade_level is not null group by 2 order by 3 desc, 2 limit 300)
     union all
     select ''price'', price_range::text, sum(books)::bigint from fitting where fits_grade and fits_stock group by 2
     union all
     select ''stock'', ''in'', sum(books)::bigint from fitting where fits_grade and fits_price and in_stock having sum(books) > 0'
    using steps, private.clean_line(_grade_level), _price_range, _in_stock;
end $$;
grant execute on function public.list_book_choices to anon, authenticated, service_role;
