-- Events and trainings: registering with a waiting list, and emails about new events.

-- Functions may name what comes later.
set local check_function_bodies = off;

-- Events and trainings. Everyone reads the published ones through functions, which leave the link to join out; staff write them.
-- Times are Ghana's, which is UTC all year.

create table public.events (
  id uuid primary key default gen_random_uuid(),
  -- Its page is /events/{slug}; it stays as it is from the first publishing on.
  slug text not null,
  title text not null,
  kind text not null,
  description text,
  is_online boolean not null default false,
  -- Where, or of an online event by what means: 'Zoom'.
  place text not null,
  -- Only those who have a place get it, by email.
  join_link text,
  starts_at timestamptz(0) not null,
  ends_at timestamptz(0) not null,
  places integer not null,
  -- In cedis for one person; 0 is free.
  price numeric(10, 2) not null default 0,
  state text not null default 'draft',
  -- The first time.
  published_at timestamptz,
  -- How often the time or the place was changed: names the email that says so.
  revision integer not null default 0,
  -- Registrations that have been deleted since, because the event was long ago.
  past_registrations integer not null default 0,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  constraint events_slug_is_unique unique (slug),
  constraint events_slug_is_well_formed check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  constraint events_texts_are_short check (
    length(title) between 1 and 200 and length(description) <= 5000 and length(place) between 1 and 300 and length(join_link) <= 500
  ),
  constraint events_kind_is_known check (kind in ('training', 'exhibition', 'reading', 'school_visit', 'other')),
  constraint events_state_is_known check (state in ('draft', 'published', 'cancelled')),
  constraint events_end_after_their_start check (ends_at > starts_at),
  constraint events_places_are_sane check (places between 1 and 10000),
  constraint events_price_is_not_negative check (price >= 0),
  constraint events_published_once check ((published_at is null) <= (state = 'draft'))
);
create index events_by_start on public.events (starts_at, id);

alter table public.events enable row level security;
grant select on public.events to authenticated, service_role;

create policy "staff read events" on public.events
  for select to authenticated using ((select private.has_duty('events')));

create trigger stamp_updated_at before update on public.events
  for each row execute function private.stamp_updated_at();
create trigger record_audit after insert or update or delete on public.events
  for each row execute function private.record_audit('updated_at', 'revision', 'past_registrations');
-- Cached pages show events that are not drafts.
create trigger bump_catalogue_version_if_shown after update on public.events
  for each row when (old.state <> 'draft' or new.state <> 'draft')
  execute function private.bump_catalogue_version();
create trigger bump_catalogue_version_if_deleted after delete on public.events
  for each row when (old.state <> 'draft')
  execute function private.bump_catalogue_version();

create table public.event_registrations (
  -- Chosen by the client, so that a repeated registration takes no second place.
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references public.events (id) on delete cascade,
  -- The order in which people came, which is the waiting list's.
  number bigint generated always as identity,
  name text not null,
  email text,
  phone text,
  institution text,
  state text not null,
  by_staff boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  -- When someone on the waiting list got a place.
  promoted_at timestamptz,
  cancelled_at timestamptz,
  -- Who it is, however the number is written: two registrations with the same name and contact are one.
  contact_key text collate "C" generated always as (
    coalesce(lower(email), right(regexp_replace(phone, '[^0-9]', '', 'g'), 9))) stored,
  name_key text collate "C" generated always as (private.fold(name)) stored,
  constraint event_registrations_texts_are_short check (
    length(name) between 1 and 200 and length(email) <= 320 and length(phone) <= 40 and length(institution) <= 200
  ),
  constraint event_registrations_have_a_contact check (num_nonnulls(email, phone) > 0),
  constraint event_registrations_state_is_known check (state in ('registered', 'waiting', 'cancelled')),
  constraint event_registrations_cancelled_have_a_time check ((state = 'cancelled') = (cancelled_at is not null))
);
create unique index event_registrations_once on public.event_registrations (event_id, contact_key, name_key) where state <> 'cancelled';
create index event_registrations_in_order on public.event_registrations (event_id, state, number);
create index event_registrations_by_contact on public.event_registrations (contact_key, created_at);
create index event_registrations_by_time on public.event_registrations (created_at) where not by_staff;

alter table public.event_registrations enable row level security;
grant select on public.event_registrations to authenticated, service_role;

create policy "staff read registrations" on public.event_registrations
  for select to authenticated using ((select private.has_duty('events')));

-- Who asked for an email about each new event. Until the link in the first email is used, nothing else is sent to the address.
create table public.event_subscribers (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  email_key text collate "C" generated always as (lower(email)) stored,
  -- How often an email with the link was requested, and when last.
  requests integer not null default 1,
  requested_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  constraint event_subscribers_once unique (email_key),
  constraint event_subscribers_email_is_short check (length(email) <= 320)
);
create index event_subscribers_by_request on public.event_subscribers (requested_at);

alter table public.event_subscribers enable row level security;
grant select on public.event_subscribers to authenticated, service_role;

create policy "staff read subscribers" on public.event_subscribers
  for select to authenticated using ((select private.has_duty('events')));

/*
 * The links in emails: each email has one of its own, of which only the hash is stored. What it leads to may be gone; the link stays for
 * a year, so that a second click still gets an answer.
 */
