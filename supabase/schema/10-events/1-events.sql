-- Events and trainings. Everyone reads the published ones through functions, which omit the link to join; staff write
-- them. Times are Ghana's, which is UTC all year.

create table public.events (
  id uuid primary key default gen_random_uuid(),
  -- Its page is /events/{slug}; it stays as it is from the first publishing on.
  slug text not null,
  title text not null,
  kind text not null,
  description text,
  is_online boolean not null default false,
  -- The place, or for an online event the service: 'Zoom'.
  place text not null,
  -- Only those who have a place get it, by email.
  join_link text,
  starts_at timestamptz(0) not null,
  ends_at timestamptz(0) not null,
  places integer not null,
  -- In cedis per person; 0 is free.
  price numeric(10, 2) not null default 0,
  -- Its own picture, 3:2, by its name in the bucket book-covers; without one, its kind's drawing is shown.
  picture text,
  state text not null default 'draft',
  -- The first time.
  published_at timestamptz,
  -- The number of changes of time or place; part of the key of the email about it.
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
  constraint events_picture_is_of_an_event check (picture ~ '^event-picture-[0-9]{13}\.jpg$'),
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
  -- Chosen by the client, so that a retry takes no second place.
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references public.events (id) on delete cascade,
  -- The order of registration, and so of the waiting list.
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
  -- The normalised contact: two registrations with the same name and contact are one.
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
create index event_registrations_by_mailbox on public.event_registrations (private.mailbox_key(contact_key), created_at);
create index event_registrations_by_time on public.event_registrations (created_at) where not by_staff;

alter table public.event_registrations enable row level security;
grant select on public.event_registrations to authenticated, service_role;

create policy "staff read registrations" on public.event_registrations
  for select to authenticated using ((select private.has_duty('events')));

-- Subscribers to emails about new events. Until the link in the first email is used, nothing else is sent to the
-- address.
create table public.event_subscribers (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  email_key text collate "C" generated always as (lower(email)) stored,
  -- How often, and when last, an email with the link was requested.
  requests integer not null default 1,
  requested_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  constraint event_subscribers_once unique (email_key),
  constraint event_subscribers_email_is_short check (length(email) <= 320)
);
create index event_subscribers_by_request on public.event_subscribers (requested_at);
create index event_subscribers_by_mailbox on public.event_subscribers (private.mailbox_key(email_key)) where confirmed_at is null;

alter table public.event_subscribers enable row level security;
grant select on public.event_subscribers to authenticated, service_role;

create policy "staff read subscribers" on public.event_subscribers
  for select to authenticated using ((select private.has_duty('events')));

/*
 * The links in emails: each email has its own, of which only the hash is stored. Its target may be deleted; the link
 * stays for a year, so that a second click still gets a page.
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

/* The number of free places. */
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
  places int, places_left int, picture text
) language sql stable security definer set search_path = '' as $$
  select e.slug, e.title, e.kind, e.is_online, e.place, e.starts_at, e.ends_at, e.price, e.places, private.event_places_left(e), e.picture
    from public.events e
   where e.state = 'published' and e.ends_at > now()
   order by e.starts_at, e.id limit 100
$$;
select private.expose('list_events', 'anon', 'authenticated', 'service_role');

/* Everyone: a published or cancelled event by its address, also one that is over; no row for drafts and unknown ones. */
create function private.find_event(_slug text)
returns table (
  id uuid, slug text, title text, kind text, description text, is_online boolean, place text, starts_at timestamptz,
  ends_at timestamptz, price numeric, places int, places_left int, state text, revision int, updated_at timestamptz, picture text
) language sql stable security definer set search_path = '' as $$
  select e.id, e.slug, e.title, e.kind, e.description, e.is_online, e.place, e.starts_at, e.ends_at, e.price, e.places,
         private.event_places_left(e), e.state, e.revision, e.updated_at, e.picture
    from public.events e where e.slug = _slug and e.state <> 'draft'
$$;
select private.expose('find_event', 'anon', 'authenticated', 'service_role');
