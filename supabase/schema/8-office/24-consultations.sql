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
  -- More than a screen shows.
  if _page_size > 200 then perform private.require_duty('exports'); end if;
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
  known public.consultation_answers;
  written constant text := private.clean_text(_body);
begin
  perform private.require_duty('schools');
  perform private.require_text('body', 'The answer', written, 4000, true);
  -- Two simultaneous presses are two requests: the second one waits here and then finds the first one's answer.
  perform from public.consultations where id = _id for no key update;
  select * into known from public.consultation_answers a where a.id = _answer_id;
  if found then
    if (known.consultation_id, known.body) is distinct from (_id, written) then
      perform private.refuse('PT409', 'answer_exists',
        'This answer was already saved, before your last changes. You''ll find it on the consultation''s page.');
    end if;
    return (select c.version from public.consultations c where c.id = _id);
  end if;
  consultation := private.lock_open_consultation(_id, _version);
  insert into public.consultation_answers (id, consultation_id, body, actor)
  values (coalesce(_answer_id, gen_random_uuid()), _id, written, auth.uid()) returning id into _answer_id;
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
    perform private.refuse('PT400', 'invalid_field', 'Choose how you''ll meet.', '{"field": "meets_how", "rule": "choice"}');
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

/* Staff: cancels the date and emails that; the consultation itself stays open. Returns the new version. */
create function private.cancel_consultation_date(_id uuid, _version int)
returns int language plpgsql security definer set search_path = '' as $$
declare
  consultation public.consultations;
begin
  perform private.require_duty('schools');
  consultation := private.lock_open_consultation(_id, _version);
  if consultation.meets_at is null then
    perform private.refuse('PT409', 'consultation_not_dated', 'This consultation has no date.');
  end if;
  -- Locked, so that it isn't sent before this is committed.
  perform from public.outgoing_emails m
   where m.kind = 'consultation_dated' and m.event = _id::text || ':' || consultation.revision and m.state = 'waiting' and m.attempts = 0
     for update;
  update public.consultations
     set cancelled_meets_at = meets_at, cancelled_in_calendars = not found or revision > 1, meets_at = null, meets_how = null, meeting_place = null, revision = revision + 1,
         version = version + 1, updated_at = clock_timestamp()
   where id = _id returning * into consultation;
  if consultation.email is not null and consultation.cancelled_meets_at > clock_timestamp() then
    perform private.queue_email('consultation_cancelled', consultation.id::text || ':' || consultation.revision, null);
  end if;
  return consultation.version;
end $$;
select private.expose('cancel_consultation_date', 'authenticated', 'service_role');

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
select private.expose('forget_old_consultations', 'service_role');
