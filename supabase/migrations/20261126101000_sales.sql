-- What was sold is summed by day and month, for the reports of the back office.

-- What was sold: on which day, which books, to which region and customer; and what is owed for it. An order counts on the day on which it
-- was placed, in Ghana's time, which is UTC. A cancelled or deleted order no longer counts on that day; a restored one does again.
--
-- Every change of an order or its lines adds rows to sales_changes in its own transaction and locks nothing. Now and then a change
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
  owed bigint not null default 0
);
alter table private.sales_changes enable row level security;

create table private.sales (
  -- 'book', 'region' or 'customer', and its id or name: '' for none.
  dimension text not null,
  key text not null,
  -- 'day' or 'month', and its first day.
  grain text not null,
  start date not null,
  orders int not null,
  copies int not null,
  -- In pesewas: sums of numeric take twice the time.
  books bigint not null,
  delivery bigint not null,
  owed bigint not null,
  primary key (dimension, grain, start, key)
);
create index sales_by_key on private.sales (dimension, key, grain, start);
create index sales_owed on private.sales (start, key) where dimension = 'customer' and grain = 'day' and owed <> 0;
alter table private.sales enable row level security;

/* An order with the lines that it has now, added (1) or taken away (-1). A cancelled one counts for nothing. */
create function private.count_order(_order public.orders, _sign int)
returns void language sql security definer set search_path = '' as $$
  insert into private.sales_changes (day, is_line, book_id, region, customer_id, orders, copies, books, delivery, owed)
  select (_order.created_at at time zone 'UTC')::date, c.is_line, c.book_id, coalesce(_order.region, ''), _order.user_id, _sign, _sign * c.copies,
         _sign * c.books, _sign * c.delivery, _sign * c.owed
    from (select false as is_line, null::uuid as book_id, 0 as copies, 0::bigint as books, (_order.delivery_fee * 100)::bigint as delivery,
                 (greatest(_order.total_amount - _order.paid_amount, 0) * 100)::bigint as owed
          union all
          select true, i.sold_book_id, i.quantity, (i.quantity * i.price * 100)::bigint, 0, 0
            from public.order_items i where i.order_id = _order.id) as c
   where _order.status <> 'cancelled'
$$;

create function private.follow_order_sales()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    -- Its lines count for themselves, even those that the same statement adds.
    insert into private.sales_changes (day, is_line, region, customer_id, orders, delivery, owed)
    select (new.created_at at time zone 'UTC')::date, false, coalesce(new.region, ''), new.user_id, 1,
           (new.delivery_fee * 100)::bigint, (greatest(new.total_amount - new.paid_amount, 0) * 100)::bigint
     where new.status <> 'cancelled';
  elsif tg_op = 'DELETE' then
    -- Before the order goes: its lines are still there.
    perform private.count_order(old, -1);
    return old;
  elsif ((old.status = 'cancelled'), (old.created_at at time zone 'UTC')::date, old.region, old.user_id, old.delivery_fee)
        is distinct from ((new.status = 'cancelled'), (new.created_at at time zone 'UTC')::date, new.region, new.user_id, new.delivery_fee) then
    perform private.count_order(old, -1), private.count_order(new, 1);
  elsif new.status <> 'cancelled' and greatest(old.total_amount - old.paid_amount, 0) <> greatest(new.total_amount - new.paid_amount, 0) then
    insert into private.sales_changes (day, is_line, region, customer_id, orders, owed)
    values ((new.created_at at time zone 'UTC')::date, false, coalesce(new.region, ''), new.user_id, 0,
            (100 * (greatest(new.total_amount - new.paid_amount, 0) - greatest(old.total_amount - old.paid_amount, 0)))::bigint);
  end if;
  return null;
end $$;
create trigger count_order_sales after insert or update on public.orders
  for each row execute function private.follow_order_sales();
create trigger uncount_order_sales before delete on public.orders
  for each row execute function private.follow_order_sales();

