-- A refund through Paystack ends access to digital titles when it is requested, and a link ends when its title is taken out of the order.

/*
 * Whether an order's customer sees its files and codes now. Money that Paystack is refunding counts as refunded at once, although it is sent
 * days later; if the refund fails, access is back.
 */
create function private.has_order_access(_order public.orders)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_digital_access(
    _order.paid_amount + (
      -- A refund of money that doesn't count (needs_decision, set_aside) takes nothing away.
      select coalesce(sum(r.amount), 0)
        from public.payments r join public.payments p on p.id = r.about and p.state = 'settled'
       where r.order_id = _order.id and r.kind = 'refund' and r.state = 'open'),
    _order.total_amount, _order.status);
end $$;

/* 'ready'; 'ended' after a refund or cancellation; or 'unpaid'. */
create or replace function private.digital_access(_order public.orders)
returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return case when private.has_order_access(_order) then 'ready'
              when _order.status = 'cancelled' or exists (
                select from public.payments p
                 where p.order_id = _order.id and p.kind <> 'payment' and p.state in ('open', 'settled')) then 'ended'
              else 'unpaid' end;
end $$;

/*
 * The web server, for each request and each piece: what a link leads to now, {state, id, name, type, size, pieces, sha256}. state: 'ready',
 * 'expired', or 'ended' when the order has no access any more or the file was removed. Null for an unknown token.
 */
create or replace function private.find_download(_token text)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
           'state', case when o.id is null or f.removed_at is not null or not private.has_order_access(o)
                           -- Taken out of the order since.
                           or not exists (select from public.order_items i where i.order_id = o.id and i.sold_book_id = f.book_id) then 'ended'
                         when t.expires_at <= clock_timestamp() then 'expired' else 'ready' end,
           'id', f.id, 'name', f.name, 'type', f.type, 'size', f.size, 'pieces', f.pieces, 'sha256', f.sha256)
    from private.download_tickets t
    join private.digital_files f on f.id = t.file_id
    left join public.orders o on o.id = t.order_id
   where t.token_hash = private.hash_token(_token));
end $$;

/*
 * Whether an email would be out of date: the books are there again, the quote or purchase order is another by now, a changed order is cancelled, or a customer
 * no longer waits for a book or it is sold out again, or what an email about an event says is no longer so.
 */
create or replace function private.has_nothing_to_say(_email public.outgoing_emails)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return case private.email_topic(_email.kind)
    when 'stock' then private.email_stock() is null
    when 'quote' then private.email_quote(_email) is null
    when 'alert' then private.email_stock_alert(_email) is null
    when 'registration' then private.email_registration(_email) is null
    when 'subscription' then private.email_subscription(_email) is null
    when 'purchase' then private.email_purchase(_email) is null
    when 'consultation' then private.email_consultation(_email) is null
    -- Another email says that it is.
    when 'order' then case _email.kind
      when 'order_changed' then _email.resend_of is null
        and exists (select from public.orders o where o.id = _email.order_id and o.status = 'cancelled')
      when 'downloads_ready' then not exists (
        select from public.orders o where o.id = _email.order_id and private.has_order_access(o))
      else false end
    else false
  end;
end $$;
