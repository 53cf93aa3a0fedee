-- The back office's list of books: by publisher, searched as in the shop.

create function private.admin_list_books(_publisher text, _q text, _sort text, _descending boolean, _page int, _page_size int)
returns setof public.books language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'title' then case when _descending then 'b.title_key desc, b.id desc' else 'b.title_key asc, b.id asc' end
    when 'publisher' then case when _descending then 'b.publisher desc, b.title_key desc, b.id desc' else 'b.publisher asc, b.title_key asc, b.id asc' end
    when 'price' then case when _descending then 'b.price desc, b.title_key desc, b.id desc' else 'b.price asc, b.title_key asc, b.id asc' end
    when 'stock_quantity' then case when _descending then 'b.stock_quantity desc, b.id desc' else 'b.stock_quantity asc, b.id asc' end
    else case when coalesce(_descending, true) then 'b.created_at desc, b.id desc' else 'b.created_at asc, b.id asc' end end;
  conditions constant text := private.book_conditions(_q, _publisher, null, null, null, null, null, null, null);
begin
  perform private.require_staff();
  return query execute
    'select b.*
       from (select b.id from public.books b where ' || conditions
         || private.ordered_paging('books', conditions, sorted, _page, _page_size) || ') as page
         join public.books b on b.id = page.id
      order by ' || sorted;
end $$;
revoke execute on function private.admin_list_books(text, text, text, boolean, int, int) from public;
grant execute on function private.admin_list_books(text, text, text, boolean, int, int) to authenticated, service_role;

/*
 * Staff: books. _publisher one publisher; _q as in search_books. _sort created_at (default), title, publisher, price or
 * stock_quantity. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function public.admin_list_books(
  _publisher text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
) returns setof public.books language sql stable set search_path = '' as $$
  select * from private.admin_list_books(_publisher, _q, _sort, _descending, _page, _page_size)
$$;
revoke execute on function public.admin_list_books(text, text, text, boolean, int, int) from public, anon, authenticated, service_role;
grant execute on function public.admin_list_books(text, text, text, boolean, int, int) to authenticated, service_role;

create function private.admin_count_books(_publisher text, _q text)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  conditions constant text := private.book_conditions(_q, _publisher, null, null, null, null, null, null, null);
  found_rows bigint;
begin
  perform private.require_staff();
  if conditions = private.book_conditions(null, _publisher, null, null, null, null, null, null, null) then
    return private.tally('books', private.clean_line(_publisher));
  end if;
  execute 'select count(*) from public.books b where ' || conditions into found_rows;
  return found_rows;
end $$;
revoke execute on function private.admin_count_books(text, text) from public;
grant execute on function private.admin_count_books(text, text) to authenticated, service_role;

/* Staff: how many rows admin_list_books has with the same filters: exact. */
create function public.admin_count_books(_publisher text default null, _q text default null)
returns bigint language sql stable set search_path = '' as $$
  select private.admin_count_books(_publisher, _q)
$$;
revoke execute on function public.admin_count_books(text, text) from public, anon, authenticated, service_role;
grant execute on function public.admin_count_books(text, text) to authenticated, service_role;