create function private.follow_new_line_sales()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.sales_changes (day, is_line, book_id, region, customer_id, orders, copies, books)
  select (o.created_at at time zone 'UTC')::date, true, i.sold_book_id, coalesce(o.region, ''), o.user_id, 1, i.quantity,
         (i.quantity * i.price * 100)::bigint
    from added i join public.orders o on o.id = i.order_id where o.status <> 'cancelled';
  return null;
end $$;
create trigger count_line_sales after insert on public.order_items
  referencing new table as added for each statement execute function private.follow_new_line_sales();

create function private.follow_line_sales()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- The lines of a deleted order were taken away with it.
  insert into private.sales_changes (day, is_line, book_id, region, customer_id, orders, copies, books)
  select (o.created_at at time zone 'UTC')::date, true, c.book_id, coalesce(o.region, ''), o.user_id, c.sign, c.sign * c.quantity,
         (c.sign * c.quantity * c.price * 100)::bigint
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

create function private.forget_sales()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from private.sales_changes;
  delete from private.sales;
  return null;
end $$;
create trigger forget_sales after truncate on public.orders for each statement execute function private.forget_sales();

/* The changes as rows of private.sales. */
create function private.sums_of_changes(_changes private.sales_changes[])
returns setof private.sales language sql immutable set search_path = '' as $$
  select d.dimension, d.key, g.grain, g.start, sum(d.orders)::int, sum(c.copies)::int, sum(c.books)::bigint, sum(c.delivery)::bigint,
         sum(c.owed)::bigint
    from unnest(_changes) as c,
         lateral (values ('day', c.day), ('month', date_trunc('month', c.day)::date)) as g (grain, start),
         lateral (values ('region', c.region, case when c.is_line then 0 else c.orders end),
                         ('customer', coalesce(c.customer_id::text, ''), case when c.is_line then 0 else c.orders end),
                         ('book', coalesce(c.book_id::text, ''), c.orders)) as d (dimension, key, orders)
   where d.dimension <> 'book' or c.is_line
   group by 1, 2, 3, 4
$$;

/*
 * Moves the changes into the sums. One transaction at a time does; others don't wait for it. Not in a transaction that sees only
 * what was there when it began: it would fail where another has moved some since.
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
  on conflict (dimension, grain, start, key) do update
     set (orders, copies, books, delivery, owed) = (s.orders + excluded.orders, s.copies + excluded.copies, s.books + excluded.books,
                                                    s.delivery + excluded.delivery, s.owed + excluded.owed);
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

/* What counting all orders gives, as rows of private.sales. */
create function private.counted_sales()
returns setof private.sales language sql stable security definer set search_path = '' as $$
  with lines as (
    select (o.created_at at time zone 'UTC')::date as day, coalesce(o.region, '') as region, coalesce(o.user_id::text, '') as customer,
           coalesce(i.sold_book_id::text, '') as book, 0 as orders, i.quantity as copies, i.quantity * i.price as books,
           0::numeric as delivery, 0::numeric as owed
      from public.orders o join public.order_items i on i.order_id = o.id where o.status <> 'cancelled'
    union all
    select (o.created_at at time zone 'UTC')::date, coalesce(o.region, ''), coalesce(o.user_id::text, ''), null, 1, 0, 0, o.delivery_fee,
           greatest(o.total_amount - o.paid_amount, 0)
      from public.orders o where o.status <> 'cancelled'
  ), days as (
    select 'region' as dimension, region as key, day, sum(orders) as orders, sum(copies) as copies, sum(books) as books,
           sum(delivery) as delivery, sum(owed) as owed
      from lines group by 2, 3
    union all
    select 'customer', customer, day, sum(orders), sum(copies), sum(books), sum(delivery), sum(owed) from lines group by 2, 3
    union all
    select 'book', book, day, count(*), sum(copies), sum(books), 0, 0 from lines where book is not null group by 2, 3
  )
  select dimension, key, 'day', day, orders::int, copies::int, (books * 100)::bigint, (delivery * 100)::bigint, (owed * 100)::bigint
    from days
  union all
  select dimension, key, 'month', date_trunc('month', day)::date, sum(orders)::int, sum(copies)::int, (sum(books) * 100)::bigint,
         (sum(delivery) * 100)::bigint, (sum(owed) * 100)::bigint
    from days group by 1, 2, 4
