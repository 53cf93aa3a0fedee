-- The lines of an order: book, quantity, unit price at purchase, and what the book was called then, so that history
-- stays readable when the book is deleted. Written by placing an order alone; read with the order.

create table public.order_items (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references public.orders (id) on delete cascade,
  book_id uuid references public.books (id) on delete set null,
  -- The book, even after its deletion: a restored book finds its lines by it. No foreign key.
  sold_book_id uuid,
  quantity integer not null,
  price numeric(10, 2) not null,
  title text not null,
  publisher text,
  isbn text,
  kind text not null default 'book',
  constraint order_items_one_line_a_book unique (order_id, book_id),
  constraint order_items_quantity_is_positive check (quantity > 0),
  constraint order_items_price_is_not_negative check (price >= 0),
  constraint order_items_kind_is_known check (kind in ('book', 'digital', 'stationery'))
);
create index order_items_by_book on public.order_items (book_id);
create index order_items_by_sold_book on public.order_items (sold_book_id);

alter table public.order_items enable row level security;
-- DELETE is granted and no policy allows it: a client that deletes the lines before the order, as older clients do, is
-- succeeds and changes nothing. The lines go with their order.
grant select, delete on public.order_items to authenticated;
grant insert (order_id, book_id, quantity, price) on public.order_items to authenticated;
grant select on public.order_items to service_role;

create policy "people read the lines of the orders that they may read" on public.order_items
  for select to authenticated
  using (
    (select private.has_duty('orders'))
    or exists (select from public.orders o where o.id = order_id and o.user_id = (select auth.uid()))
  );
create policy "customers repeat the lines of their own orders" on public.order_items
  for insert to authenticated
  with check (exists (select from public.orders o where o.id = order_id and o.user_id = (select auth.uid())));

/*
 * A client may send the lines again after its order: existing ones are skipped, anything else is refused. Under the
 * caller's rights, so that another customer's lines do not exist for them.
 */
create function private.pass_over_known_line()
returns trigger language plpgsql set search_path = '' as $$
begin
  if not exists (
    select from public.order_items i join public.orders o on o.id = i.order_id
    where i.order_id = new.order_id and i.book_id = new.book_id and i.quantity = new.quantity and i.price = new.price
      and o.user_id = auth.uid()
  ) then
    perform private.refuse('PT403', 'order_item_refused', 'Order lines can only come from the cart.');
  end if;
  return null;
end $$;
create trigger pass_over_known_line before insert on public.order_items
  for each row when (current_user = 'authenticated')
  execute function private.pass_over_known_line();

-- Not on insert: placing an order is one row of the log, and its lines are in the order.
create trigger record_audit after update or delete on public.order_items
  for each row execute function private.record_audit('book_id');
