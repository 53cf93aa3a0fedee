-- Orders as customers place them and staff handle them. Customers read their own, add one (see 08-placing), and
-- may change only its status, and that only to cancelled while it is neither cancelled nor delivered. Admins read
-- all, set any status, delete.
--
-- A new column of an order that people type is its line in the table below, its line in order_texts and, if staff find
-- orders by it, its place in search_text. Everything else follows: rights, cleaning and limits, placing by customers, by
-- phone and from a quote, emails, restoring, and forgetting a customer.

/*
 * 'none': cancelled, and no money is left; 'due', 'part_paid' and 'paid'; 'too_much': more than is owed was paid, and some has to
 * be refunded. Nothing is owed for a cancelled order. _total is the order's total less what is refunded for returned copies, _paid what was
 * paid less what is kept by decision.
 */
create function private.payment_state(_status text, _total numeric, _paid numeric)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case when _status = 'cancelled' then case when _paid > 0 then 'too_much' else 'none' end
              when _paid > _total then 'too_much'
              when _paid = _total then 'paid'
              when _paid > 0 then 'part_paid'
              else 'due' end
$$;
grant execute on function private.payment_state to authenticated, service_role;

/*
 * What an order's customer is owed, in cedis: what was paid and isn't kept by decision, beyond the total; of a cancelled order all of
 * it.
 */
create function private.owed_back(_status text, _total numeric, _paid numeric, _kept numeric)
returns numeric language sql immutable parallel safe set search_path = '' as $$
  select greatest(_paid - _kept - case when _status = 'cancelled' then 0 else _total end, 0)
$$;
grant execute on function private.owed_back to authenticated, service_role;

create table public.orders (
  id uuid primary key default gen_random_uuid(),
  -- For use on the phone. Assigned by the database alone; gaps are normal.
  number bigint not null generated always as identity (start with 1001),
  -- Null for a caller without an account, whose order staff entered and staff alone see. Restrict: an account with orders is
  -- anonymised, not deleted.
  user_id uuid references public.profiles (id) on delete restrict,
  total_amount numeric(10, 2) not null,
  status text not null default 'pending',
  shipping_address text,
  -- Who receives the parcel, as typed at checkout; the profile may differ.
  recipient_name text,
  recipient_email text,
  recipient_phone text,
  -- How it is delivered (see 2-people/2-addresses). The fee, in cedis, is part of the total.
  region text,
  landmark text,
  digital_address text,
  delivery_method text not null default 'deliver',
  bus_station text,
  delivery_note text,
  -- The customer's own number for the order, such as a school's purchase order.
  customer_reference text constraint orders_customer_reference_is_short check (length(customer_reference) <= 60),
  delivery_fee numeric(10, 2) not null default 0,
  -- The terms that applied when it was placed. Null for orders older than this column, and for those by phone from before they had it. No
  -- foreign key, which would need an index: no version is ever deleted.
  terms_version int default private.terms_version(),
  -- Whether the order's copies have been taken from stock.
  stock_held boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- What the back office's search looks through; the phone also as bare digits.
  search_text text collate "C" generated always as (
    id::text || E'\n' || coalesce(private.fold(recipient_name), '') || E'\n'
    || coalesce(private.fold(recipient_email), '') || E'\n' || coalesce(recipient_phone, '') || E'\n'
    || coalesce(regexp_replace(recipient_phone, '[^0-9]', '', 'g'), '')
    || coalesce(E'\n' || private.fold(customer_reference), '')
  ) stored,
  -- The sum of settled payments less refunds, in cedis, and whether a payment needs a decision. Written by triggers
  -- alone.
  paid_amount numeric not null default 0,
  has_undecided_payment boolean not null default false,
  -- Shipping details, typed by staff.
  carrier text,
  parcel_number text,
  driver_phone text,
  -- What staff have decided to keep of what is owed back, in cedis.
  kept_amount numeric(10, 2) not null default 0,
  -- What is refunded for returned copies (18-returns), in cedis: the customer owes the total less this.
  returned_amount numeric(10, 2) not null default 0,
  payment_state text not null
    generated always as (private.payment_state(status, total_amount - returned_amount, paid_amount - kept_amount)) stored,
  owed_back numeric not null
    generated always as (private.owed_back(status, total_amount - returned_amount, paid_amount, kept_amount)) stored,
  constraint orders_number_is_unique unique (number),
  constraint orders_shipping_address_is_short check (length(shipping_address) <= 1000),
  constraint orders_recipient_is_short check (
    length(recipient_name) <= 200 and length(recipient_email) <= 320 and length(recipient_phone) <= 40
  ),
  constraint orders_delivery_is_sane
    check (private.is_delivery(region, landmark, digital_address, delivery_method, bus_station, delivery_note)),
  constraint orders_delivery_fee_is_not_negative check (delivery_fee >= 0),
  constraint orders_kept_amount_is_not_negative check (kept_amount >= 0),
  constraint orders_returned_amount_is_of_the_total check (returned_amount between 0 and total_amount),
  constraint orders_shipment_is_short check (length(carrier) <= 100 and length(parcel_number) <= 60 and length(driver_phone) <= 40)
);
create index orders_by_customer on public.orders (user_id, created_at desc, id desc);
-- The lists of the back office; user_id rides along so that the read policy needs no visit to the table.
create index orders_newest_first on public.orders (created_at desc, id desc) include (user_id);
create index orders_by_status on public.orders (status, created_at desc, id desc) include (user_id);
create index orders_by_total on public.orders (total_amount, id) include (user_id);
create index orders_search on public.orders using gin (search_text extensions.gin_trgm_ops);
-- The other filters' columns are included: nearly all orders of a shop may be paid, or due where payments aren't recorded, and can then be
-- counted in the index alone.
create index orders_due on public.orders (created_at desc, id desc) include (status, delivery_method, region, payment_state)
  where payment_state in ('due', 'part_paid');
