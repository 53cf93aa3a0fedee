-- The email that a book is back in stock, written in the transaction that brings it back.

-- Finds the end of the queue of alerts.
create index outgoing_emails_last_alert on public.outgoing_emails (due_at)
  where state = 'waiting' and kind = 'back_in_stock' and attempts = 0;

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

create trigger queue_stock_alerts after update of stock_quantity on public.books
  for each row when (old.stock_quantity = 0 and new.stock_quantity > 0)
  execute function private.queue_stock_alerts();

/*
 * What an email about a book's return says; null for any other email, and when there is nothing to say any more: the customer cancelled
 * the request, the book or the account is deleted, or the book is sold out again. In the last case the alert waits for the next copies.
 */
create function private.email_stock_alert(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('email', p.email, 'book', jsonb_build_object(
           'id', b.id, 'title', b.title, 'publisher', b.publisher, 'price', b.price))
    from public.stock_alerts a join public.profiles p on p.id = a.user_id join public.books b on b.id = a.book_id
   where private.email_topic(_email.kind) = 'alert' and a.id = private.email_event(_email)::uuid and b.stock_quantity > 0
$$;

/* Its one email has been sent. */
create function private.use_up_stock_alert()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.stock_alerts where id = private.email_event(new)::uuid;
  return null;
end $$;

create trigger use_up_stock_alert after update of state on public.outgoing_emails
  for each row when (new.kind = 'back_in_stock' and new.state = 'sent')
  execute function private.use_up_stock_alert();
