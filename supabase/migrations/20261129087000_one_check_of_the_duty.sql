/* The caller is asked for the duty once, by what the trial calls. */

/*
 * Staff: what set_order_statuses would do, tried out and rolled back. One row an order, as there, with its status now, the step back that
 * it would be, the emails to its customer and recipient, and the copies that it would return to stock (negative: take from it).
 */
create or replace function private.try_order_statuses(_order_ids uuid[], _shown text[], _status text, _steps_back text[] default '{}')
returns table (order_id uuid, number bigint, status text, step text, problem text, emails int, copies int)
language plpgsql security definer set search_path = '' as $$
declare
  begun timestamptz;
  before jsonb;
  outcomes jsonb;
begin
  -- set_order_statuses asks for the duty.
  perform private.lock_stock(true);
  begun := clock_timestamp();
  begin
    select jsonb_object_agg(o.id, jsonb_build_object(
             'status', o.status, 'step', private.step_back(o.status, _status, o.paid_amount)))
      into before from public.orders o where o.id = any (_order_ids);
    select jsonb_agg(to_jsonb(o) || coalesce(before -> o.order_id::text, '{}')) into outcomes
      from private.set_order_statuses(_order_ids, _shown, _status, null, _steps_back) as o;
    select jsonb_agg(one || jsonb_build_object(
             'emails', (select count(*) from public.outgoing_emails e
                         where e.order_id = (one ->> 'order_id')::uuid and e.created_at >= begun
                           and private.email_audience(e.kind) <> 'owner'),
             'copies', (select coalesce(sum(m.quantity), 0) from public.stock_movements m
                         where m.order_id = (one ->> 'order_id')::uuid and m.created_at >= begun)))
      into outcomes from jsonb_array_elements(outcomes) as one;
    raise exception using errcode = 'ZZ000';
  exception when sqlstate 'ZZ000' then null;
  end;
  return query select * from jsonb_to_recordset(outcomes)
    as o(order_id uuid, number bigint, status text, step text, problem text, emails int, copies int);
end $$;
