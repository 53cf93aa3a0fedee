-- A shipment that made its order shipped is undone when the order is open again; emails speak of a rest only after an earlier parcel, and
-- parcels use up none of a recipient's emails.

/* Whether copies of an order left before the last ones. Of a cancelled order, any that left did so before those that never will. */
create function private.has_earlier_parcel(_order_id uuid, _status text)
returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.order_shipments s
                  where s.order_id = _order_id and s.undone_at is null and (s.closing_event is null or _status = 'cancelled'))
$$;

/* Undoes the shipment that made an order shipped: the order is open again, and would have nothing to send. */
create function private.undo_closing_shipment(_order_id uuid)
returns void language sql volatile security definer set search_path = '' as $$
  with undone as (
    update public.order_shipments set undone_at = clock_timestamp(), undone_by = auth.uid()
     where order_id = _order_id and undone_at is null and closing_event is not null
    returning id)
  select private.log_shipment(undone.id, 'undo_ship') from undone
$$;

/*
 * Staff: undoes a shipment. An order that became shipped by its shipments, and still is, goes back to its former status. An email that has
 * not left falls away. Repeating it changes nothing.
 */
create or replace function private.undo_shipment(_shipment_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  closing record;
  unchanged text;
begin
  perform private.require_duty('orders');
  perform private.lock_stock(true);
  select o.* into of_order from public.orders o
   where o.id = (select s.order_id from public.order_shipments s where s.id = _shipment_id) for no key update;
  if not found then
    perform private.refuse('PT404', 'shipment_not_found', 'This shipment no longer exists.');
  end if;
  if exists (select from public.order_shipments s where s.id = _shipment_id and s.undone_at is not null) then return; end if;
  -- Cancelling has returned the copies that were not sent: these would be in neither place.
  if of_order.status = 'cancelled' then
    perform private.refuse('PT409', 'order_cancelled', 'This order is cancelled. Reopen it before you undo the shipment.');
  end if;
  select s.id, e.from_status into closing
    from public.order_shipments s join public.order_events e on e.id = s.closing_event
   where s.order_id = of_order.id and s.undone_at is null and of_order.status = 'shipped'
     and e.id = (select max(v.id) from public.order_events v where v.order_id = of_order.id);
  update public.order_shipments set undone_at = clock_timestamp(), undone_by = auth.uid() where id = _shipment_id;
  -- A worker that is taking one now has it, and its customer is told; the lock waits for that.
  perform from public.outgoing_emails where order_id = of_order.id and event = _shipment_id::text and state = 'waiting' for update;
  delete from public.outgoing_emails
   where order_id = of_order.id and event = _shipment_id::text and state = 'waiting' and attempts = 0;
  perform private.log_shipment(_shipment_id, 'undo_ship');
  if closing.id is null then return; end if;
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
end $$;

/* An order of which copies were sent can't be deleted: they would be in no record. */
create or replace function private.keep_sent_order(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if private.is_part_sent(_order_id) then
    perform private.refuse('PT409', 'order_has_shipments', 'Copies of this order have been sent, so it can''t be deleted. '
      || case (select o.status from public.orders o where o.id = _order_id)
           when 'cancelled' then 'Reopen the order first, which takes its unsent copies from stock again. Then undo the shipment.'
           else 'Undo the shipment first.' end);
  end if;
end $$;

/*
 * Moves an order's copies as its new status says (private.status_changes), and undoes the shipment that closed an order which is open
 * again. Returns the order as it is stored.
 */
create or replace function private.follow_status(_old public.orders, _new public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  moved int;
begin
  if _new.status is not distinct from _old.status then return _new; end if;
  if _new.status is null or _new.status <> all (private.order_statuses()) then
    perform private.refuse('PT400', 'invalid_field', 'Unknown order status.',
      jsonb_build_object('field', 'status', 'rule', 'choice', 'choices', private.order_statuses()));
  end if;
  select c.copies into moved from private.status_changes() as c where c.from_status = _old.status and c.to_status = _new.status;
  if moved = 1 and _old.stock_held then
    if private.is_part_sent(_new.id) then
      _new.stock_held := private.return_unsent_copies(_new.id);
    else
      perform private.move_order_stock(_new.id, 1, 'cancel');
      _new.stock_held := false;
    end if;
  elsif moved = -1 then
    perform private.take_reopened_copies(_old);
    _new.stock_held := true;
    _new.returned_amount := private.sum_returns(_new.id);
  end if;
  if private.is_open(_new.status) and not private.is_open(_old.status) then
    perform private.undo_closing_shipment(_new.id);
  end if;
  return _new;
end $$;

/*
 * Staff: returns copies of a shipped, delivered or cancelled order, once per _return_id. _lines as in write_return; _reason one of
 * return_reasons. Of a cancelled order no refund is written down, since all that was paid for it is owed back.
 */
create or replace function private.return_copies(_return_id uuid, _order_id uuid, _lines jsonb, _reason text, _note text default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  known public.order_returns;
begin
  perform private.require_duty('orders');
  of_order := private.lock_order_with_stock(_order_id);
  select * into known from public.order_returns r where r.id = _return_id and r.order_id = _order_id;
  if found then
    if known.undone_at is not null or (known.reason, known.note) is distinct from (_reason, private.clean_text(_note)) or exists (
      select from (select l.order_item_id, l.copies, l.refund from public.order_return_lines l where l.return_id = known.id) as stored
        full join jsonb_to_recordset(_lines) as l (order_item_id uuid, copies int, refund numeric) using (order_item_id)
       where stored.copies is distinct from l.copies or known.of_cancelled is false and stored.refund <> l.refund
    ) then
      perform private.refuse('PT409', 'return_exists',
        'This return was already recorded, before your last changes. You''ll find it in the order''s history.');
    end if;
    return;
  end if;
  if private.is_open(of_order.status) then
    perform private.refuse('PT409', 'order_not_sent', case when private.is_part_sent(_order_id)
      then 'The rest of this order hasn''t been sent yet. Send it first, then record what came back.'
      else 'This order hasn''t been sent yet. Change or cancel it instead.' end);
  end if;
  if not of_order.stock_held then
    perform private.refuse('PT409', 'nothing_to_return', 'All copies of this order have already been returned.');
  end if;
  perform private.write_return(coalesce(_return_id, gen_random_uuid()), of_order, _lines, _reason, _note);
end $$;

/* An email's order as its text needs it; null when it has been deleted. */
create or replace function private.email_order(_order_id uuid)
returns jsonb language sql stable security definer set search_path = '' as $$
  select private.typed_of_order(to_jsonb(o)) || jsonb_build_object(
    'id', o.id, 'number', o.number, 'has_account', o.user_id is not null, 'total', o.total_amount, 'placed_at', o.created_at,
    'name', coalesce(o.recipient_name, p.full_name), 'email', case when o.user_id is null then o.recipient_email else p.email end,
    'recipient_email', case when lower(o.recipient_email) <> lower(p.email) then o.recipient_email end,
    'phone', coalesce(o.recipient_phone, p.phone), 'delivery_fee', o.delivery_fee, 'paid', o.paid_amount, 'returned', o.returned_amount,
    'owed_back', o.owed_back,
    'part_sent', private.has_earlier_parcel(o.id, o.status), 'carrier', o.carrier, 'parcel_number', o.parcel_number, 'driver_phone', o.driver_phone,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'quantity', i.quantity, 'price', i.price)
                       order by private.fold(i.title), i.id)
        from public.order_items i where i.order_id = o.id), '[]'))
    from public.orders o left join public.profiles p on p.id = o.user_id
   where o.id = _order_id
