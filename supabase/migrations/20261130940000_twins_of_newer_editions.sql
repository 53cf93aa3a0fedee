-- Of several books with the ISBN of a newer edition, the one that customers can order, however the catalogue is counted.

/*
 * The books that replace a book, the newest first: the one with the ISBN that it names, the one that this names, and so on. None if that comes
 * back to an ISBN that was there before: then a list has named one of them wrongly. Of several with one ISBN, the one with most copies to order.
 */
create or replace function private.named_editions(_book public.books)
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
