/* My Orders names the titles of each order. */

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
