-- The shelves of the home page: new books, the best rated, and one shelf per school stage. Runs with the caller's
-- rights, reads a bounded part of the catalogue however large that is, and shows only what can be bought.

create index books_best_rated on public.books (average_rating desc, review_count desc, id)
  where average_rating is not null and stock_quantity > 0;

/* The stage named first in a book's level or course; null when none is. A range counts as its start. */
create function private.stage_of(_grade_level text, _course text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case
    when named ~* '(early years|nursery|reception|kindergarten|\mkg ?[12]\M)' then 'early-years'
    when named ~* '(primary|\mks ?[12]\M|key stage [12]|\mbasic [1-6]\M)' then 'primary'
    when named ~* '(lower secondary|checkpoint|\mjhs\M|junior high|\mks ?3\M|key stage 3|\mbasic [7-9]\M)' then 'lower-secondary'
    when named ~* '(gcse|\mshs\M|senior high|wassce)' then 'upper-secondary'
    when named ~* '(\ma[ -]level|ib diploma)' then 'a-level'
  end
  from concat_ws(' ', _grade_level, _course) as named
$$;
revoke execute on function private.stage_of(text, text) from public;
grant execute on function private.stage_of(text, text) to anon, authenticated, service_role;

/*
 * At most 4 books per shelf, 3 on a stage's, in the order of "position". A stage's shelf takes the best rated among
 * the newest 5,000 titles; a stage without books has no rows.
 */
create function public.list_home_shelves()
returns table (shelf text, "position" int, book_id uuid) language sql stable set search_path = '' as $$
  with newest as (
    select 'newest' as shelf, b.id, row_number() over (order by b.created_at desc, b.id desc) as place
      from (select * from public.books where stock_quantity > 0 order by created_at desc, id desc limit 4) as b
  ), rated as (
    select 'best-rated' as shelf, b.id,
           row_number() over (order by b.average_rating desc, b.review_count desc, b.id) as place
      from (
        select * from public.books where average_rating is not null and stock_quantity > 0
         order by average_rating desc, review_count desc, id limit 4
      ) as b
  ), staged as (
    select private.stage_of(b.grade_level, b.course) as shelf, b.id,
           row_number() over (
             partition by private.stage_of(b.grade_level, b.course)
             order by b.average_rating desc nulls last, b.review_count desc, b.created_at desc, b.id
           ) as place
      from (select * from public.books where stock_quantity > 0 order by created_at desc, id desc limit 5000) as b
  )
  select s.shelf, s.place::int, s.id
    from (
      select * from newest
      union all select * from rated
      union all select * from staged where shelf is not null and place <= 3
    ) as s
   order by s.shelf, s.place
$$;
revoke execute on function public.list_home_shelves() from public, anon, authenticated, service_role;
grant execute on function public.list_home_shelves() to anon, authenticated, service_role;
