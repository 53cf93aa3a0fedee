-- What an expert review found: numbers of other orders on a statement, a line of it named twice, shipping details overwritten from an older
-- list, an email about a change of an order that is cancelled, lines without a book, hidden characters and phone numbers among searches; and
-- an invoice says when its order was changed since.

create or replace function private.order_numbers_in(_narration text, _name text, _reference text)
returns table (number bigint, named boolean) language sql stable rows 1 set search_path = '' as $$
  select m[1]::bigint, true
    from regexp_matches(concat_ws(' | ', _narration, _name, _reference),
           '(?:(?<!\m(?:standing|purchase|payment|pay|money|postal|bank|banker''?s?)[[:space:].:#-]{0,3})\m(?:orders?|ord)'
           '|(?<![[:alnum:]])(?<!\m(?:orders?|ord|cheque|check|chq|receipt|rcpt|account|acc|acct|a/c|teller|slip|till|agent|branch|terminal|batch|po)'
           '(?:[[:space:].:]+(?:no|nr|number))?[[:space:].:-]{0,3})#)[[:space:].:#-]*(?:(?:no|nr|number)[[:space:].:#-]*)?0*([1-9][0-9]{3,8})(?![0-9])', 'gi') as m
  union
  select o.number, true
    from regexp_matches(concat_ws(' | ', _narration, _name, _reference),
           '\minv(?:oice)?[[:space:].:#-]*(?:no[[:space:].:#-]*)?(20[0-9]{2}) ?[-/ ] ?([0-9]{1,9})(?![0-9])', 'gi') as m
    join public.invoices i on i.year = m[1]::int and i.number = m[2]::int
    join public.orders o on o.id = i.order_id
  union
  select substring(_narration from '^[[:space:]]*(?:[Nn][Oo][.:]?)?[[:space:]]*([1-9][0-9]{3,8})[[:space:].]*$')::bigint, true
  union
  select m[1]::bigint, false
    from regexp_matches(concat_ws(' | ', _narration, _name),
           '(?<![0-9A-Za-z/]|[0-9][.,-])([1-9][0-9]{3,8})(?![0-9A-Za-z/]|[.,-][0-9])', 'g') as m
$$;

create or replace function private.record_statement(_statement_id uuid, _method text, _payments jsonb)
returns int language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  payment record;
  earlier public.payments;
  of_number bigint;
  message text;
  facts text;
  refused jsonb := '[]';
