-- Lists of consultations and quotes name people: more rows than a screen shows are an export.

/*
 * Staff: quotes with their totals in cedis. _status one status, expired among them; _q part of the reference ('Q2026-0007'), the
 * institution, the contact's name, email or phone, or the purchase order number. _sort created_at (default), institution or
 * valid_until. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create or replace function private.admin_list_quotes(
  _status text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
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
  perform private.require_duty('schools');
  -- More than a screen shows.
  if _page_size > 200 then perform private.require_duty('exports'); end if;
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

/*
 * Staff: consultations. _status 'open', 'answered', 'dated' or 'closed'; _q part of the name, email, phone, institution, subject, classes or
 * what it is about. _sort created_at (default), name or meets_at. Newest first by default; _page from 1, _page_size at most 1,000 (50).
 */
create or replace function private.admin_list_consultations(
  _status text default null, _q text default null, _sort text default 'created_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id uuid, status text, name text, email text, phone text, institution text, subject text, classes text, wished_days text, about text,
  meets_at timestamptz, meets_how text, meeting_place text, staff_note text, created_at timestamptz, closed_at timestamptz, answers int
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'name' then case when _descending then 'c.name desc, c.id desc' else 'c.name asc, c.id asc' end
    when 'meets_at' then case when _descending then 'c.meets_at desc nulls last, c.id desc' else 'c.meets_at asc nulls last, c.id asc' end
    else case when coalesce(_descending, true) then 'c.created_at desc, c.id desc' else 'c.created_at asc, c.id asc' end end;
begin
  perform private.require_duty('schools');
  -- More than a screen shows.
  if _page_size > 200 then perform private.require_duty('exports'); end if;
  return query execute
    'select c.id, c.status, c.name, c.email, c.phone, c.institution, c.subject, c.classes, c.wished_days, c.about, c.meets_at::timestamptz,
            c.meets_how, c.meeting_place, c.staff_note, c.created_at, c.closed_at,
            (select count(*)::int from public.consultation_answers a where a.consultation_id = c.id)
       from public.consultations c where ' || private.consultation_conditions(_status, _q)
      || ' order by ' || sorted || private.paging(_page, _page_size);
end $$;

