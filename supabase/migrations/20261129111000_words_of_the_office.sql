-- Refusals and reports of the back office, in words that say what to do.

/* The text of a setting, or one of its lines, as it is stored. */
create or replace function private.checked_setting_text(_name text, _value jsonb, _kind text)
returns text language plpgsql immutable set search_path = '' as $$
declare
  rule constant jsonb := private.setting_rules() -> _name;
  cleaned text;
begin
  if jsonb_typeof(_value) is distinct from 'string' then perform private.refuse_setting(_name, 'type', '%s must be a text.'); end if;
  cleaned := coalesce(case when _kind = 'text' then private.clean_text(_value #>> '{}') else private.clean_line(_value #>> '{}') end, '');
  if length(cleaned) > (rule ->> 'max')::int then
    perform private.refuse_setting(_name, 'max_length', '%s is too long (at most ' || (rule ->> 'max') || ' characters'
      || case when _kind in ('line', 'text', 'email', 'phone', 'url') then ').' else ' each).' end);
  elsif cleaned = '' then
    return '';
  elsif _kind = 'email' and not private.is_email(cleaned) then
    perform private.refuse_setting(_name, 'email', '%s must be an email address, such as orders@shop.example.');
  elsif _kind in ('phone', 'phones') then
    cleaned := private.phone(cleaned);
    -- Anyone may read it, even from abroad.
    if cleaned ~ '^\+' then return cleaned; end if;
    perform private.refuse_setting(_name, 'phone', '%s must be a Ghanaian number or have a country code, such as 030 200 0140 or +233 30 200 0140.');
  elsif _kind = 'url' and not private.is_web_address(cleaned) then
    perform private.refuse_setting(_name, 'url', '%s must be an address that starts with https://.');
  elsif _kind = 'choice' and not rule -> 'choices' ? cleaned then
    perform private.refuse_setting(_name, 'choice', '%s: unknown choice.');
  end if;
  return cleaned;
end $$;

/* A setting's value as it is stored; refused by name if it may not have it. */
create or replace function private.checked_setting(_name text, _value jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  rule constant jsonb := private.setting_rules() -> _name;
  kind constant text := rule ->> 'kind';
  item jsonb;
  line text;
  checked jsonb := '[]';
begin
  if rule is null then
    perform private.refuse('PT400', 'invalid_field', 'Unknown setting.', jsonb_build_object('field', _name, 'rule', 'known'));
  elsif kind in ('line', 'text', 'email', 'phone', 'url', 'choice') then
    line := private.checked_setting_text(_name, _value, kind);
    if line = '' and ((rule ->> 'required')::boolean or kind = 'choice') then
      perform private.refuse_setting(_name, 'required', '%s is required.');
    end if;
    return to_jsonb(line);
  elsif kind = 'yes' then
    if jsonb_typeof(_value) is distinct from 'boolean' then perform private.refuse_setting(_name, 'type', '%s must be yes or no.'); end if;
    return _value;
  elsif kind = 'number' then
    if jsonb_typeof(_value) is distinct from 'number' or (_value #>> '{}')::numeric <> trunc((_value #>> '{}')::numeric)
       or (_value #>> '{}')::numeric not between coalesce((rule ->> 'min')::numeric, 0) and (rule ->> 'max')::numeric then
      perform private.refuse_setting(_name, 'range',
        format('%%s must be a whole number from %s to %s.', coalesce(rule ->> 'min', '0'), rule ->> 'max'));
    end if;
    return to_jsonb((_value #>> '{}')::int);
  end if;
  if jsonb_typeof(_value) is distinct from 'array' or jsonb_array_length(_value) > (case kind when 'words' then 1000 else 50 end) then
    perform private.refuse_setting(_name, 'max_lines', '%s has too many lines.');
  end if;
  for item in select * from jsonb_array_elements(_value) loop
    if kind in ('lines', 'phones') then
      line := private.checked_setting_text(_name, item, kind);
      if line <> '' then checked := checked || to_jsonb(line); end if;
    elsif kind = 'words' then
      checked := checked || jsonb_build_array(private.checked_search_words(_name, item));
    elsif kind = 'terms' then
      checked := checked || private.checked_school_term(_name, item);
    elsif kind = 'fees' then
      checked := checked || private.checked_delivery_fee(_name, item);
    else
      checked := checked || private.checked_tax(_name, item);
    end if;
  end loop;
  if kind = 'taxes' and (select sum((tax ->> 'percent')::numeric) from jsonb_array_elements(checked) as tax) > 100 then
    perform private.refuse_setting(_name, 'max', '%s together can''t be more than 100%%.');
  end if;
  return checked;
end $$;

/* A line of the delivery fees: {"method": "deliver", "regions": […], "below": 300, "fee": 20}, all but the fee optional. */
create or replace function private.checked_delivery_fee(_name text, _fee jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  regions constant jsonb := _fee -> 'regions';
  amounts constant jsonb[] := array[_fee -> 'fee', _fee -> 'below'];
  amount jsonb;
begin
  if jsonb_typeof(_fee) is distinct from 'object' or _fee - array['method', 'regions', 'below', 'fee'] <> '{}'
     or jsonb_typeof(_fee -> 'fee') is distinct from 'number' then
    perform private.refuse_setting(_name, 'fee', '%s: each line needs a fee in cedis.');
  end if;
  foreach amount in array amounts loop
    continue when amount is null;
    if jsonb_typeof(amount) <> 'number' or amount::numeric not between 0 and 99999.99 or amount::numeric <> round(amount::numeric, 2)
       or amount = _fee -> 'below' and amount::numeric = 0 then
      perform private.refuse_setting(_name, 'range', '%s: an amount must be between 0 and 99,999.99 cedis.');
    end if;
  end loop;
  if regions is not null and (jsonb_typeof(regions) <> 'array' or jsonb_array_length(regions) = 0
     or not (regions <@ to_jsonb(private.regions()))) then
    perform private.refuse_setting(_name, 'region', '%s: a line names a region that Ghana doesn''t have, or none.');
  end if;
  if _fee ? 'method' and _fee -> 'method' not in ('"deliver"', '"bus_station"') then
    perform private.refuse_setting(_name, 'method', '%s: each line must be for delivery to the address, to a bus parcel station, or for both.');
  end if;
  return _fee;
end $$;

/* Why an order was left out, as a sentence for staff. */
create or replace function private.word_step_back(_step text, _status text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case _step
    when 'reopen' then 'It is cancelled and was not reopened.'
    when 'cancel_paid' then 'It has been paid and was not cancelled.'
    when 'cancel_sent' then format('It is already %s and was not cancelled.', _status)
    when 'set_back' then format('It is already %s and was not moved back.', _status) end
$$;

/* A client's own statement takes nothing back of several orders; set_order_statuses does so where it is chosen. */
create or replace function private.refuse_steps_back()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from new_orders) > 1 and exists (
    select from new_orders as n join old_orders as o using (id)
     where private.step_back(o.status, n.status, o.paid_amount) is not null
  ) then
    perform private.refuse('PT409', 'step_back_not_chosen', 'Reopen, move back or cancel orders like these one by one.');
  end if;
  return null;
end $$;

create or replace function private.keep_given_code()
returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.refuse('PT409', 'code_given', 'A code that belongs to an order can''t be changed or deleted.');
  return null;
end $$;

/*
 * Staff: records up to 1,000 payments of one method, each as record_payment does: objects with line (of the statement), order_id, amount,
 * paid_on, reference and more_than_due (whether staff have confirmed that). All are recorded or none: if any is refused, details "lines"
 * lists each refused one with its line, order_number, code and message. Returns how many payments there are. _statement_id is made by
 * the client: a line of the same statement is recorded once, however often it is sent.
 */
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
  perform private.require_duty('payments');
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
        perform private.refuse('PT409', 'payment_recorded', format('This has already been recorded for order %s.', earlier.order_number));
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

/* Sets the reason and note of the transaction's next stock movements, until end_stock_explanation. Refuses a reason that doesn't fit the direction. */
create or replace function private.explain_stock_change(_copies int, _reason text, _note text, _change_id uuid default null)
returns void language plpgsql set search_path = '' as $$
declare
  note constant text := private.require_text('note', 'The note', private.clean_line(_note), 200);
begin
  if coalesce(_reason, '') not in ('found', 'damaged', 'lost', 'sample', 'gift', 'correction') then
    perform private.refuse('PT400', 'invalid_field', 'Choose why the stock has changed.',
      jsonb_build_object('field', 'reason', 'rule', 'choice'));
  elsif _copies > 0 and _reason not in ('found', 'correction') then
    perform private.refuse('PT400', 'invalid_field', 'For an increase, choose Found or Correction.',
      jsonb_build_object('field', 'reason', 'rule', 'direction'));
  elsif _copies < 0 and _reason = 'found' then
    perform private.refuse('PT400', 'invalid_field', 'For a decrease, you can''t choose Found.',
      jsonb_build_object('field', 'reason', 'rule', 'direction'));
  end if;
  perform set_config('shop.stock_reason', _reason, true), set_config('shop.stock_note', coalesce(note, ''), true),
          set_config('shop.stock_change', coalesce(_change_id::text, ''), true);
end $$;

/*
 * Staff: adds copies to a book's stock, or takes some out (negative), even while others are being sold. _reason found, damaged, lost, sample,
 * gift or correction; more copies are found or corrected. _note has at most 200 characters. Returns the copies that there are now. Repeating
 * a _change_id moves nothing, and is refused for another book, number or reason.
 */
create or replace function private.change_stock(_change_id uuid, _book_id uuid, _copies int, _reason text, _note text default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  book public.books;
  before public.stock_movements;
begin
  perform private.require_duty('stock');
  if _change_id is null then
    perform private.refuse('PT400', 'invalid_field', 'Please reload the page and try again.', '{"field": "change_id", "rule": "required"}');
  end if;
  perform private.lock_stock(false);
  perform private.lock_books(array[_book_id]);
  select * into book from public.books where id = _book_id;
  if book.id is null then
    perform private.refuse('PT404', 'book_not_found', 'This book no longer exists.');
  end if;
  select * into before from public.stock_movements where change_id = _change_id;
  if (before.book_id, before.quantity, before.reason) is not distinct from (_book_id, _copies, _reason) then
    return book.stock_quantity;
  elsif before.id is not null then
    perform private.refuse('PT409', 'stock_change_exists', 'A different change has already been saved. Please reload the page to see it.');
  end if;
  perform private.refuse_digital(array[_book_id]);
  perform private.require_number('copies', 'The number of copies', nullif(_copies, 0), -10000000, 10000000);
  if book.stock_quantity + _copies < 0 then
    perform private.refuse('PT409', 'insufficient_stock', format('There are only %s in stock.', book.stock_quantity),
      jsonb_build_object('left', book.stock_quantity));
  end if;
  perform private.explain_stock_change(_copies, _reason, _note, _change_id);
  update public.books set stock_quantity = stock_quantity + _copies where id = _book_id;
  perform private.end_stock_explanation();
  return book.stock_quantity + _copies;
end $$;

/*
 * Whether a receipt has already been booked with these lines and this rate; false if there is none. One with different ones is refused:
 * staff would take it for what they have corrected since.
 */
create or replace function private.is_receipt_booked(_id uuid, _lines jsonb, _rate numeric)
returns boolean language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.receipts where id = _id) then return false; end if;
  if exists (select from public.receipts where id = _id and rate is distinct from _rate) or exists (
    select from private.read_receipt_lines(_lines) as l
      full join (select * from public.receipt_lines where receipt_id = _id) as r using (book_id)
     where (l.copies, l.damaged) is distinct from (r.copies, r.damaged) or l.cost is not null and l.cost is distinct from r.cost)
  then
    perform private.refuse('PT409', 'receipt_exists', 'This receipt has already been booked with different values. You can undo it in the list of receipts.');
  end if;
  return true;
end $$;

/*
 * Staff: books what arrived in one step: the copies to sell go into stock with the reason 'receipt', and those of a purchase order count
 * there. _lines: [{"book_id": …, "copies": …, "damaged": …, "cost": of a copy or null}], one a book; an ordered book without a cost has
 * that of the purchase order. Against a purchase order, _version is the one that staff saw, and its currency counts. _rate is cedis
 * for one unit of the currency, 1 for GHS. The same _id again books nothing,
 * and is refused with different lines or a different rate.
 */
create or replace function private.book_receipt(
  _id uuid, _lines jsonb, _purchase_order_id uuid default null, _version int default null, _currency text default 'GHS',
  _rate numeric default 1, _note text default null
)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
  note constant text := private.require_text('note', 'The note', private.clean_text(_note), 2000);
  currency text := _currency;
  rate constant numeric := round(_rate, 6);
  book_ids constant uuid[] := array(select l.book_id from private.read_receipt_lines(_lines) as l order by 1);
  moved_ids uuid[];
  moved_copies int[];
begin
  perform private.require_duty('stock');
  -- Before any row, like everything that moves stock; then the purchase order and the books.
  perform private.lock_stock(false);
  if _purchase_order_id is not null then
    select * into purchase from public.purchase_orders where id = _purchase_order_id for no key update;
    if private.is_receipt_booked(_id, _lines, rate) then return _id; end if;
    purchase := private.lock_purchase_order(_purchase_order_id, _version);
    if purchase.status not in ('sent', 'part_received') then
      perform private.refuse('PT409', 'purchase_order_not_sent', 'Goods are received against a purchase order that has been sent.',
        jsonb_build_object('status', purchase.status));
    end if;
    currency := purchase.currency;
  end if;
  if coalesce(currency, '') not in ('GHS', 'GBP', 'USD', 'EUR', 'NGN', 'ZAR', 'INR', 'CNY', 'AED') then
    perform private.refuse('PT400', 'invalid_field', 'Choose the currency.', '{"field": "currency", "rule": "choice"}');
  elsif currency = 'GHS' and rate is distinct from 1 then
    perform private.refuse('PT400', 'invalid_field', 'The rate for cedis must be 1.', '{"field": "rate", "rule": "range"}');
  end if;
  perform private.require_number('rate', 'The rate', rate, 0.000001, 100000);
  insert into public.receipts (id, purchase_order_id, currency, rate, note) values (_id, _purchase_order_id, currency, rate, note)
  on conflict (id) do nothing;
  if not found then
    perform private.is_receipt_booked(_id, _lines, rate);
    return _id;
  end if;

  perform private.lock_books(book_ids);
  perform private.refuse_digital(book_ids);
  insert into public.receipt_lines (receipt_id, book_id, title, isbn, expected, copies, damaged, cost, cost_cedis)
  select _id, b.id, b.title, b.isbn, case when p.id is not null then greatest(p.copies - p.received, 0) end, l.copies, l.damaged, c.cost, round(c.cost * rate, 6)
    from private.read_receipt_lines(_lines) as l
    join public.books b on b.id = l.book_id
    left join public.purchase_order_lines p on p.purchase_order_id = _purchase_order_id and p.book_id = l.book_id
   cross join lateral (select coalesce(l.cost, p.cost) as cost) as c
   order by private.fold(b.title), b.id;
  if (select count(*) from public.receipt_lines where receipt_id = _id) < cardinality(book_ids) then
    perform private.refuse('PT404', 'book_not_found', 'A book of this receipt no longer exists.');
  end if;
  select array_agg(l.book_id), array_agg(l.copies) into moved_ids, moved_copies
    from public.receipt_lines l where l.receipt_id = _id and l.copies > 0;
  if moved_ids is not null then
    perform private.move_locked_stock(moved_ids, moved_copies, 'receipt', null);
    -- The books are locked: their last movements are these.
    update public.receipt_lines l
       set movement_id = (select max(m.id) from public.stock_movements m where m.book_id = l.book_id)
     where l.receipt_id = _id and l.copies > 0;
    perform private.move_costs(_id, 1);
  end if;
  if _purchase_order_id is not null then
    perform private.follow_received(_purchase_order_id, _id, 1);
  end if;
  return _id;
end $$;

/*
 * Staff begin a count. _scope publisher (_value is its name), shelf (_value is how the places begin, in any case) or books (_codes are ISBNs
 * or codes in any spelling, at most 10,000; those without a book are kept in unknown_codes). The same _id again begins nothing.
 */
create or replace function private.begin_stock_count(_id uuid, _name text, _scope text, _value text default null, _codes text[] default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  written_name constant text := private.clean_line(_name);
  value constant text := private.clean_line(_value);
  unknown text[] := '{}';
begin
  perform private.require_duty('stock');
  if exists (select from public.stock_counts c where c.id = _id) then return; end if;
  perform private.require_text('name', 'The name', written_name, 100, true);
  if coalesce(_scope, '') not in ('publisher', 'shelf', 'books') then
    perform private.refuse('PT400', 'invalid_field', 'Choose what to count.', jsonb_build_object('field', 'scope', 'rule', 'choice'));
  elsif _scope <> 'books' and value is null then
    perform private.refuse('PT400', 'invalid_field', 'Choose a publisher or enter a shelf place.',
      jsonb_build_object('field', 'value', 'rule', 'required'));
  elsif cardinality(_codes) > 10000 then
    perform private.refuse('PT400', 'too_many_lines', 'A count can start with at most 10,000 lines.', jsonb_build_object('limit', 10000));
  end if;
  if _scope = 'books' then
    unknown := array(
      select left(private.clean_line(line), 100) from unnest(_codes) with ordinality as typed (line, n)
       where private.clean_line(line) is not null
         and not exists (select from public.books b where b.isbn_key = private.isbn_key(line))
       order by n);
  end if;
  insert into public.stock_counts (id, name, scope, scope_value, unknown_codes)
  values (_id, written_name, _scope, case when _scope <> 'books' then value end, unknown)
  on conflict do nothing;
  if not found then return; end if;
  insert into public.stock_count_books (count_id, book_id, in_scope)
  select _id, b.id, true from public.books b
   where b.kind <> 'digital' and case _scope
           when 'publisher' then b.publisher = value
           when 'shelf' then starts_with(lower(b.shelf), lower(value))
           else b.isbn_key in (select private.isbn_key(line) from unnest(_codes) as line) end;
  if not found then
    perform private.refuse('PT404', 'no_books', case _scope
      when 'publisher' then 'There is no book of this publisher.'
      when 'shelf' then 'There is no book at this shelf place.'
      else 'There is no book with any of these ISBNs or codes.' end);
  end if;
end $$;

/*
 * Staff: agrees on a day and time within a year, or on another one, and emails it; returns the new version. _how 'place', 'phone' or
 * 'online'; _place the address, the number, or the means and link, which only a call may lack.
 */
create or replace function private.date_consultation(_id uuid, _version int, _meets_at timestamptz, _how text, _place text default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  consultation public.consultations;
  place constant text := private.clean_line(_place);
begin
  perform private.require_duty('schools');
  if _how is null or _how not in ('place', 'phone', 'online') then
    perform private.refuse('PT400', 'invalid_field', 'Choose how you''ll meet.', '{"field": "meets_how", "rule": "choice"}');
  end if;
  perform private.require_text('meeting_place', 'The place', place, 300, _how <> 'phone');
  if _meets_at is null or _meets_at not between clock_timestamp() and clock_timestamp() + interval '366 days' then
    perform private.refuse('PT400', 'invalid_field', 'The time must be within the next 366 days.', '{"field": "meets_at", "rule": "range"}');
  end if;
  consultation := private.lock_open_consultation(_id, _version);
  update public.consultations
     set meets_at = _meets_at, meets_how = _how, meeting_place = place, revision = revision + 1, version = version + 1,
         updated_at = clock_timestamp()
   where id = _id returning * into consultation;
  if consultation.email is not null then
    perform private.queue_email('consultation_dated', consultation.id::text || ':' || consultation.revision, null);
  end if;
  return consultation.version;
end $$;
