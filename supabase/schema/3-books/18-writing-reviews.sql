-- Customers who ordered a book review it, once; readers report a review; staff hide it or show it again.

-- Who reported which review. Readers don't see reports, staff see how many there are.
create table private.review_reports (
  review_id uuid not null references public.reviews (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (review_id, user_id)
);
create index review_reports_by_reader on private.review_reports (user_id);

/* True for a customer with an order of this book that is not cancelled. */
create function private.has_ordered(_user_id uuid, _book_id uuid)
returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.orders o join public.order_items i on i.order_id = o.id
     where o.user_id = _user_id and o.status <> 'cancelled' and i.sold_book_id = _book_id)
$$;

/*
 * Each change of a review causes pages to be rendered again, so more than 30 within an hour are refused. The caller
 * holds the customer's lock, so that parallel changes are counted too.
 */
create function private.limit_reviews(_user_id uuid)
returns void language plpgsql stable security definer set search_path = '' as $$
declare
  earliest timestamptz;
begin
  select happened_at into earliest from public.audit_log
   where actor = _user_id and table_name = 'reviews' and happened_at > clock_timestamp() - interval '1 hour'
   order by id desc offset 29 limit 1;
  if found then
    perform private.refuse('PT429', 'too_many_reviews', 'You have changed 30 reviews within an hour. Please try again later.',
      jsonb_build_object('limit', 30, 'retry_after_seconds',
        greatest(1, ceil(extract(epoch from earliest + interval '1 hour' - clock_timestamp())))::int));
  end if;
end $$;

/*
 * Waits for the caller's other changes of reviews, and for staff who delete books or reviews: these lock a review before its
 * book, a customer the book before the review. The profile first, because deleting an account locks it before its reviews.
 */
create function private.lock_own_review(_book_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_stock(false);
  perform pg_advisory_xact_lock(hashtext('public.reviews'), hashtext(auth.uid()::text));
  perform from public.profiles where id = auth.uid() for key share;
  perform private.lock_books(array[_book_id]);
end $$;

/* Customers: writes their review of a book that they have ordered, or changes it. _rating 1 to 5; the text is optional. */
create function private.write_review(_book_id uuid, _rating int, _review_text text default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  writing constant uuid := auth.uid();
  cleaned constant text := private.clean_text(_review_text);
begin
  perform private.require_number('rating', 'The rating', _rating, 1, 5);
  perform private.require_text('review_text', 'The review', cleaned, 2000);
  perform private.lock_own_review(_book_id);
  if not exists (select from public.books where id = _book_id) then
    perform private.refuse('PT404', 'book_not_found', 'This book is no longer sold.');
  elsif not private.has_ordered(writing, _book_id) then
    perform private.refuse('PT403', 'not_ordered', 'Only customers who have ordered this book can review it.');
  end if;
  -- A retry of a review that arrived.
  if exists (select from public.reviews where user_id = writing and book_id = _book_id and rating = _rating
                and review_text is not distinct from cleaned) then return; end if;
  perform private.limit_reviews(writing);
  insert into public.reviews as r (book_id, user_id, rating, review_text) values (_book_id, writing, _rating, cleaned)
  on conflict on constraint reviews_one_a_book do update set rating = excluded.rating, review_text = excluded.review_text;
end $$;
select private.expose('write_review', 'authenticated');

/* Customers: deletes their review of a book; does nothing when there is none. */
create function private.delete_own_review(_book_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_own_review(_book_id);
  perform private.limit_reviews(auth.uid());
  delete from public.reviews where user_id = auth.uid() and book_id = _book_id;
end $$;
select private.expose('delete_own_review', 'authenticated');

/* Customers: one row: whether they may review this book, and their review; rating is null when there is none. */
create function private.find_own_review(_book_id uuid)
returns table (may_review boolean, rating int, review_text text, hidden boolean)
language sql stable security definer set search_path = '' as $$
  select private.has_ordered(auth.uid(), _book_id), r.rating, r.review_text, r.hidden_at is not null
    from (select) as one left join public.reviews r on r.user_id = auth.uid() and r.book_id = _book_id
$$;
select private.expose('find_own_review', 'authenticated');

/* Readers: report a review to the shop, once each; nothing happens if it is deleted or hidden. */
create function private.report_review(_review_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  reporting constant uuid := auth.uid();
begin
  if not exists (select from public.profiles where id = reporting) then
    perform private.refuse('PT403', 'account_needed', 'Please sign in to report a review.');
  end if;
  perform pg_advisory_xact_lock(hashtext('public.reviews'), hashtext(reporting::text));
  if (select count(*) from private.review_reports
       where user_id = reporting and created_at > now() - interval '1 day') >= 20 then
    perform private.refuse('PT429', 'too_many_reports', 'You have reported 20 reviews within a day. Please try again later.',
      '{"limit": 20}');
  end if;
  insert into private.review_reports (review_id, user_id)
  select id, reporting from public.reviews where id = _review_id and hidden_at is null
  on conflict do nothing;
end $$;
select private.expose('report_review', 'authenticated');

/* Staff: hides a review from everyone but its writer, or shows it; both settle its reports. */
create function private.moderate_review(_review_id uuid, _hidden boolean)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('reviews');
  perform private.lock_stock(true);
  update public.reviews
     set hidden_at = case when _hidden then coalesce(hidden_at, clock_timestamp()) end
   where id = _review_id;
  if not found then
    perform private.refuse('PT404', 'review_not_found', 'This review no longer exists.');
  end if;
  -- Staff have looked at it.
  delete from private.review_reports where review_id = _review_id;
end $$;
select private.expose('moderate_review', 'authenticated', 'service_role');
