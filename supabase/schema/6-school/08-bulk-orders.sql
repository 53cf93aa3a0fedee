-- Bulk orders: many books into the cart in one call.

/*
 * Adds copies of 1 to 500 different books to the caller's cart, 1 to 999 of each, as far as the cart allows. One row a
 * book, in the order given: wanted and added are copies; problem as in private.add_books_to_cart, null when all were added and are in stock.
 * Repeated with the same _request_id, the call adds nothing and returns the same.
 */
create function public.add_books_to_cart(_book_ids uuid[], _quantities int[], _request_id text default null)
returns table (book_id uuid, wanted int, added int, problem text)
language plpgsql set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
begin
  if titles not between 1 and 500 or array_ndims(_book_ids) <> 1
     or array_ndims(_quantities) is distinct from 1 or array_length(_quantities, 1) <> titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 999) from unnest(_quantities) as quantity;
  return query
    select a.book_id, a.wanted, a.added, a.problem from private.add_books_to_cart(_book_ids, _quantities, _request_id) as a;
end $$;
grant execute on function public.add_books_to_cart to authenticated;
