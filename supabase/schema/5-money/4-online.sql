-- Payments and refunds through Paystack, written by the web server alone (the secret key, or the database's owner).
-- It never decides what an order costs or that it is paid: it reads what is due, and reports Paystack's responses. All
-- of these functions may be called in any order, any number of times and concurrently.

/*
 * A row for the caller that will query Paystack about it; the amount in cedis, above 0; transaction_id is Paystack's
 * number for the payment.
 */
create function private.payment_check(_payment public.payments)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', _payment.id, 'kind', _payment.kind, 'amount', abs(_payment.amount),
                            'provider_id', _payment.provider_id, 'reference', p.reference, 'transaction_id', p.provider_id)
    from public.payments p where p.id = coalesce(_payment.about, _payment.id)
$$;

/*
 * The web server, for a customer whose order it is: a payment of what is due, to be opened at Paystack under its
 * reference; the one already open if it has the same amount and is less than an hour old. With the references of the
 * last three other open ones, which may have been paid in between.
 */
create function private.open_payment(_order_id uuid)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  still_due numeric;
  payment public.payments;
  address text;
begin
  of_order := private.lock_order_payments(_order_id);
  if of_order.id is null then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  elsif of_order.status = 'cancelled' then
    perform private.refuse('PT409', 'order_cancelled', 'This order is cancelled.');
  end if;
  if exists (select from public.payments where order_id = _order_id and state = 'needs_decision') then
    perform private.refuse('PT409', 'payment_being_checked', 'We are checking a payment for this order. Please do not pay again: we will call you.');
  end if;
  select due into still_due from private.order_payments where order_id = _order_id;
  if still_due = 0 then
    perform private.refuse('PT409', 'nothing_due', 'This order is paid.');
  end if;
  -- One payment page per debt: a customer who presses twice, or in two tabs, must not pay twice.
  select * into payment from public.payments
   where order_id = _order_id and kind = 'payment' and state = 'open' and amount = still_due
     and created_at > clock_timestamp() - interval '1 hour'
   order by created_at desc limit 1;
  if not found then
    if (select count(*) from public.payments where order_id = _order_id and kind = 'payment' and method = 'paystack'
           and created_at > clock_timestamp() - interval '1 hour') >= 10 then
      perform private.refuse('PT429', 'too_many_payments', 'You have tried 10 times within an hour. Please try again later.');
    end if;
    insert into public.payments (order_id, order_number, user_id, kind, method, amount, reference, state, check_at)
    values (_order_id, of_order.number, of_order.user_id, 'payment', 'paystack', still_due,
            of_order.number || '-' || left(replace(gen_random_uuid()::text, '-', ''), 16), 'open',
            clock_timestamp() + interval '1 minute')
    returning * into payment;
  end if;
  -- Paystack emails its receipt there.
  select p.email into address from public.profiles p where p.id = of_order.user_id;
  return private.payment_check(payment) || jsonb_build_object(
    'checkout_url', payment.checkout_url, 'email', address,
    'earlier', coalesce((
      select jsonb_agg(other.reference)
        from (select x.reference from public.payments x
               where x.order_id = _order_id and x.kind = 'payment' and x.state = 'open' and x.checkout_url is not null and x.id <> payment.id
               order by x.created_at desc limit 3) as other), '[]'));
end $$;
select private.expose('open_payment', 'service_role');

/* The web server: where the customer pays. */
create function private.note_checkout(_payment_id uuid, _checkout_url text)
returns void language sql security definer set search_path = '' as $$
  update public.payments set checkout_url = left(_checkout_url, 500) where id = _payment_id and state = 'open'
$$;
select private.expose('note_checkout', 'service_role');

/* Why received money is not counted immediately; null when it is. The order is locked. */
create function private.payment_problem(_payment public.payments, _order public.orders, _outcome text, _amount numeric, _currency text)
returns text language sql stable security definer set search_path = '' as $$
  select case
    when _outcome = 'reversed' then 'reversed'
    when _currency is distinct from 'GHS' then 'wrong_currency'
    when _amount is distinct from _payment.amount then 'wrong_amount'
    when _order.id is null then 'order_deleted'
    when _order.status = 'cancelled' then 'order_cancelled'
    when _amount > (select p.due from private.order_payments p where p.order_id = _order.id) then 'more_than_due'
  end
$$;

/* The amount that Paystack reports, fitted to its column: money is recorded whatever amount is reported. */
create function private.received(_amount numeric)
returns numeric language sql immutable set search_path = '' as $$ select least(coalesce(_amount, 0), 9999999999.99) $$;

