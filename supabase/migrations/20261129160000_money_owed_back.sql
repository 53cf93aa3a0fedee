-- Money that is owed back is a column of its own, found by the office's list and dashboard, said in emails, and kept by decision.

/*
 * What an order's customer is owed, in cedis: what was paid and isn't kept by decision, beyond the total; of a cancelled order all of
 * it.
 */
create function private.owed_back(_status text, _total numeric, _paid numeric, _kept numeric)
returns numeric language sql immutable parallel safe set search_path = '' as $$
  select greatest(_paid - _kept - case when _status = 'cancelled' then 0 else _total end, 0)
$$;
grant execute on function private.owed_back to authenticated, service_role;

drop function public.list_order_payments(uuid[]);
drop view private.order_payments;
-- Drops with it the indexes below.
alter table public.orders drop column payment_state;
alter table public.orders
  add column kept_amount numeric(10, 2) not null default 0,
  add column payment_state text not null generated always as (private.payment_state(status, total_amount, paid_amount - kept_amount)) stored,
  add column owed_back numeric not null generated always as (private.owed_back(status, total_amount, paid_amount, kept_amount)) stored,
  add constraint orders_kept_amount_is_not_negative check (kept_amount >= 0);
create index orders_due on public.orders (created_at desc, id desc) include (status, delivery_method, region, payment_state)
  where payment_state in ('due', 'part_paid');
create index orders_paid on public.orders (created_at desc, id desc) include (status, delivery_method, region)
  where payment_state = 'paid';
create index orders_to_decide on public.orders (created_at desc, id desc)
  where has_undecided_payment or payment_state = 'too_much';
create index orders_owed on public.orders ((total_amount - paid_amount), created_at desc)
  where payment_state in ('due', 'part_paid');

/* The columns with which an order is placed: all except those that the database maintains or computes, and those of its shipment. */
create or replace function private.order_columns(_prefix text default '')
returns text language sql stable set search_path = '' as $$
  select string_agg(_prefix || quote_ident(attname), ', ' order by attnum)
    from pg_catalog.pg_attribute
   where attrelid = 'public.orders'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     and attname <> all ('{number,stock_held,terms_version,created_at,updated_at,paid_amount,has_undecided_payment,kept_amount}')
     and attname <> all (array(select name from private.shipment_texts()))
$$;

/*
 * What each order's customer has paid, still owes, and is owed: the one rule. Of a cancelled order nothing is owed.
 * state: see private.payment_state. Under the caller's rights: there is no row for others' orders.
 */
create view private.order_payments with (security_invoker = true) as
select o.id as order_id, o.total_amount as total, o.paid_amount as paid,
       case when o.status = 'cancelled' then 0::numeric else greatest(o.total_amount - o.paid_amount, 0) end as due,
       o.payment_state as state,
       o.has_undecided_payment or o.payment_state = 'too_much' as needs_decision,
       o.owed_back, o.kept_amount as kept
  from public.orders o;
grant select on private.order_payments to authenticated, service_role;

/*
 * What these orders' customers have paid, still owe and are owed, and what staff have decided to keep, in cedis; only orders that the
 * caller may read, at most 1,000.
 */
create function public.list_order_payments(_order_ids uuid[])
returns table (order_id uuid, total numeric, paid numeric, due numeric, state text, needs_decision boolean, owed_back numeric, kept numeric)
language sql stable set search_path = '' as $$
  select p.order_id, p.total, p.paid, p.due, p.state, p.needs_decision, p.owed_back, p.kept
    from private.order_payments p where p.order_id = any (_order_ids[:1000])
$$;
grant execute on function public.list_order_payments to authenticated, service_role;


/*
 * Writes one row of the log: the row before (null if it is new) and after (null if it was deleted). An update of the ignored columns
 * alone, which are maintained automatically, is not logged.
 */
create or replace function private.write_audit(_table text, _before jsonb, _after jsonb, _ignored text[] default '{}')
returns void language plpgsql security definer set search_path = '' as $$
declare
  derived constant text[] := '{search_text,word_text,title_key,name_key,isbn_key,isbn13,school_key,class_key,paid_amount,has_undecided_payment,payment_state,owed_back}';
  task constant text := coalesce(current_setting('shop.task', true), '');
begin
  -- Not for the demo catalogue, which no person adds or removes; nor while an order's lines are changed, which is one row.
  if task in ('demo', 'change') then return; end if;
  _before := _before - derived;
  _after := _after - derived;
  if _before - _ignored = _after - _ignored then return; end if;
  insert into public.audit_log (table_name, row_id, action, before, after)
  values (_table, coalesce(_after, _before) ->> 'id',
          case when _after is null then 'delete' when _before is not null then 'update' when task = 'restore' then 'restore' else 'insert' end,
          _before, _after);
