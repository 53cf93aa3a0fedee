-- Reports sort only what they show, count in pesewas until the end, and read no more of a book than the field that they group by.

drop function private.report_field;

create function private.report_field(_by text, _publisher text, _subject text, _grade_level text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select coalesce(case _by when 'publisher' then _publisher when 'subject' then _subject when 'class' then _grade_level end, '')
$$;

create or replace function private.report_keys(_by text, _key text)
returns text[] language sql stable security definer set search_path = '' as $$
  select case when _key is null then null
              when _by in ('region', 'customer', 'title') then array[_key]
              else array(select b.id::text from public.books b where private.report_field(_by, b.publisher, b.subject, b.grade_level) = _key) end
$$;

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

create or replace function private.report_sales(_from date, _to date, _by text, _limit int default 100)
returns table (key text, label text, orders bigint, copies bigint, books numeric, delivery numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  dimension constant text := case when _by in ('region', 'customer') then _by else 'book' end;
begin
  perform private.require_staff();
  perform private.require_period(_from, _to), private.require_report(_by);
  return query
    with sums as (
      select s.key, s.orders, s.copies, s.books, s.delivery from private.sales_of(dimension, _from, _to, null, null) as s
    ), lines as materialized (
      select s.key, s.orders, s.copies, s.books, s.delivery from sums s where _by in ('title', 'region', 'customer')
      union all
      select private.report_field(_by, b.publisher, b.subject, b.grade_level), null, sum(s.copies)::bigint, sum(s.books)::bigint, sum(s.delivery)::bigint
        from sums s left join public.books b on b.id = nullif(s.key, '')::uuid
       where _by in ('publisher', 'subject', 'class')
       group by 1
    ), shown as materialized (
      select l.* from lines l order by l.books + l.delivery desc, l.copies desc, l.key limit least(greatest(coalesce(_limit, 100), 1), 1000)
    )
    select l.key, l.label, l.orders, l.copies, round(l.books / 100.0, 2), round(l.delivery / 100.0, 2) from (
      select r.key, case _by when 'title' then coalesce(b.title, g.title, 'A deleted title')
                             when 'customer' then case when r.key = '' then 'Orders by phone' else coalesce(p.full_name, p.email, 'Former customers') end
                             else r.key end,
             r.orders, r.copies, r.books, r.delivery
        from shown r
        left join public.books b on _by = 'title' and b.id::text = r.key
        left join private.gone_books g on _by = 'title' and g.id::text = r.key
        left join public.profiles p on _by = 'customer' and p.id::text = r.key
      union all
      select null, null, (a.orders - t.orders)::bigint, (a.copies - t.copies)::bigint, a.books - t.books, a.delivery - t.delivery
        from (select count(*) as number, sum(l.orders) as orders, sum(l.copies) as copies, sum(l.books) as books, sum(l.delivery) as delivery
                from lines l) as a,
             (select count(*) as number, sum(r.orders) as orders, sum(r.copies) as copies, sum(r.books) as books, sum(r.delivery) as delivery
                from shown r) as t
       where a.number > t.number
      union all
      select null, 'Delivery', null, 0, 0, sum(s.delivery)
        from private.sales_of('region', _from, _to, null, null) as s where dimension = 'book' having sum(s.delivery) > 0
    ) as l (key, label, orders, copies, books, delivery)
     order by l.key is null, l.books + l.delivery desc, l.copies desc, l.key;
end $$;

create or replace function private.report_sales_over_time(_from date, _to date, _grain text, _by text default null, _key text default null)
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
    select greatest(date_trunc(_grain, s.start)::date, _from), case when dimension = 'book' and _by <> 'title' then null else sum(s.orders)::bigint end,
           sum(s.copies)::bigint, round(sum(s.books) / 100.0, 2), round(sum(s.delivery) / 100.0, 2)
      from private.sales_of(dimension, _from, _to, private.report_keys(_by, _key), _grain) as s
     group by 1 order by 1;
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
      select o.key, coalesce(sum(o.owed) filter (where o.age <= 30), 0)::bigint as days_30,
             coalesce(sum(o.owed) filter (where o.age between 31 and 60), 0)::bigint as days_60,
             coalesce(sum(o.owed) filter (where o.age between 61 and 90), 0)::bigint as days_90,
             coalesce(sum(o.owed) filter (where o.age > 90), 0)::bigint as older, sum(o.owed)::bigint as owed
        from owed o group by 1 having sum(o.owed) <> 0
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

