-- Digital titles: files in pieces and licence codes, who has them, and a stock that follows them.

alter table public.audit_log
  drop constraint audit_log_action_is_known,
  add constraint audit_log_action_is_known
    check (action in ('insert', 'update', 'delete', 'restore', 'import', 'undo', 'merge', 'change', 'read'));
alter table public.stock_movements
  drop constraint stock_movements_reason_is_known,
  add constraint stock_movements_reason_is_known check (reason in (
    'order', 'change', 'cancel', 'delete', 'reopen', 'manual', 'import', 'return',
    'found', 'damaged', 'lost', 'sample', 'gift', 'correction', 'count', 'receipt', 'undo_receipt', 'files', 'codes'
  ));
alter table private.gone_books add column digital_by text;

/*
 * The database's half of app/owner/settings.ts: what each setting may be, and who reads it ('page' and 'server' are public). A new
 * setting is a new line here and there; a test compares the two.
 */
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
    "downloadTimes": {"kind": "number", "label": "Downloads of a file for each copy", "min": 1, "max": 100, "reader": "staff"},
    "downloadHours": {"kind": "number", "label": "Hours for which a download link works", "min": 1, "max": 168, "reader": "staff"},
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
    "staffSecondStep": {"kind": "yes", "label": "Staff need a second step at sign-in", "max": 0, "reader": "staff"},
    "openingDone": {"kind": "lines", "label": "Done or dismissed on the dashboard''s list of first steps", "max": 60, "reader": "staff"}
  }'::jsonb
$$;


-- Digital titles: their files and licence codes, and who has them. Files are stored in pieces of 4 MiB in a private bucket, and their rows
-- here; codes are rows alone. A paid order has access to its titles; nobody else reads a file or a code.
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
  perform private.refuse('PT409', 'code_given', 'A code that was given to an order stays with it.');
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
  expires_at timestamptz not null
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

/*
 * The stock of a digital title follows its files and codes, whatever else is written: what a form, a list or a restored price says of it is
 * left out. A title in use keeps its kind.
 */
create function private.keep_digital_stock()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  task constant text := coalesce(current_setting('shop.task', true), '');
begin
  if (new.kind = 'digital') <> (old.kind = 'digital') or new.digital_by <> old.digital_by then
    if private.is_digital_in_use(new.id) then
      perform private.refuse('PT409', 'kind_in_use', format('%s has files, codes or sales: it can''t become %s. Add a new title instead.', old.title,
        case when new.kind <> 'digital' then 'one that isn''t digital' when old.kind <> 'digital' then 'digital' else 'one that is delivered otherwise' end),
        jsonb_build_object('book_id', new.id));
    end if;
    if new.kind = 'digital' then new.stock_quantity := 0; end if;
  elsif task not in ('files', 'codes') and (new.digital_by = 'file' or task not in ('order', 'change', 'cancel', 'delete', 'reopen', 'return')) then
    new.stock_quantity := old.stock_quantity;
  end if;
  return new;
end $$;
-- Named so that it runs after check_changed_book, which knows the kind.
create trigger keep_digital_stock before update of stock_quantity, kind, digital_by on public.books
  for each row when (new.kind = 'digital' or old.kind = 'digital')
  execute function private.keep_digital_stock();

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

/* A digital title, locked, that is delivered by this; refuses any other. */
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

/* Staff: the files and codes of a digital title; null if it is none. sold: copies in paid orders; free: codes that no order has or holds. */
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
   where i.sold_book_id = _book_id and private.has_digital_access(o.paid_amount, o.total_amount, o.status);
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
 * bytes, at most 200 MB; _sha256 of the whole file in hexadecimal digits. The same _id again is one file.
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
    perform private.refuse('PT409', 'file_incomplete', 'The upload is not complete. Please go on with it.', jsonb_build_object('missing', missing));
  end if;
  insert into private.digital_files (id, book_id, name, type, size, pieces, sha256)
  values (_id, _book_id, private.clean_line(_name), _type, _size, _pieces, _sha256);
  perform private.set_digital_stock(_book_id, private.unlimited_copies(), 'files');
  insert into public.audit_log (table_name, row_id, action, after)
  values ('digital_files', _id, 'insert', jsonb_build_object('book_id', _book_id, 'title', book.title, 'name', private.clean_line(_name), 'size', _size));
end $$;
select private.expose('add_digital_file', 'authenticated', 'service_role');

/* Staff: removes a file, which nobody can download any more; its pieces are deleted a day later. Once more changes nothing. */
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
 * the title has or had them. Blank ones are left out. No refusal names a code.
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
   where private.clean_line(code) is not null order by place
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
-- Who has the files and codes of digital titles: the customer of a paid order, until it is refunded or cancelled.

/* The one rule: whether an order gives access to its digital titles. One of 0 cedis does at once. */
create function private.has_digital_access(_paid numeric, _total numeric, _status text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select _paid >= _total and _status <> 'cancelled'
$$;
grant execute on function private.has_digital_access to authenticated, service_role;

/* How many codes of a title were given to an order. */
create function private.codes_given(_order_id uuid, _book_id uuid)
returns int language sql stable security definer set search_path = '' as $$
  select count(*)::int from private.licence_codes c where c.order_id = _order_id and c.book_id = _book_id
$$;

/*
 * Gives an order with access what it has of digital titles: its codes, an email with a link to the order, and, if there is nothing else in it,
 * the status delivered. What it already has stays, so it may be called again. The caller has locked the order, and its copies are out of
 * stock: there are free codes for all of them, and none that another order is being given at this moment.
 */
create function private.settle_digital(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  settled public.orders;
  line record;
  is_digital boolean;
  has_others boolean;
  task constant text := coalesce(current_setting('shop.task', true), '');
begin
  select * into settled from public.orders where id = _order_id;
  if not private.has_digital_access(settled.paid_amount, settled.total_amount, settled.status) then return; end if;
  select bool_or(d.book_id is not null), bool_or(d.book_id is null) into is_digital, has_others
    from public.order_items i
    left join private.digital_titles(array(select l.sold_book_id from public.order_items l where l.order_id = _order_id)) as d on d.book_id = i.sold_book_id
   where i.order_id = _order_id;
  if is_digital is not true then return; end if;
  if settled.stock_held then
    for line in
      select i.sold_book_id as book_id, i.quantity - private.codes_given(_order_id, i.sold_book_id) as missing
        from public.order_items i
        join private.digital_titles(array(select l.sold_book_id from public.order_items l where l.order_id = _order_id)) as d on d.book_id = i.sold_book_id
       where i.order_id = _order_id and d.digital_by = 'code'
    loop
      update private.licence_codes set order_id = _order_id, given_at = clock_timestamp() where id = any (array(
        select c.id from private.licence_codes c where c.book_id = line.book_id and c.order_id is null order by c.id limit greatest(line.missing, 0)
           for update skip locked));
    end loop;
  end if;
  -- One that waits will say the same.
  if not exists (select from public.outgoing_emails e where e.order_id = _order_id and e.kind = 'downloads_ready' and e.state = 'waiting' and e.lease is null) then
    perform private.queue_email('downloads_ready', format('%s:%s', _order_id, clock_timestamp()), _order_id);
  end if;
  if not has_others and settled.status in ('pending', 'processing') then
    -- That email says it.
    perform set_config('shop.task', 'download', true);
    update public.orders set status = 'delivered' where id = _order_id;
    perform set_config('shop.task', task, true);
  end if;
end $$;

create function private.settle_digital_order()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.settle_digital(new.id);
  return null;
end $$;
create trigger settle_digital after update of paid_amount, total_amount, status on public.orders
  for each row when (private.has_digital_access(new.paid_amount, new.total_amount, new.status)
                     and not private.has_digital_access(old.paid_amount, old.total_amount, old.status))
  execute function private.settle_digital_order();

/* How many times an order's customer may begin to download a file for each copy. Until an admin changes it, as in app/owner/settings.ts. */
create function private.download_times()
returns int language sql stable set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'downloadTimes'), 5)
$$;

create function private.download_hours()
returns int language sql stable set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'downloadHours'), 24)
$$;

/* 'ready'; 'ended' after a refund or cancellation; or 'unpaid'. */
create function private.digital_access(_order public.orders)
returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return case when private.has_digital_access(_order.paid_amount, _order.total_amount, _order.status) then 'ready'
              when _order.status = 'cancelled' or exists (
                select from public.payments p where p.order_id = _order.id and p.state = 'settled' and p.kind <> 'payment') then 'ended'
              else 'unpaid' end;
end $$;

/*
 * Customers: what they can download of one of their own orders: {access: 'ready', 'unpaid' or 'ended', lines: [{book_id, title, copies,
 * files: [{id, name, type, size, left}], codes}]}, size in bytes, left the downloads that can still be begun. Files and codes are
 * empty without access. Null when the order has no digital title or isn't theirs.
 */
create function private.own_downloads(_order_id uuid)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  own public.orders;
  access text;
