-- The back office's list of quotes: by status, by reference, institution, contact or purchase order number.

create function private.quote_conditions(_status text, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select case _status
             when 'expired' then format('q.status = ''sent'' and q.valid_until < %L', private.today())
             -- As staff read it: what they have begun themselves waits for nobody.
             when 'requested' then 'q.status = ''requested'' and not q.begun_by_staff'
             when 'draft' then 'q.status = ''requested'' and q.begun_by_staff'
             when 'sent' then format('q.status = ''sent'' and q.valid_until >= %L', private.today())
             else format('q.status = %L', _status) end as condition
     where _status <> ''
    union all
    select '(' || found || ')' from private.found_by_text('q.search_text', _q) as found where found is not null
  ) as conditions
$$;

/*
 * Staff: quotes with their totals in cedis, delivery included as far as its fee is known. _status one status, with expired, and draft for those requested that staff began; _q part of the reference ('Q2026-0007'), the
 * institution, the contact's name, email or phone, or the purchase order number. _sort created_at (default), institution or
 * valid_until. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_quotes(
  _status text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, status text, valid_until date,
  created_at timestamptz, purchase_order_number text, copies bigint, total numeric, begun_by_staff boolean
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'institution' then case when _descending then 'q.institution desc nulls last, q.id desc' else 'q.institution asc nulls last, q.id asc' end
    when 'valid_until' then case when _descending then 'q.valid_until desc nulls last, q.id desc' else 'q.valid_until asc nulls last, q.id asc' end
    else case when coalesce(_descending, true) then 'q.created_at desc, q.id desc' else 'q.created_at asc, q.id asc' end end;
begin
  perform private.require_duty('schools');
  -- More than a screen shows.
  if _page_size > 200 then perform private.require_duty('exports'); end if;
  return query execute
    'select q.id, q.reference, q.institution, q.contact_name, q.contact_email, private.quote_status(q.status, q.valid_until),
            q.valid_until, q.created_at, q.purchase_order_number, l.copies, l.total + coalesce(private.quote_delivery_fee(q), 0), q.begun_by_staff
       from (select q.id from public.quotes q where ' || private.quote_conditions(_status, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.quotes q on q.id = page.id
        cross join lateral (select coalesce(sum(l.quantity), 0) as copies, coalesce(sum(l.unit_price * l.quantity), 0) as total
                              from public.quote_lines l where l.quote_id = q.id) as l
      order by ' || sorted;
end $$;
select private.expose('admin_list_quotes', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_quotes has with the same filters: exact. */
create function private.admin_count_quotes(_status text default null, _q text default null)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_duty('schools');
  execute 'select count(*) from public.quotes q where ' || private.quote_conditions(_status, _q) into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_quotes', 'authenticated', 'service_role');
