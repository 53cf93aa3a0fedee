-- Imports that were applied before imports had steps, as in a backup of an earlier version: all of their rows were. Without this, undoing one
-- would find no rows to undo.
update public.book_imports i
   set (total_rows, applied_rows, applied_line) = (
     select count(*), count(*), coalesce(max(r.line), 0) from public.book_import_rows r where r.import_id = i.id)
 where i.status = 'applied' and i.applied_line = 0;
