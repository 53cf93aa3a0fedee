-- The books that match a pasted or typed list.

/*
 * The books that match texts: an ISBN, one of the shop's own codes or a whole title each; a code takes precedence
 * over a title, and alone finds what is not for sale. One row per book, with the text's position from 1; none for a text without a match.
 * Most lists are short: if the planner expected its usual 1,000 rows, it would read the whole catalogue for the books of one line.
 */
create function private.matching_books(_texts text[])
returns table (line int, book_id uuid) language sql stable set search_path = '' rows 20 as $$
  with typed as materialized (
    select place::int as line, private.isbn_keys(given) as codes, private.title_key(given) as title
      from unnest(_texts) with ordinality as element (value, place), private.clean_line(value) as given
  ), by_code as (
    select distinct t.line, b.id from typed t cross join unnest(t.codes) as code join public.books b on b.isbn_key = code
  )
  select * from by_code
  union all
  select t.line, b.id from typed t join public.books b on b.title_key = t.title and b.for_sale > -2
   where t.line not in (select c.line from by_code c)
$$;
grant execute on function private.matching_books to anon, authenticated, service_role;

/*
 * The books that match up to 500 texts, each an ISBN (10 or 13 digits, with or without hyphens), one of the shop's
 * own codes, or a whole title; case and accents do not count. _lines is a JSON list of texts, or of objects with a
 * "text"; the shop's server counts the "line" of an object without a match. One row for each, in order: line from 1, matches the number of matching books, books the first 10 of them
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
             row_number() over (partition by f.line order by b.for_sale <= 0, b.created_at desc, b.id) as place
        from found f join public.books b on b.id = f.book_id
    )
    select t.line, coalesce(max(r.matches), 0)::int,
           coalesce(jsonb_agg(private.book_card(r.b) order by r.place) filter (where r.place <= 10), '[]')
      from generate_series(1, jsonb_array_length(_lines)) as t (line) left join ranked r on r.line = t.line
     group by t.line order by t.line;
end $$;
grant execute on function public.match_book_lines to anon, authenticated, service_role;
