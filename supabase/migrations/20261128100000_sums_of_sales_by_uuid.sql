-- The sums of sales have ids as uuid, and reports merge each month's in the order of their keys: in a hash table of text keys, a year's
-- sales to 200,000 customers took twice the time. Regions have their names in a column of their own.

drop function private.sums_of_changes(private.sales_changes[]);
drop function private.counted_sales();
drop function private.wrong_sales();
drop function private.sales_of(text, date, date, text[], text, int);
drop function private.copies_sold(date[], date[]);
drop function private.sales_rows(text, date, date, text, text[], boolean);
drop function private.report_field(text, text, text, text);

/* The key of private.sales for orders and lines without a customer or book, and for regions: zeros. */
create function private.no_key()
returns uuid language sql immutable parallel safe set search_path = '' as $$
  select uuid '00000000-0000-0000-0000-000000000000'
$$;

drop index private.sales_by_key, private.sales_most_owed;
alter table private.sales drop constraint sales_pkey, add column region text not null default '';
update private.sales set region = key where dimension = 'region';
alter table private.sales
  alter column key type uuid using coalesce(case when dimension <> 'region' then nullif(key, '')::uuid end, private.no_key()),
  add primary key (dimension, grain, start, key, region);
create index sales_by_key on private.sales (dimension, key, grain, start) include (orders, copies, books);
create index sales_most_owed on private.sales (owed desc, key) where grain = 'all' and owed <> 0;

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
  on conflict (dimension, grain, start, key, region) do update
     set (orders, copies, books, delivery, owed, cost) = (s.orders + excluded.orders, s.copies + excluded.copies, s.books + excluded.books,
                                                          s.delivery + excluded.delivery, s.owed + excluded.owed, s.cost + excluded.cost);
end $$;

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
           greatest(o.total_amount - o.paid_amount, 0), null
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
create or replace function private.count_sales()
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

/*
 * A subquery of the rows that add up to a period, with their key, start and some columns: $1 the dimension, $2 and $3 the period, $4 the
 * keys, if it is limited to some. A region's key is its name, that of others an id. Changes that have not been folded are among them.
 * _sorted: each month on its own and in the order of the keys, as the primary key has it, so that PostgreSQL can merge them.
 */
create function private.sales_rows(_dimension text, _from date, _to date, _grain text, _columns text[], _has_keys boolean, _sorted boolean)
returns text language sql immutable set search_path = '' as $$
  select string_agg(format('(select %s as key, start, %s from private.sales where dimension = $1 and grain = %L and %s%s) union all ',
           k.key, array_to_string(array(select case when p.sign < 0 then '-' else '' end || c from unnest(_columns) with ordinality as u (c, n) order by n), ', '),
           p.grain, format(case when s.first = s.last then 'start = %L' else 'start between %L and %L' end, s.first, s.last), k.condition), '')
         || format('(select %s, start, %s from private.sums_of_changes(array(select c from private.sales_changes as c where c.day between $2 and $3))
                     where dimension = $1 and grain = ''day''%s)', k.key, array_to_string(_columns, ', '), k.condition)
    from private.sales_pieces(_dimension, _from, _to, _grain) as p,
         lateral (select m::date, m::date from generate_series(p.first, p.last, '1 month') as m where _sorted and p.grain = 'month'
                  union all select p.first, p.last where not (_sorted and p.grain = 'month')) as s (first, last),
         (select k.key, concat(case when _has_keys then format(' and %s = any ($4::%s[])', k.key, k.type) end,
                               case when _sorted then format(' order by %s', k.key) end) as condition
            from (values ('region', 'text'), ('key', 'uuid')) as k (key, type) where (k.key = 'region') = (_dimension = 'region')) as k
   group by k.key, k.condition
$$;

/*
 * The sums of a period, of some keys or all: by key (a region's is its name), or with _grain ('day', 'week' or 'month') by the first day
 * of what is stored, a day or, where the grain allows it, a whole month. Amounts in pesewas; a dimension without delivery or cost has 0.
 * With _most only so many customers, those with the largest sales: they are found by their amount alone, since every further sum of
 * 200,000 customers takes time. Grouped here, because what a function returns is written out before it is read. All books or customers
 * are merged in their order, which takes half the time of a hash table that is larger than the processor's cache. More memory than usual,
 * because what doesn't fit is written to disk. Amounts are summed as float8, which is exact for whole numbers up to 9,007,199,254,740,992 and
 * takes a third less time: the sum of bigints is a numeric. Built as text (decision 4), so that only what a dimension has is summed up,
 * and each period has a plan of its own.
 */
