-- A quote of digital titles alone is accepted without an address: its page has to know their kinds.

/* The lines of a quote in order, with current stock, which is null for a book that is no longer sold. */
create or replace function private.quote_lines_as_json(_quote_id uuid, _with_prices boolean)
returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
           'book_id', l.book_id, 'title', l.title, 'publisher', l.publisher, 'isbn', l.isbn, 'requested', l.requested,
           'quantity', l.quantity, 'shop_price', l.shop_price, 'unit_price', case when _with_prices then l.unit_price end,
           'stock', b.stock_quantity, 'image_url', b.image_url, 'subject', b.subject, 'course', b.course,
           'kind', b.kind)
           order by l.position, l.id), '[]')
    from public.quote_lines l left join public.books b on b.id = l.book_id
   where l.quote_id = _quote_id
$$;
