-- Reading the catalogue: search with every filter, paged by number or by key, exact counts, the values to filter by,
-- and the Cambridge page's sections. All run with the caller's rights.
--
-- The queries are put together as text, with only the conditions that were asked for. One query for all cases
-- ("_q is null or …") is planned well only as long as its arguments are constants for the planner, and the data API
-- hands them over as columns of a parsed body: then no index is used. Values go in through format's %L alone.

/* The WHERE clause for the books b that fit; "true" when nothing was asked for. */
create function private.book_conditions(
  _q text, _publisher text, _course text, _subject text, _grade_level text, _curriculum_type text,
  _min_price numeric, _max_price numeric, _min_rating numeric
) returns text language sql immutable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select '(' || string_agg(format('b.search_text like %L', pattern), ' or ') || ')' as condition
      from unnest(private.book_patterns(_q)) as pattern
    union all select format('b.publisher = %L', private.clean_line(_publisher)) where private.clean_line(_publisher) <> ''
    union all select format('b.course = %L', private.clean_line(_course)) where private.clean_line(_course) <> ''
    union all select format('b.subject = %L', private.clean_line(_subject)) where private.clean_line(_subject) <> ''
    union all select format('b.grade_level = %L', private.clean_line(_grade_level)) where private.clean_line(_grade_level) <> ''
    union all select format('b.curriculum_type = %L', private.clean_line(_curriculum_type))
      where private.clean_line(_curriculum_type) <> ''
    union all select format('b.price >= %L::numeric', _min_price) where _min_price is not null
    union all select format('b.price <= %L::numeric', _max_price) where _max_price is not null
    union all select format('b.average_rating >= %L::numeric', _min_rating) where _min_rating is not null
  ) as conditions
$$;
revoke execute on function
  private.book_conditions(text, text, text, text, text, text, numeric, numeric, numeric) from public;
grant execute on function
  private.book_conditions(text, text, text, text, text, text, numeric, numeric, numeric)
  to anon, authenticated, service_role;

/*
 * The text of search_books' query, apart so that a test can have it explained.
 *
 * Without a search text the shelves come from an index in their order. With one, neither way is always good: walking the
 * shelf until a page is full takes for ever when little matches, or only far behind, and collecting all matches to sort
 * them is a waste when every tenth book matches; and the planner cannot know. So the next 2,000 or so titles are
 * walked first, and only if they do not fill the page are all matches collected: by the trigram index, fenced by OFFSET 0
 * so that the order asked for does not tempt the planner into walking after all.
 */
create function private.search_books_query(
  _q text, _publisher text, _course text, _subject text, _grade_level text, _curriculum_type text,
  _min_price numeric, _max_price numeric, _min_rating numeric, _page int, _page_size int,
  _after_title text, _after_id uuid, _before_title text, _before_id uuid
) returns text language plpgsql immutable set search_path = '' as $$
declare
  conditions constant text := private.book_conditions(
    _q, _publisher, _course, _subject, _grade_level, _curriculum_type, _min_price, _max_price, _min_rating);
  page_size constant int := least(greatest(coalesce(_page_size, 24), 1), 1000);
  skipped int := 0;
  direction text := '';
  place text := 'true';
  needed int;
