-- Forms that anyone can send count the mailbox that an address reaches, not its spelling.

/*
 * For forms that anyone can send: refuses an email address with other letters than a to z. Their domains have countless spellings, and each
 * would count as another address of the same mailbox. Accounts and what staff enter are not concerned. Null passes.
 */
create function private.require_plain_email(_field text, _email text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _email ~ '[^!-~]' then
    perform private.refuse('PT400', 'invalid_field', 'Please enter an email address with the letters a to z alone.',
      jsonb_build_object('field', _field, 'rule', 'email'));
  end if;
end $$;

/*
 * The mailbox that an email address, or a phone number's digits, reaches: without what follows a +, and for Gmail without dots. Only for
 * counting how much one person is sent: addresses are stored and compared as they were typed.
 */
create function private.mailbox_key(_contact text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select case when domain = '' then name when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
         else name || '@' || domain end
    from (select split_part(split_part(lower(_contact), '@', 1), '+', 1), split_part(lower(_contact), '@', 2)) as parts (name, domain)
$$;

drop index public.event_registrations_by_contact;
create index event_registrations_by_mailbox on public.event_registrations (private.mailbox_key(contact_key), created_at);
create index event_subscribers_by_mailbox on public.event_subscribers (private.mailbox_key(email_key)) where confirmed_at is null;
create index consultations_by_mailbox on public.consultations (private.mailbox_key(email_key), created_at) where email_key is not null;

/*
 * Refuses more registrations than people make: 10 from one contact, however it is written, for an event and within a day, and 1,000 an hour
 * in the shop, so that emails to strangers' addresses stay few. The caller holds the event.
 */
create or replace function private.limit_registrations(_event_id uuid, _contact_key text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  mailbox constant text := private.mailbox_key(_contact_key);
begin
  -- So that parallel requests for other events are counted too.
  perform pg_advisory_xact_lock(hashtext('public.event_registrations'), hashtext(mailbox));
  if (select count(*) from public.event_registrations r
       where private.mailbox_key(r.contact_key) = mailbox and (r.event_id = _event_id or r.created_at > clock_timestamp() - interval '1 day')) >= 10
     or (select count(*) from public.event_registrations r
          where not r.by_staff and r.created_at > clock_timestamp() - interval '1 hour') >= 1000 then
    perform private.refuse('PT429', 'too_many_registrations', 'There have been too many registrations. Please call us, or try again tomorrow.',
      '{"limit": 10, "retry_after_seconds": 3600}');
  end if;
end $$;

/*
 * Everyone: registers a person for a published event, with an email address or a phone number. _id is chosen by the client, so that a retry
 * takes no second place; the same name and contact are one registration too. state: 'registered', or 'waiting' with waiting_before.
 */
create or replace function private.register_for_event(
  _id uuid, _slug text, _name text, _email text default null, _phone text default null, _institution text default null
) returns table (state text, waiting_before int) language plpgsql security definer set search_path = '' as $$
declare
  given constant public.event_registrations := private.read_registration(_name, _email, _phone, _institution);
  event public.events;
  registration_id uuid;
begin
  perform private.require_plain_email('email', given.email);
  event := private.lock_event((select e.id from public.events e where e.slug = _slug and e.state <> 'draft'));
  if event.id is null then
    perform private.refuse('PT404', 'event_not_found', 'There is no such event.');
  end if;
  registration_id := private.add_registration(event, _id, given, false);
  return query select * from private.registration_answer(registration_id);
end $$;

/*
 * Everyone: requests an email about each new event; the link in a first email confirms it. The answer is the same whether the address is
 * new, waits for its confirmation or is on the list, and so are the refusals. An address, however it is written, gets at most 3 such emails,
 * 10 minutes apart; all together 200 an hour, because anyone can enter anyone's address.
 */
create or replace function private.subscribe_to_events(_email text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  given constant text := private.clean_line(_email);
  mailbox constant text := private.mailbox_key(given);
  subscriber public.event_subscribers;
begin
  perform private.require_text('email', 'The email address', given, 320, true);
  perform private.require_contact('email', given, null, null);
  perform private.require_plain_email('email', given);
  -- One after the other, so that parallel requests are counted too.
  perform pg_advisory_xact_lock(hashtext('public.event_subscribers'), 0);
  if (select count(*) from public.event_subscribers s where s.requested_at > clock_timestamp() - interval '1 hour') >= 200 then
    perform private.refuse('PT429', 'too_many_subscriptions', 'Too many people are asking at the moment. Please try again in an hour.',
      '{"limit": 200, "retry_after_seconds": 3600}');
  end if;
  if (select sum(s.requests) >= 3 or max(s.requested_at) >= clock_timestamp() - interval '10 minutes'
        from public.event_subscribers s where s.confirmed_at is null and private.mailbox_key(s.email_key) = mailbox) then
    return;
  end if;
  insert into public.event_subscribers as s (email) values (given)
  on conflict (email_key) do update set requests = s.requests + 1, requested_at = clock_timestamp() where s.confirmed_at is null
  returning * into subscriber;
  if subscriber.id is not null then
    perform private.queue_email('event_subscription', subscriber.id || ':' || subscriber.requests, null);
  end if;
end $$;

/*
 * Refuses more requests than people make: 3 a day with one email address, however it is written, or phone number, 5 a day by one account, and
 * 200 an hour in the shop, so that emails to strangers' addresses stay few. Requests come one at a time, so that parallel ones are counted too.
 */
create or replace function private.limit_consultations(_given public.consultations)
returns void language plpgsql security definer set search_path = '' as $$
declare
  -- In variables, because an index scan needs values that do not change during it.
  a_day_ago constant timestamptz := clock_timestamp() - interval '1 day';
  an_hour_ago constant timestamptz := clock_timestamp() - interval '1 hour';
  mailbox constant text := private.mailbox_key(_given.email);
begin
  if (select count(*) from public.consultations c where private.mailbox_key(c.email_key) = mailbox and c.created_at > a_day_ago) >= 3
     or (select count(*) from public.consultations c
          where c.phone_key = right(regexp_replace(_given.phone, '[^0-9]', '', 'g'), 9) and c.created_at > a_day_ago) >= 3
     or (select count(*) from public.consultations c where c.user_id = _given.user_id and c.created_at > a_day_ago) >= 5
     or (select count(*) from public.consultations c where c.created_at > an_hour_ago) >= 200 then
    perform private.refuse('PT429', 'too_many_consultations', 'There have been too many requests. Please call us, or try again tomorrow.',
      '{"retry_after_seconds": 3600}');
  end if;
end $$;

/*
 * Everyone: asks for a consultation, with an email address or a phone number. _id is chosen by the client, so that a retry asks only once.
 */
create or replace function private.request_consultation(
  _id uuid, _name text, _about text, _email text default null, _phone text default null, _institution text default null,
  _subject text default null, _classes text default null, _wished_days text default null
) returns void language plpgsql security definer set search_path = '' as $$
declare
  given public.consultations;
  stored public.consultations;
begin
  given.name := private.require_text('name', 'The name', private.clean_line(_name), 200, true);
  given.email := private.require_text('email', 'The email address', private.clean_line(_email), 320);
  given.phone := private.require_text('phone', 'The phone number', private.clean_line(_phone), 40);
  given.institution := private.require_text('institution', 'The institution', private.clean_line(_institution), 200);
  given.subject := private.require_text('subject', 'The subject', private.clean_line(_subject), 200);
  given.classes := private.require_text('classes', 'The classes', private.clean_line(_classes), 200);
  given.wished_days := private.require_text('wished_days', 'The days', private.clean_line(_wished_days), 200);
  given.about := private.require_text('about', 'What it is about', private.clean_text(_about), 1000, true);
  if num_nonnulls(given.email, given.phone) = 0 then
    perform private.refuse('PT400', 'invalid_field', 'Please enter an email address or a phone number.',
      '{"field": "email", "rule": "required"}');
  end if;
  perform private.require_contact('email', given.email, 'phone', given.phone);
  perform private.require_plain_email('email', given.email);
  select p.id into given.user_id from public.profiles p where p.id = auth.uid() for key share;

  perform pg_advisory_xact_lock(hashtext('public.consultations'));
  select * into stored from public.consultations where id = _id;
  if found then
    if (stored.user_id, stored.email, stored.phone, stored.about) is distinct from (given.user_id, given.email, given.phone, given.about) then
      perform private.refuse('PT409', 'consultation_exists', 'This request has been sent before. Please reload the page to send another.');
    end if;
    return;
  end if;
  perform private.limit_consultations(given);
  insert into public.consultations (id, user_id, name, email, phone, institution, subject, classes, wished_days, about)
  values (coalesce(_id, gen_random_uuid()), given.user_id, given.name, given.email, given.phone, given.institution, given.subject,
          given.classes, given.wished_days, given.about)
  returning * into stored;
  perform private.queue_email('consultation_requested', stored.id::text, null);
  if stored.email is not null then perform private.queue_email('consultation_received', stored.id::text, null); end if;
end $$;

