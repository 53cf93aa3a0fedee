-- The books on a customer's wishlist: one row per book. Customers see and change only their own wishlist.

create table public.wishlists (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  book_id uuid not null references public.books (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint wishlists_one_row_a_book unique (user_id, book_id)
);
create index wishlists_by_book on public.wishlists (book_id);

alter table public.wishlists enable row level security;
grant select, delete on public.wishlists to authenticated;
grant insert (user_id, book_id) on public.wishlists to authenticated;
grant select on public.wishlists to service_role;

create policy "customers read their own wishlist" on public.wishlists
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers add to their own wishlist" on public.wishlists
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "customers take from their own wishlist" on public.wishlists
  for delete to authenticated using (user_id = (select auth.uid()));

create trigger bound_wishlist after insert on public.wishlists
  referencing new table as added
  for each statement execute function private.bound_list('wishlist_full', 'wishlist');
