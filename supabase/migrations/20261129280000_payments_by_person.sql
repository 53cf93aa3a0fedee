-- Payments by the person who took them, the receipt that a line of the stock card is of, and work without digital orders.

create index payments_by_person on public.payments ((coalesce(decided_by, actor))) where coalesce(decided_by, actor) is not null;
-- From a line of the stock card to its receipt.
create index receipt_lines_by_movement on public.receipt_lines (movement_id) where movement_id is not null;

drop function public.admin_find_payments, public.admin_sum_payments, public.list_stock_movements;
drop function private.admin_find_payments, private.admin_sum_payments, private.payment_conditions, private.list_stock_movements;

/*
 * _q the beginning of a reference, or an order's number; _method, _state and _kind one of each; _from and _to the days of the
 * payments, either may be null; _by the person who recorded or decided it.
 */
create function private.payment_conditions(_q text, _method text, _state text, _kind text, _from date, _to date, _by uuid)
returns text language plpgsql stable set search_path = '' as $$
declare
  typed constant text := private.bare_order_number(_q);
  number constant text := substring(typed from '^[0-9]{1,18}$');
begin
  return 'coalesce(p.paid_on, (p.created_at at time zone ''UTC'')::date) between '
    || format('%L and %L', coalesce(_from, '-infinity'), coalesce(_to, 'infinity'))
    || case when _method <> '' then format(' and p.method = %L', _method) else '' end
    || case when _state <> '' then format(' and p.state = %L', _state) else '' end
    || case when _kind <> '' then format(' and p.kind = %L', _kind) else '' end
    || case when _by is not null then format(' and coalesce(p.decided_by, p.actor) = %L', _by) else '' end
    || case when typed <> '' then format(' and (%s upper(p.reference) like %L)',
         case when number is not null then format('p.order_number = %s or', number) end,
         regexp_replace(upper(typed), '([\\%_])', '\\\1', 'g') || '%') else '' end;
end $$;

