-- Undo goes back to the status before the last change, not to the one that the customer knew; shipping details are told to whoever was told
-- of the shipment already; and what waits is stopped, listed and given up without a deadlock, an overdue row or an outdated retry.

/*
 * The emails about a change of an order's status, which is this event of its history. They replace those that still wait, and tell the
 * customer of the change from the status that they knew. What a customer changes is told at once.
 */
create or replace function private.queue_status_emails(_order public.orders, _from text, _event_id bigint)
returns void language plpgsql security definer set search_path = '' as $$
declare
  by_customer constant boolean := coalesce(_order.user_id = auth.uid(), false);
  seconds constant int := case when by_customer then 0 else private.status_email_seconds() end;
  last public.outgoing_emails;
  known text := _from;
begin
  -- An order that is delivered because it can be downloaded has an email of its own (private.settle_digital).
  if current_setting('shop.task', true) = 'download' then return; end if;
  -- A worker that is taking one now has it, and its customer is told; the lock waits for that.
  perform from public.outgoing_emails where order_id = _order.id and from_status is not null and state = 'waiting' for update;
  select * into last from public.outgoing_emails
   where order_id = _order.id and kind in ('order_status_changed', 'order_cancelled') order by created_at desc, id limit 1;
  -- Customers are told of what they do themselves, whatever they knew.
  if not by_customer and last.from_status is not null and (last.state = 'stopped' or (last.state = 'waiting' and last.attempts = 0)) then
    known := last.from_status;
  end if;
  delete from public.outgoing_emails where order_id = _order.id and from_status is not null and state = 'waiting' and attempts = 0;
  perform private.queue_emails(c.emails, _event_id::text, _order.id, _order.status,
                               case when seconds > 0 then known end, seconds)
     from private.status_changes() as c where c.from_status = known and c.to_status = _order.status;
  if by_customer and _order.status = 'cancelled' then
    perform private.queue_email('order_cancelled_by_customer', _event_id::text, _order.id, _order.status);
  end if;
end $$;

/*
 * Staff: the orders about whose status emails leave soon, and in how many seconds; the next ones first, at most 200. from_status is the one
 * before the last change, to which Undo goes back. What is overdue is left out: a worker may be taking it.
 */
create or replace function private.list_waiting_status_emails()
returns table (order_id uuid, order_number bigint, from_status text, status text, emails int, seconds int)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query
    select o.id, o.number, min(v.from_status), min(e.status), count(*)::int,
           ceil(extract(epoch from min(e.due_at) - clock_timestamp()))::int
      from public.outgoing_emails e
      join public.orders o on o.id = e.order_id
      join public.order_events v on v.id::text = e.event
     where e.state = 'waiting' and e.attempts = 0 and e.from_status is not null and e.due_at > clock_timestamp()
     group by o.id order by min(e.due_at), o.id limit 200;
end $$;

/*
 * Staff: stops the waiting emails about the status of these orders, at most 200; returns how many. One that a worker has taken is not stopped.
 * A stopped one can be sent again.
 */
create or replace function private.stop_status_emails(_order_ids uuid[])
returns bigint language plpgsql security definer set search_path = '' as $$
declare
  stopped bigint;
begin
  perform private.require_duty('orders');
  -- As every change of several orders, so that neither waits for the other in a circle.
  perform private.lock_stock(true);
  update public.outgoing_emails
     set state = 'stopped', settled_at = clock_timestamp()
   where order_id = any (_order_ids[:200]) and state = 'waiting' and attempts = 0 and from_status is not null;
  get diagnostics stopped = row_count;
  return stopped;
end $$;

/* What set_order_statuses does, for callers that have asked for the duty. */
create or replace function private.write_order_statuses(
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
          -- One that still waits will say so; a worker that is taking one now has it.
          perform from public.outgoing_emails w where w.order_id = current.id and w.state = 'waiting' for update;
          perform private.queue_emails(
            array(select k.kind from unnest('{order_status_changed,recipient_order_shipped}'::text[]) as k (kind)
                   where not exists (select from public.outgoing_emails e
                                      where e.order_id = current.id and e.kind = k.kind and e.from_status is not null
                                        and e.state = 'waiting' and e.attempts = 0)),
            format('%s:%s', current.id, clock_timestamp()), current.id, _status);
        end if;
      end if;
    exception when sqlstate 'PT409' then
      problem := sqlerrm;
    end;
    number := current.number;
    return next;
  end loop;
end $$;

/*
 * Whether an email would be out of date: the books are there again, the quote or purchase order is another by now, a changed order is cancelled, or a customer
 * no longer waits for a book or it is sold out again, or what an email about an event says is no longer so.
 */
create or replace function private.has_nothing_to_say(_email public.outgoing_emails)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return case private.email_topic(_email.kind)
    when 'stock' then private.email_stock() is null
    when 'quote' then private.email_quote(_email) is null
    when 'alert' then private.email_stock_alert(_email) is null
    when 'registration' then private.email_registration(_email) is null
    when 'subscription' then private.email_subscription(_email) is null
    when 'purchase' then private.email_purchase(_email) is null
    when 'consultation' then private.email_consultation(_email) is null
    -- Another email says that it is.
    when 'order' then case _email.kind
      when 'order_changed' then _email.resend_of is null
        and exists (select from public.orders o where o.id = _email.order_id and o.status = 'cancelled')
      when 'downloads_ready' then not exists (
        select from public.orders o where o.id = _email.order_id and private.has_order_access(o))
      -- Of a status: one that could not be sent at first, and a later email says another status.
      else _email.attempts > 0 and _email.resend_of is null and _email.status is not null and exists (
        select from public.outgoing_emails later
         where later.order_id = _email.order_id and later.created_at > _email.created_at and later.status <> _email.status
           and later.kind in ('order_status_changed', 'order_cancelled') and later.state in ('waiting', 'sent')) end
    else false
  end;
end $$;
