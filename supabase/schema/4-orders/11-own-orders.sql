-- What customers see of an order's progress, and ordering the same again.

/*
 * Customers: the steps of one of their own orders, oldest first, each with its time: 'placed', 'paid' (in full, for the first time),
 * 'refunded', 'returned' or 'part_shipped' (some copies) or a status; staff: of any order. Corrected payments are left out. Does not name who made the change, which only staff
 * see (order_events).
 */
create function private.order_timeline(_order_id uuid)
returns table (step text, happened_at timestamptz)
language sql stable security definer set search_path = '' as $$
  with mine as (
    select o.id, o.total_amount - o.returned_amount as total_amount, o.created_at from public.orders o
     where o.id = _order_id and (o.user_id = auth.uid() or private.has_duty('orders'))
  ), moved as (
    select x.kind, x.settled_at, mine.total_amount, sum(x.amount) over (order by x.settled_at, x.id) as paid
      from mine join public.payments x on x.order_id = mine.id and x.state = 'settled' and x.kind <> 'correction'
     where not exists (select from public.payments c where c.about = x.id and c.kind = 'correction')
  )
  select 'placed', created_at from mine
  union all
  select e.to_status, e.created_at from mine join public.order_events e on e.order_id = mine.id
  union all
  select 'paid', min(settled_at) from moved where paid >= total_amount having count(*) > 0
  union all
  select 'refunded', settled_at from moved where kind = 'refund'
  union all
  select 'returned', r.created_at from mine join public.order_returns r on r.order_id = mine.id and r.undone_at is null and r.reason <> 'unsent'
  union all
  select 'part_shipped', s.created_at from mine join public.order_shipments s on s.order_id = mine.id and s.undone_at is null and s.closing_event is null
   order by 2, 1
$$;
select private.expose('order_timeline', 'authenticated', 'service_role');

/*
 * Customers: puts the books of one of their orders into the cart again, as far as the cart allows. One row per title,
 * sorted by title: wanted and added are copies; problem as in private.add_books_to_cart, null when all were added and
 * are in stock. Repeated with the same _request_id, the call adds nothing and returns the same.
 */
create function public.order_again(_order_id uuid, _request_id text default null)
returns table (title text, wanted int, added int, problem text)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  book_ids uuid[];
  quantities int[];
  outcome jsonb;
begin
  -- Runs with the caller's rights, but even staff can only repeat their own orders.
  if not exists (select from public.orders o where o.id = _order_id and o.user_id = auth.uid()) then
    perform private.refuse('PT404', 'order_not_found', 'This order does not exist.');
  end if;
  select array_agg(i.sold_book_id order by private.fold(i.title), i.id), array_agg(i.quantity order by private.fold(i.title), i.id)
    into book_ids, quantities
    from public.order_items i where i.order_id = _order_id and i.sold_book_id is not null;
  select coalesce(jsonb_agg(to_jsonb(a)), '[]') into outcome from private.add_books_to_cart(book_ids, quantities, _request_id) as a;
  return query
    select i.title, i.quantity, coalesce(a.added, 0), case when a.book_id is null then 'not_sold' else a.problem end
      from public.order_items i
      left join jsonb_to_recordset(outcome) as a (book_id uuid, added int, problem text) on a.book_id = i.sold_book_id
     where i.order_id = _order_id
     order by private.fold(i.title), i.id;
end $$;
grant execute on function public.order_again to authenticated;

/*
 * What orders are about, for lists of them: how many titles and copies, whether one is downloaded, and the first three titles with what
 * their covers show. The caller's rights decide whose orders; at most 1,000 of them.
 */
create function public.list_order_titles(_order_ids uuid[])
returns table (order_id uuid, titles int, copies int, has_downloads boolean, first_titles jsonb)
language sql stable set search_path = '' as $$
  with line as (
    select i.order_id, i.quantity, i.kind, i.title, i.publisher, i.book_id,
           row_number() over (partition by i.order_id order by private.title_key(i.title), i.id) as at
      from public.order_items i where i.order_id = any (_order_ids[:1000])
  )
  select l.order_id, count(*)::int, sum(l.quantity)::int, bool_or(l.kind = 'digital'),
         jsonb_agg(jsonb_build_object('title', l.title, 'publisher', l.publisher, 'image_url', b.image_url, 'subject', b.subject,
           'course', b.course) order by l.at) filter (where l.at <= 3)
    from line l left join public.books b on b.id = l.book_id and l.at <= 3
   group by l.order_id
$$;
grant execute on function public.list_order_titles to authenticated, service_role;
