-- What every other migration needs: the schema for functions that the API must not expose, the two
-- extensions that the search needs, one way to refuse a request, and the rules for text, ISBNs and search
-- patterns.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists unaccent with schema extensions;

-- Not among the exposed schemas: nothing in it can be called through the API. USAGE is needed because policies
-- and invoker functions name what lives here; EXECUTE is given function by function.
create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

/*
 * Refuses the request. The status is a PT4xx code, which the data API answers as that HTTP status; the
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
revoke execute on function private.refuse(text, text, text, jsonb) from public;
grant execute on function private.refuse(text, text, text, jsonb) to anon, authenticated, service_role;

/*
 * True for an admin's own request. plpgsql, because user_roles is created later; SECURITY DEFINER, because the
 * policies of user_roles ask it too. Policies write (select private.is_admin()): once a query, not once a row.
 */
create function private.is_admin()
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.user_roles where user_id = auth.uid() and role = 'admin');
end $$;
revoke execute on function private.is_admin() from public;
grant execute on function private.is_admin() to anon, authenticated, service_role;

/*
 * True for an admin, the secret key and the database's owner. The setting "role" keeps the request's role inside
 * SECURITY DEFINER functions, where current_user is the function's owner.
 */
create function private.is_staff()
returns boolean language sql stable set search_path = '' as $$
  select coalesce(current_setting('role', true), 'none') not in ('anon', 'authenticated') or private.is_admin()
$$;
revoke execute on function private.is_staff() from public;
grant execute on function private.is_staff() to authenticated, service_role;

create function private.require_staff()
returns void language plpgsql stable set search_path = '' as $$
begin
  if not private.is_staff() then
    perform private.refuse('PT403', 'admin_only', 'Only an admin may do this.');
  end if;
end $$;
revoke execute on function private.require_staff() from public;
grant execute on function private.require_staff() to authenticated, service_role;

/* Text as it is stored: control characters become spaces, ends are trimmed, nothing left is null. */
create function private.clean_line(_text text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select nullif(btrim(regexp_replace(_text, '[[:space:][:cntrl:]]+', ' ', 'g')), '')
$$;
revoke execute on function private.clean_line(text) from public;
grant execute on function private.clean_line(text) to anon, authenticated, service_role;

/* The same for texts of several lines: line feeds and tabs stay. */
create function private.clean_text(_text text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select nullif(btrim(regexp_replace(replace(_text, E'\r\n', E'\n'), E'[\\x01-\\x08\\x0b-\\x1f\\x7f]', ' ', 'g'),
                      E' \n\t'), '')
$$;
revoke execute on function private.clean_text(text) from public;
grant execute on function private.clean_text(text) to anon, authenticated, service_role;

/*
 * Text as it is compared: lower case, without accents, typographic quotes as plain ones. Declared immutable
 * although the dictionary could be replaced: it is the one delivered with the extension.
 */
create function private.fold(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select lower(extensions.unaccent('extensions.unaccent'::regdictionary, _text))
$$;
revoke execute on function private.fold(text) from public;
grant execute on function private.fold(text) to anon, authenticated, service_role;

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
revoke execute on function private.contains_pattern(text) from public;
grant execute on function private.contains_pattern(text) to anon, authenticated, service_role;

/*
 * Folded text, or a pattern for it, as the books' search text keeps it, so that the trigram index can look up everything: it splits texts
 * at spaces, and in a database with the C locale at every letter but a to z, such as the ɔ of Twi. A space is therefore kept as Z, and each
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
revoke execute on function private.search_key(text) from public;
grant execute on function private.search_key(text) to anon, authenticated, service_role;

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
revoke execute on function private.book_code(text) from public;
grant execute on function private.book_code(text) to anon, authenticated, service_role;

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
revoke execute on function private.isbn13(text) from public;
grant execute on function private.isbn13(text) to anon, authenticated, service_role;

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
revoke execute on function private.isbn_key(text) from public;
grant execute on function private.isbn_key(text) to anon, authenticated, service_role;

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
revoke execute on function private.book_patterns(text) from public;
grant execute on function private.book_patterns(text) to anon, authenticated, service_role;

/* The pattern for a typed phone number: digits alone, without the leading zeros that a country code replaces. */
create function private.phone_pattern(_q text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select '%' || digits || '%'
  from ltrim(regexp_replace(_q, '[^0-9]', '', 'g'), '0') as digits
  where left(_q, 200) ~ '^[+0-9()[:space:].-]+$' and length(digits) between 4 and 15
$$;
revoke execute on function private.phone_pattern(text) from public;
grant execute on function private.phone_pattern(text) to anon, authenticated, service_role;

/*
 * Refuses a text that is too long or missing, before a CHECK would: the CHECK is the backstop, this is the
 * clear message. The label is the word that people read, the field the column's name.
 */
create function private.require_text(_field text, _label text, _value text, _at_most int, _required boolean default false)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _required and _value is null then
    perform private.refuse('PT400', 'invalid_field', _label || ' is required.',
      jsonb_build_object('field', _field, 'rule', 'required'));
  elsif length(_value) > _at_most then
    perform private.refuse('PT400', 'invalid_field', format('%s is too long (at most %s characters).', _label, _at_most),
      jsonb_build_object('field', _field, 'rule', 'max_length', 'limit', _at_most));
  end if;
end $$;
revoke execute on function private.require_text(text, text, text, int, boolean) from public;
grant execute on function private.require_text(text, text, text, int, boolean) to anon, authenticated, service_role;

/* The same for numbers: a null, or a value outside its bounds, is refused with a message. */
create function private.require_number(_field text, _label text, _value numeric, _least numeric, _most numeric)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _value is null or _value < _least or _value > _most then
    perform private.refuse('PT400', 'invalid_field', format('%s must be between %s and %s.', _label, _least, _most),
      jsonb_build_object('field', _field, 'rule', 'range', 'min', _least, 'max', _most));
  end if;
end $$;
revoke execute on function private.require_number(text, text, numeric, numeric, numeric) from public;
grant execute on function private.require_number(text, text, numeric, numeric, numeric) to anon, authenticated, service_role;

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
revoke execute on function private.stamp_updated_at() from public;
