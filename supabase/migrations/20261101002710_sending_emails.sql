-- How a worker sends the emails of outgoing_emails, any number of workers at once: it claims one, which nobody else gets until the
-- lease ends, sends it, and says how it went. For the secret key and the database's owner only.
--
-- What this promises: an event has exactly one row, and a row that is recorded as sent is never handed out again. A worker that dies
-- between the mail server's acceptance and the record leaves a row that is sent again when its lease has ended, with the same
-- Message-ID, by which receivers can drop it. No row is lost: it is sent, or given up within a day with a reason.

/* An email's order as its text needs it; null when it has been deleted. */
create function private.email_order(_order_id uuid)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', o.id, 'number', o.number, 'total', o.total_amount, 'placed_at', o.created_at,
    'name', coalesce(o.recipient_name, p.full_name), 'email', coalesce(o.recipient_email, p.email),
    'phone', coalesce(o.recipient_phone, p.phone), 'address', o.shipping_address, 'region', o.region,
    'landmark', o.landmark, 'digital_address', o.digital_address, 'delivery_method', o.delivery_method,
    'bus_station', o.bus_station, 'delivery_note', o.delivery_note, 'delivery_fee', o.delivery_fee,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'quantity', i.quantity, 'price', i.price)
                       order by private.fold(i.title), i.id)
        from public.order_items i where i.order_id = o.id), '[]'))
    from public.orders o join public.profiles p on p.id = o.user_id
   where o.id = _order_id
$$;
revoke execute on function private.email_order(uuid) from public;

/*
 * What an email about a quote says of it, in cedis; null for any other email, and when there is nothing to say any more: the quote was
 * changed, answered or forgotten since, or its customer has taken the request back.
 */
create function private.email_quote(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', q.id, 'reference', q.reference, 'valid_until', q.valid_until, 'institution', q.institution, 'name', q.contact_name,
    'email', q.contact_email, 'phone', q.contact_phone, 'message', q.message, 'note', q.note,
    'lines', private.quote_lines_as_json(q.id, true))
    from public.quotes q
   where _email.kind in ('quote_requested', 'quote_sent') and q.institution is not null
     and q.status = case _email.kind when 'quote_sent' then 'sent' else 'requested' end
     and q.id::text || ':' || q.version
         = coalesce(_email.event, (select f.event from public.outgoing_emails f where f.id = _email.resend_of))
$$;
revoke execute on function private.email_quote(public.outgoing_emails) from public;

/* The 50 titles of which fewest are left, and how many are low; null when none is. */
create function private.email_stock()
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('count', (select count(*) from public.books where stock_quantity < private.low_stock()),
                            'books', jsonb_agg(low))
    from (select b.title, b.publisher, b.stock_quantity as left
            from public.books b
           where b.stock_quantity < private.low_stock()
           order by b.stock_quantity, b.id limit 50) as low
  having count(*) > 0
$$;
revoke execute on function private.email_stock() from public;

/* Why an email is not sent, as a sentence for staff; null when it can be. */
create function private.email_problem(_email public.outgoing_emails, _order jsonb)
returns text language sql stable set search_path = '' as $$
  select case
    when _email.created_at < clock_timestamp() - interval '1 day'
      then left('It could not be sent within a day. ' || coalesce(_email.reason, ''), 300)
    when _email.order_id is not null and _order is null then 'The order was deleted.'
    when private.email_audience(_email.kind) = 'customer' and _email.order_id is not null and _order ->> 'email' is null then 'The order has no email address.'
  end
$$;
revoke execute on function private.email_problem(public.outgoing_emails, jsonb) from public;

/* Much longer than a mail server is waited for. */
create function private.email_lease()
returns interval language sql immutable set search_path = '' as $$ select interval '5 minutes' $$;
revoke execute on function private.email_lease() from public;

create function private.claim_email()
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  email public.outgoing_emails;
  of_order jsonb;
  of_quote jsonb;
  stock jsonb;
  problem text;
