-- Sets one status for many orders. Each succeeds or fails on its own; the result names those that failed, and why.

/* The texts of a shipment, { carrier, parcel_number, driver_phone }, as they are stored; refuses what is too long. */
create function private.read_shipment(_shipment jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select jsonb_object_agg(name, private.require_text(name, 'The ' || label,
           case name when 'driver_phone' then private.written_phone(_shipment ->> name) else private.clean_line(_shipment ->> name) end, at_most))
    from private.shipment_texts()
$$;

/*
 * What a new status would take back of an order, as private.status_changes names it; null if nothing. Staff may do each to one order; to
 * several together only if they choose it.
 */
create function private.step_back(_from text, _to text, _paid numeric)
returns text language sql immutable parallel safe set search_path = '' as $$
  select c.step_back from private.status_changes() as c
   where c.from_status = _from and c.to_status = _to and (c.step_back <> 'cancel_paid' or _paid > 0)
$$;

/* As step_back, for this order: one that is sent in part is cancelled as one that is sent. */
create function private.step_back_of(_order public.orders, _to text)
returns text language sql stable set search_path = '' as $$
  select case when _to = 'cancelled' and private.is_open(_order.status) and private.is_part_sent(_order.id) then 'cancel_sent'
              else private.step_back(_order.status, _to, _order.paid_amount) end
$$;

/* Why an order was left out, as a sentence for staff. */
create function private.word_step_back(_step text, _status text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case _step
    when 'reopen' then 'It is cancelled and was not reopened.'
    when 'cancel_paid' then 'It has been paid and was not cancelled.'
    when 'cancel_sent' then format('It is already %s and was not cancelled.', case when private.is_open(_status) then 'sent in part' else _status end)
    when 'set_back' then format('It is already %s and was not moved back.', _status) end
$$;

/* What set_order_statuses does, for callers that have asked for the duty. */
create function private.write_order_statuses(
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
      step := private.step_back_of(current, _status);
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
 * Staff: sets the status of 1 to 200 orders, each if it still has the status in _shown at its place, or the new one already. One
 * row an order, in the order given; problem is null when it has the status now, otherwise a sentence. number is null when the
 * order no longer exists. Of several orders, one that would be taken a step back changes only if that step (private.step_back) is among
 * _steps_back. With the status shipped, _shipment has the shipping details, { carrier, parcel_number, driver_phone }. For an order
 * shown as shipped it replaces the stored ones, and the customer is notified; an order that someone else has just shipped keeps its own details.
 */
create function private.set_order_statuses(
  _order_ids uuid[], _shown text[], _status text, _shipment jsonb default null, _steps_back text[] default '{}')
returns table (order_id uuid, number bigint, problem text)
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query select * from private.write_order_statuses(_order_ids, _shown, _status, _shipment, _steps_back);
end $$;
select private.expose('set_order_statuses', 'authenticated', 'service_role');

/*
 * Staff: takes 1 to 200 orders back from the status in _shown to the one in _statuses at its place, whatever that takes back, and with it
 * the shipping details that were typed when they were shipped. One row an order, as from set_order_statuses.
 */
create function private.set_back_statuses(_order_ids uuid[], _shown text[], _statuses text[])
returns table (order_id uuid, number bigint, problem text)
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  if coalesce(array_length(_order_ids, 1), 0) not between 1 and 200
     or (array_length(_shown, 1), array_length(_statuses, 1)) is distinct from (array_length(_order_ids, 1), array_length(_order_ids, 1)) then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 200 orders, each with its status and the one to go back to.');
  end if;
  -- Not the task, which moving the copies sets as well.
  perform set_config('shop.undo', 'on', true);
  return query
    select w.* from (select t.status, array_agg(t.id) as ids, array_agg(t.shown) as shown
                       from unnest(_order_ids, _shown, _statuses) as t (id, shown, status) group by t.status) as g
     cross join lateral private.write_order_statuses(
       g.ids, g.shown, g.status, null, '{reopen,set_back,cancel_sent,cancel_paid}') as w;
  update public.orders o
     set carrier = former.shipment ->> 'carrier', parcel_number = former.shipment ->> 'parcel_number',
         driver_phone = former.shipment ->> 'driver_phone'
    from unnest(_order_ids, _shown, _statuses) as t (id, shown, status)
   cross join lateral (select l.before as shipment from public.audit_log l
                        where l.table_name = 'orders' and l.row_id = t.id::text
                          and l.after ->> 'status' = 'shipped' and l.before ->> 'status' = t.status
                        order by l.id desc limit 1) as former
   where o.id = t.id and t.shown = 'shipped' and o.status = t.status;
  perform set_config('shop.undo', '', true);
end $$;
select private.expose('set_back_statuses', 'authenticated', 'service_role');

/*
 * Staff: what set_order_statuses would do, tried out and rolled back. One row an order, as there, with its status now, the step back that
 * it would be, the emails to its customer and recipient, the copies that it would return to stock (negative: take from it), and what the
 * customer would be owed back beyond what they are already, in cedis.
 */
create function private.try_order_statuses(_order_ids uuid[], _shown text[], _status text, _steps_back text[] default '{}')
returns table (order_id uuid, number bigint, status text, step text, problem text, emails int, copies int, owed_back numeric)
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
             'status', o.status, 'step', private.step_back_of(o, _status), 'owed_back', o.owed_back))
      into before from public.orders o where o.id = any (_order_ids);
    select jsonb_agg(to_jsonb(o) || coalesce(before -> o.order_id::text, '{}')) into outcomes
      from private.write_order_statuses(_order_ids, _shown, _status, null, _steps_back) as o;
    select jsonb_agg(one || jsonb_build_object(
             'emails', (select count(*) from public.outgoing_emails e
                         where e.order_id = (one ->> 'order_id')::uuid and e.created_at >= begun
                           and private.email_audience(e.kind) <> 'owner'),
             'copies', (select coalesce(sum(m.quantity), 0) from public.stock_movements m
                         where m.order_id = (one ->> 'order_id')::uuid and m.created_at >= begun),
             'owed_back', (select o.owed_back - (one ->> 'owed_back')::numeric from public.orders o
                            where o.id = (one ->> 'order_id')::uuid)))
      into outcomes from jsonb_array_elements(outcomes) as one;
    raise exception using errcode = 'ZZ000';
  exception when sqlstate 'ZZ000' then null;
  end;
  return query select * from jsonb_to_recordset(outcomes)
    as o(order_id uuid, number bigint, status text, step text, problem text, emails int, copies int, owed_back numeric);
end $$;
select private.expose('try_order_statuses', 'authenticated', 'service_role');
