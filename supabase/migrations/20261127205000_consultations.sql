-- Consultations: requests by anyone, answered, dated and closed by staff.

-- Functions may name what comes later.
set local check_function_bodies = off;

-- Consultations: anyone may ask for one, with or without an account. Staff answer by email, agree on a day and close the request
-- (8-office/24-consultations.sql). Only functions write the two tables. Times are Ghana's, which is on UTC all year.

create table public.consultations (
  -- Chosen by the client, so that a repeated request is one.
  id uuid primary key default gen_random_uuid(),
  -- Null for visitors.
  user_id uuid references public.profiles (id) on delete cascade,
  name text not null,
  email text,
  phone text,
  institution text,
  subject text,
  classes text,
  wished_days text,
  about text not null,
  -- The first answer.
  answered_at timestamptz,
  meets_at timestamptz(0),
  -- 'place', 'phone' or 'online'
  meets_how text,
  -- The address, the number to call, or by what means and with which link.
  meeting_place text,
  -- How often the appointment was made or changed: names the email that says so.
  revision integer not null default 0,
  closed_at timestamptz,
  -- For staff alone.
  staff_note text,
  status text not null generated always as (
    case when closed_at is not null then 'closed' when meets_at is not null then 'dated'
         when answered_at is not null then 'answered' else 'open' end
  ) stored,
  -- Increases with every change: each change names the version that it is about.
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- Who asks, however an address or a number is written.
  email_key text collate "C" generated always as (lower(email)) stored,
  phone_key text collate "C" generated always as (right(regexp_replace(phone, '[^0-9]', '', 'g'), 9)) stored,
  -- What the back office's search looks through; the phone also as bare digits.
  search_text text collate "C" generated always as (
    private.fold(name) || E'\n' || coalesce(private.fold(email), '') || E'\n' || coalesce(phone, '') || E'\n'
    || coalesce(regexp_replace(phone, '[^0-9]', '', 'g'), '') || E'\n' || coalesce(private.fold(institution), '') || E'\n'
    || coalesce(private.fold(subject), '') || E'\n' || coalesce(private.fold(classes), '') || E'\n' || private.fold(about)
  ) stored,
  constraint consultations_have_a_contact check (num_nonnulls(email, phone) > 0),
  constraint consultations_texts_are_short check (
    length(name) between 1 and 200 and length(email) <= 320 and length(phone) <= 40 and length(institution) <= 200
    and length(subject) <= 200 and length(classes) <= 200 and length(wished_days) <= 200
    and length(about) between 1 and 1000 and length(meeting_place) <= 300 and length(staff_note) <= 2000
  ),
  constraint consultations_how_is_known check (meets_how in ('place', 'phone', 'online')),
  constraint consultations_appointment_is_whole check ((meets_at is null) = (meets_how is null))
);
create index consultations_by_customer on public.consultations (user_id, created_at desc) where user_id is not null;
create index consultations_newest_first on public.consultations (created_at desc, id desc);
create index consultations_by_status on public.consultations (status, created_at desc, id desc);
create index consultations_by_email on public.consultations (email_key, created_at) where email_key is not null;
create index consultations_by_phone on public.consultations (phone_key, created_at) where phone_key is not null;
create index consultations_least_recent on public.consultations (updated_at);
create index consultations_search on public.consultations using gin (search_text extensions.gin_trgm_ops);

alter table public.consultations enable row level security;
grant select on public.consultations to authenticated, service_role;

create policy "staff read consultations" on public.consultations
  for select to authenticated using ((select private.has_duty('schools')));

create table public.consultation_answers (
  -- Chosen by the client, so that an answer is sent once.
  id uuid primary key default gen_random_uuid(),
  consultation_id uuid not null references public.consultations (id) on delete cascade,
  body text not null,
  -- No foreign key, like every actor's.
  actor uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint consultation_answers_body_is_sane check (length(body) between 1 and 4000)
);
create index consultation_answers_in_order on public.consultation_answers (consultation_id, created_at, id);

alter table public.consultation_answers enable row level security;
grant select on public.consultation_answers to authenticated, service_role;

create policy "staff read answers" on public.consultation_answers
  for select to authenticated using ((select private.has_duty('schools')));

/*
 * Refuses more requests than people make: 3 a day with one email address or phone number, 5 a day by one account, and 200 an hour in the
 * shop, so that emails to strangers' addresses stay few. Requests come one at a time, so that parallel ones are counted too.
 */
