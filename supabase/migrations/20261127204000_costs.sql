-- What books cost the shop, and the margin of what was sold.

-- What a copy has cost on average since a moment. No foreign key: sales of a deleted
-- book still count. Rows are only added, so that an order's lines are taken away again at the cost at which they were counted.
create table private.book_costs (
  book_id uuid not null,
  since timestamptz not null,
  -- In cedis; null once the only receipt with a cost was undone.
  average numeric(16, 6),
  primary key (book_id, since),
  constraint book_costs_average_is_not_negative check (average >= 0)
);
alter table private.book_costs enable row level security;

/*
 * What copies ordered at a moment have cost, in pesewas; null if it is not known. A receipt and an order both lock the book's row first, so
 * a cost that an order has not seen is later than the order.
 */
create function private.cost_of_copies(_book_id uuid, _copies int, _at timestamptz)
returns bigint language sql stable security definer set search_path = '' as $$
  select round(_copies * 100 * c.average)::bigint
    from private.book_costs c where c.book_id = _book_id and c.since <= _at order by c.since desc limit 1
$$;

/*
 * Moves the average costs by the lines of a receipt that have one: booked (1), weighed by the copies that were in stock, or undone (-1), as if
 * they had never come. Copies in stock whose cost was not known get that of the first receipt. The caller has locked the books and
 * moved their stock.
 */
create function private.move_costs(_receipt_id uuid, _sign int)
returns void language sql security definer set search_path = '' as $$
  insert into private.book_costs (book_id, since, average)
  select l.book_id, greatest(clock_timestamp(), c.since + interval '1 microsecond'), round(a.average, 6)
    from public.receipt_lines l
    join public.receipts r on r.id = l.receipt_id
    join public.books b on b.id = l.book_id
    left join lateral (select * from private.book_costs c where c.book_id = l.book_id order by c.since desc limit 1) as c on true
   cross join lateral (
     select case
       when _sign > 0 and c.average is null then l.cost_cedis
       when _sign > 0 then (c.average * (b.stock_quantity - l.copies) + l.cost_cedis * l.copies) / b.stock_quantity
       when not exists (select from public.receipt_lines o join public.receipts ro on ro.id = o.receipt_id
                         where o.book_id = l.book_id and o.receipt_id <> r.id and o.copies > 0 and o.cost_cedis is not null and ro.undone_at is null)
         then null
       when b.stock_quantity > 0 then greatest((c.average * (b.stock_quantity + l.copies) - l.cost_cedis * l.copies) / b.stock_quantity, 0)
       else (select e.average from private.book_costs e where e.book_id = l.book_id and e.since < r.created_at order by e.since desc limit 1)
     end as average) as a
   where l.receipt_id = _receipt_id and l.copies > 0 and l.cost_cedis is not null
$$;

/* Staff: what a copy of a book costs on average, in cedis; null if no receipt with a cost brought any. */
create function private.read_book_cost(_book_id uuid)
returns numeric language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  return (select round(c.average, 2) from private.book_costs c where c.book_id = _book_id order by c.since desc limit 1);
end $$;
select private.expose('read_book_cost', 'authenticated', 'service_role');

