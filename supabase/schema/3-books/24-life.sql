-- The life of a book: every trigger on books, in the order in which they run for one statement. Triggers of one event run in the order of their
-- names. Unlike those of orders (4-orders/05-life.sql), they are declarations of their own: a trigger sees only in its declaration which
-- columns a statement names, and only its own function sees all rows of a statement.

-- Before a client's statement.
create trigger queue_stock_writes before update or delete on public.books
  for each statement when (current_user in ('authenticated', 'service_role'))
  execute function private.queue_stock_writes();

-- Before a row is written: check_changed_book, then keep_digital_stock, which needs the checked kind, then stamp_updated_at. The first and the
-- last name the columns that staff edit.
create trigger check_new_book before insert on public.books
  for each row execute function private.check_book();
select private.settle_book_columns();
create trigger keep_digital_stock before update of stock_quantity, kind, digital_by on public.books
  for each row when (new.kind = 'digital' or old.kind = 'digital')
  execute function private.keep_digital_stock();

-- After a changed row.
-- Row by row: pairing the rows of a whole statement may take quadratic time. While an order moves stock, nothing else about a
-- book changes, and comparing all of it would cost as much as the rest of the update.
create trigger bump_catalogue_version_if_shown after update on public.books
  for each row when (
    least(new.stock_quantity, 10) <> least(old.stock_quantity, 10)
    or coalesce(current_setting('shop.task', true), '') in ('', 'import', 'demo', 'restore')
       and to_jsonb(new) - '{stock_quantity,for_sale,shelf,updated_at}'::text[]
           <> to_jsonb(old) - '{stock_quantity,for_sale,shelf,updated_at}'::text[]
  ) execute function private.bump_catalogue_version();
create trigger keep_changed_book_words after update on public.books
  for each row when (new.word_text is distinct from old.word_text) execute function private.keep_changed_book_words();
create trigger queue_stock_alerts after update of stock_quantity, sale_state on public.books
  for each row when (old.for_sale <= 0 and new.for_sale > 0)
  execute function private.queue_stock_alerts();
-- Not while an order moves stock, when nothing else about the book changes, nor for an import, which has one row for the whole batch.
create trigger record_audit after insert or update or delete on public.books
  for each row when (coalesce(current_setting('shop.task', true), '') in ('', 'restore'))
  execute function private.record_audit('average_rating', 'review_count', 'updated_at');
create trigger record_stock_movement after update of stock_quantity on public.books
  for each row when (old.stock_quantity is distinct from new.stock_quantity)
  execute function private.record_stock_movement();
create trigger tally_changed_book after update on public.books
  for each row when (new.stock_quantity <> old.stock_quantity or new.kind <> old.kind or new.publisher is distinct from old.publisher)
  execute function private.tally_changed_book();

-- After a statement that adds or deletes books.
create trigger bump_catalogue_version after insert or delete or truncate on public.books
  for each statement execute function private.bump_catalogue_version();
create trigger drop_archived_stock after insert on public.books
  referencing new table as inserted for each statement execute function private.drop_archived_stock();
create trigger keep_new_book_words after insert on public.books
  referencing new table as added for each statement execute function private.keep_new_book_words();
create trigger tally_new_books after insert on public.books
  referencing new table as changed for each statement execute function private.tally_books();
create trigger archive_stock after delete on public.books
  referencing old table as deleted for each statement execute function private.archive_stock();
create trigger tally_deleted_books after delete on public.books
  referencing old table as changed for each statement execute function private.tally_books();
create trigger forget_tallies after truncate on public.books for each statement execute function private.forget_tallies();
