-- Invoices: an order gets the next number of the year when its invoice is opened for the first time, and keeps it.
-- Everything else on an invoice is in the order, and in the settings as they were when it was issued: a copy says what the first one
-- said, also of taxes. What was agreed is the order's total, and it includes them whatever they are. Staff can change an open order
-- (8-office/15-changing-orders): then its invoice, given out before, says when, so that the newer copy is recognised.

create table public.invoices (
  -- No foreign key: an invoice that has been given out outlives its order, and is found again when the order is restored.
  order_id uuid primary key,
  -- Counts up from 1 every year without gaps.
  year integer not null,
  number integer not null,
  -- 'INV2026-0007'
  reference text generated always as (
    'INV' || year::text || '-' || case when number < 1000 then lpad(number::text, 4, '0') else number::text end
  ) stored,
  issued_at timestamptz not null default clock_timestamp(),
  constraint invoices_number_is_unique unique (year, number)
);

alter table public.invoices enable row level security;
grant select on public.invoices to authenticated, service_role;

create policy "customers read the invoices of their own orders, staff all" on public.invoices
  for select to authenticated
  using (
    (select private.has_duty('orders'))
    or exists (select from public.orders o where o.id = order_id and o.user_id = (select auth.uid()))
  );

create trigger keep_as_written before update or delete on public.invoices
  for each row execute function private.keep_as_written();

/*
 * Customers, of their own orders, and staff: the order's invoice, which gets its number on the first call. A
 * cancelled order gets none, but keeps one that it has. changed_at is when the order's books were last changed since; null when they weren't.
 * shop has the settings that it prints, as they were when it was issued.
 */
create function private.issue_invoice(_order_id uuid)
returns table (reference text, issued_at timestamptz, changed_at timestamptz, shop jsonb) language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  invoice public.invoices;
begin
  -- Locked, so that two people who open it for the first time use up only one number.
  select * into of_order from public.orders
   where id = _order_id and (user_id = auth.uid() or private.has_duty('orders'))
     for no key update;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order does not exist.');
  end if;
  select * into invoice from public.invoices i where i.order_id = _order_id;
  if not found then
    if of_order.status = 'cancelled' then
      perform private.refuse('PT409', 'order_cancelled', 'A cancelled order gets no invoice.');
    end if;
    -- Number and date are of the same moment, even if the year ends while waiting for the order's lock.
    invoice.issued_at := clock_timestamp();
    invoice.year := extract(year from invoice.issued_at at time zone 'UTC');
    insert into public.invoices (order_id, year, number, issued_at)
    values (_order_id, invoice.year, private.next_yearly_number('invoices', invoice.year), invoice.issued_at)
    returning * into invoice;
  end if;
  return query
    select invoice.reference, invoice.issued_at, (
      select max(l.happened_at) from public.audit_log l
       where l.table_name = 'orders' and l.row_id = _order_id::text and l.action = 'change' and l.happened_at > invoice.issued_at),
      private.seller_at(invoice.issued_at)
        || jsonb_strip_nulls(jsonb_build_object('taxes', private.setting_at('taxes', invoice.issued_at)));
end $$;
select private.expose('issue_invoice', 'authenticated', 'service_role');
