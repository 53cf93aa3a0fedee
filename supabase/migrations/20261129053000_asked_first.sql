-- Staff are asked first: what can't be meant for many orders together is left out unless it is chosen.

drop function public.set_order_statuses, private.set_order_statuses;

/*
 * What a new status would take back of an order: 'reopen' (it is cancelled, and its copies would be taken again), 'set_back' (it is
 * further on), 'cancel_sent' (it was shipped or delivered) or 'cancel_paid'. Null for all other changes. Staff may do each to one order;
 * to several together only if they choose it.
 */
create function private.step_back(_from text, _to text, _paid numeric)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case when _from = _to then null
              when _from = 'cancelled' then 'reopen'
              when _to = 'cancelled' then
                case when _from in ('shipped', 'delivered') then 'cancel_sent' when _paid > 0 then 'cancel_paid' end
              when array_position('{pending,processing,shipped,delivered}', _to)
                   < array_position('{pending,processing,shipped,delivered}', _from) then 'set_back' end
$$;

/* Why an order was left out, as a sentence for staff. */
create function private.word_step_back(_step text, _status text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case _step
    when 'reopen' then 'It is cancelled and was not reopened.'
    when 'cancel_paid' then 'It has been paid and was not cancelled.'
    when 'cancel_sent' then format('It is already %s and was not cancelled.', _status)
    when 'set_back' then format('It is already %s and was not set back.', _status) end
$$;

/* A client's own statement takes nothing back of several orders; set_order_statuses does so where it is chosen. */
create function private.refuse_steps_back()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from new_orders) > 1 and exists (
    select from new_orders as n join old_orders as o using (id)
     where private.step_back(o.status, n.status, o.paid_amount) is not null
  ) then
    perform private.refuse('PT409', 'step_back_not_chosen', 'Reopen, set back or cancel orders like these one by one.');
  end if;
  return null;
end $$;
create trigger refuse_steps_back after update on public.orders
  referencing old table as old_orders new table as new_orders
  for each statement when (current_user = 'authenticated')
  execute function private.refuse_steps_back();

/*
 * Staff: sets the status of 1 to 200 orders, each if it still has the status in _shown at its place, or the new one already. One
 * row an order, in the order given; problem is null when it has the status now, otherwise a sentence. number is null when the
 * order no longer exists. Of several orders, one that would be taken a step back changes only if that step (private.step_back) is among
 * _steps_back. With the status shipped, _shipment has the shipping details, { carrier, parcel_number, driver_phone }. For an order
 * shown as shipped it replaces the stored ones, and the customer is notified; one that someone else has shipped meanwhile keeps its own.
 */
create function private.set_order_statuses(
  _order_ids uuid[], _shown text[], _status text, _shipment jsonb default null, _steps_back text[] default '{}')
returns table (order_id uuid, number bigint, problem text)
language plpgsql security definer set search_path = '' as $$
declare
  orders constant int := coalesce(array_length(_order_ids, 1), 0);
  shipment jsonb := '{}';
  step text;
  current public.orders;
  changed public.orders;
begin
  perform private.require_duty('orders');
  if orders not between 1 and 200 or array_length(_shown, 1) is distinct from orders then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 200 orders, with the status that was shown for each.');
  end if;
  if _status = 'shipped' and jsonb_typeof(_shipment) = 'object' then shipment := private.read_shipment(_shipment); end if;
  perform private.lock_stock(true);
  for place in 1 .. orders loop
    -- Each failure is rolled back on its own.
    begin
      order_id := _order_ids[place];
      problem := null;
      select * into current from public.orders where id = order_id for no key update;
      step := private.step_back(current.status, _status, current.paid_amount);
      changed := jsonb_populate_record(current, shipment || jsonb_build_object('status', _status));
      if current.id is null then
        problem := 'It no longer exists.';
      elsif current.status is distinct from _shown[place] and current.status is distinct from _status then
        problem := format('It is now %s. Check it before you change its status.', current.status);
      elsif orders > 1 and step is not null and step <> all (coalesce(_steps_back, '{}')) then
        problem := private.word_step_back(step, current.status);
      elsif current.status = 'shipped' and _shown[place] is distinct from 'shipped' and changed is distinct from current then
        problem := 'It has been shipped already, with other details. Check them before you change them.';
      elsif changed is distinct from current then
        update public.orders
           set status = _status, carrier = changed.carrier, parcel_number = changed.parcel_number, driver_phone = changed.driver_phone
         where id = current.id;
        if current.status = _status then
          perform private.queue_emails('{order_status_changed,recipient_order_shipped}', format('%s:%s', current.id, clock_timestamp()),
            current.id, _status);
        end if;
      end if;
    exception when sqlstate 'PT409' then
      problem := sqlerrm;
    end;
    number := current.number;
    return next;
  end loop;
end $$;
select private.expose('set_order_statuses', 'authenticated', 'service_role');

/*
 * Staff: what set_order_statuses would do, tried out and rolled back. One row an order, as there, with its status now, the step back that
 * it would be, the emails to its customer and recipient, and the copies that it would return to stock (negative: take from it).
 */
create function private.try_order_statuses(_order_ids uuid[], _shown text[], _status text, _steps_back text[] default '{}')
returns table (order_id uuid, number bigint, status text, step text, problem text, emails int, copies int)
language plpgsql security definer set search_path = '' as $$
declare
  begun timestamptz;
  before jsonb;
  outcomes jsonb;