end $$;

/* How many orders have a status and a payment state; each may be left out. */
create or replace function private.tally_orders(_status text, _payment text)
returns bigint language sql stable security definer set search_path = '' as $$
  select coalesce(sum(t.rows), 0)::bigint from private.tallies t
   where t.counted = 'orders'
     and (coalesce(_status, '') = '' or split_part(t.value, ' ', 1) = _status)
     and case _payment when 'due' then split_part(t.value, ' ', 2) in ('due', 'part_paid')
                       when 'paid' then split_part(t.value, ' ', 2) = 'paid'
                       when 'to_refund' then split_part(t.value, ' ', 2) = 'too_much' else true end
$$;

/* No more is kept than is overpaid: what is refunded, and what a reopened order costs, are not kept any longer. */
create function private.limit_kept_amount(_order public.orders)
returns public.orders language plpgsql security definer set search_path = '' as $$
begin
  _order.kept_amount := least(_order.kept_amount, private.owed_back(_order.status, _order.total_amount, _order.paid_amount, 0));
  return _order;
end $$;

/*
 * Staff: keeps _amount cedis of what is owed back for an order, in place of what was kept before; 0 owes all of it again. The reason, which
 * an amount needs, becomes a note about the order, once per _note_id.
 */
create function private.keep_overpayment(_order_id uuid, _amount numeric, _reason text default null, _note_id uuid default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  written_reason constant text := private.clean_text(_reason);
  most numeric;
begin
  perform private.require_duty('payments', 'refunds');
  of_order := private.require_payment_order(_order_id);
  perform private.require_number('amount', 'The amount', _amount, 0, 99999999.99);
  perform private.require_pesewas('amount', 'The amount', _amount);
  if _amount = of_order.kept_amount then return; end if;
  perform private.require_text('reason', 'The reason', written_reason, 500, _amount > 0);
  most := least(private.owed_back(of_order.status, of_order.total_amount, of_order.paid_amount, 0), private.refundable_amount(_order_id));
  if _amount > most then
    perform private.refuse('PT409', 'more_than_owed_back', format('You can keep up to GH₵%s.', to_char(greatest(most, 0), 'FM999999990.00')),
      jsonb_build_object('most', greatest(most, 0)));
  end if;
  update public.orders set kept_amount = _amount where id = _order_id;
  insert into public.order_notes (id, order_id, body)
  values (coalesce(_note_id, gen_random_uuid()), _order_id,
          case when _amount > 0 then format('Kept GH₵%s: %s', to_char(_amount, 'FM999999990.00'), written_reason)
               else 'No money is kept any longer.' end)
  on conflict (id) do nothing;
end $$;
select private.expose('keep_overpayment', 'authenticated', 'service_role');

/* Before the row is written: what refuses or changes it. */
create or replace function private.before_order_changes()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  -- A statement of a customer or an admin, rather than of the shop's own functions.
  by_client constant boolean := tg_argv[0] = 'client';
begin
  if tg_op = 'INSERT' then
    if by_client then
      new := private.check_new_order(new);
    end if;
    new := private.find_payment_sum(new);
    return new;
  elsif tg_op = 'UPDATE' then
    new := private.follow_status(old, new);
    new := private.limit_kept_amount(new);
    -- As private.stamp_updated_at.
    new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
    return new;
  else
    perform private.keep_paid_order(old.id);
    perform private.return_deleted_order(old);
    -- While its lines are there.
    perform private.count_order(old, -1);
    return old;
  end if;
end $$;

/* An email's order as its text needs it; null when it has been deleted. */
create or replace function private.email_order(_order_id uuid)
returns jsonb language sql stable security definer set search_path = '' as $$
  select private.typed_of_order(to_jsonb(o)) || jsonb_build_object(
    'id', o.id, 'number', o.number, 'has_account', o.user_id is not null, 'total', o.total_amount, 'placed_at', o.created_at,
    'name', coalesce(o.recipient_name, p.full_name), 'email', case when o.user_id is null then o.recipient_email else p.email end,
    'recipient_email', case when lower(o.recipient_email) <> lower(p.email) then o.recipient_email end,
    'phone', coalesce(o.recipient_phone, p.phone), 'delivery_fee', o.delivery_fee, 'paid', o.paid_amount, 'owed_back', o.owed_back,
    'carrier', o.carrier, 'parcel_number', o.parcel_number, 'driver_phone', o.driver_phone,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object('title', i.title, 'publisher', i.publisher, 'quantity', i.quantity, 'price', i.price)
                       order by private.fold(i.title), i.id)
        from public.order_items i where i.order_id = o.id), '[]'))
    from public.orders o left join public.profiles p on p.id = o.user_id
   where o.id = _order_id
$$;