/* Staff: payments, refunds and corrections, the newest day first or last. _page from 1, _page_size at most 1,000 (50). */
create function private.admin_find_payments(
  _q text default null, _method text default null, _state text default null, _kind text default null, _from date default null,
  _to date default null, _by uuid default null, _descending boolean default true, _page int default 1, _page_size int default 50
)
returns table (
  id uuid, day date, order_id uuid, order_number bigint, kind text, method text, amount numeric, reference text, state text, reason text,
  received_amount numeric, received_currency text, note text, by_name text, created_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted constant text := replace('coalesce(p.paid_on, (p.created_at at time zone ''UTC'')::date) desc, p.created_at desc, p.id desc', 'desc',
                                  case when coalesce(_descending, true) then 'desc' else 'asc' end);
begin
  perform private.require_duty('payments');
  -- More than a screen shows is an export.
  if _page_size > 200 then perform private.require_duty('exports'); end if;
  return query execute
    'select p.id, coalesce(p.paid_on, (p.created_at at time zone ''UTC'')::date), p.order_id, p.order_number, p.kind, p.method, p.amount,
            p.reference, p.state, p.reason, p.received_amount, p.received_currency, p.note, coalesce(w.full_name, w.email), p.created_at
       from (select p.* from public.payments p where ' || private.payment_conditions(_q, _method, _state, _kind, _from, _to, _by)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as p
       left join public.profiles w on w.id = coalesce(p.decided_by, p.actor)
      order by ' || sorted;
end $$;
select private.expose('admin_find_payments', 'authenticated', 'service_role');

/* Staff: how many rows admin_find_payments has with the same filters, and the totals of the settled ones. */
create function private.admin_sum_payments(
  _q text default null, _method text default null, _state text default null, _kind text default null, _from date default null,
  _to date default null, _by uuid default null
) returns table (found bigint, paid numeric, refunded numeric) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('payments');
  return query execute
    'select count(*), coalesce(sum(p.amount) filter (where p.state = ''settled'' and p.kind <> ''refund''), 0),
            coalesce(-sum(p.amount) filter (where p.state = ''settled'' and p.kind = ''refund''), 0)
       from public.payments p where ' || private.payment_conditions(_q, _method, _state, _kind, _from, _to, _by);
end $$;
select private.expose('admin_sum_payments', 'authenticated', 'service_role');

/* Staff: everyone who recorded or decided a payment, by name. */
create function private.list_payment_people()
returns table (id uuid, name text) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('payments');
  -- From one person to the next by the index, however many payments there are.
  return query with recursive people as (
    (select coalesce(p.decided_by, p.actor) as id from public.payments p
      where coalesce(p.decided_by, p.actor) is not null order by coalesce(p.decided_by, p.actor) limit 1)
    union all
    select (select coalesce(p.decided_by, p.actor) from public.payments p
             where coalesce(p.decided_by, p.actor) > people.id order by coalesce(p.decided_by, p.actor) limit 1)
      from people where people.id is not null
  )
  select w.id, coalesce(w.full_name, w.email) from people join public.profiles w on w.id = people.id
   where coalesce(w.full_name, w.email) is not null order by 2, 1;
end $$;
select private.expose('list_payment_people', 'authenticated', 'service_role');

/*
 * Staff: the movements of a book, even a deleted one, the newest first or last; _reason one of stock_movements. The balance counts back from
 * today's stock. by_name is null for what no person did; receipt_id and purchase_reference name what arrived. _page from 1, _page_size at most 1,000 (50).
 */
create function private.list_stock_movements(
  _book_id uuid, _reason text default null, _descending boolean default true, _page int default 1, _page_size int default 50
)
returns table (
  id bigint, created_at timestamptz, quantity int, balance bigint, reason text, order_id uuid, order_number bigint, by_name text,
  note text, receipt_id uuid, purchase_reference text
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted constant text := ' order by m.id ' || case when coalesce(_descending, true) then 'desc' else 'asc' end;
begin
  perform private.require_duty('stock');
  return query execute
    'select m.id, m.created_at, m.quantity, m.balance, m.reason, m.order_id, o.number, coalesce(p.full_name, p.email), m.note,
            l.receipt_id, u.reference
       from (select m.*
               from (select m.*, stock.copies - coalesce(sum(m.quantity) over (
                              order by m.id desc rows between unbounded preceding and 1 preceding), 0) as balance
                       from public.stock_movements m,
                            (select coalesce((select b.stock_quantity from public.books b where b.id = $1),
                                             (select g.stock_quantity from private.gone_books g where g.id = $1), 0)) as stock (copies)
                      where m.book_id = $1) as m
              where coalesce($2, '''') in ('''', m.reason)' || sorted || private.paging(_page, _page_size) || ') as m
       left join public.orders o on o.id = m.order_id
       left join public.receipt_lines l on l.movement_id = m.id
       left join public.receipts r on r.id = l.receipt_id
       left join public.purchase_orders u on u.id = r.purchase_order_id
       left join public.profiles p on p.id = m.actor' || sorted
    using _book_id, _reason;
end $$;
select private.expose('list_stock_movements', 'authenticated', 'service_role');

/* An order is found by its own texts or by its customer's. */
create or replace function private.order_conditions(_status text, _q text, _method text, _region text, _payment text)
returns text language plpgsql stable set search_path = '' as $$
declare
  conditions text := case when _status <> '' then format('o.status = %L', _status) else 'true' end
    || case when _method = 'send' then ' and o.delivery_method not in (''collect'', ''download'')'
            when _method = 'pack' then ' and o.delivery_method <> ''download'''
            when _method <> '' then format(' and o.delivery_method = %L', _method) else '' end
    || case when _region <> '' then format(' and o.region = %L', _region) else '' end
    || case _payment
         when 'due' then ' and o.payment_state in (''due'', ''part_paid'')'
         when 'paid' then ' and o.payment_state = ''paid'''
         when 'to_refund' then ' and o.payment_state = ''too_much'''
         when 'needs_decision' then ' and (o.has_undecided_payment or o.payment_state = ''too_much'')'
         else '' end;
  typed constant text := private.bare_order_number(_q);
  -- Digits after '#' or 'No.' mean the order's number alone; without them they may be part of a phone number too.
  number constant text := substring(typed from '^[0-9]{1,18}$');
  only_number constant boolean := length(number) < 8 and typed <> btrim(_q);
  referred constant bigint := private.number_in_reference(_q);
  own text;
  theirs text;
begin
  if only_number then return format('%s and o.number = %s', conditions, number); end if;
  if referred is not null then return format('%s and o.number = %s', conditions, referred); end if;
  own := private.found_by_text('o.search_text', typed);
  theirs := private.found_by_text('x.search_text', typed);
  if own is null then return conditions; end if;
  if number is not null then own := format('o.number = %s or %s', number, own); end if;
  return format('%s and (%s or %s)', conditions, own, private.refers_to_found('o.user_id', 'uuid', 'public.profiles', theirs));
end $$;

/*
 * Staff: orders to pack (pending, but not digital titles alone), to send and to collect (processing), unpaid ones with what is owed and since when, those with money to
 * refund and how much it is, quotes that wait for an offer, consultations that wait for an answer, and customers whose book is in stock
 * again and whose email has not been sent. Null where the caller lacks the duty for the list.
 */
create or replace function private.todays_work()
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
    waiting_for_books := (select count(*) from public.stock_alerts a join public.books b on b.id = a.book_id where b.stock_quantity > 0);
  end if;
  return next;
end $$;