begin
  perform private.require_duty('orders');
  perform private.lock_stock(true);
  begun := clock_timestamp();
  begin
    select jsonb_object_agg(o.id, jsonb_build_object(
             'status', o.status, 'step', private.step_back(o.status, _status, o.paid_amount)))
      into before from public.orders o where o.id = any (_order_ids);
    select jsonb_agg(to_jsonb(o) || coalesce(before -> o.order_id::text, '{}')) into outcomes
      from private.set_order_statuses(_order_ids, _shown, _status, null, _steps_back) as o;
    select jsonb_agg(one || jsonb_build_object(
             'emails', (select count(*) from public.outgoing_emails e
                         where e.order_id = (one ->> 'order_id')::uuid and e.created_at >= begun
                           and private.email_audience(e.kind) <> 'owner'),
             'copies', (select coalesce(sum(m.quantity), 0) from public.stock_movements m
                         where m.order_id = (one ->> 'order_id')::uuid and m.created_at >= begun)))
      into outcomes from jsonb_array_elements(outcomes) as one;
    raise exception using errcode = 'ZZ000';
  exception when sqlstate 'ZZ000' then null;
  end;
  return query select * from jsonb_to_recordset(outcomes)
    as o(order_id uuid, number bigint, status text, step text, problem text, emails int, copies int);
end $$;
select private.expose('try_order_statuses', 'authenticated', 'service_role');

-- Nobody is forgotten while an order or a payment of theirs is not settled, and what would be forgotten can be seen first.

/*
 * Refuses while one of these orders has not been handed over, or a payment of theirs is in doubt: whoever deals with it needs to know for
 * whom it is. _what is what can be done once it is settled: 'You can close your account'.
 */
create function private.require_settled_orders(_order_ids uuid[], _what text)
returns void language plpgsql stable security definer set search_path = '' as $$
declare
  waiting bigint;
begin
  select number into waiting from public.orders
   where id = any (_order_ids) and status not in ('delivered', 'cancelled') order by number limit 1;
  if waiting is not null then
    perform private.refuse('PT409', 'order_not_delivered',
      format('Order %s has not been delivered yet. %s once it has been delivered or cancelled.', waiting, _what));
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
  -- Quotes keep their numbers and lines, and an open one is withdrawn. Before the orders: one that is being accepted
  -- now is waited for, and its order is forgotten too.
  update public.quotes
     set institution = null, contact_name = null, contact_email = null, contact_phone = null, message = null, note = null,
         purchase_order_number = null, status = case when status in ('requested', 'sent') then 'withdrawn' else status end
   where user_id = _user_id;
  order_ids := private.orders_of(_user_id);
  kept := private.scrub_orders(order_ids);
  -- After the orders are locked, so that none is reopened meanwhile. A refusal undoes all of it.
  perform private.require_settled_orders(order_ids, _what);
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

/* Staff: as forget_customer. */
create or replace function private.anonymise_customer(_user_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('people', 'deletions');
  -- Staff are not forgotten by their colleagues.
  if exists (select from public.user_roles where user_id = _user_id and role <> 'user')
     or exists (select from public.staff_duties where user_id = _user_id) then
    perform private.require_staff();
  end if;
  return private.forget_customer(_user_id, 'Names can be removed');
end $$;

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

/* These orders as they stand, or as the log keeps a deleted one. */
create function private.orders_to_forget(_order_ids uuid[])
returns setof public.orders language sql stable security definer set search_path = '' as $$
  select * from public.orders where id = any (_order_ids)
  union all
  select gone.* from public.audit_log l cross join lateral jsonb_populate_record(null::public.orders, l.before) as gone
   where l.table_name = 'orders' and l.action = 'delete' and l.row_id = any (_order_ids::text[])
     and not exists (select from public.orders o where o.id = l.row_id::uuid)
$$;

/*
 * Staff: anonymises a caller without an account, identified by the number of an order that staff entered, or by the
 * email or phone number given for it; returns the orders, which stay. Refuses as forget_customer does.
 */
create or replace function private.anonymise_caller(_who text)
returns table (id uuid, number bigint) language plpgsql security definer set search_path = '' as $$
declare
  order_ids uuid[];
begin
  perform private.require_duty('people', 'deletions');
  order_ids := private.orders_of_caller(_who);
  return query select distinct o.id, o.number from private.orders_to_forget(order_ids) as o order by 2;
  perform private.scrub_orders(order_ids);
  perform private.require_settled_orders(order_ids, 'Names can be removed');
  if private.bare_order_number(_who) !~ '^[0-9]{1,8}$' then
    delete from public.consultations c where c.id = any (private.consultations_of_contact(_who));
    perform private.forget_event_contact(_who);
  end if;
end $$;

/*
 * Staff: what anonymise_customer and anonymise_caller would forget, changing nothing. {orders, consultations, quotes, reviews,
 * registrations, problem}: each order with its number, name, status and total, and problem as the sentence with which they would refuse.
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
    perform private.require_settled_orders(order_ids, 'Names can be removed');
  exception when sqlstate 'PT409' then problem := sqlerrm;
  end;
  contacts := array(
    select lower(u.email) from auth.users u where u.id = _user_id and u.email_confirmed_at is not null
    union
    select lower(btrim(_who)) where private.bare_order_number(_who) !~ '^[0-9]{1,8}$');
  return jsonb_build_object(
    'orders', (select coalesce(jsonb_agg(distinct jsonb_build_object(
                        'number', o.number, 'name', o.recipient_name, 'status', o.status, 'total', o.total_amount)), '[]')
                 from private.orders_to_forget(order_ids) as o),
    'quotes', (select count(*) from public.quotes q where q.user_id = _user_id),
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

/*
 * For the web server: anonymises a customer who closes their account, or refuses; returns how many of their orders
 * stay.
 */
create or replace function private.close_account(_user_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.user_roles where user_id = _user_id and role = 'admin') then
    perform private.refuse('PT403', 'is_admin', 'Another admin must first remove the admin role from your account.');
  end if;
  return private.forget_customer(_user_id, 'You can close your account');
end $$;