/* An order is found by its own texts or by its customer's. */
create or replace function private.order_conditions(_status text, _q text, _method text, _region text, _payment text)
returns text language plpgsql stable set search_path = '' as $$
declare
  conditions text := case when _status <> '' then format('o.status = %L', _status) else 'true' end
    || case when _method = 'send' then ' and o.delivery_method <> ''collect'''
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

drop function public.todays_work();
drop function private.todays_work();
/*
 * Staff: orders to pack (pending), to send and to collect (processing), unpaid ones with what is owed and since when, those with money to
 * refund and how much it is, quotes that wait for an offer, consultations that wait for an answer, and customers whose book is in stock
 * again and whose email has not been sent. Null where the caller lacks the duty for the list.
 */
create function private.todays_work()
returns table (
  to_pack bigint, to_send bigint, to_collect bigint, unpaid bigint, owed numeric, owed_since date, to_refund bigint, owed_back numeric,
  quotes_waiting bigint, consultations_waiting bigint, waiting_for_books bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_a_duty();
  if private.has_duty('orders') then
    to_pack := private.admin_count_orders(_status => 'pending');
    to_send := private.admin_count_orders(_status => 'processing', _method => 'send');
    to_collect := private.admin_count_orders(_status => 'processing', _method => 'collect');
    unpaid := private.admin_count_orders(_payment => 'due');
    owed := (select round(coalesce(sum(s.owed), 0) / 100.0, 2)
               from (select s.owed from private.sales s where s.dimension = 'region' and s.grain = 'month'
                     union all select c.owed from private.sales_changes c) as s);
    owed_since := (select (o.created_at at time zone 'UTC')::date from public.orders o where o.payment_state in ('due', 'part_paid')
                    order by o.created_at limit 1);
    to_refund := private.admin_count_orders(_payment => 'to_refund');
    owed_back := (select coalesce(sum(o.owed_back), 0) from public.orders o where o.payment_state = 'too_much');
  end if;
  if private.has_duty('schools') then
    quotes_waiting := private.admin_count_quotes(_status => 'requested');
    consultations_waiting := private.admin_count_consultations(_status => 'open');
  end if;
  if private.has_duty('reports') then
    waiting_for_books := (select count(*) from public.stock_alerts a join public.books b on b.id = a.book_id where b.stock_quantity > 0);
  end if;
  return next;
end $$;
select private.expose('todays_work', 'authenticated', 'service_role');

drop function public.try_order_statuses(uuid[], text[], text, text[]);
drop function private.try_order_statuses(uuid[], text[], text, text[]);
/*
 * Staff: what set_order_statuses would do, tried out and rolled back. One row an order, as there, with its status now, the step back that
 * it would be, the emails to its customer and recipient, the copies that it would return to stock (negative: take from it), and what the
 * customer would be owed back beyond what they are already, in cedis.
 */
create function private.try_order_statuses(_order_ids uuid[], _shown text[], _status text, _steps_back text[] default '{}')
returns table (order_id uuid, number bigint, status text, step text, problem text, emails int, copies int, owed_back numeric)
language plpgsql security definer set search_path = '' as $$
declare
  begun timestamptz;
  before jsonb;
  outcomes jsonb;
begin
  perform private.require_duty('orders');
  perform private.lock_stock(true);
  begun := clock_timestamp();
  begin
    select jsonb_object_agg(o.id, jsonb_build_object(
             'status', o.status, 'step', private.step_back(o.status, _status, o.paid_amount), 'owed_back', o.owed_back))
      into before from public.orders o where o.id = any (_order_ids);
    select jsonb_agg(to_jsonb(o) || coalesce(before -> o.order_id::text, '{}')) into outcomes
      from private.write_order_statuses(_order_ids, _shown, _status, null, _steps_back) as o;
    select jsonb_agg(one || jsonb_build_object(
             'emails', (select count(*) from public.outgoing_emails e
                         where e.order_id = (one ->> 'order_id')::uuid and e.created_at >= begun
                           and private.email_audience(e.kind) <> 'owner'),
             'copies', (select coalesce(sum(m.quantity), 0) from public.stock_movements m
                         where m.order_id = (one ->> 'order_id')::uuid and m.created_at >= begun),
             'owed_back', (select o.owed_back - (one ->> 'owed_back')::numeric from public.orders o
                            where o.id = (one ->> 'order_id')::uuid)))
      into outcomes from jsonb_array_elements(outcomes) as one;
    raise exception using errcode = 'ZZ000';
  exception when sqlstate 'ZZ000' then null;
  end;
  return query select * from jsonb_to_recordset(outcomes)
    as o(order_id uuid, number bigint, status text, step text, problem text, emails int, copies int, owed_back numeric);
end $$;
select private.expose('try_order_statuses', 'authenticated', 'service_role');
