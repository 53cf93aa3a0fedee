-- The fields of a book that staff edit. A new text column needs a line in book_texts, and any new column a call of
-- settle_book_columns; everything else follows: cleaning and limits, rights, triggers, import, undo, restoring, the
-- demo.

/* The texts of a book: their names in messages, their maximum lengths, and whether they may have several lines. */
create function private.book_texts()
returns table (name text, label text, at_most int, is_long boolean, is_required boolean)
language sql immutable set search_path = '' as $$
  values
    ('title', 'title', 500, false, true),
    ('authors', 'list of authors', 1000, false, false),
    ('publisher', 'publisher', 200, false, false),
    ('isbn', 'ISBN', 40, false, false),
    ('description', 'description', 10000, true, false),
    ('image_url', 'image address', 2000, false, false),
    ('course', 'course', 200, false, false),
    ('subject', 'subject', 200, false, false),
    ('grade_level', 'grade level', 200, false, false),
    ('age_range', 'age range', 200, false, false),
    ('curriculum_type', 'curriculum type', 200, false, false),
    ('edition', 'edition', 200, false, false),
    ('shelf', 'shelf place', 60, false, false),
    ('available_on', 'date', 10, false, false),
    ('newer_isbn', 'ISBN of the newer edition', 40, false, false)
$$;
grant execute on function private.book_texts to authenticated, service_role;

/* The columns that staff edit: all except the id and those that the database maintains or computes. */
create function private.book_columns(_prefix text default '')
returns text language sql stable set search_path = '' as $$
  select string_agg(_prefix || quote_ident(attname), ', ' order by attnum)
    from pg_catalog.pg_attribute
   where attrelid = 'public.books'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     and attname <> all ('{id,average_rating,review_count,created_at,updated_at}')
$$;

/*
 * Whether the indexes for filters and sort orders can hold these texts: an index row has at most 2,704 bytes. Only characters of three
 * or four bytes, and a title of many numbers, come near that.
 */
