-- A version of the terms keeps what it showed, also of other settings, and every order names one; an invoice keeps its seller and taxes.

/*
 * What settings are while no admin has changed them: the values of the owner's files, as the last start gave them. `paysOnline`, whether
 * customers pay online, is here too: it belongs to the environment.
 */
create table private.first_settings (
  name text primary key,
  value jsonb not null
);
alter table private.first_settings enable row level security;

/* A setting as it was then, by the log of changes; without a time, as it is. Null in a database whose shop has not started yet. */
create function private.setting_at(_name text, _at timestamptz default null)
returns jsonb language sql stable security definer set search_path = '' as $$
  -- A change without a value before it was the first: until then the value of the owner's files applied.
  select case when changed.id is not null and changed.before is not null then changed.before -> 'value'
              when changed.id is null and s.id is not null then s.value
              else (select value from private.first_settings f where f.name = _name) end
    from (select) as one
    left join public.shop_settings s on s.id = _name
    left join lateral (
      select l.id, l.before from public.audit_log l
       where l.table_name = 'shop_settings' and l.row_id = _name and l.happened_at > _at order by l.id limit 1) as changed on true
$$;

alter table public.terms_versions add column settings jsonb;

drop function private.publish_terms(text, text);

/* The names that the texts may have in {brackets}, and the settings from which app/features/law/law-values.ts makes their words. */
create function private.names_in_terms()
returns table (name text, settings text[]) language sql immutable parallel safe set search_path = '' as $$
  values
    ('name', '{name}'::text[]),
    ('legalName', '{legalName}'),
    ('responsible', '{name,legalName}'),
    ('address', '{address}'),
    ('phones', '{phones}'),
    ('email', '{email}'),
    ('contact', '{phones,email}'),
    ('registrationNumber', '{registrationNumber}'),
    ('dataProtectionNumber', '{dataProtectionNumber}'),
    ('deliveryTerms', '{deliveryTerms}'),
    ('deliveryFees', '{deliveryFees}'),
    ('payment', '{payment,paysOnline}'),
    ('paystack', '{paysOnline}'),
    ('paystackData', '{paysOnline}'),
    ('taxes', '{taxes}'),
    ('disputes', '{disputes}'),
    ('retention', '{forgetOrdersAfterYears}'),
    ('kept', '{forgetRegistrationsAfterDays}'),
    ('facts', '{name,legalName,legalStatus,registrationNumber,placeOfRegistration,officeBearers,taxNumber,address,phones,email,memberships,codeOfConduct}')
$$;

