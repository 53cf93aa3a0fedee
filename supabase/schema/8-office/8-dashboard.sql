-- The dashboard: its totals from the tallies, and low stock, which is about books and so public anyway.

/* Staff: the five totals of the dashboard, in one row; null where the caller lacks the duty. */
create function private.dashboard_stats()
returns table (total_users bigint, total_books bigint, total_stock bigint, total_orders bigint, total_reviews bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_a_duty();
  return query select
    case when private.has_duty('people') then coalesce(sum(t.rows) filter (where t.counted = 'profiles'), 0)::bigint end,
    coalesce(sum(t.rows) filter (where t.counted = 'books'), 0)::bigint,
    coalesce(sum(t.copies) filter (where t.counted = 'books'), 0)::bigint,
    case when private.has_duty('orders') then coalesce(sum(t.rows) filter (where t.counted = 'orders'), 0)::bigint end,
    case when private.has_duty('reviews') then coalesce(sum(t.rows) filter (where t.counted = 'reviews'), 0)::bigint end
    from private.tallies t;
end $$;
select private.expose('dashboard_stats', 'authenticated', 'service_role');

/* Titles and copies a publisher; books without one are 'Unknown'; most titles first. The 1,000 largest. */
create function private.list_publisher_statistics()
returns table (publisher text, books bigint, stock bigint)
language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(t.value, ''), 'Unknown'), sum(t.rows)::bigint, sum(t.copies)::bigint
    from private.tallies t
   where t.counted = 'books'
   group by 1 having sum(t.rows) > 0
   order by 2 desc, 1 limit 1000
$$;
select private.expose('list_publisher_statistics', 'authenticated', 'service_role');

/* The books that are low in stock, fewest first. */
create function public.list_low_stock_books(_limit int default 5)
returns table (id uuid, title text, publisher text, stock_quantity int)
language sql stable set search_path = '' as $$
  select b.id, b.title, b.publisher, b.stock_quantity
    from public.books b
   where b.stock_quantity < private.low_stock() and b.kind <> 'digital' and b.for_sale >= 0
   order by b.stock_quantity, b.id
   limit least(greatest(coalesce(_limit, 5), 1), 1000)
$$;
grant execute on function public.list_low_stock_books to authenticated, service_role;