begin
  if _after_title is not null then
    place := format('(b.title_key, b.id) > (%L, %L::uuid)', private.fold(_after_title),
      coalesce(_after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'));
  elsif _before_title is not null then
    place := format('(b.title_key, b.id) < (%L, %L::uuid)', private.fold(_before_title),
      coalesce(_before_id, '00000000-0000-0000-0000-000000000000'));
    direction := ' desc';
  else
    skipped := (least(greatest(coalesce(_page, 1), 1), 100) - 1) * page_size;
  end if;
  needed := skipped + page_size;

  if private.book_patterns(_q) = '{}' then
    return format(
      'select * from (select b.* from public.books b where %1$s and %2$s order by b.title_key%3$s, b.id%3$s limit %4$s offset %5$s) as page'
      ' order by title_key, id', conditions, place, direction, page_size, skipped);
  end if;
  return format(
    'with near as materialized ('
    '  select b.id, b.title_key'
    '    from (select * from public.books b where %2$s order by b.title_key%3$s, b.id%3$s limit %7$s) as b'
    '   where %1$s order by b.title_key%3$s, b.id%3$s limit %6$s'
    '), page as materialized ('
    '  select id from ('
    '    select id, title_key from near where (select count(*) from near) = %6$s'
    '    union all'
    '    select id, title_key from (select b.id, b.title_key from public.books b where %1$s and %2$s offset 0) as found'
    '     where (select count(*) from near) < %6$s'
    '  ) as both_ways order by title_key%3$s, id%3$s limit %4$s offset %5$s'
    ') select b.* from page join public.books b on b.id = page.id order by b.title_key, b.id',
    conditions, place, direction, page_size, skipped, needed, least(greatest(needed * 8, 2000), 20000));
end $$;
revoke execute on function private.search_books_query(
  text, text, text, text, text, text, numeric, numeric, numeric, int, int, text, uuid, text, uuid) from public;
grant execute on function private.search_books_query(
  text, text, text, text, text, text, numeric, numeric, numeric, int, int, text, uuid, text, uuid)
  to anon, authenticated, service_role;

/*
 * The books that fit all filters given, by title (case and accents do not count), then id. _q is found anywhere in
 * title, authors, publisher, course, subject, ISBN or description. Page sizes up to 1,000, pages up to 100; beyond them
 * _after_title with _after_id continues behind a book, _before_title with _before_id goes back before one.
 */
create function public.search_books(
  _q text default null, _publisher text default null, _course text default null, _subject text default null,
  _grade_level text default null, _curriculum_type text default null, _min_price numeric default null,
  _max_price numeric default null, _min_rating numeric default null, _page int default null,
  _page_size int default null, _after_title text default null, _after_id uuid default null,
  _before_title text default null, _before_id uuid default null
) returns setof public.books language plpgsql stable set search_path = '' rows 24 as $$
begin
  return query execute private.search_books_query(
    _q, _publisher, _course, _subject, _grade_level, _curriculum_type, _min_price, _max_price, _min_rating, _page,
    _page_size, _after_title, _after_id, _before_title, _before_id);
end $$;
revoke execute on function public.search_books(
  text, text, text, text, text, text, numeric, numeric, numeric, int, int, text, uuid, text, uuid) from public, anon, authenticated, service_role;
grant execute on function public.search_books(
  text, text, text, text, text, text, numeric, numeric, numeric, int, int, text, uuid, text, uuid)
  to anon, authenticated, service_role;

/* How many books fit: exact. */
create function public.count_books(
  _q text default null, _publisher text default null, _course text default null, _subject text default null,
  _grade_level text default null, _curriculum_type text default null, _min_price numeric default null,
  _max_price numeric default null, _min_rating numeric default null
) returns bigint language plpgsql stable set search_path = '' as $$
declare
  books bigint;
begin
  execute 'select count(*) from public.books b where ' || private.book_conditions(
    _q, _publisher, _course, _subject, _grade_level, _curriculum_type, _min_price, _max_price, _min_rating) into books;
  return books;
end $$;
revoke execute on function
  public.count_books(text, text, text, text, text, text, numeric, numeric, numeric) from public, anon, authenticated, service_role;
grant execute on function
  public.count_books(text, text, text, text, text, text, numeric, numeric, numeric) to anon, authenticated, service_role;

/*
 * The publishers, courses and subjects among the books that match _q (null: all books), with their numbers of books:
 * the 300 most frequent of each, in the order of the alphabet. "total" is how many values the facet has in all.
 */
create function public.list_book_facets(_q text default null)
returns table (facet text, value text, books bigint, total bigint)
language plpgsql stable set search_path = '' as $$
begin
  return query execute
    'with counted as (
       select case when grouping(b.publisher) = 0 then ''publisher''
                   when grouping(b.course) = 0 then ''course'' else ''subject'' end as facet,
              coalesce(b.publisher, b.course, b.subject) as value, count(*) as books
         from public.books b where ' || private.book_conditions(_q, null, null, null, null, null, null, null, null) || '
        group by grouping sets ((b.publisher), (b.course), (b.subject))
     ), ranked as (
       select *, count(*) over (partition by facet) as total,
              row_number() over (partition by facet order by books desc, value) as place
         from counted where value is not null
     )
     select facet, value, books, total from ranked where place <= 300
      order by facet, private.fold(value) collate "C", value';
end $$;
revoke execute on function public.list_book_facets(text) from public, anon, authenticated, service_role;
grant execute on function public.list_book_facets(text) to anon, authenticated, service_role;

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
revoke execute on function public.list_cambridge_books(text) from public, anon, authenticated, service_role;
grant execute on function public.list_cambridge_books(text) to anon, authenticated, service_role;
