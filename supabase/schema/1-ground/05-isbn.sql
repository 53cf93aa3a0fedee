-- ISBNs and the shop's own codes, in any form in which they are typed. app/features/books/isbn.ts is the same rule.

/* A code in upper case without what is typed around it: 'ISBN-13:', '(pbk)', a barcode's five digits of a price, ="", brackets, '.0'. */
create function private.bare_code(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select regexp_replace(btrim(regexp_replace(regexp_replace(regexp_replace(regexp_replace(upper(private.plain_code(_text)),
    '(?<![0-9A-Z])(97[89][0-9]{10})\+?[0-9]{5}(?![0-9A-Z])', '\1', 'g'),
    '(?<![0-9A-Z])(?:E-?)?(?:ISBN|EAN)(?:[ -]?\(?1[03]\)?(?![0-9])|1[03](?=97[89][0-9]{10}|[0-9]{9}[0-9X](?![0-9X])))?', ' ', 'g'),
    '(?<![0-9A-Z])(?:PBK|HBK|PB|HB|P/B|H/B|PAPERBACK|HARDBACK|HARDCOVER|SOFTBACK|SOFTCOVER|CASED)(?![0-9A-Z])', ' ', 'g'),
    '[]["''()=:]+', ' ', 'g')),
    '^([0-9]+)[.,]0+$', '\1')
$$;
grant execute on function private.bare_code to anon, authenticated, service_role;

/* The letters and digits of an ISBN or a shop's own code, in upper case. */
create function private.book_code(_isbn text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  -- Most are nothing else, and every update of a book runs this.
  code constant text := translate(_isbn, ' -', '');
begin
  if code ~ '^[0-9]{1,13}X?$' then return code; end if;
  return nullif(regexp_replace(private.bare_code(_isbn), '[^0-9A-Z]+', '', 'g'), '');
end $$;
grant execute on function private.book_code to anon, authenticated, service_role;

/* The ISBN-13 of ten or thirteen characters; null for anything else, a wrong check digit included. */
create function private.isbn13_of_code(_code text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  code text := _code;
  d int[];
  digit text;
begin
  -- No loops, which take several times as long: every update of a book, including an order that takes stock, runs this three times.
  if code ~ '^[0-9]{9}[0-9X]$' then
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
grant execute on function private.isbn13_of_code to anon, authenticated, service_role;

/* The different ISBN-13s of a text that has nothing but ISBNs; empty if it has anything else, or a wrong check digit. */
create function private.isbns(_text text)
returns text[] language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  code text := private.book_code(_text);
  bare text;
  found_isbns text[] := '{}';
  piece text;
  isbn13 text;
begin
  if code ~ '^([0-9]{9}[0-9X]|[0-9]{13})$' then return array_remove(array[private.isbn13_of_code(code)], null); end if;
  -- Nearly all that people search for has no ISBN.
  if code !~ '[0-9]{9}' is not false then return '{}'; end if;
  bare := private.bare_code(_text);
  if bare !~ '^[0-9X .,;/&|+-]+$' then return '{}'; end if;
  foreach piece in array regexp_split_to_array(bare, '[,;/&|+]+') loop
    foreach code in array case when private.isbn13_of_code(translate(piece, ' .-', '')) is null then string_to_array(piece, ' ')
                               else array[piece] end loop
      code := translate(code, ' .-', '');
      continue when code = '';
      isbn13 := private.isbn13_of_code(code);
      if isbn13 is null then return '{}'; end if;
      if isbn13 <> all (found_isbns) then found_isbns := found_isbns || isbn13; end if;
    end loop;
  end loop;
  return found_isbns;
end $$;
grant execute on function private.isbns to anon, authenticated, service_role;

/* The ISBN-13 of a valid ISBN in any form, also with leading zeros that a spreadsheet lost. Null for anything else, and for several. */
create function private.isbn13(_isbn text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  code text := private.book_code(_isbn);
  found_isbns text[];
begin
  if code ~ '^[0-9]{6,8}[0-9X]$' then code := lpad(code, 10, '0'); end if;
  if code ~ '^([0-9]{9}[0-9X]|[0-9]{13})$' then return private.isbn13_of_code(code); end if;
  -- A book's ISBN-13 and its ISBN-10.
  if code !~ '^[0-9X]{20,}$' then return null; end if;
  found_isbns := private.isbns(_isbn);
  return case when cardinality(found_isbns) = 1 then found_isbns[1] end;
end $$;
grant execute on function private.isbn13 to anon, authenticated, service_role;

/*
 * An ISBN or a shop's own code as it is stored and shown: a valid ISBN as its thirteen digits, ten or thirteen others without hyphens, a
 * code of the shop's own as it was typed.
 */
create function private.written_isbn(_isbn text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select coalesce(case when cardinality(found_isbns) = 1 then found_isbns[1] end,
                  substring(private.book_code(_isbn) from '^(?:[0-9]{9}[0-9X]|[0-9]{13})$'), nullif(private.plain_code(_isbn), ''))
    from private.isbns(_isbn) as found_isbns
$$;
grant execute on function private.written_isbn to anon, authenticated, service_role;

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
  return nullif(btrim(regexp_replace(upper(private.plain_code(_isbn)), '[^0-9A-Z]+', '-', 'g'), '-'), '');
end $$;
grant execute on function private.isbn_key to anon, authenticated, service_role;

/* What identifies the books that a text means: several, if it has several ISBNs. */
create function private.isbn_keys(_text text)
returns text[] language sql immutable parallel safe strict set search_path = '' as $$
  select case when cardinality(found_isbns) > 1 then found_isbns else array[private.isbn_key(_text)] end
    from private.isbns(_text) as found_isbns
$$;
grant execute on function private.isbn_keys to anon, authenticated, service_role;

/* The digits of an ISBN or of part of one, with anything that is typed around them; null for other texts. */
create function private.isbn_digits(_typed text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  digits text;
begin
  if private.plain_code(_typed) !~ '[0-9]' then return null; end if;
  digits := translate(private.bare_code(_typed), ' -', '');
  return coalesce(substring(digits from '^[0-9]{3,12}[0-9X]$'), private.isbn13(_typed));
end $$;
grant execute on function private.isbn_digits to anon, authenticated, service_role;

/*
 * The patterns of which a book's search text must match one: what was typed, and when that looks like an ISBN or
 * part of one, also its bare digits and its ISBN-13. An empty array when nothing is left to look for.
 */
create function private.book_patterns(_q text)
returns text[] language plpgsql immutable parallel safe set search_path = '' as $$
declare
  typed constant text := private.search_key(private.contains_pattern(_q));
  digits constant text := lower(private.isbn_digits(left(_q, 200)));
  found_isbns constant text[] := private.isbns(left(_q, 200));
begin
  return array(select distinct pattern
    from unnest(array[typed, '%' || digits || '%', '%' || lower(private.isbn_key(digits)) || '%']
                || array(select '%' || isbn13 || '%' from unnest(found_isbns) as isbn13)) as pattern
   where pattern is not null);
end $$;
grant execute on function private.book_patterns to anon, authenticated, service_role;
