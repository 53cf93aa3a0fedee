-- Staff see which account took over a quote by its link, and whether a link opens it.

drop function public.admin_find_quote, private.admin_find_quote;

/*
 * Staff: one quote, drafts included, or no row. lines as find_own_quote has them; order_number is null while there is no order, or
 * once it has been deleted. delivery_fee is by today's fees while a draft follows them, and null while they need a region. account_email
 * is that of the account that has it. has_links: whether a link opens it, or will, as soon as its email has left.
 */
create function private.admin_find_quote(_quote_id uuid)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, decided_at timestamptz,
  order_id uuid, order_number bigint, purchase_order_number text, lines jsonb, delivery_method text, region text,
  delivery_pricing text, delivery_fee numeric, begun_by_staff boolean, account_email text, has_links boolean
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  return query
    select q.id, q.reference, q.institution, q.contact_name, q.contact_email, q.contact_phone, q.message, q.note,
           private.quote_status(q.status, q.valid_until), q.valid_until, q.version, q.created_at, q.sent_at, q.decided_at,
           q.order_id, o.number, q.purchase_order_number, private.quote_lines_as_json(q.id, true), q.delivery_method, q.region,
           q.delivery_pricing, private.quote_delivery_fee(q), q.begun_by_staff, p.email,
           q.user_id is null
             and (exists (select from private.quote_links l where l.quote_id = q.id)
                  or exists (select from public.outgoing_emails e
                              where e.kind = 'quote_sent' and e.event = q.id::text || ':' || q.version))
      from public.quotes q left join public.orders o on o.id = q.order_id left join public.profiles p on p.id = q.user_id
     where q.id = _quote_id;
end $$;
select private.expose('admin_find_quote', 'authenticated', 'service_role');
