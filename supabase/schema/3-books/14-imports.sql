-- Books from a file: the rows are staged in chunks, looked at (a dry run), then applied, and the last import can be undone. An
-- import of ordinary size is applied by one call, all or nothing, a very large one in steps of 1,000 rows. For staff alone: the
-- back office and the import command use the same functions.

create table public.book_imports (
  id uuid primary key default gen_random_uuid(),
  file_name text,
  -- The file's first row, for the list of rows left out.
  headings jsonb,
  -- What the file and its options are known by, so that an interrupted import of the same file can be continued.
  fingerprint text,
  -- 'applying' and 'undoing' between the first step and the last.
  status text not null default 'staged',
  -- The default for an empty field of a new book; null makes the missing field a problem.
  default_price numeric(10, 2),
  default_stock integer not null default 0,
  default_publisher text,
  -- Whether the file's stock replaces that of books which the shop has, although the file doesn't say what it was when it was made.
  sets_stock boolean not null default false,
  -- The list by which its rates are found again, such as the supplier's name.
  source text,
  -- How prices that are not in cedis became cedis: {"rates": {"GBP": 15.8}, "percent": 12, "round_to": 0.5}.
  conversion jsonb,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  applied_at timestamptz,
  undone_at timestamptz,
  added integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  -- Rows with problems, and lines that are not books to sell: sums, headings and notes.
  refused integer not null default 0,
  not_books integer not null default 0,
  -- How many rows there are, once the first has been applied; how many are applied, and up to which line.
  total_rows integer not null default 0,
  applied_rows integer not null default 0,
  applied_line integer not null default 0,
  -- Books that undoing has changed back, deleted, and left as they are.
  restored integer not null default 0,
  deleted integer not null default 0,
  kept integer not null default 0,
  constraint book_imports_status_is_known check (status in ('staged', 'applying', 'applied', 'undoing', 'undone')),
  constraint book_imports_fingerprint_is_short check (length(fingerprint) <= 100),
  constraint book_imports_file_name_is_short check (length(file_name) <= 300),
  constraint book_imports_headings_are_few check (length(headings::text) <= 50000),
  constraint book_imports_source_is_short check (length(source) <= 200),
  constraint book_imports_conversion_is_short check (length(conversion::text) <= 5000)
);
create index book_imports_newest_first on public.book_imports (created_at desc, id);
create index book_imports_with_rates on public.book_imports (applied_at desc, id) where conversion is not null;

create table public.book_import_rows (
  import_id uuid not null references public.book_imports (id) on delete cascade,
  -- The line in the file, counted from 1, the header included.
  line integer not null,
  -- What the file says, cleaned; a field that the file does not have is absent, an empty one is null.
  fields jsonb not null,
  -- The row's cells as the file has them, for the list of rows left out; others are dropped when the import is applied.
  cells jsonb,
  -- The id that an export gave the row: it takes precedence over the ISBN.
  given_id uuid,
  isbn_key text collate "C",
  -- Why the ISBN cannot be right (a spreadsheet has rounded it), unless it is what the given book already has.
  isbn_problem text,
  -- A sum, a heading or a note: left out, and no reason to refuse the import.
  not_a_book boolean not null default false,
  -- The list's own price, where it is not in cedis.
  source_price numeric(10, 2),
  source_currency text,
  -- What is wrong with the row, in sentences; a row with problems is not applied.
  problems text[] not null default '{}',
  -- Written when the import is applied, so that it can be undone.
  action text,
  book_id uuid,
  before jsonb,
  after jsonb,
  primary key (import_id, line),
  constraint book_import_rows_action_is_known check (action in ('add', 'update', 'unchanged', 'refused')),
  constraint book_import_rows_price_has_currency check ((source_price is null) = (source_currency is null)),
  constraint book_import_rows_currency_is_short check (length(source_currency) <= 3)
);
-- None of these begins with the import. Statistics from before it was staged say that it has no rows, and a look-up would read all of them.
create index book_import_rows_by_isbn on public.book_import_rows (isbn_key, line, import_id);
create index book_import_rows_by_given_id on public.book_import_rows (given_id, line, import_id) where given_id is not null;
create index book_import_rows_by_book on public.book_import_rows (book_id, line, import_id) where book_id is not null;
create index book_import_rows_added on public.book_import_rows (book_id, import_id) where action = 'add';

