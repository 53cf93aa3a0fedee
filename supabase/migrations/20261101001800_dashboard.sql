-- The figures of the dashboard, each an aggregate in the database: no table is sent whole. What counts customers and
-- orders runs as the owner behind a check for staff; what is about books is public anyway.

create function private.dashboard_stats()
returns table (total_users bigint, total_books bigint, total_stock bigint, total_orders bigint, total_reviews bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query select
    (select count(*) from public.profiles),
    b.titles, b.copies,
    (select count(*) from public.orders),
    (select count(*) from public.reviews)
    from (select count(*) as titles, coalesce(sum(stock_quantity), 0)::bigint as copies from public.books) as b;
end $$;
revoke execute on function private.dashboard_stats() from public;
grant execute on function private.dashboard_stats() to authenticated, service_role;

/* Staff: the five figures of the dashboard, in one row. */
create function public.dashboard_stats()
returns table (total_users bigint, total_books bigint, total_stock bigint, total_orders bigint, total_reviews bigint)
language sql stable set search_path = '' as $$ select * from private.dashboard_stats() $$;
revoke execute on function public.dashboard_stats() from public, anon, authenticated, service_role;
grant execute on function public.dashboard_stats() to authenticated, service_role;

/* Titles and copies a publisher; books without one are 'Unknown'; most titles first. The 1,000 largest. */
create function public.list_publisher_statistics()
returns table (publisher text, books bigint, stock bigint)
language sql stable set search_path = '' as $$
  select coalesce(b.publisher, 'Unknown'), count(*), sum(b.stock_quantity)::bigint
    from public.books b
   group by coalesce(b.publisher, 'Unknown')
   order by 2 desc, 1 limit 1000
$$;
revoke execute on function public.list_publisher_statistics() from public, anon, authenticated, service_role;
grant execute on function public.list_publisher_statistics() to authenticated, service_role;

/* Fewer copies than this are low stock. */
create function private.low_stock()
returns int language sql immutable parallel safe set search_path = '' as $$ select 10 $$;
revoke execute on function private.low_stock() from public;
grant execute on function private.low_stock() to authenticated, service_role;

/* The books that are low in stock, fewest first. */
create function public.list_low_stock_books(_limit int default 5)
returns table (id uuid, title text, publisher text, stock_quantity int)
language sql stable set search_path = '' as $$
  select b.id, b.title, b.publisher, b.stock_quantity
    from public.books b
   where b.stock_quantity < private.low_stock()
   order by b.stock_quantity, b.id
   limit least(greatest(coalesce(_limit, 5), 1), 1000)
$$;
revoke execute on function public.list_low_stock_books(int) from public, anon, authenticated, service_role;
grant execute on function public.list_low_stock_books(int) to authenticated, service_role;
