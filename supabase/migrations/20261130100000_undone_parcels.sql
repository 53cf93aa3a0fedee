-- Whoever was told of a parcel that staff then undo gets a correction, and staff see when the customer was told.

drop function public.undo_shipment(uuid);
drop function private.undo_shipment(uuid);

/*
 * The one list of the kinds of emails: who gets them, 'customer', 'recipient' (of someone else's order), 'supplier' or 'owner', and what their text is
 * read from when they are sent. A new kind is a new line here and in shared/shop/email-kinds.ts, which has its name and leads to its text.
 */
create or replace function private.email_kinds()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "order_placed": {"audience": "customer", "topic": "order"},
    "order_status_changed": {"audience": "customer", "topic": "order"},
    "order_part_shipped": {"audience": "customer", "topic": "shipment"},
    "order_part_undone": {"audience": "customer", "topic": "shipment"},
    "order_changed": {"audience": "customer", "topic": "order"},
    "order_cancelled": {"audience": "customer", "topic": "order"},
    "downloads_ready": {"audience": "customer", "topic": "order"},
    "order_paid": {"audience": "customer", "topic": "payment"},
    "order_refunded": {"audience": "customer", "topic": "payment"},
    "quote_sent": {"audience": "customer", "topic": "quote"},
    "back_in_stock": {"audience": "customer", "topic": "alert"},
    "event_registered": {"audience": "customer", "topic": "registration"},
    "event_place": {"audience": "customer", "topic": "registration"},
    "event_changed": {"audience": "customer", "topic": "registration"},
    "event_cancelled": {"audience": "customer", "topic": "registration"},
    "event_subscription": {"audience": "customer", "topic": "subscription"},
    "event_published": {"audience": "customer", "topic": "subscription"},
    "purchase_order_sent": {"audience": "supplier", "topic": "purchase"},
    "consultation_received": {"audience": "customer", "topic": "consultation"},
    "consultation_answered": {"audience": "customer", "topic": "consultation"},
    "consultation_dated": {"audience": "customer", "topic": "consultation"},
    "consultation_cancelled": {"audience": "customer", "topic": "consultation"},
    "recipient_order_placed": {"audience": "recipient", "topic": "order"},
    "recipient_order_part_shipped": {"audience": "recipient", "topic": "shipment"},
    "recipient_order_part_undone": {"audience": "recipient", "topic": "shipment"},
    "recipient_order_shipped": {"audience": "recipient", "topic": "order"},
    "new_order": {"audience": "owner", "topic": "order"},
    "order_cancelled_by_customer": {"audience": "owner", "topic": "order"},
    "payment_needs_decision": {"audience": "owner", "topic": "payment"},
    "quote_requested": {"audience": "owner", "topic": "quote"},
    "consultation_requested": {"audience": "owner", "topic": "consultation"},
    "low_stock": {"audience": "owner", "topic": "stock"},
    "own_role_changed": {"audience": "customer", "topic": "role"},
    "role_changed": {"audience": "customer", "topic": "role"}
  }'::jsonb
$$;

/* When an email of this kind about an event left, or a worker took it; null if none has. */
create function private.told_at(_kind text, _event text)
returns timestamptz language sql stable security definer set search_path = '' as $$
  select min(coalesce(e.settled_at, clock_timestamp()))
    from public.outgoing_emails f join public.outgoing_emails e on f.id in (e.id, e.resend_of)
   where f.kind = _kind and f.event = _event and (e.state = 'sent' or e.lease is not null)
$$;

/*
 * What an email about a part of an order says of it; null for any other email, when it was undone, and for the correction of an email that
 * never left.
 */
create or replace function private.email_shipment(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
           'carrier', s.carrier, 'parcel_number', s.parcel_number, 'driver_phone', s.driver_phone,
           'lines', private.shipment_lines_as_json(s.id),
           'left', (select coalesce(jsonb_agg(jsonb_build_object('title', c.title, 'copies', c.copies)
                                              order by private.fold(c.title), c.order_item_id), '[]')
                      from private.copies_to_send(s.order_id) as c))
    from public.order_shipments s
   where private.email_topic(_email.kind) = 'shipment' and s.id = private.as_uuid(private.email_event(_email))
     and case when _email.kind in ('order_part_undone', 'recipient_order_part_undone')
           then s.undone_at is not null and private.told_at(replace(_email.kind, 'undone', 'shipped'), s.id::text) is not null
           else s.undone_at is null end
$$;

/*
 * Whether a copy for an order's recipient would be one too many: an address gets two a day, an account's orders send ten a day, and
 * those that new customers have placed 200 in all, because one network may sign up a hundred accounts an hour. That is more than a shop's
 * first-time customers order for others in a day, and too little for anyone who wants to send spam. What staff send again always goes out,
 * and parcels don't count, since staff alone cause their copies: the one that the order is on its way follows them.
 */
