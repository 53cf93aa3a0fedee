-- A quote and a purchase order name the seller of the day on which they were sent, as invoices do.

/* The settings that name the seller on documents, as they were then; without a time, as they are. Those that nobody knows are missing. */
create function private.seller_at(_at timestamptz)
returns jsonb language sql stable set search_path = '' as $$
  select jsonb_strip_nulls(jsonb_object_agg(name, private.setting_at(name, _at)))
    from unnest('{name,legalName,registrationNumber,taxNumber,address,phones,email}'::text[]) as name
$$;

/*
 * Customers, of their own orders, and staff: the order's invoice, which gets its number on the first call. A
 * cancelled order gets none, but keeps one that it has. changed_at is when the order's books were last changed since; null when they weren't.
 * shop has the settings that it prints, as they were.
 */
create or replace function private.issue_invoice(_order_id uuid)
returns table (reference text, issued_at timestamptz, changed_at timestamptz, shop jsonb) language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  invoice public.invoices;
begin
  -- Locked, so that two people who open it for the first time use up only one number.
  select * into of_order from public.orders
   where id = _order_id and (user_id = auth.uid() or private.has_duty('orders'))
     for no key update;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order does not exist.');
  end if;
  select * into invoice from public.invoices i where i.order_id = _order_id;
  if not found then
    if of_order.status = 'cancelled' then
      perform private.refuse('PT409', 'order_cancelled', 'A cancelled order gets no invoice.');
    end if;
    -- Number and date are of the same moment, even if the year ends while waiting for the order's lock.
    invoice.issued_at := clock_timestamp();
    invoice.year := extract(year from invoice.issued_at at time zone 'UTC');
    insert into public.invoices (order_id, year, number, issued_at)
    values (_order_id, invoice.year, private.next_yearly_number('invoices', invoice.year), invoice.issued_at)
    returning * into invoice;
  end if;
  return query
    select invoice.reference, invoice.issued_at, (
      select max(l.happened_at) from public.audit_log l
       where l.table_name = 'orders' and l.row_id = _order_id::text and l.action = 'change' and l.happened_at > invoice.issued_at),
      private.seller_at(invoice.issued_at)
        || jsonb_strip_nulls(jsonb_build_object('taxes', private.setting_at('taxes', of_order.created_at)));
end $$;

drop function public.find_own_quote, private.find_own_quote;

/*
 * Customers: one of their own quotes, or no row. lines: [{"book_id", "title", "publisher", "isbn", "requested", "quantity",
 * "shop_price", "unit_price", "stock", "image_url", "subject", "course"}]. unit_price, valid_until and note are null while
 * the quote is being prepared; stock is null for a book that is no longer sold. shop is the seller of the day on which it was sent.
 */
create function private.find_own_quote(_quote_id uuid)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, order_id uuid,
  purchase_order_number text, lines jsonb, shop jsonb
) language sql stable security definer set search_path = '' as $$
  select q.id, q.reference, q.institution, q.contact_name, q.contact_email, q.contact_phone, q.message,
         case when q.sent_at is not null then q.note end, private.quote_status(q.status, q.valid_until),
         case when q.sent_at is not null then q.valid_until end, q.version, q.created_at, q.sent_at, q.order_id,
         q.purchase_order_number, private.quote_lines_as_json(q.id, q.sent_at is not null),
         private.seller_at(q.sent_at)
    from public.quotes q
   where q.id = _quote_id and q.user_id = auth.uid()
$$;
select private.expose('find_own_quote', 'authenticated');

drop function public.admin_find_purchase_order, private.admin_find_purchase_order;

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

/*
 * What an email about a purchase order says and its files contain; null for any other email, and when the purchase order was changed,
 * cancelled, received or sent anew since. Amounts in its currency.
 */
create or replace function private.email_purchase(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', o.id, 'reference', o.reference, 'currency', o.currency, 'sent_at', o.sent_at, 'note', o.note, 'supplier_name', s.name,
    'contact_name', s.contact_name, 'email', s.email, 'phone', s.phone, 'terms', s.terms, 'total', l.total, 'lines', l.lines,
    'shop', private.seller_at(o.sent_at))
    from public.purchase_orders o join public.suppliers s on s.id = o.supplier_id
   cross join lateral (
     select sum(p.line_cost) as total, jsonb_agg(jsonb_build_object('isbn', p.isbn, 'title', p.title, 'publisher', p.publisher,
              'copies', p.copies, 'list_price', p.list_price, 'discount', p.discount, 'amount', p.line_cost) order by p.position, p.id) as lines
       from public.purchase_order_lines p where p.purchase_order_id = o.id) as l
   where o.id = case when private.email_topic(_email.kind) = 'purchase' then split_part(private.email_event(_email), ':', 1)::uuid end
     and o.status in ('sent', 'part_received') and private.purchase_email_event(o) = private.email_event(_email)
$$;