begin
  select * into own from public.orders o where o.id = _order_id and o.user_id = auth.uid();
  if not found then return null; end if;
  access := private.digital_access(own);
  return (
    select jsonb_build_object('access', access, 'lines', jsonb_agg(jsonb_build_object(
             'book_id', i.sold_book_id, 'title', i.title, 'copies', i.quantity,
             'files', (
               select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'type', f.type, 'size', f.size,
                        'left', greatest(private.download_times() * i.quantity - coalesce(u.used, 0), 0)) order by f.added_at, f.id), '[]')
                 from private.digital_files f left join private.file_downloads u on u.order_id = _order_id and u.file_id = f.id
                where access = 'ready' and d.digital_by = 'file' and f.book_id = i.sold_book_id and f.removed_at is null),
             'codes', (
               select coalesce(jsonb_agg(c.code order by c.id), '[]') from private.licence_codes c
                where access = 'ready' and c.order_id = _order_id and c.book_id = i.sold_book_id)) order by private.fold(i.title), i.id))
      from public.order_items i
      join private.digital_titles(array(select l.sold_book_id from public.order_items l where l.order_id = _order_id)) as d on d.book_id = i.sold_book_id
     where i.order_id = _order_id having count(*) > 0);
end $$;
select private.expose('own_downloads', 'authenticated');

/*
 * Customers: begins the download of a file of one of their own paid orders, and counts it. Returns {token, expires_at}: until then
 * /downloads/{token} responds with the file, as often as it is continued.
 */
create function private.start_download(_order_id uuid, _file_id uuid)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  own public.orders;
  copies int;
  access text;
  most int;
  token constant text := replace(gen_random_uuid()::text, '-', '');
  expires_at constant timestamptz := clock_timestamp() + make_interval(hours => private.download_hours());
begin
  select * into own from public.orders o where o.id = _order_id and o.user_id = auth.uid();
  select sum(i.quantity) into copies
    from private.digital_files f join public.order_items i on i.order_id = own.id and i.sold_book_id = f.book_id
   where f.id = _file_id and f.removed_at is null;
  if copies is null then
    perform private.refuse('PT404', 'file_not_found', 'This file is not part of your order, or is no longer offered.');
  end if;
  access := private.digital_access(own);
  if access <> 'ready' then
    perform private.refuse('PT409', 'no_access', case access when 'unpaid' then 'You can download this once the order is paid.'
                                                             else 'This order was cancelled or refunded, so it can''t be downloaded any more.' end,
      jsonb_build_object('access', access));
  end if;
  most := private.download_times() * copies;
  insert into private.file_downloads as d (order_id, file_id, used) values (_order_id, _file_id, 1)
  on conflict (order_id, file_id) do update set used = d.used + 1 where d.used < most;
  if not found then
    perform private.refuse('PT409', 'downloads_used', format('You have downloaded this file %s times, which is the limit. Please contact us.', most),
      jsonb_build_object('limit', most));
  end if;
  insert into private.download_tickets (token_hash, file_id, order_id, user_id, expires_at)
  values (private.hash_token(token), _file_id, _order_id, auth.uid(), expires_at);
  return jsonb_build_object('token', token, 'expires_at', expires_at);
end $$;
select private.expose('start_download', 'authenticated');

/*
 * The web server, for each request and each piece: what a link leads to now, {state, id, name, type, size, pieces, sha256}. state: 'ready',
 * 'expired', or 'ended' when the order has no access any more or the file was removed. Null for an unknown token.
 */
create function private.find_download(_token text)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
           'state', case when private.has_digital_access(o.paid_amount, o.total_amount, o.status) is not true or f.removed_at is not null then 'ended'
                         when t.expires_at <= clock_timestamp() then 'expired' else 'ready' end,
           'id', f.id, 'name', f.name, 'type', f.type, 'size', f.size, 'pieces', f.pieces, 'sha256', f.sha256)
    from private.download_tickets t
    join private.digital_files f on f.id = t.file_id
    left join public.orders o on o.id = t.order_id
   where t.token_hash = private.hash_token(_token));
end $$;
select private.expose('find_download', 'service_role');

/*
 * Staff with both duties: the codes that were given to an order, [{book_id, title, codes}], also after a refund. The log has who read them and
 * when, without the codes.
 */
create function private.list_given_codes(_order_id uuid)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  number bigint;
  given jsonb;
begin
  perform private.require_duty('catalogue', 'orders');
  select o.number into number from public.orders o where o.id = _order_id;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('book_id', i.sold_book_id, 'title', i.title, 'codes', c.codes) order by private.fold(i.title), i.id), '[]')
    into given
    from public.order_items i
   cross join lateral (select jsonb_agg(l.code order by l.id) as codes from private.licence_codes l
                        where l.order_id = _order_id and l.book_id = i.sold_book_id) as c
   where i.order_id = _order_id and c.codes is not null;
  if given <> '[]' then
    insert into public.audit_log (table_name, row_id, action, after)
    values ('licence_codes', _order_id, 'read', jsonb_build_object('order_id', _order_id, 'number', number,
      'title', (select string_agg(line ->> 'title', ', ') from jsonb_array_elements(given) as line)));
  end if;
  return given;
end $$;
select private.expose('list_given_codes', 'authenticated', 'service_role');

/* For the nightly housekeeping: deletes links that ended a week ago; until then their page says so. */
create function private.forget_old_tickets()
returns void language sql security definer set search_path = '' as $$
  delete from private.download_tickets where expires_at < clock_timestamp() - interval '7 days'
$$;
grant execute on function private.forget_old_tickets to service_role;
-- The bucket of the pieces of digital titles' files. Staff with the duty add them; nobody else reads them, and customers get them from the
-- web server alone. Its own API checks that the first piece is what its type says (server/api/storage).

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('digital-files', 'digital-files', false, private.piece_bytes(), private.digital_types() || '{application/octet-stream}'::text[])
on conflict (id) do update
  set public = excluded.public, file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;

/* The file that a piece belongs to, by its name; null for any other name. */
create function private.file_of_piece(_name text)
returns uuid language sql immutable parallel safe set search_path = '' as $$
  select case when _name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/00([0-4][0-9]|50)$' and _name !~ '0000$' then left(_name, 36)::uuid end
$$;

/* Whether a piece belongs to a file that can be downloaded: it can't be replaced or deleted then. */
create function private.is_piece_in_use(_name text)
returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from private.digital_files f where f.id = private.file_of_piece(_name) and f.removed_at is null)
$$;
grant execute on function private.is_piece_in_use to authenticated, service_role;

/*
 * Refuses a piece with another name than {id}/0001 to {id}/0050, one of a complete file, and more than 150 of one person within 10 minutes,
 * 600 MiB: an end to a script or a stolen session that would fill the disk. In the policy for the reasons of private.admits_cover.
 */
create function private.admits_piece(_name text)
returns boolean language plpgsql stable security definer set search_path = '' as $$
declare
  earliest timestamptz;
  minutes int;
begin
  if private.file_of_piece(_name) is null then
    perform private.refuse('PT400', 'invalid_piece', 'A file is uploaded in at most 50 pieces.');
  elsif exists (select from private.digital_files f where f.id = private.file_of_piece(_name)) then
    perform private.refuse('PT409', 'file_complete', 'This file is complete. Upload a new one instead.');
  end if;
  select created_at into earliest from storage.objects
   where bucket_id = 'digital-files' and owner_id = auth.uid()::text and created_at > now() - interval '10 minutes'
   order by created_at desc offset 149 limit 1;
  if found then
    minutes := greatest(1, ceil(extract(epoch from earliest + interval '10 minutes' - now()) / 60))::int;
    perform private.refuse('PT429', 'too_many_pieces',
      format('You have uploaded 600 MB within 10 minutes. The upload can go on in %s minute%s.', minutes, case when minutes > 1 then 's' end),
      jsonb_build_object('limit', 150, 'retry_after_seconds', minutes * 60));
  end if;
  return true;
end $$;
grant execute on function private.admits_piece to authenticated, service_role;

create policy "staff list pieces of files" on storage.objects
  for select to authenticated using (bucket_id = 'digital-files' and (select private.has_duty('catalogue')));
create policy "staff add pieces of files" on storage.objects
  for insert to authenticated
  with check (case when bucket_id = 'digital-files' then (select private.has_duty('catalogue')) and private.admits_piece(name) else false end);
-- A piece that is sent again because its response was lost.
create policy "staff replace pieces of files" on storage.objects
  for update to authenticated
  using (bucket_id = 'digital-files' and (select private.has_duty('catalogue')) and not private.is_piece_in_use(name))
  with check (case when bucket_id = 'digital-files' then (select private.has_duty('catalogue')) and private.admits_piece(name) else false end);
create policy "staff delete pieces of files" on storage.objects
  for delete to authenticated
  using (bucket_id = 'digital-files' and (select private.has_duty('catalogue')) and not private.is_piece_in_use(name));

/*
 * For the nightly housekeeping: the names of pieces that are a day old and belong to no file, or to one that was removed a day ago; some hundreds
 * at a time.
 */
create function private.list_spare_pieces(_most int default 500)
returns table (name text) language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
   where o.bucket_id = 'digital-files' and o.created_at < now() - interval '1 day'
     and not exists (
       select from private.digital_files f
        where f.id = private.file_of_piece(o.name) and coalesce(f.removed_at, now()) > now() - interval '1 day')
   order by o.name limit _most
