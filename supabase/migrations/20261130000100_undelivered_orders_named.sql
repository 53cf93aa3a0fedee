-- Whoever is to be forgotten hears of all orders that stand in the way, and not of one after the other.

/*
 * Refuses while one of these orders has not been handed over, or a payment of theirs is in doubt: whoever deals with it needs to know for
 * whom it is. _what is what can be done once it is settled: 'You can close your account'.
 */
create or replace function private.require_settled_orders(_order_ids uuid[], _what text)
returns void language plpgsql stable security definer set search_path = '' as $$
declare
  waiting bigint;
  undelivered constant bigint[] := array(
    select number from public.orders where id = any (_order_ids) and status not in ('delivered', 'cancelled') order by number);
begin
  if cardinality(undelivered) = 1 then
    perform private.refuse('PT409', 'order_not_delivered',
      format('Order %s has not been delivered yet. %s once it has been delivered or cancelled.', undelivered[1], _what));
  elsif cardinality(undelivered) > 1 then
    perform private.refuse('PT409', 'order_not_delivered', format(
      'Orders %s and %s have not been delivered yet. %s once they have been delivered or cancelled.',
      array_to_string(undelivered[:least(cardinality(undelivered) - 1, 9)], ', '),
      case when cardinality(undelivered) > 10 then cardinality(undelivered) - 9 || ' more' else undelivered[cardinality(undelivered)]::text end,
      _what));
  end if;
  select o.number into waiting from public.orders o
    join private.order_payments p on p.order_id = o.id
   where o.id = any (_order_ids) and p.needs_decision order by o.number limit 1;
  if waiting is not null then
    perform private.refuse('PT409', 'payment_in_doubt',
      format('We are still checking a payment for order %s. %s once that is settled.', waiting, _what));
  end if;
end $$;
