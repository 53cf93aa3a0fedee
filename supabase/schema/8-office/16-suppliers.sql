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

create policy "staff read suppliers" on public.suppliers
  for select to authenticated using ((select private.has_duty('stock')));

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
  perform private.require_duty('stock');
  given.name := private.require_text('name', 'The name', private.clean_line(_name), 200, true);
  given.contact_name := private.require_text('contact_name', 'The contact person', private.clean_line(_contact_name), 200);
  given.email := private.require_text('email', 'The email address', private.clean_line(_email), 320);
  given.phone := private.require_text('phone', 'The phone number', private.written_phone(_phone), 40);
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