$$;
select private.expose('list_spare_pieces', 'service_role');

/* An import adds thousands of books in one statement: one row per publisher. */
create or replace function private.tally_books()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  sign constant int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into private.tallies (counted, value, rows, copies)
  select 'books', coalesce(publisher, ''), sign * count(*), sign * coalesce(sum(stock_quantity) filter (where kind <> 'digital'), 0) from changed group by 2;
  return null;
end $$;


/* Row by row: the old and new rows of a statement that changes every book would not fit into a temporary file. */
create or replace function private.tally_changed_book()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  was constant int := case when old.kind = 'digital' then 0 else old.stock_quantity end;
  is_now constant int := case when new.kind = 'digital' then 0 else new.stock_quantity end;
begin
  if new.publisher is not distinct from old.publisher then
    insert into private.tallies (counted, value, rows, copies)
    values ('books', coalesce(new.publisher, ''), 0, is_now - was);
  else
    insert into private.tallies (counted, value, rows, copies)
    values ('books', coalesce(old.publisher, ''), -1, -was),
           ('books', coalesce(new.publisher, ''), 1, is_now);
  end if;
  return null;
end $$;


create or replace trigger tally_changed_book after update on public.books
  for each row when (new.stock_quantity <> old.stock_quantity or new.kind <> old.kind or new.publisher is distinct from old.publisher)
  execute function private.tally_changed_book();

create or replace function private.check_book()
returns trigger language plpgsql set search_path = '' as $$
declare
  given constant jsonb := to_jsonb(new);
  cleaned jsonb := '{}';
  field record;
  value text;
begin
  for field in select * from private.book_texts() loop
    value := case when field.is_long then private.clean_text(given ->> field.name)
                  else private.clean_line(given ->> field.name) end;
    value := private.require_text(field.name, 'The ' || field.label, value, field.at_most, field.is_required);
    cleaned := cleaned || jsonb_build_object(field.name, value);
  end loop;
  perform private.require_number('price', 'The price', new.price, 0, 99999999.99);
  perform private.require_pesewas('price', 'The price', new.price);
  -- Shown with two decimals, as in every other column of money.
  new.price := round(new.price, 2);
  perform private.require_number('stock_quantity', 'The stock quantity', new.stock_quantity, 0, 10000000);
  new := jsonb_populate_record(new, cleaned);
  -- Older clients, and lists without the column, know of books alone.
  new.kind := coalesce(private.clean_line(new.kind), 'book');
  new.digital_by := case when new.kind = 'digital' then coalesce(private.clean_line(new.digital_by), 'file') end;
  perform private.require_choice('kind', 'The kind', new.kind, private.book_kinds()),
    private.require_choice('digital_by', 'What a digital title is delivered as', new.digital_by, '{file,code}');
  -- A new digital title has no files or codes yet. A restored one may: see restore_book.
  if tg_op = 'INSERT' and new.kind = 'digital' and coalesce(current_setting('shop.task', true), '') <> 'restore' then
    new.stock_quantity := 0;
  end if;
  if not private.fits_shelves(new.title, new.publisher, new.course, new.subject, new.grade_level) then
    perform private.refuse('PT400', 'invalid_field', 'Title, publisher, course, subject and grade level are too long together.',
      jsonb_build_object('field', 'title', 'rule', 'max_length', 'limit', 500));
  end if;
  return new;
end $$;


create or replace function private.archive_stock()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.gone_books (id, title, stock_quantity, digital_by) select d.id, d.title, d.stock_quantity, d.digital_by from deleted d;
  return null;
end $$;


/*
 * Moves stock of several books at once, all or nothing: refuses with the titles that have too few, writes the movements with the
 * reason. Positive quantities come back. The caller has locked the books. Like lock_books, it is planned once for any
 * list of books: with a plan for each list an order of one line takes 7.8 ms in place of 5.8 ms (PostgreSQL 15, 100,000 books).
 */
create or replace function private.move_locked_stock(_book_ids uuid[], _quantities int[], _reason text, _order_id uuid)
returns void language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  moved int;
  short jsonb;
begin
  perform set_config('shop.task', _reason, true), set_config('shop.order', coalesce(_order_id::text, ''), true);
  -- None of the books while one has too few: a refused order must not even give the catalogue a new version.
  update public.books b
     set stock_quantity = b.stock_quantity + m.quantity
    from unnest(_book_ids, _quantities) as m (book_id, quantity)
   where b.id = m.book_id and m.quantity <> 0
     and not exists (
       select from unnest(_book_ids, _quantities) as l (book_id, quantity) join public.books s on s.id = l.book_id
        where s.stock_quantity + l.quantity < 0);
  get diagnostics moved = row_count;

  -- Some are deleted, or some have too few.
  if moved < cardinality(_book_ids) then
    select jsonb_agg(jsonb_build_object(
             'book_id', b.id, 'title', b.title, 'requested', -m.quantity, 'left', b.stock_quantity)
             order by private.fold(b.title))
      into short
      from unnest(_book_ids, _quantities) as m (book_id, quantity)
      join (select id, title, stock_quantity from public.books where moved = 0
            union all select id, title, stock_quantity from private.gone_books) as b on b.id = m.book_id
     where b.stock_quantity + m.quantity < 0;
    if short is not null then
      perform private.refuse('PT409', 'insufficient_stock',
        'Not enough in stock: ' || (
          select string_agg(format('%s (%s left)', line ->> 'title', line ->> 'left'), ', ')
          from jsonb_array_elements(short) as line) || '.',
        jsonb_build_object('lines', short));
    end if;
    update private.gone_books b
       set stock_quantity = b.stock_quantity + m.quantity
      from unnest(_book_ids, _quantities) as m (book_id, quantity)
     where b.id = m.book_id and m.quantity <> 0 and b.digital_by is distinct from 'file';
  end if;
  perform set_config('shop.task', '', true), set_config('shop.order', '', true);
end $$;


/*
 * What an import would do, row by row, for the rows after one line up to another. A book is found by the id that an export gave the
 * row, else by what its ISBN identifies; otherwise the row is a new book. A field that is absent or empty keeps the book's value; in a
 * new book the import's defaults apply. Books that earlier steps of the same import have added are not there yet for a row's
 * ISBN: what a row does must not depend on how many rows a step has.
 */