create function private.fits_shelves(_title text, _publisher text, _course text, _subject text, _grade_level text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select octet_length(concat(private.title_key(_title), _publisher, _course, _subject, _grade_level)) <= 2500
$$;
grant execute on function private.fits_shelves to authenticated, service_role;

create function private.book_kinds()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select '{book,digital,stationery}'::text[]
$$;
grant execute on function private.book_kinds to authenticated, service_role;

create function private.sale_states()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select '{on_sale,coming_soon,last_copies,not_for_sale}'::text[]
$$;
grant execute on function private.sale_states to authenticated, service_role;

create function private.check_book()
returns trigger language plpgsql set search_path = '' as $$
declare
  given constant jsonb := to_jsonb(new);
  cleaned jsonb := '{}';
  field record;
  value text;
begin
  for field in select * from private.book_texts() loop
    value := case when field.is_long then private.clean_text(given ->> field.name)
                  else private.clean_line(given ->> field.name) end;
    -- Not the barcodes of stationery, some of which look like an ISBN of ten digits.
    if field.name = 'isbn' and new.kind is distinct from 'stationery' then value := private.written_isbn(value); end if;
    value := private.require_text(field.name, 'The ' || field.label, value, field.at_most, field.is_required);
    cleaned := cleaned || jsonb_build_object(field.name, value);
  end loop;
  perform private.require_number('price', 'The price', new.price, 0, 99999999.99);
  perform private.require_pesewas('price', 'The price', new.price);
  -- Shown with two decimals, as in every other column of money.
  new.price := round(new.price, 2);
  perform private.require_number('stock_quantity', 'The stock quantity', new.stock_quantity, 0, 10000000);
  new := jsonb_populate_record(new, cleaned);
  -- Older clients, and lists without the column, know of books alone.
  new.kind := coalesce(private.clean_line(new.kind), 'book');
  new.digital_by := case when new.kind = 'digital' then coalesce(private.clean_line(new.digital_by), 'file') end;
  perform private.require_choice('kind', 'The kind', new.kind, private.book_kinds()),
    private.require_choice('digital_by', 'What a digital title is delivered as', new.digital_by, '{file,code}');
  new.sale_state := coalesce(private.clean_line(new.sale_state), 'on_sale');
  perform private.require_choice('sale_state', 'The status', new.sale_state, private.sale_states());
  if not private.is_open_date(new.available_on) then
    perform private.refuse('PT400', 'invalid_field', 'The date must be a year, a month or a day, such as 2027-01 or 2027-01-15.',
      jsonb_build_object('field', 'available_on', 'rule', 'date'));
  end if;
  if new.newer_isbn is not null and private.isbn13(new.newer_isbn) is null then
    perform private.refuse('PT400', 'invalid_field', 'The newer edition must be an ISBN, such as 9780521786553.',
      jsonb_build_object('field', 'newer_isbn', 'rule', 'isbn'));
  end if;
  new.newer_isbn := private.isbn13(new.newer_isbn);
  -- A new digital title has no files or codes yet. A restored one may: see restore_book.
  if tg_op = 'INSERT' and new.kind = 'digital' and coalesce(current_setting('shop.task', true), '') <> 'restore' then
    new.stock_quantity := 0;
  end if;
  if not private.fits_shelves(new.title, new.publisher, new.course, new.subject, new.grade_level) then
    perform private.refuse('PT400', 'invalid_field', 'Title, publisher, course, subject and grade level are too long together.',
      jsonb_build_object('field', 'title', 'rule', 'max_length', 'limit', 500));
  end if;
  return new;
end $$;

/* Grants the rights and creates the triggers that name the columns edited by staff. */
create function private.settle_book_columns()
returns void language plpgsql set search_path = '' as $$
declare
  columns constant text := private.book_columns();
begin
  execute format('grant insert (id, %1$s), update (%1$s) on public.books to authenticated, service_role', columns);
  -- Not while an order moves stock: nothing was edited.
  execute format(
    'create or replace trigger check_changed_book before update of %s on public.books'
    ' for each row when (coalesce(current_setting(''shop.task'', true), '''') in ('''', ''import'', ''demo''))'
    ' execute function private.check_book()', columns);
  -- A changed rating is not an edit: it must not make an admin's open dialog outdated.
  execute format(
    'create or replace trigger stamp_updated_at before update of %s on public.books'
    ' for each row execute function private.stamp_updated_at()', columns);
end $$;

/* Adds books, each a row of the table as JSON, in their order. */
create function private.insert_books(_books jsonb[])
returns void language plpgsql set search_path = '' as $$
begin
  execute format(
    'insert into public.books (id, created_at, %s) select b.id, coalesce(b.created_at, now()), %s'
    '  from unnest($1) with ordinality as given (book, place), jsonb_populate_record(null::public.books, given.book) as b'
    ' order by given.place',
    private.book_columns(), private.book_columns('b.')) using _books;
end $$;

/* Updates books with the values of these rows; returns how many were written. */
create function private.update_books(_books jsonb[])
returns bigint language plpgsql set search_path = '' as $$
declare
  written bigint;
begin
  execute format(
    'update public.books o set (%s) = row (%s)'
    '  from unnest($1) as given (book), jsonb_populate_record(null::public.books, given.book) as b where o.id = b.id',
    private.book_columns(), private.book_columns('b.')) using _books;
  get diagnostics written = row_count;
  return written;
end $$;

/* A book with the fields shown on cards. Its stock is what customers can order. */
create function private.book_card(_book public.books)
returns jsonb language sql immutable set search_path = '' as $$
  select case when _book.id is not null then jsonb_build_object(
    'id', _book.id, 'title', _book.title, 'authors', _book.authors, 'publisher', _book.publisher, 'isbn', _book.isbn,
    'price', _book.price, 'stock_quantity', _book.for_sale, 'course', _book.course, 'subject', _book.subject,
    'grade_level', _book.grade_level, 'edition', _book.edition, 'image_url', _book.image_url,
    'average_rating', _book.average_rating, 'review_count', _book.review_count,
    'kind', _book.kind, 'digital_by', _book.digital_by) end
$$;
grant execute on function private.book_card to anon, authenticated, service_role;

/*
 * The stock of a digital title follows its files and codes, whatever else is written: what a form, a list or a restored price says of it is
 * left out. A title in use keeps its kind.
 */
create function private.keep_digital_stock()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  task constant text := coalesce(current_setting('shop.task', true), '');
begin
  if (new.kind = 'digital') <> (old.kind = 'digital') or new.digital_by <> old.digital_by then
    if private.is_digital_in_use(new.id) then
      perform private.refuse('PT409', 'kind_in_use', format('%s has files, codes or sales: it can''t become %s. Add a new title instead.', old.title,
        case when new.kind <> 'digital' then 'one that isn''t digital' when old.kind <> 'digital' then 'digital' else 'one that is delivered otherwise' end),
        jsonb_build_object('book_id', new.id));
    end if;
    if new.kind = 'digital' then new.stock_quantity := 0; end if;
  elsif task not in ('files', 'codes') and (new.digital_by = 'file' or task not in ('order', 'change', 'cancel', 'delete', 'reopen', 'return', 'undo_return')) then
    new.stock_quantity := old.stock_quantity;
  end if;
  return new;
end $$;