create function private.limit_consultations(_given public.consultations)
returns void language plpgsql security definer set search_path = '' as $$
declare
  -- In variables, because an index scan needs values that do not change during it.
  a_day_ago constant timestamptz := clock_timestamp() - interval '1 day';
  an_hour_ago constant timestamptz := clock_timestamp() - interval '1 hour';
begin
  if (select count(*) from public.consultations c where c.email_key = lower(_given.email) and c.created_at > a_day_ago) >= 3
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
create function private.request_consultation(
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
select private.expose('request_consultation', 'anon', 'authenticated', 'service_role');

/* A consultation's answers in order: [{"body", "created_at"}]; for staff also "by", the name of who wrote it. */
create function private.consultation_answers_as_json(_consultation_id uuid, _with_names boolean)
returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('body', a.body, 'created_at', a.created_at)
           || case when _with_names then jsonb_build_object('by', p.full_name) else '{}' end order by a.created_at, a.id), '[]')
    from public.consultation_answers a left join public.profiles p on p.id = a.actor
   where a.consultation_id = _consultation_id
$$;

/* Customers: the consultations that they asked for while signed in, newest first; all of them if _most is null. answers in order. */
create function private.list_own_consultations(_most int default 20)
returns table (
  id uuid, status text, name text, email text, phone text, institution text, subject text, classes text, wished_days text, about text,
  meets_at timestamptz, meets_how text, meeting_place text, created_at timestamptz, answers jsonb
) language sql stable security definer set search_path = '' as $$
  select c.id, c.status, c.name, c.email, c.phone, c.institution, c.subject, c.classes, c.wished_days, c.about, c.meets_at, c.meets_how,
         c.meeting_place, c.created_at, private.consultation_answers_as_json(c.id, false)
    from public.consultations c where c.user_id = auth.uid()
   order by c.created_at desc, c.id desc limit _most
$$;
select private.expose('list_own_consultations', 'authenticated');

/* Consultations that a visitor asked for with this email address or phone number, however it is written. */
create function private.consultations_of_contact(_contact text)
returns uuid[] language sql stable security definer set search_path = '' as $$
  select array(select c.id from public.consultations c
                where c.user_id is null and (c.email_key = lower(btrim(_contact)) or private.is_same_phone(c.phone, _contact)))
$$;

/* A person's consultations, including those that they asked for with their confirmed email address before they signed in. */
create function private.consultations_of(_user_id uuid)
returns uuid[] language sql stable security definer set search_path = '' as $$
  select array(
    select c.id from public.consultations c where c.user_id = _user_id
    union
    select unnest(private.consultations_of_contact(u.email)) from auth.users u where u.id = _user_id and u.email_confirmed_at is not null)
$$;

-- What emails about consultations say.

/*
 * What an email about a consultation says of it; null for any other email, and when there is nothing to say any more: it was deleted, or
 * the appointment was changed since or is over. answer is the text of the answer that the email is about.
 */
create function private.email_consultation(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', c.id, 'has_account', c.user_id is not null, 'name', c.name, 'email', c.email, 'phone', c.phone, 'institution', c.institution,
    'subject', c.subject, 'classes', c.classes, 'wished_days', c.wished_days, 'about', c.about, 'answer', a.body, 'meets_at', c.meets_at,
    'meets_how', c.meets_how, 'meeting_place', c.meeting_place, 'revision', c.revision, 'updated_at', c.updated_at)
    -- Of other emails it need not be an id, and the joins below may be tried before a condition.
    from (select case when private.email_topic(_email.kind) = 'consultation' then private.email_event(_email) end as event) as e
    left join public.consultation_answers a on a.id = case _email.kind when 'consultation_answered' then e.event::uuid end
    join public.consultations c
      on c.id = case _email.kind when 'consultation_answered' then a.consultation_id else split_part(e.event, ':', 1)::uuid end
   where case _email.kind
           when 'consultation_answered' then a.id is not null
           when 'consultation_dated' then c.id::text || ':' || c.revision = e.event and c.meets_at > clock_timestamp() and c.closed_at is null
           when 'consultation_requested' then c.closed_at is null
           else true end
$$;

-- What staff do about consultations: find them, answer, agree on a day, close and reopen. Each change names the version that it is about.

create function private.consultation_conditions(_status text, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('c.status = %L', _status) as condition where _status <> ''
    union all
    select '(' || found || ')' from private.found_by_text('c.search_text', _q) as found where found is not null
  ) as conditions
