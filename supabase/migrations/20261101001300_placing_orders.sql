-- Placing an order is one statement: the customer's insert into orders, with an id made by the client. Before the row is
-- there it is only checked; after it, the cart becomes the order's lines and the stock is taken, or all of it fails.
-- A repeated insert with the same id fails on the primary key (23505) and so cannot order twice.
--
-- Both triggers run for customers' own inserts alone (the role authenticated): seeds, restores and the functions
-- below, which run as the owner, write orders as they are.

/*
 * One email address in its plain form at a domain with a dot, and one phone number of 6 to 15 digits as people write
 * it. The checkout's own checks (app/lib/email.ts, app/lib/phone.ts) say the same; null stays null.
 */
create function private.is_email(_text text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select btrim(_text) ~ '^[^[:space:]@"(),:;<>[\\\]]+@[^[:space:]@"(),:;<>[\\\].]+(\.[^[:space:]@"(),:;<>[\\\].]+)+$'
$$;
revoke execute on function private.is_email(text) from public;
grant execute on function private.is_email(text) to authenticated, service_role;

create function private.is_phone(_text text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select regexp_replace(_text, '[[:space:]()./-]', '', 'g') ~ '^\+?[0-9]{6,15}$'
$$;
revoke execute on function private.is_phone(text) from public;
grant execute on function private.is_phone(text) to authenticated, service_role;

/* Refuses an email address or a phone number that reaches no one; the fields are the columns' names. Null passes. */
create function private.require_contact(_email_field text, _email text, _phone_field text, _phone text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if not private.is_email(_email) then
    perform private.refuse('PT400', 'invalid_field', 'Please enter a valid email address.',
      jsonb_build_object('field', _email_field, 'rule', 'email'));
  elsif not private.is_phone(_phone) then
    perform private.refuse('PT400', 'invalid_field', 'Please enter a valid phone number.',
      jsonb_build_object('field', _phone_field, 'rule', 'phone'));
  end if;
end $$;
revoke execute on function private.require_contact(text, text, text, text) from public;
grant execute on function private.require_contact(text, text, text, text) to authenticated, service_role;

/* What every new order's recipient must be like. */
create function private.require_recipient(_address text, _name text, _email text, _phone text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  perform private.require_text('shipping_address', 'The address', _address, 1000),
    private.require_text('recipient_name', 'The name', _name, 200),
    private.require_text('recipient_email', 'The email address', _email, 320),
    private.require_text('recipient_phone', 'The phone number', _phone, 40),
    private.require_contact('recipient_email', _email, 'recipient_phone', _phone);
end $$;
revoke execute on function private.require_recipient(text, text, text, text) from public;
grant execute on function private.require_recipient(text, text, text, text) to authenticated, service_role;

/* An order with its delivery as it is kept; refuses what it may not be. */
create function private.clean_delivery(_order public.orders)
returns public.orders language plpgsql immutable set search_path = '' as $$
begin
  _order.landmark := private.clean_line(_order.landmark);
  _order.digital_address := private.digital_address(_order.digital_address);
  _order.delivery_method := coalesce(_order.delivery_method, 'deliver');
  _order.bus_station := private.clean_line(_order.bus_station);
  _order.delivery_note := private.clean_text(_order.delivery_note);
  _order.delivery_fee := coalesce(_order.delivery_fee, 0);
  perform private.require_delivery(_order.region, _order.landmark, _order.digital_address, _order.delivery_method,
                                   _order.bus_station, _order.delivery_note);
  return _order;
end $$;
revoke execute on function private.clean_delivery(public.orders) from public;
grant execute on function private.clean_delivery(public.orders) to authenticated, service_role;

/* The same of a delivery as JSON, whose keys are the columns' names; the rest of the order is empty. */
create function private.read_delivery(_delivery jsonb)
returns public.orders language plpgsql immutable set search_path = '' as $$
declare
  read public.orders;
begin
  read.region := _delivery ->> 'region';
  read.landmark := _delivery ->> 'landmark';
  read.digital_address := _delivery ->> 'digital_address';
  read.delivery_method := _delivery ->> 'delivery_method';
  read.bus_station := _delivery ->> 'bus_station';
  read.delivery_note := _delivery ->> 'delivery_note';
  return private.clean_delivery(read);
end $$;
revoke execute on function private.read_delivery(jsonb) from public;

create function private.check_new_order()
returns trigger language plpgsql set search_path = '' as $$
begin
  if new.user_id is distinct from auth.uid() then
    perform private.refuse('PT403', 'order_not_yours', 'You can only place orders for yourself.');
  end if;
  if new.status is distinct from 'pending' then
    perform private.refuse('PT403', 'order_not_pending', 'A new order must be pending.');
  end if;
  perform private.require_number('total_amount', 'The total', new.total_amount, 0, 99999999.99);
  perform private.require_recipient(new.shipping_address, new.recipient_name, new.recipient_email, new.recipient_phone);
  new := private.clean_delivery(new);
  perform private.require_number('delivery_fee', 'The delivery fee', new.delivery_fee, 0, new.total_amount);
  new.created_at := clock_timestamp();
  new.updated_at := new.created_at;
  new.stock_held := true;
  return new;
end $$;
revoke execute on function private.check_new_order() from public;
create trigger check_new_order before insert on public.orders
  for each row when (current_user = 'authenticated')
  execute function private.check_new_order();

/* Refuses what no honest customer does. Under a lock of the customer's own, so that parallel orders are counted too. */
create function private.limit_orders(_user_id uuid, _order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  an_hour_ago timestamptz;
  pending int;
  -- When the orders of the last hour were placed, newest first.
  newest timestamptz[];
begin
  perform pg_advisory_xact_lock(hashtext('public.orders'), hashtext(_user_id::text));
  an_hour_ago := clock_timestamp() - interval '1 hour';
  select count(*) filter (where status = 'pending'),
         array_agg(created_at order by created_at desc) filter (where created_at > an_hour_ago)
    into pending, newest
    from public.orders where user_id = _user_id and id <> _order_id and (status = 'pending' or created_at > an_hour_ago);
  if pending >= 50 then
    perform private.refuse('PT429', 'too_many_pending_orders',
      'You have 50 pending orders. Please wait until we have handled some of them.',
      jsonb_build_object('limit', 50));
  end if;
  if newest[20] is not null then
    perform private.refuse('PT429', 'too_many_orders',
      'You have placed 20 orders within an hour. Please try again later.',
      jsonb_build_object('limit', 20, 'retry_after_seconds',
        greatest(1, ceil(extract(epoch from newest[20] + interval '1 hour' - clock_timestamp())))::int));
  end if;
end $$;
revoke execute on function private.limit_orders(uuid, uuid) from public;

/*
 * Writes an order's lines at these prices and takes the copies, or refuses all of it with the titles that have too few.
 * The caller holds the lock on stock and has locked the books.
 */
create function private.fill_order(_order_id uuid, _book_ids uuid[], _quantities int[], _prices numeric[])
returns void language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  insert into public.order_items (order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn)
  select _order_id, b.id, b.id, l.quantity, l.price, b.title, b.publisher, b.isbn
    from unnest(_book_ids, _quantities, _prices) as l (book_id, quantity, price) join public.books b on b.id = l.book_id;
  perform private.move_locked_stock(_book_ids, array(select -q from unnest(_quantities) with ordinality as u (q, n) order by n),
    'order', _order_id);
end $$;
revoke execute on function private.fill_order(uuid, uuid[], int[], numeric[]) from public;

create function private.fill_new_order()
returns trigger language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  book_ids uuid[];
  quantities int[];
  prices numeric[];
  total numeric;
  fee numeric;
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
  select array_agg(b.id), array_agg(t.quantity), array_agg(b.price), sum(b.price * t.quantity)
    into book_ids, quantities, prices, total
    from taken t join public.books b on b.id = t.book_id;

  if book_ids is null then
    perform private.refuse('PT409', 'cart_empty', 'Your cart is empty.');
  end if;
  fee := private.delivery_fee(new.region, new.delivery_method, total);
  if total + fee <> new.total_amount or fee <> new.delivery_fee then
    perform private.refuse('PT409', 'total_changed', 'Prices or quantities have changed. Please check your cart.',
      jsonb_build_object('total', total + fee, 'delivery_fee', fee, 'lines', (
        select jsonb_agg(jsonb_build_object('book_id', b.id, 'title', b.title, 'price', b.price, 'quantity', l.quantity) order by b.title)
          from unnest(book_ids, quantities) as l (book_id, quantity) join public.books b on b.id = l.book_id)));
  end if;
  perform private.fill_order(new.id, book_ids, quantities, prices);
  return null;
end $$;
revoke execute on function private.fill_new_order() from public;
-- Named so that it runs before the audit trigger, which then finds the order complete.
create trigger fill_new_order after insert on public.orders
  for each row when (current_user = 'authenticated')
  execute function private.fill_new_order();
