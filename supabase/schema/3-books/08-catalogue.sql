-- Reading the catalogue: search with every filter, paged by number or by key, exact counts, the values to filter by,
-- and the sections of publishers' pages. All run with the caller's rights.

/* The books that match a search, one page of them. */
create function public.search_books(_search public.book_search default null)
returns setof public.books language plpgsql stable set search_path = '' rows 24 as $$
declare
  ids uuid[];
begin
  if private.clean_line(left(_search.q, 200)) is not null then
    ids := private.few_books(private.book_place(_search) || ' and ' || private.book_conditions(_search), _search.q,
      private.book_order(_search.sort));
  end if;
  return query execute private.book_page_query(_search, ids);
end $$;
grant execute on function public.search_books to anon, authenticated, service_role;

/* The exact number of books that match. */
create function public.count_books(_search public.book_search default null)
returns bigint language plpgsql stable set search_path = '' as $$
declare
  books bigint;
begin
  execute 'select count(*) from public.books b where ' || private.counting_conditions(_search) into books;
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
              row_number() over (partition by facet order by books desc, value) as position
         from counted where value is not null
     )
     select facet, value, books, total from ranked where position <= 300
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
  search public.book_search;
begin
  search.q := _q;
  return query execute private.book_facets_query(private.counting_conditions(search));
end $$;
grant execute on function public.list_book_facets to anon, authenticated, service_role;

/*
 * What a page of the catalogue shows, in one call: {"books", "total", "facets"}, as search_books (only these columns, "name:column" under another name; none with page_size
 * 0), count_books and list_book_facets return them for the same search. "total" and "facets" are null unless requested. The ids of few
 * matches are looked up once for all three.
 */
create function public.catalogue_page(
  _search public.book_search, _columns text[], _with_total boolean default false, _with_facets boolean default false
) returns json language plpgsql stable set search_path = '' as $$
declare
  -- Each once: the description a thousand times would be a large response.
  columns constant text := (
    select string_agg(distinct case when name like '%:%' then format('b.%I as %I', split_part(name, ':', 2), split_part(name, ':', 1))
                                    else format('b.%I', name) end, ', ') from unnest(_columns) as name);
  conditions constant text := private.book_conditions(_search);
  text_only public.book_search;
  ids uuid[];
  facets_of text;
  books json := '[]';
  total bigint;
  facets json;
begin
  if private.clean_line(left(_search.q, 200)) is not null then
    ids := private.few_books(conditions, _search.q, private.book_order(_search.sort));
  end if;
  if _search.page_size is distinct from 0 and columns is not null then
    execute format('select coalesce(json_agg(page), ''[]'') from (select %s from (%s) as b) as page', columns,
      private.book_page_query(_search, case when private.book_place(_search) = 'true' then ids end)) into books;
  end if;
  if _with_total and ids is not null then
    total := cardinality(ids);
  elsif _with_total then
    execute 'select count(*) from public.books b where ' || private.counting_conditions(_search) into total;
  end if;
  if _with_facets then
    text_only.q := _search.q;
    text_only.sale_state := _search.sale_state;
    facets_of := case when ids is not null and conditions = private.book_conditions(text_only) then format('b.id = any (%L::uuid[])', ids)
                      else private.counting_conditions(text_only) end;
    execute 'select coalesce(json_agg(f), ''[]'') from (' || private.book_facets_query(facets_of) || ') as f' into facets;
  end if;
  return json_build_object('books', books, 'total', total, 'facets', facets);
end $$;
grant execute on function public.catalogue_page to anon, authenticated, service_role;

/*
 * A section of a publisher's page, 'Primary', 'Secondary/IGCSE' or 'A Level': at most 8 of its books, by title. A book may be in several.
 * The planner can read the publisher's books by title until 8 match.
 */
create function public.list_publisher_books(_publisher text, _section text)
returns setof public.books language sql stable set search_path = '' rows 8 as $$
  select b.*
    from public.books b
   where b.publisher = _publisher and b.for_sale > -2
     and concat_ws(' | ', b.grade_level, b.course) ~*
           case _section when 'Primary' then '(primary|ks1|ks2)' when 'Secondary/IGCSE' then 'igcse' when 'A Level' then 'a[ -]level' end
   order by b.title_key, b.id limit 8
$$;
grant execute on function public.list_publisher_books to anon, authenticated, service_role;

-- What the shop offers to filter by beside publisher, course and subject, each with its number of books.

/*
 * The grade levels, price ranges, stock and kinds among the books that match the other filters: of each those that match all filters but its
 * own, so that a choice's number is what choosing it shows. "choice" is 'grade', 'price', 'stock' or 'kind'; a price's value is the index of its
 * range: 0 below the first of _price_steps (in cedis, ascending), 1 from it to below the second, and so on. The 300 most frequent grade
 * levels. _price_range is the chosen range, in place of the search's prices.
 */
create function public.list_book_choices(_search public.book_search, _price_steps numeric[], _price_range int default null)
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
              b.for_sale > 0 as in_stock, b.kind, count(*) as books
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
grant execute on function public.list_book_choices to anon, authenticated, service_role;
