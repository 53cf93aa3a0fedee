-- Counting the stock: a session over the books of a publisher, of a shelf or of pasted ISBNs, which several people count at once.
--
-- Each scan stores the copies in stock at that moment, so a sale after it changes nothing about the difference: booking adds the
-- difference to whatever is in stock by then. A copy that is sold or comes back between two scans of the same book may have been counted
-- before or not yet, which no one can know. So what is expected of a book lies between the lowest and the highest stock at its scans, and
-- is whichever of these is nearest to what was counted: sales during a count never make a difference by themselves. If more copies than
-- the owner's limit have moved between a book's scans, or the difference is above the limit, the book is counted a second time.

/* A difference of more copies than this must be counted again. Until an admin changes it, the first value in shared/owner/settings.ts. */
create function private.count_again_above()
returns int language sql stable parallel safe set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'countAgainAbove'), 5)
$$;

create table public.stock_counts (
  -- Made by the client, so that a retry begins no second one.
  id uuid primary key,
  name text not null,
  scope text not null,
  -- The publisher, or how the shelf places begin.
  scope_value text,
  -- The pasted lines without a book.
  unknown_codes text[] not null default '{}',
  status text not null default 'open',
  actor uuid default auth.uid(),
  created_at timestamptz(3) not null default clock_timestamp(),
  closed_by uuid,
  closed_at timestamptz(3),
  constraint stock_counts_name_is_short check (length(name) between 1 and 100),
  constraint stock_counts_scope_is_known check (scope in ('publisher', 'shelf', 'books')),
  constraint stock_counts_status_is_known check (status in ('open', 'booked', 'discarded'))
);
create index stock_counts_newest_first on public.stock_counts (created_at desc, id desc);

-- The books of a session: those of its scope, and others that were scanned. counted is null until a book is scanned in its round.
create table public.stock_count_books (
  count_id uuid not null,
  -- No foreign key: a count outlives its books.
  book_id uuid not null,
  in_scope boolean not null,
  round integer not null default 1,
  counted integer,
  stock_low integer,
  stock_high integer,
  scanned_at timestamptz(3),
  expected integer generated always as (least(greatest(counted, stock_low), stock_high)) stored,
  difference integer generated always as (counted - least(greatest(counted, stock_low), stock_high)) stored,
  primary key (count_id, book_id),
  constraint stock_count_books_count_exists foreign key (count_id) references public.stock_counts,
  constraint stock_count_books_counted_is_sane check (counted between 0 and 10000000),
  constraint stock_count_books_stock_is_in_order check (stock_low <= stock_high)
);

-- Every scan: how many copies it added to what this person had counted of the book (fewer after a correction), and how many were in stock.
create table public.stock_scans (
  -- Made by the client, so that a scan whose response was lost counts once.
  id uuid primary key,
  count_id uuid not null,
  book_id uuid not null,
  round integer not null,
  copies integer not null,
  stock integer not null,
  actor uuid default auth.uid(),
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint stock_scans_book_is_in_count foreign key (count_id, book_id) references public.stock_count_books
);
create index stock_scans_by_book on public.stock_scans (count_id, book_id, round);

alter table public.stock_counts enable row level security;
alter table public.stock_count_books enable row level security;
alter table public.stock_scans enable row level security;
grant select on public.stock_counts, public.stock_count_books, public.stock_scans to authenticated, service_role;
create policy "staff read stock counts" on public.stock_counts
  for select to authenticated using ((select private.has_duty('stock')));
create policy "staff read the books of stock counts" on public.stock_count_books
  for select to authenticated using ((select private.has_duty('stock')));
create policy "staff read stock scans" on public.stock_scans
  for select to authenticated using ((select private.has_duty('stock')));
create trigger keep_as_written before update or delete on public.stock_scans
  for each row execute function private.keep_as_written();

/*
 * Staff begin a count. _scope publisher (_value is its name), shelf (_value is how the places begin, in any case) or books (_codes are ISBNs
 * or codes in any spelling, at most 10,000; those without a book are kept in unknown_codes). The same _id again begins nothing.
 */