begin
  perform private.require_staff();
  perform private.require_statement_method(_method);
  perform private.require_statement_lines(_payments);
  if _statement_id is null then
    perform private.refuse('PT400', 'invalid_field', 'The statement has no id.', jsonb_build_object('field', 'statement_id', 'rule', 'required'));
  end if;
  if (select count(distinct coalesce((e.p ->> 'line')::int, e.place::int))
        from jsonb_array_elements(_payments) with ordinality as e (p, place)) < jsonb_array_length(_payments) then
    perform private.refuse('PT400', 'invalid_rows', 'Name each line of the statement once.');
  end if;
  -- Against what locks several orders in another order; then orders before references, each by a fixed order, as record_payment
  -- takes one of each.
  perform private.lock_stock(false);
  perform o.id from public.orders o
    where o.id in (select (p ->> 'order_id')::uuid from jsonb_array_elements(_payments) as p) order by o.id for no key update;
  perform pg_advisory_xact_lock(hashtext('public.payments'), k.key) from (
    select distinct hashtext(upper(private.clean_line(p ->> 'reference'))) as key from jsonb_array_elements(_payments) as p
     where private.clean_line(p ->> 'reference') is not null order by 1) as k;
  for payment in
    select md5(_statement_id::text || ' ' || g.line)::uuid as id, g.* from (
      select coalesce((e.p ->> 'line')::int, e.place::int) as line, (e.p ->> 'order_id')::uuid as order_id, (e.p ->> 'amount')::numeric as amount,
             (e.p ->> 'paid_on')::date as paid_on, e.p ->> 'reference' as reference, (e.p ->> 'more_than_due')::boolean as more_than_due, e.place
        from jsonb_array_elements(_payments) with ordinality as e (p, place)) as g
     order by g.place
  loop
    begin
      select * into earlier from public.payments where id = payment.id;
      if found and (earlier.order_id, earlier.amount, earlier.method) is distinct from (payment.order_id, payment.amount, _method) then
        perform private.refuse('PT409', 'payment_recorded', format('This has been recorded for order %s before.', earlier.order_number));
      end if;
      perform private.record_payment(payment.id, payment.order_id, 'payment', _method, payment.amount, payment.paid_on, payment.reference,
                                     null, payment.more_than_due);
    exception when sqlstate 'PT400' or sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics message = message_text, facts = pg_exception_detail;
      select o.number into of_number from public.orders o where o.id = payment.order_id;
      refused := refused || jsonb_build_object('line', payment.line, 'order_number', of_number, 'code', facts::jsonb ->> 'code',
                                               'message', message);
    end;
  end loop;
  if refused <> '[]' then
    perform private.refuse('PT409', 'payments_refused',
      format('Nothing was recorded. Line %s%s: %s%s', refused #>> '{0,line}', ', order ' || (refused #>> '{0,order_number}'),
             refused #>> '{0,message}',
             case jsonb_array_length(refused) when 1 then '' when 2 then ' One more line was refused.'
               else format(' %s more lines were refused.', jsonb_array_length(refused) - 1) end),
      jsonb_build_object('lines', refused));
  end if;
  return jsonb_array_length(_payments);
end $$;

create or replace function private.change_order(_order_id uuid, _updated_at timestamptz, _book_ids uuid[], _quantities int[], _total numeric)
returns void language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  changed public.orders;
  lines jsonb;
  known int;
  books_total numeric;
  fee numeric;
begin
  perform private.require_staff();
  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 9999) from unnest(_quantities) as quantity;
  perform private.lock_stock(true);
  changed := private.lock_open_order(_order_id);
  if exists (select from public.order_items i where i.order_id = _order_id and i.sold_book_id is null) then
    perform private.refuse('PT409', 'line_without_book', 'A line of this order doesn''t say which book it is, so its books can''t be changed.');
  elsif not exists (select from (select sold_book_id, quantity from public.order_items where order_id = _order_id) as l (id, quantity)
                   full join unnest(_book_ids, _quantities) as asked (id, quantity) using (id, quantity)
                  where l is null or asked is null) then
    return;
  elsif changed.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'order_changed', 'This order has changed since you opened it. Check it before you change it.');
  end if;
  perform private.lock_books(_book_ids);
  select count(coalesce(i.sold_book_id, b.id)), sum(coalesce(i.price, b.price) * asked.quantity),
         jsonb_agg(jsonb_build_object('id', i.id, 'sold_book_id', asked.id, 'quantity', asked.quantity, 'price', coalesce(i.price, b.price),
                                      'title', coalesce(i.title, b.title), 'publisher', case when i.id is null then b.publisher else i.publisher end,
                                      'isbn', case when i.id is null then b.isbn else i.isbn end))
    into known, books_total, lines
    from unnest(_book_ids, _quantities) as asked (id, quantity)
    left join public.order_items i on i.order_id = _order_id and i.sold_book_id = asked.id
    left join public.books b on b.id = asked.id;
  if known < titles then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  end if;
  fee := case when exists (select from public.quotes q where q.order_id = _order_id) then changed.delivery_fee
              else coalesce(private.delivery_fee(changed.region, changed.delivery_method, books_total), changed.delivery_fee) end;
  if books_total + fee is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you change it.',
      to_char(books_total + fee, 'FM999999990.00')), jsonb_build_object('total', books_total + fee, 'delivery_fee', fee));
  end if;
  perform private.write_order_lines(changed, lines, fee);
end $$;

