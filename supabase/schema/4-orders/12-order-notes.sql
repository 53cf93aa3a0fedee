-- What staff write to each other about an order. Part of its history: never changed, except that a forgotten customer's are emptied.

create table public.order_notes (
  -- Chosen by the client, so that a retry writes nothing twice.
  id uuid primary key default gen_random_uuid(),
  -- No foreign key: like the order's events it outlives the order, which can be restored.
  order_id uuid not null,
  body text,
  actor uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  constraint order_notes_body_is_short check (length(body) <= 2000)
);
create index order_notes_by_order on public.order_notes (order_id, created_at);

alter table public.order_notes enable row level security;
grant select on public.order_notes to authenticated, service_role;

create policy "staff read the notes about orders" on public.order_notes
  for select to authenticated using ((select private.has_duty('orders')));

create trigger keep_as_written before update or delete on public.order_notes
  for each row execute function private.keep_as_written();

/* Staff: adds a note to an order, once per _note_id, which is refused with other words. Customers never see it. */
create function private.add_order_note(_note_id uuid, _order_id uuid, _body text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  written constant text := private.clean_text(_body);
begin
  perform private.require_duty('orders');
  perform private.require_text('body', 'The note', written, 2000, true);
  -- Held until the end, so that a customer who is being forgotten is forgotten with this note.
  perform from public.orders where id = _order_id for share;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  insert into public.order_notes (id, order_id, body) values (coalesce(_note_id, gen_random_uuid()), _order_id, written)
  on conflict (id) do nothing;
  if not found and not exists (
    select from public.order_notes n where n.id = _note_id and n.order_id = _order_id and n.body = written
  ) then
    perform private.refuse('PT409', 'note_exists',
      'This note was already added, before your last changes. You''ll find it in the order''s history.');
  end if;
end $$;
select private.expose('add_order_note', 'authenticated', 'service_role');

/* Staff: the names of those who changed the status of this order, wrote about it, sent or returned copies, their email if they have no name. */
create function private.list_order_actors(_order_id uuid)
returns table (id uuid, name text) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query
    select p.id, coalesce(p.full_name, p.email) from public.profiles p
     where p.id in (select e.actor from public.order_events e where e.order_id = _order_id
                    union select n.actor from public.order_notes n where n.order_id = _order_id
                    union select unnest(array[r.actor, r.undone_by]) from public.order_returns r where r.order_id = _order_id
                    union select unnest(array[s.actor, s.undone_by]) from public.order_shipments s where s.order_id = _order_id);
end $$;
select private.expose('list_order_actors', 'authenticated', 'service_role');
