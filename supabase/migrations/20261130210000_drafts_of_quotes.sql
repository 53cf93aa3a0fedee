-- Sending keeps an agreed fee where all is digital, and what staff begin themselves is a draft, not a request that waits.

/*
 * Staff: sends a quote to its customer if it is still this version; returns its reference, such as Q2026-0007.
 * Without a last day it is valid for 30 days. _delivery_fee is what staff saw of it, in cedis: refused if the fees have changed since.
 * The fee that is sent stays; an agreed one also where digital titles alone are quoted, whose delivery costs nothing.
 */
create or replace function private.send_quote(_quote_id uuid, _version int, _delivery_fee numeric default null)
returns text language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  this_year constant int := extract(year from private.today());
  fee numeric;
begin
  perform private.require_duty('schools');
  quote := private.lock_open_quote(_quote_id, _version);
  if quote.status <> 'requested' then
    perform private.refuse('PT409', 'quote_not_requested', format('This quote is %s. Save a change before you send it again.', quote.status),
      jsonb_build_object('status', quote.status));
  end if;
  if quote.institution is null then
    perform private.refuse('PT409', 'quote_without_customer', 'This quote can''t be sent: its customer''s details have been erased.');
  end if;
  if not exists (select from public.quote_lines where quote_id = _quote_id) then
    perform private.refuse('PT400', 'invalid_lines', 'A quote has between 1 and 1,000 lines.');
  end if;
  if quote.valid_until < private.today() then
    perform private.refuse('PT409', 'quote_expired', 'The last day of this quote has passed. Choose a later one.');
  end if;
  fee := private.quote_delivery_fee(quote);
  if fee is null then
    perform private.refuse('PT400', 'invalid_field', 'Please choose a region.', jsonb_build_object('field', 'region', 'rule', 'required'));
  elsif fee <> _delivery_fee then
    perform private.refuse('PT409', 'total_changed', format('Delivery now costs GH₵%s. Check the quote before you send it.',
      to_char(fee, 'FM999990.00')), jsonb_build_object('delivery_fee', fee));
  end if;
  perform private.require_number('total', 'The total', private.quote_books_total(_quote_id) + fee, 0, 99999999.99);
  if quote.number is null then
    quote.year := this_year;
    quote.number := private.next_yearly_number('quotes', this_year);
  end if;
  update public.quotes
     set status = 'sent', sent_at = clock_timestamp(), year = quote.year, number = quote.number,
         valid_until = coalesce(valid_until, private.today() + 30),
         delivery_fee = case delivery_pricing when 'agreed' then delivery_fee else fee end
   where id = _quote_id returning * into quote;
  if quote.contact_email is not null or quote.user_id is not null then
    perform private.queue_email('quote_sent', quote.id::text || ':' || quote.version, null);
  end if;
  return quote.reference;
end $$;

/*
 * Staff: one quote, drafts included, or no row. lines as find_own_quote has them; order_number is null while there is no order, or
 * once it has been deleted. delivery_fee is by today's fees while a draft follows them, null while they need a region, and what was agreed
 * also where digital titles alone are quoted. account_email is that of the account that has it. has_links: whether a link opens it, or will, as soon as its email has left.
 */
create or replace function private.admin_find_quote(_quote_id uuid)
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
           q.delivery_pricing, case q.delivery_pricing when 'agreed' then q.delivery_fee else private.quote_delivery_fee(q) end,
           q.begun_by_staff, p.email,
           q.user_id is null
             and (exists (select from private.quote_links l where l.quote_id = q.id)
                  or exists (select from public.outgoing_emails e
                              where e.kind = 'quote_sent' and e.event = q.id::text || ':' || q.version))
      from public.quotes q left join public.orders o on o.id = q.order_id left join public.profiles p on p.id = q.user_id
     where q.id = _quote_id;
end $$;

create or replace function private.quote_conditions(_status text, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select case _status
             when 'expired' then format('q.status = ''sent'' and q.valid_until < %L', private.today())
             -- As staff read it: what they have begun themselves waits for nobody.
             when 'requested' then 'q.status = ''requested'' and not q.begun_by_staff'
             when 'draft' then 'q.status = ''requested'' and q.begun_by_staff'
             when 'sent' then format('q.status = ''sent'' and q.valid_until >= %L', private.today())
             else format('q.status = %L', _status) end as condition
     where _status <> ''
    union all
    select '(' || found || ')' from private.found_by_text('q.search_text', _q) as found where found is not null
  ) as conditions
$$;
