-- A delivery fee may be for one way of delivery only.

alter table private.delivery_fees
  add column method text,
  add constraint delivery_fees_have_a_paid_method check (method in ('deliver', 'bus_station'));

/* The owner's list, [{"method": "deliver", "regions": […], "below": 300, "fee": 20}], in place of the one before. */
create or replace function private.set_delivery_fees(_fees jsonb)
returns void language plpgsql set search_path = '' as $$
begin
  delete from private.delivery_fees;
  insert into private.delivery_fees (position, regions, below, fee, method)
  select row_number() over (), case when fee ? 'regions' then array(select jsonb_array_elements_text(fee -> 'regions')) end,
         (fee ->> 'below')::numeric, (fee ->> 'fee')::numeric, fee ->> 'method'
    from jsonb_array_elements(_fees) as fee;
end $$;

/*
 * Customers: what delivery costs for books of this total, both in cedis: the fee of the first line that fits; nothing where none does, or
 * when the order is collected at the shop. Null without a region while any line for this method names regions: what delivery costs is
 * then unknown.
 */
create or replace function private.delivery_fee(_region text, _method text, _books_total numeric)
returns numeric language sql stable security definer set search_path = '' as $$
  select case
    when _method = 'collect' then 0
    when nullif(_region, '') is null and exists (
      select from private.delivery_fees where regions is not null and coalesce(method = _method, method is null)) then null
    else coalesce((
      select fee from private.delivery_fees
       where coalesce(method = _method, method is null) and coalesce(_region = any (regions), regions is null)
         and coalesce(_books_total < below, below is null)
       order by position limit 1), 0) end
$$;

/* A line of the delivery fees: {"method": "deliver", "regions": […], "below": 300, "fee": 20}, all but the fee optional. */
create or replace function private.checked_delivery_fee(_name text, _fee jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  regions constant jsonb := _fee -> 'regions';
  amounts constant jsonb[] := array[_fee -> 'fee', _fee -> 'below'];
  amount jsonb;
begin
  if jsonb_typeof(_fee) is distinct from 'object' or _fee - array['method', 'regions', 'below', 'fee'] <> '{}'
     or jsonb_typeof(_fee -> 'fee') is distinct from 'number' then
    perform private.refuse_setting(_name, 'fee', '%s: each line needs a fee in cedis.');
  end if;
  foreach amount in array amounts loop
    continue when amount is null;
    if jsonb_typeof(amount) <> 'number' or amount::numeric not between 0 and 99999.99 or amount::numeric <> round(amount::numeric, 2)
       or amount = _fee -> 'below' and amount::numeric = 0 then
      perform private.refuse_setting(_name, 'range', '%s: an amount must be between 0 and 99,999.99 cedis.');
    end if;
  end loop;
  if regions is not null and (jsonb_typeof(regions) <> 'array' or jsonb_array_length(regions) = 0
     or not (regions <@ to_jsonb(private.regions()))) then
    perform private.refuse_setting(_name, 'region', '%s: a line names a region that Ghana doesn''t have, or none.');
  end if;
  if _fee ? 'method' and _fee -> 'method' not in ('"deliver"', '"bus_station"') then
    perform private.refuse_setting(_name, 'method', '%s: a line is for delivery to the address or to a bus parcel station, or for both.');
  end if;
  return _fee;
end $$;

