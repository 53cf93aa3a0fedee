-- What a title is: a book, a digital title or stationery. An order of digital titles alone needs no delivery.

alter table public.books
  add column kind text not null default 'book',
  add column digital_by text,
  add constraint books_kind_is_known check (kind in ('book', 'digital', 'stationery')),
  add constraint books_are_digital_by_something check (
    case when kind = 'digital' then digital_by is not null and digital_by in ('file', 'code') else digital_by is null end);

/* Refuses a value that is none of these. Null passes. */
create function private.require_choice(_field text, _label text, _value text, _choices text[])
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _value <> all (_choices) then
    perform private.refuse('PT400', 'invalid_field', format('%s must be one of: %s.', _label, array_to_string(_choices, ', ')),
      jsonb_build_object('field', _field, 'rule', 'choice', 'choices', _choices));
  end if;
end $$;

grant execute on function private.require_choice to anon, authenticated, service_role;

create function private.book_kinds()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select '{book,digital,stationery}'::text[]
$$;

grant execute on function private.book_kinds to authenticated, service_role;

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
  if not private.fits_shelves(new.title, new.publisher, new.course, new.subject, new.grade_level) then
    perform private.refuse('PT400', 'invalid_field', 'Title, publisher, course, subject and grade level are too long together.',
      jsonb_build_object('field', 'title', 'rule', 'max_length', 'limit', 500));
  end if;
  return new;
end $$;


select private.settle_book_columns();

/*
 * Reads one row of a file: its texts cleaned, its numbers as numbers, and what is wrong with it. Currencies and thousands
 * separators are read before a row is sent, by the one rule for typed prices (app/lib/typed-price.ts).
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
      fields := fields || jsonb_build_object(field.name, value);
      if length(value) > field.at_most then
        problems := problems || format('The %s is too long (at most %s characters).', field.label, field.at_most);
      end if;
    end if;
  end loop;
  for field in select * from (values ('kind', 'kind', private.book_kinds()), ('digital_by', 'delivery of a digital title', '{file,code}'))
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
      problems := problems || case when value ~ '^[0-9]{1,8}\.[0-9]+$' then 'The price has at most two decimals.'
                                   else 'The price must be 0 or more.' end;
    end if;
  end if;
  if _raw ? 'stock_quantity' then
    value := private.clean_line(_raw ->> 'stock_quantity');
    if value is null then
      fields := fields || '{"stock_quantity": null}';
    elsif value ~ '^[0-9]{1,8}$' and value::int <= 10000000 then
      fields := fields || jsonb_build_object('stock_quantity', value::int);
    else
      problems := problems || 'The stock must be a whole number of 0 or more.'::text;
    end if;
  end if;
end $$;


create or replace function private.delivery_methods()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select array['deliver', 'collect', 'bus_station', 'download']
$$;


/*
 * Customers: what delivery costs for books of this total, both in cedis: the fee of the first line that fits; nothing where none does, or
 * when the order is collected at the shop or downloaded. Null without a region while any line for this method names regions: what delivery costs is
 * then unknown.
 */
create or replace function private.delivery_fee(_region text, _method text, _books_total numeric)
returns numeric language sql stable security definer set search_path = '' as $$
  select case
    when _method in ('collect', 'download') then 0
    when nullif(_region, '') is null and exists (
      select from private.delivery_fees where regions is not null and coalesce(method = _method, method is null)) then null
    else coalesce((
      select fee from private.delivery_fees
       where coalesce(method = _method, method is null) and coalesce(_region = any (regions), regions is null)
         and coalesce(_books_total < below, below is null)
       order by position limit 1), 0) end
$$;


/*
 * The same for an order of these titles: the one rule of how digital titles reach their customer. An order of nothing else costs no
 * delivery by any method; one with anything else can't be downloaded. Null as above.
 */
create function private.order_delivery_fee(_region text, _method text, _books_total numeric, _is_digital boolean)
returns numeric language plpgsql stable set search_path = '' as $$
begin
  if _is_digital then return 0; end if;
  if _method = 'download' then
    perform private.refuse('PT409', 'delivery_needed', 'Not everything in this order can be downloaded. Please choose how it is delivered.');
  end if;
  return private.delivery_fee(_region, _method, _books_total);
