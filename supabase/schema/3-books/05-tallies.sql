-- Every change of a book is counted: see ground/tallies. A digital title has no copies.

/* An import adds thousands of books in one statement: one row per publisher. */
create function private.tally_books()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  sign constant int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into private.tallies (counted, value, rows, copies)
  select 'books', coalesce(publisher, ''), sign * count(*), sign * coalesce(sum(stock_quantity) filter (where kind <> 'digital'), 0) from changed group by 2;
  return null;
end $$;

/* Row by row: the old and new rows of a statement that changes every book would not fit into a temporary file. */
create function private.tally_changed_book()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  was constant int := case when old.kind = 'digital' then 0 else old.stock_quantity end;
  is_now constant int := case when new.kind = 'digital' then 0 else new.stock_quantity end;
begin
  if new.publisher is not distinct from old.publisher then
    insert into private.tallies (counted, value, rows, copies)
    values ('books', coalesce(new.publisher, ''), 0, is_now - was);
  else
    insert into private.tallies (counted, value, rows, copies)
    values ('books', coalesce(old.publisher, ''), -1, -was),
           ('books', coalesce(new.publisher, ''), 1, is_now);
  end if;
  return null;
end $$;
