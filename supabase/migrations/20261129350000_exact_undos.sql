-- Undo of a step back from shipped stands the shipment again that made the order shipped, and Undo of cancelling what was sent moves no copy.

/*
 * Stands the shipment again that was undone when an order that is open became so (undo_closing_shipment, undo_shipment): that is being
 * undone itself. Not if fewer copies are left to send by now.
 */
create function private.redo_closing_shipment(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  again uuid;
begin
  select s.id into again from public.order_shipments s
   where s.order_id = _order_id and s.closing_event is not null and s.undone_at > (
     select coalesce(max(e.created_at), '-infinity') from public.order_events e where e.order_id = _order_id and e.id < (
       select max(v.id) from public.order_events v where v.order_id = _order_id))
     and not exists (
       select from public.order_shipment_lines l left join private.copies_to_send(_order_id) c on c.order_item_id = l.order_item_id
        where l.shipment_id = s.id and l.copies > coalesce(c.copies, 0));
  if not found then return; end if;
  update public.order_shipments set undone_at = null, undone_by = null where id = again;
  perform private.log_shipment(again, 'ship');
end $$;

/* Whether an order was cancelled after it had been sent, which moved no copy, and none has come back since: Undo moves none either. */
create function private.was_cancelled_when_sent(_order_id uuid)
returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce((select not private.is_open(e.from_status) and e.to_status = 'cancelled' from public.order_events e
                    where e.order_id = _order_id order by e.id desc limit 1), false)
     and not exists (select from public.order_returns r where r.order_id = _order_id and r.undone_at is null and r.of_cancelled)
$$;

/*
 * Moves an order's copies as its new status says (private.status_changes), and undoes the shipment that closed an order which is open
 * again. Returns the order as it is stored.
 */
create or replace function private.follow_status(_old public.orders, _new public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  moved int;
  restored public.orders;
begin
  if _new.status is not distinct from _old.status then return _new; end if;
  if _new.status is null or _new.status <> all (private.order_statuses()) then
    perform private.refuse('PT400', 'invalid_field', 'Unknown order status.',
      jsonb_build_object('field', 'status', 'rule', 'choice', 'choices', private.order_statuses()));
  end if;
  if _new.status = 'cancelled' and current_setting('shop.undo', true) = 'on' then
    restored := private.undo_reopening(_new);
    if restored.id is not null then return restored; end if;
  end if;
  select c.copies into moved from private.status_changes() as c where c.from_status = _old.status and c.to_status = _new.status;
  if moved = 1 and _old.stock_held then
    if private.is_part_sent(_new.id) then
      _new.stock_held := private.return_unsent_copies(_new.id);
    else
      perform private.move_order_stock(_new.id, 1, 'cancel');
      _new.stock_held := false;
    end if;
  elsif moved = -1 and (current_setting('shop.undo', true) is distinct from 'on' or not private.was_cancelled_when_sent(_old.id)) then
    perform private.take_reopened_copies(_old);
    _new.stock_held := true;
    _new.returned_amount := private.sum_returns(_new.id);
  end if;
  if private.is_open(_new.status) and not private.is_open(_old.status) then
    perform private.undo_closing_shipment(_new.id);
  elsif _new.status = 'shipped' and private.is_open(_old.status) and current_setting('shop.undo', true) = 'on' then
    perform private.redo_closing_shipment(_new.id);
  end if;
  return _new;
end $$;

/* After the row is written: what follows from it. */
create or replace function private.after_order_changes()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  by_client constant boolean := tg_argv[0] = 'client';
  event_id bigint;
begin
  if tg_op = 'INSERT' then
    perform private.count_new_order(new);
    if by_client then
      perform private.fill_new_order(new);
      perform private.queue_order_emails(new.id);
    end if;
    perform private.tally_order(new, 1);
    perform private.write_audit('orders', null, to_jsonb(new));
  elsif tg_op = 'UPDATE' then
    perform private.count_changed_order(old, new);
    if (new.status, new.payment_state) <> (old.status, old.payment_state) then
      perform private.tally_order(old, -1), private.tally_order(new, 1);
    end if;
    perform private.write_audit('orders', to_jsonb(old), to_jsonb(new), '{updated_at,stock_held}');
    if new.status <> old.status then
      event_id := private.record_order_event(new.id, old.status, new.status, private.what_was_reopened(old));
      -- Of an open order, only the shipment that its Undo stands again (redo_closing_shipment).
      if private.is_open(old.status) then
        update public.order_shipments set closing_event = event_id where order_id = new.id and undone_at is null and closing_event is not null;
      end if;
      perform private.queue_status_emails(new, old.status, event_id);
    end if;
    if private.has_digital_access(new.paid_amount, new.total_amount - new.returned_amount, new.status)
       and not private.has_digital_access(old.paid_amount, old.total_amount - old.returned_amount, old.status) then
      perform private.settle_digital(new.id);
    end if;
  else
    perform private.tally_order(old, -1);
    perform private.write_audit('orders', to_jsonb(old), null);
  end if;
  return null;
end $$;

/*
 * Replaces an order's lines by these, as order_lines_as_json has them; a line without an id is new. Moves the difference in copies, or
 * refuses the whole change with the titles that have too few. The caller has locked stock and order.
 */
create or replace function private.write_order_lines(_order public.orders, _lines jsonb, _delivery_fee numeric)
returns void language plpgsql security definer set search_path = '' as $$
declare
  before constant jsonb := private.changed_order_as_json(_order.id);
  book_ids uuid[];
  quantities int[];
  total numeric;
  change_id bigint;
  holds boolean;
begin
  select sum(l.price * l.quantity) + _delivery_fee into total from jsonb_populate_recordset(null::public.order_items, _lines) as l;
  perform private.require_number('total', 'The total', total, 0, 99999999.99);
  if exists (
    select from public.order_items i left join jsonb_populate_recordset(null::public.order_items, _lines) as l on l.id = i.id
     where i.order_id = _order.id and coalesce(l.quantity, 0) < i.quantity and coalesce(l.quantity, 0) < private.codes_given(_order.id, i.sold_book_id)
  ) then
    perform private.refuse('PT409', 'codes_given', 'The customer already has licence codes of this order: these copies can''t be removed.');
  end if;
  if exists (
    select from public.order_items i left join jsonb_populate_recordset(null::public.order_items, _lines) as l on l.id = i.id
     where i.order_id = _order.id
       and coalesce(l.quantity, 0) < private.codes_given(_order.id, i.sold_book_id) + private.copies_returned(i.id)
       and private.copies_returned(i.id) > 0
  ) then
    perform private.refuse('PT409', 'copies_returned',
      'Some of these copies have been returned. Undo the return before you take them out of the order.');
  end if;
  if exists (
    select from public.order_items i left join jsonb_populate_recordset(null::public.order_items, _lines) as l on l.id = i.id
     where i.order_id = _order.id and coalesce(l.quantity, 0) < private.copies_sent(i.id)
  ) then
    perform private.refuse('PT409', 'copies_sent',
      'Some of these copies have been sent. Undo the shipment before you take them out of the order.');
  end if;
  select array_agg(d.id), array_agg(d.copies) into book_ids, quantities
    from (select m.id, sum(m.copies) as copies
            from (select i.sold_book_id, i.quantity from public.order_items i where i.order_id = _order.id
                  union all
                  select l.sold_book_id, -l.quantity from jsonb_populate_recordset(null::public.order_items, _lines) as l) as m (id, copies)
           group by m.id having sum(m.copies) <> 0) as d;
  -- Of an open order that holds none, all are returned or none ever were: in the first case it holds what is added.
  holds := _order.stock_held or exists (select from public.order_returns r where r.order_id = _order.id and r.undone_at is null);
  if book_ids is not null and holds then
    perform private.move_stock(book_ids, quantities, 'change', _order.id);
  end if;

  perform set_config('shop.task', 'change', true);
  delete from public.order_items i
   where i.order_id = _order.id
     and not exists (select from jsonb_populate_recordset(null::public.order_items, _lines) as l where l.id = i.id);
  update public.order_items i
     set quantity = l.quantity
    from jsonb_populate_recordset(null::public.order_items, _lines) as l
   where i.id = l.id and i.order_id = _order.id and i.quantity <> l.quantity;
  insert into public.order_items (id, order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn, kind)
  select coalesce(l.id, gen_random_uuid()), _order.id, b.id, l.sold_book_id, l.quantity, l.price, l.title, l.publisher, l.isbn,
         coalesce(l.kind, b.kind, case when g.digital_by is not null then 'digital' else 'book' end)
    from jsonb_populate_recordset(null::public.order_items, _lines) as l
    left join public.books b on b.id = l.sold_book_id
    left join private.gone_books g on g.id = l.sold_book_id
   where not exists (select from public.order_items i where i.id = l.id);
  -- As write_return has it: an order of which all copies have come back holds none.
  holds := holds and (not exists (select from public.order_returns r where r.order_id = _order.id and r.undone_at is null)
                      or exists (select from private.copies_to_return(_order.id)));
  update public.orders set total_amount = total, delivery_fee = _delivery_fee, stock_held = holds where id = _order.id;
  perform set_config('shop.task', '', true);
  perform private.settle_digital(_order.id);

  insert into public.audit_log (table_name, row_id, action, before, after)
  values ('orders', _order.id, 'change', before, private.changed_order_as_json(_order.id)) returning id into change_id;
  -- One that waits will say what the order is when it is sent; locked, so that none is sent before this is committed.
  perform from public.outgoing_emails e
   where e.order_id = _order.id and e.kind = 'order_changed' and e.state = 'waiting' and e.lease is null for update;
  if not found then
    perform private.queue_email('order_changed', format('%s:%s', _order.id, change_id), _order.id);
  end if;
end $$;

drop function public.list_waiting_status_emails, private.list_waiting_status_emails;

/*
 * Staff: the orders about whose status emails leave soon, and in how many seconds; the next ones first, at most 200. from_status is the one
 * to which Undo goes back (private.status_before); is_own, whether the caller made the change. What is overdue is left out: a worker may be
 * taking it.
 */
create function private.list_waiting_status_emails()
returns table (order_id uuid, order_number bigint, from_status text, status text, emails int, seconds int, is_own boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query
    select o.id, o.number, coalesce(private.status_before(o.id), min(v.from_status)), min(e.status), count(*)::int,
           ceil(extract(epoch from min(e.due_at) - clock_timestamp()))::int, coalesce(bool_and(v.actor = auth.uid()), false)
      from public.outgoing_emails e
      join public.orders o on o.id = e.order_id
      join public.order_events v on v.id::text = e.event
     where e.state = 'waiting' and e.attempts = 0 and e.from_status is not null and e.due_at > clock_timestamp()
     group by o.id order by min(e.due_at), o.id limit 200;
end $$;
select private.expose('list_waiting_status_emails', 'authenticated', 'service_role');
