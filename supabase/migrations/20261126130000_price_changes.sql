-- Prices of many books are changed together, as an import.

/*
 * What an import would do, row by row, for the rows after one line up to another. A book is found by the id that an export gave the
 * row, else by what its ISBN identifies; otherwise the row is a new book. A field that is absent or empty keeps the book's value; in a
 * new book the import's defaults apply. Books that earlier steps of the same import have added are not there yet for a row's
 * ISBN: what a row does must not depend on how many rows a step has.
 */
create or replace function private.plan_book_import(_import_id uuid, _after_line int, _to_line int)
returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb)
language sql stable security definer set search_path = ''
-- Rows that were staged a moment ago are not in the statistics. Otherwise a step of 2,000 rows with one ISBN reads 4,002,000 rows in place
-- of less than 40,000.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with import as (
    select * from public.book_imports where id = _import_id
  ), found as materialized (
    select r.line, r.fields, r.problems, r.isbn_key, r.given_id, own.id is not null as by_id, twins.copies,
           coalesce(own.id, twin.id) as book_id,
           case when own.id is not null then to_jsonb(own) when twin.id is not null then to_jsonb(twin) end
             - '{search_text,word_text,title_key,isbn_key,isbn13,average_rating,review_count,created_at,updated_at}'::text[]
             as before,
           -- The stored spelling stays when it means the same; a rounded one is then no problem either.
           case when own.id is not null
                then own.isbn_key is not distinct from private.isbn_key(r.fields ->> 'isbn') end as same_isbn,
           r.isbn_problem,
           -- By this ISBN, rows without an id find the same book.
           case when own.id is null or own.id = twins.first_id then twins.isbn_key end as shared_key
      from public.book_import_rows r
      -- Each book is looked up by a range, in order: the statistics of a table that was empty a minute ago take it for empty still, and
      -- then only the order keeps the planner from reading all books for each row, along any index.
      left join lateral (
        select b.* from public.books b where b.id >= r.given_id and b.id <= r.given_id order by b.id limit 1
      ) as own on true
      -- An aggregate, because with the order of creation and a limit the look-up is planned along another index.
      cross join lateral (
        select key.isbn_key, count(o.id) as copies, (array_agg(o.id order by o.created_at, o.id))[1] as first_id
          from (select case when own.id is null then r.isbn_key else own.isbn_key end as isbn_key) as key
          left join lateral (
            select b.id, b.created_at from public.books b
             where b.isbn_key >= key.isbn_key and b.isbn_key <= key.isbn_key order by b.isbn_key offset 0
          ) as o on not exists (select from public.book_import_rows a
                            where a.book_id = o.id and (a.import_id = _import_id) is true and a.action = 'add' offset 0)
         group by key.isbn_key
      ) as twins
      left join lateral (
        select b.* from public.books b
         where b.id >= twins.first_id and b.id <= twins.first_id and own.id is null order by b.id limit 1
      ) as twin on true
     where r.import_id = _import_id and r.line > _after_line and r.line <= coalesce(_to_line, 2147483647)
  ), merged as materialized (
    select f.*,
      -- The first row of the file that means the same book. A range, because for what equals a value the planner walks along all lines
      -- to find the first; and only the first is read, though thousands may have the same ISBN, such as "N/A". "is true" keeps the
      -- planner from reading all rows of the import, which it may take for none.
      least(
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.book_id >= f.book_id and e.book_id <= f.book_id
          order by e.book_id, e.line limit 1),
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.given_id >= coalesce(f.book_id, f.given_id)
            and e.given_id <= coalesce(f.book_id, f.given_id)
          order by e.given_id, e.line limit 1),
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.isbn_key >= f.shared_key and e.isbn_key <= f.shared_key
            and (select g.id from public.books g where g.id >= e.given_id and g.id <= e.given_id order by g.id limit 1) is null
            and case when f.book_id is null then coalesce(e.given_id, f.given_id) is null else true end
          order by e.isbn_key, e.line limit 1)
      ) as first_line,
      case when f.book_id is null then
        jsonb_build_object('publisher', i.default_publisher, 'price', i.default_price, 'stock_quantity', i.default_stock)
          || jsonb_strip_nulls(f.fields - '{bad_price,seen_price}'::text[])
      when f.by_id and not f.same_isbn then
        f.before || jsonb_strip_nulls(f.fields - '{bad_price,seen_price}'::text[])
      else
        f.before || jsonb_strip_nulls(f.fields - '{isbn,bad_price,seen_price}'::text[])
      end as after
      from found f cross join import i
  ), judged as (
    select m.*, m.problems
      || case when m.isbn_problem is not null and not (m.by_id and m.same_isbn) then array[m.isbn_problem] else '{}' end
      || case when m.copies > 1 and not m.by_id then
           array[format('%s books in the shop have this ISBN. Add the ID from an export to say which one.', m.copies)]
         else '{}' end
      || case when m.book_id is null and m.given_id is not null and exists (
           select from public.audit_log a
            where a.table_name = 'books' and a.row_id = m.given_id::text and a.action = 'delete'
         ) then array['This book was deleted from the shop. Restore it in Activity, or empty its ID to add it again.']
         else '{}' end
      -- A change of prices names the price that it was made from.
      || case when m.fields ? 'seen_price' and m.before is null then array['This book was deleted since this list was made.']
              when (m.fields ->> 'seen_price')::numeric <> (m.before ->> 'price')::numeric
              then array['The price of this book was changed since this list was made.'] else '{}' end
      -- A row without fields is not a row of books: its problems say so.
      || case when m.fields <> '{}' and m.after ->> 'title' is null then array['The title is missing.'] else '{}' end
      || case when m.fields <> '{}' and m.after ->> 'price' is null and not (m.fields ? 'bad_price')
              then array['The price is missing.'] else '{}' end
      || case when private.fits_shelves(m.after ->> 'title', m.after ->> 'publisher', m.after ->> 'course', m.after ->> 'subject',
                                        m.after ->> 'grade_level') then '{}'
              else array['Title, publisher, course, subject and grade level are too long together.'] end
      || case when m.first_line is null or m.first_line = m.line then '{}'
              when m.given_id is null then array[format('The same ISBN is in line %s.', m.first_line)]
              else array[format('The same book is in line %s.', m.first_line)] end as all_problems
      from merged m
  )
  select j.line,
         case when cardinality(j.all_problems) > 0 then 'refused'
              when j.book_id is null then 'add'
              when j.after = j.before then 'unchanged'
              else 'update' end,
         j.book_id, j.all_problems, j.before, j.after
    from judged j