$$;

/*
 * Staff: consultations. _status 'open', 'answered', 'dated' or 'closed'; _q part of the name, email, phone, institution, subject, classes or
 * what it is about. _sort created_at (default), name or meets_at. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_consultations(
  _status text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, status text, name text, email text, phone text, institution text, subject text, classes text, wished_days text, about text,
  meets_at timestamptz, meets_how text, meeting_place text, staff_note text, created_at timestamptz, closed_at timestamptz, answers int
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'name' then case when _descending then 'c.name desc, c.id desc' else 'c.name asc, c.id asc' end
    when 'meets_at' then case when _descending then 'c.meets_at desc nulls last, c.id desc' else 'c.meets_at asc nulls last, c.id asc' end
    else case when coalesce(_descending, true) then 'c.created_at desc, c.id desc' else 'c.created_at asc, c.id asc' end end;
begin
  perform private.require_duty('schools');
  return query execute
    'select c.id, c.status, c.name, c.email, c.phone, c.institution, c.subject, c.classes, c.wished_days, c.about, c.meets_at::timestamptz,
            c.meets_how, c.meeting_place, c.staff_note, c.created_at, c.closed_at,
            (select count(*)::int from public.consultation_answers a where a.consultation_id = c.id)
       from public.consultations c where ' || private.consultation_conditions(_status, _q)
      || ' order by ' || sorted || private.paging(_page, _page_size);
end $$;
select private.expose('admin_list_consultations', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_consultations has with the same filters: exact. */
create function private.admin_count_consultations(_status text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_duty('schools');
  execute 'select count(*) from public.consultations c where ' || private.consultation_conditions(_status, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_consultations', 'authenticated', 'service_role');

/* Staff: one consultation, or no row. answers in order, each with by, the name of who wrote it. */
create function private.admin_find_consultation(_id uuid)
returns table (
  id uuid, status text, name text, email text, phone text, institution text, subject text, classes text, wished_days text, about text,
  has_account boolean, meets_at timestamptz, meets_how text, meeting_place text, staff_note text, version int, created_at timestamptz,
  closed_at timestamptz, answers jsonb
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  return query
    select c.id, c.status, c.name, c.email, c.phone, c.institution, c.subject, c.classes, c.wished_days, c.about, c.user_id is not null,
           c.meets_at::timestamptz, c.meets_how, c.meeting_place, c.staff_note, c.version, c.created_at, c.closed_at,
           private.consultation_answers_as_json(c.id, true)
      from public.consultations c where c.id = _id;
end $$;
select private.expose('admin_find_consultation', 'authenticated', 'service_role');

/* Locks a consultation and returns it; refused when it does not exist or is not the version that staff saw. */
create function private.lock_consultation(_id uuid, _version int)
returns public.consultations language plpgsql security definer set search_path = '' as $$
declare
  consultation public.consultations;
begin
  select * into consultation from public.consultations where id = _id for no key update;
  if not found then
    perform private.refuse('PT404', 'consultation_not_found', 'This consultation does not exist.');
  elsif _version is distinct from consultation.version then
    perform private.refuse('PT409', 'consultation_changed', 'This consultation has since been changed. Please check it again.',
      jsonb_build_object('version', consultation.version));
  end if;
  return consultation;
end $$;

/* The same for one that is not closed. */
create function private.lock_open_consultation(_id uuid, _version int)
returns public.consultations language plpgsql security definer set search_path = '' as $$
declare
  consultation constant public.consultations := private.lock_consultation(_id, _version);
begin
  if consultation.closed_at is not null then
    perform private.refuse('PT409', 'consultation_closed', 'This consultation is closed. Reopen it first.');
  end if;
  return consultation;
end $$;

/*
 * Staff: answers; the customer gets the words by email if there is an address, and reads them under their account. Returns the new version.
 * _answer_id is chosen by the client, so that a retry sends nothing twice.
 */
create function private.answer_consultation(_id uuid, _version int, _answer_id uuid, _body text)
returns int language plpgsql security definer set search_path = '' as $$
declare
  consultation public.consultations;
  body constant text := private.clean_text(_body);
begin
  perform private.require_duty('schools');
  perform private.require_text('body', 'The answer', body, 4000, true);
  -- Two simultaneous presses are two requests: the second one waits here and then finds the first one's answer.
  perform from public.consultations where id = _id for no key update;
  if exists (select from public.consultation_answers a where a.id = _answer_id and a.consultation_id = _id) then
    return (select c.version from public.consultations c where c.id = _id);
  end if;
  consultation := private.lock_open_consultation(_id, _version);
  insert into public.consultation_answers (id, consultation_id, body, actor)
  values (coalesce(_answer_id, gen_random_uuid()), _id, body, auth.uid()) returning id into _answer_id;
  if consultation.email is not null then perform private.queue_email('consultation_answered', _answer_id::text, null); end if;
  update public.consultations
     set answered_at = coalesce(answered_at, clock_timestamp()), version = version + 1, updated_at = clock_timestamp()
   where id = _id returning * into consultation;
  return consultation.version;
end $$;
select private.expose('answer_consultation', 'authenticated', 'service_role');

/*
 * Staff: agrees on a day and time within a year, or on another one, and emails it; returns the new version. _how 'place', 'phone' or
 * 'online'; _place the address, the number, or the means and link, which only a call may lack.
 */
create function private.date_consultation(_id uuid, _version int, _meets_at timestamptz, _how text, _place text default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  consultation public.consultations;
  place constant text := private.clean_line(_place);
begin
  perform private.require_duty('schools');
  if _how is null or _how not in ('place', 'phone', 'online') then
    perform private.refuse('PT400', 'invalid_field', 'Choose where you meet.', '{"field": "meets_how", "rule": "choice"}');
  end if;
  perform private.require_text('meeting_place', 'The place', place, 300, _how <> 'phone');
  if _meets_at is null or _meets_at not between clock_timestamp() and clock_timestamp() + interval '366 days' then
    perform private.refuse('PT400', 'invalid_field', 'The time must be within the next 366 days.', '{"field": "meets_at", "rule": "range"}');
  end if;
  consultation := private.lock_open_consultation(_id, _version);
  update public.consultations
     set meets_at = _meets_at, meets_how = _how, meeting_place = place, revision = revision + 1, version = version + 1,
         updated_at = clock_timestamp()
   where id = _id returning * into consultation;
  if consultation.email is not null then
    perform private.queue_email('consultation_dated', consultation.id::text || ':' || consultation.revision, null);
  end if;
  return consultation.version;
end $$;
select private.expose('date_consultation', 'authenticated', 'service_role');

/* Staff: closes a consultation with a note that only staff read; returns the new version. */
create function private.close_consultation(_id uuid, _version int, _note text default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  consultation public.consultations;
  note constant text := private.clean_text(_note);
begin
  perform private.require_duty('schools');
  perform private.require_text('staff_note', 'The note', note, 2000);
  consultation := private.lock_open_consultation(_id, _version);
  update public.consultations
     set closed_at = clock_timestamp(), staff_note = note, version = version + 1, updated_at = clock_timestamp()
   where id = _id returning * into consultation;
  return consultation.version;
end $$;
select private.expose('close_consultation', 'authenticated', 'service_role');

/* Staff: opens a closed consultation again; its note stays until it is closed once more. Returns the new version. */
create function private.reopen_consultation(_id uuid, _version int)
returns int language plpgsql security definer set search_path = '' as $$
declare
  consultation public.consultations;
begin
  perform private.require_duty('schools');
  consultation := private.lock_consultation(_id, _version);
  if consultation.closed_at is null then
    perform private.refuse('PT409', 'consultation_not_closed', 'This consultation is not closed.');
  end if;
  update public.consultations set closed_at = null, version = version + 1, updated_at = clock_timestamp()
   where id = _id returning * into consultation;
  return consultation.version;
end $$;
select private.expose('reopen_consultation', 'authenticated', 'service_role');

/*
 * For the nightly housekeeping: deletes consultations in which nothing has happened for as many years as names stay on orders (the setting
 * forgetOrdersAfterYears; 0: never); returns how many.
 */
create function private.forget_old_consultations(_most int default 500)
returns int language plpgsql security definer set search_path = '' as $$
declare
  years constant int := private.forget_orders_after_years();
  deleted int;
begin
  if years < 1 then return 0; end if;
  delete from public.consultations where id = any (array(
    select c.id from public.consultations c where c.updated_at < now() - make_interval(years => years)
       and coalesce(c.meets_at < now(), true)
     order by c.updated_at limit _most));
  get diagnostics deleted = row_count;
  return deleted;
end $$;
grant execute on function private.forget_old_consultations to service_role;

create or replace function private.email_kinds()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "order_placed": {"audience": "customer", "topic": "order"},
    "order_status_changed": {"audience": "customer", "topic": "order"},
    "order_changed": {"audience": "customer", "topic": "order"},
    "order_cancelled": {"audience": "customer", "topic": "order"},
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
    "recipient_order_placed": {"audience": "recipient", "topic": "order"},
    "recipient_order_shipped": {"audience": "recipient", "topic": "order"},
    "new_order": {"audience": "owner", "topic": "order"},
    "order_cancelled_by_customer": {"audience": "owner", "topic": "order"},
    "payment_needs_decision": {"audience": "owner", "topic": "payment"},
    "quote_requested": {"audience": "owner", "topic": "quote"},
    "consultation_requested": {"audience": "owner", "topic": "consultation"},
    "low_stock": {"audience": "owner", "topic": "stock"}
  }'::jsonb
$$;

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
    -- Another email says that it is.
    when 'order' then _email.kind = 'order_changed' and _email.resend_of is null
      and exists (select from public.orders o where o.id = _email.order_id and o.status = 'cancelled')
    else false
  end;
end $$;

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
     -- An order's email passes those about books that are back and new events, however many are late because the mail server is slow.
     order by kind in ('back_in_stock', 'event_published'), due_at, created_at limit 1
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

create or replace function private.anonymise_customer(_user_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
begin
  perform private.require_duty('people', 'deletions');
  if not exists (select from public.profiles where id = _user_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  -- Staff are not forgotten by their colleagues.
  if exists (select from public.user_roles where user_id = _user_id and role <> 'user')
     or exists (select from public.staff_duties where user_id = _user_id) then
    perform private.require_staff();
  end if;
  delete from public.staff_duties where user_id = _user_id;
  delete from public.cart_items where user_id = _user_id;
  delete from public.wishlists where user_id = _user_id;
  delete from public.stock_alerts where user_id = _user_id;
  delete from private.booklist_additions where user_id = _user_id;
  delete from private.cart_requests where user_id = _user_id;
  delete from public.consultations where id = any (private.consultations_of(_user_id));
  -- Quotes keep their numbers and lines, and an open one is withdrawn. Before the orders: one that is being accepted
  -- now is waited for, and its order is forgotten too.
  update public.quotes
     set institution = null, contact_name = null, contact_email = null, contact_phone = null, message = null, note = null,
         purchase_order_number = null, status = case when status in ('requested', 'sent') then 'withdrawn' else status end
   where user_id = _user_id;
  kept := private.scrub_orders(private.orders_of(_user_id));
  -- After the orders, some of which are found by the phone number.
  update public.profiles
     set full_name = null, email = null, phone = null, address = null, city = null, postal_code = null, region = null, landmark = null, digital_address = null,
         delivery_method = null, bus_station = null
   where id = _user_id;
  update public.reviews set review_text = null where user_id = _user_id;
  update public.payments set note = null where user_id = _user_id and note is not null;
  delete from private.review_reports where user_id = _user_id;
  perform private.forget_event_contact(u.email) from auth.users u where u.id = _user_id and u.email_confirmed_at is not null;

  perform set_config('shop.task', 'anonymise', true);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where table_name in ('orders', 'reviews', 'user_roles', 'quotes', 'payments')
     and coalesce(after, before) ->> 'user_id' = _user_id::text;
  perform set_config('shop.task', '', true);
  return kept;
end $$;

create or replace function private.anonymise_caller(_who text)
returns table (id uuid, number bigint) language plpgsql security definer set search_path = '' as $$
declare
  order_number bigint;
  order_ids uuid[];
begin
  perform private.require_duty('people', 'deletions');
  -- A phone number has more digits.
  order_number := substring(private.bare_order_number(_who) from '^[0-9]{1,8}$');
  if exists (select from public.orders o where o.number = order_number and o.user_id is not null) then
    perform private.refuse('PT409', 'order_has_account',
      format('Order %s belongs to an account. Give the account''s email instead.', order_number));
  end if;
  select array_agg(distinct o.id) into order_ids
    from (
      select e.id, e.number, e.recipient_email, e.recipient_phone from public.orders e where e.user_id is null
      union all
      select l.row_id::uuid, gone.number, gone.recipient_email, gone.recipient_phone
        from public.audit_log l cross join lateral jsonb_populate_record(null::public.orders, l.before) as gone
       where l.table_name = 'orders' and l.action = 'delete' and gone.user_id is null
    ) as o
   where o.number = order_number or lower(o.recipient_email) = lower(btrim(_who))
      or (order_number is null and private.is_same_phone(o.recipient_phone, _who));
  -- The log keeps the numbers of deleted orders.
  return query
    select o.id, o.number from public.orders o where o.id = any (order_ids)
    union
    select l.row_id::uuid, (l.before ->> 'number')::bigint from public.audit_log l
     where l.table_name = 'orders' and l.action = 'delete' and l.row_id = any (order_ids::text[])
    order by 2;
  perform private.scrub_orders(order_ids);
  if order_number is null then delete from public.consultations c where c.id = any (private.consultations_of_contact(_who)); end if;
  if order_number is null then perform private.forget_event_contact(_who); end if;
end $$;

create or replace function private.own_data()
returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'profile', (select to_jsonb(p) - 'search_text' from public.profiles p where p.id = auth.uid()),
    'orders', (
      select coalesce(jsonb_agg(
               to_jsonb(o) - '{user_id,stock_held,search_text}'::text[] || jsonb_build_object('items', (
                 select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'isbn', i.isbn,
                                                     'quantity', i.quantity, 'price', i.price) order by i.title)
                   from public.order_items i where i.order_id = o.id)) order by o.created_at), '[]')
        from public.orders o where o.user_id = auth.uid()),
    'payments', (
      select coalesce(jsonb_agg(jsonb_build_object('order_id', p.order_id, 'kind', p.kind, 'method', p.method, 'amount', p.amount,
                                                   'reference', p.reference, 'state', p.state, 'paid_on', p.paid_on, 'note', p.note,
                                                   'created_at', p.created_at) order by p.created_at), '[]')
        from public.payments p where p.user_id = auth.uid()),
    'quotes', (
      select coalesce(jsonb_agg(to_jsonb(f) order by f.created_at), '[]')
        from public.quotes q, private.find_own_quote(q.id) as f where q.user_id = auth.uid()),
    'consultations', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.created_at), '[]') from private.list_own_consultations(null) as c),
    'reviews', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'rating', r.rating, 'review', r.review_text,
                                                   'created_at', r.created_at) order by r.created_at), '[]')
        from public.reviews r join public.books b on b.id = r.book_id where r.user_id = auth.uid()),
    'cart', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'quantity', c.quantity, 'created_at', c.created_at)
                                order by c.created_at), '[]')
        from public.cart_items c join public.books b on b.id = c.book_id where c.user_id = auth.uid()),
    'wishlist', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'created_at', w.created_at) order by w.created_at), '[]')
        from public.wishlists w join public.books b on b.id = w.book_id where w.user_id = auth.uid()),
    'stock_alerts', (
      select coalesce(jsonb_agg(jsonb_build_object('book', b.title, 'created_at', a.created_at) order by a.created_at), '[]')
        from public.stock_alerts a join public.books b on b.id = a.book_id where a.user_id = auth.uid()),
    'events', private.own_event_data());
