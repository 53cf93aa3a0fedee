-- Placing an order is one statement: the customer's insert into orders, with an id made by the client. Before the row is
-- there it is only checked; after it, the cart becomes the order's lines and the stock is taken, or all of it fails.
-- A repeated insert with the same id fails on the primary key (23505) and so cannot order twice.
--
-- Only customers' own inserts are checked and filled this way (private.before_order_changes). Seeds, restores and the functions below run as
-- the owner and write orders as they are.

/* An order with its texts as they are stored; refuses what it may not be. */
create function private.clean_order(_order public.orders)
returns public.orders language plpgsql immutable set search_path = '' as $$
declare
  typed constant jsonb := to_jsonb(_order);
  cleaned jsonb := '{}';
  field record;
  value text;
begin
  for field in select * from private.order_texts() loop
    value := case field.kind when 'text' then private.clean_text(typed ->> field.name)
                             when 'phone' then private.written_phone(typed ->> field.name)
                             when 'digital_address' then private.digital_address(typed ->> field.name)
                             else private.clean_line(typed ->> field.name) end;
    value := private.require_text(field.name, 'The ' || field.label, value, field.at_most);
    cleaned := cleaned || jsonb_build_object(field.name, value);
  end loop;
  _order := jsonb_populate_record(_order, cleaned);
  _order.delivery_method := coalesce(_order.delivery_method, 'deliver');
  _order.delivery_fee := coalesce(_order.delivery_fee, 0);
  -- As typed: an email address or a phone number may be missing, but not empty.
  perform private.require_contact('recipient_email', typed ->> 'recipient_email', 'recipient_phone', typed ->> 'recipient_phone'),
    private.require_delivery(_order.region, _order.landmark, _order.digital_address, _order.delivery_method, _order.bus_station,
                             _order.delivery_note);
  return _order;
end $$;
grant execute on function private.clean_order to authenticated, service_role;

/* What people type and choose of an order, as JSON whose keys are the columns' names; the rest of the order is empty. */
create function private.read_order(_fields jsonb)
returns public.orders language sql stable set search_path = '' as $$
  select o.* from jsonb_populate_record(null::public.orders, private.typed_of_order(_fields)) as o
$$;

/* Adds an order with its lines' copies taken, or, restored, as it was. The one insert beside the customers' own. */
create function private.insert_order(_order public.orders)
returns void language plpgsql security definer set search_path = '' as $$
begin
  execute format(
    'insert into public.orders (number, stock_held, terms_version, carrier, parcel_number, driver_phone, created_at, updated_at, %s)'
    ' overriding system value'
    ' select coalesce(o.number, nextval(''public.orders_number_seq'')), o.stock_held, o.terms_version, o.carrier, o.parcel_number,'
    '        o.driver_phone, coalesce(o.created_at, clock_timestamp()), clock_timestamp(), %s from (select ($1).*) as o',
    private.order_columns(), private.order_columns('o.')) using _order;
end $$;

/* A customer's new order as it is stored; refuses what it may not be. */
create function private.check_new_order(_order public.orders)
returns public.orders language plpgsql set search_path = '' as $$
begin
  if _order.user_id is distinct from auth.uid() then
    perform private.refuse('PT403', 'order_not_yours', 'You can only place orders for yourself.');
  end if;
  if _order.status is distinct from 'pending' then
    perform private.refuse('PT403', 'order_not_pending', 'A new order must be pending.');
  end if;
  perform private.require_number('total_amount', 'The total', _order.total_amount, 0, 99999999.99);
  _order := private.clean_order(_order);
  perform private.require_number('delivery_fee', 'The delivery fee', _order.delivery_fee, 0, _order.total_amount);
  _order.created_at := clock_timestamp();
  _order.updated_at := _order.created_at;
  _order.stock_held := true;
  return _order;
end $$;

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

/*
 * Writes an order's lines at these prices and takes the copies, or refuses all of it with the titles that have too few.
 * The caller holds the lock on stock and has locked the books. Planned once, as private.move_locked_stock. What costs nothing is there at once.
 */
create function private.fill_order(_order_id uuid, _book_ids uuid[], _quantities int[], _prices numeric[])
returns void language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  insert into public.order_items (order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn, kind)
  select _order_id, b.id, b.id, l.quantity, l.price, b.title, b.publisher, b.isbn, b.kind
    from unnest(_book_ids, _quantities, _prices) as l (book_id, quantity, price) join public.books b on b.id = l.book_id;
  perform private.move_locked_stock(_book_ids, array(select -q from unnest(_quantities) with ordinality as u (q, n) order by n),
    'order', _order_id);
  if 0 = all (_prices) then perform private.settle_digital(_order_id); end if;
end $$;

/* Makes the customer's cart the lines of their new order. Refuses all of it if the cart is empty, costs something else or copies are missing. */
create function private.fill_new_order(_order public.orders)
returns void language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  book_ids uuid[];
  quantities int[];
  prices numeric[];
  total numeric;
  fee numeric;
  is_digital boolean;
begin
  perform private.limit_orders(_order.user_id, _order.id);

  select array_agg(book_id) into book_ids from public.cart_items where user_id = _order.user_id;
  perform private.lock_books(book_ids);

  perform from public.cart_items where user_id = _order.user_id order by id for update;

  -- Only what comes back from this delete is ordered: a line that another tab has since taken or changed counts as it is now.
  with taken as (
    delete from public.cart_items where user_id = _order.user_id and book_id = any (book_ids)
    returning book_id, quantity
  )
  select array_agg(b.id), array_agg(t.quantity), array_agg(b.price), sum(b.price * t.quantity), bool_and(b.kind = 'digital')
    into book_ids, quantities, prices, total, is_digital
    from taken t join public.books b on b.id = t.book_id;

  if book_ids is null then
    perform private.refuse('PT409', 'cart_empty', 'Your cart is empty.');
  end if;
  fee := private.require_delivery_fee(_order.region, _order.delivery_method, total, is_digital);
  if total + fee <> _order.total_amount or fee <> _order.delivery_fee then
    perform private.refuse('PT409', 'total_changed', 'Prices or quantities have changed. Please check your cart.',
      jsonb_build_object('total', total + fee, 'delivery_fee', fee, 'lines', (
        select jsonb_agg(jsonb_build_object('book_id', b.id, 'title', b.title, 'price', b.price, 'quantity', l.quantity) order by b.title)
          from unnest(book_ids, quantities) as l (book_id, quantity) join public.books b on b.id = l.book_id)));
  end if;
  perform private.fill_order(_order.id, book_ids, quantities, prices);
end $$;
