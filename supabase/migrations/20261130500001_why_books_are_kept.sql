-- Undoing an import says which books it has left as they are, or in part, and why.

-- Why undoing the import has left a book, or some of its fields, as they are.
alter table public.book_import_rows
  add column kept text,
  add column kept_fields text[],
  add constraint book_import_rows_kept_is_known check (kept in ('ordered', 'edited', 'in_use', 'changed', 'put_back', 'deleted', 'too_long'));

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
create or replace function private.undo_book_import(_import_id uuid, _rows int default null)
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
