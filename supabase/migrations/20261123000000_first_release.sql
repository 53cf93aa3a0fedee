-- Built from supabase/schema by "npm run schema". Don't edit this file: change the schema and build it again.

-- Functions may name what a later file creates.
set local check_function_bodies = off;

-- supabase/schema/1-ground/01-schemas.sql

-- The schemas and extensions, and who may reach what: nothing, until a file grants it by name.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists unaccent with schema extensions;
create extension if not exists fuzzystrmatch with schema extensions;

-- Not among the exposed schemas: nothing in it can be called through the API. USAGE is needed because policies
-- and invoker functions name what lives here; EXECUTE is given function by function.
create schema if not exists private;
grant usage on schema private to anon, authenticated, service_role;

-- What the shop creates belongs to its owner alone until it is granted, even in a project that grants everything to everyone by default.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;

-- supabase/schema/1-ground/02-refusals.sql

-- One way to refuse a request, and the checks that most forms need.

/*
 * Refuses the request. The status is a PT4xx code, which the data API turns into that HTTP status; the
 * message is a sentence for people; the detail is JSON whose "code" is stable for programs.
 */
create function private.refuse(_status text, _code text, _message text, _facts jsonb default '{}')
returns void language plpgsql immutable set search_path = '' as $$
begin
  raise exception using
    errcode = _status,
    message = _message,
    detail = (jsonb_build_object('code', _code) || _facts)::text;
end $$;
grant execute on function private.refuse to anon, authenticated, service_role;

/*
 * Refuses a text that is too long or missing, before a CHECK would: the CHECK is the backstop, this is the
 * clear message. The label is the word that people read, the field the column's name. Returns the text.
 */
create function private.require_text(_field text, _label text, _value text, _at_most int, _required boolean default false)
returns text language plpgsql immutable set search_path = '' as $$
begin
  if _required and _value is null then
    perform private.refuse('PT400', 'invalid_field', _label || ' is required.',
      jsonb_build_object('field', _field, 'rule', 'required'));
  elsif length(_value) > _at_most then
    perform private.refuse('PT400', 'invalid_field', format('%s is too long (at most %s characters).', _label, _at_most),
      jsonb_build_object('field', _field, 'rule', 'max_length', 'limit', _at_most));
  end if;
  return _value;
end $$;
grant execute on function private.require_text to anon, authenticated, service_role;

/* The same for numbers: a null, or a value outside its bounds, is refused with a message. */
create function private.require_number(_field text, _label text, _value numeric, _least numeric, _most numeric)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _value is null or _value < _least or _value > _most then
    perform private.refuse('PT400', 'invalid_field', format('%s must be between %s and %s.', _label, _least, _most),
      jsonb_build_object('field', _field, 'rule', 'range', 'min', _least, 'max', _most));
  end if;
end $$;
grant execute on function private.require_number to anon, authenticated, service_role;

/* Refuses an amount of money that is not whole pesewas: a column of two decimals would round it without a word. Null passes. */
create function private.require_pesewas(_field text, _label text, _amount numeric)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _amount <> round(_amount, 2) then
    perform private.refuse('PT400', 'invalid_field', _label || ' has at most two decimals.',
      jsonb_build_object('field', _field, 'rule', 'decimals'));
  end if;
end $$;
grant execute on function private.require_pesewas to anon, authenticated, service_role;

-- supabase/schema/1-ground/03-exposing.sql

-- How a function that runs as the owner is called through the API.

/*
 * Lets clients call a private function, which runs as the owner and checks its caller: creates a function of the same name, arguments and
 * result in the schema public, which runs with the caller's rights and only calls it, and grants both to these roles. The data API reads a
 * function's own statement_timeout, so the public function has it too.
 */
create function private.expose(_name text, variadic _roles text[])
returns void language plpgsql set search_path = '' as $$
declare
  called constant pg_catalog.pg_proc := p from pg_catalog.pg_proc as p where p.oid = ('private.' || _name)::regproc;
  arguments constant text := array_to_string(called.proargnames[1:called.pronargs], ', ');
  timeout constant text := substring(array_to_string(called.proconfig, E'\n') from '(?n)^statement_timeout=(.*)$');
begin
  execute format('create or replace function public.%I(%s) returns %s language sql %s set search_path = '''' %s as %L',
    _name, pg_catalog.pg_get_function_arguments(called.oid), pg_catalog.pg_get_function_result(called.oid),
    case called.provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end,
    'set statement_timeout = ' || quote_literal(timeout),
    format('select %sprivate.%I(%s)', case when called.proretset then '* from ' else '' end, _name, arguments));
  execute format('grant execute on function private.%1$I, public.%1$I to %2$s', _name, array_to_string(_roles, ', '));
end $$;

-- supabase/schema/1-ground/04-text.sql

-- How texts are stored, compared and searched.

/* Text as it is stored: control characters become spaces, ends are trimmed, nothing left is null. */
create function private.clean_line(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select nullif(btrim(regexp_replace(_text, '[[:space:][:cntrl:]]+', ' ', 'g')), '')
$$;
grant execute on function private.clean_line to anon, authenticated, service_role;

/* The same for texts of several lines: line feeds and tabs stay. */
create function private.clean_text(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select nullif(btrim(regexp_replace(replace(_text, E'\r\n', E'\n'), E'[\\x01-\\x08\\x0b-\\x1f\\x7f]', ' ', 'g'),
                      E' \n\t'), '')
$$;
grant execute on function private.clean_text to anon, authenticated, service_role;

/*
 * Text as it is compared: lower case, without accents, typographic quotes as plain ones. Declared immutable
 * although the dictionary could be replaced: it is the one delivered with the extension.
 */
create function private.fold(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select lower(extensions.unaccent('extensions.unaccent'::regdictionary, _text))
$$;
grant execute on function private.fold to anon, authenticated, service_role;

/*
 * The LIKE pattern that finds a typed text anywhere: cut to 200 code points, folded, and every character that
 * means something to LIKE made to mean itself. Null when nothing is left to look for.
 */
create function private.contains_pattern(_q text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  cleaned constant text := private.clean_line(left(_q, 200));
begin
  -- Blank text has no pattern.
  return '%' || replace(replace(replace(private.fold(cleaned), '\', '\\'), '%', '\%'), '_', '\_') || '%';
end $$;
grant execute on function private.contains_pattern to anon, authenticated, service_role;

/* The pattern for a typed phone number: digits alone, without the leading zeros that a country code replaces. */
create function private.phone_pattern(_q text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select '%' || digits || '%'
  from ltrim(regexp_replace(_q, '[^0-9]', '', 'g'), '0') as digits
  where left(_q, 200) ~ '^[+0-9()[:space:].-]+$' and length(digits) between 4 and 15
$$;
grant execute on function private.phone_pattern to anon, authenticated, service_role;

/*
 * Folded text, or a pattern for it, as the books' search text keeps it, so that the trigram index can look up everything: it splits texts
 * at spaces, and in a database with the C locale at every letter but a to z, such as the ɔ of Twi. A space is therefore stored as Z, and each
 * byte of another letter as two capitals, the first from Q to X, the second from A to P. Folded text has no capitals of its own, and a
 * letter's first byte is like no later one, so two texts contain each other in this form exactly if they do in their own.
 */
create function private.search_key(_text text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  key text := translate(_text, ' ', 'Z');
  bytes constant bytea := convert_to(key, 'UTF8');
  letters text[];
  letter text;
begin
  if length(key) = length(bytes) then return key; end if;
  -- Each letter once where they are few: every change of a book, such as an order's of its stock, computes this anew.
  letters := array(select distinct l from regexp_split_to_table(regexp_replace(key, '[\x01-\x7f]+', '', 'g'), '') as l);
  if cardinality(letters) <= 64 then
    foreach letter in array letters loop
      key := replace(key, letter, (
        select string_agg(chr(73 + byte / 16) || chr(65 + byte % 16), '' order by at)
          from convert_to(letter, 'UTF8') as b, generate_series(0, length(b) - 1) as at, get_byte(b, at) as byte));
    end loop;
    return key;
  end if;
  return (
    select string_agg(case when byte < 128 then chr(byte) else chr(73 + byte / 16) || chr(65 + byte % 16) end, '' order by at)
      from generate_series(0, length(bytes) - 1) as at, get_byte(bytes, at) as byte
  );
end $$;
grant execute on function private.search_key to anon, authenticated, service_role;

-- supabase/schema/1-ground/05-isbn.sql

-- ISBNs and the shop's own codes, in any form in which they are typed.

/* The letters and digits of an ISBN or a shop's own code, in upper case, without the word ISBN in front. */
create function private.book_code(_isbn text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  code text := upper(regexp_replace(_isbn, '[^0-9A-Za-z]+', '', 'g'));
begin
  if code ~ '^ISBN(1[03])?([0-9]{9}[0-9X]|[0-9]{13})$' then
    code := regexp_replace(code, '^ISBN(1[03](?=[0-9]{9}([0-9X]|[0-9]{4})$))?', '');
  end if;
  return nullif(code, '');
end $$;
grant execute on function private.book_code to anon, authenticated, service_role;

/*
 * The ISBN-13 of a valid ISBN in any form: 10 or 13 digits, with hyphens or spaces, with or without the word ISBN, with
 * leading zeros that a spreadsheet lost. Null for anything else, a wrong check digit included.
 */
create function private.isbn13(_isbn text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  code text := private.book_code(_isbn);
  d int[];
  digit text;
begin
  if code !~ '^[0-9]{6,12}[0-9X]$' then return null; end if;
  -- No loops, which take several times as long: every update of a book, including an order that takes stock, runs this three times.
  if length(code) <= 10 then
    code := lpad(code, 10, '0');
    d := string_to_array(left(code, 9), null)::int[];
    if (10 * d[1] + 9 * d[2] + 8 * d[3] + 7 * d[4] + 6 * d[5] + 5 * d[6] + 4 * d[7] + 3 * d[8] + 2 * d[9]
        + case right(code, 1) when 'X' then 10 else right(code, 1)::int end) % 11 <> 0 then
      return null;
    end if;
    code := '978' || left(code, 9);
  elsif code !~ '^97[89][0-9]{10}$' then
    return null;
  end if;
  d := string_to_array(left(code, 12), null)::int[];
  digit := (10 - (d[1] + d[3] + d[5] + d[7] + d[9] + d[11] + 3 * (d[2] + d[4] + d[6] + d[8] + d[10] + d[12])) % 10) % 10;
  if length(code) = 13 and right(code, 1) <> digit then return null; end if;
  return left(code, 12) || digit;
end $$;
grant execute on function private.isbn13 to anon, authenticated, service_role;

/*
 * What identifies a book in an import: its ISBN-13, otherwise its code. In a code of the shop's own it matters where
 * the parts end (N-1-11 is not N-11-1), but not with what they are joined.
 */
create function private.isbn_key(_isbn text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  isbn13 text := private.isbn13(_isbn);
  code text;
begin
  if isbn13 is not null then return isbn13; end if;
  code := private.book_code(_isbn);
  if code ~ '^[0-9]+X?$' then return code; end if;
  return nullif(btrim(regexp_replace(upper(_isbn), '[^0-9A-Z]+', '-', 'g'), '-'), '');
end $$;
grant execute on function private.isbn_key to anon, authenticated, service_role;

/*
 * The patterns of which a book's search text must match one: what was typed, and when that looks like an ISBN or
 * part of one, also its bare digits and its ISBN-13. An empty array when nothing is left to look for.
 */
create function private.book_patterns(_q text)
returns text[] language plpgsql immutable parallel safe set search_path = '' as $$
declare
  typed constant text := private.search_key(private.contains_pattern(_q));
  digits text;
begin
  if left(_q, 200) !~ '^[0-9xX[:space:]-]+$' then return array_remove(array[typed], null); end if;
  digits := lower(regexp_replace(left(_q, 200), '[[:space:]-]', '', 'g'));
  if digits !~ '^[0-9]{3,12}[0-9x]$' then return array_remove(array[typed], null); end if;
  return array(select distinct pattern
    from unnest(array[typed, '%' || digits || '%', '%' || lower(private.isbn_key(digits)) || '%']) as pattern
   where pattern is not null);
end $$;
grant execute on function private.book_patterns to anon, authenticated, service_role;

-- supabase/schema/1-ground/06-staff.sql

-- Who is staff.

/*
 * True for an admin's own request. SECURITY DEFINER, because the policies of user_roles call it too. Policies write
 * (select private.is_admin()): once per query, not once per row.
 */
create function private.is_admin()
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.user_roles where user_id = auth.uid() and role = 'admin');
end $$;
grant execute on function private.is_admin to anon, authenticated, service_role;

/*
 * True for an admin, the secret key and the database's owner. The setting "role" keeps the request's role inside
 * SECURITY DEFINER functions, where current_user is the function's owner.
 */
create function private.is_staff()
returns boolean language sql stable set search_path = '' as $$
  select coalesce(current_setting('role', true), 'none') not in ('anon', 'authenticated') or private.is_admin()
$$;
grant execute on function private.is_staff to authenticated, service_role;

create function private.require_staff()
returns void language plpgsql stable set search_path = '' as $$
begin
  if not private.is_staff() then
    perform private.refuse('PT403', 'admin_only', 'Only an admin may do this.');
  end if;
end $$;
grant execute on function private.require_staff to authenticated, service_role;

-- supabase/schema/1-ground/07-audit-log.sql

-- Who did what and when, with the row before and after, for books, orders, order_items, user_roles and reviews.
-- Written by triggers, never changed, read by admins. It is also the archive from which deleted rows are restored.

/*
 * Stamps updated_at, to the millisecond because JavaScript keeps no more, and always later than before, so that
 * "save if unchanged since" can compare for equality.
 */
create function private.stamp_updated_at()
returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  return new;
end $$;

create table public.audit_log (
  id bigint generated always as identity primary key,
  happened_at timestamptz not null default clock_timestamp(),
  -- A bare uuid: it outlives the account, and a foreign key would be a second way from here to profiles.
  actor uuid default auth.uid(),
  table_name text not null,
  row_id text not null,
  action text not null,
  before jsonb,
  after jsonb,
  -- The row's old and new titles, in the form used for searching.
  titles text collate "C" generated always as (
    private.fold(nullif(coalesce(before ->> 'title', '') || E'\n' || coalesce(after ->> 'title', ''), E'\n'))
  ) stored,
  -- Rows written together (an order and its items) carry the same number.
  transaction_id bigint not null default pg_current_xact_id()::text::bigint,
  constraint audit_log_action_is_known
    check (action in ('insert', 'update', 'delete', 'restore', 'import', 'undo', 'merge'))
);
create index audit_log_by_row on public.audit_log (row_id, table_name, id desc);
create index audit_log_by_table on public.audit_log (table_name, id desc);
create index audit_log_by_actor on public.audit_log (actor, id desc);
create index audit_log_by_title on public.audit_log using gin (titles extensions.gin_trgm_ops) where titles is not null;
create index audit_log_by_order_number on public.audit_log ((coalesce(after, before) ->> 'number')) where table_name = 'orders';
create index audit_log_roles_by_person on public.audit_log ((coalesce(after, before) ->> 'user_id')) where table_name = 'user_roles';
create index audit_log_items_by_order on public.audit_log ((before ->> 'order_id')) where table_name = 'order_items';

alter table public.audit_log enable row level security;
grant select on public.audit_log to authenticated, service_role;

create policy "admins read the audit log" on public.audit_log
  for select to authenticated using ((select private.is_admin()));

/* Logs are append-only. Anonymising a customer is the one exception. */
create function private.keep_as_written()
returns trigger language plpgsql set search_path = '' as $$
begin
  if coalesce(current_setting('shop.task', true), '') <> 'anonymise' then
    perform private.refuse('PT403', 'append_only', 'Log entries cannot be changed or deleted.');
  end if;
  return new;
end $$;
create trigger keep_as_written before update or delete on public.audit_log
  for each row execute function private.keep_as_written();

/*
 * Writes one row of the log. Its arguments name automatically maintained columns: an update of these alone is not
 * logged.
 */
create function private.record_audit()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  derived constant text[] := '{search_text,word_text,title_key,name_key,isbn_key,isbn13,school_key,class_key,paid_amount,has_undecided_payment,payment_state}';
  ignored constant text[] := coalesce(tg_argv, '{}');
  action text := lower(tg_op);
  before jsonb;
  after jsonb;
begin
  if tg_op <> 'INSERT' then before := to_jsonb(old) - derived; end if;
  if tg_op <> 'DELETE' then after := to_jsonb(new) - derived; end if;
  -- Not for the demo catalogue, which no person adds or removes.
  if current_setting('shop.task', true) = 'demo' then return null; end if;
  if tg_op = 'UPDATE' and before - ignored = after - ignored then return null; end if;
  if tg_op = 'INSERT' and coalesce(current_setting('shop.task', true), '') = 'restore' then
    action := 'restore';
  end if;
  insert into public.audit_log (table_name, row_id, action, before, after)
  values (tg_table_name, coalesce(after, before) ->> 'id', action, before, after);
  return null;
end $$;

-- supabase/schema/1-ground/08-numbers.sql

-- Numbers that count up every year without gaps, as quotes and invoices have them.

create function private.today()
returns date language sql stable set search_path = '' as $$
  select (now() at time zone 'UTC')::date
$$;

/*
 * The last number of each year and series. Its row stays locked until the transaction ends, so there are no gaps.
 */
create table private.yearly_numbers (
  series text not null,
  year integer not null,
  last_number integer not null,
  primary key (series, year)
);

alter table private.yearly_numbers enable row level security;

create function private.next_yearly_number(_series text, _year int)
returns int language sql security definer set search_path = '' as $$
  insert into private.yearly_numbers as y (series, year, last_number) values (_series, _year, 1)
  on conflict (series, year) do update set last_number = y.last_number + 1
  returning last_number
$$;

-- supabase/schema/1-ground/09-tallies.sql

-- How many books, orders, accounts and reviews there are, and the copies of each publisher, updated by every change: the
-- dashboard and the long lists of the back office need them at once, and counting a million rows takes a tenth of a second each.
--
-- A change adds a row to what is counted and locks nothing, so orders never wait for one another here and can't deadlock. A
-- total is the sum of its rows; now and then a change adds them up into one. Readers see the same sum before and after.

create table private.tallies (
  -- The table, and of books the publisher ('' for none), of orders the status and the payment state: 'pending due'.
  counted text not null,
  value text not null default '',
  rows bigint not null,
  copies bigint not null default 0
);

alter table private.tallies enable row level security;

/*
 * Merges the rows of each tally into one. It skips rows that another transaction is merging: this never waits, and each row
 * is merged once. Not in a transaction that sees only what was there when it began: it would fail where another has merged since.
 */
create function private.fold_tallies()
returns void language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then return; end if;
  with folded as (
    delete from private.tallies where ctid = any (array(
      select t.ctid from private.tallies t
       where (t.counted, t.value) in (select s.counted, s.value from private.tallies s group by s.counted, s.value having count(*) > 1)
         for update of t skip locked))
    returning *
  )
  insert into private.tallies (counted, value, rows, copies)
  select counted, value, sum(rows), sum(copies) from folded group by counted, value having sum(rows) <> 0 or sum(copies) <> 0;
end $$;

create function private.fold_tallies_now_and_then()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.fold_tallies();
  return null;
end $$;

-- After one change in 100: more would cost orders time, fewer would cost readers. An import, which changes thousands of books in one
-- transaction, folds once at its end: each fold reads past the rows that earlier ones of its transaction have deleted.
create trigger fold_tallies_now_and_then after insert on private.tallies
  for each statement when (random() < 0.01 and coalesce(current_setting('shop.task', true), '') <> 'import')
  execute function private.fold_tallies_now_and_then();

/* How many rows a table has; of books those of one publisher, if one is given. */
create function private.tally(_counted text, _value text default null)
returns bigint language sql stable security definer set search_path = '' as $$
  select coalesce(sum(t.rows), 0)::bigint from private.tallies t
   where t.counted = _counted and (_value is null or t.value = _value)
$$;

/* How many orders have a status and a payment state; each may be left out. */
create function private.tally_orders(_status text, _payment text)
returns bigint language sql stable security definer set search_path = '' as $$
  select coalesce(sum(t.rows), 0)::bigint from private.tallies t
   where t.counted = 'orders'
     and (coalesce(_status, '') = '' or split_part(t.value, ' ', 1) = _status)
     and case _payment when 'due' then split_part(t.value, ' ', 2) in ('due', 'part_paid')
                       when 'paid' then split_part(t.value, ' ', 2) = 'paid' else true end
$$;

create function private.tally_row()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.tallies (counted, rows) values (tg_table_name, case tg_op when 'INSERT' then 1 else -1 end);
  return null;
end $$;

create function private.forget_tallies()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from private.tallies where counted = tg_table_name;
  return null;
end $$;

-- supabase/schema/1-ground/10-lists.sql

-- What the long lists of the back office share. They are paged by number with exact counts, searched and sorted. They
-- run as the owner behind a check for staff: under row level security no search by LIKE may use an index, because LIKE
-- could leak what it compares. A page is found by an index on keys alone, then its rows are fetched, so that the last
-- page costs little more than the first.

/* The ORDER BY and paging of a list: the keys come from the function's own list, never from the caller. */
create function private.paging(_page int, _page_size int)
returns text language sql immutable set search_path = '' as $$
  select format(' limit %s offset %s', size, (greatest(coalesce(_page, 1), 1)::bigint - 1) * size)
  from (select least(greatest(coalesce(_page_size, 50), 1), 1000) as size) as s
$$;

/*
 * The ORDER BY and paging of a list that may be long. Unfiltered pages past its middle are read from its end, so that the last page
 * costs what the first one does.
 */
create function private.ordered_paging(_list text, _conditions text, _ordered text, _page int, _page_size int)
returns text language plpgsql stable set search_path = '' as $$
declare
  size constant bigint := least(greatest(coalesce(_page_size, 50), 1), 1000);
  first_row constant bigint := (greatest(coalesce(_page, 1), 1)::bigint - 1) * size;
  rows bigint;
begin
  if _conditions = 'true' and first_row >= 10000 then rows := private.tally(_list); end if;
  if rows is null or first_row < rows / 2 then
    return ' order by ' || _ordered || private.paging(_page, _page_size);
  end if;
  return format(' order by %s limit %s offset %s',
    replace(replace(replace(_ordered, ' desc', ' #'), ' asc', ' desc'), ' #', ' asc'),
    greatest(least(size, rows - first_row), 0), greatest(rows - first_row - size, 0));
end $$;

/*
 * The condition that a column contains a text typed by staff: with any punctuation between its words, in either of the two.
 * 'exercise books ruled' is in 'Exercise Books, Ruled', 'teachers guide' in 'Teacher''s Guide'. Other characters match themselves.
 * _kind is 'folded', 'key' (folded by search_key too) or 'raw' (as people wrote it). Null when nothing is left to look for.
 */
create function private.contains_condition(_column text, _q text, _kind text default 'folded')
returns text language plpgsql immutable parallel safe set search_path = '' as $$
declare
  likes constant text := case _kind when 'raw' then 'ilike' else 'like' end;
  matches constant text := case _kind when 'raw' then '~*' else '~' end;
  between_words constant text := case _kind
    when 'key' then '[Z[:punct:]]*' when 'raw' then '[[:space:][:punct:]‘’“”–—]*' else '[ [:punct:]]*' end;
  pattern text := private.contains_pattern(_q);
  parts text[];
  expression text;
begin
  if pattern is null then return null; end if;
  -- The s of a plural may be a genitive's.
  select array_agg(part order by place, position),
         string_agg(case when position > 1 then '[''’]?' when place > 1 then between_words else '' end
                    || regexp_replace(part, '[^[:alnum:]]', '\\\&', 'g'), '' order by place, position)
    into parts, expression
    from (select word, row_number() over (order by at) as place
            from regexp_split_to_table(private.fold(private.clean_line(left(_q, 200))), '[ ,.;:/&()''"-]+') with ordinality as typed (word, at)
           where word <> '') as words,
         regexp_split_to_table(case _kind when 'key' then private.search_key(word) else word end, '(?<=[a-z]{3})(?=s$)')
           with ordinality as each (part, position);
  if cardinality(parts) > 1 then
    -- The trigram index finds the words in their order, also far apart.
    pattern := '%' || replace(replace(replace(replace(
      array_to_string(parts, chr(65535)), '\', '\\'), '%', '\%'), '_', '\_'), chr(65535), '%') || '%';
    return format('(%1$s %2$s %3$L and %1$s %4$s %5$L)', _column, likes, pattern, matches, expression);
  end if;
  return format('%s %s %L', _column, likes, case _kind when 'key' then private.search_key(pattern) else pattern end);
end $$;

/* The condition that a column has a typed text or phone number; null when nothing is left to look for. */
create function private.found_by_text(_column text, _q text)
returns text language sql immutable set search_path = '' as $$
  select private.contains_condition(_column, _q) || coalesce(format(' or %s like %L', _column, private.phone_pattern(_q)), '')
$$;

/*
 * The condition that a column refers to a row x of _table that matches _found. Up to 500 matches become a list of ids, because in an OR
 * with other conditions a subquery can't use an index. Beyond that it stays a subquery, so that a page stops early and a count reads each
 * row once.
 */
create function private.refers_to_found(_column text, _type regtype, _table regclass, _found text)
returns text language plpgsql stable set search_path = '' as $$
declare
  few constant int := 500;
  ids uuid[];
begin
  execute format('select array(select x.id from %s x where %s limit %s)', _table, _found, few + 1) into ids;
  -- Never an empty list: the planner assumes that it implies the condition of any partial index.
  if cardinality(ids) = 0 then return 'false'; end if;
  if cardinality(ids) <= few then return format('%s = any (%L::%s[])', _column, ids, _type); end if;
  return format('%s in (select x.id::%s from %s x where %s)', _column, _type, _table, _found);
end $$;

-- supabase/schema/1-ground/11-versions.sql

-- Which migrations a database has: the shop's server checks before it serves a project, since a missing one would
-- show only when a customer meets it. Versions are not secret; the history table itself stays closed.

create function private.applied_migrations()
returns setof text language plpgsql stable security definer set search_path = '' as $$
begin
  return query select version from supabase_migrations.schema_migrations order by version;
exception when undefined_table or invalid_schema_name then
  return;
end $$;
grant execute on function private.applied_migrations to anon, authenticated, service_role;

create function public.list_applied_migrations()
returns setof text language sql stable set search_path = '' as $$
  select private.applied_migrations()
$$;
grant execute on function public.list_applied_migrations to anon, authenticated, service_role;

-- supabase/schema/1-ground/12-settings.sql

-- What admins have changed of the shop's name, words, fees and limits. A setting without a row has the value of the owner's files
-- (app/owner), which only the app knows.

/*
 * The database's half of app/owner/settings.ts: what each setting may be, and who reads it ('page' and 'server' are public). A new
 * setting is a new line here and there; a test compares the two.
 */
create function private.setting_rules()
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
    "openingDone": {"kind": "lines", "label": "Done or dismissed on the dashboard''s list of first steps", "max": 60, "reader": "staff"}
  }'::jsonb
$$;
grant execute on function private.setting_rules to anon, authenticated, service_role;

create table public.shop_settings (
  -- The setting's name. The log names its rows by their id.
  id text primary key,
  value jsonb not null,
  updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  constraint shop_settings_are_known check (private.setting_rules() ? id)
);
alter table public.shop_settings enable row level security;
grant select on public.shop_settings to anon, authenticated, service_role;

create policy "everyone reads the public settings" on public.shop_settings
  for select to anon, authenticated
  using (private.setting_rules() -> id ->> 'reader' in ('page', 'server') or (select private.is_admin()));

create trigger stamp_updated_at before update on public.shop_settings
  for each row execute function private.stamp_updated_at();
create trigger record_audit after insert or update or delete on public.shop_settings
  for each row execute function private.record_audit('updated_at');

/* All changed settings that the caller may read, by name. */
create function public.list_settings()
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(id, value), '{}') from public.shop_settings
$$;
grant execute on function public.list_settings to anon, authenticated, service_role;

/* Refuses a setting by its name. */
create function private.refuse_setting(_name text, _rule text, _message text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  perform private.refuse('PT400', 'invalid_field', format(_message, private.setting_rules() -> _name ->> 'label'),
    jsonb_build_object('field', _name, 'rule', _rule));
end $$;

/* The text of a setting, or one of its lines, as it is stored. */
create function private.checked_setting_text(_name text, _value jsonb, _kind text)
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
  elsif _kind in ('phone', 'phones') and not (private.is_phone(cleaned) and cleaned ~ '^\+') then
    perform private.refuse_setting(_name, 'phone', '%s must be written with the country''s code, such as +233 20 000 0140.');
  elsif _kind = 'url' and cleaned !~ '^https://[^[:space:]/@?#"<>]+\.[^[:space:]/@?#"<>]+([/?#][^[:space:]"<>]*)?$' then
    perform private.refuse_setting(_name, 'url', '%s must be an address that starts with https://.');
  elsif _kind = 'choice' and not rule -> 'choices' ? cleaned then
    perform private.refuse_setting(_name, 'choice', '%s: unknown choice.');
  end if;
  return cleaned;
end $$;

/* A setting's value as it is stored; refused by name if it may not have it. */
create function private.checked_setting(_name text, _value jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  rule constant jsonb := private.setting_rules() -> _name;
  kind constant text := rule ->> 'kind';
  item jsonb;
  line text;
  checked jsonb := '[]';
begin
  if rule is null then
    perform private.refuse('PT400', 'invalid_field', 'Unknown setting.', jsonb_build_object('field', _name, 'rule', 'known'));
  elsif kind in ('line', 'text', 'email', 'phone', 'url', 'choice') then
    line := private.checked_setting_text(_name, _value, kind);
    if line = '' and ((rule ->> 'required')::boolean or kind = 'choice') then
      perform private.refuse_setting(_name, 'required', '%s is required.');
    end if;
    return to_jsonb(line);
  elsif kind = 'yes' then
    if jsonb_typeof(_value) is distinct from 'boolean' then perform private.refuse_setting(_name, 'type', '%s must be yes or no.'); end if;
    return _value;
  elsif kind = 'number' then
    if jsonb_typeof(_value) is distinct from 'number' or (_value #>> '{}')::numeric <> trunc((_value #>> '{}')::numeric)
       or (_value #>> '{}')::numeric not between coalesce((rule ->> 'min')::numeric, 0) and (rule ->> 'max')::numeric then
      perform private.refuse_setting(_name, 'range',
        format('%%s must be a whole number from %s to %s.', coalesce(rule ->> 'min', '0'), rule ->> 'max'));
    end if;
    return to_jsonb((_value #>> '{}')::int);
  end if;
  if jsonb_typeof(_value) is distinct from 'array' or jsonb_array_length(_value) > (case kind when 'words' then 1000 else 50 end) then
    perform private.refuse_setting(_name, 'max_lines', '%s has too many lines.');
  end if;
  for item in select * from jsonb_array_elements(_value) loop
    if kind in ('lines', 'phones') then
      line := private.checked_setting_text(_name, item, kind);
      if line <> '' then checked := checked || to_jsonb(line); end if;
    elsif kind = 'words' then
      checked := checked || jsonb_build_array(private.checked_search_words(_name, item));
    elsif kind = 'fees' then
      checked := checked || private.checked_delivery_fee(_name, item);
    else
      checked := checked || private.checked_tax(_name, item);
    end if;
  end loop;
  return checked;
end $$;

create function private.checked_search_words(_name text, _line jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  words jsonb;
begin
  if jsonb_typeof(_line) is distinct from 'array' or jsonb_array_length(_line) not between 2 and 50 then
    perform private.refuse_setting(_name, 'words', '%s: each line needs at least two words, with commas between them.');
  end if;
  select jsonb_agg(word) into words
    from (select private.checked_setting_text(_name, item, 'words') as word from jsonb_array_elements(_line) as item) as checked
   where word <> '';
  if coalesce(jsonb_array_length(words), 0) < 2 then
    perform private.refuse_setting(_name, 'words', '%s: each line needs at least two words, with commas between them.');
  end if;
  return words;
end $$;

/* A line of the delivery fees: {"regions": […], "below": 300, "fee": 20}, the first two optional. */
create function private.checked_delivery_fee(_name text, _fee jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  regions constant jsonb := _fee -> 'regions';
  amounts constant jsonb[] := array[_fee -> 'fee', _fee -> 'below'];
  amount jsonb;
begin
  if jsonb_typeof(_fee) is distinct from 'object' or _fee - array['regions', 'below', 'fee'] <> '{}'
     or jsonb_typeof(_fee -> 'fee') is distinct from 'number' then
    perform private.refuse_setting(_name, 'fee', '%s: each line needs a fee in cedis.');
  end if;
  foreach amount in array amounts loop
    continue when amount is null;
    if jsonb_typeof(amount) <> 'number' or amount::numeric not between 0 and 99999.99 or amount::numeric <> round(amount::numeric, 2)
       or amount = _fee -> 'below' and amount::numeric = 0 then
      perform private.refuse_setting(_name, 'range', '%s: an amount must be between 0 and 99,999.99 cedis.');
    end if;
  end loop;
  if regions is not null and (jsonb_typeof(regions) <> 'array' or jsonb_array_length(regions) = 0
     or not (regions <@ to_jsonb(private.regions()))) then
    perform private.refuse_setting(_name, 'region', '%s: a line names a region that Ghana doesn''t have, or none.');
  end if;
  return _fee;
end $$;

create function private.checked_tax(_name text, _tax jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  tax_name text;
begin
  if jsonb_typeof(_tax) is distinct from 'object' or jsonb_typeof(_tax -> 'percent') is distinct from 'number'
     or jsonb_typeof(_tax -> 'name') is distinct from 'string' then
    perform private.refuse_setting(_name, 'tax', '%s: each line needs a name and a percentage, such as VAT 15.');
  end if;
  tax_name := private.clean_line(_tax ->> 'name');
  if tax_name is null or length(tax_name) > 60 or (_tax ->> 'percent')::numeric not between 0.01 and 100 then
    perform private.refuse_setting(_name, 'tax', '%s: each line needs a name and a percentage, such as VAT 15.');
  end if;
  return jsonb_build_object('name', tax_name, 'percent', (_tax ->> 'percent')::numeric);
end $$;

-- supabase/schema/1-ground/13-terms.sql

-- The terms on which the shop sells, every text that has applied once, so that accounts and orders can say which they accepted. The texts
-- are settings (app/owner/legal-texts.ts has the first); the page on delivery and returns is part of the terms.

create table public.terms_versions (
  version int primary key generated always as identity,
  terms text not null default '',
  delivery_and_returns text not null default '',
  -- From when on it applied.
  published_at timestamptz not null default now()
);
alter table public.terms_versions enable row level security;
grant select on public.terms_versions to anon, authenticated, service_role;

create policy "everyone reads the terms that apply or have applied" on public.terms_versions
  for select to anon, authenticated using (published_at <= now());

/* The terms that apply now; null in a database whose shop has not started yet. */
create function private.terms_version()
returns int language sql stable set search_path = '' as $$
  select max(version) from public.terms_versions
$$;
grant execute on function private.terms_version to authenticated, service_role;

/*
 * A changed text of the setting `terms` or `deliveryAndReturns` makes a new version of the terms. Changed together, they make one.
 */
create function private.publish_terms(_setting text, _text text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  latest public.terms_versions;
  next public.terms_versions;
begin
  -- Several machines may start at the same time.
  perform pg_advisory_xact_lock(hashtext('public.terms_versions'));
  select * into latest from public.terms_versions order by version desc limit 1;
  next := latest;
  if _setting = 'terms' then next.terms := _text; else next.delivery_and_returns := _text; end if;
  if next is not distinct from latest then return; end if;
  if latest.published_at = now() then
    update public.terms_versions set terms = next.terms, delivery_and_returns = next.delivery_and_returns where version = latest.version;
  else
    insert into public.terms_versions (terms, delivery_and_returns)
    values (coalesce(next.terms, ''), coalesce(next.delivery_and_returns, ''));
  end if;
end $$;

-- supabase/schema/2-people/1-contacts.sql

-- Email addresses and phone numbers. The checkout's own checks (app/lib/email.ts, app/features/delivery/phone.ts) say the same.

/*
 * One email address in its plain form at a domain with a dot, and one phone number of 6 to 15 digits as people write
 * it. The checkout's own checks (app/lib/email.ts, app/features/delivery/phone.ts) say the same; null stays null.
 */
create function private.is_email(_text text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select btrim(_text) ~ '^[^[:space:]@"(),:;<>[\\\]]+@[^[:space:]@"(),:;<>[\\\].]+(\.[^[:space:]@"(),:;<>[\\\].]+)+$'
$$;
grant execute on function private.is_email to authenticated, service_role;

create function private.is_phone(_text text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select regexp_replace(_text, '[[:space:]()./-]', '', 'g') ~ '^\+?[0-9]{6,15}$'
$$;
grant execute on function private.is_phone to authenticated, service_role;

/* Refuses an email address or a phone number that reaches no one; the fields are the columns' names. Null passes. */
create function private.require_contact(_email_field text, _email text, _phone_field text, _phone text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if not private.is_email(_email) then
    perform private.refuse('PT400', 'invalid_field', 'Please enter a valid email address.',
      jsonb_build_object('field', _email_field, 'rule', 'email'));
  elsif not private.is_phone(_phone) then
    perform private.refuse('PT400', 'invalid_field', 'Please enter a valid phone number.',
      jsonb_build_object('field', _phone_field, 'rule', 'phone'));
  end if;
end $$;
grant execute on function private.require_contact to authenticated, service_role;

/* Whether two phone numbers are the same, however they are written: Ghana's have nine digits after the country's code or the leading 0. */
create function private.is_same_phone(_one text, _other text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select private.is_phone(_one) and private.is_phone(_other)
     and right(regexp_replace(_one, '[^0-9]', '', 'g'), 9) = right(regexp_replace(_other, '[^0-9]', '', 'g'), 9)
$$;

-- supabase/schema/2-people/2-addresses.sql

-- How an order reaches its customer in Ghana: what profiles and orders store about it. The choices and formats are also in
-- app/lib/delivery.ts and app/features/delivery/digital-address.ts; tests compare them.

/* Ghana's 16 regions, in the order of the alphabet. */
create function private.regions()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select array['Ahafo', 'Ashanti', 'Bono', 'Bono East', 'Central', 'Eastern', 'Greater Accra', 'North East', 'Northern', 'Oti',
               'Savannah', 'Upper East', 'Upper West', 'Volta', 'Western', 'Western North']
$$;
grant execute on function private.regions to authenticated, service_role;

create function private.delivery_methods()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select array['deliver', 'collect', 'bus_station']
$$;
grant execute on function private.delivery_methods to authenticated, service_role;

/*
 * A GhanaPost digital address as it is written, 'GA-183-8164', from however it was typed: two characters of the district, the
 * area's three to five digits, the place's four. Anything else comes back cleaned, but is not in this form.
 */
create function private.digital_address(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select nullif(regexp_replace(upper(regexp_replace(_text, '[^0-9A-Za-z]+', '', 'g')),
                               '^([A-Z][A-Z0-9])([0-9]{3,5})([0-9]{4})$', '\1-\2-\3'), '')
$$;
grant execute on function private.digital_address to authenticated, service_role;

/* What a table may hold of a delivery, as the last line of defence; require_delivery says it in words. */
create function private.is_delivery(
  _region text, _landmark text, _digital_address text, _method text, _bus_station text, _note text
) returns boolean language sql immutable parallel safe set search_path = '' as $$
  select coalesce(_region = any (private.regions()), true) and coalesce(_method = any (private.delivery_methods()), true)
     and coalesce(_digital_address ~ '^[A-Z][A-Z0-9]-[0-9]{3,5}-[0-9]{4}$', true)
     and coalesce(length(_landmark), 0) <= 200 and coalesce(length(_bus_station), 0) <= 200 and coalesce(length(_note), 0) <= 500
$$;
grant execute on function private.is_delivery to authenticated, service_role;

/* Refuses what is_delivery refuses, and a parcel to a bus station that is not named. The fields are the columns' names. */
create function private.require_delivery(
  _region text, _landmark text, _digital_address text, _method text, _bus_station text, _note text
) returns void language plpgsql immutable set search_path = '' as $$
begin
  if _region <> all (private.regions()) then
    perform private.refuse('PT400', 'invalid_field', 'Unknown region.',
      jsonb_build_object('field', 'region', 'rule', 'choice', 'choices', private.regions()));
  elsif _method <> all (private.delivery_methods()) then
    perform private.refuse('PT400', 'invalid_field', 'Unknown way of delivery.',
      jsonb_build_object('field', 'delivery_method', 'rule', 'choice', 'choices', private.delivery_methods()));
  elsif not private.is_delivery(null, null, _digital_address, null, null, null) then
    perform private.refuse('PT400', 'invalid_field', 'Please enter a valid digital address, such as GA-183-8164.',
      jsonb_build_object('field', 'digital_address', 'rule', 'digital_address'));
  end if;
  perform private.require_text('landmark', 'The landmark', _landmark, 200),
    private.require_text('bus_station', 'The bus parcel station', _bus_station, 200, coalesce(_method = 'bus_station', false)),
    private.require_text('delivery_note', 'The delivery note', _note, 500);
end $$;
grant execute on function private.require_delivery to authenticated, service_role;

-- supabase/schema/2-people/3-profiles.sql

-- A profile is what the shop knows about a person with an account: name, phone, email, and where and how their orders
-- are delivered. It comes from a trigger on sign-up; its email follows the account. Customers read their own and
-- change all but the email; admins read all.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text,
  email text,
  phone text,
  address text,
  city text,
  postal_code text,
  region text,
  landmark text,
  digital_address text,
  delivery_method text,
  bus_station text,
  created_at timestamptz not null default now(),
  -- The terms that applied at the sign-up; null for accounts older than the shop's tables.
  terms_version int default private.terms_version(),
  -- What the back office's search looks through; the phone also as bare digits.
  search_text text generated always as (
    coalesce(private.fold(full_name), '') || E'\n' || coalesce(private.fold(email), '') || E'\n'
    || coalesce(phone, '') || E'\n' || coalesce(regexp_replace(phone, '[^0-9]', '', 'g'), '')
  ) stored,
  constraint profiles_full_name_is_short check (length(full_name) <= 200),
  constraint profiles_email_is_short check (length(email) <= 320),
  constraint profiles_phone_is_short check (length(phone) <= 40),
  constraint profiles_address_is_short check (length(address) <= 600 and length(city) <= 200 and length(postal_code) <= 100),
  constraint profiles_delivery_is_sane
    check (private.is_delivery(region, landmark, digital_address, delivery_method, bus_station, null))
);
create index profiles_newest_first on public.profiles (created_at desc, id desc);
create index profiles_by_name on public.profiles (lower(full_name), id);
create index profiles_by_email on public.profiles (lower(email), id);
create index profiles_search on public.profiles using gin (search_text extensions.gin_trgm_ops);

alter table public.profiles enable row level security;
grant select on public.profiles to authenticated, service_role;
grant update (full_name, phone, address, city, postal_code, region, landmark, digital_address, delivery_method, bus_station) on public.profiles to authenticated;

create policy "customers read their own profile, admins all" on public.profiles
  for select to authenticated
  using (id = (select auth.uid()) or (select private.is_admin()));
create policy "customers change their own profile" on public.profiles
  for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));

create function private.check_profile()
returns trigger language plpgsql set search_path = '' as $$
begin
  new.full_name := private.clean_line(new.full_name);
  new.phone := private.clean_line(new.phone);
  new.address := private.clean_line(new.address);
  new.city := private.clean_line(new.city);
  new.postal_code := private.clean_line(new.postal_code);
  new.landmark := private.clean_line(new.landmark);
  new.digital_address := private.digital_address(new.digital_address);
  new.bus_station := private.clean_line(new.bus_station);
  perform private.require_text('full_name', 'The name', new.full_name, 200);
  perform private.require_text('phone', 'The phone number', new.phone, 40);
  perform private.require_text('address', 'The address', new.address, 600);
  perform private.require_text('city', 'The city', new.city, 200);
  perform private.require_text('postal_code', 'The postal code', new.postal_code, 100);
  perform private.require_delivery(new.region, new.landmark, new.digital_address, new.delivery_method, new.bus_station, null);
  return new;
end $$;
create trigger check_profile before insert or update on public.profiles
  for each row execute function private.check_profile();

/*
 * Creates the profile of a new account from what was typed at sign-up, cut to the columns' limits. It must never fail
 * a sign-up: if anything goes wrong, it tries a profile with the email alone, then leaves the account without one.
 */
create function private.create_profile()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  begin
    insert into public.profiles (id, full_name, email, phone)
    values (
      new.id,
      left(private.clean_line(new.raw_user_meta_data ->> 'full_name'), 200),
      left(new.email, 320),
      left(private.clean_line(new.raw_user_meta_data ->> 'phone'), 40)
    )
    on conflict (id) do nothing;
  exception when others then
    begin
      insert into public.profiles (id, email) values (new.id, left(new.email, 320)) on conflict (id) do nothing;
    exception when others then
      raise warning 'A new account has no profile (%).', sqlstate;
    end;
  end;
  return null;
end $$;
create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();

create function private.follow_email()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles set email = left(new.email, 320) where id = new.id;
  return null;
exception when others then
  raise warning 'A profile could not follow its account''s email (%).', sqlstate;
  return null;
end $$;
create trigger follow_email after update of email on auth.users
  for each row when (old.email is distinct from new.email)
  execute function private.follow_email();

/*
 * Until its address is confirmed, an account contains whatever was typed last, perhaps by a stranger, so name and
 * phone follow it. From then on the profile belongs to the customer.
 */
create function private.follow_sign_up()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles
  set full_name = left(private.clean_line(new.raw_user_meta_data ->> 'full_name'), 200),
      phone = left(private.clean_line(new.raw_user_meta_data ->> 'phone'), 40)
  where id = new.id;
  return null;
exception when others then
  raise warning 'A profile could not follow its sign-up (%).', sqlstate;
  return null;
end $$;
create trigger follow_sign_up after update of raw_user_meta_data on auth.users
  for each row
  when (old.email_confirmed_at is null and old.raw_user_meta_data is distinct from new.raw_user_meta_data)
  execute function private.follow_sign_up();

-- Accounts older than the shop's tables.
insert into public.profiles (terms_version, id, full_name, email, phone, created_at)
select null, id, left(private.clean_line(raw_user_meta_data ->> 'full_name'), 200), left(email, 320),
       left(private.clean_line(raw_user_meta_data ->> 'phone'), 40), coalesce(created_at, now())
from auth.users
on conflict (id) do nothing;

create trigger tally_row after insert or delete on public.profiles for each row execute function private.tally_row();

create trigger forget_tallies after truncate on public.profiles for each statement execute function private.forget_tallies();

-- supabase/schema/2-people/4-roles.sql

-- Roles: user, moderator or admin. A person has at most one; no row means user. Only admins write them. The last
-- admin cannot be demoted or deleted, not even by two admins at the same time.

create table public.user_roles (
  id bigint generated always as identity primary key,
  -- Not unique, so that the embed in profiles stays a list; a trigger keeps one row per person.
  user_id uuid not null references public.profiles (id) on delete cascade,
  role text not null,
  created_at timestamptz not null default now(),
  constraint user_roles_role_is_known check (role in ('user', 'moderator', 'admin'))
);
create index user_roles_by_person on public.user_roles (user_id, role);
create index user_roles_admins on public.user_roles (user_id) where role = 'admin';

alter table public.user_roles enable row level security;
grant select, delete on public.user_roles to authenticated, service_role;
grant insert (user_id, role) on public.user_roles to authenticated, service_role;

create policy "people read their own role, admins all" on public.user_roles
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));
create policy "admins give roles" on public.user_roles
  for insert to authenticated with check ((select private.is_admin()));
create policy "admins take roles away" on public.user_roles
  for delete to authenticated using ((select private.is_admin()));

/*
 * Roles are written one at a time. After the wait, the writer's role is checked again: another admin may have demoted
 * them meanwhile, and their statement still sees the earlier roles.
 */
create function private.queue_role_writes()
returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.require_staff();
  perform pg_advisory_xact_lock(hashtext('public.user_roles'));
  perform private.require_staff();
  return null;
end $$;
create trigger queue_role_writes before insert or update or delete on public.user_roles
  for each statement execute function private.queue_role_writes();

-- Runs as the owner, who may read accounts: an unconfirmed address may belong to anyone.
create function private.check_role()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.role is null or new.role not in ('user', 'moderator', 'admin') then
    perform private.refuse('PT400', 'invalid_field', 'The role must be user, moderator or admin.',
      jsonb_build_object('field', 'role', 'rule', 'choice', 'choices', jsonb_build_array('user', 'moderator', 'admin')));
  end if;
  if new.role <> 'user'
     and exists (select from auth.users where id = new.user_id and email_confirmed_at is null) then
    perform private.refuse('PT409', 'unconfirmed_account',
      'This person has not confirmed their email address yet. They can have a role once they have followed the link in our email.');
  end if;
  return new;
end $$;
create trigger check_role before insert or update on public.user_roles
  for each row execute function private.check_role();

/*
 * A new role replaces the person's others, in the same statement: an admin who first deleted their own row would
 * have lost the right to insert. After, not before: the check below then already sees the new row.
 */
create function private.replace_roles()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.user_roles where user_id = new.user_id and id < new.id;
  return null;
end $$;
create trigger replace_roles after insert on public.user_roles
  for each row execute function private.replace_roles();

/* Runs under the lock taken above, and as the owner so that it sees every role. */
create function private.keep_an_admin()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from gone where role = 'admin')
     and not exists (select from public.user_roles where role = 'admin') then
    perform private.refuse('PT409', 'last_admin', 'The last admin cannot be demoted or deleted.');
  end if;
  return null;
end $$;
create trigger keep_an_admin_on_delete after delete on public.user_roles
  referencing old table as gone
  for each statement execute function private.keep_an_admin();
create trigger keep_an_admin_on_update after update on public.user_roles
  referencing old table as gone
  for each statement execute function private.keep_an_admin();

/* The caller's role, or any person's for an admin: row level security decides, and a hidden role reads as user. */
create function public.get_user_role(_user_id uuid)
returns text language sql stable set search_path = '' as $$
  select coalesce((select role from public.user_roles where user_id = _user_id order by id desc limit 1), 'user')
$$;
grant execute on function public.get_user_role to authenticated, service_role;

create trigger record_audit after insert or update or delete on public.user_roles
  for each row execute function private.record_audit();

-- supabase/schema/2-people/5-own-data.sql

-- Everything that the shop holds about a customer, for the customer to download.

/* Customers: everything that the shop holds about them, as one JSON object; amounts in cedis. */
create function private.own_data()
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
        from public.stock_alerts a join public.books b on b.id = a.book_id where a.user_id = auth.uid()));
end $$;
select private.expose('own_data', 'authenticated');

-- supabase/schema/2-people/6-forgetting.sql

-- A customer may request to be forgotten. Their orders stay, for the books must balance; what names them is removed from their profile,
-- orders, quotes, reviews' texts, payments' notes and the audit log. The account itself is removed with the authentication service's own means
-- when it has no orders, or left without a name.

create function private.scrub(_row jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select _row || coalesce((
    select jsonb_object_agg(key, null) from jsonb_object_keys(_row) as key
    where key = any (private.order_text_names() || '{review_text,full_name,email,phone,institution,contact_name,contact_email,contact_phone,'
                                              'message,note,purchase_order_number}')), '{}')
$$;

/*
 * A person's orders, deleted ones too, including those that staff entered without an account under the person's confirmed email and the
 * phone number in their profile. The email alone is not enough: staff may give a school's address, or their own, for many callers.
 */
create function private.orders_of(_user_id uuid)
returns uuid[] language sql stable security definer set search_path = '' as $$
  with known as (
    select lower(u.email) as email, p.phone from auth.users u join public.profiles p on p.id = u.id
     where u.id = _user_id and u.email_confirmed_at is not null
  )
  select array(
    select o.id from public.orders o where o.user_id = _user_id
    union
    select o.id from public.orders o, known
     where o.user_id is null and lower(o.recipient_email) = known.email and private.is_same_phone(o.recipient_phone, known.phone)
    union
    select l.row_id::uuid from public.audit_log l
     where l.table_name = 'orders' and l.action = 'delete' and l.before ->> 'user_id' = _user_id::text
    union
    select l.row_id::uuid from public.audit_log l, known
     where l.table_name = 'orders' and l.action = 'delete' and l.before ->> 'user_id' is null
       and lower(l.before ->> 'recipient_email') = known.email
       and private.is_same_phone(l.before ->> 'recipient_phone', known.phone))
$$;

/*
 * Removes personal data from these orders, including deleted ones, and from their emails, payments, notes and log;
 * returns how many stay.
 */
create function private.scrub_orders(_order_ids uuid[])
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
begin
  execute (select format('update public.orders set %s where id = any ($1)', string_agg(format('%I = null', name), ', '))
             from unnest(private.order_text_names()) as name) using _order_ids;
  get diagnostics kept = row_count;
  delete from public.outgoing_emails where order_id = any (_order_ids) and state = 'waiting';
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

/* Staff: removes everything that names this customer; returns how many of their orders stay. */
create function private.anonymise_customer(_user_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
begin
  perform private.require_staff();
  if not exists (select from public.profiles where id = _user_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
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

  perform set_config('shop.task', 'anonymise', true);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where table_name in ('orders', 'reviews', 'user_roles', 'quotes', 'payments')
     and coalesce(after, before) ->> 'user_id' = _user_id::text;
  perform set_config('shop.task', '', true);
  return kept;
end $$;
select private.expose('anonymise_customer', 'authenticated', 'service_role');

-- Callers without an account may request to be forgotten too: their orders are found by the order's number, the email or the phone number.

/*
 * Staff: anonymises a caller without an account, identified by the number of an order that staff entered, or by the
 * email or phone number given for it; returns the orders, which stay.
 */
create function private.anonymise_caller(_who text)
returns table (id uuid, number bigint) language plpgsql security definer set search_path = '' as $$
declare
  order_number bigint;
  order_ids uuid[];
begin
  perform private.require_staff();
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
end $$;
select private.expose('anonymise_caller', 'authenticated', 'service_role');

-- A customer closes their own account: their personal data is deleted, unless an order or a payment is not settled. The web server calls
-- this after checking their password, and empties the account itself in the same request.

/*
 * For the web server: anonymises a customer who closes their account, or refuses; returns how many of their orders
 * stay.
 */
create function private.close_account(_user_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
declare
  known_orders uuid[];
  kept int;
  waiting bigint;
begin
  if exists (select from public.user_roles where user_id = _user_id and role = 'admin') then
    perform private.refuse('PT403', 'is_admin', 'Another admin must first remove the admin role from your account.');
  end if;
  -- The lock under which their orders are placed (limit_orders): one that is being placed in another tab is waited for.
  perform pg_advisory_xact_lock(hashtext('public.orders'), hashtext(_user_id::text));
  known_orders := private.orders_of(_user_id);
  -- Done first, because it waits for a quote that is being accepted. A refusal below rolls it back.
  kept := private.anonymise_customer(_user_id);
  select number into waiting from public.orders
   where (user_id = _user_id or id = any (known_orders)) and status not in ('delivered', 'cancelled') order by number limit 1;
  if waiting is not null then
    perform private.refuse('PT409', 'order_not_delivered',
      format('Order %s has not been delivered yet. You can close your account once it has been delivered or cancelled.', waiting));
  end if;
  select o.number into waiting from public.orders o
    join private.order_payments p on p.order_id = o.id
   where (o.user_id = _user_id or o.id = any (known_orders)) and p.needs_decision order by o.number limit 1;
  if waiting is not null then
    perform private.refuse('PT409', 'payment_in_doubt',
      format('We are still checking a payment for order %s. You can close your account once that is settled.', waiting));
  end if;
  return kept;
end $$;
select private.expose('close_account', 'service_role');

-- supabase/schema/3-books/01-words.sql

-- The words of a book, by which a search that finds little goes on.

/*
 * A text as words in a row: folded, without apostrophes, punctuation and 'and'; a letter and a digit beside each other are apart, so
 * that 'JHS1' is 'jhs 1'. A plus stays: '11+' is a word. 'Key Stage 3' becomes 'ks 3', because it isn't stage 3.
 */
create function private.search_form(_text text)
returns text language plpgsql immutable parallel safe set search_path = '' as $$
declare
  form text := replace(private.fold(_text), '''', '');
begin
  -- Runs when an order takes a copy of a book, so rare patterns are looked for before they are replaced.
  if form ~ '[0-9]' then
    form := regexp_replace(form, '([a-z])(?=[0-9])|([0-9])(?=[a-z])', '\1\2 ', 'g');
  end if;
  form := regexp_replace(form, '[[:space:][:cntrl:]!-*,-/:-@[-`{-~]+', ' ', 'g');
  if strpos(form, ' and ') > 0 then
    form := regexp_replace(form, ' and(?= )', '', 'g');
  end if;
  if strpos(form, 'key stage ') > 0 then
    form := regexp_replace(form, '\mkey stage(?= [0-9])', 'ks', 'g');
  end if;
  return btrim(replace(' ' || form || ' ', '  ', ' '));
end $$;
grant execute on function private.search_form to anon, authenticated, service_role;

/*
 * The words of these fields, separated by ' | ', with a space around each word. Same result as search_form on each field, but in one
 * call: every update of a book recomputes this, including an order that takes stock. A character that no text uses separates the fields
 * until then.
 */
create function private.word_text(_fields text[])
returns text language plpgsql immutable parallel safe set search_path = '' as $$
declare
  mark constant text := chr(65535);
begin
  return ' ' || regexp_replace(private.search_form(array_to_string(_fields, mark, '')), ' *' || mark || ' *', ' | ', 'g') || ' ';
end $$;
grant execute on function private.word_text to authenticated, service_role;

/* The words of a book's word_text, each cut after 60 characters: a tsvector refuses words of more than 2 kB. */
create function private.words_vector(_word_text text)
returns tsvector language sql immutable parallel safe strict set search_path = '' cost 1000 as $$
  select array_to_tsvector(array_agg(distinct left(word, 60)))
    from unnest(string_to_array(_word_text, ' ')) as word where word not in ('', '|')
$$;
grant execute on function private.words_vector to anon, authenticated, service_role;

-- supabase/schema/3-books/02-books.sql

-- Books and stationery: what the shop sells. Everyone reads them; admins write them. Ratings are maintained by the
-- reviews' trigger alone, the search columns by the database.

create table public.books (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  authors text,
  publisher text,
  isbn text,
  description text,
  -- In cedis. Not numeric(10, 2), which rounds before check_book can refuse a third decimal.
  price numeric not null,
  stock_quantity integer not null default 0,
  image_url text,
  course text,
  subject text,
  grade_level text,
  age_range text,
  curriculum_type text,
  edition text,
  average_rating numeric(3, 2),
  review_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The order of the shelves: the same on every engine, whatever its collation. Case and accents do not count.
  title_key text collate "C" generated always as (private.fold(title)) stored,
  -- Identifies a book in an import; and the same for valid ISBNs only, to point out duplicates.
  isbn_key text collate "C" generated always as (private.isbn_key(isbn)) stored,
  isbn13 text collate "C" generated always as (private.isbn13(isbn)) stored,
  -- Everything that the search covers. Fields are separated by a line feed, which no search text contains.
  -- Folded in one call, because every update of a book recomputes this, including an order that takes stock.
  search_text text collate "C" generated always as (private.search_key(private.fold(
    title || E'\n' || coalesce(authors, '') || E'\n' || coalesce(publisher, '') || E'\n' || coalesce(course, '') || E'\n'
    || coalesce(subject, '') || E'\n' || coalesce(isbn, '') || E'\n' || coalesce(private.isbn13(isbn), '') || E'\n'
    || coalesce(private.book_code(isbn), '') || E'\n' || coalesce(description, '')
  ))) stored,
  -- The words that describe a book, the title's first.
  word_text text collate "C" generated always as (
    private.word_text(array[title, authors, publisher, course, subject, grade_level, curriculum_type])
  ) stored,
  constraint books_title_is_short check (length(title) between 1 and 500),
  constraint books_authors_are_short check (length(authors) <= 1000),
  constraint books_publisher_is_short check (length(publisher) <= 200),
  constraint books_isbn_is_short check (length(isbn) <= 40),
  constraint books_description_is_short check (length(description) <= 10000),
  constraint books_image_url_is_short check (length(image_url) <= 2000),
  constraint books_details_are_short check (
    greatest(length(course), length(subject), length(grade_level), length(age_range), length(curriculum_type),
             length(edition)) <= 200
  ),
  constraint books_price_is_not_negative check (price between 0 and 99999999.99),
  constraint books_price_is_in_pesewas check (price = round(price, 2)),
  constraint books_stock_is_not_negative check (stock_quantity >= 0),
  constraint books_rating_is_out_of_five check (average_rating between 1 and 5),
  constraint books_review_count_is_not_negative check (review_count >= 0)
);
-- One index per filter and sort order, each including every column that pages are filtered and ordered by: even among a million books,
-- one of these alone finds a page.
create index books_by_title on public.books (title_key, id)
  include (publisher, course, subject, grade_level, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_publisher on public.books (publisher, title_key, id)
  include (course, subject, grade_level, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_course on public.books (course, title_key, id)
  include (publisher, subject, grade_level, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_subject on public.books (subject, title_key, id)
  include (publisher, course, grade_level, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_grade_level on public.books (grade_level, title_key, id)
  include (publisher, course, subject, price, stock_quantity, average_rating, review_count, created_at);
create index books_by_price on public.books (price, title_key, id)
  include (publisher, course, subject, grade_level, stock_quantity, average_rating, review_count, created_at);
create index books_by_rating on public.books (average_rating desc nulls last, review_count desc, title_key, id)
  include (publisher, course, subject, grade_level, price, stock_quantity);
create index books_best_rated on public.books (average_rating desc, review_count desc, id)
  where average_rating is not null and stock_quantity > 0;
create index books_newest_first on public.books (created_at desc, id desc)
  include (publisher, course, subject, grade_level, price, stock_quantity);
create index books_by_stock on public.books (stock_quantity, id);
create index books_by_isbn on public.books (isbn_key);
-- What waits to be sorted into it is read through by every search: no more than eight pages.
create index books_search on public.books using gin (search_text extensions.gin_trgm_ops)
  with (gin_pending_list_limit = 64);
-- One entry per word, not per trigram: a word spelt like one that every book has does not lead to every book.
create index books_words on public.books using gin (private.words_vector(word_text)) with (gin_pending_list_limit = 256);
-- An index-only scan needs pages that have been vacuumed since they changed.
alter table public.books set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

alter table public.books enable row level security;
grant select on public.books to anon, authenticated, service_role;
grant delete on public.books to authenticated, service_role;

create policy "everyone reads books" on public.books
  for select to anon, authenticated using (true);
create policy "admins add books" on public.books
  for insert to authenticated with check ((select private.is_admin()));
create policy "admins change books" on public.books
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "admins delete books" on public.books
  for delete to authenticated using ((select private.is_admin()));

-- Not while an order moves stock, when nothing else about the book changes, nor for an import, which has one row for the whole batch.
create trigger record_audit after insert or update or delete on public.books
  for each row when (coalesce(current_setting('shop.task', true), '') in ('', 'restore'))
  execute function private.record_audit('average_rating', 'review_count', 'updated_at');

/*
 * A number that changes whenever what pages show of any book changes, so that pages rendered from the catalogue can be cached
 * until then. From ten copies on pages don't show how many there are, so most orders leave all pages as they are. A sequence, because a counter in a row would make orders wait for one another. It moves when the
 * statement runs, a moment before its transaction becomes visible: a reader of the number and the books in
 * between caches the old books under the new number. So cached pages must also expire by time.
 */
create sequence private.catalogue_versions;
select nextval('private.catalogue_versions');
grant select on sequence private.catalogue_versions to anon, authenticated, service_role;

create function private.bump_catalogue_version()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform nextval('private.catalogue_versions');
  return null;
end $$;
create trigger bump_catalogue_version after insert or delete or truncate on public.books
  for each statement execute function private.bump_catalogue_version();

-- Row by row: pairing the rows of a whole statement may take quadratic time. While an order moves stock, nothing else about a
-- book changes, and comparing all of it would cost as much as the rest of the update.
create trigger bump_catalogue_version_if_shown after update on public.books
  for each row when (
    least(new.stock_quantity, 10) <> least(old.stock_quantity, 10)
    or coalesce(current_setting('shop.task', true), '') in ('', 'import', 'demo', 'restore')
       and to_jsonb(new) - '{stock_quantity,updated_at}'::text[] <> to_jsonb(old) - '{stock_quantity,updated_at}'::text[]
  ) execute function private.bump_catalogue_version();

create function public.catalogue_version()
returns bigint language sql stable set search_path = '' as $$
  select last_value from private.catalogue_versions
$$;
grant execute on function public.catalogue_version to anon, authenticated, service_role;

-- supabase/schema/3-books/03-fields.sql

-- The fields of a book that staff edit. A new text column needs a line in book_texts, and any new column a call of
-- settle_book_columns; everything else follows: cleaning and limits, rights, triggers, import, undo, restoring, the
-- demo.

/* The texts of a book: their names in messages, their maximum lengths, and whether they may have several lines. */
create function private.book_texts()
returns table (name text, label text, at_most int, is_long boolean, is_required boolean)
language sql immutable set search_path = '' as $$
  values
    ('title', 'title', 500, false, true),
    ('authors', 'list of authors', 1000, false, false),
    ('publisher', 'publisher', 200, false, false),
    ('isbn', 'ISBN', 40, false, false),
    ('description', 'description', 10000, true, false),
    ('image_url', 'image address', 2000, false, false),
    ('course', 'course', 200, false, false),
    ('subject', 'subject', 200, false, false),
    ('grade_level', 'grade level', 200, false, false),
    ('age_range', 'age range', 200, false, false),
    ('curriculum_type', 'curriculum type', 200, false, false),
    ('edition', 'edition', 200, false, false)
$$;
grant execute on function private.book_texts to authenticated, service_role;

/* The columns that staff edit: all except the id and those that the database maintains or computes. */
create function private.book_columns(_prefix text default '')
returns text language sql stable set search_path = '' as $$
  select string_agg(_prefix || quote_ident(attname), ', ' order by attnum)
    from pg_catalog.pg_attribute
   where attrelid = 'public.books'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     and attname <> all ('{id,average_rating,review_count,created_at,updated_at}')
$$;

/*
 * Whether the indexes for filters and sort orders can hold these texts: an index row has at most 2,704 bytes. Only characters of three
 * or four bytes come near that.
 */
create function private.fits_shelves(_title text, _publisher text, _course text, _subject text, _grade_level text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select octet_length(concat(private.fold(_title), _publisher, _course, _subject, _grade_level)) <= 2500
$$;
grant execute on function private.fits_shelves to authenticated, service_role;

create function private.check_book()
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
  if not private.fits_shelves(new.title, new.publisher, new.course, new.subject, new.grade_level) then
    perform private.refuse('PT400', 'invalid_field', 'Title, publisher, course, subject and grade level are too long together.',
      jsonb_build_object('field', 'title', 'rule', 'max_length', 'limit', 500));
  end if;
  return new;
end $$;
create trigger check_new_book before insert on public.books
  for each row execute function private.check_book();

/* Grants the rights and creates the triggers that name the columns edited by staff. */
create function private.settle_book_columns()
returns void language plpgsql set search_path = '' as $$
declare
  columns constant text := private.book_columns();
begin
  execute format('grant insert (id, %1$s), update (%1$s) on public.books to authenticated, service_role', columns);
  -- Not while an order moves stock: nothing was edited.
  execute format(
    'create or replace trigger check_changed_book before update of %s on public.books'
    ' for each row when (coalesce(current_setting(''shop.task'', true), '''') in ('''', ''import'', ''demo''))'
    ' execute function private.check_book()', columns);
  -- A changed rating is not an edit: it must not make an admin's open dialog outdated.
  execute format(
    'create or replace trigger stamp_updated_at before update of %s on public.books'
    ' for each row execute function private.stamp_updated_at()', columns);
end $$;
select private.settle_book_columns();

/* Adds books, each a row of the table as JSON, in their order. */
create function private.insert_books(_books jsonb[])
returns void language plpgsql set search_path = '' as $$
begin
  execute format(
    'insert into public.books (id, created_at, %s) select b.id, coalesce(b.created_at, now()), %s'
    '  from unnest($1) with ordinality as given (book, place), jsonb_populate_record(null::public.books, given.book) as b'
    ' order by given.place',
    private.book_columns(), private.book_columns('b.')) using _books;
end $$;

/* Updates books with the values of these rows; returns how many were written. */
create function private.update_books(_books jsonb[])
returns bigint language plpgsql set search_path = '' as $$
declare
  written bigint;
begin
  execute format(
    'update public.books o set (%s) = row (%s)'
    '  from unnest($1) as given (book), jsonb_populate_record(null::public.books, given.book) as b where o.id = b.id',
    private.book_columns(), private.book_columns('b.')) using _books;
  get diagnostics written = row_count;
  return written;
end $$;

/* A book with the fields shown on cards. */
create function private.book_card(_book public.books)
returns jsonb language sql immutable set search_path = '' as $$
  select case when _book.id is not null then jsonb_build_object(
    'id', _book.id, 'title', _book.title, 'authors', _book.authors, 'publisher', _book.publisher, 'isbn', _book.isbn,
    'price', _book.price, 'stock_quantity', _book.stock_quantity, 'course', _book.course, 'subject', _book.subject,
    'grade_level', _book.grade_level, 'edition', _book.edition, 'image_url', _book.image_url,
    'average_rating', _book.average_rating, 'review_count', _book.review_count) end
$$;
grant execute on function private.book_card to anon, authenticated, service_role;

-- supabase/schema/3-books/04-stock.sql

-- Every change of a book's stock after it was added: how many, why, for which order, by whom. Written by triggers, so
-- that no change of stock is missed: stock = initial stock + the sum of these. This is true of deleted books too: an
-- order that is cancelled, reopened, deleted or restored while its book is deleted moves the archived stock, and a
-- restored book comes back with it.

/* Fewer copies than this are low stock. Until an admin changes it, the first value in app/owner/settings.ts. */
create function private.low_stock()
returns int language sql stable parallel safe set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'lowStock'), 10)
$$;
grant execute on function private.low_stock to authenticated, service_role;

create table public.stock_movements (
  id bigint generated always as identity primary key,
  -- No foreign keys: a movement outlives its book and its order.
  book_id uuid not null,
  quantity integer not null,
  reason text not null,
  order_id uuid,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  constraint stock_movements_move_something check (quantity <> 0),
  constraint stock_movements_reason_is_known
    check (reason in ('order', 'cancel', 'delete', 'reopen', 'manual', 'import', 'return'))
);
create index stock_movements_by_book on public.stock_movements (book_id, id desc);
create index stock_movements_by_order on public.stock_movements (order_id);

alter table public.stock_movements enable row level security;
grant select on public.stock_movements to authenticated, service_role;

create policy "admins read stock movements" on public.stock_movements
  for select to authenticated using ((select private.is_admin()));

create trigger keep_as_written before update or delete on public.stock_movements
  for each row execute function private.keep_as_written();

create function private.record_stock_movement()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.stock_movements (book_id, quantity, reason, order_id)
  values (
    new.id,
    new.stock_quantity - old.stock_quantity,
    coalesce(nullif(current_setting('shop.task', true), ''), 'manual'),
    nullif(current_setting('shop.order', true), '')::uuid
  );
  return null;
end $$;
create trigger record_stock_movement after update of stock_quantity on public.books
  for each row when (old.stock_quantity is distinct from new.stock_quantity)
  execute function private.record_stock_movement();

/* The stock of deleted books. */
create table private.gone_books (
  id uuid primary key,
  title text not null,
  stock_quantity integer not null,
  constraint gone_books_stock_is_not_negative check (stock_quantity >= 0)
);
alter table private.gone_books enable row level security;
create trigger record_stock_movement after update of stock_quantity on private.gone_books
  for each row when (old.stock_quantity is distinct from new.stock_quantity)
  execute function private.record_stock_movement();

create function private.archive_stock()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.gone_books (id, title, stock_quantity) select d.id, d.title, d.stock_quantity from deleted d;
  return null;
end $$;
create trigger archive_stock after delete on public.books
  referencing old table as deleted for each statement execute function private.archive_stock();

create function private.drop_archived_stock()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from private.gone_books g using inserted i where g.id = i.id;
  return null;
end $$;
create trigger drop_archived_stock after insert on public.books
  referencing new table as inserted for each statement execute function private.drop_archived_stock();

/*
 * One lock for whatever moves stock or reads the archive. Shared: work that locks its books by id, placing an order and
 * applying an import, any number at once. Exclusive: statements of clients that lock rows in the order of their plan
 * (a PATCH or DELETE by filter), and restoring, which must see every deletion before it. It is taken before any row is
 * locked, so no transaction that waits for it holds what another needs.
 */
create function private.lock_stock(_exclusive boolean)
returns void language plpgsql set search_path = '' as $$
begin
  if _exclusive then
    perform pg_advisory_xact_lock(hashtext('public.books'), 0);
  else
    perform pg_advisory_xact_lock_shared(hashtext('public.books'), 0);
  end if;
end $$;

/* For clients' statements alone: functions that run as the owner take the lock before their first statement. */
create function private.queue_stock_writes()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_stock(tg_op <> 'INSERT');
  return null;
end $$;
create trigger queue_stock_writes before update or delete on public.books
  for each statement when (current_user in ('authenticated', 'service_role'))
  execute function private.queue_stock_writes();

/*
 * Locks books by id, deleted ones too. A large import keeps its books locked for longer than a customer should wait:
 * after three seconds this is refused.
 */
create function private.lock_books(_book_ids uuid[])
returns void language plpgsql security definer
set search_path = '' set lock_timeout = '3s' set plan_cache_mode = force_generic_plan as $$
declare
  locked int;
begin
  perform from public.books where id = any (_book_ids) order by id for no key update;
  get diagnostics locked = row_count;
  if locked < cardinality(_book_ids) then
    perform from private.gone_books where id = any (_book_ids) order by id for no key update;
  end if;
exception when lock_not_available then
  perform private.refuse('PT409', 'books_busy', 'The catalogue is being updated. Please try again in a minute.');
end $$;

/*
 * Moves stock of several books at once, all or nothing: refuses with the titles that have too few, writes the movements with the
 * reason. Positive quantities come back. The caller has locked the books. Like lock_books, it is planned once for any
 * list of books: with a plan for each list an order of one line takes 7.8 ms in place of 5.8 ms (PostgreSQL 15, 100,000 books).
 */
create function private.move_locked_stock(_book_ids uuid[], _quantities int[], _reason text, _order_id uuid)
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
     where b.id = m.book_id and m.quantity <> 0;
  end if;
  perform set_config('shop.task', '', true), set_config('shop.order', '', true);
end $$;

/* The same for a caller that holds the lock on stock alone: locks the books by id. */
create function private.move_stock(_book_ids uuid[], _quantities int[], _reason text, _order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_books(_book_ids);
  perform private.move_locked_stock(_book_ids, _quantities, _reason, _order_id);
end $$;

-- supabase/schema/3-books/05-tallies.sql

-- Every change of a book is counted: see ground/tallies.

/* An import adds thousands of books in one statement: one row per publisher. */
create function private.tally_books()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  sign constant int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into private.tallies (counted, value, rows, copies)
  select 'books', coalesce(publisher, ''), sign * count(*), sign * sum(stock_quantity) from changed group by 2;
  return null;
end $$;

create trigger tally_new_books after insert on public.books
  referencing new table as changed for each statement execute function private.tally_books();

create trigger tally_deleted_books after delete on public.books
  referencing old table as changed for each statement execute function private.tally_books();

/* Row by row: the old and new rows of a statement that changes every book would not fit into a temporary file. */
create function private.tally_changed_book()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.publisher is not distinct from old.publisher then
    insert into private.tallies (counted, value, rows, copies)
    values ('books', coalesce(new.publisher, ''), 0, new.stock_quantity - old.stock_quantity);
  else
    insert into private.tallies (counted, value, rows, copies)
    values ('books', coalesce(old.publisher, ''), -1, -old.stock_quantity),
           ('books', coalesce(new.publisher, ''), 1, new.stock_quantity);
  end if;
  return null;
end $$;

create trigger tally_changed_book after update on public.books
  for each row when (new.stock_quantity <> old.stock_quantity or new.publisher is distinct from old.publisher)
  execute function private.tally_changed_book();

create trigger forget_tallies after truncate on public.books for each statement execute function private.forget_tallies();

-- supabase/schema/3-books/06-covers.sql

-- The bucket of cover images: anyone may view them by URL, admins add, replace and delete them. JPEG only, because
-- the back office turns every picture into one.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('book-covers', 'book-covers', true, 5242880, array['image/jpeg'])
on conflict (id) do update
  set public = excluded.public, file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;

/*
 * 120 new covers of one admin within 10 minutes: more than a day's work by hand ever brings, and an end to a script
 * or a stolen session that would fill the disk. It counts covers that are there, and only the caller's own. It is in
 * the policy because a hosted project's storage.objects takes no triggers from us, and every storage checks the policy
 * before it takes the file in. It raises instead of returning false, so that there is a message: a hosted project's
 * storage responds 500 with it at the end of its own message, the embedded backend 429.
 */
create function private.admits_cover()
returns boolean language plpgsql stable security definer set search_path = '' as $$
declare
  earliest timestamptz;
  minutes int;
begin
  select created_at into earliest from storage.objects
   where bucket_id = 'book-covers' and owner_id = auth.uid()::text and created_at > now() - interval '10 minutes'
   order by created_at desc offset 119 limit 1;
  if found then
    minutes := greatest(1, ceil(extract(epoch from earliest + interval '10 minutes' - now()) / 60))::int;
    perform private.refuse('PT429', 'too_many_covers',
      format('You have uploaded 120 covers within 10 minutes. Please try again in %s minute%s.', minutes,
        case when minutes > 1 then 's' end),
      jsonb_build_object('limit', 120, 'retry_after_seconds', minutes * 60));
  end if;
  return true;
end $$;
grant execute on function private.admits_cover to authenticated, service_role;

-- Reading a public bucket by URL needs no policy; only admins may list it.
create policy "admins list book covers" on storage.objects
  for select to authenticated using (bucket_id = 'book-covers' and (select private.is_admin()));
create policy "admins add book covers" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'book-covers' and (select private.is_admin()) and (select private.admits_cover()));
create policy "admins replace book covers" on storage.objects
  for update to authenticated
  using (bucket_id = 'book-covers' and (select private.is_admin()))
  with check (bucket_id = 'book-covers' and (select private.is_admin()));
create policy "admins delete book covers" on storage.objects
  for delete to authenticated using (bucket_id = 'book-covers' and (select private.is_admin()));

-- supabase/schema/3-books/07-search.sql

-- The queries by which visitors read the catalogue: conditions, order and paging.
-- They are put together as text, with only the conditions in use. One query for all cases
-- ("_q is null or …") is planned well only as long as its arguments are constants for the planner, and the data API
-- hands them over as columns of a parsed body: then no index is used. Values go in through format's %L alone.

/*
 * A search of the catalogue: text, filters, order and position. Each attribute is optional: null or a blank text means that it does not
 * apply. q is found anywhere in title, authors, publisher, course, subject, ISBN or description. sort is 'best' (of the matches of q; by
 * title without it), 'price', 'price-desc', 'newest' or 'rating'; by default books are ordered by title (case and accents do not count), then
 * id. page is at most 100, page_size at most 1,000 (24); beyond them, in the default order, after_title with after_id continues after a book,
 * before_title with before_id goes back before one. In calls through the API it is a JSON object.
 */
create type public.book_search as (
  q text, publisher text, course text, subject text, grade_level text, curriculum_type text,
  min_price numeric, max_price numeric, min_rating numeric, in_stock boolean,
  sort text, page int, page_size int, after_title text, after_id uuid, before_title text, before_id uuid
);

/* The WHERE clause for the books b that contain a text; "true" for a blank one. */
create function private.text_condition(_q text)
returns text language sql immutable set search_path = '' as $$
  select coalesce('(' || string_agg(format('b.search_text like %L', pattern), ' or ') || ')', 'true')
    from unnest(private.book_patterns(_q)) as pattern
$$;
grant execute on function private.text_condition to anon, authenticated, service_role;

/*
 * The WHERE clause for the books b that match; "true" without filters. With _price_is_filter, or beside another filter, the price index is
 * not used: under row level security the planner expects only a few books in any price range.
 */
create function private.book_conditions(_search public.book_search, _price_is_filter boolean default false)
returns text language plpgsql immutable set search_path = '' as $$
declare
  columns constant text[] := '{publisher,course,subject,grade_level,curriculum_type}';
  wanted constant text[] := array[
    _search.publisher, _search.course, _search.subject, _search.grade_level, _search.curriculum_type];
  conditions text[] := '{}';
  value text;
  price_is text;
begin
  if _search.q is not null then conditions := array_remove(array[private.text_condition(_search.q)], 'true'); end if;
  for at in 1..5 loop
    continue when wanted[at] is null;
    value := private.clean_line(wanted[at]);
    if value is not null then conditions := conditions || format('b.%I = %L', columns[at], value); end if;
  end loop;
  price_is := case when _price_is_filter or cardinality(conditions) > 0 then '(b.price %s %L::numeric) is true' else 'b.price %s %L::numeric' end;
  if _search.min_price is not null then conditions := conditions || format(price_is, '>=', _search.min_price); end if;
  if _search.max_price is not null then conditions := conditions || format(price_is, '<=', _search.max_price); end if;
  if _search.min_rating is not null then conditions := conditions || format('b.average_rating >= %L::numeric', _search.min_rating); end if;
  if _search.in_stock then conditions := conditions || 'b.stock_quantity > 0'::text; end if;
  return coalesce(nullif(array_to_string(conditions, ' and '), ''), 'true');
end $$;
grant execute on function private.book_conditions to anon, authenticated, service_role;

/* The WHERE clause for the books b after a book, or before one, by title; "true" without either, or in another order. */
create function private.book_place(_search public.book_search)
returns text language plpgsql immutable set search_path = '' as $$
begin
  if private.book_order(_search.sort) is not null then
    return 'true';
  elsif _search.after_title is not null then
    return format('(b.title_key, b.id) > (%L, %L::uuid)', private.fold(_search.after_title),
      coalesce(_search.after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'));
  elsif _search.before_title is not null then
    return format('(b.title_key, b.id) < (%L, %L::uuid)', private.fold(_search.before_title),
      coalesce(_search.before_id, '00000000-0000-0000-0000-000000000000'));
  end if;
  return 'true';
end $$;
grant execute on function private.book_place to anon, authenticated, service_role;

/* The positions of the first and the last book of a page, from 1. */
create function private.book_page(_page int, _page_size int, out first_book int, out last_book int)
language plpgsql immutable set search_path = '' as $$
declare
  page_size constant int := least(greatest(coalesce(_page_size, 24), 1), 1000);
begin
  first_book := (least(greatest(coalesce(_page, 1), 1), 100) - 1) * page_size + 1;
  last_book := first_book + page_size - 1;
end $$;
grant execute on function private.book_page to anon, authenticated, service_role;

/* The columns of an ORDER BY. */
create function private.sorted_columns(_ordered text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(_ordered, ' (desc|nulls last)', '', 'g')
$$;
grant execute on function private.sorted_columns to anon, authenticated, service_role;

/*
 * The text of few_books' query, apart so that a test can have it explained. The limit keeps a word that is everywhere cheap; without an
 * order inside it, nothing tempts the planner into walking along the shelf instead of asking the trigram index.
 */
create function private.few_books_query(_conditions text, _most int default 500, _ordered text default 'b.title_key, b.id')
returns text language sql immutable set search_path = '' as $$
  select format('select array_agg(found.id order by %s) from (select %s from public.books b where %s limit %s) as found',
    replace(_ordered, 'b.', 'found.'), private.sorted_columns(_ordered), _conditions, _most + 1)
$$;
grant execute on function private.few_books_query to anon, authenticated, service_role;

/*
 * About how many of a thousand books contain a search text; 0 unless the catalogue is large: only there the trigram index is slow for
 * a common text. Counted in a sample of a thousand across the table, then in one of five thousand if the text is neither rare nor common.
 */
create function private.text_share(_q text)
returns real language plpgsql stable set search_path = '' as $$
declare
  sample constant text := 'select count(*) from public.books b tablesample system (%s) repeatable (1) where %s';
  books constant real := reltuples from pg_catalog.pg_class where oid = 'public.books'::regclass;
  conditions text;
  seen real;
begin
  if books < 100000 then return 0; end if;
  conditions := private.text_condition(_q);
  execute format(sample, 100000 / books, conditions) into seen;
  if seen not between 1 and 12 then return seen; end if;
  execute format(sample, 500000 / books, conditions) into seen;
  return seen / 5;
end $$;
grant execute on function private.text_share to anon, authenticated, service_role;

/*
 * The ids of all books that match, in this order; null when there are more than 500 (10,000 in a large catalogue), or a page of 24 is
 * likely to be found sooner by reading books in order.
 */
create function private.few_books(_conditions text, _q text, _ordered text default null)
returns uuid[] language plpgsql stable set search_path = '' as $$
declare
  books constant real := reltuples from pg_catalog.pg_class where oid = 'public.books'::regclass;
  most constant int := case when books >= 100000 then 10000 else 500 end;
  share constant real := private.text_share(_q) / 1000;
  ids uuid[];
begin
  if share * books > 24 / nullif(share, 0) then return null; end if;
  execute private.few_books_query(_conditions, most, coalesce(_ordered, 'b.title_key, b.id')) into ids;
  if cardinality(ids) > most then return null; end if;
  return coalesce(ids, '{}');
end $$;
grant execute on function private.few_books to anon, authenticated, service_role;

/*
 * book_conditions for counting all books b that match: a text in a tenth of the books or more is searched without the trigram index,
 * which would list them all before the first is read.
 */
create function private.counting_conditions(_search public.book_search)
returns text language plpgsql stable set search_path = '' as $$
declare
  q constant text := _search.q;
begin
  if private.clean_line(left(q, 200)) is null or private.text_share(q) < 100 then return private.book_conditions(_search); end if;
  _search.q := null;
  return format('%s and (%s) is true', private.book_conditions(_search, true), private.text_condition(q));
end $$;
grant execute on function private.counting_conditions to anon, authenticated, service_role;

/* The ORDER BY that a visitor chose for books b; null for the default, by title. The best matches are ranked later, by best_matches. */
create function private.book_order(_sort text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case _sort
    when 'best' then 'b.title_key, b.id'
    when 'price' then 'b.price, b.title_key, b.id'
    when 'price-desc' then 'b.price desc, b.title_key, b.id'
    when 'newest' then 'b.created_at desc, b.id desc'
    when 'rating' then 'b.average_rating desc nulls last, b.review_count desc, b.title_key, b.id'
  end
$$;
grant execute on function private.book_order to anon, authenticated, service_role;

/*
 * The text of a page's query: the first to the last of the matching books b in one order, shown in another. It finds their ids first,
 * so that an index alone suffices, and then their rows.
 *
 * Scanning in order until a page is full takes forever when the matches come late, and collecting and sorting all matches is a waste
 * when every tenth book matches. The planner can't know: two filters may have no books in common, and under row level security it has no
 * statistics on prices and texts. So the next _walked books in order are scanned first, and only if they do not fill the page are
 * all matches collected, fenced by OFFSET 0 to keep the planner from scanning in order after all. Without
 * _walked the order's index is known to be enough. If some conditions need the row, those that an index can check are in _covered, and
 * only rows that pass these count as scanned. _place is what the scan in order may start and end with; _conditions alone say what matches.
 */
create function private.ordered_books_query(
  _conditions text, _covered text, _place text, _ordered text, _shown text, _walked int, _first_book int, _last_book int
) returns text language plpgsql immutable set search_path = '' as $$
declare
  keys constant text := private.sorted_columns(_ordered);
  size constant int := _last_book - _first_book + 1;
  page text;
begin
  page := case
    when _walked is null then
      'select b.id from public.books b where %1$s order by %3$s'
    when _covered is null then
      'select %4$s from (select * from public.books b where %2$s order by %3$s limit %6$s) as b where %1$s order by %3$s limit %7$s'
    else
      'select %5$s from (select %4$s from public.books b where %8$s and %2$s order by %3$s limit %6$s) as near'
      ' cross join lateral (select * from public.books b where b.id = near.id offset 0) as b'
      ' where %1$s order by %9$s limit %7$s' end;
  if _walked is not null then
    page := 'with near as materialized (' || page || ')'
      ' select b.id from ('
      '   select * from near where (select count(*) from near) = %7$s'
      '   union all'
      '   select * from (select %4$s from public.books b where %1$s offset 0) as found'
      '    where (select count(*) from near) < %7$s'
      ' ) as b order by %3$s';
  end if;
  page := format(page, _conditions, _place, _ordered, keys, replace(keys, 'b.', 'near.'), _walked, _last_book, _covered,
    replace(_ordered, 'b.', 'near.'));
  return format('with page as materialized (%s limit %s offset %s) select b.* from page join public.books b on b.id = page.id order by %s',
    page, size, _first_book - 1, _shown);
end $$;
grant execute on function private.ordered_books_query to anon, authenticated, service_role;

/*
 * The text of search_books' query where few_books returns null, in the order of _sort if there is one; a function of its own so that a
 * test can EXPLAIN it. A book's text is read from its row, everything else from an index. The books of _shown_before come before its first
 * page and are left out.
 */
create function private.search_books_query(_search public.book_search, _shown_before uuid[] default '{}')
returns text language plpgsql immutable set search_path = '' as $$
declare
  bounds text := private.book_place(_search);
  conditions constant text := concat_ws(' and ', bounds, private.book_conditions(_search),
    case when cardinality(_shown_before) > 0 then format('b.id <> all (%L::uuid[])', _shown_before) end);
  page record := private.book_page(case bounds when 'true' then _search.page end, _search.page_size);
  by_row constant boolean :=
    private.clean_line(left(_search.q, 200)) is not null or _search.curriculum_type is not null or _search.min_rating is not null;
  by_price constant boolean := coalesce(_search.sort in ('price', 'price-desc'), false);
  shown constant text := coalesce(private.book_order(_search.sort), 'b.title_key, b.id');
  ordered text := shown;
  part public.book_search;
  covered text;
  walked int;
begin
  page.first_book := greatest(page.first_book - cardinality(_shown_before), 1);
  page.last_book := page.last_book - cardinality(_shown_before);
  if by_row then
    walked := least(greatest(page.last_book * 400, 5000), 20000);
    part := _search;
    part.q := null;
    part.curriculum_type := null;
    part.min_rating := null;
    covered := private.book_conditions(part, not by_price);
  elsif num_nonnulls(_search.publisher, _search.course, _search.subject, _search.grade_level) > 1
        or num_nonnulls(_search.min_price, _search.max_price) > 0 then
    -- The index on prices is slower to read in order, above all from the highest price down, but holds no others between two prices.
    walked := case when by_price then 10000 else greatest(page.last_book * 8, 50000) end;
  end if;
  if by_price then
    part := null;
    part.min_price := _search.min_price;
    part.max_price := _search.max_price;
    bounds := private.book_conditions(part);
  elsif bounds <> 'true' and _search.after_title is null then
    ordered := 'b.title_key desc, b.id desc';
  end if;
  return private.ordered_books_query(conditions, covered, bounds, ordered, shown, walked, page.first_book, page.last_book);
end $$;
grant execute on function private.search_books_query to anon, authenticated, service_role;

/*
 * The text of the query for a page of the books that match: by the ids of few_books, which are in the search's order and, after or before a
 * book, only the ones there; without ids by search_books_query.
 */
create function private.book_page_query(_search public.book_search, _ids uuid[])
returns text language plpgsql stable set search_path = '' as $$
declare
  by_position constant boolean := private.book_place(_search) = 'true';
  page record;
begin
  if _search.sort = 'best' and private.clean_line(left(_search.q, 200)) is not null then return private.best_page_query(_search, _ids); end if;
  if _ids is null then return private.search_books_query(_search); end if;
  page := private.book_page(case when by_position then _search.page end, _search.page_size);
  if not by_position and _search.after_title is null then
    page.first_book := greatest(cardinality(_ids) - page.last_book + 1, 1);
    page.last_book := cardinality(_ids);
  end if;
  return format('select b.* from public.books b where b.id = any (%L::uuid[]) order by %s', _ids[page.first_book:page.last_book],
    coalesce(private.book_order(_search.sort), 'b.title_key, b.id'));
end $$;
grant execute on function private.book_page_query to anon, authenticated, service_role;

-- supabase/schema/3-books/08-catalogue.sql

-- Reading the catalogue: search with every filter, paged by number or by key, exact counts, the values to filter by,
-- and the sections of publishers' pages. All run with the caller's rights.

/* The books that match a search, one page of them. */
create function public.search_books(_search public.book_search default null)
returns setof public.books language plpgsql stable set search_path = '' rows 24 as $$
declare
  ids uuid[];
begin
  if private.clean_line(left(_search.q, 200)) is not null then
    ids := private.few_books(private.book_place(_search) || ' and ' || private.book_conditions(_search), _search.q,
      private.book_order(_search.sort));
  end if;
  return query execute private.book_page_query(_search, ids);
end $$;
grant execute on function public.search_books to anon, authenticated, service_role;

/* The exact number of books that match. */
create function public.count_books(_search public.book_search default null)
returns bigint language plpgsql stable set search_path = '' as $$
declare
  books bigint;
begin
  execute 'select count(*) from public.books b where ' || private.counting_conditions(_search) into books;
  return books;
end $$;
grant execute on function public.count_books to anon, authenticated, service_role;

/* The text of list_book_facets' query over the matching books b. */
create function private.book_facets_query(_conditions text)
returns text language sql immutable set search_path = '' as $$
  select
    'with counted as (
       select case when grouping(b.publisher) = 0 then ''publisher''
                   when grouping(b.course) = 0 then ''course'' else ''subject'' end as facet,
              coalesce(b.publisher, b.course, b.subject) as value, count(*) as books
         from public.books b where ' || _conditions || '
        group by grouping sets ((b.publisher), (b.course), (b.subject))
     ), ranked as (
       select *, count(*) over (partition by facet) as total,
              row_number() over (partition by facet order by books desc, value) as position
         from counted where value is not null
     )
     select facet, value, books, total from ranked where position <= 300
      order by facet, private.fold(value) collate "C", value'
$$;
grant execute on function private.book_facets_query to anon, authenticated, service_role;

/*
 * The publishers, courses and subjects among the books that match _q (null: all books), with their numbers of books:
 * the 300 most frequent of each, in the order of the alphabet. "total" is how many values the facet has in all.
 */
create function public.list_book_facets(_q text default null)
returns table (facet text, value text, books bigint, total bigint)
language plpgsql stable set search_path = '' as $$
declare
  search public.book_search;
begin
  search.q := _q;
  return query execute private.book_facets_query(private.counting_conditions(search));
end $$;
grant execute on function public.list_book_facets to anon, authenticated, service_role;

/*
 * What a page of the catalogue shows, in one call: {"books", "total", "facets"}, as search_books (only these columns; none with page_size
 * 0), count_books and list_book_facets return them for the same search. "total" and "facets" are null unless requested. The ids of few
 * matches are looked up once for all three.
 */
create function public.catalogue_page(
  _search public.book_search, _columns text[], _with_total boolean default false, _with_facets boolean default false
) returns json language plpgsql stable set search_path = '' as $$
declare
  -- Each once: the description a thousand times would be a large response.
  columns constant text := (select string_agg(distinct format('b.%I', name), ', ') from unnest(_columns) as name);
  conditions constant text := private.book_conditions(_search);
  text_only public.book_search;
  ids uuid[];
  facets_of text;
  books json := '[]';
  total bigint;
  facets json;
begin
  if private.clean_line(left(_search.q, 200)) is not null then
    ids := private.few_books(conditions, _search.q, private.book_order(_search.sort));
  end if;
  if _search.page_size is distinct from 0 and columns is not null then
    execute format('select coalesce(json_agg(page), ''[]'') from (select %s from (%s) as b) as page', columns,
      private.book_page_query(_search, case when private.book_place(_search) = 'true' then ids end)) into books;
  end if;
  if _with_total and ids is not null then
    total := cardinality(ids);
  elsif _with_total then
    execute 'select count(*) from public.books b where ' || private.counting_conditions(_search) into total;
  end if;
  if _with_facets then
    text_only.q := _search.q;
    facets_of := case when ids is not null and conditions = private.text_condition(_search.q) then format('b.id = any (%L::uuid[])', ids)
                      else private.counting_conditions(text_only) end;
    execute 'select coalesce(json_agg(f), ''[]'') from (' || private.book_facets_query(facets_of) || ') as f' into facets;
  end if;
  return json_build_object('books', books, 'total', total, 'facets', facets);
end $$;
grant execute on function public.catalogue_page to anon, authenticated, service_role;

/*
 * A section of a publisher's page, 'Primary', 'Secondary/IGCSE' or 'A Level': at most 8 of its books, by title. A book may be in several.
 */
create function public.list_publisher_books(_publisher text, _section text)
returns setof public.books language sql stable set search_path = '' rows 8 as $$
  select b.*
    from (values ('Primary', '(primary|ks1|ks2)'), ('Secondary/IGCSE', 'igcse'), ('A Level', 'a[ -]level'))
           as s (section, pattern)
    join public.books b on b.grade_level ~* s.pattern or b.course ~* s.pattern
   where s.section = _section and b.publisher = _publisher
   order by b.title_key, b.id limit 8
$$;
grant execute on function public.list_publisher_books to anon, authenticated, service_role;

-- What the shop offers to filter by beside publisher, course and subject, each with its number of books.

/*
 * The grade levels, price ranges and stock among the books that match the other filters: of each kind those that match all filters but its
 * own, so that a choice's number is what choosing it shows. "choice" is 'grade', 'price' or 'stock'; a price's value is the index of its
 * range: 0 below the first of _price_steps (in cedis, ascending), 1 from it to below the second, and so on. The 300 most frequent grade
 * levels. _price_range is the chosen range, in place of the search's prices.
 */
create function public.list_book_choices(_search public.book_search, _price_steps numeric[], _price_range int default null)
returns table (choice text, value text, books bigint) language plpgsql stable set search_path = '' as $$
declare
  others public.book_search;
  steps constant numeric[] := array(select step from unnest(_price_steps[1:20]) as step where step is not null order by step);
begin
  others.q := _search.q;
  others.publisher := _search.publisher;
  others.course := _search.course;
  others.subject := _search.subject;
  return query execute
    'with counted as materialized (
       select b.grade_level, case when cardinality($1) > 0 then width_bucket(b.price, $1) else 0 end as price_range,
              b.stock_quantity > 0 as in_stock, count(*) as books
         from public.books b where ' || private.counting_conditions(others) || '
        group by 1, 2, 3
     ), fitting as (
       select *, grade_level = $2 or $2 is null as fits_grade, price_range = $3 or $3 is null as fits_price,
              in_stock or $4 is not true as fits_stock
         from counted
     )
     (select ''grade'', grade_level, sum(books)::bigint from fitting
       where fits_price and fits_stock and grade_level is not null group by 2 order by 3 desc, 2 limit 300)
     union all
     select ''price'', price_range::text, sum(books)::bigint from fitting where fits_grade and fits_stock group by 2
     union all
     select ''stock'', ''in'', sum(books)::bigint from fitting where fits_grade and fits_price and in_stock having sum(books) > 0'
    using steps, private.clean_line(_search.grade_level), _price_range, _search.in_stock;
end $$;
grant execute on function public.list_book_choices to anon, authenticated, service_role;

-- supabase/schema/3-books/09-shelves.sql

-- The shelves of the home page and of a book's page. They run with the caller's rights, and read a bounded part of the catalogue
-- however large that is.

/* The stage named first in a book's level or course; null when none is. A range counts as its start. */
create function private.stage_of(_grade_level text, _course text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case
    when named ~* '(early years|nursery|reception|kindergarten|\mkg ?[12]\M)' then 'early-years'
    when named ~* '(primary|\mks ?[12]\M|key stage [12]|\mbasic [1-6]\M)' then 'primary'
    when named ~* '(lower secondary|checkpoint|\mjhs\M|junior high|\mks ?3\M|key stage 3|\mbasic [7-9]\M)' then 'lower-secondary'
    when named ~* '(gcse|\mshs\M|senior high|wassce)' then 'upper-secondary'
    when named ~* '(\ma[ -]level|ib diploma)' then 'a-level'
  end
  from concat_ws(' ', _grade_level, _course) as named
$$;
grant execute on function private.stage_of to anon, authenticated, service_role;

/*
 * At most 4 books per shelf, 3 on a stage's, in the order of "position". A stage's shelf takes the best rated among
 * the newest 5,000 titles; a stage without books has no rows.
 */
create function public.list_home_shelves()
returns table (shelf text, "position" int, book_id uuid) language sql stable set search_path = '' as $$
  with newest as (
    select 'newest' as shelf, b.id, row_number() over (order by b.created_at desc, b.id desc) as place
      from (select * from public.books where stock_quantity > 0 order by created_at desc, id desc limit 4) as b
  ), rated as (
    select 'best-rated' as shelf, b.id,
           row_number() over (order by b.average_rating desc, b.review_count desc, b.id) as place
      from (
        select * from public.books where average_rating is not null and stock_quantity > 0
         order by average_rating desc, review_count desc, id limit 4
      ) as b
  ), staged as (
    select private.stage_of(b.grade_level, b.course) as shelf, b.id,
           row_number() over (
             partition by private.stage_of(b.grade_level, b.course)
             order by b.average_rating desc nulls last, b.review_count desc, b.created_at desc, b.id
           ) as place
      from (select * from public.books where stock_quantity > 0 order by created_at desc, id desc limit 5000) as b
  )
  select s.shelf, s.place::int, s.id
    from (
      select * from newest
      union all select * from rated
      union all select * from staged where shelf is not null and place <= 3
    ) as s
   order by s.shelf, s.place
$$;
grant execute on function public.list_home_shelves to anon, authenticated, service_role;

/* The number of a book's level: the 3 of 'Stage 3', otherwise of its title, 'Spelling 3'; null when there is none. */
create function private.level_of(_grade_level text, _title text)
returns int language sql immutable parallel safe set search_path = '' as $$
  select coalesce(substring(_grade_level from '[0-9]{1,3}'), substring(_title from '[0-9]{1,3}'))::int
$$;
grant execute on function private.level_of to anon, authenticated, service_role;

/*
 * Up to 8 other books of the same course or series, the next level first and the one below it second, then up to 8 of
 * the same publisher that are not of that course, the same subject first. Only the 500 nearest titles of each group
 * are considered, so that the largest publisher costs no more than a small one.
 */
create function public.list_related_books(_book_id uuid)
returns setof public.books language sql stable set search_path = '' as $$
  with this as (
    select id, title_key, course, publisher, subject, private.level_of(grade_level, title) as level
      from public.books where id = _book_id
  ), of_course as (
    select near.id, 1 as kind,
           row_number() over (
             order by near.subject is distinct from this.subject, near.level is null or this.level is null,
                      case when near.level = this.level then 1.5 else abs(near.level - this.level) end,
                      near.level desc, near.publisher is distinct from this.publisher, near.title_key, near.id
           ) as place
      from this cross join lateral (
        (select b.id, b.title_key, b.subject, b.publisher, private.level_of(b.grade_level, b.title) as level
           from public.books b
          where b.course = this.course and (b.title_key, b.id) > (this.title_key, this.id)
          order by b.title_key, b.id limit 250)
        union all
        (select b.id, b.title_key, b.subject, b.publisher, private.level_of(b.grade_level, b.title)
           from public.books b
          where b.course = this.course and (b.title_key, b.id) < (this.title_key, this.id)
          order by b.title_key desc, b.id desc limit 250)
      ) as near
  ), of_publisher as (
    select near.id, 2 as kind,
           row_number() over (
             order by near.subject is distinct from this.subject, near.average_rating desc nulls last, near.title_key, near.id
           ) as place
      from this cross join lateral (
        (select b.id, b.title_key, b.subject, b.course, b.average_rating from public.books b
          where b.publisher = this.publisher and (b.title_key, b.id) > (this.title_key, this.id)
          order by b.title_key, b.id limit 250)
        union all
        (select b.id, b.title_key, b.subject, b.course, b.average_rating from public.books b
          where b.publisher = this.publisher and (b.title_key, b.id) < (this.title_key, this.id)
          order by b.title_key desc, b.id desc limit 250)
      ) as near
     where this.course is null or near.course is distinct from this.course
  )
  select books.*
    from (select * from of_course where place <= 8 union all select * from of_publisher where place <= 8) as related
    join public.books using (id)
   order by related.kind, related.place
$$;
grant execute on function public.list_related_books to anon, authenticated, service_role;

-- supabase/schema/3-books/10-search-words.sql

-- What a search that finds little can fall back on: the words of each book, and their synonyms.

/* Words without the s of a plural or genitive: 'teachers guide' and 'teacher guides' are the same line of the owner's list. */
create function private.without_s(_words text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select regexp_replace(_words, '([a-z]{2}[^s0-9 ])s(?= |$)', '\1', 'g')
$$;
grant execute on function private.without_s to anon, authenticated, service_role;

-- Words of one line mean the same: the setting searchWords, written here when an admin changes it; until then the owner's list,
-- app/owner/search-words.ts, which each start of the shop and `npm run migrate` write here.
create table private.search_words (
  line integer not null,
  words text collate "C" not null,
  known_by text collate "C" generated always as (private.without_s(words)) stored,
  primary key (words, line)
);
create index search_words_by_known_by on private.search_words (known_by);
create index search_words_by_line on private.search_words (line);
grant select on private.search_words to anon, authenticated, service_role;

/* Replaces the owner's list: [["maths", "mathematics"], …]. */
create function private.set_search_words(_lines jsonb)
returns void language plpgsql set search_path = '' as $$
begin
  delete from private.search_words;
  insert into private.search_words (line, words)
  select distinct position, form
    from jsonb_array_elements(_lines) with ordinality as item (words, position),
         jsonb_array_elements_text(item.words) as word, private.search_form(word) as form
   where form <> '';
end $$;

-- Every word that a book has ever been described by, for corrections of typing errors. Words of deleted books stay:
-- corrections check that a book still has them. Not unique: two writers of the same new words would wait for each other, or
-- deadlock; instead each adds its own.
create table private.book_words (
  word text collate "C" not null
);
create index book_words_by_word on private.book_words (word);
-- For corrections: words that differ in the first letter alone, and words of about the same length.
create index book_words_by_rest on private.book_words (substr(word, 2));
create index book_words_by_length on private.book_words (length(word));
grant select on private.book_words to anon, authenticated, service_role;

/* Adds the words of these texts that are new. */
create function private.keep_book_words(_texts text[])
returns void language sql security definer set search_path = '' as $$
  insert into private.book_words (word)
  select distinct word from unnest(_texts) as described (text), regexp_split_to_table(text, ' ') as item (word)
   where length(word) between 3 and 30 and word !~ '[0-9]'
     and not exists (select from private.book_words entry where entry.word = item.word)
$$;

create function private.keep_new_book_words()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_book_words(array(select word_text from added));
  return null;
end $$;
create trigger keep_new_book_words after insert on public.books
  referencing new table as added for each statement execute function private.keep_new_book_words();

create function private.keep_changed_book_words()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_book_words(array[new.word_text]);
  return null;
end $$;
create trigger keep_changed_book_words after update on public.books
  for each row when (new.word_text is distinct from old.word_text) execute function private.keep_changed_book_words();

/* A word, and its singular or what its plural begins with. */
create function private.word_forms(_word text)
returns text[] language sql immutable parallel safe strict set search_path = '' as $$
  select case
    when _word ~ '...ies$' then array[_word, left(_word, -3) || 'y']
    when _word ~ '...[^aeiou]y$' then array[_word, left(_word, -1) || 'ie']
    when _word ~ '...(ch|sh|ss|x)es$' then array[_word, left(_word, -2)]
    when _word ~ '..[^s]s$' then array[_word, left(_word, -1)]
    else array[_word]
  end
$$;
grant execute on function private.word_forms to anon, authenticated, service_role;

/*
 * What a typed text looks for, in its order: each word, or several that the owner's list knows as one, with all that means the same
 * (itself first). "words" is null for what says nothing, such as 'the'. Of several words, a number may be written as any word that the
 * list has for it: 'year four' is 'year 4'.
 */
create function private.search_terms(_q text)
returns table (ordinal int, typed text, words text[]) language plpgsql stable set search_path = ''
-- Otherwise each word's query is planned again: 9.5 ms in place of 4.9 ms for six words, with 100,000 books.
set plan_cache_mode = force_generic_plan as $$
declare
  fillers constant text[] := '{a,an,the,of,for,in,on,to,with,by,my,i,is,me,we,need,want,looking,buy,please,book,books,new}';
  tokens constant text[] := private.typed_words(_q);
  last constant int := cardinality(tokens);
  numbered constant text[] := array(
    select coalesce((select min(digits.words) from private.search_words entry join private.search_words digits on digits.line = entry.line
                      where entry.words = token and digits.words ~ '^[0-9]+$'), token)
      from unnest(tokens) with ordinality as each (token, position) order by each.position);
  all_fillers constant boolean := tokens <@ fillers;
  at int := 1;
  taken int;
begin
  ordinal := 0;
  while at <= last loop
    ordinal := ordinal + 1;
    -- The longest text from here that the owner's list has, in one of its forms.
    select length, array_agg(distinct other.words), case when bool_or(entry.known_by = any (forms)) then said else digits end
      into taken, words, typed
      from generate_series(least(5, last - at + 1), 1, -1) as length
     cross join array_to_string(tokens[at:at + length - 1], ' ') as said
     cross join array_to_string((case when length > 1 then numbered else tokens end)[at:at + length - 1], ' ') as digits
     cross join lateral (select array[private.without_s(said), (private.word_forms(said))[2]] as forms) as singular
      join private.search_words entry on entry.known_by = any (forms || private.without_s(digits))
      join private.search_words other on other.line = entry.line
     group by length, said, digits order by length desc limit 1;
    if taken is null then
      taken := 1;
      typed := tokens[at];
      words := case when all_fillers or typed <> all (fillers) then '{}'::text[] end;
    end if;
    if words is not null then
      words := private.word_forms(typed) || array(
        select form from unnest(words) as word, unnest(private.word_forms(word)) as form
         where form <> all (private.word_forms(typed)) group by form order by form);
    end if;
    return next;
    at := at + taken;
  end loop;
end $$;
grant execute on function private.search_terms to anon, authenticated, service_role;

/* The LIKE pattern that finds words in a book's word_text: at the start of a word, or whole if they have less than four letters or end in a digit. */
create function private.words_pattern(_words text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select case when length(_words) < 4 or _words ~ '[0-9+]$' then '% ' || _words || ' %' else '% ' || _words || '%' end
$$;
grant execute on function private.words_pattern to anon, authenticated, service_role;

/* What a book's words_vector must match to have one of these words: an entry of several words matches if all are there, in any order. */
create function private.words_query(_words text[])
returns tsquery language sql immutable parallel safe set search_path = '' as $$
  select string_agg('(' || phrase || ')', ' | ')::tsquery
    from unnest(_words) as words,
         lateral (select string_agg(
                           quote_literal(left(word, 60))
                           || case when position = count and private.words_pattern(words) not like '% \%' then ':*' else '' end,
                           ' & ') as phrase
                    from (select word, position, count(*) over () as count
                            from unnest(string_to_array(words, ' ')) with ordinality as each (word, position)) as each) as phrases
$$;
grant execute on function private.words_query to anon, authenticated, service_role;

/* The condition that a book b has one of these words. */
create function private.words_condition(_words text[])
returns text language sql immutable parallel safe set search_path = '' as $$
  select '(' || string_agg(format('b.word_text like %L', private.words_pattern(word)), ' or ') || ')' from unnest(_words) as word
$$;
grant execute on function private.words_condition to anon, authenticated, service_role;

-- supabase/schema/3-books/11-closest-words.sql

-- How common the words of a search are, and the words that a mistyped one, or several typed as one, may mean.

/* The letters of a word in alphabetical order: the same for two words that differ only in the order of their letters. */
create function private.sorted_letters(_word text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select string_agg(letter, '' order by letter) from regexp_split_to_table(_word, '') as letter
$$;
grant execute on function private.sorted_letters to anon, authenticated, service_role;

/* The books b in about this many of the table's blocks, spread over the catalogue and the same each time; all books of a small shop. */
create function private.book_sample(_blocks int)
returns text language sql stable set search_path = '' as $$
  select format('public.books b tablesample system (%s) repeatable (0)',
    least(100, 100 * _blocks * current_setting('block_size')::numeric / greatest(pg_relation_size('public.books'), 1)))
$$;
grant execute on function private.book_sample to anon, authenticated, service_role;

/*
 * For each condition, about how many books b meet it, from a sample of 100 blocks; 0 for each in a shop with up to 16 MB of books,
 * where reading all of them costs little.
 */
create function private.estimate_books(_conditions text[])
returns bigint[] language plpgsql stable set search_path = '' as $$
declare
  blocks constant numeric := pg_relation_size('public.books') / current_setting('block_size')::numeric;
  estimates bigint[];
begin
  if blocks > 2000 and cardinality(_conditions) > 0 then
    execute format('select array[%s]::bigint[] from %s',
      (select string_agg(format('count(*) filter (where %s) * %s', condition, round(blocks / 100)), ', ' order by position)
         from unnest(_conditions) with ordinality as each (condition, position)),
      private.book_sample(100)) into estimates;
    return estimates;
  end if;
  return array_fill(0::bigint, array[cardinality(_conditions)]);
end $$;
grant execute on function private.estimate_books to anon, authenticated, service_role;

/*
 * Up to three words of books that a mistyped word most likely means, best first: the fewest letters to change, two
 * swapped letters counting as one; at most one of four letters, two of up to eight and three of more. Nothing for words of three
 * letters, which are close to everything. From five letters on it may also be the mistyped beginning of a longer word, with at most one
 * letter to change of eight and two of more; whole words come first. Compares up to 50,000 words with the same first letter, 50,000
 * of about the same length if they are long, and the beginnings of 20,000 with the same two letters.
 */
create function private.closest_words(_word text)
returns text[] language plpgsql stable set search_path = '' as $$
begin return (
  with allowed as (
    select case when length(_word) < 5 then 1 when length(_word) < 9 then 2 else 3 end as letters
     where length(_word) between 4 and 30
  ), compared as (
    (select word from private.book_words where word between left(_word, 1) and left(_word, 1) || chr(1114111) limit 50000)
    union all
    -- Another first letter counts as half a letter more, which leaves up to eight letters no other change, swapped letters apart.
    select word from private.book_words
     where length(_word) between 5 and 8 and substr(word, 2) = any (array[substr(_word, 2), _word])
    union all
    select word from private.book_words
     where length(_word) between 5 and 8 and word = any (array[substr(_word, 2), substr(_word, 2, 1) || left(_word, 1) || substr(_word, 3)])
    union all
    (select word from private.book_words
      where length(_word) > 8 and length(word) between length(_word) - 2 and length(_word) + 2 limit 50000)
  ), near as materialized (
    select distinct w.word, changed, a.letters
      from allowed a
      join compared w on length(w.word) between length(_word) - a.letters and length(_word) + a.letters
     cross join extensions.levenshtein_less_equal(w.word, _word, a.letters + 1) as changed
     where changed <= a.letters + 1
  ), rated as (
    select word, letters,
           changed - case when changed > 1 and length(word) = length(_word)
                           and private.sorted_letters(word) = private.sorted_letters(_word) then 1 else 0 end
             + case when left(word, 1) = left(_word, 1) then 0 else 0.5 end as far
      from near
    union all
    select w.word, a.letters, min(changed) + 0.9
      from allowed a
      join (select distinct word
              from (select word from private.book_words where word between left(_word, 2) and left(_word, 2) || chr(1114111) limit 20000) as same
             where length(word) > length(_word) + 1) as w on a.letters > 1,
           generate_series(length(_word) - 1, length(_word) + 1) as beginning,
           extensions.levenshtein_less_equal(left(w.word, beginning), _word, a.letters - 1) as changed
     group by w.word, a.letters having min(changed) < a.letters
  ), likely as materialized (
    select array_agg(word order by far, word) as words, array_agg(far order by far, word) as fars
      from (select * from rated where far <= letters order by far, word limit 6) as best
  ), living as (
    select word, far, greatest(least(30, estimate), found.books) as books
      from likely,
           unnest(words, fars, private.estimate_books(array(
             select format('b.word_text like %L', '% ' || word || ' %') from unnest(words) as word))) as item (word, far, estimate),
           lateral (
             select count(*) as books
               from (select from public.books b
                      where estimate < 30 and private.words_vector(b.word_text) @@ quote_literal(word)::tsquery limit 30) as living
           ) as found
     where words is not null
  )
  select coalesce(array_agg(word order by far, books desc, word), '{}')
    from (
      select * from living where books > 0 and far < (select min(far) from living where books > 0) + 1
       order by far, books desc, word limit 3
    ) as best
); end $$;
grant execute on function private.closest_words to anon, authenticated, service_role;

/*
 * The words that were typed as one: 'readingadventures' as '{reading,adventures}'. As few as possible, each of at least three letters, four
 * on average, and from a book or the owner's list. Null if there are none.
 */
create function private.split_word(_word text)
returns text[] language plpgsql stable set search_path = '' as $$
declare
  letters constant int := length(_word);
  parts constant text[] := array(
    select distinct substr(_word, begins, length)
      from generate_series(1, letters - 2) as begins, generate_series(3, least(20, letters - begins + 1)) as length where length < letters);
  known constant text[] := array(
    select word from private.book_words where word = any (parts) union select s.words from private.search_words s where s.words = any (parts));
  -- The words of _word up to each of its letters.
  splits text[] := array_fill(null::text, array[letters]);
  longer text;
  found text[];
begin
  if letters not between 8 and 40 or _word !~ '^[a-z]+$' then return null; end if;
  for begins in 1..letters - 2 loop
    continue when begins > 1 and splits[begins - 1] is null;
    for ends in begins + 2..letters loop
      continue when substr(_word, begins, ends - begins + 1) <> all (known);
      longer := concat_ws(' ', splits[begins - 1], substr(_word, begins, ends - begins + 1));
      if splits[ends] is null or regexp_count(splits[ends], ' ') > regexp_count(longer, ' ') then splits[ends] := longer; end if;
    end loop;
  end loop;
  found := string_to_array(splits[letters], ' ');
  return case when cardinality(found) * 4 <= letters then found end;
end $$;
grant execute on function private.split_word to anon, authenticated, service_role;

/*
 * The first 12 words of the first 200 characters of a typed text. Up to three that no book has, nor a longer word, and that the owner's
 * list doesn't have either, are split.
 */
create function private.typed_words(_q text)
returns text[] language plpgsql stable set search_path = '' as $$
declare
  typed constant text[] := (string_to_array(private.search_form(private.clean_line(left(_q, 200))), ' '))[1:12];
  words text[] := '{}';
  tried int := 0;
  token text;
begin
  foreach token in array coalesce(typed, '{}') loop
    if tried < 3 and length(token) between 8 and 40
       and not exists (select from private.book_words b where b.word >= token and b.word < token || chr(1114111))
       and not exists (select from private.search_words s where s.known_by = private.without_s(token)) then
      tried := tried + 1;
      words := words || coalesce(private.split_word(token), array[token]);
    else
      words := words || token;
    end if;
  end loop;
  return words[1:12];
end $$;
grant execute on function private.typed_words to anon, authenticated, service_role;

/*
 * What a text looks for, term by term in its order: {"typed", "words", "corrections", "absent"}, words null for what says nothing, corrections
 * the words that a mistyped one may mean, absent whether surely no book has the term.
 */
create function private.plain_terms(_q text)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('typed', typed, 'words', words, 'corrections', '[]'::jsonb, 'absent', false) order by ordinal), '[]')
    from private.search_terms(_q)
$$;
grant execute on function private.plain_terms to anon, authenticated, service_role;

/* The same with corrections, for up to three terms that no book has. */
create function private.corrected_terms(_terms jsonb)
returns jsonb language plpgsql stable set search_path = '' as $$
declare
  estimates bigint[];
  corrections text[];
  corrected int := 0;
  terms jsonb := '[]';
  term record;
begin
  for term in
    select value, typed, words, position
      from jsonb_array_elements(_terms) with ordinality as item (value, position), jsonb_to_record(value) as each (typed text, words text[])
     order by position
  loop
    if cardinality(term.words) <= 2 and corrected < 3 and term.typed !~ '[0-9]' then
      -- What has never begun a word of a book needs no search of the books.
      if estimates is null and exists (
        select from unnest(term.words) as form
         where length(form) not between 4 and 30 or form ~ ' '
            or exists (select from private.book_words b where b.word >= form and b.word < form || chr(1114111))
      ) then
        estimates := private.estimate_books(array(
          select coalesce(private.words_condition(array(select jsonb_array_elements_text(nullif(each -> 'words', 'null')))), 'false')
            from jsonb_array_elements(_terms) with ordinality as all_terms (each, position) order by all_terms.position));
      end if;
      if coalesce(estimates[term.position], 0) = 0
         and not exists (select from public.books b where private.words_vector(b.word_text) @@ private.words_query(term.words)) then
        corrections := private.closest_words(term.typed);
        corrected := corrected + 1;
        term.value := term.value || jsonb_build_object('corrections', corrections, 'absent', cardinality(corrections) = 0);
      end if;
    end if;
    terms := terms || term.value;
  end loop;
  return terms;
end $$;
grant execute on function private.corrected_terms to anon, authenticated, service_role;

-- supabase/schema/3-books/12-near-books.sql

-- What a search shows below its result when that is small: books with the words in any order, other words for the same thing, or
-- words spelt alike. Runs with the caller's rights. Its work is bounded, however large the catalogue: 12 words typed, 3 of them
-- corrected, 20,000 books read, 300 compared. A term that more than 20,000 books have is not searched on its own.

/*
 * How well a book b, whose title is t.title, has one of these words: 1 or more, and higher in a title or as a whole word; 0 without any. A class counts less
 * where it is one end of a range, such as 'Primary 4 to SHS 3'.
 */
create function private.words_score(_words text[], _weight numeric)
returns text language sql immutable parallel safe set search_path = '' as $$
  select coalesce('greatest(' || string_agg(
      'case ' || case when word ~ '^[a-z ]+ [0-9]+$'
                      then format('when b.word_text like %L or b.word_text like %L then %s ', '% ' || word || ' to %', '% to ' || word || ' %', 0.3 * _weight)
                      else '' end
      || format('when t.title like %1$L then %3$s when t.title like %2$L then %4$s when b.word_text like %1$L then %5$s'
                ' when b.word_text like %2$L then %6$s else 0 end',
                '% ' || word || ' %', private.words_pattern(word), 1.7 * _weight, 1.5 * _weight, 1.1 * _weight, _weight), ', ') || ')', '0')
    from unnest(_words) as word
$$;
grant execute on function private.words_score to anon, authenticated, service_role;

/*
 * How well a book b, whose title is t.title, has these terms, each as corrected_terms has it: words that were typed count more than others for
 * the same thing. A title in the order of the text, and a short one, come first.
 */
create function private.terms_score(_terms jsonb)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case when count(*) = 0 then '0::numeric' else format(
           '(%s) / %s::numeric + case when t.title like %L then 0.2 else 0 end - length(t.title) / 500.0',
           string_agg(format('greatest(%s, %s, %s)',
             private.words_score(own, 1),
             private.words_score(array(select word from jsonb_array_elements_text(term -> 'words') as word where word <> all (own)), 0.6),
             private.words_score(array(select jsonb_array_elements_text(term -> 'corrections')), 0.8)), ' + '),
           count(*), '%' || string_agg(term -> 'words' ->> 0, '%' order by position) || '%') end
    from jsonb_array_elements(_terms) with ordinality as item (term, position), private.word_forms(term ->> 'typed') as own
$$;
grant execute on function private.terms_score to anon, authenticated, service_role;

/* The whole text with its corrections, those first that this book has; null if nothing was corrected. */
create function private.meant_text(_terms jsonb, _book_id uuid)
returns text language sql stable set search_path = '' as $$
  select case when count(best.word) > 0 then string_agg(coalesce(best.word, term ->> 'typed'), ' ' order by position) end
    from jsonb_array_elements(_terms) with ordinality as item (term, position)
    left join lateral (
      select word
        from jsonb_array_elements_text(term -> 'corrections') with ordinality as correction (word, rank),
             public.books b
       where b.id = _book_id
       order by b.word_text not like '% ' || word || ' %', rank limit 1
    ) as best on true
$$;
grant execute on function private.meant_text to anon, authenticated, service_role;

/* The ISBN in a text, such as 'isbn: 978 0 00 148948 6'; null without one. */
create function private.typed_isbn(_q text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select private.isbn_key(substring(left(_q, 200) from '(?:97[89][ -]*)?(?:[0-9][ -]*){9}[0-9xX]'))
$$;
grant execute on function private.typed_isbn to anon, authenticated, service_role;

/*
 * The ids of up to 300 books that have all terms. Each term is given as its condition, its query for the index, and about how many books
 * have it. The index is searched for the rare terms, and the books found are checked for the others; if all are common, a sample is searched.
 */
create function private.books_with_all(_needed text[], _queries tsquery[], _estimates bigint[], _conditions text)
returns uuid[] language plpgsql stable set search_path = '' as $$
declare
  rare constant text := (
    select string_agg('(' || query::text || ')', ' & ') from unnest(_queries, _estimates) as each (query, estimate) where estimate <= 20000);
  ids uuid[];
begin
  execute format('select array_agg(id) from (select b.id from %s where %s and %s limit 300) as found',
    case when rare is null then private.book_sample(2500)
         else format('(select * from public.books b where private.words_vector(b.word_text) @@ %L limit 20000) as b', rare) end,
    _conditions, array_to_string(_needed, ' and ')) into ids;
  return ids;
end $$;
grant execute on function private.books_with_all to anon, authenticated, service_role;

/*
 * The ids of up to 300 books that have as many terms as any book has, at least half, and not only terms that are
 * common: in 'ananse story', 'story' says little. Arguments as for books_with_all: the books with rare terms are checked for the
 * common ones; without any, a sample is.
 */
create function private.books_with_most(_needed text[], _queries tsquery[], _estimates bigint[], _conditions text)
returns uuid[] language plpgsql stable set search_path = '' as $$
declare
  terms constant int := cardinality(_needed);
  rare text;
  common text;
  ids uuid[];
begin
  select string_agg(format(
           '(select b.id, %s as term from (select * from public.books b where private.words_vector(b.word_text) @@ %L limit %s) as b'
           ' where %s and %s)', position, query, 20000 / terms, _conditions, needed), ' union all ')
           filter (where estimate <= 20000),
         string_agg(format(' union all select b.id, %s, %s from looked_at b where %s', position, estimate, needed), '')
           filter (where estimate > 20000)
    into rare, common
    from unnest(_needed, _queries, _estimates) with ordinality as each (needed, query, estimate, position);
  execute format(
    'with rare as materialized (%s), looked_at as materialized ('
    '  select b.id, b.word_text from public.books b where b.id in (select id from rare)'
    '  union all select b.id, b.word_text from %s where not exists (select from rare) and %s'
    '), hits as ('
    '  select id, term, 0::bigint as estimate from rare %s'
    '), found as ('
    '  select id, count(*) as terms, sum(weight) as weight'
    '    from (select id, 1 / ln(2 + greatest(estimate, count(*) over (partition by term))) as weight from hits) as weighted group by id'
    '), best as (select * from found where terms = (select max(terms) from found) and terms * 2 >= %s)'
    ' select array_agg(id) from ('
    '   select id from best where weight * 2 >= (select max(weight) from best) order by weight desc, id limit 300) as best',
    coalesce(rare, 'select null::uuid as id, 0 as term where false'), private.book_sample(2500 / terms), _conditions, common, terms)
    into ids;
  return ids;
end $$;
grant execute on function private.books_with_most to anon, authenticated, service_role;

/*
 * The ids of the nearest books among those that fit the conditions, best first. All terms have to be there; if no book has them all, as
 * many as any book has. What the search itself finds is left out last: comparing its text with whole descriptions is expensive.
 */
create function private.nearest_books(_terms jsonb, _conditions text, _found text, _most int)
returns uuid[] language plpgsql stable set search_path = '' as $$
declare
  terms constant int := jsonb_array_length(_terms);
  absent constant int := (select count(*) from jsonb_array_elements(_terms) as term where (term -> 'absent')::boolean);
  needed text[];
  queries tsquery[];
  estimates bigint[];
  candidates uuid[];
  ids uuid[];
begin
  if terms = 0 or absent * 2 > terms then return '{}'; end if;
  select array_agg(private.words_condition(words) order by position), array_agg(private.words_query(words) order by position)
    into needed, queries
    from (select position, array(select jsonb_array_elements_text(term -> 'words' || (term -> 'corrections'))) as words
            from jsonb_array_elements(_terms) with ordinality as item (term, position)) as each;
  estimates := private.estimate_books(needed);
  if absent = 0 then candidates := private.books_with_all(needed, queries, estimates, _conditions); end if;
  if candidates is null and terms > 1 then
    candidates := private.books_with_most(needed, queries, estimates, _conditions);
  end if;
  if candidates is null then return '{}'; end if;
  execute format(
    'select array_agg(id) from ('
    '  select b.id from public.books b, lateral (select split_part(b.word_text, ''| '', 1) as title) as t'
    '   where b.id = any ($1) and not (%s)'
    '   order by %s desc, b.stock_quantity = 0, b.title_key, b.id'
    '   limit %s) as best', _found, private.terms_score(_terms), _most) into ids using candidates;
  return coalesce(ids, '{}');
end $$;
grant execute on function private.nearest_books to anon, authenticated, service_role;

/*
 * Beside a search that finds little: {"books", "meant"}, the nearest books that the search itself does not find, best first, as cards show
 * them (price in cedis), and what was probably meant, null if the text seems to be spelt correctly. page_size is at most 24; the search's
 * filters apply, its order and position do not.
 */
create function public.near_books(_search public.book_search)
returns json language plpgsql stable set search_path = ''
-- Otherwise its parts are planned for each text: 4.1 ms in place of 2.0 ms for a word that no book has, with 10,000 or 100,000 books.
set plan_cache_mode = force_generic_plan as $$
declare
  q constant text := _search.q;
  isbn constant text := private.typed_isbn(q);
  most constant int := least(greatest(coalesce(_search.page_size, 24), 1), 24);
  filters public.book_search := _search;
  conditions text;
  found constant text := private.text_condition(q);
  terms jsonb;
  meant text;
  ids uuid[];
begin
  filters.q := null;
  conditions := private.book_conditions(filters);
  if isbn is not null then
    execute format('select array_agg(b.id) from public.books b where b.isbn_key = $1 and %s and not (%s)', conditions, found)
      into ids using isbn;
  end if;
  if ids is null then
    terms := private.corrected_terms(private.plain_terms(q));
    ids := private.nearest_books(
      coalesce((select jsonb_agg(term order by position) from jsonb_array_elements(terms) with ordinality as item (term, position)
                 where term -> 'words' <> 'null'), '[]'),
      conditions, found, most);
    meant := private.meant_text(terms, ids[1]);
  end if;
  return json_build_object('meant', meant, 'books', coalesce((
    select json_agg(private.book_card(b) order by near.position)
      from unnest(ids[:most]) with ordinality as near (id, position) join public.books b on b.id = near.id), '[]'));
end $$;
grant execute on function public.near_books to anon, authenticated, service_role;

-- supabase/schema/3-books/13-suggestions.sql

-- Books that a visitor may mean while they type. Runs with the caller's rights.

/* The LIKE pattern for title keys that begin with a typed text. */
create function private.begins_pattern(_typed text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select replace(replace(replace(private.fold(_typed), '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;
grant execute on function private.begins_pattern to anon, authenticated, service_role;

/*
 * The text of suggest_books' query for these terms, each as private.corrected_terms has it: up to _most books that have all terms, those
 * with the last one in their titles first, or whose ISBN begins so; without titles that begin with the text. The last term may be
 * unfinished.
 */
create function private.suggest_books_query(_typed text, _terms jsonb, _most int)
returns text language plpgsql stable set search_path = '' as $$
declare
  digits constant text := regexp_replace(_typed, '[[:space:]-]', '', 'g');
  -- Whole, so that 'jhs 2' is not the beginning of '2B'.
  last constant text := _terms -> -1 ->> 'typed';
  unfinished constant text := '% ' || last || '%';
  words text;
  query text;
begin
  select string_agg(format('(%s)', concat_ws(' or ',
           case when t.is_last then format('b.word_text like %L', unfinished) end, private.words_condition(t.words))), ' and '),
         string_agg(format('(%s)', concat_ws(' | ',
           case when t.is_last then regexp_replace(private.words_query(array[last])::text, '''$', ''':*') end, private.words_query(t.words)::text)), ' & ')
    into words, query
    from (select position = jsonb_array_length(_terms) as is_last,
                 array(select jsonb_array_elements_text(coalesce(nullif(term -> 'words', 'null'), '[]') || (term -> 'corrections'))) as words
            from jsonb_array_elements(_terms) with ordinality as item (term, position)) as t
   where t.is_last or cardinality(t.words) > 0;
  return format(
    'with found as ('
    '  (select b.id from public.books b where private.words_vector(b.word_text) @@ %1$L and %2$s and b.title_key not like %3$L limit 200)%4$s'
    ') select b.id, b.title, b.publisher'
    '    from found join public.books b using (id), lateral (select split_part(b.word_text, ''| '', 1) as title) as t'
    '   where b.title_key not like %3$L'
    '   order by t.title not like %5$L, (%6$s) desc, b.title_key, b.id limit %7$s',
    coalesce(query, ''), coalesce(words, 'false'), private.begins_pattern(_typed),
    -- An ISBN's digits, with hyphens or without, in its long or its short form.
    case when digits ~ '^[0-9]{4,13}[xX]?$' then format(
      ' union (select b.id from public.books b where b.isbn_key like %L or b.isbn_key like %L order by b.isbn_key, b.id limit 5)',
      digits || '%', '978' || digits || '%')
    else '' end,
    unfinished, private.terms_score(jsonb_path_query_array(_terms, '$[*] ? (@.words != null)')), _most);
end $$;
grant execute on function private.suggest_books_query to anon, authenticated, service_role;

/*
 * At most 5 books for what is being typed, best first, from 2 characters: titles that begin so, and only if they are fewer, books that
 * have the words. If there are none of either, the words are corrected.
 */
create function public.suggest_books(_q text)
returns table (id uuid, title text, publisher text) language plpgsql stable set search_path = '' rows 5 as $$
declare
  typed constant text := private.clean_line(left(_q, 60));
  shown int;
  terms jsonb;
begin
  if length(typed) < 2 then return; end if;
  return query execute format(
    'select b.id, b.title, b.publisher from public.books b where b.title_key like %L order by b.title_key, b.id limit 5',
    private.begins_pattern(typed));
  get diagnostics shown = row_count;
  if shown = 5 then return; end if;
  terms := private.plain_terms(typed);
  return query execute private.suggest_books_query(typed, terms, 5 - shown);
  if shown = 0 and not found then
    terms := private.corrected_terms(terms);
    -- No book has an absent term, unless it is the last, which may be unfinished.
    if jsonb_path_exists(terms, '$[*].corrections[*]') and not jsonb_path_exists(terms - -1, '$[*] ? (@.absent == true)') then
      return query execute private.suggest_books_query(typed, terms, 5);
    end if;
  end if;
end $$;
grant execute on function public.suggest_books to anon, authenticated, service_role;

-- supabase/schema/3-books/14-imports.sql

-- Books from a file: the rows are staged in chunks, looked at (a dry run), then applied, and the last import can be undone. An
-- import of ordinary size is applied by one call, all or nothing, a very large one in steps of 1,000 rows. For staff alone: the
-- back office and the import command use the same functions.

create table public.book_imports (
  id uuid primary key default gen_random_uuid(),
  file_name text,
  -- The file's first row, for the list of rows left out.
  headings jsonb,
  -- What the file and its options are known by, so that an interrupted import of the same file can be continued.
  fingerprint text,
  -- 'applying' and 'undoing' between the first step and the last.
  status text not null default 'staged',
  -- The default for an empty field of a new book; null makes the missing field a problem.
  default_price numeric(10, 2),
  default_stock integer not null default 0,
  default_publisher text,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  applied_at timestamptz,
  undone_at timestamptz,
  added integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  -- How many rows there are, once the first has been applied; how many are applied, and up to which line.
  total_rows integer not null default 0,
  applied_rows integer not null default 0,
  applied_line integer not null default 0,
  -- Books that undoing has changed back, deleted, and left as they are.
  restored integer not null default 0,
  deleted integer not null default 0,
  kept integer not null default 0,
  constraint book_imports_status_is_known check (status in ('staged', 'applying', 'applied', 'undoing', 'undone')),
  constraint book_imports_fingerprint_is_short check (length(fingerprint) <= 100),
  constraint book_imports_file_name_is_short check (length(file_name) <= 300),
  constraint book_imports_headings_are_few check (length(headings::text) <= 50000)
);
create index book_imports_newest_first on public.book_imports (created_at desc, id);

create table public.book_import_rows (
  import_id uuid not null references public.book_imports (id) on delete cascade,
  -- The line in the file, counted from 1, the header included.
  line integer not null,
  -- What the file says, cleaned; a field that the file does not have is absent, an empty one is null.
  fields jsonb not null,
  -- The row's cells as the file has them, for the list of rows left out; others are dropped when the import is applied.
  cells jsonb,
  -- The id that an export gave the row: it takes precedence over the ISBN.
  given_id uuid,
  isbn_key text collate "C",
  -- Why the ISBN cannot be right (a spreadsheet has rounded it), unless it is what the given book already has.
  isbn_problem text,
  -- What is wrong with the row, in sentences; a row with problems is not applied.
  problems text[] not null default '{}',
  -- Written when the import is applied, so that it can be undone.
  action text,
  book_id uuid,
  before jsonb,
  after jsonb,
  primary key (import_id, line),
  constraint book_import_rows_action_is_known check (action in ('add', 'update', 'unchanged', 'refused'))
);
-- None of these begins with the import. Statistics from before it was staged say that it has no rows, and a look-up would read all of them.
create index book_import_rows_by_isbn on public.book_import_rows (isbn_key, line, import_id);
create index book_import_rows_by_given_id on public.book_import_rows (given_id, line, import_id) where given_id is not null;
create index book_import_rows_by_book on public.book_import_rows (book_id, line, import_id) where book_id is not null;
create index book_import_rows_added on public.book_import_rows (book_id, import_id) where action = 'add';

alter table public.book_imports enable row level security;
alter table public.book_import_rows enable row level security;
grant select on public.book_imports, public.book_import_rows to authenticated, service_role;

create policy "admins read imports" on public.book_imports
  for select to authenticated using ((select private.is_admin()));
create policy "admins read the rows of imports" on public.book_import_rows
  for select to authenticated using ((select private.is_admin()));

/*
 * Staff: opens an import; returns its id. The defaults fill empty fields of new books; by its _fingerprint the import is found
 * again. A million rows that were staged and forgotten take some seconds to delete.
 */
create function private.create_book_import(
  _file_name text default null, _default_price numeric default null, _default_stock int default 0,
  _default_publisher text default null, _headings jsonb default null, _fingerprint text default null
) returns uuid language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  import_id uuid;
begin
  perform private.require_staff();
  perform private.require_text('default_publisher', 'The publisher', private.clean_line(_default_publisher), 200);
  if _default_price is not null then
    perform private.require_number('default_price', 'The price', _default_price, 0, 99999999.99);
    perform private.require_pesewas('default_price', 'The price', _default_price);
  end if;
  perform private.require_number('default_stock', 'The stock quantity', coalesce(_default_stock, 0), 0, 10000000);
  -- Imports that were never applied are of no use after a day.
  delete from public.book_imports where status = 'staged' and created_at < clock_timestamp() - interval '1 day';
  insert into public.book_imports (file_name, headings, fingerprint, default_price, default_stock, default_publisher)
  values (left(private.clean_line(_file_name), 300), _headings, left(_fingerprint, 100), _default_price, coalesce(_default_stock, 0),
          private.clean_line(_default_publisher))
  returning id into import_id;
  return import_id;
end $$;
select private.expose('create_book_import', 'authenticated', 'service_role');

/* The import, locked, when it is in a state that the step needs. */
create function private.lock_book_import(_import_id uuid, variadic _statuses text[])
returns public.book_imports language plpgsql security definer set search_path = '' as $$
declare
  import public.book_imports;
begin
  select * into import from public.book_imports where id = _import_id for update;
  if not found then
    perform private.refuse('PT404', 'import_not_found', 'This import no longer exists.');
  end if;
  if import.status <> all (_statuses) then
    perform private.refuse('PT409', 'import_' || import.status,
      case import.status when 'applying' then 'This import is partly applied.' when 'undoing' then 'This import is partly undone.'
                         else 'This import is already ' || import.status || '.' end,
      jsonb_build_object('status', import.status));
  end if;
  return import;
end $$;

/*
 * Reads one row of a file: its texts cleaned, its numbers as numbers, and what is wrong with it. Currencies and thousands
 * separators are read before a row is sent, by the one rule for typed prices (app/lib/typed-price.ts).
 */
create function private.read_import_row(_raw jsonb, out fields jsonb, out problems text[])
language plpgsql immutable set search_path = '' as $$
declare
  field record;
  value text;
begin
  fields := '{}';
  problems := '{}';
  for field in select * from private.book_texts() loop
    if _raw ? field.name then
      value := case when field.is_long then private.clean_text(_raw ->> field.name)
                    else private.clean_line(_raw ->> field.name) end;
      fields := fields || jsonb_build_object(field.name, value);
      if length(value) > field.at_most then
        problems := problems || format('The %s is too long (at most %s characters).', field.label, field.at_most);
      end if;
    end if;
  end loop;
  if _raw ? 'price' then
    value := private.clean_line(_raw ->> 'price');
    if value is null then
      fields := fields || '{"price": null}';
    elsif value ~ '^[0-9]{1,8}(\.[0-9]{1,2})?$' then
      fields := fields || jsonb_build_object('price', value::numeric(10, 2));
    else
      fields := fields || '{"bad_price": true}';
      problems := problems || case when value ~ '^[0-9]{1,8}\.[0-9]+$' then 'The price has at most two decimals.'
                                   else 'The price must be 0 or more.' end;
    end if;
  end if;
  if _raw ? 'stock_quantity' then
    value := private.clean_line(_raw ->> 'stock_quantity');
    if value is null then
      fields := fields || '{"stock_quantity": null}';
    elsif value ~ '^[0-9]{1,8}$' and value::int <= 10000000 then
      fields := fields || jsonb_build_object('stock_quantity', value::int);
    else
      problems := problems || 'The stock must be a whole number of 0 or more.'::text;
    end if;
  end if;
end $$;

/* The problems that the file's reader found: a few sentences. */
create function private.import_problems(_problems jsonb)
returns text[] language sql immutable set search_path = '' as $$
  select array(
    select left(private.clean_line(p), 300)
      from jsonb_array_elements_text(case jsonb_typeof(_problems) when 'array' then _problems else '[]' end) as p
     where private.clean_line(p) is not null limit 20
  )
$$;

/*
 * Staff: adds a chunk of rows, [{"line": 2, "title": …, "isbn": …, "price": …, "stock_quantity": …, …}], values as text or
 * numbers; a line sent again replaces the former. A row may carry the id of its book, its cells as the file has them, and
 * problems, with which it is refused. Returns how many were staged.
 */
create function private.stage_book_import_rows(_import_id uuid, _rows jsonb)
returns int language plpgsql security definer set search_path = '' as $$
declare
  staged int;
begin
  perform private.require_staff();
  perform private.lock_book_import(_import_id, 'staged');
  if jsonb_typeof(_rows) is distinct from 'array'
     or exists (select from jsonb_array_elements(_rows) as r
                where jsonb_typeof(r) <> 'object' or jsonb_typeof(r -> 'line') is distinct from 'number'
                   or (r ->> 'line') !~ '^[0-9]{1,9}$') then
    perform private.refuse('PT400', 'invalid_rows', 'Rows must be an array of objects with a line number.');
  end if;
  insert into public.book_import_rows (import_id, line, fields, cells, given_id, isbn_key, isbn_problem, problems)
  select _import_id, (r ->> 'line')::int, read.fields, r -> 'cells',
         case when r ->> 'id' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (r ->> 'id')::uuid end,
         case when r ->> 'isbn_problem' is null then private.isbn_key(read.fields ->> 'isbn') end,
         left(private.clean_line(r ->> 'isbn_problem'), 300),
         private.import_problems(r -> 'problems') || read.problems
    from jsonb_array_elements(_rows) as r, private.read_import_row(r) as read
  on conflict (import_id, line) do update
    set fields = excluded.fields, cells = excluded.cells, given_id = excluded.given_id, isbn_key = excluded.isbn_key,
        isbn_problem = excluded.isbn_problem, problems = excluded.problems;
  get diagnostics staged = row_count;
  return staged;
end $$;
select private.expose('stage_book_import_rows', 'authenticated', 'service_role');

-- supabase/schema/3-books/15-import-plans.sql

-- What an import would do: the dry run that is shown before anything changes, and that applying it follows.

/*
 * What an import would do, row by row, for the rows after one line up to another. A book is found by the id that an export gave the
 * row, else by what its ISBN identifies; otherwise the row is a new book. A field that is absent or empty keeps the book's value; in a
 * new book the import's defaults apply. Books that earlier steps of the same import have added are not there yet for a row's
 * ISBN: what a row does must not depend on how many rows a step has.
 */
create function private.plan_book_import(_import_id uuid, _after_line int, _to_line int)
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
          || jsonb_strip_nulls(f.fields - 'bad_price')
      when f.by_id and not f.same_isbn then
        f.before || jsonb_strip_nulls(f.fields - 'bad_price'::text)
      else
        f.before || jsonb_strip_nulls(f.fields - '{isbn,bad_price}'::text[])
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

create function private.require_book_import(_import_id uuid)
returns void language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  if not exists (select from public.book_imports where id = _import_id) then
    perform private.refuse('PT404', 'import_not_found', 'This import no longer exists.');
  end if;
end $$;

/* Staff: how many rows an import would add, update, leave and refuse: all, or those after a line up to another. */
create function private.summarise_book_import(_import_id uuid, _after_line int default 0, _to_line int default null)
returns table (rows bigint, added bigint, updated bigint, unchanged bigint, refused bigint)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
begin
  perform private.require_book_import(_import_id);
  return query
    select count(*), count(*) filter (where p.action = 'add'), count(*) filter (where p.action = 'update'),
           count(*) filter (where p.action = 'unchanged'), count(*) filter (where p.action = 'refused')
      from private.plan_book_import(_import_id, coalesce(_after_line, 0), _to_line) as p;
end $$;
select private.expose('summarise_book_import', 'authenticated', 'service_role');

/*
 * Staff: the dry run, by line: action (add, update, unchanged, refused), problems as messages, the book before and after.
 * _action shows one kind of rows alone; _after_line continues behind a line, _to_line ends with one; at most 1,000 rows at once.
 */
create function private.preview_book_import(
  _import_id uuid, _action text default null, _after_line int default 0, _page_size int default 50, _to_line int default null
)
returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
begin
  perform private.require_book_import(_import_id);
  return query
    select * from private.plan_book_import(_import_id, coalesce(_after_line, 0), _to_line) as p
     where _action is null or p.action = _action
     order by p.line limit least(greatest(coalesce(_page_size, 50), 1), 1000);
end $$;
select private.expose('preview_book_import', 'authenticated', 'service_role');

/*
 * Staff: the rows that an import leaves out or has left out, by line, with the reasons and the cells, to be repaired and
 * imported again. _after_line continues behind a line, _to_line ends with one; at most 1,000 rows at once.
 */
create function private.list_rows_left_out(
  _import_id uuid, _after_line int default 0, _page_size int default 500, _to_line int default null
)
returns table (line int, problems text[], cells jsonb)
language plpgsql stable security definer set search_path = '' as $$
declare
  at_most constant int := least(greatest(coalesce(_page_size, 500), 1), 1000);
begin
  perform private.require_book_import(_import_id);
  if (select status <> 'staged' from public.book_imports where id = _import_id) then
    return query
      select r.line, r.problems, r.cells from public.book_import_rows r
       where r.import_id = _import_id and r.line > coalesce(_after_line, 0) and r.line <= coalesce(_to_line, 2147483647)
         and r.action = 'refused'
       order by r.line limit at_most;
  else
    return query
      select p.line, p.problems, r.cells
        from (select p.* from private.plan_book_import(_import_id, coalesce(_after_line, 0), _to_line) as p
               where p.action = 'refused' order by p.line limit at_most) as p
        join public.book_import_rows r on r.import_id = _import_id and r.line = p.line
       order by p.line;
  end if;
end $$;
select private.expose('list_rows_left_out', 'authenticated', 'service_role');

-- supabase/schema/3-books/16-applied-imports.sql

-- Applying an import and undoing the last one: all or nothing, or in steps of this many rows. Each step is a transaction of its
-- own that also records the progress, so the next call continues after the last committed step.

/* Imports write one after the other: two that add the same new book would not see each other's. Taken before the lock on stock. */
create function private.lock_book_imports()
returns void language sql set search_path = '' as $$
  select pg_advisory_xact_lock(hashtext('public.book_imports'), 0)
$$;

/* No import begins while another one is partly applied or partly undone: undoing could not tell the books of the two apart. */
create function private.require_no_unfinished_import(_import_id uuid)
returns void language plpgsql stable set search_path = '' as $$
declare
  other public.book_imports;
begin
  select * into other from public.book_imports where status in ('applying', 'undoing') and id <> _import_id limit 1;
  if found then
    perform private.refuse('PT409', 'import_unfinished',
      format('Another import is not finished: %s, %s of %s rows applied. Finish it or undo it first.',
             coalesce(other.file_name, 'a file'), other.applied_rows, other.total_rows),
      jsonb_build_object('import_id', other.id));
  end if;
end $$;

/* The books that the rows after one line up to another mean by id or ISBN. */
create function private.books_meant(_import_id uuid, _after_line int, _to_line int)
returns uuid[] language sql stable set search_path = '' as $$
  select array(
    select b.id from public.book_import_rows r join public.books b on b.isbn_key = r.isbn_key
     where r.import_id = _import_id and r.line > _after_line and r.line <= _to_line
    union
    select r.given_id from public.book_import_rows r
     where r.import_id = _import_id and r.line > _after_line and r.line <= _to_line and r.given_id is not null)
$$;

/*
 * Staff: applies an import: all of it or nothing, or with _rows that many of the next, until the returned status is 'applied'. Rows with
 * problems refuse it, unless they are to be left out. Ten thousand rows take longer than the 8 seconds of any other request.
 */
create function private.apply_book_import(_import_id uuid, _skip_refused boolean default false, _rows int default null)
returns public.book_imports language plpgsql security definer set search_path = '' set statement_timeout = '120s' as $$
declare
  import public.book_imports;
  to_line int;
  is_last boolean;
  rows_before int;
  bad int;
begin
  perform private.require_staff();
  perform private.lock_book_imports();
  perform private.lock_stock(false);
  import := private.lock_book_import(_import_id, 'staged', 'applying');
  if import.status = 'staged' then
    perform private.require_no_unfinished_import(_import_id);
    select count(*) into import.total_rows from public.book_import_rows where import_id = _import_id;
  end if;
  select coalesce(max(next.line), import.applied_line) into to_line
    from (select r.line from public.book_import_rows r where r.import_id = _import_id and r.line > import.applied_line
           order by r.line limit case when _rows is not null then greatest(_rows, 1) end) as next;
  is_last := not exists (select from public.book_import_rows where import_id = _import_id and line > to_line);

  perform from public.books where id = any (private.books_meant(_import_id, import.applied_line, to_line))
   order by id for no key update;

  update public.book_import_rows r
     set action = p.action, problems = p.problems, before = p.before, after = p.after,
         cells = case p.action when 'refused' then r.cells end,
         book_id = case p.action when 'add' then coalesce(r.given_id, gen_random_uuid()) else p.book_id end
    from private.plan_book_import(_import_id, import.applied_line, to_line) as p
   where r.import_id = _import_id and r.line > import.applied_line and r.line <= to_line and r.line = p.line;
  select count(*) into bad from public.book_import_rows
   where import_id = _import_id and line > import.applied_line and line <= to_line and action = 'refused';
  if bad > 0 and not coalesce(_skip_refused, false) then
    perform private.refuse('PT409', 'import_has_problems',
      case when import.status = 'staged' then format('%s rows have problems. Nothing was imported.', bad)
           else format('Problems in the next step: %s. Rows imported so far: %s of %s.', bad, import.applied_rows, import.total_rows) end,
      jsonb_build_object('refused', bad));
  end if;

  perform set_config('shop.task', 'import', true);
  perform private.insert_books(array(
    select r.after || jsonb_build_object('id', r.book_id) from public.book_import_rows r
     where r.import_id = _import_id and r.line > import.applied_line and r.line <= to_line and r.action = 'add' order by r.line));
  perform private.update_books(array(
    select r.after from public.book_import_rows r
     where r.import_id = _import_id and r.line > import.applied_line and r.line <= to_line and r.action = 'update'));
  perform set_config('shop.task', '', true), private.fold_tallies();

  rows_before := import.applied_rows;
  update public.book_imports i
     set status = case when is_last then 'applied' else 'applying' end, applied_at = clock_timestamp(),
         total_rows = import.total_rows, applied_rows = i.applied_rows + n.rows, applied_line = to_line,
         added = i.added + n.added, updated = i.updated + n.updated, unchanged = i.unchanged + n.unchanged, refused = i.refused + n.refused
    from (
      select count(*) as rows, count(*) filter (where action = 'add') as added, count(*) filter (where action = 'update') as updated,
             count(*) filter (where action = 'unchanged') as unchanged, count(*) filter (where action = 'refused') as refused
        from public.book_import_rows
       where import_id = _import_id and line > import.applied_line and line <= to_line
    ) as n
   where i.id = _import_id
  returning i.* into import;
  if is_last then
    insert into public.audit_log (table_name, row_id, action, after)
    values ('books', _import_id::text, 'import', to_jsonb(import) - 'headings');
  end if;
  -- Until then searches would be planned for the catalogue as it was: without the trigram index where it was empty.
  if import.added + import.updated >= 100
     and (is_last or rows_before = 0 or import.applied_rows / 50000 > rows_before / 50000) then
    analyze public.books;
  end if;
  return import;
end $$;
select private.expose('apply_book_import', 'authenticated', 'service_role');

/*
 * A book as it was before an import, except what has been changed since. Of its stock, only the difference that the
 * import made is undone, never below 0 nor above the largest stock.
 */
create function private.without_import(_now jsonb, _before jsonb, _after jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select jsonb_object_agg(field, case
    when field = 'stock_quantity' then
      to_jsonb(least(greatest(value::int - (_after ->> field)::int + (_before ->> field)::int, 0), 10000000))
    when value = _after -> field then _before -> field
    else value end)
  from jsonb_each(_now) as f (field, value)
$$;

/*
 * Staff: undoes the last import, or what has been applied of it: all, or with _rows that many of the last that changed a book, until the
 * returned status is 'undone'. A book that the import added is deleted unless it has been ordered or edited since. Returns how many
 * books were restored, deleted or left unchanged.
 */
create function private.undo_book_import(_import_id uuid, _rows int default null)
returns public.book_imports language plpgsql security definer set search_path = '' set statement_timeout = '120s' as $$
declare
  import public.book_imports;
  from_line int;
  is_last boolean;
  rows_undone int;
  books_restored int;
  books_deleted int;
begin
  perform private.require_staff();
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
select private.expose('undo_book_import', 'authenticated', 'service_role');

-- supabase/schema/3-books/17-reviews.sql

-- Reviews of books. Admins read, hide and delete them; everyone sees their totals, the books' ratings, which a trigger keeps
-- from those that are not hidden. How customers write them is in 18-writing-reviews.

create table public.reviews (
  id uuid primary key default gen_random_uuid(),
  book_id uuid not null references public.books (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  rating integer not null,
  review_text text,
  created_at timestamptz not null default now(),
  -- When staff hid it; null if it is visible.
  hidden_at timestamptz,
  constraint reviews_one_a_book unique (user_id, book_id),
  constraint reviews_rating_is_out_of_five check (rating between 1 and 5),
  constraint reviews_text_is_short check (length(review_text) <= 2000)
);
create index reviews_by_book on public.reviews (book_id, created_at desc, id desc) include (rating) where hidden_at is null;
-- Of hidden ones too, for the foreign key.
create index reviews_of_book on public.reviews (book_id);
create index reviews_newest_first on public.reviews (created_at desc, id desc);
create index reviews_by_rating on public.reviews (rating, id);
create index reviews_search on public.reviews using gin (review_text extensions.gin_trgm_ops);

alter table public.reviews enable row level security;
grant select, delete on public.reviews to authenticated;
grant select on public.reviews to service_role;

create policy "admins read reviews" on public.reviews
  for select to authenticated using ((select private.is_admin()));
create policy "admins delete reviews" on public.reviews
  for delete to authenticated using ((select private.is_admin()));

/*
 * Counts a book's reviews again, without the hidden ones. The book is locked first: the count must see the reviews that another session wrote
 * while this one waited.
 */
create function private.rate_book(_book_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform from public.books where id = _book_id for no key update;
  update public.books b
     set average_rating = r.average, review_count = r.reviews
    from (select round(avg(rating), 2) as average, count(*)::int as reviews from public.reviews where book_id = _book_id and hidden_at is null) as r
   where b.id = _book_id;
end $$;

create function private.follow_reviews()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then perform private.rate_book(old.book_id); end if;
  if tg_op <> 'DELETE' then
    if tg_op = 'INSERT' or new.book_id <> old.book_id then perform private.rate_book(new.book_id); end if;
  end if;
  return null;
end $$;
create trigger follow_reviews after insert or delete or update of rating, book_id, hidden_at on public.reviews
  for each row execute function private.follow_reviews();

-- Deleting a review locks its book after it, deleting a book its reviews after it.
create trigger queue_stock_writes before delete on public.reviews
  for each statement when (current_user in ('authenticated', 'service_role'))
  execute function private.queue_stock_writes();
create trigger record_audit after insert or update or delete on public.reviews
  for each row execute function private.record_audit();

-- Pages show the texts too. Any other change on them changes the book's rating, and with it the version.
create trigger bump_catalogue_version_if_shown after update on public.reviews
  for each row when (new.review_text is distinct from old.review_text)
  execute function private.bump_catalogue_version();

create trigger tally_row after insert or delete on public.reviews for each row execute function private.tally_row();

create trigger forget_tallies after truncate on public.reviews for each statement execute function private.forget_tallies();

/* 'Ama' of 'Mrs. Ama Mensah' or 'Mensah, Ama'; null for no name, and for an email address or a phone number instead of one. */
create function private.first_name_of(_full_name text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select nullif(split_part(
    regexp_replace(btrim(_full_name), '^([^ ,]+, *)?((mr|mrs|ms|miss|madam|dr|rev|prof)\.? +)*', '', 'i'), ' ', 1), '')
   where _full_name !~ '[@[:digit:]]'
$$;

/*
 * A name as it is compared: its letters from a to z, in lower case, without accents and typographic forms; Cyrillic and Greek ones count
 * as those that they look like.
 */
create function private.name_letters(_name text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(
    translate(private.fold(normalize(_name, nfkc)), 'авсԁеһіјкӏмноопрԛѕтуѵԝхαβεικνορτυχ', 'abcdehijklmhoonpqstyvwxabeiknoptux'), '[^a-z]', '', 'g')
$$;

-- The shop's name and its first word, as letters: the setting's, written here by each change of it, each start of the shop and
-- `npm run migrate`.
create table private.shop_names (letters text primary key);
alter table private.shop_names enable row level security;

create function private.set_shop_name(_name text)
returns void language plpgsql set search_path = '' as $$
begin
  delete from private.shop_names;
  insert into private.shop_names (letters)
  select distinct n.letters
    from unnest(array[private.name_letters(_name), private.name_letters(split_part(_name, ' ', 1))]) as n (letters)
   where length(n.letters) >= 3;
end $$;

/*
 * Whether a name could be taken for the shop's or its staff's: also one that mixes alphabets, or is in a rare one, because many have
 * letters that look like those from a to z.
 */
create function private.passes_as_shop(_name text)
returns boolean language sql stable set search_path = '' as $$
  select letters ~ '(admin|staff|official|moderator|support|customerservice|bookshop)'
         or letters = any ('{shop,store,team,owner,manager,seller,management}')
         -- Latin with Ghana's letters and combining accents; Greek; Cyrillic; or Hebrew, Arabic, N'Ko, the scripts of India to Laos,
         -- Ethiopic and those of East Asia.
         or normalize(_name, nfkc) !~ concat(
              '^([!-~\u00a1-\u024f\u0254\u0256\u025b\u0263\u0269\u028a\u028b\u02b9-\u02c1\u0300-\u034e\u1e00-\u1eff\u2018\u2019]+',
              '|[\u0300-\u034e\u0370-\u03ff\u1f00-\u1fff''.-]+|[\u0300-\u034e\u0400-\u052f''.-]+',
              '|[\u0590-\u06ff\u0750-\u077f\u07c0-\u07ff\u0900-\u0eff\u1200-\u137f\u3005\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3''.-]+)$')
         -- A short name may be a part of another, as 'Ama' is of 'Amara'.
         or exists (select from private.shop_names s
                     where s.letters = name.letters or (length(s.letters) >= 5 and strpos(name.letters, s.letters) > 0))
    from private.name_letters(_name) as name (letters)
$$;

/* The name under which a customer's review is shown: the first name, at most 30 characters; null if it passes as the shop's. */
create function private.reader_name(_full_name text)
returns text language sql stable set search_path = '' as $$
  select case when length(first_name) > 30 then left(first_name, 29) || '…' else first_name end
    -- Without characters that have no width or change the direction of what follows.
    from private.first_name_of(regexp_replace(_full_name, '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')) as first_name
   where not private.passes_as_shop(first_name)
$$;

/* The number of reviews for each rating that was given. */
create function private.count_book_ratings(_book_id uuid)
returns table (rating int, reviews int) language sql stable security definer set search_path = '' as $$
  select rating, count(*)::int from public.reviews where book_id = _book_id and hidden_at is null group by rating order by rating desc
$$;
select private.expose('count_book_ratings', 'anon', 'authenticated', 'service_role');

/* A book's reviews with a text, newest first, at most 20. Only the reader's first name is public. */
create function private.list_book_reviews(_book_id uuid)
returns table (id uuid, rating int, review_text text, reader text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.id, r.rating, r.review_text, private.reader_name(p.full_name), r.created_at
    from public.reviews r join public.profiles p on p.id = r.user_id
   where r.book_id = _book_id and r.hidden_at is null and r.review_text is not null
   order by r.created_at desc, r.id desc
   limit 20
$$;
select private.expose('list_book_reviews', 'anon', 'authenticated', 'service_role');

-- supabase/schema/3-books/18-writing-reviews.sql

-- Customers who ordered a book review it, once; readers report a review; staff hide it or show it again.

-- Who reported which review. Readers don't see reports, staff see how many there are.
create table private.review_reports (
  review_id uuid not null references public.reviews (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (review_id, user_id)
);
create index review_reports_by_reader on private.review_reports (user_id);

/* True for a customer with an order of this book that is not cancelled. */
create function private.has_ordered(_user_id uuid, _book_id uuid)
returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.orders o join public.order_items i on i.order_id = o.id
     where o.user_id = _user_id and o.status <> 'cancelled' and i.sold_book_id = _book_id)
$$;

/*
 * Each change of a review causes pages to be rendered again, so more than 30 within an hour are refused. The caller
 * holds the customer's lock, so that parallel changes are counted too.
 */
create function private.limit_reviews(_user_id uuid)
returns void language plpgsql stable security definer set search_path = '' as $$
declare
  earliest timestamptz;
begin
  select happened_at into earliest from public.audit_log
   where actor = _user_id and table_name = 'reviews' and happened_at > clock_timestamp() - interval '1 hour'
   order by id desc offset 29 limit 1;
  if found then
    perform private.refuse('PT429', 'too_many_reviews', 'You have changed 30 reviews within an hour. Please try again later.',
      jsonb_build_object('limit', 30, 'retry_after_seconds',
        greatest(1, ceil(extract(epoch from earliest + interval '1 hour' - clock_timestamp())))::int));
  end if;
end $$;

/*
 * Waits for the caller's other changes of reviews, and for staff who delete books or reviews: these lock a review before its
 * book, a customer the book before the review. The profile first, because deleting an account locks it before its reviews.
 */
create function private.lock_own_review(_book_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_stock(false);
  perform pg_advisory_xact_lock(hashtext('public.reviews'), hashtext(auth.uid()::text));
  perform from public.profiles where id = auth.uid() for key share;
  perform private.lock_books(array[_book_id]);
end $$;

/* Customers: writes their review of a book that they have ordered, or changes it. _rating 1 to 5; the text is optional. */
create function private.write_review(_book_id uuid, _rating int, _review_text text default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  writing constant uuid := auth.uid();
  cleaned constant text := private.clean_text(_review_text);
begin
  perform private.require_number('rating', 'The rating', _rating, 1, 5);
  perform private.require_text('review_text', 'The review', cleaned, 2000);
  perform private.lock_own_review(_book_id);
  if not exists (select from public.books where id = _book_id) then
    perform private.refuse('PT404', 'book_not_found', 'This book is no longer sold.');
  elsif not private.has_ordered(writing, _book_id) then
    perform private.refuse('PT403', 'not_ordered', 'Only customers who have ordered this book can review it.');
  end if;
  -- A retry of a review that arrived.
  if exists (select from public.reviews where user_id = writing and book_id = _book_id and rating = _rating
                and review_text is not distinct from cleaned) then return; end if;
  perform private.limit_reviews(writing);
  insert into public.reviews as r (book_id, user_id, rating, review_text) values (_book_id, writing, _rating, cleaned)
  on conflict on constraint reviews_one_a_book do update set rating = excluded.rating, review_text = excluded.review_text;
end $$;
select private.expose('write_review', 'authenticated');

/* Customers: deletes their review of a book; does nothing when there is none. */
create function private.delete_own_review(_book_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_own_review(_book_id);
  perform private.limit_reviews(auth.uid());
  delete from public.reviews where user_id = auth.uid() and book_id = _book_id;
end $$;
select private.expose('delete_own_review', 'authenticated');

/* Customers: one row: whether they may review this book, and their review; rating is null when there is none. */
create function private.find_own_review(_book_id uuid)
returns table (may_review boolean, rating int, review_text text, hidden boolean)
language sql stable security definer set search_path = '' as $$
  select private.has_ordered(auth.uid(), _book_id), r.rating, r.review_text, r.hidden_at is not null
    from (select) as one left join public.reviews r on r.user_id = auth.uid() and r.book_id = _book_id
$$;
select private.expose('find_own_review', 'authenticated');

/* Readers: report a review to the shop, once each; nothing happens if it is deleted or hidden. */
create function private.report_review(_review_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  reporting constant uuid := auth.uid();
begin
  if not exists (select from public.profiles where id = reporting) then
    perform private.refuse('PT403', 'account_needed', 'Please sign in to report a review.');
  end if;
  perform pg_advisory_xact_lock(hashtext('public.reviews'), hashtext(reporting::text));
  if (select count(*) from private.review_reports
       where user_id = reporting and created_at > now() - interval '1 day') >= 20 then
    perform private.refuse('PT429', 'too_many_reports', 'You have reported 20 reviews within a day. Please try again later.',
      '{"limit": 20}');
  end if;
  insert into private.review_reports (review_id, user_id)
  select id, reporting from public.reviews where id = _review_id and hidden_at is null
  on conflict do nothing;
end $$;
select private.expose('report_review', 'authenticated');

/* Staff: hides a review from everyone but its writer, or shows it; both settle its reports. */
create function private.moderate_review(_review_id uuid, _hidden boolean)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_staff();
  perform private.lock_stock(true);
  update public.reviews
     set hidden_at = case when _hidden then coalesce(hidden_at, clock_timestamp()) end
   where id = _review_id;
  if not found then
    perform private.refuse('PT404', 'review_not_found', 'This review no longer exists.');
  end if;
  -- Staff have looked at it.
  delete from private.review_reports where review_id = _review_id;
end $$;
select private.expose('moderate_review', 'authenticated', 'service_role');

-- supabase/schema/3-books/19-stock-alerts.sql

-- 'Email me when it's back': a row per customer and sold-out book, which lasts until its one email is sent. The email is written in the
-- transaction that brings the book back, like all emails of the shop; who gets it and what it says is read when it is sent.

create table public.stock_alerts (
  -- Also the event of its email.
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  book_id uuid not null references public.books (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  constraint stock_alerts_one_a_book unique (user_id, book_id)
);
create index stock_alerts_by_book on public.stock_alerts (book_id, created_at, id);

alter table public.stock_alerts enable row level security;
grant select, delete on public.stock_alerts to authenticated;
grant select on public.stock_alerts to service_role;

create policy "customers read their own stock alerts" on public.stock_alerts
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers take back their own stock alerts" on public.stock_alerts
  for delete to authenticated using (user_id = (select auth.uid()));

/*
 * Customers: request one email when this sold-out book is back in stock. A repeated request changes nothing.
 *
 * The book stays locked until the alert is there: a restock at the same moment either is seen here, or sees the alert.
 */
create function private.request_stock_alert(_book_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  asking constant uuid := auth.uid();
  in_stock int;
begin
  perform private.lock_stock(false);
  -- So that parallel requests are counted too.
  perform pg_advisory_xact_lock(hashtext('public.stock_alerts'), hashtext(asking::text));
  perform from public.profiles where id = asking for key share;
  if not found then
    perform private.refuse('PT403', 'account_needed', 'Please sign in first.');
  end if;
  perform private.lock_books(array[_book_id]);
  select stock_quantity into in_stock from public.books where id = _book_id;
  if not found then
    perform private.refuse('PT404', 'book_not_found', 'This book is no longer sold.');
  elsif in_stock > 0 then
    perform private.refuse('PT409', 'book_in_stock', 'This book is in stock again. Reload the page to order it.');
  elsif exists (select from public.stock_alerts where user_id = asking and book_id = _book_id) then
    return;
  elsif (select count(*) from public.stock_alerts where user_id = asking) >= 100 then
    perform private.refuse('PT429', 'too_many_stock_alerts', 'You are already waiting for 100 books. Please cancel one of those requests first.',
      '{"limit": 100}');
  end if;
  insert into public.stock_alerts (user_id, book_id) values (asking, _book_id);
end $$;
select private.expose('request_stock_alert', 'authenticated');

-- supabase/schema/3-books/20-demo.sql

-- The demo that a new shop starts with: which books, publishers and reviewers belong to it, so that it can be removed later, also
-- after the shop was restored from a backup or moved.

create table private.demo_rows (
  -- The id of a book, a publisher, a booklist or a reviewer's account. No foreign keys: a restored demo book is still one.
  id uuid primary key
);
alter table private.demo_rows enable row level security;

-- Pages cached while the shop had its demo must not outlive it.
create trigger bump_catalogue_version after insert or delete or truncate on private.demo_rows
  for each statement execute function private.bump_catalogue_version();

/* Whether the shop still sells a demo book. Follows catalogue_version. */
create function private.shop_has_demo()
returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from private.demo_rows d join public.books b on b.id = d.id)
$$;
select private.expose('shop_has_demo', 'anon', 'authenticated', 'service_role');

/*
 * Staff: removes the demo; returns what it removed, or with _dry_run what it would.
 *
 * What staff have edited, imported over or restored has become the shop's own and stays. Orders keep their lines, as
 * after any deletion. Like the demo's arrival, its end is not written into the log of what people did.
 */
create function private.clear_demo(_dry_run boolean default true)
returns table (books int, kept_books int, reviews int, reviewers int, orders int, open_orders int, booklists int, publishers int, kept_publishers int)
language plpgsql security definer set search_path = '' as $$
declare
  demo_books uuid[];
  kept uuid[];
  people uuid[];
begin
  perform private.require_staff();
  perform private.lock_stock(true);
  perform from public.books b where b.id in (select d.id from private.demo_rows d) order by b.id for update;
  select coalesce(array_agg(b.id), '{}'), coalesce(array_agg(b.id) filter (where
           exists (select from public.audit_log a
                    where a.table_name = 'books' and a.row_id = b.id::text and a.action in ('update', 'restore'))
           or exists (select from public.book_import_rows r join public.book_imports i on i.id = r.import_id
                       where r.book_id = b.id and r.action = 'update' and i.status <> 'undone')), '{}')
    into demo_books, kept
    from public.books b where b.id in (select d.id from private.demo_rows d);
  select coalesce(array_agg(p.id), '{}') into people
    from public.profiles p where p.id in (select d.id from private.demo_rows d);

  books := cardinality(demo_books) - cardinality(kept);
  kept_books := cardinality(kept);
  reviewers := cardinality(people);
  select count(*) into reviews from public.reviews r
   where r.user_id = any (people) or (r.book_id = any (demo_books) and r.book_id <> all (kept));
  select count(*), count(*) filter (where o.status in ('pending', 'processing')) into orders, open_orders
    from public.orders o
   where exists (select from public.order_items i
                  where i.order_id = o.id and i.book_id = any (demo_books) and i.book_id <> all (kept));
  -- A list that staff have saved, published or withdrawn since has another time of change, and stays.
  select count(*) into booklists from public.booklists l
   where l.id in (select d.id from private.demo_rows d) and l.updated_at = l.created_at;
  select count(*) filter (where p.updated_at = p.created_at), count(*) filter (where p.updated_at <> p.created_at)
    into publishers, kept_publishers
    from public.publishers p where p.id in (select d.id from private.demo_rows d);
  if not _dry_run then
    perform set_config('shop.task', 'demo', true);
    delete from auth.users u where u.id = any (people);
    delete from public.booklists l where l.id in (select d.id from private.demo_rows d) and l.updated_at = l.created_at;
    delete from public.books b where b.id = any (demo_books) and b.id <> all (kept);
    delete from public.publishers p where p.id in (select d.id from private.demo_rows d) and p.updated_at = p.created_at;
    -- A kept publisher whose listed titles were all the demo's shows its books instead.
    update public.publishers p set page = 'live', titles = '[]'
     where p.id in (select d.id from private.demo_rows d) and p.page = 'showcase'
       and not exists (select from public.list_titled_books(p.id));
    perform set_config('shop.task', '', true);
    delete from private.demo_rows;
  end if;
  return next;
end $$;
select private.expose('clear_demo', 'authenticated', 'service_role');

-- supabase/schema/3-books/21-best-match.sql

-- 'Best match first': what a search finds, in the order of the close matches. Which books it finds, and how many, stays as it is.

/*
 * The ids of the matching books, best first. _ids are all of them, if they are few. Of many, only some are ranked, so that a common text costs
 * no more than others: those of the first 500 titles that begin with the text, and 1,500 at most in about 500 blocks of the table, which are
 * all books of a small shop.
 */
create function private.best_matches(_search public.book_search, _ids uuid[])
returns uuid[] language plpgsql stable set search_path = '' as $$
declare
  conditions constant text := private.book_conditions(_search);
  score constant text := private.terms_score(jsonb_path_query_array(private.plain_terms(_search.q), '$[*] ? (@.words != null)'));
  ranked uuid[];
begin
  execute format(
    'select array_agg(b.id order by %s desc, b.stock_quantity = 0, b.title_key, b.id)'
    '  from (%s) as b, lateral (select split_part(b.word_text, ''| '', 1) as title) as t', score,
    case when _ids is not null then format('select * from public.books b where b.id = any (%L::uuid[])', _ids)
         else format('select * from public.books b where b.id in ('
                     '  (select b.id from (select * from public.books b where b.title_key like %L order by b.title_key, b.id limit 500) as b where %s)'
                     '  union (select b.id from %s where %s limit 1500))',
                     private.begins_pattern(private.clean_line(left(_search.q, 200))), conditions, private.book_sample(500), conditions) end)
    into ranked;
  return coalesce(ranked, '{}');
end $$;
grant execute on function private.best_matches to anon, authenticated, service_role;

/* The text of the query for a page of a search's books, best first; those that are not ranked follow by title. _ids as few_books has them. */
create function private.best_page_query(_search public.book_search, _ids uuid[])
returns text language plpgsql stable set search_path = '' as $$
declare
  ranked constant uuid[] := private.best_matches(_search, _ids);
  page constant record := private.book_page(_search.page, _search.page_size);
  shown uuid[] := ranked[page.first_book:page.last_book];
  rest uuid[];
begin
  if _ids is null and page.last_book > cardinality(ranked) then
    execute format('select array_agg(b.id order by b.title_key, b.id) from (%s) as b', private.search_books_query(_search, ranked)) into rest;
    shown := shown || rest;
  end if;
  return format('select b.* from unnest(%L::uuid[]) with ordinality as shown (id, position) join public.books b on b.id = shown.id'
    ' order by shown.position', shown);
end $$;
grant execute on function private.best_page_query to anon, authenticated, service_role;

-- supabase/schema/3-books/22-publishers.sql

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
  for select to anon, authenticated using (shown <> 'nowhere' or (select private.is_admin()));
create policy "admins delete publishers" on public.publishers
  for delete to authenticated using ((select private.is_admin()));

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

/* A publisher as staff wrote it, cleaned, without its place; refuses invalid fields, naming them. */
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
  perform private.require_staff();
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
  perform private.require_staff();
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
  perform private.require_staff();
  return query
    select p.id, coalesce(sum(t.rows), 0)::bigint
      from public.publishers p left join private.tallies t on t.counted = 'books' and t.value = p.name
     group by p.id;
end $$;
select private.expose('count_publisher_books', 'authenticated', 'service_role');

/*
 * Staff: names in books that belong to no publisher, with their number of books: those that look like this publisher's
 * first. _q only those that contain it. The first 50.
 */
create function private.list_publisher_spellings(_publisher_id uuid, _q text default null)
returns table (spelling text, books bigint, is_close boolean) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    with own as (
      select p.name, private.publisher_key(p.name) as key from public.publishers p where p.id = _publisher_id
    ), spelled as (
      select t.value as spelling, sum(t.rows)::bigint as books, private.publisher_key(t.value) as key
        from private.tallies t
       where t.counted = 'books' and t.value <> '' and not exists (select from public.publishers p where p.name = t.value)
         and (private.clean_line(_q) is null or private.fold(t.value) like private.contains_pattern(_q))
       group by t.value having sum(t.rows) > 0
    )
    select s.spelling, s.books,
           s.key = o.key or least(length(s.key), length(o.key)) >= 3 and (strpos(s.key, o.key) > 0 or strpos(o.key, s.key) > 0)
           or extensions.similarity(s.key, o.key) >= 0.5 as is_close
      from spelled s cross join own o
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
  perform private.require_staff();
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
  select listed.place, b.id, b.title, b.stock_quantity > 0
    from public.publishers p
   cross join lateral jsonb_array_elements(p.titles) with ordinality as listed (value, place)
   cross join lateral (
     select * from public.books b
      where b.publisher = p.name and b.title_key = private.fold(listed.value ->> 'title')
      order by b.stock_quantity > 0 desc, b.created_at desc, b.id limit 1) as b
   where p.id = _publisher_id
   order by listed.place
$$;
grant execute on function public.list_titled_books to anon, authenticated, service_role;

-- supabase/schema/4-orders/01-delivery.sql

-- What delivery costs: the setting deliveryFees, written here when an admin changes it; until then the owner's file, app/owner/shop.ts,
-- which each start of the shop and `npm run migrate` write here.

create table private.delivery_fees (
  position integer primary key,
  -- Null means every region.
  regions text[],
  -- In cedis: orders whose books cost less than this. Null means every order.
  below numeric(10, 2),
  fee numeric(10, 2) not null,
  constraint delivery_fees_are_sane check (regions <@ private.regions() and below > 0 and fee between 0 and 99999.99)
);
alter table private.delivery_fees enable row level security;

/* The owner's list, [{"regions": […], "below": 300, "fee": 20}], in place of the one before. */
create function private.set_delivery_fees(_fees jsonb)
returns void language plpgsql set search_path = '' as $$
begin
  delete from private.delivery_fees;
  insert into private.delivery_fees (position, regions, below, fee)
  select row_number() over (), case when fee ? 'regions' then array(select jsonb_array_elements_text(fee -> 'regions')) end,
         (fee ->> 'below')::numeric, (fee ->> 'fee')::numeric
    from jsonb_array_elements(_fees) as fee;
end $$;

/*
 * Customers: what delivery costs for books of this total, both in cedis: the fee of the first line that fits; nothing where none does, or
 * when the order is collected at the shop. Null without a region while any line names regions: what delivery costs is then unknown.
 */
create function private.delivery_fee(_region text, _method text, _books_total numeric)
returns numeric language sql stable security definer set search_path = '' as $$
  select case
    when _method = 'collect' then 0
    when nullif(_region, '') is null and exists (select from private.delivery_fees where regions is not null) then null
    else coalesce((
      select fee from private.delivery_fees
       where coalesce(_region = any (regions), regions is null) and coalesce(_books_total < below, below is null)
       order by position limit 1), 0) end
$$;
select private.expose('delivery_fee', 'authenticated', 'service_role');

/* The same for a new order, which is refused while its fee is unknown: a missing region would avoid the fee. */
create function private.require_delivery_fee(_region text, _method text, _books_total numeric)
returns numeric language plpgsql stable set search_path = '' as $$
declare
  fee constant numeric := private.delivery_fee(_region, _method, _books_total);
begin
  if fee is null then
    perform private.refuse('PT400', 'invalid_field', 'Please choose a region.', jsonb_build_object('field', 'region', 'rule', 'required'));
  end if;
  return fee;
end $$;

-- supabase/schema/4-orders/02-cart.sql

-- What is in a customer's cart: one line per book. Customers see and change only their own cart.

create table public.cart_items (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  book_id uuid not null references public.books (id) on delete cascade,
  quantity integer not null default 1,
  created_at timestamptz not null default now(),
  constraint cart_items_one_line_a_book unique (user_id, book_id),
  constraint cart_items_quantity_is_sane check (quantity between 1 and 999)
);
create index cart_items_by_book on public.cart_items (book_id);

alter table public.cart_items enable row level security;
grant select, delete on public.cart_items to authenticated;
grant insert (user_id, book_id, quantity), update (quantity) on public.cart_items to authenticated;
grant select on public.cart_items to service_role;

create policy "customers read their own cart" on public.cart_items
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers fill their own cart" on public.cart_items
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "customers change their own cart" on public.cart_items
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "customers empty their own cart" on public.cart_items
  for delete to authenticated using (user_id = (select auth.uid()));

create function private.check_cart_line()
returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.require_number('quantity', 'The quantity', new.quantity, 1, 999);
  return new;
end $$;
create trigger check_cart_line before insert or update on public.cart_items
  for each row execute function private.check_cart_line();

/*
 * A response of the data API has at most 1,000 rows, so a longer list could not be shown in full. Counted once a
 * statement; the arguments are the error's code and what the list is called.
 */
create function private.bound_list()
returns trigger language plpgsql set search_path = '' as $$
declare
  too_long boolean;
begin
  -- Written out for each table: text for execute would be parsed and planned every time a book is added.
  case tg_table_name
    when 'cart_items' then
      too_long := exists (
        select from public.cart_items where user_id in (select user_id from added) group by user_id having count(*) > 1000);
    when 'wishlists' then
      too_long := exists (
        select from public.wishlists where user_id in (select user_id from added) group by user_id having count(*) > 1000);
  end case;
  if too_long then
    perform private.refuse('PT429', tg_argv[0], format('A %s holds at most 1000 different books.', tg_argv[1]),
      jsonb_build_object('limit', 1000));
  end if;
  return null;
end $$;
create trigger bound_cart after insert on public.cart_items
  referencing new table as added
  for each statement execute function private.bound_list('cart_full', 'cart');

/* Adds copies of a book to the caller's cart and returns the line: one atomic step, even from two tabs at the same time. */
create function public.add_to_cart(_book_id uuid, _quantity int default 1)
returns public.cart_items language plpgsql set search_path = '' as $$
declare
  line public.cart_items;
  broken text;
begin
  perform private.require_number('quantity', 'The quantity', _quantity, 1, 999);
  insert into public.cart_items as c (user_id, book_id, quantity)
  values ((select auth.uid()), _book_id, _quantity)
  on conflict (user_id, book_id) do update set quantity = c.quantity + excluded.quantity
  returning * into line;
  return line;
exception when foreign_key_violation then
  get stacked diagnostics broken = constraint_name;
  if broken <> 'cart_items_book_id_fkey' then raise; end if;
  perform private.refuse('PT404', 'book_not_found', 'This book is no longer available.',
    jsonb_build_object('book_id', _book_id));
end $$;
grant execute on function public.add_to_cart to authenticated;

/*
 * What each customer's newest calls returned. A call that is repeated, because its response was lost or because the same list is
 * open in another tab, adds nothing and returns the same.
 */
create table private.cart_requests (
  user_id uuid not null references public.profiles (id) on delete cascade,
  id text not null,
  outcome jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, id)
);
alter table private.cart_requests enable row level security;

/*
 * Adds copies of books to the caller's cart, within the cart's limits, counting what is in it already. One row a book, in the order
 * given; repeated is true if a call with this request id has already added them; problem is null, 'few_left' (all were added, and the cart now holds more than are in stock), 'not_sold' (no such book),
 * 'out_of_stock' (as with one book, whose button is disabled then), 'too_many' (of one title) or 'cart_full' (too many titles). A
 * book named several times is added up. _quantities must be at least 1.
 */
create function private.add_books_to_cart(_book_ids uuid[], _quantities int[], _request_id text)
returns table (book_id uuid, wanted int, added int, problem text, repeated boolean)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  customer constant uuid := auth.uid();
  outcome jsonb;
  is_repeated boolean;
  broken text;
begin
  perform private.require_text('request_id', 'The request id', _request_id, 100);
  -- Before any row is locked: a request that deletes several books locks the same rows in another order.
  perform private.lock_stock(false);
  -- One call a customer at a time, so that what is counted below holds; add_to_cart in another tab is caught by the caps of
  -- the statement that writes.
  perform pg_advisory_xact_lock(hashtext('public.cart_items'), hashtext(customer::text));
  select r.outcome into outcome from private.cart_requests r where r.user_id = customer and r.id = _request_id;
  is_repeated := found;
  if not is_repeated then
    with wished as (
      select w.id, w.quantity, w.place, b.id is not null as is_sold, b.stock_quantity as stock,
             coalesce(c.quantity, 0) as held, c.id is not null as has_line
        from (select u.id, least(sum(u.quantity), 1000000)::int as quantity, min(u.place) as place
                from unnest(_book_ids, _quantities) with ordinality as u (id, quantity, place) group by u.id) as w
        left join public.books b on b.id = w.id
        left join public.cart_items c on c.book_id = w.id and c.user_id = customer
    ), capped as (
      select *, greatest(least(quantity, 999 - held), 0) as fits,
             count(*) filter (where is_sold and not has_line and stock > 0) over (order by place)
               + (select count(*) from public.cart_items where user_id = customer) as titles
        from wished
    ), judged as (
      select id, place, quantity, stock, has_line,
             case when is_sold and stock > 0 and (has_line or titles <= 1000) then fits else 0 end as added,
             case when not is_sold then 'not_sold'
                  when stock <= 0 then 'out_of_stock'
                  when not has_line and titles > 1000 then 'cart_full'
                  when fits < quantity then 'too_many'
                  when held + fits > stock then 'few_left' end as problem
        from capped
    ), written as (
      insert into public.cart_items as c (user_id, book_id, quantity, created_at)
      -- The cart shows its lines by time: they keep the order given.
      select customer, id, judged.added, now() + place * interval '1 microsecond' from judged where judged.added > 0 order by id
      on conflict (user_id, book_id) do update set quantity = least(c.quantity + excluded.quantity, 999)
      returning c.book_id
    )
    select coalesce(jsonb_agg(jsonb_build_object(
             'book_id', j.id, 'wanted', j.quantity, 'added', j.added, 'problem', j.problem) order by j.place), '[]')
      into outcome from judged as j;
    if _request_id is not null then
      insert into private.cart_requests (user_id, id, outcome) values (customer, _request_id, outcome);
      delete from private.cart_requests r where r.user_id = customer and r.id in (
        select n.id from private.cart_requests n where n.user_id = customer order by n.created_at desc offset 5);
    end if;
  end if;
  return query
    select r.book_id, r.wanted, r.added, r.problem, is_repeated
      from jsonb_to_recordset(outcome) as r (book_id uuid, wanted int, added int, problem text);
exception when foreign_key_violation then
  get stacked diagnostics broken = constraint_name;
  if broken <> 'cart_items_book_id_fkey' then raise; end if;
  perform private.refuse('PT404', 'book_not_found', 'One of these books is no longer available.');
end $$;
grant execute on function private.add_books_to_cart to authenticated, service_role;

-- supabase/schema/4-orders/03-wishlists.sql

-- The books on a customer's wishlist: one row per book. Customers see and change only their own wishlist.

create table public.wishlists (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  book_id uuid not null references public.books (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint wishlists_one_row_a_book unique (user_id, book_id)
);
create index wishlists_by_book on public.wishlists (book_id);

alter table public.wishlists enable row level security;
grant select, delete on public.wishlists to authenticated;
grant insert (user_id, book_id) on public.wishlists to authenticated;
grant select on public.wishlists to service_role;

create policy "customers read their own wishlist" on public.wishlists
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers add to their own wishlist" on public.wishlists
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "customers take from their own wishlist" on public.wishlists
  for delete to authenticated using (user_id = (select auth.uid()));

create trigger bound_wishlist after insert on public.wishlists
  referencing new table as added
  for each statement execute function private.bound_list('wishlist_full', 'wishlist');

-- supabase/schema/4-orders/04-orders.sql

-- Orders as customers place them and staff handle them. Customers read their own, add one (see 08-placing), and
-- may change only its status, and that only to cancelled while it is neither cancelled nor delivered. Admins read
-- all, set any status, delete.
--
-- A new column of an order that people type is its line in the table below, its line in order_texts and, if staff find
-- orders by it, its place in search_text. Everything else follows: rights, cleaning and limits, placing by customers, by
-- phone and from a quote, emails, restoring, and forgetting a customer.

/*
 * 'none': cancelled, and nothing was paid; 'due', 'part_paid' and 'paid'; 'too_much': more than is owed was paid, and some has to
 * be refunded. Nothing is owed for a cancelled order.
 */
create function private.payment_state(_status text, _total numeric, _paid numeric)
returns text language sql immutable parallel safe set search_path = '' as $$
  select case when _status = 'cancelled' then case when _paid > 0 then 'too_much' else 'none' end
              when _paid > _total then 'too_much'
              when _paid = _total then 'paid'
              when _paid > 0 then 'part_paid'
              else 'due' end
$$;
grant execute on function private.payment_state to authenticated, service_role;

create table public.orders (
  id uuid primary key default gen_random_uuid(),
  -- For use on the phone. Assigned by the database alone; gaps are normal.
  number bigint not null generated always as identity (start with 1001),
  -- Null for a caller without an account, whose order staff entered and staff alone see. Restrict: an account with orders is
  -- anonymised, not deleted.
  user_id uuid references public.profiles (id) on delete restrict,
  total_amount numeric(10, 2) not null,
  status text not null default 'pending',
  shipping_address text,
  -- Who receives the parcel, as typed at checkout; the profile may differ.
  recipient_name text,
  recipient_email text,
  recipient_phone text,
  -- How it is delivered (see 2-people/2-addresses). The fee, in cedis, is part of the total.
  region text,
  landmark text,
  digital_address text,
  delivery_method text not null default 'deliver',
  bus_station text,
  delivery_note text,
  -- The customer's own number for the order, such as a school's purchase order.
  customer_reference text constraint orders_customer_reference_is_short check (length(customer_reference) <= 60),
  delivery_fee numeric(10, 2) not null default 0,
  -- The terms that applied when its customer placed it. Null for orders by phone, and those older than this column. No
  -- foreign key, which would need an index: no version is ever deleted.
  terms_version int default private.terms_version(),
  -- Whether the order's copies have been taken from stock.
  stock_held boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- What the back office's search looks through; the phone also as bare digits.
  search_text text collate "C" generated always as (
    id::text || E'\n' || coalesce(private.fold(recipient_name), '') || E'\n'
    || coalesce(private.fold(recipient_email), '') || E'\n' || coalesce(recipient_phone, '') || E'\n'
    || coalesce(regexp_replace(recipient_phone, '[^0-9]', '', 'g'), '')
    || coalesce(E'\n' || private.fold(customer_reference), '')
  ) stored,
  -- The sum of settled payments less refunds, in cedis, and whether a payment needs a decision. Written by triggers
  -- alone.
  paid_amount numeric not null default 0,
  has_undecided_payment boolean not null default false,
  payment_state text not null generated always as (private.payment_state(status, total_amount, paid_amount)) stored,
  constraint orders_number_is_unique unique (number),
  constraint orders_status_is_known
    check (status in ('pending', 'processing', 'shipped', 'delivered', 'cancelled')),
  constraint orders_total_is_not_negative check (total_amount between 0 and 99999999.99),
  constraint orders_shipping_address_is_short check (length(shipping_address) <= 1000),
  constraint orders_recipient_is_short check (
    length(recipient_name) <= 200 and length(recipient_email) <= 320 and length(recipient_phone) <= 40
  ),
  constraint orders_delivery_is_sane
    check (private.is_delivery(region, landmark, digital_address, delivery_method, bus_station, delivery_note)),
  constraint orders_delivery_fee_is_not_negative check (delivery_fee >= 0)
);
create index orders_by_customer on public.orders (user_id, created_at desc, id desc);
-- The lists of the back office; user_id rides along so that the read policy needs no visit to the table.
create index orders_newest_first on public.orders (created_at desc, id desc) include (user_id);
create index orders_by_status on public.orders (status, created_at desc, id desc) include (user_id);
create index orders_by_total on public.orders (total_amount, id) include (user_id);
create index orders_search on public.orders using gin (search_text extensions.gin_trgm_ops);
-- The other filters' columns are included: nearly all orders of a shop may be paid, or due where payments aren't recorded, and can then be
-- counted in the index alone.
create index orders_due on public.orders (created_at desc, id desc) include (status, delivery_method, region, payment_state)
  where payment_state in ('due', 'part_paid');
create index orders_paid on public.orders (created_at desc, id desc) include (status, delivery_method, region)
  where payment_state = 'paid';
create index orders_to_decide on public.orders (created_at desc, id desc)
  where has_undecided_payment or payment_state = 'too_much';

alter table public.orders enable row level security;
grant select, delete, update (status) on public.orders to authenticated;
grant select on public.orders to service_role;

/* The columns with which an order is placed: all except those that the database maintains or computes. */
create function private.order_columns(_prefix text default '')
returns text language sql stable set search_path = '' as $$
  select string_agg(_prefix || quote_ident(attname), ', ' order by attnum)
    from pg_catalog.pg_attribute
   where attrelid = 'public.orders'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     and attname <> all ('{number,stock_held,terms_version,created_at,updated_at,paid_amount,has_undecided_payment}')
$$;
do $$ begin
  execute format('grant insert (%s) on public.orders to authenticated', private.order_columns());
end $$;

/*
 * The columns of an order that people type: their names in messages, their maximum lengths, and whether they are one line, a text of
 * several, or a digital address.
 */
create function private.order_texts()
returns table (name text, label text, at_most int, kind text) language sql immutable parallel safe set search_path = '' as $$
  values
    ('shipping_address', 'address', 1000, 'line'),
    ('recipient_name', 'name', 200, 'line'),
    ('recipient_email', 'email address', 320, 'line'),
    ('recipient_phone', 'phone number', 40, 'line'),
    ('landmark', 'landmark', 200, 'line'),
    ('digital_address', 'digital address', null, 'digital_address'),
    ('bus_station', 'bus parcel station', 200, 'line'),
    ('delivery_note', 'delivery note', 500, 'text'),
    ('customer_reference', 'reference', 60, 'line')
$$;
grant execute on function private.order_texts to authenticated, service_role;

/* Their names; erased when a customer is forgotten. */
create function private.order_text_names()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select array_agg(name) from private.order_texts()
$$;

/* Of an order as JSON, what people type and choose. */
create function private.typed_of_order(_order jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(key, value), '{}')
    from jsonb_each(_order) where key = any (private.order_text_names() || '{region,delivery_method}')
$$;

create policy "customers read their own orders, admins all" on public.orders
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));
create policy "customers place their own orders" on public.orders
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
create policy "customers cancel their own orders while that is possible" on public.orders
  for update to authenticated
  using (user_id = (select auth.uid()) and status not in ('cancelled', 'delivered'))
  with check (user_id = (select auth.uid()) and status = 'cancelled');
create policy "admins set the status of any order" on public.orders
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "admins delete orders" on public.orders
  for delete to authenticated using ((select private.is_admin()));

create trigger queue_stock_writes before insert or update or delete on public.orders
  for each statement when (current_user in ('authenticated', 'service_role'))
  execute function private.queue_stock_writes();
create trigger stamp_updated_at before update on public.orders
  for each row execute function private.stamp_updated_at();
create trigger record_audit after insert or update or delete on public.orders
  for each row execute function private.record_audit('updated_at', 'stock_held');

-- supabase/schema/4-orders/05-tallies.sql

-- Every order is counted by its status and its payment state: see ground/tallies.

create function private.tally_order()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    insert into private.tallies (counted, value, rows) values ('orders', old.status || ' ' || old.payment_state, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into private.tallies (counted, value, rows) values ('orders', new.status || ' ' || new.payment_state, 1);
  end if;
  return null;
end $$;

create trigger tally_order after insert or delete on public.orders for each row execute function private.tally_order();

create trigger tally_changed_order after update on public.orders
  for each row when (new.status <> old.status or new.payment_state <> old.payment_state)
  execute function private.tally_order();

create trigger forget_tallies after truncate on public.orders for each statement execute function private.forget_tallies();

-- supabase/schema/4-orders/06-order-items.sql

-- The lines of an order: book, quantity, unit price at purchase, and what the book was called then, so that history
-- stays readable when the book is deleted. Written by placing an order alone; read with the order.

create table public.order_items (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references public.orders (id) on delete cascade,
  book_id uuid references public.books (id) on delete set null,
  -- The book, even after its deletion: a restored book finds its lines by it. No foreign key.
  sold_book_id uuid,
  quantity integer not null,
  price numeric(10, 2) not null,
  title text not null,
  publisher text,
  isbn text,
  constraint order_items_one_line_a_book unique (order_id, book_id),
  constraint order_items_quantity_is_positive check (quantity > 0),
  constraint order_items_price_is_not_negative check (price >= 0)
);
create index order_items_by_book on public.order_items (book_id);
create index order_items_by_sold_book on public.order_items (sold_book_id);

alter table public.order_items enable row level security;
-- DELETE is granted and no policy allows it: a client that deletes the lines before the order, as older clients do, is
-- succeeds and changes nothing. The lines go with their order.
grant select, delete on public.order_items to authenticated;
grant insert (order_id, book_id, quantity, price) on public.order_items to authenticated;
grant select on public.order_items to service_role;

create policy "people read the lines of the orders that they may read" on public.order_items
  for select to authenticated
  using (
    (select private.is_admin())
    or exists (select from public.orders o where o.id = order_id and o.user_id = (select auth.uid()))
  );
create policy "customers repeat the lines of their own orders" on public.order_items
  for insert to authenticated
  with check (exists (select from public.orders o where o.id = order_id and o.user_id = (select auth.uid())));

/*
 * A client may send the lines again after its order: existing ones are skipped, anything else is refused. Under the
 * caller's rights, so that another customer's lines do not exist for them.
 */
create function private.pass_over_known_line()
returns trigger language plpgsql set search_path = '' as $$
begin
  if not exists (
    select from public.order_items i join public.orders o on o.id = i.order_id
    where i.order_id = new.order_id and i.book_id = new.book_id and i.quantity = new.quantity and i.price = new.price
      and o.user_id = auth.uid()
  ) then
    perform private.refuse('PT403', 'order_item_refused', 'Order lines can only come from the cart.');
  end if;
  return null;
end $$;
create trigger pass_over_known_line before insert on public.order_items
  for each row when (current_user = 'authenticated')
  execute function private.pass_over_known_line();

-- Not on insert: placing an order is one row of the log, and its lines are in the order.
create trigger record_audit after update or delete on public.order_items
  for each row execute function private.record_audit('book_id');

-- supabase/schema/4-orders/07-order-events.sql

-- The history of an order's status: from, to, by whom, when. Without a foreign key: it outlives the order.

create table public.order_events (
  id bigint generated always as identity primary key,
  order_id uuid not null,
  from_status text not null,
  to_status text not null,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp()
);
create index order_events_by_order on public.order_events (order_id, id);

alter table public.order_events enable row level security;
grant select on public.order_events to authenticated, service_role;

create policy "admins read the history of orders" on public.order_events
  for select to authenticated using ((select private.is_admin()));

create trigger keep_as_written before update or delete on public.order_events
  for each row execute function private.keep_as_written();

create function private.record_order_event()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.order_events (order_id, from_status, to_status) values (new.id, old.status, new.status);
  return null;
end $$;
create trigger record_order_event after update of status on public.orders
  for each row when (old.status is distinct from new.status)
  execute function private.record_order_event();

-- supabase/schema/4-orders/08-placing.sql

-- Placing an order is one statement: the customer's insert into orders, with an id made by the client. Before the row is
-- there it is only checked; after it, the cart becomes the order's lines and the stock is taken, or all of it fails.
-- A repeated insert with the same id fails on the primary key (23505) and so cannot order twice.
--
-- Both triggers run for customers' own inserts alone (the role authenticated): seeds, restores and the functions
-- below, which run as the owner, write orders as they are.

/* An order with its texts as they are stored; refuses what it may not be. */
create function private.clean_order(_order public.orders)
returns public.orders language plpgsql immutable set search_path = '' as $$
declare
  typed constant jsonb := to_jsonb(_order);
  cleaned jsonb := '{}';
  field record;
  value text;
begin
  for field in select * from private.order_texts() loop
    value := case field.kind when 'text' then private.clean_text(typed ->> field.name)
                             when 'digital_address' then private.digital_address(typed ->> field.name)
                             else private.clean_line(typed ->> field.name) end;
    value := private.require_text(field.name, 'The ' || field.label, value, field.at_most);
    cleaned := cleaned || jsonb_build_object(field.name, value);
  end loop;
  _order := jsonb_populate_record(_order, cleaned);
  _order.delivery_method := coalesce(_order.delivery_method, 'deliver');
  _order.delivery_fee := coalesce(_order.delivery_fee, 0);
  -- As typed: an email address or a phone number may be missing, but not empty.
  perform private.require_contact('recipient_email', typed ->> 'recipient_email', 'recipient_phone', typed ->> 'recipient_phone'),
    private.require_delivery(_order.region, _order.landmark, _order.digital_address, _order.delivery_method, _order.bus_station,
                             _order.delivery_note);
  return _order;
end $$;
grant execute on function private.clean_order to authenticated, service_role;

/* What people type and choose of an order, as JSON whose keys are the columns' names; the rest of the order is empty. */
create function private.read_order(_fields jsonb)
returns public.orders language sql stable set search_path = '' as $$
  select o.* from jsonb_populate_record(null::public.orders, private.typed_of_order(_fields)) as o
$$;

/* Adds an order with its lines' copies taken, or, restored, as it was. The one insert beside the customers' own. */
create function private.insert_order(_order public.orders)
returns void language plpgsql security definer set search_path = '' as $$
begin
  execute format(
    'insert into public.orders (number, stock_held, terms_version, created_at, updated_at, %s) overriding system value'
    ' select coalesce(o.number, nextval(''public.orders_number_seq'')), o.stock_held, o.terms_version, coalesce(o.created_at, clock_timestamp()),'
    '        clock_timestamp(), %s from (select ($1).*) as o',
    private.order_columns(), private.order_columns('o.')) using _order;
end $$;

create function private.check_new_order()
returns trigger language plpgsql set search_path = '' as $$
begin
  if new.user_id is distinct from auth.uid() then
    perform private.refuse('PT403', 'order_not_yours', 'You can only place orders for yourself.');
  end if;
  if new.status is distinct from 'pending' then
    perform private.refuse('PT403', 'order_not_pending', 'A new order must be pending.');
  end if;
  perform private.require_number('total_amount', 'The total', new.total_amount, 0, 99999999.99);
  new := private.clean_order(new);
  perform private.require_number('delivery_fee', 'The delivery fee', new.delivery_fee, 0, new.total_amount);
  new.created_at := clock_timestamp();
  new.updated_at := new.created_at;
  new.stock_held := true;
  return new;
end $$;
create trigger check_new_order before insert on public.orders
  for each row when (current_user = 'authenticated')
  execute function private.check_new_order();

/* Refuses what no honest customer does. Under a lock of the customer's own, so that parallel orders are counted too. */
create function private.limit_orders(_user_id uuid, _order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  an_hour_ago timestamptz;
  pending int;
  -- When the orders of the last hour were placed, newest first.
  newest timestamptz[];
begin
  perform pg_advisory_xact_lock(hashtext('public.orders'), hashtext(_user_id::text));
  an_hour_ago := clock_timestamp() - interval '1 hour';
  select count(*) filter (where status = 'pending'),
         array_agg(created_at order by created_at desc) filter (where created_at > an_hour_ago)
    into pending, newest
    from public.orders where user_id = _user_id and id <> _order_id and (status = 'pending' or created_at > an_hour_ago);
  if pending >= 50 then
    perform private.refuse('PT429', 'too_many_pending_orders',
      'You have 50 pending orders. Please wait until we have handled some of them.',
      jsonb_build_object('limit', 50));
  end if;
  if newest[20] is not null then
    perform private.refuse('PT429', 'too_many_orders',
      'You have placed 20 orders within an hour. Please try again later.',
      jsonb_build_object('limit', 20, 'retry_after_seconds',
        greatest(1, ceil(extract(epoch from newest[20] + interval '1 hour' - clock_timestamp())))::int));
  end if;
end $$;

/*
 * Writes an order's lines at these prices and takes the copies, or refuses all of it with the titles that have too few.
 * The caller holds the lock on stock and has locked the books. Planned once, as private.move_locked_stock.
 */
create function private.fill_order(_order_id uuid, _book_ids uuid[], _quantities int[], _prices numeric[])
returns void language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  insert into public.order_items (order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn)
  select _order_id, b.id, b.id, l.quantity, l.price, b.title, b.publisher, b.isbn
    from unnest(_book_ids, _quantities, _prices) as l (book_id, quantity, price) join public.books b on b.id = l.book_id;
  perform private.move_locked_stock(_book_ids, array(select -q from unnest(_quantities) with ordinality as u (q, n) order by n),
    'order', _order_id);
end $$;

create function private.fill_new_order()
returns trigger language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  book_ids uuid[];
  quantities int[];
  prices numeric[];
  total numeric;
  fee numeric;
begin
  perform private.limit_orders(new.user_id, new.id);

  select array_agg(book_id) into book_ids from public.cart_items where user_id = new.user_id;
  perform private.lock_books(book_ids);

  perform from public.cart_items where user_id = new.user_id order by id for update;

  -- Only what comes back from this delete is ordered: a line that another tab has since taken or changed counts as it is now.
  with taken as (
    delete from public.cart_items where user_id = new.user_id and book_id = any (book_ids)
    returning book_id, quantity
  )
  select array_agg(b.id), array_agg(t.quantity), array_agg(b.price), sum(b.price * t.quantity)
    into book_ids, quantities, prices, total
    from taken t join public.books b on b.id = t.book_id;

  if book_ids is null then
    perform private.refuse('PT409', 'cart_empty', 'Your cart is empty.');
  end if;
  fee := private.require_delivery_fee(new.region, new.delivery_method, total);
  if total + fee <> new.total_amount or fee <> new.delivery_fee then
    perform private.refuse('PT409', 'total_changed', 'Prices or quantities have changed. Please check your cart.',
      jsonb_build_object('total', total + fee, 'delivery_fee', fee, 'lines', (
        select jsonb_agg(jsonb_build_object('book_id', b.id, 'title', b.title, 'price', b.price, 'quantity', l.quantity) order by b.title)
          from unnest(book_ids, quantities) as l (book_id, quantity) join public.books b on b.id = l.book_id)));
  end if;
  perform private.fill_order(new.id, book_ids, quantities, prices);
  return null;
end $$;
-- Named so that it runs before the audit trigger, which then finds the order complete.
create trigger fill_new_order after insert on public.orders
  for each row when (current_user = 'authenticated')
  execute function private.fill_new_order();

-- supabase/schema/4-orders/09-order-stock.sql

-- What happens to an order's copies when its status changes or it is deleted. Entering cancelled, or deletion, from
-- pending or processing returns them; leaving cancelled takes them again, and is refused when too few are left.
-- Shipped and delivered orders return nothing automatically: staff use return_to_stock.

/* Moves all copies of an order, even those of deleted books: 1 returns them, -1 takes them. */
create function private.move_order_stock(_order_id uuid, _direction int, _reason text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  book_ids uuid[];
  quantities int[];
begin
  select array_agg(sold_book_id), array_agg(quantity * _direction) into book_ids, quantities
    from public.order_items where order_id = _order_id;
  if book_ids is not null then
    perform private.move_stock(book_ids, quantities, _reason, _order_id);
  end if;
end $$;

create function private.follow_status()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  choices constant text[] := array['pending', 'processing', 'shipped', 'delivered', 'cancelled'];
begin
  if new.status is null or new.status <> all (choices) then
    perform private.refuse('PT400', 'invalid_field', 'Unknown order status.',
      jsonb_build_object('field', 'status', 'rule', 'choice', 'choices', choices));
  end if;
  if new.status = 'cancelled' and old.status in ('pending', 'processing') and old.stock_held then
    perform private.move_order_stock(new.id, 1, 'cancel');
    new.stock_held := false;
  elsif old.status = 'cancelled' and new.status <> 'cancelled' and not old.stock_held then
    perform private.move_order_stock(new.id, -1, 'reopen');
    new.stock_held := true;
  end if;
  return new;
end $$;
create trigger follow_status before update of status on public.orders
  for each row execute function private.follow_status();

create function private.return_deleted_order()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.stock_held and old.status in ('pending', 'processing') then
    perform private.move_order_stock(old.id, 1, 'delete');
  end if;
  return old;
end $$;
create trigger return_deleted_order before delete on public.orders
  for each row execute function private.return_deleted_order();

/* Admins: returns the copies of an order to stock, once. */
create function private.return_to_stock(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  held boolean;
begin
  perform private.require_staff();
  perform private.lock_stock(true);
  select stock_held into held from public.orders where id = _order_id for no key update;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  if not held then
    perform private.refuse('PT409', 'nothing_to_return', 'The copies of this order are already back in stock.');
  end if;
  perform private.move_order_stock(_order_id, 1, 'return');
  update public.orders set stock_held = false where id = _order_id;
end $$;
select private.expose('return_to_stock', 'authenticated', 'service_role');

-- supabase/schema/4-orders/10-restoring.sql

-- Bringing back what was deleted, from the audit log: a book with its reviews, an order with its lines, a review, a publisher. For
-- staff alone. Each function that moves stock holds the lock on it before it reads the archive, so that it sees every deletion that came before.

/* The archived row of a deletion; refuses when there is none. */
create function private.find_deleted(_table_name text, _audit_id bigint)
returns public.audit_log language plpgsql stable security definer set search_path = '' as $$
declare
  archived public.audit_log;
begin
  select * into archived from public.audit_log
   where id = _audit_id and table_name = _table_name and action = 'delete';
  if not found then
    perform private.refuse('PT404', 'not_in_archive', 'This deletion is no longer in the log.');
  end if;
  -- An older deletion has an older stock: restoring that would create copies out of nothing.
  if exists (
    select from public.audit_log
     where table_name = _table_name and row_id = archived.row_id and action = 'delete' and id > _audit_id
  ) then
    perform private.refuse('PT409', 'not_last_deletion', 'This was deleted again later. Restore the latest deletion.');
  end if;
  return archived;
end $$;

create function private.insert_review(_review jsonb)
returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into public.reviews (id, book_id, user_id, rating, review_text, created_at, hidden_at)
  select r.id, r.book_id, r.user_id, r.rating, r.review_text, r.created_at, r.hidden_at
  from jsonb_populate_record(null::public.reviews, _review) as r;
end $$;

/*
 * Admins: restores the book of a deletion in the audit log, with its reviews and its place in orders; returns its id.
 */
create function private.restore_book(_audit_id bigint)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  archived public.audit_log;
  book public.books;
  review jsonb;
begin
  perform private.require_staff();
  perform private.lock_stock(true);
  archived := private.find_deleted('books', _audit_id);
  book := jsonb_populate_record(null::public.books, archived.before);
  -- Include what its orders moved while it was deleted.
  book.stock_quantity := coalesce((select g.stock_quantity from private.gone_books g where g.id = book.id), book.stock_quantity);
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
select private.expose('restore_book', 'authenticated', 'service_role');

/* Admins: restores the review of a deletion in the audit log; returns its id. */
create function private.restore_review(_audit_id bigint)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  archived public.audit_log;
  violated text;
begin
  perform private.require_staff();
  perform private.lock_stock(true);
  archived := private.find_deleted('reviews', _audit_id);
  perform set_config('shop.task', 'restore', true);
  perform private.insert_review(archived.before);
  perform set_config('shop.task', '', true);
  return archived.row_id::uuid;
exception
  when unique_violation then
    get stacked diagnostics violated = constraint_name;
    if violated = 'reviews_one_a_book' then
      perform private.refuse('PT409', 'newer_review', 'The customer has written another review of this book since.');
    end if;
    perform private.refuse('PT409', 'already_restored', 'This review has already been restored.');
  when foreign_key_violation then
    perform private.refuse('PT409', 'cannot_restore', 'The book or the customer of this review no longer exists.');
end $$;
select private.expose('restore_review', 'authenticated', 'service_role');

/* Admins: restores the publisher of a deletion in the audit log, as the last of all; returns its id. */
create function private.restore_publisher(_audit_id bigint)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  archived public.audit_log;
  publisher public.publishers;
begin
  perform private.require_staff();
  perform private.lock_publishers();
  archived := private.find_deleted('publishers', _audit_id);
  publisher := jsonb_populate_record(null::public.publishers, archived.before);
  if publisher.shown = 'menu' and (select count(*) from public.publishers p where p.shown = 'menu') >= 12 then
    publisher.shown := 'page';
  end if;
  if exists (select from public.publishers p where p.id = publisher.id) then
    perform private.refuse('PT409', 'already_restored', 'This publisher has already been restored.');
  elsif exists (select from public.publishers p where p.name_key = private.fold(publisher.name) or p.slug = publisher.slug) then
    perform private.refuse('PT409', 'name_taken', 'Another publisher has this name or address now.');
  end if;
  perform set_config('shop.task', 'restore', true);
  insert into public.publishers (id, name, slug, logo_url, mark, description, known_for, note, shown, in_filter, page, titles,
                                 has_order_links, position, created_at)
  values (publisher.id, publisher.name, publisher.slug, publisher.logo_url, publisher.mark, publisher.description, publisher.known_for,
          publisher.note, publisher.shown, publisher.in_filter, publisher.page, publisher.titles, publisher.has_order_links,
          (select coalesce(max(p.position), 0) + 1 from public.publishers p), publisher.created_at);
  perform set_config('shop.task', '', true);
  return publisher.id;
end $$;
select private.expose('restore_publisher', 'authenticated', 'service_role');

/*
 * Admins: restores an order with its lines as it was when last deleted; returns its id. If its copies returned to stock then, they are taken
 * again, for deleted books from their archived stock; if too few are left, the restore is refused.
 */
create function private.restore_order(_order_id uuid)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  archived public.audit_log;
  gone public.orders;
begin
  perform private.require_staff();
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
  return _order_id;
exception when unique_violation then
  perform private.refuse('PT409', 'already_restored', 'This order has already been restored.');
end $$;
select private.expose('restore_order', 'authenticated', 'service_role');

-- supabase/schema/4-orders/11-own-orders.sql

-- What customers see of an order's progress, and ordering the same again.

/*
 * Customers: the steps of one of their own orders, oldest first, each with its time: 'placed', 'paid' (in full, for the first time),
 * 'refunded' or a status; staff: of any order. Corrected payments are left out. Does not name who made the change, which only staff
 * see (order_events).
 */
create function private.order_timeline(_order_id uuid)
returns table (step text, happened_at timestamptz)
language sql stable security definer set search_path = '' as $$
  with mine as (
    select o.id, o.total_amount, o.created_at from public.orders o
     where o.id = _order_id and (o.user_id = auth.uid() or private.is_staff())
  ), moved as (
    select x.kind, x.settled_at, mine.total_amount, sum(x.amount) over (order by x.settled_at, x.id) as paid
      from mine join public.payments x on x.order_id = mine.id and x.state = 'settled' and x.kind <> 'correction'
     where not exists (select from public.payments c where c.about = x.id and c.kind = 'correction')
  )
  select 'placed', created_at from mine
  union all
  select e.to_status, e.created_at from mine join public.order_events e on e.order_id = mine.id
  union all
  select 'paid', min(settled_at) from moved where paid >= total_amount having count(*) > 0
  union all
  select 'refunded', settled_at from moved where kind = 'refund'
   order by 2, 1
$$;
select private.expose('order_timeline', 'authenticated', 'service_role');

/*
 * Customers: puts the books of one of their orders into the cart again, as far as the cart allows. One row per title,
 * sorted by title: wanted and added are copies; problem as in private.add_books_to_cart, null when all were added and
 * are in stock. Repeated with the same _request_id, the call adds nothing and returns the same.
 */
create function public.order_again(_order_id uuid, _request_id text default null)
returns table (title text, wanted int, added int, problem text)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  book_ids uuid[];
  quantities int[];
  outcome jsonb;
begin
  -- Runs with the caller's rights, but even staff can only repeat their own orders.
  if not exists (select from public.orders o where o.id = _order_id and o.user_id = auth.uid()) then
    perform private.refuse('PT404', 'order_not_found', 'This order does not exist.');
  end if;
  select array_agg(i.sold_book_id order by private.fold(i.title), i.id), array_agg(i.quantity order by private.fold(i.title), i.id)
    into book_ids, quantities
    from public.order_items i where i.order_id = _order_id and i.sold_book_id is not null;
  select coalesce(jsonb_agg(to_jsonb(a)), '[]') into outcome from private.add_books_to_cart(book_ids, quantities, _request_id) as a;
  return query
    select i.title, i.quantity, coalesce(a.added, 0), case when a.book_id is null then 'not_sold' else a.problem end
      from public.order_items i
      left join jsonb_to_recordset(outcome) as a (book_id uuid, added int, problem text) on a.book_id = i.sold_book_id
     where i.order_id = _order_id
     order by private.fold(i.title), i.id;
end $$;
grant execute on function public.order_again to authenticated;

-- supabase/schema/4-orders/12-order-notes.sql

-- What staff write to each other about an order. Part of its history: never changed, except that a forgotten customer's are emptied.

create table public.order_notes (
  -- Chosen by the client, so that a retry writes nothing twice.
  id uuid primary key default gen_random_uuid(),
  -- No foreign key: like the order's events it outlives the order, which can be restored.
  order_id uuid not null,
  body text,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  constraint order_notes_body_is_short check (length(body) <= 2000)
);
create index order_notes_by_order on public.order_notes (order_id, created_at);

alter table public.order_notes enable row level security;
grant select on public.order_notes to authenticated, service_role;

create policy "admins read the notes about orders" on public.order_notes
  for select to authenticated using ((select private.is_admin()));

create trigger keep_as_written before update or delete on public.order_notes
  for each row execute function private.keep_as_written();

/* Staff: adds a note to an order, once per _note_id. Customers never see it. */
create function private.add_order_note(_note_id uuid, _order_id uuid, _body text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  body constant text := private.clean_text(_body);
begin
  perform private.require_staff();
  perform private.require_text('body', 'The note', body, 2000, true);
  -- Held until the end, so that a customer who is being forgotten is forgotten with this note.
  perform from public.orders where id = _order_id for share;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  insert into public.order_notes (id, order_id, body) values (coalesce(_note_id, gen_random_uuid()), _order_id, body)
  on conflict (id) do nothing;
end $$;
select private.expose('add_order_note', 'authenticated', 'service_role');

-- supabase/schema/4-orders/13-many-orders.sql

-- Sets one status for many orders. Each succeeds or fails on its own; the result names those that failed, and why.

/*
 * Staff: sets the status of 1 to 200 orders, each if it still has the status in _shown at its place, or the new one already. One
 * row an order, in the order given; problem is null when it has the status now, otherwise a sentence. number is null when the
 * order no longer exists.
 */
create function private.set_order_statuses(_order_ids uuid[], _shown text[], _status text)
returns table (order_id uuid, number bigint, problem text)
language plpgsql security definer set search_path = '' as $$
declare
  orders constant int := coalesce(array_length(_order_ids, 1), 0);
  current public.orders;
begin
  perform private.require_staff();
  if orders not between 1 and 200 or array_length(_shown, 1) is distinct from orders then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 200 orders, with the status that was shown for each.');
  end if;
  perform private.lock_stock(true);
  for place in 1 .. orders loop
    -- Each failure is rolled back on its own.
    begin
      order_id := _order_ids[place];
      problem := null;
      select * into current from public.orders where id = order_id for no key update;
      if not found then
        problem := 'It no longer exists.';
      elsif current.status is distinct from _shown[place] and current.status is distinct from _status then
        problem := format('It is now %s. Check it before you change its status.', current.status);
      else
        update public.orders set status = _status where id = current.id and status is distinct from _status;
      end if;
    exception when sqlstate 'PT409' then
      problem := sqlerrm;
    end;
    number := current.number;
    return next;
  end loop;
end $$;
select private.expose('set_order_statuses', 'authenticated', 'service_role');

-- supabase/schema/4-orders/14-orders-by-phone.sql

-- Orders that staff enter for a customer who calls. They are pending orders at today's prices, made through what placing an order
-- from the cart uses: the same checks, locks, emails and movements of stock, without the cart and its limits per customer.

/*
 * Staff: places a pending order for a customer, or, without _customer_id, for a caller who has no account; returns its id. 1 to 500
 * different books, 1 to 999 copies of each; _total in cedis is what the customer was quoted, delivery included; _order as in
 * accept_quote. _order_id is chosen by the client, so that a retry orders nothing twice; refused if that order is another one: staff may
 * have changed what they typed because the first response was lost.
 */
create function private.place_order_for(
  _order_id uuid, _customer_id uuid, _book_ids uuid[], _quantities int[], _total numeric, _order jsonb
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  placed public.orders;
  before public.orders;
  prices numeric[];
  missing int;
begin
  perform private.require_staff();
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
  select array_agg(b.price order by l.place), coalesce(sum(b.price * l.quantity), 0), count(*) - count(b.id)
    into prices, placed.total_amount, missing
    from unnest(_book_ids, _quantities) with ordinality as l (id, quantity, place) left join public.books b on b.id = l.id;
  if missing > 0 then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  end if;
  placed.delivery_fee := private.require_delivery_fee(placed.region, placed.delivery_method, placed.total_amount);
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
select private.expose('place_order_for', 'authenticated', 'service_role');

-- supabase/schema/5-money/1-payments.sql

-- Money received and refunded for orders, separate from an order's status. A row is never deleted and its amount
-- never changes: a mistake is corrected by another row. What a customer has paid for an order is the sum of its
-- settled rows.
--
--   open ─► settled           Paystack, or staff, say that the money has moved
--        ─► failed ─► settled a customer may try again on the same page of Paystack's
--        ─► needs_decision ─► settled, or set_aside: the money is there, but not as the order wants it; staff decide

create table public.payments (
  id uuid primary key default gen_random_uuid(),
  -- No foreign keys: a payment outlives its order and is found again when the order is restored. Null when Paystack has money
  -- for an order that the shop does not know.
  order_id uuid,
  order_number bigint,
  user_id uuid,
  kind text not null,
  method text not null,
  -- What it adds to the amount paid, in cedis: negative for a refund, and for the correction of a payment.
  amount numeric(10, 2) not null,
  currency text not null default 'GHS',
  -- Paystack's name for the payment, made here; otherwise what staff wrote, such as the operator's transaction id.
  reference text,
  -- The payment that is refunded, or the row that is corrected.
  about uuid,
  -- Paystack's own number for it.
  provider_id text,
  state text not null,
  -- Why it failed or needs a decision.
  reason text,
  -- What Paystack has received, which may not be what was requested.
  received_amount numeric(12, 2),
  received_currency text,
  paid_on date,
  note text,
  -- Where the customer pays at Paystack.
  checkout_url text,
  -- When Paystack is queried about it next, while it is open.
  check_at timestamptz,
  actor uuid default auth.uid(),
  decided_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  -- When it was settled, failed or was set aside.
  settled_at timestamptz,
  constraint payments_kind_is_known check (kind in ('payment', 'refund', 'correction')),
  constraint payments_method_is_known check (method in ('paystack', 'mobile_money', 'cash', 'bank_transfer')),
  constraint payments_state_is_known check (state in ('open', 'settled', 'failed', 'needs_decision', 'set_aside')),
  constraint payments_amount_has_its_sign check (case kind when 'payment' then amount > 0 when 'refund' then amount < 0 else amount <> 0 end),
  constraint payments_are_in_cedis check (currency = 'GHS'),
  -- A refund by hand may be of several payments.
  constraint payments_name_what_they_are_about check (
    case kind when 'payment' then about is null when 'correction' then about is not null else method <> 'paystack' or about is not null end),
  constraint payments_by_hand_are_settled check (method = 'paystack' or state = 'settled'),
  constraint payments_have_an_order check (order_id is not null or state in ('needs_decision', 'set_aside')),
  constraint payments_have_a_reference check (reference is not null or method <> 'paystack' or kind <> 'payment'),
  constraint payments_need_a_decision_for_a_reason check (
    state <> 'needs_decision' or (reason is not null and received_amount is not null and received_currency is not null)),
  constraint payments_settle_once check ((state in ('open', 'needs_decision')) = (settled_at is null)),
  constraint payments_have_a_day check (state <> 'settled' or paid_on is not null),
  constraint payments_texts_are_short check (
    length(reference) <= 100 and length(provider_id) <= 100 and length(reason) <= 100 and length(received_currency) <= 10
    and length(note) <= 500 and length(checkout_url) <= 500)
);
create index payments_by_order on public.payments (order_id, created_at);
create index payments_by_customer on public.payments (user_id);
create unique index payments_one_per_reference on public.payments (reference) where method = 'paystack' and kind = 'payment';
create unique index payments_one_per_refund on public.payments (provider_id) where kind = 'refund';
create unique index payments_corrected_once on public.payments (about) where kind = 'correction';
create index payments_by_hand on public.payments (method, upper(reference)) where method <> 'paystack';
create index payments_refunds on public.payments (about) where kind = 'refund';
create index payments_to_check on public.payments (check_at) where state = 'open';
create index payments_to_decide on public.payments (created_at) where state = 'needs_decision';

alter table public.payments enable row level security;
-- The note too: customers may read what staff write about their money.
grant select on public.payments to authenticated, service_role;

create policy "customers read the payments of their own orders, admins all" on public.payments
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));

create trigger record_audit after insert or update on public.payments
  for each row execute function private.record_audit('check_at', 'checkout_url');

/*
 * The only rule for changes of state; amounts never change. The one exception: notes of an anonymised customer are
 * emptied.
 */
create function private.keep_payment()
returns trigger language plpgsql set search_path = '' as $$
declare
  known constant text[] := array['open>settled', 'open>failed', 'open>needs_decision', 'failed>settled', 'failed>needs_decision',
                                 'needs_decision>settled', 'needs_decision>set_aside'];
begin
  if tg_op = 'DELETE' then
    perform private.refuse('PT403', 'append_only', 'Payments cannot be deleted.');
  end if;
  if (new.state <> old.state and old.state || '>' || new.state <> all (known))
     or (new.amount <> old.amount and old.state <> 'needs_decision')
     or (new.id, new.order_id, new.user_id, new.kind, new.method, new.reference, new.about)
        is distinct from (old.id, old.order_id, old.user_id, old.kind, old.method, old.reference, old.about)
     or (old.state in ('settled', 'set_aside') and new.note is distinct from old.note and new.note is not null) then
    perform private.refuse('PT409', 'payment_is_final', 'This payment can no longer be changed.');
  end if;
  return new;
end $$;
create trigger keep_payment before update or delete on public.payments
  for each row execute function private.keep_payment();

/*
 * What each order's customer has paid and still owes: the one rule. Of a cancelled order nothing is owed.
 * 'none': cancelled, and nothing was paid; 'due', 'part_paid' and 'paid'; 'too_much': more than is owed was paid, and some has to
 * be refunded. Under the caller's rights: there is no row for others' orders.
 */
create view private.order_payments with (security_invoker = true) as
select o.id as order_id, o.total_amount as total, o.paid_amount as paid,
       case when o.status = 'cancelled' then 0::numeric else greatest(o.total_amount - o.paid_amount, 0) end as due,
       o.payment_state as state,
       o.has_undecided_payment or o.payment_state = 'too_much' as needs_decision
  from public.orders o;
grant select on private.order_payments to authenticated, service_role;

/* What these orders' customers have paid and still owe, in cedis; only orders that the caller may read, at most 1,000. */
create function public.list_order_payments(_order_ids uuid[])
returns table (order_id uuid, total numeric, paid numeric, due numeric, state text, needs_decision boolean)
language sql stable set search_path = '' as $$
  select p.order_id, p.total, p.paid, p.due, p.state, p.needs_decision
    from private.order_payments p where p.order_id = any (_order_ids[:1000])
$$;
grant execute on function public.list_order_payments to authenticated, service_role;

/*
 * Locks an order, so that the amount due does not change until the end of the transaction: everything that writes
 * payments calls this first. Returns a row without an id if the order was deleted.
 */
create function private.lock_order_payments(_order_id uuid)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  found_order public.orders;
begin
  select * into found_order from public.orders where id = _order_id for no key update;
  if not found then
    -- One that is being restored now is waited for (find_payment_sum).
    perform pg_advisory_xact_lock(hashtext('private.lock_order_payments'), hashtext(_order_id::text));
    select * into found_order from public.orders where id = _order_id for no key update;
  end if;
  return found_order;
end $$;

/* An order with money in it cannot be deleted: that would hide what has to be refunded. */
create function private.keep_paid_order()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from private.order_payments p where p.order_id = old.id and (p.paid <> 0 or p.needs_decision)) then
    perform private.refuse('PT409', 'order_is_paid',
      'This order has been paid. Refund it first, or set its status to cancelled instead.');
  end if;
  return old;
end $$;
create trigger keep_paid_order before delete on public.orders
  for each row execute function private.keep_paid_order();

-- supabase/schema/5-money/2-payment-sums.sql

-- The sum of each order's payments is stored in the order, so that the back office finds the unpaid ones among
-- 200,000 quickly. Every change of a payment updates it in the same transaction; the payment state is computed from
-- the order alone.

/* The sum and the open question of an order's payments: the one place that adds them up. */
create function private.sum_payments(_order_id uuid, out paid numeric, out undecided boolean)
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(amount) filter (where state = 'settled'), 0), coalesce(bool_or(state = 'needs_decision'), false)
    from public.payments where order_id = _order_id
$$;

create function private.keep_payment_sum()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Also for money without a row in the shop, which arrives without this lock: the sum includes what others have
  -- written.
  perform private.lock_order_payments(new.order_id);
  update public.orders o
     set paid_amount = s.paid, has_undecided_payment = s.undecided
    from private.sum_payments(new.order_id) as s
   where o.id = new.order_id and (o.paid_amount, o.has_undecided_payment) is distinct from (s.paid, s.undecided);
  return null;
end $$;

/* A restored order finds the payments that came in while it was deleted. */
create function private.find_payment_sum()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- A payment arriving at this moment finds the order, or is found by it (lock_order_payments).
  if current_setting('shop.task', true) = 'restore' then
    perform pg_advisory_xact_lock(hashtext('private.lock_order_payments'), hashtext(new.id::text));
  end if;
  select s.paid, s.undecided into new.paid_amount, new.has_undecided_payment from private.sum_payments(new.id) as s;
  return new;
end $$;

create trigger keep_payment_sum after insert or update of state, amount on public.payments
  for each row execute function private.keep_payment_sum();
create trigger find_payment_sum before insert on public.orders
  for each row execute function private.find_payment_sum();

-- supabase/schema/5-money/3-recording.sql

-- What staff do with payments: record by hand what was received and refunded, correct it, decide, refund through Paystack.

/* Locks and returns an order whose payments will change; refuses when there is none. */
create function private.require_payment_order(_order_id uuid)
returns public.orders language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
begin
  of_order := private.lock_order_payments(_order_id);
  if of_order.id is null then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  return of_order;
end $$;

/* The refundable amount of an order: what has been paid, less pending refunds. */
create function private.refundable_amount(_order_id uuid)
returns numeric language sql stable security definer set search_path = '' as $$
  select coalesce(sum(amount) filter (where state = 'settled' or (kind = 'refund' and state = 'open')), 0)
    from public.payments where order_id = _order_id
$$;

create function private.require_refundable(_amount numeric, _most numeric)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _amount > _most then
    perform private.refuse('PT409', 'more_than_paid', format('You can refund up to GH₵%s.', to_char(_most, 'FM999999990.00')),
      jsonb_build_object('most', _most));
  end if;
end $$;

/*
 * Staff: records by hand that money was received for an order, or refunded; returns the row's id. The id is made by
 * the client, so that a retry records nothing twice. Amounts in cedis, above 0. More than is due is refused unless
 * confirmed.
 */
create function private.record_payment(
  _payment_id uuid, _order_id uuid, _kind text, _method text, _amount numeric, _paid_on date, _reference text default null,
  _note text default null, _more_than_due boolean default false
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  written_reference constant text := private.clean_line(_reference);
  written_note constant text := private.clean_text(_note);
  still_due numeric;
begin
  perform private.require_staff();
  of_order := private.require_payment_order(_order_id);
  if exists (select from public.payments where id = _payment_id and order_id = _order_id) then return _payment_id; end if;
  if _kind is null or _kind not in ('payment', 'refund') then
    perform private.refuse('PT400', 'invalid_field', 'Choose whether money was received or refunded.',
      jsonb_build_object('field', 'kind', 'rule', 'choice', 'choices', jsonb_build_array('payment', 'refund')));
  end if;
  if _method is null or _method not in ('mobile_money', 'cash', 'bank_transfer') then
    perform private.refuse('PT400', 'invalid_field', 'Choose how it was paid.',
      jsonb_build_object('field', 'method', 'rule', 'choice', 'choices', jsonb_build_array('mobile_money', 'cash', 'bank_transfer')));
  end if;
  perform private.require_number('amount', 'The amount', _amount, 0.01, 99999999.99);
  perform private.require_pesewas('amount', 'The amount', _amount);
  if _paid_on is null or _paid_on > private.today() or _paid_on < date '2020-01-01' then
    perform private.refuse('PT400', 'invalid_field', 'The date must not be in the future.',
      jsonb_build_object('field', 'paid_on', 'rule', 'date'));
  end if;
  perform private.require_text('reference', 'The transaction ID', written_reference, 100, _method = 'mobile_money');
  perform private.require_text('note', 'The note', written_note, 500);
  if written_reference is not null and _method <> 'cash' then
    -- Two people may record the same message from the operator, each for a different order.
    perform pg_advisory_xact_lock(hashtext('public.payments'), hashtext(upper(written_reference)));
    if exists (
      select from public.payments p
       where p.method = _method and p.method <> 'paystack' and upper(p.reference) = upper(written_reference) and p.kind = _kind
         and not exists (select from public.payments c where c.kind = 'correction' and c.about = p.id)
    ) then
      perform private.refuse('PT409', 'reference_recorded', 'This transaction ID has been recorded before.');
    end if;
  end if;
  if _kind = 'refund' then
    perform private.require_refundable(_amount, private.refundable_amount(_order_id));
  else
    select due into still_due from private.order_payments where order_id = _order_id;
    if _amount > still_due and not coalesce(_more_than_due, false) then
      perform private.refuse('PT409', 'more_than_due', format('Only GH₵%s is due.', to_char(still_due, 'FM999999990.00')),
        jsonb_build_object('due', still_due));
    end if;
  end if;
  insert into public.payments (id, order_id, order_number, user_id, kind, method, amount, reference, state, paid_on, note, settled_at)
  values (coalesce(_payment_id, gen_random_uuid()), _order_id, of_order.number, of_order.user_id, _kind, _method,
          case _kind when 'refund' then -_amount else _amount end, written_reference, 'settled', _paid_on, written_note,
          clock_timestamp())
  returning id into _payment_id;
  return _payment_id;
end $$;
select private.expose('record_payment', 'authenticated', 'service_role');

/* Returns a payment to change, with its order locked; refuses when there is none. */
create function private.require_payment(_payment_id uuid)
returns public.payments language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
begin
  perform private.lock_order_payments(p.order_id) from public.payments p where p.id = _payment_id;
  select * into payment from public.payments where id = _payment_id for update;
  if not found then
    perform private.refuse('PT404', 'payment_not_found', 'This payment no longer exists.');
  end if;
  return payment;
end $$;

/*
 * Staff: cancels a payment recorded by hand with a row of the opposite amount and a reason; returns that row's id,
 * even if it already existed.
 */
create function private.correct_payment(_payment_id uuid, _note text)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  written_note constant text := private.clean_text(_note);
  made uuid;
begin
  perform private.require_staff();
  payment := private.require_payment(_payment_id);
  select id into made from public.payments where kind = 'correction' and about = _payment_id;
  if found then return made; end if;
  if payment.method = 'paystack' or payment.kind = 'correction' then
    perform private.refuse('PT409', 'not_by_hand', 'Only what was recorded by hand can be corrected.');
  end if;
  perform private.require_text('note', 'The reason', written_note, 500, true);
  if payment.amount > private.refundable_amount(payment.order_id) then
    perform private.refuse('PT409', 'refunded_since', 'Part of this payment has been refunded. Correct the refund first.');
  end if;
  insert into public.payments (order_id, order_number, user_id, kind, method, amount, about, state, paid_on, note, settled_at)
  values (payment.order_id, payment.order_number, payment.user_id, 'correction', payment.method, -payment.amount, payment.id,
          'settled', private.today(), written_note, clock_timestamp())
  returning id into made;
  return made;
end $$;
select private.expose('correct_payment', 'authenticated', 'service_role');

/*
 * Staff: decides about money received that does not match its order: 'count' adds what was received to what the
 * order's customer has paid (so that it can be refunded), 'set_aside' leaves it out, with a reason.
 */
create function private.decide_payment(_payment_id uuid, _decision text, _note text default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  written_note constant text := private.clean_text(_note);
begin
  perform private.require_staff();
  payment := private.require_payment(_payment_id);
  if _decision is null or _decision not in ('count', 'set_aside') then
    perform private.refuse('PT400', 'invalid_field', 'Choose what to do with this payment.',
      jsonb_build_object('field', 'decision', 'rule', 'choice', 'choices', jsonb_build_array('count', 'set_aside')));
  end if;
  if payment.state <> 'needs_decision' then
    perform private.refuse('PT409', 'payment_is_final', 'This payment has been decided already.');
  end if;
  perform private.require_text('note', 'The note', written_note, 500, _decision = 'set_aside');
  if _decision = 'set_aside' then
    update public.payments
       set state = 'set_aside', note = written_note, decided_by = auth.uid(), settled_at = clock_timestamp()
     where id = _payment_id;
    update public.payments set check_at = clock_timestamp() where kind = 'refund' and about = _payment_id and state = 'open';
    return;
  end if;
  if payment.received_currency <> 'GHS' then
    perform private.refuse('PT409', 'other_currency', 'Only cedis can be counted. Refund the payment in Paystack''s dashboard, then set it aside.');
  end if;
  if not exists (select from public.orders where id = payment.order_id) then
    perform private.refuse('PT409', 'order_not_found', 'The order was deleted. Restore it first, or set the payment aside.');
  end if;
  update public.payments
     set state = 'settled', amount = received_amount, note = written_note, decided_by = auth.uid(), settled_at = clock_timestamp()
   where id = _payment_id;
  -- What Paystack has since refunded of it counts now too.
  update public.payments set check_at = clock_timestamp() where kind = 'refund' and about = _payment_id and state = 'open';
end $$;
select private.expose('decide_payment', 'authenticated', 'service_role');

/*
 * Staff: has Paystack refund some or all of a payment, in cedis above 0; returns the refund's id, which the client
 * creates, so that a retry refunds nothing twice. It is open until Paystack has made it.
 */
create function private.refund_payment(_refund_id uuid, _payment_id uuid, _amount numeric, _note text default null)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  written_note constant text := private.clean_text(_note);
begin
  perform private.require_staff();
  payment := private.require_payment(_payment_id);
  if exists (select from public.payments where id = _refund_id and about = _payment_id) then return _refund_id; end if;
  if payment.method <> 'paystack' or payment.kind <> 'payment' or payment.state <> 'settled' then
    perform private.refuse('PT409', 'not_by_paystack', 'Only a settled Paystack payment can be refunded through Paystack.');
  end if;
  perform private.require_number('amount', 'The amount', _amount, 0.01, 99999999.99);
  perform private.require_pesewas('amount', 'The amount', _amount);
  perform private.require_text('note', 'The note', written_note, 500);
  perform private.require_refundable(_amount, least(private.refundable_amount(payment.order_id), payment.amount + (
    select coalesce(sum(r.amount), 0) from public.payments r where r.kind = 'refund' and r.about = _payment_id and r.state <> 'failed')));
  insert into public.payments (id, order_id, order_number, user_id, kind, method, amount, about, state, note, check_at)
  values (coalesce(_refund_id, gen_random_uuid()), payment.order_id, payment.order_number, payment.user_id, 'refund', 'paystack',
          -_amount, payment.id, 'open', written_note, clock_timestamp())
  returning id into _refund_id;
  return _refund_id;
end $$;
select private.expose('refund_payment', 'authenticated', 'service_role');

/*
 * Staff: an order's payments, oldest first, with the amount of each that can still be refunded through Paystack;
 * without an order, all payments that need a decision, even those of deleted orders. At most 200.
 */
create function private.admin_list_payments(_order_id uuid default null)
returns table (
  id uuid, order_id uuid, order_number bigint, kind text, method text, amount numeric, reference text, about uuid, state text,
  reason text, received_amount numeric, received_currency text, paid_on date, note text, by_name text, created_at timestamptz,
  settled_at timestamptz, refundable numeric, correctable boolean
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    select p.id, p.order_id, p.order_number, p.kind, p.method, p.amount, p.reference, p.about, p.state, p.reason, p.received_amount,
           p.received_currency, p.paid_on, p.note, w.full_name, p.created_at, p.settled_at,
           case when p.method = 'paystack' and p.kind = 'payment' and p.state = 'settled'
                then greatest(least(private.refundable_amount(p.order_id), p.amount + (
                  select coalesce(sum(r.amount), 0) from public.payments r
                   where r.kind = 'refund' and r.about = p.id and r.state <> 'failed')), 0)
                else 0 end,
           p.method <> 'paystack' and p.kind <> 'correction'
             and not exists (select from public.payments c where c.kind = 'correction' and c.about = p.id)
      from public.payments p left join public.profiles w on w.id = coalesce(p.decided_by, p.actor)
     where case when _order_id is null
                then p.state = 'needs_decision'
                else p.order_id = _order_id and (p.state <> 'open' or p.kind = 'refund' or p.checkout_url is not null) end
     order by p.created_at, p.id limit 200;
end $$;
select private.expose('admin_list_payments', 'authenticated', 'service_role');

/* Staff: how many payments need a decision, listed or not: exact. */
create function private.admin_count_payments_to_decide()
returns bigint language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return (select count(*) from public.payments where state = 'needs_decision');
end $$;
select private.expose('admin_count_payments_to_decide', 'authenticated', 'service_role');

-- supabase/schema/5-money/4-online.sql

-- Payments and refunds through Paystack, written by the web server alone (the secret key, or the database's owner).
-- It never decides what an order costs or that it is paid: it reads what is due, and reports Paystack's responses. All
-- of these functions may be called in any order, any number of times and concurrently.

/*
 * A row for the caller that will query Paystack about it; the amount in cedis, above 0; transaction_id is Paystack's
 * number for the payment.
 */
create function private.payment_check(_payment public.payments)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', _payment.id, 'kind', _payment.kind, 'amount', abs(_payment.amount),
                            'provider_id', _payment.provider_id, 'reference', p.reference, 'transaction_id', p.provider_id)
    from public.payments p where p.id = coalesce(_payment.about, _payment.id)
$$;

/*
 * The web server, for a customer whose order it is: a payment of what is due, to be opened at Paystack under its
 * reference; the one already open if it has the same amount and is less than an hour old. With the references of the
 * last three other open ones, which may have been paid in between.
 */
create function private.open_payment(_order_id uuid)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  still_due numeric;
  payment public.payments;
  address text;
begin
  of_order := private.lock_order_payments(_order_id);
  if of_order.id is null then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  elsif of_order.status = 'cancelled' then
    perform private.refuse('PT409', 'order_cancelled', 'This order is cancelled.');
  end if;
  if exists (select from public.payments where order_id = _order_id and state = 'needs_decision') then
    perform private.refuse('PT409', 'payment_being_checked', 'We are checking a payment for this order. Please do not pay again: we will call you.');
  end if;
  select due into still_due from private.order_payments where order_id = _order_id;
  if still_due = 0 then
    perform private.refuse('PT409', 'nothing_due', 'This order is paid.');
  end if;
  -- One payment page per debt: a customer who presses twice, or in two tabs, must not pay twice.
  select * into payment from public.payments
   where order_id = _order_id and kind = 'payment' and state = 'open' and amount = still_due
     and created_at > clock_timestamp() - interval '1 hour'
   order by created_at desc limit 1;
  if not found then
    if (select count(*) from public.payments where order_id = _order_id and kind = 'payment' and method = 'paystack'
           and created_at > clock_timestamp() - interval '1 hour') >= 10 then
      perform private.refuse('PT429', 'too_many_payments', 'You have tried 10 times within an hour. Please try again later.');
    end if;
    insert into public.payments (order_id, order_number, user_id, kind, method, amount, reference, state, check_at)
    values (_order_id, of_order.number, of_order.user_id, 'payment', 'paystack', still_due,
            of_order.number || '-' || left(replace(gen_random_uuid()::text, '-', ''), 16), 'open',
            clock_timestamp() + interval '1 minute')
    returning * into payment;
  end if;
  -- Paystack emails its receipt there.
  select p.email into address from public.profiles p where p.id = of_order.user_id;
  return private.payment_check(payment) || jsonb_build_object(
    'checkout_url', payment.checkout_url, 'email', address,
    'earlier', coalesce((
      select jsonb_agg(other.reference)
        from (select x.reference from public.payments x
               where x.order_id = _order_id and x.kind = 'payment' and x.state = 'open' and x.checkout_url is not null and x.id <> payment.id
               order by x.created_at desc limit 3) as other), '[]'));
end $$;
select private.expose('open_payment', 'service_role');

/* The web server: where the customer pays. */
create function private.note_checkout(_payment_id uuid, _checkout_url text)
returns void language sql security definer set search_path = '' as $$
  update public.payments set checkout_url = left(_checkout_url, 500) where id = _payment_id and state = 'open'
$$;
select private.expose('note_checkout', 'service_role');

/* Why received money is not counted immediately; null when it is. The order is locked. */
create function private.payment_problem(_payment public.payments, _order public.orders, _outcome text, _amount numeric, _currency text)
returns text language sql stable security definer set search_path = '' as $$
  select case
    when _outcome = 'reversed' then 'reversed'
    when _currency is distinct from 'GHS' then 'wrong_currency'
    when _amount is distinct from _payment.amount then 'wrong_amount'
    when _order.id is null then 'order_deleted'
    when _order.status = 'cancelled' then 'order_cancelled'
    when _amount > (select p.due from private.order_payments p where p.order_id = _order.id) then 'more_than_due'
  end
$$;

/* The amount that Paystack reports, fitted to its column: money is recorded whatever amount is reported. */
create function private.received(_amount numeric)
returns numeric language sql immutable set search_path = '' as $$ select least(coalesce(_amount, 0), 9999999999.99) $$;

/* Money for a payment without a row in the shop: a backup older than the payment was restored. */
create function private.keep_unknown_payment(
  _reference text, _amount numeric, _currency text, _paid_on date, _provider_id text
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
begin
  select * into of_order from public.orders where number = split_part(_reference, '-', 1)::bigint;
  insert into public.payments (order_id, order_number, user_id, kind, method, amount, reference, state, reason, received_amount,
                               received_currency, paid_on, provider_id)
  values (of_order.id, split_part(_reference, '-', 1)::bigint, of_order.user_id, 'payment', 'paystack',
          least(greatest(_amount, 0.01), 99999999.99), _reference, 'needs_decision', 'unknown_reference',
          private.received(_amount), _currency, _paid_on, _provider_id)
  on conflict do nothing;
  return of_order.id;
end $$;

/*
 * The web server, whenever Paystack has reported the outcome of a payment: 'success', 'failed', 'reversed' (came in
 * and went back), or 'pending' for anything else. Amount in cedis. Returns the order's id and the payment's state;
 * null for a reference that is not the shop's. Money counts only with Paystack's number for it. It is given up two days after it was opened; money that arrives later
 * is still counted.
 */
create function private.settle_payment(
  _reference text, _outcome text, _amount numeric default null, _currency text default null, _paid_on date default null,
  _provider_id text default null
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  of_order public.orders;
  problem text;
  -- Without its number it couldn't be refunded, nor be distinguished from another.
  has_money constant boolean := coalesce(_outcome in ('success', 'reversed') and _provider_id <> '', false);
begin
  select * into payment from public.payments where reference = _reference and method = 'paystack' and kind = 'payment';
  if not found then
    if not has_money or (_reference ~ '^[0-9]{1,18}-[0-9a-f]{16}$') is not true then return null; end if;
    return jsonb_build_object('state', 'needs_decision', 'order_id',
      private.keep_unknown_payment(_reference, _amount, coalesce(_currency, '?'), coalesce(_paid_on, private.today()), _provider_id));
  end if;
  of_order := private.lock_order_payments(payment.order_id);
  select * into payment from public.payments where id = payment.id for update;
  if has_money and payment.state in ('open', 'failed') then
    problem := private.payment_problem(payment, of_order, _outcome, _amount, _currency);
    update public.payments
       set state = case when problem is null then 'settled' else 'needs_decision' end, reason = problem,
           received_amount = private.received(_amount), received_currency = coalesce(_currency, '?'),
           paid_on = coalesce(_paid_on, private.today()), provider_id = _provider_id, check_at = null,
           settled_at = case when problem is null then clock_timestamp() end
     where id = payment.id returning * into payment;
  elsif payment.state = 'open' and (_outcome = 'failed' or payment.created_at < clock_timestamp() - interval '2 days') then
    update public.payments
       set state = 'failed', reason = case _outcome when 'failed' then 'declined' else 'not_completed' end, check_at = null,
           settled_at = clock_timestamp()
     where id = payment.id returning * into payment;
  end if;
  return jsonb_build_object('state', payment.state, 'order_id', payment.order_id);
end $$;
select private.expose('settle_payment', 'service_role');

/*
 * The web server, for every refund of a payment that Paystack reports: Paystack's number and the shop's own id for
 * it, the amount in cedis above 0, and 'processed', 'failed' or 'pending'. Returns the refund's state; null when it
 * is not the shop's.
 */
create function private.settle_refund(_reference text, _refund_id uuid, _provider_id text, _amount numeric, _outcome text) returns text language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
  refund public.payments;
  outcome text;
begin
  select * into payment from public.payments where reference = _reference and method = 'paystack' and kind = 'payment';
  if not found then return null; end if;
  perform private.lock_order_payments(payment.order_id);
  -- Two refunds at once of a deleted order have no other lock.
  select * into payment from public.payments where id = payment.id for update;
  -- Refunds of money that does not count don't count either.
  outcome := case payment.state when 'settled' then _outcome when 'set_aside' then 'failed' else 'pending' end;
  select * into refund from public.payments
   where kind = 'refund' and about = payment.id and (provider_id = _provider_id or (id = _refund_id and provider_id is null))
   order by provider_id nulls last limit 1;
  if not found then
    -- Refunded in Paystack's dashboard.
    if _provider_id is null or outcome = 'failed' or payment.state not in ('settled', 'needs_decision') then return null; end if;
    insert into public.payments (order_id, order_number, user_id, kind, method, amount, about, state, provider_id, check_at)
    values (payment.order_id, payment.order_number, payment.user_id, 'refund', 'paystack', -_amount, payment.id, 'open', _provider_id,
            clock_timestamp())
    returning * into refund;
  end if;
  if refund.state <> 'open' and not (refund.state = 'failed' and outcome = 'processed') then return refund.state; end if;
  update public.payments
     set provider_id = coalesce(provider_id, _provider_id),
         state = case outcome when 'processed' then 'settled' when 'failed' then 'failed' else state end,
         reason = case when outcome = 'failed' then case payment.state when 'set_aside' then 'payment_set_aside' else 'declined' end end,
         paid_on = case outcome when 'processed' then private.today() end,
         check_at = case when outcome not in ('processed', 'failed') then check_at end,
         settled_at = case when outcome in ('processed', 'failed') then clock_timestamp() end
   where id = refund.id returning * into refund;
  return refund.state;
end $$;
select private.expose('settle_refund', 'service_role');

/*
 * The worker: the next open payment or refund to check with Paystack, or refund to send; null when none is due. While
 * it stays open it is returned again: after 30 s (a refund: 2 min, in which no one else sends it), then less and less
 * often.
 */
create function private.claim_payment_check()
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  payment public.payments;
begin
  update public.payments p
     set check_at = clock_timestamp()
       + least(greatest((clock_timestamp() - p.created_at) / 4, case p.kind when 'refund' then interval '2 minutes' else interval '30 seconds' end),
               interval '1 hour')
   where p.id = (
     select c.id from public.payments c
      where c.state = 'open'
        -- No pause is that long: a clock that was ahead has written it, and the row would wait until then.
        and (c.check_at <= clock_timestamp() or c.check_at > clock_timestamp() + interval '2 hours')
      order by c.check_at limit 1 for update skip locked)
  returning * into payment;
  if not found then return null; end if;
  return private.payment_check(payment);
end $$;
select private.expose('claim_payment_check', 'service_role');

/*
 * The web server: the order, state and Paystack's number of the payment with this reference; null when there is none.
 */
create function private.find_payment(_reference text)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('state', state, 'order_id', order_id, 'transaction_id', provider_id)
    from public.payments where reference = _reference and method = 'paystack' and kind = 'payment'
$$;
select private.expose('find_payment', 'service_role');

-- supabase/schema/5-money/5-invoices.sql

-- Invoices: an order gets the next number of the year when its invoice is opened for the first time, and keeps it.
-- Everything else on an invoice is in the order, whose lines and total never change.

create table public.invoices (
  -- No foreign key: an invoice that has been given out outlives its order, and is found again when the order is restored.
  order_id uuid primary key,
  -- Counts up from 1 every year without gaps.
  year integer not null,
  number integer not null,
  -- 'INV2026-0007'
  reference text generated always as (
    'INV' || year::text || '-' || case when number < 1000 then lpad(number::text, 4, '0') else number::text end
  ) stored,
  issued_at timestamptz not null default clock_timestamp(),
  constraint invoices_number_is_unique unique (year, number)
);

alter table public.invoices enable row level security;
grant select on public.invoices to authenticated, service_role;

create policy "customers read the invoices of their own orders, admins all" on public.invoices
  for select to authenticated
  using (
    (select private.is_admin())
    or exists (select from public.orders o where o.id = order_id and o.user_id = (select auth.uid()))
  );

create trigger keep_as_written before update or delete on public.invoices
  for each row execute function private.keep_as_written();

/*
 * Customers, of their own orders, and staff: the order's invoice, which gets its number on the first call. A
 * cancelled order gets none, but keeps one that it has.
 */
create function private.issue_invoice(_order_id uuid)
returns table (reference text, issued_at timestamptz) language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  invoice public.invoices;
begin
  -- Locked, so that two people who open it for the first time use up only one number.
  select * into of_order from public.orders
   where id = _order_id and (user_id = auth.uid() or private.is_staff())
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
  return query select invoice.reference, invoice.issued_at;
end $$;
select private.expose('issue_invoice', 'authenticated', 'service_role');

-- supabase/schema/6-school/01-booklists.sql

-- Booklists: what the pupils of a class need in a school year. Staff write them through functions (see
-- 04-editing-booklists); everyone else reads a published one by its code, or finds it by its school when it is listed
-- (see 02-public-booklists).

/*
 * The code in a list's address: ten of 32 characters (Crockford's base32, which has no I, L, O or U), 50 bits of a strong
 * random number, so that lists cannot be found by trying. A UUID has fixed bits in its seventh and ninth byte.
 */
create function private.new_booklist_code()
returns text language sql volatile set search_path = '' as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (get_byte(random, n) & 31) + 1, 1), '')
    from uuid_send(gen_random_uuid()) as random, unnest(array[0, 1, 2, 3, 4, 5, 9, 10, 11, 12]) as n
$$;

/*
 * A typed code as it is stored: in any case, with spaces or any hyphen, dash or minus, also invisible ones, O for 0 and I or L for 1.
 * Null when it cannot be one.
 */
create function private.booklist_code(_typed text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select code
    from translate(upper(regexp_replace(left(_typed, 100),
           '[[:space:]\u00A0\u00AD\u200B-\u2015\u202A-\u202F\u2060\u2212\uFE58\uFE63\uFEFF\uFF0D-]+', '', 'g')), 'OIL', '011') as code
   where code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'
$$;

/* 'jhs 0002': its numbers as wide as each other, so that Class 2 comes before Class 10. */
create function private.booklist_class_key(_class_name text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(regexp_replace(private.fold(_class_name), '([0-9]+)', '000\1', 'g'), '0*([0-9]{4})', '\1', 'g')
$$;

create table public.booklists (
  id uuid primary key default gen_random_uuid(),
  code text not null default private.new_booklist_code(),
  school text not null,
  class_name text not null,
  -- '2026/2027'
  school_year text not null,
  introduction text,
  status text not null default 'draft',
  -- Whether the public search by school finds it while it is published.
  is_listed boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  school_key text collate "C" generated always as (private.fold(school)) stored,
  class_key text collate "C" generated always as (private.booklist_class_key(class_name)) stored,
  search_text text collate "C" generated always as (
    private.fold(school) || E'\n' || private.fold(class_name) || E'\n' || school_year || E'\n' || lower(code)
  ) stored,
  -- ' baobab academy | primary 4 | 2026 2027 '
  word_text text collate "C" generated always as (private.word_text(array[school, class_name, school_year])) stored,
  constraint booklists_code_is_unique unique (code),
  constraint booklists_code_is_well_formed check (code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  constraint booklists_school_is_short check (length(school) between 1 and 200),
  constraint booklists_class_name_is_short check (length(class_name) between 1 and 100),
  constraint booklists_school_year_is_a_year check (school_year ~ '^20[0-9]{2}/20[0-9]{2}$'
    and right(school_year, 4)::int = left(school_year, 4)::int + 1),
  constraint booklists_introduction_is_short check (length(introduction) <= 2000),
  constraint booklists_status_is_known check (status in ('draft', 'published', 'withdrawn'))
);
create index booklists_last_changed_first on public.booklists (updated_at desc, id desc);
create index booklists_by_school on public.booklists (school_key, school_year desc, class_key, id);
create index booklists_search on public.booklists using gin (search_text extensions.gin_trgm_ops);
create index booklists_search_by_school on public.booklists using gin (school_key extensions.gin_trgm_ops)
  where status = 'published' and is_listed;
create index booklists_search_by_words on public.booklists using gin (word_text extensions.gin_trgm_ops)
  where status = 'published' and is_listed;

create table public.booklist_lines (
  id uuid primary key default gen_random_uuid(),
  booklist_id uuid not null references public.booklists (id) on delete cascade,
  position integer not null,
  -- Null where the shop does not sell it. No foreign key: when the book is deleted, the line keeps its title, and a
  -- restored book gets its lines back.
  book_id uuid,
  -- The book's title when the list was saved, or free text for an item without a book.
  title text not null,
  -- Copies per pupil.
  copies integer not null default 1,
  is_required boolean not null default true,
  note text,
  -- Checked at the end of a statement, so that lines can change places. The position also limits a list to 200 lines.
  constraint booklist_lines_one_line_a_place unique (booklist_id, position) deferrable initially immediate,
  constraint booklist_lines_one_line_a_book unique (booklist_id, book_id) deferrable initially immediate,
  constraint booklist_lines_position_is_sane check (position between 1 and 200),
  constraint booklist_lines_title_is_short check (length(title) between 1 and 500),
  constraint booklist_lines_copies_are_sane check (copies between 1 and 99),
  constraint booklist_lines_note_is_short check (length(note) <= 300)
);

alter table public.booklists enable row level security;
alter table public.booklist_lines enable row level security;
grant select on public.booklists, public.booklist_lines to authenticated, service_role;

create policy "admins read booklists" on public.booklists
  for select to authenticated using ((select private.is_admin()));
create policy "admins read the lines of booklists" on public.booklist_lines
  for select to authenticated using ((select private.is_admin()));

create trigger stamp_updated_at before update on public.booklists
  for each row execute function private.stamp_updated_at();
create trigger record_audit after insert or update or delete on public.booklists
  for each row execute function private.record_audit('updated_at');
create trigger record_audit after update or delete on public.booklist_lines
  for each row execute function private.record_audit('position');
-- A new list of 30 lines is one row of the log.
create trigger record_audit_of_new after insert on public.booklist_lines
  for each row when (coalesce(current_setting('shop.task', true), '') <> 'new booklist')
  execute function private.record_audit();

-- Pages that show a list are cached until the catalogue's version changes. Every change of lines also changes its
-- list's row, and only drafts are added and deleted.
create trigger bump_catalogue_version_if_published after update on public.booklists
  for each row when (old.status = 'published' or new.status = 'published')
  execute function private.bump_catalogue_version();

/*
 * How many copies of a list's book a customer put into their cart. Combined with later orders this gives a list's
 * sales (see admin_list_booklist_sales), without changing carts and orders. Names customers by id only, and is deleted when a
 * customer is anonymised.
 */
create table private.booklist_additions (
  booklist_id uuid not null references public.booklists (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  book_id uuid not null,
  copies integer not null,
  first_added_at timestamptz not null default clock_timestamp(),
  last_added_at timestamptz not null default clock_timestamp(),
  primary key (booklist_id, user_id, book_id)
);
create index booklist_additions_by_customer on private.booklist_additions (user_id);
alter table private.booklist_additions enable row level security;

-- supabase/schema/6-school/02-public-booklists.sql

-- The public part of booklists: a published one by its code, and the listed ones by their school and class.

/*
 * The lines of a list in order, each with its book, or null if the shop does not sell it; one that is sold out also with other, an edition
 * that is in stock, or null.
 */
create function private.booklist_lines(_booklist_id uuid)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
           'id', l.id, 'title', l.title, 'copies', l.copies, 'is_required', l.is_required, 'note', l.note,
           'book_id', l.book_id, 'book', private.book_card(b))
           || case when b.stock_quantity <= 0 then jsonb_build_object('other', private.edition_in_stock(b)) else '{}' end
           order by l.position), '[]')
    from public.booklist_lines l left join public.books b on b.id = l.book_id
   where l.booklist_id = _booklist_id
$$;

/*
 * The published list with this code, however it is typed; no row for any other. lines: [{ id, title, copies (per pupil),
 * is_required, note, book_id, book, other }] in their order; book is what cards show of it (price in cedis), or null where the
 * shop does not sell it, and other an edition to have in place of one that is sold out.
 */
create function private.find_booklist(_code text)
returns table (code text, school text, class_name text, school_year text, introduction text, updated_at timestamptz, lines jsonb)
language sql stable security definer set search_path = '' as $$
  select b.code, b.school, b.class_name, b.school_year, b.introduction, b.updated_at, private.booklist_lines(b.id)
    from public.booklists b
   where b.code = private.booklist_code(_code) and b.status = 'published'
$$;
select private.expose('find_booklist', 'anon', 'authenticated', 'service_role');

/*
 * The conditions for a list to have each of a text's terms in one of its forms, in its words or, with _in_school, in its
 * school's name.
 */
create function private.booklist_conditions_of(_q text, _in_school boolean)
returns text[] language sql stable set search_path = '' as $$
  select coalesce(array_agg((
           select '(' || string_agg(format('%s like %L',
                    case when _in_school then 'split_part(b.word_text, ''|'', 1)' else 'b.word_text' end,
                    private.words_pattern(form)), ' or ') || ')'
             from unnest(words) as form) order by ordinal), '{}')
    from private.search_terms(_q) where words is not null
$$;

/*
 * Published and listed lists by a text of at least 3 characters: part of the school's name, or words of school, class and
 * year in any order, by school, then newest year, then class; if no list has all words, those with the most. At most 100. The queries are built as
 * text, so that the trigram indexes are used (decision 4).
 */
create function private.search_booklists(_q text)
returns table (code text, school text, class_name text, school_year text)
language plpgsql stable security definer set search_path = '' as $$
declare
  has constant text[] := private.booklist_conditions_of(_q, false);
  school_has constant text[] := private.booklist_conditions_of(_q, true);
  fields constant text := 'b.code, b.school, b.class_name, b.school_year';
  public_ones constant text := 'b.status = ''published'' and b.is_listed';
begin
  if length(private.clean_line(left(_q, 200))) < 3 then return; end if;
  return query execute format(
    'select %s from public.booklists b where %s and (b.school_key like %L or %s)'
    ' order by b.school_key, b.school_year desc, b.class_key, b.id limit 100',
    fields, public_ones, private.contains_pattern(_q), coalesce(nullif(array_to_string(has, ' and '), ''), 'false'));
  if found or cardinality(has) < 2 then return; end if;
  -- No list has all terms: those with the most, at least half, and of these the ones whose school has the most.
  return query execute format(
    'with found as materialized (select b.* from public.booklists b where %s and (%s) limit 5000),'
    ' scored as (select b.*, %s as terms, %s as school_terms from found b),'
    ' best as (select * from scored where terms * 2 >= %s order by terms desc, school_terms desc limit 1)'
    ' select %s from scored b join best on (b.terms, b.school_terms) = (best.terms, best.school_terms)'
    ' order by b.school_key, b.school_year desc, b.class_key, b.id limit 100',
    public_ones, array_to_string(has, ' or '),
    '(' || array_to_string(has, ')::int + (') || ')::int', '(' || array_to_string(school_has, ')::int + (') || ')::int',
    cardinality(has), fields);
end $$;
select private.expose('search_booklists', 'anon', 'authenticated', 'service_role');

-- supabase/schema/6-school/03-booklist-cart.sql

-- A booklist's books into the cart by one call, by the rule of private.add_books_to_cart.

/* The chosen lines of a published list, in order; refuses a code without a published list. */
create function private.chosen_booklist_lines(_code text, _line_ids uuid[])
returns table (booklist_id uuid, line_id uuid, book_id uuid, title text, copies int)
language plpgsql stable security definer set search_path = '' as $$
declare
  list_id constant uuid := (
    select b.id from public.booklists b where b.code = private.booklist_code(_code) and b.status = 'published');
begin
  if list_id is null then
    perform private.refuse('PT404', 'booklist_not_found', 'This booklist is not available.');
  end if;
  return query
    select list_id, l.id, l.book_id, l.title, l.copies
      from public.booklist_lines l where l.booklist_id = list_id and l.id = any (_line_ids) order by l.position;
end $$;
grant execute on function private.chosen_booklist_lines to authenticated, service_role;

/* Records what the caller added from a list (see admin_list_booklist_sales). */
create function private.note_booklist_additions(_code text, _book_ids uuid[], _copies int[])
returns void language sql security definer set search_path = '' as $$
  insert into private.booklist_additions as a (booklist_id, user_id, book_id, copies)
  select l.booklist_id, auth.uid(), taken.book_id, taken.copies
    from unnest(_book_ids, _copies) as taken (book_id, copies)
    join public.booklist_lines l on l.book_id = taken.book_id
    join public.booklists b on b.id = l.booklist_id and b.code = private.booklist_code(_code) and b.status = 'published'
   where taken.copies > 0
   order by taken.book_id
  on conflict (booklist_id, user_id, book_id)
    do update set copies = least(a.copies + excluded.copies, 1000000), last_added_at = clock_timestamp()
$$;
grant execute on function private.note_booklist_additions to authenticated, service_role;

/*
 * Puts chosen lines of a published list into the caller's cart, for a number of children (1 to 999): copies per pupil times
 * children, as far as the cart allows. One row for each chosen line of the list: wanted and added are copies; problem
 * as in private.add_books_to_cart, null when all were added and are in stock. Repeated with the same _request_id, the
 * call adds nothing and returns the same.
 */
create function public.add_booklist_to_cart(_code text, _line_ids uuid[], _children int default 1, _request_id text default null)
returns table (line_id uuid, book_id uuid, title text, wanted int, added int, problem text)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  lines jsonb;
  outcome jsonb;
begin
  perform private.require_number('children', 'The number of children', _children, 1, 999);
  select coalesce(jsonb_agg(to_jsonb(l)), '[]') into lines from private.chosen_booklist_lines(_code, _line_ids) as l;
  select coalesce(jsonb_agg(to_jsonb(a)), '[]') into outcome
    from (select array_agg(l.book_id) as book_ids, array_agg(l.copies * _children) as quantities
            from jsonb_to_recordset(lines) as l (book_id uuid, copies int) where l.book_id is not null) as chosen,
         private.add_books_to_cart(book_ids, quantities, _request_id) as a;
  perform private.note_booklist_additions(_code, array_agg(a.book_id), array_agg(a.added))
    from jsonb_to_recordset(outcome) as a (book_id uuid, added int, repeated boolean) where not a.repeated;
  return query
    select l.line_id, l.book_id, l.title, l.copies * _children, coalesce(a.added, 0),
           case when l.book_id is null then 'not_sold' else a.problem end
      from jsonb_to_recordset(lines) as l (line_id uuid, book_id uuid, title text, copies int)
      left join jsonb_to_recordset(outcome) as a (book_id uuid, added int, problem text) on a.book_id = l.book_id;
end $$;
grant execute on function public.add_booklist_to_cart to authenticated;

-- supabase/schema/6-school/04-editing-booklists.sql

-- How staff write booklists: a list is saved together with its lines, and only if it has not changed since it was
-- opened.

/* Locks and returns the list if it still has the version that the caller has seen. */
create function private.lock_booklist(_id uuid, _updated_at timestamptz)
returns public.booklists language plpgsql set search_path = '' as $$
declare
  list public.booklists;
begin
  select * into list from public.booklists where id = _id for update;
  if not found then
    perform private.refuse('PT404', 'booklist_not_found', 'This booklist no longer exists.');
  elsif list.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'booklist_changed', 'This booklist has since been changed.',
      jsonb_build_object('updated_at', list.updated_at));
  end if;
  return list;
end $$;

create function private.require_school_year(_school_year text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if coalesce(_school_year !~ '^20[0-9]{2}/20[0-9]{2}$'
              or right(_school_year, 4)::int <> left(_school_year, 4)::int + 1, true) then
    perform private.refuse('PT400', 'invalid_field', 'The school year must be two years, such as 2026/2027.',
      jsonb_build_object('field', 'school_year', 'rule', 'school_year'));
  end if;
end $$;

/* One given line, cleaned, without its list and position; refuses an invalid one, naming it. */
create function private.read_booklist_line(_given jsonb, _line int)
returns public.booklist_lines language plpgsql stable set search_path = '' as $$
declare
  uuid_form constant text := '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
  line public.booklist_lines;
begin
  if jsonb_typeof(_given) <> 'object' then
    perform private.refuse('PT400', 'invalid_rows', format('Line %s must be an object.', _line));
  end if;
  line.book_id := case when _given ->> 'book_id' ~* uuid_form then (_given ->> 'book_id')::uuid end;
  line.title := coalesce((select b.title from public.books b where b.id = line.book_id),
                         private.clean_line(_given ->> 'title'));
  perform private.require_text('title', format('The title of line %s', _line), line.title, 500, true);
  line.copies := case when not _given ? 'copies' then 1 when _given ->> 'copies' ~ '^[0-9]{1,4}$' then (_given ->> 'copies')::int end;
  perform private.require_number('copies', format('The number of copies in line %s', _line), line.copies, 1, 99);
  line.is_required := _given ->> 'is_required' is distinct from 'false';
  line.note := private.clean_line(_given ->> 'note');
  perform private.require_text('note', format('The note of line %s', _line), line.note, 300);
  return line;
end $$;

/*
 * The lines of a save, in order. A line keeps its id as long as it stays on the list, because parents' choices refer
 * to it.
 */
create function private.read_booklist_lines(_booklist_id uuid, _lines jsonb)
returns public.booklist_lines[] language plpgsql stable set search_path = '' as $$
declare
  lines public.booklist_lines[] := '{}';
  line public.booklist_lines;
  given jsonb;
begin
  if jsonb_typeof(_lines) is distinct from 'array' then
    perform private.refuse('PT400', 'invalid_rows', 'Lines must be a list.');
  elsif jsonb_array_length(_lines) > 200 then
    perform private.refuse('PT400', 'too_many_lines', 'A booklist can have up to 200 lines.', jsonb_build_object('limit', 200));
  end if;
  for given in select value from jsonb_array_elements(_lines) loop
    line := private.read_booklist_line(given, cardinality(lines) + 1);
    line.position := cardinality(lines) + 1;
    line.booklist_id := _booklist_id;
    line.id := coalesce(
      (select l.id from public.booklist_lines l
        where l.booklist_id = _booklist_id and l.id::text = lower(given ->> 'id')
          and l.id <> all (array(select u.id from unnest(lines) as u))), gen_random_uuid());
    if exists (select from unnest(lines) as u where u.book_id = line.book_id) then
      perform private.refuse('PT400', 'invalid_field', format('%s is on the list twice.', line.title),
        jsonb_build_object('field', 'book_id', 'rule', 'unique', 'line', line.position));
    end if;
    lines := lines || line;
  end loop;
  return lines;
end $$;

/*
 * Staff: saves a list with all its lines, or nothing. _id of a new list is the client's, so that a repeated save makes no second list;
 * _updated_at is the version that was opened, null for a new list. _lines in their order: [{ id (of a line
 * that stays), book_id or title, copies, is_required, note }]. Refuses booklist_changed when the list has another version by now,
 * which a new one that was saved before has too, and a published list without lines.
 */
create function private.save_booklist(
  _school text, _class_name text, _school_year text, _lines jsonb, _id uuid default null,
  _updated_at timestamptz default null, _introduction text default null, _is_listed boolean default false
) returns public.booklists language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_staff();
  declare
    school_name constant text := private.clean_line(_school);
    class constant text := private.clean_line(_class_name);
    intro constant text := private.clean_text(_introduction);
    list public.booklists;
    lines public.booklist_lines[];
  begin
    perform private.require_text('school', 'The school', school_name, 200, true);
    perform private.require_text('class_name', 'The class', class, 100, true);
    perform private.require_text('introduction', 'The introduction', intro, 2000);
    perform private.require_school_year(_school_year);
    if _updated_at is null then
      perform set_config('shop.task', 'new booklist', true);
      insert into public.booklists (id, school, class_name, school_year, introduction, is_listed)
      values (coalesce(_id, gen_random_uuid()), school_name, class, _school_year, intro, coalesce(_is_listed, false))
      on conflict (id) do nothing returning * into list;
      -- Already saved, perhaps by a request whose response was lost: that list has a version.
      if not found then perform private.lock_booklist(_id, null); end if;
    else
      perform private.lock_booklist(_id, _updated_at);
    end if;
    lines := private.read_booklist_lines(coalesce(list.id, _id), _lines);
    delete from public.booklist_lines l
     where l.booklist_id = _id and l.id <> all (array(select u.id from unnest(lines) as u));
    insert into public.booklist_lines as l (id, booklist_id, position, book_id, title, copies, is_required, note)
    select u.id, u.booklist_id, u.position, u.book_id, u.title, u.copies, u.is_required, u.note from unnest(lines) as u
    on conflict (id) do update
      set position = excluded.position, book_id = excluded.book_id, title = excluded.title, copies = excluded.copies,
          is_required = excluded.is_required, note = excluded.note;
    if _updated_at is not null then
      update public.booklists
         set school = school_name, class_name = class, school_year = _school_year, introduction = intro,
             is_listed = coalesce(_is_listed, false)
       where id = _id returning * into list;
      if list.status = 'published' then perform private.require_booklist_lines(list.id); end if;
    end if;
    perform set_config('shop.task', '', true);
    return list;
  end;
end $$;
select private.expose('save_booklist', 'authenticated', 'service_role');

create function private.require_booklist_lines(_id uuid)
returns void language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from public.booklist_lines where booklist_id = _id) then
    perform private.refuse('PT409', 'booklist_empty', 'A published booklist needs at least one line.');
  end if;
end $$;

/* Staff: publishes or withdraws a list, or makes it a draft again; with the version that was opened, as save_booklist. */
create function private.set_booklist_status(_id uuid, _updated_at timestamptz, _status text)
returns public.booklists language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_staff();
  declare
    list public.booklists;
  begin
    if _status is null or _status not in ('draft', 'published', 'withdrawn') then
      perform private.refuse('PT400', 'invalid_field', 'Unknown booklist status.',
        jsonb_build_object('field', 'status', 'rule', 'choice', 'choices', array['draft', 'published', 'withdrawn']));
    end if;
    perform private.lock_booklist(_id, _updated_at);
    if _status = 'published' then perform private.require_booklist_lines(_id); end if;
    update public.booklists set status = _status where id = _id returning * into list;
    return list;
  end;
end $$;
select private.expose('set_booklist_status', 'authenticated', 'service_role');

/* Staff: deletes a draft. */
create function private.delete_booklist(_id uuid, _updated_at timestamptz)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_staff();
  if (private.lock_booklist(_id, _updated_at)).status <> 'draft' then
    perform private.refuse('PT409', 'booklist_not_draft', 'Only a draft can be deleted. Withdraw the list instead.');
  end if;
  delete from public.booklists where id = _id;
end $$;
select private.expose('delete_booklist', 'authenticated', 'service_role');

/*
 * Staff: creates a draft for another school year with the lines of this list. admin_read_booklist names newer
 * editions.
 */
create function private.copy_booklist(_id uuid, _school_year text)
returns public.booklists language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_staff();
  declare
    list public.booklists;
  begin
    perform private.require_school_year(_school_year);
    insert into public.booklists (school, class_name, school_year, introduction, is_listed)
    select b.school, b.class_name, _school_year, b.introduction, b.is_listed
      from public.booklists b where b.id = _id
    returning * into list;
    if not found then
      perform private.refuse('PT404', 'booklist_not_found', 'This booklist no longer exists.');
    end if;
    perform set_config('shop.task', 'new booklist', true);
    insert into public.booklist_lines (booklist_id, position, book_id, title, copies, is_required, note)
    select list.id, l.position, l.book_id, coalesce(b.title, l.title), l.copies, l.is_required, l.note
      from public.booklist_lines l left join public.books b on b.id = l.book_id where l.booklist_id = _id;
    perform set_config('shop.task', '', true);
    return list;
  end;
end $$;
select private.expose('copy_booklist', 'authenticated', 'service_role');

-- supabase/schema/6-school/05-reading-booklists.sql

-- Other editions of a list's books; and what staff read of one booklist: its lines with newer editions, and its sales.

/* The edition named in a text: the 2 of '2nd Edition', 'Second edition' or '2'. Null when there is none. */
create function private.edition_in(_text text)
returns int language sql immutable parallel safe set search_path = '' as $$
  select coalesce(
    substring(said from '\m([0-9]{1,4})(?:st|nd|rd|th)?\M')::int,
    array_position(array['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'],
      substring(said from '\m(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\M')))
    from private.fold(_text) as said
$$;

/* The folded title without the edition in it: 'physics' of 'Physics (2nd ed.)' and of 'Physics, Second Edition'. */
create function private.title_without_edition(_title_key text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select btrim(regexp_replace(_title_key,
    '[ ,:;(\[-]*\m([0-9]{1,2}(st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\M *ed(ition|n)?\M\.?[)\]]?', ''))
$$;

/* The edition of a book, from its own field or else its title; a book that names none is a first edition. */
create function private.edition_of(_edition text, _title_key text)
returns int language sql immutable parallel safe set search_path = '' as $$
  select coalesce(private.edition_in(_edition),
    private.edition_in(substring(_title_key from '(\m(?:[0-9]{1,2}(?:st|nd|rd|th)|[a-z]+)\M *ed(?:ition|n)?\M)')), 1)
$$;

/*
 * The newest edition of a book that the shop also sells: the same title and publisher, a higher edition. Null without
 * one.
 */
create function private.newer_edition(_book public.books)
returns jsonb language sql stable set search_path = '' as $$
  select private.book_card(b)
    from private.title_without_edition(_book.title_key) as work
    join public.books b
      on b.title_key >= work and b.title_key < work || chr(1114111) and private.title_without_edition(b.title_key) = work
     and b.publisher is not distinct from _book.publisher
   where work <> '' and private.edition_of(b.edition, b.title_key) > private.edition_of(_book.edition, _book.title_key)
   order by private.edition_of(b.edition, b.title_key) desc, b.created_at desc, b.id
   limit 1
$$;

/* The newest edition of a book's work from the same publisher, other than the book, that is in stock. Null without one. */
create function private.edition_in_stock(_book public.books)
returns jsonb language sql stable set search_path = '' as $$
  select private.book_card(b)
    from private.title_without_edition(_book.title_key) as work
    join public.books b
      on b.title_key >= work and b.title_key < work || chr(1114111) and private.title_without_edition(b.title_key) = work
     and b.publisher is not distinct from _book.publisher
   where work <> '' and b.id <> _book.id and b.stock_quantity > 0
   order by private.edition_of(b.edition, b.title_key) desc, b.created_at desc, b.id
   limit 1
$$;

/*
 * Staff: a list in any state; no row when it does not exist. lines as in find_booklist, each also with newer: the newest
 * edition of its book if the shop sells a newer one, otherwise null.
 */
create function private.admin_read_booklist(_id uuid)
returns table (
  id uuid, code text, school text, class_name text, school_year text, introduction text, status text, is_listed boolean,
  created_at timestamptz, updated_at timestamptz, lines jsonb
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    select b.id, b.code, b.school, b.class_name, b.school_year, b.introduction, b.status, b.is_listed, b.created_at,
           b.updated_at::timestamptz, coalesce((
             select jsonb_agg(line || jsonb_build_object('newer', private.newer_edition(book)) order by place)
               from jsonb_array_elements(private.booklist_lines(b.id)) with ordinality as l (line, place)
               left join public.books book on book.id = (line ->> 'book_id')::uuid), '[]')
      from public.booklists b where b.id = _id;
end $$;
select private.expose('admin_read_booklist', 'authenticated', 'service_role');

/*
 * Staff: a list's sales: the whole list first (line_id null, including books that have since left it), then each line
 * with at least one order. An order counts when its customer had put the book into the cart from this list up to 90
 * days before, and with at most as many copies; cancelled orders don't count. A customer who used two lists with the
 * same book counts for both. amount is in cedis.
 */
create function private.admin_list_booklist_sales(_id uuid)
returns table (line_id uuid, orders bigint, copies bigint, amount numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    with sold as (
      select l.id as line_id, o.id as order_id, least(i.quantity, a.copies) as copies, i.price
        from private.booklist_additions a
        join public.orders o on o.user_id = a.user_id and o.status <> 'cancelled'
         and o.created_at between a.first_added_at and a.last_added_at + interval '90 days'
        join public.order_items i on i.order_id = o.id and i.sold_book_id = a.book_id
        left join public.booklist_lines l on l.booklist_id = a.booklist_id and l.book_id = a.book_id
       where a.booklist_id = _id
    )
    select null::uuid, count(distinct s.order_id), coalesce(sum(s.copies), 0)::bigint, coalesce(sum(s.copies * s.price), 0)
      from sold s
    union all
    select s.line_id, count(distinct s.order_id), sum(s.copies)::bigint, sum(s.copies * s.price)
      from sold s where s.line_id is not null group by s.line_id;
end $$;
select private.expose('admin_list_booklist_sales', 'authenticated', 'service_role');

-- supabase/schema/6-school/06-matching.sql

-- The books that match a pasted or typed list.

/*
 * The books that match texts: an ISBN, one of the shop's own codes or a whole title each; a code takes precedence
 * over a title. One row per book, with the text's position from 1; none for a text without a match.
 */
create function private.matching_books(_texts text[])
returns table (line int, book_id uuid) language sql stable set search_path = '' as $$
  with typed as materialized (
    select place::int as line, private.isbn_key(given) as code, private.fold(given) as title
      from unnest(_texts) with ordinality as element (value, place), private.clean_line(value) as given
  ), by_code as (
    select t.line, b.id from typed t join public.books b on b.isbn_key = t.code
  )
  select * from by_code
  union all
  select t.line, b.id from typed t join public.books b on b.title_key = t.title
   where t.line not in (select c.line from by_code c)
$$;
grant execute on function private.matching_books to anon, authenticated, service_role;

/*
 * The books that match up to 500 texts, each an ISBN (10 or 13 digits, with or without hyphens), one of the shop's
 * own codes, or a whole title; case and accents do not count. _lines is a JSON list of texts, or of objects with a
 * "text". One row for each, in order: line from 1, matches the number of matching books, books the first 10 of them
 * with the fields of cards (price in cedis). A code takes precedence over a title; anything else has no match.
 * Read-only, so open to everyone.
 */
create function public.match_book_lines(_lines jsonb)
returns table (line int, matches int, books jsonb)
language plpgsql stable set search_path = '' as $$
begin
  if jsonb_typeof(_lines) is distinct from 'array' then
    perform private.refuse('PT400', 'invalid_rows', 'Lines must be a list of texts.');
  elsif jsonb_array_length(_lines) > 500 then
    perform private.refuse('PT400', 'too_many_lines', 'A list can have up to 500 lines.', jsonb_build_object('limit', 500));
  end if;
  return query
    with found as (
      select * from private.matching_books(array(
        select left(case jsonb_typeof(value) when 'object' then value ->> 'text' when 'string' then value #>> '{}' end, 500)
          from jsonb_array_elements(_lines) with ordinality as element (value, place) order by place))
    ), ranked as (
      select f.line, b, count(*) over (partition by f.line) as matches,
             row_number() over (partition by f.line order by b.stock_quantity = 0, b.created_at desc, b.id) as place
        from found f join public.books b on b.id = f.book_id
    )
    select t.line, coalesce(max(r.matches), 0)::int,
           coalesce(jsonb_agg(private.book_card(r.b) order by r.place) filter (where r.place <= 10), '[]')
      from generate_series(1, jsonb_array_length(_lines)) as t (line) left join ranked r on r.line = t.line
     group by t.line order by t.line;
end $$;
grant execute on function public.match_book_lines to anon, authenticated, service_role;

-- supabase/schema/6-school/07-importing-booklists.sql

-- Many booklists from one file, a few dozen a call. A list is imported completely or left out, and one that already
-- matches the file stays unchanged: an interrupted import is finished by importing the same file again. For staff
-- alone.

/* The list for a school, class and year, however they are spelled; more than one if staff keep several. */
create function private.booklists_named(_school text, _class_name text, _school_year text)
returns setof public.booklists language sql stable set search_path = '' as $$
  select * from public.booklists b
   where b.school_key = private.fold(_school) and b.school_year = _school_year
     and b.class_key = private.booklist_class_key(_class_name)
$$;

/*
 * Reads a line of the file: a line of a list, or { line, message } if it is invalid. _taken are the list's lines
 * before it.
 */
create function private.plan_booklist_line(_given jsonb, _book_ids uuid[], _taken jsonb)
returns jsonb language plpgsql stable set search_path = '' as $$
declare
  file_line constant int := case when _given ->> 'line' ~ '^[0-9]{1,9}$' then (_given ->> 'line')::int end;
  isbn constant text := private.clean_line(_given ->> 'isbn');
  title constant text := private.clean_line(_given ->> 'title');
  line public.booklist_lines;
  before jsonb;
begin
  if cardinality(_book_ids) > 1 then
    perform private.refuse('PT400', 'ambiguous', format('%s books in the shop match %s. Give the ISBN of one of them.',
      cardinality(_book_ids), coalesce(isbn, title)));
  elsif _book_ids is null and (title ~ '^[0-9Xx -]{8,}$' or title is null and isbn is not null) then
    perform private.refuse('PT400', 'unknown_isbn',
      format('The shop has no book with the ISBN %s. Give its title too if the list should name it all the same.', coalesce(isbn, title)));
  end if;
  line := private.read_booklist_line(_given || jsonb_build_object('book_id', _book_ids[1]), file_line);
  select t into before from jsonb_array_elements(_taken) as t
   where case when line.book_id is null then t ->> 'book_id' is null and private.fold(t ->> 'title') = private.fold(line.title)
              else t ->> 'book_id' = line.book_id::text end limit 1;
  if found then
    perform private.refuse('PT400', 'repeated', format('The same book is in line %s.', before -> 'line'));
  end if;
  return jsonb_build_object('line', file_line, 'book_id', line.book_id, 'title', line.title, 'copies', line.copies,
                            'is_required', line.is_required, 'note', line.note);
exception when sqlstate 'PT400' then
  return jsonb_build_object('line', file_line, 'message', sqlerrm);
end $$;

/*
 * A file's lines as a save expects them, each with the id of the list's existing line for the same book or text, if
 * there is one.
 */
create function private.with_booklist_line_ids(_booklist_id uuid, _lines jsonb)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(line || jsonb_build_object('id', own.id, 'book_id', coalesce(line ->> 'book_id', own.book_id::text)) order by place), '[]')
    from jsonb_array_elements(_lines) with ordinality as given (line, place)
    left join lateral (
      select l.id, l.book_id from public.booklist_lines l
       where l.booklist_id = _booklist_id
         and case when line ->> 'book_id' is not null then l.book_id::text = line ->> 'book_id'
                  -- Free text, or the title of a book that has since been deleted.
                  else private.fold(l.title) = private.fold(line ->> 'title')
                   and not exists (select from public.books b where b.id = l.book_id) end
       order by l.position limit 1
    ) as own on true
$$;

/*
 * How a list's lines would change: [{ title, before, after }], before null for a new line and after for a removed
 * one.
 */
create function private.booklist_changes(_booklist_id uuid, _lines jsonb)
returns jsonb language sql stable set search_path = '' as $$
  with old as (
    select l.id, l.title, l.position,
           jsonb_build_object('copies', l.copies, 'is_required', l.is_required, 'note', l.note) as fields
      from public.booklist_lines l where l.booklist_id = _booklist_id
  ), new as (
    select coalesce((line ->> 'id')::uuid, gen_random_uuid()) as id, line ->> 'title' as title, place,
           jsonb_build_object('copies', line -> 'copies', 'is_required', line -> 'is_required', 'note', line -> 'note') as fields
      from jsonb_array_elements(_lines) with ordinality as given (line, place)
  )
  select coalesce(jsonb_agg(jsonb_build_object('title', coalesce(new.title, old.title), 'before', old.fields, 'after', new.fields)
                            order by coalesce(new.place, old.position), new.place is null), '[]')
    from old full join new using (id) where old.fields is distinct from new.fields
$$;

/*
 * What importing a list would do: { action: add, update, unchanged or refused; id, updated_at of the list in the shop; school,
 * class_name, school_year; lines as a save takes them; changes; problems: [{ line, message }], line null for the whole list }.
 */
create function private.plan_booklist(_list jsonb)
returns jsonb language plpgsql stable set search_path = '' as $$
declare
  plan jsonb := jsonb_build_object('school', private.clean_line(_list ->> 'school'),
    'class_name', private.clean_line(_list ->> 'class_name'), 'school_year', private.clean_line(_list ->> 'school_year'));
  given constant jsonb := _list -> 'lines';
  own public.booklists;
  same bigint;
  lines jsonb := '[]';
  problems jsonb := '[]';
  read record;
  planned jsonb;
begin
  begin
    perform private.require_text('school', 'The school', plan ->> 'school', 200, true);
    perform private.require_text('class_name', 'The class', plan ->> 'class_name', 100, true);
    perform private.require_school_year(plan ->> 'school_year');
    if jsonb_array_length(given) not between 1 and 200 then
      perform private.refuse('PT400', 'too_many_lines', 'A booklist has 1 to 200 lines.');
    end if;
    select count(*) into same
      from private.booklists_named(plan ->> 'school', plan ->> 'class_name', plan ->> 'school_year');
    if same > 1 then
      perform private.refuse('PT400', 'ambiguous', format('The shop has %s booklists for this school, class and year.', same));
    end if;
  exception when sqlstate 'PT400' then
    return plan || jsonb_build_object('action', 'refused', 'changes', jsonb_build_array(), 'lines', jsonb_build_array(),
      'problems', jsonb_build_array(jsonb_build_object('line', null, 'message', sqlerrm)));
  end;

  for read in
    select l.line, m.book_ids
      from jsonb_array_elements(given) with ordinality as l (line, place)
      left join (
        select f.line as place, array_agg(f.book_id) as book_ids
          from private.matching_books(array(
            select left(coalesce(private.clean_line(t ->> 'isbn'), t ->> 'title'), 500)
              from jsonb_array_elements(given) with ordinality as texts (t, place) order by place)) as f
         group by f.line
      ) as m using (place)
     order by place
  loop
    planned := private.plan_booklist_line(read.line, read.book_ids, lines);
    if planned ? 'message' then problems := problems || planned; else lines := lines || planned; end if;
  end loop;

  select * into own from private.booklists_named(plan ->> 'school', plan ->> 'class_name', plan ->> 'school_year');
  lines := private.with_booklist_line_ids(own.id, lines);
  return plan || jsonb_build_object(
    'id', own.id, 'updated_at', own.updated_at, 'problems', problems, 'lines', lines,
    'changes', private.booklist_changes(own.id, lines),
    'action', case
      when problems <> '[]' then 'refused'
      when own.id is null then 'add'
      -- The same lines in the same order.
      when private.booklist_changes(own.id, lines) = '[]' and not exists (
             select from jsonb_array_elements(lines) with ordinality as new (line, place)
               join public.booklist_lines l on l.id = (line ->> 'id')::uuid
              where place <> (select count(*) from public.booklist_lines o
                               where o.booklist_id = own.id and o.position <= l.position)) then 'unchanged'
      else 'update' end);
end $$;

/*
 * Staff: saves up to 100 lists of a file, or reports what that would do. _lists: [{ school, class_name, school_year,
 * updated_at (of the list in the shop, as the dry run returned it; absent for a new one), lines: [{ line (in the
 * file), isbn, title, copies, is_required, note }] }]. One row a list, place counted from 1; action 'add', 'update',
 * 'unchanged' or 'refused'; problems: [{ line, message }]. A list with problems, or with another updated_at by now,
 * is left out, the others are saved. New lists are drafts, or with _publish published.
 */
create function private.import_booklists(_lists jsonb, _dry_run boolean default true, _publish boolean default false)
returns table (place int, action text, id uuid, updated_at timestamptz, lines jsonb, changes jsonb, problems jsonb)
language plpgsql security definer set search_path = '' as $$
declare
  saves constant boolean := not coalesce(_dry_run, true);
  list record;
  plan jsonb;
  own public.booklists;
  saved public.booklists;
begin
  perform private.require_staff();
  if jsonb_typeof(_lists) is distinct from 'array' or jsonb_array_length(_lists) > 100 or exists (
       select from jsonb_array_elements(_lists) as l
        where jsonb_typeof(l) <> 'object' or jsonb_typeof(l -> 'lines') is distinct from 'array'
           or exists (select from jsonb_array_elements(case jsonb_typeof(l -> 'lines') when 'array' then l -> 'lines' end) as line
                       where jsonb_typeof(line) <> 'object')) then
    perform private.refuse('PT400', 'invalid_rows', 'Lists must be an array of at most 100 objects with lines.');
  end if;
  -- In the same order for every caller, so that two concurrent imports wait for each other instead of deadlocking.
  for list in
    select l.value, named.name
      from jsonb_array_elements(_lists) as l,
           private.fold(concat_ws(E'\n', l.value ->> 'school', l.value ->> 'class_name', l.value ->> 'school_year')) as named (name)
     where saves order by named.name collate "C"
  loop
    perform pg_advisory_xact_lock(hashtext('public.booklists'), hashtext(list.name));
    perform from private.booklists_named(list.value ->> 'school', list.value ->> 'class_name', list.value ->> 'school_year') as same
       join public.booklists b on b.id = same.id for update of b;
  end loop;

  for list in select l.value, l.place from jsonb_array_elements(_lists) with ordinality as l (value, place) order by l.place loop
    plan := private.plan_booklist(list.value);
    if saves and plan ->> 'action' in ('add', 'update') then
      if (plan ->> 'updated_at')::timestamptz is distinct from (list.value ->> 'updated_at')::timestamptz then
        plan := plan || jsonb_build_object('action', 'refused', 'problems', jsonb_build_array(jsonb_build_object('line', null,
          'message', 'Someone else has changed this booklist since the file was checked. Check the file again.')));
      else
        select * into own from public.booklists b where b.id = (plan ->> 'id')::uuid;
        saved := private.save_booklist(coalesce(own.school, plan ->> 'school'), coalesce(own.class_name, plan ->> 'class_name'),
          plan ->> 'school_year', plan -> 'lines', own.id, own.updated_at, own.introduction, coalesce(own.is_listed, true));
        if plan ->> 'action' = 'add' and _publish then
          saved := private.set_booklist_status(saved.id, saved.updated_at, 'published');
        end if;
        plan := plan || jsonb_build_object('id', saved.id, 'updated_at', saved.updated_at);
      end if;
    end if;
    place := list.place;
    action := plan ->> 'action';
    id := (plan ->> 'id')::uuid;
    updated_at := (plan ->> 'updated_at')::timestamptz;
    lines := plan -> 'lines';
    changes := plan -> 'changes';
    problems := plan -> 'problems';
    return next;
  end loop;
end $$;
select private.expose('import_booklists', 'authenticated', 'service_role');

-- supabase/schema/6-school/08-bulk-orders.sql

-- Bulk orders: many books into the cart in one call.

/*
 * Adds copies of 1 to 500 different books to the caller's cart, 1 to 999 of each, as far as the cart allows. One row a
 * book, in the order given: wanted and added are copies; problem as in private.add_books_to_cart, null when all were added and are in stock.
 * Repeated with the same _request_id, the call adds nothing and returns the same.
 */
create function public.add_books_to_cart(_book_ids uuid[], _quantities int[], _request_id text default null)
returns table (book_id uuid, wanted int, added int, problem text)
language plpgsql set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
begin
  if titles not between 1 and 500 or array_ndims(_book_ids) <> 1
     or array_ndims(_quantities) is distinct from 1 or array_length(_quantities, 1) <> titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 999) from unnest(_quantities) as quantity;
  return query
    select a.book_id, a.wanted, a.added, a.problem from private.add_books_to_cart(_book_ids, _quantities, _request_id) as a;
end $$;
grant execute on function public.add_books_to_cart to authenticated;

-- supabase/schema/6-school/09-quotes.sql

-- Quotes: a school requests prices for its cart, staff respond with prices, quantities and a validity, the school accepts and so
-- orders. Only functions write the two tables. A change by staff takes a quote back to requested until it is sent
-- again: what customers may read and accept is always what was sent, and nothing of a draft.

create table public.quotes (
  id uuid primary key default gen_random_uuid(),
  -- Counts up from 1 every year without gaps; assigned when the quote is first sent.
  year integer,
  number integer,
  -- 'Q2026-0007'
  reference text generated always as (
    'Q' || year::text || '-' || case when number < 1000 then lpad(number::text, 4, '0') else number::text end
  ) stored,
  -- Restrict: an account with quotes is anonymised, not deleted.
  user_id uuid not null references public.profiles (id) on delete restrict,
  institution text,
  contact_name text,
  contact_email text,
  contact_phone text,
  -- From the customer, and to the customer.
  message text,
  note text,
  status text not null default 'requested',
  -- The last day on which it can be accepted, in Ghana, which is on UTC all year.
  valid_until date,
  -- Increases with every change: a decision names the version that it is about.
  version integer not null default 1,
  -- When its present content was sent; null while the content is a draft.
  sent_at timestamptz,
  decided_at timestamptz,
  -- The order created by accepting it. No foreign key: a deleted order can be restored.
  order_id uuid,
  purchase_order_number text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  -- What the back office's search looks through; the phone also as bare digits.
  search_text text collate "C" generated always as (
    coalesce('q' || year::text || '-' || case when number < 1000 then lpad(number::text, 4, '0') else number::text end, '')
    || E'\n' || coalesce(private.fold(institution), '') || E'\n' || coalesce(private.fold(contact_name), '') || E'\n'
    || coalesce(private.fold(contact_email), '') || E'\n' || coalesce(contact_phone, '') || E'\n'
    || coalesce(regexp_replace(contact_phone, '[^0-9]', '', 'g'), '') || E'\n'
    || coalesce(private.fold(purchase_order_number), '')
  ) stored,
  constraint quotes_number_is_unique unique (year, number),
  constraint quotes_number_is_whole check ((year is null) = (number is null) and number >= 1),
  constraint quotes_one_an_order unique (order_id),
  constraint quotes_status_is_known check (status in ('requested', 'sent', 'accepted', 'declined', 'withdrawn')),
  constraint quotes_sent_is_complete check (
    status not in ('sent', 'accepted') or (sent_at is not null and number is not null and valid_until is not null)
  ),
  constraint quotes_accepted_has_an_order check ((status = 'accepted') = (order_id is not null)),
  constraint quotes_contact_is_short check (
    length(institution) <= 200 and length(contact_name) <= 200 and length(contact_email) <= 320
    and length(contact_phone) <= 40
  ),
  constraint quotes_texts_are_short check (
    length(message) <= 2000 and length(note) <= 2000 and length(purchase_order_number) <= 60
  )
);
create index quotes_by_customer on public.quotes (user_id, created_at desc, id desc);
create index quotes_newest_first on public.quotes (created_at desc, id desc);
create index quotes_by_status on public.quotes (status, created_at desc, id desc);
create index quotes_search on public.quotes using gin (search_text extensions.gin_trgm_ops);

alter table public.quotes enable row level security;
grant select on public.quotes to authenticated, service_role;

create policy "customers read what they were sent, admins all" on public.quotes
  for select to authenticated
  using ((user_id = (select auth.uid()) and sent_at is not null) or (select private.is_admin()));

create table public.quote_lines (
  id uuid primary key default gen_random_uuid(),
  quote_id uuid not null references public.quotes (id) on delete cascade,
  -- No foreign key: the line outlives its book, and counts again when the book is restored.
  book_id uuid not null,
  position integer not null,
  -- Whether the customer requested it; otherwise staff added it.
  requested boolean not null default false,
  -- The book's title and price in the shop when the line was added.
  title text not null,
  publisher text,
  isbn text,
  shop_price numeric(10, 2) not null,
  unit_price numeric(10, 2) not null,
  quantity integer not null,
  constraint quote_lines_one_line_a_book unique (quote_id, book_id),
  constraint quote_lines_quantity_is_sane check (quantity between 1 and 9999),
  constraint quote_lines_prices_are_not_negative check (unit_price >= 0 and shop_price >= 0)
);

alter table public.quote_lines enable row level security;
grant select on public.quote_lines to authenticated, service_role;

-- The quote is read under its own policy: a customer does not see a draft's lines either.
create policy "people read the lines of the quotes that they may read" on public.quote_lines
  for select to authenticated
  using (
    (select private.is_admin())
    or exists (select from public.quotes q where q.id = quote_id and q.user_id = (select auth.uid()))
  );

/* The status as people see it: a sent quote whose last day has passed is expired. */
create function private.quote_status(_status text, _valid_until date)
returns text language sql stable set search_path = '' as $$
  select case when _status = 'sent' and _valid_until < private.today() then 'expired' else _status end
$$;

create function private.stamp_quote()
returns trigger language plpgsql set search_path = '' as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger stamp_quote before update on public.quotes
  for each row execute function private.stamp_quote();
create trigger stamp_updated_at before update on public.quotes
  for each row execute function private.stamp_updated_at();

create trigger record_audit after insert or update or delete on public.quotes
  for each row execute function private.record_audit('updated_at', 'version');
-- A request is one row of the log; the lines that come with it are in the quote.
create trigger record_added_line after insert on public.quote_lines
  for each row when (not new.requested) execute function private.record_audit();
create trigger record_audit after update or delete on public.quote_lines
  for each row execute function private.record_audit('position');

/* Locks a quote and returns it; refuses when it does not exist, or is not the caller's own unless they are staff. */
create function private.lock_quote(_quote_id uuid, _as_staff boolean)
returns public.quotes language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  select * into quote from public.quotes
   where id = _quote_id and (_as_staff or user_id = auth.uid())
     for no key update;
  if not found then
    perform private.refuse('PT404', 'quote_not_found', 'This quote does not exist.');
  end if;
  return quote;
end $$;

create function private.require_quote_version(_quote public.quotes, _version int)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _version is distinct from _quote.version then
    perform private.refuse('PT409', 'quote_changed', 'This quote has since been changed. Please check it again.',
      jsonb_build_object('version', _quote.version));
  end if;
end $$;

/* The lines of a quote in order, with current stock, which is null for a book that is no longer sold. */
create function private.quote_lines_as_json(_quote_id uuid, _with_prices boolean)
returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
           'book_id', l.book_id, 'title', l.title, 'publisher', l.publisher, 'isbn', l.isbn, 'requested', l.requested,
           'quantity', l.quantity, 'shop_price', l.shop_price, 'unit_price', case when _with_prices then l.unit_price end,
           'stock', b.stock_quantity, 'image_url', b.image_url, 'subject', b.subject, 'course', b.course)
           order by l.position, l.id), '[]')
    from public.quote_lines l left join public.books b on b.id = l.book_id
   where l.quote_id = _quote_id
$$;

-- supabase/schema/6-school/10-requesting-quotes.sql

-- Requesting a quote, and what customers read of their own quotes: their request immediately; prices, validity and note once sent.

/*
 * Refuses more requests than any school would make. The caller holds the customer's lock, so that parallel requests
 * are counted too.
 */
create function private.limit_quotes(_user_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  earliest timestamptz;
begin
  select created_at into earliest from public.quotes
   where user_id = _user_id and created_at > clock_timestamp() - interval '1 day'
   order by created_at desc offset 19 limit 1;
  if found then
    perform private.refuse('PT429', 'too_many_quotes', 'You have requested 20 quotes within a day. Please try again later.',
      jsonb_build_object('limit', 20, 'retry_after_seconds',
        greatest(1, ceil(extract(epoch from earliest + interval '1 day' - clock_timestamp())))::int));
  end if;
end $$;

/* Refuses a total that no order could have. */
create function private.check_quote_total(_quote_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_number('total', 'The total', sum(greatest(unit_price, shop_price) * quantity), 0, 99999999.99)
     from public.quote_lines where quote_id = _quote_id;
end $$;

/*
 * Customers: requests a quote for the books in the cart, which stays as it is; returns the quote's id. _quote_id is chosen by
 * the client, so that a retry requests nothing twice.
 */
create function private.request_quote(
  _quote_id uuid, _institution text, _contact_name text, _contact_email text, _contact_phone text, _message text default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  asking constant uuid := auth.uid();
  quote public.quotes;
begin
  quote.institution := private.clean_line(_institution);
  quote.contact_name := private.clean_line(_contact_name);
  quote.contact_email := private.clean_line(_contact_email);
  quote.contact_phone := private.clean_line(_contact_phone);
  quote.message := private.clean_text(_message);
  perform private.require_text('institution', 'The institution', quote.institution, 200, true);
  perform private.require_text('contact_name', 'The contact person', quote.contact_name, 200, true);
  perform private.require_text('contact_email', 'The email address', quote.contact_email, 320, true);
  perform private.require_text('contact_phone', 'The phone number', quote.contact_phone, 40, true);
  perform private.require_text('message', 'The message', quote.message, 2000);
  perform private.require_contact('contact_email', quote.contact_email, 'contact_phone', quote.contact_phone);
  if not exists (select from public.profiles where id = asking) then
    perform private.refuse('PT403', 'account_needed', 'Please sign in to request a quote.');
  end if;

  perform pg_advisory_xact_lock(hashtext('public.quotes'), hashtext(asking::text));
  -- A retry of a request that arrived.
  if exists (select from public.quotes where id = _quote_id and user_id = asking) then return _quote_id; end if;
  perform private.limit_quotes(asking);
  insert into public.quotes (id, user_id, institution, contact_name, contact_email, contact_phone, message)
  values (coalesce(_quote_id, gen_random_uuid()), asking, quote.institution, quote.contact_name, quote.contact_email,
          quote.contact_phone, quote.message)
  returning * into quote;
  insert into public.quote_lines (quote_id, book_id, position, requested, title, publisher, isbn, shop_price, unit_price, quantity)
  select quote.id, b.id, row_number() over (order by c.created_at, c.id), true, b.title, b.publisher, b.isbn, b.price, b.price,
         c.quantity
    from public.cart_items c join public.books b on b.id = c.book_id
   where c.user_id = asking;
  if not found then
    perform private.refuse('PT409', 'cart_empty', 'Your cart is empty.');
  end if;
  perform private.check_quote_total(quote.id);
  perform private.queue_email('quote_requested', quote.id::text || ':' || quote.version, null);
  return quote.id;
end $$;
select private.expose('request_quote', 'authenticated');

/*
 * Customers: a page of their own quotes, newest first; found is how many they have in all. The total in cedis and the
 * validity are null while the quote is being prepared.
 */
create function private.list_own_quotes(_page int default 1, _page_size int default 50)
returns table (
  id uuid, reference text, institution text, status text, valid_until date, created_at timestamptz, order_id uuid,
  copies bigint, total numeric, found bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  return query execute
    'select q.id, q.reference, q.institution, private.quote_status(q.status, q.valid_until),
            case when q.sent_at is not null then q.valid_until end, q.created_at, q.order_id,
            (select sum(l.quantity) from public.quote_lines l where l.quote_id = q.id),
            case when q.sent_at is not null then
              (select sum(l.unit_price * l.quantity) from public.quote_lines l where l.quote_id = q.id) end,
            q.found
       from (select *, count(*) over () as found from public.quotes where user_id = $1
              order by created_at desc, id desc' || private.paging(_page, _page_size) || ') as q
      order by q.created_at desc, q.id desc'
    using auth.uid();
end $$;
select private.expose('list_own_quotes', 'authenticated');

/*
 * Customers: one of their own quotes, or no row. lines: [{"book_id", "title", "publisher", "isbn", "requested", "quantity",
 * "shop_price", "unit_price", "stock", "image_url", "subject", "course"}]. unit_price, valid_until and note are null while
 * the quote is being prepared; stock is null for a book that is no longer sold.
 */
create function private.find_own_quote(_quote_id uuid)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, order_id uuid,
  purchase_order_number text, lines jsonb
) language sql stable security definer set search_path = '' as $$
  select q.id, q.reference, q.institution, q.contact_name, q.contact_email, q.contact_phone, q.message,
         case when q.sent_at is not null then q.note end, private.quote_status(q.status, q.valid_until),
         case when q.sent_at is not null then q.valid_until end, q.version, q.created_at, q.sent_at, q.order_id,
         q.purchase_order_number, private.quote_lines_as_json(q.id, q.sent_at is not null)
    from public.quotes q
   where q.id = _quote_id and q.user_id = auth.uid()
$$;
select private.expose('find_own_quote', 'authenticated');

-- supabase/schema/6-school/11-preparing-quotes.sql

-- What staff do with a quote: change its lines, prices, validity and note; send it; withdraw it. Each call names the
-- version that it is about. An accepted quote never changes.

/* Locks a quote that staff may still change; refused when it was accepted, or is not the version that they saw. */
create function private.lock_open_quote(_quote_id uuid, _version int)
returns public.quotes language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes := private.lock_quote(_quote_id, true);
begin
  if quote.status = 'accepted' then
    perform private.refuse('PT409', 'quote_accepted', 'This quote has been accepted and can no longer be changed.');
  end if;
  perform private.require_quote_version(quote, _version);
  return quote;
end $$;

/* The lines as a table, refused as a whole when one of them is not a book, a quantity and a price. */
create function private.read_quote_lines(_lines jsonb)
returns table (book_id uuid, "position" int, quantity int, unit_price numeric)
language plpgsql immutable set search_path = '' as $$
begin
  if _lines is null or jsonb_typeof(_lines) <> 'array' or jsonb_array_length(_lines) not between 1 and 1000 then
    perform private.refuse('PT400', 'invalid_lines', 'A quote has between 1 and 1,000 lines.');
  end if;
  if exists (
    select from jsonb_array_elements(_lines) as line
     where case when jsonb_typeof(line) <> 'object' then true
                when line ->> 'book_id' ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' is not true then true
                when jsonb_typeof(line -> 'quantity') is distinct from 'number' then true
                when jsonb_typeof(line -> 'unit_price') is distinct from 'number' then true
                else (line ->> 'quantity')::numeric not between 1 and 9999
                  or (line ->> 'quantity')::numeric <> trunc((line ->> 'quantity')::numeric)
                  or (line ->> 'unit_price')::numeric not between 0 and 99999999.99
                  or (line ->> 'unit_price')::numeric <> round((line ->> 'unit_price')::numeric, 2) end
  ) then
    perform private.refuse('PT400', 'invalid_lines',
      'Each line of a quote needs a book, a quantity from 1 to 9,999 and a price from 0 in whole pesewas.');
  end if;
  return query
    select (line ->> 'book_id')::uuid, place::int, (line ->> 'quantity')::numeric::int, (line ->> 'unit_price')::numeric
      from jsonb_array_elements(_lines) with ordinality as l (line, place);
  if (select count(distinct lower(l ->> 'book_id')) from jsonb_array_elements(_lines) as l) < jsonb_array_length(_lines) then
    perform private.refuse('PT400', 'invalid_lines', 'A quote has one line for each book.');
  end if;
end $$;

/*
 * Staff: replaces a quote's lines, validity and note if it is still this version, and takes it back until it is sent again;
 * returns its new version. _lines: [{"book_id": …, "quantity": 1 to 9999, "unit_price": cedis}], in their order, one a book. A
 * line that stays keeps its title and the shop's price from when it was added.
 */
create function private.update_quote(
  _quote_id uuid, _version int, _lines jsonb, _valid_until date default null, _note text default null
)
returns int language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  gone jsonb;
begin
  perform private.require_staff();
  quote := private.lock_open_quote(_quote_id, _version);
  quote.note := private.clean_text(_note);
  perform private.require_text('note', 'The note', quote.note, 2000);
  if _valid_until not between private.today() and private.today() + 366 then
    perform private.refuse('PT400', 'invalid_field', 'The last day must be within the next 366 days.',
      jsonb_build_object('field', 'valid_until', 'rule', 'range', 'min', private.today(), 'max', private.today() + 366));
  end if;

  delete from public.quote_lines
   where quote_id = _quote_id and book_id not in (select l.book_id from private.read_quote_lines(_lines) as l);
  update public.quote_lines q
     set position = l.position, quantity = l.quantity, unit_price = l.unit_price
    from private.read_quote_lines(_lines) as l
   where q.quote_id = _quote_id and q.book_id = l.book_id
     and (q.position, q.quantity, q.unit_price) is distinct from (l.position, l.quantity, l.unit_price);
  insert into public.quote_lines (quote_id, book_id, position, title, publisher, isbn, shop_price, unit_price, quantity)
  select _quote_id, b.id, l.position, b.title, b.publisher, b.isbn, b.price, l.unit_price, l.quantity
    from private.read_quote_lines(_lines) as l join public.books b on b.id = l.book_id
  on conflict (quote_id, book_id) do nothing;
  select jsonb_agg(l.book_id) into gone
    from private.read_quote_lines(_lines) as l
   where not exists (select from public.quote_lines q where q.quote_id = _quote_id and q.book_id = l.book_id);
  if gone is not null then
    perform private.refuse('PT404', 'book_not_found', 'A book of this quote is no longer available.',
      jsonb_build_object('book_id', gone -> 0));
  end if;
  perform private.check_quote_total(_quote_id);

  update public.quotes set status = 'requested', sent_at = null, decided_at = null, valid_until = _valid_until, note = quote.note
   where id = _quote_id returning * into quote;
  return quote.version;
end $$;
select private.expose('update_quote', 'authenticated', 'service_role');

/*
 * Staff: sends a quote to its customer if it is still this version; returns its reference, such as Q2026-0007.
 * Without a last day it is valid for 30 days.
 */
create function private.send_quote(_quote_id uuid, _version int)
returns text language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  this_year constant int := extract(year from private.today());
begin
  perform private.require_staff();
  quote := private.lock_open_quote(_quote_id, _version);
  if quote.status <> 'requested' then
    perform private.refuse('PT409', 'quote_not_requested', format('This quote is %s. Save a change before you send it again.', quote.status),
      jsonb_build_object('status', quote.status));
  end if;
  if quote.institution is null then
    perform private.refuse('PT409', 'quote_without_customer', 'This quote can''t be sent: its customer''s details have been erased.');
  end if;
  if quote.valid_until < private.today() then
    perform private.refuse('PT409', 'quote_expired', 'The last day of this quote has passed. Choose a later one.');
  end if;
  if quote.number is null then
    quote.year := this_year;
    quote.number := private.next_yearly_number('quotes', this_year);
  end if;
  update public.quotes
     set status = 'sent', sent_at = clock_timestamp(), year = quote.year, number = quote.number,
         valid_until = coalesce(valid_until, private.today() + 30)
   where id = _quote_id returning * into quote;
  perform private.queue_email('quote_sent', quote.id::text || ':' || quote.version, null);
  return quote.reference;
end $$;
select private.expose('send_quote', 'authenticated', 'service_role');

/* Staff: withdraws a quote if it is still this version: its customer can no longer accept it, unless it is changed and sent again. */
create function private.withdraw_quote(_quote_id uuid, _version int)
returns void language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  perform private.require_staff();
  quote := private.lock_open_quote(_quote_id, _version);
  if quote.status not in ('requested', 'sent') then
    perform private.refuse('PT409', 'quote_not_open', format('This quote is already %s.', quote.status),
      jsonb_build_object('status', quote.status));
  end if;
  update public.quotes set status = 'withdrawn' where id = _quote_id;
end $$;
select private.expose('withdraw_quote', 'authenticated', 'service_role');

/*
 * Staff: one quote, drafts included, or no row. lines as find_own_quote has them; order_number is null while there is no order, or
 * once it has been deleted.
 */
create function private.admin_find_quote(_quote_id uuid)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, decided_at timestamptz,
  order_id uuid, order_number bigint, purchase_order_number text, lines jsonb
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    select q.id, q.reference, q.institution, q.contact_name, q.contact_email, q.contact_phone, q.message, q.note,
           private.quote_status(q.status, q.valid_until), q.valid_until, q.version, q.created_at, q.sent_at, q.decided_at,
           q.order_id, o.number, q.purchase_order_number, private.quote_lines_as_json(q.id, true)
      from public.quotes q left join public.orders o on o.id = q.order_id
     where q.id = _quote_id;
end $$;
select private.expose('admin_find_quote', 'authenticated', 'service_role');

-- supabase/schema/6-school/12-accepting-quotes.sql

-- The customer's decision. Accepting makes a pending order at the quote's prices, through what placing an order from the cart
-- uses: the same limits, checks, locks and movements of stock. A quote becomes one order, however often it is accepted.

/*
 * Customers: places the order for one of their quotes, at its prices, which include delivery, if it is still this
 * version; returns the order's id. _order: {"shipping_address": …, "recipient_name": …, "region": …, …}, what people type and choose
 * of an order (private.read_order). The quote itself makes a retry safe: for a quote that they already accepted, this returns its
 * order. The purchase order number may be empty.
 */
create function private.accept_quote(_quote_id uuid, _version int, _purchase_order_number text, _order jsonb)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  placed public.orders := private.read_order(_order);
  purchase_order constant text := private.clean_line(_purchase_order_number);
  book_ids uuid[];
  quantities int[];
  prices numeric[];
  gone jsonb;
begin
  -- Before any row, like everything that moves stock; then the quote, the customer's limits and the books.
  perform private.lock_stock(false);
  quote := private.lock_quote(_quote_id, false);
  if quote.status = 'accepted' then return quote.order_id; end if;
  if quote.status <> 'sent' then
    perform private.refuse('PT409', 'quote_not_open',
      case quote.status when 'requested' then 'We are still preparing this quote.' else format('This quote was %s.', quote.status) end,
      jsonb_build_object('status', quote.status));
  end if;
  perform private.require_quote_version(quote, _version);
  if private.quote_status(quote.status, quote.valid_until) = 'expired' then
    perform private.refuse('PT409', 'quote_expired', 'This quote has expired. Ask us for a new one.');
  end if;
  perform private.require_text('purchase_order_number', 'The purchase order number', purchase_order, 60);
  placed.customer_reference := coalesce(purchase_order, placed.customer_reference);
  placed := private.clean_order(placed);
  -- The fee is in the quote's prices. Which region they are delivered to must be said like for any other order.
  perform private.require_delivery_fee(placed.region, placed.delivery_method, 0);

  select array_agg(book_id), array_agg(quantity), array_agg(unit_price), sum(unit_price * quantity)
    into book_ids, quantities, prices, placed.total_amount
    from public.quote_lines where quote_id = _quote_id;
  placed.id := gen_random_uuid();
  placed.user_id := quote.user_id;
  placed.status := 'pending';
  placed.stock_held := true;
  placed.terms_version := private.terms_version();
  perform private.limit_orders(placed.user_id, placed.id);
  perform private.lock_books(book_ids);
  select jsonb_agg(jsonb_build_object('book_id', l.book_id, 'title', l.title) order by l.position) into gone
    from public.quote_lines l
   where l.quote_id = _quote_id and not exists (select from public.books b where b.id = l.book_id);
  if gone is not null then
    perform private.refuse('PT409', 'books_not_sold',
      'No longer sold: ' || (select string_agg(line ->> 'title', ', ') from jsonb_array_elements(gone) as line) || '.',
      jsonb_build_object('lines', gone));
  end if;
  perform private.insert_order(placed);
  perform private.fill_order(placed.id, book_ids, quantities, prices);
  perform private.queue_order_emails(placed.id);
  update public.quotes
     set status = 'accepted', decided_at = clock_timestamp(), order_id = placed.id, purchase_order_number = purchase_order
   where id = _quote_id;
  return placed.id;
end $$;
select private.expose('accept_quote', 'authenticated');

/* Customers: declines one of their quotes, or withdraws a request; repeating it changes nothing. */
create function private.decline_quote(_quote_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  quote := private.lock_quote(_quote_id, false);
  if quote.status = 'declined' then return; end if;
  if quote.status not in ('requested', 'sent') then
    perform private.refuse('PT409', 'quote_not_open', format('This quote was %s.', quote.status),
      jsonb_build_object('status', quote.status));
  end if;
  update public.quotes set status = 'declined', decided_at = clock_timestamp() where id = _quote_id;
end $$;
select private.expose('decline_quote', 'authenticated');

-- supabase/schema/7-emails/1-outgoing.sql

-- Emails about orders, quotes and stock. Each is a row, written in the transaction of the change itself, so that
-- neither exists without the other. A row names its event, not its recipient or text: both are read from the order
-- when the email is sent (see 2-sending), and no name or address is stored here.

-- An account's emails go to the account's confirmed address. Whoever else is to receive an order gets a short copy without a word that
-- the sender typed, at most two a day: anyone can enter anyone's address at the checkout.

/*
 * The one list of the kinds of emails: who gets them, 'customer', 'recipient' (of someone else's order) or 'owner', and what their text is
 * read from when they are sent. A new kind is a new line here and in app/lib/email-kinds.ts, which has its name and leads to its text.
 */
create function private.email_kinds()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "order_placed": {"audience": "customer", "topic": "order"},
    "order_status_changed": {"audience": "customer", "topic": "order"},
    "order_cancelled": {"audience": "customer", "topic": "order"},
    "order_paid": {"audience": "customer", "topic": "payment"},
    "order_refunded": {"audience": "customer", "topic": "payment"},
    "quote_sent": {"audience": "customer", "topic": "quote"},
    "back_in_stock": {"audience": "customer", "topic": "alert"},
    "recipient_order_placed": {"audience": "recipient", "topic": "order"},
    "recipient_order_shipped": {"audience": "recipient", "topic": "order"},
    "new_order": {"audience": "owner", "topic": "order"},
    "order_cancelled_by_customer": {"audience": "owner", "topic": "order"},
    "payment_needs_decision": {"audience": "owner", "topic": "payment"},
    "quote_requested": {"audience": "owner", "topic": "quote"},
    "low_stock": {"audience": "owner", "topic": "stock"}
  }'::jsonb
$$;

/* Who gets the emails of a kind; null for an unknown kind. */
create function private.email_audience(_kind text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select private.email_kinds() -> _kind ->> 'audience'
$$;

/* What the text of an email of this kind is read from. */
create function private.email_topic(_kind text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select private.email_kinds() -> _kind ->> 'topic'
$$;

create table public.outgoing_emails (
  -- Also the email's Message-ID.
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  -- What it is about: the order's id, the id of an order_events row, a quote's id with its version, a stock alert's id, or a day. Null for an email that staff send again.
  event text,
  -- No foreign key: it outlives the order, and is found again when the order is restored.
  order_id uuid,
  -- The order's new status.
  status text,
  -- Of a copy for an order's recipient: a hash of the address, for a day. Closing an account removes the address from its orders, and must
  -- not make room for more copies.
  mailbox text,
  -- The first email, when staff send it again.
  resend_of uuid,
  state text not null default 'waiting',
  attempts integer not null default 0,
  -- When a worker may take it next; while one has it, when its lease ends.
  due_at timestamptz not null default clock_timestamp(),
  lease uuid,
  -- Why it has not been sent, as a sentence for staff.
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  -- When it was sent or given up.
  settled_at timestamptz,
  constraint outgoing_emails_one_per_event unique (kind, event),
  constraint outgoing_emails_kind_is_known check (private.email_audience(kind) is not null),
  constraint outgoing_emails_state_is_known check (state in ('waiting', 'sent', 'given_up')),
  constraint outgoing_emails_have_a_cause check ((event is null) = (resend_of is not null)),
  constraint outgoing_emails_settle_once check ((state = 'waiting') = (settled_at is null)),
  constraint outgoing_emails_reason_is_short check (length(reason) <= 300)
);
-- In the order in which they are sent (claim_email): behind ten thousand others, the first one is found as quickly.
create index outgoing_emails_due on public.outgoing_emails ((kind = 'back_in_stock'), due_at, created_at) where state = 'waiting';
create index outgoing_emails_oldest on public.outgoing_emails (created_at) where state = 'waiting';
create index outgoing_emails_by_order on public.outgoing_emails (order_id, created_at);
create index outgoing_emails_given_up on public.outgoing_emails (settled_at desc) where state = 'given_up';
-- The copies of the last day (is_copy_too_many).
create index outgoing_emails_copies on public.outgoing_emails (coalesce(settled_at, created_at)) where mailbox is not null;
create index outgoing_emails_by_first on public.outgoing_emails (resend_of) where resend_of is not null;

alter table public.outgoing_emails enable row level security;
grant select on public.outgoing_emails to authenticated, service_role;

create policy "admins read the shop's emails" on public.outgoing_emails
  for select to authenticated using ((select private.is_admin()));

/*
 * Emails of these kinds about one event. An event that has its email already makes no second one, and never fails because of it. Nor
 * does one whose customer or recipient has no address: a caller without an account need not give one. Planned once, as
 * private.move_locked_stock.
 */
create function private.queue_emails(_kinds text[], _event text, _order_id uuid, _status text default null)
returns void language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  insert into public.outgoing_emails (kind, event, order_id, status, mailbox)
  with asked as materialized (select kind, private.email_audience(kind) as audience from unnest(_kinds) as kind)
  select asked.kind, _event, _order_id, _status, case when asked.audience = 'recipient' then of_order.mailbox end
    from asked
    left join (
      -- As in email_order.
      select o.id, case when o.user_id is null then o.recipient_email else p.email end as customer,
             -- Only plain letters: a domain with others has countless spellings, each of which would count as another address.
             lower(o.recipient_email) <> lower(p.email) and o.recipient_email !~ '[^!-~]' as names_another,
             encode(sha256(convert_to(lower(o.recipient_email), 'utf8')), 'hex') as mailbox
        from public.orders o left join public.profiles p on p.id = o.user_id) as of_order on of_order.id = _order_id
   where case asked.audience when 'recipient' then of_order.names_another
           when 'owner' then true else of_order.id is null or of_order.customer is not null end
  on conflict (kind, event) do nothing;
end $$;

create function private.queue_email(_kind text, _event text, _order_id uuid, _status text default null)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_emails(array[_kind], _event, _order_id, _status);
end $$;

/* The emails about a new order, which a customer places from the cart or by accepting a quote. */
create function private.queue_order_emails(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_emails('{order_placed,recipient_order_placed,new_order}', _order_id::text, _order_id);
end $$;

create function private.queue_new_order_emails()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_order_emails(new.id);
  return null;
end $$;
-- Customers' own inserts only: what seeds, backups and restoring bring in was placed before.
create trigger queue_new_order_emails after insert on public.orders
  for each row when (current_user = 'authenticated')
  execute function private.queue_new_order_emails();

create function private.queue_status_emails()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
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
create trigger queue_status_emails after insert on public.order_events
  for each row execute function private.queue_status_emails();

/*
 * Once a day from 07:00 in Ghana (UTC): an email about low stock, if any book has fallen to it since the last one. Asked by the
 * worker rather than by a trigger, because orders would wait for each other at the day's one row.
 */
create function private.queue_low_stock_email(_now timestamptz default clock_timestamp())
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
     where b.stock_quantity < private.low_stock()
       and b.stock_quantity - (
         select coalesce(sum(m.quantity), 0) from public.stock_movements m
          where m.book_id = b.id and m.created_at > coalesce(last_one, '-infinity')
       ) >= private.low_stock()
  ) then
    perform private.queue_email('low_stock', today, null);
  end if;
end $$;
grant execute on function private.queue_low_stock_email to service_role;

-- supabase/schema/7-emails/2-sending.sql

-- How workers send the emails of outgoing_emails, any number of them concurrently: a worker claims one, which no
-- other gets until the lease ends, sends it, and records the outcome. For the secret key and the database's owner
-- only.
--
-- Guarantees: an event has exactly one row, and a row that is recorded as sent is never handed out again. A worker
-- that dies between the mail server's acceptance and the record leaves a row that is sent again when its lease has
-- ended, with the same Message-ID, by which receivers can drop it. No row is lost: it is sent, or given up with a
-- reason, after a day of failed attempts or after three days without one. Deleted are only those that would be out of date, and
-- copies above their limit.

/* An email's order as its text needs it; null when it has been deleted. */
create function private.email_order(_order_id uuid)
returns jsonb language sql stable security definer set search_path = '' as $$
  select private.typed_of_order(to_jsonb(o)) || jsonb_build_object(
    'id', o.id, 'number', o.number, 'has_account', o.user_id is not null, 'total', o.total_amount, 'placed_at', o.created_at,
    'name', coalesce(o.recipient_name, p.full_name), 'email', case when o.user_id is null then o.recipient_email else p.email end,
    'recipient_email', case when lower(o.recipient_email) <> lower(p.email) then o.recipient_email end,
    'phone', coalesce(o.recipient_phone, p.phone), 'delivery_fee', o.delivery_fee,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'quantity', i.quantity, 'price', i.price)
                       order by private.fold(i.title), i.id)
        from public.order_items i where i.order_id = o.id), '[]'))
    from public.orders o left join public.profiles p on p.id = o.user_id
   where o.id = _order_id
$$;

/* The event of an email, also of one that staff send again. */
create function private.email_event(_email public.outgoing_emails)
returns text language sql stable security definer set search_path = '' as $$
  select coalesce(_email.event, (select f.event from public.outgoing_emails f where f.id = _email.resend_of))
$$;

/*
 * What an email about a quote says of it, in cedis; null for any other email, and when there is nothing to say any more: the quote was
 * changed, decided or forgotten since, or its customer has cancelled the request.
 */
create function private.email_quote(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', q.id, 'reference', q.reference, 'valid_until', q.valid_until, 'institution', q.institution, 'name', q.contact_name,
    'email', q.contact_email, 'phone', q.contact_phone, 'message', q.message, 'note', q.note,
    'lines', private.quote_lines_as_json(q.id, true))
    from public.quotes q
   where private.email_topic(_email.kind) = 'quote' and q.institution is not null
     and q.status = case _email.kind when 'quote_sent' then 'sent' else 'requested' end
     and q.id::text || ':' || q.version = private.email_event(_email)
$$;

/* The 50 titles of which fewest are left, and how many are low; null when none is. */
create function private.email_stock()
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('count', (select count(*) from public.books where stock_quantity < private.low_stock()),
                            'books', jsonb_agg(low))
    from (select b.title, b.publisher, b.stock_quantity as left
            from public.books b
           where b.stock_quantity < private.low_stock()
           order by b.stock_quantity, b.id limit 50) as low
  having count(*) > 0
$$;

/* Whether nothing has been delivered yet to an account, or it no longer exists: anyone can have hundreds of those. */
create function private.is_new_customer(_user_id uuid)
returns boolean language sql stable set search_path = '' as $$
  select not exists (select from public.orders o where o.user_id = _user_id and o.status = 'delivered')
$$;

/*
 * Whether a copy for an order's recipient would be one too many: an address gets two a day, an account's orders send ten a day, and
 * those that new customers have placed 200 in all, because one network may sign up a hundred accounts an hour. That is more than a shop's
 * first-time customers order for others in a day, and too little for anyone who wants to send spam. What staff send again always goes out.
 */
create function private.is_copy_too_many(_email public.outgoing_emails)
returns boolean language sql stable security definer set search_path = '' as $$
  select _email.resend_of is null and private.email_audience(_email.kind) = 'recipient'
     and (count(*) filter (where e.mailbox = _email.mailbox) >= 2
          or count(*) filter (where other.user_id = mine.user_id) >= 10
          or _email.kind = 'recipient_order_placed' and private.is_new_customer(mine.user_id)
             and count(*) filter (where e.kind = 'recipient_order_placed' and private.is_new_customer(other.user_id)) >= 200)
    from public.orders mine
    left join public.outgoing_emails e
      on e.mailbox is not null and e.id <> _email.id
     and coalesce(e.settled_at, e.created_at) > clock_timestamp() - interval '1 day'
     and (e.state = 'sent' or e.state = 'waiting' and e.lease is not null)
    left join public.orders other on other.id = e.order_id
   where mine.id = _email.order_id
   group by mine.id
$$;

/*
 * Whether an email would be out of date: the books are there again, the quote is another by now, or a customer no longer waits for a
 * book or it is sold out again.
 */
create function private.has_nothing_to_say(_email public.outgoing_emails)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return case private.email_topic(_email.kind)
    when 'stock' then private.email_stock() is null
    when 'quote' then private.email_quote(_email) is null
    when 'alert' then private.email_stock_alert(_email) is null
    else false
  end;
end $$;

/* Why an email is not sent, as a sentence for staff; null when it can be. */
create function private.email_problem(_email public.outgoing_emails, _order jsonb)
returns text language sql stable set search_path = '' as $$
  select case
    when _email.order_id is not null and _order is null then 'The order was deleted.'
    when private.email_audience(_email.kind) = 'customer' and _email.order_id is not null and _order ->> 'email' is null
      or private.email_audience(_email.kind) = 'recipient' and _order ->> 'recipient_email' is null then 'The order has no email address.'
  end
$$;

/* Much longer than the timeout of a mail server. */
create function private.email_lease()
returns interval language sql immutable set search_path = '' as $$ select interval '5 minutes' $$;

/*
 * Emails that no worker tried to send for three days would come too late. In one statement: a project whose owner turns emails on after
 * months has thousands. Those that another worker is at are left to it.
 */
create function private.give_up_old_emails(_older_than interval)
returns void language plpgsql security definer set search_path = '' as $$
declare
  -- In a variable, because an index scan needs a value that does not change during it.
  too_old constant timestamptz := clock_timestamp() - _older_than;
begin
  update public.outgoing_emails
     set state = 'given_up', reason = btrim('It could not be sent within three days. ' || coalesce(reason, '')), lease = null,
         settled_at = clock_timestamp()
   where id in (select e.id from public.outgoing_emails e
                 where e.state = 'waiting' and e.due_at <= clock_timestamp() and e.created_at < too_old
                 limit 5000 for update skip locked);
end $$;

/*
 * The worker: the next email to send, as JSON, leased for 5 minutes. Null when none is due, or when the first 200 were out of date: ten
 * thousand customers may wait for a book that is sold out again, and one transaction for all of them would reach its timeout.
 */
create function private.claim_email()
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  email public.outgoing_emails;
  of_order jsonb;
  of_quote jsonb;
  of_alert jsonb;
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
     -- An order's email passes those about books that are back, however many are late because the mail server is slow.
     order by kind = 'back_in_stock', due_at, created_at limit 1
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
        'payment', private.email_payment(email), 'quote', of_quote, 'alert', of_alert);
    end if;
  end loop;
  return null;
end $$;
select private.expose('claim_email', 'service_role');

/*
 * The worker: the mail server has accepted the email. The lease doesn't count: an email that has been sent has been sent, also when another worker has it by now.
 */
create function private.record_sent_email(_email_id uuid)
returns void language sql security definer set search_path = '' as $$
  update public.outgoing_emails
     set state = 'sent', reason = null, lease = null, settled_at = clock_timestamp()
   where id = _email_id and state <> 'sent'
$$;
select private.expose('record_sent_email', 'service_role');

/*
 * The worker: the email was not accepted; why, and whether that is final. Ignored when the lease is another worker's by now.
 * Another try after 5 s, then 30 s, 2, 10 and 30 minutes; none if it is final, or a day old after five attempts. A shop that
 * was without power for a day sends what is waiting when it is back, even if its connection takes some minutes longer.
 */
create function private.record_failed_email(_email_id uuid, _lease uuid, _reason text, _final boolean default false)
returns void language sql security definer set search_path = '' as $$
  update public.outgoing_emails
     set state = case when last_try then 'given_up' else 'waiting' end,
         settled_at = case when last_try then clock_timestamp() end,
         due_at = clock_timestamp() + (array[5, 30, 120, 600, 1800])[least(greatest(attempts, 1), 5)] * interval '1 second',
         reason = case when last_try and not _final then 'It could not be sent within a day. ' else '' end
                  || left(private.clean_line(_reason), 200),
         lease = null
    from (select e.id, _final or (e.attempts >= 5 and e.created_at < clock_timestamp() - interval '1 day') as last_try
            from public.outgoing_emails e where e.id = _email_id) as tried
   where outgoing_emails.id = tried.id and lease = _lease and state = 'waiting'
$$;
select private.expose('record_failed_email', 'service_role');

/* The worker, now and then: the day's email about low stock, if there is a reason for one. */
create function public.queue_low_stock_email()
returns void language sql set search_path = '' as $$ select private.queue_low_stock_email() $$;
grant execute on function public.queue_low_stock_email to service_role;

-- supabase/schema/7-emails/3-sent.sql

-- What staff do with the shop's emails: resend one, and see which were not sent.

/* Staff: resends an email with its order's current content; returns the new one's id. */
create function private.resend_email(_email_id uuid)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  given public.outgoing_emails;
  first_id uuid;
  made uuid;
begin
  perform private.require_staff();
  select * into given from public.outgoing_emails where id = _email_id;
  if not found then
    perform private.refuse('PT404', 'email_not_found', 'This email no longer exists.');
  end if;
  first_id := coalesce(given.resend_of, given.id);
  -- Two simultaneous presses are two requests: the second one waits here and then finds the first one's row.
  perform from public.outgoing_emails where id = first_id for update;
  if exists (select from public.outgoing_emails where first_id in (id, resend_of) and state = 'waiting') then
    perform private.refuse('PT409', 'email_waiting', 'This email is already waiting to be sent.');
  end if;
  if given.order_id is not null and not exists (select from public.orders where id = given.order_id) then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  if private.has_nothing_to_say(given) then
    perform private.refuse('PT409', 'nothing_to_say', 'This email would be out of date: the quote or the stock has changed.');
  end if;
  insert into public.outgoing_emails (kind, order_id, status, mailbox, resend_of)
  values (given.kind, given.order_id, given.status, given.mailbox, first_id) returning id into made;
  return made;
end $$;
select private.expose('resend_email', 'authenticated', 'service_role');

/*
 * The emails of the last 7 days that were given up, about orders, quotes, payments and stock. One that is sent again takes the first one's
 * place until it is sent.
 */
create function private.unsent_emails()
returns setof public.outgoing_emails language sql stable set search_path = '' as $$
  select e.*
    from public.outgoing_emails e
   where (e.state = 'given_up' and e.settled_at > clock_timestamp() - interval '7 days'
          or e.state = 'waiting' and exists (
            select from public.outgoing_emails before
             where e.resend_of in (before.id, before.resend_of) and before.state = 'given_up'
               and before.settled_at > clock_timestamp() - interval '7 days'))
     and (e.order_id is null or exists (select from public.orders o where o.id = e.order_id))
     and not private.has_nothing_to_say(e)
     and not exists (select from public.outgoing_emails later
                      where later.resend_of in (e.id, e.resend_of) and later.created_at > e.created_at)
$$;

/* Staff: emails that could not be sent in the last 7 days, newest first. _page from 1, _page_size at most 1,000 (50). */
create function private.admin_list_unsent_emails(_page int default 1, _page_size int default 50)
returns table (
  id uuid, kind text, status text, state text, reason text, due_at timestamptz, settled_at timestamptz, order_id uuid,
  order_number bigint, quote_id uuid, quote_reference text
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query execute
    'select e.id, e.kind, e.status, e.state, e.reason, e.due_at, e.settled_at, o.id, o.number, q.id, q.reference
       from (select * from private.unsent_emails() order by coalesce(settled_at, created_at) desc, id'
         || private.paging(_page, _page_size) || $query$) as e
       left join public.outgoing_emails f on f.id = e.resend_of
       left join public.orders o on o.id = e.order_id
       left join public.quotes q on private.email_topic(e.kind) = 'quote' and q.id::text = split_part(coalesce(e.event, f.event), ':', 1)
      order by coalesce(e.settled_at, e.created_at) desc, e.id$query$;
end $$;
select private.expose('admin_list_unsent_emails', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_unsent_emails has: exact. */
create function private.admin_count_unsent_emails()
returns bigint language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return (select count(*) from private.unsent_emails());
end $$;
select private.expose('admin_count_unsent_emails', 'authenticated', 'service_role');

-- supabase/schema/7-emails/4-payments.sql

-- The emails about payments, written by a trigger in the payment's own transaction, like the others about orders.

/* The payment's data for its email; amounts in cedis, above 0. Null for any other email. */
create function private.email_payment(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('order_number', p.order_number, 'amount', abs(p.amount), 'method', p.method, 'reason', p.reason,
                            'received', p.received_amount, 'currency', p.received_currency,
                            'paid', o.paid, 'due', o.due, 'state', o.state)
    from public.payments p left join private.order_payments o on o.order_id = p.order_id
   where p.id = case when private.email_topic(_email.kind) = 'payment' then private.email_event(_email)::uuid end
$$;

create function private.queue_payment_emails()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.state = 'settled' and new.kind in ('payment', 'refund') and new.order_id is not null then
    perform private.queue_email(case new.kind when 'refund' then 'order_refunded' else 'order_paid' end, new.id::text, new.order_id);
  elsif new.state = 'needs_decision' then
    -- Of a deleted order too: the owner has the money.
    perform private.queue_email('payment_needs_decision', new.id::text, (select o.id from public.orders o where o.id = new.order_id));
  end if;
  return null;
end $$;
create trigger queue_payment_emails after insert or update of state on public.payments
  for each row execute function private.queue_payment_emails();

-- supabase/schema/7-emails/5-back-in-stock.sql

-- The email that a book is back in stock, written in the transaction that brings it back.

-- Finds the end of the queue of alerts.
create index outgoing_emails_last_alert on public.outgoing_emails (due_at)
  where state = 'waiting' and kind = 'back_in_stock' and attempts = 0;

/*
 * One email per second, in the order of the requests, because an order's email behind hundreds of them would be late. Everyone who is
 * waiting gets one, however few copies came; those whose turn comes after the last copy is sold keep waiting (see email_stock_alert).
 */
create function private.queue_stock_alerts()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  first_due timestamptz;
begin
  if not exists (select from public.stock_alerts where book_id = new.id) then return null; end if;
  select greatest(clock_timestamp(), max(due_at) + interval '1 second') into first_due from public.outgoing_emails
   where state = 'waiting' and kind = 'back_in_stock' and attempts = 0;
  insert into public.outgoing_emails as e (kind, event, due_at)
  select 'back_in_stock', id::text, first_due + (row_number() over (order by created_at, id) - 1) * interval '1 second'
    from public.stock_alerts where book_id = new.id
  -- A waiting one stays as it is, but is waited for: claim_email may be about to drop it because the book was sold out until now.
  on conflict (kind, event) do update
     set state = 'waiting', attempts = 0, due_at = excluded.due_at, reason = null, created_at = clock_timestamp(), settled_at = null
   where e.state = 'given_up';
  return null;
end $$;

create trigger queue_stock_alerts after update of stock_quantity on public.books
  for each row when (old.stock_quantity = 0 and new.stock_quantity > 0)
  execute function private.queue_stock_alerts();

/*
 * What an email about a book's return says; null for any other email, and when there is nothing to say any more: the customer cancelled
 * the request, the book or the account is deleted, or the book is sold out again. In the last case the alert waits for the next copies.
 */
create function private.email_stock_alert(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('email', p.email, 'book', jsonb_build_object(
           'id', b.id, 'title', b.title, 'publisher', b.publisher, 'price', b.price))
    from public.stock_alerts a join public.profiles p on p.id = a.user_id join public.books b on b.id = a.book_id
   where private.email_topic(_email.kind) = 'alert' and a.id = private.email_event(_email)::uuid and b.stock_quantity > 0
$$;

/* Its one email has been sent. */
create function private.use_up_stock_alert()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.stock_alerts where id = private.email_event(new)::uuid;
  return null;
end $$;

create trigger use_up_stock_alert after update of state on public.outgoing_emails
  for each row when (new.kind = 'back_in_stock' and new.state = 'sent')
  execute function private.use_up_stock_alert();

-- supabase/schema/8-office/1-orders.sql

-- The back office's list of orders: by status, by number or id, by customer, by recipient.

/* What was typed, without '#' or 'No.' before it and without the ellipsis that the lists show after a shortened id. */
create function private.bare_order_number(_q text)
returns text language sql immutable set search_path = '' as $$
  select regexp_replace(_q, '^[[:space:]]*((order[[:space:]]+)?(#|no\.|no(?=[[:space:]]|[0-9]))[[:space:]]*)?|[.…[:space:]]+$', '', 'gi')
$$;

/* An order is found by its own texts or by its customer's. */
create function private.order_conditions(_status text, _q text, _method text, _region text, _payment text)
returns text language plpgsql stable set search_path = '' as $$
declare
  conditions text := case when _status <> '' then format('o.status = %L', _status) else 'true' end
    || case when _method <> '' then format(' and o.delivery_method = %L', _method) else '' end
    || case when _region <> '' then format(' and o.region = %L', _region) else '' end
    || case _payment
         when 'due' then ' and o.payment_state in (''due'', ''part_paid'')'
         when 'paid' then ' and o.payment_state = ''paid'''
         when 'needs_decision' then ' and (o.has_undecided_payment or o.payment_state = ''too_much'')'
         else '' end;
  typed constant text := private.bare_order_number(_q);
  -- Digits after '#' or 'No.' mean the order's number alone; without them they may be part of a phone number too.
  number constant text := substring(typed from '^[0-9]{1,18}$');
  only_number constant boolean := length(number) < 8 and typed <> btrim(_q);
  own text;
  theirs text;
begin
  if only_number then return format('%s and o.number = %s', conditions, number); end if;
  own := private.found_by_text('o.search_text', typed);
  theirs := private.found_by_text('x.search_text', typed);
  if own is null then return conditions; end if;
  if number is not null then own := format('o.number = %s or %s', number, own); end if;
  return format('%s and (%s or %s)', conditions, own, private.refers_to_found('o.user_id', 'uuid', 'public.profiles', theirs));
end $$;

/*
 * Staff: orders; user_id is null for a caller without an account. _status one status; _q the order's number ('1042', '#1042',
 * 'No. 1042'), or part of its id, or of the name, email or phone of the customer or the recipient, or of the customer's reference; _method one way of delivery; _region one region;
 * _payment 'due', 'paid' or 'needs_decision'. _sort created_at (default), total_amount or status. Newest first by default;
 * _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_orders(
  _status text default null, _q text default null, _method text default null, _region text default null, _payment text default null,
  _sort text default 'created_at', _descending boolean default null, _page int default 1, _page_size int default 50
) returns setof public.orders language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'total_amount' then case when _descending then 'o.total_amount desc, o.id desc' else 'o.total_amount asc, o.id asc' end
    when 'status' then case when _descending then 'o.status desc, o.created_at asc, o.id asc' else 'o.status asc, o.created_at desc, o.id desc' end
    else case when coalesce(_descending, true) then 'o.created_at desc, o.id desc' else 'o.created_at asc, o.id asc' end end;
  conditions text;
begin
  perform private.require_staff();
  conditions := private.order_conditions(_status, _q, _method, _region, _payment);
  return query execute
    'select o.*
       from (select o.id from public.orders o where ' || conditions
         || private.ordered_paging('orders', conditions, sorted, _page, _page_size) || ') as page
         join public.orders o on o.id = page.id
      order by ' || sorted;
end $$;
select private.expose('admin_list_orders', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_orders has with the same filters: exact. */
create function private.admin_count_orders(
  _status text default null, _q text default null, _method text default null, _region text default null, _payment text default null
)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  conditions text;
  found_rows bigint;
begin
  perform private.require_staff();
  conditions := private.order_conditions(_status, _q, _method, _region, _payment);
  if _payment is distinct from 'needs_decision'
     and conditions = private.order_conditions(_status, null, null, null, _payment) then
    return private.tally_orders(_status, _payment);
  end if;
  execute 'select count(*) from public.orders o where ' || conditions into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_orders', 'authenticated', 'service_role');

/* Staff: the lines of up to 1,000 orders, one row an order: [{"title": …, "publisher": …, "isbn": …, "quantity": …, "price": …}]. */
create function private.admin_list_order_lines(_order_ids uuid[])
returns table (order_id uuid, lines jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    select i.order_id, jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'isbn', i.isbn,
                                                    'quantity', i.quantity, 'price', i.price) order by i.title, i.id)
      from public.order_items i
     where i.order_id = any (_order_ids[1:1000])
     group by i.order_id;
end $$;
select private.expose('admin_list_order_lines', 'authenticated', 'service_role');

-- supabase/schema/8-office/2-users.sql

-- The back office's list of people with accounts: by role, by name, email or phone.

create function private.user_conditions(_role text, _q text)
returns text language sql immutable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('u.id in (select r.user_id from public.user_roles r where r.role = %L)', _role) as condition
      where _role <> '' and _role <> 'user'
    union all
    select 'not exists (select from public.user_roles r where r.user_id = u.id and r.role <> ''user'')' where _role = 'user'
    union all
    select '(' || found || ')' from private.found_by_text('u.search_text', _q) as found where found is not null
  ) as conditions
$$;

/*
 * Staff: profiles with their roles. _role one role (no row is user); _q part of name, email or phone. _sort created_at
 * (default), full_name or email. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_users(
  _role text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, full_name text, email text, phone text, created_at timestamptz, role text
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'full_name' then case when _descending then 'lower(u.full_name) desc, u.id desc' else 'lower(u.full_name) asc, u.id asc' end
    when 'email' then case when _descending then 'lower(u.email) desc, u.id desc' else 'lower(u.email) asc, u.id asc' end
    else case when coalesce(_descending, true) then 'u.created_at desc, u.id desc' else 'u.created_at asc, u.id asc' end end;
begin
  perform private.require_staff();
  return query execute
    'select u.id, u.full_name, u.email, u.phone, u.created_at,
              coalesce((select r.role from public.user_roles r where r.user_id = u.id order by r.id desc limit 1), ''user'')
       from (select u.id from public.profiles u where ' || private.user_conditions(_role, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.profiles u on u.id = page.id
      order by ' || sorted;
end $$;
select private.expose('admin_list_users', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_users has with the same filters: exact. */
create function private.admin_count_users(_role text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_staff();
  execute 'select count(*) from public.profiles u where ' || private.user_conditions(_role, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_users', 'authenticated', 'service_role');

-- supabase/schema/8-office/3-books.sql

-- The back office's list of books: by publisher, searched as in the shop, and without punctuation.

create function private.book_list_conditions(_publisher text, _q text)
returns text language sql immutable set search_path = '' as $$
  select private.book_conditions(jsonb_populate_record(null::public.book_search, jsonb_build_object('publisher', _publisher)))
    || case when words is null then ''
            when strpos(found, words) > 0 then ' and ' || found
            else format(' and (%s or %s)', found, words) end
    from private.text_condition(_q) as found,
         private.contains_condition('b.search_text', _q, 'key') as words
$$;

/*
 * Staff: books. _publisher one publisher; _q as in search_books, with any punctuation between its words.
 * _sort created_at (default), title, publisher, price or stock_quantity. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_books(
  _publisher text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns setof public.books language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'title' then case when _descending then 'b.title_key desc, b.id desc' else 'b.title_key asc, b.id asc' end
    when 'publisher' then case when _descending then 'b.publisher desc, b.title_key desc, b.id desc' else 'b.publisher asc, b.title_key asc, b.id asc' end
    when 'price' then case when _descending then 'b.price desc, b.title_key desc, b.id desc' else 'b.price asc, b.title_key asc, b.id asc' end
    when 'stock_quantity' then case when _descending then 'b.stock_quantity desc, b.id desc' else 'b.stock_quantity asc, b.id asc' end
    else case when coalesce(_descending, true) then 'b.created_at desc, b.id desc' else 'b.created_at asc, b.id asc' end end;
  conditions constant text := private.book_list_conditions(_publisher, _q);
begin
  perform private.require_staff();
  return query execute
    'select b.*
       from (select b.id from public.books b where ' || conditions
         || private.ordered_paging('books', conditions, sorted, _page, _page_size) || ') as page
         join public.books b on b.id = page.id
      order by ' || sorted;
end $$;
select private.expose('admin_list_books', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_books has with the same filters: exact. */
create function private.admin_count_books(_publisher text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  conditions constant text := private.book_list_conditions(_publisher, _q);
  found_rows bigint;
begin
  perform private.require_staff();
  if conditions = private.book_list_conditions(_publisher, null) then
    return private.tally('books', private.clean_line(_publisher));
  end if;
  execute 'select count(*) from public.books b where ' || conditions into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_books', 'authenticated', 'service_role');

-- supabase/schema/8-office/4-reviews.sql

-- The back office's list of reviews: by rating, by state, by text, book or customer.

create function private.review_conditions(_rating int, _state text, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('r.rating = %s', _rating) as condition where _rating is not null
    union all
    select case _state
      when 'hidden' then 'r.hidden_at is not null'
      when 'reported' then 'r.id in (select x.review_id from private.review_reports x)' end
     where _state in ('hidden', 'reported')
    union all
    select format('(%s or %s or %s)', private.contains_condition('r.review_text', _q, 'raw'),
                  private.refers_to_found('r.book_id', 'uuid', 'public.books', private.contains_condition('x.search_text', _q, 'key')),
                  private.refers_to_found('r.user_id', 'uuid', 'public.profiles', private.contains_condition('x.search_text', _q)))
     where private.contains_pattern(_q) is not null
  ) as conditions
$$;

/*
 * Staff: reviews with their books and customers. _rating 1 to 5; _state 'reported' or 'hidden'; _q part of the text, the book or the customer. _sort
 * created_at (default) or rating. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_reviews(
  _rating int default null, _state text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, book_id uuid, user_id uuid, rating int, review_text text, created_at timestamptz, book_title text,
  book_publisher text, customer_name text, customer_email text, hidden_at timestamptz, reports bigint
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'rating' then case when _descending then 'r.rating desc, r.id desc' else 'r.rating asc, r.id asc' end
    else case when coalesce(_descending, true) then 'r.created_at desc, r.id desc' else 'r.created_at asc, r.id asc' end end;
begin
  perform private.require_staff();
  return query execute
    'select r.id, r.book_id, r.user_id, r.rating, r.review_text, r.created_at, b.title, b.publisher, p.full_name, p.email, r.hidden_at,
            (select count(*) from private.review_reports x where x.review_id = r.id)
       from (select r.id from public.reviews r where ' || private.review_conditions(_rating, _state, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.reviews r on r.id = page.id
         left join public.books b on b.id = r.book_id left join public.profiles p on p.id = r.user_id
      order by ' || sorted;
end $$;
select private.expose('admin_list_reviews', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_reviews has with the same filters: exact. */
create function private.admin_count_reviews(_rating int default null, _state text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_staff();
  execute 'select count(*) from public.reviews r where ' || private.review_conditions(_rating, _state, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_reviews', 'authenticated', 'service_role');

-- supabase/schema/8-office/5-activity.sql

-- The back office's list of activity: the audit log by table and person, with what can be brought back.

create function private.audit_conditions(_table_name text, _actor uuid, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('a.table_name = %L', _table_name) as condition where _table_name <> ''
    union all
    select format('a.actor = %L::uuid', _actor) where _actor is not null
    union all
    -- A role is found by its person as well as by who gave it; what was deleted by its title.
    -- An order's entries go in by their ids: the planner has no statistics on its number, and would read the log from its end for them.
    select format('(a.row_id = %L or %s or %s or a.table_name = ''user_roles'' and %s or %s)',
                  private.clean_line(_q), private.contains_condition('a.titles', _q), private.refers_to_found('a.actor', 'uuid', 'public.profiles', found),
                  private.refers_to_found('(coalesce(a.after, a.before) ->> ''user_id'')', 'text', 'public.profiles', found),
                  case when cardinality(entries) > 0 then format('a.id = any (%L::bigint[])', entries) else 'false' end)
      from private.contains_condition('x.search_text', _q) as found,
           (select array(select x.id from public.audit_log x
                          where x.table_name = 'orders' and coalesce(x.after, x.before) ->> 'number' = private.bare_order_number(_q))
           ) as of_order (entries)
     where found is not null
  ) as conditions
$$;

/*
 * Staff: the audit log with its actors. _table_name one table; _actor one person; _q a row's id, an order's number, part of a title, or of
 * the name or email of the actor or of the person a role is about. "restorable" says whether a row is the latest deletion of something that is still deleted. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_audit(
  _table_name text default null, _actor uuid default null, _q text default null, _sort text default 'id', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id bigint, happened_at timestamptz, actor uuid, actor_name text, actor_email text, table_name text, row_id text,
  action text, before jsonb, after jsonb, restorable boolean
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case when coalesce(_descending, true) then 'a.id desc' else 'a.id asc' end;
begin
  perform private.require_staff();
  return query execute
    'select a.id, a.happened_at, a.actor, p.full_name, p.email, a.table_name, a.row_id, a.action, a.before, a.after,
              a.action = ''delete'' and not exists (
                select from public.audit_log later
                 where later.table_name = a.table_name and later.row_id = a.row_id and later.action = ''delete'' and later.id > a.id
              ) and case a.table_name
                when ''books'' then not exists (select from public.books x where x.id::text = a.row_id)
                when ''orders'' then not exists (select from public.orders x where x.id::text = a.row_id)
                when ''reviews'' then not exists (select from public.reviews x where x.id::text = a.row_id)
                  and exists (select from public.books x where x.id::text = a.before ->> ''book_id'')
                when ''publishers'' then not exists (select from public.publishers x where x.id::text = a.row_id)
                else false end
       from (select a.id from public.audit_log a where ' || private.audit_conditions(_table_name, _actor, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.audit_log a on a.id = page.id left join public.profiles p on p.id = a.actor
      order by ' || sorted;
end $$;
select private.expose('admin_list_audit', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_audit has with the same filters: exact. */
create function private.admin_count_audit(_table_name text default null, _actor uuid default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_staff();
  execute 'select count(*) from public.audit_log a where ' || private.audit_conditions(_table_name, _actor, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_audit', 'authenticated', 'service_role');

-- supabase/schema/8-office/6-booklists.sql

-- The back office's list of booklists.

create function private.booklist_conditions(_status text, _q text)
returns text language sql immutable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('b.status = %L', _status) as condition where _status <> ''
    union all
    select format('(%s or b.code = %L)', found, private.booklist_code(_q))
      from private.contains_condition('b.search_text', _q) as found where found is not null
  ) as conditions
$$;

/*
 * Staff: booklists. _status draft, published or withdrawn; _q part of the school, class, year or code. _sort updated_at
 * (default), school or school_year. Last changed first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_booklists(
  _status text default null, _q text default null, _sort text default 'updated_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, code text, school text, class_name text, school_year text, status text, is_listed boolean,
  created_at timestamptz, updated_at timestamptz, lines bigint
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'school' then case when _descending
      then 'b.school_key desc, b.school_year asc, b.class_key desc, b.id desc'
      else 'b.school_key asc, b.school_year desc, b.class_key asc, b.id asc' end
    when 'school_year' then case when _descending
      then 'b.school_year desc, b.school_key asc, b.class_key asc, b.id asc'
      else 'b.school_year asc, b.school_key asc, b.class_key asc, b.id asc' end
    else case when coalesce(_descending, true) then 'b.updated_at desc, b.id desc' else 'b.updated_at asc, b.id asc' end end;
begin
  perform private.require_staff();
  return query execute
    'select b.id, b.code, b.school, b.class_name, b.school_year, b.status, b.is_listed, b.created_at, b.updated_at,
            (select count(*) from public.booklist_lines l where l.booklist_id = b.id)
       from (select b.id from public.booklists b where ' || private.booklist_conditions(_status, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.booklists b on b.id = page.id
      order by ' || sorted;
end $$;
select private.expose('admin_list_booklists', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_booklists has with the same filters: exact. */
create function private.admin_count_booklists(_status text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_staff();
  execute 'select count(*) from public.booklists b where ' || private.booklist_conditions(_status, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_booklists', 'authenticated', 'service_role');

-- supabase/schema/8-office/7-quotes.sql

-- The back office's list of quotes: by status, by reference, institution, contact or purchase order number.

create function private.quote_conditions(_status text, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select case _status
             when 'expired' then format('q.status = ''sent'' and q.valid_until < %L', private.today())
             when 'sent' then format('q.status = ''sent'' and q.valid_until >= %L', private.today())
             else format('q.status = %L', _status) end as condition
     where _status <> ''
    union all
    select '(' || found || ')' from private.found_by_text('q.search_text', _q) as found where found is not null
  ) as conditions
$$;

/*
 * Staff: quotes with their totals in cedis. _status one status, expired among them; _q part of the reference ('Q2026-0007'), the
 * institution, the contact's name, email or phone, or the purchase order number. _sort created_at (default), institution or
 * valid_until. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_quotes(
  _status text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, status text, valid_until date,
  created_at timestamptz, purchase_order_number text, copies bigint, total numeric
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'institution' then case when _descending then 'q.institution desc nulls last, q.id desc' else 'q.institution asc nulls last, q.id asc' end
    when 'valid_until' then case when _descending then 'q.valid_until desc nulls last, q.id desc' else 'q.valid_until asc nulls last, q.id asc' end
    else case when coalesce(_descending, true) then 'q.created_at desc, q.id desc' else 'q.created_at asc, q.id asc' end end;
begin
  perform private.require_staff();
  return query execute
    'select q.id, q.reference, q.institution, q.contact_name, q.contact_email, private.quote_status(q.status, q.valid_until),
            q.valid_until, q.created_at, q.purchase_order_number, l.copies, l.total
       from (select q.id from public.quotes q where ' || private.quote_conditions(_status, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.quotes q on q.id = page.id
        cross join lateral (select sum(l.quantity) as copies, sum(l.unit_price * l.quantity) as total
                              from public.quote_lines l where l.quote_id = q.id) as l
      order by ' || sorted;
end $$;
select private.expose('admin_list_quotes', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_quotes has with the same filters: exact. */
create function private.admin_count_quotes(_status text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_staff();
  execute 'select count(*) from public.quotes q where ' || private.quote_conditions(_status, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_quotes', 'authenticated', 'service_role');

-- supabase/schema/8-office/8-dashboard.sql

-- The dashboard: its totals from the tallies, and low stock, which is about books and so public anyway.

/* Staff: the five totals of the dashboard, in one row. */
create function private.dashboard_stats()
returns table (total_users bigint, total_books bigint, total_stock bigint, total_orders bigint, total_reviews bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query select
    coalesce(sum(t.rows) filter (where t.counted = 'profiles'), 0)::bigint,
    coalesce(sum(t.rows) filter (where t.counted = 'books'), 0)::bigint,
    coalesce(sum(t.copies) filter (where t.counted = 'books'), 0)::bigint,
    coalesce(sum(t.rows) filter (where t.counted = 'orders'), 0)::bigint,
    coalesce(sum(t.rows) filter (where t.counted = 'reviews'), 0)::bigint
    from private.tallies t;
end $$;
select private.expose('dashboard_stats', 'authenticated', 'service_role');

/* Titles and copies a publisher; books without one are 'Unknown'; most titles first. The 1,000 largest. */
create function private.list_publisher_statistics()
returns table (publisher text, books bigint, stock bigint)
language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(t.value, ''), 'Unknown'), sum(t.rows)::bigint, sum(t.copies)::bigint
    from private.tallies t
   where t.counted = 'books'
   group by 1 having sum(t.rows) > 0
   order by 2 desc, 1 limit 1000
$$;
select private.expose('list_publisher_statistics', 'authenticated', 'service_role');

/* The books that are low in stock, fewest first. */
create function public.list_low_stock_books(_limit int default 5)
returns table (id uuid, title text, publisher text, stock_quantity int)
language sql stable set search_path = '' as $$
  select b.id, b.title, b.publisher, b.stock_quantity
    from public.books b
   where b.stock_quantity < private.low_stock()
   order by b.stock_quantity, b.id
   limit least(greatest(coalesce(_limit, 5), 1), 1000)
$$;
grant execute on function public.list_low_stock_books to authenticated, service_role;

-- supabase/schema/8-office/9-older-rows.sql

-- Values computed from other rows, made anew after rows were written without triggers.

/* Recounts everything while changes wait; needed after rows were written with triggers disabled. */
create function private.count_tallies()
returns void language plpgsql security definer set search_path = '' as $$
begin
  lock table public.books, public.orders, public.profiles, public.reviews in share row exclusive mode;
  delete from private.tallies;
  insert into private.tallies (counted, value, rows, copies)
  select 'books', coalesce(publisher, ''), count(*), sum(stock_quantity) from public.books group by 2
  union all select 'orders', status || ' ' || payment_state, count(*), 0 from public.orders group by 2
  union all select 'profiles', '', count(*), 0 from public.profiles
  union all select 'reviews', '', count(*), 0 from public.reviews;
end $$;

/*
 * For rows that a backup from before the first release brought in, without triggers: an older shop had no such columns and tables. Nothing
 * else about an order changes.
 */
create function private.complete_older_rows()
returns void language plpgsql security definer set search_path = '' as $$
begin
  alter table public.orders disable trigger user;
  update public.orders o
     set paid_amount = s.paid, has_undecided_payment = s.undecided
    from (select distinct order_id from public.payments) as p, private.sum_payments(p.order_id) as s
   where o.id = p.order_id;
  alter table public.orders enable trigger user;
  -- Imports that were applied before imports had steps: all of their rows were. Otherwise undoing one would find no rows to undo.
  update public.book_imports i
     set (total_rows, applied_rows, applied_line) = (
       select count(*), count(*), coalesce(max(r.line), 0) from public.book_import_rows r where r.import_id = i.id)
   where i.status = 'applied' and i.applied_line = 0;
  perform private.keep_book_words(array(select word_text from public.books)), private.count_tallies();
end $$;

-- supabase/schema/8-office/10-settings.sql

-- Changing settings, and what follows from a change.

/* Has the parts of the database that need a setting's value use this one. */
create function private.apply_setting(_name text, _value jsonb)
returns void language plpgsql security definer set search_path = '' as $$
begin
  case _name
    when 'name' then perform private.set_shop_name(_value #>> '{}');
    when 'deliveryFees' then perform private.set_delivery_fees(_value);
    when 'searchWords' then perform private.set_search_words(_value);
    when 'terms', 'deliveryAndReturns' then perform private.publish_terms(_name, _value #>> '{}');
    else null;
  end case;
end $$;

create function private.apply_changed_setting()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.apply_setting(new.id, new.value);
  -- Cached pages show the settings too.
  perform nextval('private.catalogue_versions');
  return null;
end $$;
create trigger apply_changed_setting after insert or update on public.shop_settings
  for each row execute function private.apply_changed_setting();

/*
 * Each start of the shop and `npm run migrate`: the values of the owner's files, which the database uses while no admin has
 * changed them.
 */
create function private.set_first_settings(_first jsonb)
returns void language sql set search_path = '' as $$
  select private.apply_setting(first.key, coalesce(s.value, first.value))
    from jsonb_each(_first) as first left join public.shop_settings s on s.id = first.key
$$;

/* A new database without the demo: what its settings are in place of the demo's words. Changed ones stay. */
create function private.set_own_settings(_own jsonb)
returns void language sql set search_path = '' as $$
  insert into public.shop_settings (id, value) select key, private.checked_setting(key, value) from jsonb_each(_own)
  on conflict (id) do nothing
$$;

/*
 * Admins change settings: all of _values, {name: value}, or none. _seen has the updated_at of each that was changed before, as the
 * caller has read it: one that has been changed since is refused, so that nobody overwrites what they have not seen.
 */
create function private.update_settings(_values jsonb, _seen jsonb)
returns setof public.shop_settings language plpgsql security definer set search_path = '' as $$
declare
  checked jsonb;
  stale text[];
begin
  perform private.require_staff();
  if jsonb_typeof(_values) is distinct from 'object' or jsonb_typeof(_seen) is distinct from 'object' then
    perform private.refuse('PT400', 'invalid_request', 'Settings are sent by name.');
  end if;
  select jsonb_object_agg(key, private.checked_setting(key, value)) into checked from jsonb_each(_values);
  -- One change at a time: a setting without a row has nothing to lock.
  perform pg_advisory_xact_lock(hashtext('shop_settings'));
  select array_agg(name order by name) into stale
    from jsonb_object_keys(_values) as name left join public.shop_settings s on s.id = name
   where s.updated_at is distinct from (_seen ->> name)::timestamptz;
  if stale is not null then
    perform private.refuse('PT409', 'settings_changed', 'Someone else has changed this since you opened it.',
      jsonb_build_object('fields', stale));
  end if;
  insert into public.shop_settings as s (id, value) select key, value from jsonb_each(checked)
  on conflict (id) do update set value = excluded.value where s.value is distinct from excluded.value;
  return query select * from public.shop_settings s where _values ? s.id;
end $$;
select private.expose('update_settings', 'authenticated', 'service_role');

-- supabase/schema/8-office/11-old-orders.sql

-- Names are removed from old orders if an admin says after how many years (the setting forgetOrdersAfterYears; 0: never). The orders stay,
-- for the books must balance.

create function private.forget_orders_after_years()
returns int language sql stable set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'forgetOrdersAfterYears'), 0)
$$;

/*
 * The oldest orders, at most this many, that were placed longer ago than these years and still name someone. Never one that is open, has
 * something to pay or a payment to decide on. Deleted ones are found in the log.
 */
create function private.old_orders(_years int, _most int)
returns uuid[] language plpgsql stable security definer set search_path = '' as $$
declare
  names constant text[] := private.order_text_names();
  placed_before constant timestamptz := now() - make_interval(years => _years);
  found uuid[];
begin
  if _years < 1 then return '{}'; end if;
  execute format($query$
      select array(
        select o.id from public.orders o
         where o.created_at < $1 and o.status in ('delivered', 'cancelled') and o.payment_state in ('paid', 'none')
           and not o.has_undecided_payment
           and (num_nonnulls(%s) > 0 or exists (select from public.order_notes n where n.order_id = o.id and n.body is not null))
         order by o.created_at limit $2)$query$, (select string_agg('o.' || quote_ident(name), ', ') from unnest(names) as name))
    into found using placed_before, _most;
  return found || array(
    select distinct l.row_id::uuid from public.audit_log l
     where l.table_name = 'orders' and l.action = 'delete' and (l.before ->> 'created_at')::timestamptz < placed_before
       and jsonb_strip_nulls(l.before) ?| names
       and not exists (select from public.orders o where o.id = l.row_id::uuid)
     limit _most - cardinality(found));
end $$;

/* Staff: how many orders would lose their names now, if it were after so many years. */
create function private.count_old_orders(_years int)
returns int language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return cardinality(private.old_orders(_years, 1000000));
end $$;
select private.expose('count_old_orders', 'authenticated', 'service_role');

/* For the nightly housekeeping: removes the names from the oldest of these orders and the quotes they came from; returns how many there were. */
create function private.forget_old_orders(_most int default 500)
returns int language plpgsql security definer set search_path = '' as $$
declare
  old constant uuid[] := private.old_orders(private.forget_orders_after_years(), _most);
  quote_ids constant uuid[] := array(select id from public.quotes where order_id = any (old));
begin
  perform private.scrub_orders(old);
  update public.quotes
     set institution = null, contact_name = null, contact_email = null, contact_phone = null, message = null, note = null,
         purchase_order_number = null
   where id = any (quote_ids);
  perform set_config('shop.task', 'anonymise', true);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where table_name = 'quotes' and row_id = any (quote_ids::text[]);
  perform set_config('shop.task', '', true);
  return cardinality(old);
end $$;
grant execute on function private.forget_old_orders to service_role;