create or replace function private.plan_book_import(_import_id uuid, _after_line int, _to_line int)
returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb)
language sql stable security definer set search_path = ''
-- Rows that were staged a moment ago are not in the statistics. Otherwise a step of 2,000 rows with one ISBN reads 4,002,000 rows in place
-- of less than 40,000.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with import as (
    select * from public.book_imports where id = _import_id
  ), found as materialized (
    select r.line, r.fields, r.problems, r.isbn_key, r.given_id, own.id is not null as by_id, twins.copies,
           coalesce(own.id, twin.id) as book_id,
           case when own.id is not null then to_jsonb(own) when twin.id is not null then to_jsonb(twin) end
             - '{search_text,word_text,title_key,isbn_key,isbn13,average_rating,review_count,created_at,updated_at}'::text[]
             as before,
           -- The stored spelling stays when it means the same; a rounded one is then no problem either.
           case when own.id is not null
                then own.isbn_key is not distinct from private.isbn_key(r.fields ->> 'isbn') end as same_isbn,
           r.isbn_problem,
           -- The stock of a digital title follows its files and codes.
           case when 'digital' in (own.kind, twin.kind) then '{stock_quantity}' else '{}' end::text[] as not_stock,
           -- By this ISBN, rows without an id find the same book.
           case when own.id is null or own.id = twins.first_id then twins.isbn_key end as shared_key
      from public.book_import_rows r
      -- Each book is looked up by a range, in order: the statistics of a table that was empty a minute ago take it for empty still, and
      -- then only the order keeps the planner from reading all books for each row, along any index.
      left join lateral (
        select b.* from public.books b where b.id >= r.given_id and b.id <= r.given_id order by b.id limit 1
      ) as own on true
      -- An aggregate, because with the order of creation and a limit the look-up is planned along another index.
      cross join lateral (
        select key.isbn_key, count(o.id) as copies, (array_agg(o.id order by o.created_at, o.id))[1] as first_id
          from (select case when own.id is null then r.isbn_key else own.isbn_key end as isbn_key) as key
          left join lateral (
            select b.id, b.created_at from public.books b
             where b.isbn_key >= key.isbn_key and b.isbn_key <= key.isbn_key order by b.isbn_key offset 0
          ) as o on not exists (select from public.book_import_rows a
                            where a.book_id = o.id and (a.import_id = _import_id) is true and a.action = 'add' offset 0)
         group by key.isbn_key
      ) as twins
      left join lateral (
        select b.* from public.books b
         where b.id >= twins.first_id and b.id <= twins.first_id and own.id is null order by b.id limit 1
      ) as twin on true
     where r.import_id = _import_id and r.line > _after_line and r.line <= coalesce(_to_line, 2147483647)
  ), merged as materialized (
    select f.*,
      -- The first row of the file that means the same book. A range, because for what equals a value the planner walks along all lines
      -- to find the first; and only the first is read, though thousands may have the same ISBN, such as "N/A". "is true" keeps the
      -- planner from reading all rows of the import, which it may take for none.
      least(
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.book_id >= f.book_id and e.book_id <= f.book_id
          order by e.book_id, e.line limit 1),
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.given_id >= coalesce(f.book_id, f.given_id)
            and e.given_id <= coalesce(f.book_id, f.given_id)
          order by e.given_id, e.line limit 1),
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.isbn_key >= f.shared_key and e.isbn_key <= f.shared_key
            and (select g.id from public.books g where g.id >= e.given_id and g.id <= e.given_id order by g.id limit 1) is null
            and case when f.book_id is null then coalesce(e.given_id, f.given_id) is null else true end
          order by e.isbn_key, e.line limit 1)
      ) as first_line,
      case when f.book_id is null then
        jsonb_build_object('publisher', i.default_publisher, 'price', i.default_price, 'stock_quantity', i.default_stock)
          || jsonb_strip_nulls(f.fields - '{bad_price,seen_price}'::text[])
      when f.by_id and not f.same_isbn then
        f.before || jsonb_strip_nulls(f.fields - '{bad_price,seen_price}'::text[] - f.not_stock)
      else
        f.before || jsonb_strip_nulls(f.fields - '{isbn,bad_price,seen_price}'::text[] - f.not_stock)
      end as after
      from found f cross join import i
  ), judged as (
    select m.*, m.problems
      || case when m.isbn_problem is not null and not (m.by_id and m.same_isbn) then array[m.isbn_problem] else '{}' end
      || case when m.copies > 1 and not m.by_id then
           array[format('%s books in the shop have this ISBN. Add the ID from an export to say which one.', m.copies)]
         else '{}' end
      || case when m.book_id is null and m.given_id is not null and exists (
           select from public.audit_log a
            where a.table_name = 'books' and a.row_id = m.given_id::text and a.action = 'delete'
         ) then array['This book was deleted from the shop. Restore it in Activity, or empty its ID to add it again.']
         else '{}' end
      -- A change of prices names the price that it was made from.
      || case when m.fields ? 'seen_price' and m.before is null then array['This book was deleted since this list was made.']
              when (m.fields ->> 'seen_price')::numeric <> (m.before ->> 'price')::numeric
              then array['The price of this book was changed since this list was made.'] else '{}' end
      || case when m.before is not null and 'digital' in (m.before ->> 'kind', m.after ->> 'kind')
                and (m.before -> 'kind' <> m.after -> 'kind' or m.before -> 'digital_by' <> m.after -> 'digital_by')
                and private.is_digital_in_use(m.book_id)
              then array['This title has files, codes or sales, so whether and how it is digital can''t change.'] else '{}' end
      -- A row without fields is not a row of books: its problems say so.
      || case when m.fields <> '{}' and m.after ->> 'title' is null then array['The title is missing.'] else '{}' end
      || case when m.fields <> '{}' and m.after ->> 'price' is null and not (m.fields ? 'bad_price')
              then array['The price is missing.'] else '{}' end
      || case when private.fits_shelves(m.after ->> 'title', m.after ->> 'publisher', m.after ->> 'course', m.after ->> 'subject',
                                        m.after ->> 'grade_level') then '{}'
              else array['Title, publisher, course, subject and grade level are too long together.'] end
      || case when m.first_line is null or m.first_line = m.line then '{}'
              when m.given_id is null then array[format('The same ISBN is in line %s.', m.first_line)]
              else array[format('The same book is in line %s.', m.first_line)] end as all_problems
      from merged m
  )
  select j.line,
         case when cardinality(j.all_problems) > 0 then 'refused'
              when j.book_id is null then 'add'
              when j.after = j.before then 'unchanged'
              else 'update' end,
         j.book_id, j.all_problems, j.before, j.after
    from judged j
$$;


/*
 * Staff: undoes the last import, or what has been applied of it: all, or with _rows that many of the last that changed a book, until the
 * returned status is 'undone'. A book that the import added is deleted unless it has been ordered or edited since. Returns how many
 * books were restored, deleted or left unchanged.
 */
create or replace function private.undo_book_import(_import_id uuid, _rows int default null)
returns public.book_imports language plpgsql security definer set search_path = '' set statement_timeout = '120s' as $$
declare
  import public.book_imports;
  from_line int;
  is_last boolean;
  rows_undone int;
  books_restored int;
  books_deleted int;
begin
  perform private.require_duty('catalogue');
  perform private.lock_book_imports();
  perform private.lock_stock(true);
  import := private.lock_book_import(_import_id, 'applied', 'applying', 'undoing');
  if exists (select from public.book_imports
              where status in ('applied', 'applying', 'undoing') and applied_at > import.applied_at) then
    perform private.refuse('PT409', 'import_not_last', 'Only the last import can be undone.');
  end if;
  select min(last.line), count(*) into from_line, rows_undone
    from (select r.line from public.book_import_rows r
           where r.import_id = _import_id and r.line <= import.applied_line and r.action in ('add', 'update')
           order by r.line desc limit case when _rows is not null then greatest(_rows, 1) end) as last;
  is_last := not exists (select from public.book_import_rows r
                          where r.import_id = _import_id and r.line < from_line and r.action in ('add', 'update'));
  perform from public.books
   where id in (select r.book_id from public.book_import_rows r
                 where r.import_id = _import_id and r.line between from_line and import.applied_line
                   and r.action in ('add', 'update'))
   order by id for no key update;

  perform set_config('shop.task', 'import', true);
  books_restored := private.update_books(array(
    select w.book
      from public.book_import_rows r join public.books o on o.id = r.book_id
     cross join lateral (select private.without_import(to_jsonb(o), r.before, r.after) as book) as w
     where r.import_id = _import_id and r.line between from_line and import.applied_line and r.action = 'update'
       -- A book that has been edited since may not fit any more; it stays as it is, or the import could never be undone.
       and private.fits_shelves(w.book ->> 'title', w.book ->> 'publisher', w.book ->> 'course', w.book ->> 'subject',
                                w.book ->> 'grade_level')));
  with undone as (
    delete from public.books o
     using public.book_import_rows r
     where r.import_id = _import_id and r.line between from_line and import.applied_line and r.action = 'add' and o.id = r.book_id
       and not exists (select from public.order_items i where i.book_id = o.id)
       and not (o.kind = 'digital' and private.is_digital_in_use(o.id))
       and not exists (select from public.audit_log a
                        where a.table_name = 'books' and a.row_id = o.id::text and a.action = 'update')
    returning o.id
  )
  select count(*) into books_deleted from undone;
  perform set_config('shop.task', '', true), private.fold_tallies();

  update public.book_imports i
     set status = case when is_last then 'undone' else 'undoing' end,
         undone_at = case when is_last then clock_timestamp() end,
         applied_line = case when is_last then 0 else from_line - 1 end,
         applied_rows = case when is_last then 0 else i.applied_rows - (
           select count(*) from public.book_import_rows r
            where r.import_id = _import_id and r.line between from_line and i.applied_line) end,
         restored = i.restored + books_restored, deleted = i.deleted + books_deleted,
         kept = i.kept + rows_undone - books_restored - books_deleted
   where i.id = _import_id
  returning i.* into import;
  if is_last then
    insert into public.audit_log (table_name, row_id, action, after)
    values ('books', _import_id::text, 'undo', to_jsonb(import) - 'headings');
  end if;
  return import;
end $$;


/*
 * Moves all copies of an order, even those of deleted books: 1 returns them, -1 takes them. Not those of a digital title whose codes were
 * given: they stay with the order.
 */
