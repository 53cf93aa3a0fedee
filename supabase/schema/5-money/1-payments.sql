-- Money received and refunded for orders, separate from an order's status. A row is never deleted and its amount
-- never changes: a mistake is corrected by another row. What a customer has paid for an order is the sum of its
-- settled rows.
--
--   open ─► settled           Paystack, or staff, say that the money has moved
--        ─► failed ─► settled a customer may try again on the same page of Paystack's
--        ─► needs_decision ─► settled, or set_aside: the money is there, but not as the order wants it; staff decide

create table public.payments (
  id uuid primary key default gen_random_uuid(),
  -- No foreign keys: a payment outlives its order and is found again when the order is restored. Null when Paystack has money
  -- for an order that the shop does not know.
  order_id uuid,
  order_number bigint,
  user_id uuid,
  kind text not null,
  method text not null,
  -- What it adds to the amount paid, in cedis: negative for a refund, and for the correction of a payment.
  amount numeric(10, 2) not null,
  currency text not null default 'GHS',
  -- Paystack's name for the payment, made here; otherwise what staff wrote, such as the operator's transaction id.
  reference text,
  -- The payment that is refunded, or the row that is corrected.
  about uuid,
  -- Paystack's own number for it.
  provider_id text,
  state text not null,
  -- Why it failed or needs a decision.
  reason text,
  -- What Paystack has received, which may not be what was requested.
  received_amount numeric(12, 2),
  received_currency text,
  paid_on date,
  note text,
  -- Where the customer pays at Paystack.
  checkout_url text,
  -- When Paystack is queried about it next, while it is open.
  check_at timestamptz,
  actor uuid default auth.uid(),
  decided_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  -- When it was settled, failed or was set aside.
  settled_at timestamptz,
  constraint payments_kind_is_known check (kind in ('payment', 'refund', 'correction')),
  constraint payments_method_is_known check (method in ('paystack', 'mobile_money', 'cash', 'bank_transfer')),
  constraint payments_state_is_known check (state in ('open', 'settled', 'failed', 'needs_decision', 'set_aside')),
  constraint payments_amount_has_its_sign check (case kind when 'payment' then amount > 0 when 'refund' then amount < 0 else amount <> 0 end),
  constraint payments_are_in_cedis check (currency = 'GHS'),
  -- A refund by hand may be of several payments.
  constraint payments_name_what_they_are_about check (
    case kind when 'payment' then about is null when 'correction' then about is not null else method <> 'paystack' or about is not null end),
  constraint payments_by_hand_are_settled check (method = 'paystack' or state = 'settled'),
  constraint payments_have_an_order check (order_id is not null or state in ('needs_decision', 'set_aside')),
  constraint payments_have_a_reference check (reference is not null or method <> 'paystack' or kind <> 'payment'),
  constraint payments_need_a_decision_for_a_reason check (
    state <> 'needs_decision' or (reason is not null and received_amount is not null and received_currency is not null)),
  constraint payments_settle_once check ((state in ('open', 'needs_decision')) = (settled_at is null)),
  constraint payments_have_a_day check (state <> 'settled' or paid_on is not null),
  constraint payments_texts_are_short check (
    length(reference) <= 100 and length(provider_id) <= 100 and length(reason) <= 100 and length(received_currency) <= 10
    and length(note) <= 500 and length(checkout_url) <= 500)
);
create index payments_by_order on public.payments (order_id, created_at);
create index payments_by_customer on public.payments (user_id);
create unique index payments_one_per_reference on public.payments (reference) where method = 'paystack' and kind = 'payment';
create unique index payments_one_per_refund on public.payments (provider_id) where kind = 'refund';
create unique index payments_corrected_once on public.payments (about) where kind = 'correction';
create index payments_by_hand on public.payments (method, upper(reference)) where method <> 'paystack';
create index payments_by_day on public.payments (paid_on, method) include (kind, amount) where state = 'settled';
create index payments_refunds on public.payments (about) where kind = 'refund';
create index payments_to_check on public.payments (check_at) where state = 'open';
create index payments_to_decide on public.payments (created_at) where state = 'needs_decision';

