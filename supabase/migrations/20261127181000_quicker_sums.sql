-- Amounts of reports are summed as float8, which is exact here and quicker.

create or replace function private.sales_of(_dimension text, _from date, _to date, _keys text[], _grain text)
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
    select case when _grain is null then s.key end, case when _grain is not null then s.start end,
           sum(s.orders), sum(s.copies), sum(s.books::float8)::bigint, sum(s.delivery::float8)::bigint
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
    having sum(s.orders) <> 0 or sum(s.copies) <> 0 or sum(s.books::float8) <> 0 or sum(s.delivery::float8) <> 0;
end $$;

create or replace function private.report_owed(_limit int default 100)
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
    ), lines as materialized (
      -- As sales_of.
      select o.key, coalesce(sum(o.owed::float8) filter (where o.age <= 30), 0)::bigint as days_30,
             coalesce(sum(o.owed::float8) filter (where o.age between 31 and 60), 0)::bigint as days_60,
             coalesce(sum(o.owed::float8) filter (where o.age between 61 and 90), 0)::bigint as days_90,
             coalesce(sum(o.owed::float8) filter (where o.age > 90), 0)::bigint as older, sum(o.owed::float8)::bigint as owed
        from owed o group by 1 having sum(o.owed::float8) <> 0
    ), shown as materialized (
      select l.* from lines l order by l.owed desc, l.key limit least(greatest(coalesce(_limit, 100), 1), 1000)
    )
    select l.key, l.label, round(l.days_30 / 100.0, 2), round(l.days_60 / 100.0, 2), round(l.days_90 / 100.0, 2), round(l.older / 100.0, 2),
           round(l.owed / 100.0, 2)
      from (
      select r.key, case when r.key = '' then 'Orders by phone' else coalesce(p.full_name, p.email, 'Former customers') end,
             r.days_30, r.days_60, r.days_90, r.older, r.owed
        from shown r left join public.profiles p on p.id::text = r.key
      union all
      select null, null, a.days_30 - t.days_30, a.days_60 - t.days_60, a.days_90 - t.days_90, a.older - t.older, a.owed - t.owed
        from (select count(*) as number, sum(l.days_30) as days_30, sum(l.days_60) as days_60, sum(l.days_90) as days_90, sum(l.older) as older,
                     sum(l.owed) as owed from lines l) as a,
             (select count(*) as number, sum(r.days_30) as days_30, sum(r.days_60) as days_60, sum(r.days_90) as days_90, sum(r.older) as older,
                     sum(r.owed) as owed from shown r) as t
       where a.number > t.number
    ) as l (key, label, days_30, days_60, days_90, older, owed)
     order by l.key is null, l.owed desc, l.key;
end $$;

