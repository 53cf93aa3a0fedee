-- A month whose orders were all cancelled after its sum was stored had a row of zeros until the next fold.

/*
 * Staff: the sales of a period by 'day', 'week' (from Monday) or 'month', each with its first day in the period; those of one
 * title, publisher, …, or all. Only periods with sales have a row.
 */
create or replace function private.report_sales_over_time(_from date, _to date, _grain text, _by text default null, _key text default null)
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