/* Money for a payment without a row in the shop: a backup older than the payment was restored. */
create function private.keep_unknown_payment(
  _reference text, _amount numeric, _currency text, _paid_on date, _provider_id text
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
begin
  select * into of_order from public.orders where number = split_part(_reference, '-', 1)::bigint;
  insert into public.payments (order_id, order_number, user_id, kind, method, amount, reference, state, reason, received_amount,
                               received_currency, paid_on, provider_id)
  values (of_order.id, split_part(_reference, '-', 1)::bigint, of_order.user_id, 'payment', 'paystack',
          least(greatest(_amount, 0.01), 99999999.99), _reference, 'needs_decision', 'unknown_reference',
          private.received(_amount), _currency, _paid_on, _provider_id)
  on conflict do nothing;
  return of_order.id;
end $$;

/*
 * The web server, whenever Paystack has reported the outcome of a payment: 'success', 'failed', 'reversed' (came in
 * and went back), or 'pending' for anything else. Amount in cedis. Returns the order's id and the payment's state;
 * null for a reference that is not the shop's. Money counts only with Paystack's number for it. It is given up two days after it was opened; money that arrives later
 * is still counted.
 */
create function private.settle_payment(
  _reference text, _outcome text, _amount numeric default null, _currency text default null, _paid_on date default null,
  _provider_id text default null
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  of_order public.orders;
  problem text;
  -- Without its number it couldn't be refunded, nor be distinguished from another.
  has_money constant boolean := coalesce(_outcome in ('success', 'reversed') and _provider_id <> '', false);
begin
  select * into payment from public.payments where reference = _reference and method = 'paystack' and kind = 'payment';
  if not found then
    if not has_money or (_reference ~ '^[0-9]{1,18}-[0-9a-f]{16}$') is not true then return null; end if;
    return jsonb_build_object('state', 'needs_decision', 'order_id',
      private.keep_unknown_payment(_reference, _amount, coalesce(_currency, '?'), coalesce(_paid_on, private.today()), _provider_id));
  end if;
  of_order := private.lock_order_payments(payment.order_id);
  select * into payment from public.payments where id = payment.id for update;
  if has_money and payment.state in ('open', 'failed') then
    problem := private.payment_problem(payment, of_order, _outcome, _amount, _currency);
    update public.payments
       set state = case when problem is null then 'settled' else 'needs_decision' end, reason = problem,
           received_amount = private.received(_amount), received_currency = coalesce(_currency, '?'),
           paid_on = coalesce(_paid_on, private.today()), provider_id = _provider_id, check_at = null,
           settled_at = case when problem is null then clock_timestamp() end
     where id = payment.id returning * into payment;
  elsif payment.state = 'open' and (_outcome = 'failed' or payment.created_at < clock_timestamp() - interval '2 days') then
    update public.payments
       set state = 'failed', reason = case _outcome when 'failed' then 'declined' else 'not_completed' end, check_at = null,
           settled_at = clock_timestamp()
     where id = payment.id returning * into payment;
  end if;
  return jsonb_build_object('state', payment.state, 'order_id', payment.order_id);
end $$;
select private.expose('settle_payment', 'service_role');

/*
 * The web server, for every refund of a payment that Paystack reports: Paystack's number and the shop's own id for
 * it, the amount in cedis above 0, and 'processed', 'failed' or 'pending'. Returns the refund's state; null when it
 * is not the shop's.
 */
create function private.settle_refund(_reference text, _refund_id uuid, _provider_id text, _amount numeric, _outcome text) returns text language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  refund public.payments;
  outcome text;
begin
  select * into payment from public.payments where reference = _reference and method = 'paystack' and kind = 'payment';
  if not found then return null; end if;
  perform private.lock_order_payments(payment.order_id);
  -- Two refunds at once of a deleted order have no other lock.
  select * into payment from public.payments where id = payment.id for update;
  -- Refunds of money that does not count don't count either.
  outcome := case payment.state when 'settled' then _outcome when 'set_aside' then 'failed' else 'pending' end;
  select * into refund from public.payments
   where kind = 'refund' and about = payment.id and (provider_id = _provider_id or (id = _refund_id and provider_id is null))
   order by provider_id nulls last limit 1;
  if not found then
    -- Refunded in Paystack's dashboard.
    if _provider_id is null or outcome = 'failed' or payment.state not in ('settled', 'needs_decision') then return null; end if;
    insert into public.payments (order_id, order_number, user_id, kind, method, amount, about, state, provider_id, check_at)
    values (payment.order_id, payment.order_number, payment.user_id, 'refund', 'paystack', -_amount, payment.id, 'open', _provider_id,
            clock_timestamp())
    returning * into refund;
  end if;
  if refund.state <> 'open' and not (refund.state = 'failed' and outcome = 'processed') then return refund.state; end if;
  update public.payments
     set provider_id = coalesce(provider_id, _provider_id),
         state = case outcome when 'processed' then 'settled' when 'failed' then 'failed' else state end,
         reason = case when outcome = 'failed' then case payment.state when 'set_aside' then 'payment_set_aside' else 'declined' end end,
         paid_on = case outcome when 'processed' then private.today() end,
         check_at = case when outcome not in ('processed', 'failed') then check_at end,
         settled_at = case when outcome in ('processed', 'failed') then clock_timestamp() end
   where id = refund.id returning * into refund;
  return refund.state;
end $$;
select private.expose('settle_refund', 'service_role');

/*
 * The worker: the next open payment or refund to check with Paystack, or refund to send; null when none is due. While
 * it stays open it is returned again: after 30 s (a refund: 2 min, in which no one else sends it), then less and less
 * often.
 */
create function private.claim_payment_check()
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
begin
  update public.payments p
     set check_at = clock_timestamp()
       + least(greatest((clock_timestamp() - p.created_at) / 4, case p.kind when 'refund' then interval '2 minutes' else interval '30 seconds' end),
               interval '1 hour')
   where p.id = (
     select c.id from public.payments c
      where c.state = 'open'
        -- No pause is that long: a clock that was ahead has written it, and the row would wait until then.
        and (c.check_at <= clock_timestamp() or c.check_at > clock_timestamp() + interval '2 hours')
      order by c.check_at limit 1 for update skip locked)
  returning * into payment;
  if not found then return null; end if;
  return private.payment_check(payment);
end $$;
select private.expose('claim_payment_check', 'service_role');

/*
 * The web server: the order, state and Paystack's number of the payment with this reference; null when there is none.
 */
create function private.find_payment(_reference text)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('state', state, 'order_id', order_id, 'transaction_id', provider_id)
    from public.payments where reference = _reference and method = 'paystack' and kind = 'payment'
$$;
select private.expose('find_payment', 'service_role');
