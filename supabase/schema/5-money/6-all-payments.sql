-- Lists and totals of all payments for staff, and the closing of a day.

-- A payment's day: when it was paid or, until then, when it was started.
create index payments_newest_first on public.payments ((coalesce(paid_on, (created_at at time zone 'UTC')::date)) desc, created_at desc, id desc);
create index payments_by_reference on public.payments (upper(reference) text_pattern_ops);
create index payments_by_order_number on public.payments (order_number);
create index payments_by_person on public.payments ((coalesce(decided_by, actor))) where coalesce(decided_by, actor) is not null;

/*
 * _q the beginning of a reference, or an order's number; _method, _state and _kind one of each; _from and _to the days of the
 * payments, either may be null; _by the person who recorded or decided it.
 */
create function private.payment_conditions(_q text, _method text, _state text, _kind text, _from date, _to date, _by uuid)
returns text language plpgsql stable set search_path = '' as $$
declare
  typed constant text := private.bare_order_number(_q);
  number constant text := substring(typed from '^[0-9]{1,18}$');
begin
  return 'coalesce(p.paid_on, (p.created_at at time zone ''UTC'')::date) between '
    || format('%L and %L', coalesce(_from, '-infinity'), coalesce(_to, 'infinity'))
    || case when _method <> '' then format(' and p.method = %L', _method) else '' end
    || case when _state <> '' then format(' and p.state = %L', _state) else '' end
    || case when _kind <> '' then format(' and p.kind = %L', _kind) else '' end
    || case when _by is not null then format(' and coalesce(p.decided_by, p.actor) = %L', _by) else '' end
    || case when typed <> '' then format(' and (%s upper(p.reference) like %L)',
         case when number is not null then format('p.order_number = %s or', number) end,
         regexp_replace(upper(typed), '([\\%_])', '\\\1', 'g') || '%') else '' end;
end $$;

