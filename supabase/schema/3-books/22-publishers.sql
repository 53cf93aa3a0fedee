-- Publishers: menu entries, pages and order. Everyone reads those that are shown; admins write them through functions.

create table public.publishers (
  id uuid primary key default gen_random_uuid(),
  -- As in books.publisher, which stays a text: a publisher's books are those with exactly this name.
  name text not null,
  -- Its page is /products/{slug}.
  slug text not null,
  -- Null: the mark, one of the six that are drawn.
  logo_url text,
  mark smallint not null default 1,
  description text,
  known_for text[] not null default '{}',
  -- A sentence of its own on the page.
  note text,
  position integer not null,
  -- 'page': on the page of all publishers, but not in menus.
  shown text not null default 'menu',
  -- Whether the shop's publisher filter offers it; links to the filter work for every publisher.
  in_filter boolean not null default true,
  -- 'showcase': the titles below; 'live': books from the catalogue.
  page text not null default 'live',
  -- [{"title", "price" (in cedis), "rating", "level", "subject"}]
  titles jsonb not null default '[]',
  -- Whether the page ends with links to the shop and to bulk orders.
  has_order_links boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  name_key text collate "C" generated always as (private.fold(name)) stored,
  constraint publishers_name_is_unique unique (name_key),
  constraint publishers_slug_is_unique unique (slug),
  constraint publishers_texts_are_short check (
    length(name) between 1 and 200 and length(logo_url) <= 2000 and length(description) <= 1000 and length(note) <= 300
  ),
  constraint publishers_slug_is_well_formed check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60),
  constraint publishers_mark_is_drawn check (mark between 1 and 6),
  constraint publishers_shown_is_known check (shown in ('menu', 'page', 'nowhere')),
  constraint publishers_page_is_known check (page in ('showcase', 'live')),
  constraint publishers_lists_are_short check (
    cardinality(known_for) <= 12 and jsonb_typeof(titles) = 'array' and length(titles::text) <= 40000
  )
);

alter table public.publishers enable row level security;
grant select on public.publishers to anon, authenticated, service_role;
grant delete on public.publishers to authenticated, service_role;

create policy "everyone reads shown publishers" on public.publishers
  for select to anon, authenticated using (shown <> 'nowhere' or (select private.has_duty('catalogue')));
create policy "staff delete publishers" on public.publishers
  for delete to authenticated using ((select private.has_duty('catalogue')) and (select private.has_duty('deletions')));

-- Another order is no edit.
create trigger stamp_updated_at before update of name, slug, logo_url, mark, description, known_for, note, shown, in_filter, page,
  titles, has_order_links on public.publishers
  for each row execute function private.stamp_updated_at();
create trigger record_audit after insert or update or delete on public.publishers
  for each row execute function private.record_audit('updated_at', 'position');
create trigger bump_catalogue_version after insert or update or delete or truncate on public.publishers
  for each statement execute function private.bump_catalogue_version();

