-- What the shop offers to filter by beside publisher, course and subject, each with its number of books.

/*
 * The grade levels, price ranges and stock among the books that fit the other filters: of each kind those that fit all filters but its own,
 * so that a choice's number is what choosing it shows. "choice" is 'grade', 'price' or 'stock'; a price's value is the number
 * of its range: 0 below the first of _price_steps (in cedis, ascending), 1 from it to below the second, and so on. The
 * 300 most frequent grade levels.
 */
create function public.list_book_choices(
  _price_steps numeric[], _q text default null, _publisher text default null, _course text default null,
  _subject text default null, _grade_level text default null, _price_range int default null, _in_stock boolean default null
) returns table (choice text, value text, books bigint) language plpgsql stable set search_path = ''
set jit = off as $$
declare
  steps constant numeric[] := array(select step from unnest(_price_steps[1:20]) as step where step is not null order by step);
begin
  return query execute
    'with counted as materialized (
       select b.grade_level, case when cardinality($1) > 0 then width_bucket(b.price, $1) else 0 end as price_range,
              b.stock_quantity > 0 as in_stock, count(*) as books
         from public.books b where ' || private.counting_conditions(_q, _publisher, _course, _subject) || '
        group by 1, 2, 3
     ), fitting as (
       select *, grade_level = $2 or $2 is null as fits_grade, price_range = $3 or $3 is null as fits_price,
              in_stock or $4 is not true as fits_stock
         from counted
     )
     (select ''grade'', grade_level, sum(books)::bigint from fitting
       where fits_price and fits_stock and grade_level is not null group by 2 order by 3 desc, 2 limit 300)
     union all
     select ''price'', price_range::text, sum(books)::bigint from fitting where fits_grade and fits_stock group by 2
     union all
     select ''stock'', ''in'', sum(books)::bigint from fitting where fits_grade and fits_price and in_stock having sum(books) > 0'
    using steps, private.clean_line(_grade_level), _price_range, _in_stock;
end $$;
revoke execute on function public.list_book_choices(numeric[], text, text, text, text, text, int, boolean)
  from public, anon, authenticated, service_role;
grant execute on function public.list_book_choices(numeric[], text, text, text, text, text, int, boolean)
  to anon, authenticated, service_role;
