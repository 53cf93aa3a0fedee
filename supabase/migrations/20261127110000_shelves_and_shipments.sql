-- A book's shelf place, and how a shipped order travels: carrier, parcel or bus number, driver's phone.

alter table public.books
  add column shelf text,
  add constraint books_shelf_is_short check (length(shelf) <= 60);

create or replace function private.book_texts()
returns table (name text, label text, at_most int, is_long boolean, is_required boolean)
language sql immutable set search_path = '' as $$
  values
    ('title', 'title', 500, false, true),
    ('authors', 'list of authors', 1000, false, false),
    ('publisher', 'publisher', 200, false, false),
    ('isbn', 'ISBN', 40, false, false),
    ('description', 'description', 10000, true, false),
    ('image_url', 'image address', 2000, false, false),
    ('course', 'course', 200, false, false),
    ('subject', 'subject', 200, false, false),
    ('grade_level', 'grade level', 200, false, false),
    ('age_range', 'age range', 200, false, false),
    ('curriculum_type', 'curriculum type', 200, false, false),
    ('edition', 'edition', 200, false, false),
    ('shelf', 'shelf place', 60, false, false)
$$;

select private.settle_book_columns();

create or replace trigger bump_catalogue_version_if_shown after update on public.books
  for each row when (
    least(new.stock_quantity, 10) <> least(old.stock_quantity, 10)
    or coalesce(current_setting('shop.task', true), '') in ('', 'import', 'demo', 'restore')
       and to_jsonb(new) - '{stock_quantity,shelf,updated_at}'::text[]
           <> to_jsonb(old) - '{stock_quantity,shelf,updated_at}'::text[]
  ) execute function private.bump_catalogue_version();

alter table public.orders
  add column carrier text,
  add column parcel_number text,
  add column driver_phone text,
  add constraint orders_shipment_is_short
    check (length(carrier) <= 100 and length(parcel_number) <= 60 and length(driver_phone) <= 40);

create function private.shipment_texts()
returns table (name text, label text, at_most int) language sql immutable parallel safe set search_path = '' as $$
  values ('carrier', 'carrier', 100), ('parcel_number', 'parcel or bus number', 60), ('driver_phone', 'driver''s phone number', 40)
$$;

create function private.personal_order_texts()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select private.order_text_names() || array(select name from private.shipment_texts())
$$;

create or replace function private.order_columns(_prefix text default '')
returns text language sql stable set search_path = '' as $$
  select string_agg(_prefix || quote_ident(attname), ', ' order by attnum)
    from pg_catalog.pg_attribute
   where attrelid = 'public.orders'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     and attname <> all ('{number,stock_held,terms_version,created_at,updated_at,paid_amount,has_undecided_payment}')
     and attname <> all (array(select name from private.shipment_texts()))
$$;

create or replace function private.insert_order(_order public.orders)
returns void language plpgsql security definer set search_path = '' as $$
begin
  execute format(
    'insert into public.orders (number, stock_held, terms_version, carrier, parcel_number, driver_phone, created_at, updated_at, %s)'
    ' overriding system value'
    ' select coalesce(o.number, nextval(''public.orders_number_seq'')), o.stock_held, o.terms_version, o.carrier, o.parcel_number,'
    '        o.driver_phone, coalesce(o.created_at, clock_timestamp()), clock_timestamp(), %s from (select ($1).*) as o',
    private.order_columns(), private.order_columns('o.')) using _order;
end $$;

create or replace function private.scrub(_row jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select _row || coalesce((
    select jsonb_object_agg(key, null) from jsonb_object_keys(_row) as key
    where key = any (private.personal_order_texts() || '{review_text,full_name,email,phone,institution,contact_name,contact_email,contact_phone,'
                                              'message,note,purchase_order_number}')), '{}')
$$;

create or replace function private.scrub_orders(_order_ids uuid[])
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
begin
  execute (select format('update public.orders set %s where id = any ($1)', string_agg(format('%I = null', name), ', '))
             from unnest(private.personal_order_texts()) as name) using _order_ids;
  get diagnostics kept = row_count;
  delete from public.outgoing_emails where order_id = any (_order_ids) and state = 'waiting';
  update public.payments set note = null where order_id = any (_order_ids) and note is not null;
  perform set_config('shop.task', 'anonymise', true);
  update public.order_notes set body = null where order_id = any (_order_ids);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where (table_name = 'orders' and row_id = any (_order_ids::text[]))
      or (table_name = 'payments' and coalesce(after, before) ->> 'order_id' = any (_order_ids::text[]));
  perform set_config('shop.task', '', true);
  return kept;
end $$;

create or replace function private.old_orders(_years int, _most int)
returns uuid[] language plpgsql stable security definer set search_path = '' as $$
declare
  names constant text[] := private.personal_order_texts();
  placed_before constant timestamptz := now() - make_interval(years => _years);
  found uuid[];
begin
  if _years < 1 then return '{}'; end if;
  execute format($query$
      select array(
        select o.id from public.orders o
         where o.created_at < $1 and o.status in ('delivered', 'cancelled') and o.payment_state in ('paid', 'none')
           and not o.has_undecided_payment
           and (num_nonnulls(%s) > 0 or exists (select from public.order_notes n where n.order_id = o.id and n.body is not null))
         order by o.created_at limit $2)$query$, (select string_agg('o.' || quote_ident(name), ', ') from unnest(names) as name))
    into found using placed_before, _most;
  return found || array(
    select distinct l.row_id::uuid from public.audit_log l
     where l.table_name = 'orders' and l.action = 'delete' and (l.before ->> 'created_at')::timestamptz < placed_before
       and jsonb_strip_nulls(l.before) ?| names
       and not exists (select from public.orders o where o.id = l.row_id::uuid)
     limit _most - cardinality(found));
end $$;

create or replace function private.email_order(_order_id uuid)
returns jsonb language sql stable security definer set search_path = '' as $$
  select private.typed_of_order(to_jsonb(o)) || jsonb_build_object(
    'id', o.id, 'number', o.number, 'has_account', o.user_id is not null, 'total', o.total_amount, 'placed_at', o.created_at,
    'name', coalesce(o.recipient_name, p.full_name), 'email', case when o.user_id is null then o.recipient_email else p.email end,
    'recipient_email', case when lower(o.recipient_email) <> lower(p.email) then o.recipient_email end,
    'phone', coalesce(o.recipient_phone, p.phone), 'delivery_fee', o.delivery_fee,
    'carrier', o.carrier, 'parcel_number', o.parcel_number, 'driver_phone', o.driver_phone,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'quantity', i.quantity, 'price', i.price)
                       order by private.fold(i.title), i.id)
        from public.order_items i where i.order_id = o.id), '[]'))
    from public.orders o left join public.profiles p on p.id = o.user_id
   where o.id = _order_id
$$;

drop function public.set_order_statuses, private.set_order_statuses;

create function private.read_shipment(_shipment jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select jsonb_object_agg(name, private.require_text(name, 'The ' || label, private.clean_line(_shipment ->> name), at_most))
    from private.shipment_texts()
$$;

create function private.set_order_statuses(_order_ids uuid[], _shown text[], _status text, _shipment jsonb default null)
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
  if _status = 'shipped' and _shipment is not null then shipment := private.read_shipment(_shipment); end if;
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

select private.expose('set_order_statuses', 'authenticated', 'service_role');
