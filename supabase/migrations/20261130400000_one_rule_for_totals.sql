-- orders_returned_amount_is_of_the_total holds it too: no total below 0 has a returned amount from 0 to it.
alter table public.orders drop constraint orders_total_is_not_negative;
