-- The email that a book is back in stock, written in the transaction that brings it back.

-- Finds the end of the queue of alerts.
create index outgoing_emails_last_alert on public.outgoing_emails (due_at)
  where state = 'waiting' and kind = 'back_in_stock' and attempts = 0;

/*
 * What an email about a book's return, or the arrival of one that was coming soon, says; null for any other email, and when there is nothing to say any more: the customer cancelled
 * the request, the book or the account is deleted, or the book is sold out again. In the last case the alert waits for the next copies.
 */
create function private.email_stock_alert(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('email', p.email,
           'is_new', a.is_new,
           'book', jsonb_build_object('id', b.id, 'title', b.title, 'publisher', b.publisher, 'price', b.price))
    from public.stock_alerts a join public.profiles p on p.id = a.user_id join public.books b on b.id = a.book_id
   where private.email_topic(_email.kind) = 'alert' and a.id = private.email_event(_email)::uuid and b.for_sale > 0
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
