-- Reports read less: what a customer owes is a sum of its own, sales are summed by what they have alone, and only the largest lines leave
-- the sum. Customers of one name can be told apart.

drop index private.sales_owed, private.sales_by_key;
create index sales_by_key on private.sales (dimension, key, grain, start) include (orders, copies, books);
create index sales_most_owed on private.sales (owed desc, key) where grain = 'all' and owed <> 0;

create or replace function private.sums_of_changes(_changes private.sales_changes[])
returns setof private.sales language sql immutable set search_path = '' as $$
  select d.dimension, d.key, g.grain, g.start, sum(d.orders)::int, sum(c.copies)::int, sum(c.books)::bigint, sum(c.delivery)::bigint,
         sum(c.owed)::bigint, sum(case d.dimension when 'costed' then c.cost else 0 end)::bigint
    from unnest(_changes) as c,
         lateral (values ('day', c.day), ('month', date_trunc('month', c.day)::date), ('all', date '0001-01-01')) as g (grain, start),
         lateral (values ('region', c.region, case when c.is_line then 0 else c.orders end),
                         ('customer', coalesce(c.customer_id::text, ''), case when c.is_line then 0 else c.orders end),
                         ('book', coalesce(c.book_id::text, ''), c.orders),
                         ('costed', coalesce(c.book_id::text, ''), c.orders)) as d (dimension, key, orders)
   where case d.dimension when 'book' then c.is_line when 'costed' then c.cost is not null else true end
     and (g.grain <> 'all' or d.dimension = 'customer')
   group by 1, 2, 3, 4
$$;

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
  union all
  select dimension, key, 'all', date '0001-01-01', sum(orders)::int, sum(copies)::int, (sum(books) * 100)::bigint,
         (sum(delivery) * 100)::bigint, (sum(owed) * 100)::bigint, sum(cost)::bigint
    from days where dimension = 'customer' group by 1, 2
$$;

-- As the functions count from now on. Changes that wait are folded later, with these sums too.
select pg_advisory_xact_lock(hashtext('private.sales'));
insert into private.sales (dimension, key, grain, start, orders, copies, books, delivery, owed)
select 'customer', s.key, 'all', date '0001-01-01', sum(s.orders), sum(s.copies), sum(s.books), sum(s.delivery), sum(s.owed)
  from private.sales s where s.dimension = 'customer' and s.grain = 'month' group by s.key;

drop function private.sales_of(text, date, date, text[], text);
create function private.sales_pieces(_dimension text, _from date, _to date, _grain text)
returns table (sign int, grain text, first date, last date) language plpgsql immutable set search_path = '' as $$
declare
  -- A month's rows cost as much as those of this many days.
  month_days constant int := case when _dimension = 'customer' or _grain is not null then 31 else 4 end;
  months_from date := date_trunc('month', _from)::date;
  months_to date := (date_trunc('month', _to) + interval '1 month')::date;
begin
  if _grain in ('day', 'week') then
    months_to := months_from;
  elsif months_to <= (months_from + interval '1 month')::date then
    if _to - _from + 1 <= month_days + (_from - months_from) + (months_to - 1 - _to) and (months_from < _from or _to + 1 < months_to) then
      months_to := months_from;
    end if;
  else
    if months_from < _from and (months_from + interval '1 month')::date - _from <= month_days + (_from - months_from) then
      months_from := (months_from + interval '1 month')::date;
    end if;
    if _to + 1 < months_to and _to + 1 - date_trunc('month', _to)::date <= month_days + (months_to - 1 - _to) then
      months_to := date_trunc('month', _to)::date;
    end if;
  end if;
  return query
    select p.sign, p.grain, p.first, p.last
      from (select 1 as sign, 'month' as grain, months_from as first, months_to - 1 as last where months_from < months_to
            union all select 1, 'day', _from, months_from - 1 where months_from < months_to
            union all select -1, 'day', months_from, _from - 1 where months_from < months_to
            union all select 1, 'day', months_to, _to where months_from < months_to
            union all select -1, 'day', _to + 1, months_to - 1 where months_from < months_to
            union all select 1, 'day', _from, _to where months_from >= months_to) as p
     where p.first <= p.last;