alter table public.payments enable row level security;
-- The note too: customers may read what staff write about their money.
grant select on public.payments to authenticated, service_role;

create policy "customers read the payments of their own orders, staff all" on public.payments
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.has_duty('payments')));

create trigger record_audit after insert or update on public.payments
  for each row execute function private.record_audit('check_at', 'checkout_url');

/*
 * The only rule for changes of state; amounts never change. Two exceptions: notes of an anonymised customer are emptied, and a merged
 * account's payments get the other customer.
 */
create function private.keep_payment()
returns trigger language plpgsql set search_path = '' as $$
declare
  known constant text[] := array['open>settled', 'open>failed', 'open>needs_decision', 'failed>settled', 'failed>needs_decision',
                                 'needs_decision>settled', 'needs_decision>set_aside'];
begin
  if tg_op = 'DELETE' then
    perform private.refuse('PT403', 'append_only', 'Payments cannot be deleted.');
  end if;
  if (new.state <> old.state and old.state || '>' || new.state <> all (known))
     or (new.amount <> old.amount and old.state <> 'needs_decision')
     or (new.id, new.order_id, new.kind, new.method, new.reference, new.about)
        is distinct from (old.id, old.order_id, old.kind, old.method, old.reference, old.about)
     or (new.user_id is distinct from old.user_id and coalesce(current_setting('shop.task', true), '') <> 'merge')
     or (old.state in ('settled', 'set_aside') and new.note is distinct from old.note and new.note is not null) then
    perform private.refuse('PT409', 'payment_is_final', 'This payment can no longer be changed.');
  end if;
  return new;
end $$;
create trigger keep_payment before update or delete on public.payments
  for each row execute function private.keep_payment();

/*
 * What each order's customer has paid, still owes, and is owed: the one rule. Of a cancelled order nothing is owed.
 * state: see private.payment_state. Under the caller's rights: there is no row for others' orders.
 */
create view private.order_payments with (security_invoker = true) as
select o.id as order_id, o.total_amount as total, o.paid_amount as paid,
       case when o.status = 'cancelled' then 0::numeric else greatest(o.total_amount - o.returned_amount - o.paid_amount, 0) end as due,
       o.payment_state as state,
       o.has_undecided_payment or o.payment_state = 'too_much' as needs_decision,
       o.owed_back, o.kept_amount as kept, o.returned_amount as returned
  from public.orders o;
grant select on private.order_payments to authenticated, service_role;

/*
 * What these orders' customers have paid, still owe and are owed, and what staff have decided to keep, in cedis, and what is refunded for
 * returned copies, which is no longer due of the total; only orders that the caller may read, at most 1,000.
 */
create function public.list_order_payments(_order_ids uuid[])
returns table (order_id uuid, total numeric, paid numeric, due numeric, state text, needs_decision boolean, owed_back numeric, kept numeric,
               returned numeric)
language sql stable set search_path = '' as $$
  select p.order_id, p.total, p.paid, p.due, p.state, p.needs_decision, p.owed_back, p.kept, p.returned
    from private.order_payments p where p.order_id = any (_order_ids[:1000])
$$;
grant execute on function public.list_order_payments to authenticated, service_role;

/*
 * Locks an order, so that the amount due does not change until the end of the transaction: everything that writes
 * payments calls this first. Returns a row without an id if the order was deleted.
 */
create function private.lock_order_payments(_order_id uuid)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  found_order public.orders;
begin
  select * into found_order from public.orders where id = _order_id for no key update;
  if not found then
    -- One that is being restored now is waited for (find_payment_sum).
    perform pg_advisory_xact_lock(hashtext('private.lock_order_payments'), hashtext(_order_id::text));
    select * into found_order from public.orders where id = _order_id for no key update;
  end if;
  return found_order;
end $$;

/* An order with money in it cannot be deleted: that would hide what has to be refunded. */
create function private.keep_paid_order(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from private.order_payments p where p.order_id = _order_id and (p.paid <> 0 or p.needs_decision)) then
    perform private.refuse('PT409', 'order_is_paid',
      'This order has been paid. Refund it first, or set its status to cancelled instead.');
  end if;
end $$;
