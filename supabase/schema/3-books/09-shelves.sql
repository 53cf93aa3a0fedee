-- The shelves of the home page and of a book's page. They run with the caller's rights, and read a bounded part of the catalogue
-- however large that is.

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
grant execute on function private.stage_of to anon, authenticated, service_role;

/*
 * At most 4 books per shelf, 3 on a stage's, in the order of "position". A stage's shelf takes the best rated among
 * the newest 5,000 titles; a stage without books has no rows.
 */
create function public.list_home_shelves()
returns table (shelf text, "position" int, book_id uuid) language sql stable set search_path = '' as $$
  with newest as (
    select 'newest' as shelf, b.id, row_number() over (order by b.created_at desc, b.id desc) as place
      from (select * from public.books where for_sale > 0 order by created_at desc, id desc limit 4) as b
  ), rated as (
    select 'best-rated' as shelf, b.id,
           row_number() over (order by b.average_rating desc, b.review_count desc, b.id) as place
      from (
        select * from public.books where average_rating is not null and for_sale > 0
         order by average_rating desc, review_count desc, id limit 4
      ) as b
  ), recent as materialized (
    select id, average_rating, review_count, created_at, concat_ws(' ', grade_level, course) as level
      from public.books where for_sale > 0 order by created_at desc, id desc limit 5000
  ), stages as materialized (
    -- Thousands of books have a few dozen levels.
    select level, private.stage_of(level, null) as shelf from recent group by level
  ), staged as (
    select stages.shelf, recent.id,
           row_number() over (
             partition by stages.shelf
             order by recent.average_rating desc nulls last, recent.review_count desc, recent.created_at desc, recent.id
           ) as place
      from recent join stages using (level)
     where stages.shelf is not null
  )
  select s.shelf, s.place::int, s.id
    from (
      select * from newest
      union all select * from rated
      union all select * from staged where place <= 3
    ) as s
   order by s.shelf, s.place
$$;
grant execute on function public.list_home_shelves to anon, authenticated, service_role;

/*
 * The number of a book's level: the 3 of 'Stage 3', otherwise of its title, 'Spelling 3'; null when there is none. Its body is parsed when
 * it is created, so that it is safe without a search_path of its own, with which queries could not inline it.
 */
create function private.level_of(_grade_level text, _title text)
returns int language sql immutable parallel safe
return coalesce(substring(_grade_level from '[0-9]{1,3}'), substring(_title from '[0-9]{1,3}'))::int;
grant execute on function private.level_of to anon, authenticated, service_role;

/*
 * Up to 8 other books of the same course or series, the next level first and the one below it second, then up to 8 of
 * the same publisher that are not of that course, the same subject first. Only the 500 nearest titles of each group
 * are considered, so that the largest publisher costs no more than a small one. The limits of 8 tell the planner how few books are left:
 * if it expected hundreds, it would read the whole catalogue.
 */
create function public.list_related_books(_book_id uuid)
returns setof public.books language sql stable set search_path = '' as $$
  with this as (
    select id, title_key, course, publisher, subject, private.level_of(grade_level, title) as level
      from public.books where id = _book_id
  ), of_course as (
    select near.id, 1 as kind,
           row_number() over (
             order by near.subject is distinct from this.subject, near.level is null or this.level is null,
                      case when near.level = this.level then 1.5 else abs(near.level - this.level) end,
                      near.level desc, near.publisher is distinct from this.publisher, near.title_key, near.id
           ) as place
      from this cross join lateral (
        (select b.id, b.title_key, b.subject, b.publisher, private.level_of(b.grade_level, b.title) as level
           from public.books b
          where b.course = this.course and b.for_sale > -2 and (b.title_key, b.id) > (this.title_key, this.id)
          order by b.title_key, b.id limit 250)
        union all
        (select b.id, b.title_key, b.subject, b.publisher, private.level_of(b.grade_level, b.title)
           from public.books b
          where b.course = this.course and b.for_sale > -2 and (b.title_key, b.id) < (this.title_key, this.id)
          order by b.title_key desc, b.id desc limit 250)
      ) as near
     order by place limit 8
  ), of_publisher as (
    select near.id, 2 as kind,
           row_number() over (
             order by near.subject is distinct from this.subject, near.average_rating desc nulls last, near.title_key, near.id
           ) as place
      from this cross join lateral (
        (select b.id, b.title_key, b.subject, b.course, b.average_rating from public.books b
          where b.publisher = this.publisher and b.for_sale > -2 and (b.title_key, b.id) > (this.title_key, this.id)
          order by b.title_key, b.id limit 250)
        union all
        (select b.id, b.title_key, b.subject, b.course, b.average_rating from public.books b
          where b.publisher = this.publisher and b.for_sale > -2 and (b.title_key, b.id) < (this.title_key, this.id)
          order by b.title_key desc, b.id desc limit 250)
      ) as near
     where this.course is null or near.course is distinct from this.course
     order by place limit 8
  )
  select books.*
    from (select * from of_course union all select * from of_publisher) as related
    join public.books using (id)
   order by related.kind, related.place
$$;
grant execute on function public.list_related_books to anon, authenticated, service_role;
