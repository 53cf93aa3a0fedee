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

create policy "staff read purchase orders" on public.purchase_orders
  for select to authenticated using ((select private.has_duty('stock')));

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

create index purchase_order_lines_by_book on public.purchase_order_lines (book_id);

alter table public.purchase_order_lines enable row level security;
grant select on public.purchase_order_lines to authenticated, service_role;

create policy "staff read the lines of purchase orders" on public.purchase_order_lines
  for select to authenticated using ((select private.has_duty('stock')));

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
  perform private.require_duty('stock');
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
  perform private.require_duty('stock');
  return query
    select s.id, s.name, s.contact_name, s.email, s.phone, s.terms, s.discount, s.currency, s.delivery_days, s.hidden,
           s.updated_at::timestamptz, (select count(*) from public.purchase_orders p where p.supplier_id = s.id)
      from public.suppliers s order by s.name_key;
end $$;
select private.expose('list_suppliers', 'authenticated', 'service_role');

-- Lines follow their order's status; copies that arrive change the stock, which gives the catalogue its new version.
create trigger bump_catalogue_version_if_coming after update of status on public.purchase_orders
  for each row when (old.status in ('sent', 'part_received') <> (new.status in ('sent', 'part_received')))
  execute function private.bump_catalogue_version();

/*
 * Customers: whether copies of a book that were ordered from a supplier are still to come, if the setting 'moreOnTheWay' lets them know.
 * Nothing else of a purchase order: not how many, from whom or at what cost.
 */
create function private.is_on_its_way(_book_id uuid)
returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.shop_settings where id = 'moreOnTheWay' and value = 'true')
     and exists (
       select from public.purchase_order_lines l join public.purchase_orders p on p.id = l.purchase_order_id
        where l.book_id = _book_id and l.received < l.copies and p.status in ('sent', 'part_received'))
$$;
select private.expose('is_on_its_way', 'anon', 'authenticated', 'service_role');
