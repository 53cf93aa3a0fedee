-- Goods in: what arrived, booked in one step that moves the stock, and undone in one while nothing of it was sold. For staff only.

create table public.receipts (
  -- Chosen by the client: the same booking twice is one.
  id uuid primary key,
  purchase_order_id uuid references public.purchase_orders (id) on delete restrict,
  currency text not null,
  -- Cedis for one unit of the currency on that day, as staff typed it.
  rate numeric(12, 6) not null,
  note text,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  undone_at timestamptz,
  constraint receipts_currency_is_known check (currency in ('GHS', 'GBP', 'USD', 'EUR', 'NGN', 'ZAR', 'INR', 'CNY', 'AED')),
  constraint receipts_rate_is_sane check (rate > 0 and rate <= 100000 and (currency <> 'GHS' or rate = 1)),
  constraint receipts_note_is_short check (length(note) <= 2000)
);
create index receipts_newest_first on public.receipts (created_at desc, id desc);
create index receipts_by_purchase_order on public.receipts (purchase_order_id);

alter table public.receipts enable row level security;
grant select on public.receipts to authenticated, service_role;

create policy "staff read receipts" on public.receipts
  for select to authenticated using ((select private.has_duty('stock')));

create table public.receipt_lines (
  id bigint generated always as identity primary key,
  receipt_id uuid not null references public.receipts (id) on delete cascade,
  -- No foreign key: the line outlives its book.
  book_id uuid not null,
  title text not null,
  isbn text,
  -- What the purchase order still waited for: more than the copies were too few, fewer too many. Null for a book that was not ordered.
  expected integer,
  -- To sell, and damaged, which are not taken into stock.
  copies integer not null,
  damaged integer not null,
  -- Of a copy in the receipt's currency, and in cedis at its rate; null where staff left it out.
  cost numeric(16, 6),
  cost_cedis numeric(16, 6),
  -- The movement of stock that it made.
  movement_id bigint,
  constraint receipt_lines_one_line_a_book unique (receipt_id, book_id),
  constraint receipt_lines_copies_are_sane check (
    copies between 0 and 99999 and damaged between 0 and 99999 and copies + damaged > 0 and expected >= 0),
  constraint receipt_lines_cost_is_not_negative check (cost >= 0 and cost_cedis >= 0)
);
-- From a line of the stock card to its receipt.
create index receipt_lines_by_movement on public.receipt_lines (movement_id) where movement_id is not null;

alter table public.receipt_lines enable row level security;
grant select on public.receipt_lines to authenticated, service_role;

create policy "staff read the lines of receipts" on public.receipt_lines
  for select to authenticated using ((select private.has_duty('stock')));

create trigger record_audit after insert or update or delete on public.receipts
  for each row execute function private.record_audit();

/* The lines as a table, refused as a whole when one of them is not a book and copies, or has a cost that is none. */
create function private.read_receipt_lines(_lines jsonb)
returns table (book_id uuid, copies int, damaged int, cost numeric)
language plpgsql immutable set search_path = '' as $$
begin
  if _lines is null or jsonb_typeof(_lines) <> 'array' or jsonb_array_length(_lines) not between 1 and 1000 then
    perform private.refuse('PT400', 'invalid_lines', 'A receipt has between 1 and 1,000 lines.');
  end if;
  if exists (
    select from jsonb_array_elements(_lines) as line
     where case when jsonb_typeof(line) <> 'object' then true
                when line ->> 'book_id' ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' is not true then true
                when jsonb_typeof(line -> 'copies') is distinct from 'number' then true
                when jsonb_typeof(line -> 'damaged') is distinct from 'number' then true
                when coalesce(jsonb_typeof(line -> 'cost'), 'null') not in ('number', 'null') then true
                else (line ->> 'copies')::numeric not between 0 and 99999
                  or (line ->> 'damaged')::numeric not between 0 and 99999
                  or (line ->> 'copies')::numeric + (line ->> 'damaged')::numeric < 1
                  or (line ->> 'copies')::numeric <> trunc((line ->> 'copies')::numeric)
                  or (line ->> 'damaged')::numeric <> trunc((line ->> 'damaged')::numeric)
                  or coalesce((line ->> 'cost')::numeric not between 0 and 99999.99, false)
                  or coalesce((line ->> 'cost')::numeric <> round((line ->> 'cost')::numeric, 2), false) end
  ) then
    perform private.refuse('PT400', 'invalid_lines',
      'Each line needs a book, copies and damaged ones from 0 to 99,999, together at least 1, and a cost from 0 to 99,999.99 or none.');
  end if;
  return query
    select (line ->> 'book_id')::uuid, (line ->> 'copies')::numeric::int, (line ->> 'damaged')::numeric::int,
           (line ->> 'cost')::numeric
      from jsonb_array_elements(_lines) as line;
  if (select count(distinct lower(l ->> 'book_id')) from jsonb_array_elements(_lines) as l) < jsonb_array_length(_lines) then
    perform private.refuse('PT400', 'invalid_lines', 'A receipt has one line for each book.');
  end if;
end $$;

