-- How workers send the emails of outgoing_emails, any number of them concurrently: a worker claims one, which no
-- other gets until the lease ends, sends it, and records the outcome. For the secret key and the database's owner
-- only.
--
-- Guarantees: an event has exactly one row, and a row that is recorded as sent is never handed out again. A worker
-- that dies between the mail server's acceptance and the record leaves a row that is sent again when its lease has
-- ended, with the same Message-ID, by which receivers can drop it. No row is lost: it is sent, or given up with a
-- reason, after a day of failed attempts or after three days without one. Deleted are only those that would be out of date, and
-- copies above their limit. A worker claims emails in the order in which they are due and sends those to one address one after the
-- other (server/emails/email-worker.ts).

/* Whether nothing has been delivered yet to an account, or it no longer exists: anyone can have hundreds of those. */
create function private.is_new_customer(_user_id uuid)
returns boolean language sql stable set search_path = '' as $$
  select not exists (select from public.orders o where o.user_id = _user_id and o.status = 'delivered')
$$;

/*
 * Whether a copy for an order's recipient would be one too many: an address gets two a day, an account's orders send ten a day, and
 * those that new customers have placed 200 in all, because one network may sign up a hundred accounts an hour. That is more than a shop's
 * first-time customers order for others in a day, and too little for anyone who wants to send spam. What staff send again always goes out,
 * and parcels don't count, since staff alone cause their copies: the one that the order is on its way follows them.
 */
create function private.is_copy_too_many(_email public.outgoing_emails)
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

/* Why an email is not sent, as a sentence for staff; null when it can be. */
create function private.email_problem(_email public.outgoing_emails, _order jsonb)
returns text language sql stable set search_path = '' as $$
  select case
    when _email.order_id is not null and _order is null then 'The order was deleted.'
    when private.email_audience(_email.kind) = 'customer' and _email.order_id is not null and _order ->> 'email' is null
      or private.email_audience(_email.kind) = 'recipient' and _order ->> 'recipient_email' is null then 'The order has no email address.'
    when private.email_audience(_email.kind) = 'supplier' and _order is not null and _order ->> 'email' is null then 'The supplier has no email address.'
  end
$$;

/* Much longer than the timeout of a mail server. */
create function private.email_lease()
returns interval language sql immutable set search_path = '' as $$ select interval '5 minutes' $$;

/*
 * Emails that no worker tried to send for three days would come too late. In one statement: a project whose owner turns emails on after
 * months has thousands. Those that another worker is at are left to it.
 */
create function private.give_up_old_emails(_older_than interval)
returns void language plpgsql security definer set search_path = '' as $$
declare
  -- In a variable, because an index scan needs a value that does not change during it.
  too_old constant timestamptz := clock_timestamp() - _older_than;
begin
  update public.outgoing_emails
     set state = 'given_up', reason = btrim('It could not be sent within three days. ' || coalesce(reason, '')), lease = null,
         settled_at = clock_timestamp()
   where id in (select e.id from public.outgoing_emails e
                 where e.state = 'waiting' and e.due_at <= clock_timestamp() and e.created_at < too_old
                 limit 5000 for update skip locked);
end $$;

/*
 * The worker: the next email to send, as JSON, leased for 5 minutes. Null when none is due, or when the first 200 were out of date: ten
 * thousand customers may wait for a book that is sold out again, and one transaction for all of them would reach its timeout.
 */
create function private.claim_email()
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
select private.expose('claim_email', 'service_role');

/*
 * The worker: the mail server has accepted the email. The lease doesn't count: an email that has been sent has been sent, also when another worker has it by now.
 */
create function private.record_sent_email(_email_id uuid)
returns void language sql security definer set search_path = '' as $$
  update public.outgoing_emails
     set state = 'sent', reason = null, lease = null, settled_at = clock_timestamp()
   where id = _email_id and state <> 'sent'
$$;
select private.expose('record_sent_email', 'service_role');

/*
 * The worker: the email was not accepted; why, and whether that is final. Ignored when the lease is another worker's by now.
 * Another try after 5 s, then 30 s, 2, 10 and 30 minutes; none if it is final, or a day old after five attempts. A shop that
 * was without power for a day sends what is waiting when it is back, even if its connection takes some minutes longer.
 * _keeps_place: the mail server is at fault, so later emails to the same person must not pass this one: it is due at once. That costs
 * it no try, but it doesn't count as untried either: the mail server may have accepted it before the connection broke.
 */
create function private.record_failed_email(
  _email_id uuid, _lease uuid, _reason text, _final boolean default false, _keeps_place boolean default false)
returns void language sql security definer set search_path = '' as $$
  update public.outgoing_emails
     set state = case when last_try then 'given_up' else 'waiting' end,
         settled_at = case when last_try then clock_timestamp() end,
         due_at = case when _keeps_place then created_at else
           clock_timestamp() + (array[5, 30, 120, 600, 1800])[least(greatest(attempts, 1), 5)] * interval '1 second' end,
         reason = case when last_try and not _final then 'It could not be sent within a day. ' else '' end
                  || left(private.clean_line(_reason), 200),
         attempts = case when _keeps_place then greatest(attempts - 1, 1) else attempts end,
         lease = null
    from (select e.id, _final or (not _keeps_place and e.attempts >= 5 and e.created_at < clock_timestamp() - interval '1 day') as last_try
            from public.outgoing_emails e where e.id = _email_id) as tried
   where outgoing_emails.id = tried.id and lease = _lease and state = 'waiting'
$$;
select private.expose('record_failed_email', 'service_role');

/* The worker: it has not tried the email, which goes back to its place. Ignored when the lease is another worker's by now. */
create function private.return_email(_email_id uuid, _lease uuid)
returns void language sql security definer set search_path = '' as $$
  update public.outgoing_emails
     set attempts = greatest(attempts - 1, 0), due_at = created_at, lease = null
   where id = _email_id and lease = _lease and state = 'waiting'
$$;
select private.expose('return_email', 'service_role');

/* The worker, now and then: the day's email about low stock, if there is a reason for one. */
create function public.queue_low_stock_email()
returns void language sql set search_path = '' as $$ select private.queue_low_stock_email() $$;
grant execute on function public.queue_low_stock_email to service_role;
