-- A customer may ask to be forgotten. Their orders stay, for the books must balance; what names them is removed from their profile,
-- orders, quotes, reviews' texts, payments' notes and the audit log. The account itself is removed with the authentication service's own means
-- when it has no orders, or left without a name.

create function private.scrub(_row jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select _row || coalesce((
    select jsonb_object_agg(key, null) from jsonb_object_keys(_row) as key
    where key in ('shipping_address', 'recipient_name', 'recipient_email', 'recipient_phone', 'landmark', 'digital_address',
                  'bus_station', 'delivery_note', 'review_text',
                  'full_name', 'email', 'phone', 'institution', 'contact_name', 'contact_email', 'contact_phone',
                  'message', 'note')), '{}')
$$;
revoke execute on function private.scrub(jsonb) from public;

/* Whether two phone numbers are the same, however they are written: Ghana's have nine digits after the country's code or the leading 0. */
create function private.is_same_phone(_one text, _other text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select private.is_phone(_one) and private.is_phone(_other)
     and right(regexp_replace(_one, '[^0-9]', '', 'g'), 9) = right(regexp_replace(_other, '[^0-9]', '', 'g'), 9)
$$;
revoke execute on function private.is_same_phone(text, text) from public;

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
revoke execute on function private.orders_of(uuid) from public;

/*
 * Removes personal data from these orders, including deleted ones, and from their emails, payments, notes and log;
 * returns how many stay.
 */
create function private.scrub_orders(_order_ids uuid[])
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
begin
  update public.orders
     set shipping_address = null, recipient_name = null, recipient_email = null, recipient_phone = null, landmark = null,
         digital_address = null, bus_station = null, delivery_note = null
   where id = any (_order_ids);
  get diagnostics kept = row_count;
  delete from public.outgoing_emails where order_id = any (_order_ids) and state = 'waiting';
  update public.payments set note = null where order_id = any (_order_ids) and note is not null;
  perform set_config('shop.anonymising', 'yes', true);
  update public.order_notes set body = null where order_id = any (_order_ids);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where (table_name = 'orders' and row_id = any (_order_ids::text[]))
      or (table_name = 'payments' and coalesce(after, before) ->> 'order_id' = any (_order_ids::text[]));
  perform set_config('shop.anonymising', '', true);
  return kept;
end $$;
revoke execute on function private.scrub_orders(uuid[]) from public;

/* For the owner and the secret key alone: removes everything that names this person; returns how many orders stay. */
create function private.anonymise_customer(_user_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
begin
  perform private.require_staff();
  if not exists (select from public.profiles where id = _user_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  delete from public.cart_items where user_id = _user_id;
  delete from public.wishlists where user_id = _user_id;
  delete from public.stock_alerts where user_id = _user_id;
  delete from private.booklist_additions where user_id = _user_id;
  -- Quotes keep their numbers and lines, and an open one is withdrawn. Before the orders: one that is being accepted
  -- now is waited for, and its order is forgotten too.
  update public.quotes
     set institution = null, contact_name = null, contact_email = null, contact_phone = null, message = null, note = null,
         status = case when status in ('requested', 'sent') then 'withdrawn' else status end
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

  perform set_config('shop.anonymising', 'yes', true);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where table_name in ('orders', 'reviews', 'user_roles', 'quotes', 'payments')
     and coalesce(after, before) ->> 'user_id' = _user_id::text;
  perform set_config('shop.anonymising', '', true);
  return kept;
end $$;
revoke execute on function private.anonymise_customer(uuid) from public;
grant execute on function private.anonymise_customer(uuid) to authenticated, service_role;

/* Staff: anonymises a customer; returns how many of their orders stay. */
create function public.anonymise_customer(_user_id uuid)
returns int language sql set search_path = '' as $$ select private.anonymise_customer(_user_id) $$;
revoke execute on function public.anonymise_customer(uuid) from public, anon, authenticated, service_role;
grant execute on function public.anonymise_customer(uuid) to authenticated, service_role;