/* Whether all, some or none of what was ordered has come; a cancelled purchase order stays cancelled. The caller holds its row. */
create function private.follow_received(_purchase_order_id uuid, _receipt_id uuid, _sign int)
returns void language plpgsql security definer set search_path = '' as $$
begin
  update public.purchase_order_lines p set received = p.received + _sign * r.copies
    from public.receipt_lines r
   where p.purchase_order_id = _purchase_order_id and r.receipt_id = _receipt_id and r.book_id = p.book_id and r.copies > 0;
  update public.purchase_orders o
     set status = case when o.status = 'cancelled' then o.status when l.waiting = 0 then 'received'
                       when l.received > 0 then 'part_received' else 'sent' end
    from (select count(*) filter (where received < copies) as waiting, sum(received) as received
            from public.purchase_order_lines where purchase_order_id = _purchase_order_id) as l
   where o.id = _purchase_order_id;
end $$;

/*
 * Whether a receipt has already been booked with these lines and this rate; false if there is none. One with different ones is refused:
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
create function private.book_receipt(
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
select private.expose('book_receipt', 'authenticated', 'service_role');

/*
 * Staff: undoes a receipt in one step: its copies leave the stock with the reason 'undo_receipt', and its purchase order waits for them
 * again. Refused once a title of it was ordered by a customer after it, even if that order was cancelled since, or has fewer copies in
 * stock than it brought. Undoing it again changes nothing.
 */
create function private.undo_receipt(_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  receipt public.receipts;
  book_ids uuid[];
  copies int[];
  sold jsonb;
begin
  perform private.require_duty('stock');
  perform private.lock_stock(false);
  perform from public.purchase_orders
    where id = (select r.purchase_order_id from public.receipts r where r.id = _id) for no key update;
  select * into receipt from public.receipts where id = _id for no key update;
  if not found then
    perform private.refuse('PT404', 'receipt_not_found', 'This receipt does not exist.');
  elsif receipt.undone_at is not null then
    return;
  end if;
  select array_agg(l.book_id order by l.book_id), array_agg(-l.copies order by l.book_id) into book_ids, copies
    from public.receipt_lines l where l.receipt_id = _id and l.copies > 0;
  if book_ids is not null then
    perform private.lock_books(book_ids);
    select jsonb_agg(jsonb_build_object('book_id', l.book_id, 'title', l.title) order by l.id) into sold
      from public.receipt_lines l
     where l.receipt_id = _id and l.copies > 0
       and exists (select from public.stock_movements m
                    where m.book_id = l.book_id and m.id > l.movement_id and m.quantity < 0 and m.reason in ('order', 'change', 'reopen'));
    if sold is not null then
      perform private.refuse('PT409', 'receipt_sold', 'This receipt can''t be undone: customers have ordered ' || (
        select string_agg(line ->> 'title', ', ') from jsonb_array_elements(sold) as line) || ' since.',
        jsonb_build_object('lines', sold));
    end if;
    perform private.move_locked_stock(book_ids, copies, 'undo_receipt', null);
    perform private.move_costs(_id, -1);
  end if;
  if receipt.purchase_order_id is not null then
    perform private.follow_received(receipt.purchase_order_id, _id, -1);
  end if;
  update public.receipts set undone_at = clock_timestamp() where id = _id;
end $$;
select private.expose('undo_receipt', 'authenticated', 'service_role');

/*
 * Staff: receipts, the newest first; _id only this one, _purchase_order_id only those of it. cost in cedis of the copies to sell, as
 * far as it is known; lines: [{"title", "isbn", "expected", "copies", "damaged", "cost", "cost_cedis"}]. _page from 1, _page_size at
 * most 1,000 (50).
 */
create function private.list_receipts(
  _id uuid default null, _purchase_order_id uuid default null, _page int default 1, _page_size int default 50
)
returns table (
  id uuid, purchase_order_id uuid, reference text, supplier_name text, currency text, rate numeric, note text, by_name text,
  created_at timestamptz, undone_at timestamptz, copies bigint, damaged bigint, cost numeric, lines jsonb, found bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('stock');
  return query execute
    'select r.id, r.purchase_order_id, o.reference, s.name, r.currency, r.rate, r.note, coalesce(p.full_name, p.email), r.created_at,
            r.undone_at, l.copies, l.damaged, l.cost, l.lines, r.found
       from (select *, count(*) over () as found from public.receipts
              where ($1 is null or id = $1) and ($2 is null or purchase_order_id = $2)
              order by created_at desc, id desc' || private.paging(_page, _page_size) || ') as r
       left join public.purchase_orders o on o.id = r.purchase_order_id
       left join public.suppliers s on s.id = o.supplier_id
       left join public.profiles p on p.id = r.actor
      cross join lateral (
        select sum(l.copies) as copies, sum(l.damaged) as damaged, round(sum(l.copies * l.cost_cedis), 2) as cost,
               jsonb_agg(jsonb_build_object(''title'', l.title, ''isbn'', l.isbn, ''expected'', l.expected, ''copies'', l.copies,
                 ''damaged'', l.damaged, ''cost'', l.cost, ''cost_cedis'', l.cost_cedis) order by l.id) as lines
          from public.receipt_lines l where l.receipt_id = r.id) as l
      order by r.created_at desc, r.id desc'
    using _id, _purchase_order_id;
end $$;
select private.expose('list_receipts', 'authenticated', 'service_role');
