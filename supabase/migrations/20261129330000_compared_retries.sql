-- What staff send a second time under the id of an earlier attempt, changed since, is refused with what was stored: it was answered as saved,
-- although the changes were not.

/* Staff: adds a note to an order, once per _note_id, which is refused with other words. Customers never see it. */
create or replace function private.add_order_note(_note_id uuid, _order_id uuid, _body text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  written constant text := private.clean_text(_body);
begin
  perform private.require_duty('orders');
  perform private.require_text('body', 'The note', written, 2000, true);
  -- Held until the end, so that a customer who is being forgotten is forgotten with this note.
  perform from public.orders where id = _order_id for share;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  insert into public.order_notes (id, order_id, body) values (coalesce(_note_id, gen_random_uuid()), _order_id, written)
  on conflict (id) do nothing;
  if not found and not exists (
    select from public.order_notes n where n.id = _note_id and n.order_id = _order_id and n.body = written
  ) then
    perform private.refuse('PT409', 'note_exists',
      'This note was already added, before your last changes. You''ll find it in the order''s history.');
  end if;
end $$;

/*
 * Staff: records by hand that money was received for an order, or refunded; returns the row's id. The id is made by
 * the client, so that a retry records nothing twice, and is refused with other values. Amounts in cedis, above 0. More
 * than is due is refused unless confirmed.
 */
create or replace function private.record_payment(
  _payment_id uuid, _order_id uuid, _kind text, _method text, _amount numeric, _paid_on date, _reference text default null,
  _note text default null, _more_than_due boolean default false
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  known public.payments;
  written_reference constant text := private.clean_line(_reference);
  written_note constant text := private.clean_text(_note);
  still_due numeric;
begin
  perform private.require_duty('payments');
  of_order := private.require_payment_order(_order_id);
  select * into known from public.payments where id = _payment_id;
  if found then
    if (known.order_id, known.kind, known.method, abs(known.amount), known.paid_on, known.reference, known.note)
       is distinct from (_order_id, _kind, _method, _amount, _paid_on, written_reference, written_note) then
      perform private.refuse('PT409', 'payment_exists',
        'This was already recorded, before your last changes. You''ll find it among the order''s payments.');
    end if;
    return _payment_id;
  end if;
  if _kind is null or _kind not in ('payment', 'refund') then
    perform private.refuse('PT400', 'invalid_field', 'Choose whether money was received or refunded.',
      jsonb_build_object('field', 'kind', 'rule', 'choice', 'choices', jsonb_build_array('payment', 'refund')));
  end if;
  if _kind = 'refund' then perform private.require_duty('refunds'); end if;
  if _method is null or _method not in ('mobile_money', 'cash', 'bank_transfer') then
    perform private.refuse('PT400', 'invalid_field', 'Choose how it was paid.',
      jsonb_build_object('field', 'method', 'rule', 'choice', 'choices', jsonb_build_array('mobile_money', 'cash', 'bank_transfer')));
  end if;
  perform private.require_number('amount', 'The amount', _amount, 0.01, 99999999.99);
  perform private.require_pesewas('amount', 'The amount', _amount);
  if _paid_on is null or _paid_on > private.today() or _paid_on < date '2020-01-01' then
    perform private.refuse('PT400', 'invalid_field', 'The date must not be in the future.',
      jsonb_build_object('field', 'paid_on', 'rule', 'date'));
  end if;
  perform private.require_text('reference', 'The transaction ID', written_reference, 100, _method = 'mobile_money');
  perform private.require_text('note', 'The note', written_note, 500);
  if written_reference is not null and _method <> 'cash' then
    -- Two people may record the same message from the operator, each for a different order.
    perform pg_advisory_xact_lock(hashtext('public.payments'), hashtext(upper(written_reference)));
    if exists (
      select from public.payments p
       where p.method = _method and p.method <> 'paystack' and upper(p.reference) = upper(written_reference) and p.kind = _kind
         and not exists (select from public.payments c where c.kind = 'correction' and c.about = p.id)
    ) then
      perform private.refuse('PT409', 'reference_recorded', 'This transaction ID has been recorded before.');
    end if;
  end if;
  if _kind = 'refund' then
    perform private.require_not_kept(_order_id, _amount);
    perform private.require_refundable(_amount, private.refundable_amount(_order_id));
  else
    select due into still_due from private.order_payments where order_id = _order_id;
    if _amount > still_due and not coalesce(_more_than_due, false) then
      perform private.refuse('PT409', 'more_than_due', format('Only GH₵%s is due.', to_char(still_due, 'FM999999990.00')),
        jsonb_build_object('due', still_due));
    end if;
  end if;
  insert into public.payments (id, order_id, order_number, user_id, kind, method, amount, reference, state, paid_on, note, settled_at)
  values (coalesce(_payment_id, gen_random_uuid()), _order_id, of_order.number, of_order.user_id, _kind, _method,
          case _kind when 'refund' then -_amount else _amount end, written_reference, 'settled', _paid_on, written_note,
          clock_timestamp())
  returning id into _payment_id;
  return _payment_id;
end $$;

/*
 * Staff: has Paystack refund some or all of a payment, in cedis above 0; returns the refund's id, which the client
 * creates, so that a retry refunds nothing twice, and is refused with other values. It is open until Paystack has made
 * it.
 */
create or replace function private.refund_payment(_refund_id uuid, _payment_id uuid, _amount numeric, _note text default null)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  known public.payments;
  written_note constant text := private.clean_text(_note);
begin
  perform private.require_duty('payments', 'refunds');
  payment := private.require_payment(_payment_id);
  select * into known from public.payments where id = _refund_id;
  if found then
    if (known.about, known.kind, known.amount, known.note) is distinct from (_payment_id, 'refund', -_amount, written_note) then
      perform private.refuse('PT409', 'refund_exists',
        'This refund was already requested, before your last changes. You''ll find it among the order''s payments.');
    end if;
    return _refund_id;
  end if;
  if payment.method <> 'paystack' or payment.kind <> 'payment' or payment.state <> 'settled' then
    perform private.refuse('PT409', 'not_by_paystack', 'Only a settled Paystack payment can be refunded through Paystack.');
  end if;
  perform private.require_number('amount', 'The amount', _amount, 0.01, 99999999.99);
  perform private.require_pesewas('amount', 'The amount', _amount);
  perform private.require_text('note', 'The note', written_note, 500);
  perform private.require_not_kept(payment.order_id, _amount);
  perform private.require_refundable(_amount, least(private.refundable_amount(payment.order_id), payment.amount + (
    select coalesce(sum(r.amount), 0) from public.payments r where r.kind = 'refund' and r.about = _payment_id and r.state <> 'failed')));
  insert into public.payments (id, order_id, order_number, user_id, kind, method, amount, about, state, note, check_at)
  values (coalesce(_refund_id, gen_random_uuid()), payment.order_id, payment.order_number, payment.user_id, 'refund', 'paystack',
          -_amount, payment.id, 'open', written_note, clock_timestamp())
  returning id into _refund_id;
  return _refund_id;
end $$;

/*
 * Staff close a day for one method: _counted cedis. _expected is what they were shown; if payments have changed since, it is refused
 * with the new total. Repeating an _id changes nothing, and is refused with other values.
 */
create or replace function private.close_day(_id uuid, _day date, _method text, _expected numeric, _counted numeric, _note text default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  written_note constant text := private.clean_text(_note);
  now_expected numeric;
  known public.closings;
begin
  perform private.require_duty('payments');
  if _id is null or _day is null or _day > private.today() or _day < '2000-01-01' then
    perform private.refuse('PT400', 'invalid_field', 'Please choose a day that is not in the future.', jsonb_build_object('field', 'day', 'rule', 'range'));
  end if;
  if _method is null or _method <> all ('{paystack,mobile_money,cash,bank_transfer}') then
    perform private.refuse('PT400', 'invalid_field', 'Unknown method.', jsonb_build_object('field', 'method', 'rule', 'choice'));
  end if;
  perform private.require_number('counted', 'What was counted', _counted, 0, 99999999.99), private.require_pesewas('counted', 'What was counted', _counted);
  perform private.require_text('note', 'The note', written_note, 500);
  perform pg_advisory_xact_lock(hashtext('public.closings'));
  select * into known from public.closings c where c.id = _id;
  if found then
    if (known.day, known.method, known.counted, known.note) is distinct from (_day, _method, _counted, written_note) then
      perform private.refuse('PT409', 'closing_exists',
        'This day was already closed, before your last changes. You''ll find what was counted on its sheet.');
    end if;
    return;
  end if;
  select coalesce(sum(p.amount), 0) into now_expected from public.payments p
   where p.state = 'settled' and p.paid_on = _day and p.method = _method;
  if now_expected is distinct from _expected then
    perform private.refuse('PT409', 'takings_changed',
      format('The payments of this day have changed: the total is now %s cedis. Please count again.', now_expected),
      jsonb_build_object('expected', now_expected));
  end if;
  insert into public.closings (id, day, method, expected, counted, note) values (_id, _day, _method, now_expected, _counted, written_note);
end $$;

/*
 * Staff: keeps _amount cedis of what is owed back for an order, in place of what was kept before; 0 owes all of it again. The reason, which
 * an amount needs, becomes a note about the order, once per _note_id.
 */
create or replace function private.keep_overpayment(_order_id uuid, _amount numeric, _reason text default null, _note_id uuid default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  written_reason constant text := private.clean_text(_reason);
  written_note text;
  most numeric;
begin
  perform private.require_duty('payments', 'refunds');
  of_order := private.require_payment_order(_order_id);
  perform private.require_number('amount', 'The amount', _amount, 0, 99999999.99);
  perform private.require_pesewas('amount', 'The amount', _amount);
  written_note := case when _amount > 0 then format('Kept GH₵%s: %s', to_char(_amount, 'FM999999990.00'), written_reason)
                       else 'No money is kept any longer.' end;
  if exists (select from public.order_notes n where n.id = _note_id and (n.order_id, n.body) is distinct from (_order_id, written_note)) then
    perform private.refuse('PT409', 'note_exists',
      'This was already saved, before your last changes. You''ll find it in the order''s history.');
  end if;
  if _amount = of_order.kept_amount then return; end if;
  perform private.require_text('reason', 'The reason', written_reason, 500, _amount > 0);
  most := least(private.owed_back(of_order.status, of_order.total_amount - of_order.returned_amount, of_order.paid_amount, 0),
                private.refundable_amount(_order_id));
  if _amount > most then
    perform private.refuse('PT409', 'more_than_owed_back', format('You can keep up to GH₵%s.', to_char(greatest(most, 0), 'FM999999990.00')),
      jsonb_build_object('most', greatest(most, 0)));
  end if;
  update public.orders set kept_amount = _amount where id = _order_id;
  insert into public.order_notes (id, order_id, body)
  values (coalesce(_note_id, gen_random_uuid()), _order_id, written_note)
  on conflict (id) do nothing;
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
  known public.stock_counts;
begin
  perform private.require_duty('stock');
  select * into known from public.stock_counts c where c.id = _id;
  if found then
    if (known.name, known.scope, known.scope_value) is distinct from (written_name, _scope, case when _scope <> 'books' then value end) then
      perform private.refuse('PT409', 'count_exists',
        'This count was already begun, before your last changes. You''ll find it under Counts.');
    end if;
    return;
  end if;
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
 * Staff: answers; the customer gets the words by email if there is an address, and reads them under their account. Returns the new version.
 * _answer_id is chosen by the client, so that a retry sends nothing twice.
 */
create or replace function private.answer_consultation(_id uuid, _version int, _answer_id uuid, _body text)
returns int language plpgsql security definer set search_path = '' as $$
declare
  consultation public.consultations;
  known public.consultation_answers;
  written constant text := private.clean_text(_body);
begin
  perform private.require_duty('schools');
  perform private.require_text('body', 'The answer', written, 4000, true);
  -- Two simultaneous presses are two requests: the second one waits here and then finds the first one's answer.
  perform from public.consultations where id = _id for no key update;
  select * into known from public.consultation_answers a where a.id = _answer_id;
  if found then
    if (known.consultation_id, known.body) is distinct from (_id, written) then
      perform private.refuse('PT409', 'answer_exists',
        'This answer was already saved, before your last changes. You''ll find it on the consultation''s page.');
    end if;
    return (select c.version from public.consultations c where c.id = _id);
  end if;
  consultation := private.lock_open_consultation(_id, _version);
  insert into public.consultation_answers (id, consultation_id, body, actor)
  values (coalesce(_answer_id, gen_random_uuid()), _id, written, auth.uid()) returning id into _answer_id;
  if consultation.email is not null then perform private.queue_email('consultation_answered', _answer_id::text, null); end if;
  update public.consultations
     set answered_at = coalesce(answered_at, clock_timestamp()), version = version + 1, updated_at = clock_timestamp()
   where id = _id returning * into consultation;
  return consultation.version;
end $$;

/* Staff: adds a note about a person, once per _note_id, which is refused with other words. The person never sees it. */
create or replace function private.add_person_note(_note_id uuid, _user_id uuid, _body text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  written constant text := private.clean_text(_body);
  known_email text;
begin
  perform private.require_duty('people');
  perform private.require_text('body', 'The note', written, 2000, true);
  -- Held until the end, so that a person who is being forgotten is forgotten with this note.
  select email into known_email from public.profiles where id = _user_id for share;
  if not found then
    perform private.refuse('PT404', 'user_not_found', 'This person no longer has an account.');
  elsif known_email is null then
    perform private.refuse('PT409', 'account_closed', 'This account is closed, and its details have been erased.');
  end if;
  insert into private.person_notes (id, user_id, body) values (coalesce(_note_id, gen_random_uuid()), _user_id, written)
  on conflict (id) do nothing;
  if not found and not exists (
    select from private.person_notes n where n.id = _note_id and n.user_id = _user_id and n.body = written
  ) then
    perform private.refuse('PT409', 'note_exists',
      'This note was already added, before your last changes. You''ll find it among the notes on this page.');
  end if;
end $$;
