-- Prices of many books at once: '+5 %, rounded to 0.50'. A price change is an import whose rows name the books and their new prices, so
-- the dry run, applying it in one step, undo, the log and concurrent changes work as for any import.

/* The price changed by _percent and rounded to the nearest multiple of _round_to cedis; at least one multiple, unless the book is free. */
create function private.changed_price(_price numeric, _percent numeric, _round_to numeric)
returns numeric language sql immutable parallel safe set search_path = '' as $$
  select case when _price = 0 then 0
              else least(greatest(round(_price * (1 + _percent / 100) / _round_to) * _round_to, _round_to), 99999999.99) end
$$;

/*
 * Staff: stages new prices for the books that admin_list_books finds by the same filters; returns the import's id. A book whose price
 * has changed by the time it is applied is refused.
 */
create function private.stage_price_change(
  _percent numeric, _round_to numeric, _publisher text default null, _q text default null, _kind text default null,
  _sale_state text default null
)
returns uuid language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  import_id uuid;
  staged int;
begin
  perform private.require_duty('catalogue');
  perform private.require_number('percent', 'The change in percent', _percent, -90, 900);
  if _percent = 0 then
    perform private.refuse('PT400', 'invalid_field', 'A change of 0 percent changes nothing.', jsonb_build_object('field', 'percent', 'rule', 'range'));
  end if;
  perform private.require_rounding(_round_to);
  import_id := private.create_book_import(
    _file_name => format('Prices %s%s%%, rounded to %s%s', case when _percent > 0 then '+' end, trim_scale(_percent), to_char(_round_to, 'FM90.00'),
                         coalesce(', ' || nullif(_publisher, ''), '') || coalesce(', ' || nullif(btrim(_q), ''), '')
                           || coalesce(', ' || nullif(_kind, ''), '')
                           || coalesce(', ' || replace(nullif(_sale_state, ''), '_', ' '), '')),
    _fingerprint => 'prices');
  execute format(
    'insert into public.book_import_rows (import_id, line, fields, given_id)
     select %L, row_number() over (order by b.title_key, b.id),
            jsonb_build_object(''price'', private.changed_price(b.price, %s, %s), ''seen_price'', b.price), b.id
       from public.books b where %s', import_id, _percent, _round_to, private.book_list_conditions(_publisher, _q, _kind, _sale_state));
  get diagnostics staged = row_count;
  if staged = 0 then
    perform private.refuse('PT404', 'no_books', 'No book matches.');
  end if;
  return import_id;
end $$;
select private.expose('stage_price_change', 'authenticated', 'service_role');

/*
 * A list's price in cedis: by the rate, with what is added in per cent, rounded once to the nearest multiple; at least one, unless the book is
 * free. Null for more than the shop can hold. The same rule as convertPrice in price-conversion.ts, which shows it before any row is sent.
 */
create function private.converted_price(_price numeric, _rate numeric, _percent numeric, _round_to numeric)
returns numeric language sql immutable parallel safe set search_path = '' as $$
  select case when p.price <= 99999999.99 then p.price end
    from (select case when _price = 0 then 0
                      else greatest(round(_price * _rate * (100 + _percent) / 100 / _round_to) * _round_to, _round_to) end as price) as p
$$;

/*
 * Staff: stages the prices of an import's books anew, from the list's own prices and another conversion, such as today's rate; returns the
 * new import's id. A book whose price was changed since, or that was deleted, is refused.
 */
create function private.stage_new_rates(_import_id uuid, _conversion jsonb)
returns uuid language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  list public.book_imports;
  missing text;
  new_id uuid;
begin
  perform private.require_duty('catalogue');
  perform private.require_conversion(_conversion);
  select * into list from public.book_imports where id = _import_id;
  if list.conversion is null or list.status <> 'applied' then
    perform private.refuse('PT404', 'no_list', 'This list was not imported, or its prices are in cedis.');
  end if;
  select r.source_currency into missing from public.book_import_rows r
   where r.import_id = _import_id and r.source_currency is not null and not (_conversion -> 'rates') ? r.source_currency limit 1;
  if missing is not null then
    perform private.refuse('PT400', 'invalid_field', format('Prices of this list are in %s: give its rate.', missing),
      jsonb_build_object('field', 'rate', 'rule', 'required'));
  end if;
  new_id := private.create_book_import(
    _file_name => coalesce(list.source, 'Price list') || ', new rate', _headings => '["Title", "Price"]',
    _fingerprint => 'prices', _source => list.source, _conversion => _conversion);
  insert into public.book_import_rows (import_id, line, fields, given_id, cells, source_price, source_currency, problems)
  select new_id, r.line, jsonb_build_object('price', p.price, 'seen_price', (r.after ->> 'price')::numeric), r.book_id,
         jsonb_build_array(r.after ->> 'title', format('%s %s', r.source_currency, r.source_price)), r.source_price, r.source_currency,
         case when p.price is null then array['The price is more than the shop can hold.'] else '{}' end
    from public.book_import_rows r
   cross join lateral (select private.converted_price(r.source_price, (_conversion -> 'rates' ->> r.source_currency)::numeric,
                         (_conversion ->> 'percent')::numeric, (_conversion ->> 'round_to')::numeric) as price) as p
   where r.import_id = _import_id and r.source_price is not null and r.action in ('add', 'update', 'unchanged') and r.book_id is not null;
  if not found then
    perform private.refuse('PT404', 'no_books', 'No book of this list has a price in another currency.');
  end if;
  return new_id;
end $$;
select private.expose('stage_new_rates', 'authenticated', 'service_role');
