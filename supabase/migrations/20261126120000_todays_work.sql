-- What staff have to do today, on the dashboard, and all unsent emails resent at once.

/* An order is found by its own texts or by its customer's. */
create or replace function private.order_conditions(_status text, _q text, _method text, _region text, _payment text)
returns text language plpgsql stable set search_path = '' as $$
declare
  conditions text := case when _status <> '' then format('o.status = %L', _status) else 'true' end
    || case when _method = 'send' then ' and o.delivery_method <> ''collect'''
            when _method <> '' then format(' and o.delivery_method = %L', _method) else '' end
    || case when _region <> '' then format(' and o.region = %L', _region) else '' end
    || case _payment
         when 'due' then ' and o.payment_state in (''due'', ''part_paid'')'
         when 'paid' then ' and o.payment_state = ''paid'''
         when 'needs_decision' then ' and (o.has_undecided_payment or o.payment_state = ''too_much'')'
         else '' end;
  typed constant text := private.bare_order_number(_q);
  -- Digits after '#' or 'No.' mean the order's number alone; without them they may be part of a phone number too.
  number constant text := substring(typed from '^[0-9]{1,18}$');
  only_number constant boolean := length(number) < 8 and typed <> btrim(_q);
  own text;
  theirs text;
begin
  if only_number then return format('%s and o.number = %s', conditions, number); end if;
  own := private.found_by_text('o.search_text', typed);
  theirs := private.found_by_text('x.search_text', typed);
  if own is null then return conditions; end if;
  if number is not null then own := format('o.number = %s or %s', number, own); end if;
  return format('%s and (%s or %s)', conditions, own, private.refers_to_found('o.user_id', 'uuid', 'public.profiles', theirs));
end $$;

/* Staff: resends all emails that could not be sent, once however many press at the same time; returns how many. */
create function private.resend_unsent_emails()
returns bigint language plpgsql security definer set search_path = '' as $$
declare
  resent bigint;
begin
  perform private.require_staff();
  -- As resend_email does: who comes second waits here and then finds the first one's rows. In one order, so that nobody waits in a circle.
  perform from public.outgoing_emails
   where id = any (array(select coalesce(u.resend_of, u.id) from private.unsent_emails() as u where u.state = 'given_up'))
   order by id for update;
  insert into public.outgoing_emails (kind, order_id, status, mailbox, resend_of)
  select u.kind, u.order_id, u.status, u.mailbox, coalesce(u.resend_of, u.id) from private.unsent_emails() as u where u.state = 'given_up';
  get diagnostics resent = row_count;
  return resent;
end $$;
select private.expose('resend_unsent_emails', 'authenticated', 'service_role');

-- What staff have to do today, for the top of the dashboard: how many rows the lists have that each number leads to.

/*
 * Staff: orders to pack (pending), to send and to collect (processing), unpaid ones with what is owed and since when, quotes that
 * wait for an offer, and customers whose book is in stock again and whose email has not been sent.
 */
create function private.todays_work()
returns table (
  to_pack bigint, to_send bigint, to_collect bigint, unpaid bigint, owed numeric, owed_since date, quotes_waiting bigint,
  waiting_for_books bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query select
    private.admin_count_orders(_status => 'pending'),
    private.admin_count_orders(_status => 'processing', _method => 'send'),
    private.admin_count_orders(_status => 'processing', _method => 'collect'),
    private.admin_count_orders(_payment => 'due'),
    (select round(coalesce(sum(s.owed), 0) / 100.0, 2)
       from (select s.owed from private.sales s where s.dimension = 'region' and s.grain = 'month'
             union all select c.owed from private.sales_changes c) as s),
    (select (o.created_at at time zone 'UTC')::date from public.orders o where o.payment_state in ('due', 'part_paid')
      order by o.created_at limit 1),
    private.admin_count_quotes(_status => 'requested'),
    (select count(*) from public.stock_alerts a join public.books b on b.id = a.book_id where b.stock_quantity > 0);
end $$;
select private.expose('todays_work', 'authenticated', 'service_role');

/* Staff: the sales of up to 10 periods, each from _from[n] to _to[n], in that order. */
create function private.sum_sales(_from date[], _to date[])
returns table (orders bigint, copies bigint, amount numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
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
