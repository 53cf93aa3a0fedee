-- What delivery costs: the setting deliveryFees, written here when an admin changes it; until then the owner's file, shared/owner/shop.ts,
-- which each start of the shop and `npm run migrate` write here.

create table private.delivery_fees (
  position integer primary key,
  -- Null means every region.
  regions text[],
  -- In cedis: orders whose books cost less than this. Null means every order.
  below numeric(10, 2),
  fee numeric(10, 2) not null,
  -- 'deliver' or 'bus_station'. Null means both.
  method text,
  constraint delivery_fees_are_sane check (regions <@ private.regions() and below > 0 and fee between 0 and 99999.99),
  constraint delivery_fees_have_a_paid_method check (method in ('deliver', 'bus_station'))
);
alter table private.delivery_fees enable row level security;

/* The owner's list, [{"method": "deliver", "regions": […], "below": 300, "fee": 20}], in place of the one before. */
create function private.set_delivery_fees(_fees jsonb)
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
 * when the order is collected at the shop or downloaded. Null without a region while any line for this method names regions: what delivery costs is
 * then unknown.
 */
create function private.delivery_fee(_region text, _method text, _books_total numeric)
returns numeric language sql stable security definer set search_path = '' as $$
  select case
    when _method in ('collect', 'download') then 0
    when nullif(_region, '') is null and exists (
      select from private.delivery_fees where regions is not null and coalesce(method = _method, method is null)) then null
    else coalesce((
      select fee from private.delivery_fees
       where coalesce(method = _method, method is null) and coalesce(_region = any (regions), regions is null)
         and coalesce(_books_total < below, below is null)
       order by position limit 1), 0) end
$$;
select private.expose('delivery_fee', 'authenticated', 'service_role');

/*
 * The same for an order of these titles: the one rule of how digital titles reach their customer. An order of nothing else costs no
 * delivery by any method; one with anything else can't be downloaded. Null as above.
 */
create function private.order_delivery_fee(_region text, _method text, _books_total numeric, _is_digital boolean)
returns numeric language plpgsql stable set search_path = '' as $$
begin
  if _is_digital then return 0; end if;
  if _method = 'download' then
    perform private.refuse('PT409', 'delivery_needed', 'Not everything in this order can be downloaded. Please choose how it is delivered.');
  end if;
  return private.delivery_fee(_region, _method, _books_total);
end $$;

/* The same for a new order, which is refused while its fee is unknown: a missing region would avoid the fee. */
create function private.require_delivery_fee(_region text, _method text, _books_total numeric, _is_digital boolean)
returns numeric language plpgsql stable set search_path = '' as $$
declare
  fee constant numeric := private.order_delivery_fee(_region, _method, _books_total, _is_digital);
begin
  if fee is null then
    perform private.refuse('PT400', 'invalid_field', 'Please choose a region.', jsonb_build_object('field', 'region', 'rule', 'required'));
  end if;
  return fee;
end $$;
