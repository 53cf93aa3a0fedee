-- Titles in the order of their numbers: volume 2 before volume 10.

/* A title as it is sorted: folded, with numbers of three digits, so that volume 2 comes before volume 10. */
create function private.title_key(_title text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select regexp_replace(regexp_replace(private.fold(_title),
    '(?<![0-9])([0-9])(?![0-9])', '00\1', 'g'), '(?<![0-9])([0-9]{2})(?![0-9])', '0\1', 'g')
$$;
grant execute on function private.title_key to anon, authenticated, service_role;

-- With the column go its indexes.
alter table public.books drop column title_key;
alter table public.books add column title_key text collate "C" generated always as (private.title_key(title)) stored;
create index books_by_title on public.books (title_key, id)
  include (publisher, course, subject, grade_level, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_publisher on public.books (publisher, title_key, id)
  include (course, subject, grade_level, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_course on public.books (course, title_key, id)
  include (publisher, subject, grade_level, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_subject on public.books (subject, title_key, id)
  include (publisher, course, grade_level, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_grade_level on public.books (grade_level, title_key, id)
  include (publisher, course, subject, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_price on public.books (price, title_key, id)
  include (publisher, course, subject, grade_level, stock_quantity, average_rating, review_count, created_at);
create index books_by_rating on public.books (average_rating desc nulls last, review_count desc, title_key, id)
  include (publisher, course, subject, grade_level, price, stock_quantity);
create index books_by_kind on public.books (kind, title_key, id);

/* The WHERE clause for the books b after a book, or before one, by title; "true" without either, or in another order. */
create or replace function private.book_place(_search public.book_search)
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

/* The LIKE pattern for title keys that begin with a typed text. */
create or replace function private.begins_pattern(_typed text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select replace(replace(replace(private.title_key(_typed), '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;

/*
 * The books of a publisher's listed titles, by their place in the list from 1: of several editions one that is in stock, otherwise the
 * newest. A title that the shop does not sell has no row.
 */
create or replace function public.list_titled_books(_publisher_id uuid)
returns table (place bigint, book_id uuid, title text, in_stock boolean) language sql stable set search_path = '' as $$
  select listed.place, b.id, b.title, b.stock_quantity > 0
    from public.publishers p
   cross join lateral jsonb_array_elements(p.titles) with ordinality as listed (value, place)
   cross join lateral (
     select * from public.books b
      where b.publisher = p.name and b.title_key = private.title_key(listed.value ->> 'title')
      order by b.stock_quantity > 0 desc, b.created_at desc, b.id limit 1) as b
   where p.id = _publisher_id
   order by listed.place
$$;

/* The folded title without the edition in it: 'physics' of 'Physics (2nd ed.)' and of 'Physics, Second Edition'. */
create or replace function private.title_without_edition(_title_key text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select btrim(regexp_replace(_title_key,
    '[ ,:;(\[-]*\m([0-9]{1,3}(st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\M *ed(ition|n)?\M\.?[)\]]?', ''))
$$;

/* The edition of a book, from its own field or else its title; a book that names none is a first edition. */
create or replace function private.edition_of(_edition text, _title_key text)
returns int language sql immutable parallel safe set search_path = '' as $$
  select coalesce(private.edition_in(_edition),
    private.edition_in(substring(_title_key from '(\m(?:[0-9]{1,3}(?:st|nd|rd|th)|[a-z]+)\M *ed(?:ition|n)?\M)')), 1)
$$;

/*
 * The books that match texts: an ISBN, one of the shop's own codes or a whole title each; a code takes precedence
 * over a title. One row per book, with the text's position from 1; none for a text without a match.
 */
create or replace function private.matching_books(_texts text[])
returns table (line int, book_id uuid) language sql stable set search_path = '' as $$
  with typed as materialized (
    select place::int as line, private.isbn_key(given) as code, private.title_key(given) as title
      from unnest(_texts) with ordinality as element (value, place), private.clean_line(value) as given
  ), by_code as (
    select t.line, b.id from typed t join public.books b on b.isbn_key = t.code
  )
  select * from by_code
  union all
  select t.line, b.id from typed t join public.books b on b.title_key = t.title
   where t.line not in (select c.line from by_code c)
$$;
