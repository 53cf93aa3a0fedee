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
  perform private.require_duty('schools');
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
  perform private.require_duty('schools');
  execute 'select count(*) from public.booklists b where ' || private.booklist_conditions(_status, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_booklists', 'authenticated', 'service_role');
