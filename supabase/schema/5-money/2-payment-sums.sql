-- The sum of each order's payments is stored in the order, so that the back office finds the unpaid ones among
-- 200,000 quickly. Every change of a payment updates it in the same transaction; the payment state is computed from
-- the order alone.

/* The sum and the open question of an order's payments: the one place that adds them up. */
create function private.sum_payments(_order_id uuid, out paid numeric, out undecided boolean)
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(amount) filter (where state = 'settled'), 0), coalesce(bool_or(state = 'needs_decision'), false)
    from public.payments where order_id = _order_id
$$;

create function private.keep_payment_sum()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Also for money without a row in the shop, which arrives without this lock: the sum includes what others have
  -- written.
  perform private.lock_order_payments(new.order_id);
  update public.orders o
     set paid_amount = s.paid, has_undecided_payment = s.undecided
    from private.sum_payments(new.order_id) as s
   where o.id = new.order_id and (o.paid_amount, o.has_undecided_payment) is distinct from (s.paid, s.undecided);
  return null;
end $$;

/* A restored order finds the payments that came in while it was deleted. */
create function private.find_payment_sum(_order public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
begin
  -- A payment arriving at this moment finds the order, or is found by it (lock_order_payments).
  if current_setting('shop.task', true) = 'restore' then
    perform pg_advisory_xact_lock(hashtext('private.lock_order_payments'), hashtext(_order.id::text));
  end if;
  select s.paid, s.undecided into _order.paid_amount, _order.has_undecided_payment from private.sum_payments(_order.id) as s;
  return _order;
end $$;

create trigger keep_payment_sum after insert or update of state, amount on public.payments
  for each row execute function private.keep_payment_sum();
