-- Sums, headings and notes of a price list are left out of its import without refusing it.

alter table public.book_import_rows add column not_a_book boolean not null default false;

drop function public.summarise_book_import, private.summarise_book_import;

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
  insert into public.book_import_rows (import_id, line, fields, cells, given_id, isbn_key, isbn_problem, not_a_book, source_price, source_currency, problems)
  select _import_id, (r ->> 'line')::int, read.fields, r -> 'cells',
         private.as_uuid(r ->> 'id'),
         case when r ->> 'isbn_problem' is null then private.isbn_key(read.fields ->> 'isbn') end,
         coalesce(left(private.clean_line(r ->> 'isbn_problem'), 300),
                  case when cardinality(private.isbns(read.fields ->> 'isbn')) > 1 then 'There are several ISBNs in one cell. Keep one.' end),
         coalesce(r -> 'not_a_book' = 'true', false), source.price, case when source.price is not null then r ->> 'source_currency' end,
         private.import_problems(r -> 'problems') || read.problems
    from jsonb_array_elements(_rows) as r, private.read_import_row(r) as read,
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

/*
 * Staff: how many rows an import would add, update, leave and refuse: all, or those after a line up to another. Of existing books: how
 * many stocks it would change, how many it keeps although the file has another number, and how many have changed since the export; and
 * how many books keep something else that was changed in the shop since. Of the refused, how many are no books but sums, headings and notes.
 */
create function private.summarise_book_import(_import_id uuid, _after_line int default 0, _to_line int default null)
returns table (
  rows bigint, added bigint, updated bigint, unchanged bigint, refused bigint, stock_changed bigint, stock_kept bigint, stock_moved bigint,
  fields_moved bigint, not_books bigint
)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
begin
  perform private.require_book_import(_import_id);
  return query
    select count(*), count(*) filter (where p.action = 'add'), count(*) filter (where p.action = 'update'),
           count(*) filter (where p.action = 'unchanged'), count(*) filter (where p.action = 'refused'),
           count(*) filter (where p.action = 'update' and p.before -> 'stock_quantity' <> p.after -> 'stock_quantity'),
           count(*) filter (where p.action <> 'refused' and p.stock = 'kept'),
           count(*) filter (where p.action <> 'refused' and p.stock = 'moved'),
           count(*) filter (where p.action <> 'refused' and p.moved <> '{}'),
           count(*) filter (where p.action = 'refused' and r.not_a_book)
      from private.plan_book_import(_import_id, coalesce(_after_line, 0), _to_line) as p
      join public.book_import_rows r on r.import_id = _import_id and r.line = p.line;
end $$;
select private.expose('summarise_book_import', 'authenticated', 'service_role');

/*
 * Staff: applies an import: all of it or nothing, or with _rows that many of the next, until the returned status is 'applied'. Rows with
 * problems refuse it, unless they are to be left out. Ten thousand rows take longer than the 8 seconds of any other request.
 */
create or replace function private.apply_book_import(_import_id uuid, _skip_refused boolean default false, _rows int default null)
returns public.book_imports language plpgsql security definer set search_path = '' set statement_timeout = '120s' as $$
declare
  import public.book_imports;
  to_line int;
  is_last boolean;
  rows_before int;
  bad int;
begin
  perform private.require_duty('catalogue');
  perform private.lock_book_imports();
  perform private.lock_stock(false);
  import := private.lock_book_import(_import_id, 'staged', 'applying');
  if import.status = 'staged' then
    perform private.require_no_unfinished_import(_import_id);
    select count(*) into import.total_rows from public.book_import_rows where import_id = _import_id;
  end if;
  select coalesce(max(next.line), import.applied_line) into to_line
    from (select r.line from public.book_import_rows r where r.import_id = _import_id and r.line > import.applied_line
           order by r.line limit case when _rows is not null then greatest(_rows, 1) end) as next;
  is_last := not exists (select from public.book_import_rows where import_id = _import_id and line > to_line);

  perform from public.books where id = any (private.books_meant(_import_id, import.applied_line, to_line))
   order by id for no key update;

  update public.book_import_rows r
     set action = p.action, problems = p.problems, before = p.before, after = p.after,
         cells = case p.action when 'refused' then r.cells end,
         book_id = case p.action when 'add' then coalesce(r.given_id, gen_random_uuid()) else p.book_id end
    from private.plan_book_import(_import_id, import.applied_line, to_line) as p
   where r.import_id = _import_id and r.line > import.applied_line and r.line <= to_line and r.line = p.line;
  select count(*) into bad from public.book_import_rows
   where import_id = _import_id and line > import.applied_line and line <= to_line and action = 'refused' and not not_a_book;
  if bad > 0 and not coalesce(_skip_refused, false) then
    perform private.refuse('PT409', 'import_has_problems',
      case when import.status = 'staged' then format('%s rows have problems. Nothing was imported.', bad)
           else format('Problems in the next step: %s. Rows imported so far: %s of %s.', bad, import.applied_rows, import.total_rows) end,
      jsonb_build_object('refused', bad));
  end if;

  perform set_config('shop.task', 'import', true);
  perform private.insert_books(array(
    select r.after || jsonb_build_object('id', r.book_id) from public.book_import_rows r
     where r.import_id = _import_id and r.line > import.applied_line and r.line <= to_line and r.action = 'add' order by r.line));
  perform private.update_books(array(
    select r.after from public.book_import_rows r
     where r.import_id = _import_id and r.line > import.applied_line and r.line <= to_line and r.action = 'update'));
  perform set_config('shop.task', '', true), private.fold_tallies();

  rows_before := import.applied_rows;
  update public.book_imports i
     set status = case when is_last then 'applied' else 'applying' end, applied_at = clock_timestamp(),
         total_rows = import.total_rows, applied_rows = i.applied_rows + n.rows, applied_line = to_line,
         added = i.added + n.added, updated = i.updated + n.updated, unchanged = i.unchanged + n.unchanged, refused = i.refused + n.refused
    from (
      select count(*) as rows, count(*) filter (where action = 'add') as added, count(*) filter (where action = 'update') as updated,
             count(*) filter (where action = 'unchanged') as unchanged, count(*) filter (where action = 'refused') as refused
        from public.book_import_rows
       where import_id = _import_id and line > import.applied_line and line <= to_line
    ) as n
   where i.id = _import_id
  returning i.* into import;
  if is_last then
    insert into public.audit_log (table_name, row_id, action, after)
    values ('books', _import_id::text, 'import', to_jsonb(import) - 'headings');
  end if;
  -- Until then searches would be planned for the catalogue as it was: without the trigram index where it was empty.
  if import.added + import.updated >= 100
     and (is_last or rows_before = 0 or import.applied_rows / 50000 > rows_before / 50000) then
    analyze public.books;
  end if;
  return import;
end $$;
