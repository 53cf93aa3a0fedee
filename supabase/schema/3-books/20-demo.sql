-- The demo that a new shop starts with: which books, publishers and reviewers belong to it, so that it can be removed later, also
-- after the shop was restored from a backup or moved.

create table private.demo_rows (
  -- The id of a book, a publisher, a booklist or a reviewer's account. No foreign keys: a restored demo book is still one.
  id uuid primary key
);
alter table private.demo_rows enable row level security;

-- Pages cached while the shop had its demo must not outlive it.
create trigger bump_catalogue_version after insert or delete or truncate on private.demo_rows
  for each statement execute function private.bump_catalogue_version();

/* Whether the shop still sells a demo book. Follows catalogue_version. */
create function private.shop_has_demo()
returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from private.demo_rows d join public.books b on b.id = d.id)
$$;
select private.expose('shop_has_demo', 'anon', 'authenticated', 'service_role');

/*
 * Staff: removes the demo; returns what it removed, or with _dry_run what it would.
 *
 * What staff have edited, imported over or restored has become the shop's own and stays. Orders keep their lines, as
 * after any deletion. Like the demo's arrival, its end is not written into the log of what people did.
 */
create function private.clear_demo(_dry_run boolean default true)
returns table (books int, kept_books int, reviews int, reviewers int, orders int, open_orders int, booklists int, publishers int, kept_publishers int)
language plpgsql security definer set search_path = '' as $$
declare
  demo_books uuid[];
  kept uuid[];
  people uuid[];
begin
  perform private.require_duty('settings', 'deletions');
  perform private.lock_stock(true);
  perform from public.books b where b.id in (select d.id from private.demo_rows d) order by b.id for update;
  select coalesce(array_agg(b.id), '{}'), coalesce(array_agg(b.id) filter (where
           exists (select from public.audit_log a
                    where a.table_name = 'books' and a.row_id = b.id::text and a.action in ('update', 'restore'))
           or exists (select from public.book_import_rows r join public.book_imports i on i.id = r.import_id
                       where r.book_id = b.id and r.action = 'update' and i.status <> 'undone')), '{}')
    into demo_books, kept
    from public.books b where b.id in (select d.id from private.demo_rows d);
  select coalesce(array_agg(p.id), '{}') into people
    from public.profiles p where p.id in (select d.id from private.demo_rows d);

  books := cardinality(demo_books) - cardinality(kept);
  kept_books := cardinality(kept);
  reviewers := cardinality(people);
  select count(*) into reviews from public.reviews r
   where r.user_id = any (people) or (r.book_id = any (demo_books) and r.book_id <> all (kept));
  select count(*), count(*) filter (where o.status in ('pending', 'processing')) into orders, open_orders
    from public.orders o
   where exists (select from public.order_items i
                  where i.order_id = o.id and i.book_id = any (demo_books) and i.book_id <> all (kept));
  -- A list that staff have saved, published or withdrawn since has another time of change, and stays.
  select count(*) into booklists from public.booklists l
   where l.id in (select d.id from private.demo_rows d) and l.updated_at = l.created_at;
  select count(*) filter (where p.updated_at = p.created_at), count(*) filter (where p.updated_at <> p.created_at)
    into publishers, kept_publishers
    from public.publishers p where p.id in (select d.id from private.demo_rows d);
  if not _dry_run then
    perform set_config('shop.task', 'demo', true);
    delete from auth.users u where u.id = any (people);
    delete from public.booklists l where l.id in (select d.id from private.demo_rows d) and l.updated_at = l.created_at;
    delete from public.books b where b.id = any (demo_books) and b.id <> all (kept);
    delete from public.publishers p where p.id in (select d.id from private.demo_rows d) and p.updated_at = p.created_at;
    -- A kept publisher whose listed titles were all the demo's shows its books instead.
    update public.publishers p set page = 'live', titles = '[]'
     where p.id in (select d.id from private.demo_rows d) and p.page = 'showcase'
       and not exists (select from public.list_titled_books(p.id));
    perform set_config('shop.task', '', true);
    delete from private.demo_rows;
  end if;
  return next;
end $$;
select private.expose('clear_demo', 'authenticated', 'service_role');