$$;

/* Counts everything again while changes wait; needed after rows were written with triggers disabled. */
create function private.count_sales()
returns void language plpgsql security definer set search_path = '' as $$
begin
  lock table public.orders, public.order_items in share row exclusive mode;
  perform pg_advisory_xact_lock(hashtext('private.sales'));
  delete from private.sales_changes;
  delete from private.sales;
  -- In the order in which they are read.
  insert into private.sales select * from private.counted_sales() order by dimension, grain, start, key;
end $$;

/* The sums that counting all orders doesn't confirm: none, in a shop in order. */
create function private.wrong_sales()
returns table (dimension text, key text, grain text, start date) language sql stable security definer set search_path = '' as $$
  with stored as (
    select s.dimension, s.key, s.grain, s.start, sum(s.orders) as orders, sum(s.copies) as copies, sum(s.books) as books,
           sum(s.delivery) as delivery, sum(s.owed) as owed
      from (select * from private.sales
            union all
            select * from private.sums_of_changes(array(select c from private.sales_changes as c))) as s
     group by 1, 2, 3, 4
    having (sum(s.orders), sum(s.copies), sum(s.books), sum(s.delivery), sum(s.owed)) <> (0, 0, 0, 0, 0)
  )
  select dimension, key, grain, start
    from stored full join private.counted_sales() as counted using (dimension, key, grain, start)
   where (stored.orders, stored.copies, stored.books, stored.delivery, stored.owed)
         is distinct from (counted.orders::bigint, counted.copies::bigint, counted.books::numeric, counted.delivery::numeric, counted.owed::numeric)
$$;

-- When the sums were last compared with all orders, and how many were wrong.
create table private.sales_checks (
  checked_at timestamptz primary key default clock_timestamp(),
  wrong bigint not null
);
alter table private.sales_checks enable row level security;

/*
 * Staff and the shop itself, every night: compares the sums with all orders, notes the result and returns how many are wrong. It mends
 * nothing: a wrong sum is a fault that has to be found.
 */
create function private.check_sales()
returns bigint language plpgsql security definer set search_path = '' set statement_timeout = '120s' as $$
declare
  found bigint;
begin
  perform private.require_staff();
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
  perform private.require_staff();
  return query select c.checked_at, c.wrong from private.sales_checks c;
end $$;
select private.expose('read_sales_check', 'authenticated', 'service_role');
-- What staff read of the sums: sales by time and by what was sold, what is owed, what came in, and what customers want.

/* Refuses a period that isn't one, or is longer than ten years. */
create function private.require_period(_from date, _to date)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _from is null or _to is null or _to < _from or _to - _from > 3660 then
    perform private.refuse('PT400', 'invalid_field', 'Please choose a first and a last day, at most ten years apart.',
      jsonb_build_object('field', 'period', 'rule', 'range'));
  end if;
end $$;

/*
 * The sums of a period, of some keys or all: by key, and by the day, week or month that _grain names; with null only by key, and start is
 * null. Whole months are read as such where _grain allows it. Amounts in pesewas. Grouped here, because what a function returns is
 * written out before it is read. More memory than usual, because groups that don't fit are written to disk: with both, a year of 20,000
 * books and 1,000,000 orders takes 220 ms in place of 750.
 */