create or replace function private.is_copy_too_many(_email public.outgoing_emails)
returns boolean language sql stable security definer set search_path = '' as $$
  select _email.resend_of is null and private.email_audience(_email.kind) = 'recipient' and private.email_topic(_email.kind) <> 'shipment'
     and (count(*) filter (where e.mailbox = _email.mailbox) >= 2
          or count(*) filter (where other.user_id = mine.user_id) >= 10
          or _email.kind = 'recipient_order_placed' and private.is_new_customer(mine.user_id)
             and count(*) filter (where e.kind = 'recipient_order_placed' and private.is_new_customer(other.user_id)) >= 200)
    from public.orders mine
    left join public.outgoing_emails e
      on e.mailbox is not null and e.id <> _email.id and private.email_topic(e.kind) <> 'shipment'
     and coalesce(e.settled_at, e.created_at) > clock_timestamp() - interval '1 day'
     and (e.state = 'sent' or e.state = 'waiting' and e.lease is not null)
    left join public.orders other on other.id = e.order_id
   where mine.id = _email.order_id
   group by mine.id
$$;

/*
 * Whoever was told of a shipment is told that it was undone, after the same wait; returns when the customer was told of it. The kinds are
 * those of queue_shipment_emails.
 */
create function private.queue_undone_shipment_emails(_shipment_id uuid, _order_id uuid)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  kind text;
begin
  foreach kind in array '{order_part,recipient_order_part}'::text[] loop
    if private.told_at(kind || '_shipped', _shipment_id::text) is not null then
      perform private.queue_emails(array[kind || '_undone'], _shipment_id::text, _order_id, _seconds => private.status_email_seconds());
    end if;
  end loop;
  return private.told_at('order_part_shipped', _shipment_id::text);
end $$;

/*
 * Staff: undoes a shipment. An order that became shipped by its shipments, and still is, goes back to its former status. An email that has
 * not left falls away; one that has left is corrected by another. Returns when the customer was told of it; null if they were not, and of a
 * repetition, which changes nothing.
 */
create function private.undo_shipment(_shipment_id uuid)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  closing record;
  told timestamptz;
  unchanged text;
begin
  perform private.require_duty('orders');
  perform private.lock_stock(true);
  select o.* into of_order from public.orders o
   where o.id = (select s.order_id from public.order_shipments s where s.id = _shipment_id) for no key update;
  if not found then
    perform private.refuse('PT404', 'shipment_not_found', 'This shipment no longer exists.');
  end if;
  if exists (select from public.order_shipments s where s.id = _shipment_id and s.undone_at is not null) then return null; end if;
  -- Cancelling has returned the copies that were not sent: these would be in neither place.
  if of_order.status = 'cancelled' then
    perform private.refuse('PT409', 'order_cancelled', 'This order is cancelled. Reopen it before you undo the shipment.');
  end if;
  select s.id, e.from_status, e.id as event into closing
    from public.order_shipments s join public.order_events e on e.id = s.closing_event
   where s.order_id = of_order.id and s.undone_at is null and of_order.status = 'shipped'
     and e.id = (select max(v.id) from public.order_events v where v.order_id = of_order.id);
  update public.order_shipments set undone_at = clock_timestamp(), undone_by = auth.uid() where id = _shipment_id;
  -- A worker that is taking one now has it, and its customer is told; the lock waits for that.
  perform from public.outgoing_emails where order_id = of_order.id and event = _shipment_id::text and state = 'waiting' for update;
  delete from public.outgoing_emails
   where order_id = of_order.id and event = _shipment_id::text and state = 'waiting' and attempts = 0;
  perform private.log_shipment(_shipment_id, 'undo_ship');
  told := private.queue_undone_shipment_emails(_shipment_id, of_order.id);
  if closing.id is null then return told; end if;
  -- What corrects this one is the email about the former status.
  if closing.id = _shipment_id then told := private.told_at('order_status_changed', closing.event::text); end if;
  -- Otherwise it would be undone with the status (undo_closing_shipment).
  update public.order_shipments set closing_event = null where id = closing.id and id <> _shipment_id;
  select w.problem into unchanged
    from private.set_back_statuses(array[of_order.id], '{shipped}', array[closing.from_status]) as w;
  if unchanged is not null then
    perform private.refuse('PT409', 'order_changed', unchanged);
  end if;
  -- The email about the status spoke for the shipment that stays.
  if closing.id <> _shipment_id then
    perform private.queue_shipment_emails(closing.id, of_order.id);
  end if;
  return told;
end $$;
select private.expose('undo_shipment', 'authenticated', 'service_role');