create function private.sales_of(_dimension text, _from date, _to date, _keys text[], _grain text, _most int default null)
returns table (key uuid, region text, start date, orders bigint, copies bigint, books bigint, delivery bigint, cost bigint)
language plpgsql stable security definer set search_path = '' set work_mem = '64MB' set enable_hashagg = on as $$
declare
  keys text[] := _keys;
  merged boolean := _keys is null and _grain is null and _dimension <> 'region';
  amounts constant text[] := array_remove(
    array['orders', 'copies', 'books', case when _dimension in ('region', 'customer') then 'delivery' end, case when _dimension = 'costed' then 'cost' end], null);
  -- A sum for each of the columns returned.
  sums constant text[] := array(
    select case when c = any (amounts) then format(case when c in ('orders', 'copies') then 'sum(s.%I)' else 'sum(s.%I::float8)' end, c) else '0' end
      from unnest(array['orders', 'copies', 'books', 'delivery', 'cost']) with ordinality as u (c, n) order by n);
begin
  if _to < _from then return; end if;
  -- Until this function ends.
  perform set_config('enable_hashagg', case when merged then 'off' else 'on' end, true);
  if _most is not null and _dimension = 'customer' then
    execute format('select array(select s.key from (%s) as s group by s.key order by sum(s.amount) desc, s.key limit %s)',
      private.sales_rows(_dimension, _from, _to, _grain, '{(books + delivery)::float8 as amount}', false, merged), _most)
      into keys using _dimension, _from, _to;
    merged := false;
    perform set_config('enable_hashagg', 'on', true);
  end if;
  return query execute format('select %s, %s, %s, %s::bigint, %s::bigint, %s::bigint from (%s) as s group by %s having %s',
    case when _grain is not null then 'null::uuid, null::text, s.start' when _dimension = 'region' then 'null::uuid, s.key, null::date'
         else 's.key, null::text, null::date' end, sums[1], sums[2], sums[3], sums[4], sums[5],
    private.sales_rows(_dimension, _from, _to, _grain, amounts, keys is not null, merged), case when _grain is null then 's.key' else 's.start' end,
    (select string_agg(one || ' <> 0', ' or ') from unnest(sums) as one where one <> '0'))
    using _dimension, _from, _to, keys;
end $$;

/* The copies sold of each book in some periods, each from _from[n] to _to[n], in their order: one reading of the sums for all of them. */
create function private.copies_sold(_from date[], _to date[])
returns table (key uuid, copies bigint[]) language plpgsql stable security definer set search_path = '' set work_mem = '64MB' as $$
declare
  pieces text;
  sums text;