create function private.sales_of(_dimension text, _from date, _to date, _keys text[], _grain text)
returns table (key text, start date, orders bigint, copies bigint, books bigint, delivery bigint)
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
    select s.key, case when _grain is not null then greatest(date_trunc(_grain, s.start)::date, _from) end,
           sum(s.orders), sum(s.copies), sum(s.books)::bigint, sum(s.delivery)::bigint
      from (
        select a.key, a.start, a.orders, a.copies, a.books, a.delivery from private.sales a
         where _keys is null and a.dimension = _dimension
           and (a.grain = 'month' and a.start >= months_from and a.start < months_to
                or a.grain = 'day' and a.start >= _from and a.start < months_from
                or a.grain = 'day' and a.start >= months_to and a.start <= _to)
        union all
        select a.key, a.start, a.orders, a.copies, a.books, a.delivery
          from unnest(_keys) as k (key)
         cross join (values ('month', months_from, months_to - 1), ('day', _from, months_from - 1), ('day', months_to, _to)) as g (grain, first, last)
         cross join lateral (
           select * from private.sales a
            where a.dimension = _dimension and a.key = k.key and a.grain = g.grain and a.start between g.first and g.last) as a
        union all
        select c.key, c.start, c.orders, c.copies, c.books, c.delivery
          from private.sums_of_changes(array(select c from private.sales_changes as c where c.day between _from and _to)) as c
         where c.dimension = _dimension and c.grain = 'day' and (_keys is null or c.key in (select unnest(_keys)))
      ) as s
     group by 1, 2
    having (sum(s.orders), sum(s.copies), sum(s.books), sum(s.delivery)) <> (0, 0, 0, 0);
end $$;

/* The field of a book by which sales are reported. */
create function private.report_field(_book public.books, _by text)
returns text language sql immutable set search_path = '' as $$
  select coalesce(case _by when 'publisher' then _book.publisher when 'subject' then _book.subject when 'class' then _book.grade_level end, '')
$$;

/* The keys of private.sales that a report is narrowed to: null for all. */
create function private.report_keys(_by text, _key text)
returns text[] language sql stable security definer set search_path = '' as $$
  select case when _key is null then null
              when _by in ('region', 'customer', 'title') then array[_key]
              else array(select b.id::text from public.books b where private.report_field(b, _by) = _key) end
$$;

