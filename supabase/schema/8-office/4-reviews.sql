-- The back office's list of reviews: by rating, by state, by text, book or customer.

create function private.review_conditions(_rating int, _state text, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('r.rating = %s', _rating) as condition where _rating is not null
    union all
    select case _state
      when 'hidden' then 'r.hidden_at is not null'
      when 'reported' then 'r.id in (select x.review_id from private.review_reports x)' end
     where _state in ('hidden', 'reported')
    union all
    select format('(%s or %s or %s)', private.contains_condition('r.review_text', _q, 'raw'),
                  private.refers_to_found('r.book_id', 'uuid', 'public.books', private.contains_condition('x.search_text', _q, 'key')),
                  private.refers_to_found('r.user_id', 'uuid', 'public.profiles', private.contains_condition('x.search_text', _q)))
     where private.contains_pattern(_q) is not null
  ) as conditions
$$;

/*
 * Staff: reviews with their books and customers. _rating 1 to 5; _state 'reported' or 'hidden'; _q part of the text, the book or the customer. _sort
 * created_at (default) or rating. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_reviews(
  _rating int default null, _state text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, book_id uuid, user_id uuid, rating int, review_text text, created_at timestamptz, book_title text,
  book_publisher text, customer_name text, customer_email text, hidden_at timestamptz, reports bigint
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'rating' then case when _descending then 'r.rating desc, r.id desc' else 'r.rating asc, r.id asc' end
    else case when coalesce(_descending, true) then 'r.created_at desc, r.id desc' else 'r.created_at asc, r.id asc' end end;
begin
  perform private.require_duty('reviews');
  return query execute
    'select r.id, r.book_id, r.user_id, r.rating, r.review_text, r.created_at, b.title, b.publisher, p.full_name, p.email, r.hidden_at,
            (select count(*) from private.review_reports x where x.review_id = r.id)
       from (select r.id from public.reviews r where ' || private.review_conditions(_rating, _state, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.reviews r on r.id = page.id
         left join public.books b on b.id = r.book_id left join public.profiles p on p.id = r.user_id
      order by ' || sorted;
end $$;
select private.expose('admin_list_reviews', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_reviews has with the same filters: exact. */
create function private.admin_count_reviews(_rating int default null, _state text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_duty('reviews');
  execute 'select count(*) from public.reviews r where ' || private.review_conditions(_rating, _state, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_reviews', 'authenticated', 'service_role');
