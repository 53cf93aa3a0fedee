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
  -- The time of the last appointment that was cancelled, for the email about it.
  cancelled_meets_at timestamptz(0),
  -- Whether a calendar may have a date, because an email with one may have left the shop before that.
  cancelled_in_calendars boolean not null default false,
  -- The number of changes of the appointment; part of the key of the email about it.
  revision integer not null default 0,
  closed_at timestamptz,
  -- For staff alone.
  staff_note text,
  status text not null generated always as (
    case when closed_at is not null then 'closed' when meets_at is not null then 'dated'
         when answered_at is not null then 'answered' else 'open' end
  ) stored,
  -- Increases with every change, which names its version.
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- The normalised address or number.
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
create index consultations_by_mailbox on public.consultations (private.mailbox_key(email_key), created_at) where email_key is not null;
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
 * Refuses more requests than people make: 3 a day with one email address, however it is written, or phone number, 5 a day by one account, and
 * 200 an hour in the shop, so that emails to strangers' addresses stay few. Requests come one at a time, so that parallel ones are counted too.
 */
create function private.limit_consultations(_given public.consultations)
returns void language plpgsql security definer set search_path = '' as $$
declare
  -- In variables, because an index scan needs values that do not change during it.
  a_day_ago constant timestamptz := clock_timestamp() - interval '1 day';
  an_hour_ago constant timestamptz := clock_timestamp() - interval '1 hour';
  mailbox constant text := private.mailbox_key(_given.email);
begin
  if (select count(*) from public.consultations c where private.mailbox_key(c.email_key) = mailbox and c.created_at > a_day_ago) >= 3
     or (select count(*) from public.consultations c
          where c.phone_key = private.phone_key(_given.phone) and c.created_at > a_day_ago) >= 3
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
  given.phone := private.require_text('phone', 'The phone number', private.written_phone(_phone), 40);
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
