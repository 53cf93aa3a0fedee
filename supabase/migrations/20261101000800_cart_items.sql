-- What is in a customer's cart: one line per book. Customers see and change only their own cart.

create table public.cart_items (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  book_id uuid not null references public.books (id) on delete cascade,
  quantity integer not null default 1,
  created_at timestamptz not null default now(),
  constraint cart_items_one_line_a_book unique (user_id, book_id),
  constraint cart_items_quantity_is_sane check (quantity between 1 and 999)
);
create index cart_items_by_book on public.cart_items (book_id);

alter table public.cart_items enable row level security;
revoke all on public.cart_items from anon, authenticated, service_role;
grant select, delete on public.cart_items to authenticated;
grant insert (user_id, book_id, quantity), update (quantity) on public.cart_items to authenticated;
grant select on public.cart_items to service_role;

create policy "customers read their own cart" on public.cart_items
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers fill their own cart" on public.cart_items
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "customers change their own cart" on public.cart_items
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "customers empty their own cart" on public.cart_items
  for delete to authenticated using (user_id = (select auth.uid()));

create function private.check_cart_line()
returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.require_number('quantity', 'The quantity', new.quantity, 1, 999);
  return new;
end $$;
revoke execute on function private.check_cart_line() from public;
create trigger check_cart_line before insert or update on public.cart_items
  for each row execute function private.check_cart_line();

/*
 * An answer of the data API holds at most 1,000 rows: a longer list could not be shown whole. Counted once a
 * statement; the arguments are the error's code and what the list is called.
 */
create function private.bound_list()
returns trigger language plpgsql set search_path = '' as $$
declare
  too_long boolean;
begin
  -- Written out for each table: text for execute would be parsed and planned every time a book is added.
  case tg_table_name
    when 'cart_items' then
      too_long := exists (
        select from public.cart_items where user_id in (select user_id from added) group by user_id having count(*) > 1000);
    when 'wishlists' then
      too_long := exists (
        select from public.wishlists where user_id in (select user_id from added) group by user_id having count(*) > 1000);
  end case;
  if too_long then
    perform private.refuse('PT429', tg_argv[0], format('A %s holds at most 1000 different books.', tg_argv[1]),
      jsonb_build_object('limit', 1000));
  end if;
  return null;
end $$;
revoke execute on function private.bound_list() from public;
create trigger bound_cart after insert on public.cart_items
  referencing new table as added
  for each statement execute function private.bound_list('cart_full', 'cart');

/* Adds copies of a book to the caller's cart and returns the line: one atomic step, even from two tabs at the same time. */
create function public.add_to_cart(_book_id uuid, _quantity int default 1)
returns public.cart_items language plpgsql set search_path = '' as $$
declare
  line public.cart_items;
  broken text;
begin
  perform private.require_number('quantity', 'The quantity', _quantity, 1, 999);
  insert into public.cart_items as c (user_id, book_id, quantity)
  values ((select auth.uid()), _book_id, _quantity)
  on conflict (user_id, book_id) do update set quantity = c.quantity + excluded.quantity
  returning * into line;
  return line;
exception when foreign_key_violation then
  get stacked diagnostics broken = constraint_name;
  if broken <> 'cart_items_book_id_fkey' then raise; end if;
  perform private.refuse('PT404', 'book_not_found', 'This book is no longer available.',
    jsonb_build_object('book_id', _book_id));
end $$;
revoke execute on function public.add_to_cart(uuid, int) from public, anon, authenticated, service_role;
grant execute on function public.add_to_cart(uuid, int) to authenticated;
