-- What was sold: on which day, which books, to which region and customer; and what is owed for it. An order counts on the day on which it
-- was placed, in Ghana's time, which is UTC. A cancelled or deleted order no longer counts on that day; a restored one does again.
--
-- Every change to an order or its lines adds rows to sales_changes in its own transaction and locks nothing. About one change in 100
-- moves these rows into the sums per day and per month. Reports read both in one statement, so they are exact at any moment.

create table private.sales_changes (
  day date not null,
  -- One of the order's lines, or the order itself, with its delivery fee and what is owed for it.
  is_line boolean not null,
  book_id uuid,
  region text not null,
  customer_id uuid,
  orders int not null,
  copies int not null default 0,
  -- In pesewas: the lines' prices, the delivery fee, and what has not been paid yet.
  books bigint not null default 0,
  delivery bigint not null default 0,
  owed bigint not null default 0,
  -- What the line's copies cost the shop; null if that is not known.
  cost bigint
);
alter table private.sales_changes enable row level security;

create table private.sales (
  -- 'book', 'region' or 'customer'; 'costed': a book's copies whose cost is known.
  dimension text not null,
  -- The book's or customer's id, or private.no_key().
  key uuid not null,
  -- 'day' or 'month', and its first day; 'all' since ever, of customers alone.
  grain text not null,
  start date not null,
  orders int not null,
  copies int not null,
  -- In pesewas: sums of numeric take twice the time.
  books bigint not null,
  delivery bigint not null,
  owed bigint not null,
  -- Of 'costed' alone: what its copies cost the shop.
  cost bigint not null default 0,
  -- Of 'region' alone: its name, or '' if the order has none.
  region text not null default '',
  primary key (dimension, grain, start, key, region)
);
-- Of a publisher's books, thousands of days are read: without their rows.
create index sales_by_key on private.sales (dimension, key, grain, start) include (orders, copies, books);
create index sales_most_owed on private.sales (owed desc, key) where grain = 'all' and owed <> 0;
alter table private.sales enable row level security;

/* The key of private.sales for orders and lines without a customer or book, and for regions: zeros. */
create function private.no_key()
returns uuid language sql immutable parallel safe set search_path = '' as $$
  select uuid '00000000-0000-0000-0000-000000000000'
$$;

/* Adds (1) or subtracts (-1) an order with its current lines. A cancelled order doesn't count. */
create function private.count_order(_order public.orders, _sign int)
returns void language sql security definer set search_path = '' as $$
  insert into private.sales_changes (day, is_line, book_id, region, customer_id, orders, copies, books, delivery, owed, cost)
  select (_order.created_at at time zone 'UTC')::date, c.is_line, c.book_id, coalesce(_order.region, ''), _order.user_id, _sign, _sign * c.copies,
         _sign * c.books, _sign * c.delivery, _sign * c.owed, _sign * c.cost
    from (select false as is_line, null::uuid as book_id, 0 as copies, 0::bigint as books, (_order.delivery_fee * 100)::bigint as delivery,
                 (greatest(_order.total_amount - _order.returned_amount - _order.paid_amount, 0) * 100)::bigint as owed, null::bigint as cost
          union all
          select true, i.sold_book_id, i.quantity, (i.quantity * i.price * 100)::bigint, 0, 0,
                 private.cost_of_copies(i.sold_book_id, i.quantity, _order.created_at)
            from public.order_items i where i.order_id = _order.id) as c
   where _order.status <> 'cancelled'
$$;

/* Counts a new order. Its lines count for themselves, even those that the same statement adds. */
create function private.count_new_order(_order public.orders)
returns void language sql volatile security definer set search_path = '' as $$
  insert into private.sales_changes (day, is_line, region, customer_id, orders, delivery, owed)
  select (_order.created_at at time zone 'UTC')::date, false, coalesce(_order.region, ''), _order.user_id, 1,
         (_order.delivery_fee * 100)::bigint, (greatest(_order.total_amount - _order.returned_amount - _order.paid_amount, 0) * 100)::bigint
   where _order.status <> 'cancelled'
$$;

