-- Sets one status for many orders. Each succeeds or fails on its own; the result names those that failed, and why.

/* The texts of a shipment, { carrier, parcel_number, driver_phone }, as they are stored; refuses what is too long. */
create function private.read_shipment(_shipment jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select jsonb_object_agg(name, private.require_text(name, 'The ' || label, private.clean_line(_shipment ->> name), at_most))
    from private.shipment_texts()
$$;

/*
 * Staff: sets the status of 1 to 200 orders, each if it still has the status in _shown at its place, or the new one already. One
 * row an order, in the order given; problem is null when it has the status now, otherwise a sentence. number is null when the
 * order no longer exists. With the status shipped, _shipment has the shipping details, { carrier, parcel_number, driver_phone }. For an order
 * shown as shipped it replaces the stored ones, and the customer is notified; one that someone else has shipped meanwhile keeps its own.
 */
create function private.set_order_statuses(_order_ids uuid[], _shown text[], _status text, _shipment jsonb default null)
returns table (order_id uuid, number bigint, problem text)
language plpgsql security definer set search_path = '' as $$
declare
  orders constant int := coalesce(array_length(_order_ids, 1), 0);
  shipment jsonb := '{}';
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
      changed := jsonb_populate_record(current, shipment || jsonb_build_object('status', _status));
      if current.id is null then
        problem := 'It no longer exists.';
      elsif current.status is distinct from _shown[place] and current.status is distinct from _status then
        problem := format('It is now %s. Check it before you change its status.', current.status);
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
