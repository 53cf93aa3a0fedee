-- What addresses staff may type, said once.

/* Whether an address that staff typed may become a link (app/lib/web-address.ts): https, and no sign-in before the host. */
create function private.is_web_address(_address text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select _address ~ '^https://[^[:space:]/@?#"<>]+\.[^[:space:]/@?#"<>]+([/?#][^[:space:]"<>]*)?$'
$$;

/* Whether an address may become a picture: on the web, or a file of the shop's own, whatever host it was stored with. */
create function private.is_picture_address(_address text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select private.is_web_address(_address)
      or _address ~ '^(https?://[^[:space:]/@?#"<>]+)?/storage/v1/object/public/book-covers/[^[:space:]/"<>]+$'
$$;

/* The text of a setting, or one of its lines, as it is stored. */
create or replace function private.checked_setting_text(_name text, _value jsonb, _kind text)
returns text language plpgsql immutable set search_path = '' as $$
declare
  rule constant jsonb := private.setting_rules() -> _name;
  cleaned text;
begin
  if jsonb_typeof(_value) is distinct from 'string' then perform private.refuse_setting(_name, 'type', '%s must be a text.'); end if;
  cleaned := coalesce(case when _kind = 'text' then private.clean_text(_value #>> '{}') else private.clean_line(_value #>> '{}') end, '');
  if length(cleaned) > (rule ->> 'max')::int then
    perform private.refuse_setting(_name, 'max_length', '%s is too long (at most ' || (rule ->> 'max') || ' characters'
      || case when _kind in ('line', 'text', 'email', 'phone', 'url') then ').' else ' each).' end);
  elsif cleaned = '' then
    return '';
  elsif _kind = 'email' and not private.is_email(cleaned) then
    perform private.refuse_setting(_name, 'email', '%s must be an email address, such as orders@shop.example.');
  elsif _kind in ('phone', 'phones') then
    cleaned := private.phone(cleaned);
    -- Anyone may read it, also from abroad.
    if cleaned ~ '^\+' then return cleaned; end if;
    perform private.refuse_setting(_name, 'phone', '%s must be a number of Ghana, or one with its country''s code: 030 200 0140 or +233 30 200 0140.');
  elsif _kind = 'url' and not private.is_web_address(cleaned) then
    perform private.refuse_setting(_name, 'url', '%s must be an address that starts with https://.');
  elsif _kind = 'choice' and not rule -> 'choices' ? cleaned then
    perform private.refuse_setting(_name, 'choice', '%s: unknown choice.');
  end if;
  return cleaned;
end $$;

/* A publisher as staff wrote it, cleaned, without its place; refuses invalid fields, naming them. */
create or replace function private.read_publisher(_given jsonb)
returns public.publishers language plpgsql immutable set search_path = '' as $$
declare
  read public.publishers;
begin
  read.name := private.clean_line(_given ->> 'name');
  perform private.require_text('name', 'The name', read.name, 200, true);
  read.slug := private.clean_line(_given ->> 'slug');
  perform private.require_text('slug', 'The address', read.slug, 60, true);
  if read.slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$' then
    perform private.refuse('PT400', 'invalid_field', 'The address may only have small letters, digits and single hyphens.',
      jsonb_build_object('field', 'slug', 'rule', 'slug'));
  end if;
  read.logo_url := private.clean_line(_given ->> 'logo_url');
  perform private.require_text('logo_url', 'The logo''s address', read.logo_url, 2000);
  if not private.is_picture_address(read.logo_url) then
    perform private.refuse('PT400', 'invalid_field', 'The logo must be a picture that you upload here, or its address must start with https://.',
      jsonb_build_object('field', 'logo_url', 'rule', 'url'));
  end if;
  read.mark := case when _given ->> 'mark' ~ '^[1-6]$' then (_given ->> 'mark')::smallint else 1 end;
  read.description := private.clean_line(_given ->> 'description');
  perform private.require_text('description', 'The description', read.description, 1000);
  read.note := private.clean_line(_given ->> 'note');
  perform private.require_text('note', 'The note', read.note, 300);
  read.shown := coalesce(_given ->> 'shown', 'menu');
  read.page := coalesce(_given ->> 'page', 'live');
  if read.shown not in ('menu', 'page', 'nowhere') or read.page not in ('showcase', 'live') then
    perform private.refuse('PT400', 'invalid_field', 'This choice does not exist.',
      jsonb_build_object('field', case when read.page in ('showcase', 'live') then 'shown' else 'page' end, 'rule', 'choice'));
  end if;
  read.in_filter := _given ->> 'in_filter' is distinct from 'false';
  read.has_order_links := _given ->> 'has_order_links' is not distinct from 'true';
  read.known_for := array(
    select private.clean_line(value)
      from jsonb_array_elements_text(case when jsonb_typeof(_given -> 'known_for') = 'array' then _given -> 'known_for' else '[]' end)
           with ordinality as element (value, place)
     where private.clean_line(value) is not null order by place);
  perform private.require_number('known_for', 'The number of series', cardinality(read.known_for), 0, 12);
  perform private.require_text('known_for', 'A series', name, 80) from unnest(read.known_for) as name;
  read.titles := case when jsonb_typeof(_given -> 'titles') = 'array' then _given -> 'titles' else '[]' end;
  perform private.require_number('titles', 'The number of titles', jsonb_array_length(read.titles), 0, 40);
  select coalesce(jsonb_agg(private.read_publisher_title(value, place) order by place), '[]') into read.titles
    from jsonb_array_elements(read.titles) with ordinality as element (value, place);
  if read.page = 'showcase' and read.titles = '[]' then
    perform private.refuse('PT400', 'invalid_field', 'A page with listed titles needs at least one.',
      jsonb_build_object('field', 'titles', 'rule', 'required'));
  end if;
  return read;
end $$;

/*
 * Staff: adds or changes an event. _id of a new one is the client's, so that a repeated save adds none; _updated_at is the version that was
 * opened, null for a new one. _price in cedis. Changing the time, the place or the link of a published event emails everyone who is
 * registered; more places go to those who wait. _picture is the name of an uploaded picture in the bucket book-covers. Returns the new
 * version.
 */
create or replace function private.save_event(
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
