-- Every change of a book's stock after it was added: how many, why, for which order, by whom. Written by a trigger
-- on books, so that no way of changing stock is forgotten: stock = what the book came with + the sum of these.

create table public.stock_movements (
  id bigint generated always as identity primary key,
  -- No foreign keys: a movement outlives its book and its order.
  book_id uuid not null,
  quantity integer not null,
  reason text not null,
  order_id uuid,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  constraint stock_movements_move_something check (quantity <> 0),
  constraint stock_movements_reason_is_known
    check (reason in ('order', 'cancel', 'delete', 'reopen', 'manual', 'import', 'return'))
);
create index stock_movements_by_book on public.stock_movements (book_id, id desc);
create index stock_movements_by_order on public.stock_movements (order_id);

alter table public.stock_movements enable row level security;
revoke all on public.stock_movements from anon, authenticated, service_role;
revoke all on sequence public.stock_movements_id_seq from anon, authenticated, service_role;
grant select on public.stock_movements to authenticated, service_role;

create policy "admins read stock movements" on public.stock_movements
  for select to authenticated using ((select private.is_admin()));

create trigger keep_as_written before update or delete on public.stock_movements
  for each row execute function private.keep_as_written();

create function private.record_stock_movement()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.stock_movements (book_id, quantity, reason, order_id)
  values (
    new.id,
    new.stock_quantity - old.stock_quantity,
    coalesce(nullif(current_setting('shop.stock_reason', true), ''), 'manual'),
    nullif(current_setting('shop.stock_order', true), '')::uuid
  );
  return null;
end $$;
revoke execute on function private.record_stock_movement() from public;
create trigger record_stock_movement after update of stock_quantity on public.books
  for each row when (old.stock_quantity is distinct from new.stock_quantity)
  execute function private.record_stock_movement();

/*
 * Moves stock of several books at once, all or nothing: locks them by id (the one lock order of the shop), refuses
 * with the titles that have too few, writes the movements with the reason. Positive quantities come back.
 */
create function private.move_stock(_book_ids uuid[], _quantities int[], _reason text, _order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  short jsonb;
begin
  perform from public.books where id = any (_book_ids) order by id for no key update;

  select jsonb_agg(jsonb_build_object(
           'book_id', b.id, 'title', b.title, 'requested', -m.quantity, 'left', b.stock_quantity) order by b.title_key)
    into short
    from unnest(_book_ids, _quantities) as m (book_id, quantity)
    join public.books b on b.id = m.book_id
   where b.stock_quantity + m.quantity < 0;
  if short is not null then
    perform private.refuse('PT409', 'insufficient_stock',
      'Not enough in stock: ' || (
        select string_agg(format('%s (%s left)', line ->> 'title', line ->> 'left'), ', ')
        from jsonb_array_elements(short) as line) || '.',
      jsonb_build_object('lines', short));
  end if;

  perform set_config('shop.stock_reason', _reason, true), set_config('shop.stock_order', coalesce(_order_id::text, ''), true);
  update public.books b
     set stock_quantity = b.stock_quantity + m.quantity
    from unnest(_book_ids, _quantities) as m (book_id, quantity)
   where b.id = m.book_id and m.quantity <> 0;
  perform set_config('shop.stock_reason', '', true), set_config('shop.stock_order', '', true);
end $$;
revoke execute on function private.move_stock(uuid[], int[], text, uuid) from public;
