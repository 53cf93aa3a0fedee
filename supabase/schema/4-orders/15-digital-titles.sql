-- Digital titles: their files and licence codes, and the orders that have them. Files are stored in pieces of 4 MiB
-- in a private bucket, with a row here; codes are only rows. A paid order has access to its titles; nobody else reads
-- a file or a code.
--
-- The stock of a digital title is the database's own (3-books/04-stock, private.keep_digital_stock). By file it is private.unlimited_copies()
-- while there is a file to download, and orders don't move it. By code it is the number of codes that no order has or holds: an order takes
-- its copies when it is placed and gets the codes when it is paid, so there are always as many free codes as copies held.

create function private.unlimited_copies()
returns int language sql immutable parallel safe set search_path = '' as $$ select 1000000 $$;

/* The size of a file's pieces in bytes; the last one may be smaller. */
create function private.piece_bytes()
returns int language sql immutable parallel safe set search_path = '' as $$ select 4194304 $$;

create function private.digital_types()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select '{application/pdf,application/epub+zip,application/zip,audio/mpeg,audio/mp4,video/mp4}'::text[]
$$;

create table private.digital_files (
  -- Chosen by the client; also the folder of its pieces, {id}/0001 and so on.
  id uuid primary key,
  -- No foreign key: whoever bought a title can download it after it is deleted from the shop.
  book_id uuid not null,
  name text not null,
  type text not null,
  size bigint not null,
  pieces int not null,
  sha256 text not null,
  added_at timestamptz not null default clock_timestamp(),
  added_by uuid default auth.uid(),
  removed_at timestamptz,
  constraint digital_files_name_is_short check (length(name) between 1 and 200),
  constraint digital_files_type_is_known check (type = any (private.digital_types())),
  constraint digital_files_are_not_large check (size between 1 and 209715200),
  constraint digital_files_have_all_pieces check (pieces = (size + private.piece_bytes() - 1) / private.piece_bytes()),
  constraint digital_files_have_a_hash check (sha256 ~ '^[0-9a-f]{64}$')
);
create index digital_files_by_book on private.digital_files (book_id);
alter table private.digital_files enable row level security;

create table private.licence_codes (
  id bigint generated always as identity primary key,
  -- No foreign keys: a code that was given stays given when its title or its order is deleted.
  book_id uuid not null,
  code text not null,
  added_at timestamptz not null default clock_timestamp(),
  added_by uuid default auth.uid(),
  order_id uuid,
  given_at timestamptz,
  constraint licence_codes_once_a_title unique (book_id, code),
  constraint licence_codes_code_is_short check (length(code) between 1 and 200),
  constraint licence_codes_are_given_to_an_order check ((order_id is null) = (given_at is null))
);
create index licence_codes_free on private.licence_codes (book_id, id) where order_id is null;
create index licence_codes_by_order on private.licence_codes (order_id, book_id, id) where order_id is not null;
alter table private.licence_codes enable row level security;

create function private.keep_given_code()
returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.refuse('PT409', 'code_given', 'A code that belongs to an order can''t be changed or deleted.');
  return null;
end $$;
create trigger keep_given_code before update or delete on private.licence_codes
  for each row when (old.order_id is not null) execute function private.keep_given_code();

-- How often an order's customer has begun to download a file.
create table private.file_downloads (
  order_id uuid not null,
  file_id uuid not null,
  used int not null,
  primary key (order_id, file_id),
  constraint file_downloads_are_counted check (used > 0)
);
alter table private.file_downloads enable row level security;

-- Links to a file that a customer has begun to download; only a hash of the link's token is stored.
create table private.download_tickets (
  token_hash bytea primary key,
  file_id uuid not null,
  order_id uuid not null,
  user_id uuid not null,
  expires_at timestamptz not null,
  -- Bytes that were sent.
  sent bigint not null default 0
);
create index download_tickets_by_end on private.download_tickets (expires_at);
alter table private.download_tickets enable row level security;

/* Of these titles the digital ones, deleted ones too, and by what they are delivered. */
create function private.digital_titles(_book_ids uuid[])
returns table (book_id uuid, digital_by text) language sql stable set search_path = '' as $$
  select b.id, b.digital_by from public.books b where b.id = any (_book_ids) and b.kind = 'digital'
  union all
  select g.id, g.digital_by from private.gone_books g where g.id = any (_book_ids) and g.digital_by is not null
$$;

/* Whether a title has files, codes or sales: it then stays digital, or not digital, and is delivered by the same means. */
create function private.is_digital_in_use(_book_id uuid)
returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from private.digital_files f where f.book_id = _book_id and f.removed_at is null)
      or exists (select from private.licence_codes c where c.book_id = _book_id)
      or exists (select from public.order_items i where i.sold_book_id = _book_id)
$$;

/* Refuses to move the stock of digital titles by hand. */
create function private.refuse_digital(_book_ids uuid[])
returns void language plpgsql stable security definer set search_path = '' as $$
declare
  titles constant text := (select string_agg(b.title, ', ' order by b.title) from public.books b where b.id = any (_book_ids) and b.kind = 'digital');
