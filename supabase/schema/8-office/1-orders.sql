-- The back office's list of orders: by status, by number or id, by customer, by recipient.

/* What was typed, without '#' or 'No.' before it and without the ellipsis that the lists show after a shortened id. */
create function private.bare_order_number(_q text)
returns text language sql immutable set search_path = '' as $$
  select regexp_replace(_q, '^[[:space:]]*((order[[:space:]]+)?(#|no\.|no(?=[[:space:]]|[0-9]))[[:space:]]*)?|[.…[:space:]]+$', '', 'gi')
$$;

/* An order is found by its own texts or by its customer's. */
create function private.order_conditions(_status text, _q text, _method text, _region text, _payment text)
returns text language plpgsql stable set search_path = '' as $$
declare
  conditions text := case when _status <> '' then format('o.status = %L', _status) else 'true' end
    || case when _method = 'send' then ' and o.delivery_method not in (''collect'', ''download'')'
            when _method = 'pack' then ' and o.delivery_method <> ''download'''
            when _method <> '' then format(' and o.delivery_method = %L', _method) else '' end
    || case when _region <> '' then format(' and o.region = %L', _region) else '' end
    || case _payment
         when 'due' then ' and o.payment_state in (''due'', ''part_paid'')'
         when 'paid' then ' and o.payment_state = ''paid'''
         when 'to_refund' then ' and o.payment_state = ''too_much'''
         when 'needs_decision' then ' and (o.has_undecided_payment or o.payment_state = ''too_much'')'
         else '' end;
  typed constant text := private.bare_order_number(_q);
  -- Digits after '#' or 'No.' mean the order's number alone; without them they may be part of a phone number too.
  number constant text := substring(typed from '^[0-9]{1,18}$');
  only_number constant boolean := length(number) < 8 and typed <> btrim(_q);
  referred constant bigint := private.number_in_reference(_q);
  own text;
  theirs text;
begin
  if only_number then return format('%s and o.number = %s', conditions, number); end if;
  if referred is not null then return format('%s and o.number = %s', conditions, referred); end if;
  own := private.found_by_text('o.search_text', typed);
  theirs := private.found_by_text('x.search_text', typed);
  if own is null then return conditions; end if;
  if number is not null then own := format('o.number = %s or %s', number, own); end if;
  return format('%s and (%s or %s)', conditions, own, private.refers_to_found('o.user_id', 'uuid', 'public.profiles', theirs));
end $$;

/*
 * Staff: orders; user_id is null for a caller without an account. _status one status; _q the order's number ('1042', '#1042',
 * 'No. 1042') or the reference that its customer pays it with, or part of its id, or of the name, email or phone of the customer or the recipient, or of the customer's reference; _method one way of delivery, or 'send' for all that leave the shop, or 'pack' for all but downloads; _region one region;
 * _payment 'due', 'paid', 'to_refund' or 'needs_decision'. _sort created_at (default), total_amount or status. Newest first by default;
 * _page from 1, _page_size at most 1,000 (50).
 */
create function private.admin_list_orders(
  _status text default null, _q text default null, _method text default null, _region text default null, _payment text default null,
  _sort text default 'created_at', _descending boolean default null, _page int default 1, _page_size int default 50
) returns setof public.orders language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'total_amount' then case when _descending then 'o.total_amount desc, o.id desc' else 'o.total_amount asc, o.id asc' end
    when 'status' then case when _descending then 'o.status desc, o.created_at asc, o.id asc' else 'o.status asc, o.created_at desc, o.id desc' end
    else case when coalesce(_descending, true) then 'o.created_at desc, o.id desc' else 'o.created_at asc, o.id asc' end end;
  conditions text;
begin
  perform private.require_duty('orders');
  -- More than a screen shows is an export.
  if _page_size > 200 then perform private.require_duty('exports'); end if;
  conditions := private.order_conditions(_status, _q, _method, _region, _payment);
  return query execute
    'select o.*
       from (select o.id from public.orders o where ' || conditions
         || private.ordered_paging('orders', conditions, sorted, _page, _page_size) || ') as page
         join public.orders o on o.id = page.id
      order by ' || sorted;
end $$;
select private.expose('admin_list_orders', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_orders has with the same filters: exact. */
create function private.admin_count_orders(
  _status text default null, _q text default null, _method text default null, _region text default null, _payment text default null
)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  conditions text;
  found_rows bigint;
begin
  perform private.require_duty('orders');
  conditions := private.order_conditions(_status, _q, _method, _region, _payment);
  if _payment is distinct from 'needs_decision'
     and conditions = private.order_conditions(_status, null, null, null, _payment) then
    return private.tally_orders(_status, _payment);
  end if;
  execute 'select count(*) from public.orders o where ' || conditions into found_rows;
  return found_rows;
end $$;
select private.expose('admin_count_orders', 'authenticated', 'service_role');

/* Staff: the lines of up to 1,000 orders, one row an order: [{"title": …, "publisher": …, "isbn": …, "quantity": …, "price": …}]. */
create function private.admin_list_order_lines(_order_ids uuid[])
returns table (order_id uuid, lines jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders', 'exports');
  return query
    select i.order_id, jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'isbn', i.isbn,
                                                    'quantity', i.quantity, 'price', i.price) order by i.title, i.id)
      from public.order_items i
     where i.order_id = any (_order_ids[1:1000])
     group by i.order_id;
end $$;
select private.expose('admin_list_order_lines', 'authenticated', 'service_role');
