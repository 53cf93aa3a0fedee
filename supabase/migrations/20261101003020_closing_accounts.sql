-- A customer closes their own account: their personal data is deleted, unless an order or a payment is not settled. The web server calls
-- this after checking their password, and empties the account itself in the same request.

create function private.close_account(_user_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
declare
  known_orders uuid[];
  kept int;
  waiting bigint;
begin
  if exists (select from public.user_roles where user_id = _user_id and role = 'admin') then
    perform private.refuse('PT403', 'is_admin', 'Another admin must first remove the admin role from your account.');
  end if;
  -- The lock under which their orders are placed (limit_orders): one that is being placed in another tab is waited for.
  perform pg_advisory_xact_lock(hashtext('public.orders'), hashtext(_user_id::text));
  known_orders := private.orders_of(_user_id);
  -- Done first, because it waits for a quote that is being accepted. A refusal below rolls it back.
  kept := private.anonymise_customer(_user_id);
  select number into waiting from public.orders
   where (user_id = _user_id or id = any (known_orders)) and status not in ('delivered', 'cancelled') order by number limit 1;
  if waiting is not null then
    perform private.refuse('PT409', 'order_not_delivered',
      format('Order %s has not been delivered yet. You can close your account once it has been delivered or cancelled.', waiting));
  end if;
  select o.number into waiting from public.orders o
    join private.order_payments p on p.order_id = o.id
   where (o.user_id = _user_id or o.id = any (known_orders)) and p.needs_decision order by o.number limit 1;
  if waiting is not null then
    perform private.refuse('PT409', 'payment_in_doubt',
      format('We are still checking a payment for order %s. You can close your account once that is settled.', waiting));
  end if;
  return kept;
end $$;
revoke execute on function private.close_account(uuid) from public;
grant execute on function private.close_account(uuid) to service_role;

/*
 * For the web server: anonymises a customer who closes their account, or refuses; returns how many of their orders
 * stay.
 */
create function public.close_account(_user_id uuid)
returns int language sql set search_path = '' as $$ select private.close_account(_user_id) $$;
revoke execute on function public.close_account(uuid) from public, anon, authenticated, service_role;
grant execute on function public.close_account(uuid) to service_role;