create or replace function private.set_order_statuses(_order_ids uuid[], _shown text[], _status text, _shipment jsonb default null)
returns table (order_id uuid, number bigint, problem text)
language plpgsql security definer set search_path = '' as $$
declare
  orders constant int := coalesce(array_length(_order_ids, 1), 0);
  shipment jsonb := '{}';
  current public.orders;
  changed public.orders;
begin
  perform private.require_staff();
  if orders not between 1 and 200 or array_length(_shown, 1) is distinct from orders then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 200 orders, with the status that was shown for each.');
  end if;
  if _status = 'shipped' and jsonb_typeof(_shipment) = 'object' then shipment := private.read_shipment(_shipment); end if;
  perform private.lock_stock(true);
  for place in 1 .. orders loop
    -- Each failure is rolled back on its own.
    begin
      order_id := _order_ids[place];
      problem := null;
      select * into current from public.orders where id = order_id for no key update;
      changed := jsonb_populate_record(current, shipment || jsonb_build_object('status', _status));
      if current.id is null then
        problem := 'It no longer exists.';
      elsif current.status is distinct from _shown[place] and current.status is distinct from _status then
        problem := format('It is now %s. Check it before you change its status.', current.status);
      elsif current.status = 'shipped' and _shown[place] is distinct from 'shipped' and changed is distinct from current then
        problem := 'It has been shipped already, with other details. Check them before you change them.';
      elsif changed is distinct from current then
        update public.orders
           set status = _status, carrier = changed.carrier, parcel_number = changed.parcel_number, driver_phone = changed.driver_phone
         where id = current.id;
        if current.status = _status then
          perform private.queue_emails('{order_status_changed,recipient_order_shipped}', format('%s:%s', current.id, clock_timestamp()),
            current.id, _status);
        end if;
      end if;
    exception when sqlstate 'PT409' then
      problem := sqlerrm;
    end;
    number := current.number;
    return next;
  end loop;
end $$;

create or replace function private.has_nothing_to_say(_email public.outgoing_emails)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return case private.email_topic(_email.kind)
    when 'stock' then private.email_stock() is null
    when 'quote' then private.email_quote(_email) is null
    when 'alert' then private.email_stock_alert(_email) is null
    -- Another email says that it is.
    when 'order' then _email.kind = 'order_changed' and _email.resend_of is null
      and exists (select from public.orders o where o.id = _email.order_id and o.status = 'cancelled')
    else false
  end;
end $$;

create or replace function private.demand_text(_text text)
returns text language plpgsql immutable set search_path = '' as $$
declare
  cleaned constant text := private.clean_line(regexp_replace(left(_text, 200),
    '[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]', '', 'g'));
  folded constant text := private.fold(cleaned);
  with_digits constant text := translate(folded, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789');
  code constant text := private.book_code(cleaned);
begin
  if code ~ '^97[89][0-9]{10}$' or (code ~ '^[0-9]{9}[0-9X]$' and code !~ '^0(2|3|5[03-9])') then return private.isbn13(code); end if;
  if folded is null or length(folded) not between 2 and 100
     or with_digits ~ '@|://|www\.|\.(com|org|net|edu|gov|info|gh)\M|([0-9][^[:alnum:]]*){7}' then return null; end if;
  return folded;
end $$;

drop function public.issue_invoice, private.issue_invoice;

create function private.issue_invoice(_order_id uuid)
returns table (reference text, issued_at timestamptz, changed_at timestamptz) language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  invoice public.invoices;
begin
  -- Locked, so that two people who open it for the first time use up only one number.
  select * into of_order from public.orders
   where id = _order_id and (user_id = auth.uid() or private.is_staff())
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
       where l.table_name = 'orders' and l.row_id = _order_id::text and l.action = 'change' and l.happened_at > invoice.issued_at);
end $$;
select private.expose('issue_invoice', 'authenticated', 'service_role');

-- What was counted by the old rule and wouldn't be by the new one.
delete from private.unmet_demand where private.demand_text(text) is distinct from text;
delete from private.unmet_demand_visitors where private.demand_text(text) is distinct from text;
