-- A changed role is one entry of the log, and an email to the person and to every other admin.

/*
 * The one list of the kinds of emails: who gets them, 'customer', 'recipient' (of someone else's order), 'supplier' or 'owner', and what their text is
 * read from when they are sent. A new kind is a new line here and in shared/shop/email-kinds.ts, which has its name and leads to its text.
 */
create or replace function private.email_kinds()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "order_placed": {"audience": "customer", "topic": "order"},
    "order_status_changed": {"audience": "customer", "topic": "order"},
    "order_changed": {"audience": "customer", "topic": "order"},
    "order_cancelled": {"audience": "customer", "topic": "order"},
    "downloads_ready": {"audience": "customer", "topic": "order"},
    "order_paid": {"audience": "customer", "topic": "payment"},
    "order_refunded": {"audience": "customer", "topic": "payment"},
    "quote_sent": {"audience": "customer", "topic": "quote"},
    "back_in_stock": {"audience": "customer", "topic": "alert"},
    "event_registered": {"audience": "customer", "topic": "registration"},
    "event_place": {"audience": "customer", "topic": "registration"},
    "event_changed": {"audience": "customer", "topic": "registration"},
    "event_cancelled": {"audience": "customer", "topic": "registration"},
    "event_subscription": {"audience": "customer", "topic": "subscription"},
    "event_published": {"audience": "customer", "topic": "subscription"},
    "purchase_order_sent": {"audience": "supplier", "topic": "purchase"},
    "consultation_received": {"audience": "customer", "topic": "consultation"},
    "consultation_answered": {"audience": "customer", "topic": "consultation"},
    "consultation_dated": {"audience": "customer", "topic": "consultation"},
    "consultation_cancelled": {"audience": "customer", "topic": "consultation"},
    "recipient_order_placed": {"audience": "recipient", "topic": "order"},
    "recipient_order_shipped": {"audience": "recipient", "topic": "order"},
    "new_order": {"audience": "owner", "topic": "order"},
    "order_cancelled_by_customer": {"audience": "owner", "topic": "order"},
    "payment_needs_decision": {"audience": "owner", "topic": "payment"},
    "quote_requested": {"audience": "owner", "topic": "quote"},
    "consultation_requested": {"audience": "owner", "topic": "consultation"},
    "low_stock": {"audience": "owner", "topic": "stock"},
    "own_role_changed": {"audience": "customer", "topic": "role"},
    "role_changed": {"audience": "customer", "topic": "role"}
  }'::jsonb
$$;

/* Queues them about the last entry of the log about this person's role. Addresses that can't exist, as the first admin's, get none. */
create function private.queue_role_emails(_user_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  entry bigint := (select max(a.id) from public.audit_log a
                    where a.table_name = 'user_roles' and coalesce(a.after, a.before) ->> 'user_id' = _user_id::text);
begin
  perform private.queue_email(case when p.id = _user_id then 'own_role_changed' else 'role_changed' end, entry || ':' || p.id, null)
     from public.profiles p
    where p.email !~* '\.invalid$'
      and (p.id = _user_id or exists (select from public.user_roles r where r.user_id = p.id and r.role = 'admin'))
      -- Nobody else has to hear of a shop's first admin.
      and exists (select from public.user_roles r where r.user_id <> _user_id and r.role = 'admin');
end $$;

/*
 * What an email about a changed role says; null for any other email, and when its person or its reader has closed their account, or its reader is
 * no admin any more. by is null
 * if it was changed by a command.
 */
create function private.email_role(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'email', reader.email, 'name', reader.full_name, 'of_name', person.full_name, 'of_email', person.email,
    'former', coalesce(a.before ->> 'role', 'user'), 'role', coalesce(a.after ->> 'role', 'user'),
    'by_name', coalesce(actor.full_name, actor.email), 'at', a.happened_at)
    from (select case when private.email_topic(_email.kind) = 'role' then private.email_event(_email) end as event) as e
    join public.audit_log a on a.id = split_part(e.event, ':', 1)::bigint
    join public.profiles reader on reader.id = split_part(e.event, ':', 2)::uuid and reader.email is not null
    join public.profiles person on person.id = (coalesce(a.after, a.before) ->> 'user_id')::uuid and person.email is not null
    left join public.profiles actor on actor.id = a.actor
   where _email.kind = 'own_role_changed' or exists (select from public.user_roles r where r.user_id = reader.id and r.role = 'admin')
$$;

/*
 * Whether an email would be out of date: the books are there again, the quote or purchase order is another by now, a changed order is cancelled, or a customer
 * no longer waits for a book or it is sold out again, what an email about an event says is no longer so, or an account is closed.
 */
create or replace function private.has_nothing_to_say(_email public.outgoing_emails)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return case private.email_topic(_email.kind)
    when 'stock' then private.email_stock() is null
    when 'quote' then private.email_quote(_email) is null
    when 'alert' then private.email_stock_alert(_email) is null
    when 'registration' then private.email_registration(_email) is null
    when 'subscription' then private.email_subscription(_email) is null
    when 'purchase' then private.email_purchase(_email) is null
    when 'consultation' then private.email_consultation(_email) is null
    when 'role' then private.email_role(_email) is null
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
    else false
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
  of_order jsonb;
  of_quote jsonb;
  of_alert jsonb;
  of_consultation jsonb;
  of_registration jsonb;
  of_subscription jsonb;
  of_purchase jsonb;
  of_role jsonb;
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
    of_role := private.email_role(email);
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
        'purchase', of_purchase, 'role', of_role);
    end if;
  end loop;
  return null;
