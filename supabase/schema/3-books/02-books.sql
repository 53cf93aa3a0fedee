-- Books and stationery: what the shop sells. Everyone reads them; admins write them. Ratings are maintained by the
-- reviews' trigger alone, the search columns by the database.

/* See books.for_sale. */
create function private.copies_for_sale(_sale_state text, _stock int)
returns int language sql immutable parallel safe set search_path = '' as $$
  select case when _sale_state = 'coming_soon' then -1
              when _sale_state = 'not_for_sale' or _sale_state = 'last_copies' and _stock <= 0 then -2 else _stock end
$$;
grant execute on function private.copies_for_sale to anon, authenticated, service_role;

/* Whether a text is a year, a month or a day: '2027', '2027-01', '2027-01-15'. */
create function private.is_open_date(_text text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select case when _text ~ '^(19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$'
              then length(_text) < 10 or substr(_text, 9)::int <= extract(day from
                     make_date(left(_text, 4)::int, substr(_text, 6, 2)::int, 1) + interval '1 month' - interval '1 day')
              else _text is null end
$$;
grant execute on function private.is_open_date to anon, authenticated, service_role;

create table public.books (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  authors text,
  publisher text,
  isbn text,
  description text,
  -- In cedis. Not numeric(10, 2), which rounds before check_book can refuse a third decimal.
  price numeric not null,
  stock_quantity integer not null default 0,
  image_url text,
  course text,
  subject text,
  grade_level text,
  age_range text,
  curriculum_type text,
  edition text,
  average_rating numeric(3, 2),
  review_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The order of the shelves: the same on every engine, whatever its collation. Case and accents do not count, and numbers do.
  title_key text collate "C" generated always as (private.title_key(title)) stored,
  -- Identifies a book in an import; and the same for valid ISBNs only, to point out duplicates.
  isbn_key text collate "C" generated always as (private.isbn_key(isbn)) stored,
  isbn13 text collate "C" generated always as (private.isbn13(isbn)) stored,
  -- Everything that the search covers. Fields are separated by a line feed, which no search text contains.
  -- Folded in one call, because every update of a book recomputes this, including an order that takes stock.
  search_text text collate "C" generated always as (private.search_key(private.fold(
    title || E'\n' || coalesce(authors, '') || E'\n' || coalesce(publisher, '') || E'\n' || coalesce(course, '') || E'\n'
    || coalesce(subject, '') || E'\n' || coalesce(isbn, '') || E'\n' || coalesce(private.isbn13(isbn), '') || E'\n'
    || coalesce(private.book_code(isbn), '') || E'\n' || coalesce(description, '')
  ))) stored,
  -- The words that describe a book, the title's first.
  word_text text collate "C" generated always as (
    private.word_text(array[title, authors, publisher, course, subject, grade_level, curriculum_type])
  ) stored,
  -- Where its copies are in the shop, for the pick list.
  shelf text,
  -- The kind of title: only books have an ISBN and an edition. A digital title is delivered as files or as licence
  -- codes, and its stock is the database's own (4-orders/15-digital-titles).
  kind text not null default 'book',
  digital_by text,
  -- Whether the shop sells it. What is coming soon may have the day, the month or the year from which it is there: '2027-01'.
  sale_state text not null default 'on_sale',
  available_on text,
  -- How many copies customers can order: those in stock, -1 of a title that is coming soon, -2 of one that is not for sale. Whatever asks
  -- whether a title can be bought or shown asks this.
  for_sale integer not null generated always as (private.copies_for_sale(sale_state, stock_quantity)) stored,
  -- The ISBN of the edition that replaces it, whether or not the shop has that yet.
  newer_isbn text,
  constraint books_title_is_short check (length(title) between 1 and 500),
  constraint books_authors_are_short check (length(authors) <= 1000),
  constraint books_publisher_is_short check (length(publisher) <= 200),
  constraint books_isbn_is_short check (length(isbn) <= 40),
  constraint books_description_is_short check (length(description) <= 10000),
  constraint books_image_url_is_short check (length(image_url) <= 2000),
  constraint books_details_are_short check (
    greatest(length(course), length(subject), length(grade_level), length(age_range), length(curriculum_type),
             length(edition)) <= 200
  ),
  constraint books_shelf_is_short check (length(shelf) <= 60),
  constraint books_kind_is_known check (kind in ('book', 'digital', 'stationery')),
  constraint books_are_digital_by_something check (
    case when kind = 'digital' then digital_by is not null and digital_by in ('file', 'code') else digital_by is null end),
  constraint books_sale_state_is_known check (sale_state in ('on_sale', 'coming_soon', 'last_copies', 'not_for_sale')),
  constraint books_newer_isbn_is_short check (length(newer_isbn) <= 40),
  constraint books_available_on_is_a_date check (private.is_open_date(available_on)),
  constraint books_price_is_not_negative check (price between 0 and 99999999.99),
  constraint books_price_is_in_pesewas check (price = round(price, 2)),
  constraint books_stock_is_not_negative check (stock_quantity >= 0),
  constraint books_rating_is_out_of_five check (average_rating between 1 and 5),
  constraint books_review_count_is_not_negative check (review_count >= 0)
);
-- One index per filter and sort order, each including every column that pages are filtered and ordered by: even among a million books,
-- one of these alone finds a page.
create index books_by_title on public.books (title_key, id)
  include (publisher, course, subject, grade_level, kind, price, for_sale, average_rating, review_count, created_at);
create index books_by_publisher on public.books (publisher, title_key, id)
  include (course, subject, grade_level, kind, price, for_sale, average_rating, review_count, created_at);
create index books_by_course on public.books (course, title_key, id)
  include (publisher, subject, grade_level, kind, price, for_sale, average_rating, review_count, created_at);
create index books_by_subject on public.books (subject, title_key, id)
  include (publisher, course, grade_level, kind, price, for_sale, average_rating, review_count, created_at);
create index books_by_grade_level on public.books (grade_level, title_key, id)
  include (publisher, course, subject, kind, price, for_sale, average_rating, review_count, created_at);
create index books_by_price on public.books (price, title_key, id)
  include (publisher, course, subject, grade_level, kind, for_sale, average_rating, review_count, created_at);
create index books_by_rating on public.books (average_rating desc nulls last, review_count desc, title_key, id)
  include (publisher, course, subject, grade_level, kind, price, for_sale);
create index books_best_rated on public.books (average_rating desc, review_count desc, id)
  where average_rating is not null and for_sale > 0;
create index books_newest_first on public.books (created_at desc, id desc)
  include (publisher, course, subject, grade_level, kind, price, for_sale);
create index books_by_stock on public.books (stock_quantity, id) include (for_sale);
create index books_by_kind on public.books (kind, title_key, id)
  include (publisher, course, subject, grade_level, price, for_sale, average_rating, review_count, created_at);
create index books_by_isbn on public.books (isbn_key);
-- What waits to be sorted into it is read through by every search: no more than eight pages.
create index books_search on public.books using gin (search_text extensions.gin_trgm_ops)
  with (gin_pending_list_limit = 64);
-- One entry per word, not per trigram: a word spelt like one that every book has does not lead to every book.
create index books_words on public.books using gin (private.words_vector(word_text)) with (gin_pending_list_limit = 256);
-- An index-only scan needs pages that have been vacuumed since they changed.
alter table public.books set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

alter table public.books enable row level security;
grant select on public.books to anon, authenticated, service_role;
grant delete on public.books to authenticated, service_role;

create policy "everyone reads books" on public.books
  for select to anon, authenticated using (true);
create policy "staff add books" on public.books
  for insert to authenticated with check ((select private.has_duty('catalogue')));
create policy "staff change books" on public.books
  for update to authenticated using ((select private.has_duty('catalogue'))) with check ((select private.has_duty('catalogue')));
create policy "staff delete books" on public.books
  for delete to authenticated using ((select private.has_duty('catalogue')) and (select private.has_duty('deletions')));

/*
 * A number that changes whenever what pages show of any book changes, so that pages rendered from the catalogue can be cached
 * until then. From ten copies on pages don't show how many there are, so most orders leave all pages as they are. A sequence, because a counter in a row would make orders wait for one another. It moves when the
 * statement runs, a moment before its transaction becomes visible: a reader of the number and the books in
 * between caches the old books under the new number. So cached pages must also expire by time.
 */
create sequence private.catalogue_versions;
select nextval('private.catalogue_versions');
grant select on sequence private.catalogue_versions to anon, authenticated, service_role;

create function private.bump_catalogue_version()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform nextval('private.catalogue_versions');
  return null;
end $$;

create function public.catalogue_version()
returns bigint language sql stable set search_path = '' as $$
  select last_value from private.catalogue_versions
$$;
grant execute on function public.catalogue_version to anon, authenticated, service_role;
