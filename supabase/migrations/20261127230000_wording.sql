-- Messages that had to be read twice; nothing else changes.

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
           -- The stock of a digital title follows its files and codes.
           case when 'digital' in (own.kind, twin.kind) then '{stock_quantity}' else '{}' end::text[] as not_stock,
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
        f.before || jsonb_strip_nulls(f.fields - '{bad_price,seen_price}'::text[] - f.not_stock)
      else
        f.before || jsonb_strip_nulls(f.fields - '{isbn,bad_price,seen_price}'::text[] - f.not_stock)
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
      || case when m.before is not null and 'digital' in (m.before ->> 'kind', m.after ->> 'kind')
                and (m.before -> 'kind' <> m.after -> 'kind' or m.before -> 'digital_by' <> m.after -> 'digital_by')
                and private.is_digital_in_use(m.book_id)
              then array['This title has files, codes or sales, so its kind and way of delivery can''t change.'] else '{}' end
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

create or replace function private.keep_given_code()
returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.refuse('PT409', 'code_given', 'A code that an order has can''t be changed or deleted.');
  return null;
end $$;

create or replace function private.add_digital_file(_id uuid, _book_id uuid, _name text, _type text, _size bigint, _pieces int, _sha256 text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  book public.books;
  file private.digital_files;
  missing int[];
begin
  perform private.require_duty('catalogue');
  book := private.lock_digital(_book_id, 'file');
  select * into file from private.digital_files where id = _id;
  if file.book_id = _book_id and file.removed_at is null then return; end if;
  if file.id is not null then
    perform private.refuse('PT409', 'file_known', 'This file was removed, or belongs to another title. Please upload it again.');
  end if;
  perform private.require_text('name', 'The file name', private.clean_line(_name), 200, true),
    private.require_text('type', 'The type', _type, 100, true), private.require_choice('type', 'The type', _type, private.digital_types()),
    private.require_number('size', 'The size', _size, 1, 209715200),
    private.require_number('pieces', 'The number of pieces', _pieces, ceil(_size::numeric / private.piece_bytes()), ceil(_size::numeric / private.piece_bytes()));
  if coalesce(_sha256, '') !~ '^[0-9a-f]{64}$' then
    perform private.refuse('PT400', 'invalid_field', 'The file''s hash must be 64 hexadecimal digits.', '{"field": "sha256", "rule": "hash"}');
  elsif (select count(*) from private.digital_files f where f.book_id = _book_id and f.removed_at is null) >= 100 then
    perform private.refuse('PT409', 'too_many_files', 'A title has at most 100 files.', '{"limit": 100}');
  end if;
  missing := array(
    select n from generate_series(1, _pieces) as n
     where not exists (
       select from storage.objects o
        where o.bucket_id = 'digital-files' and o.name = _id || '/' || to_char(n, 'FM0000')
          and (o.metadata ->> 'size')::bigint = case when n < _pieces then private.piece_bytes() else _size - (_pieces - 1)::bigint * private.piece_bytes() end
          and (n > 1 or o.metadata ->> 'mimetype' = _type))
     order by n);
  if cardinality(missing) > 0 then
    perform private.refuse('PT409', 'file_incomplete', 'The upload is not complete. Please continue it.', jsonb_build_object('missing', missing));
  end if;
  insert into private.digital_files (id, book_id, name, type, size, pieces, sha256)
  values (_id, _book_id, private.clean_line(_name), _type, _size, _pieces, _sha256);
  perform private.set_digital_stock(_book_id, private.unlimited_copies(), 'files');
  insert into public.audit_log (table_name, row_id, action, after)
  values ('digital_files', _id, 'insert', jsonb_build_object('book_id', _book_id, 'title', book.title, 'name', private.clean_line(_name), 'size', _size));
end $$;

create or replace function private.admits_piece(_name text)
returns boolean language plpgsql stable security definer set search_path = '' as $$
declare
  earliest timestamptz;
  minutes int;
begin
  if private.file_of_piece(_name) is null then
    perform private.refuse('PT400', 'invalid_piece', 'A file is uploaded in at most 50 pieces.');
  elsif exists (select from private.digital_files f where f.id = private.file_of_piece(_name)) then
    perform private.refuse('PT409', 'file_complete', 'This file is complete. Upload a new one instead.');
  end if;
  select created_at into earliest from storage.objects
   where bucket_id = 'digital-files' and owner_id = auth.uid()::text and created_at > now() - interval '10 minutes'
   order by created_at desc offset 149 limit 1;
  if found then
    minutes := greatest(1, ceil(extract(epoch from earliest + interval '10 minutes' - now()) / 60))::int;
    perform private.refuse('PT429', 'too_many_pieces',
      format('You have uploaded 600 MB within 10 minutes. The upload can continue in %s minute%s.', minutes, case when minutes > 1 then 's' end),
      jsonb_build_object('limit', 150, 'retry_after_seconds', minutes * 60));
  end if;
  return true;
end $$;

create or replace function private.close_day(_id uuid, _day date, _method text, _expected numeric, _counted numeric, _note text default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  written_note constant text := private.clean_text(_note);
  now_expected numeric;
begin
  perform private.require_duty('payments');
  if _id is null or _day is null or _day > private.today() or _day < '2000-01-01' then
    perform private.refuse('PT400', 'invalid_field', 'Please choose a day that is not in the future.', jsonb_build_object('field', 'day', 'rule', 'range'));
  end if;
  if _method is null or _method <> all ('{paystack,mobile_money,cash,bank_transfer}') then
    perform private.refuse('PT400', 'invalid_field', 'Unknown method.', jsonb_build_object('field', 'method', 'rule', 'choice'));
  end if;
  perform private.require_number('counted', 'What was counted', _counted, 0, 99999999.99), private.require_pesewas('counted', 'What was counted', _counted);
  perform private.require_text('note', 'The note', written_note, 500);
  perform pg_advisory_xact_lock(hashtext('public.closings'));
  if exists (select from public.closings c where c.id = _id) then return; end if;
  select coalesce(sum(p.amount), 0) into now_expected from public.payments p
   where p.state = 'settled' and p.paid_on = _day and p.method = _method;
  if now_expected is distinct from _expected then
    perform private.refuse('PT409', 'takings_changed',
      format('The payments of this day have changed: the total is now %s cedis. Please count again.', now_expected),
      jsonb_build_object('expected', now_expected));
  end if;
  insert into public.closings (id, day, method, expected, counted, note) values (_id, _day, _method, now_expected, _counted, written_note);
end $$;

create or replace function private.write_order_lines(_order public.orders, _lines jsonb, _delivery_fee numeric)
returns void language plpgsql security definer set search_path = '' as $$
declare
  before constant jsonb := private.changed_order_as_json(_order.id);
  book_ids uuid[];
  quantities int[];
  total numeric;
  change_id bigint;
begin
  select sum(l.price * l.quantity) + _delivery_fee into total from jsonb_populate_recordset(null::public.order_items, _lines) as l;
  perform private.require_number('total', 'The total', total, 0, 99999999.99);
  if exists (
    select from public.order_items i left join jsonb_populate_recordset(null::public.order_items, _lines) as l on l.id = i.id
     where i.order_id = _order.id and coalesce(l.quantity, 0) < i.quantity and coalesce(l.quantity, 0) < private.codes_given(_order.id, i.sold_book_id)
  ) then
    perform private.refuse('PT409', 'codes_given', 'The customer already has licence codes of this order: these copies can''t be removed.');
  end if;
  select array_agg(d.id), array_agg(d.copies) into book_ids, quantities
    from (select m.id, sum(m.copies) as copies
            from (select i.sold_book_id, i.quantity from public.order_items i where i.order_id = _order.id
                  union all
                  select l.sold_book_id, -l.quantity from jsonb_populate_recordset(null::public.order_items, _lines) as l) as m (id, copies)
           group by m.id having sum(m.copies) <> 0) as d;
  if book_ids is not null and _order.stock_held then
    perform private.move_stock(book_ids, quantities, 'change', _order.id);
  end if;

  perform set_config('shop.task', 'change', true);
  delete from public.order_items i
   where i.order_id = _order.id
     and not exists (select from jsonb_populate_recordset(null::public.order_items, _lines) as l where l.id = i.id);
  update public.order_items i
     set quantity = l.quantity
    from jsonb_populate_recordset(null::public.order_items, _lines) as l
   where i.id = l.id and i.order_id = _order.id and i.quantity <> l.quantity;
  insert into public.order_items (id, order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn, kind)
  select coalesce(l.id, gen_random_uuid()), _order.id, b.id, l.sold_book_id, l.quantity, l.price, l.title, l.publisher, l.isbn,
         coalesce(l.kind, b.kind, 'book')
    from jsonb_populate_recordset(null::public.order_items, _lines) as l left join public.books b on b.id = l.sold_book_id
   where not exists (select from public.order_items i where i.id = l.id);
  update public.orders set total_amount = total, delivery_fee = _delivery_fee where id = _order.id;
  perform set_config('shop.task', '', true);
  perform private.settle_digital(_order.id);

  insert into public.audit_log (table_name, row_id, action, before, after)
  values ('orders', _order.id, 'change', before, private.changed_order_as_json(_order.id)) returning id into change_id;
  -- One that waits will say what the order is when it is sent; locked, so that none is sent before this is committed.
  perform from public.outgoing_emails e
   where e.order_id = _order.id and e.kind = 'order_changed' and e.state = 'waiting' and e.lease is null for update;
  if not found then
    perform private.queue_email('order_changed', format('%s:%s', _order.id, change_id), _order.id);
  end if;
end $$;

create or replace function private.read_purchase_lines(_lines jsonb)
returns table (book_id uuid, "position" int, copies int, list_price numeric, discount numeric)
language plpgsql immutable set search_path = '' as $$
begin
  if _lines is null or jsonb_typeof(_lines) <> 'array' or jsonb_array_length(_lines) > 1000 then
    perform private.refuse('PT400', 'invalid_lines', 'A purchase order has at most 1,000 lines.');
  end if;
  if exists (
    select from jsonb_array_elements(_lines) as line
     where case when jsonb_typeof(line) <> 'object' then true
                when line ->> 'book_id' ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' is not true then true
                when jsonb_typeof(line -> 'copies') is distinct from 'number' then true
                when jsonb_typeof(line -> 'list_price') is distinct from 'number' then true
                when jsonb_typeof(line -> 'discount') is distinct from 'number' then true
                else (line ->> 'copies')::numeric not between 1 and 99999
                  or (line ->> 'copies')::numeric <> trunc((line ->> 'copies')::numeric)
                  or (line ->> 'list_price')::numeric not between 0 and 99999999.99
                  or (line ->> 'list_price')::numeric <> round((line ->> 'list_price')::numeric, 2)
                  or (line ->> 'discount')::numeric not between 0 and 100
                  or (line ->> 'discount')::numeric <> round((line ->> 'discount')::numeric, 2) end
  ) then
    perform private.refuse('PT400', 'invalid_lines',
      'Each line needs a book, 1 to 99,999 copies, a price from 0 and a discount from 0 to 100, with at most two decimals.');
  end if;
  return query
    select (line ->> 'book_id')::uuid, place::int, (line ->> 'copies')::numeric::int, (line ->> 'list_price')::numeric,
           (line ->> 'discount')::numeric
      from jsonb_array_elements(_lines) with ordinality as l (line, place);
  if (select count(distinct lower(l ->> 'book_id')) from jsonb_array_elements(_lines) as l) < jsonb_array_length(_lines) then
    perform private.refuse('PT400', 'invalid_lines', 'A purchase order has one line for each book.');
  end if;
  if (select sum((l ->> 'copies')::numeric * (l ->> 'list_price')::numeric) from jsonb_array_elements(_lines) as l) > 99999999.99 then
    perform private.refuse('PT400', 'invalid_lines', 'The total is more than 99,999,999.99.');
  end if;
end $$;

create or replace function private.begin_stock_count(_id uuid, _name text, _scope text, _value text default null, _codes text[] default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  written_name constant text := private.clean_line(_name);
  value constant text := private.clean_line(_value);
  unknown text[] := '{}';
begin
  perform private.require_duty('stock');
  if exists (select from public.stock_counts c where c.id = _id) then return; end if;
  perform private.require_text('name', 'The name', written_name, 100, true);
  if coalesce(_scope, '') not in ('publisher', 'shelf', 'books') then
    perform private.refuse('PT400', 'invalid_field', 'Choose what to count.', jsonb_build_object('field', 'scope', 'rule', 'choice'));
  elsif _scope <> 'books' and value is null then
    perform private.refuse('PT400', 'invalid_field', 'Choose a publisher or write a shelf place.',
      jsonb_build_object('field', 'value', 'rule', 'required'));
  elsif cardinality(_codes) > 10000 then
    perform private.refuse('PT400', 'too_many_lines', 'A count begins with at most 10,000 lines.', jsonb_build_object('limit', 10000));
  end if;
  if _scope = 'books' then
    unknown := array(
      select left(private.clean_line(line), 100) from unnest(_codes) with ordinality as typed (line, n)
       where private.clean_line(line) is not null
         and not exists (select from public.books b where b.isbn_key = private.isbn_key(line))
       order by n);
  end if;
  insert into public.stock_counts (id, name, scope, scope_value, unknown_codes)
  values (_id, written_name, _scope, case when _scope <> 'books' then value end, unknown)
  on conflict do nothing;
  if not found then return; end if;
  insert into public.stock_count_books (count_id, book_id, in_scope)
  select _id, b.id, true from public.books b
   where b.kind <> 'digital' and case _scope
           when 'publisher' then b.publisher = value
           when 'shelf' then starts_with(lower(b.shelf), lower(value))
           else b.isbn_key in (select private.isbn_key(line) from unnest(_codes) as line) end;
  if not found then
    perform private.refuse('PT404', 'no_books', case _scope
      when 'publisher' then 'There is no book of this publisher.'
      when 'shelf' then 'There is no book at this shelf place.'
      else 'There is no book with any of these ISBNs or codes.' end);
  end if;
end $$;

create or replace function private.require_open_count(_count public.stock_counts)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _count.status <> 'open' then
    perform private.refuse('PT409', 'count_closed', format('This count has already been %s.', _count.status),
      jsonb_build_object('status', _count.status));
  end if;
end $$;

create or replace function private.book_stock_count(_count_id uuid, _differences int)
returns int language plpgsql security definer set search_path = '' set statement_timeout = '120s' as $$
declare
  session public.stock_counts;
  ids uuid[];
  differences int[];
  lines jsonb;
begin
  perform private.require_duty('stock');
  perform private.lock_stock(false);
  session := private.lock_stock_count(_count_id, true);
  select array_agg(l.book_id order by l.book_id), array_agg(l.difference order by l.book_id) into ids, differences
    from public.stock_count_books l
   where l.count_id = _count_id and l.difference <> 0 and exists (select from public.books b where b.id = l.book_id);
  if session.status = 'booked' then return coalesce(cardinality(ids), 0); end if;
  perform private.require_open_count(session);

  select jsonb_agg(jsonb_build_object('book_id', b.id, 'title', b.title) order by private.fold(b.title)) into lines
    from public.stock_count_books l join public.books b on b.id = l.book_id
   where l.count_id = _count_id
     and (private.needs_second_count(l, private.count_again_above()) or l.round > 1 and l.counted is null);
  if lines is not null then
    perform private.refuse('PT409', 'count_again', 'Count again first: ' || private.first_titles(lines), jsonb_build_object('lines', lines));
  elsif coalesce(cardinality(ids), 0) is distinct from _differences then
    perform private.refuse('PT409', 'count_changed',
      format('Others have counted in the meantime. Books with a difference now: %s.', coalesce(cardinality(ids), 0)),
      jsonb_build_object('differences', coalesce(cardinality(ids), 0)));
  end if;

  if ids is not null then
    perform private.lock_books(ids);
    select jsonb_agg(jsonb_build_object('book_id', b.id, 'title', b.title, 'requested', -m.difference, 'left', b.stock_quantity)
                     order by private.fold(b.title)) into lines
      from unnest(ids, differences) as m (book_id, difference) join public.books b on b.id = m.book_id
     where b.stock_quantity + m.difference < 0;
    if lines is not null then
      perform private.refuse('PT409', 'insufficient_stock',
        'More copies have been sold since than were counted. Count again: ' || private.first_titles(lines), jsonb_build_object('lines', lines));
    end if;
    perform set_config('shop.task', 'count', true),
            set_config('shop.stock_note', format('Count of %s, %s', session.name, to_char(private.today(), 'FMDD Mon')), true);
    update public.books b set stock_quantity = b.stock_quantity + m.difference
      from unnest(ids, differences) as m (book_id, difference) where b.id = m.book_id;
    perform set_config('shop.task', '', true), private.end_stock_explanation();
  end if;
  update public.stock_counts set status = 'booked', closed_by = auth.uid(), closed_at = clock_timestamp() where id = _count_id;
  return coalesce(cardinality(ids), 0);
end $$;

create or replace function private.subscribe_to_events(_email text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  given constant text := private.clean_line(_email);
  mailbox constant text := private.mailbox_key(given);
  subscriber public.event_subscribers;
begin
  perform private.require_text('email', 'The email address', given, 320, true);
  perform private.require_contact('email', given, null, null);
  perform private.require_plain_email('email', given);
  -- One after the other, so that parallel requests are counted too.
  perform pg_advisory_xact_lock(hashtext('public.event_subscribers'), 0);
  if (select count(*) from public.event_subscribers s where s.requested_at > clock_timestamp() - interval '1 hour') >= 200 then
    perform private.refuse('PT429', 'too_many_subscriptions', 'There are too many requests at the moment. Please try again in an hour.',
      '{"limit": 200, "retry_after_seconds": 3600}');
  end if;
  if (select sum(s.requests) >= 3 or max(s.requested_at) >= clock_timestamp() - interval '10 minutes'
        from public.event_subscribers s where s.confirmed_at is null and private.mailbox_key(s.email_key) = mailbox) then
    return;
  end if;
  insert into public.event_subscribers as s (email) values (given)
  on conflict (email_key) do update set requests = s.requests + 1, requested_at = clock_timestamp() where s.confirmed_at is null
  returning * into subscriber;
  if subscriber.id is not null then
    perform private.queue_email('event_subscription', subscriber.id || ':' || subscriber.requests, null);
  end if;
end $$;

create or replace function private.set_event_state(_id uuid, _state text, _updated_at timestamptz)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  event public.events;
begin
  perform private.require_duty('events');
  event := private.lock_event(_id);
  if event.id is null then
    perform private.refuse('PT404', 'event_not_found', 'This event no longer exists.');
  elsif event.state = _state then
    -- A retry, or someone else has done the same.
    return event.updated_at;
  elsif event.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'event_changed', 'This event has since been changed.');
  elsif (event.state, coalesce(_state, '')) not in (('draft', 'published'), ('published', 'draft'), ('published', 'cancelled')) then
    perform private.refuse('PT409', 'event_state', 'This event can''t be changed that way.');
  elsif _state = 'published' and event.ends_at <= clock_timestamp() then
    perform private.refuse('PT409', 'event_over', 'This event is over. Change its time first.');
  elsif _state = 'draft' and exists (
    select from public.event_registrations r where r.event_id = _id and r.state <> 'cancelled'
  ) then
    perform private.refuse('PT409', 'event_has_registrations', 'People have registered. Cancel the event instead, so that they are notified.');
  end if;
  update public.events set state = _state, published_at = case _state when 'published' then coalesce(published_at, clock_timestamp()) else published_at end
   where id = _id returning * into event;
  if _state = 'published' then perform private.queue_event_announcement(_id);
  elsif _state = 'cancelled' then perform private.queue_event_news('event_cancelled', event);
  end if;
  return event.updated_at;
end $$;
