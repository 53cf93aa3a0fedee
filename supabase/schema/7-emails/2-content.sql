-- What emails say: read from the database when they are sent, so that an email that waited says what is true then.

/* An email's order as its text needs it; null when it has been deleted. */
create function private.email_order(_order_id uuid)
returns jsonb language sql stable security definer set search_path = '' as $$
  select private.typed_of_order(to_jsonb(o)) || jsonb_build_object(
    'id', o.id, 'number', o.number, 'has_account', o.user_id is not null, 'total', o.total_amount, 'placed_at', o.created_at,
    'name', coalesce(o.recipient_name, p.full_name), 'email', case when o.user_id is null then o.recipient_email else p.email end,
    'recipient_email', case when lower(o.recipient_email) <> lower(p.email) then o.recipient_email end,
    'phone', coalesce(o.recipient_phone, p.phone), 'delivery_fee', o.delivery_fee, 'paid', o.paid_amount, 'returned', o.returned_amount,
    'owed_back', o.owed_back,
    'part_sent', private.has_earlier_parcel(o.id, o.status), 'all_sent', private.had_all_sent(o.id), 'carrier', o.carrier, 'parcel_number', o.parcel_number, 'driver_phone', o.driver_phone,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'quantity', i.quantity, 'price', i.price)
                       order by private.fold(i.title), i.id)
        from public.order_items i where i.order_id = o.id), '[]'))
    from public.orders o left join public.profiles p on p.id = o.user_id
   where o.id = _order_id
$$;

/* The event of an email, also of one that staff send again. */
create function private.email_event(_email public.outgoing_emails)
returns text language sql stable security definer set search_path = '' as $$
  select coalesce(_email.event, (select f.event from public.outgoing_emails f where f.id = _email.resend_of))
$$;

/*
 * What an email about a quote says of it, in cedis; null for any other email, and when there is nothing to say any more: the quote was
 * changed, decided or forgotten since, or its customer has cancelled the request.
 */
create function private.email_quote(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', q.id, 'reference', q.reference, 'valid_until', q.valid_until, 'institution', q.institution, 'name', q.contact_name,
    -- Staff need not give one of a customer without an account, who may have one by now.
    'email', coalesce(q.contact_email, (select p.email from public.profiles p where p.id = q.user_id)), 'phone', q.contact_phone, 'message', q.message, 'note', q.note,
    'lines', private.quote_lines_as_json(q.id, true), 'delivery_method', private.quote_delivery_method(q), 'region', q.region,
    'delivery_pricing', q.delivery_pricing, 'delivery_fee', private.quote_delivery_fee(q))
    from public.quotes q
   where private.email_topic(_email.kind) = 'quote' and q.institution is not null
     and q.status = case _email.kind when 'quote_sent' then 'sent' else 'requested' end
     and q.id::text || ':' || q.version = private.email_event(_email)
$$;

/* When an email of this kind about an event left, or a worker took it; null if none has. */
create function private.told_at(_kind text, _event text)
returns timestamptz language sql stable security definer set search_path = '' as $$
  select min(coalesce(e.settled_at, clock_timestamp()))
    from public.outgoing_emails f join public.outgoing_emails e on f.id in (e.id, e.resend_of)
   where f.kind = _kind and f.event = _event and (e.state = 'sent' or e.lease is not null)
$$;

/*
 * What an email about a part of an order says of it; null for any other email, when it was undone, and for the correction of an email that
 * never left.
 */
create function private.email_shipment(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
           'carrier', s.carrier, 'parcel_number', s.parcel_number, 'driver_phone', s.driver_phone,
           'lines', private.shipment_lines_as_json(s.id),
           'left', (select coalesce(jsonb_agg(jsonb_build_object('title', c.title, 'copies', c.copies)
                                              order by private.fold(c.title), c.order_item_id), '[]')
                      from private.copies_to_send(s.order_id) as c))
    from public.order_shipments s
   where private.email_topic(_email.kind) = 'shipment' and s.id = private.as_uuid(private.email_event(_email))
     and case when _email.kind in ('order_part_undone', 'recipient_order_part_undone')
           then s.undone_at is not null and private.told_at(replace(_email.kind, 'undone', 'shipped'), s.id::text) is not null
           else s.undone_at is null end
$$;

/* The 50 titles of which fewest are left, and how many are low; null when none is. */
create function private.email_stock()
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('count', (select count(*) from public.books where stock_quantity < private.low_stock() and kind <> 'digital' and for_sale >= 0),
                            'books', jsonb_agg(low))
    from (select b.title, b.publisher, b.stock_quantity as left
            from public.books b
           where b.stock_quantity < private.low_stock() and b.kind <> 'digital' and b.for_sale >= 0
           order by b.stock_quantity, b.id limit 50) as low
  having count(*) > 0
$$;

/*
 * What an email says of its topic, besides its order: what that topic's function returns. Null for an email about an order, and when there
 * is nothing to say any more. A topic without a function is an error.
 */
create function private.email_content(_email public.outgoing_emails)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  case private.email_topic(_email.kind)
    when 'order' then return null;
    when 'alert' then return private.email_stock_alert(_email);
    when 'consultation' then return private.email_consultation(_email);
    when 'payment' then return private.email_payment(_email);
    when 'purchase' then return private.email_purchase(_email);
    when 'quote' then return private.email_quote(_email);
    when 'registration' then return private.email_registration(_email);
    when 'role' then return private.email_role(_email);
    when 'shipment' then return private.email_shipment(_email);
    when 'stock' then return private.email_stock();
    when 'subscription' then return private.email_subscription(_email);
  end case;
end $$;

/*
 * Whether an email would be out of date: its topic has no content any more, a changed order is cancelled, downloads can no longer be
 * opened, or a later email says another status.
 */
create function private.has_nothing_to_say(_email public.outgoing_emails)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return case private.email_topic(_email.kind)
    when 'payment' then false
    -- Another email says that it is.
    when 'order' then case _email.kind
      when 'order_changed' then _email.resend_of is null
        and exists (select from public.orders o where o.id = _email.order_id and o.status = 'cancelled')
      when 'downloads_ready' then not exists (
        select from public.orders o where o.id = _email.order_id and private.has_order_access(o))
      -- Of a status: one that could not be sent at first, and a later email says another status.
      else _email.attempts > 0 and _email.resend_of is null and _email.status is not null and exists (
        select from public.outgoing_emails later
         where later.order_id = _email.order_id and later.created_at > _email.created_at and later.status <> _email.status
           and later.kind in ('order_status_changed', 'order_cancelled') and later.state in ('waiting', 'sent')) end
    else private.email_content(_email) is null
  end;
end $$;