/* Staff: payments, refunds and corrections, the newest day first or last. _page from 1, _page_size at most 1,000 (50). */
create function private.admin_find_payments(
  _q text default null, _method text default null, _state text default null, _kind text default null, _from date default null,
  _to date default null, _by uuid default null, _descending boolean default true, _page int default 1, _page_size int default 50
)
returns table (
  id uuid, day date, order_id uuid, order_number bigint, kind text, method text, amount numeric, reference text, state text, reason text,
  received_amount numeric, received_currency text, note text, by_name text, created_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted constant text := replace('coalesce(p.paid_on, (p.created_at at time zone ''UTC'')::date) desc, p.created_at desc, p.id desc', 'desc',
                                  case when coalesce(_descending, true) then 'desc' else 'asc' end);
begin
  perform private.require_duty('payments');
  -- More than a screen shows is an export.
  if _page_size > 200 then perform private.require_duty('exports'); end if;
  return query execute
    'select p.id, coalesce(p.paid_on, (p.created_at at time zone ''UTC'')::date), p.order_id, p.order_number, p.kind, p.method, p.amount,
            p.reference, p.state, p.reason, p.received_amount, p.received_currency, p.note, coalesce(w.full_name, w.email), p.created_at
       from (select p.* from public.payments p where ' || private.payment_conditions(_q, _method, _state, _kind, _from, _to, _by)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as p
       left join public.profiles w on w.id = coalesce(p.decided_by, p.actor)
      order by ' || sorted;
end $$;
select private.expose('admin_find_payments', 'authenticated', 'service_role');

/* Staff: how many rows admin_find_payments has with the same filters, and the totals of the settled ones. */
create function private.admin_sum_payments(
  _q text default null, _method text default null, _state text default null, _kind text default null, _from date default null,
  _to date default null, _by uuid default null
) returns table (found bigint, paid numeric, refunded numeric) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('payments');
  return query execute
    'select count(*), coalesce(sum(p.amount) filter (where p.state = ''settled'' and p.kind <> ''refund''), 0),
            coalesce(-sum(p.amount) filter (where p.state = ''settled'' and p.kind = ''refund''), 0)
       from public.payments p where ' || private.payment_conditions(_q, _method, _state, _kind, _from, _to, _by);
end $$;
select private.expose('admin_sum_payments', 'authenticated', 'service_role');

/* Staff: everyone who recorded or decided a payment, by name. */
create function private.list_payment_people()
returns table (id uuid, name text) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('payments');
  -- From one person to the next by the index, however many payments there are.
  return query with recursive people as (
    (select coalesce(p.decided_by, p.actor) as id from public.payments p
      where coalesce(p.decided_by, p.actor) is not null order by coalesce(p.decided_by, p.actor) limit 1)
    union all
    select (select coalesce(p.decided_by, p.actor) from public.payments p
             where coalesce(p.decided_by, p.actor) > people.id order by coalesce(p.decided_by, p.actor) limit 1)
      from people where people.id is not null
  )
  select w.id, coalesce(w.full_name, w.email) from people join public.profiles w on w.id = people.id
   where coalesce(w.full_name, w.email) is not null order by 2, 1;
end $$;
select private.expose('list_payment_people', 'authenticated', 'service_role');

-- A closed day: what had been taken by each method, what was counted, and by whom. A row is never changed: closing the day
-- again adds another.
create table public.closings (
  id uuid primary key,
  day date not null,
  method text not null,
  -- In cedis: what the payments came to, and what was counted.
  expected numeric(12, 2) not null,
  counted numeric(12, 2) not null,
  note text,
  actor uuid default auth.uid(),
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint closings_method_is_known check (method in ('paystack', 'mobile_money', 'cash', 'bank_transfer')),
  constraint closings_counted_is_sane check (counted between 0 and 99999999.99),
  constraint closings_note_is_short check (length(note) <= 500)
);
create index closings_by_day on public.closings (day desc, method, created_at desc);
alter table public.closings enable row level security;
grant select on public.closings to authenticated, service_role;
create policy "staff read the closings" on public.closings for select to authenticated using ((select private.has_duty('payments')));
create trigger keep_as_written before update or delete on public.closings
  for each row execute function private.keep_as_written();

/*
 * Staff close a day for one method: _counted cedis. _expected is what they were shown; if payments have changed since, it is refused
 * with the new total. Repeating an _id changes nothing, and is refused with other values.
 */
create function private.close_day(_id uuid, _day date, _method text, _expected numeric, _counted numeric, _note text default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  written_note constant text := private.clean_text(_note);
  now_expected numeric;
  known public.closings;
begin
  perform private.require_duty('payments');
  if _id is null or _day is null or _day > private.today() or _day < '2000-01-01' then
    perform private.refuse('PT400', 'invalid_field', 'Please choose a day that is not in the future.', jsonb_build_object('field', 'day', 'rule', 'range'));
  end if;
  if _method is null or _method <> all ('{paystack,mobile_money,cash,bank_transfer}') then
    perform private.refuse('PT400', 'invalid_field', 'Unknown method.', jsonb_build_object('field', 'method', 'rule', 'choice'));
  end if;
  perform private.require_number('counted', 'What was counted', _counted, 0, 99999999.99), private.require_pesewas('counted', 'What was counted', _counted);
  perform private.require_text('note', 'The note', written_note, 500);
  perform pg_advisory_xact_lock(hashtext('public.closings'));
  select * into known from public.closings c where c.id = _id;
  if found then
    if (known.day, known.method, known.counted, known.note) is distinct from (_day, _method, _counted, written_note) then
      perform private.refuse('PT409', 'closing_exists',
        'This day was already closed, before your last changes. You''ll find what was counted on its sheet.');
    end if;
    return;
  end if;
  select coalesce(sum(p.amount), 0) into now_expected from public.payments p
   where p.state = 'settled' and p.paid_on = _day and p.method = _method;
  if now_expected is distinct from _expected then
    perform private.refuse('PT409', 'takings_changed',
      format('The payments of this day have changed: the total is now %s cedis. Please count again.', now_expected),
      jsonb_build_object('expected', now_expected));
  end if;
  insert into public.closings (id, day, method, expected, counted, note) values (_id, _day, _method, now_expected, _counted, written_note);
end $$;
select private.expose('close_day', 'authenticated', 'service_role');

/*
 * Staff: for each method, the day's current total and its latest closing, if any. The difference between the two expected amounts was
 * recorded after the closing.
 */
create function private.list_closings(_day date)
returns table (method text, expected numeric, payments bigint, closed_expected numeric, counted numeric, note text, by_name text, closed_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('payments');
  return query
    select m.method, coalesce(t.amount, 0), coalesce(t.payments, 0), c.expected, c.counted, c.note, w.full_name, c.created_at::timestamptz
      from unnest('{cash,mobile_money,bank_transfer,paystack}'::text[]) with ordinality as m (method, n)
      left join (select p.method, sum(p.amount) as amount, count(*) as payments from public.payments p
                  where p.state = 'settled' and p.paid_on = _day group by 1) as t on t.method = m.method
      left join lateral (select * from public.closings c where c.day = _day and c.method = m.method
                          order by c.created_at desc limit 1) as c on true
      left join public.profiles w on w.id = c.actor
     order by m.n;
end $$;
select private.expose('list_closings', 'authenticated', 'service_role');