$$;

-- Prices of many books at once: '+5 %, rounded to 0.50'. A change of prices is an import whose rows name the books and their new prices, so
-- the dry run, applying it in one step, undoing it, the log, and what two admins at once may do are an import's.

/* The price after so many percent more or less, rounded to the nearest multiple of _round_to cedis; not less than one of it unless it is free. */
create function private.changed_price(_price numeric, _percent numeric, _round_to numeric)
returns numeric language sql immutable parallel safe set search_path = '' as $$
  select case when _price = 0 then 0
              else least(greatest(round(_price * (1 + _percent / 100) / _round_to) * _round_to, _round_to), 99999999.99) end
$$;

/*
 * Staff: stages new prices for the books that admin_list_books finds by the same filters; returns the import's id. A book whose price
 * somebody else has changed by the time it is applied is refused.
 */
create function private.stage_price_change(_percent numeric, _round_to numeric, _publisher text default null, _q text default null)
returns uuid language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  import_id uuid;
  staged int;
begin
  perform private.require_staff();
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
                         coalesce(', ' || nullif(_publisher, ''), '') || coalesce(', ' || nullif(btrim(_q), ''), '')),
    _fingerprint => 'prices');
  execute format(
    'insert into public.book_import_rows (import_id, line, fields, given_id)
     select %L, row_number() over (order by b.title_key, b.id),
            jsonb_build_object(''price'', private.changed_price(b.price, %s, %s), ''seen_price'', b.price), b.id
       from public.books b where %s', import_id, _percent, _round_to, private.book_list_conditions(_publisher, _q));
  get diagnostics staged = row_count;
  if staged = 0 then
    perform private.refuse('PT404', 'no_books', 'No book matches.');
  end if;
  return import_id;
end $$;
select private.expose('stage_price_change', 'authenticated', 'service_role');
