-- Staff say why they change a book's stock by hand, and the stock card shows it.

alter table public.stock_movements
  add column note text,
  add column change_id uuid,
  drop constraint stock_movements_reason_is_known,
  add constraint stock_movements_reason_is_known check (reason in (
    'order', 'cancel', 'delete', 'reopen', 'manual', 'import', 'return',
    'found', 'damaged', 'lost', 'sample', 'gift', 'correction'
  )),
  add constraint stock_movements_note_is_short check (length(note) <= 200);
create unique index stock_movements_by_change on public.stock_movements (change_id) where change_id is not null;

create or replace function private.record_stock_movement()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.stock_movements (book_id, quantity, reason, order_id, note, change_id)
  values (
    new.id,
    new.stock_quantity - old.stock_quantity,
    coalesce(nullif(current_setting('shop.task', true), ''), nullif(current_setting('shop.stock_reason', true), ''), 'manual'),
    nullif(current_setting('shop.order', true), '')::uuid,
    nullif(current_setting('shop.stock_note', true), ''),
    nullif(current_setting('shop.stock_change', true), '')::uuid
  );
  return null;
end $$;

drop function public.list_stock_movements, private.list_stock_movements;

create function private.list_stock_movements(
  _book_id uuid, _reason text default null, _descending boolean default true, _page int default 1, _page_size int default 50
)
returns table (
  id bigint, created_at timestamptz, quantity int, balance bigint, reason text, order_id uuid, order_number bigint, by_name text,
  note text
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted constant text := ' order by m.id ' || case when coalesce(_descending, true) then 'desc' else 'asc' end;
begin
  perform private.require_staff();
  return query execute
    'select m.id, m.created_at, m.quantity, m.balance, m.reason, m.order_id, o.number, coalesce(p.full_name, p.email), m.note
       from (select m.*
               from (select m.*, stock.copies - coalesce(sum(m.quantity) over (
                              order by m.id desc rows between unbounded preceding and 1 preceding), 0) as balance
                       from public.stock_movements m,
                            (select coalesce((select b.stock_quantity from public.books b where b.id = $1),
                                             (select g.stock_quantity from private.gone_books g where g.id = $1), 0)) as stock (copies)
                      where m.book_id = $1) as m
              where coalesce($2, '''') in ('''', m.reason)' || sorted || private.paging(_page, _page_size) || ') as m
       left join public.orders o on o.id = m.order_id
       left join public.profiles p on p.id = m.actor' || sorted
    using _book_id, _reason;
end $$;
select private.expose('list_stock_movements', 'authenticated', 'service_role');

/* For what the transaction does to stock next: a reason that staff give, which fits the direction, and their note. Empty texts end it. */
create function private.explain_stock_change(_copies int, _reason text, _note text, _change_id uuid default null)
returns void language plpgsql set search_path = '' as $$
declare
  note constant text := private.require_text('note', 'The note', private.clean_line(_note), 200);
begin
  if coalesce(_reason, '') not in ('found', 'damaged', 'lost', 'sample', 'gift', 'correction') then
    perform private.refuse('PT400', 'invalid_field', 'Choose why the stock has changed.',
      jsonb_build_object('field', 'reason', 'rule', 'choice'));
  elsif _copies > 0 and _reason not in ('found', 'correction') then
    perform private.refuse('PT400', 'invalid_field', 'There are more copies now: they were found, or it is a correction.',
      jsonb_build_object('field', 'reason', 'rule', 'direction'));
  elsif _copies < 0 and _reason = 'found' then
    perform private.refuse('PT400', 'invalid_field', 'There are fewer copies now: none was found.',
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
 * Staff: adds copies to a book's stock, or takes some out (negative), whatever is sold meanwhile. _reason found, damaged, lost, sample,
 * gift or correction; more copies are found or corrected. _note has at most 200 characters. Returns the copies that there are now. With the
 * same _change_id again, nothing moves.
 */
create function private.change_stock(_change_id uuid, _book_id uuid, _copies int, _reason text, _note text default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  book public.books;
begin
  perform private.require_staff();
  perform private.lock_stock(false);
  perform private.lock_books(array[_book_id]);
  select * into book from public.books where id = _book_id;
  if book.id is null then
    perform private.refuse('PT404', 'book_not_found', 'This book no longer exists.');
  elsif exists (select from public.stock_movements where change_id = _change_id) then
    return book.stock_quantity;
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
  perform private.require_staff();
  perform private.lock_stock(false);
  perform private.lock_books(array[_book_id]);
  select * into stored from public.books where id = _book_id;
  if stored.id is null or stored.updated_at <> _updated_at then return false; end if;
  changed := jsonb_populate_record(stored, coalesce(_book, '{}') - '{id,created_at}'::text[]);
  if changed.stock_quantity <> stored.stock_quantity then
    perform private.explain_stock_change(changed.stock_quantity - stored.stock_quantity, _reason, _note);
  end if;
  perform private.update_books(array[to_jsonb(changed)]);
  perform private.end_stock_explanation();
  return true;
end $$;
select private.expose('change_book', 'authenticated', 'service_role');
