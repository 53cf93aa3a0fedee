-- What staff do with payments: record by hand what was received and refunded, correct it, decide, refund through Paystack.

/* Locks and returns an order whose payments will change; refuses when there is none. */
create function private.require_payment_order(_order_id uuid)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
begin
  of_order := private.lock_order_payments(_order_id);
  if of_order.id is null then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  return of_order;
end $$;

/* The refundable amount of an order: what has been paid, less pending refunds. */
create function private.refundable_amount(_order_id uuid)
returns numeric language sql stable security definer set search_path = '' as $$
  select coalesce(sum(amount) filter (where state = 'settled' or (kind = 'refund' and state = 'open')), 0)
    from public.payments where order_id = _order_id
$$;

create function private.require_refundable(_amount numeric, _most numeric)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _amount > _most then
    perform private.refuse('PT409', 'more_than_paid', format('You can refund up to GH₵%s.', to_char(_most, 'FM999999990.00')),
      jsonb_build_object('most', _most));
  end if;
end $$;

/* Refuses a refund of money that staff have decided to keep: it would be spent twice. */
create function private.require_not_kept(_order_id uuid, _amount numeric)
returns void language plpgsql stable security definer set search_path = '' as $$
declare
  kept constant numeric := (select kept_amount from public.orders where id = _order_id);
begin
  if kept > 0 and _amount > private.refundable_amount(_order_id) - kept then
    perform private.refuse('PT409', 'money_is_kept',
      format('GH₵%s of this order''s money is kept. Choose “Stop keeping it” first.', to_char(kept, 'FM999999990.00')),
      jsonb_build_object('kept', kept));
  end if;
end $$;

/*
 * Staff: records by hand that money was received for an order, or refunded; returns the row's id. The id is made by
 * the client, so that a retry records nothing twice, and is refused with other values. Amounts in cedis, above 0. More
 * than is due is refused unless confirmed.
 */
