-- The back office's list of people with accounts: by role, by name, email or phone.

create function private.user_conditions(_role text, _q text)
returns text language sql immutable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('u.id in (select r.user_id from public.user_roles r where r.role = %L)', _role) as condition
      where _role <> '' and _role not in ('user', 'duties')
    union all
    select 'exists (select from public.staff_duties d where d.user_id = u.id)' where _role = 'duties'
    union all
    select 'not exists (select from public.user_roles r where r.user_id = u.id and r.role <> ''user'')' where _role = 'user'
    union all
    select '(' || found || ')' from private.found_by_text('u.search_text', _q) as found where found is not null
  ) as conditions
$$;

/*
 * Staff: profiles with their roles. _role one role (no row is user), or 'duties' for people who were given some; _q part of name, email or phone. _sort created_at
 * (default), full_name or email. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_users(
  _role text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, full_name text, email text, phone text, created_at timestamptz, role text
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'full_name' then case when _descending then 'lower(u.full_name) desc, u.id desc' else 'lower(u.full_name) asc, u.id asc' end
    when 'email' then case when _descending then 'lower(u.email) desc, u.id desc' else 'lower(u.email) asc, u.id asc' end
    else case when coalesce(_descending, true) then 'u.created_at desc, u.id desc' else 'u.created_at asc, u.id asc' end end;
begin
  perform private.require_duty('people');
  -- More than a screen shows is an export.
  if _page_size > 200 then perform private.require_duty('exports'); end if;
  return query execute
    'select u.id, u.full_name, u.email, u.phone, u.created_at,
              coalesce((select r.role from public.user_roles r where r.user_id = u.id order by r.id desc limit 1), ''user'')
       from (select u.id from public.profiles u where ' || private.user_conditions(_role, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.profiles u on u.id = page.id
      order by ' || sorted;
end $$;
select private.expose('admin_list_users', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_users has with the same filters: exact. */
create function private.admin_count_users(_role text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_duty('people');
  execute 'select count(*) from public.profiles u where ' || private.user_conditions(_role, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_users', 'authenticated', 'service_role');