create function private.count_changed_order(_old public.orders, _new public.orders)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if ((_old.status = 'cancelled'), (_old.created_at at time zone 'UTC')::date, _old.region, _old.user_id, _old.delivery_fee)
     is distinct from ((_new.status = 'cancelled'), (_new.created_at at time zone 'UTC')::date, _new.region, _new.user_id, _new.delivery_fee) then
    perform private.count_order(_old, -1), private.count_order(_new, 1);
  elsif _new.status <> 'cancelled' and greatest(_old.total_amount - _old.returned_amount - _old.paid_amount, 0) <> greatest(_new.total_amount - _new.returned_amount - _new.paid_amount, 0) then
    insert into private.sales_changes (day, is_line, region, customer_id, orders, owed)
    values ((_new.created_at at time zone 'UTC')::date, false, coalesce(_new.region, ''), _new.user_id, 0,
            (100 * (greatest(_new.total_amount - _new.returned_amount - _new.paid_amount, 0) - greatest(_old.total_amount - _old.returned_amount - _old.paid_amount, 0)))::bigint);
  end if;
end $$;

create function private.follow_new_line_sales()
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
create trigger count_line_sales after insert on public.order_items
  referencing new table as added for each statement execute function private.follow_new_line_sales();

create function private.follow_line_sales()
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
create trigger count_changed_line_sales after update of quantity, price, sold_book_id on public.order_items
  for each row when ((old.quantity, old.price, old.sold_book_id) is distinct from (new.quantity, new.price, new.sold_book_id))
  execute function private.follow_line_sales();
create trigger uncount_line_sales after delete on public.order_items
  for each row execute function private.follow_line_sales();

/* The changes as rows of private.sales. */
create function private.sums_of_changes(_changes private.sales_changes[])
returns setof private.sales language sql immutable set search_path = '' as $$
  select d.dimension, d.key, g.grain, g.start, sum(d.orders)::int, sum(c.copies)::int, sum(c.books)::bigint, sum(c.delivery)::bigint,
         sum(c.owed)::bigint, sum(case d.dimension when 'costed' then c.cost else 0 end)::bigint, d.region
    from unnest(_changes) as c,
         lateral (values ('day', c.day), ('month', date_trunc('month', c.day)::date), ('all', date '0001-01-01')) as g (grain, start),
         lateral (values ('region', private.no_key(), c.region, case when c.is_line then 0 else c.orders end),
                         ('customer', coalesce(c.customer_id, private.no_key()), '', case when c.is_line then 0 else c.orders end),
                         ('book', coalesce(c.book_id, private.no_key()), '', c.orders),
                         ('costed', coalesce(c.book_id, private.no_key()), '', c.orders)) as d (dimension, key, region, orders)
   where case d.dimension when 'book' then c.is_line when 'costed' then c.cost is not null else true end
     and (g.grain <> 'all' or d.dimension = 'customer')
   group by d.dimension, d.key, d.region, g.grain, g.start
$$;

/*
 * Moves the changes into the sums. One transaction at a time does this; others don't wait for it. Not with repeatable read, which
 * fails if another transaction has moved some rows since.
 */
create function private.fold_sales()
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
  on conflict (dimension, grain, start, key, region) do update
     set (orders, copies, books, delivery, owed, cost) = (s.orders + excluded.orders, s.copies + excluded.copies, s.books + excluded.books,
                                                          s.delivery + excluded.delivery, s.owed + excluded.owed, s.cost + excluded.cost);
end $$;

create function private.fold_sales_now_and_then()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.fold_sales();
  return null;
end $$;
-- After one change in 100: more would cost orders time, fewer would cost readers.
create trigger fold_sales_now_and_then after insert on private.sales_changes
  for each statement when (random() < 0.01) execute function private.fold_sales_now_and_then();

