-- Staff see that an email about a parcel waits, and can stop it, as one about a status.

drop function public.list_waiting_status_emails, private.list_waiting_status_emails, public.stop_status_emails, private.stop_status_emails;

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
