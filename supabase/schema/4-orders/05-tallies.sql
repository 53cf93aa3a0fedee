-- Every order is counted by its status and its payment state: see ground/tallies.

create function private.tally_order()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    insert into private.tallies (counted, value, rows) values ('orders', old.status || ' ' || old.payment_state, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into private.tallies (counted, value, rows) values ('orders', new.status || ' ' || new.payment_state, 1);
  end if;
  return null;
end $$;

create trigger tally_order after insert or delete on public.orders for each row execute function private.tally_order();

create trigger tally_changed_order after update on public.orders
  for each row when (new.status <> old.status or new.payment_state <> old.payment_state)
  execute function private.tally_order();

create trigger forget_tallies after truncate on public.orders for each statement execute function private.forget_tallies();
