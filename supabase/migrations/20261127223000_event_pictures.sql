-- Events have a picture of their own: a file of the bucket book-covers that needs the duty Events.

alter table public.events
  add column picture text,
  add constraint events_picture_is_of_an_event check (picture ~ '^event-picture-[0-9]{13}\.jpg$');

alter policy "staff list book covers" on storage.objects
  using (bucket_id = 'book-covers' and case when name like 'event-picture-%' then (select private.has_duty('events')) else (select private.has_duty('catalogue')) end);
alter policy "staff add book covers" on storage.objects
  with check (bucket_id = 'book-covers' and case when name like 'event-picture-%' then (select private.has_duty('events')) else (select private.has_duty('catalogue')) end
              and (select private.admits_cover()));
alter policy "staff replace book covers" on storage.objects
  using (bucket_id = 'book-covers' and case when name like 'event-picture-%' then (select private.has_duty('events')) else (select private.has_duty('catalogue')) end)
  with check (bucket_id = 'book-covers' and case when name like 'event-picture-%' then (select private.has_duty('events')) else (select private.has_duty('catalogue')) end);
alter policy "staff delete book covers" on storage.objects
  using (bucket_id = 'book-covers' and case when name like 'event-picture-%' then (select private.has_duty('events')) else (select private.has_duty('catalogue')) end);

-- Their results or arguments change: they are made anew.
drop function public.list_events, private.list_events, public.find_event, private.find_event, public.admin_list_events,
  private.admin_list_events, public.save_event, private.save_event;

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
  if given.join_link !~ '^https://[^[:space:]/@?#"<>]+\.[^[:space:]/@?#"<>]+([/?#][^[:space:]"<>]*)?$' then
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
