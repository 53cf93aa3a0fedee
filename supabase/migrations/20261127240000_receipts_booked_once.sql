-- A receipt that is sent again with other values is refused instead of shown as booked.

/*
 * Whether a receipt was already booked with these lines and this rate; false if there is none. One that was booked with others is refused:
 * staff would take it for what they have corrected since.
 */
create function private.is_receipt_booked(_id uuid, _lines jsonb, _rate numeric)
returns boolean language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.receipts where id = _id) then return false; end if;
  if exists (select from public.receipts where id = _id and rate is distinct from _rate) or exists (
    select from private.read_receipt_lines(_lines) as l
      full join (select * from public.receipt_lines where receipt_id = _id) as r using (book_id)
     where (l.copies, l.damaged) is distinct from (r.copies, r.damaged) or l.cost is not null and l.cost is distinct from r.cost)
  then
    perform private.refuse('PT409', 'receipt_exists', 'This receipt was already booked with other values. It is in the list of receipts, where it can be undone.');
  end if;
  return true;
end $$;

/*
 * Staff: books what arrived in one step: the copies to sell go into stock with the reason 'receipt', and those of a purchase order count
 * there. _lines: [{"book_id": …, "copies": …, "damaged": …, "cost": of a copy or null}], one a book; an ordered book without a cost has
 * that of the purchase order. Against a purchase order, _version is the one that staff saw, and its currency counts. _rate is cedis
 * for one unit of the currency, 1 for GHS. The same _id again books nothing,
 * and is refused with other lines or another rate.
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
    perform private.refuse('PT400', 'invalid_field', 'The rate of cedis is 1.', '{"field": "rate", "rule": "range"}');
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
