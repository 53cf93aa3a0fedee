-- The dashboard's low stock, which is about books and so public anyway. Its figures are in tallies.

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