end $$;

create function private.sales_rows(_dimension text, _from date, _to date, _grain text, _columns text[], _has_keys boolean)
returns text language sql immutable set search_path = '' as $$
  select string_agg(format('select key, start, %s from private.sales where dimension = $1 and grain = %L and start between %L and %L%s union all ',
           array_to_string(array(select case when p.sign < 0 then '-' else '' end || c from unnest(_columns) with ordinality as u (c, n) order by n), ', '),
           p.grain, p.first, p.last, case when _has_keys then ' and key = any ($4)' end), '')
         || format('select key, start, %s from private.sums_of_changes(array(select c from private.sales_changes as c where c.day between $2 and $3))
                     where dimension = $1 and grain = ''day''%s', array_to_string(_columns, ', '), case when _has_keys then ' and key = any ($4)' end)
    from private.sales_pieces(_dimension, _from, _to, _grain) as p
$$;

create function private.sales_of(_dimension text, _from date, _to date, _keys text[], _grain text, _most int default null)
returns table (key text, start date, orders bigint, copies bigint, books bigint, delivery bigint, cost bigint)
language plpgsql stable security definer set search_path = '' set work_mem = '64MB' as $$
declare
  keys text[] := _keys;
  amounts constant text[] := array_remove(
    array['orders', 'copies', 'books', case when _dimension in ('region', 'customer') then 'delivery' end, case when _dimension = 'costed' then 'cost' end], null);
  -- A sum for each of the columns returned.
  sums constant text[] := array(
    select case when c = any (amounts) then format(case when c in ('orders', 'copies') then 'sum(s.%I)' else 'sum(s.%I::float8)' end, c) else '0' end
      from unnest(array['orders', 'copies', 'books', 'delivery', 'cost']) with ordinality as u (c, n) order by n);
begin
  if _to < _from then return; end if;
  if _most is not null then
    execute format('select array(select s.key from (%s) as s group by s.key order by sum(s.amount) desc, s.key limit %s)',
      private.sales_rows(_dimension, _from, _to, _grain, '{(books + delivery)::float8 as amount}', false), _most)
      into keys using _dimension, _from, _to;
  end if;
  return query execute format('select %s, %s, %s, %s::bigint, %s::bigint, %s::bigint from (%s) as s group by %s having %s',
    case when _grain is null then 's.key, null::date' else 'null::text, s.start' end, sums[1], sums[2], sums[3], sums[4], sums[5],
    private.sales_rows(_dimension, _from, _to, _grain, amounts, keys is not null), case when _grain is null then 's.key' else 's.start' end,
    (select string_agg(one || ' <> 0', ' or ') from unnest(sums) as one where one <> '0'))
    using _dimension, _from, _to, keys;
end $$;

create function private.copies_sold(_from date[], _to date[])
returns table (key text, copies bigint[]) language plpgsql stable security definer set search_path = '' set work_mem = '64MB' as $$
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

drop function public.report_sales, private.report_sales;
create function private.report_sales(_from date, _to date, _by text, _limit int default 100)
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
      select s.key, s.orders, s.copies, s.books, s.delivery from private.sales_of(_by, _from, _to, null, null, most) as s where is_of_orders
      union all
      (select s.key, s.orders, s.copies, s.books, 0 from sold s where _by = 'title' order by s.books desc, s.copies desc, s.key limit most)
      union all
      (select private.report_field(_by, b.publisher, b.subject, b.grade_level), null, sum(s.copies)::bigint, sum(s.books)::bigint, 0
         from sold s left join public.books b on b.id = nullif(s.key, '')::uuid
        where _by in ('publisher', 'subject', 'class')
        group by 1 order by 4 desc, 3 desc, 1 limit most)
    ), others as (
      -- An order counts in the line of each of its titles.
      select case when is_of_orders then a.orders when _by = 'title' then (select sum(s.orders) from sold s) end - sum(r.orders) as orders,
             a.copies - coalesce(sum(r.copies), 0) as copies, a.books - coalesce(sum(r.books), 0) as books,
             case when is_of_orders then a.delivery - coalesce(sum(r.delivery), 0) else 0 end as delivery
        from total a left join shown r on true group by a.orders, a.copies, a.books, a.delivery
    )
    select l.key, l.label, l.contact, l.orders, l.copies, round(l.books / 100.0, 2), round(l.delivery / 100.0, 2) from (
      select r.key, case _by when 'title' then coalesce(b.title, g.title, 'A deleted title')
                             when 'customer' then case when r.key = '' then 'Orders by phone' else coalesce(p.full_name, p.email, 'Former customers') end
                             else r.key end,
             case when may_see_contacts then case when p.full_name is null then p.phone else coalesce(p.email, p.phone) end end,
             r.orders, r.copies, r.books, r.delivery
        from (select s.*, case when _by in ('title', 'customer') then nullif(s.key, '')::uuid end as id from shown s) as r
        left join public.books b on _by = 'title' and b.id = r.id
        left join private.gone_books g on _by = 'title' and g.id = r.id
        left join public.profiles p on _by = 'customer' and p.id = r.id
      union all
      select null, null, null, o.orders::bigint, o.copies::bigint, o.books, o.delivery
        from others o where o.orders > 0 or o.copies > 0 or o.books > 0 or o.delivery > 0
      union all
      select null, 'Delivery', null, null, 0, 0, a.delivery from total a where not is_of_orders and a.delivery > 0
    ) as l (key, label, contact, orders, copies, books, delivery)
     order by l.key is null, l.books + l.delivery desc, l.copies desc, l.key;
