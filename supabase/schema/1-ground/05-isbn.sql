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
