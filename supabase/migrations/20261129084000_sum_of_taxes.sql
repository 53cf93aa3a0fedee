/*
 * Taxes that are more than all of a price are refused, and ids in texts are read in one place.
 */

/* A text as the id that it is; null for any other text. */
create function private.as_uuid(_text text)
returns uuid language sql immutable parallel safe strict set search_path = '' as $$
  select case when _text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then _text::uuid end
$$;

/* A setting's value as it is stored; refused by name if it may not have it. */
create or replace function private.checked_setting(_name text, _value jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  rule constant jsonb := private.setting_rules() -> _name;
  kind constant text := rule ->> 'kind';
  item jsonb;
  line text;
  checked jsonb := '[]';
begin
  if rule is null then
    perform private.refuse('PT400', 'invalid_field', 'Unknown setting.', jsonb_build_object('field', _name, 'rule', 'known'));
  elsif kind in ('line', 'text', 'email', 'phone', 'url', 'choice') then
    line := private.checked_setting_text(_name, _value, kind);
    if line = '' and ((rule ->> 'required')::boolean or kind = 'choice') then
      perform private.refuse_setting(_name, 'required', '%s is required.');
    end if;
    return to_jsonb(line);
  elsif kind = 'yes' then
    if jsonb_typeof(_value) is distinct from 'boolean' then perform private.refuse_setting(_name, 'type', '%s must be yes or no.'); end if;
    return _value;
  elsif kind = 'number' then
    if jsonb_typeof(_value) is distinct from 'number' or (_value #>> '{}')::numeric <> trunc((_value #>> '{}')::numeric)
       or (_value #>> '{}')::numeric not between coalesce((rule ->> 'min')::numeric, 0) and (rule ->> 'max')::numeric then
      perform private.refuse_setting(_name, 'range',
        format('%%s must be a whole number from %s to %s.', coalesce(rule ->> 'min', '0'), rule ->> 'max'));
    end if;
    return to_jsonb((_value #>> '{}')::int);
  end if;
  if jsonb_typeof(_value) is distinct from 'array' or jsonb_array_length(_value) > (case kind when 'words' then 1000 else 50 end) then
    perform private.refuse_setting(_name, 'max_lines', '%s has too many lines.');
  end if;
  for item in select * from jsonb_array_elements(_value) loop
    if kind in ('lines', 'phones') then
      line := private.checked_setting_text(_name, item, kind);
      if line <> '' then checked := checked || to_jsonb(line); end if;
    elsif kind = 'words' then
      checked := checked || jsonb_build_array(private.checked_search_words(_name, item));
    elsif kind = 'terms' then
      checked := checked || private.checked_school_term(_name, item);
    elsif kind = 'fees' then
      checked := checked || private.checked_delivery_fee(_name, item);
    else
      checked := checked || private.checked_tax(_name, item);
    end if;
  end loop;
  if kind = 'taxes' and (select sum((tax ->> 'percent')::numeric) from jsonb_array_elements(checked) as tax) > 100 then
    perform private.refuse_setting(_name, 'max', '%s: together they can''t be more than 100 %%.');
  end if;
  return checked;
end $$;

/*
 * Staff: adds a chunk of rows, [{"line": 2, "title": …, "isbn": …, "price": …, "stock_quantity": …, …}], values as text or
 * numbers; a line sent again replaces the former. A row may carry the id of its book, the stock that it had when it was exported (seen_stock),
 * its cells as the file has them, and
 * problems, with which it is refused. Returns how many were staged.
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
  insert into public.book_import_rows (import_id, line, fields, cells, given_id, isbn_key, isbn_problem, problems)
  select _import_id, (r ->> 'line')::int, read.fields, r -> 'cells',
         private.as_uuid(r ->> 'id'),
         case when r ->> 'isbn_problem' is null then private.isbn_key(read.fields ->> 'isbn') end,
         coalesce(left(private.clean_line(r ->> 'isbn_problem'), 300),
                  case when cardinality(private.isbns(read.fields ->> 'isbn')) > 1 then 'There are several ISBNs in one cell. Keep one.' end),
         private.import_problems(r -> 'problems') || read.problems
    from jsonb_array_elements(_rows) as r, private.read_import_row(r) as read
  on conflict (import_id, line) do update
    set fields = excluded.fields, cells = excluded.cells, given_id = excluded.given_id, isbn_key = excluded.isbn_key,
        isbn_problem = excluded.isbn_problem, problems = excluded.problems;
  get diagnostics staged = row_count;
  return staged;
end $$;

/* One given line, cleaned, without its list and position; refuses an invalid one, naming it. */
create or replace function private.read_booklist_line(_given jsonb, _line int)
returns public.booklist_lines language plpgsql stable set search_path = '' as $$
declare
  line public.booklist_lines;
begin
  if jsonb_typeof(_given) <> 'object' then
    perform private.refuse('PT400', 'invalid_rows', format('Line %s must be an object.', _line));
  end if;
  line.book_id := private.as_uuid(_given ->> 'book_id');
  line.title := coalesce((select b.title from public.books b where b.id = line.book_id),
                         private.clean_line(_given ->> 'title'));
  perform private.require_text('title', format('The title of line %s', _line), line.title, 500, true);
  line.copies := case when not _given ? 'copies' then 1 when _given ->> 'copies' ~ '^[0-9]{1,4}$' then (_given ->> 'copies')::int end;
  perform private.require_number('copies', format('The number of copies in line %s', _line), line.copies, 1, 99);
  line.is_required := _given ->> 'is_required' is distinct from 'false';
  line.note := private.clean_line(_given ->> 'note');
  perform private.require_text('note', format('The note of line %s', _line), line.note, 300);
  return line;
end $$;

/*
 * Staff: begins a draft purchase order for each supplier of _lines, all of them or none: [{"book_id", "supplier_id",
 * "copies"}], at most 1,000. A line has the price and discount of the last purchase order of the book from the
 * supplier in its currency; otherwise the supplier's usual discount and, from a supplier that counts in cedis, the
 * shop's price, or else 0, which staff fill in. Idempotent by _id. unpriced: lines with the price 0.
 */
create or replace function private.draft_needed_purchases(_id uuid, _lines jsonb)
returns table (purchase_order_id uuid, supplier_name text, titles bigint, unpriced bigint)
language plpgsql security definer set search_path = '' as $$
declare
  supplier record;
begin
  perform private.require_duty('stock');
  if _id is null or jsonb_typeof(_lines) is distinct from 'array' or jsonb_array_length(_lines) not between 1 and 1000 or exists (
    select from jsonb_array_elements(_lines) as l
     where jsonb_typeof(l) <> 'object' or private.as_uuid(l ->> 'book_id') is null or private.as_uuid(l ->> 'supplier_id') is null
  ) then
    perform private.refuse('PT400', 'invalid_lines', 'A proposal has between 1 and 1,000 lines, each with a book, a supplier and copies.');
  end if;
  for supplier in select (l ->> 'supplier_id')::uuid as id from jsonb_array_elements(_lines) as l group by 1 order by 1 loop
    purchase_order_id := md5(_id::text || supplier.id::text)::uuid;
    perform private.create_purchase_order(purchase_order_id, supplier.id);
    -- Of two presses at once the second one waits here; then the draft has its lines.
    perform from public.purchase_orders o where o.id = purchase_order_id and o.version = 1 for no key update;
    if found then
      perform private.update_purchase_order(purchase_order_id, 1, (
        select jsonb_agg(jsonb_build_object('book_id', l.value ->> 'book_id', 'copies', l.value -> 'copies',
                 'list_price', coalesce(before.list_price, case when s.currency = 'GHS' then b.price end, 0),
                 'discount', coalesce(before.discount, s.discount)) order by b.title_key, l.place)
          from jsonb_array_elements(_lines) with ordinality as l (value, place)
          join public.suppliers s on s.id = supplier.id
          left join public.books b on b.id = (l.value ->> 'book_id')::uuid
          left join (
            select distinct on (p.book_id) p.book_id, p.list_price, p.discount
              from public.purchase_order_lines p
              join public.purchase_orders o on o.id = p.purchase_order_id and o.status <> 'cancelled' and o.supplier_id = supplier.id
              join public.suppliers t on t.id = o.supplier_id and t.currency = o.currency
             order by p.book_id, o.created_at desc, o.id) as before on before.book_id = b.id
         where (l.value ->> 'supplier_id')::uuid = supplier.id));
    end if;
    select s.name, count(*), count(*) filter (where p.list_price = 0) into supplier_name, titles, unpriced
      from public.suppliers s left join public.purchase_order_lines p on p.purchase_order_id = draft_needed_purchases.purchase_order_id
     where s.id = supplier.id group by s.name;
    return next;
  end loop;
end $$;