end $$;


drop function private.require_delivery_fee(text, text, numeric);

/* The same for a new order, which is refused while its fee is unknown: a missing region would avoid the fee. */
create function private.require_delivery_fee(_region text, _method text, _books_total numeric, _is_digital boolean)
returns numeric language plpgsql stable set search_path = '' as $$
declare
  fee constant numeric := private.order_delivery_fee(_region, _method, _books_total, _is_digital);
begin
  if fee is null then
    perform private.refuse('PT400', 'invalid_field', 'Please choose a region.', jsonb_build_object('field', 'region', 'rule', 'required'));
  end if;
  return fee;
end $$;


create or replace function private.fill_new_order()
returns trigger language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  book_ids uuid[];
  quantities int[];
  prices numeric[];
  total numeric;
  fee numeric;
  is_digital boolean;
begin
  perform private.limit_orders(new.user_id, new.id);

  select array_agg(book_id) into book_ids from public.cart_items where user_id = new.user_id;
  perform private.lock_books(book_ids);

  perform from public.cart_items where user_id = new.user_id order by id for update;

  -- Only what comes back from this delete is ordered: a line that another tab has since taken or changed counts as it is now.
  with taken as (
    delete from public.cart_items where user_id = new.user_id and book_id = any (book_ids)
    returning book_id, quantity
  )
  select array_agg(b.id), array_agg(t.quantity), array_agg(b.price), sum(b.price * t.quantity), bool_and(b.kind = 'digital')
    into book_ids, quantities, prices, total, is_digital
    from taken t join public.books b on b.id = t.book_id;

  if book_ids is null then
    perform private.refuse('PT409', 'cart_empty', 'Your cart is empty.');
  end if;
  fee := private.require_delivery_fee(new.region, new.delivery_method, total, is_digital);
  if total + fee <> new.total_amount or fee <> new.delivery_fee then
    perform private.refuse('PT409', 'total_changed', 'Prices or quantities have changed. Please check your cart.',
      jsonb_build_object('total', total + fee, 'delivery_fee', fee, 'lines', (
        select jsonb_agg(jsonb_build_object('book_id', b.id, 'title', b.title, 'price', b.price, 'quantity', l.quantity) order by b.title)
          from unnest(book_ids, quantities) as l (book_id, quantity) join public.books b on b.id = l.book_id)));
  end if;
  perform private.fill_order(new.id, book_ids, quantities, prices);
  return null;
end $$;


/*
 * Staff: places a pending order for a customer, or, without _customer_id, for a caller who has no account; returns its id. 1 to 500
 * different books, 1 to 999 copies of each; _total in cedis is what the customer was quoted, delivery included; _order as in
 * accept_quote. _order_id is chosen by the client, so that a retry orders nothing twice; refused if that order is another one: staff may
 * have changed what they typed because the first response was lost.
 */