create or replace function private.move_order_stock(_order_id uuid, _direction int, _reason text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  book_ids uuid[];
  quantities int[];
begin
  select array_agg(i.sold_book_id), array_agg(i.copies * _direction) into book_ids, quantities
    from (select sold_book_id, quantity - private.codes_given(_order_id, sold_book_id) as copies
            from public.order_items where order_id = _order_id offset 0) as i
   where i.copies <> 0;
  if book_ids is not null then
    perform private.move_stock(book_ids, quantities, _reason, _order_id);
  end if;
end $$;


/*
 * Writes an order's lines at these prices and takes the copies, or refuses all of it with the titles that have too few.
 * The caller holds the lock on stock and has locked the books. Planned once, as private.move_locked_stock. What costs nothing is there at once.
 */
create or replace function private.fill_order(_order_id uuid, _book_ids uuid[], _quantities int[], _prices numeric[])
returns void language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  insert into public.order_items (order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn)
  select _order_id, b.id, b.id, l.quantity, l.price, b.title, b.publisher, b.isbn
    from unnest(_book_ids, _quantities, _prices) as l (book_id, quantity, price) join public.books b on b.id = l.book_id;
  perform private.move_locked_stock(_book_ids, array(select -q from unnest(_quantities) with ordinality as u (q, n) order by n),
    'order', _order_id);
  if 0 = all (_prices) then perform private.settle_digital(_order_id); end if;
end $$;


/*
 * Admins: restores the book of a deletion in the audit log, with its reviews and its place in orders; returns its id.
 */
create or replace function private.restore_book(_audit_id bigint)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  archived public.audit_log;
  book public.books;
  review jsonb;
begin
  perform private.require_duty('catalogue', 'deletions');
  perform private.lock_stock(true);
  archived := private.find_deleted('books', _audit_id);
  book := jsonb_populate_record(null::public.books, archived.before);
  -- Include what its orders moved while it was deleted.
  book.stock_quantity := coalesce((select g.stock_quantity from private.gone_books g where g.id = book.id), book.stock_quantity);
  if book.digital_by = 'file' then
    book.stock_quantity := case when exists (select from private.digital_files f where f.book_id = book.id and f.removed_at is null)
                                then private.unlimited_copies() else 0 end;
  end if;
  perform set_config('shop.task', 'restore', true);
  perform private.insert_books(array[to_jsonb(book)]);
  for review in
    select before from public.audit_log
     where table_name = 'reviews' and action = 'delete' and transaction_id = archived.transaction_id
       and before ->> 'book_id' = book.id::text
       and exists (select from public.profiles p where p.id = (before ->> 'user_id')::uuid)
  loop
    perform private.insert_review(review);
  end loop;
  perform set_config('shop.task', '', true);
  update public.order_items set book_id = book.id where sold_book_id = book.id and book_id is null;
  return book.id;
exception when unique_violation then
  perform private.refuse('PT409', 'already_restored', 'This book has already been restored.');
end $$;


/*
 * Admins: restores an order with its lines as it was when last deleted; returns its id. If its copies returned to stock then, they are taken
 * again, for deleted books from their archived stock; if too few are left, the restore is refused.
 */
create or replace function private.restore_order(_order_id uuid)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  archived public.audit_log;
  gone public.orders;
begin
  perform private.require_duty('orders', 'deletions');
  perform private.lock_stock(true);
  select * into archived from public.audit_log
   where table_name = 'orders' and row_id = _order_id::text and action = 'delete'
   order by id desc limit 1;
  if not found then
    perform private.refuse('PT404', 'not_in_archive', 'This deletion is no longer in the log.');
  end if;
  gone := jsonb_populate_record(null::public.orders, archived.before);
  perform set_config('shop.task', 'restore', true);
  -- A deletion from before orders had numbers, or deliveries, has none.
  gone.delivery_method := coalesce(gone.delivery_method, 'deliver');
  gone.delivery_fee := coalesce(gone.delivery_fee, 0);
  perform private.insert_order(gone);
  insert into public.order_items (id, order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn)
  select i.id, i.order_id, b.id, i.sold_book_id, i.quantity, i.price, i.title, i.publisher, i.isbn
    from public.audit_log a
   cross join lateral jsonb_populate_record(null::public.order_items, a.before) as i
    left join public.books b on b.id = i.sold_book_id
   where a.table_name = 'order_items' and a.action = 'delete'
     and a.transaction_id = archived.transaction_id and a.before ->> 'order_id' = _order_id::text;
  perform set_config('shop.task', '', true);
  if gone.stock_held and gone.status in ('pending', 'processing') then
    perform private.move_order_stock(_order_id, -1, 'reopen');
  end if;
  perform private.settle_digital(_order_id);
  return _order_id;
exception when unique_violation then
  perform private.refuse('PT409', 'already_restored', 'This order has already been restored.');
end $$;


/*
 * Staff: places a pending order for a customer, or, without _customer_id, for a caller who has no account; returns its id. 1 to 500
 * different books, 1 to 999 copies of each; _total in cedis is what the customer was quoted, delivery included; _order as in
 * accept_quote. _order_id is chosen by the client, so that a retry orders nothing twice; refused if that order is another one: staff may
 * have changed what they typed because the first response was lost.
 */
create or replace function private.place_order_for(
  _order_id uuid, _customer_id uuid, _book_ids uuid[], _quantities int[], _total numeric, _order jsonb
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  placed public.orders;
  before public.orders;
  prices numeric[];
  missing int;
  is_digital boolean;
  has_digital boolean;
begin
  perform private.require_duty('orders');
  -- Whoever has an order for an account sees the account.
  if _customer_id is not null then perform private.require_duty('people'); end if;
  placed := private.read_order(_order);
  -- A caller may have no email address; staff leave it empty.
  placed.recipient_email := private.clean_line(placed.recipient_email);
  placed.recipient_phone := private.clean_line(placed.recipient_phone);
  placed := private.clean_order(placed);
  -- A retry that overtakes its first request waits for it.
  perform pg_advisory_xact_lock(hashtext('private.place_order_for'), hashtext(_order_id::text));
  -- Before any row, like everything that moves stock.
  perform private.lock_stock(false);
  select * into before from public.orders where id = _order_id;
  if found then
    if before.user_id is distinct from _customer_id
       or private.typed_of_order(to_jsonb(before)) <> private.typed_of_order(to_jsonb(placed))
       or exists (select from (select sold_book_id, quantity from public.order_items where order_id = _order_id) as l (id, quantity)
                    full join unnest(_book_ids, _quantities) as asked (id, quantity) using (id, quantity)
                   where l is null or asked is null) then
      perform private.refuse('PT409', 'order_exists',
        format('This was placed as order %s before your last changes. Change it there.', before.number),
        jsonb_build_object('number', before.number));
    end if;
    return _order_id;
  end if;
  placed.id := coalesce(_order_id, gen_random_uuid());
  placed.user_id := _customer_id;
  if _customer_id is not null and not exists (select from public.profiles where id = _customer_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  perform private.require_text('recipient_name', 'The name', placed.recipient_name, 200, true);
  perform private.require_text('recipient_phone', 'The phone number', placed.recipient_phone, 40, true);

  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 999) from unnest(_quantities) as quantity;
  perform private.lock_books(_book_ids);
  select array_agg(b.price order by l.place), coalesce(sum(b.price * l.quantity), 0), count(*) - count(b.id),
         bool_and(b.kind = 'digital'), bool_or(b.kind = 'digital')
    into prices, placed.total_amount, missing, is_digital, has_digital
    from unnest(_book_ids, _quantities) with ordinality as l (id, quantity, place) left join public.books b on b.id = l.id;
  if missing > 0 then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  elsif has_digital and _customer_id is null then
    perform private.refuse('PT409', 'account_needed', 'Digital titles are downloaded from the customer''s account. Please choose one.');
  end if;
  placed.delivery_fee := private.require_delivery_fee(placed.region, placed.delivery_method, placed.total_amount, is_digital);
  placed.total_amount := placed.total_amount + placed.delivery_fee;
  if placed.total_amount is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you place it.',
      to_char(placed.total_amount, 'FM999999990.00')), jsonb_build_object('total', placed.total_amount, 'delivery_fee', placed.delivery_fee));
  end if;
  perform private.require_number('total', 'The total', placed.total_amount, 0, 99999999.99);

  placed.status := 'pending';
  placed.stock_held := true;
  perform private.insert_order(placed);
  perform private.fill_order(placed.id, _book_ids, _quantities, prices);
  perform private.queue_order_emails(placed.id);
  return placed.id;
end $$;


/*
 * Replaces an order's lines by these, as order_lines_as_json has them; a line without an id is new. Moves the difference in copies, or
 * refuses the whole change with the titles that have too few. The caller has locked stock and order.
 */
create or replace function private.write_order_lines(_order public.orders, _lines jsonb, _delivery_fee numeric)
returns void language plpgsql security definer set search_path = '' as $$
declare
  before constant jsonb := private.changed_order_as_json(_order.id);
  book_ids uuid[];
  quantities int[];
  total numeric;
  change_id bigint;
begin
  select sum(l.price * l.quantity) + _delivery_fee into total from jsonb_populate_recordset(null::public.order_items, _lines) as l;
  perform private.require_number('total', 'The total', total, 0, 99999999.99);
  if exists (
    select from public.order_items i left join jsonb_populate_recordset(null::public.order_items, _lines) as l on l.id = i.id
     where i.order_id = _order.id and coalesce(l.quantity, 0) < i.quantity and coalesce(l.quantity, 0) < private.codes_given(_order.id, i.sold_book_id)
  ) then
    perform private.refuse('PT409', 'codes_given', 'The customer already has licence codes of this order: these copies can''t be taken out of it.');
  end if;
  select array_agg(d.id), array_agg(d.copies) into book_ids, quantities
    from (select m.id, sum(m.copies) as copies
            from (select i.sold_book_id, i.quantity from public.order_items i where i.order_id = _order.id
                  union all
                  select l.sold_book_id, -l.quantity from jsonb_populate_recordset(null::public.order_items, _lines) as l) as m (id, copies)
           group by m.id having sum(m.copies) <> 0) as d;
  if book_ids is not null and _order.stock_held then
    perform private.move_stock(book_ids, quantities, 'change', _order.id);
  end if;

  perform set_config('shop.task', 'change', true);
  delete from public.order_items i
   where i.order_id = _order.id
     and not exists (select from jsonb_populate_recordset(null::public.order_items, _lines) as l where l.id = i.id);
  update public.order_items i
     set quantity = l.quantity
    from jsonb_populate_recordset(null::public.order_items, _lines) as l
   where i.id = l.id and i.order_id = _order.id and i.quantity <> l.quantity;
  insert into public.order_items (id, order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn)
  select coalesce(l.id, gen_random_uuid()), _order.id, b.id, l.sold_book_id, l.quantity, l.price, l.title, l.publisher, l.isbn
    from jsonb_populate_recordset(null::public.order_items, _lines) as l left join public.books b on b.id = l.sold_book_id
   where not exists (select from public.order_items i where i.id = l.id);
  update public.orders set total_amount = total, delivery_fee = _delivery_fee where id = _order.id;
  perform set_config('shop.task', '', true);
  perform private.settle_digital(_order.id);

  insert into public.audit_log (table_name, row_id, action, before, after)
  values ('orders', _order.id, 'change', before, private.changed_order_as_json(_order.id)) returning id into change_id;
  -- One that waits will say what the order is when it is sent; locked, so that none is sent before this is committed.
  perform from public.outgoing_emails e
   where e.order_id = _order.id and e.kind = 'order_changed' and e.state = 'waiting' and e.lease is null for update;
  if not found then
    perform private.queue_email('order_changed', format('%s:%s', _order.id, change_id), _order.id);
  end if;