/* Staff: the copies in stock and what they cost, as far as it is known; copies without a cost are counted apart. */
create function private.report_stock_value()
returns table (copies bigint, cost numeric, unknown_copies bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  return query
    select coalesce(sum(b.stock_quantity) filter (where c.average is not null), 0)::bigint, coalesce(round(sum(b.stock_quantity * c.average), 2), 0),
           coalesce(sum(b.stock_quantity) filter (where c.average is null), 0)::bigint
      from public.books b
      left join (select distinct on (k.book_id) k.book_id, k.average from private.book_costs k order by k.book_id, k.since desc) as c on c.book_id = b.id
     where b.stock_quantity > 0;
end $$;
select private.expose('report_stock_value', 'authenticated', 'service_role');

alter table private.sales_changes add column cost bigint;
alter table private.sales add column cost bigint not null default 0;

create or replace function private.count_order(_order public.orders, _sign int)
returns void language sql security definer set search_path = '' as $$
  insert into private.sales_changes (day, is_line, book_id, region, customer_id, orders, copies, books, delivery, owed, cost)
  select (_order.created_at at time zone 'UTC')::date, c.is_line, c.book_id, coalesce(_order.region, ''), _order.user_id, _sign, _sign * c.copies,
         _sign * c.books, _sign * c.delivery, _sign * c.owed, _sign * c.cost
    from (select false as is_line, null::uuid as book_id, 0 as copies, 0::bigint as books, (_order.delivery_fee * 100)::bigint as delivery,
                 (greatest(_order.total_amount - _order.paid_amount, 0) * 100)::bigint as owed, null::bigint as cost
          union all
          select true, i.sold_book_id, i.quantity, (i.quantity * i.price * 100)::bigint, 0, 0,
                 private.cost_of_copies(i.sold_book_id, i.quantity, _order.created_at)
            from public.order_items i where i.order_id = _order.id) as c
   where _order.status <> 'cancelled'
$$;

create or replace function private.follow_new_line_sales()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.sales_changes (day, is_line, book_id, region, customer_id, orders, copies, books, cost)
  select (o.created_at at time zone 'UTC')::date, true, i.sold_book_id, coalesce(o.region, ''), o.user_id, 1, i.quantity,
         (i.quantity * i.price * 100)::bigint, round(i.quantity * 100 * c.average)::bigint
    from added i
    join public.orders o on o.id = i.order_id
    -- As private.cost_of_copies, whose call would be one more statement for each line of each order.
    left join lateral (select k.average from private.book_costs k where k.book_id = i.sold_book_id and k.since <= o.created_at
                        order by k.since desc limit 1) as c on true
   where o.status <> 'cancelled';
  return null;
end $$;

create or replace function private.follow_line_sales()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- The lines of a deleted order were taken away with it.
  insert into private.sales_changes (day, is_line, book_id, region, customer_id, orders, copies, books, cost)
  select (o.created_at at time zone 'UTC')::date, true, c.book_id, coalesce(o.region, ''), o.user_id, c.sign, c.sign * c.quantity,
         (c.sign * c.quantity * c.price * 100)::bigint, c.sign * private.cost_of_copies(c.book_id, c.quantity, o.created_at)
    from public.orders o,
         (select -1 as sign, old.sold_book_id as book_id, old.quantity, old.price
          union all select 1, new.sold_book_id, new.quantity, new.price where tg_op = 'UPDATE') as c
   where o.id = old.order_id and o.status <> 'cancelled';
  return null;
end $$;

create or replace function private.sums_of_changes(_changes private.sales_changes[])
returns setof private.sales language sql immutable set search_path = '' as $$
  select d.dimension, d.key, g.grain, g.start, sum(d.orders)::int, sum(c.copies)::int, sum(c.books)::bigint, sum(c.delivery)::bigint,
         sum(c.owed)::bigint, sum(case d.dimension when 'costed' then c.cost else 0 end)::bigint
    from unnest(_changes) as c,
         lateral (values ('day', c.day), ('month', date_trunc('month', c.day)::date)) as g (grain, start),
         lateral (values ('region', c.region, case when c.is_line then 0 else c.orders end),
                         ('customer', coalesce(c.customer_id::text, ''), case when c.is_line then 0 else c.orders end),
                         ('book', coalesce(c.book_id::text, ''), c.orders),
                         ('costed', coalesce(c.book_id::text, ''), c.orders)) as d (dimension, key, orders)
   where case d.dimension when 'book' then c.is_line when 'costed' then c.cost is not null else true end
   group by 1, 2, 3, 4
$$;

create or replace function private.fold_sales()
returns void language plpgsql security definer set search_path = '' as $$
declare
  changes private.sales_changes[];
begin
  if current_setting('transaction_isolation') <> 'read committed' or not pg_try_advisory_xact_lock(hashtext('private.sales')) then
    return;
  end if;
  with moved as (delete from private.sales_changes as c returning c)
  select array_agg(moved.c) into changes from moved;
  insert into private.sales as s
  select * from private.sums_of_changes(changes)
  on conflict (dimension, grain, start, key) do update
     set (orders, copies, books, delivery, owed, cost) = (s.orders + excluded.orders, s.copies + excluded.copies, s.books + excluded.books,
                                                          s.delivery + excluded.delivery, s.owed + excluded.owed, s.cost + excluded.cost);
end $$;

create or replace function private.counted_sales()
returns setof private.sales language sql stable security definer set search_path = '' as $$
  with lines as (
    select (o.created_at at time zone 'UTC')::date as day, coalesce(o.region, '') as region, coalesce(o.user_id::text, '') as customer,
           coalesce(i.sold_book_id::text, '') as book, 0 as orders, i.quantity as copies, i.quantity * i.price as books,
           0::numeric as delivery, 0::numeric as owed, private.cost_of_copies(i.sold_book_id, i.quantity, o.created_at) as cost
      from public.orders o join public.order_items i on i.order_id = o.id where o.status <> 'cancelled'
    union all
    select (o.created_at at time zone 'UTC')::date, coalesce(o.region, ''), coalesce(o.user_id::text, ''), null, 1, 0, 0, o.delivery_fee,
           greatest(o.total_amount - o.paid_amount, 0), null
      from public.orders o where o.status <> 'cancelled'
  ), days as (
    select 'region' as dimension, region as key, day, sum(orders) as orders, sum(copies) as copies, sum(books) as books,
           sum(delivery) as delivery, sum(owed) as owed, 0::numeric as cost
      from lines group by 2, 3
    union all
    select 'customer', customer, day, sum(orders), sum(copies), sum(books), sum(delivery), sum(owed), 0 from lines group by 2, 3
    union all
    select 'book', book, day, count(*), sum(copies), sum(books), 0, 0, 0 from lines where book is not null group by 2, 3
    union all
    select 'costed', book, day, count(*), sum(copies), sum(books), 0, 0, sum(cost) from lines where cost is not null group by 2, 3
  )
  select dimension, key, 'day', day, orders::int, copies::int, (books * 100)::bigint, (delivery * 100)::bigint, (owed * 100)::bigint, cost::bigint
    from days
  union all
  select dimension, key, 'month', date_trunc('month', day)::date, sum(orders)::int, sum(copies)::int, (sum(books) * 100)::bigint,
         (sum(delivery) * 100)::bigint, (sum(owed) * 100)::bigint, sum(cost)::bigint
    from days group by 1, 2, 4
$$;

create or replace function private.wrong_sales()
returns table (dimension text, key text, grain text, start date) language sql stable security definer set search_path = '' as $$
  with stored as (
    select s.dimension, s.key, s.grain, s.start, sum(s.orders) as orders, sum(s.copies) as copies, sum(s.books) as books,
           sum(s.delivery) as delivery, sum(s.owed) as owed, sum(s.cost) as cost
      from (select * from private.sales
            union all
            select * from private.sums_of_changes(array(select c from private.sales_changes as c))) as s
     group by 1, 2, 3, 4
    having (sum(s.orders), sum(s.copies), sum(s.books), sum(s.delivery), sum(s.owed), sum(s.cost)) <> (0, 0, 0, 0, 0, 0)
  )
  select dimension, key, grain, start
    from stored full join private.counted_sales() as counted using (dimension, key, grain, start)
   where (stored.orders, stored.copies, stored.books, stored.delivery, stored.owed, stored.cost)
         is distinct from (counted.orders::bigint, counted.copies::bigint, counted.books::numeric, counted.delivery::numeric, counted.owed::numeric,
                           counted.cost::numeric)
$$;

drop function private.sales_of(text, date, date, text[], text);

create function private.sales_of(_dimension text, _from date, _to date, _keys text[], _grain text)
returns table (key text, start date, orders bigint, copies bigint, books bigint, delivery bigint, cost bigint)
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' as $$
declare
  months_from date := date_trunc('month', _from + interval '1 month' - interval '1 day')::date;
  months_to date := date_trunc('month', _to + 1)::date;
begin
  if _grain in ('day', 'week') or months_from >= months_to then
    months_from := _to + 1;
    months_to := _to + 1;
  end if;
  -- A few keys are looked up one by one, all of them read along the days.
  return query
    select case when _grain is null then s.key end, case when _grain is not null then s.start end,
           sum(s.orders), sum(s.copies), sum(s.books::float8)::bigint, sum(s.delivery::float8)::bigint, sum(s.cost::float8)::bigint
      from (
        select a.key, a.start, a.orders, a.copies, a.books, a.delivery, a.cost from private.sales a
         where _keys is null and a.dimension = _dimension
           and (a.grain = 'month' and a.start >= months_from and a.start < months_to
                or a.grain = 'day' and a.start >= _from and a.start < months_from
                or a.grain = 'day' and a.start >= months_to and a.start <= _to)
        union all
        select a.key, a.start, a.orders, a.copies, a.books, a.delivery, a.cost
          from unnest(_keys) as k (key)
         cross join (values ('month', months_from, months_to - 1), ('day', _from, months_from - 1), ('day', months_to, _to)) as g (grain, first, last)
         cross join lateral (
           select * from private.sales a
            where a.dimension = _dimension and a.key = k.key and a.grain = g.grain and a.start between g.first and g.last) as a
        union all
        select c.key, c.start, c.orders, c.copies, c.books, c.delivery, c.cost
          from private.sums_of_changes(array(select c from private.sales_changes as c where c.day between _from and _to)) as c
         where c.dimension = _dimension and c.grain = 'day' and (_keys is null or c.key in (select unnest(_keys)))
      ) as s
     group by 1, 2
    having sum(s.orders) <> 0 or sum(s.copies) <> 0 or sum(s.books::float8) <> 0 or sum(s.delivery::float8) <> 0;
end $$;

create function private.report_margins(_from date, _to date, _by text, _limit int default 100)
returns table (key text, label text, copies bigint, costed bigint, books numeric, cost numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  perform private.require_period(_from, _to), private.require_report(_by);
  if _by in ('region', 'customer') then perform private.require_report(null); end if;
  return query
    with sums as (
      select s.key, s.copies, 0::bigint as costed, 0::bigint as books, 0::bigint as cost from private.sales_of('book', _from, _to, null, null) as s
      union all
      select s.key, 0, s.copies, s.books, s.cost from private.sales_of('costed', _from, _to, null, null) as s
    ), lines as materialized (
      select case _by when 'title' then s.key else private.report_field(_by, b.publisher, b.subject, b.grade_level) end as key,
             sum(s.copies)::bigint as copies, sum(s.costed)::bigint as costed, sum(s.books)::bigint as books, sum(s.cost)::bigint as cost
        from sums s left join public.books b on b.id = nullif(s.key, '')::uuid
       group by 1
    ), shown as materialized (
      select l.* from lines l order by l.books - l.cost desc, l.copies desc, l.key limit least(greatest(coalesce(_limit, 100), 1), 1000)
    )
    select l.key, l.label, l.copies, l.costed, round(l.books / 100.0, 2), round(l.cost / 100.0, 2) from (
      select r.key, case _by when 'title' then coalesce(b.title, g.title, 'A deleted title') else r.key end, r.copies, r.costed, r.books, r.cost
        from shown r
        left join public.books b on _by = 'title' and b.id::text = r.key
        left join private.gone_books g on _by = 'title' and g.id::text = r.key
      union all
      select null, null, (a.copies - t.copies)::bigint, (a.costed - t.costed)::bigint, a.books - t.books, a.cost - t.cost
        from (select count(*) as number, sum(l.copies) as copies, sum(l.costed) as costed, sum(l.books) as books, sum(l.cost) as cost from lines l) as a,
             (select count(*) as number, sum(r.copies) as copies, sum(r.costed) as costed, sum(r.books) as books, sum(r.cost) as cost from shown r) as t
       where a.number > t.number
    ) as l (key, label, copies, costed, books, cost)
     order by l.key is null, l.books - l.cost desc, l.copies desc, l.key;
end $$;
select private.expose('report_margins', 'authenticated', 'service_role');

create or replace function private.book_receipt(
  _id uuid, _lines jsonb, _purchase_order_id uuid default null, _version int default null, _currency text default 'GHS',
  _rate numeric default 1, _note text default null
)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
  note constant text := private.require_text('note', 'The note', private.clean_text(_note), 2000);
  currency text := _currency;
  rate constant numeric := round(_rate, 6);
  book_ids constant uuid[] := array(select l.book_id from private.read_receipt_lines(_lines) as l order by 1);
  moved_ids uuid[];
  moved_copies int[];
begin
  perform private.require_duty('stock');
  -- Before any row, like everything that moves stock; then the purchase order and the books.
  perform private.lock_stock(false);
  if _purchase_order_id is not null then
    select * into purchase from public.purchase_orders where id = _purchase_order_id for no key update;
    if exists (select from public.receipts where id = _id) then return _id; end if;
    purchase := private.lock_purchase_order(_purchase_order_id, _version);
    if purchase.status not in ('sent', 'part_received') then
      perform private.refuse('PT409', 'purchase_order_not_sent', 'Goods are received against a purchase order that has been sent.',
        jsonb_build_object('status', purchase.status));
    end if;
    currency := purchase.currency;
  end if;
  if coalesce(currency, '') not in ('GHS', 'GBP', 'USD', 'EUR', 'NGN', 'ZAR', 'INR', 'CNY', 'AED') then
    perform private.refuse('PT400', 'invalid_field', 'Choose the currency.', '{"field": "currency", "rule": "choice"}');
  elsif currency = 'GHS' and rate is distinct from 1 then
    perform private.refuse('PT400', 'invalid_field', 'The rate of cedis is 1.', '{"field": "rate", "rule": "range"}');
  end if;
  perform private.require_number('rate', 'The rate', rate, 0.000001, 100000);
  insert into public.receipts (id, purchase_order_id, currency, rate, note) values (_id, _purchase_order_id, currency, rate, note)
  on conflict (id) do nothing;
  if not found then return _id; end if;

  perform private.lock_books(book_ids);
  insert into public.receipt_lines (receipt_id, book_id, title, isbn, expected, copies, damaged, cost, cost_cedis)
  select _id, b.id, b.title, b.isbn, case when p.id is not null then greatest(p.copies - p.received, 0) end, l.copies, l.damaged, c.cost, round(c.cost * rate, 6)
    from private.read_receipt_lines(_lines) as l
    join public.books b on b.id = l.book_id
    left join public.purchase_order_lines p on p.purchase_order_id = _purchase_order_id and p.book_id = l.book_id
   cross join lateral (select coalesce(l.cost, p.cost) as cost) as c
   order by private.fold(b.title), b.id;
  if (select count(*) from public.receipt_lines where receipt_id = _id) < cardinality(book_ids) then
    perform private.refuse('PT404', 'book_not_found', 'A book of this receipt no longer exists.');
  end if;
  select array_agg(l.book_id), array_agg(l.copies) into moved_ids, moved_copies
    from public.receipt_lines l where l.receipt_id = _id and l.copies > 0;
  if moved_ids is not null then
    perform private.move_locked_stock(moved_ids, moved_copies, 'receipt', null);
    -- The books are locked: their last movements are these.
    update public.receipt_lines l
       set movement_id = (select max(m.id) from public.stock_movements m where m.book_id = l.book_id)
     where l.receipt_id = _id and l.copies > 0;
    perform private.move_costs(_id, 1);
  end if;
  if _purchase_order_id is not null then
    perform private.follow_received(_purchase_order_id, _id, 1);
  end if;
  return _id;
end $$;

create or replace function private.undo_receipt(_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  receipt public.receipts;
  book_ids uuid[];
  copies int[];
  sold jsonb;
begin
  perform private.require_duty('stock');
  perform private.lock_stock(false);
  perform from public.purchase_orders
    where id = (select r.purchase_order_id from public.receipts r where r.id = _id) for no key update;
  select * into receipt from public.receipts where id = _id for no key update;
  if not found then
    perform private.refuse('PT404', 'receipt_not_found', 'This receipt does not exist.');
  elsif receipt.undone_at is not null then
    return;
  end if;
  select array_agg(l.book_id order by l.book_id), array_agg(-l.copies order by l.book_id) into book_ids, copies
    from public.receipt_lines l where l.receipt_id = _id and l.copies > 0;
  if book_ids is not null then
    perform private.lock_books(book_ids);
    select jsonb_agg(jsonb_build_object('book_id', l.book_id, 'title', l.title) order by l.id) into sold
      from public.receipt_lines l
     where l.receipt_id = _id and l.copies > 0
       and exists (select from public.stock_movements m
                    where m.book_id = l.book_id and m.id > l.movement_id and m.quantity < 0 and m.reason in ('order', 'change', 'reopen'));
    if sold is not null then
      perform private.refuse('PT409', 'receipt_sold', 'This receipt can''t be undone: customers have ordered ' || (
        select string_agg(line ->> 'title', ', ') from jsonb_array_elements(sold) as line) || ' since.',
        jsonb_build_object('lines', sold));
    end if;
    perform private.move_locked_stock(book_ids, copies, 'undo_receipt', null);
    perform private.move_costs(_id, -1);
  end if;
  if receipt.purchase_order_id is not null then
    perform private.follow_received(receipt.purchase_order_id, _id, -1);
  end if;
  update public.receipts set undone_at = clock_timestamp() where id = _id;
end $$;
