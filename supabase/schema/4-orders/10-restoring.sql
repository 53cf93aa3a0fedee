-- Bringing back what was deleted, from the audit log: a book with its reviews, an order with its lines, a review, a publisher. For
-- those who may delete it. Each function that moves stock holds the lock on it before it reads the archive, so that it sees every deletion that came before.

/* The archived row of a deletion; refuses when there is none. */
create function private.find_deleted(_table_name text, _audit_id bigint)
returns public.audit_log language plpgsql stable security definer set search_path = '' as $$
declare
  archived public.audit_log;
begin
  select * into archived from public.audit_log
   where id = _audit_id and table_name = _table_name and action = 'delete';
  if not found then
    perform private.refuse('PT404', 'not_in_archive', 'This deletion is no longer in the log.');
  end if;
  -- An older deletion has an older stock: restoring that would create copies out of nothing.
  if exists (
    select from public.audit_log
     where table_name = _table_name and row_id = archived.row_id and action = 'delete' and id > _audit_id
  ) then
    perform private.refuse('PT409', 'not_last_deletion', 'This was deleted again later. Restore the latest deletion.');
  end if;
  return archived;
end $$;

create function private.insert_review(_review jsonb)
returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into public.reviews (id, book_id, user_id, rating, review_text, created_at, hidden_at)
  select r.id, r.book_id, r.user_id, r.rating, r.review_text, r.created_at, r.hidden_at
  from jsonb_populate_record(null::public.reviews, _review) as r;
end $$;

/*
 * Admins: restores the book of a deletion in the audit log, with its reviews and its place in orders; returns its id.
 */
create function private.restore_book(_audit_id bigint)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  archived public.audit_log;
  book public.books;
  review jsonb;
begin
  perform private.require_duty('catalogue', 'deletions');
  perform private.lock_stock(true);
  archived := private.find_deleted('books', _audit_id);
  book := jsonb_populate_record(null::public.books, archived.before);
  -- Include what its orders moved while it was deleted.
  book.stock_quantity := coalesce((select g.stock_quantity from private.gone_books g where g.id = book.id), book.stock_quantity);
  if book.digital_by = 'file' then
    book.stock_quantity := case when exists (select from private.digital_files f where f.book_id = book.id and f.removed_at is null)
                                then private.unlimited_copies() else 0 end;
  end if;
  perform set_config('shop.task', 'restore', true);
  perform private.insert_books(array[to_jsonb(book)]);
  for review in
    select before from public.audit_log
     where table_name = 'reviews' and action = 'delete' and transaction_id = archived.transaction_id
       and before ->> 'book_id' = book.id::text
       and exists (select from public.profiles p where p.id = (before ->> 'user_id')::uuid)
  loop
    perform private.insert_review(review);
  end loop;
  perform set_config('shop.task', '', true);
  update public.order_items set book_id = book.id where sold_book_id = book.id and book_id is null;
  return book.id;
exception when unique_violation then
  perform private.refuse('PT409', 'already_restored', 'This book has already been restored.');
end $$;
select private.expose('restore_book', 'authenticated', 'service_role');

/* Admins: restores the review of a deletion in the audit log; returns its id. */
create function private.restore_review(_audit_id bigint)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  archived public.audit_log;
  violated text;
begin
  perform private.require_duty('reviews', 'deletions');
  perform private.lock_stock(true);
  archived := private.find_deleted('reviews', _audit_id);
  perform set_config('shop.task', 'restore', true);
  perform private.insert_review(archived.before);
  perform set_config('shop.task', '', true);
  return archived.row_id::uuid;
exception
  when unique_violation then
    get stacked diagnostics violated = constraint_name;
    if violated = 'reviews_one_a_book' then
      perform private.refuse('PT409', 'newer_review', 'The customer has written another review of this book since.');
    end if;
    perform private.refuse('PT409', 'already_restored', 'This review has already been restored.');
  when foreign_key_violation then
    perform private.refuse('PT409', 'cannot_restore', 'The book or the customer of this review no longer exists.');
end $$;
select private.expose('restore_review', 'authenticated', 'service_role');

