-- Values computed from other rows, made anew after rows were written without triggers.

/* Recounts everything while changes wait; needed after rows were written with triggers disabled. */
create function private.count_tallies()
returns void language plpgsql security definer set search_path = '' as $$
begin
  lock table public.books, public.orders, public.profiles, public.reviews in share row exclusive mode;
  delete from private.tallies;
  insert into private.tallies (counted, value, rows, copies)
  select 'books', coalesce(publisher, ''), count(*), coalesce(sum(stock_quantity) filter (where kind <> 'digital'), 0) from public.books group by 2
  union all select 'orders', status || ' ' || payment_state, count(*), 0 from public.orders group by 2
  union all select 'profiles', '', count(*), 0 from public.profiles
  union all select 'reviews', '', count(*), 0 from public.reviews;
end $$;

/*
 * For rows that a backup from before the first release brought in, without triggers: an older shop had no such columns and tables. Nothing
 * else about an order changes.
 */
create function private.complete_older_rows()
returns void language plpgsql security definer set search_path = '' as $$
begin
  alter table public.orders disable trigger user;
  update public.orders o
     set paid_amount = s.paid, has_undecided_payment = s.undecided
    from (select distinct order_id from public.payments) as p, private.sum_payments(p.order_id) as s
   where o.id = p.order_id;
  alter table public.orders enable trigger user;
  -- Imports that were applied before imports had steps: all of their rows were. Otherwise undoing one would find no rows to undo.
  update public.book_imports i
     set (total_rows, applied_rows, applied_line) = (
       select count(*), count(*), coalesce(max(r.line), 0) from public.book_import_rows r where r.import_id = i.id)
   where i.status = 'applied' and i.applied_line = 0;
  perform private.keep_book_words(array(select word_text from public.books)), private.count_tallies();
end $$;
