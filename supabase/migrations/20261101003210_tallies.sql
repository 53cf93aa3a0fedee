-- How many books, orders, accounts and reviews there are, and the copies of each publisher, kept up to date by every change: the
-- dashboard and the long lists of the back office need them at once, and counting a million rows takes a tenth of a second each.
--
-- A change adds a row to what is counted and locks nothing, so orders never wait for one another here and can't deadlock. A
-- figure is the sum of its rows; now and then a change adds them up into one. Readers see the same sum before and after.

create table private.tallies (
  -- The table, and of books the publisher ('' for none), of orders the status and the payment state: 'pending due'.
  counted text not null,
  value text not null default '',
  rows bigint not null,
  copies bigint not null default 0
);
alter table private.tallies enable row level security;
revoke all on private.tallies from anon, authenticated, service_role;

/* Recounts everything while changes wait; needed after rows were written with triggers disabled. */
create function private.count_tallies()
returns void language plpgsql security definer set search_path = '' as $$
begin
  lock table public.books, public.orders, public.profiles, public.reviews in share row exclusive mode;
  delete from private.tallies;
  insert into private.tallies (counted, value, rows, copies)
  select 'books', coalesce(publisher, ''), count(*), sum(stock_quantity) from public.books group by 2
  union all select 'orders', status || ' ' || payment_state, count(*), 0 from public.orders group by 2
  union all select 'profiles', '', count(*), 0 from public.profiles
  union all select 'reviews', '', count(*), 0 from public.reviews;
end $$;
revoke execute on function private.count_tallies() from public;

/*
 * Merges the rows of each figure into one. It skips rows that another transaction is merging: this never waits, and each row
 * is merged once. Not in a transaction that sees only what was there when it began: it would fail where another has merged since.
 */
create function private.fold_tallies()
returns void language plpgsql security definer set search_path = ''
-- Or a plan that was made while there were few rows compares every row with every row.
set enable_seqscan = off set jit = off as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then return; end if;
  with folded as (
    delete from private.tallies where ctid = any (array(
      select t.ctid from private.tallies t
       where (t.counted, t.value) in (select s.counted, s.value from private.tallies s group by s.counted, s.value having count(*) > 1)
         for update of t skip locked))
    returning *
  )
  insert into private.tallies (counted, value, rows, copies)
  select counted, value, sum(rows), sum(copies) from folded group by counted, value having sum(rows) <> 0 or sum(copies) <> 0;
end $$;
revoke execute on function private.fold_tallies() from public;

create function private.fold_tallies_now_and_then()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.fold_tallies();
  return null;
end $$;
revoke execute on function private.fold_tallies_now_and_then() from public;
-- After one change in 100: more would cost orders time, fewer would cost readers. An import, which changes thousands of books in one
-- transaction, folds once at its end: each fold reads past the rows that earlier ones of its transaction have deleted.
create trigger fold_tallies_now_and_then after insert on private.tallies
  for each statement when (random() < 0.01 and coalesce(current_setting('shop.stock_reason', true), '') <> 'import')
  execute function private.fold_tallies_now_and_then();

/* How many rows a table has; of books those of one publisher, if one is given. */
create function private.tally(_counted text, _value text default null)
returns bigint language sql stable security definer set search_path = '' as $$
  select coalesce(sum(t.rows), 0)::bigint from private.tallies t
   where t.counted = _counted and (_value is null or t.value = _value)
$$;
revoke execute on function private.tally(text, text) from public;

/* How many orders have a status and a payment state; each may be left out. */
create function private.tally_orders(_status text, _payment text)
returns bigint language sql stable security definer set search_path = '' as $$
  select coalesce(sum(t.rows), 0)::bigint from private.tallies t
   where t.counted = 'orders'
     and (coalesce(_status, '') = '' or split_part(t.value, ' ', 1) = _status)
     and case _payment when 'due' then split_part(t.value, ' ', 2) in ('due', 'part_paid')
                       when 'paid' then split_part(t.value, ' ', 2) = 'paid' else true end
$$;
revoke execute on function private.tally_orders(text, text) from public;

create function private.tally_row()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.tallies (counted, rows) values (tg_table_name, case tg_op when 'INSERT' then 1 else -1 end);
  return null;
