-- What staff read of purchase orders: one, and the list by status, supplier and reference.

/*
 * Staff: one purchase order with its supplier, or no row. lines: [{"book_id", "title", "publisher", "isbn", "copies", "received", "list_price",
 * "discount", "amount", "stock"}] in order; stock is null for a book that no longer exists. shop is the shop as it was on the day on which
 * it was marked as sent.
 */
create function private.admin_find_purchase_order(_id uuid)
returns table (
  id uuid, reference text, status text, currency text, note text, version int, created_at timestamptz, sent_at timestamptz,
  supplier_name text, contact_name text, email text, phone text, terms text, discount numeric, lines jsonb, total numeric,
  shop jsonb
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('stock');
  return query
    select p.id, p.reference, p.status, p.currency, p.note, p.version, p.created_at, p.sent_at,
           s.name, s.contact_name, s.email, s.phone, s.terms, s.discount, l.lines, l.total,
           private.seller_at(p.sent_at)
      from public.purchase_orders p join public.suppliers s on s.id = p.supplier_id
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object(
                'book_id', l.book_id, 'title', l.title, 'publisher', l.publisher, 'isbn', l.isbn, 'copies', l.copies, 'received', l.received,
                'list_price', l.list_price, 'discount', l.discount, 'amount', l.line_cost, 'stock', b.stock_quantity)
                order by l.position, l.id), '[]') as lines,
              coalesce(sum(l.line_cost), 0) as total
         from public.purchase_order_lines l left join public.books b on b.id = l.book_id
        where l.purchase_order_id = p.id) as l
     where p.id = _id;
end $$;
select private.expose('admin_find_purchase_order', 'authenticated', 'service_role');

create function private.purchase_conditions(_status text, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('p.status = %L', _status) as condition where _status <> ''
    union all
    select format('(%s or %s)', private.contains_condition('lower(p.reference)', _q), private.contains_condition('s.name_key', _q))
     where private.clean_line(_q) is not null
  ) as conditions
$$;

/*
 * Staff: purchase orders with their totals in their currency. _status one status; _q part of the reference ('PO2026-0001') or of the
 * supplier's name. _sort created_at (default) or supplier. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_purchase_orders(
  _status text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, reference text, supplier_name text, status text, currency text, created_at timestamptz, sent_at timestamptz,
  copies bigint, total numeric
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'supplier' then case when _descending then 's.name_key desc, p.id desc' else 's.name_key asc, p.id asc' end
    else case when coalesce(_descending, true) then 'p.created_at desc, p.id desc' else 'p.created_at asc, p.id asc' end end;
begin
  perform private.require_duty('stock');
  return query execute
    'select p.id, p.reference, s.name, p.status, p.currency, p.created_at, p.sent_at, l.copies, l.total
       from (select p.id from public.purchase_orders p join public.suppliers s on s.id = p.supplier_id
              where ' || private.purchase_conditions(_status, _q) || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.purchase_orders p on p.id = page.id
         join public.suppliers s on s.id = p.supplier_id
        cross join lateral (select coalesce(sum(l.copies), 0) as copies, coalesce(sum(l.line_cost), 0) as total
                              from public.purchase_order_lines l where l.purchase_order_id = p.id) as l
      order by ' || sorted;
end $$;
select private.expose('admin_list_purchase_orders', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_purchase_orders has with the same filters: exact. */
create function private.admin_count_purchase_orders(_status text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_duty('stock');
  execute 'select count(*) from public.purchase_orders p join public.suppliers s on s.id = p.supplier_id where '
    || private.purchase_conditions(_status, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_purchase_orders', 'authenticated', 'service_role');
