-- ISBNs are read in one way, in whatever form a chat, a PDF, a spreadsheet or a scanner delivers them, and stored as thirteen digits.

/* Text without the marks that chat apps, PDFs and spreadsheets put into what is copied from them, and that nobody sees. */
create function private.without_marks(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select regexp_replace(_text, '[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe0e\ufe0f\ufeff\ufff9-\ufffb]', '', 'g')
$$;
grant execute on function private.without_marks to anon, authenticated, service_role;

/*
 * A code as a keyboard would have typed it: hyphens of every kind and wide digits as plain ones, single spaces, no invisible marks.
 * ISBNs, phone numbers and digital addresses are read from this. app/lib/plain-code.ts is the same rule.
 */
create function private.plain_code(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select btrim(regexp_replace(
    case when _text ~ '[^\x01-\x7f]'
         then regexp_replace(private.without_marks(normalize(_text, nfkc)), '[\u058a\u2010-\u2015\u2043\u2212\u2e3a\u2e3b]', '-', 'g')
         else _text end, '[[:space:][:cntrl:]]+', ' ', 'g'))
$$;
grant execute on function private.plain_code to anon, authenticated, service_role;

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
create or replace function private.book_code(_isbn text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  -- Most are nothing else, and every update of a book runs this.
  code constant text := translate(_isbn, ' -', '');
begin
  if code ~ '^[0-9]{1,13}X?$' then return code; end if;
  return nullif(regexp_replace(private.bare_code(_isbn), '[^0-9A-Z]+', '', 'g'), '');
end $$;

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
create or replace function private.isbn13(_isbn text)
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
create or replace function private.isbn_key(_isbn text)
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
create or replace function private.book_patterns(_q text)
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

/* The ISBN in a text, such as 'isbn: 978 0 00 148948 6'; null without one. */
create or replace function private.typed_isbn(_q text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select private.isbn_key(substring(private.plain_code(left(_q, 200)) from '(?:97[89][ -]*)?(?:[0-9][ -]*){9}[0-9xX]'))
$$;

/*
 * The text of suggest_books' query for these terms, each as private.corrected_terms has it: up to _most books that have all terms, those
 * with the last one in their titles first, or whose ISBN begins so; without titles that begin with the text. The last term may be
 * unfinished.
 */
create or replace function private.suggest_books_query(_typed text, _terms jsonb, _most int)
returns text language plpgsql stable set search_path = '' as $$
declare
  digits constant text := private.isbn_digits(_typed);
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
    case when digits is not null then format(
      ' union (select b.id from public.books b where b.isbn_key like %L or b.isbn_key like %L or b.isbn_key = %L order by b.isbn_key, b.id limit 5)',
      digits || '%', '978' || digits || '%', private.isbn_key(digits))
    else '' end,
    unfinished, private.terms_score(jsonb_path_query_array(_terms, '$[*] ? (@.words != null)')), _most);
end $$;

/*
 * The books that match texts: an ISBN, one of the shop's own codes or a whole title each; a code takes precedence
 * over a title. One row per book, with the text's position from 1; none for a text without a match.
 */
create or replace function private.matching_books(_texts text[])
returns table (line int, book_id uuid) language sql stable set search_path = '' as $$
  with typed as materialized (
    select place::int as line, private.isbn_keys(given) as codes, private.title_key(given) as title
      from unnest(_texts) with ordinality as element (value, place), private.clean_line(value) as given
  ), by_code as (
    select distinct t.line, b.id from typed t cross join unnest(t.codes) as code join public.books b on b.isbn_key = code
  )
  select * from by_code
  union all
  select t.line, b.id from typed t join public.books b on b.title_key = t.title
   where t.line not in (select c.line from by_code c)
$$;

/*
 * Reads a line of the file: a line of a list, or { line, message } if it is invalid. _taken are the list's lines
 * before it.
 */
create or replace function private.plan_booklist_line(_given jsonb, _book_ids uuid[], _taken jsonb)
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
  elsif _book_ids is null and (private.book_code(title) ~ '^[0-9]{7,}[0-9X]$' or title is null and isbn is not null) then
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
 * A text as it is counted: an ISBN-13, or folded as the search folds it, without characters that can't be seen or that turn others around.
 * Null for what is too long to be a title or may be about a person: email and web addresses, and seven digits or more, whatever signs are
 * between them, that are no ISBN. A short ISBN that may be a phone number in Ghana counts as one.
 */
create or replace function private.demand_text(_text text)
returns text language plpgsql immutable set search_path = '' as $$
declare
  cleaned constant text := private.clean_line(private.without_marks(left(_text, 200)));
  folded constant text := private.fold(cleaned);
  with_digits constant text := translate(folded, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789');
  code constant text := private.book_code(cleaned);
begin
  if code ~ '^97[89][0-9]{10}$' or (code ~ '^[0-9]{9}[0-9X]$' and code !~ '^0(2|3|5[03-9])') then return private.isbn13(code); end if;
  if folded is null or length(folded) not between 2 and 100
     or with_digits ~ '@|://|www\.|\.(com|org|net|edu|gov|info|gh)\M|([0-9][^[:alnum:]]*){7}' then return null; end if;
  return folded;
end $$;

/*
 * Reads one row of a file: its texts cleaned, its numbers as numbers, and what is wrong with it. Currencies and thousands
 * separators are read before a row is sent, by the one rule for typed prices (app/lib/typed-price.ts).
 */
create or replace function private.read_import_row(_raw jsonb, out fields jsonb, out problems text[])
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
      if field.name = 'isbn' then value := private.written_isbn(value); end if;
      fields := fields || jsonb_build_object(field.name, value);
      if length(value) > field.at_most then
        problems := problems || format('The %s is too long (at most %s characters).', field.label, field.at_most);
      end if;
    end if;
  end loop;
  for field in select * from (values ('kind', 'kind', private.book_kinds()), ('digital_by', 'delivery of a digital title', '{file,code}'))
                 as c (name, label, choices) loop
    if _raw ? field.name then
      value := lower(private.clean_line(_raw ->> field.name));
      fields := fields || jsonb_build_object(field.name, value);
      if value <> all (field.choices) then
        problems := problems || format('The %s must be one of: %s.', field.label, array_to_string(field.choices, ', '));
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
  value := private.clean_line(_raw ->> 'seen_stock');
  if value ~ '^[0-9]{1,8}$' then
    fields := fields || jsonb_build_object('seen_stock', value::int);
  elsif value is not null then
    problems := problems || 'The stock at export must be a whole number of 0 or more.'::text;
  end if;
end $$;

/*
 * Staff: adds a chunk of rows, [{"line": 2, "title": …, "isbn": …, "price": …, "stock_quantity": …, …}], values as text or
 * numbers; a line sent again replaces the former. A row may carry the id of its book, the stock that it had when it was exported (seen_stock),
 * its cells as the file has them, and
 * problems, with which it is refused. Returns how many were staged.
 */
create or replace function private.stage_book_import_rows(_import_id uuid, _rows jsonb)
returns int language plpgsql security definer set search_path = '' as $$
declare
  staged int;
begin
  perform private.require_duty('catalogue');
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
         coalesce(left(private.clean_line(r ->> 'isbn_problem'), 300),
                  case when cardinality(private.isbns(read.fields ->> 'isbn')) > 1 then 'There are several ISBNs in one cell. Keep one.' end),
         private.import_problems(r -> 'problems') || read.problems
    from jsonb_array_elements(_rows) as r, private.read_import_row(r) as read
  on conflict (import_id, line) do update
    set fields = excluded.fields, cells = excluded.cells, given_id = excluded.given_id, isbn_key = excluded.isbn_key,
        isbn_problem = excluded.isbn_problem, problems = excluded.problems;
  get diagnostics staged = row_count;
  return staged;
end $$;

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
    -- Not the barcodes of stationery, some of which look like an ISBN of ten digits.
    if field.name = 'isbn' and new.kind is distinct from 'stationery' then value := private.written_isbn(value); end if;
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

-- Books that the shop has already: their ISBN in the form in which it is stored, which also computes their keys anew. Nobody has edited them,
-- so nothing else is checked and nothing is recorded.
select set_config('shop.task', 'codes', true);
update public.books set isbn = case when kind = 'stationery' then isbn else private.written_isbn(isbn) end
 where kind <> 'stationery' and isbn is distinct from private.written_isbn(isbn) or isbn_key is distinct from private.isbn_key(isbn);
select set_config('shop.task', '', true);
