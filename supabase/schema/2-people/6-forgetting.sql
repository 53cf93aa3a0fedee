-- A customer may request to be forgotten. Their orders stay, for the books must balance; what names them is removed from their profile,
-- orders, quotes, reviews' texts, payments' notes and the audit log. The account itself is removed with the authentication service's own means
-- when it has no orders, or left without a name.

create function private.scrub(_row jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select _row || coalesce((
    select jsonb_object_agg(key, null) from jsonb_object_keys(_row) as key
    where key = any (private.personal_order_texts() || '{review_text,full_name,email,new_email,phone,institution,contact_name,contact_email,contact_phone,'
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
  update public.order_returns set note = null where order_id = any (_order_ids) and note is not null;
  update public.order_shipments set carrier = null, parcel_number = null, driver_phone = null where order_id = any (_order_ids);
  perform set_config('shop.task', 'anonymise', true);
  update public.order_notes set body = null where order_id = any (_order_ids);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where (table_name = 'orders' and row_id = any (_order_ids::text[]))
      or (table_name = 'payments' and coalesce(after, before) ->> 'order_id' = any (_order_ids::text[]));
  perform set_config('shop.task', '', true);
  return kept;
end $$;

/*
 * Refuses while one of these orders has not been handed over, or a payment of theirs is in doubt: whoever deals with it needs to know for
 * whom it is. _what is what can be done once it is settled: 'You can close your account'.
 */
create function private.require_settled_orders(_order_ids uuid[], _what text)
returns void language plpgsql stable security definer set search_path = '' as $$
declare
  waiting bigint;
  undelivered constant bigint[] := array(
    select number from public.orders where id = any (_order_ids) and status not in ('delivered', 'cancelled') order by number);
begin
  if cardinality(undelivered) = 1 then
    perform private.refuse('PT409', 'order_not_delivered',
      format('Order %s has not been delivered yet. %s once it has been delivered or cancelled.', undelivered[1], _what));
  elsif cardinality(undelivered) > 1 then
    perform private.refuse('PT409', 'order_not_delivered', format(
      'Orders %s and %s have not been delivered yet. %s once they have been delivered or cancelled.',
      array_to_string(undelivered[:least(cardinality(undelivered) - 1, 9)], ', '),
      case when cardinality(undelivered) > 10 then cardinality(undelivered) - 9 || ' more' else undelivered[cardinality(undelivered)]::text end,
      _what));
  end if;
  select o.number into waiting from public.orders o
    join private.order_payments p on p.order_id = o.id
   where o.id = any (_order_ids) and p.needs_decision order by o.number limit 1;
  if waiting is not null then
    perform private.refuse('PT409', 'payment_in_doubt',
      format('We are still checking a payment for order %s. %s once that is settled.', waiting, _what));
  end if;
end $$;

/*
 * A person's quotes, including those that staff made without an account for the person's confirmed email and the phone number in their
 * profile: as orders_of.
 */
create function private.quotes_of(_user_id uuid)
returns uuid[] language sql stable security definer set search_path = '' as $$
  select array(
    select q.id from public.quotes q where q.user_id = _user_id
    union
    select q.id from auth.users u join public.profiles p on p.id = u.id
      join public.quotes q on q.user_id is null and lower(q.contact_email) = lower(u.email) and private.is_same_phone(q.contact_phone, p.phone)
     where u.id = _user_id and u.email_confirmed_at is not null)
$$;

/* The quotes that staff made without an account for this email or phone number. */
create function private.quotes_of_caller(_who text)
returns uuid[] language sql stable security definer set search_path = '' as $$
  select array(
    select q.id from public.quotes q
     where q.user_id is null and private.bare_order_number(_who) !~ '^[0-9]{1,8}$'
       and (lower(q.contact_email) = lower(btrim(_who)) or private.is_same_phone(q.contact_phone, _who)))
$$;

/* Removes what names the customer from these quotes and their log; they keep their numbers and lines. An open one is withdrawn. */
create function private.scrub_quotes(_quote_ids uuid[])
returns void language plpgsql security definer set search_path = '' as $$
begin
  delete from private.quote_links where quote_id = any (_quote_ids);
  update public.quotes
     set institution = null, contact_name = null, contact_email = null, contact_phone = null, message = null, note = null,
         purchase_order_number = null, status = case when status in ('requested', 'sent') then 'withdrawn' else status end
   where id = any (_quote_ids);
  perform set_config('shop.task', 'anonymise', true);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where table_name = 'quotes' and row_id = any (_quote_ids::text[]);
  perform set_config('shop.task', '', true);
end $$;

/*
 * Removes everything that names this customer, unless an order or a payment of theirs is not settled; returns how many of their orders
 * stay. _what: see require_settled_orders.
 */
create function private.forget_customer(_user_id uuid, _what text)
returns int language plpgsql security definer set search_path = '' as $$
declare
  order_ids uuid[];
  kept int;
begin
  if not exists (select from public.profiles where id = _user_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  -- The lock under which their orders are placed (limit_orders): one that is being placed in another tab is waited for.
  perform pg_advisory_xact_lock(hashtext('public.orders'), hashtext(_user_id::text));
  delete from public.staff_duties where user_id = _user_id;
  delete from public.cart_items where user_id = _user_id;
  delete from public.wishlists where user_id = _user_id;
  delete from public.stock_alerts where user_id = _user_id;
  delete from private.booklist_additions where user_id = _user_id;
  delete from private.cart_requests where user_id = _user_id;
  delete from public.consultations where id = any (private.consultations_of(_user_id));
  -- Before the orders: one that is being accepted now is waited for, and its order is forgotten too.
  perform private.scrub_quotes(private.quotes_of(_user_id));
  order_ids := private.orders_of(_user_id);
  kept := private.scrub_orders(order_ids);
  -- After the orders are locked, so that none is reopened meanwhile. A refusal undoes all of it.
  perform private.require_settled_orders(order_ids, _what);
  -- After the orders, some of which are found by the phone number.
  update public.profiles
     set full_name = null, email = null, phone = null, address = null, city = null, postal_code = null, region = null, landmark = null, digital_address = null,
         delivery_method = null, bus_station = null
   where id = _user_id;
  -- After the profile, which is locked while staff begin a quote or add a note.
  perform private.scrub_quotes(private.quotes_of(_user_id));
  delete from private.person_notes where user_id = _user_id;
  update public.reviews set review_text = null where user_id = _user_id;
  update public.payments set note = null where user_id = _user_id and note is not null;
  delete from private.review_reports where user_id = _user_id;
  perform private.forget_event_contact(u.email) from auth.users u where u.id = _user_id and u.email_confirmed_at is not null;

  perform set_config('shop.task', 'anonymise', true);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where table_name in ('orders', 'reviews', 'user_roles', 'payments', 'profiles')
     and coalesce(after, before) ->> 'user_id' = _user_id::text;
  perform set_config('shop.task', '', true);
  return kept;
end $$;

/* Staff are neither forgotten nor corrected by their colleagues, only by admins. */
create function private.require_admin_for_staff(_user_id uuid)
returns void language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from public.user_roles where user_id = _user_id and role <> 'user')
     or exists (select from public.staff_duties where user_id = _user_id) then
    perform private.require_staff();
  end if;
end $$;

/*
 * Refuses people whom the caller may not forget: oneself, since closing one's own account needs the password, admins, since the log
 * would no longer say who did what, and other staff unless the caller is an admin.
 */
create function private.require_forgettable(_user_id uuid)
returns void language plpgsql stable security definer set search_path = '' as $$
begin
  if _user_id = auth.uid() then
    perform private.refuse('PT409', 'own_account', 'This is you. Close your own account under My Account.');
  elsif exists (select from public.user_roles where user_id = _user_id and role = 'admin') then
    perform private.refuse('PT409', 'is_admin', 'This person is an admin. Take the role away first.');
  end if;
  perform private.require_admin_for_staff(_user_id);
end $$;

/* Staff: as forget_customer. Activity says that it was done, and who did it: _by names them when the web server calls for them. */
create function private.anonymise_customer(_user_id uuid, _by uuid default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
  was_named boolean;
begin
  perform private.require_duty('people', 'deletions');
  perform private.require_forgettable(_user_id);
  -- False when it is repeated, and once the log says that the account was merged into another. A hosted project's closed account has an
  -- address at nobody.invalid.
  was_named := private.merged_into(_user_id) is null
               and exists (select from public.profiles
                            where id = _user_id and (full_name is not null or phone is not null or email not like '%@nobody.invalid'));
  kept := private.forget_customer(_user_id, 'Names can be removed');
  if was_named then
    insert into public.audit_log (actor, table_name, row_id, action, before)
    values (coalesce(auth.uid(), _by), 'profiles', _user_id::text, 'delete', jsonb_build_object('id', _user_id, 'user_id', _user_id));
  end if;
  return kept;
end $$;
select private.expose('anonymise_customer', 'authenticated', 'service_role');

-- Callers without an account may request to be forgotten too: their orders are found by the order's number, the email or the phone number.

/*
 * The orders of a caller without an account, deleted ones too: by the number of an order that staff entered, or by the email or phone
 * number given for it. Refuses the number of an account's order.
 */
create function private.orders_of_caller(_who text)
returns uuid[] language plpgsql stable security definer set search_path = '' as $$
declare
  -- A phone number has more digits.
  order_number constant bigint := substring(private.bare_order_number(_who) from '^[0-9]{1,8}$');
begin
  if exists (select from public.orders o where o.number = order_number and o.user_id is not null) then
    perform private.refuse('PT409', 'order_has_account',
      format('Order %s belongs to an account. Give the account''s email instead.', order_number));
  end if;
  return array(
    select distinct o.id
    from (
      select e.id, e.number, e.recipient_email, e.recipient_phone from public.orders e where e.user_id is null
      union all
      select l.row_id::uuid, gone.number, gone.recipient_email, gone.recipient_phone
        from public.audit_log l cross join lateral jsonb_populate_record(null::public.orders, l.before) as gone
       where l.table_name = 'orders' and l.action = 'delete' and gone.user_id is null
    ) as o
   where o.number = order_number or lower(o.recipient_email) = lower(btrim(_who))
      or (order_number is null and private.is_same_phone(o.recipient_phone, _who)));
end $$;

/*
 * Staff: anonymises a caller without an account, identified by the number of an order that staff entered, or by the
 * email or phone number given for it; returns the orders, which stay. Refuses as forget_customer does.
 */
create function private.anonymise_caller(_who text)
returns table (id uuid, number bigint) language plpgsql security definer set search_path = '' as $$
declare
  order_ids uuid[];
begin
  perform private.require_duty('people', 'deletions');
  order_ids := private.orders_of_caller(_who);
  return query select distinct o.id, o.number from private.orders_to_forget(order_ids) as o order by 2;
  perform private.scrub_orders(order_ids);
  perform private.require_settled_orders(order_ids, 'Names can be removed');
  perform private.scrub_quotes(private.quotes_of_caller(_who));
  if private.bare_order_number(_who) !~ '^[0-9]{1,8}$' then
    delete from public.consultations c where c.id = any (private.consultations_of_contact(_who));
    perform private.forget_event_contact(_who);
  end if;
end $$;
select private.expose('anonymise_caller', 'authenticated', 'service_role');

/*
 * Staff: what anonymise_customer and anonymise_caller would forget, changing nothing. {orders, consultations, quotes, reviews,
 * registrations, order_count, problem}: each order with its number, name, status and total, none without the duty for orders, and problem as
 * the sentence with which they would refuse.
 * What only an admin may do is refused.
 */
create function private.preview_anonymising(_user_id uuid default null, _who text default null)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  order_ids uuid[];
  contacts text[];
  problem text;
begin
  perform private.require_duty('people', 'deletions');
  order_ids := private.orders_of(_user_id) || private.orders_of_caller(_who);
  begin
    perform private.require_forgettable(_user_id);
    perform private.require_settled_orders(order_ids, 'Names can be removed');
  exception when sqlstate 'PT409' then problem := sqlerrm;
  end;
  contacts := array(
    select lower(u.email) from auth.users u where u.id = _user_id and u.email_confirmed_at is not null
    union
    select lower(btrim(_who)) where private.bare_order_number(_who) !~ '^[0-9]{1,8}$');
  return jsonb_build_object(
    'order_count', (select count(distinct o.id) from private.orders_to_forget(order_ids) as o),
    'orders', (select coalesce(jsonb_agg(distinct jsonb_build_object(
                        'number', o.number, 'name', o.recipient_name, 'status', o.status, 'total', o.total_amount)), '[]')
                 from private.orders_to_forget(order_ids) as o where private.has_duty('orders')),
    'quotes', cardinality(private.quotes_of(_user_id) || private.quotes_of_caller(_who)),
    'reviews', (select count(*) from public.reviews r where r.user_id = _user_id),
    'consultations', (select count(*) from public.consultations c
                       where c.id = any (private.consultations_of(_user_id))
                          or exists (select from unnest(contacts) as contact
                                      where c.id = any (private.consultations_of_contact(contact)))),
    -- For events, and for emails about new ones.
    'registrations', (select count(*) from unnest(contacts) as contact join public.event_registrations r
                          on lower(r.email) = contact or private.is_same_phone(r.phone, contact))
                     + (select count(*) from unnest(contacts) as contact join public.event_subscribers s
                          on s.email_key = contact),
    'problem', problem);
end $$;
select private.expose('preview_anonymising', 'authenticated', 'service_role');

-- A customer closes their own account: their personal data is deleted, unless an order or a payment is not settled. The web server calls
-- this after checking their password, and empties the account itself in the same request.

/*
 * For the web server: anonymises a customer who closes their account, or refuses; returns how many of their orders
 * stay.
 */
create function private.close_account(_user_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.user_roles where user_id = _user_id and role = 'admin') then
    perform private.refuse('PT403', 'is_admin', 'Another admin must first remove the admin role from your account.');
  end if;
  return private.forget_customer(_user_id, 'You can close your account');
end $$;
select private.expose('close_account', 'service_role');
