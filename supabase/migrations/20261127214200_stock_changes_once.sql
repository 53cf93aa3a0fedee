-- A change of stock by hand is repeated only as it was.

/*
 * Staff: adds copies to a book's stock, or takes some out (negative), even while others are being sold. _reason found, damaged, lost, sample,
 * gift or correction; more copies are found or corrected. _note has at most 200 characters. Returns the copies that there are now. Repeating
 * a _change_id moves nothing, and is refused for another book, number or reason.
 */
create or replace function private.change_stock(_change_id uuid, _book_id uuid, _copies int, _reason text, _note text default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  book public.books;
  before public.stock_movements;
begin
  perform private.require_duty('stock');
  if _change_id is null then
    perform private.refuse('PT400', 'invalid_field', 'Please reload the page and try again.', '{"field": "change_id", "rule": "required"}');
  end if;
  perform private.lock_stock(false);
  perform private.lock_books(array[_book_id]);
  select * into book from public.books where id = _book_id;
  if book.id is null then
    perform private.refuse('PT404', 'book_not_found', 'This book no longer exists.');
  end if;
  select * into before from public.stock_movements where change_id = _change_id;
  if (before.book_id, before.quantity, before.reason) is not distinct from (_book_id, _copies, _reason) then
    return book.stock_quantity;
  elsif before.id is not null then
    perform private.refuse('PT409', 'stock_change_exists', 'A change with other values was already saved. Please reload the page to see it.');
  end if;
  perform private.require_number('copies', 'The number of copies', nullif(_copies, 0), -10000000, 10000000);
  if book.stock_quantity + _copies < 0 then
    perform private.refuse('PT409', 'insufficient_stock', format('There are only %s in stock.', book.stock_quantity),
      jsonb_build_object('left', book.stock_quantity));
  end if;
  perform private.explain_stock_change(_copies, _reason, _note, _change_id);
  update public.books set stock_quantity = stock_quantity + _copies where id = _book_id;
  perform private.end_stock_explanation();
  return book.stock_quantity + _copies;
end $$;

