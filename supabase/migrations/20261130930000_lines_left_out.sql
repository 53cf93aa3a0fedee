-- Lines that are not books to sell are counted, shown and downloaded apart from rows with problems.

alter table public.book_imports add column not_books integer not null default 0;
update public.book_imports i set refused = i.refused - n.lines, not_books = n.lines
  from (select r.import_id, count(*) as lines from public.book_import_rows r where r.not_a_book and r.action = 'refused' group by r.import_id) as n
 where i.id = n.import_id;

/*
 * Staff: how many rows an import would add, update, leave and refuse, and how many are not books to sell but sums, headings and notes
 * (not_books): all, or those after a line up to another. Of existing books: how many stocks it would change, how many it keeps although
 * the file has another number, and how many have changed since the export; and how many books keep something else that was changed in the
 * shop since.
 * figures: sums of prices (in cedis) and copies before and after, the ten largest moves of prices by ratio and by amount and of stocks, and
 * what is odd, with the first ten rows of each kind. They continue _so_far, the figures of the rows before, so that a large import
 * is read range by range; the counts are those of the range.
 */
create or replace function private.summarise_book_import(
  _import_id uuid, _after_line int default 0, _to_line int default null, _so_far jsonb default null
)
returns table (
  rows bigint, added bigint, updated bigint, unchanged bigint, refused bigint, stock_changed bigint, stock_kept bigint, stock_moved bigint,
  fields_moved bigint, not_books bigint, figures jsonb
)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
begin
  perform private.require_book_import(_import_id);
  return query
    with weighed as materialized (
      select w.line, w.action, w.stock as stock_note, w.moved, w.not_a_book, w.sets_price, w.odd, w.after ->> 'title' as title,
             nullif(w.before ->> 'title', w.after ->> 'title') as old_title, w.after ->> 'publisher' as publisher,
             (w.before ->> 'price')::numeric as old_price, (w.after ->> 'price')::numeric as price,
             (w.before ->> 'stock_quantity')::int as old_stock, (w.after ->> 'stock_quantity')::int as stock
        from private.weigh_import_rows(_import_id, coalesce(_after_line, 0), _to_line) as w
    ), counted as (
      select count(*) as total, count(*) filter (where w.action = 'add') as adds, count(*) filter (where w.action = 'update') as updates,
             count(*) filter (where w.action = 'unchanged') as same,
             count(*) filter (where w.action = 'refused' and not w.not_a_book) as bad,
             count(*) filter (where w.action = 'update' and w.old_stock <> w.stock) as restocked,
             count(*) filter (where w.action <> 'refused' and w.stock_note = 'kept') as kept,
             count(*) filter (where w.action <> 'refused' and w.stock_note = 'moved') as sold,
             count(*) filter (where w.action <> 'refused' and w.moved <> '{}') as edited,
             count(*) filter (where w.action = 'refused' and w.not_a_book) as others
        from weighed w
    ), summed as (
      select s.key, sum(s.value::numeric) as value
        from (
          select e.key, e.value
            from (
              select count(*) filter (where w.action <> 'add') as known, count(*) filter (where w.sets_price) as priced,
                     count(*) filter (where w.price > w.old_price) as rise, count(*) filter (where w.price < w.old_price) as fall,
                     count(*) filter (where w.price = w.old_price) as stay,
                     coalesce(sum(w.old_price) filter (where w.price <> w.old_price), 0) as price_before,
                     coalesce(sum(w.price) filter (where w.price <> w.old_price), 0) as price_after,
                     count(*) filter (where w.stock > w.old_stock) as more, count(*) filter (where w.stock < w.old_stock) as fewer,
                     coalesce(sum(w.old_stock) filter (where w.stock <> w.old_stock), 0) as copies_before,
                     coalesce(sum(w.stock) filter (where w.stock <> w.old_stock), 0) as copies_after,
                     coalesce(sum(w.stock) filter (where w.action = 'add'), 0) as new_copies
                from weighed w where w.action <> 'refused'
            ) as of_range cross join jsonb_each_text(to_jsonb(of_range)) as e
          union all
          select e.key, e.value from jsonb_each_text(_so_far -> 'sums') as e
        ) as s
       group by s.key
    ), moves as (
      select w.line, w.title, w.old_price, w.price, w.old_stock, w.stock
        from weighed w where w.action = 'update' and (w.price <> w.old_price or w.stock <> w.old_stock)
      union
      select m.* from jsonb_to_recordset(coalesce(_so_far -> 'price_ratios', '[]') || coalesce(_so_far -> 'price_amounts', '[]')
                                         || coalesce(_so_far -> 'stock_moves', '[]'))
                   as m (line int, title text, old_price numeric, price numeric, old_stock int, stock int)
    ), sized as (
      select m.line, to_jsonb(m) as move,
             case when m.price <> m.old_price then greatest(m.price / nullif(m.old_price, 0), m.old_price / nullif(m.price, 0)) end as ratio,
             nullif(abs(m.price - m.old_price), 0) as amount, nullif(abs(m.stock - m.old_stock), 0) as copies
        from moves m
    ), odd_rows as (
      select k.kind, w.line, w.title, w.old_title, w.old_price, w.price, w.old_stock, w.stock, w.publisher
        from weighed w cross join unnest(w.odd) as k (kind)
    ), odd_counts as (
      select c.kind, sum(c.rows_of_kind)::bigint as rows_of_kind
        from (select o.kind, count(*) as rows_of_kind from odd_rows o group by o.kind
              union all
              select o ->> 'kind', (o ->> 'count')::bigint from jsonb_array_elements(_so_far -> 'oddities') as o) as c
       group by c.kind
    ), odd_firsts as (
      -- One row of each new publisher.
      select distinct on (x.kind, case x.kind when 'new_publisher' then x.publisher else x.line::text end) x.*
        from (select o.* from odd_rows o
              union all
              select o ->> 'kind', e.* from jsonb_array_elements(_so_far -> 'oddities') as o
               cross join jsonb_to_recordset(o -> 'examples') as e (line int, title text, old_title text, old_price numeric, price numeric,
                                                                    old_stock int, stock int, publisher text)) as x
       order by x.kind, case x.kind when 'new_publisher' then x.publisher else x.line::text end, x.line
    ), odd_examples as (
      select n.kind, jsonb_agg(jsonb_strip_nulls(to_jsonb(n) - '{kind,place}'::text[]) order by n.line) as examples
        from (select f.*, row_number() over (partition by f.kind order by f.line) as place from odd_firsts f) as n
       where n.place <= 10
       group by n.kind
    ), sums as (
      select jsonb_object_agg(s.key, s.value) as sums from summed s
    )
    select c.total, c.adds, c.updates, c.same, c.bad, c.restocked, c.kept, c.sold, c.edited, c.others,
           jsonb_build_object(
             'sums', s.sums,
             'price_ratios', (select coalesce(jsonb_agg(t.move order by t.ratio desc, t.line), '[]') from (
               select z.* from sized z where z.ratio is not null order by z.ratio desc, z.line limit 10) as t),
             'price_amounts', (select coalesce(jsonb_agg(t.move order by t.amount desc, t.line), '[]') from (
               select z.* from sized z where z.amount is not null order by z.amount desc, z.line limit 10) as t),
             'stock_moves', (select coalesce(jsonb_agg(t.move order by t.copies desc, t.line), '[]') from (
               select z.* from sized z where z.copies is not null order by z.copies desc, z.line limit 10) as t),
             'oddities', (select coalesce(jsonb_agg(jsonb_build_object('kind', o.kind, 'count', o.rows_of_kind, 'examples', e.examples,
                 'level', private.oddity_level(o.kind, o.rows_of_kind, (s.sums ->> 'known')::bigint, (s.sums ->> 'priced')::bigint))
                 order by o.kind), '[]')
               from odd_counts o join odd_examples e on e.kind = o.kind))
      from counted c cross join sums s;
