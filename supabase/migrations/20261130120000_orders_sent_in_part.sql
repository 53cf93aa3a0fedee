-- Customers see in the list of their orders which of them are sent in part.

/* Customers: which of up to 200 of their own open orders are sent in part; staff: of any orders. */
create function private.list_part_sent(_order_ids uuid[])
returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(o.id order by o.id), '{}')
    from public.orders o
   where o.id = any (_order_ids[:200]) and private.is_open(o.status) and private.is_part_sent(o.id)
     and (o.user_id = auth.uid() or private.has_duty('orders'))
$$;
select private.expose('list_part_sent', 'authenticated', 'service_role');
