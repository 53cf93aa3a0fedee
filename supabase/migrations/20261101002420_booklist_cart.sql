-- Many books into a cart by one call, by the rule of add_to_cart: more than is in stock is not refused, placing the order decides.

/*
 * Adds copies of books to the caller's cart, within the cart's limits, counting what is in it already. One row a book, in the order
 * given; problem is null, 'few_left' (all were added, and the cart now holds more than are in stock), 'not_sold' (no such book),
 * 'out_of_stock' (as with one book, whose button is disabled then), 'too_many' (of one title) or 'cart_full' (too many titles). A
 * book named several times is added up. _quantities must be at least 1.
 */
create function private.add_books_to_cart(_book_ids uuid[], _quantities int[])
returns table (book_id uuid, wanted int, added int, problem text)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  customer constant uuid := auth.uid();
  broken text;
begin
  -- Before any row is locked: a request that deletes several books locks the same rows in another order.
  perform private.lock_stock(false);
  -- One call a customer at a time, so that what is counted below holds; add_to_cart in another tab is caught by the caps of
  -- the statement that writes.
  perform pg_advisory_xact_lock(hashtext('public.cart_items'), hashtext(customer::text));
  return query
    with wished as (
      select w.id, w.quantity, w.place, b.id is not null as is_sold, b.stock_quantity as stock,
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
    select id, quantity, judged.added, judged.problem from judged order by place;
exception when foreign_key_violation then
  get stacked diagnostics broken = constraint_name;
  if broken <> 'cart_items_book_id_fkey' then raise; end if;
  perform private.refuse('PT404', 'book_not_found', 'One of these books is no longer available.');
end $$;
revoke execute on function private.add_books_to_cart(uuid[], int[]) from public;
grant execute on function private.add_books_to_cart(uuid[], int[]) to authenticated, service_role;

/* The chosen lines of a published list, in order; refuses a code without a published list. */
create function private.chosen_booklist_lines(_code text, _line_ids uuid[])
returns table (booklist_id uuid, line_id uuid, book_id uuid, title text, copies int)
language plpgsql stable security definer set search_path = '' as $$
declare
  list_id constant uuid := (
    select b.id from public.booklists b where b.code = private.booklist_code(_code) and b.status = 'published');
begin
  if list_id is null then
    perform private.refuse('PT404', 'booklist_not_found', 'This booklist is not available.');
  end if;
  return query
    select list_id, l.id, l.book_id, l.title, l.copies
      from public.booklist_lines l where l.booklist_id = list_id and l.id = any (_line_ids) order by l.position;
end $$;
revoke execute on function private.chosen_booklist_lines(text, uuid[]) from public;
grant execute on function private.chosen_booklist_lines(text, uuid[]) to authenticated, service_role;

/* Records what the caller added from a list (see booklist_sales). */
create function private.note_booklist_additions(_code text, _book_ids uuid[], _copies int[])
returns void language sql security definer set search_path = '' as $$
  insert into private.booklist_additions as a (booklist_id, user_id, book_id, copies)
  select l.booklist_id, auth.uid(), taken.book_id, taken.copies
    from unnest(_book_ids, _copies) as taken (book_id, copies)
    join public.booklist_lines l on l.book_id = taken.book_id
    join public.booklists b on b.id = l.booklist_id and b.code = private.booklist_code(_code) and b.status = 'published'
   where taken.copies > 0
   order by taken.book_id
  on conflict (booklist_id, user_id, book_id)
    do update set copies = least(a.copies + excluded.copies, 1000000), last_added_at = clock_timestamp()
$$;
revoke execute on function private.note_booklist_additions(text, uuid[], int[]) from public;
grant execute on function private.note_booklist_additions(text, uuid[], int[]) to authenticated, service_role;

/*
 * Puts chosen lines of a published list into the caller's cart, for a number of children (1 to 999): copies per pupil times
 * children, as far as the cart allows. One row for each chosen line of the list: wanted and added are copies; problem
 * as in private.add_books_to_cart, null when all were added and are in stock.
 */
create function public.add_booklist_to_cart(_code text, _line_ids uuid[], _children int default 1)
returns table (line_id uuid, book_id uuid, title text, wanted int, added int, problem text)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  lines jsonb;
  outcome jsonb;
begin
  perform private.require_number('children', 'The number of children', _children, 1, 999);
  select coalesce(jsonb_agg(to_jsonb(l)), '[]') into lines from private.chosen_booklist_lines(_code, _line_ids) as l;
  select coalesce(jsonb_agg(to_jsonb(a)), '[]') into outcome
    from (select array_agg(l.book_id) as book_ids, array_agg(l.copies * _children) as quantities
            from jsonb_to_recordset(lines) as l (book_id uuid, copies int) where l.book_id is not null) as chosen,
         private.add_books_to_cart(book_ids, quantities) as a;
  perform private.note_booklist_additions(_code, array_agg(a.book_id), array_agg(a.added))
    from jsonb_to_recordset(outcome) as a (book_id uuid, added int);
  return query
    select l.line_id, l.book_id, l.title, l.copies * _children, coalesce(a.added, 0),
           case when l.book_id is null then 'not_sold' else a.problem end
      from jsonb_to_recordset(lines) as l (line_id uuid, book_id uuid, title text, copies int)
      left join jsonb_to_recordset(outcome) as a (book_id uuid, added int, problem text) on a.book_id = l.book_id;
end $$;
revoke execute on function public.add_booklist_to_cart(text, uuid[], int) from public, anon, authenticated, service_role;
grant execute on function public.add_booklist_to_cart(text, uuid[], int) to authenticated;