end $$;

drop function public.preview_book_import, private.preview_book_import;
drop function public.list_rows_left_out, private.list_rows_left_out;

/*
 * Staff: the dry run, by line: action (add, update, unchanged, refused; not_a_book for a sum, a heading or a note), problems as messages, the
 * book before and after, which fields stay as they were changed in the shop since the export (moved), the list's own price, where it is not
 * in cedis, and the cells of a row that is left out.
 * _action shows one kind of rows alone, _odd those with one oddity; _after_line continues behind a line, _to_line ends with one; at most
 * 1,000 rows at once.
 */
create function private.preview_book_import(
  _import_id uuid, _action text default null, _after_line int default 0, _page_size int default 50, _to_line int default null,
  _odd text default null
)
returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb, moved text[], source_price numeric, source_currency text,
               cells jsonb)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  at_most constant int := least(greatest(coalesce(_page_size, 50), 1), 1000);
  from_line int := coalesce(_after_line, 0);
  next_line int;
  found_rows int := 0;
  more int;
begin
  perform private.require_book_import(_import_id);
  if _action = 'not_a_book' and _odd is null then
    -- The file's reader has said why they are left out, whatever the shop has. There may be few in a large import.
    return query
      select r.line, _action, null::uuid, r.problems, null::jsonb, '{}'::jsonb, '{}'::text[], null::numeric, null::text, r.cells
        from public.book_import_rows r
       where r.import_id = _import_id and r.line > from_line and r.line <= coalesce(_to_line, 2147483647)
         and r.not_a_book and r.problems <> '{}'
       order by r.line limit at_most;
    return;
  end if;
  -- A page is mostly full before all rows are compared with the shop.
  loop
    select max(n.line) into next_line
      from (select r.line from public.book_import_rows r
             where r.import_id = _import_id and r.line > from_line and r.line <= coalesce(_to_line, 2147483647)
             order by r.line limit 2000) as n;
    exit when next_line is null;
    return query
      select w.line, what.action, w.book_id, w.problems, w.before, w.after, w.moved, w.source_price, w.source_currency, file.cells
        from private.weigh_import_rows(_import_id, from_line, next_line) as w
       cross join lateral (select case when w.action = 'refused' and w.not_a_book then 'not_a_book' else w.action end as action) as what
        left join lateral (
          -- A range with a limit, as the planner may take the import for empty and read all its rows for each line.
          select r.cells from public.book_import_rows r
           where r.import_id = _import_id and r.line >= w.line and r.line <= w.line and w.action = 'refused' order by r.line limit 1
        ) as file on true
       where (_action is null or what.action = _action) and (_odd is null or _odd = any (w.odd))
       order by w.line limit at_most - found_rows;
    get diagnostics more = row_count;
    found_rows := found_rows + more;
    from_line := next_line;
    exit when found_rows >= at_most;
  end loop;