end $$;

drop function public.todays_work, private.todays_work;

create function private.todays_work()
returns table (
  to_pack bigint, to_send bigint, to_collect bigint, unpaid bigint, owed numeric, owed_since date, quotes_waiting bigint,
  consultations_waiting bigint, waiting_for_books bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_a_duty();
  if private.has_duty('orders') then
    to_pack := private.admin_count_orders(_status => 'pending');
    to_send := private.admin_count_orders(_status => 'processing', _method => 'send');
    to_collect := private.admin_count_orders(_status => 'processing', _method => 'collect');
    unpaid := private.admin_count_orders(_payment => 'due');
    owed := (select round(coalesce(sum(s.owed), 0) / 100.0, 2)
               from (select s.owed from private.sales s where s.dimension = 'region' and s.grain = 'month'
                     union all select c.owed from private.sales_changes c) as s);
    owed_since := (select (o.created_at at time zone 'UTC')::date from public.orders o where o.payment_state in ('due', 'part_paid')
                    order by o.created_at limit 1);
  end if;
  if private.has_duty('schools') then
    quotes_waiting := private.admin_count_quotes(_status => 'requested');
    consultations_waiting := private.admin_count_consultations(_status => 'open');
  end if;
  if private.has_duty('reports') then
    waiting_for_books := (select count(*) from public.stock_alerts a join public.books b on b.id = a.book_id where b.stock_quantity > 0);
  end if;
  return next;
end $$;

select private.expose('todays_work', 'authenticated', 'service_role');
