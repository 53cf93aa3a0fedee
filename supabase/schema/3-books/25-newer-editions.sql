-- Editions that replace a book, by the ISBN that it names.

/*
 * The books that replace a book, the newest first: the one with the ISBN that it names, the one that this names, and so on. None if that comes
 * back to an ISBN that was there before: then a list has named one of them wrongly. Of several with one ISBN, the one with most copies to order.
 */
create function private.named_editions(_book public.books)
returns setof public.books language sql stable set search_path = '' rows 1 as $$
  with recursive named as (
    select _book as book, array[_book.isbn_key] as path, false as comes_back
    union all
    select newer.book, n.path || (newer.book).isbn_key, array_position(n.path, (newer.book).isbn_key) is not null
      from named n
     -- An aggregate, because with an order and a limit the look-up may be planned along another index.
     cross join lateral (
       select (array_agg(b order by b.for_sale desc, b.created_at, b.id))[1] as book
         from public.books b where b.isbn_key = private.isbn_key((n.book).newer_isbn)
     ) as newer
     where (newer.book).id is not null and not n.comes_back and cardinality(n.path) < 10
  )
  select (n.book).* from named n
   where cardinality(n.path) > 1 and not exists (select from named where comes_back)
   order by cardinality(n.path) desc
$$;
grant execute on function private.named_editions to anon, authenticated, service_role;

/* The newest edition that replaces a book and is or will be for sale; no row without one. */
create function public.find_newer_edition(_book_id uuid)
returns setof public.books language sql stable set search_path = '' rows 1 as $$
  select n.* from public.books b cross join lateral private.named_editions(b) as n
   where b.id = _book_id and n.for_sale > -2 limit 1
$$;
grant execute on function public.find_newer_edition to anon, authenticated, service_role;