alter table public.book_imports enable row level security;
alter table public.book_import_rows enable row level security;
grant select on public.book_imports, public.book_import_rows to authenticated, service_role;

create policy "staff read imports" on public.book_imports
  for select to authenticated using ((select private.has_duty('catalogue')));
create policy "staff read the rows of imports" on public.book_import_rows
  for select to authenticated using ((select private.has_duty('catalogue')));

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

/* The import, locked, when it is in a state that the step needs. */
create function private.lock_book_import(_import_id uuid, variadic _statuses text[])
returns public.book_imports language plpgsql security definer set search_path = '' as $$
declare
  import public.book_imports;
begin
  select * into import from public.book_imports where id = _import_id for update;
  if not found then
    perform private.refuse('PT404', 'import_not_found', 'This import no longer exists.');
  end if;
  if import.status <> all (_statuses) then
    perform private.refuse('PT409', 'import_' || import.status,
      case import.status when 'applying' then 'This import is partly applied.' when 'undoing' then 'This import is partly undone.'
                         else 'This import is already ' || import.status || '.' end,
      jsonb_build_object('status', import.status));
  end if;
  return import;
end $$;

/*
 * Reads one row of a file: its texts cleaned, its numbers as numbers, and what is wrong with it. Currencies and thousands
 * separators are read before a row is sent, by the one rule for typed prices (shared/text/typed-price.ts).
 */
create function private.read_import_row(_raw jsonb, out fields jsonb, out problems text[])
language plpgsql immutable set search_path = '' as $$
declare
  field record;
  value text;
begin
  fields := '{}';
  problems := '{}';
  for field in select * from private.book_texts() loop
    if _raw ? field.name then
      value := case when field.is_long then private.clean_text(_raw ->> field.name)
                    else private.clean_line(_raw ->> field.name) end;
      if field.name = 'isbn' then value := private.written_isbn(value); end if;
      if field.name = 'newer_isbn' then value := private.isbn13(value); end if;
      if field.name = 'available_on' and not private.is_open_date(value) then value := null; end if;
      fields := fields || jsonb_build_object(field.name, value);
      if length(value) > field.at_most then
        problems := problems || format('The %s is too long (at most %s characters).', field.label, field.at_most);
      end if;
    end if;
  end loop;
  for field in select * from (values ('kind', 'kind', private.book_kinds()), ('digital_by', 'delivery of a digital title', '{file,code}'),
                             ('sale_state', 'status', private.sale_states()))
                 as c (name, label, choices) loop
    if _raw ? field.name then
      value := lower(private.clean_line(_raw ->> field.name));
      fields := fields || jsonb_build_object(field.name, value);
      if value <> all (field.choices) then
        problems := problems || format('The %s must be one of: %s.', field.label, array_to_string(field.choices, ', '));
      end if;
    end if;
  end loop;
  if _raw ? 'price' then
    value := private.clean_line(_raw ->> 'price');
    if value is null then
      fields := fields || '{"price": null}';
    elsif value ~ '^[0-9]{1,8}(\.[0-9]{1,2})?$' then
      fields := fields || jsonb_build_object('price', value::numeric(10, 2));
    else
      fields := fields || '{"bad_price": true}';
      problems := problems || format(case when value ~ '^[0-9]{1,8}\.[0-9]+$' then 'The price “%s” has more than two decimals.'
                                          else 'The price “%s” is not an amount of 0 or more.' end, left(value, 60));
    end if;
  end if;
  if _raw ? 'stock_quantity' then
    value := private.clean_line(_raw ->> 'stock_quantity');
    if value is null then
      fields := fields || '{"stock_quantity": null}';
    elsif value ~ '^[0-9]{1,8}$' and value::int <= 10000000 then
      fields := fields || jsonb_build_object('stock_quantity', value::int);
    else
      fields := fields || '{"bad_stock": true}';
      problems := problems || format('The stock “%s” is not a whole number of 0 or more.', left(value, 60));
    end if;
  end if;
  value := private.clean_line(_raw ->> 'seen_stock');
  if value ~ '^[0-9]{1,8}$' then
    fields := fields || jsonb_build_object('seen_stock', value::int);
  elsif value is not null then
    problems := problems || format('The stock at export “%s” is not a whole number of 0 or more.', left(value, 60));
  end if;
  value := private.clean_line(_raw ->> 'marks');
  if value ~ '^m([0-9a-f]{6}){1,60}$' then
    fields := fields || jsonb_build_object('marks', value);
  elsif value is not null then
    problems := problems || 'The cell under “As exported” was changed. Export the books again, or leave that column out.'::text;
  end if;
