-- Names are removed from old orders if an admin says after how many years (the setting forgetOrdersAfterYears; 0: never). The orders stay,
-- for the books must balance.

create function private.forget_orders_after_years()
returns int language sql stable set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'forgetOrdersAfterYears'), 0)
$$;

/*
 * The oldest orders, at most this many, that were placed longer ago than these years and still name someone. Never one that is open, has
 * something to pay or a payment to decide on. Deleted ones are found in the log.
 */
create function private.old_orders(_years int, _most int)
returns uuid[] language plpgsql stable security definer set search_path = '' as $$
declare
  names constant text[] := private.personal_order_texts();
  placed_before constant timestamptz := now() - make_interval(years => _years);
  found uuid[];
begin
  if _years < 1 then return '{}'; end if;
  execute format($query$
      select array(
        select o.id from public.orders o
         where o.created_at < $1 and o.status in ('delivered', 'cancelled') and o.payment_state in ('paid', 'none')
           and not o.has_undecided_payment
           and (num_nonnulls(%s) > 0 or exists (select from public.order_notes n where n.order_id = o.id and n.body is not null))
         order by o.created_at limit $2)$query$, (select string_agg('o.' || quote_ident(name), ', ') from unnest(names) as name))
    into found using placed_before, _most;
  return found || array(
    select distinct l.row_id::uuid from public.audit_log l
     where l.table_name = 'orders' and l.action = 'delete' and (l.before ->> 'created_at')::timestamptz < placed_before
       and jsonb_strip_nulls(l.before) ?| names
       and not exists (select from public.orders o where o.id = l.row_id::uuid)
     limit _most - cardinality(found));
end $$;

/* Staff: how many orders would lose their names now, if it were after so many years. */
create function private.count_old_orders(_years int)
returns int language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('settings');
  return cardinality(private.old_orders(_years, 1000000));
end $$;
select private.expose('count_old_orders', 'authenticated', 'service_role');

/* For the nightly housekeeping: removes the names from the oldest of these orders and the quotes they came from; returns how many there were. */
create function private.forget_old_orders(_most int default 500)
returns int language plpgsql security definer set search_path = '' as $$
declare
  old constant uuid[] := private.old_orders(private.forget_orders_after_years(), _most);
begin
  perform private.scrub_orders(old);
  perform private.scrub_quotes(array(select id from public.quotes where order_id = any (old)));
  return cardinality(old);
end $$;
select private.expose('forget_old_orders', 'service_role');