/* Two names with the same key are spellings of one: 'C.G.P.' and 'cgp'. */
create function private.publisher_key(_name text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select regexp_replace(replace(private.fold(_name), '&', ' and '), '[^[:alnum:]]', '', 'g')
$$;

/* One given title of a showcase, cleaned; refuses an invalid one, naming it. */
create function private.read_publisher_title(_given jsonb, _place bigint)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  number_form constant text := '^[0-9]{1,8}([.][0-9]{1,4})?$';
  title constant text := private.clean_line(_given ->> 'title');
  level constant text := private.clean_line(_given ->> 'level');
  subject constant text := private.clean_line(_given ->> 'subject');
  price constant numeric := case when _given ->> 'price' ~ number_form then (_given ->> 'price')::numeric end;
  rating constant numeric := case when _given ->> 'rating' ~ number_form then (_given ->> 'rating')::numeric
                                  when _given ->> 'rating' is not null then 0 end;
begin
  perform private.require_text('titles', format('Title %s', _place), title, 500, true);
  perform private.require_text('titles', format('The level of title %s', _place), level, 200);
  perform private.require_text('titles', format('The subject of title %s', _place), subject, 200);
  perform private.require_number('titles', format('The price of title %s', _place), price, 0, 99999999.99);
  perform private.require_pesewas('titles', format('The price of title %s', _place), price);
  if rating is not null then
    perform private.require_number('titles', format('The rating of title %s', _place), rating, 1, 5);
  end if;
  return jsonb_build_object('title', title, 'price', price, 'rating', rating, 'level', level, 'subject', subject);
end $$;

/* A publisher as staff wrote it, cleaned, without its place; refuses invalid fields, naming them. Whether the logo is new, it can't know. */
create function private.read_publisher(_given jsonb)
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

/* Changes of publishers follow one another, so that no two take the same name or the last place in the menu. */
create function private.lock_publishers()
returns void language sql set search_path = '' as $$
  select pg_advisory_xact_lock(hashtext('public.publishers'), 0)
$$;

/* What renaming books needs first. Waits for the step of an import that is being applied; refuses while one is unfinished. */
create function private.lock_publisher_books()
returns void language plpgsql set search_path = '' as $$
begin
  perform private.lock_book_imports();
  perform private.require_no_unfinished_import(gen_random_uuid());
  perform private.lock_stock(false);
end $$;

/*
 * Writes a publisher's name into the books that have one of these spellings, in one step, with one row in the log.
 * Returns how many books had each: {"C.G.P.": 3}.
 */
create function private.rename_publisher_books(_publisher_id uuid, _name text, _spellings text[])
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  renamed jsonb;
begin
  perform from public.books where publisher = any (_spellings) order by id for no key update;
  perform set_config('shop.task', 'import', true);
  with spelled as (
    select b.id, b.publisher from public.books b where b.publisher = any (_spellings)
  ), moved as (
    update public.books b set publisher = _name from spelled s where s.id = b.id returning s.publisher
  )
  select coalesce(jsonb_object_agg(m.publisher, m.books), '{}') into renamed
    from (select publisher, count(*) as books from moved group by 1) as m;
  perform set_config('shop.task', '', true), private.fold_tallies();
  if renamed <> '{}' then
    insert into public.audit_log (table_name, row_id, action, after)
    values ('publishers', _publisher_id::text, 'merge', jsonb_build_object('name', _name, 'renamed', renamed));
  end if;
  return renamed;
end $$;

/*
 * Staff: adds or changes a publisher; a new name is also written into its books. _id of a new one is the client's, so that a
 * repeated save adds none; _updated_at is the version that was opened, null for a new one. _publisher has the columns that
 * staff write. Refuses publisher_changed when it has another version by now.
 */
create function private.save_publisher(_id uuid, _publisher jsonb, _updated_at timestamptz default null)
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
select private.expose('save_publisher', 'authenticated', 'service_role');

/* Staff: puts publishers into this order, which names each of them once. */
create function private.order_publishers(_ids uuid[])
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('catalogue');
  perform private.lock_publishers();
  if array(select p.id from public.publishers p order by 1) <> array(select unnest(_ids) order by 1) then
    perform private.refuse('PT409', 'publishers_changed', 'Publishers have since been added or deleted.');
  end if;
  update public.publishers p set position = given.place
    from unnest(_ids) with ordinality as given (id, place)
   where p.id = given.id and p.position <> given.place;
end $$;
select private.expose('order_publishers', 'authenticated', 'service_role');

/* Staff: how many books each publisher has. */
create function private.count_publisher_books()
returns table (publisher_id uuid, books bigint) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('catalogue');
  return query
    select p.id, coalesce(sum(t.rows), 0)::bigint
      from public.publishers p left join private.tallies t on t.counted = 'books' and t.value = p.name
     group by p.id;
end $$;
select private.expose('count_publisher_books', 'authenticated', 'service_role');

/*
 * Staff: names in books that belong to no publisher, with their number of books: those that look like this publisher's, or like one that
 * it had before, first. _q only those that contain it. The first 50.
 */
create function private.list_publisher_spellings(_publisher_id uuid, _q text default null)
returns table (spelling text, books bigint, is_close boolean) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('catalogue');
  return query
    with own as (
      select private.publisher_key(p.name) as key from public.publishers p where p.id = _publisher_id
      union
      select private.publisher_key(earlier.name)
        from public.audit_log a
        cross join lateral (select a.before ->> 'name' as name union select jsonb_object_keys(a.after -> 'renamed')) as earlier
       where a.table_name = 'publishers' and a.row_id = _publisher_id::text and earlier.name is not null
    ), spelled as (
      select t.value as spelling, sum(t.rows)::bigint as books, private.publisher_key(t.value) as key
        from private.tallies t
       where t.counted = 'books' and t.value <> '' and not exists (select from public.publishers p where p.name = t.value)
         and (private.clean_line(_q) is null or private.fold(t.value) like private.contains_pattern(_q))
       group by t.value having sum(t.rows) > 0
    )
    select s.spelling, s.books,
           exists (
             select from own o
              where s.key = o.key or extensions.similarity(s.key, o.key) >= 0.5
                 or least(length(s.key), length(o.key)) >= 3 and (strpos(s.key, o.key) > 0 or strpos(o.key, s.key) > 0)
           ) as is_close
      from spelled s
     where exists (select from public.publishers p where p.id = _publisher_id)
     order by 3 desc, 2 desc, 1 limit 50;
end $$;
select private.expose('list_publisher_spellings', 'authenticated', 'service_role');

/*
 * Staff: gives the books with these spellings a publisher's name, or with _dry_run only says how many each spelling has.
 * The books don't remember their old spelling; the log does.
 */
create function private.merge_publisher_spellings(_publisher_id uuid, _spellings text[], _dry_run boolean default true)
returns table (spelling text, books bigint)
language plpgsql security definer set search_path = '' set statement_timeout = '120s' as $$
begin
  perform private.require_duty('catalogue');
  declare
    publisher public.publishers;
    other text;
  begin
    if not _dry_run then
      perform private.lock_publisher_books();
      perform private.lock_publishers();
    end if;
    select * into publisher from public.publishers p where p.id = _publisher_id;
    if not found then
      perform private.refuse('PT404', 'publisher_not_found', 'This publisher no longer exists.');
    end if;
    perform private.require_number('spellings', 'The number of spellings', cardinality(_spellings), 1, 50);
    select p.name into other from public.publishers p where p.name = any (_spellings) limit 1;
    if found then
      perform private.refuse('PT409', 'spelling_is_a_publisher', format('%s is a publisher of its own. Delete it first.', other),
        jsonb_build_object('name', other));
    end if;
    if _dry_run then
      return query select b.publisher, count(*) from public.books b where b.publisher = any (_spellings) group by 1 order by 1;
    else
      return query
        select m.key, m.value::bigint
          from jsonb_each_text(private.rename_publisher_books(publisher.id, publisher.name, _spellings)) as m order by 1;
    end if;
  end;
end $$;
select private.expose('merge_publisher_spellings', 'authenticated', 'service_role');

/*
 * The books of a publisher's listed titles, by their place in the list from 1: of several editions one that is in stock, otherwise the
 * newest. A title that the shop does not sell has no row.
 */
create function public.list_titled_books(_publisher_id uuid)
returns table (place bigint, book_id uuid, title text, in_stock boolean) language sql stable set search_path = '' as $$
  select listed.place, b.id, b.title, b.for_sale > 0
    from public.publishers p
   cross join lateral jsonb_array_elements(p.titles) with ordinality as listed (value, place)
   cross join lateral (
     select * from public.books b
      where b.publisher = p.name and b.title_key = private.title_key(listed.value ->> 'title')
      order by b.for_sale > 0 desc, b.for_sale > -2 desc, b.created_at desc, b.id limit 1) as b
   where p.id = _publisher_id
   order by listed.place
$$;
grant execute on function public.list_titled_books to anon, authenticated, service_role;
