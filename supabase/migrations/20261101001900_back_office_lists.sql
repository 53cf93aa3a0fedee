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
revoke execute on function private.paging(int, int) from public;

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
revoke execute on function private.ordered_paging(text, text, text, int, int) from public;

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
revoke execute on function private.refers_to_found(text, regtype, regclass, text) from public;
