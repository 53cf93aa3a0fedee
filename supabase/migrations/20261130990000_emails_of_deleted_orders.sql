-- An email about the money of an order that was deleted since says again why it was not sent.

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
    -- What an email says may outlive its order, as a payment does.
    problem := private.email_problem(email, case when email.order_id is null then content else of_order end);
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