end $$;

/* Staff: resends an email with its order's current content; returns the new one's id. */
create or replace function private.resend_email(_email_id uuid)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  given public.outgoing_emails;
  first_id uuid;
  made uuid;
begin
  select * into given from public.outgoing_emails where id = _email_id;
  if private.email_topic(given.kind) = 'purchase' then
    perform private.require_duty('stock');
  elsif private.email_topic(given.kind) = 'role' then
    perform private.require_staff();
  else
    perform private.require_duty('orders');
  end if;
  if given.id is null then
    perform private.refuse('PT404', 'email_not_found', 'This email no longer exists.');
  end if;
  first_id := coalesce(given.resend_of, given.id);
  -- Two simultaneous presses are two requests: the second one waits here and then finds the first one's row.
  perform from public.outgoing_emails where id = first_id for update;
  if exists (select from public.outgoing_emails where first_id in (id, resend_of) and state = 'waiting') then
    perform private.refuse('PT409', 'email_waiting', 'This email is already waiting to be sent.');
  end if;
  if given.order_id is not null and not exists (select from public.orders where id = given.order_id) then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  if private.has_nothing_to_say(given) then
    perform private.refuse('PT409', 'nothing_to_say', 'This email would be out of date: the quote, the purchase order or the stock has changed.');
  end if;
  insert into public.outgoing_emails (kind, order_id, status, mailbox, resend_of)
  values (given.kind, given.order_id, given.status, given.mailbox, first_id) returning id into made;
  return made;
end $$;

/*
 * A change of role is one entry of the log, with the role before and after, whether it replaced a row, and tells the person and every other
 * admin (8-roles in 7-emails). Runs before replace_roles, since triggers run in the order of their names.
 */
create function private.record_role()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  former jsonb := to_jsonb(old);
begin
  if tg_op = 'DELETE' and exists (select from public.user_roles r where r.user_id = old.user_id and r.id > old.id) then return null; end if;
  if tg_op = 'INSERT' then
    select to_jsonb(r) into former from public.user_roles r where r.user_id = new.user_id and r.id < new.id order by r.id desc limit 1;
  end if;
  perform private.write_audit('user_roles', former, to_jsonb(new));
  if coalesce(former ->> 'role', 'user') <> coalesce(new.role, 'user') then
    perform private.queue_role_emails(coalesce(new.user_id, old.user_id));
  end if;
  return null;
end $$;
drop trigger record_audit on public.user_roles;
create trigger record_audit after insert or update or delete on public.user_roles
  for each row execute function private.record_role();
