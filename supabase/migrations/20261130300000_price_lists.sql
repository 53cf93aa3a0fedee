-- A price list in another country's money: how its prices become cedis is kept with the import, and each row keeps the list's own price.

alter table public.book_imports
  add column source text,
  add column conversion jsonb,
  add constraint book_imports_source_is_short check (length(source) <= 200),
  add constraint book_imports_conversion_is_short check (length(conversion::text) <= 5000);
create index book_imports_with_rates on public.book_imports (applied_at desc, id) where conversion is not null;

alter table public.book_import_rows
  add column source_price numeric(10, 2),
  add column source_currency text,
  add constraint book_import_rows_price_has_currency check ((source_price is null) = (source_currency is null)),
  add constraint book_import_rows_currency_is_short check (length(source_currency) <= 3);

drop function public.create_book_import, private.create_book_import;
drop function public.preview_book_import, private.preview_book_import;

/* Refuses what is no conversion of prices: a rate for each currency, what is added in percent, and the multiple of cedis to round to. */
create function private.require_conversion(_conversion jsonb)
returns void language plpgsql immutable set search_path = '' as $$
declare
  rate record;
begin
  if jsonb_typeof(_conversion -> 'rates') is distinct from 'object' or _conversion -> 'rates' = '{}'
     or jsonb_typeof(_conversion -> 'percent') is distinct from 'number' or jsonb_typeof(_conversion -> 'round_to') is distinct from 'number' then
    perform private.refuse('PT400', 'invalid_field', 'A conversion has rates, a percentage and a rounding.',
      jsonb_build_object('field', 'conversion', 'rule', 'format'));
  end if;
  for rate in select * from jsonb_each(_conversion -> 'rates') loop
    if length(rate.key) not between 1 and 3 or jsonb_typeof(rate.value) <> 'number' then
      perform private.refuse('PT400', 'invalid_field', 'A rate is a number of cedis for one of a currency.',
        jsonb_build_object('field', 'rate', 'rule', 'format'));
    end if;
    perform private.require_number('rate', 'The rate', rate.value::numeric, 0.000001, 999999.999999);
  end loop;
  perform private.require_number('percent', 'The addition in percent', (_conversion ->> 'percent')::numeric, -90, 900);
  perform private.require_rounding((_conversion ->> 'round_to')::numeric);
end $$;

create function private.require_rounding(_round_to numeric)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _round_to is null or _round_to <> all ('{0.01,0.05,0.10,0.50,1,5,10}') then
    perform private.refuse('PT400', 'invalid_field', 'Prices can be rounded to 0.01, 0.05, 0.10, 0.50, 1, 5 or 10 cedis.',
      jsonb_build_object('field', 'round_to', 'rule', 'choice'));
  end if;
end $$;

/*
 * Staff: opens an import; returns its id. The defaults fill empty fields of new books; by its _fingerprint the import is found
 * again. With _sets_stock the file's stock replaces that of existing books. A _conversion says how the rows' prices became cedis, and is
 * found again by the _source. A million rows that were staged and forgotten take some seconds to delete.
 */
create function private.create_book_import(
  _file_name text default null, _default_price numeric default null, _default_stock int default 0,
  _default_publisher text default null, _headings jsonb default null, _fingerprint text default null,
  _sets_stock boolean default false, _source text default null, _conversion jsonb default null
) returns uuid language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  import_id uuid;
begin
  perform private.require_duty('catalogue');
  perform private.require_text('default_publisher', 'The publisher', private.clean_line(_default_publisher), 200);
  if _default_price is not null then
    perform private.require_number('default_price', 'The price', _default_price, 0, 99999999.99);
    perform private.require_pesewas('default_price', 'The price', _default_price);
  end if;
  perform private.require_number('default_stock', 'The stock quantity', coalesce(_default_stock, 0), 0, 10000000);
  perform private.require_text('source', 'The supplier or list', private.clean_line(_source), 200);
  if _conversion is not null then
    perform private.require_conversion(_conversion);
  end if;
  -- Imports that were never applied are of no use after a day.
  delete from public.book_imports where status = 'staged' and created_at < clock_timestamp() - interval '1 day';
  insert into public.book_imports (file_name, headings, fingerprint, default_price, default_stock, default_publisher, sets_stock,
                                   source, conversion)
  values (left(private.clean_line(_file_name), 300), _headings, left(_fingerprint, 100), _default_price, coalesce(_default_stock, 0),
          private.clean_line(_default_publisher), coalesce(_sets_stock, false), private.clean_line(_source), _conversion)
  returning id into import_id;
  return import_id;
end $$;
select private.expose('create_book_import', 'authenticated', 'service_role');