create table private.event_links (
  token_hash bytea primary key,
  kind text not null,
  registration_id uuid references public.event_registrations (id) on delete set null,
  subscriber_id uuid references public.event_subscribers (id) on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  constraint event_links_kind_is_known check (kind in ('registration', 'subscription'))
);
create index event_links_by_registration on private.event_links (registration_id) where registration_id is not null;
create index event_links_by_subscriber on private.event_links (subscriber_id) where subscriber_id is not null;

alter table private.event_links enable row level security;

/* The places that nobody has. */
create function private.event_places_left(_event public.events)
returns int language sql stable security definer set search_path = '' as $$
  select greatest(_event.places - count(*), 0)::int from public.event_registrations r where r.event_id = _event.id and r.state = 'registered'
$$;

/*
 * Everyone: published events that are not over, the next one first; at most 100. places_left is never below 0; price in cedis.
 */
create function private.list_events()
returns table (
  slug text, title text, kind text, is_online boolean, place text, starts_at timestamptz, ends_at timestamptz, price numeric,
  places int, places_left int
) language sql stable security definer set search_path = '' as $$
  select e.slug, e.title, e.kind, e.is_online, e.place, e.starts_at, e.ends_at, e.price, e.places, private.event_places_left(e)
    from public.events e
   where e.state = 'published' and e.ends_at > now()
   order by e.starts_at, e.id limit 100
$$;
select private.expose('list_events', 'anon', 'authenticated', 'service_role');

/* Everyone: a published or cancelled event by its address, also one that is over; no row for drafts and unknown ones. */
create function private.find_event(_slug text)
returns table (
  id uuid, slug text, title text, kind text, description text, is_online boolean, place text, starts_at timestamptz,
  ends_at timestamptz, price numeric, places int, places_left int, state text, revision int, updated_at timestamptz
) language sql stable security definer set search_path = '' as $$
  select e.id, e.slug, e.title, e.kind, e.description, e.is_online, e.place, e.starts_at, e.ends_at, e.price, e.places,
         private.event_places_left(e), e.state, e.revision, e.updated_at
    from public.events e where e.slug = _slug and e.state <> 'draft'
$$;
select private.expose('find_event', 'anon', 'authenticated', 'service_role');

-- Registering for an event. Everything that counts or gives places holds the event's row, so that no place is given twice and the waiting
-- list keeps its order.

/* The event, locked until the transaction ends; null when there is none. */
create function private.lock_event(_id uuid)
returns public.events language sql security definer set search_path = '' as $$
  select * from public.events where id = _id for no key update
$$;

/* What a registration's person reads of it: its state, and how many are before them on the waiting list. */
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
  given.phone := private.require_text('phone', 'The phone number', private.clean_line(_phone), 40);
  given.institution := private.require_text('institution', 'The institution', private.clean_line(_institution), 200);
  if num_nonnulls(given.email, given.phone) = 0 then
    perform private.refuse('PT400', 'invalid_field', 'Please enter an email address or a phone number.',
      '{"field": "email", "rule": "required"}');
  end if;
  perform private.require_contact('email', given.email, 'phone', given.phone);
  given.contact_key := coalesce(lower(given.email), right(regexp_replace(given.phone, '[^0-9]', '', 'g'), 9));
  return given;
end $$;

/*
 * Takes a place, or one on the waiting list when there is none, and emails it. Returns the registration's id: that of an earlier one with
 * this id, or with the same name and contact. The caller holds the event.
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
 * Refuses more registrations than people make: 10 from one contact for an event and within a day, and 1,000 an hour in the shop, so that
 * emails to strangers' addresses stay few. The caller holds the event.
 */
create function private.limit_registrations(_event_id uuid, _contact_key text)
returns void language plpgsql security definer set search_path = '' as $$
begin
  -- So that parallel requests for other events are counted too.
  perform pg_advisory_xact_lock(hashtext('public.event_registrations'), hashtext(_contact_key));
  if (select count(*) from public.event_registrations r
       where r.contact_key = _contact_key and (r.event_id = _event_id or r.created_at > clock_timestamp() - interval '1 day')) >= 10
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
  event := private.lock_event((select e.id from public.events e where e.slug = _slug and e.state <> 'draft'));
  if event.id is null then
    perform private.refuse('PT404', 'event_not_found', 'There is no such event.');
  end if;
  registration_id := private.add_registration(event, _id, given, false);
  return query select * from private.registration_answer(registration_id);
end $$;
select private.expose('register_for_event', 'anon', 'authenticated', 'service_role');

/*
 * Gives the places that are free to those who wait, first come, first served, and emails them. The caller holds the event, as it is now.
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

-- The links in emails about events. Opening one changes nothing, because mail scanners open links too: its page asks, and a click sends
-- the token to one of the functions below.

/* Only this form of a token is stored. */
create function private.hash_token(_token text)
returns bytea language sql immutable parallel safe strict set search_path = '' as $$
  select sha256(convert_to(_token, 'utf8'))
$$;

/* A link of its own for an email that is about to be sent; returns the token, 122 random bits in 32 digits. */
create function private.new_event_link(_kind text, _id uuid)
returns text language plpgsql strict security definer set search_path = '' as $$
declare
  token constant text := replace(gen_random_uuid()::text, '-', '');
