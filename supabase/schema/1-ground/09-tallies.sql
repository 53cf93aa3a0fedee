-- How many books, orders, accounts and reviews there are, and the copies of each publisher, updated by every change: the
-- dashboard and the long lists of the back office need them at once, and counting a million rows takes a tenth of a second each.
--
-- A change adds a row to what is counted and locks nothing, so orders never wait for one another here and can't deadlock. A
-- total is the sum of its rows; now and then a change adds them up into one. Readers see the same sum before and after.

create table private.tallies (
  -- The table, and of books the publisher ('' for none), of orders the status and the payment state: 'pending due'.
  counted text not null,
  value text not null default '',
  rows bigint not null,
  copies bigint not null default 0
);

alter table private.tallies enable row level security;

/*
 * Merges the rows of each tally into one. It skips rows that another transaction is merging: this never waits, and each row
 * is merged once. Not in a transaction that sees only what was there when it began: it would fail where another has merged since.
 */
create function private.fold_tallies()
returns void language plpgsql security definer set search_path = '' as $$
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

create function private.fold_tallies_now_and_then()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.fold_tallies();
  return null;
end $$;

-- After one change in 100: more would cost orders time, fewer would cost readers. An import, which changes thousands of books in one
-- transaction, folds once at its end: each fold reads past the rows that earlier ones of its transaction have deleted.
create trigger fold_tallies_now_and_then after insert on private.tallies
  for each statement when (random() < 0.01 and coalesce(current_setting('shop.task', true), '') <> 'import')
  execute function private.fold_tallies_now_and_then();

/* How many rows a table has; of books those of one publisher, if one is given. */
create function private.tally(_counted text, _value text default null)
returns bigint language sql stable security definer set search_path = '' as $$
  select coalesce(sum(t.rows), 0)::bigint from private.tallies t
   where t.counted = _counted and (_value is null or t.value = _value)
$$;

/* How many orders have a status and a payment state; each may be left out. */
create function private.tally_orders(_status text, _payment text)
returns bigint language sql stable security definer set search_path = '' as $$
  select coalesce(sum(t.rows), 0)::bigint from private.tallies t
   where t.counted = 'orders'
     and (coalesce(_status, '') = '' or split_part(t.value, ' ', 1) = _status)
     and case _payment when 'due' then split_part(t.value, ' ', 2) in ('due', 'part_paid')
                       when 'paid' then split_part(t.value, ' ', 2) = 'paid'
                       when 'to_refund' then split_part(t.value, ' ', 2) = 'too_much' else true end
$$;

create function private.tally_row()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.tallies (counted, rows) values (tg_table_name, case tg_op when 'INSERT' then 1 else -1 end);
  return null;
end $$;

create function private.forget_tallies()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from private.tallies where counted = tg_table_name;
  return null;
end $$;