begin
  if titles is not null then
    perform private.refuse('PT409', 'digital_stock', format('%s: the stock of a digital title follows its files and codes.', titles));
  end if;
end $$;

/* Sets the stock of a digital title, deleted or not. The caller has locked it. The reason is 'files' or 'codes'. */
create function private.set_digital_stock(_book_id uuid, _copies int, _reason text)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('shop.task', _reason, true);
  update public.books set stock_quantity = _copies where id = _book_id and stock_quantity <> _copies;
  update private.gone_books set stock_quantity = _copies where id = _book_id and stock_quantity <> _copies;
  perform set_config('shop.task', '', true);
end $$;

/* Locks a digital title with this kind of delivery; refuses any other. */
create function private.lock_digital(_book_id uuid, _by text)
returns public.books language plpgsql security definer set search_path = '' as $$
declare
  book public.books;
begin
  perform private.lock_stock(false);
  perform private.lock_books(array[_book_id]);
  select * into book from public.books where id = _book_id;
  if book.id is null then
    perform private.refuse('PT404', 'book_not_found', 'This title no longer exists.');
  elsif book.digital_by is distinct from _by then
    perform private.refuse('PT409', 'not_digital', case _by when 'file' then 'This title is not delivered as files.'
                                                            else 'This title is not delivered as licence codes.' end);
  end if;
  return book;
end $$;

/* Staff: the files and code counts of a digital title; null for other titles. sold: copies in paid orders; free: codes that no order has or holds. */
create function private.list_digital(_book_id uuid)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  book public.books;
  sold bigint;
begin
  perform private.require_duty('catalogue');
  select * into book from public.books where id = _book_id and kind = 'digital';
  if not found then return null; end if;
  select coalesce(sum(i.quantity), 0) into sold
    from public.order_items i join public.orders o on o.id = i.order_id
   where i.sold_book_id = _book_id and private.has_digital_access(o.paid_amount, o.total_amount - o.returned_amount, o.status);
  return jsonb_build_object('digital_by', book.digital_by,
    'files', (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'type', f.type, 'size', f.size, 'added_at', f.added_at,
                                                           'sold', sold) order by f.added_at, f.id), '[]')
                from private.digital_files f where f.book_id = _book_id and f.removed_at is null),
    'codes', (select jsonb_build_object('free', case when book.digital_by = 'code' then book.stock_quantity else 0 end,
                       'held', count(*) filter (where c.order_id is null) - case when book.digital_by = 'code' then book.stock_quantity else 0 end,
                       'given', count(c.order_id))
                from private.licence_codes c where c.book_id = _book_id));
end $$;
select private.expose('list_digital', 'authenticated', 'service_role');

/*
 * Staff: adds a file whose pieces are uploaded, {_id}/0001 and so on in the bucket digital-files. _type as in private.digital_types; _size in
 * bytes, at most 200 MB; _sha256 of the whole file in hexadecimal digits. Idempotent by _id.
 */
