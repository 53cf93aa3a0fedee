-- The reports that staff read: sales over time and by what was sold, amounts owed, takings, unsold books and books that customers want.

/* Refuses an invalid period, or one longer than ten years. */
create function private.require_period(_from date, _to date)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _from is null or _to is null or _to < _from or _to - _from > 3660 then
    perform private.refuse('PT400', 'invalid_field', 'Please choose a first and a last day, at most ten years apart.',
      jsonb_build_object('field', 'period', 'rule', 'range'));
  end if;
end $$;

/*
 * The rows of private.sales that add up to a period: whole months, and days before and after them. A month of which most days are in the
 * period is read whole and the others subtracted (sign -1): books have a few times as many rows in a day as they have in a month for each
 * of its days. Customers don't, and with a _grain nothing is subtracted: by 'day' or 'week' all are days.
 */
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
create function private.report_keys(_by text, _key text)
returns text[] language sql stable security definer set search_path = '' as $$
  select case when _key is null then null
              when _by = 'region' then array[_key]
              when _by in ('customer', 'title') then
                array(select coalesce(nullif(_key, ''), private.no_key()::text)
                       where _key ~ '^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?$')
              else array(select b.id::text from public.books b where coalesce(case _by when 'publisher' then b.publisher when 'subject' then b.subject when 'class' then b.grade_level end, '') = _key) end
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
 * and then one without a key or label for all others. Books are grouped by their current catalogue data; their delivery is a
 * separate last line, without a key, so that the lines of every report add up to the same total. contact: a customer's email or
 * phone, for those with the duty People. Names are looked up one by one ('limit 1'), so that no plan reads all
 * books or customers for them.
 */
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
  perform private.require_duty('reports');
  perform private.require_period(_from, _to), private.require_report(coalesce(_by, 'region'));
  if _grain is null or _grain <> all ('{day,week,month}') or (_grain <> 'month' and _to - _from > 1100) then
    perform private.refuse('PT400', 'invalid_field', 'Please choose days or weeks for at most three years, or months.',
      jsonb_build_object('field', 'grain', 'rule', 'choice'));
  end if;
  return query
    select greatest(date_trunc(_grain, s.start)::date, _from), case when dimension = 'book' and _by <> 'title' then null else sum(s.orders)::bigint end,
           sum(s.copies)::bigint, round(sum(s.books) / 100.0, 2), round(sum(s.delivery) / 100.0, 2)
      from private.sales_of(dimension, _from, _to, private.report_keys(_by, _key), _grain) as s
     group by 1
    -- A month's sum and what has been taken from it since can add up to nothing.
    having sum(s.orders) <> 0 or sum(s.copies) <> 0 or sum(s.books) <> 0 or sum(s.delivery) <> 0
     order by 1;
end $$;
select private.expose('report_sales_over_time', 'authenticated', 'service_role');

/*
 * Staff: what was earned in a period by title, publisher, subject or class, the most first, at most _limit lines and then one
 * without a key or label for all others: the copies sold, those of them whose cost is known, and their sales and cost in cedis.
 */
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
select private.expose('report_margins', 'authenticated', 'service_role');

/*
 * Staff: what is owed for orders that aren't cancelled, by the days since they were placed: one line per customer, the largest first,
 * at most _limit and then one without a key for all others. contact: their email or phone, for those with the duty People.
 */
create function private.report_owed(_limit int default 100)
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
select private.expose('report_owed', 'authenticated', 'service_role');

/* Staff: what came in and was refunded in a period, by the day on which it was paid and by method. */
create function private.report_takings(_from date, _to date)
returns table (day date, method text, payments bigint, paid numeric, refunded numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  perform private.require_period(_from, _to);
  return query
    select p.paid_on, p.method, count(*), coalesce(sum(p.amount) filter (where p.kind <> 'refund'), 0),
           coalesce(-sum(p.amount) filter (where p.kind = 'refund'), 0)
      from public.payments p where p.state = 'settled' and p.paid_on between _from and _to
     group by 1, 2 order by 1 desc, 2;
end $$;
select private.expose('report_takings', 'authenticated', 'service_role');

/* Staff: books in stock without a sale in a period, the most valuable stock first. */
create function private.report_unsold(_from date, _to date, _limit int default 100)
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
select private.expose('report_unsold', 'authenticated', 'service_role');

/*
 * Staff: the books that most customers are waiting for or have on their wishlists, waited-for books first. With _in_stock only books in
 * stock whose waiting customers have not been emailed yet.
 */
create function private.report_wanted(_limit int default 100, _in_stock boolean default false)
returns table (book_id uuid, title text, publisher text, stock_quantity int, waiting bigint, wishlists bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
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