begin
  insert into private.event_links (token_hash, kind, registration_id, subscriber_id)
  values (private.hash_token(token), _kind, case _kind when 'registration' then _id end, case _kind when 'subscription' then _id end);
  return token;
end $$;

/*
 * Everyone with a token: what its link is about; no row for an unknown one. kind: 'registration' or 'subscription'. state, of a registration:
 * 'registered', 'waiting', 'cancelled' or, once the event is over or the registration deleted, 'over'; of a subscription: 'requested',
 * 'confirmed' or 'ended'. title and starts_at are the event's.
 */
create function private.find_event_link(_token text)
returns table (kind text, state text, title text, starts_at timestamptz) language sql stable security definer set search_path = '' as $$
  select l.kind,
         case when l.kind = 'registration' then case when e.ends_at > now() then r.state else 'over' end
              when s.id is null then 'ended' when s.confirmed_at is null then 'requested' else 'confirmed' end,
         e.title, e.starts_at
    from private.event_links l
    left join public.event_registrations r on r.id = l.registration_id
    left join public.events e on e.id = r.event_id
    left join public.event_subscribers s on s.id = l.subscriber_id
   where l.token_hash = private.hash_token(_token)
$$;
select private.expose('find_event_link', 'anon', 'authenticated', 'service_role');

/* Everyone with a token: cancels that registration while its event is not over. Returns whether the token is known. */
create function private.cancel_event_registration(_token text)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
  link private.event_links;
  event public.events;
begin
  select * into link from private.event_links l where l.token_hash = private.hash_token(_token) and l.kind = 'registration';
  if not found then return false; end if;
  event := private.lock_event((select r.event_id from public.event_registrations r where r.id = link.registration_id));
  if event.ends_at > clock_timestamp() then perform private.cancel_registration(event, link.registration_id); end if;
  return true;
end $$;
select private.expose('cancel_event_registration', 'anon', 'authenticated', 'service_role');

/*
 * Everyone: requests an email about each new event; the link in a first email confirms it. The answer is the same whether the address is
 * new, waits for its confirmation or is on the list, and so are the refusals. An address gets at most 3 such emails, 10 minutes apart; all
 * together 200 an hour, because anyone can enter anyone's address.
 */