create function private.add_digital_file(_id uuid, _book_id uuid, _name text, _type text, _size bigint, _pieces int, _sha256 text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  book public.books;
  file private.digital_files;
  missing int[];
begin
  perform private.require_duty('catalogue');
  book := private.lock_digital(_book_id, 'file');
  select * into file from private.digital_files where id = _id;
  if file.book_id = _book_id and file.removed_at is null then return; end if;
  if file.id is not null then
    perform private.refuse('PT409', 'file_known', 'This file was removed, or belongs to another title. Please upload it again.');
  end if;
  perform private.require_text('name', 'The file name', private.clean_line(_name), 200, true),
    private.require_text('type', 'The type', _type, 100, true), private.require_choice('type', 'The type', _type, private.digital_types()),
    private.require_number('size', 'The size', _size, 1, 209715200),
    private.require_number('pieces', 'The number of pieces', _pieces, ceil(_size::numeric / private.piece_bytes()), ceil(_size::numeric / private.piece_bytes()));
  if coalesce(_sha256, '') !~ '^[0-9a-f]{64}$' then
    perform private.refuse('PT400', 'invalid_field', 'The file''s hash must be 64 hexadecimal digits.', '{"field": "sha256", "rule": "hash"}');
  elsif (select count(*) from private.digital_files f where f.book_id = _book_id and f.removed_at is null) >= 100 then
    perform private.refuse('PT409', 'too_many_files', 'A title has at most 100 files.', '{"limit": 100}');
  end if;
  missing := array(
    select n from generate_series(1, _pieces) as n
     where not exists (
       select from storage.objects o
        where o.bucket_id = 'digital-files' and o.name = _id || '/' || to_char(n, 'FM0000')
          and (o.metadata ->> 'size')::bigint = case when n < _pieces then private.piece_bytes() else _size - (_pieces - 1)::bigint * private.piece_bytes() end
          and (n > 1 or o.metadata ->> 'mimetype' = _type))
     order by n);
  if cardinality(missing) > 0 then
    perform private.refuse('PT409', 'file_incomplete', 'The upload is not complete. Please continue it.', jsonb_build_object('missing', missing));
  end if;
  insert into private.digital_files (id, book_id, name, type, size, pieces, sha256)
  values (_id, _book_id, private.clean_line(_name), _type, _size, _pieces, _sha256);
  perform private.set_digital_stock(_book_id, private.unlimited_copies(), 'files');
  insert into public.audit_log (table_name, row_id, action, after)
  values ('digital_files', _id, 'insert', jsonb_build_object('book_id', _book_id, 'title', book.title, 'name', private.clean_line(_name), 'size', _size));
end $$;
select private.expose('add_digital_file', 'authenticated', 'service_role');

/* Staff: removes a file, which can't be downloaded any more; its pieces are deleted a day later. Once more changes nothing. */
create function private.remove_digital_file(_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  file private.digital_files;
begin
  perform private.require_duty('catalogue');
  perform private.lock_stock(false);
  select * into file from private.digital_files where id = _id;
  if not found then
    perform private.refuse('PT404', 'file_not_found', 'This file does not exist.');
  end if;
  perform private.lock_books(array[file.book_id]);
  update private.digital_files set removed_at = clock_timestamp() where id = _id and removed_at is null;
  if not found then return; end if;
  delete from private.download_tickets where file_id = _id;
  if not exists (select from private.digital_files f where f.book_id = file.book_id and f.removed_at is null) then
    perform private.set_digital_stock(file.book_id, 0, 'files');
  end if;
  insert into public.audit_log (table_name, row_id, action, before)
  values ('digital_files', _id, 'delete', jsonb_build_object('book_id', file.book_id, 'name', file.name, 'size', file.size,
    'title', coalesce((select b.title from public.books b where b.id = file.book_id), (select g.title from private.gone_books g where g.id = file.book_id))));
end $$;
select private.expose('remove_digital_file', 'authenticated', 'service_role');

/*
 * Staff: adds licence codes, 1 to 1,000 of at most 200 characters. Returns how many were added and how many were known: in the list twice, or
 * the title has or had them, or a deleted title, which may be this one entered anew. Blank ones are left out. No refusal names a code.
 */
create function private.add_licence_codes(_book_id uuid, _codes text[])
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  book public.books;
  written int;
  added int;
  too_long int;
begin
  perform private.require_duty('catalogue');
  book := private.lock_digital(_book_id, 'code');
  if coalesce(cardinality(_codes), 0) not between 1 and 1000 then
    perform private.refuse('PT400', 'invalid_rows', 'Send 1 to 1,000 codes at once.', '{"limit": 1000}');
  end if;
  select count(private.clean_line(code)), min(place) filter (where length(private.clean_line(code)) > 200) into written, too_long
    from unnest(_codes) with ordinality as given (code, place);
  if too_long is not null then
    perform private.refuse('PT400', 'invalid_field', format('Code %s is too long (at most 200 characters).', too_long),
      jsonb_build_object('field', 'codes', 'rule', 'max_length', 'limit', 200, 'line', too_long));
  end if;
  insert into private.licence_codes (book_id, code)
  select _book_id, private.clean_line(code) from unnest(_codes) with ordinality as given (code, place)
   where private.clean_line(code) is not null
     and not exists (
       select from private.licence_codes c join private.gone_books g on g.id = c.book_id and g.digital_by = 'code'
        where c.code = private.clean_line(given.code))
   order by place
  on conflict (book_id, code) do nothing;
  get diagnostics added = row_count;
  if added > 0 then
    perform private.set_digital_stock(_book_id, book.stock_quantity + added, 'codes');
    insert into public.audit_log (table_name, row_id, action, after)
    values ('licence_codes', _book_id, 'insert', jsonb_build_object('book_id', _book_id, 'title', book.title, 'codes', added));
  end if;
  return jsonb_build_object('added', added, 'known', written - added);
end $$;
select private.expose('add_licence_codes', 'authenticated', 'service_role');

/* Staff: withdraws all codes that no order has or holds; returns how many there were. */
create function private.withdraw_free_codes(_book_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
declare
  book public.books;
  withdrawn int;
begin
  perform private.require_duty('catalogue');
  book := private.lock_digital(_book_id, 'code');
  if book.stock_quantity = 0 then return 0; end if;
  -- Those that orders are being given at this moment are locked: as many as they hold.
  delete from private.licence_codes where id = any (array(
    select c.id from private.licence_codes c where c.book_id = _book_id and c.order_id is null order by c.id desc limit book.stock_quantity
       for update skip locked));
  get diagnostics withdrawn = row_count;
  perform private.set_digital_stock(_book_id, book.stock_quantity - withdrawn, 'codes');
  insert into public.audit_log (table_name, row_id, action, before)
  values ('licence_codes', _book_id, 'delete', jsonb_build_object('book_id', _book_id, 'title', book.title, 'codes', withdrawn));
  return withdrawn;
end $$;
select private.expose('withdraw_free_codes', 'authenticated', 'service_role');
