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
