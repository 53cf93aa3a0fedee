-- What a book's page shows beside the book itself: related books and reviews.

/* The number of a book's level: the 3 of 'Stage 3', otherwise of its title, 'Spelling 3'; null when there is none. */
create function private.level_of(_grade_level text, _title text)
returns int language sql immutable parallel safe set search_path = '' as $$
  select coalesce(substring(_grade_level from '[0-9]{1,3}'), substring(_title from '[0-9]{1,3}'))::int
$$;
revoke execute on function private.level_of(text, text) from public;
grant execute on function private.level_of(text, text) to anon, authenticated, service_role;

/*
 * Up to 8 other books of the same course or series, the next level first and the one below it second, then up to 8 of
 * the same publisher that are not of that course, the same subject first. Only the 500 nearest titles of each group
 * are considered, so that the largest publisher costs no more than a small one.
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
          where b.course = this.course and (b.title_key, b.id) > (this.title_key, this.id)
          order by b.title_key, b.id limit 250)
        union all
        (select b.id, b.title_key, b.subject, b.publisher, private.level_of(b.grade_level, b.title)
           from public.books b
          where b.course = this.course and (b.title_key, b.id) < (this.title_key, this.id)
          order by b.title_key desc, b.id desc limit 250)
      ) as near
  ), of_publisher as (
    select near.id, 2 as kind,
           row_number() over (
             order by near.subject is distinct from this.subject, near.average_rating desc nulls last, near.title_key, near.id
           ) as place
      from this cross join lateral (
        (select b.id, b.title_key, b.subject, b.course, b.average_rating from public.books b
          where b.publisher = this.publisher and (b.title_key, b.id) > (this.title_key, this.id)
          order by b.title_key, b.id limit 250)
        union all
        (select b.id, b.title_key, b.subject, b.course, b.average_rating from public.books b
          where b.publisher = this.publisher and (b.title_key, b.id) < (this.title_key, this.id)
          order by b.title_key desc, b.id desc limit 250)
      ) as near
     where this.course is null or near.course is distinct from this.course
  )
  select books.*
    from (select * from of_course where place <= 8 union all select * from of_publisher where place <= 8) as related
    join public.books using (id)
   order by related.kind, related.place
$$;
revoke execute on function public.list_related_books(uuid) from public, anon, authenticated, service_role;
grant execute on function public.list_related_books(uuid) to anon, authenticated, service_role;

/* 'Ama' of 'Mrs. Ama Mensah' or 'Mensah, Ama'; null for no name, and for an email address or a phone number instead of one. */
create function private.first_name_of(_full_name text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select nullif(split_part(
    regexp_replace(btrim(_full_name), '^([^ ,]+, *)?((mr|mrs|ms|miss|madam|dr|rev|prof)\.? +)*', '', 'i'), ' ', 1), '')
   where _full_name !~ '[@[:digit:]]'
$$;
revoke execute on function private.first_name_of(text) from public;

/* The number of reviews for each rating that was given. */
create function private.count_book_ratings(_book_id uuid)
returns table (rating int, reviews int) language sql stable security definer set search_path = '' as $$
  select rating, count(*)::int from public.reviews where book_id = _book_id and hidden_at is null group by rating order by rating desc
$$;
revoke execute on function private.count_book_ratings(uuid) from public;
grant execute on function private.count_book_ratings(uuid) to anon, authenticated, service_role;
create function public.count_book_ratings(_book_id uuid)
returns table (rating int, reviews int) language sql stable set search_path = '' as $$
  select * from private.count_book_ratings(_book_id)
$$;
revoke execute on function public.count_book_ratings(uuid) from public, anon, authenticated, service_role;
grant execute on function public.count_book_ratings(uuid) to anon, authenticated, service_role;

/* A book's reviews with a text, newest first, at most 20. Only the reader's first name is public. */
create function private.list_book_reviews(_book_id uuid)
returns table (id uuid, rating int, review_text text, reader text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.id, r.rating, r.review_text, private.first_name_of(p.full_name), r.created_at
    from public.reviews r join public.profiles p on p.id = r.user_id
   where r.book_id = _book_id and r.hidden_at is null and r.review_text is not null
   order by r.created_at desc, r.id desc
   limit 20
$$;
revoke execute on function private.list_book_reviews(uuid) from public;
grant execute on function private.list_book_reviews(uuid) to anon, authenticated, service_role;
create function public.list_book_reviews(_book_id uuid)
returns table (id uuid, rating int, review_text text, reader text, created_at timestamptz)
language sql stable set search_path = '' as $$
  select * from private.list_book_reviews(_book_id)
$$;
revoke execute on function public.list_book_reviews(uuid) from public, anon, authenticated, service_role;
grant execute on function public.list_book_reviews(uuid) to anon, authenticated, service_role;
