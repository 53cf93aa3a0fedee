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
