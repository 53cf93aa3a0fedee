-- Each claimed email reads only what its own kind says: the text of every topic was read for every email.

/*
 * Whether a copy for an order's recipient would be one too many: an address gets two a day, an account's orders send ten a day, and
 * those that new customers have placed 200 in all, because one network may sign up a hundred accounts an hour. That is more than a shop's
 * first-time customers order for others in a day, and too little for anyone who wants to send spam. What staff send again always goes out,
 * and parcels don't count, since staff alone cause their copies: the one that the order is on its way follows them.
 */
create or replace function private.is_copy_too_many(_email public.outgoing_emails)
returns boolean language sql stable security definer set search_path = '' as $$
  select _email.resend_of is null and private.email_topic(_email.kind) <> 'shipment'
     and (count(*) filter (where e.mailbox = _email.mailbox) >= 2
          or count(*) filter (where other.user_id = mine.user_id) >= 10
          or _email.kind = 'recipient_order_placed' and private.is_new_customer(mine.user_id)
             and count(*) filter (where e.kind = 'recipient_order_placed' and private.is_new_customer(other.user_id)) >= 200)
    from public.orders mine
    left join public.outgoing_emails e
      on e.mailbox is not null and e.id <> _email.id and private.email_topic(e.kind) <> 'shipment'
     and coalesce(e.settled_at, e.created_at) > clock_timestamp() - interval '1 day'
     and (e.state = 'sent' or e.state = 'waiting' and e.lease is not null)
    left join public.orders other on other.id = e.order_id
   where mine.id = _email.order_id
   group by mine.id
$$;

/*
 * What an email says of its topic, besides its order: what that topic's function returns. Null for an email about an order, and when there
 * is nothing to say any more. A topic without a function is an error.
 */
create function private.email_content(_email public.outgoing_emails)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  case private.email_topic(_email.kind)
    when 'order' then return null;
    when 'alert' then return private.email_stock_alert(_email);
    when 'consultation' then return private.email_consultation(_email);
    when 'payment' then return private.email_payment(_email);
    when 'purchase' then return private.email_purchase(_email);
    when 'quote' then return private.email_quote(_email);
    when 'registration' then return private.email_registration(_email);
    when 'role' then return private.email_role(_email);
    when 'shipment' then return private.email_shipment(_email);
    when 'stock' then return private.email_stock();
    when 'subscription' then return private.email_subscription(_email);
  end case;
end $$;

/*
 * Whether an email would be out of date: the books are there again, the shipment was undone, the quote or purchase order is another by now, a changed order is cancelled, or a customer
 * no longer waits for a book or it is sold out again, what an email about an event says is no longer so, or an account is closed.
 */
create or replace function private.has_nothing_to_say(_email public.outgoing_emails)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return case private.email_topic(_email.kind)
    when 'payment' then false
    -- Another email says that it is.
    when 'order' then case _email.kind
      when 'order_changed' then _email.resend_of is null
        and exists (select from public.orders o where o.id = _email.order_id and o.status = 'cancelled')
      when 'downloads_ready' then not exists (
        select from public.orders o where o.id = _email.order_id and private.has_order_access(o))
      -- Of a status: one that could not be sent at first, and a later email says another status.
      else _email.attempts > 0 and _email.resend_of is null and _email.status is not null and exists (
        select from public.outgoing_emails later
         where later.order_id = _email.order_id and later.created_at > _email.created_at and later.status <> _email.status
           and later.kind in ('order_status_changed', 'order_cancelled') and later.state in ('waiting', 'sent')) end
    else private.email_content(_email) is null
  end;
end $$;

/*
 * The worker: the next email to send, as JSON, leased for 5 minutes. Null when none is due, or when the first 200 were out of date: ten
 * thousand customers may wait for a book that is sold out again, and one transaction for all of them would reach its timeout.
 */
create or replace function private.claim_email()
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  email public.outgoing_emails;
  topic text;
  audience text;
  of_order jsonb;
  content jsonb;
  problem text;
  late constant interval := interval '3 days';
begin
  perform private.give_up_old_emails(late);
  for looked in 1 .. 200 loop
    select * into email from public.outgoing_emails
     where state = 'waiting' and created_at >= clock_timestamp() - late
       -- No pause is that long: a clock that was ahead has written it, and the row would wait until then.
       and (due_at <= clock_timestamp() or due_at > clock_timestamp() + interval '2 hours')
     -- An order's email passes those to many at once, about books that are back and about events, however many are late because the mail server is slow.
     order by kind in ('back_in_stock', 'event_published', 'event_changed', 'event_cancelled'), due_at, created_at limit 1
       for update skip locked;
    if not found then return null; end if;
    topic := private.email_topic(email.kind);
    audience := private.email_audience(email.kind);
    if audience = 'recipient' then
      -- One at a time, so that workers don't send two last ones at once.
      perform pg_advisory_xact_lock(hashtextextended('copies for recipients', 47));
      update public.outgoing_emails set mailbox = null
       where mailbox is not null and state <> 'waiting' and coalesce(settled_at, created_at) <= clock_timestamp() - interval '1 day';
    end if;
    of_order := private.email_order(email.order_id);
    content := private.email_content(email);
    problem := private.email_problem(email, coalesce(of_order, content));
    if problem is not null then
      update public.outgoing_emails
         set state = 'given_up', reason = btrim(problem), lease = null, settled_at = clock_timestamp()
       where id = email.id;
    elsif private.has_nothing_to_say(email) or audience = 'recipient' and private.is_copy_too_many(email) then
      delete from public.outgoing_emails where id = email.id;
    else
      update public.outgoing_emails
         set lease = gen_random_uuid(), attempts = attempts + 1, due_at = clock_timestamp() + private.email_lease()
       where id = email.id
      returning * into email;
      -- Each attempt has a link of its own: only its hash is stored.
      content := content || case topic
        when 'quote' then jsonb_build_object('token', private.new_quote_link((content ->> 'id')::uuid))
        when 'registration' then jsonb_build_object('token', private.new_event_link('registration', (content ->> 'id')::uuid))
        when 'subscription' then jsonb_build_object('token', private.new_event_link('subscription', (content ->> 'id')::uuid))
        else '{}' end;
      -- What the email doesn't say is null.
      return '{"shipment": null, "stock": null, "payment": null, "quote": null, "consultation": null, "alert": null, "registration": null,
               "subscription": null, "purchase": null, "role": null}'::jsonb
        || jsonb_build_object(topic, content)
        || jsonb_build_object(
             'id', email.id, 'lease', email.lease, 'kind', email.kind, 'status', email.status, 'created_at', email.created_at,
             'audience', audience, 'order', of_order);
    end if;
  end loop;
  return null;
end $$;