create or replace function private.place_order_for(
  _order_id uuid, _customer_id uuid, _book_ids uuid[], _quantities int[], _total numeric, _order jsonb
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  placed public.orders;
  before public.orders;
  prices numeric[];
  missing int;
  is_digital boolean;
begin
  perform private.require_duty('orders');
  -- Whoever has an order for an account sees the account.
  if _customer_id is not null then perform private.require_duty('people'); end if;
  placed := private.read_order(_order);
  -- A caller may have no email address; staff leave it empty.
  placed.recipient_email := private.clean_line(placed.recipient_email);
  placed.recipient_phone := private.clean_line(placed.recipient_phone);
  placed := private.clean_order(placed);
  -- A retry that overtakes its first request waits for it.
  perform pg_advisory_xact_lock(hashtext('private.place_order_for'), hashtext(_order_id::text));
  -- Before any row, like everything that moves stock.
  perform private.lock_stock(false);
  select * into before from public.orders where id = _order_id;
  if found then
    if before.user_id is distinct from _customer_id
       or private.typed_of_order(to_jsonb(before)) <> private.typed_of_order(to_jsonb(placed))
       or exists (select from (select sold_book_id, quantity from public.order_items where order_id = _order_id) as l (id, quantity)
                    full join unnest(_book_ids, _quantities) as asked (id, quantity) using (id, quantity)
                   where l is null or asked is null) then
      perform private.refuse('PT409', 'order_exists',
        format('This was placed as order %s before your last changes. Change it there.', before.number),
        jsonb_build_object('number', before.number));
    end if;
    return _order_id;
  end if;
  placed.id := coalesce(_order_id, gen_random_uuid());
  placed.user_id := _customer_id;
  if _customer_id is not null and not exists (select from public.profiles where id = _customer_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  perform private.require_text('recipient_name', 'The name', placed.recipient_name, 200, true);
  perform private.require_text('recipient_phone', 'The phone number', placed.recipient_phone, 40, true);

  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 999) from unnest(_quantities) as quantity;
  perform private.lock_books(_book_ids);
  select array_agg(b.price order by l.place), coalesce(sum(b.price * l.quantity), 0), count(*) - count(b.id),
         bool_and(b.kind = 'digital')
    into prices, placed.total_amount, missing, is_digital
    from unnest(_book_ids, _quantities) with ordinality as l (id, quantity, place) left join public.books b on b.id = l.id;
  if missing > 0 then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  end if;
  placed.delivery_fee := private.require_delivery_fee(placed.region, placed.delivery_method, placed.total_amount, is_digital);
  placed.total_amount := placed.total_amount + placed.delivery_fee;
  if placed.total_amount is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you place it.',
      to_char(placed.total_amount, 'FM999999990.00')), jsonb_build_object('total', placed.total_amount, 'delivery_fee', placed.delivery_fee));
  end if;
  perform private.require_number('total', 'The total', placed.total_amount, 0, 99999999.99);

  placed.status := 'pending';
  placed.stock_held := true;
  perform private.insert_order(placed);
  perform private.fill_order(placed.id, _book_ids, _quantities, prices);
  perform private.queue_order_emails(placed.id);
  return placed.id;
end $$;


/*
 * Customers: places the order for one of their quotes, at its prices, which include delivery, if it is still this
 * version; returns the order's id. _order: {"shipping_address": …, "recipient_name": …, "region": …, …}, what people type and choose
 * of an order (private.read_order). The quote itself makes a retry safe: for a quote that they already accepted, this returns its
 * order. The purchase order number may be empty.
 */
create or replace function private.accept_quote(_quote_id uuid, _version int, _purchase_order_number text, _order jsonb)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  placed public.orders := private.read_order(_order);
  purchase_order constant text := private.clean_line(_purchase_order_number);
  book_ids uuid[];
  quantities int[];
  prices numeric[];
  gone jsonb;
  is_digital boolean;
begin
  -- Before any row, like everything that moves stock; then the quote, the customer's limits and the books.
  perform private.lock_stock(false);
  quote := private.lock_quote(_quote_id, false);
  if quote.status = 'accepted' then return quote.order_id; end if;
  if quote.status <> 'sent' then
    perform private.refuse('PT409', 'quote_not_open',
      case quote.status when 'requested' then 'We are still preparing this quote.' else format('This quote was %s.', quote.status) end,
      jsonb_build_object('status', quote.status));
  end if;
  perform private.require_quote_version(quote, _version);
  if private.quote_status(quote.status, quote.valid_until) = 'expired' then
    perform private.refuse('PT409', 'quote_expired', 'This quote has expired. Ask us for a new one.');
  end if;
  perform private.require_text('purchase_order_number', 'The purchase order number', purchase_order, 60);
  placed.customer_reference := coalesce(purchase_order, placed.customer_reference);
  placed := private.clean_order(placed);
  select array_agg(l.book_id), array_agg(l.quantity), array_agg(l.unit_price), sum(l.unit_price * l.quantity),
         coalesce(bool_and(b.kind = 'digital'), false)
    into book_ids, quantities, prices, placed.total_amount, is_digital
    from public.quote_lines l left join public.books b on b.id = l.book_id where l.quote_id = _quote_id;
  -- The fee is in the quote's prices. Which region they are delivered to must be said like for any other order.
  perform private.require_delivery_fee(placed.region, placed.delivery_method, 0, is_digital);
  placed.id := gen_random_uuid();
  placed.user_id := quote.user_id;
  placed.status := 'pending';
  placed.stock_held := true;
  placed.terms_version := private.terms_version();
  perform private.limit_orders(placed.user_id, placed.id);
  perform private.lock_books(book_ids);
  select jsonb_agg(jsonb_build_object('book_id', l.book_id, 'title', l.title) order by l.position) into gone
    from public.quote_lines l
   where l.quote_id = _quote_id and not exists (select from public.books b where b.id = l.book_id);
  if gone is not null then
    perform private.refuse('PT409', 'books_not_sold',
      'No longer sold: ' || (select string_agg(line ->> 'title', ', ') from jsonb_array_elements(gone) as line) || '.',
      jsonb_build_object('lines', gone));
  end if;
  perform private.insert_order(placed);
  perform private.fill_order(placed.id, book_ids, quantities, prices);
  perform private.queue_order_emails(placed.id);
  update public.quotes
     set status = 'accepted', decided_at = clock_timestamp(), order_id = placed.id, purchase_order_number = purchase_order
   where id = _quote_id;
  return placed.id;
