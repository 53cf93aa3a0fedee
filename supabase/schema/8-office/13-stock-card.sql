-- The stock card of a book: every movement of its copies, and how many there were after it.

/*
 * Staff: the movements of a book, even a deleted one, the newest first or last; _reason one of stock_movements. The balance counts back from
 * today's stock. by_name is null for what no person did; receipt_id and purchase_reference name what arrived. _page from 1, _page_size at most 1,000 (50).
 */
create function private.list_stock_movements(
  _book_id uuid, _reason text default null, _descending boolean default true, _page int default 1, _page_size int default 50
)
returns table (
  id bigint, created_at timestamptz, quantity int, balance bigint, reason text, order_id uuid, order_number bigint, by_name text,
  note text, receipt_id uuid, purchase_reference text
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted constant text := ' order by m.id ' || case when coalesce(_descending, true) then 'desc' else 'asc' end;
begin
  perform private.require_duty('stock');
  return query execute
    'select m.id, m.created_at, m.quantity, m.balance, m.reason, m.order_id, o.number, coalesce(p.full_name, p.email), m.note,
            l.receipt_id, u.reference
       from (select m.*
               from (select m.*, stock.copies - coalesce(sum(m.quantity) over (
                              order by m.id desc rows between unbounded preceding and 1 preceding), 0) as balance
                       from public.stock_movements m,
                            (select coalesce((select b.stock_quantity from public.books b where b.id = $1),
                                             (select g.stock_quantity from private.gone_books g where g.id = $1), 0)) as stock (copies)
                      where m.book_id = $1) as m
              where coalesce($2, '''') in ('''', m.reason)' || sorted || private.paging(_page, _page_size) || ') as m
       left join public.orders o on o.id = m.order_id
       left join public.receipt_lines l on l.movement_id = m.id
       left join public.receipts r on r.id = l.receipt_id
       left join public.purchase_orders u on u.id = r.purchase_order_id
       left join public.profiles p on p.id = m.actor' || sorted
    using _book_id, _reason;
end $$;
select private.expose('list_stock_movements', 'authenticated', 'service_role');

/* Staff: how many rows list_stock_movements has with the same filters. */
create function private.count_stock_movements(_book_id uuid, _reason text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('stock');
  return (select count(*) from public.stock_movements m where m.book_id = _book_id and coalesce(_reason, '') in ('', m.reason));
end $$;
select private.expose('count_stock_movements', 'authenticated', 'service_role');
