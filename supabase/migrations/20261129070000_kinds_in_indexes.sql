-- The kind is in every index of the catalogue: what a filter offers is counted from one alone again, and not from the books' rows.

drop index public.books_by_title, public.books_by_publisher, public.books_by_course, public.books_by_subject, public.books_by_grade_level, public.books_by_price, public.books_by_rating, public.books_newest_first, public.books_by_kind;
create index books_by_title on public.books (title_key, id)
  include (publisher, course, subject, grade_level, kind, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_publisher on public.books (publisher, title_key, id)
  include (course, subject, grade_level, kind, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_course on public.books (course, title_key, id)
  include (publisher, subject, grade_level, kind, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_subject on public.books (subject, title_key, id)
  include (publisher, course, grade_level, kind, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_grade_level on public.books (grade_level, title_key, id)
  include (publisher, course, subject, kind, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_price on public.books (price, title_key, id)
  include (publisher, course, subject, grade_level, kind, stock_quantity, average_rating, review_count, created_at);
create index books_by_rating on public.books (average_rating desc nulls last, review_count desc, title_key, id)
  include (publisher, course, subject, grade_level, kind, price, stock_quantity);
create index books_newest_first on public.books (created_at desc, id desc)
  include (publisher, course, subject, grade_level, kind, price, stock_quantity);
create index books_by_kind on public.books (kind, title_key, id)
  include (publisher, course, subject, grade_level, price, stock_quantity, average_rating, review_count, created_at);

/*
 * Whether the indexes for filters and sort orders can hold these texts: an index row has at most 2,704 bytes. Only characters of three
 * or four bytes, and a title of many numbers, come near that.
 */
create or replace function private.fits_shelves(_title text, _publisher text, _course text, _subject text, _grade_level text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select octet_length(concat(private.title_key(_title), _publisher, _course, _subject, _grade_level)) <= 2500
$$;
