-- When less of an order's money is kept than staff decided, a note about the order says so.

/*
 * No more is kept than is overpaid: what is refunded, and what a reopened order costs, are not kept any longer. A note about the order says
 * so, since what staff decided no longer holds.
 */
create or replace function private.limit_kept_amount(_order public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  most constant numeric := private.owed_back(_order.status, _order.total_amount, _order.paid_amount, 0);
begin
  if _order.kept_amount > most then
    insert into public.order_notes (order_id, body)
    values (_order.id, format('GH₵%s of the money is no longer kept.', to_char(_order.kept_amount - most, 'FM999999990.00')));
    _order.kept_amount := most;
  end if;
  return _order;
end $$;
