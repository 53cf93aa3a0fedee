-- Reviews of books. Admins read, hide and delete them; everyone sees their totals, the books' ratings, which a trigger keeps
-- from those that are not hidden. How customers write them is in writing_reviews.

create table public.reviews (
  id uuid primary key default gen_random_uuid(),
  book_id uuid not null references public.books (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  rating integer not null,
  review_text text,
  created_at timestamptz not null default now(),
  -- When staff hid it; null if it is visible.
  hidden_at timestamptz,
  constraint reviews_one_a_book unique (user_id, book_id),
  constraint reviews_rating_is_out_of_five check (rating between 1 and 5),
  constraint reviews_text_is_short check (length(review_text) <= 2000)
);
create index reviews_by_book on public.reviews (book_id, created_at desc, id desc) include (rating) where hidden_at is null;
-- Of hidden ones too, for the foreign key.
create index reviews_of_book on public.reviews (book_id);
create index reviews_newest_first on public.reviews (created_at desc, id desc);
create index reviews_by_rating on public.reviews (rating, id);
create index reviews_search on public.reviews using gin (review_text extensions.gin_trgm_ops);

alter table public.reviews enable row level security;
revoke all on public.reviews from anon, authenticated, service_role;
grant select, delete on public.reviews to authenticated;
grant select on public.reviews to service_role;

create policy "admins read reviews" on public.reviews
  for select to authenticated using ((select private.is_admin()));
create policy "admins delete reviews" on public.reviews
  for delete to authenticated using ((select private.is_admin()));

/*
 * Counts a book's reviews again, without the hidden ones. The book is locked first: the count must see the reviews that another session wrote
 * while this one waited.
 */
create function private.rate_book(_book_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform from public.books where id = _book_id for no key update;
  update public.books b
     set average_rating = r.average, review_count = r.reviews
    from (select round(avg(rating), 2) as average, count(*)::int as reviews from public.reviews where book_id = _book_id and hidden_at is null) as r
   where b.id = _book_id;
end $$;
revoke execute on function private.rate_book(uuid) from public;

create function private.follow_reviews()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then perform private.rate_book(old.book_id); end if;
  if tg_op <> 'DELETE' then
    if tg_op = 'INSERT' or new.book_id <> old.book_id then perform private.rate_book(new.book_id); end if;
  end if;
  return null;
end $$;
revoke execute on function private.follow_reviews() from public;
create trigger follow_reviews after insert or delete or update of rating, book_id, hidden_at on public.reviews
  for each row execute function private.follow_reviews();

-- Deleting a review locks its book after it, deleting a book its reviews after it.
create trigger queue_stock_writes before delete on public.reviews
  for each statement when (current_user in ('authenticated', 'service_role'))
  execute function private.queue_stock_writes();
create trigger record_audit after insert or update or delete on public.reviews
  for each row execute function private.record_audit();

-- Pages show the texts too. Any other change on them changes the book's rating, and with it the version.
create trigger bump_catalogue_version_if_shown after update on public.reviews
  for each row when (new.review_text is distinct from old.review_text)
  execute function private.bump_catalogue_version();
