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

/* Also refuses a customer's new line of a title that can't be ordered; two accounts that become one keep theirs. */
create function private.check_cart_line()
returns trigger language plpgsql set search_path = '' as $$
declare
  left_to_sell int;
begin
  perform private.require_number('quantity', 'The quantity', new.quantity, 1, 999);
  if tg_op = 'INSERT' and current_user = 'authenticated' then
    select for_sale into left_to_sell from public.books where id = new.book_id;
    if left_to_sell < 0 then
      perform private.refuse('PT409', 'not_for_sale',
        case left_to_sell when -1 then 'This book is coming soon and can''t be ordered yet.' else 'This book is no longer available.' end,
        jsonb_build_object('book_id', new.book_id));
    end if;
  end if;
  return new;
end $$;
create trigger check_cart_line before insert or update on public.cart_items
  for each row execute function private.check_cart_line();

/*
 * A response of the data API has at most 1,000 rows, so a longer list could not be shown in full. Counted once a
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
grant execute on function public.add_to_cart to authenticated;

/*
 * What each customer's newest calls returned. A call that is repeated, because its response was lost or because the same list is
 * open in another tab, adds nothing and returns the same.
 */
create table private.cart_requests (
  user_id uuid not null references public.profiles (id) on delete cascade,
  id text not null,
  outcome jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, id)
);
alter table private.cart_requests enable row level security;

/*
 * Adds copies of books to the caller's cart, within the cart's limits, counting what is in it already. One row a book, in the order
 * given; repeated is true if a call with this request id has already added them; problem is null, 'few_left' (all were added, and the cart now holds more than are in stock), 'not_sold' (no such book, or not for sale),
 * 'out_of_stock' (also coming soon; as with one book, whose button is disabled then), 'too_many' (of one title) or 'cart_full' (too many titles). A
 * book named several times is added up. _quantities must be at least 1.
 */
create function private.add_books_to_cart(_book_ids uuid[], _quantities int[], _request_id text)
returns table (book_id uuid, wanted int, added int, problem text, repeated boolean)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  customer constant uuid := auth.uid();
  outcome jsonb;
  is_repeated boolean;
  broken text;
begin
  perform private.require_text('request_id', 'The request id', _request_id, 100);
  -- Before any row is locked: a request that deletes several books locks the same rows in another order.
  perform private.lock_stock(false);
  -- One call a customer at a time, so that what is counted below holds; add_to_cart in another tab is caught by the caps of
  -- the statement that writes.
  perform pg_advisory_xact_lock(hashtext('public.cart_items'), hashtext(customer::text));
  select r.outcome into outcome from private.cart_requests r where r.user_id = customer and r.id = _request_id;
  is_repeated := found;
  if not is_repeated then
    with wished as (
      select w.id, w.quantity, w.place, coalesce(b.for_sale > -2, false) as is_sold, b.for_sale as stock,
             coalesce(c.quantity, 0) as held, c.id is not null as has_line
        from (select u.id, least(sum(u.quantity), 1000000)::int as quantity, min(u.place) as place
                from unnest(_book_ids, _quantities) with ordinality as u (id, quantity, place) group by u.id) as w
        left join public.books b on b.id = w.id
        left join public.cart_items c on c.book_id = w.id and c.user_id = customer
    ), capped as (
      select *, greatest(least(quantity, 999 - held), 0) as fits,
             count(*) filter (where is_sold and not has_line and stock > 0) over (order by place)
               + (select count(*) from public.cart_items where user_id = customer) as titles
        from wished
    ), judged as (
      select id, place, quantity, stock, has_line,
             case when is_sold and stock > 0 and (has_line or titles <= 1000) then fits else 0 end as added,
             case when not is_sold then 'not_sold'
                  when stock <= 0 then 'out_of_stock'
                  when not has_line and titles > 1000 then 'cart_full'
                  when fits < quantity then 'too_many'
                  when held + fits > stock then 'few_left' end as problem
        from capped
    ), written as (
      insert into public.cart_items as c (user_id, book_id, quantity, created_at)
      -- The cart shows its lines by time: they keep the order given.
      select customer, id, judged.added, now() + place * interval '1 microsecond' from judged where judged.added > 0 order by id
      on conflict (user_id, book_id) do update set quantity = least(c.quantity + excluded.quantity, 999)
      returning c.book_id
    )
    select coalesce(jsonb_agg(jsonb_build_object(
             'book_id', j.id, 'wanted', j.quantity, 'added', j.added, 'problem', j.problem) order by j.place), '[]')
      into outcome from judged as j;
    if _request_id is not null then
      insert into private.cart_requests (user_id, id, outcome) values (customer, _request_id, outcome);
      delete from private.cart_requests r where r.user_id = customer and r.id in (
        select n.id from private.cart_requests n where n.user_id = customer order by n.created_at desc offset 5);
    end if;
  end if;
  return query
    select r.book_id, r.wanted, r.added, r.problem, is_repeated
      from jsonb_to_recordset(outcome) as r (book_id uuid, wanted int, added int, problem text);
exception when foreign_key_violation then
  get stacked diagnostics broken = constraint_name;
  if broken <> 'cart_items_book_id_fkey' then raise; end if;
  perform private.refuse('PT404', 'book_not_found', 'One of these books is no longer available.');
end $$;
grant execute on function private.add_books_to_cart to authenticated, service_role;
