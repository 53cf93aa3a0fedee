-- Callers without an account may ask to be forgotten too: their orders are found by the order's number, the email or the phone number.

create function private.anonymise_caller(_who text)
returns table (id uuid, number bigint) language plpgsql security definer set search_path = '' as $$
declare
  order_number bigint;
  order_ids uuid[];
begin
  perform private.require_staff();
  -- A phone number has more digits.
  order_number := substring(private.bare_order_number(_who) from '^[0-9]{1,8}$');
  if exists (select from public.orders o where o.number = order_number and o.user_id is not null) then
    perform private.refuse('PT409', 'order_has_account',
      format('Order %s belongs to an account. Give the account''s email instead.', order_number));
  end if;
  select array_agg(distinct o.id) into order_ids
    from (
      select e.id, e.number, e.recipient_email, e.recipient_phone from public.orders e where e.user_id is null
      union all
      select l.row_id::uuid, gone.number, gone.recipient_email, gone.recipient_phone
        from public.audit_log l cross join lateral jsonb_populate_record(null::public.orders, l.before) as gone
       where l.table_name = 'orders' and l.action = 'delete' and gone.user_id is null
    ) as o
   where o.number = order_number or lower(o.recipient_email) = lower(btrim(_who))
      or (order_number is null and private.is_same_phone(o.recipient_phone, _who));
  -- The log keeps the numbers of deleted orders.
  return query
    select o.id, o.number from public.orders o where o.id = any (order_ids)
    union
    select l.row_id::uuid, (l.before ->> 'number')::bigint from public.audit_log l
     where l.table_name = 'orders' and l.action = 'delete' and l.row_id = any (order_ids::text[])
    order by 2;
  perform private.scrub_orders(order_ids);
end $$;
revoke execute on function private.anonymise_caller(text) from public;
grant execute on function private.anonymise_caller(text) to authenticated, service_role;

/*
 * Staff: anonymises a caller without an account, identified by the number of an order that staff entered, or by the
 * email or phone number given for it; returns the orders, which stay.
 */
create function public.anonymise_caller(_who text)
returns table (id uuid, number bigint) language sql set search_path = '' as $$ select * from private.anonymise_caller(_who) $$;
revoke execute on function public.anonymise_caller(text) from public, anon, authenticated, service_role;
grant execute on function public.anonymise_caller(text) to authenticated, service_role;
