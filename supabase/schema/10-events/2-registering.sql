-- Registering for an event. Everything that counts or allocates places locks the event's row, so that no place is
-- allocated twice and the waiting list keeps its order.

/* The event, locked until the transaction ends; null when there is none. */
create function private.lock_event(_id uuid)
returns public.events language sql security definer set search_path = '' as $$
  select * from public.events where id = _id for no key update
$$;

/* A registration's state, and the number of people before it on the waiting list. */
create function private.registration_answer(_id uuid)
returns table (state text, waiting_before int) language sql stable security definer set search_path = '' as $$
  select r.state, case when r.state = 'waiting' then (
           select count(*)::int from public.event_registrations o
            where o.event_id = r.event_id and o.state = 'waiting' and o.number < r.number) end
    from public.event_registrations r where r.id = _id
$$;

/* A registration's fields as they are stored; refuses invalid ones, naming them. */
create function private.read_registration(_name text, _email text, _phone text, _institution text)
returns public.event_registrations language plpgsql immutable set search_path = '' as $$
declare
  given public.event_registrations;
begin
  given.name := private.require_text('name', 'The name', private.clean_line(_name), 200, true);
  given.email := private.require_text('email', 'The email address', private.clean_line(_email), 320);
  given.phone := private.require_text('phone', 'The phone number', private.written_phone(_phone), 40);
  given.institution := private.require_text('institution', 'The institution', private.clean_line(_institution), 200);
  if num_nonnulls(given.email, given.phone) = 0 then
    perform private.refuse('PT400', 'invalid_field', 'Please enter an email address or a phone number.',
      '{"field": "email", "rule": "required"}');
  end if;
  perform private.require_contact('email', given.email, 'phone', given.phone);
  given.contact_key := coalesce(lower(given.email), private.phone_key(given.phone));
  return given;
end $$;

/*
 * Takes a place, or joins the waiting list if there is none, and queues the email. Returns the registration's id:
 * that of an earlier one with this id, or with the same name and contact. The caller holds the event.
 */
create function private.add_registration(_event public.events, _id uuid, _given public.event_registrations, _by_staff boolean)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  waiting int;
  stored public.event_registrations;
begin
  select * into stored from public.event_registrations r where r.id = _id;
  if found then
    if stored.event_id <> _event.id or stored.contact_key <> _given.contact_key then
      perform private.refuse('PT409', 'registration_exists', 'Please reload the page and try again.');
    end if;
    return _id;
  end if;
  select * into stored from public.event_registrations r
   where r.event_id = _event.id and r.contact_key = _given.contact_key and r.name_key = private.fold(_given.name) and r.state <> 'cancelled';
  if found then return stored.id; end if;
  if _event.state <> 'published' then
    perform private.refuse('PT409', 'event_not_open', case _event.state when 'cancelled' then 'This event has been cancelled.'
      else 'This event isn''t published.' end);
  elsif _event.ends_at <= clock_timestamp() then
    perform private.refuse('PT409', 'event_over', 'This event is over.');
  end if;
  if not _by_staff then perform private.limit_registrations(_event.id, _given.contact_key); end if;
  select count(*) filter (where r.state = 'waiting') into waiting from public.event_registrations r where r.event_id = _event.id;
  if waiting >= 1000 then
    perform private.refuse('PT409', 'waiting_list_full', 'The waiting list is full.');
  end if;
  insert into public.event_registrations (id, event_id, name, email, phone, institution, state, by_staff)
  values (coalesce(_id, gen_random_uuid()), _event.id, _given.name, _given.email, _given.phone, _given.institution,
          -- Nobody passes those who wait.
          case when waiting = 0 and private.event_places_left(_event) > 0 then 'registered' else 'waiting' end, _by_staff)
  returning * into stored;
  if stored.email is not null then perform private.queue_email('event_registered', stored.id::text, null); end if;
  return stored.id;
end $$;

/*
 * Refuses more registrations than people make: 10 from one contact, however it is written, for an event and within a day, and 1,000 an hour
 * in the shop, so that emails to strangers' addresses stay few. The caller holds the event.
 */
create function private.limit_registrations(_event_id uuid, _contact_key text)
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
create function private.register_for_event(
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
select private.expose('register_for_event', 'anon', 'authenticated', 'service_role');

/*
 * Gives free places to the waiting list, first come, first served, and emails those people. The caller holds the
 * event, as it is now.
 */
create function private.fill_event_places(_event public.events)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if _event.state <> 'published' or _event.ends_at <= clock_timestamp() then return; end if;
  with promoted as (
    update public.event_registrations r set state = 'registered', promoted_at = clock_timestamp()
     where r.id = any (array(
       select w.id from public.event_registrations w where w.event_id = _event.id and w.state = 'waiting'
        order by w.number limit private.event_places_left(_event)))
    returning r.id, r.email
  )
  insert into public.outgoing_emails (kind, event)
  select 'event_place', id::text from promoted where email is not null
  on conflict (kind, event) do nothing;
end $$;

/* Cancels a registration, and gives its place to the next. Once more changes nothing. The caller holds the event. */
create function private.cancel_registration(_event public.events, _id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  update public.event_registrations set state = 'cancelled', cancelled_at = clock_timestamp() where id = _id and state <> 'cancelled';
  perform private.fill_event_places(_event);
end $$;
