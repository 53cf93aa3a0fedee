-- What staff have to do today, for the top of the dashboard: each number is the row count of the list it links to.

/*
 * Staff: orders to pack (pending, but not digital titles alone), to send and to collect (processing), unpaid ones with what is owed and since when, those with money to
 * refund and how much it is, customers' requests that wait for an offer, consultations that wait for an answer, and customers whose book is in stock
 * again and whose email has not been sent. Null where the caller lacks the duty for the list.
 */
create function private.todays_work()
returns table (
  to_pack bigint, to_send bigint, to_collect bigint, unpaid bigint, owed numeric, owed_since date, to_refund bigint, owed_back numeric,
  quotes_waiting bigint, consultations_waiting bigint, waiting_for_books bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_a_duty();
  if private.has_duty('orders') then
    to_pack := private.admin_count_orders(_status => 'pending', _method => 'pack');
    to_send := private.admin_count_orders(_status => 'processing', _method => 'send');
    to_collect := private.admin_count_orders(_status => 'processing', _method => 'collect');
    unpaid := private.admin_count_orders(_payment => 'due');
    owed := (select round(coalesce(sum(s.owed), 0) / 100.0, 2)
               from (select s.owed from private.sales s where s.dimension = 'region' and s.grain = 'month'
                     union all select c.owed from private.sales_changes c) as s);
    owed_since := (select (o.created_at at time zone 'UTC')::date from public.orders o where o.payment_state in ('due', 'part_paid')
                    order by o.created_at limit 1);
    to_refund := private.admin_count_orders(_payment => 'to_refund');
    owed_back := (select coalesce(sum(o.owed_back), 0) from public.orders o where o.payment_state = 'too_much');
  end if;
  if private.has_duty('schools') then
    quotes_waiting := private.admin_count_quotes(_status => 'requested');
    consultations_waiting := private.admin_count_consultations(_status => 'open');
  end if;
  if private.has_duty('reports') then
    waiting_for_books := (select count(*) from public.stock_alerts a join public.books b on b.id = a.book_id where b.for_sale > 0);
  end if;
  return next;
end $$;
select private.expose('todays_work', 'authenticated', 'service_role');

/* Staff: the sales of up to 10 periods, each from _from[n] to _to[n], in that order. */
create function private.sum_sales(_from date[], _to date[])
returns table (orders bigint, copies bigint, amount numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  if cardinality(_from) is distinct from cardinality(_to) or cardinality(_from) > 10 then
    perform private.refuse('PT400', 'invalid_request', 'Please name up to ten periods, each with its first and its last day.');
  end if;
  perform private.require_period(f, t) from unnest(_from, _to) as p (f, t);
  return query
    select coalesce(sum(s.orders), 0)::bigint, coalesce(sum(s.copies), 0)::bigint,
           round(coalesce(sum(s.books + s.delivery), 0) / 100.0, 2)
      from unnest(_from, _to) with ordinality as p (f, t, n)
      left join lateral private.sales_of('region', p.f, p.t, null, null) as s on true
     group by p.n order by p.n;
end $$;
select private.expose('sum_sales', 'authenticated', 'service_role');