begin
  loop
    select * into email from public.outgoing_emails
     where state = 'waiting' and due_at <= clock_timestamp()
     order by due_at, created_at limit 1
       for update skip locked;
    if not found then return null; end if;
    of_order := private.email_order(email.order_id);
    stock := case when email.kind = 'low_stock' then private.email_stock() end;
    of_quote := private.email_quote(email);
    problem := private.email_problem(email, coalesce(of_order, of_quote));
    if problem is not null then
      update public.outgoing_emails
         set state = 'given_up', reason = btrim(problem), lease = null, settled_at = clock_timestamp()
       where id = email.id;
    elsif email.kind = 'low_stock' and stock is null or email.kind in ('quote_requested', 'quote_sent') and of_quote is null then
      -- The books are there again, or the quote is another by now.
      delete from public.outgoing_emails where id = email.id;
    else
      update public.outgoing_emails
         set lease = gen_random_uuid(), attempts = attempts + 1, due_at = clock_timestamp() + private.email_lease()
       where id = email.id
      returning * into email;
      return jsonb_build_object(
        'id', email.id, 'lease', email.lease, 'kind', email.kind, 'status', email.status, 'created_at', email.created_at,
        'audience', private.email_audience(email.kind), 'order', of_order, 'stock', stock,
        'payment', private.email_payment(email), 'quote', of_quote);
    end if;
  end loop;
end $$;
revoke execute on function private.claim_email() from public;
grant execute on function private.claim_email() to service_role;

/* Without a look at the lease: an email that has been sent has been sent, also when another worker has it by now. */
create function private.record_sent_email(_email_id uuid)
returns void language sql security definer set search_path = '' as $$
  update public.outgoing_emails
     set state = 'sent', reason = null, lease = null, settled_at = clock_timestamp()
   where id = _email_id and state <> 'sent'
$$;
revoke execute on function private.record_sent_email(uuid) from public;
grant execute on function private.record_sent_email(uuid) to service_role;

/* Another try after 5 s, then 30 s, 2, 10 and 30 minutes; none if it is final. */
create function private.record_failed_email(_email_id uuid, _lease uuid, _reason text, _final boolean)
returns void language sql security definer set search_path = '' as $$
  update public.outgoing_emails
     set state = case when _final then 'given_up' else 'waiting' end,
         settled_at = case when _final then clock_timestamp() end,
         due_at = clock_timestamp() + (array[5, 30, 120, 600, 1800])[least(greatest(attempts, 1), 5)] * interval '1 second',
         reason = left(private.clean_line(_reason), 200),
         lease = null
   where id = _email_id and lease = _lease and state = 'waiting'
$$;
revoke execute on function private.record_failed_email(uuid, uuid, text, boolean) from public;
grant execute on function private.record_failed_email(uuid, uuid, text, boolean) to service_role;
grant execute on function private.queue_low_stock_email(timestamptz) to service_role;

/* The worker: the next email to send, as JSON, leased for 5 minutes; null when none is due. */
create function public.claim_email()
returns jsonb language sql set search_path = '' as $$ select private.claim_email() $$;
revoke execute on function public.claim_email() from public, anon, authenticated, service_role;
grant execute on function public.claim_email() to service_role;

/* The worker: the mail server has accepted it. */
create function public.record_sent_email(_email_id uuid)
returns void language sql set search_path = '' as $$ select private.record_sent_email(_email_id) $$;
revoke execute on function public.record_sent_email(uuid) from public, anon, authenticated, service_role;
grant execute on function public.record_sent_email(uuid) to service_role;

/* The worker: it was not accepted; why, and whether for good. Ignored when the lease is another worker's by now. */
create function public.record_failed_email(_email_id uuid, _lease uuid, _reason text, _final boolean default false)
returns void language sql set search_path = '' as $$
  select private.record_failed_email(_email_id, _lease, _reason, _final)
$$;
revoke execute on function public.record_failed_email(uuid, uuid, text, boolean) from public, anon, authenticated, service_role;
grant execute on function public.record_failed_email(uuid, uuid, text, boolean) to service_role;

/* The worker, now and then: the day's email about low stock, if there is a reason for one. */
create function public.queue_low_stock_email()
returns void language sql set search_path = '' as $$ select private.queue_low_stock_email() $$;
revoke execute on function public.queue_low_stock_email() from public, anon, authenticated, service_role;
grant execute on function public.queue_low_stock_email() to service_role;