end $$;


/*
 * Staff: replaces the books of a pending or processing order: 1 to 500 different ones, 1 to 9,999 copies of each. Books already ordered
 * keep their price, new ones get the current price. The delivery fee is recalculated, unless the order's prices include it, as a quote's
 * do. Refused if the order has changed since _updated_at, or if its new total is not _total (in cedis, delivery
 * included). Repeating the call changes nothing.
 */
create or replace function private.change_order(_order_id uuid, _updated_at timestamptz, _book_ids uuid[], _quantities int[], _total numeric)
returns void language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  changed public.orders;
  lines jsonb;
  known int;
  books_total numeric;
  fee numeric;
  is_digital boolean;
begin
  perform private.require_duty('orders');
  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 9999) from unnest(_quantities) as quantity;
  perform private.lock_stock(true);
  changed := private.lock_open_order(_order_id);
  if exists (select from public.order_items i where i.order_id = _order_id and i.sold_book_id is null) then
    perform private.refuse('PT409', 'line_without_book', 'A line of this order doesn''t say which book it is, so its books can''t be changed.');
  elsif not exists (select from (select sold_book_id, quantity from public.order_items where order_id = _order_id) as l (id, quantity)
                   full join unnest(_book_ids, _quantities) as asked (id, quantity) using (id, quantity)
                  where l is null or asked is null) then
    return;
  elsif changed.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'order_changed', 'This order has changed since you opened it. Check it before you change it.');
  end if;
  perform private.lock_books(_book_ids);
  select count(coalesce(i.sold_book_id, b.id)), sum(coalesce(i.price, b.price) * asked.quantity),
         bool_and(coalesce(b.kind = 'digital', g.digital_by is not null)),
         jsonb_agg(jsonb_build_object('id', i.id, 'sold_book_id', asked.id, 'quantity', asked.quantity, 'price', coalesce(i.price, b.price),
                                      'title', coalesce(i.title, b.title), 'publisher', case when i.id is null then b.publisher else i.publisher end,
                                      'isbn', case when i.id is null then b.isbn else i.isbn end))
    into known, books_total, is_digital, lines
    from unnest(_book_ids, _quantities) as asked (id, quantity)
    left join public.order_items i on i.order_id = _order_id and i.sold_book_id = asked.id
    left join public.books b on b.id = asked.id
    left join private.gone_books g on g.id = asked.id;
  if known < titles then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  end if;
  fee := case when exists (select from public.quotes q where q.order_id = _order_id) then changed.delivery_fee
              else coalesce(private.order_delivery_fee(changed.region, changed.delivery_method, books_total, is_digital),
                            changed.delivery_fee) end;
  if books_total + fee is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you change it.',
      to_char(books_total + fee, 'FM999999990.00')), jsonb_build_object('total', books_total + fee, 'delivery_fee', fee));
  end if;
  perform private.write_order_lines(changed, lines, fee);
end $$;


/*
 * The one list of the kinds of emails: who gets them, 'customer', 'recipient' (of someone else's order), 'supplier' or 'owner', and what their text is
 * read from when they are sent. A new kind is a new line here and in app/lib/email-kinds.ts, which has its name and leads to its text.
 */
create or replace function private.email_kinds()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "order_placed": {"audience": "customer", "topic": "order"},
    "order_status_changed": {"audience": "customer", "topic": "order"},
    "order_changed": {"audience": "customer", "topic": "order"},
    "order_cancelled": {"audience": "customer", "topic": "order"},
    "downloads_ready": {"audience": "customer", "topic": "order"},
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
    "purchase_order_sent": {"audience": "supplier", "topic": "purchase"},
    "consultation_received": {"audience": "customer", "topic": "consultation"},
    "consultation_answered": {"audience": "customer", "topic": "consultation"},
    "consultation_dated": {"audience": "customer", "topic": "consultation"},
    "recipient_order_placed": {"audience": "recipient", "topic": "order"},
    "recipient_order_shipped": {"audience": "recipient", "topic": "order"},
    "new_order": {"audience": "owner", "topic": "order"},
    "order_cancelled_by_customer": {"audience": "owner", "topic": "order"},
    "payment_needs_decision": {"audience": "owner", "topic": "payment"},
    "quote_requested": {"audience": "owner", "topic": "quote"},
    "consultation_requested": {"audience": "owner", "topic": "consultation"},
    "low_stock": {"audience": "owner", "topic": "stock"}
  }'::jsonb
$$;


create or replace function private.queue_status_emails()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- An order that is delivered because it can be downloaded has an email of its own (private.settle_digital).
  if current_setting('shop.task', true) = 'download' then return null; end if;
  if new.to_status <> 'cancelled' then
    perform private.queue_email('order_status_changed', new.id::text, new.order_id, new.to_status);
    if new.to_status = 'shipped' then
      perform private.queue_email('recipient_order_shipped', new.id::text, new.order_id, new.to_status);
    end if;
    return null;
  end if;
  perform private.queue_email('order_cancelled', new.id::text, new.order_id, new.to_status);
  if exists (select from public.orders o where o.id = new.order_id and o.user_id = new.actor) then
    perform private.queue_email('order_cancelled_by_customer', new.id::text, new.order_id, new.to_status);
  end if;
  return null;
end $$;


/*
 * Once a day from 07:00 in Ghana (UTC): an email about low stock, if any book has fallen to it since the last one. Asked by the
 * worker rather than by a trigger, because orders would wait for each other at the day's one row.
 */
create or replace function private.queue_low_stock_email(_now timestamptz default clock_timestamp())
returns void language plpgsql security definer set search_path = '' as $$
declare
  today text := (_now at time zone 'UTC')::date;
  last_one timestamptz;
begin
  if extract(hour from _now at time zone 'UTC') < 7
     or exists (select from public.outgoing_emails where kind = 'low_stock' and event = today) then
    return;
  end if;
  select max(created_at) into last_one from public.outgoing_emails where kind = 'low_stock' and event is not null;
  if exists (
    select from public.books b
     where b.stock_quantity < private.low_stock() and b.kind <> 'digital'
       and b.stock_quantity - (
         select coalesce(sum(m.quantity), 0) from public.stock_movements m
          where m.book_id = b.id and m.created_at > coalesce(last_one, '-infinity')
       ) >= private.low_stock()
  ) then
    perform private.queue_email('low_stock', today, null);
  end if;
end $$;

/* The worker, now and then: the day's email about low stock, if there is a reason for one. */
create or replace function public.queue_low_stock_email()
returns void language sql set search_path = '' as $$ select private.queue_low_stock_email() $$;


/* The 50 titles of which fewest are left, and how many are low; null when none is. */
create or replace function private.email_stock()
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('count', (select count(*) from public.books where stock_quantity < private.low_stock() and kind <> 'digital'),
                            'books', jsonb_agg(low))
    from (select b.title, b.publisher, b.stock_quantity as left
            from public.books b
           where b.stock_quantity < private.low_stock() and b.kind <> 'digital'
           order by b.stock_quantity, b.id limit 50) as low
  having count(*) > 0
$$;


/*
 * Whether an email would be out of date: the books are there again, the quote or purchase order is another by now, a changed order is cancelled, or a customer
 * no longer waits for a book or it is sold out again, or what an email about an event says is no longer so.
 */
create or replace function private.has_nothing_to_say(_email public.outgoing_emails)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return case private.email_topic(_email.kind)
    when 'stock' then private.email_stock() is null
    when 'quote' then private.email_quote(_email) is null
    when 'alert' then private.email_stock_alert(_email) is null
    when 'registration' then private.email_registration(_email) is null
    when 'subscription' then private.email_subscription(_email) is null
    when 'purchase' then private.email_purchase(_email) is null
    when 'consultation' then private.email_consultation(_email) is null
    -- Another email says that it is.
    when 'order' then case _email.kind
      when 'order_changed' then _email.resend_of is null
        and exists (select from public.orders o where o.id = _email.order_id and o.status = 'cancelled')
      when 'downloads_ready' then not exists (
        select from public.orders o
         where o.id = _email.order_id and private.has_digital_access(o.paid_amount, o.total_amount, o.status))
      else false end
    else false
  end;