$$;

/*
 * Whether a copy for an order's recipient would be one too many: an address gets two a day, an account's orders send ten a day, and
 * those that new customers have placed 200 in all, because one network may sign up a hundred accounts an hour. That is more than a shop's
 * first-time customers order for others in a day, and too little for anyone who wants to send spam. What staff send again always goes out,
 * and parcels don't count, since staff alone cause their copies: the one that the order is on its way follows them.
 */
create or replace function private.is_copy_too_many(_email public.outgoing_emails)
returns boolean language sql stable security definer set search_path = '' as $$
  select _email.resend_of is null and private.email_audience(_email.kind) = 'recipient' and _email.kind <> 'recipient_order_part_shipped'
     and (count(*) filter (where e.mailbox = _email.mailbox) >= 2
          or count(*) filter (where other.user_id = mine.user_id) >= 10
          or _email.kind = 'recipient_order_placed' and private.is_new_customer(mine.user_id)
             and count(*) filter (where e.kind = 'recipient_order_placed' and private.is_new_customer(other.user_id)) >= 200)
    from public.orders mine
    left join public.outgoing_emails e
      on e.mailbox is not null and e.id <> _email.id and e.kind <> 'recipient_order_part_shipped'
     and coalesce(e.settled_at, e.created_at) > clock_timestamp() - interval '1 day'
     and (e.state = 'sent' or e.state = 'waiting' and e.lease is not null)
    left join public.orders other on other.id = e.order_id
   where mine.id = _email.order_id
   group by mine.id
$$;
