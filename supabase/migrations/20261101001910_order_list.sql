-- The back office's list of orders: by status, by number or id, by customer, by recipient.

/* What was typed, without '#' or 'No.' before it and without the ellipsis that the lists show after a shortened id. */
create function private.bare_order_number(_q text)
returns text language sql immutable set search_path = '' as $$
  select regexp_replace(_q, '^[[:space:]]*((order[[:space:]]+)?(#|no\.|no(?=[[:space:]]|[0-9]))[[:space:]]*)?|[.…[:space:]]+$', '', 'gi')
$$;
revoke execute on function private.bare_order_number(text) from public;

/* An order is found by its own texts or by its customer's. */
create function private.order_conditions(_status text, _q text, _method text, _region text, _payment text)
returns text language plpgsql stable set search_path = '' as $$
declare
  conditions text := case when _status <> '' then format('o.status = %L', _status) else 'true' end
    || case when _method <> '' then format(' and o.delivery_method = %L', _method) else '' end
    || case when _region <> '' then format(' and o.region = %L', _region) else '' end
    || case _payment
         when 'due' then ' and o.payment_state in (''due'', ''part_paid'')'
         when 'paid' then ' and o.payment_state = ''paid'''
         when 'needs_decision' then ' and (o.has_undecided_payment or o.payment_state = ''too_much'')'
         else '' end;
  typed constant text := private.bare_order_number(_q);
  -- Digits after '#' or 'No.' mean the order's number alone; without them they may be part of a phone number too.
  number constant text := substring(typed from '^[0-9]{1,18}$');
  only_number constant boolean := length(number) < 8 and typed <> btrim(_q);
  own text;
  theirs text;
begin
  if only_number then return format('%s and o.number = %s', conditions, number); end if;
  select string_agg(format('o.search_text like %L', pattern), ' or '), string_agg(format('x.search_text like %L', pattern), ' or ')
    into own, theirs
    from unnest(array[private.contains_pattern(typed), private.phone_pattern(typed)]) as pattern
   where pattern is not null;
  if own is null then return conditions; end if;
  if number is not null then own := format('o.number = %s or %s', number, own); end if;
  return format('%s and (%s or %s)', conditions, own, private.refers_to_found('o.user_id', 'uuid', 'public.profiles', theirs));
end $$;
revoke execute on function private.order_conditions(text, text, text, text, text) from public;