end $$;


/*
 * Staff: books what arrived in one step: the copies to sell go into stock with the reason 'receipt', and those of a purchase order count
 * there. _lines: [{"book_id": …, "copies": …, "damaged": …, "cost": of a copy or null}], one a book; an ordered book without a cost has
 * that of the purchase order. Against a purchase order, _version is the one that staff saw, and its currency counts. _rate is cedis
 * for one unit of the currency, 1 for GHS. The same _id again books nothing.
 */
create or replace function private.book_receipt(
  _id uuid, _lines jsonb, _purchase_order_id uuid default null, _version int default null, _currency text default 'GHS',
  _rate numeric default 1, _note text default null
)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
  note constant text := private.require_text('note', 'The note', private.clean_text(_note), 2000);
  currency text := _currency;
  rate constant numeric := round(_rate, 6);
  book_ids constant uuid[] := array(select l.book_id from private.read_receipt_lines(_lines) as l order by 1);
  moved_ids uuid[];
  moved_copies int[];
begin
  perform private.require_duty('stock');
  -- Before any row, like everything that moves stock; then the purchase order and the books.
  perform private.lock_stock(false);
  if _purchase_order_id is not null then
    select * into purchase from public.purchase_orders where id = _purchase_order_id for no key update;
    if exists (select from public.receipts where id = _id) then return _id; end if;
    purchase := private.lock_purchase_order(_purchase_order_id, _version);
    if purchase.status not in ('sent', 'part_received') then
      perform private.refuse('PT409', 'purchase_order_not_sent', 'Goods are received against a purchase order that has been sent.',
        jsonb_build_object('status', purchase.status));
    end if;
    currency := purchase.currency;
  end if;
  if coalesce(currency, '') not in ('GHS', 'GBP', 'USD', 'EUR', 'NGN', 'ZAR', 'INR', 'CNY', 'AED') then
    perform private.refuse('PT400', 'invalid_field', 'Choose the currency.', '{"field": "currency", "rule": "choice"}');
  elsif currency = 'GHS' and rate is distinct from 1 then
    perform private.refuse('PT400', 'invalid_field', 'The rate of cedis is 1.', '{"field": "rate", "rule": "range"}');
  end if;
  perform private.require_number('rate', 'The rate', rate, 0.000001, 100000);
  insert into public.receipts (id, purchase_order_id, currency, rate, note) values (_id, _purchase_order_id, currency, rate, note)
  on conflict (id) do nothing;
  if not found then return _id; end if;

  perform private.lock_books(book_ids);
  perform private.refuse_digital(book_ids);
  insert into public.receipt_lines (receipt_id, book_id, title, isbn, expected, copies, damaged, cost, cost_cedis)
  select _id, b.id, b.title, b.isbn, case when p.id is not null then greatest(p.copies - p.received, 0) end, l.copies, l.damaged, c.cost, round(c.cost * rate, 6)
    from private.read_receipt_lines(_lines) as l
    join public.books b on b.id = l.book_id
    left join public.purchase_order_lines p on p.purchase_order_id = _purchase_order_id and p.book_id = l.book_id
   cross join lateral (select coalesce(l.cost, p.cost) as cost) as c
   order by private.fold(b.title), b.id;
  if (select count(*) from public.receipt_lines where receipt_id = _id) < cardinality(book_ids) then
    perform private.refuse('PT404', 'book_not_found', 'A book of this receipt no longer exists.');
  end if;
  select array_agg(l.book_id), array_agg(l.copies) into moved_ids, moved_copies
    from public.receipt_lines l where l.receipt_id = _id and l.copies > 0;
  if moved_ids is not null then
    perform private.move_locked_stock(moved_ids, moved_copies, 'receipt', null);
    -- The books are locked: their last movements are these.
    update public.receipt_lines l
       set movement_id = (select max(m.id) from public.stock_movements m where m.book_id = l.book_id)
     where l.receipt_id = _id and l.copies > 0;
    perform private.move_costs(_id, 1);
  end if;
  if _purchase_order_id is not null then
    perform private.follow_received(_purchase_order_id, _id, 1);
  end if;
  return _id;
end $$;


/*
 * Staff: adds copies to a book's stock, or takes some out (negative), even while others are being sold. _reason found, damaged, lost, sample,
 * gift or correction; more copies are found or corrected. _note has at most 200 characters. Returns the copies that there are now. Repeating
 * a _change_id moves nothing.
 */
