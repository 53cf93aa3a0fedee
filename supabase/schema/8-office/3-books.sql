-- The back office's list of books: by publisher, searched as in the shop, and without punctuation.

create function private.book_list_conditions(_publisher text, _q text, _kind text default null, _sale_state text default null)
returns text language sql immutable set search_path = '' as $$
  select private.book_conditions(jsonb_populate_record(null::public.book_search, jsonb_build_object(
           'publisher', _publisher, 'kind', _kind, 'sale_state', coalesce(private.clean_line(_sale_state), 'any'))))
    || case when words is null then ''
            when strpos(found, words) > 0 then ' and ' || found
            else format(' and (%s or %s)', found, words) end
    from private.text_condition(_q) as found,
         private.contains_condition('b.search_text', _q, 'key') as words
$$;

/*
 * Staff: books. _publisher one publisher; _kind 'book', 'digital' or 'stationery'; _sale_state one of
 * private.sale_states; _q as in search_books, with any punctuation between its words.
 * _sort created_at (default), title, publisher, price or stock_quantity. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_books(
  _publisher text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50, _kind text default null, _sale_state text default null
)
returns setof public.books language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'title' then case when _descending then 'b.title_key desc, b.id desc' else 'b.title_key asc, b.id asc' end
    when 'publisher' then case when _descending then 'b.publisher desc, b.title_key desc, b.id desc' else 'b.publisher asc, b.title_key asc, b.id asc' end
    when 'price' then case when _descending then 'b.price desc, b.title_key desc, b.id desc' else 'b.price asc, b.title_key asc, b.id asc' end
    when 'stock_quantity' then case when _descending then 'b.stock_quantity desc, b.id desc' else 'b.stock_quantity asc, b.id asc' end
    else case when coalesce(_descending, true) then 'b.created_at desc, b.id desc' else 'b.created_at asc, b.id asc' end end;
  conditions constant text := private.book_list_conditions(_publisher, _q, _kind, _sale_state);
begin
  perform private.require_a_duty();
  return query execute
    'select b.*
       from (select b.id from public.books b where ' || conditions
         || private.ordered_paging('books', conditions, sorted, _page, _page_size) || ') as page
         join public.books b on b.id = page.id
      order by ' || sorted;
end $$;
select private.expose('admin_list_books', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_books has with the same filters: exact. */
create function private.admin_count_books(
  _publisher text default null, _q text default null, _kind text default null, _sale_state text default null
)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  conditions constant text := private.book_list_conditions(_publisher, _q, _kind, _sale_state);
  found_rows bigint;
begin
  perform private.require_a_duty();
  if conditions = private.book_list_conditions(_publisher, null) then
    return private.tally('books', private.clean_line(_publisher));
  end if;
  execute 'select count(*) from public.books b where ' || conditions into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_books', 'authenticated', 'service_role');

/* Staff: how many titles there are of each kind, in the order of the kinds. Few aren't books, so only those are counted. */
create function private.count_kinds()
returns table (kind text, titles bigint) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_a_duty();
  return query
    with others as (select b.kind, count(*) as titles from public.books b where b.kind <> 'book' group by b.kind)
    select k, case k when 'book' then private.tally('books') - coalesce((select sum(o.titles) from others o), 0)::bigint
                     else coalesce(o.titles, 0) end
      from unnest(private.book_kinds()) with ordinality as kinds (k, position) left join others o on o.kind = k
     order by position;
end $$;
select private.expose('count_kinds', 'authenticated', 'service_role');