begin
  select string_agg(format('select key, %s as period, %scopies as copies from private.sales where dimension = ''book'' and grain = %L and start between %L and %L union all ',
           n, case when p.sign < 0 then '-' end, p.grain, p.first, p.last), '')
    into pieces
    from unnest(_from, _to) with ordinality as u (f, t, n), lateral private.sales_pieces('book', f, t, null) as p;
  select string_agg(format('coalesce(sum(s.copies) filter (where s.period = %s), 0)', n), ', ' order by n) into sums from unnest(_from) with ordinality as u (f, n);
  return query execute format(
    'select s.key, array[%s]::bigint[]
       from (%s select c.key, u.n, c.copies
                  from private.sums_of_changes(array(select c from private.sales_changes as c)) as c,
                       unnest($1, $2) with ordinality as u (f, t, n)
                 where c.dimension = ''book'' and c.grain = ''day'' and c.start between u.f and u.t) as s
      group by s.key', sums, pieces) using _from, _to;
end $$;

/* The keys of private.sales that a report is limited to: null for all, and none if _key is not an id. */
create or replace function private.report_keys(_by text, _key text)
returns text[] language sql stable security definer set search_path = '' as $$
  select case when _key is null then null
              when _by = 'region' then array[_key]
              when _by in ('customer', 'title') then
                array(select coalesce(nullif(_key, ''), private.no_key()::text)
                       where _key ~ '^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?$')
              else array(select b.id::text from public.books b where coalesce(case _by when 'publisher' then b.publisher when 'subject' then b.subject when 'class' then b.grade_level end, '') = _key) end
$$;

/*
 * Staff: the sales of a period by title, publisher, subject, class, region or customer, the largest first, at most _limit lines
 * and then one without a key or label for all others. Books are grouped by their current catalogue data; their delivery is a
 * separate last line, without a key, so that the lines of every report add up to the same total. contact: a customer's email or
 * phone, for those with the duty People. Names are looked up one by one ('limit 1'), so that no plan reads all
 * books or customers for them.
 */
create or replace function private.report_sales(_from date, _to date, _by text, _limit int default 100)
returns table (key text, label text, contact text, orders bigint, copies bigint, books numeric, delivery numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  most constant int := least(greatest(coalesce(_limit, 100), 1), 1000);
  is_of_orders constant boolean := coalesce(_by in ('region', 'customer'), false);
  may_see_contacts constant boolean := private.has_duty('people');
begin
  perform private.require_duty('reports');
  perform private.require_period(_from, _to), private.require_report(_by);
  return query
    with sold as materialized (
      select s.key, s.orders, s.copies, s.books from private.sales_of('book', _from, _to, null, null) as s where not is_of_orders
    ), total as materialized (
      select coalesce(sum(s.orders), 0)::bigint as orders, coalesce(sum(s.copies), 0)::bigint as copies, coalesce(sum(s.books), 0)::bigint as books,
             coalesce(sum(s.delivery), 0)::bigint as delivery
        from private.sales_of('region', _from, _to, null, null) as s
    ), shown as materialized (
      -- The id of a title or customer, or the name of another line.
      (select s.key as id, s.region as name, s.orders, s.copies, s.books, s.delivery
         from private.sales_of(_by, _from, _to, null, null, most) as s
        where is_of_orders order by s.books + s.delivery desc, s.key, s.region limit most)
      union all
      (select s.key, null, s.orders, s.copies, s.books, 0 from sold s where _by = 'title' order by s.books desc, s.copies desc, s.key limit most)
      union all
      -- Written out: as a function, called for each book, it took a third of the report's time.
      (select null, coalesce(case _by when 'publisher' then b.publisher when 'subject' then b.subject when 'class' then b.grade_level end, ''), null, sum(s.copies)::bigint, sum(s.books)::bigint, 0
         from sold s left join public.books b on b.id = s.key
        where _by in ('publisher', 'subject', 'class')
        group by 2 order by 5 desc, 4 desc, 2 limit most)
    ), others as (
      -- An order counts in the line of each of its titles.
      select case when is_of_orders then a.orders when _by = 'title' then (select sum(s.orders) from sold s) end - sum(r.orders) as orders,
             a.copies - coalesce(sum(r.copies), 0) as copies, a.books - coalesce(sum(r.books), 0) as books,
             case when is_of_orders then a.delivery - coalesce(sum(r.delivery), 0) else 0 end as delivery
        from total a left join shown r on true group by a.orders, a.copies, a.books, a.delivery
    )
    select l.key, l.label, l.contact, l.orders, l.copies, round(l.books / 100.0, 2), round(l.delivery / 100.0, 2) from (
      select coalesce(r.name, nullif(r.id, private.no_key())::text, ''),
             case _by when 'title' then coalesce(b.title, g.title, 'A deleted title')
                      when 'customer' then case when r.id = private.no_key() then 'Orders by phone'
                                                else coalesce(p.full_name, p.email, 'Former customers') end
                      else r.name end,
             case when may_see_contacts then case when p.full_name is null then p.phone else coalesce(p.email, p.phone) end end,
             r.orders, r.copies, r.books, r.delivery
        from shown r
        left join lateral (select b.title from public.books b where _by = 'title' and b.id = r.id limit 1) as b on true
        left join lateral (select g.title from private.gone_books g where _by = 'title' and g.id = r.id limit 1) as g on true
        left join lateral (select p.full_name, p.email, p.phone from public.profiles p where _by = 'customer' and p.id = r.id limit 1) as p on true
      union all
      select null, null, null, o.orders::bigint, o.copies::bigint, o.books, o.delivery
        from others o where o.orders > 0 or o.copies > 0 or o.books > 0 or o.delivery > 0
      union all
      select null, 'Delivery', null, null, 0, 0, a.delivery from total a where not is_of_orders and a.delivery > 0
    ) as l (key, label, contact, orders, copies, books, delivery)
     order by l.key is null, l.books + l.delivery desc, l.copies desc, l.key;
end $$;

/*
 * Staff: what was earned in a period by title, publisher, subject or class, the most first, at most _limit lines and then one
 * without a key or label for all others: the copies sold, those of them whose cost is known, and their sales and cost in cedis.
 */
create or replace function private.report_margins(_from date, _to date, _by text, _limit int default 100)
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
      select case when _by = 'title' then s.key end as id,
             case when _by <> 'title' then coalesce(case _by when 'publisher' then b.publisher when 'subject' then b.subject when 'class' then b.grade_level end, '') end as name,
             sum(s.copies)::bigint as copies, sum(s.costed)::bigint as costed, sum(s.books)::bigint as books, sum(s.cost)::bigint as cost
        from sums s left join public.books b on b.id = s.key
       group by 1, 2
    ), shown as materialized (
      select l.* from lines l order by l.books - l.cost desc, l.copies desc, l.id, l.name limit least(greatest(coalesce(_limit, 100), 1), 1000)
    )
    select l.key, l.label, l.copies, l.costed, round(l.books / 100.0, 2), round(l.cost / 100.0, 2) from (
      select coalesce(r.name, nullif(r.id, private.no_key())::text, ''), coalesce(r.name, b.title, g.title, 'A deleted title'),
             r.copies, r.costed, r.books, r.cost
        from shown r
        left join lateral (select b.title from public.books b where b.id = r.id limit 1) as b on true
        left join lateral (select g.title from private.gone_books g where g.id = r.id limit 1) as g on true
      union all
      select null, null, (a.copies - t.copies)::bigint, (a.costed - t.costed)::bigint, a.books - t.books, a.cost - t.cost
        from (select count(*) as number, sum(l.copies) as copies, sum(l.costed) as costed, sum(l.books) as books, sum(l.cost) as cost from lines l) as a,
             (select count(*) as number, sum(r.copies) as copies, sum(r.costed) as costed, sum(r.books) as books, sum(r.cost) as cost from shown r) as t
       where a.number > t.number
    ) as l (key, label, copies, costed, books, cost)
     order by l.key is null, l.books - l.cost desc, l.copies desc, l.key;
end $$;

/*
 * Staff: what is owed for orders that aren't cancelled, by the days since they were placed: one line per customer, the largest first,
 * at most _limit and then one without a key for all others. contact: their email or phone, for those with the duty People.
 */
create or replace function private.report_owed(_limit int default 100)
returns table (key text, label text, contact text, days_30 numeric, days_60 numeric, days_90 numeric, older numeric, owed numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  most constant int := least(greatest(coalesce(_limit, 100), 1), 1000);
  may_see_contacts constant boolean := private.has_duty('people');
  changed uuid[];
  candidates uuid[];
begin
  perform private.require_duty('reports');
  -- The stored sums are in order but for customers with changes since: as many more as these may be among the most.
  changed := array(select distinct coalesce(c.customer_id, private.no_key()) from private.sales_changes c where c.owed <> 0);
  candidates := changed || array(select s.key from private.sales s where s.grain = 'all' and s.owed <> 0 order by s.owed desc, s.key
                                  limit most + cardinality(changed));
  return query
    with changes as materialized (
      select coalesce(c.customer_id, private.no_key()) as key, c.day, c.owed from private.sales_changes c where c.owed <> 0
    ), shown as materialized (
      select o.key, coalesce(sum(o.owed) filter (where today - o.day <= 30), 0)::bigint as days_30,
             coalesce(sum(o.owed) filter (where today - o.day between 31 and 60), 0)::bigint as days_60,
             coalesce(sum(o.owed) filter (where today - o.day between 61 and 90), 0)::bigint as days_90,
             coalesce(sum(o.owed) filter (where today - o.day > 90), 0)::bigint as older, sum(o.owed)::bigint as owed
        from (select s.key, s.start as day, s.owed
                from private.sales s where s.dimension = 'customer' and s.key = any (candidates) and s.grain = 'day' and s.owed <> 0
              union all
              select c.key, c.day, c.owed from changes c) as o
       group by 1 having sum(o.owed) <> 0
       order by sum(o.owed) desc, o.key limit most
    ), total as (
      select coalesce(sum(o.owed) filter (where today - o.day <= 30), 0)::bigint as days_30,
             coalesce(sum(o.owed) filter (where today - o.day between 31 and 60), 0)::bigint as days_60,
             coalesce(sum(o.owed) filter (where today - o.day between 61 and 90), 0)::bigint as days_90,
             coalesce(sum(o.owed) filter (where today - o.day > 90), 0)::bigint as older, coalesce(sum(o.owed), 0)::bigint as owed
        from (select s.start as day, s.owed from private.sales s where s.dimension = 'region' and s.grain = 'day' and s.owed <> 0
              union all
              select c.day, c.owed from changes c) as o
    )
    select l.key, l.label, l.contact, round(l.days_30 / 100.0, 2), round(l.days_60 / 100.0, 2), round(l.days_90 / 100.0, 2),
           round(l.older / 100.0, 2), round(l.owed / 100.0, 2)
      from (
      select coalesce(nullif(r.key, private.no_key())::text, ''), case when r.key = private.no_key() then 'Orders by phone' else coalesce(p.full_name, p.email, 'Former customers') end,
             case when may_see_contacts then case when p.full_name is null then p.phone else coalesce(p.email, p.phone) end end,
             r.days_30, r.days_60, r.days_90, r.older, r.owed
        from shown r
             left join lateral (select p.full_name, p.email, p.phone from public.profiles p where p.id = r.key limit 1) as p on true
      union all
      select null, null, null, a.days_30 - t.days_30, a.days_60 - t.days_60, a.days_90 - t.days_90, a.older - t.older, a.owed - t.owed
        from total a,
             (select coalesce(sum(r.days_30), 0) as days_30, coalesce(sum(r.days_60), 0) as days_60, coalesce(sum(r.days_90), 0) as days_90,
                     coalesce(sum(r.older), 0) as older, coalesce(sum(r.owed), 0) as owed from shown r) as t
       where a.owed <> t.owed
    ) as l (key, label, contact, days_30, days_60, days_90, older, owed)
     order by l.key is null, l.owed desc, l.key;
end $$;

/* Staff: books in stock without a sale in a period, the most valuable stock first. */
create or replace function private.report_unsold(_from date, _to date, _limit int default 100)
returns table (book_id uuid, title text, publisher text, stock_quantity int, price numeric, added date)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  perform private.require_period(_from, _to);
  return query
    with sold as materialized (
      select s.key from private.sales_of('book', _from, _to, null, null) as s where s.copies > 0
    )
    select b.id, b.title, b.publisher, b.stock_quantity, b.price, (b.created_at at time zone 'UTC')::date
      from public.books b
     where b.stock_quantity > 0 and b.kind <> 'digital' and (b.created_at at time zone 'UTC')::date <= _to and b.id not in (select s.key from sold s)
     order by b.stock_quantity * b.price desc, b.id
     limit least(greatest(coalesce(_limit, 100), 1), 1000);
end $$;

/*
 * Staff: what a term from _from to _to needs, by supplier and title: books of which more are needed than there are, and those on booklists
 * whose number of pupils is unknown; with _covered all that are needed. _supplier: a supplier's id, 'none', or all; _publisher a name.
 *
 * needed = the larger of (listed - sold_in_year, sold_last_year - sold_in_term, 0) + waiting; proposed = needed - stock - on_its_way -
 * drafted, at least 0. listed: pupils times copies of the required lines of published booklists. lists: [{"booklist_id", "school",
 * "class_name", "pupils" or null, "copies", "is_required"}]. Copies of open orders left the stock when they were placed. A book's supplier is
 * the one of its last purchase order that is not cancelled, otherwise that of its publisher's; hidden ones don't count. found: of how many
 * lines these are the first _limit.
 */
create or replace function private.list_purchase_needs(
  _from date, _to date, _supplier text default null, _publisher text default null, _covered boolean default false, _limit int default 1000
)
returns table (
  book_id uuid, title text, publisher text, isbn text, supplier_id uuid, supplier_name text, lists jsonb, listed bigint,
  sold_in_year bigint, sold_last_year bigint, sold_in_term bigint, waiting bigint, stock int, on_its_way bigint, drafted bigint,
  needed bigint, proposed bigint, found bigint
) language plpgsql stable security definer set search_path = '' set work_mem = '32MB' as $$
declare
  today constant date := private.today();
  days record;
begin
  perform private.require_duty('stock');
  perform private.require_period(_from, _to);
  select * into days from private.need_periods(_from, _to);
  return query
    with listed as materialized (
      select l.book_id, coalesce(sum(l.copies * n.pupils) filter (where l.is_required), 0)::bigint as copies,
             bool_or(l.is_required and n.pupils is null) as is_unknown,
             jsonb_agg(jsonb_build_object('booklist_id', n.id, 'school', n.school, 'class_name', n.class_name, 'pupils', n.pupils,
               'copies', l.copies, 'is_required', l.is_required) order by n.school_key, n.class_key, n.id) as lists
        from public.booklists n join public.booklist_lines l on l.booklist_id = n.id
       where n.status = 'published' and n.school_year = days.school_year and l.book_id is not null
       group by 1
    ), sold as materialized (
      select s.key as book_id, s.copies[1] as in_year, s.copies[2] as last_year, s.copies[3] as in_term
        from private.copies_sold(array[days.year_from, days.last_from, days.sales_from],
                                 array[least(today, _to), days.last_to, least(today, _to)]) as s
    ), waits as materialized (
      select a.book_id, count(*) as customers from public.stock_alerts a group by 1
    ), purchased as materialized (
      select l.book_id, o.supplier_id, o.created_at, o.id, s.hidden,
             case when o.status in ('sent', 'part_received') then greatest(l.copies - l.received, 0) else 0 end as sent,
             case when o.status = 'draft' then greatest(l.copies - l.received, 0) else 0 end as drafted
        from public.purchase_order_lines l join public.purchase_orders o on o.id = l.purchase_order_id
        join public.suppliers s on s.id = o.supplier_id
       where o.status <> 'cancelled'
    ), coming as materialized (
      select p.book_id, sum(p.sent)::bigint as sent, sum(p.drafted)::bigint as drafted from purchased p group by 1
    ), of_book as materialized (
      select distinct on (p.book_id) p.book_id, p.supplier_id from purchased p where not p.hidden
       order by p.book_id, p.created_at desc, p.id
    ), of_publisher as materialized (
      select distinct on (b.publisher) b.publisher, p.supplier_id
        from purchased p join public.books b on b.id = p.book_id where not p.hidden and b.publisher is not null
       order by b.publisher, p.created_at desc, p.id
    ), needs as (
      select b.id, b.title, b.title_key, b.publisher, b.isbn, b.stock_quantity, coalesce(ob.supplier_id, op.supplier_id) as supplier_id,
             coalesce(l.lists, '[]') as lists, coalesce(l.copies, 0) as listed, coalesce(l.is_unknown, false) as is_unknown,
             coalesce(s.in_year, 0)::bigint as in_year, coalesce(s.last_year, 0)::bigint as last_year,
             coalesce(s.in_term, 0)::bigint as in_term, coalesce(w.customers, 0) as waiting, coalesce(c.sent, 0) as sent,
             coalesce(c.drafted, 0) as drafted,
             (greatest(coalesce(l.copies, 0) - coalesce(s.in_year, 0), coalesce(s.last_year, 0) - coalesce(s.in_term, 0), 0)
               + coalesce(w.customers, 0))::bigint as needed
        from public.books b
        left join listed l on l.book_id = b.id
        left join sold s on s.book_id = b.id
        left join waits w on w.book_id = b.id
        left join coming c on c.book_id = b.id
        left join of_book ob on ob.book_id = b.id
        left join of_publisher op on op.publisher = b.publisher
       where (_publisher is null or b.publisher = _publisher) and b.kind <> 'digital'
    )
    select n.id, n.title, n.publisher, n.isbn, n.supplier_id, p.name, n.lists, n.listed, n.in_year, n.last_year, n.in_term, n.waiting,
           n.stock_quantity, n.sent, n.drafted, n.needed, greatest(n.needed - n.stock_quantity - n.sent - n.drafted, 0),
           count(*) over ()
      from needs n left join public.suppliers p on p.id = n.supplier_id
     where (n.needed > n.stock_quantity + n.sent + n.drafted or n.is_unknown or coalesce(_covered, false) and n.needed > 0)
       and (_supplier is null or coalesce(n.supplier_id::text, 'none') = _supplier)
     order by p.name_key nulls last, n.title_key, n.id
     limit least(greatest(coalesce(_limit, 1000), 1), 1000);
end $$;
