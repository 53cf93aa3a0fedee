-- Access to digital titles: the customer of a paid order has it, until a refund or cancellation.

/* The one rule: whether an order gives access to its digital titles. One of 0 cedis does at once. */
create function private.has_digital_access(_paid numeric, _total numeric, _status text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select _paid >= _total and _status <> 'cancelled'
$$;
grant execute on function private.has_digital_access to authenticated, service_role;

/*
 * Whether an order's customer sees its files and codes now. Money that Paystack is refunding counts as refunded at once, although it is sent
 * days later; if the refund fails, access is back.
 */
create function private.has_order_access(_order public.orders)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_digital_access(
    _order.paid_amount + (
      -- A refund of money that doesn't count (needs_decision, set_aside) takes nothing away.
      select coalesce(sum(r.amount), 0)
        from public.payments r join public.payments p on p.id = r.about and p.state = 'settled'
       where r.order_id = _order.id and r.kind = 'refund' and r.state = 'open'),
    _order.total_amount - _order.returned_amount, _order.status);
end $$;

/* The number of a title's codes in an order. */
create function private.codes_given(_order_id uuid, _book_id uuid)
returns int language sql stable security definer set search_path = '' as $$
  select count(*)::int from private.licence_codes c where c.order_id = _order_id and c.book_id = _book_id
$$;

/*
 * Gives an order with access what it has of digital titles: its codes, an email with a link to the order, and, if there is nothing else in it,
 * the status delivered. It is idempotent. The caller has locked the order, and its copies are out of
 * stock: there are free codes for all of them, and none that another order is being given at this moment.
 */
create function private.settle_digital(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  settled public.orders;
  line record;
  is_digital boolean;
  has_others boolean;
  task constant text := coalesce(current_setting('shop.task', true), '');
begin
  select * into settled from public.orders where id = _order_id;
  if not private.has_digital_access(settled.paid_amount, settled.total_amount - settled.returned_amount, settled.status) then return; end if;
  select bool_or(d.book_id is not null), bool_or(d.book_id is null) into is_digital, has_others
    from public.order_items i
    left join private.digital_titles(array(select l.sold_book_id from public.order_items l where l.order_id = _order_id)) as d on d.book_id = i.sold_book_id
   where i.order_id = _order_id;
  if is_digital is not true then return; end if;
  if settled.stock_held then
    for line in
      select i.sold_book_id as book_id, i.quantity - private.codes_given(_order_id, i.sold_book_id) - private.copies_returned(i.id) as missing
        from public.order_items i
        join private.digital_titles(array(select l.sold_book_id from public.order_items l where l.order_id = _order_id)) as d on d.book_id = i.sold_book_id
       where i.order_id = _order_id and d.digital_by = 'code'
    loop
      update private.licence_codes set order_id = _order_id, given_at = clock_timestamp() where id = any (array(
        select c.id from private.licence_codes c where c.book_id = line.book_id and c.order_id is null order by c.id limit greatest(line.missing, 0)
           for update skip locked));
    end loop;
  end if;
  -- One that waits will say the same.
  if not exists (select from public.outgoing_emails e where e.order_id = _order_id and e.kind = 'downloads_ready' and e.state = 'waiting' and e.lease is null) then
    perform private.queue_email('downloads_ready', format('%s:%s', _order_id, clock_timestamp()), _order_id);
  end if;
  if not has_others and private.is_open(settled.status) then
    -- That email says it.
    perform set_config('shop.task', 'download', true);
    update public.orders set status = 'delivered' where id = _order_id;
    perform set_config('shop.task', task, true);
  end if;
end $$;

/* How often an order's customer can download a file, per copy. Until an admin changes it, as in shared/owner/settings.ts. */
create function private.download_times()
returns int language sql stable set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'downloadTimes'), 5)
$$;

create function private.download_hours()
returns int language sql stable set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'downloadHours'), 24)
$$;

/* 'ready'; 'ended' after a refund or cancellation; or 'unpaid'. */
create function private.digital_access(_order public.orders)
returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return case when private.has_order_access(_order) then 'ready'
              when _order.status = 'cancelled' or exists (
                select from public.payments p
                 where p.order_id = _order.id and p.kind <> 'payment' and p.state in ('open', 'settled')) then 'ended'
              else 'unpaid' end;
end $$;

/*
 * Customers: what they can download of one of their own orders: {access: 'ready', 'unpaid' or 'ended', lines: [{book_id, title, copies,
 * files: [{id, name, type, size, left}], codes}]}, size in bytes, left the number of remaining downloads. Files and
 * codes are empty without access. Null when the order has no digital title or isn't theirs.
 */
create function private.own_downloads(_order_id uuid)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  own public.orders;
  access text;
begin
  select * into own from public.orders o where o.id = _order_id and o.user_id = auth.uid();
  if not found then return null; end if;
  access := private.digital_access(own);
  return (
    select jsonb_build_object('access', access, 'lines', jsonb_agg(jsonb_build_object(
             'book_id', i.sold_book_id, 'title', i.title, 'copies', i.quantity,
             'files', (
               select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'type', f.type, 'size', f.size,
                        'left', greatest(private.download_times() * i.quantity - coalesce(u.used, 0), 0)) order by f.added_at, f.id), '[]')
                 from private.digital_files f left join private.file_downloads u on u.order_id = _order_id and u.file_id = f.id
                where access = 'ready' and d.digital_by = 'file' and f.book_id = i.sold_book_id and f.removed_at is null),
             'codes', (
               select coalesce(jsonb_agg(c.code order by c.id), '[]') from private.licence_codes c
                where access = 'ready' and c.order_id = _order_id and c.book_id = i.sold_book_id)) order by private.fold(i.title), i.id))
      from public.order_items i
      join private.digital_titles(array(select l.sold_book_id from public.order_items l where l.order_id = _order_id)) as d on d.book_id = i.sold_book_id
     where i.order_id = _order_id having count(*) > 0);
