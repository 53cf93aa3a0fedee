-- Everything that the shop holds about a customer, for the customer to download.

/* Customers: everything that the shop holds about them, as one JSON object; amounts in cedis. */
create function private.own_data()
returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'profile', (select to_jsonb(p) - 'search_text' from public.profiles p where p.id = auth.uid()),
    'orders', (
      select coalesce(jsonb_agg(
               to_jsonb(o) - '{user_id,stock_held,search_text}'::text[] || jsonb_build_object('items', (
                 select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'isbn', i.isbn,
                                                     'quantity', i.quantity, 'price', i.price) order by i.title)
                   from public.order_items i where i.order_id = o.id), 'shipments', (
                 select coalesce(jsonb_agg(to_jsonb(s) - 'id' order by s.sent_at), '[]') from private.list_shipments(o.id) as s)
               ) order by o.created_at), '[]')
        from public.orders o where o.user_id = auth.uid()),
    'payments', (
      select coalesce(jsonb_agg(jsonb_build_object('order_id', p.order_id, 'kind', p.kind, 'method', p.method, 'amount', p.amount,
                                                   'reference', p.reference, 'state', p.state, 'paid_on', p.paid_on, 'note', p.note,
                                                   'created_at', p.created_at) order by p.created_at), '[]')
        from public.payments p where p.user_id = auth.uid()),
    'quotes', (
      select coalesce(jsonb_agg(to_jsonb(f) order by f.created_at), '[]')
        from public.quotes q, private.find_own_quote(q.id) as f where q.user_id = auth.uid()),
    'consultations', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.created_at), '[]') from private.list_own_consultations(null) as c),
    'reviews', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'rating', r.rating, 'review', r.review_text,
                                                   'created_at', r.created_at) order by r.created_at), '[]')
        from public.reviews r join public.books b on b.id = r.book_id where r.user_id = auth.uid()),
    'cart', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'quantity', c.quantity, 'created_at', c.created_at)
                                order by c.created_at), '[]')
        from public.cart_items c join public.books b on b.id = c.book_id where c.user_id = auth.uid()),
    'wishlist', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'created_at', w.created_at) order by w.created_at), '[]')
        from public.wishlists w join public.books b on b.id = w.book_id where w.user_id = auth.uid()),
    'stock_alerts', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'created_at', a.created_at) order by a.created_at), '[]')
        from public.stock_alerts a join public.books b on b.id = a.book_id where a.user_id = auth.uid()),
    'events', private.own_event_data());
end $$;
select private.expose('own_data', 'authenticated');
