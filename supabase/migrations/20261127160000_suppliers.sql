-- Suppliers, purchase orders and receipts: whom the shop buys from, on what terms, what it has ordered there and what arrived.

alter table public.stock_movements drop constraint stock_movements_reason_is_known;
alter table public.stock_movements add constraint stock_movements_reason_is_known check (reason in (
  'order', 'change', 'cancel', 'delete', 'reopen', 'manual', 'import', 'return',
  'found', 'damaged', 'lost', 'sample', 'gift', 'correction', 'count', 'receipt', 'undo_receipt'
));

-- Suppliers: whom the shop buys from, on what terms. For staff alone.

create table public.suppliers (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  name_key text collate "C" generated always as (private.fold(name)) stored,
  contact_name text,
  email text,
  phone text,
  -- When and how it is paid, in the supplier's words.
  terms text,
  -- Usual discount on its list prices, in percent.
  discount numeric(5, 2) not null default 0,
  currency text not null default 'GHS',
  -- Usual days from order to delivery.
  delivery_days integer,
  -- Not offered for new purchase orders.
  hidden boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  constraint suppliers_name_is_unique unique (name_key),
  constraint suppliers_texts_are_short check (
    length(name) <= 200 and length(contact_name) <= 200 and length(email) <= 320 and length(phone) <= 40 and length(terms) <= 500
  ),
  constraint suppliers_discount_is_a_percentage check (discount between 0 and 100),
  constraint suppliers_currency_is_known check (currency in ('GHS', 'GBP', 'USD', 'EUR', 'NGN', 'ZAR', 'INR', 'CNY', 'AED')),
  constraint suppliers_delivery_is_within_a_year check (delivery_days between 0 and 365)
);

alter table public.suppliers enable row level security;
grant select on public.suppliers to authenticated, service_role;

create policy "admins read suppliers" on public.suppliers
  for select to authenticated using ((select private.is_admin()));

create trigger stamp_updated_at before update on public.suppliers
  for each row execute function private.stamp_updated_at();
create trigger record_audit after insert or update or delete on public.suppliers
  for each row execute function private.record_audit('updated_at');

/*
 * Staff: adds or changes a supplier. _id of a new one is the client's, so that a repeated save adds none; _updated_at is the
 * version that was opened, null for a new one. _discount in percent, at most two decimals. Returns the new version.
 */
create function private.save_supplier(
  _id uuid, _name text, _contact_name text default null, _email text default null, _phone text default null,
  _terms text default null, _discount numeric default 0, _currency text default 'GHS', _delivery_days int default null,
  _hidden boolean default false, _updated_at timestamptz default null
)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  stored public.suppliers;
  given public.suppliers;
begin
  perform private.require_staff();
  given.name := private.require_text('name', 'The name', private.clean_line(_name), 200, true);
  given.contact_name := private.require_text('contact_name', 'The contact person', private.clean_line(_contact_name), 200);
  given.email := private.require_text('email', 'The email address', private.clean_line(_email), 320);
  given.phone := private.require_text('phone', 'The phone number', private.clean_line(_phone), 40);
  given.terms := private.require_text('terms', 'The terms', private.clean_text(_terms), 500);
  perform private.require_contact('email', given.email, 'phone', given.phone);
  perform private.require_number('discount', 'The discount', _discount, 0, 100);
  perform private.require_pesewas('discount', 'The discount', _discount);
  if _delivery_days is not null then
    perform private.require_number('delivery_days', 'The days to deliver', _delivery_days, 0, 365);
  end if;
  if coalesce(_currency, '') not in ('GHS', 'GBP', 'USD', 'EUR', 'NGN', 'ZAR', 'INR', 'CNY', 'AED') then
    perform private.refuse('PT400', 'invalid_field', 'Choose the supplier''s currency.', '{"field": "currency", "rule": "choice"}');
  end if;

  -- One after the other: two who add the same name at once both get an answer in words.
  perform pg_advisory_xact_lock(hashtext('public.suppliers'), 0);
  select * into stored from public.suppliers where id = _id for no key update;
  if not found and _updated_at is not null then
    perform private.refuse('PT404', 'supplier_not_found', 'This supplier no longer exists.');
  elsif stored.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'supplier_changed', 'This supplier has since been changed.');
  end if;
  if exists (select from public.suppliers s where s.id <> _id and s.name_key = private.fold(given.name)) then
    perform private.refuse('PT409', 'name_taken', 'Another supplier has this name.', '{"field": "name", "rule": "unique"}');
  end if;
  insert into public.suppliers as s (id, name, contact_name, email, phone, terms, discount, currency, delivery_days, hidden)
  values (_id, given.name, given.contact_name, given.email, given.phone, given.terms, _discount, _currency, _delivery_days,
          coalesce(_hidden, false))
  on conflict (id) do update
     set (name, contact_name, email, phone, terms, discount, currency, delivery_days, hidden) =
         row (excluded.name, excluded.contact_name, excluded.email, excluded.phone, excluded.terms, excluded.discount,
              excluded.currency, excluded.delivery_days, excluded.hidden)
  returning * into given;
  return given.updated_at;