/* A setting as the terms show it: two values that look the same there are the same. */
create function private.setting_in_terms(_name text, _at timestamptz)
returns jsonb language sql stable set search_path = '' as $$
  select case
    -- Those who pay online read of that in its place.
    when _name = 'payment' and private.setting_at('paysOnline', _at) = 'true' then '""'
    when _name = 'legalName' and value = '""' then private.setting_at('name', _at)
    when jsonb_typeof(value) = 'string' then to_jsonb(regexp_replace(value #>> '{}', '\s+', ' ', 'g'))
    when jsonb_typeof(value -> 0) = 'string' then
      jsonb_build_array((select string_agg(line, ', ' order by n) from jsonb_array_elements_text(value) with ordinality as l (line, n)))
    else value end
    from private.setting_at(_name, _at) as value
$$;

/* What the names in a text stand for. */
create function private.settings_in_terms(_text text, _at timestamptz)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(used.name, used.value), '{}')
    from (select setting.name, private.setting_in_terms(setting.name, _at) as value
            from (select distinct unnest(n.settings) as name from private.names_in_terms() as n
                   where position('{' || n.name || '}' in _text) > 0) as setting) as used
   where used.value is not null
$$;

/*
 * Makes a new version of the terms if what the two pages say has changed. Lines and empty lines alone make none: the version in force
 * then gets the new ones.
 */
create function private.publish_terms()
returns void language plpgsql security definer set search_path = '' as $$
declare
  latest public.terms_versions;
  next public.terms_versions;
begin
  next.terms := private.setting_at('terms') #>> '{}';
  next.delivery_and_returns := coalesce(private.setting_at('deliveryAndReturns') #>> '{}', '');
  -- The shop has not started yet.
  if next.terms is null then return; end if;
  next.settings := private.settings_in_terms(next.terms || next.delivery_and_returns, null);
  -- Several machines may start at the same time.
  perform pg_advisory_xact_lock(hashtext('public.terms_versions'));
  -- Versions from before settings were kept: with the words that were shown last.
  update public.terms_versions as v
     set settings = private.settings_in_terms(v.terms || v.delivery_and_returns,
           (select min(later.published_at) - interval '1 microsecond' from public.terms_versions as later where later.version > v.version))
   where v.settings is null;
  select * into latest from public.terms_versions order by version desc limit 1;
  if private.words_of_terms(next) = private.words_of_terms(latest) then
    update public.terms_versions set terms = next.terms, delivery_and_returns = next.delivery_and_returns
     where version = latest.version and (terms, delivery_and_returns) is distinct from (next.terms, next.delivery_and_returns);
  else
    insert into public.terms_versions (terms, delivery_and_returns, settings)
    values (next.terms, next.delivery_and_returns, next.settings);
  end if;
end $$;

/* All that decides the words of a version. */
create function private.words_of_terms(_version public.terms_versions)
returns jsonb language sql immutable set search_path = '' as $$
  select jsonb_build_array(regexp_replace(_version.terms, '\s+', ' ', 'g'),
                           regexp_replace(_version.delivery_and_returns, '\s+', ' ', 'g'), _version.settings)
$$;

/* Has the parts of the database that need a setting's value use this one. */
create or replace function private.apply_setting(_name text, _value jsonb)
returns void language plpgsql security definer set search_path = '' as $$
begin
  case _name
    when 'name' then perform private.set_shop_name(_value #>> '{}');
    when 'deliveryFees' then perform private.set_delivery_fees(_value);
    when 'searchWords' then perform private.set_search_words(_value);
    else null;
  end case;
end $$;

create or replace function private.apply_changed_setting()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.apply_setting(new.id, new.value);
  perform private.publish_terms();
  -- Cached pages show the settings too.
  perform nextval('private.catalogue_versions');
  return null;
end $$;

/*
 * Each start of the shop and `npm run migrate`: the values of the owner's files, which the database uses while no admin has
 * changed them, and `paysOnline`.
 */
create or replace function private.set_first_settings(_first jsonb)
returns void language plpgsql set search_path = '' as $$
begin
  insert into private.first_settings as f (name, value) select key, value from jsonb_each(_first)
  on conflict (name) do update set value = excluded.value where f.value <> excluded.value;
  perform private.apply_setting(first.key, coalesce(s.value, first.value))
     from jsonb_each(_first) as first left join public.shop_settings s on s.id = first.key;
  perform private.publish_terms();
end $$;

/*
 * Staff: places a pending order for a customer, or, without _customer_id, for a caller who has no account; returns its id. 1 to 500
 * different books, 1 to 999 copies of each; _total in cedis is what the customer was quoted, delivery included; _order as in
 * accept_quote. _order_id is chosen by the client, so that a retry orders nothing twice; refused if that order is another one: staff may
 * have changed what they typed because the first response was lost.
 */
create or replace function private.place_order_for(
  _order_id uuid, _customer_id uuid, _book_ids uuid[], _quantities int[], _total numeric, _order jsonb
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  placed public.orders;
  before public.orders;
  prices numeric[];
  missing int;
  is_digital boolean;
  has_digital boolean;
begin
  perform private.require_duty('orders');
  -- Whoever has an order for an account sees the account.
  if _customer_id is not null then perform private.require_duty('people'); end if;
  placed := private.read_order(_order);
  -- A caller may have no email address; staff leave it empty.
  placed.recipient_email := private.clean_line(placed.recipient_email);
  placed.recipient_phone := private.written_phone(placed.recipient_phone);
  placed := private.clean_order(placed);
  -- A retry that overtakes its first request waits for it.
  perform pg_advisory_xact_lock(hashtext('private.place_order_for'), hashtext(_order_id::text));
  -- Before any row, like everything that moves stock.
  perform private.lock_stock(false);
  select * into before from public.orders where id = _order_id;
  if found then
    if before.user_id is distinct from _customer_id
       or private.typed_of_order(to_jsonb(before)) <> private.typed_of_order(to_jsonb(placed))
       or exists (select from (select sold_book_id, quantity from public.order_items where order_id = _order_id) as l (id, quantity)
                    full join unnest(_book_ids, _quantities) as asked (id, quantity) using (id, quantity)
                   where l is null or asked is null) then
      perform private.refuse('PT409', 'order_exists',
        format('This was placed as order %s before your last changes. Change it there.', before.number),
        jsonb_build_object('number', before.number));
    end if;
    return _order_id;
  end if;
  placed.id := coalesce(_order_id, gen_random_uuid());
  placed.user_id := _customer_id;
  if _customer_id is not null and not exists (select from public.profiles where id = _customer_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  perform private.require_text('recipient_name', 'The name', placed.recipient_name, 200, true);
  perform private.require_text('recipient_phone', 'The phone number', placed.recipient_phone, 40, true);

  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 999) from unnest(_quantities) as quantity;
  perform private.lock_books(_book_ids);
  select array_agg(b.price order by l.place), coalesce(sum(b.price * l.quantity), 0), count(*) - count(b.id),
         bool_and(b.kind = 'digital'), bool_or(b.kind = 'digital')
    into prices, placed.total_amount, missing, is_digital, has_digital
    from unnest(_book_ids, _quantities) with ordinality as l (id, quantity, place) left join public.books b on b.id = l.id;
  if missing > 0 then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  elsif has_digital and _customer_id is null then
    perform private.refuse('PT409', 'account_needed', 'Digital titles are downloaded from the customer''s account. Please choose one.');
  end if;
  placed.delivery_fee := private.require_delivery_fee(placed.region, placed.delivery_method, placed.total_amount, is_digital);
  placed.total_amount := placed.total_amount + placed.delivery_fee;
  if placed.total_amount is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you place it.',
      to_char(placed.total_amount, 'FM999999990.00')), jsonb_build_object('total', placed.total_amount, 'delivery_fee', placed.delivery_fee));
  end if;
  perform private.require_number('total', 'The total', placed.total_amount, 0, 99999999.99);

  placed.status := 'pending';
  placed.stock_held := true;
  placed.terms_version := private.terms_version();
  perform private.insert_order(placed);
  perform private.fill_order(placed.id, _book_ids, _quantities, prices);
  perform private.queue_order_emails(placed.id);
  return placed.id;
end $$;

drop function public.issue_invoice, private.issue_invoice;

/*
 * Customers, of their own orders, and staff: the order's invoice, which gets its number on the first call. A
 * cancelled order gets none, but keeps one that it has. changed_at is when the order's books were last changed since; null when they weren't.
 * shop has the settings that it prints, as they were.
 */
create function private.issue_invoice(_order_id uuid)
returns table (reference text, issued_at timestamptz, changed_at timestamptz, shop jsonb) language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  invoice public.invoices;
begin
  -- Locked, so that two people who open it for the first time use up only one number.
  select * into of_order from public.orders
   where id = _order_id and (user_id = auth.uid() or private.has_duty('orders'))
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
       where l.table_name = 'orders' and l.row_id = _order_id::text and l.action = 'change' and l.happened_at > invoice.issued_at),
      (select jsonb_strip_nulls(jsonb_object_agg(name, private.setting_at(name,
                case name when 'taxes' then of_order.created_at else invoice.issued_at end)))
         from unnest('{name,legalName,registrationNumber,taxNumber,address,phones,email,taxes}'::text[]) as name);
end $$;
select private.expose('issue_invoice', 'authenticated', 'service_role');