end $$;

/* The problems that the file's reader found: a few sentences. */
create function private.import_problems(_problems jsonb)
returns text[] language sql immutable set search_path = '' as $$
  select array(
    select left(private.clean_line(p), 300)
      from jsonb_array_elements_text(case jsonb_typeof(_problems) when 'array' then _problems else '[]' end) as p
     where private.clean_line(p) is not null limit 20
  )
$$;

/*
 * Staff: adds a chunk of rows, [{"line": 2, "title": …, "isbn": …, "price": …, "stock_quantity": …, …}], values as text or
 * numbers; a line sent again replaces the former. A row may carry the id of its book, the stock that it had when it was exported (seen_stock),
 * the marks of its other fields, its cells as the file has them, its price in another currency, and problems, with which it is refused. A title that
 * is not for sale and that the shop doesn't have is left out as what is no book is: that is no fault of the list. Returns how many were staged.
 */
create function private.stage_book_import_rows(_import_id uuid, _rows jsonb)
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
  insert into public.book_import_rows (import_id, line, fields, cells, given_id, isbn_key, isbn_problem, not_a_book, source_price, source_currency, problems)
  select _import_id, (r ->> 'line')::int, case when gone.unknown then '{}' else read.fields end, r -> 'cells',
         private.as_uuid(r ->> 'id'), case when not gone.unknown then key.isbn end,
         case when not gone.unknown then
           coalesce(left(private.clean_line(r ->> 'isbn_problem'), 300),
                    case when cardinality(private.isbns(read.fields ->> 'isbn')) > 1 then 'There are several ISBNs in one cell. Keep one.' end) end,
         gone.unknown or coalesce(r -> 'not_a_book' = 'true', false), source.price,
         case when source.price is not null then r ->> 'source_currency' end,
         case when gone.unknown then array['The list says that it is no longer sold, and the shop doesn''t have it.']
              else private.import_problems(r -> 'problems') || read.problems end
    from jsonb_array_elements(_rows) as r, private.read_import_row(r) as read,
         lateral (select case when r ->> 'isbn_problem' is null then private.isbn_key(read.fields ->> 'isbn') end as isbn) as key,
         lateral (select coalesce(read.fields ->> 'sale_state' in ('not_for_sale', 'last_copies') and private.as_uuid(r ->> 'id') is null
                                  and not exists (select from public.books b where b.isbn_key = key.isbn), false) as unknown) as gone,
         lateral (select case when jsonb_typeof(r -> 'source_price') = 'number' and length(r ->> 'source_currency') between 1 and 3
                                and (r ->> 'source_price')::numeric between 0 and 99999999.99
                              then (r ->> 'source_price')::numeric(10, 2) end as price) as source
  on conflict (import_id, line) do update
    set fields = excluded.fields, cells = excluded.cells, given_id = excluded.given_id, isbn_key = excluded.isbn_key,
        isbn_problem = excluded.isbn_problem, not_a_book = excluded.not_a_book, source_price = excluded.source_price, source_currency = excluded.source_currency,
        problems = excluded.problems;
  get diagnostics staged = row_count;
  return staged;
end $$;
select private.expose('stage_book_import_rows', 'authenticated', 'service_role');
