-- The terms and the seller of an earlier day are those of that day, also in a shop that was in use before it kept them, and a publisher's
-- old logo doesn't stand in the way of other changes.

-- An invoice has the taxes of the day of issue too: a copy says what the first one said. What was agreed is the order's total, and it
-- includes them whatever they are.

/* What first settings were before the owner's files changed, each until the start that brought its next value. */
create table private.earlier_first_settings (
  name text,
  value jsonb not null,
  until timestamptz default clock_timestamp(),
  primary key (name, until)
);
alter table private.earlier_first_settings enable row level security;

/*
 * A setting as it was then, by the log of changes and the owner's files of that time; without a time, as it is. Null in a database whose
 * shop has not started yet.
 */
create or replace function private.setting_at(_name text, _at timestamptz default null)
returns jsonb language sql stable security definer set search_path = '' as $$
  -- A change without a value before it was the first: until then the value of the owner's files applied.
  select case when changed.id is not null and changed.before is not null then changed.before -> 'value'
              when changed.id is null and s.id is not null then s.value
              else coalesce(
                (select e.value from private.earlier_first_settings e where e.name = _name and e.until > _at order by e.until limit 1),
                (select f.value from private.first_settings f where f.name = _name)) end
    from (select) as one
    left join public.shop_settings s on s.id = _name
    left join lateral (
      select l.id, l.before from public.audit_log l
       where l.table_name = 'shop_settings' and l.row_id = _name and l.happened_at > _at order by l.id limit 1) as changed on true
$$;

/*
 * Makes a new version of the terms if what the two pages say has changed. Lines and empty lines alone make none: the version in force
 * then gets the new ones.
 */
create or replace function private.publish_terms()
returns void language plpgsql security definer set search_path = '' as $$
declare
  latest public.terms_versions;
  next public.terms_versions;
begin
  -- Several machines may start at the same time, or an admin save meanwhile: what is read below is what the one before has written.
  perform pg_advisory_xact_lock(hashtext('public.terms_versions'));
  -- The shop has not started yet: what the owner's files say is unknown, even if an admin has changed one of the two texts.
  if (select count(*) from private.first_settings f where f.name in ('terms', 'deliveryAndReturns')) < 2 then return; end if;
  next.terms := private.setting_at('terms') #>> '{}';
  next.delivery_and_returns := private.setting_at('deliveryAndReturns') #>> '{}';
  next.settings := private.settings_in_terms(next.terms || next.delivery_and_returns, null);
  -- Versions from before settings were kept: with the words that were shown last.
  update public.terms_versions as v
     set settings = private.settings_in_terms(v.terms || v.delivery_and_returns,
           (select min(later.published_at) - interval '1 microsecond' from public.terms_versions as later where later.version > v.version))
   where v.settings is null;
  select * into latest from public.terms_versions order by version desc limit 1;
  if private.words_of_terms(next) = private.words_of_terms(latest) then
    update public.terms_versions set terms = next.terms, delivery_and_returns = next.delivery_and_returns
     where version = latest.version and (terms, delivery_and_returns) is distinct from (next.terms, next.delivery_and_returns);
  else
    insert into public.terms_versions (terms, delivery_and_returns, settings)
    values (next.terms, next.delivery_and_returns, next.settings);
  end if;
end $$;

/*
 * Each start of the shop and `npm run migrate`: the values of the owner's files, which the database uses while no admin has
 * changed them, and `paysOnline`.
 */
create or replace function private.set_first_settings(_first jsonb)
returns void language plpgsql set search_path = '' as $$
begin
  -- One change at a time, as in update_settings: an admin's value that is being saved applies, not the files' one before it.
  perform pg_advisory_xact_lock(hashtext('shop_settings'));
  insert into private.earlier_first_settings (name, value)
  select f.name, f.value from private.first_settings f join jsonb_each(_first) as first on first.key = f.name where f.value <> first.value;
  insert into private.first_settings as f (name, value) select key, value from jsonb_each(_first)
  on conflict (name) do update set value = excluded.value where f.value <> excluded.value;
  perform private.apply_setting(first.key, coalesce(s.value, first.value))
     from jsonb_each(_first) as first left join public.shop_settings s on s.id = first.key;
  perform private.publish_terms();
end $$;

/*
 * Customers, of their own orders, and staff: the order's invoice, which gets its number on the first call. A
 * cancelled order gets none, but keeps one that it has. changed_at is when the order's books were last changed since; null when they weren't.
 * shop has the settings that it prints, as they were when it was issued.
 */
