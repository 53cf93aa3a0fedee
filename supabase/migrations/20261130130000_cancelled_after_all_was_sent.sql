-- The email about a cancelled order whose books had all left in parcels names none that were not sent.

/* Whether nothing was left to send of a part-sent order when it was cancelled. */
create function private.had_all_sent(_order_id uuid)
returns boolean language sql stable security definer set search_path = '' as $$
  select private.is_part_sent(_order_id)
     and not exists (select from public.order_returns r where r.order_id = _order_id and r.undone_at is null and r.reason = 'unsent')
$$;

/* An email's order as its text needs it; null when it has been deleted. */
create or replace function private.email_order(_order_id uuid)
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
