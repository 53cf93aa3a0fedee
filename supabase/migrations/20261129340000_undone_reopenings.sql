-- Undoing that a cancelled order was reopened restores its copies and returns.

alter table public.order_events add column reopened jsonb;

drop function private.record_order_event(uuid, text, text);

/* Adds a change of status to an order's history. Returns its id. */
create function private.record_order_event(_order_id uuid, _from text, _to text, _reopened jsonb)
returns bigint language sql volatile security definer set search_path = '' as $$
  insert into public.order_events (order_id, from_status, to_status, reopened) values (_order_id, _from, _to, _reopened) returning id
$$;

/* What the reopening of a cancelled order takes back: its order_events.reopened; null for other changes. */
create function private.what_was_reopened(_old public.orders)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('stock_held', _old.stock_held, 'returns', coalesce((
           select jsonb_agg(r.id order by r.created_at, r.id) from public.order_returns r
            where r.order_id = _old.id and r.undone_at = transaction_timestamp()), '[]'))
   where _old.status = 'cancelled'
$$;

/*
 * Takes back what the last reopening of an order did to its copies and returns, whatever its status since: nothing else tells a copy that
 * was taken for it from one that the customer already had. Null, and nothing is done, if copies have moved since then.
 */
create function private.undo_reopening(_order public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  reopening public.order_events;
  before timestamptz;
  returns uuid[];
  book_ids uuid[];
  quantities int[];
begin
  select * into reopening from public.order_events e where e.order_id = _order.id and e.from_status = 'cancelled' order by e.id desc limit 1;
  if reopening.reopened is null
     or exists (select from public.stock_movements m where m.order_id = _order.id and m.created_at > reopening.created_at)
     or exists (select from public.order_shipments s where s.order_id = _order.id and s.created_at > reopening.created_at and s.undone_at is null)
     or exists (select from private.licence_codes c where c.order_id = _order.id) then
    return null;
  end if;
  select coalesce(max(e.created_at), '-infinity') into before from public.order_events e where e.order_id = _order.id and e.id < reopening.id;
  select array_agg(m.book_id), array_agg(-m.quantity) into book_ids, quantities
    from public.stock_movements m
   where m.order_id = _order.id and m.reason = 'reopen' and m.created_at > before and m.created_at <= reopening.created_at;
  if book_ids is not null then
    perform private.move_stock(book_ids, quantities, 'cancel', _order.id);
  end if;
  returns := array(select id::uuid from jsonb_array_elements_text(reopening.reopened -> 'returns') as id);
  update public.order_returns set undone_at = null, undone_by = null where id = any (returns);
  perform private.log_return(r.id, 'return') from public.order_returns r where r.id = any (returns) and r.reason <> 'unsent';
  _order.stock_held := (reopening.reopened ->> 'stock_held')::boolean;
  _order.returned_amount := private.sum_returns(_order.id);
  return _order;
end $$;

/*
 * Takes the copies of an order that is being reopened: those that its cancellation returned, and with them the returns that were recorded
 * while it was cancelled, or all of them if nothing else would be left to send. Copies that were written off are taken anew.
 */
create or replace function private.take_reopened_copies(_order public.orders)
returns void language plpgsql security definer set search_path = '' as $$
declare
  undone uuid[];
  book_ids uuid[];
  quantities int[];
begin
  undone := array(select r.id from public.order_returns r where r.order_id = _order.id and r.undone_at is null and r.of_cancelled);
  if cardinality(undone) = 0 and not exists (select from private.copies_to_return(_order.id)) then
    undone := array(select r.id from public.order_returns r where r.order_id = _order.id and r.undone_at is null);
  end if;
  -- They were sent, and would be to send again: no shipment says so.
  if private.is_part_sent(_order.id) and exists (select from public.order_returns r where r.id = any (undone) and r.reason <> 'unsent') then
    perform private.refuse('PT409', 'sent_copies_returned',
      'Copies of this order came back after they had been sent. Undo the return, then reopen the order.');
  end if;
  -- By this time, what_was_reopened knows them.
  update public.order_returns set undone_at = transaction_timestamp(), undone_by = auth.uid() where id = any (undone);
  perform private.log_return(r.id, 'undo_return') from public.order_returns r where r.id = any (undone) and r.reason <> 'unsent';
  if not _order.stock_held then
    perform private.move_order_stock(_order.id, -1, 'reopen');
    return;
  end if;
  select array_agg(t.book_id), array_agg(t.copies) into book_ids, quantities
    from (select l.book_id, -sum(l.copies)::int as copies from public.order_return_lines l
           where l.return_id = any (undone) and l.book_id is not null group by l.book_id) as t;
  if book_ids is not null then
    perform private.move_stock(book_ids, quantities, 'reopen', _order.id);
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