end $$;
select private.expose('report_sales', 'authenticated', 'service_role');

drop function public.report_owed, private.report_owed;
create function private.report_owed(_limit int default 100)
returns table (key text, label text, contact text, days_30 numeric, days_60 numeric, days_90 numeric, older numeric, owed numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  most constant int := least(greatest(coalesce(_limit, 100), 1), 1000);
  may_see_contacts constant boolean := private.has_duty('people');
  changed text[];
  candidates text[];
begin
  perform private.require_duty('reports');
  -- The stored sums are in order but for customers with changes since: as many more as these may be among the most.
  changed := array(select distinct coalesce(c.customer_id::text, '') from private.sales_changes c where c.owed <> 0);
  candidates := changed || array(select s.key from private.sales s where s.grain = 'all' and s.owed <> 0 order by s.owed desc, s.key
                                  limit most + cardinality(changed));
  return query
    with changes as materialized (
      select coalesce(c.customer_id::text, '') as key, c.day, c.owed from private.sales_changes c where c.owed <> 0
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
      select r.key, case when r.key = '' then 'Orders by phone' else coalesce(p.full_name, p.email, 'Former customers') end,
             case when may_see_contacts then case when p.full_name is null then p.phone else coalesce(p.email, p.phone) end end,
             r.days_30, r.days_60, r.days_90, r.older, r.owed
        from shown r left join public.profiles p on p.id = nullif(r.key, '')::uuid
      union all
      select null, null, null, a.days_30 - t.days_30, a.days_60 - t.days_60, a.days_90 - t.days_90, a.older - t.older, a.owed - t.owed
        from total a,
             (select coalesce(sum(r.days_30), 0) as days_30, coalesce(sum(r.days_60), 0) as days_60, coalesce(sum(r.days_90), 0) as days_90,
                     coalesce(sum(r.older), 0) as older, coalesce(sum(r.owed), 0) as owed from shown r) as t
       where a.owed <> t.owed
    ) as l (key, label, contact, days_30, days_60, days_90, older, owed)
     order by l.key is null, l.owed desc, l.key;
end $$;
select private.expose('report_owed', 'authenticated', 'service_role');

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
      select s.key::uuid as book_id, s.copies[1] as in_year, s.copies[2] as last_year, s.copies[3] as in_term
        from private.copies_sold(array[days.year_from, days.last_from, days.sales_from],
                                 array[least(today, _to), days.last_to, least(today, _to)]) as s
       where s.key <> ''
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
