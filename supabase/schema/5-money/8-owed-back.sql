-- Money that is owed back: paid for an order that is cancelled, for copies that are returned, or more than
-- its total. It is owed until it is refunded (3-recording,
-- 4-online), or staff decide to keep it.

/*
 * No more is kept than is overpaid: what is refunded, and what a reopened order costs, are not kept any longer. A note about the order says
 * so, since what staff decided no longer holds.
 */
create function private.limit_kept_amount(_order public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  most constant numeric := private.owed_back(_order.status, _order.total_amount - _order.returned_amount, _order.paid_amount, 0);
begin
  if _order.kept_amount > most then
    insert into public.order_notes (order_id, body)
    values (_order.id, format('GH₵%s of the money is no longer kept.', to_char(_order.kept_amount - most, 'FM999999990.00')));
    _order.kept_amount := most;
  end if;
  return _order;
end $$;

/*
 * Staff: keeps _amount cedis of what is owed back for an order, in place of what was kept before; 0 owes all of it again. The reason, which
 * an amount needs, becomes a note about the order, once per _note_id.
 */
create function private.keep_overpayment(_order_id uuid, _amount numeric, _reason text default null, _note_id uuid default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  written_reason constant text := private.clean_text(_reason);
  written_note text;
  most numeric;
begin
  perform private.require_duty('payments', 'refunds');
  of_order := private.require_payment_order(_order_id);
  perform private.require_number('amount', 'The amount', _amount, 0, 99999999.99);
  perform private.require_pesewas('amount', 'The amount', _amount);
  written_note := case when _amount > 0 then format('Kept GH₵%s: %s', to_char(_amount, 'FM999999990.00'), written_reason)
                       else 'No money is kept any longer.' end;
  if exists (select from public.order_notes n where n.id = _note_id and (n.order_id, n.body) is distinct from (_order_id, written_note)) then
    perform private.refuse('PT409', 'note_exists',
      'This was already saved, before your last changes. You''ll find it in the order''s history.');
  end if;
  if _amount = of_order.kept_amount then return; end if;
  perform private.require_text('reason', 'The reason', written_reason, 500, _amount > 0);
  most := least(private.owed_back(of_order.status, of_order.total_amount - of_order.returned_amount, of_order.paid_amount, 0),
                private.refundable_amount(_order_id));
  if _amount > most then
    perform private.refuse('PT409', 'more_than_owed_back', format('You can keep up to GH₵%s.', to_char(greatest(most, 0), 'FM999999990.00')),
      jsonb_build_object('most', greatest(most, 0)));
  end if;
  update public.orders set kept_amount = _amount where id = _order_id;
  insert into public.order_notes (id, order_id, body)
  values (coalesce(_note_id, gen_random_uuid()), _order_id, written_note)
  on conflict (id) do nothing;
end $$;
select private.expose('keep_overpayment', 'authenticated', 'service_role');
