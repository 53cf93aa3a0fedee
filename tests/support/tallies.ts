/** The figures that the database keeps and that counting the rows does not confirm: none, in a shop in order. */
export const wrongTallies = `
  with counted (counted, value, rows, copies) as (
    select 'books', coalesce(publisher, ''), count(*), coalesce(sum(stock_quantity) filter (where kind <> 'digital'), 0) from public.books group by 2
    union all select 'orders', status || ' ' || payment_state, count(*), 0 from public.orders group by 2
    union all select 'profiles', '', count(*), 0 from public.profiles having count(*) > 0
    union all select 'reviews', '', count(*), 0 from public.reviews having count(*) > 0
  ), kept as (
    select counted, value, sum(rows) as rows, sum(copies) as copies from private.tallies
     group by counted, value having sum(rows) <> 0 or sum(copies) <> 0
  )
  select * from counted full join kept using (counted, value)
   where (counted.rows, counted.copies) is distinct from (kept.rows, kept.copies)`;
