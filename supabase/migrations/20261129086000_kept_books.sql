/* A book of which undoing an import changes nothing back counts as kept. */

/*
 * Staff: undoes the last import, or what has been applied of it: all, or with _rows that many of the last that changed a book, until the
 * returned status is 'undone'. A book that the import added is deleted unless it has been ordered or edited since. Returns how many
 * books were restored, deleted or left unchanged.
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
