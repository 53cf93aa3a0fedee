-- Changing stock by hand, with the reason.

/* Sets the reason and note of the transaction's next stock movements, until end_stock_explanation. Refuses a reason that doesn't fit the direction. */
create function private.explain_stock_change(_copies int, _reason text, _note text, _change_id uuid default null)
returns void language plpgsql set search_path = '' as $$
declare
  note constant text := private.require_text('note', 'The note', private.clean_line(_note), 200);
begin
  if coalesce(_reason, '') not in ('found', 'damaged', 'lost', 'sample', 'gift', 'correction') then
    perform private.refuse('PT400', 'invalid_field', 'Choose why the stock has changed.',
      jsonb_build_object('field', 'reason', 'rule', 'choice'));
  elsif _copies > 0 and _reason not in ('found', 'correction') then
    perform private.refuse('PT400', 'invalid_field', 'For an increase, choose Found or Correction.',
      jsonb_build_object('field', 'reason', 'rule', 'direction'));
  elsif _copies < 0 and _reason = 'found' then
    perform private.refuse('PT400', 'invalid_field', 'For a decrease, you can''t choose Found.',
      jsonb_build_object('field', 'reason', 'rule', 'direction'));
  end if;
  perform set_config('shop.stock_reason', _reason, true), set_config('shop.stock_note', coalesce(note, ''), true),
          set_config('shop.stock_change', coalesce(_change_id::text, ''), true);
end $$;

create function private.end_stock_explanation()
returns void language sql set search_path = '' as $$
  select set_config('shop.stock_reason', '', true), set_config('shop.stock_note', '', true), set_config('shop.stock_change', '', true)
$$;

/*
 * Staff: adds copies to a book's stock, or takes some out (negative), even while others are being sold. _reason found, damaged, lost, sample,
 * gift or correction; more copies are found or corrected. _note has at most 200 characters. Returns the copies that there are now. Repeating
 * a _change_id moves nothing, and is refused for another book, number or reason.
 */
create function private.change_stock(_change_id uuid, _book_id uuid, _copies int, _reason text, _note text default null)
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
    perform private.refuse('PT409', 'stock_change_exists', 'A different change has already been saved. Please reload the page to see it.');
  end if;
  perform private.refuse_digital(array[_book_id]);
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
select private.expose('change_stock', 'authenticated', 'service_role');

/*
 * Staff: saves a book whose stock was changed, its fields as JSON, unless it has changed since _updated_at. _reason and _note as in
 * change_stock. Returns whether it was saved.
 */
create function private.change_book(_book_id uuid, _updated_at timestamptz, _book jsonb, _reason text, _note text default null)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
  stored public.books;
  changed public.books;
begin
  perform private.require_duty('catalogue');
  perform private.lock_stock(false);
  perform private.lock_books(array[_book_id]);
  select * into stored from public.books where id = _book_id;
  if stored.id is null or stored.updated_at <> _updated_at then return false; end if;
  changed := jsonb_populate_record(stored, coalesce(_book, '{}') - '{id,created_at}'::text[]);
  if changed.stock_quantity <> stored.stock_quantity and 'digital' not in (stored.kind, coalesce(changed.kind, 'book')) then
    perform private.explain_stock_change(changed.stock_quantity - stored.stock_quantity, _reason, _note);
  end if;
  perform private.update_books(array[to_jsonb(changed)]);
  perform private.end_stock_explanation();
  return true;
end $$;
select private.expose('change_book', 'authenticated', 'service_role');