end $$;
select private.expose('save_supplier', 'authenticated', 'service_role');

-- Purchase orders: what the shop orders from a supplier, in the supplier's currency. For staff alone. Only functions write the two tables.

create table public.purchase_orders (
  id uuid primary key,
  -- Counts up from 1 every year without gaps; assigned when it is first sent.
  year integer,
  number integer,
  -- 'PO2026-0001'
  reference text generated always as (
    'PO' || year::text || '-' || case when number < 1000 then lpad(number::text, 4, '0') else number::text end
  ) stored,
  supplier_id uuid not null references public.suppliers (id) on delete restrict,
  -- The supplier's when it was begun: a later change must not turn pounds into dollars.
  currency text not null,
  status text not null default 'draft',
  -- To the supplier.
  note text,
  -- Increases with every change: a decision names the version that it is about.
  version integer not null default 1,
  sent_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  constraint purchase_orders_number_is_unique unique (year, number),
  constraint purchase_orders_number_is_whole check ((year is null) = (number is null) and number >= 1),
  constraint purchase_orders_status_is_known check (status in ('draft', 'sent', 'part_received', 'received', 'cancelled')),
  constraint purchase_orders_sent_is_complete check (
    status not in ('sent', 'part_received', 'received') or (sent_at is not null and number is not null)
  ),
  constraint purchase_orders_note_is_short check (length(note) <= 2000)
);
create index purchase_orders_newest_first on public.purchase_orders (created_at desc, id desc);
create index purchase_orders_by_supplier on public.purchase_orders (supplier_id, created_at desc, id desc);

alter table public.purchase_orders enable row level security;
grant select on public.purchase_orders to authenticated, service_role;

create policy "admins read purchase orders" on public.purchase_orders
  for select to authenticated using ((select private.is_admin()));

create table public.purchase_order_lines (
  id uuid primary key default gen_random_uuid(),
  purchase_order_id uuid not null references public.purchase_orders (id) on delete cascade,
  -- No foreign key: the line outlives its book.
  book_id uuid not null,
  position integer not null,
  -- As they were when the line was added.
  title text not null,
  publisher text,
  isbn text,
  copies integer not null,
  -- Of these, how many were received to sell; damaged ones are still to come.
  received integer not null default 0,
  -- The supplier's price of a copy and its discount on it, in percent.
  list_price numeric(10, 2) not null,
  discount numeric(5, 2) not null,
  -- What a copy costs, exactly, and what the line costs: rounded once, from the list price.
  cost numeric(16, 6) generated always as (list_price * (100 - discount) / 100) stored,
  line_cost numeric(16, 2) generated always as (round(copies * list_price * (100 - discount) / 100, 2)) stored,
  constraint purchase_order_lines_one_line_a_book unique (purchase_order_id, book_id),
  constraint purchase_order_lines_copies_are_sane check (copies between 1 and 99999),
  constraint purchase_order_lines_received_is_not_negative check (received >= 0),
  constraint purchase_order_lines_price_is_not_negative check (list_price >= 0),
  constraint purchase_order_lines_discount_is_a_percentage check (discount between 0 and 100)
);

