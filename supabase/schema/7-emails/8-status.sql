-- The emails about an order's status and parcels (4-orders/19-shipments) wait for a moment, so that staff can take a change back. Several
-- changes of status send one email, and none if the order is back where its customer knows it.

/* For how long they wait. Until an admin changes it, as in shared/owner/settings.ts. */
create function private.status_email_seconds()
returns int language sql stable set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'statusEmailSeconds'), 60)
$$;

/* Whether staff have stopped the last email about an order's status, and it says this one. */
create function private.was_stopped(_order_id uuid, _status text)
returns boolean language sql stable set search_path = '' as $$
  select coalesce((select e.state = 'stopped' and e.status = _status from public.outgoing_emails e
                    where e.order_id = _order_id and e.kind in ('order_status_changed', 'order_cancelled')
                      and (e.state <> 'waiting' or e.attempts > 0)
                    order by e.created_at desc, e.id limit 1), false)
$$;

/*
 * The emails about a change of an order's status, which is this event of its history. They replace those that still wait, and tell the
 * customer of the change from the status that they knew. What a customer changes is told at once.
 */
create function private.queue_status_emails(_order public.orders, _from text, _event_id bigint)
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
  -- Undo goes back to a status whose email staff have stopped without sending it after all.
  if current_setting('shop.undo', true) = 'on' and private.was_stopped(_order.id, _order.status) then return; end if;
  perform private.queue_emails(c.emails, _event_id::text, _order.id, _order.status,
                               case when seconds > 0 then known end, seconds)
     from private.status_changes() as c where c.from_status = known and c.to_status = _order.status;
  if by_customer and _order.status = 'cancelled' then
    perform private.queue_email('order_cancelled_by_customer', _event_id::text, _order.id, _order.status);
  end if;
end $$;

/*
 * The status to which Undo takes an order: the one before its last change, of those that its customer has not been told of, that was not
 * taken back. A change back to the status before takes a change back, so that Undo after Undo goes back further and never forwards.
 */
create function private.status_before(_order_id uuid)
returns text language plpgsql stable security definer set search_path = '' as $$
declare
  path text[] := '{}';
  change public.order_events;
begin
  for change in
    select v.* from public.order_events v
     where v.order_id = _order_id and v.id > coalesce((
       select max(told.id) from public.order_events told join public.outgoing_emails e on e.event = told.id::text
        where told.order_id = _order_id and e.order_id = _order_id and e.kind in ('order_status_changed', 'order_cancelled')
          and (e.state in ('sent', 'given_up') or e.attempts > 0 or e.from_status is null)), 0)
     order by v.id
  loop
    if path = '{}' then path := array[change.from_status]; end if;
    if path[cardinality(path) - 1] = change.to_status then
      path := path[:cardinality(path) - 1];
    else
      path := path || change.to_status;
    end if;
  end loop;
  return path[cardinality(path) - 1];
end $$;

/* Whether an email waits for staff to take back what it is about: a change of status or a parcel. */
create function private.is_held(_email public.outgoing_emails)
returns boolean language sql stable set search_path = '' as $$
  select _email.state = 'waiting' and _email.attempts = 0 and _email.event is not null
     and (_email.from_status is not null or private.email_topic(_email.kind) = 'shipment')
$$;

/*
 * Staff: what customers are told of soon, and in how many seconds; the next ones first, at most 200. Of a change of status, from_status is the
 * one to which Undo goes back (private.status_before); of a parcel, shipment_id, its copies, and whether the email says that it was taken
 * back. is_own, whether the caller did it. What is overdue is left out: a worker may be taking it.
 */
create function private.list_waiting_emails()
returns table (event text, order_id uuid, order_number bigint, from_status text, status text, shipment_id uuid, copies int, is_taken_back boolean,
               emails int, seconds int, is_own boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query
    select e.event, o.id, o.number, case when s.id is null then coalesce(private.status_before(o.id), min(v.from_status)) end, min(e.status),
           s.id, (select sum(l.copies)::int from public.order_shipment_lines l where l.shipment_id = s.id), coalesce(s.undone_at is not null, false),
           count(*)::int, ceil(extract(epoch from min(e.due_at) - clock_timestamp()))::int,
           coalesce(bool_and(coalesce(v.actor, s.undone_by, s.actor) = auth.uid()), false)
      from public.outgoing_emails e
      join public.orders o on o.id = e.order_id
      left join public.order_events v on v.order_id = o.id and v.id::text = e.event
      left join public.order_shipments s on s.order_id = o.id and s.id::text = e.event
     where e.state = 'waiting' and private.is_held(e) and e.due_at > clock_timestamp()
     group by e.event, o.id, s.id order by min(e.due_at), o.id, e.event limit 200;
end $$;
select private.expose('list_waiting_emails', 'authenticated', 'service_role');

/*
 * Staff: stops the waiting emails about these events, at most 200; returns how many. One that a worker has taken is not stopped. A stopped
 * one can be sent again.
 */
create function private.stop_emails(_events text[])
returns bigint language plpgsql security definer set search_path = '' as $$
declare
  stopped bigint;
begin
  perform private.require_duty('orders');
  -- As every change of several orders, so that neither waits for the other in a circle.
  perform private.lock_stock(true);
  update public.outgoing_emails as e
     set state = 'stopped', settled_at = clock_timestamp()
   where e.event = any (_events[:200]) and e.state = 'waiting' and private.is_held(e);
  get diagnostics stopped = row_count;
  return stopped;
end $$;
select private.expose('stop_emails', 'authenticated', 'service_role');
