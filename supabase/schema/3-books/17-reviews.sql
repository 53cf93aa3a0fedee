-- Reviews of books. Admins read, hide and delete them; everyone sees their totals, the books' ratings, which a trigger keeps
-- from those that are not hidden. How customers write them is in 18-writing-reviews.

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
grant select, delete on public.reviews to authenticated;
grant select on public.reviews to service_role;

create policy "staff read reviews" on public.reviews
  for select to authenticated using ((select private.has_duty('reviews')));
create policy "staff delete reviews" on public.reviews
  for delete to authenticated using ((select private.has_duty('reviews')) and (select private.has_duty('deletions')));

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

create function private.follow_reviews()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then perform private.rate_book(old.book_id); end if;
  if tg_op <> 'DELETE' then
    if tg_op = 'INSERT' or new.book_id <> old.book_id then perform private.rate_book(new.book_id); end if;
  end if;
  return null;
end $$;
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

create trigger tally_row after insert or delete on public.reviews for each row execute function private.tally_row();

create trigger forget_tallies after truncate on public.reviews for each statement execute function private.forget_tallies();

/* 'Ama' of 'Mrs. Ama Mensah' or 'Mensah, Ama'; null for no name, and for an email address or a phone number instead of one. */
create function private.first_name_of(_full_name text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select nullif(split_part(
    regexp_replace(btrim(_full_name), '^([^ ,]+, *)?((mr|mrs|ms|miss|madam|dr|rev|prof)\.? +)*', '', 'i'), ' ', 1), '')
   where _full_name !~ '[@[:digit:]]'
$$;

/*
 * A name as it is compared: its letters from a to z, in lower case, without accents and typographic forms; Cyrillic and Greek ones count
 * as those that they look like.
 */
create function private.name_letters(_name text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(
    translate(private.fold(normalize(_name, nfkc)), 'авсԁеһіјкӏмноопрԛѕтуѵԝхαβεικνορτυχ', 'abcdehijklmhoonpqstyvwxabeiknoptux'), '[^a-z]', '', 'g')
$$;

-- The shop's name and its first word, as letters: the setting's, written here by each change of it, each start of the shop and
-- `npm run migrate`.
create table private.shop_names (letters text primary key);
alter table private.shop_names enable row level security;

create function private.set_shop_name(_name text)
returns void language plpgsql set search_path = '' as $$
begin
  delete from private.shop_names;
  insert into private.shop_names (letters)
  select distinct n.letters
    from unnest(array[private.name_letters(_name), private.name_letters(split_part(_name, ' ', 1))]) as n (letters)
   where length(n.letters) >= 3;
end $$;

/*
 * Whether a name could be taken for the shop's or its staff's: also one that mixes alphabets, or is in a rare one, because many have
 * letters that look like those from a to z.
 */
create function private.passes_as_shop(_name text)
returns boolean language sql stable set search_path = '' as $$
  select letters ~ '(admin|staff|official|moderator|support|customerservice|bookshop)'
         or letters = any ('{shop,store,team,owner,manager,seller,management}')
         -- Latin with Ghana's letters and combining accents; Greek; Cyrillic; or Hebrew, Arabic, N'Ko, the scripts of India to Laos,
         -- Ethiopic and those of East Asia.
         or normalize(_name, nfkc) !~ concat(
              '^([!-~\u00a1-\u024f\u0254\u0256\u025b\u0263\u0269\u028a\u028b\u02b9-\u02c1\u0300-\u034e\u1e00-\u1eff\u2018\u2019]+',
              '|[\u0300-\u034e\u0370-\u03ff\u1f00-\u1fff''.-]+|[\u0300-\u034e\u0400-\u052f''.-]+',
              '|[\u0590-\u06ff\u0750-\u077f\u07c0-\u07ff\u0900-\u0eff\u1200-\u137f\u3005\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3''.-]+)$')
         -- A short name may be a part of another, as 'Ama' is of 'Amara'.
         or exists (select from private.shop_names s
                     where s.letters = name.letters or (length(s.letters) >= 5 and strpos(name.letters, s.letters) > 0))
    from private.name_letters(_name) as name (letters)
$$;

/* The name under which a customer's review is shown: the first name, at most 30 characters; null if it passes as the shop's. */
create function private.reader_name(_full_name text)
returns text language sql stable set search_path = '' as $$
  select case when length(first_name) > 30 then left(first_name, 29) || '…' else first_name end
    -- Without characters that have no width or change the direction of what follows.
    from private.first_name_of(regexp_replace(_full_name, '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')) as first_name
   where not private.passes_as_shop(first_name)
$$;

/* The number of reviews for each rating that was given. */
create function private.count_book_ratings(_book_id uuid)
returns table (rating int, reviews int) language sql stable security definer set search_path = '' as $$
  select rating, count(*)::int from public.reviews where book_id = _book_id and hidden_at is null group by rating order by rating desc
$$;
select private.expose('count_book_ratings', 'anon', 'authenticated', 'service_role');

/* A book's reviews with a text, newest first, at most 20. Only the reader's first name is public. */
create function private.list_book_reviews(_book_id uuid)
returns table (id uuid, rating int, review_text text, reader text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.id, r.rating, r.review_text, private.reader_name(p.full_name), r.created_at
    from public.reviews r join public.profiles p on p.id = r.user_id
   where r.book_id = _book_id and r.hidden_at is null and r.review_text is not null
   order by r.created_at desc, r.id desc
   limit 20
$$;
select private.expose('list_book_reviews', 'anon', 'authenticated', 'service_role');