end $$;
select private.expose('preview_book_import', 'authenticated', 'service_role');

/*
 * Staff: the rows with problems that an import leaves out or has left out, by line, with the reasons and the cells, to be repaired and
 * imported again; with _not_books the lines that are not books to sell in their place. _after_line continues behind a line, _to_line ends
 * with one; at most 1,000 rows at once.
 */
create function private.list_rows_left_out(
  _import_id uuid, _after_line int default 0, _page_size int default 500, _to_line int default null, _not_books boolean default false
)
returns table (line int, problems text[], cells jsonb)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  at_most constant int := least(greatest(coalesce(_page_size, 500), 1), 1000);
begin
  perform private.require_book_import(_import_id);
  if (select status <> 'staged' from public.book_imports where id = _import_id) then
    return query
      select r.line, r.problems, r.cells from public.book_import_rows r
       where r.import_id = _import_id and r.line > coalesce(_after_line, 0) and r.line <= coalesce(_to_line, 2147483647)
         and r.action = 'refused' and r.not_a_book = coalesce(_not_books, false)
       order by r.line limit at_most;
  else
    return query
      select p.line, p.problems, p.cells
        from private.preview_book_import(_import_id, case when _not_books then 'not_a_book' else 'refused' end, _after_line, at_most, _to_line) as p
       order by p.line;
  end if;
end $$;
select private.expose('list_rows_left_out', 'authenticated', 'service_role');

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
         added = i.added + n.added, updated = i.updated + n.updated, unchanged = i.unchanged + n.unchanged, refused = i.refused + n.refused,
         not_books = i.not_books + n.not_books
    from (
      select count(*) as rows, count(*) filter (where action = 'add') as added, count(*) filter (where action = 'update') as updated,
             count(*) filter (where action = 'unchanged') as unchanged,
             count(*) filter (where action = 'refused' and not not_a_book) as refused,
             count(*) filter (where action = 'refused' and not_a_book) as not_books
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