create function private.begin_stock_count(_id uuid, _name text, _scope text, _value text default null, _codes text[] default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  written_name constant text := private.clean_line(_name);
  value constant text := private.clean_line(_value);
  unknown text[] := '{}';
  known public.stock_counts;
begin
  perform private.require_duty('stock');
  select * into known from public.stock_counts c where c.id = _id;
  if found then
    if (known.name, known.scope, known.scope_value) is distinct from (written_name, _scope, case when _scope <> 'books' then value end) then
      perform private.refuse('PT409', 'count_exists',
        'This count was already begun, before your last changes. You''ll find it under Counts.');
    end if;
    return;
  end if;
  perform private.require_text('name', 'The name', written_name, 100, true);
  if coalesce(_scope, '') not in ('publisher', 'shelf', 'books') then
    perform private.refuse('PT400', 'invalid_field', 'Choose what to count.', jsonb_build_object('field', 'scope', 'rule', 'choice'));
  elsif _scope <> 'books' and value is null then
    perform private.refuse('PT400', 'invalid_field', 'Choose a publisher or enter a shelf place.',
      jsonb_build_object('field', 'value', 'rule', 'required'));
  elsif cardinality(_codes) > 10000 then
    perform private.refuse('PT400', 'too_many_lines', 'A count can start with at most 10,000 lines.', jsonb_build_object('limit', 10000));
  end if;
  if _scope = 'books' then
    unknown := array(
      select left(private.clean_line(line), 100) from unnest(_codes) with ordinality as typed (line, n)
       where private.clean_line(line) is not null
         and not exists (select from public.books b where b.isbn_key = private.isbn_key(line))
       order by n);
  end if;
  insert into public.stock_counts (id, name, scope, scope_value, unknown_codes)
  values (_id, written_name, _scope, case when _scope <> 'books' then value end, unknown)
  on conflict do nothing;
  if not found then return; end if;
  insert into public.stock_count_books (count_id, book_id, in_scope)
  select _id, b.id, true from public.books b
   where b.kind <> 'digital' and case _scope
           when 'publisher' then b.publisher = value
           when 'shelf' then starts_with(lower(b.shelf), lower(value))
           else b.isbn_key in (select private.isbn_key(line) from unnest(_codes) as line) end;
  if not found then
    perform private.refuse('PT404', 'no_books', case _scope
      when 'publisher' then 'There is no book of this publisher.'
      when 'shelf' then 'There is no book at this shelf place.'
      else 'There is no book with any of these ISBNs or codes.' end);
  end if;
end $$;
select private.expose('begin_stock_count', 'authenticated', 'service_role');

/* Locks an open count for the transaction: shared for counting, exclusively for closing it. */
create function private.lock_stock_count(_count_id uuid, _exclusive boolean)
returns public.stock_counts language plpgsql set search_path = '' as $$
declare
  stored public.stock_counts;
begin
  if _exclusive then
    select * into stored from public.stock_counts where id = _count_id for no key update;
  else
    select * into stored from public.stock_counts where id = _count_id for share;
  end if;
  if stored.id is null then
    perform private.refuse('PT404', 'count_not_found', 'This count doesn''t exist.');
  end if;
  return stored;
end $$;

create function private.require_open_count(_count public.stock_counts)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _count.status <> 'open' then
    perform private.refuse('PT409', 'count_closed', format('This count has already been %s.', _count.status),
      jsonb_build_object('status', _count.status));
  end if;
end $$;

/* Adds a scan to a line that the caller has locked, with the copies that are in stock at this moment. */
create function private.add_stock_scan(_id uuid, _line public.stock_count_books, _copies int)
returns void language plpgsql set search_path = '' as $$
declare
  -- Its own statement, after the lock: a sale that this does not see comes after the scan.
  stock constant int := (select b.stock_quantity from public.books b where b.id = _line.book_id);
begin
  insert into public.stock_scans (id, count_id, book_id, round, copies, stock)
  values (_id, _line.count_id, _line.book_id, _line.round, _copies, stock);
  update public.stock_count_books l
     set counted = coalesce(l.counted, 0) + _copies, stock_low = least(l.stock_low, stock), stock_high = greatest(l.stock_high, stock),
         scanned_at = clock_timestamp()
   where l.count_id = _line.count_id and l.book_id = _line.book_id;
end $$;

/* The book that was scanned: the one of this id or code; of several with the code the only one that is in the count's scope. */
create function private.scanned_book(_count_id uuid, _code text, _book_id uuid)
returns uuid language plpgsql stable set search_path = '' as $$
declare
  code constant text := left(private.clean_line(_code), 100);
  found_ids uuid[];
  in_scope uuid[];
begin
  if _book_id is not null then
    found_ids := array(select b.id from public.books b where b.id = _book_id);
  else
    found_ids := array(select b.id from public.books b where b.isbn_key = private.isbn_key(code) order by b.id);
  end if;
  if cardinality(found_ids) > 1 then
    in_scope := array(select l.book_id from public.stock_count_books l
                       where l.count_id = _count_id and l.book_id = any (found_ids) and l.in_scope);
    if cardinality(in_scope) = 1 then return in_scope[1]; end if;
    perform private.refuse('PT409', 'several_books',
      format('%s books have the code %s. Look for the title in the table and count it there.', cardinality(found_ids), code));
  elsif cardinality(found_ids) = 0 then
    perform private.refuse('PT404', 'book_not_found',
      case when _book_id is null then format('No book has the ISBN or code %s.', coalesce(code, '')) else 'This book no longer exists.' end);
  end if;
  perform private.refuse_digital(found_ids);
  return found_ids[1];
end $$;

/*
 * Staff: a scan of a book, by its _code (an ISBN or code in any spelling) or _book_id: one copy more; with _copies, this person has counted
 * that many in all. A book outside the scope joins the count. The same _id again counts nothing. Returns the book's id.
 */
create function private.scan_stock(_id uuid, _count_id uuid, _code text default null, _book_id uuid default null, _copies int default null)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  line public.stock_count_books;
  known uuid;
  found_id uuid;
  own int;
begin
  perform private.require_duty('stock');
  if _copies is not null then
    perform private.require_number('copies', 'The number of copies', _copies, 0, 1000000);
  end if;
  select book_id into known from public.stock_scans where id = _id;
  if known is not null then return known; end if;
  perform private.require_open_count(private.lock_stock_count(_count_id, false));
  found_id := private.scanned_book(_count_id, _code, _book_id);
  insert into public.stock_count_books (count_id, book_id, in_scope) values (_count_id, found_id, false) on conflict do nothing;
  select * into line from public.stock_count_books where count_id = _count_id and book_id = found_id for no key update;
  -- The first request with this id may have been at work until now.
  if exists (select from public.stock_scans where id = _id) then return found_id; end if;
  select coalesce(sum(s.copies), 0) into own from public.stock_scans s
   where s.count_id = _count_id and s.book_id = found_id and s.round = line.round and s.actor is not distinct from auth.uid();
  perform private.add_stock_scan(_id, line, coalesce(_copies - own, 1));
  return found_id;
end $$;
select private.expose('scan_stock', 'authenticated', 'service_role');

/*
 * Staff: of this book, or of every book of the scope that no one has scanned, no copy was found. Not of all books that are to be counted
 * again: these one by one. Returns how many books it marked.
 */
create function private.mark_none_found(_count_id uuid, _book_id uuid default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  line public.stock_count_books;
  marked int := 0;
begin
  perform private.require_duty('stock');
  perform private.require_open_count(private.lock_stock_count(_count_id, false));
  for line in
    select l.* from public.stock_count_books l
     where l.count_id = _count_id and l.counted is null and (l.book_id = _book_id or _book_id is null and l.in_scope and l.round = 1)
       and exists (select from public.books b where b.id = l.book_id)
     order by l.book_id for no key update
  loop
    perform private.add_stock_scan(gen_random_uuid(), line, 0);
    marked := marked + 1;
  end loop;
  return marked;
end $$;
select private.expose('mark_none_found', 'authenticated', 'service_role');

/* Whether a book's first count can't be booked: the difference, or what moved between its scans, is above the limit. */
create function private.needs_second_count(_line public.stock_count_books, _limit int)
returns boolean language sql immutable set search_path = '' as $$
  select coalesce(_line.round = 1 and (abs(_line.difference) > _limit or _line.stock_high - _line.stock_low > _limit), false)
$$;

/*
 * Staff: a book is counted again from nothing, if it still is in the _round that was shown; without a book, all that must be counted a second
 * time. Their earlier scans stay as rows. Returns how many books are to be counted again.
 */
create function private.recount_stock(_count_id uuid, _book_id uuid default null, _round int default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  recounted int;
begin
  perform private.require_duty('stock');
  perform private.require_open_count(private.lock_stock_count(_count_id, false));
  update public.stock_count_books l
     set round = l.round + 1, counted = null, stock_low = null, stock_high = null, scanned_at = null
    from (select o.book_id from public.stock_count_books o
           where o.count_id = _count_id and o.counted is not null
             and case when _book_id is null then private.needs_second_count(o, private.count_again_above())
                      else o.book_id = _book_id and o.round = _round end
           order by o.book_id for no key update) as chosen
   where l.count_id = _count_id and l.book_id = chosen.book_id;
  get diagnostics recounted = row_count;
  return recounted;
end $$;
select private.expose('recount_stock', 'authenticated', 'service_role');

/*
 * Staff: adds all differences to the stock, whatever was sold meanwhile, with the reason 'count', and closes the session. _differences is how
 * many books with one were shown: if others were counted since, it is refused. Refused with the titles while books must be counted again, and
 * if fewer than no copies of a book would be left. Books that no one counted, and deleted ones, stay as they are. Returns how many books it
 * has changed; for a booked session the same again.
 */
create function private.book_stock_count(_count_id uuid, _differences int)
returns int language plpgsql security definer set search_path = '' set statement_timeout = '120s' as $$
declare
  session public.stock_counts;
  ids uuid[];
  differences int[];
  lines jsonb;
begin
  perform private.require_duty('stock');
  perform private.lock_stock(false);
  session := private.lock_stock_count(_count_id, true);
  select array_agg(l.book_id order by l.book_id), array_agg(l.difference order by l.book_id) into ids, differences
    from public.stock_count_books l
   where l.count_id = _count_id and l.difference <> 0 and exists (select from public.books b where b.id = l.book_id);
  if session.status = 'booked' then return coalesce(cardinality(ids), 0); end if;
  perform private.require_open_count(session);

  select jsonb_agg(jsonb_build_object('book_id', b.id, 'title', b.title) order by private.fold(b.title)) into lines
    from public.stock_count_books l join public.books b on b.id = l.book_id
   where l.count_id = _count_id
     and (private.needs_second_count(l, private.count_again_above()) or l.round > 1 and l.counted is null);
  if lines is not null then
    perform private.refuse('PT409', 'count_again', 'Count again first: ' || private.first_titles(lines), jsonb_build_object('lines', lines));
  elsif coalesce(cardinality(ids), 0) is distinct from _differences then
    perform private.refuse('PT409', 'count_changed',
      format('Others have counted in the meantime. Books with a difference now: %s.', coalesce(cardinality(ids), 0)),
      jsonb_build_object('differences', coalesce(cardinality(ids), 0)));
  end if;

  if ids is not null then
    perform private.lock_books(ids);
    select jsonb_agg(jsonb_build_object('book_id', b.id, 'title', b.title, 'requested', -m.difference, 'left', b.stock_quantity)
                     order by private.fold(b.title)) into lines
      from unnest(ids, differences) as m (book_id, difference) join public.books b on b.id = m.book_id
     where b.stock_quantity + m.difference < 0;
    if lines is not null then
      perform private.refuse('PT409', 'insufficient_stock',
        'More copies have been sold since than were counted. Count again: ' || private.first_titles(lines), jsonb_build_object('lines', lines));
    end if;
    perform set_config('shop.task', 'count', true),
            set_config('shop.stock_note', format('Count of %s, %s', session.name, to_char(private.today(), 'FMDD Mon')), true);
    update public.books b set stock_quantity = b.stock_quantity + m.difference
      from unnest(ids, differences) as m (book_id, difference) where b.id = m.book_id;
    perform set_config('shop.task', '', true), private.end_stock_explanation();
  end if;
  update public.stock_counts set status = 'booked', closed_by = auth.uid(), closed_at = clock_timestamp() where id = _count_id;
  return coalesce(cardinality(ids), 0);
end $$;
select private.expose('book_stock_count', 'authenticated', 'service_role');

/* 'A, B and 3 more.' of up to five titles of [{ title }] */
create function private.first_titles(_lines jsonb)
returns text language sql immutable set search_path = '' as $$
  select string_agg(line ->> 'title', ', ' order by n) filter (where n <= 5)
         || case when count(*) > 5 then format(' and %s more.', count(*) - 5) else '.' end
    from jsonb_array_elements(_lines) with ordinality as l (line, n)
$$;

/* Staff: closes a count without changing any stock. Closed before, it stays as it is. */
create function private.discard_stock_count(_count_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  session public.stock_counts;
begin
  perform private.require_duty('stock');
  session := private.lock_stock_count(_count_id, true);
  if session.status = 'discarded' then return; end if;
  perform private.require_open_count(session);
  update public.stock_counts set status = 'discarded', closed_by = auth.uid(), closed_at = clock_timestamp() where id = _count_id;
end $$;
select private.expose('discard_stock_count', 'authenticated', 'service_role');

/*
 * Staff: counts, the newest first, or the one with _id. books are those of the scope, counted how many of them were scanned, outside how many
 * others were; differences are books, more and fewer copies; again the books that must be counted a second time, or are to be.
 */
create function private.list_stock_counts(_id uuid default null, _page int default 1, _page_size int default 50)
returns table (
  id uuid, name text, scope text, scope_value text, unknown_codes text[], status text, created_at timestamptz, by_name text,
  closed_at timestamptz, closed_by_name text, books int, counted int, outside int, differences int, more int, fewer int, again int,
  again_above int
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('stock');
  return query execute
    'select c.id, c.name, c.scope, c.scope_value, c.unknown_codes, c.status, c.created_at::timestamptz, coalesce(p.full_name, p.email),
            c.closed_at::timestamptz, coalesce(q.full_name, q.email), l.*, a.above
       from (select c.* from public.stock_counts c where c.id = coalesce($1, c.id)
              order by c.created_at desc, c.id desc' || private.paging(_page, _page_size) || ') as c
      cross join (select private.count_again_above()) as a (above)
      cross join lateral (
        select count(*) filter (where l.in_scope)::int, count(l.counted) filter (where l.in_scope)::int,
               count(l.counted) filter (where not l.in_scope)::int, count(*) filter (where l.difference <> 0)::int,
               coalesce(sum(l.difference) filter (where l.difference > 0), 0)::int,
               coalesce(-sum(l.difference) filter (where l.difference < 0), 0)::int,
               count(*) filter (where private.needs_second_count(l, a.above) or l.round > 1 and l.counted is null)::int
          from public.stock_count_books l where l.count_id = c.id
           -- A deleted book counts no longer, unless it was booked.
           and (c.status <> ''open'' or exists (select from public.books b where b.id = l.book_id))) as l
       left join public.profiles p on p.id = c.actor
       left join public.profiles q on q.id = c.closed_by
      order by c.created_at desc, c.id desc'
    using _id;
end $$;
select private.expose('list_stock_counts', 'authenticated', 'service_role');

/* Staff: how many counts there are. */
create function private.count_stock_counts()
returns bigint language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('stock');
  return (select count(*) from public.stock_counts);
end $$;
select private.expose('count_stock_counts', 'authenticated', 'service_role');

/* _show uncounted, differences, again or outside; anything else is all. _q as in admin_list_books. */
create function private.stock_count_conditions(_show text, _q text)
returns text language sql stable set search_path = '' as $$
  select 'l.count_id = $1'
    || case _show
         when 'uncounted' then ' and l.in_scope and l.counted is null'
         when 'differences' then ' and l.difference <> 0'
         when 'again' then ' and (private.needs_second_count(l, private.count_again_above()) or l.round > 1 and l.counted is null)'
         when 'outside' then ' and not l.in_scope'
         else '' end
    || case when private.clean_line(_q) is null then '' else ' and ' || private.book_list_conditions(null, _q) end
$$;

/*
 * Staff: the books of a count, or the one with _book_id. own is what the caller has counted of it, moved how many copies came or went between
 * its scans, counted_by who scanned it in this round. _sort shelf (default), title, difference or scanned_at (null: shelf).
 */
create function private.list_stock_count_books(
  _count_id uuid, _show text default null, _q text default null, _book_id uuid default null, _sort text default null,
  _descending boolean default null, _page int default 1, _page_size int default 50
)
returns table (
  book_id uuid, title text, isbn text, publisher text, shelf text, in_scope boolean, round int, counted int, expected int, difference int,
  moved int, again boolean, scanned_at timestamptz, own int, counted_by text
) language plpgsql stable security definer set search_path = '' as $$
declare
  direction constant text := case when _descending then ' desc' else ' asc' end;
  sorted constant text := case _sort
    when 'title' then 'b.title_key' || direction
    when 'difference' then 'l.difference' || direction || ' nulls last, b.title_key'
    when 'scanned_at' then 'l.scanned_at' || direction || ' nulls last, b.shelf nulls last, b.title_key'
    else 'b.shelf' || direction || case when _descending then ' nulls first' else ' nulls last' end || ', b.title_key' || direction end
    || ', l.book_id';
begin
  perform private.require_duty('stock');
  return query execute
    'select l.book_id, coalesce(b.title, g.title), b.isbn, b.publisher, b.shelf, l.in_scope, l.round, l.counted, l.expected, l.difference,
            l.stock_high - l.stock_low, private.needs_second_count(l, private.count_again_above()), l.scanned_at::timestamptz,
            s.own::int, s.counted_by
       from (select l.* from public.stock_count_books l left join public.books b on b.id = l.book_id
              where ' || private.stock_count_conditions(_show, _q)
              || case when _book_id is not null then ' and l.book_id = $2' else '' end
              || ' order by ' || sorted || private.paging(_page, _page_size) || ') as l
       left join public.books b on b.id = l.book_id
       left join private.gone_books g on g.id = l.book_id
      cross join lateral (
        select sum(s.copies) filter (where s.actor is not distinct from auth.uid()) as own,
               string_agg(distinct coalesce(p.full_name, p.email), '', '') as counted_by
          from public.stock_scans s left join public.profiles p on p.id = s.actor
         where s.count_id = l.count_id and s.book_id = l.book_id and s.round = l.round) as s
      order by ' || sorted
    using _count_id, _book_id;
end $$;
select private.expose('list_stock_count_books', 'authenticated', 'service_role');

/* Staff: how many rows list_stock_count_books has with the same filters. */
create function private.count_stock_count_books(_count_id uuid, _show text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_duty('stock');
  execute 'select count(*) from public.stock_count_books l left join public.books b on b.id = l.book_id where '
    || private.stock_count_conditions(_show, _q) into found_rows using _count_id;
  return found_rows;
end $$;
select private.expose('count_stock_count_books', 'authenticated', 'service_role');