create function private.record_payment(
  _payment_id uuid, _order_id uuid, _kind text, _method text, _amount numeric, _paid_on date, _reference text default null,
  _note text default null, _more_than_due boolean default false
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  known public.payments;
  written_reference constant text := private.clean_line(_reference);
  written_note constant text := private.clean_text(_note);
  still_due numeric;
begin
  perform private.require_duty('payments');
  of_order := private.require_payment_order(_order_id);
  select * into known from public.payments where id = _payment_id;
  if found then
    if (known.order_id, known.kind, known.method, abs(known.amount), known.paid_on, known.reference, known.note)
       is distinct from (_order_id, _kind, _method, _amount, _paid_on, written_reference, written_note) then
      perform private.refuse('PT409', 'payment_exists',
        'This was already recorded, before your last changes. You''ll find it among the order''s payments.');
    end if;
    return _payment_id;
  end if;
  if _kind is null or _kind not in ('payment', 'refund') then
    perform private.refuse('PT400', 'invalid_field', 'Choose whether money was received or refunded.',
      jsonb_build_object('field', 'kind', 'rule', 'choice', 'choices', jsonb_build_array('payment', 'refund')));
  end if;
  if _kind = 'refund' then perform private.require_duty('refunds'); end if;
  if _method is null or _method not in ('mobile_money', 'cash', 'bank_transfer') then
    perform private.refuse('PT400', 'invalid_field', 'Choose how it was paid.',
      jsonb_build_object('field', 'method', 'rule', 'choice', 'choices', jsonb_build_array('mobile_money', 'cash', 'bank_transfer')));
  end if;
  perform private.require_number('amount', 'The amount', _amount, 0.01, 99999999.99);
  perform private.require_pesewas('amount', 'The amount', _amount);
  if _paid_on is null or _paid_on > private.today() or _paid_on < date '2020-01-01' then
    perform private.refuse('PT400', 'invalid_field', 'The date must not be in the future.',
      jsonb_build_object('field', 'paid_on', 'rule', 'date'));
  end if;
  perform private.require_text('reference', 'The transaction ID', written_reference, 100, _method = 'mobile_money');
  perform private.require_text('note', 'The note', written_note, 500);
  if written_reference is not null and _method <> 'cash' then
    -- Two people may record the same message from the operator, each for a different order.
    perform pg_advisory_xact_lock(hashtext('public.payments'), hashtext(upper(written_reference)));
    if exists (
      select from public.payments p
       where p.method = _method and p.method <> 'paystack' and upper(p.reference) = upper(written_reference) and p.kind = _kind
         and not exists (select from public.payments c where c.kind = 'correction' and c.about = p.id)
    ) then
      perform private.refuse('PT409', 'reference_recorded', 'This transaction ID has been recorded before.');
    end if;
  end if;
  if _kind = 'refund' then
    perform private.require_not_kept(_order_id, _amount);
    perform private.require_refundable(_amount, private.refundable_amount(_order_id));
  else
    select due into still_due from private.order_payments where order_id = _order_id;
    if _amount > still_due and not coalesce(_more_than_due, false) then
      perform private.refuse('PT409', 'more_than_due', format('Only GH₵%s is due.', to_char(still_due, 'FM999999990.00')),
        jsonb_build_object('due', still_due));
    end if;
  end if;
  insert into public.payments (id, order_id, order_number, user_id, kind, method, amount, reference, state, paid_on, note, settled_at)
  values (coalesce(_payment_id, gen_random_uuid()), _order_id, of_order.number, of_order.user_id, _kind, _method,
          case _kind when 'refund' then -_amount else _amount end, written_reference, 'settled', _paid_on, written_note,
          clock_timestamp())
  returning id into _payment_id;
  return _payment_id;
end $$;
select private.expose('record_payment', 'authenticated', 'service_role');

/* Returns a payment to change, with its order locked; refuses when there is none. */
create function private.require_payment(_payment_id uuid)
returns public.payments language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
begin
  perform private.lock_order_payments(p.order_id) from public.payments p where p.id = _payment_id;
  select * into payment from public.payments where id = _payment_id for update;
  if not found then
    perform private.refuse('PT404', 'payment_not_found', 'This payment no longer exists.');
  end if;
  return payment;
end $$;

/*
 * Staff: cancels a payment recorded by hand with a row of the opposite amount and a reason; returns that row's id,
 * even if it already existed.
 */
create function private.correct_payment(_payment_id uuid, _note text)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  written_note constant text := private.clean_text(_note);
  made uuid;
begin
  perform private.require_duty('payments');
  payment := private.require_payment(_payment_id);
  select id into made from public.payments where kind = 'correction' and about = _payment_id;
  if found then return made; end if;
  if payment.method = 'paystack' or payment.kind = 'correction' then
    perform private.refuse('PT409', 'not_by_hand', 'Only what was recorded by hand can be corrected.');
  end if;
  perform private.require_text('note', 'The reason', written_note, 500, true);
  if payment.amount > private.refundable_amount(payment.order_id) then
    perform private.refuse('PT409', 'refunded_since', 'Part of this payment has been refunded. Correct the refund first.');
  end if;
  insert into public.payments (order_id, order_number, user_id, kind, method, amount, about, state, paid_on, note, settled_at)
  values (payment.order_id, payment.order_number, payment.user_id, 'correction', payment.method, -payment.amount, payment.id,
          'settled', private.today(), written_note, clock_timestamp())
  returning id into made;
  return made;
end $$;
select private.expose('correct_payment', 'authenticated', 'service_role');

/*
 * Staff: decides about money received that does not match its order: 'count' adds what was received to what the
 * order's customer has paid (so that it can be refunded), 'set_aside' leaves it out, with a reason.
 */
create function private.decide_payment(_payment_id uuid, _decision text, _note text default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  written_note constant text := private.clean_text(_note);
begin
  perform private.require_duty('payments');
  payment := private.require_payment(_payment_id);
  if _decision is null or _decision not in ('count', 'set_aside') then
    perform private.refuse('PT400', 'invalid_field', 'Choose what to do with this payment.',
      jsonb_build_object('field', 'decision', 'rule', 'choice', 'choices', jsonb_build_array('count', 'set_aside')));
  end if;
  if payment.state <> 'needs_decision' then
    perform private.refuse('PT409', 'payment_is_final', 'This payment has been decided already.');
  end if;
  perform private.require_text('note', 'The note', written_note, 500, _decision = 'set_aside');
  if _decision = 'set_aside' then
    update public.payments
       set state = 'set_aside', note = written_note, decided_by = auth.uid(), settled_at = clock_timestamp()
     where id = _payment_id;
    update public.payments set check_at = clock_timestamp() where kind = 'refund' and about = _payment_id and state = 'open';
    return;
  end if;
  if payment.received_currency <> 'GHS' then
    perform private.refuse('PT409', 'other_currency', 'Only cedis can be counted. Refund the payment in Paystack''s dashboard, then set it aside.');
  end if;
  if not exists (select from public.orders where id = payment.order_id) then
    perform private.refuse('PT409', 'order_not_found', 'The order was deleted. Restore it first, or set the payment aside.');
  end if;
  update public.payments
     set state = 'settled', amount = received_amount, note = written_note, decided_by = auth.uid(), settled_at = clock_timestamp()
   where id = _payment_id;
  -- What Paystack has since refunded of it counts now too.
  update public.payments set check_at = clock_timestamp() where kind = 'refund' and about = _payment_id and state = 'open';
end $$;
select private.expose('decide_payment', 'authenticated', 'service_role');

/*
 * Staff: has Paystack refund some or all of a payment, in cedis above 0; returns the refund's id, which the client
 * creates, so that a retry refunds nothing twice, and is refused with other values. It is open until Paystack has made
 * it.
 */
create function private.refund_payment(_refund_id uuid, _payment_id uuid, _amount numeric, _note text default null)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  known public.payments;
  written_note constant text := private.clean_text(_note);
begin
  perform private.require_duty('payments', 'refunds');
  payment := private.require_payment(_payment_id);
  select * into known from public.payments where id = _refund_id;
  if found then
    if (known.about, known.kind, known.amount, known.note) is distinct from (_payment_id, 'refund', -_amount, written_note) then
      perform private.refuse('PT409', 'refund_exists',
        'This refund was already requested, before your last changes. You''ll find it among the order''s payments.');
    end if;
    return _refund_id;
  end if;
  if payment.method <> 'paystack' or payment.kind <> 'payment' or payment.state <> 'settled' then
    perform private.refuse('PT409', 'not_by_paystack', 'Only a settled Paystack payment can be refunded through Paystack.');
  end if;
  perform private.require_number('amount', 'The amount', _amount, 0.01, 99999999.99);
  perform private.require_pesewas('amount', 'The amount', _amount);
  perform private.require_text('note', 'The note', written_note, 500);
  perform private.require_not_kept(payment.order_id, _amount);
  perform private.require_refundable(_amount, least(private.refundable_amount(payment.order_id), payment.amount + (
    select coalesce(sum(r.amount), 0) from public.payments r where r.kind = 'refund' and r.about = _payment_id and r.state <> 'failed')));
  insert into public.payments (id, order_id, order_number, user_id, kind, method, amount, about, state, note, check_at)
  values (coalesce(_refund_id, gen_random_uuid()), payment.order_id, payment.order_number, payment.user_id, 'refund', 'paystack',
          -_amount, payment.id, 'open', written_note, clock_timestamp())
  returning id into _refund_id;
  return _refund_id;
end $$;
select private.expose('refund_payment', 'authenticated', 'service_role');

/*
 * Staff: an order's payments, oldest first, with the amount of each that can still be refunded through Paystack;
 * without an order, all payments that need a decision, even those of deleted orders. At most 200.
 */
create function private.admin_list_payments(_order_id uuid default null)
returns table (
  id uuid, order_id uuid, order_number bigint, kind text, method text, amount numeric, reference text, about uuid, state text,
  reason text, received_amount numeric, received_currency text, paid_on date, note text, by_name text, created_at timestamptz,
  settled_at timestamptz, refundable numeric, correctable boolean
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('payments');
  return query
    select p.id, p.order_id, p.order_number, p.kind, p.method, p.amount, p.reference, p.about, p.state, p.reason, p.received_amount,
           p.received_currency, p.paid_on, p.note, w.full_name, p.created_at, p.settled_at,
           case when p.method = 'paystack' and p.kind = 'payment' and p.state = 'settled'
                then greatest(least(private.refundable_amount(p.order_id), p.amount + (
                  select coalesce(sum(r.amount), 0) from public.payments r
                   where r.kind = 'refund' and r.about = p.id and r.state <> 'failed')), 0)
                else 0 end,
           p.method <> 'paystack' and p.kind <> 'correction'
             and not exists (select from public.payments c where c.kind = 'correction' and c.about = p.id)
      from public.payments p left join public.profiles w on w.id = coalesce(p.decided_by, p.actor)
     where case when _order_id is null
                then p.state = 'needs_decision'
                else p.order_id = _order_id and (p.state <> 'open' or p.kind = 'refund' or p.checkout_url is not null) end
     order by p.created_at, p.id limit 200;
end $$;
select private.expose('admin_list_payments', 'authenticated', 'service_role');

/* Staff: how many payments need a decision, listed or not: exact. */
create function private.admin_count_payments_to_decide()
returns bigint language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('payments');
  return (select count(*) from public.payments where state = 'needs_decision');
end $$;
select private.expose('admin_count_payments_to_decide', 'authenticated', 'service_role');
