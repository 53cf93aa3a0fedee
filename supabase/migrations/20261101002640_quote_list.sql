-- The back office's list of quotes: by status, by reference, institution, contact or purchase order number; and one quote whole.

create function private.quote_conditions(_status text, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select case _status
             when 'expired' then format('q.status = ''sent'' and q.valid_until < %L', private.today())
             when 'sent' then format('q.status = ''sent'' and q.valid_until >= %L', private.today())
             else format('q.status = %L', _status) end as condition
     where _status <> ''
    union all
    select '(' || string_agg(format('q.search_text like %L', pattern), ' or ') || ')'
      from unnest(array[private.contains_pattern(_q), private.phone_pattern(_q)]) as pattern
     where pattern is not null
    having count(*) > 0
  ) as conditions
$$;
revoke execute on function private.quote_conditions(text, text) from public;

create function private.admin_list_quotes(_status text, _q text, _sort text, _descending boolean, _page int, _page_size int)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, status text, valid_until date,
  created_at timestamptz, purchase_order_number text, copies bigint, total numeric
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'institution' then case when _descending then 'q.institution desc nulls last, q.id desc' else 'q.institution asc nulls last, q.id asc' end
    when 'valid_until' then case when _descending then 'q.valid_until desc nulls last, q.id desc' else 'q.valid_until asc nulls last, q.id asc' end
    else case when coalesce(_descending, true) then 'q.created_at desc, q.id desc' else 'q.created_at asc, q.id asc' end end;
begin
  perform private.require_staff();
  return query execute
    'select q.id, q.reference, q.institution, q.contact_name, q.contact_email, private.quote_status(q.status, q.valid_until),
            q.valid_until, q.created_at, q.purchase_order_number, l.copies, l.total
       from (select q.id from public.quotes q where ' || private.quote_conditions(_status, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.quotes q on q.id = page.id
        cross join lateral (select sum(l.quantity) as copies, sum(l.unit_price * l.quantity) as total
                              from public.quote_lines l where l.quote_id = q.id) as l
      order by ' || sorted;
end $$;
revoke execute on function private.admin_list_quotes(text, text, text, boolean, int, int) from public;
grant execute on function private.admin_list_quotes(text, text, text, boolean, int, int) to authenticated, service_role;

/*
 * Staff: quotes with their totals in cedis. _status one status, expired among them; _q part of the reference ('Q2026-0007'), the
 * institution, the contact's name, email or phone, or the purchase order number. _sort created_at (default), institution or
 * valid_until. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function public.admin_list_quotes(
  _status text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
) returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, status text, valid_until date,
  created_at timestamptz, purchase_order_number text, copies bigint, total numeric
) language sql stable set search_path = '' as $$
  select * from private.admin_list_quotes(_status, _q, _sort, _descending, _page, _page_size)
$$;
revoke execute on function public.admin_list_quotes(text, text, text, boolean, int, int) from public, anon, authenticated, service_role;
grant execute on function public.admin_list_quotes(text, text, text, boolean, int, int) to authenticated, service_role;

create function private.admin_count_quotes(_status text, _q text)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_staff();
  execute 'select count(*) from public.quotes q where ' || private.quote_conditions(_status, _q) into found_rows;
  return found_rows;
end $$;
revoke execute on function private.admin_count_quotes(text, text) from public;
grant execute on function private.admin_count_quotes(text, text) to authenticated, service_role;

/* Staff: how many rows admin_list_quotes has with the same filters: exact. */
create function public.admin_count_quotes(_status text default null, _q text default null)
returns bigint language sql stable set search_path = '' as $$
  select private.admin_count_quotes(_status, _q)
$$;
revoke execute on function public.admin_count_quotes(text, text) from public, anon, authenticated, service_role;
grant execute on function public.admin_count_quotes(text, text) to authenticated, service_role;

create function private.admin_find_quote(_quote_id uuid)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, decided_at timestamptz,
  order_id uuid, order_number bigint, purchase_order_number text, lines jsonb
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    select q.id, q.reference, q.institution, q.contact_name, q.contact_email, q.contact_phone, q.message, q.note,
           private.quote_status(q.status, q.valid_until), q.valid_until, q.version, q.created_at, q.sent_at, q.decided_at,
           q.order_id, o.number, q.purchase_order_number, private.quote_lines_as_json(q.id, true)
      from public.quotes q left join public.orders o on o.id = q.order_id
     where q.id = _quote_id;
end $$;
revoke execute on function private.admin_find_quote(uuid) from public;
grant execute on function private.admin_find_quote(uuid) to authenticated, service_role;

/*
 * Staff: one quote, drafts included, or no row. lines as find_own_quote has them; order_number is null while there is no order, or
 * once it has been deleted.
 */
create function public.admin_find_quote(_quote_id uuid)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, decided_at timestamptz,
  order_id uuid, order_number bigint, purchase_order_number text, lines jsonb
) language sql stable set search_path = '' as $$
  select * from private.admin_find_quote(_quote_id)
$$;
revoke execute on function public.admin_find_quote(uuid) from public, anon, authenticated, service_role;
grant execute on function public.admin_find_quote(uuid) to authenticated, service_role;
