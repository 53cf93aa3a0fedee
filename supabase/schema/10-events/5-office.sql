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
 * registered; more places go to those who wait. _picture is the name of an uploaded picture in the bucket book-covers. Returns the new
 * version.
 */
create function private.save_event(
  _id uuid, _title text, _kind text, _place text, _starts_at timestamptz, _ends_at timestamptz, _places int, _price numeric default 0,
  _is_online boolean default false, _join_link text default null, _description text default null, _updated_at timestamptz default null,
  _picture text default null
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
  if not private.is_web_address(given.join_link) then
    perform private.refuse('PT400', 'invalid_field', 'The link to join must start with https://.', '{"field": "join_link", "rule": "url"}');
  elsif _picture is not null and not exists (
    select from storage.objects o where o.bucket_id = 'book-covers' and o.name = _picture and _picture ~ '^event-picture-[0-9]{13}\.jpg$'
  ) then
    perform private.refuse('PT400', 'invalid_field', 'The picture no longer exists. Please choose it again.', '{"field": "picture", "rule": "choice"}');
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
  insert into public.events as e (id, slug, title, kind, description, is_online, place, join_link, starts_at, ends_at, places, price, picture)
  values (_id, case when stored.published_at is null then private.event_slug(given.title, _id) else stored.slug end, given.title, _kind,
          given.description, coalesce(_is_online, false), given.place, given.join_link, given.starts_at, given.ends_at, _places, _price, _picture)
  on conflict (id) do update
     set (slug, title, kind, description, is_online, place, join_link, starts_at, ends_at, places, price, picture) =
         row (excluded.slug, excluded.title, excluded.kind, excluded.description, excluded.is_online, excluded.place, excluded.join_link,
              excluded.starts_at, excluded.ends_at, excluded.places, excluded.price, excluded.picture),
         revision = e.revision + case when moved and e.state = 'published' then 1 else 0 end
  returning * into given;
  if given.revision > stored.revision then perform private.queue_event_news('event_changed', given); end if;
  perform private.fill_event_places(given);
  return given.updated_at;
end $$;
select private.expose('save_event', 'authenticated', 'service_role');

/*
 * Staff: publishes a draft and emails the list; unpublishes an event without registrations ('draft'); or cancels a
 * published one for good and emails everyone who is registered. Refuses with event_changed if its version has
 * changed. Returns the new version.
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
    perform private.refuse('PT409', 'event_has_registrations', 'People have registered. Cancel the event instead, so that they are notified.');
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
  registered bigint, waiting bigint, cancelled bigint, picture text, found bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('events');
  return query execute
    'select e.id, e.slug, e.title, e.kind, e.description, e.is_online, e.place, e.join_link, e.starts_at::timestamptz,
            e.ends_at::timestamptz, e.places, e.price, e.state, e.ends_at <= now(), e.past_registrations, e.updated_at::timestamptz,
            r.registered, r.waiting, r.cancelled, e.picture, e.found
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
