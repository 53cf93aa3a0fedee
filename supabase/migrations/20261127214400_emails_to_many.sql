-- Emails to everyone who is registered for an event wait for those about orders, as those about new events do.

drop index public.outgoing_emails_due;
create index outgoing_emails_due on public.outgoing_emails ((kind in ('back_in_stock', 'event_published', 'event_changed', 'event_cancelled')), due_at, created_at) where state = 'waiting';

/*
 * The worker: the next email to send, as JSON, leased for 5 minutes. Null when none is due, or when the first 200 were out of date: ten
 * thousand customers may wait for a book that is sold out again, and one transaction for all of them would reach its timeout.
 */
create or replace function private.claim_email()
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  email public.outgoing_emails;
  of_order jsonb;
  of_quote jsonb;
  of_alert jsonb;
  of_consultation jsonb;
  of_registration jsonb;
  of_subscription jsonb;
  of_purchase jsonb;
  stock jsonb;
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
    if private.email_audience(email.kind) = 'recipient' then
      -- One at a time, so that workers don't send two last ones at once.
      perform pg_advisory_xact_lock(hashtextextended('copies for recipients', 47));
      update public.outgoing_emails set mailbox = null
       where mailbox is not null and state <> 'waiting' and coalesce(settled_at, created_at) <= clock_timestamp() - interval '1 day';
    end if;
    of_order := private.email_order(email.order_id);
    stock := case when private.email_topic(email.kind) = 'stock' then private.email_stock() end;
    of_quote := private.email_quote(email);
    of_alert := private.email_stock_alert(email);
    of_consultation := private.email_consultation(email);
    of_registration := private.email_registration(email);
    of_subscription := private.email_subscription(email);
    of_purchase := private.email_purchase(email);
    problem := private.email_problem(email, coalesce(of_order, of_quote, of_purchase));
    if problem is not null then
      update public.outgoing_emails
         set state = 'given_up', reason = btrim(problem), lease = null, settled_at = clock_timestamp()
       where id = email.id;
    elsif private.has_nothing_to_say(email) or private.is_copy_too_many(email) then
      delete from public.outgoing_emails where id = email.id;
    else
      update public.outgoing_emails
         set lease = gen_random_uuid(), attempts = attempts + 1, due_at = clock_timestamp() + private.email_lease()
       where id = email.id
      returning * into email;
      return jsonb_build_object(
        'id', email.id, 'lease', email.lease, 'kind', email.kind, 'status', email.status, 'created_at', email.created_at,
        'audience', private.email_audience(email.kind), 'order', of_order, 'stock', stock,
        'payment', private.email_payment(email), 'quote', of_quote, 'consultation', of_consultation, 'alert', of_alert,
        -- Null for other emails. Each attempt has a link of its own: only its hash is stored.
        'registration', of_registration || jsonb_build_object('token', private.new_event_link('registration', (of_registration ->> 'id')::uuid)),
        'subscription', of_subscription || jsonb_build_object('token', private.new_event_link('subscription', (of_subscription ->> 'id')::uuid)),
        'purchase', of_purchase);
    end if;
  end loop;
  return null;
end $$;

