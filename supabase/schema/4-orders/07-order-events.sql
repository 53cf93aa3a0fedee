-- The history of an order's status: from, to, by whom, when. Without a foreign key: it outlives the order.

create table public.order_events (
  id bigint generated always as identity primary key,
  order_id uuid not null,
  from_status text not null,
  to_status text not null,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  -- Of one that reopens an order, what it took back: {"stock_held", "returns": ids}. Undoing it restores that.
  reopened jsonb
);
create index order_events_by_order on public.order_events (order_id, id);

alter table public.order_events enable row level security;
grant select on public.order_events to authenticated, service_role;

create policy "staff read the history of orders" on public.order_events
  for select to authenticated using ((select private.has_duty('orders')));

create trigger keep_as_written before update or delete on public.order_events
  for each row execute function private.keep_as_written();

/* Adds a change of status to an order's history. Returns its id. */
create function private.record_order_event(_order_id uuid, _from text, _to text, _reopened jsonb)
returns bigint language sql volatile security definer set search_path = '' as $$
  insert into public.order_events (order_id, from_status, to_status, reopened) values (_order_id, _from, _to, _reopened) returning id
$$;
