-- A purchase order as an email to its supplier. Its files are made when it is sent, and not stored with the email.

/* The event of the email: one for each time that it is marked as sent. */
create function private.purchase_email_event(_purchase public.purchase_orders)
returns text language sql immutable set search_path = '' as $$
  select _purchase.id || ':' || (extract(epoch from _purchase.sent_at) * 1000000)::bigint
$$;

/*
 * What an email about a purchase order says and its files contain; null for any other email, and when the purchase order was changed,
 * cancelled, received or sent anew since. Amounts in its currency.
 */
create function private.email_purchase(_email public.outgoing_emails)
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

/* Staff: emails a purchase order that is marked as sent to its supplier, once each time that it was marked, however often this is called. */
create function private.email_purchase_order(_id uuid, _version int)
returns void language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_duty('stock');
  purchase := private.lock_purchase_order(_id, _version);
  if purchase.status not in ('sent', 'part_received') then
    perform private.refuse('PT409', 'purchase_order_not_sent', 'Mark this purchase order as sent before you email it.',
      jsonb_build_object('status', purchase.status));
  elsif not exists (select from public.suppliers s where s.id = purchase.supplier_id and s.email is not null) then
    perform private.refuse('PT409', 'supplier_without_email', 'This supplier has no email address.');
  end if;
  perform private.queue_email('purchase_order_sent', private.purchase_email_event(purchase), null);
end $$;
select private.expose('email_purchase_order', 'authenticated', 'service_role');

/* Staff: the emails of a purchase order, the newest first. is_current: of the last time that it was marked as sent. */
create function private.list_purchase_emails(_id uuid)
returns table (id uuid, state text, reason text, due_at timestamptz, created_at timestamptz, settled_at timestamptz, is_current boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('stock');
  return query
    select e.id, e.state, e.reason, e.due_at, e.created_at, e.settled_at, f.event = private.purchase_email_event(o)
      from public.purchase_orders o
      join public.outgoing_emails f on f.kind = 'purchase_order_sent' and starts_with(f.event, o.id::text)
      join public.outgoing_emails e on e.id = f.id or e.resend_of = f.id
     where o.id = _id
     order by e.created_at desc, e.id;
end $$;
select private.expose('list_purchase_emails', 'authenticated', 'service_role');
