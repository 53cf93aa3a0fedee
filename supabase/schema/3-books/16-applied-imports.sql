-- Applying an import and undoing the last one: all or nothing, or in steps of this many rows. Each step is a transaction of its
-- own that also records the progress, so the next call continues after the last committed step.

/* Imports write one after the other: two that add the same new book would not see each other's. Taken before the lock on stock. */
create function private.lock_book_imports()
returns void language sql set search_path = '' as $$
  select pg_advisory_xact_lock(hashtext('public.book_imports'), 0)
$$;

/* No import begins while another one is partly applied or partly undone: undoing could not tell the books of the two apart. */
create function private.require_no_unfinished_import(_import_id uuid)
returns void language plpgsql stable set search_path = '' as $$
declare
  other public.book_imports;
begin
  select * into other from public.book_imports where status in ('applying', 'undoing') and id <> _import_id limit 1;
  if found then
    perform private.refuse('PT409', 'import_unfinished',
      format('Another import is not finished: %s, %s of %s rows applied. Finish it or undo it first.',
             coalesce(other.file_name, 'a file'), other.applied_rows, other.total_rows),
      jsonb_build_object('import_id', other.id));
  end if;
end $$;

/* The books that the rows after one line up to another mean by id or ISBN. */
create function private.books_meant(_import_id uuid, _after_line int, _to_line int)
returns uuid[] language sql stable set search_path = '' as $$
  select array(
    select b.id from public.book_import_rows r join public.books b on b.isbn_key = r.isbn_key
     where r.import_id = _import_id and r.line > _after_line and r.line <= _to_line
    union
    select r.given_id from public.book_import_rows r
     where r.import_id = _import_id and r.line > _after_line and r.line <= _to_line and r.given_id is not null)
$$;

/*
 * Staff: applies an import: all of it or nothing, or with _rows that many of the next, until the returned status is 'applied'. Rows with
 * problems refuse it, unless they are to be left out. Ten thousand rows take longer than the 8 seconds of any other request.
 */
create function private.apply_book_import(_import_id uuid, _skip_refused boolean default false, _rows int default null)
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
select private.expose('apply_book_import', 'authenticated', 'service_role');

-- Why undoing the import has left a book, or some of its fields, as they are.
alter table public.book_import_rows
  add column kept text,
  add column kept_fields text[],
  add constraint book_import_rows_kept_is_known check (kept in ('ordered', 'edited', 'in_use', 'changed', 'put_back', 'deleted', 'too_long'));

/*
 * A book as it was before an import, except what has been changed since. Of its stock, only the difference that the
 * import made is undone, never below 0 nor above the largest stock.
 */
