-- A customer may request to be forgotten. Their orders stay, for the books must balance; what names them is removed from their profile,
-- orders, quotes, reviews' texts, payments' notes and the audit log. The account itself is removed with the authentication service's own means
-- when it has no orders, or left without a name.

create function private.scrub(_row jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select _row || coalesce((
    select jsonb_object_agg(key, null) from jsonb_object_keys(_row) as key
    where key = any (private.personal_order_texts() || '{review_text,full_name,email,phone,institution,contact_name,contact_email,contact_phone,'
                                              'message,note,purchase_order_number}')), '{}')
$$;

/*
 * A person's orders, deleted ones too, including those that staff entered without an account under the person's confirmed email and the
 * phone number in their profile. The email alone is not enough: staff may give a school's address, or their own, for many callers.
 */
create function private.orders_of(_user_id uuid)
returns uuid[] language sql stable security definer set search_path = '' as $$
  with known as (
    select lower(u.email) as email, p.phone from auth.users u join public.profiles p on p.id = u.id
     where u.id = _user_id and u.email_confirmed_at is not null
  )
  select array(
    select o.id from public.orders o where o.user_id = _user_id
    union
    select o.id from public.orders o, known
     where o.user_id is null and lower(o.recipient_email) = known.email and private.is_same_phone(o.recipient_phone, known.phone)
    union
    select l.row_id::uuid from public.audit_log l
     where l.table_name = 'orders' and l.action = 'delete' and l.before ->> 'user_id' = _user_id::text
    union
    select l.row_id::uuid from public.audit_log l, known
     where l.table_name = 'orders' and l.action = 'delete' and l.before ->> 'user_id' is null
       and lower(l.before ->> 'recipient_email') = known.email
       and private.is_same_phone(l.before ->> 'recipient_phone', known.phone))
$$;

/*
 * Removes personal data from these orders, including deleted ones, and from their emails, payments, notes and log;
 * returns how many stay.
 */
create function private.scrub_orders(_order_ids uuid[])
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
begin
  execute (select format('update public.orders set %s where id = any ($1)', string_agg(format('%I = null', name), ', '))
             from unnest(private.personal_order_texts()) as name) using _order_ids;
  get diagnostics kept = row_count;
  delete from public.outgoing_emails where order_id = any (_order_ids) and state = 'waiting';
  delete from private.download_tickets where order_id = any (_order_ids);
  update public.payments set note = null where order_id = any (_order_ids) and note is not null;
  perform set_config('shop.task', 'anonymise', true);
  update public.order_notes set body = null where order_id = any (_order_ids);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where (table_name = 'orders' and row_id = any (_order_ids::text[]))
      or (table_name = 'payments' and coalesce(after, before) ->> 'order_id' = any (_order_ids::text[]));
  perform set_config('shop.task', '', true);
  return kept;
end $$;

/* Staff: removes everything that names this customer; returns how many of their orders stay. */
create function private.anonymise_customer(_user_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
begin
  perform private.require_duty('people', 'deletions');
  if not exists (select from public.profiles where id = _user_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  -- Staff are not forgotten by their colleagues.
  if exists (select from public.user_roles where user_id = _user_id and role <> 'user')
     or exists (select from public.staff_duties where user_id = _user_id) then
    perform private.require_staff();
  end if;
  delete from public.staff_duties where user_id = _user_id;
  delete from public.cart_items where user_id = _user_id;
  delete from public.wishlists where user_id = _user_id;
  delete from public.stock_alerts where user_id = _user_id;
  delete from private.booklist_additions where user_id = _user_id;
  delete from private.cart_requests where user_id = _user_id;
  delete from public.consultations where id = any (private.consultations_of(_user_id));
  -- Quotes keep their numbers and lines, and an open one is withdrawn. Before the orders: one that is being accepted
  -- now is waited for, and its order is forgotten too.
  update public.quotes
     set institution = null, contact_name = null, contact_email = null, contact_phone = null, message = null, note = null,
         purchase_order_number = null, status = case when status in ('requested', 'sent') then 'withdrawn' else status end
   where user_id = _user_id;
  kept := private.scrub_orders(private.orders_of(_user_id));
  -- After the orders, some of which are found by the phone number.
  update public.profiles
     set full_name = null, email = null, phone = null, address = null, city = null, postal_code = null, region = null, landmark = null, digital_address = null,
         delivery_method = null, bus_station = null
   where id = _user_id;
  update public.reviews set review_text = null where user_id = _user_id;
  update public.payments set note = null where user_id = _user_id and note is not null;
  delete from private.review_reports where user_id = _user_id;
  perform private.forget_event_contact(u.email) from auth.users u where u.id = _user_id and u.email_confirmed_at is not null;

  perform set_config('shop.task', 'anonymise', true);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where table_name in ('orders', 'reviews', 'user_roles', 'quotes', 'payments')
     and coalesce(after, before) ->> 'user_id' = _user_id::text;
  perform set_config('shop.task', '', true);
  return kept;
end $$;
select private.expose('anonymise_customer', 'authenticated', 'service_role');

-- Callers without an account may request to be forgotten too: their orders are found by the order's number, the email or the phone number.

/*
 * Staff: anonymises a caller without an account, identified by the number of an order that staff entered, or by the
 * email or phone number given for it; returns the orders, which stay.
 */
create function private.anonymise_caller(_who text)
returns table (id uuid, number bigint) language plpgsql security definer set search_path = '' as $$
declare
  order_number bigint;
  order_ids uuid[];
begin
  perform private.require_duty('people', 'deletions');
  -- A phone number has more digits.
  order_number := substring(private.bare_order_number(_who) from '^[0-9]{1,8}$');
  if exists (select from public.orders o where o.number = order_number and o.user_id is not null) then
    perform private.refuse('PT409', 'order_has_account',
      format('Order %s belongs to an account. Give the account''s email instead.', order_number));
  end if;
  select array_agg(distinct o.id) into order_ids
    from (
      select e.id, e.number, e.recipient_email, e.recipient_phone from public.orders e where e.user_id is null
      union all
      select l.row_id::uuid, gone.number, gone.recipient_email, gone.recipient_phone
        from public.audit_log l cross join lateral jsonb_populate_record(null::public.orders, l.before) as gone
       where l.table_name = 'orders' and l.action = 'delete' and gone.user_id is null
    ) as o
   where o.number = order_number or lower(o.recipient_email) = lower(btrim(_who))
      or (order_number is null and private.is_same_phone(o.recipient_phone, _who));
  -- The log keeps the numbers of deleted orders.
  return query
    select o.id, o.number from public.orders o where o.id = any (order_ids)
    union
    select l.row_id::uuid, (l.before ->> 'number')::bigint from public.audit_log l
     where l.table_name = 'orders' and l.action = 'delete' and l.row_id = any (order_ids::text[])
    order by 2;
  perform private.scrub_orders(order_ids);
  if order_number is null then delete from public.consultations c where c.id = any (private.consultations_of_contact(_who)); end if;
  if order_number is null then perform private.forget_event_contact(_who); end if;
end $$;
select private.expose('anonymise_caller', 'authenticated', 'service_role');

-- A customer closes their own account: their personal data is deleted, unless an order or a payment is not settled. The web server calls
-- this after checking their password, and empties the account itself in the same request.

/*
 * For the web server: anonymises a customer who closes their account, or refuses; returns how many of their orders
 * stay.
 */
create function private.close_account(_user_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
declare
  known_orders uuid[];
  kept int;
  waiting bigint;
begin
  if exists (select from public.user_roles where user_id = _user_id and role = 'admin') then
    perform private.refuse('PT403', 'is_admin', 'Another admin must first remove the admin role from your account.');
  end if;
  -- The lock under which their orders are placed (limit_orders): one that is being placed in another tab is waited for.
  perform pg_advisory_xact_lock(hashtext('public.orders'), hashtext(_user_id::text));
  known_orders := private.orders_of(_user_id);
  -- Done first, because it waits for a quote that is being accepted. A refusal below rolls it back.
  kept := private.anonymise_customer(_user_id);
  select number into waiting from public.orders
   where (user_id = _user_id or id = any (known_orders)) and status not in ('delivered', 'cancelled') order by number limit 1;
  if waiting is not null then
    perform private.refuse('PT409', 'order_not_delivered',
      format('Order %s has not been delivered yet. You can close your account once it has been delivered or cancelled.', waiting));
  end if;
  select o.number into waiting from public.orders o
    join private.order_payments p on p.order_id = o.id
   where (o.user_id = _user_id or o.id = any (known_orders)) and p.needs_decision order by o.number limit 1;
  if waiting is not null then
    perform private.refuse('PT409', 'payment_in_doubt',
      format('We are still checking a payment for order %s. You can close your account once that is settled.', waiting));
  end if;
  return kept;
end $$;
select private.expose('close_account', 'service_role');
