-- The sum of each order's payments is stored in the order, so that the back office finds the unpaid ones among
-- 200,000 quickly. Every change of a payment updates it in the same transaction; the payment state is computed from
-- the order alone.

/*
 * 'none': cancelled, and nothing was paid; 'due', 'part_paid' and 'paid'; 'too_much': more than is owed was paid, and some has to
 * be refunded. Nothing is owed for a cancelled order.
 */
create function private.payment_state(_status text, _total numeric, _paid numeric)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case when _status = 'cancelled' then case when _paid > 0 then 'too_much' else 'none' end
              when _paid > _total then 'too_much'
              when _paid = _total then 'paid'
              when _paid > 0 then 'part_paid'
              else 'due' end
$$;
revoke execute on function private.payment_state(text, numeric, numeric) from public;
grant execute on function private.payment_state(text, numeric, numeric) to authenticated, service_role;

alter table public.orders
  -- The sum of settled payments less refunds, in cedis, and whether a payment needs a decision. Written by triggers
  -- alone.
  add column paid_amount numeric not null default 0,
  add column has_undecided_payment boolean not null default false,
  add column payment_state text not null generated always as (private.payment_state(status, total_amount, paid_amount)) stored;

-- The other filters' columns are included: nearly all orders of a shop may be paid, or due where payments aren't recorded, and can then be
-- counted in the index alone.
create index orders_due on public.orders (created_at desc, id desc) include (status, delivery_method, region, payment_state)
  where payment_state in ('due', 'part_paid');
create index orders_paid on public.orders (created_at desc, id desc) include (status, delivery_method, region)
  where payment_state = 'paid';
create index orders_to_decide on public.orders (created_at desc, id desc)
  where has_undecided_payment or payment_state = 'too_much';

/* The sum and the open question of an order's payments: the one place that adds them up. */
create function private.sum_payments(_order_id uuid, out paid numeric, out undecided boolean)
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(amount) filter (where state = 'settled'), 0), coalesce(bool_or(state = 'needs_decision'), false)
    from public.payments where order_id = _order_id
$$;
revoke execute on function private.sum_payments(uuid) from public;

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
revoke execute on function private.keep_payment_sum() from public;
create trigger keep_payment_sum after insert or update of state, amount on public.payments
  for each row execute function private.keep_payment_sum();

/* A restored order finds the payments that came in while it was deleted. */
create function private.find_payment_sum()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- A payment arriving at this moment finds the order, or is found by it (lock_order_payments).
  if current_setting('shop.restoring', true) = 'yes' then
    perform pg_advisory_xact_lock(hashtext('private.lock_order_payments'), hashtext(new.id::text));
  end if;
  select s.paid, s.undecided into new.paid_amount, new.has_undecided_payment from private.sum_payments(new.id) as s;
  return new;
end $$;
revoke execute on function private.find_payment_sum() from public;
create trigger find_payment_sum before insert on public.orders
  for each row execute function private.find_payment_sum();

-- For existing orders, for example after loading an older backup. Nothing else about them changes.
alter table public.orders disable trigger user;
update public.orders o
   set paid_amount = s.paid, has_undecided_payment = s.undecided
  from (select distinct order_id from public.payments) as p, private.sum_payments(p.order_id) as s
 where o.id = p.order_id;
alter table public.orders enable trigger user;

-- As before, from the stored values.
create or replace view private.order_payments with (security_invoker = true) as
select o.id as order_id, o.total_amount as total, o.paid_amount as paid,
       case when o.status = 'cancelled' then 0::numeric else greatest(o.total_amount - o.paid_amount, 0) end as due,
       o.payment_state as state,
       o.has_undecided_payment or o.payment_state = 'too_much' as needs_decision
  from public.orders o;
