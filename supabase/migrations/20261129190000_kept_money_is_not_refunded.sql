-- Money that staff have decided to keep is not refunded by another before that is taken back.

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
 * the client, so that a retry records nothing twice. Amounts in cedis, above 0. More than is due is refused unless
 * confirmed.
 */
create or replace function private.record_payment(
  _payment_id uuid, _order_id uuid, _kind text, _method text, _amount numeric, _paid_on date, _reference text default null,
  _note text default null, _more_than_due boolean default false
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  written_reference constant text := private.clean_line(_reference);
  written_note constant text := private.clean_text(_note);
  still_due numeric;
begin
  perform private.require_duty('payments');
  of_order := private.require_payment_order(_order_id);
  if exists (select from public.payments where id = _payment_id and order_id = _order_id) then return _payment_id; end if;
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

/*
 * Staff: has Paystack refund some or all of a payment, in cedis above 0; returns the refund's id, which the client
 * creates, so that a retry refunds nothing twice. It is open until Paystack has made it.
 */
create or replace function private.refund_payment(_refund_id uuid, _payment_id uuid, _amount numeric, _note text default null)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  written_note constant text := private.clean_text(_note);
begin
  perform private.require_duty('payments', 'refunds');
  payment := private.require_payment(_payment_id);
  if exists (select from public.payments where id = _refund_id and about = _payment_id) then return _refund_id; end if;
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
