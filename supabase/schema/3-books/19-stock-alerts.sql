-- 'Email me when it's back', or when it's here: a row per customer and book that is sold out or coming soon, which lasts until its one email is sent. The email is written in the
-- transaction that brings the book back, like all emails of the shop; who gets it and what it says is read when it is sent.

create table public.stock_alerts (
  -- Also the event of its email.
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  book_id uuid not null references public.books (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  -- Whether the book was coming soon: its email says that it is there, not that it is back.
  is_new boolean not null default false,
  constraint stock_alerts_one_a_book unique (user_id, book_id)
);
create index stock_alerts_by_book on public.stock_alerts (book_id, created_at, id);

alter table public.stock_alerts enable row level security;
grant select, delete on public.stock_alerts to authenticated;
grant select on public.stock_alerts to service_role;

create policy "customers read their own stock alerts" on public.stock_alerts
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers take back their own stock alerts" on public.stock_alerts
  for delete to authenticated using (user_id = (select auth.uid()));

/*
 * Customers: request one email when this sold-out book is back in stock, or one that is coming soon is there. A repeated request changes nothing.
 *
 * The book stays locked until the alert is there: a restock at the same moment either is seen here, or sees the alert.
 */
create function private.request_stock_alert(_book_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  asking constant uuid := auth.uid();
  left_to_sell int;
begin
  perform private.lock_stock(false);
  -- So that parallel requests are counted too.
  perform pg_advisory_xact_lock(hashtext('public.stock_alerts'), hashtext(asking::text));
  perform from public.profiles where id = asking for key share;
  if not found then
    perform private.refuse('PT403', 'account_needed', 'Please sign in first.');
  end if;
  perform private.lock_books(array[_book_id]);
  select for_sale into left_to_sell from public.books where id = _book_id;
  if not found or left_to_sell = -2 then
    perform private.refuse('PT404', 'book_not_found', 'This book is no longer sold.');
  elsif left_to_sell > 0 then
    perform private.refuse('PT409', 'book_in_stock', 'This book is in stock again. Reload the page to order it.');
  elsif exists (select from public.stock_alerts where user_id = asking and book_id = _book_id) then
    return;
  elsif (select count(*) from public.stock_alerts where user_id = asking) >= 100 then
    perform private.refuse('PT429', 'too_many_stock_alerts', 'You are already waiting for 100 books. Please cancel one of those requests first.',
      '{"limit": 100}');
  end if;
  insert into public.stock_alerts (user_id, book_id, is_new) values (asking, _book_id, left_to_sell = -1);
end $$;
select private.expose('request_stock_alert', 'authenticated');

/*
 * One email per second, in the order of the requests, because an order's email behind hundreds of them would be late. Everyone who is
 * waiting gets one, however few copies came; those whose turn comes after the last copy is sold keep waiting (see email_stock_alert).
 */
create function private.queue_stock_alerts()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  first_due timestamptz;
begin
  if not exists (select from public.stock_alerts where book_id = new.id) then return null; end if;
  select greatest(clock_timestamp(), max(due_at) + interval '1 second') into first_due from public.outgoing_emails
   where state = 'waiting' and kind = 'back_in_stock' and attempts = 0;
  insert into public.outgoing_emails as e (kind, event, due_at)
  select 'back_in_stock', id::text, first_due + (row_number() over (order by created_at, id) - 1) * interval '1 second'
    from public.stock_alerts where book_id = new.id
  -- A waiting one stays as it is, but is waited for: claim_email may be about to drop it because the book was sold out until now.
  on conflict (kind, event) do update
     set state = 'waiting', attempts = 0, due_at = excluded.due_at, reason = null, created_at = clock_timestamp(), settled_at = null
   where e.state = 'given_up';
  return null;
end $$;