create function private.require_report(_by text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _by is null or _by <> all ('{title,publisher,subject,class,region,customer}') then
    perform private.refuse('PT400', 'invalid_field', 'Unknown report.', jsonb_build_object('field', 'by', 'rule', 'choice'));
  end if;
end $$;

/*
 * Staff: the sales of a period by title, publisher, subject, class, region or customer, the largest first, at most _limit lines
 * and then one without a key or label for all others. Books by what the catalogue says of them today; what their delivery cost is a
 * last line of its own, without a key, so that the lines of every report add up to the same total.
 */
create function private.report_sales(_from date, _to date, _by text, _limit int default 100)
returns table (key text, label text, orders bigint, copies bigint, books numeric, delivery numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  dimension constant text := case when _by in ('region', 'customer') then _by else 'book' end;
begin
  perform private.require_staff();
  perform private.require_period(_from, _to), private.require_report(_by);
  return query
    with sums as (
      select s.key, s.orders, s.copies, round(s.books / 100.0, 2) as books, round(s.delivery / 100.0, 2) as delivery
        from private.sales_of(dimension, _from, _to, null, null) as s
    ), lines as (
      select case when _by in ('publisher', 'subject', 'class') then private.report_field(b, _by) else s.key end as key,
             case when _by not in ('publisher', 'subject', 'class') then sum(s.orders)::bigint end as orders,
             sum(s.copies)::bigint as copies, sum(s.books) as books, sum(s.delivery) as delivery
        from sums s left join public.books b on dimension = 'book' and b.id::text = s.key
       group by 1
    ), ranked as (
      select l.*, row_number() over (order by l.books + l.delivery desc, l.copies desc, l.key) as rank from lines l
    )
    select l.* from (
      select r.key, case _by when 'title' then coalesce(b.title, g.title, 'A deleted title')
                             when 'customer' then case when r.key = '' then 'Orders by phone' else coalesce(p.full_name, p.email, 'Former customers') end
                             else r.key end,
             r.orders, r.copies, r.books, r.delivery
        from ranked r
        left join public.books b on _by = 'title' and b.id::text = r.key
        left join private.gone_books g on _by = 'title' and g.id::text = r.key
        left join public.profiles p on _by = 'customer' and p.id::text = r.key
       where r.rank <= least(greatest(coalesce(_limit, 100), 1), 1000)
      union all
      select null, null, sum(r.orders)::bigint, sum(r.copies)::bigint, sum(r.books), sum(r.delivery)
        from ranked r where r.rank > least(greatest(coalesce(_limit, 100), 1), 1000) having count(*) > 0
      union all
      select null, 'Delivery', null, 0, 0, round(sum(s.delivery) / 100.0, 2)
        from private.sales_of('region', _from, _to, null, null) as s where dimension = 'book' having sum(s.delivery) > 0
    ) as l (key, label, orders, copies, books, delivery)
     order by l.key is null, l.books + l.delivery desc, l.copies desc, l.key;
end $$;
select private.expose('report_sales', 'authenticated', 'service_role');

/*
 * Staff: the sales of a period by 'day', 'week' (from Monday) or 'month', each with its first day in the period; those of one
 * title, publisher, …, or all. Only periods with sales have a row.
 */
create function private.report_sales_over_time(_from date, _to date, _grain text, _by text default null, _key text default null)
returns table (start date, orders bigint, copies bigint, books numeric, delivery numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  dimension constant text := case when coalesce(_by, 'region') in ('region', 'customer') then coalesce(_by, 'region') else 'book' end;
begin
  perform private.require_staff();
  perform private.require_period(_from, _to), private.require_report(coalesce(_by, 'region'));
  if _grain is null or _grain <> all ('{day,week,month}') or (_grain <> 'month' and _to - _from > 1100) then
    perform private.refuse('PT400', 'invalid_field', 'Please choose days or weeks for at most three years, or months.',
      jsonb_build_object('field', 'grain', 'rule', 'choice'));
  end if;
  return query
    select s.start, case when dimension = 'book' and _by <> 'title' then null else sum(s.orders)::bigint end,
           sum(s.copies)::bigint, round(sum(s.books) / 100.0, 2), round(sum(s.delivery) / 100.0, 2)
      from private.sales_of(dimension, _from, _to, private.report_keys(_by, _key), _grain) as s
     group by 1 order by 1;
end $$;
select private.expose('report_sales_over_time', 'authenticated', 'service_role');

/*
 * Staff: what is owed for orders that aren't cancelled, by the days since they were placed: one line a customer, the largest first,
 * at most _limit and then one without a key for all others.
 */
create function private.report_owed(_limit int default 100)
returns table (key text, label text, days_30 numeric, days_60 numeric, days_90 numeric, older numeric, owed numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    with owed as (
      select s.key, (now() at time zone 'UTC')::date - s.start as age, s.owed from private.sales s
       where s.dimension = 'customer' and s.grain = 'day' and s.owed <> 0
      union all
      select coalesce(c.customer_id::text, ''), (now() at time zone 'UTC')::date - c.day, c.owed from private.sales_changes c where c.owed <> 0
    ), lines as (
      select o.key, coalesce(sum(o.owed) filter (where o.age <= 30), 0) as days_30,
             coalesce(sum(o.owed) filter (where o.age between 31 and 60), 0) as days_60,
             coalesce(sum(o.owed) filter (where o.age between 61 and 90), 0) as days_90,
             coalesce(sum(o.owed) filter (where o.age > 90), 0) as older, sum(o.owed) as owed
        from owed o group by 1 having sum(o.owed) <> 0
    ), ranked as (
      select l.*, row_number() over (order by l.owed desc, l.key) as rank
        from (select l.key, round(l.days_30 / 100.0, 2) as days_30, round(l.days_60 / 100.0, 2) as days_60,
                     round(l.days_90 / 100.0, 2) as days_90, round(l.older / 100.0, 2) as older, round(l.owed / 100.0, 2) as owed
                from lines l) as l
    )
    select l.* from (
      select r.key, case when r.key = '' then 'Orders by phone' else coalesce(p.full_name, p.email, 'Former customers') end,
             r.days_30, r.days_60, r.days_90, r.older, r.owed
        from ranked r left join public.profiles p on p.id::text = r.key
       where r.rank <= least(greatest(coalesce(_limit, 100), 1), 1000)
      union all
      select null, null, sum(r.days_30), sum(r.days_60), sum(r.days_90), sum(r.older), sum(r.owed)
        from ranked r where r.rank > least(greatest(coalesce(_limit, 100), 1), 1000) having count(*) > 0
    ) as l (key, label, days_30, days_60, days_90, older, owed)
     order by l.key is null, l.owed desc, l.key;
end $$;
select private.expose('report_owed', 'authenticated', 'service_role');

/* Staff: what came in and was refunded in a period, by the day on which it was paid and by method. */
create function private.report_takings(_from date, _to date)
returns table (day date, method text, payments bigint, paid numeric, refunded numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  perform private.require_period(_from, _to);
  return query
    select p.paid_on, p.method, count(*), coalesce(sum(p.amount) filter (where p.kind <> 'refund'), 0),
           coalesce(-sum(p.amount) filter (where p.kind = 'refund'), 0)
      from public.payments p where p.state = 'settled' and p.paid_on between _from and _to
     group by 1, 2 order by 1 desc, 2;
end $$;
select private.expose('report_takings', 'authenticated', 'service_role');

/* Staff: books in stock of which nothing was sold in a period, those that tie up most money first. */
create function private.report_unsold(_from date, _to date, _limit int default 100)
returns table (book_id uuid, title text, publisher text, stock_quantity int, price numeric, added date)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  perform private.require_period(_from, _to);
  return query
    with sold as materialized (
      select s.key from private.sales_of('book', _from, _to, null, null) as s where s.copies > 0
    )
    select b.id, b.title, b.publisher, b.stock_quantity, b.price, (b.created_at at time zone 'UTC')::date
      from public.books b
     where b.stock_quantity > 0 and (b.created_at at time zone 'UTC')::date <= _to and b.id::text not in (select s.key from sold s)
     order by b.stock_quantity * b.price desc, b.id
     limit least(greatest(coalesce(_limit, 100), 1), 1000);
end $$;
select private.expose('report_unsold', 'authenticated', 'service_role');

/*
 * Staff: the books that most customers wait for or have on their wishlists; those they wait for first. With _in_stock only those in stock
 * that customers still wait for, whose emails have not been sent.
 */
create function private.report_wanted(_limit int default 100, _in_stock boolean default false)
returns table (book_id uuid, title text, publisher text, stock_quantity int, waiting bigint, wishlists bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    with wanted as (
      select w.book_id, sum(w.waiting)::bigint as waiting, sum(w.wishes)::bigint as wishes
        from (select a.book_id, count(*) as waiting, 0 as wishes from public.stock_alerts a group by 1
              union all
              select l.book_id, 0, count(*) from public.wishlists l group by 1) as w
       group by 1
    )
    select b.id, b.title, b.publisher, b.stock_quantity, w.waiting, w.wishes
      from wanted w join public.books b on b.id = w.book_id
     where not coalesce(_in_stock, false) or (b.stock_quantity > 0 and w.waiting > 0)
     order by w.waiting desc, w.wishes desc, b.title_key, b.id
     limit least(greatest(coalesce(_limit, 100), 1), 1000);
end $$;
select private.expose('report_wanted', 'authenticated', 'service_role');

create index payments_by_day on public.payments (paid_on, method) include (kind, amount) where state = 'settled';

select private.count_sales();
