-- Books name the edition that replaces them, by its ISBN.

alter table public.books
  add column newer_isbn text,
  add constraint books_newer_isbn_is_short check (length(newer_isbn) <= 40);

/* The texts of a book: their names in messages, their maximum lengths, and whether they may have several lines. */
create or replace function private.book_texts()
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

create or replace function private.check_book()
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

/*
 * Reads one row of a file: its texts cleaned, its numbers as numbers, and what is wrong with it. Currencies and thousands
 * separators are read before a row is sent, by the one rule for typed prices (shared/text/typed-price.ts).
 */
create or replace function private.read_import_row(_raw jsonb, out fields jsonb, out problems text[])
language plpgsql immutable set search_path = '' as $$
declare
  field record;
  value text;
begin
  fields := '{}';
  problems := '{}';
  for field in select * from private.book_texts() loop
    if _raw ? field.name then
      value := case when field.is_long then private.clean_text(_raw ->> field.name)
                    else private.clean_line(_raw ->> field.name) end;
      if field.name = 'isbn' then value := private.written_isbn(value); end if;
      if field.name = 'newer_isbn' then value := private.isbn13(value); end if;
      if field.name = 'available_on' and not private.is_open_date(value) then value := null; end if;
      fields := fields || jsonb_build_object(field.name, value);
      if length(value) > field.at_most then
        problems := problems || format('The %s is too long (at most %s characters).', field.label, field.at_most);
      end if;
    end if;
  end loop;
  for field in select * from (values ('kind', 'kind', private.book_kinds()), ('digital_by', 'delivery of a digital title', '{file,code}'),
                             ('sale_state', 'status', private.sale_states()))
                 as c (name, label, choices) loop
    if _raw ? field.name then
      value := lower(private.clean_line(_raw ->> field.name));
      fields := fields || jsonb_build_object(field.name, value);
      if value <> all (field.choices) then
        problems := problems || format('The %s must be one of: %s.', field.label, array_to_string(field.choices, ', '));
      end if;
    end if;
  end loop;
  if _raw ? 'price' then
    value := private.clean_line(_raw ->> 'price');
    if value is null then
      fields := fields || '{"price": null}';
    elsif value ~ '^[0-9]{1,8}(\.[0-9]{1,2})?$' then
      fields := fields || jsonb_build_object('price', value::numeric(10, 2));
    else
      fields := fields || '{"bad_price": true}';
      problems := problems || format(case when value ~ '^[0-9]{1,8}\.[0-9]+$' then 'The price “%s” has more than two decimals.'
                                          else 'The price “%s” is not an amount of 0 or more.' end, left(value, 60));
    end if;
  end if;
  if _raw ? 'stock_quantity' then
    value := private.clean_line(_raw ->> 'stock_quantity');
    if value is null then
      fields := fields || '{"stock_quantity": null}';
    elsif value ~ '^[0-9]{1,8}$' and value::int <= 10000000 then
      fields := fields || jsonb_build_object('stock_quantity', value::int);
    else
      fields := fields || '{"bad_stock": true}';
      problems := problems || format('The stock “%s” is not a whole number of 0 or more.', left(value, 60));
    end if;
  end if;
  value := private.clean_line(_raw ->> 'seen_stock');
  if value ~ '^[0-9]{1,8}$' then
    fields := fields || jsonb_build_object('seen_stock', value::int);
  elsif value is not null then
    problems := problems || format('The stock at export “%s” is not a whole number of 0 or more.', left(value, 60));
  end if;
  value := private.clean_line(_raw ->> 'marks');
  if value ~ '^m([0-9a-f]{6}){1,60}$' then
    fields := fields || jsonb_build_object('marks', value);
  elsif value is not null then
    problems := problems || 'The cell under “As exported” was changed. Export the books again, or leave that column out.'::text;
  end if;
end $$;

/*
 * The fields whose values an export marks, in the order of the marks. A new field goes to the end: an older file has marks only for the
 * fields of its day. The stock has a column of its own.
 */
create or replace function private.marked_fields()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select '{title,authors,publisher,isbn,price,course,subject,grade_level,age_range,curriculum_type,edition,description,image_url,shelf,kind,
           digital_by,sale_state,available_on,newer_isbn}'::text[]
$$;

/*
 * The books that replace a book, the newest first: the one with the ISBN that it names, the one that this names, and so on. None if that comes
 * back to a book that was there before: then a list has named one of them wrongly.
 */
create function private.named_editions(_book public.books)
returns setof public.books language sql stable set search_path = '' rows 1 as $$
  with recursive named as (
    select _book as book, array[_book.id] as path, false as comes_back
    union all
    select newer.book, n.path || (newer.book).id, (newer.book).id = any(n.path)
      from named n
     cross join lateral (
       select b as book from public.books b where b.isbn_key = private.isbn_key((n.book).newer_isbn) order by b.created_at, b.id limit 1
     ) as newer
     where not n.comes_back and cardinality(n.path) < 10
  )
  select (n.book).* from named n
   where cardinality(n.path) > 1 and not exists (select from named where comes_back)
   order by cardinality(n.path) desc
$$;
grant execute on function private.named_editions to anon, authenticated, service_role;

/* The newest edition that replaces a book and is or will be for sale; no row without one. */
create function public.find_newer_edition(_book_id uuid)
returns setof public.books language sql stable set search_path = '' rows 1 as $$
  select n.* from public.books b cross join lateral private.named_editions(b) as n
   where b.id = _book_id and n.for_sale > -2 limit 1
$$;
grant execute on function public.find_newer_edition to anon, authenticated, service_role;

/*
 * The newest edition of a book that the shop also sells: the one that its fields name, otherwise the same title and publisher with a
 * higher edition. Null without one.
 */
create or replace function private.newer_edition(_book public.books)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(
    (select private.book_card(n) from private.named_editions(_book) as n where n.for_sale > -2 limit 1),
    (select private.book_card(b)
       from private.title_without_edition(_book.title_key) as work
       join public.books b
         on b.title_key >= work and b.title_key < work || chr(1114111) and private.title_without_edition(b.title_key) = work
        and b.publisher is not distinct from _book.publisher
      where work <> '' and b.for_sale > -2
        and private.edition_of(b.edition, b.title_key) > private.edition_of(_book.edition, _book.title_key)
      order by private.edition_of(b.edition, b.title_key) desc, b.created_at desc, b.id
      limit 1))
$$;

/*
 * The newest edition in stock in place of a book: one that its fields name, otherwise one of the same title and publisher. Null without
 * one.
 */
create or replace function private.edition_in_stock(_book public.books)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(
    (select private.book_card(n) from private.named_editions(_book) as n where n.for_sale > 0 limit 1),
    (select private.book_card(b)
       from private.title_without_edition(_book.title_key) as work
       join public.books b
         on b.title_key >= work and b.title_key < work || chr(1114111) and private.title_without_edition(b.title_key) = work
        and b.publisher is not distinct from _book.publisher
      where work <> '' and b.id <> _book.id and b.for_sale > 0
      order by private.edition_of(b.edition, b.title_key) desc, b.created_at desc, b.id
      limit 1))
$$;

select private.settle_book_columns();