alter table public.purchase_order_lines enable row level security;
grant select on public.purchase_order_lines to authenticated, service_role;

create policy "admins read the lines of purchase orders" on public.purchase_order_lines
  for select to authenticated using ((select private.is_admin()));

create function private.stamp_purchase_order()
returns trigger language plpgsql set search_path = '' as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger stamp_purchase_order before update on public.purchase_orders
  for each row execute function private.stamp_purchase_order();
create trigger stamp_updated_at before update on public.purchase_orders
  for each row execute function private.stamp_updated_at();

create trigger record_audit after insert or update or delete on public.purchase_orders
  for each row execute function private.record_audit('updated_at', 'version');
create trigger record_audit after insert or update or delete on public.purchase_order_lines
  for each row execute function private.record_audit('position');

/* Staff: deletes a supplier that has no purchase order. */
create function private.remove_supplier(_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_staff();
  -- A purchase order that is being begun holds the row: this waits for it.
  perform from public.suppliers where id = _id for update;
  if not found then
    perform private.refuse('PT404', 'supplier_not_found', 'This supplier no longer exists.');
  elsif exists (select from public.purchase_orders where supplier_id = _id) then
    perform private.refuse('PT409', 'supplier_has_purchase_orders',
      'This supplier has purchase orders and can''t be deleted. Hide it instead.');
  end if;
  delete from public.suppliers where id = _id;
end $$;
select private.expose('remove_supplier', 'authenticated', 'service_role');

/* Staff: all suppliers by name, with their number of purchase orders. */
create function private.list_suppliers()
returns table (
  id uuid, name text, contact_name text, email text, phone text, terms text, discount numeric, currency text, delivery_days int,
  hidden boolean, updated_at timestamptz, purchase_orders bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    select s.id, s.name, s.contact_name, s.email, s.phone, s.terms, s.discount, s.currency, s.delivery_days, s.hidden,
           s.updated_at::timestamptz, (select count(*) from public.purchase_orders p where p.supplier_id = s.id)
      from public.suppliers s order by s.name_key;
end $$;
select private.expose('list_suppliers', 'authenticated', 'service_role');

-- What staff do with a purchase order: begin it, change its lines, mark it as sent, cancel it. Each call names the version that it is about.

/* Locks a purchase order; refuses when it does not exist, or is not the version that staff saw. */
create function private.lock_purchase_order(_purchase_order_id uuid, _version int)
returns public.purchase_orders language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  select * into purchase from public.purchase_orders where id = _purchase_order_id for no key update;
  if not found then
    perform private.refuse('PT404', 'purchase_order_not_found', 'This purchase order does not exist.');
  elsif _version is distinct from purchase.version then
    perform private.refuse('PT409', 'purchase_order_changed', 'This purchase order has since been changed. Please check it again.',
      jsonb_build_object('version', purchase.version));
  end if;
  return purchase;
end $$;

/* The lines as a table, refused as a whole when one of them is not a book, copies, a price and a discount. */
create function private.read_purchase_lines(_lines jsonb)
returns table (book_id uuid, "position" int, copies int, list_price numeric, discount numeric)
language plpgsql immutable set search_path = '' as $$
begin
  if _lines is null or jsonb_typeof(_lines) <> 'array' or jsonb_array_length(_lines) > 1000 then
    perform private.refuse('PT400', 'invalid_lines', 'A purchase order has at most 1,000 lines.');
  end if;
  if exists (
    select from jsonb_array_elements(_lines) as line
     where case when jsonb_typeof(line) <> 'object' then true
                when line ->> 'book_id' ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' is not true then true
                when jsonb_typeof(line -> 'copies') is distinct from 'number' then true
                when jsonb_typeof(line -> 'list_price') is distinct from 'number' then true
                when jsonb_typeof(line -> 'discount') is distinct from 'number' then true
                else (line ->> 'copies')::numeric not between 1 and 99999
                  or (line ->> 'copies')::numeric <> trunc((line ->> 'copies')::numeric)
                  or (line ->> 'list_price')::numeric not between 0 and 99999999.99
                  or (line ->> 'list_price')::numeric <> round((line ->> 'list_price')::numeric, 2)
                  or (line ->> 'discount')::numeric not between 0 and 100
                  or (line ->> 'discount')::numeric <> round((line ->> 'discount')::numeric, 2) end
  ) then
    perform private.refuse('PT400', 'invalid_lines',
      'Each line needs a book, 1 to 99,999 copies, a price from 0 and a discount from 0 to 100, with at most two decimals.');
  end if;
  return query
    select (line ->> 'book_id')::uuid, place::int, (line ->> 'copies')::numeric::int, (line ->> 'list_price')::numeric,
           (line ->> 'discount')::numeric
      from jsonb_array_elements(_lines) with ordinality as l (line, place);
  if (select count(distinct lower(l ->> 'book_id')) from jsonb_array_elements(_lines) as l) < jsonb_array_length(_lines) then
    perform private.refuse('PT400', 'invalid_lines', 'A purchase order has one line for each book.');
  end if;
  if (select sum((l ->> 'copies')::numeric * (l ->> 'list_price')::numeric) from jsonb_array_elements(_lines) as l) > 99999999.99 then
    perform private.refuse('PT400', 'invalid_lines', 'The lines come to more than 99,999,999.99.');
  end if;
end $$;

/* Staff: begins a purchase order to a supplier that is not hidden, in its currency. The same _id again begins none. */
create function private.create_purchase_order(_id uuid, _supplier_id uuid)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  supplier public.suppliers;
begin
  perform private.require_staff();
  -- Held until the end, so that it is not deleted meanwhile.
  select * into supplier from public.suppliers where id = _supplier_id for key share;
  if not found then
    perform private.refuse('PT404', 'supplier_not_found', 'This supplier no longer exists.');
  elsif supplier.hidden then
    perform private.refuse('PT409', 'supplier_hidden', 'This supplier is hidden. Show it again to order from it.');
  end if;
  insert into public.purchase_orders (id, supplier_id, currency) values (_id, _supplier_id, supplier.currency)
  on conflict (id) do nothing;
  return _id;
end $$;
select private.expose('create_purchase_order', 'authenticated', 'service_role');

/*
 * Staff: replaces a purchase order's lines and note if it is still this version, and makes it a draft until it is sent again; returns
 * its new version. _lines: [{"book_id": …, "copies": 1 to 99999, "list_price": …, "discount": percent}], in their order, one a
 * book. A line that stays keeps the title and ISBN from when it was added.
 */
create function private.update_purchase_order(_id uuid, _version int, _lines jsonb, _note text default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
  gone uuid;
begin
  perform private.require_staff();
  purchase := private.lock_purchase_order(_id, _version);
  if exists (select from public.purchase_order_lines where purchase_order_id = _id and received > 0) then
    perform private.refuse('PT409', 'purchase_order_received', 'Books of this purchase order have arrived: it can no longer be changed.');
  end if;
  purchase.note := private.require_text('note', 'The note', private.clean_text(_note), 2000);
  delete from public.purchase_order_lines
   where purchase_order_id = _id and book_id not in (select l.book_id from private.read_purchase_lines(_lines) as l);
  update public.purchase_order_lines p
     set position = l.position, copies = l.copies, list_price = l.list_price, discount = l.discount
    from private.read_purchase_lines(_lines) as l
   where p.purchase_order_id = _id and p.book_id = l.book_id
     and (p.position, p.copies, p.list_price, p.discount) is distinct from (l.position, l.copies, l.list_price, l.discount);
  insert into public.purchase_order_lines (purchase_order_id, book_id, position, title, publisher, isbn, copies, list_price, discount)
  select _id, b.id, l.position, b.title, b.publisher, b.isbn, l.copies, l.list_price, l.discount
    from private.read_purchase_lines(_lines) as l join public.books b on b.id = l.book_id
  on conflict (purchase_order_id, book_id) do nothing;
  select l.book_id into gone from private.read_purchase_lines(_lines) as l
   where not exists (select from public.purchase_order_lines p where p.purchase_order_id = _id and p.book_id = l.book_id)
   order by l.position limit 1;
  if found then
    perform private.refuse('PT404', 'book_not_found', 'A book of this purchase order no longer exists.',
      jsonb_build_object('book_id', gone));
  end if;
  update public.purchase_orders set status = 'draft', sent_at = null, note = purchase.note where id = _id returning * into purchase;
  return purchase.version;
end $$;
select private.expose('update_purchase_order', 'authenticated', 'service_role');

/* Staff: marks a draft as sent if it is still this version; returns its reference, such as PO2026-0001, assigned the first time. */
create function private.send_purchase_order(_id uuid, _version int)
returns text language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
  this_year constant int := extract(year from private.today());
begin
  perform private.require_staff();
  purchase := private.lock_purchase_order(_id, _version);
  if purchase.status <> 'draft' then
    perform private.refuse('PT409', 'purchase_order_not_draft', format('This purchase order is already %s.', purchase.status),
      jsonb_build_object('status', purchase.status));
  elsif not exists (select from public.purchase_order_lines where purchase_order_id = _id) then
    perform private.refuse('PT409', 'purchase_order_empty', 'Add a book before you mark this purchase order as sent.');
  end if;
  if purchase.number is null then
    purchase.year := this_year;
    purchase.number := private.next_yearly_number('purchase_orders', this_year);
  end if;
  update public.purchase_orders
     set status = 'sent', sent_at = clock_timestamp(), year = purchase.year, number = purchase.number
   where id = _id returning * into purchase;
  return purchase.reference;
end $$;
select private.expose('send_purchase_order', 'authenticated', 'service_role');

/* Staff: cancels a purchase order if it is still this version. What has arrived stays. It keeps its number; saving a change makes it a draft again. */
create function private.cancel_purchase_order(_id uuid, _version int)
returns void language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_staff();
  purchase := private.lock_purchase_order(_id, _version);
  if purchase.status in ('received', 'cancelled') then
    perform private.refuse('PT409', 'purchase_order_closed', format('This purchase order is already %s.', purchase.status),
      jsonb_build_object('status', purchase.status));
  end if;
  update public.purchase_orders set status = 'cancelled' where id = _id;
end $$;
select private.expose('cancel_purchase_order', 'authenticated', 'service_role');

-- What staff read of purchase orders: one, and the list by status, supplier and reference.

/*
 * Staff: one purchase order with its supplier, or no row. lines: [{"book_id", "title", "publisher", "isbn", "copies", "received", "list_price",
 * "discount", "amount", "stock"}] in order; stock is null for a book that no longer exists.
 */
create function private.admin_find_purchase_order(_id uuid)
returns table (
  id uuid, reference text, status text, currency text, note text, version int, created_at timestamptz, sent_at timestamptz,
  supplier_name text, contact_name text, email text, phone text, terms text, discount numeric, lines jsonb, total numeric
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    select p.id, p.reference, p.status, p.currency, p.note, p.version, p.created_at, p.sent_at,
           s.name, s.contact_name, s.email, s.phone, s.terms, s.discount, l.lines, l.total
      from public.purchase_orders p join public.suppliers s on s.id = p.supplier_id
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object(
                'book_id', l.book_id, 'title', l.title, 'publisher', l.publisher, 'isbn', l.isbn, 'copies', l.copies, 'received', l.received,
                'list_price', l.list_price, 'discount', l.discount, 'amount', l.line_cost, 'stock', b.stock_quantity)
                order by l.position, l.id), '[]') as lines,
              coalesce(sum(l.line_cost), 0) as total
         from public.purchase_order_lines l left join public.books b on b.id = l.book_id
        where l.purchase_order_id = p.id) as l
     where p.id = _id;
end $$;
select private.expose('admin_find_purchase_order', 'authenticated', 'service_role');

create function private.purchase_conditions(_status text, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('p.status = %L', _status) as condition where _status <> ''
    union all
    select format('(%s or %s)', private.contains_condition('lower(p.reference)', _q), private.contains_condition('s.name_key', _q))
     where private.clean_line(_q) is not null
  ) as conditions
$$;

/*
 * Staff: purchase orders with their totals in their currency. _status one status; _q part of the reference ('PO2026-0001') or of the
 * supplier's name. _sort created_at (default) or supplier. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_purchase_orders(
  _status text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, reference text, supplier_name text, status text, currency text, created_at timestamptz, sent_at timestamptz,
  copies bigint, total numeric
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'supplier' then case when _descending then 's.name_key desc, p.id desc' else 's.name_key asc, p.id asc' end
    else case when coalesce(_descending, true) then 'p.created_at desc, p.id desc' else 'p.created_at asc, p.id asc' end end;
begin
  perform private.require_staff();
  return query execute
    'select p.id, p.reference, s.name, p.status, p.currency, p.created_at, p.sent_at, l.copies, l.total
       from (select p.id from public.purchase_orders p join public.suppliers s on s.id = p.supplier_id
              where ' || private.purchase_conditions(_status, _q) || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.purchase_orders p on p.id = page.id
         join public.suppliers s on s.id = p.supplier_id
        cross join lateral (select coalesce(sum(l.copies), 0) as copies, coalesce(sum(l.line_cost), 0) as total
                              from public.purchase_order_lines l where l.purchase_order_id = p.id) as l
      order by ' || sorted;
end $$;
select private.expose('admin_list_purchase_orders', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_purchase_orders has with the same filters: exact. */
create function private.admin_count_purchase_orders(_status text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_staff();
  execute 'select count(*) from public.purchase_orders p join public.suppliers s on s.id = p.supplier_id where '
    || private.purchase_conditions(_status, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_purchase_orders', 'authenticated', 'service_role');

-- Goods in: what arrived, booked in one step that moves the stock, and undone in one while nothing of it was sold. For staff alone.

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

create policy "admins read receipts" on public.receipts
  for select to authenticated using ((select private.is_admin()));

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

alter table public.receipt_lines enable row level security;
grant select on public.receipt_lines to authenticated, service_role;

create policy "admins read the lines of receipts" on public.receipt_lines
  for select to authenticated using ((select private.is_admin()));

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
 * Staff: books what arrived in one step: the copies to sell go into stock with the reason 'receipt', and those of a purchase order count
 * there. _lines: [{"book_id": …, "copies": …, "damaged": …, "cost": of a copy or null}], one a book; an ordered book without a cost has
 * that of the purchase order. Against a purchase order, _version is the one that staff saw, and its currency counts. _rate is cedis
 * for one unit of the currency, 1 for GHS. The same _id again books nothing.
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
  perform private.require_staff();
  -- Before any row, like everything that moves stock; then the purchase order and the books.
  perform private.lock_stock(false);
  if _purchase_order_id is not null then
    select * into purchase from public.purchase_orders where id = _purchase_order_id for no key update;
    if exists (select from public.receipts where id = _id) then return _id; end if;
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
  if not found then return _id; end if;

  perform private.lock_books(book_ids);
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
  perform private.require_staff();
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
  perform private.require_staff();
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