create function private.without_import(_now jsonb, _before jsonb, _after jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select jsonb_object_agg(field, case
    when field = 'stock_quantity' then
      to_jsonb(least(greatest(value::int - (_after ->> field)::int + (_before ->> field)::int, 0), 10000000))
    when value = _after -> field then _before -> field
    else value end)
  from jsonb_each(_now) as f (field, value)
$$;

/* The fields that an import changed and that somebody has changed again since, other than back. The stock's difference is always undone. */
create function private.fields_changed_since(_now jsonb, _before jsonb, _after jsonb)
returns text[] language sql immutable set search_path = '' as $$
  select coalesce(array_agg(f.name order by f.name), '{}')
    from jsonb_object_keys(_after) as f (name)
   where f.name <> 'stock_quantity' and _before -> f.name <> _after -> f.name
     and _now -> f.name <> _after -> f.name and _now -> f.name <> _before -> f.name
$$;

/*
 * Staff: undoes the last import, or what has been applied of it: all, or with _rows that many of the last that changed a book, until the
 * returned status is 'undone'. A book that the import changed gets its price and its other fields back, also where it was ordered since: the
 * order has a price of its own. A book that the import added is deleted unless it has been ordered or edited since. Returns how many
 * books were restored, deleted or left unchanged; why they were left is in book_import_rows.kept.
 */
create function private.undo_book_import(_import_id uuid, _rows int default null)
returns public.book_imports language plpgsql security definer set search_path = '' set statement_timeout = '120s' as $$
declare
  import public.book_imports;
  from_line int;
  is_last boolean;
  rows_undone int;
  books_restored int;
  books_deleted int;
begin
  perform private.require_duty('catalogue');
  perform private.lock_book_imports();
  perform private.lock_stock(true);
  import := private.lock_book_import(_import_id, 'applied', 'applying', 'undoing');
  if exists (select from public.book_imports
              where status in ('applied', 'applying', 'undoing') and applied_at > import.applied_at) then
    perform private.refuse('PT409', 'import_not_last', 'Only the last import can be undone.');
  end if;
  select min(last.line), count(*) into from_line, rows_undone
    from (select r.line from public.book_import_rows r
           where r.import_id = _import_id and r.line <= import.applied_line and r.action in ('add', 'update')
           order by r.line desc limit case when _rows is not null then greatest(_rows, 1) end) as last;
  is_last := not exists (select from public.book_import_rows r
                          where r.import_id = _import_id and r.line < from_line and r.action in ('add', 'update'));
  perform from public.books
   where id in (select r.book_id from public.book_import_rows r
                 where r.import_id = _import_id and r.line between from_line and import.applied_line
                   and r.action in ('add', 'update'))
   order by id for no key update;

  update public.book_import_rows r
     set kept = k.reason, kept_fields = case when k.reason = 'changed' then k.fields end
    from (
      select u.line, c.fields,
             case when o.id is null then 'deleted'
                  when u.action = 'add' then null
                  when not private.fits_shelves(w.book ->> 'title', w.book ->> 'publisher', w.book ->> 'course', w.book ->> 'subject',
                                                w.book ->> 'grade_level') then 'too_long'
                  when c.fields <> '{}' then 'changed'
                  when w.book = to_jsonb(o) then 'put_back' end as reason
        from public.book_import_rows u left join public.books o on o.id = u.book_id
       cross join lateral (select private.without_import(to_jsonb(o), u.before, u.after) as book) as w
       cross join lateral (select private.fields_changed_since(to_jsonb(o), u.before, u.after) as fields) as c
       where u.import_id = _import_id and u.line between from_line and import.applied_line and u.action in ('add', 'update')
    ) as k
   where r.import_id = _import_id and r.line = k.line and k.reason is not null;

  perform set_config('shop.task', 'import', true);
  books_restored := private.update_books(array(
    select w.book
      from public.book_import_rows r join public.books o on o.id = r.book_id
     cross join lateral (select private.without_import(to_jsonb(o), r.before, r.after) as book) as w
     where r.import_id = _import_id and r.line between from_line and import.applied_line and r.action = 'update'
       -- All that the import changed may have been changed again since: the book is kept then.
       and w.book <> to_jsonb(o)
       -- A book that has been edited since may not fit any more; it stays as it is, or the import could never be undone.
       and private.fits_shelves(w.book ->> 'title', w.book ->> 'publisher', w.book ->> 'course', w.book ->> 'subject',
                                w.book ->> 'grade_level')));
  with undone as (
    delete from public.books o
     using public.book_import_rows r
     where r.import_id = _import_id and r.line between from_line and import.applied_line and r.action = 'add' and o.id = r.book_id
       and not exists (select from public.order_items i where i.book_id = o.id)
       and not (o.kind = 'digital' and private.is_digital_in_use(o.id))
       and not exists (select from public.audit_log a
                        where a.table_name = 'books' and a.row_id = o.id::text and a.action = 'update')
    returning o.id
  )
  select count(*) into books_deleted from undone;
  update public.book_import_rows r
     set kept = case when exists (select from public.order_items i where i.book_id = o.id) then 'ordered'
                     when exists (select from public.audit_log a
                                   where a.table_name = 'books' and a.row_id = o.id::text and a.action = 'update') then 'edited'
                     else 'in_use' end
    from public.books o
   where r.import_id = _import_id and r.line between from_line and import.applied_line and r.action = 'add' and o.id = r.book_id;
  perform set_config('shop.task', '', true), private.fold_tallies();

  update public.book_imports i
     set status = case when is_last then 'undone' else 'undoing' end,
         undone_at = case when is_last then clock_timestamp() end,
         applied_line = case when is_last then 0 else from_line - 1 end,
         applied_rows = case when is_last then 0 else i.applied_rows - (
           select count(*) from public.book_import_rows r
            where r.import_id = _import_id and r.line between from_line and i.applied_line) end,
         restored = i.restored + books_restored, deleted = i.deleted + books_deleted,
         kept = i.kept + rows_undone - books_restored - books_deleted
   where i.id = _import_id
  returning i.* into import;
  if is_last then
    insert into public.audit_log (table_name, row_id, action, after)
    values ('books', _import_id::text, 'undo', to_jsonb(import) - 'headings');
  end if;
  return import;
end $$;
select private.expose('undo_book_import', 'authenticated', 'service_role');
