-- The emails about payments, written by a trigger in the payment's own transaction, like the others about orders.

/* The payment's data for its email; amounts in cedis, above 0. Null for any other email. */
create function private.email_payment(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('order_number', p.order_number, 'amount', abs(p.amount), 'method', p.method, 'reason', p.reason,
                            'received', p.received_amount, 'currency', p.received_currency,
                            'paid', o.paid, 'due', o.due, 'state', o.state)
    from public.payments p left join private.order_payments o on o.order_id = p.order_id
   where p.id = case when private.email_topic(_email.kind) = 'payment' then private.email_event(_email)::uuid end
$$;

create function private.queue_payment_emails()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.state = 'settled' and new.kind in ('payment', 'refund') and new.order_id is not null then
    perform private.queue_email(case new.kind when 'refund' then 'order_refunded' else 'order_paid' end, new.id::text, new.order_id);
  elsif new.state = 'needs_decision' then
    -- Of a deleted order too: the owner has the money.
    perform private.queue_email('payment_needs_decision', new.id::text, (select o.id from public.orders o where o.id = new.order_id));
  end if;
  return null;
end $$;
create trigger queue_payment_emails after insert or update of state on public.payments
  for each row execute function private.queue_payment_emails();