end $$;
select private.expose('own_downloads', 'authenticated');

/*
 * Customers: starts the download of a file of one of their own paid orders, and counts it. Returns {token,
 * expires_at}: until then /downloads/{token} responds with the file, as often as it is continued.
 */
create function private.start_download(_order_id uuid, _file_id uuid)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  own public.orders;
  copies int;
  access text;
  most int;
  token constant text := replace(gen_random_uuid()::text, '-', '');
  expires_at constant timestamptz := clock_timestamp() + make_interval(hours => private.download_hours());
begin
  select * into own from public.orders o where o.id = _order_id and o.user_id = auth.uid();
  select sum(i.quantity) into copies
    from private.digital_files f join public.order_items i on i.order_id = own.id and i.sold_book_id = f.book_id
   where f.id = _file_id and f.removed_at is null;
  if copies is null then
    perform private.refuse('PT404', 'file_not_found', 'This file is not part of your order, or is no longer offered.');
  end if;
  access := private.digital_access(own);
  if access <> 'ready' then
    perform private.refuse('PT409', 'no_access', case access when 'unpaid' then 'You can download this once the order is paid.'
                                                             else 'This order was cancelled or refunded, so it can''t be downloaded any more.' end,
      jsonb_build_object('access', access));
  end if;
  most := private.download_times() * copies;
  insert into private.file_downloads as d (order_id, file_id, used) values (_order_id, _file_id, 1)
  on conflict (order_id, file_id) do update set used = d.used + 1 where d.used < most;
  if not found then
    perform private.refuse('PT409', 'downloads_used', format('You have downloaded this file %s times, which is the limit. Please contact us.', most),
      jsonb_build_object('limit', most));
  end if;
  insert into private.download_tickets (token_hash, file_id, order_id, user_id, expires_at)
  values (private.hash_token(token), _file_id, _order_id, auth.uid(), expires_at);
  return jsonb_build_object('token', token, 'expires_at', expires_at);
end $$;
select private.expose('start_download', 'authenticated');

/*
 * The web server, for each request, and with _bytes before it sends these: what a link leads to now, {state, id, name, type, size, pieces,
 * sha256}. state: 'ready', 'expired', 'used' when the link has sent five times its file, so that one that is passed on doesn't serve
 * everybody, or 'ended' when the order has no access any more or the file was removed. Null for an unknown token.
 */
create function private.find_download(_token text, _bytes int default 0)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  is_used boolean := false;
begin
  if _bytes > 0 then
    update private.download_tickets t set sent = t.sent + _bytes
      from private.digital_files f
     where t.token_hash = private.hash_token(_token) and f.id = t.file_id and t.sent + _bytes <= 5 * f.size;
    is_used := not found;
  end if;
  return (
    select jsonb_build_object(
           'state', case when o.id is null or f.removed_at is not null or not private.has_order_access(o)
                           -- Taken out of the order since.
                           or not exists (select from public.order_items i where i.order_id = o.id and i.sold_book_id = f.book_id) then 'ended'
                         when is_used or _bytes = 0 and t.sent >= 5 * f.size then 'used'
                         when t.expires_at <= clock_timestamp() then 'expired' else 'ready' end,
           'id', f.id, 'name', f.name, 'type', f.type, 'size', f.size, 'pieces', f.pieces, 'sha256', f.sha256)
    from private.download_tickets t
    join private.digital_files f on f.id = t.file_id
    left join public.orders o on o.id = t.order_id
   where t.token_hash = private.hash_token(_token));
end $$;
select private.expose('find_download', 'service_role');

/*
 * Staff with both duties: an order's codes, [{book_id, title, codes}], also after a refund. The log records who read
 * them and when, without the codes.
 */
create function private.list_given_codes(_order_id uuid)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  number bigint;
  given jsonb;
begin
  perform private.require_duty('catalogue', 'orders');
  select o.number into number from public.orders o where o.id = _order_id;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('book_id', i.sold_book_id, 'title', i.title, 'codes', c.codes) order by private.fold(i.title), i.id), '[]')
    into given
    from public.order_items i
   cross join lateral (select jsonb_agg(l.code order by l.id) as codes from private.licence_codes l
                        where l.order_id = _order_id and l.book_id = i.sold_book_id) as c
   where i.order_id = _order_id and c.codes is not null;
  if given <> '[]' then
    insert into public.audit_log (table_name, row_id, action, after)
    values ('licence_codes', _order_id, 'read', jsonb_build_object('order_id', _order_id, 'number', number,
      'title', (select string_agg(line ->> 'title', ', ') from jsonb_array_elements(given) as line)));
  end if;
  return given;
end $$;
select private.expose('list_given_codes', 'authenticated', 'service_role');

/* For the nightly housekeeping: deletes links that ended a week ago; until then their page says so. */
create function private.forget_old_tickets()
returns void language sql security definer set search_path = '' as $$
  delete from private.download_tickets where expires_at < clock_timestamp() - interval '7 days'
$$;
select private.expose('forget_old_tickets', 'service_role');
