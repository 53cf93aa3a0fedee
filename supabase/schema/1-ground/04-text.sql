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

/* Text without the marks that chat apps, PDFs and spreadsheets put into what is copied from them, and that nobody sees. */
create function private.without_marks(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select regexp_replace(_text, '[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe0e\ufe0f\ufeff\ufff9-\ufffb]', '', 'g')
$$;
grant execute on function private.without_marks to anon, authenticated, service_role;

/*
 * A code as a keyboard would have typed it: hyphens of every kind and wide digits as plain ones, single spaces, no invisible marks.
 * ISBNs, phone numbers and digital addresses are read from this. shared/text/plain-code.ts is the same rule.
 */
create function private.plain_code(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select btrim(regexp_replace(
    case when _text ~ '[^\x01-\x7f]'
         then regexp_replace(private.without_marks(normalize(_text, nfkc)), '[\u058a\u2010-\u2015\u2043\u2212\u2e3a\u2e3b]', '-', 'g')
         else _text end, '[[:space:][:cntrl:]]+', ' ', 'g'))
$$;
grant execute on function private.plain_code to anon, authenticated, service_role;

/*
 * Text as it is compared: lower case, without accents, typographic quotes as plain ones. Declared immutable
 * although the dictionary could be replaced: it is the one delivered with the extension.
 */
create function private.fold(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select lower(extensions.unaccent('extensions.unaccent'::regdictionary, _text))
$$;
grant execute on function private.fold to anon, authenticated, service_role;

/* A title as it is sorted: folded, with numbers of three digits, so that volume 2 comes before volume 10. */
create function private.title_key(_title text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select regexp_replace(regexp_replace(private.fold(_title),
    '(?<![0-9])([0-9])(?![0-9])', '00\1', 'g'), '(?<![0-9])([0-9]{2})(?![0-9])', '0\1', 'g')
$$;
grant execute on function private.title_key to anon, authenticated, service_role;

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

/* The pattern for a typed phone number or part of one: digits alone, without the leading zeros or Ghana's code, of which one replaces the other. */
create function private.phone_pattern(_q text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select '%' || digits || '%'
  from private.plain_code(left(_q, 200)) as typed,
       ltrim(regexp_replace(regexp_replace(regexp_replace(typed, '[^+0-9]', '', 'g'), '^(\+|00)233|^233(?=0?[0-9]{9}$)', ''), '[^0-9]', '', 'g'), '0') as digits
  where typed ~ '^[+0-9() ./-]+$' and length(digits) between 4 and 15
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

/* A text as the id that it is; null for any other text. */
create function private.as_uuid(_text text)
returns uuid language sql immutable parallel safe strict set search_path = '' as $$
  select case when _text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then _text::uuid end
$$;

/* Whether an address that staff typed may become a link (shared/text/web-address.ts): https, and no sign-in before the host. */
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