end $$;
revoke execute on function private.tally_row() from public;
create trigger tally_row after insert or delete on public.profiles for each row execute function private.tally_row();
create trigger tally_row after insert or delete on public.reviews for each row execute function private.tally_row();

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
revoke execute on function private.tally_order() from public;
create trigger tally_order after insert or delete on public.orders for each row execute function private.tally_order();
create trigger tally_changed_order after update on public.orders
  for each row when (new.status <> old.status or new.payment_state <> old.payment_state)
  execute function private.tally_order();

create function private.forget_tallies()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from private.tallies where counted = tg_table_name;
  return null;
end $$;
revoke execute on function private.forget_tallies() from public;
create trigger forget_tallies after truncate on public.books for each statement execute function private.forget_tallies();
create trigger forget_tallies after truncate on public.orders for each statement execute function private.forget_tallies();
create trigger forget_tallies after truncate on public.profiles for each statement execute function private.forget_tallies();
create trigger forget_tallies after truncate on public.reviews for each statement execute function private.forget_tallies();

/* An import adds thousands of books in one statement: one row per publisher. */
create function private.tally_books()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  sign constant int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into private.tallies (counted, value, rows, copies)
  select 'books', coalesce(publisher, ''), sign * count(*), sign * sum(stock_quantity) from changed group by 2;
  return null;
end $$;
revoke execute on function private.tally_books() from public;
create trigger tally_new_books after insert on public.books
  referencing new table as changed for each statement execute function private.tally_books();
create trigger tally_deleted_books after delete on public.books
  referencing old table as changed for each statement execute function private.tally_books();

/* Row by row: the old and new rows of a statement that changes every book would not fit into a temporary file. */
create function private.tally_changed_book()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.publisher is not distinct from old.publisher then
    insert into private.tallies (counted, value, rows, copies)
    values ('books', coalesce(new.publisher, ''), 0, new.stock_quantity - old.stock_quantity);
  else
    insert into private.tallies (counted, value, rows, copies)
    values ('books', coalesce(old.publisher, ''), -1, -old.stock_quantity),
           ('books', coalesce(new.publisher, ''), 1, new.stock_quantity);
  end if;
  return null;
end $$;
revoke execute on function private.tally_changed_book() from public;
create trigger tally_changed_book after update on public.books
  for each row when (new.stock_quantity <> old.stock_quantity or new.publisher is distinct from old.publisher)
  execute function private.tally_changed_book();
-- Of rows that were there before, as after loading an older backup.
select private.count_tallies();

create function private.dashboard_stats()
returns table (total_users bigint, total_books bigint, total_stock bigint, total_orders bigint, total_reviews bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query select
    coalesce(sum(t.rows) filter (where t.counted = 'profiles'), 0)::bigint,
    coalesce(sum(t.rows) filter (where t.counted = 'books'), 0)::bigint,
    coalesce(sum(t.copies) filter (where t.counted = 'books'), 0)::bigint,
    coalesce(sum(t.rows) filter (where t.counted = 'orders'), 0)::bigint,
    coalesce(sum(t.rows) filter (where t.counted = 'reviews'), 0)::bigint
    from private.tallies t;
end $$;
revoke execute on function private.dashboard_stats() from public;
grant execute on function private.dashboard_stats() to authenticated, service_role;

/* Staff: the five figures of the dashboard, in one row. */
create function public.dashboard_stats()
returns table (total_users bigint, total_books bigint, total_stock bigint, total_orders bigint, total_reviews bigint)
language sql stable set search_path = '' as $$ select * from private.dashboard_stats() $$;
revoke execute on function public.dashboard_stats() from public, anon, authenticated, service_role;
grant execute on function public.dashboard_stats() to authenticated, service_role;

create function private.list_publisher_statistics()
returns table (publisher text, books bigint, stock bigint)
language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(t.value, ''), 'Unknown'), sum(t.rows)::bigint, sum(t.copies)::bigint
    from private.tallies t
   where t.counted = 'books'
   group by 1 having sum(t.rows) > 0
   order by 2 desc, 1 limit 1000
$$;
revoke execute on function private.list_publisher_statistics() from public;
grant execute on function private.list_publisher_statistics() to authenticated, service_role;

/* Titles and copies a publisher; books without one are 'Unknown'; most titles first. The 1,000 largest. */
create function public.list_publisher_statistics()
returns table (publisher text, books bigint, stock bigint)
language sql stable set search_path = '' as $$ select * from private.list_publisher_statistics() $$;
revoke execute on function public.list_publisher_statistics() from public, anon, authenticated, service_role;
grant execute on function public.list_publisher_statistics() to authenticated, service_role;