/* A full count of all orders, as rows of private.sales. */
create function private.counted_sales()
returns setof private.sales language sql stable security definer set search_path = '' as $$
  with lines as (
    select (o.created_at at time zone 'UTC')::date as day, coalesce(o.region, '') as region, coalesce(o.user_id, private.no_key()) as customer,
           coalesce(i.sold_book_id, private.no_key()) as book, 0 as orders, i.quantity as copies, i.quantity * i.price as books,
           0::numeric as delivery, 0::numeric as owed, private.cost_of_copies(i.sold_book_id, i.quantity, o.created_at) as cost
      from public.orders o join public.order_items i on i.order_id = o.id where o.status <> 'cancelled'
    union all
    select (o.created_at at time zone 'UTC')::date, coalesce(o.region, ''), coalesce(o.user_id, private.no_key()), null, 1, 0, 0, o.delivery_fee,
           greatest(o.total_amount - o.returned_amount - o.paid_amount, 0), null
      from public.orders o where o.status <> 'cancelled'
  ), days as (
    select 'region' as dimension, private.no_key() as key, region, day, sum(orders) as orders, sum(copies) as copies,
           sum(books) as books, sum(delivery) as delivery, sum(owed) as owed, 0::numeric as cost
      from lines group by region, day
    union all
    select 'customer', customer, '', day, sum(orders), sum(copies), sum(books), sum(delivery), sum(owed), 0 from lines group by customer, day
    union all
    select 'book', book, '', day, count(*), sum(copies), sum(books), 0, 0, 0 from lines where book is not null group by book, day
    union all
    select 'costed', book, '', day, count(*), sum(copies), sum(books), 0, 0, sum(cost) from lines where cost is not null group by book, day
  )
  select d.dimension, d.key, g.grain, g.start, sum(d.orders)::int, sum(d.copies)::int, (sum(d.books) * 100)::bigint,
         (sum(d.delivery) * 100)::bigint, (sum(d.owed) * 100)::bigint, sum(d.cost)::bigint, d.region
    from days d,
         lateral (values ('day', d.day), ('month', date_trunc('month', d.day)::date), ('all', date '0001-01-01')) as g (grain, start)
   where g.grain <> 'all' or d.dimension = 'customer'
   group by d.dimension, d.key, d.region, g.grain, g.start
$$;

/* Recounts everything while changes wait; needed after rows were written with triggers disabled. */
create function private.count_sales()
returns void language plpgsql security definer set search_path = '' as $$
begin
  lock table public.orders, public.order_items in share row exclusive mode;
  perform pg_advisory_xact_lock(hashtext('private.sales'));
  delete from private.sales_changes;
  delete from private.sales;
  -- In the order in which they are read.
  insert into private.sales select * from private.counted_sales() order by dimension, grain, start, key, region;
end $$;

/* The sums that differ from a full count of all orders; there should be none. */
create function private.wrong_sales()
returns table (dimension text, key uuid, region text, grain text, start date) language sql stable security definer set search_path = '' as $$
  with stored as (
    select s.dimension, s.key, s.region, s.grain, s.start, sum(s.orders) as orders, sum(s.copies) as copies, sum(s.books) as books,
           sum(s.delivery) as delivery, sum(s.owed) as owed, sum(s.cost) as cost
      from (select * from private.sales
            union all
            select * from private.sums_of_changes(array(select c from private.sales_changes as c))) as s
     group by 1, 2, 3, 4, 5
    having (sum(s.orders), sum(s.copies), sum(s.books), sum(s.delivery), sum(s.owed), sum(s.cost)) <> (0, 0, 0, 0, 0, 0)
  )
  select dimension, key, region, grain, start
    from stored full join private.counted_sales() as counted using (dimension, key, region, grain, start)
   where (stored.orders, stored.copies, stored.books, stored.delivery, stored.owed, stored.cost)
         is distinct from (counted.orders::bigint, counted.copies::bigint, counted.books::numeric, counted.delivery::numeric, counted.owed::numeric,
                           counted.cost::numeric)
$$;

-- When the sums were last compared with all orders, and how many were wrong.
create table private.sales_checks (
  checked_at timestamptz primary key default clock_timestamp(),
  wrong bigint not null
);
alter table private.sales_checks enable row level security;

/*
 * Staff and the shop itself, every night: compares the sums with all orders, stores the result and returns how many are wrong. It corrects
 * nothing: the cause of a wrong sum has to be found.
 */
create function private.check_sales()
returns bigint language plpgsql security definer set search_path = '' set statement_timeout = '120s' as $$
declare
  found bigint;
begin
  perform private.require_duty('reports');
  -- One at a time.
  perform pg_advisory_xact_lock(hashtext('private.sales_checks'));
  select count(*) into found from private.wrong_sales();
  delete from private.sales_checks;
  insert into private.sales_checks (wrong) values (found);
  return found;
end $$;
select private.expose('check_sales', 'authenticated', 'service_role');

/* Staff: the last comparison; no row before the first. */
create function private.read_sales_check()
returns table (checked_at timestamptz, wrong bigint) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  return query select c.checked_at, c.wrong from private.sales_checks c;
end $$;
select private.expose('read_sales_check', 'authenticated', 'service_role');
