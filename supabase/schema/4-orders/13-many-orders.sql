-- Sets one status for many orders. Each succeeds or fails on its own; the result names those that failed, and why.

/*
 * Staff: sets the status of 1 to 200 orders, each if it still has the status in _shown at its place, or the new one already. One
 * row an order, in the order given; problem is null when it has the status now, otherwise a sentence. number is null when the
 * order no longer exists.
 */
create function private.set_order_statuses(_order_ids uuid[], _shown text[], _status text)
returns table (order_id uuid, number bigint, problem text)
language plpgsql security definer set search_path = '' as $$
declare
  orders constant int := coalesce(array_length(_order_ids, 1), 0);
  current public.orders;
begin
  perform private.require_staff();
  if orders not between 1 and 200 or array_length(_shown, 1) is distinct from orders then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 200 orders, with the status that was shown for each.');
  end if;
  perform private.lock_stock(true);
  for place in 1 .. orders loop
    -- Each failure is rolled back on its own.
    begin
      order_id := _order_ids[place];
      problem := null;
      select * into current from public.orders where id = order_id for no key update;
      if not found then
        problem := 'It no longer exists.';
      elsif current.status is distinct from _shown[place] and current.status is distinct from _status then
        problem := format('It is now %s. Check it before you change its status.', current.status);
      else
        update public.orders set status = _status where id = current.id and status is distinct from _status;
      end if;
    exception when sqlstate 'PT409' then
      problem := sqlerrm;
    end;
    number := current.number;
    return next;
  end loop;
end $$;
select private.expose('set_order_statuses', 'authenticated', 'service_role');