create index orders_paid on public.orders (created_at desc, id desc) include (status, delivery_method, region)
  where payment_state = 'paid';
create index orders_to_decide on public.orders (created_at desc, id desc)
  where has_undecided_payment or payment_state = 'too_much';

alter table public.orders enable row level security;
grant select, delete, update (status) on public.orders to authenticated;
grant select on public.orders to service_role;

/* The shipping details that staff type, in the form of order_texts. */
create function private.shipment_texts()
returns table (name text, label text, at_most int) language sql immutable parallel safe set search_path = '' as $$
  values ('carrier', 'carrier', 100), ('parcel_number', 'parcel or bus number', 60), ('driver_phone', 'driver''s phone number', 40)
$$;

/* The columns with which an order is placed: all except those that the database maintains or computes, and those of its shipment. */
create function private.order_columns(_prefix text default '')
returns text language sql stable set search_path = '' as $$
  select string_agg(_prefix || quote_ident(attname), ', ' order by attnum)
    from pg_catalog.pg_attribute
   where attrelid = 'public.orders'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     and attname <> all ('{number,stock_held,terms_version,created_at,updated_at,paid_amount,has_undecided_payment,kept_amount,returned_amount}')
     and attname <> all (array(select name from private.shipment_texts()))
$$;
do $$ begin
  execute format('grant insert (%s) on public.orders to authenticated', private.order_columns());
end $$;

/*
 * The columns of an order that people type: their names in messages, their maximum lengths, and whether they are one line, a text of
 * several, a phone number, or a digital address.
 */
create function private.order_texts()
returns table (name text, label text, at_most int, kind text) language sql immutable parallel safe set search_path = '' as $$
  values
    ('shipping_address', 'address', 1000, 'line'),
    ('recipient_name', 'name', 200, 'line'),
    ('recipient_email', 'email address', 320, 'line'),
    ('recipient_phone', 'phone number', 40, 'phone'),
    ('landmark', 'landmark', 200, 'line'),
    ('digital_address', 'digital address', null, 'digital_address'),
    ('bus_station', 'bus parcel station', 200, 'line'),
    ('delivery_note', 'delivery note', 500, 'text'),
    ('customer_reference', 'reference', 60, 'line')
$$;
grant execute on function private.order_texts to authenticated, service_role;

/* Their names. */
create function private.order_text_names()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select array_agg(name) from private.order_texts()
$$;

/* Everything that anyone types about an order; erased when its customer is forgotten. */
create function private.personal_order_texts()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select private.order_text_names() || array(select name from private.shipment_texts())
$$;

/* Of an order as JSON, what people type and choose. */
create function private.typed_of_order(_order jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(key, value), '{}')
    from jsonb_each(_order) where key = any (private.order_text_names() || '{region,delivery_method}')
$$;

create policy "customers read their own orders, staff all" on public.orders
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.has_duty('orders')));
create policy "customers place their own orders" on public.orders
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
create policy "customers cancel their own orders while that is possible" on public.orders
  for update to authenticated
  using (user_id = (select auth.uid()) and status not in ('cancelled', 'delivered'))
  with check (user_id = (select auth.uid()) and status = 'cancelled');
create policy "staff set the status of any order" on public.orders
  for update to authenticated using ((select private.has_duty('orders'))) with check ((select private.has_duty('orders')));
create policy "staff delete orders" on public.orders
  for delete to authenticated using ((select private.has_duty('orders')) and (select private.has_duty('deletions')));

-- Beside the profiles' own policy: whoever packs a parcel sees whom it is for, and no other account.
create policy "staff read the customers of orders" on public.profiles
  for select to authenticated
  using ((select private.has_duty('orders')) and exists (select from public.orders o where o.user_id = profiles.id));