/* Admins: restores the publisher of a deletion in the audit log, as the last of all; returns its id. */
create function private.restore_publisher(_audit_id bigint)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  archived public.audit_log;
  publisher public.publishers;
begin
  perform private.require_duty('catalogue', 'deletions');
  perform private.lock_publishers();
  archived := private.find_deleted('publishers', _audit_id);
  publisher := jsonb_populate_record(null::public.publishers, archived.before);
  if publisher.shown = 'menu' and (select count(*) from public.publishers p where p.shown = 'menu') >= 12 then
    publisher.shown := 'page';
  end if;
  if exists (select from public.publishers p where p.id = publisher.id) then
    perform private.refuse('PT409', 'already_restored', 'This publisher has already been restored.');
  elsif exists (select from public.publishers p where p.name_key = private.fold(publisher.name) or p.slug = publisher.slug) then
    perform private.refuse('PT409', 'name_taken', 'Another publisher has this name or address now.');
  end if;
  perform set_config('shop.task', 'restore', true);
  insert into public.publishers (id, name, slug, logo_url, mark, description, known_for, note, shown, in_filter, page, titles,
                                 has_order_links, position, created_at)
  values (publisher.id, publisher.name, publisher.slug, publisher.logo_url, publisher.mark, publisher.description, publisher.known_for,
          publisher.note, publisher.shown, publisher.in_filter, publisher.page, publisher.titles, publisher.has_order_links,
          (select coalesce(max(p.position), 0) + 1 from public.publishers p), publisher.created_at);
  perform set_config('shop.task', '', true);
  return publisher.id;
end $$;
select private.expose('restore_publisher', 'authenticated', 'service_role');

/*
 * Admins: restores an order with its lines as it was when last deleted; returns its id. If its copies returned to stock then, they are taken
 * again, for deleted books from their archived stock; if too few are left, the restore is refused.
 */
create function private.restore_order(_order_id uuid)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  archived public.audit_log;
  gone public.orders;
begin
  perform private.require_duty('orders', 'deletions');
  perform private.lock_stock(true);
  select * into archived from public.audit_log
   where table_name = 'orders' and row_id = _order_id::text and action = 'delete'
   order by id desc limit 1;
  if not found then
    perform private.refuse('PT404', 'not_in_archive', 'This deletion is no longer in the log.');
  end if;
  gone := jsonb_populate_record(null::public.orders, archived.before);
  perform set_config('shop.task', 'restore', true);
  -- A deletion from before orders had numbers, or deliveries, has none.
  gone.delivery_method := coalesce(gone.delivery_method, 'deliver');
  gone.delivery_fee := coalesce(gone.delivery_fee, 0);
  perform private.insert_order(gone);
  insert into public.order_items (id, order_id, book_id, sold_book_id, quantity, price, title, publisher, isbn, kind)
  select i.id, i.order_id, b.id, i.sold_book_id, i.quantity, i.price, i.title, i.publisher, i.isbn, coalesce(i.kind, b.kind, 'book')
    from public.audit_log a
   cross join lateral jsonb_populate_record(null::public.order_items, a.before) as i
    left join public.books b on b.id = i.sold_book_id
   where a.table_name = 'order_items' and a.action = 'delete'
     and a.transaction_id = archived.transaction_id and a.before ->> 'order_id' = _order_id::text;
  perform set_config('shop.task', '', true);
  if gone.stock_held then
    perform private.move_order_stock(_order_id, -1, 'reopen', not private.is_open(gone.status));
  end if;
  perform private.settle_digital(_order_id);
  return _order_id;
exception when unique_violation then
  perform private.refuse('PT409', 'already_restored', 'This order has already been restored.');
end $$;
select private.expose('restore_order', 'authenticated', 'service_role');

/* These orders as they stand, or as the log keeps a deleted one. */
create function private.orders_to_forget(_order_ids uuid[])
returns setof public.orders language sql stable security definer set search_path = '' as $$
  select * from public.orders where id = any (_order_ids)
  union all
  select gone.* from public.audit_log l cross join lateral jsonb_populate_record(null::public.orders, l.before) as gone
   where l.table_name = 'orders' and l.action = 'delete' and l.row_id = any (_order_ids::text[])
     and not exists (select from public.orders o where o.id = l.row_id::uuid)
$$;