/*
 * Staff: adds a chunk of rows, [{"line": 2, "title": …, "isbn": …, "price": …, "stock_quantity": …, …}], values as text or
 * numbers; a line sent again replaces the former. A row may carry the id of its book, the stock that it had when it was exported (seen_stock),
 * the marks of its other fields, its cells as the file has them, its price in another currency, and problems, with which it is refused. Returns how many were staged.
 */
create or replace function private.stage_book_import_rows(_import_id uuid, _rows jsonb)
returns int language plpgsql security definer set search_path = '' as $$
declare
  staged int;
begin
  perform private.require_duty('catalogue');
  perform private.lock_book_import(_import_id, 'staged');
  if jsonb_typeof(_rows) is distinct from 'array'
     or exists (select from jsonb_array_elements(_rows) as r
                where jsonb_typeof(r) <> 'object' or jsonb_typeof(r -> 'line') is distinct from 'number'
                   or (r ->> 'line') !~ '^[0-9]{1,9}$') then
    perform private.refuse('PT400', 'invalid_rows', 'Rows must be an array of objects with a line number.');
  end if;
  insert into public.book_import_rows (import_id, line, fields, cells, given_id, isbn_key, isbn_problem, source_price, source_currency, problems)
  select _import_id, (r ->> 'line')::int, read.fields, r -> 'cells',
         private.as_uuid(r ->> 'id'),
         case when r ->> 'isbn_problem' is null then private.isbn_key(read.fields ->> 'isbn') end,
         coalesce(left(private.clean_line(r ->> 'isbn_problem'), 300),
                  case when cardinality(private.isbns(read.fields ->> 'isbn')) > 1 then 'There are several ISBNs in one cell. Keep one.' end),
         source.price, case when source.price is not null then r ->> 'source_currency' end,
         private.import_problems(r -> 'problems') || read.problems
    from jsonb_array_elements(_rows) as r, private.read_import_row(r) as read,
         lateral (select case when jsonb_typeof(r -> 'source_price') = 'number' and length(r ->> 'source_currency') between 1 and 3
                                and (r ->> 'source_price')::numeric between 0 and 99999999.99
                              then (r ->> 'source_price')::numeric(10, 2) end as price) as source
  on conflict (import_id, line) do update
    set fields = excluded.fields, cells = excluded.cells, given_id = excluded.given_id, isbn_key = excluded.isbn_key,
        isbn_problem = excluded.isbn_problem, source_price = excluded.source_price, source_currency = excluded.source_currency,
        problems = excluded.problems;
  get diagnostics staged = row_count;
  return staged;
end $$;

/*
 * Staff: the dry run, by line: action (add, update, unchanged, refused), problems as messages, the book before and after, which fields
 * stay as they were changed in the shop since the export (moved), and the list's own price, where it is not in cedis.
 * _action shows one kind of rows alone; _after_line continues behind a line, _to_line ends with one; at most 1,000 rows at once.
 */
create function private.preview_book_import(
  _import_id uuid, _action text default null, _after_line int default 0, _page_size int default 50, _to_line int default null
)
returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb, moved text[], source_price numeric, source_currency text)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
begin
  perform private.require_book_import(_import_id);
  return query
    select p.line, p.action, p.book_id, p.problems, p.before, p.after, p.moved, r.source_price, r.source_currency
      from (select p.* from private.plan_book_import(_import_id, coalesce(_after_line, 0), _to_line) as p
             where _action is null or p.action = _action
             order by p.line limit least(greatest(coalesce(_page_size, 50), 1), 1000)) as p
      join public.book_import_rows r on r.import_id = _import_id and r.line = p.line
     order by p.line;
end $$;
select private.expose('preview_book_import', 'authenticated', 'service_role');

/*
 * Staff: stages new prices for the books that admin_list_books finds by the same filters; returns the import's id. A book whose price
 * has changed by the time it is applied is refused.
 */
create or replace function private.stage_price_change(
  _percent numeric, _round_to numeric, _publisher text default null, _q text default null, _kind text default null
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
                           || coalesce(', ' || nullif(_kind, ''), '')),
    _fingerprint => 'prices');
  execute format(
    'insert into public.book_import_rows (import_id, line, fields, given_id)
     select %L, row_number() over (order by b.title_key, b.id),
            jsonb_build_object(''price'', private.changed_price(b.price, %s, %s), ''seen_price'', b.price), b.id
       from public.books b where %s', import_id, _percent, _round_to, private.book_list_conditions(_publisher, _q, _kind));
  get diagnostics staged = row_count;
  if staged = 0 then
    perform private.refuse('PT404', 'no_books', 'No book matches.');
  end if;
  return import_id;
end $$;