create or replace function private.change_stock(_change_id uuid, _book_id uuid, _copies int, _reason text, _note text default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  book public.books;
begin
  perform private.require_duty('stock');
  perform private.lock_stock(false);
  perform private.lock_books(array[_book_id]);
  select * into book from public.books where id = _book_id;
  if book.id is null then
    perform private.refuse('PT404', 'book_not_found', 'This book no longer exists.');
  elsif exists (select from public.stock_movements where change_id = _change_id) then
    return book.stock_quantity;
  end if;
  perform private.refuse_digital(array[_book_id]);
  perform private.require_number('copies', 'The number of copies', nullif(_copies, 0), -10000000, 10000000);
  if book.stock_quantity + _copies < 0 then
    perform private.refuse('PT409', 'insufficient_stock', format('There are only %s in stock.', book.stock_quantity),
      jsonb_build_object('left', book.stock_quantity));
  end if;
  perform private.explain_stock_change(_copies, _reason, _note, _change_id);
  update public.books set stock_quantity = stock_quantity + _copies where id = _book_id;
  perform private.end_stock_explanation();
  return book.stock_quantity + _copies;
end $$;


/*
 * Staff: saves a book whose stock was changed, its fields as JSON, unless it has changed since _updated_at. _reason and _note as in
 * change_stock. Returns whether it was saved.
 */
create or replace function private.change_book(_book_id uuid, _updated_at timestamptz, _book jsonb, _reason text, _note text default null)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
  stored public.books;
  changed public.books;
begin
  perform private.require_duty('catalogue');
  perform private.lock_stock(false);
  perform private.lock_books(array[_book_id]);
  select * into stored from public.books where id = _book_id;
  if stored.id is null or stored.updated_at <> _updated_at then return false; end if;
  changed := jsonb_populate_record(stored, coalesce(_book, '{}') - '{id,created_at}'::text[]);
  if changed.stock_quantity <> stored.stock_quantity and 'digital' not in (stored.kind, coalesce(changed.kind, 'book')) then
    perform private.explain_stock_change(changed.stock_quantity - stored.stock_quantity, _reason, _note);
  end if;
  perform private.update_books(array[to_jsonb(changed)]);
  perform private.end_stock_explanation();
  return true;
end $$;


/*
 * Staff begin a count. _scope publisher (_value is its name), shelf (_value is how the places begin, in any case) or books (_codes are ISBNs
 * or codes in any spelling, at most 10,000; those without a book are kept in unknown_codes). The same _id again begins nothing.
 */
create or replace function private.begin_stock_count(_id uuid, _name text, _scope text, _value text default null, _codes text[] default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  written_name constant text := private.clean_line(_name);
  value constant text := private.clean_line(_value);
  unknown text[] := '{}';
begin
  perform private.require_duty('stock');
  if exists (select from public.stock_counts c where c.id = _id) then return; end if;
  perform private.require_text('name', 'The name', written_name, 100, true);
  if coalesce(_scope, '') not in ('publisher', 'shelf', 'books') then
    perform private.refuse('PT400', 'invalid_field', 'Choose what is counted.', jsonb_build_object('field', 'scope', 'rule', 'choice'));
  elsif _scope <> 'books' and value is null then
    perform private.refuse('PT400', 'invalid_field', 'Choose a publisher or write a shelf place.',
      jsonb_build_object('field', 'value', 'rule', 'required'));
  elsif cardinality(_codes) > 10000 then
    perform private.refuse('PT400', 'too_many_lines', 'A count begins with at most 10,000 lines.', jsonb_build_object('limit', 10000));
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


/* The book that was scanned: the one of this id or code; of several with the code the only one that is in the count's scope. */
create or replace function private.scanned_book(_count_id uuid, _code text, _book_id uuid)
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


/* Staff: the copies in stock and what they cost, as far as it is known; copies without a cost are counted apart. */
create or replace function private.report_stock_value()
returns table (copies bigint, cost numeric, unknown_copies bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  return query
    select coalesce(sum(b.stock_quantity) filter (where c.average is not null), 0)::bigint, coalesce(round(sum(b.stock_quantity * c.average), 2), 0),
           coalesce(sum(b.stock_quantity) filter (where c.average is null), 0)::bigint
      from public.books b
      left join (select distinct on (k.book_id) k.book_id, k.average from private.book_costs k order by k.book_id, k.since desc) as c on c.book_id = b.id
     where b.stock_quantity > 0 and b.kind <> 'digital';
end $$;


/*
 * Staff: what a term from _from to _to needs, by supplier and title: books of which more are needed than there are, and those on booklists
 * whose number of pupils is unknown; with _covered all that are needed. _supplier: a supplier's id, 'none', or all; _publisher a name.
 *
 * needed = the larger of (listed - sold_in_year, sold_last_year - sold_in_term, 0) + waiting; proposed = needed - stock - on_its_way -
 * drafted, at least 0. listed: pupils times copies of the required lines of published booklists. lists: [{"booklist_id", "school",
 * "class_name", "pupils" or null, "copies", "is_required"}]. Copies of open orders left the stock when they were placed. A book's supplier is
 * the one of its last purchase order that is not cancelled, otherwise that of its publisher's; hidden ones don't count. found: of how many
 * lines these are the first _limit.
 */
create or replace function private.list_purchase_needs(
  _from date, _to date, _supplier text default null, _publisher text default null, _covered boolean default false, _limit int default 1000
)
returns table (
  book_id uuid, title text, publisher text, isbn text, supplier_id uuid, supplier_name text, lists jsonb, listed bigint,
  sold_in_year bigint, sold_last_year bigint, sold_in_term bigint, waiting bigint, stock int, on_its_way bigint, drafted bigint,
  needed bigint, proposed bigint, found bigint
) language plpgsql stable security definer set search_path = '' set work_mem = '32MB' as $$
declare
  today constant date := private.today();
  days record;
begin
  perform private.require_duty('stock');
  perform private.require_period(_from, _to);
  select * into days from private.need_periods(_from, _to);
  return query
    with listed as materialized (
      select l.book_id, coalesce(sum(l.copies * n.pupils) filter (where l.is_required), 0)::bigint as copies,
             bool_or(l.is_required and n.pupils is null) as is_unknown,
             jsonb_agg(jsonb_build_object('booklist_id', n.id, 'school', n.school, 'class_name', n.class_name, 'pupils', n.pupils,
               'copies', l.copies, 'is_required', l.is_required) order by n.school_key, n.class_key, n.id) as lists
        from public.booklists n join public.booklist_lines l on l.booklist_id = n.id
       where n.status = 'published' and n.school_year = days.school_year and l.book_id is not null
       group by 1
    ), sold as materialized (
      select s.key::uuid as book_id, sum(s.copies) filter (where s.period = 'year') as in_year,
             sum(s.copies) filter (where s.period = 'last') as last_year, sum(s.copies) filter (where s.period = 'term') as in_term
        from (select 'year' as period, y.key, y.copies from private.sales_of('book', days.year_from, least(today, _to), null, null) as y
              union all
              select 'last', l.key, l.copies from private.sales_of('book', days.last_from, days.last_to, null, null) as l
              union all
              select 'term', t.key, t.copies from private.sales_of('book', days.sales_from, least(today, _to), null, null) as t) as s
       where s.key <> ''
       group by 1
    ), waits as materialized (
      select a.book_id, count(*) as customers from public.stock_alerts a group by 1
    ), purchased as materialized (
      select l.book_id, o.supplier_id, o.created_at, o.id, s.hidden,
             case when o.status in ('sent', 'part_received') then greatest(l.copies - l.received, 0) else 0 end as sent,
             case when o.status = 'draft' then greatest(l.copies - l.received, 0) else 0 end as drafted
        from public.purchase_order_lines l join public.purchase_orders o on o.id = l.purchase_order_id
        join public.suppliers s on s.id = o.supplier_id
       where o.status <> 'cancelled'
    ), coming as materialized (
      select p.book_id, sum(p.sent)::bigint as sent, sum(p.drafted)::bigint as drafted from purchased p group by 1
    ), of_book as materialized (
      select distinct on (p.book_id) p.book_id, p.supplier_id from purchased p where not p.hidden
       order by p.book_id, p.created_at desc, p.id
    ), of_publisher as materialized (
      select distinct on (b.publisher) b.publisher, p.supplier_id
        from purchased p join public.books b on b.id = p.book_id where not p.hidden and b.publisher is not null
       order by b.publisher, p.created_at desc, p.id
    ), needs as (
      select b.id, b.title, b.title_key, b.publisher, b.isbn, b.stock_quantity, coalesce(ob.supplier_id, op.supplier_id) as supplier_id,
             coalesce(l.lists, '[]') as lists, coalesce(l.copies, 0) as listed, coalesce(l.is_unknown, false) as is_unknown,
             coalesce(s.in_year, 0)::bigint as in_year, coalesce(s.last_year, 0)::bigint as last_year,
             coalesce(s.in_term, 0)::bigint as in_term, coalesce(w.customers, 0) as waiting, coalesce(c.sent, 0) as sent,
             coalesce(c.drafted, 0) as drafted,
             (greatest(coalesce(l.copies, 0) - coalesce(s.in_year, 0), coalesce(s.last_year, 0) - coalesce(s.in_term, 0), 0)
               + coalesce(w.customers, 0))::bigint as needed
        from public.books b
        left join listed l on l.book_id = b.id
        left join sold s on s.book_id = b.id
        left join waits w on w.book_id = b.id
        left join coming c on c.book_id = b.id
        left join of_book ob on ob.book_id = b.id
        left join of_publisher op on op.publisher = b.publisher
       where (_publisher is null or b.publisher = _publisher) and b.kind <> 'digital'
    )
    select n.id, n.title, n.publisher, n.isbn, n.supplier_id, p.name, n.lists, n.listed, n.in_year, n.last_year, n.in_term, n.waiting,
           n.stock_quantity, n.sent, n.drafted, n.needed, greatest(n.needed - n.stock_quantity - n.sent - n.drafted, 0),
           count(*) over ()
      from needs n left join public.suppliers p on p.id = n.supplier_id
     where (n.needed > n.stock_quantity + n.sent + n.drafted or n.is_unknown or coalesce(_covered, false) and n.needed > 0)
       and (_supplier is null or coalesce(n.supplier_id::text, 'none') = _supplier)
     order by p.name_key nulls last, n.title_key, n.id
     limit least(greatest(coalesce(_limit, 1000), 1), 1000);
end $$;


/* Staff: books in stock without a sale in a period, the most valuable stock first. */
create or replace function private.report_unsold(_from date, _to date, _limit int default 100)
returns table (book_id uuid, title text, publisher text, stock_quantity int, price numeric, added date)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  perform private.require_period(_from, _to);
  return query
    with sold as materialized (
      select s.key from private.sales_of('book', _from, _to, null, null) as s where s.copies > 0
    )
    select b.id, b.title, b.publisher, b.stock_quantity, b.price, (b.created_at at time zone 'UTC')::date
      from public.books b
     where b.stock_quantity > 0 and b.kind <> 'digital' and (b.created_at at time zone 'UTC')::date <= _to and b.id::text not in (select s.key from sold s)
     order by b.stock_quantity * b.price desc, b.id
     limit least(greatest(coalesce(_limit, 100), 1), 1000);
end $$;


/* The books that are low in stock, fewest first. */
create or replace function public.list_low_stock_books(_limit int default 5)
returns table (id uuid, title text, publisher text, stock_quantity int)
language sql stable set search_path = '' as $$
  select b.id, b.title, b.publisher, b.stock_quantity
    from public.books b
   where b.stock_quantity < private.low_stock() and b.kind <> 'digital'
   order by b.stock_quantity, b.id
   limit least(greatest(coalesce(_limit, 5), 1), 1000)
$$;


/* Recounts everything while changes wait; needed after rows were written with triggers disabled. */
create or replace function private.count_tallies()
returns void language plpgsql security definer set search_path = '' as $$
begin
  lock table public.books, public.orders, public.profiles, public.reviews in share row exclusive mode;
  delete from private.tallies;
  insert into private.tallies (counted, value, rows, copies)
  select 'books', coalesce(publisher, ''), count(*), coalesce(sum(stock_quantity) filter (where kind <> 'digital'), 0) from public.books group by 2
  union all select 'orders', status || ' ' || payment_state, count(*), 0 from public.orders group by 2
  union all select 'profiles', '', count(*), 0 from public.profiles
  union all select 'reviews', '', count(*), 0 from public.reviews;
end $$;


/*
 * Removes personal data from these orders, including deleted ones, and from their emails, payments, notes and log;
 * returns how many stay.
 */
create or replace function private.scrub_orders(_order_ids uuid[])
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
begin
  execute (select format('update public.orders set %s where id = any ($1)', string_agg(format('%I = null', name), ', '))
             from unnest(private.personal_order_texts()) as name) using _order_ids;
  get diagnostics kept = row_count;
  delete from public.outgoing_emails where order_id = any (_order_ids) and state = 'waiting';
  delete from private.download_tickets where order_id = any (_order_ids);
  update public.payments set note = null where order_id = any (_order_ids) and note is not null;
  perform set_config('shop.task', 'anonymise', true);
  update public.order_notes set body = null where order_id = any (_order_ids);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where (table_name = 'orders' and row_id = any (_order_ids::text[]))
      or (table_name = 'payments' and coalesce(after, before) ->> 'order_id' = any (_order_ids::text[]));
  perform set_config('shop.task', '', true);
  return kept;
end $$;