create function private.admin_list_orders(
  _status text, _q text, _method text, _region text, _payment text, _sort text, _descending boolean, _page int, _page_size int
)
returns table (
  id uuid, number bigint, user_id uuid, total_amount numeric, status text, shipping_address text, recipient_name text,
  recipient_email text, recipient_phone text, region text, landmark text, digital_address text, delivery_method text,
  bus_station text, delivery_note text, delivery_fee numeric, stock_held boolean, payment_state text, created_at timestamptz,
  customer_name text, customer_email text, customer_phone text
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'total_amount' then case when _descending then 'o.total_amount desc, o.id desc' else 'o.total_amount asc, o.id asc' end
    when 'status' then case when _descending then 'o.status desc, o.created_at asc, o.id asc' else 'o.status asc, o.created_at desc, o.id desc' end
    else case when coalesce(_descending, true) then 'o.created_at desc, o.id desc' else 'o.created_at asc, o.id asc' end end;
  conditions text;
begin
  perform private.require_staff();
  conditions := private.order_conditions(_status, _q, _method, _region, _payment);
  return query execute
    'select o.id, o.number, o.user_id, o.total_amount, o.status, o.shipping_address, o.recipient_name, o.recipient_email,
              o.recipient_phone, o.region, o.landmark, o.digital_address, o.delivery_method, o.bus_station, o.delivery_note,
              o.delivery_fee, o.stock_held, o.payment_state, o.created_at,
              case when o.user_id is null then o.recipient_name else p.full_name end,
              case when o.user_id is null then o.recipient_email else p.email end,
              case when o.user_id is null then o.recipient_phone else p.phone end
       from (select o.id from public.orders o where ' || conditions
         || private.ordered_paging('orders', conditions, sorted, _page, _page_size) || ') as page
         join public.orders o on o.id = page.id left join public.profiles p on p.id = o.user_id
      order by ' || sorted;
end $$;
revoke execute on function private.admin_list_orders(text, text, text, text, text, text, boolean, int, int) from public;
grant execute on function private.admin_list_orders(text, text, text, text, text, text, boolean, int, int) to authenticated, service_role;

/*
 * Staff: orders with their customers; of a caller without an account, whose user_id is null, the recipient. _status one status; _q the order's number ('1042', '#1042', 'No. 1042'), or part
 * of its id, or of the name, email or phone of the customer or the recipient; _method one way of delivery; _region one region;
 * _payment 'due', 'paid' or 'needs_decision'. _sort created_at (default), total_amount or status. Newest first by default;
 * _page from 1, _page_size at most 1,000 (50).
 */
create function public.admin_list_orders(
  _status text default null, _q text default null, _method text default null, _region text default null, _payment text default null,
  _sort text default 'created_at', _descending boolean default null, _page int default 1, _page_size int default 50
) returns table (
  id uuid, number bigint, user_id uuid, total_amount numeric, status text, shipping_address text, recipient_name text,
  recipient_email text, recipient_phone text, region text, landmark text, digital_address text, delivery_method text,
  bus_station text, delivery_note text, delivery_fee numeric, stock_held boolean, payment_state text, created_at timestamptz,
  customer_name text, customer_email text, customer_phone text
) language sql stable set search_path = '' as $$
  select * from private.admin_list_orders(_status, _q, _method, _region, _payment, _sort, _descending, _page, _page_size)
$$;
revoke execute on function public.admin_list_orders(text, text, text, text, text, text, boolean, int, int) from public, anon, authenticated, service_role;
grant execute on function public.admin_list_orders(text, text, text, text, text, text, boolean, int, int) to authenticated, service_role;

create function private.admin_count_orders(_status text, _q text, _method text, _region text, _payment text)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  conditions text;
  found_rows bigint;
begin
  perform private.require_staff();
  conditions := private.order_conditions(_status, _q, _method, _region, _payment);
  if _payment is distinct from 'needs_decision'
     and conditions = private.order_conditions(_status, null, null, null, _payment) then
    return private.tally_orders(_status, _payment);
  end if;
  execute 'select count(*) from public.orders o where ' || conditions into found_rows;
  return found_rows;
end $$;
revoke execute on function private.admin_count_orders(text, text, text, text, text) from public;
grant execute on function private.admin_count_orders(text, text, text, text, text) to authenticated, service_role;

/* Staff: how many rows admin_list_orders has with the same filters: exact. */
create function public.admin_count_orders(
  _status text default null, _q text default null, _method text default null, _region text default null, _payment text default null
)
returns bigint language sql stable set search_path = '' as $$
  select private.admin_count_orders(_status, _q, _method, _region, _payment)
$$;
revoke execute on function public.admin_count_orders(text, text, text, text, text) from public, anon, authenticated, service_role;
grant execute on function public.admin_count_orders(text, text, text, text, text) to authenticated, service_role;

create function private.admin_list_order_lines(_order_ids uuid[])
returns table (order_id uuid, lines jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    select i.order_id, jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'isbn', i.isbn,
                                                    'quantity', i.quantity, 'price', i.price) order by i.title, i.id)
      from public.order_items i
     where i.order_id = any (_order_ids[1:1000])
     group by i.order_id;
end $$;
revoke execute on function private.admin_list_order_lines(uuid[]) from public;
grant execute on function private.admin_list_order_lines(uuid[]) to authenticated, service_role;

/* Staff: the lines of up to 1,000 orders, one row an order: [{"title": …, "publisher": …, "isbn": …, "quantity": …, "price": …}]. */
create function public.admin_list_order_lines(_order_ids uuid[])
returns table (order_id uuid, lines jsonb) language sql stable set search_path = '' as $$
  select * from private.admin_list_order_lines(_order_ids)
$$;
revoke execute on function public.admin_list_order_lines(uuid[]) from public, anon, authenticated, service_role;
grant execute on function public.admin_list_order_lines(uuid[]) to authenticated, service_role;
