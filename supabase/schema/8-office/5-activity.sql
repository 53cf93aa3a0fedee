-- The back office's list of activity: the audit log by table and person, with what can be brought back.

create function private.audit_conditions(_table_name text, _actor uuid, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('a.table_name = %L', _table_name) as condition where _table_name <> ''
    union all
    select format('a.actor = %L::uuid', _actor) where _actor is not null
    union all
    -- A role or duty is found by its person as well as by who gave it; what was deleted by its title.
    -- An order's entries go in by their ids: the planner has no statistics on its number, and would read the log from its end for them.
    select format('(a.row_id = %L or %s or %s or a.table_name in (''user_roles'', ''staff_duties'') and %s or %s)',
                  private.clean_line(_q), private.contains_condition('a.titles', _q), private.refers_to_found('a.actor', 'uuid', 'public.profiles', found),
                  private.refers_to_found('(coalesce(a.after, a.before) ->> ''user_id'')', 'text', 'public.profiles', found),
                  case when cardinality(entries) > 0 then format('a.id = any (%L::bigint[])', entries) else 'false' end)
      from private.contains_condition('x.search_text', _q) as found,
           (select array(select x.id from public.audit_log x
                          where x.table_name = 'orders' and coalesce(x.after, x.before) ->> 'number' = private.bare_order_number(_q))
           ) as of_order (entries)
     where found is not null
  ) as conditions
$$;

/*
 * Admins: the audit log with its actors; what was done to the settings also for the duty settings. _table_name one table; _actor one person; _q a row's id, an order's number, part of a title, or of
 * the name or email of the actor or of the person a role is about. "restorable" says whether a row is the latest deletion of something that is still deleted, or the latest change of an open order's lines. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_audit(
  _table_name text default null, _actor uuid default null, _q text default null, _sort text default 'id', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id bigint, happened_at timestamptz, actor uuid, actor_name text, actor_email text, table_name text, row_id text,
  action text, before jsonb, after jsonb, restorable boolean
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case when coalesce(_descending, true) then 'a.id desc' else 'a.id asc' end;
begin
  if _table_name = 'shop_settings' then perform private.require_duty('settings'); else perform private.require_staff(); end if;
  return query execute
    'select a.id, a.happened_at, a.actor, p.full_name, p.email, a.table_name, a.row_id, a.action, a.before, a.after,
              a.action in (''delete'', ''change'') and not exists (
                select from public.audit_log later
                 where later.table_name = a.table_name and later.row_id = a.row_id and later.action = a.action and later.id > a.id
              ) and case case a.action when ''change'' then a.action else a.table_name end
                when ''change'' then exists (
                  select from public.orders x where x.id::text = a.row_id and x.status in (''pending'', ''processing''))
                when ''books'' then not exists (select from public.books x where x.id::text = a.row_id)
                when ''orders'' then not exists (select from public.orders x where x.id::text = a.row_id)
                when ''reviews'' then not exists (select from public.reviews x where x.id::text = a.row_id)
                  and exists (select from public.books x where x.id::text = a.before ->> ''book_id'')
                when ''publishers'' then not exists (select from public.publishers x where x.id::text = a.row_id)
                else false end
       from (select a.id from public.audit_log a where ' || private.audit_conditions(_table_name, _actor, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.audit_log a on a.id = page.id left join public.profiles p on p.id = a.actor
      order by ' || sorted;
end $$;
select private.expose('admin_list_audit', 'authenticated', 'service_role');

/* Admins: how many rows admin_list_audit has with the same filters: exact. */
create function private.admin_count_audit(_table_name text default null, _actor uuid default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_staff();
  execute 'select count(*) from public.audit_log a where ' || private.audit_conditions(_table_name, _actor, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_audit', 'authenticated', 'service_role');