create or replace function private.issue_invoice(_order_id uuid)
returns table (reference text, issued_at timestamptz, changed_at timestamptz, shop jsonb) language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  invoice public.invoices;
begin
  -- Locked, so that two people who open it for the first time use up only one number.
  select * into of_order from public.orders
   where id = _order_id and (user_id = auth.uid() or private.has_duty('orders'))
     for no key update;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order does not exist.');
  end if;
  select * into invoice from public.invoices i where i.order_id = _order_id;
  if not found then
    if of_order.status = 'cancelled' then
      perform private.refuse('PT409', 'order_cancelled', 'A cancelled order gets no invoice.');
    end if;
    -- Number and date are of the same moment, even if the year ends while waiting for the order's lock.
    invoice.issued_at := clock_timestamp();
    invoice.year := extract(year from invoice.issued_at at time zone 'UTC');
    insert into public.invoices (order_id, year, number, issued_at)
    values (_order_id, invoice.year, private.next_yearly_number('invoices', invoice.year), invoice.issued_at)
    returning * into invoice;
  end if;
  return query
    select invoice.reference, invoice.issued_at, (
      select max(l.happened_at) from public.audit_log l
       where l.table_name = 'orders' and l.row_id = _order_id::text and l.action = 'change' and l.happened_at > invoice.issued_at),
      private.seller_at(invoice.issued_at)
        || jsonb_strip_nulls(jsonb_build_object('taxes', private.setting_at('taxes', invoice.issued_at)));
end $$;

/* A publisher as staff wrote it, cleaned, without its place; refuses invalid fields, naming them. Whether the logo is new, it can't know. */
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
 * Staff: adds or changes a publisher; a new name is also written into its books. _id of a new one is the client's, so that a
 * repeated save adds none; _updated_at is the version that was opened, null for a new one. _publisher has the columns that
 * staff write. Refuses publisher_changed when it has another version by now.
 */
create or replace function private.save_publisher(_id uuid, _publisher jsonb, _updated_at timestamptz default null)
returns public.publishers language plpgsql security definer set search_path = '' set statement_timeout = '120s' as $$
begin
  perform private.require_duty('catalogue');
  declare
    given public.publishers := private.read_publisher(_publisher);
    stored public.publishers;
    others int;
  begin
    if exists (select from public.publishers p where p.id = _id and p.name <> given.name) then
      perform private.lock_publisher_books();
    end if;
    perform private.lock_publishers();
    select * into stored from public.publishers p where p.id = _id for update;
    if not found and _updated_at is not null then
      perform private.refuse('PT404', 'publisher_not_found', 'This publisher no longer exists.');
    elsif stored.updated_at is distinct from _updated_at then
      perform private.refuse('PT409', 'publisher_changed', 'This publisher has since been changed.');
    end if;
    -- A logo from before addresses were checked may stay.
    if given.logo_url is distinct from stored.logo_url and not private.is_picture_address(given.logo_url) then
      perform private.refuse('PT400', 'invalid_field', 'The logo must be a picture that you upload here, or its address must start with https://.',
        '{"field": "logo_url", "rule": "url"}');
    end if;
    if exists (select from public.publishers p where p.id <> _id and p.name_key = private.fold(given.name)) then
      perform private.refuse('PT409', 'name_taken', 'Another publisher has this name.', '{"field": "name", "rule": "unique"}');
    elsif exists (select from public.publishers p where p.id <> _id and p.slug = given.slug) then
      perform private.refuse('PT409', 'slug_taken', 'Another publisher has this address.', '{"field": "slug", "rule": "unique"}');
    end if;
    select count(*) into others from public.publishers p where p.id <> _id and p.shown = 'menu';
    if given.shown = 'menu' and others >= 12 then
      perform private.refuse('PT409', 'menu_is_full', 'Menus can hold 12 publishers. Take another one out first.',
        '{"field": "shown", "rule": "max_length", "limit": 12}');
    end if;
    if stored.id is null then
      if (select count(*) from public.publishers) >= 200 then
        perform private.refuse('PT409', 'too_many_publishers', 'A shop can have 200 publishers.', '{"limit": 200}');
      end if;
      insert into public.publishers (id, name, slug, logo_url, mark, description, known_for, note, shown, in_filter, page, titles,
                                     has_order_links, position)
      values (_id, given.name, given.slug, given.logo_url, given.mark, given.description, given.known_for, given.note, given.shown,
              given.in_filter, given.page, given.titles, given.has_order_links,
              (select coalesce(max(p.position), 0) + 1 from public.publishers p))
      returning * into given;
      return given;
    end if;
    update public.publishers p
       set (name, slug, logo_url, mark, description, known_for, note, shown, in_filter, page, titles, has_order_links) =
           row (given.name, given.slug, given.logo_url, given.mark, given.description, given.known_for, given.note, given.shown,
                given.in_filter, given.page, given.titles, given.has_order_links)
     where p.id = _id returning * into given;
    if given.name <> stored.name then
      perform private.rename_publisher_books(_id, given.name, array[stored.name]);
    end if;
    return given;
  end;
end $$;

/*
 * In a shop that has not started since versions keep their settings, an earlier migration's new settings made a version without the
 * owner's delivery page, and gave the others settings without what the owner's files say. The next start, which knows the files, fills
 * in all settings anew.
 */
do $$
begin
  if exists (select from private.first_settings) then return; end if;
  delete from public.terms_versions as v
   where v.delivery_and_returns = ''
     and v.terms = (select before.terms from public.terms_versions as before where before.version < v.version order by before.version desc limit 1)
     -- Otherwise an admin emptied the page.
     and not exists (select from public.shop_settings s where s.id = 'deliveryAndReturns')
     and not exists (select from public.orders o where o.terms_version = v.version)
     and not exists (select from public.profiles p where p.terms_version = v.version);
  update public.terms_versions set settings = null;
end $$;