create function private.subscribe_to_events(_email text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  given constant text := private.clean_line(_email);
  subscriber public.event_subscribers;
begin
  perform private.require_text('email', 'The email address', given, 320, true);
  perform private.require_contact('email', given, null, null);
  -- One after the other, so that parallel requests are counted too.
  perform pg_advisory_xact_lock(hashtext('public.event_subscribers'), 0);
  if (select count(*) from public.event_subscribers s where s.requested_at > clock_timestamp() - interval '1 hour') >= 200 then
    perform private.refuse('PT429', 'too_many_subscriptions', 'Too many people are asking at the moment. Please try again in an hour.',
      '{"limit": 200, "retry_after_seconds": 3600}');
  end if;
  insert into public.event_subscribers as s (email) values (given)
  on conflict (email_key) do update set requests = s.requests + 1, requested_at = clock_timestamp()
   where s.confirmed_at is null and s.requests < 3 and s.requested_at < clock_timestamp() - interval '10 minutes'
  returning * into subscriber;
  if subscriber.id is not null then
    perform private.queue_email('event_subscription', subscriber.id || ':' || subscriber.requests, null);
  end if;
end $$;
select private.expose('subscribe_to_events', 'anon', 'authenticated', 'service_role');

/* Everyone with a token: puts that address on the list. Returns whether the token is known and the address has not been removed since. */
create function private.confirm_event_subscription(_token text)
returns boolean language sql security definer set search_path = '' as $$
  with confirmed as (
    update public.event_subscribers s set confirmed_at = coalesce(s.confirmed_at, clock_timestamp())
      from private.event_links l where l.token_hash = private.hash_token(_token) and s.id = l.subscriber_id
    returning s.id
  )
  select exists (select from confirmed)
$$;
select private.expose('confirm_event_subscription', 'anon', 'authenticated', 'service_role');

/* Everyone with a token: removes that address from the list. Returns whether the token is known; once more changes nothing. */
create function private.unsubscribe_from_events(_token text)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
  link private.event_links;
begin
  select * into link from private.event_links l where l.token_hash = private.hash_token(_token) and l.kind = 'subscription';
  if not found then return false; end if;
  delete from public.event_subscribers where id = link.subscriber_id;
  return true;
end $$;
select private.expose('unsubscribe_from_events', 'anon', 'authenticated', 'service_role');

-- What emails about events say. As with other emails it is read when they are sent, and what would be out of date by then is not sent.

/* An event as its emails show it. */
create function private.event_as_json(_event public.events)
returns jsonb language sql stable set search_path = '' as $$
  select jsonb_build_object('id', _event.id, 'slug', _event.slug, 'title', _event.title, 'kind', _event.kind, 'is_online', _event.is_online,
                            'place', _event.place, 'starts_at', _event.starts_at, 'ends_at', _event.ends_at, 'price', _event.price)
$$;

/*
 * A registration as its email needs it; null for any other email, and when there is nothing to say any more: it is cancelled, the event is
 * over or cancelled, or its time or place was changed again. Only those with a place get the link to join.
 */
create function private.email_registration(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', r.id, 'email', r.email, 'state', r.state, 'event', private.event_as_json(e)
           || jsonb_build_object('join_link', case when r.state = 'registered' then e.join_link end))
    from public.event_registrations r join public.events e on e.id = r.event_id
   where r.id = case when private.email_topic(_email.kind) = 'registration' then split_part(private.email_event(_email), ':', 1)::uuid end
     and r.state <> 'cancelled' and r.email is not null and e.ends_at > clock_timestamp()
     and e.state = case _email.kind when 'event_cancelled' then 'cancelled' else 'published' end
     and (_email.kind <> 'event_changed' or split_part(private.email_event(_email), ':', 2) = e.revision::text)
$$;

/*
 * What a subscriber's email says: the new event, or null in the email that asks for the confirmation. Null for any other email, and when
 * there is nothing to say any more: the address is no longer on the list or already is, or the event was withdrawn or is over.
 */
create function private.email_subscription(_email public.outgoing_emails)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  named constant text[] := string_to_array(private.email_event(_email), ':');
begin
  if private.email_topic(_email.kind) is distinct from 'subscription' then
    return null;
  elsif _email.kind = 'event_subscription' then
    return (select jsonb_build_object('id', s.id, 'email', s.email, 'event', null)
              from public.event_subscribers s where s.id = named[1]::uuid and s.confirmed_at is null and s.requests::text = named[2]);
  end if;
  return (select jsonb_build_object('id', s.id, 'email', s.email, 'event', private.event_as_json(e))
            from public.event_subscribers s, public.events e
           where s.id = named[2]::uuid and s.confirmed_at is not null
             and e.id = named[1]::uuid and e.state = 'published' and e.ends_at > clock_timestamp());
end $$;

/*
 * Emails everyone on the list about a published event: each address once, however often it is published. One email per second, behind those
 * about orders.
 */
create function private.queue_event_announcement(_event_id uuid)
returns void language sql security definer set search_path = '' as $$
  insert into public.outgoing_emails (kind, event, due_at)
  select 'event_published', _event_id || ':' || s.id,
         clock_timestamp() + (row_number() over (order by s.confirmed_at, s.id) - 1) * interval '1 second'
    from public.event_subscribers s where s.confirmed_at is not null
  on conflict (kind, event) do nothing
$$;

/* Emails everyone who is registered or waits: the event was changed (to this revision) or cancelled. */
create function private.queue_event_news(_kind text, _event public.events)
returns void language sql security definer set search_path = '' as $$
  insert into public.outgoing_emails (kind, event)
  select _kind, case _kind when 'event_changed' then r.id || ':' || _event.revision else r.id::text end
    from public.event_registrations r where r.event_id = _event.id and r.state <> 'cancelled' and r.email is not null
  on conflict (kind, event) do nothing
$$;

-- Events in the back office.

/* An address for a title that no other event has: 'phonics-for-teachers', 'phonics-for-teachers-2'. The caller holds the lock of events. */
create function private.event_slug(_title text, _id uuid)
returns text language plpgsql stable security definer set search_path = '' as $$
declare
  base constant text := coalesce(nullif(btrim(left(btrim(regexp_replace(replace(private.fold(_title), '''s ', 's '), '[^a-z0-9]+', '-', 'g'), '-'), 70), '-'), ''), 'event');
  free text := base;
  n int := 1;
begin
  while exists (select from public.events e where e.slug = free and e.id <> _id) loop
    n := n + 1;
    free := base || '-' || n;
  end loop;
  return free;
end $$;

/*
 * Staff: adds or changes an event. _id of a new one is the client's, so that a repeated save adds none; _updated_at is the version that was
 * opened, null for a new one. _price in cedis. Changing the time, the place or the link of a published event emails everyone who is
 * registered; more places go to those who wait. Returns the new version.
 */
create function private.save_event(
  _id uuid, _title text, _kind text, _place text, _starts_at timestamptz, _ends_at timestamptz, _places int, _price numeric default 0,
  _is_online boolean default false, _join_link text default null, _description text default null, _updated_at timestamptz default null
)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  stored public.events;
  given public.events;
  moved boolean;
  taken bigint;
begin
  perform private.require_duty('events');
  given.title := private.require_text('title', 'The title', private.clean_line(_title), 200, true);
  given.description := private.require_text('description', 'The description', private.clean_text(_description), 5000);
  given.place := private.require_text('place', 'The place', private.clean_line(_place), 300, true);
  given.join_link := private.require_text('join_link', 'The link to join', private.clean_line(_join_link), 500);
  if given.join_link !~ '^https://[^[:space:]/@?#"<>]+\.[^[:space:]/@?#"<>]+([/?#][^[:space:]"<>]*)?$' then
    perform private.refuse('PT400', 'invalid_field', 'The link to join must start with https://.', '{"field": "join_link", "rule": "url"}');
  elsif coalesce(_kind, '') not in ('training', 'exhibition', 'reading', 'school_visit', 'other') then
    perform private.refuse('PT400', 'invalid_field', 'Choose what kind of event it is.', '{"field": "kind", "rule": "choice"}');
  end if;
  perform private.require_number('places', 'The number of places', _places, 1, 10000);
  perform private.require_number('price', 'The price', _price, 0, 99999999.99);
  perform private.require_pesewas('price', 'The price', _price);
  given.starts_at := _starts_at;
  given.ends_at := _ends_at;
  if given.starts_at is null or given.starts_at not between now() - interval '1 year' and now() + interval '3 years' then
    perform private.refuse('PT400', 'invalid_field', 'The event must start within the next three years.', '{"field": "starts_at", "rule": "range"}');
  elsif given.ends_at is null or given.ends_at <= given.starts_at or given.ends_at > given.starts_at + interval '31 days' then
    perform private.refuse('PT400', 'invalid_field', 'The end must be after the start, at most 31 days later.', '{"field": "ends_at", "rule": "range"}');
  end if;

  -- One after the other: two with the same title at once get addresses of their own.
  perform pg_advisory_xact_lock(hashtext('public.events'), 0);
  stored := private.lock_event(_id);
  if stored.id is null and _updated_at is not null then
    perform private.refuse('PT404', 'event_not_found', 'This event no longer exists.');
  elsif stored.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'event_changed', 'This event has since been changed.');
  elsif stored.state = 'cancelled' then
    perform private.refuse('PT409', 'event_cancelled', 'This event has been cancelled.');
  end if;
  moved := (stored.starts_at, stored.ends_at) is distinct from (given.starts_at, given.ends_at);
  if moved and given.ends_at <= clock_timestamp() then
    perform private.refuse('PT400', 'invalid_field', 'The end is in the past.', '{"field": "ends_at", "rule": "future"}');
  end if;
  moved := moved or (stored.is_online, stored.place, stored.join_link) is distinct from (coalesce(_is_online, false), given.place, given.join_link);
  select count(*) into taken from public.event_registrations r where r.event_id = _id and r.state = 'registered';
  if _places < taken then
    perform private.refuse('PT409', 'places_taken', format('%s people already have a place.', taken),
      jsonb_build_object('field', 'places', 'rule', 'taken', 'limit', taken));
  end if;
  insert into public.events as e (id, slug, title, kind, description, is_online, place, join_link, starts_at, ends_at, places, price)
  values (_id, case when stored.published_at is null then private.event_slug(given.title, _id) else stored.slug end, given.title, _kind,
          given.description, coalesce(_is_online, false), given.place, given.join_link, given.starts_at, given.ends_at, _places, _price)
  on conflict (id) do update
     set (slug, title, kind, description, is_online, place, join_link, starts_at, ends_at, places, price) =
         row (excluded.slug, excluded.title, excluded.kind, excluded.description, excluded.is_online, excluded.place, excluded.join_link,
              excluded.starts_at, excluded.ends_at, excluded.places, excluded.price),
         revision = e.revision + case when moved and e.state = 'published' then 1 else 0 end
  returning * into given;
  if given.revision > stored.revision then perform private.queue_event_news('event_changed', given); end if;
  perform private.fill_event_places(given);
  return given.updated_at;
end $$;
select private.expose('save_event', 'authenticated', 'service_role');

/*
 * Staff: publishes a draft and emails the list; takes an event for which nobody is registered back ('draft'); or cancels a published one for
 * good and emails everyone who is registered. Refuses event_changed when it has another version by now. Returns the new version.
 */
create function private.set_event_state(_id uuid, _state text, _updated_at timestamptz)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  event public.events;
begin
  perform private.require_duty('events');
  event := private.lock_event(_id);
  if event.id is null then
    perform private.refuse('PT404', 'event_not_found', 'This event no longer exists.');
  elsif event.state = _state then
    -- A retry, or someone else has done the same.
    return event.updated_at;
  elsif event.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'event_changed', 'This event has since been changed.');
  elsif (event.state, coalesce(_state, '')) not in (('draft', 'published'), ('published', 'draft'), ('published', 'cancelled')) then
    perform private.refuse('PT409', 'event_state', 'This event can''t be changed that way.');
  elsif _state = 'published' and event.ends_at <= clock_timestamp() then
    perform private.refuse('PT409', 'event_over', 'This event is over. Change its time first.');
  elsif _state = 'draft' and exists (
    select from public.event_registrations r where r.event_id = _id and r.state <> 'cancelled'
  ) then
    perform private.refuse('PT409', 'event_has_registrations', 'People have registered. Cancel the event instead, so that they hear of it.');
  end if;
  update public.events set state = _state, published_at = case _state when 'published' then coalesce(published_at, clock_timestamp()) else published_at end
   where id = _id returning * into event;
  if _state = 'published' then perform private.queue_event_announcement(_id);
  elsif _state = 'cancelled' then perform private.queue_event_news('event_cancelled', event);
  end if;
  return event.updated_at;
end $$;
select private.expose('set_event_state', 'authenticated', 'service_role');

/* Staff: deletes an event that is not published, or is over, with its registrations. */
create function private.delete_event(_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  event public.events;
begin
  perform private.require_duty('events', 'deletions');
  event := private.lock_event(_id);
  if event.state = 'published' and event.ends_at > clock_timestamp() then
    perform private.refuse('PT409', 'event_published', 'This event is published. Cancel it first.');
  elsif event.state = 'cancelled' and event.ends_at > clock_timestamp() and exists (
    select from public.event_registrations r join public.outgoing_emails m on m.kind = 'event_cancelled' and m.event = r.id::text
     where r.event_id = _id and m.state = 'waiting'
  ) then
    perform private.refuse('PT409', 'event_emails_waiting', 'Emails about the cancellation are still being sent. Please try again later.');
  end if;
  delete from public.events where id = _id;
end $$;
select private.expose('delete_event', 'authenticated', 'service_role');

/* Staff: all events, the latest first, with how many are registered, wait and have cancelled. _page from 1, _page_size at most 1,000 (50). */
create function private.admin_list_events(_page int default 1, _page_size int default 50)
returns table (
  id uuid, slug text, title text, kind text, description text, is_online boolean, place text, join_link text, starts_at timestamptz,
  ends_at timestamptz, places int, price numeric, state text, is_over boolean, past_registrations int, updated_at timestamptz,
  registered bigint, waiting bigint, cancelled bigint, found bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('events');
  return query execute
    'select e.id, e.slug, e.title, e.kind, e.description, e.is_online, e.place, e.join_link, e.starts_at::timestamptz,
            e.ends_at::timestamptz, e.places, e.price, e.state, e.ends_at <= now(), e.past_registrations, e.updated_at::timestamptz,
            r.registered, r.waiting, r.cancelled, e.found
       from (select *, count(*) over () as found from public.events order by starts_at desc, id' || private.paging(_page, _page_size) || $query$) as e
      cross join lateral (
        select count(*) filter (where g.state = 'registered') as registered, count(*) filter (where g.state = 'waiting') as waiting,
               count(*) filter (where g.state = 'cancelled') as cancelled
          from public.event_registrations g where g.event_id = e.id) as r
      order by e.starts_at desc, e.id$query$;
end $$;
select private.expose('admin_list_events', 'authenticated', 'service_role');

/* Staff: an event's registrations: those with a place, the waiting list in its order, then cancelled ones. Pages as above. */
create function private.admin_list_registrations(_event_id uuid, _page int default 1, _page_size int default 50)
returns table (
  id uuid, number bigint, name text, email text, phone text, institution text, state text, by_staff boolean, created_at timestamptz,
  promoted_at timestamptz, cancelled_at timestamptz, found bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('events');
  -- More than a screen shows.
  if _page_size > 200 then perform private.require_duty('exports'); end if;
  return query execute
    'select r.id, r.number, r.name, r.email, r.phone, r.institution, r.state, r.by_staff, r.created_at, r.promoted_at, r.cancelled_at,
            count(*) over ()
       from public.event_registrations r where r.event_id = $1
      order by array_position(array[''registered'', ''waiting'', ''cancelled''], r.state), r.number' || private.paging(_page, _page_size)
    using _event_id;
end $$;
select private.expose('admin_list_registrations', 'authenticated', 'service_role');

/* Staff: registers someone who called; as register_for_event, without its limits. */
create function private.add_event_registration(
  _id uuid, _event_id uuid, _name text, _email text default null, _phone text default null, _institution text default null
) returns table (state text, waiting_before int) language plpgsql security definer set search_path = '' as $$
declare
  event public.events;
  registration_id uuid;
begin
  perform private.require_duty('events');
  event := private.lock_event(_event_id);
  if event.id is null then
    perform private.refuse('PT404', 'event_not_found', 'This event no longer exists.');
  end if;
  registration_id := private.add_registration(event, _id, private.read_registration(_name, _email, _phone, _institution), true);
  return query select * from private.registration_answer(registration_id);
end $$;
select private.expose('add_event_registration', 'authenticated', 'service_role');

/* Staff: cancels someone's registration; the place goes to the next on the waiting list. */
create function private.drop_event_registration(_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  event public.events;
begin
  perform private.require_duty('events');
  event := private.lock_event((select r.event_id from public.event_registrations r where r.id = _id));
  if event.id is null then
    perform private.refuse('PT404', 'registration_not_found', 'This registration no longer exists.');
  end if;
  perform private.cancel_registration(event, _id);
end $$;
select private.expose('drop_event_registration', 'authenticated', 'service_role');

/* Staff: how many get an email about each new event. */
create function private.count_event_subscribers()
returns bigint language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('events');
  return (select count(*) from public.event_subscribers s where s.confirmed_at is not null);
end $$;
select private.expose('count_event_subscribers', 'authenticated', 'service_role');

-- Registrations are deleted some days after their event (the setting forgetRegistrationsAfterDays), and when a person asks to be forgotten.

create function private.forget_registrations_after_days()
returns int language sql stable set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'forgetRegistrationsAfterDays'), 30)
$$;

/*
 * For the nightly housekeeping: deletes registrations for events that were longer ago than the setting allows, subscriptions that nobody
 * confirmed within a week, and links that are a year old and lead nowhere. Returns how many registrations were deleted; at most _most.
 */
create function private.forget_old_registrations(_most int default 500)
returns int language plpgsql security definer set search_path = '' as $$
declare
  over_since constant timestamptz := now() - make_interval(days => private.forget_registrations_after_days());
  deleted int;
begin
  delete from public.event_subscribers where confirmed_at is null and requested_at < now() - interval '7 days';
  delete from private.event_links where registration_id is null and subscriber_id is null and created_at < now() - interval '1 year';
  with gone as (
    delete from public.event_registrations where id = any (array(
      select r.id from public.event_registrations r join public.events e on e.id = r.event_id
       where e.ends_at < over_since order by e.ends_at, r.number limit _most))
    returning event_id, state
  ), counted as (
    update public.events e set past_registrations = e.past_registrations + g.registered
      from (select event_id, count(*) filter (where state = 'registered') as registered from gone group by 1) as g
     where e.id = g.event_id and g.registered > 0
  )
  select count(*) into deleted from gone;
  return deleted;
end $$;
grant execute on function private.forget_old_registrations to service_role;

/* Deletes the registrations and the subscription of an email address or a phone number; their places go to those who wait. */
create function private.forget_event_contact(_contact text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  event public.events;
begin
  delete from public.event_subscribers where email_key = lower(btrim(_contact));
  for event in
    select e.* from public.events e where e.id in (
      select r.event_id from public.event_registrations r
       where lower(r.email) = lower(btrim(_contact)) or private.is_same_phone(r.phone, _contact))
     order by e.id for no key update
  loop
    delete from public.event_registrations r
     where r.event_id = event.id and (lower(r.email) = lower(btrim(_contact)) or private.is_same_phone(r.phone, _contact));
    perform private.fill_event_places(event);
  end loop;
end $$;

/* What the shop holds about events of the caller, for own_data: by their account's confirmed email address. */
create function private.own_event_data()
returns jsonb language sql stable security definer set search_path = '' as $$
  with known as (
    select lower(u.email) as email from auth.users u where u.id = auth.uid() and u.email_confirmed_at is not null
  )
  select jsonb_build_object(
    'registrations', (
      select coalesce(jsonb_agg(jsonb_build_object('event', e.title, 'starts_at', e.starts_at, 'name', r.name, 'email', r.email, 'phone', r.phone,
                                                   'institution', r.institution, 'state', r.state, 'created_at', r.created_at)
                                order by r.created_at), '[]')
        from public.event_registrations r join public.events e on e.id = r.event_id join known on lower(r.email) = known.email),
    'news_since', (select s.confirmed_at from public.event_subscribers s join known on s.email_key = known.email))
$$;

-- What other parts of the schema need of it.

create or replace function private.setting_rules()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "name": {"kind": "line", "label": "Name", "max": 60, "required": true, "reader": "page"},
    "tagline": {"kind": "line", "label": "Tagline", "max": 200, "required": true, "reader": "page"},
    "description": {"kind": "text", "label": "Description", "max": 300, "reader": "page"},
    "legalName": {"kind": "line", "label": "Legal name", "max": 200, "reader": "page"},
    "registrationNumber": {"kind": "line", "label": "Registration number", "max": 60, "reader": "page"},
    "taxNumber": {"kind": "line", "label": "Tax number (TIN)", "max": 60, "reader": "page"},
    "address": {"kind": "lines", "label": "Address", "max": 100, "reader": "page"},
    "mapLink": {"kind": "url", "label": "Map link", "max": 500, "reader": "page"},
    "phones": {"kind": "phones", "label": "Phone numbers", "max": 30, "reader": "page"},
    "whatsApp": {"kind": "phone", "label": "WhatsApp number", "max": 30, "reader": "page"},
    "email": {"kind": "email", "label": "Email", "max": 254, "reader": "page"},
    "openingHours": {"kind": "lines", "label": "Opening hours", "max": 100, "reader": "page"},
    "facebook": {"kind": "url", "label": "Facebook page", "max": 500, "reader": "page"},
    "instagram": {"kind": "url", "label": "Instagram page", "max": 500, "reader": "page"},
    "headline": {"kind": "line", "label": "Headline", "max": 80, "required": true, "reader": "page"},
    "headlineEnd": {"kind": "line", "label": "End of the headline, in gold", "max": 80, "reader": "page"},
    "introduction": {"kind": "text", "label": "Introduction", "max": 300, "reader": "page"},
    "deliveryPromise": {"kind": "line", "label": "Promise after the introduction", "max": 200, "reader": "page"},
    "years": {"kind": "line", "label": "Years", "max": 20, "reader": "page"},
    "yearsInWords": {"kind": "line", "label": "Years in words", "max": 40, "reader": "page"},
    "publishers": {"kind": "line", "label": "Publishers", "max": 20, "reader": "page"},
    "regions": {"kind": "line", "label": "Regions", "max": 20, "reader": "page"},
    "institutions": {"kind": "line", "label": "Institutions", "max": 20, "reader": "page"},
    "guidedInstitutions": {"kind": "line", "label": "Institutions guided", "max": 20, "reader": "page"},
    "resources": {"kind": "line", "label": "Resources", "max": 20, "reader": "page"},
    "satisfaction": {"kind": "line", "label": "Satisfaction", "max": 20, "reader": "page"},
    "whyChoose": {"kind": "text", "label": "Under ''Why Choose …''", "max": 300, "reader": "page"},
    "listsReason": {"kind": "text", "label": "We know the book lists", "max": 400, "reader": "page"},
    "parcelReason": {"kind": "text", "label": "Everything in one parcel", "max": 400, "reader": "page"},
    "deliveryTitle": {"kind": "line", "label": "Delivery, in a few words", "max": 60, "reader": "page"},
    "deliveryReason": {"kind": "text", "label": "Delivery, as a reason to buy here", "max": 400, "reader": "page"},
    "trustReason": {"kind": "text", "label": "Trusted by schools", "max": 400, "reader": "page"},
    "storyIntroduction": {"kind": "text", "label": "Introduction", "max": 300, "reader": "server"},
    "story": {"kind": "lines", "label": "Our story", "max": 2000, "reader": "server"},
    "mission": {"kind": "text", "label": "Our mission", "max": 1000, "reader": "server"},
    "vision": {"kind": "text", "label": "Our vision", "max": 1000, "reader": "server"},
    "deliveryFees": {"kind": "fees", "label": "Delivery fees", "max": 99999.99, "reader": "page"},
    "deliveryTerms": {"kind": "text", "label": "Delivery times and terms", "max": 1000, "reader": "page"},
    "payment": {"kind": "text", "label": "How customers pay", "max": 1000, "reader": "page"},
    "taxes": {"kind": "taxes", "label": "Taxes included in the prices", "max": 100, "reader": "page"},
    "howToPay": {"kind": "text", "label": "How to pay, on invoices", "max": 1000, "reader": "page"},
    "deliveryNote": {"kind": "text", "label": "At the foot of a delivery note", "max": 1000, "reader": "page"},
    "quotePayment": {"kind": "text", "label": "How to pay, on quotes", "max": 1000, "reader": "page"},
    "quoteRequest": {"kind": "text", "label": "Above the form that requests a quote", "max": 1000, "reader": "page"},
    "searchOrder": {"kind": "choice", "label": "Searches are sorted by", "max": 20, "choices": ["title", "best"], "reader": "page"},
    "searchWords": {"kind": "words", "label": "Words that mean the same", "max": 100, "reader": "staff"},
    "lowStock": {"kind": "number", "label": "Low stock is fewer than", "min": 1, "max": 1000, "reader": "page"},
    "countAgainAbove": {"kind": "number", "label": "Count again above a difference of", "min": 0, "max": 1000, "reader": "staff"},
    "schoolTerms": {"kind": "terms", "label": "School terms", "max": 60, "reader": "staff"},
    "ownerEmail": {"kind": "email", "label": "Your email for notices", "max": 254, "reader": "staff"},
    "legalStatus": {"kind": "line", "label": "Legal status", "max": 200, "reader": "server"},
    "placeOfRegistration": {"kind": "line", "label": "Place of registration", "max": 200, "reader": "server"},
    "officeBearers": {"kind": "lines", "label": "Office bearers", "max": 100, "reader": "server"},
    "memberships": {"kind": "lines", "label": "Memberships", "max": 200, "reader": "server"},
    "codeOfConduct": {"kind": "line", "label": "Code of conduct", "max": 200, "reader": "server"},
    "disputes": {"kind": "text", "label": "Settling disputes", "max": 1000, "reader": "server"},
    "dataProtectionNumber": {"kind": "line", "label": "Data Protection Commission number", "max": 60, "reader": "server"},
    "deliveryAndReturns": {"kind": "text", "label": "Delivery and returns", "max": 20000, "reader": "server"},
    "terms": {"kind": "text", "label": "Terms", "max": 20000, "reader": "server"},
    "privacy": {"kind": "text", "label": "Privacy", "max": 20000, "reader": "server"},
    "forgetOrdersAfterYears": {"kind": "number", "label": "Years until names are removed from orders", "min": 0, "max": 50, "reader": "server"},
    "forgetRegistrationsAfterDays": {"kind": "number", "label": "Days until registrations for events are deleted", "min": 1, "max": 365, "reader": "server"},
    "openingDone": {"kind": "lines", "label": "Done or dismissed on the dashboard''s list of first steps", "max": 60, "reader": "staff"}
  }'::jsonb
$$;

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
    "recipient_order_placed": {"audience": "recipient", "topic": "order"},
    "recipient_order_shipped": {"audience": "recipient", "topic": "order"},
    "new_order": {"audience": "owner", "topic": "order"},
    "order_cancelled_by_customer": {"audience": "owner", "topic": "order"},
    "payment_needs_decision": {"audience": "owner", "topic": "payment"},
    "quote_requested": {"audience": "owner", "topic": "quote"},
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
  of_registration jsonb;
  of_subscription jsonb;
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
    of_registration := private.email_registration(email);
    of_subscription := private.email_subscription(email);
    problem := private.email_problem(email, coalesce(of_order, of_quote));
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
        'payment', private.email_payment(email), 'quote', of_quote, 'alert', of_alert,
        -- Null for other emails. Each attempt has a link of its own: only its hash is stored.
        'registration', of_registration || jsonb_build_object('token', private.new_event_link('registration', (of_registration ->> 'id')::uuid)),
        'subscription', of_subscription || jsonb_build_object('token', private.new_event_link('subscription', (of_subscription ->> 'id')::uuid)));
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

drop index public.outgoing_emails_due;
create index outgoing_emails_due on public.outgoing_emails ((kind in ('back_in_stock', 'event_published')), due_at, created_at) where state = 'waiting';