end $$;


/*
 * Staff: replaces the books of a pending or processing order: 1 to 500 different ones, 1 to 9,999 copies of each. Books already ordered
 * keep their price, new ones get the current price. The delivery fee is recalculated, unless the order's prices include it, as a quote's
 * do. Refused if the order has changed since _updated_at, or if its new total is not _total (in cedis, delivery
 * included). Repeating the call changes nothing.
 */
create or replace function private.change_order(_order_id uuid, _updated_at timestamptz, _book_ids uuid[], _quantities int[], _total numeric)
returns void language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  changed public.orders;
  lines jsonb;
  known int;
  books_total numeric;
  fee numeric;
  is_digital boolean;
begin
  perform private.require_duty('orders');
  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 9999) from unnest(_quantities) as quantity;
  perform private.lock_stock(true);
  changed := private.lock_open_order(_order_id);
  if exists (select from public.order_items i where i.order_id = _order_id and i.sold_book_id is null) then
    perform private.refuse('PT409', 'line_without_book', 'A line of this order doesn''t say which book it is, so its books can''t be changed.');
  elsif not exists (select from (select sold_book_id, quantity from public.order_items where order_id = _order_id) as l (id, quantity)
                   full join unnest(_book_ids, _quantities) as asked (id, quantity) using (id, quantity)
                  where l is null or asked is null) then
    return;
  elsif changed.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'order_changed', 'This order has changed since you opened it. Check it before you change it.');
  end if;
  perform private.lock_books(_book_ids);
  select count(coalesce(i.sold_book_id, b.id)), sum(coalesce(i.price, b.price) * asked.quantity),
         bool_and(coalesce(b.kind = 'digital', changed.delivery_method = 'download')),
         jsonb_agg(jsonb_build_object('id', i.id, 'sold_book_id', asked.id, 'quantity', asked.quantity, 'price', coalesce(i.price, b.price),
                                      'title', coalesce(i.title, b.title), 'publisher', case when i.id is null then b.publisher else i.publisher end,
                                      'isbn', case when i.id is null then b.isbn else i.isbn end))
    into known, books_total, is_digital, lines
    from unnest(_book_ids, _quantities) as asked (id, quantity)
    left join public.order_items i on i.order_id = _order_id and i.sold_book_id = asked.id
    left join public.books b on b.id = asked.id;
  if known < titles then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  end if;
  fee := case when exists (select from public.quotes q where q.order_id = _order_id) then changed.delivery_fee
              else coalesce(private.order_delivery_fee(changed.region, changed.delivery_method, books_total, is_digital),
                            changed.delivery_fee) end;
  if books_total + fee is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you change it.',
      to_char(books_total + fee, 'FM999999990.00')), jsonb_build_object('total', books_total + fee, 'delivery_fee', fee));
  end if;
  perform private.write_order_lines(changed, lines, fee);
end $$;

