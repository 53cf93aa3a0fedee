-- A shop after some busy years, for readings of speed: bench.orders orders with 2 or 3 lines each and their payments, an account
-- for every 5 of them and a review for about every 7. Loaded as the database's owner into a database with books alone
-- (million-orders.ts). The same rows each time; no account can sign in.

select setseed(0.5);
create temporary table size as
select n as orders, n / 5 as accounts, n * 15 / 100 as reviews, interval '1400000 minutes' / n as between_orders
  from (select current_setting('bench.orders')::int) as given (n);
-- What triggers would write beside each row is not what is measured.
set session_replication_role = replica;

create temporary table shelf as
select row_number() over (order by id) as n, id, title, publisher, price from public.books;
create unique index on shelf (n);
analyze shelf;

insert into auth.users (id, email, raw_user_meta_data, created_at)
select ('a0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'customer' || n || '@school.example', '{}',
       timestamptz '2024-01-01' + n * interval '1 hour'
  from size, generate_series(1, size.accounts) as n;

insert into public.profiles (id, full_name, email, phone, created_at)
select id, case when right(email, 18) like '%7@school.example' then null
             else 'Customer ' || lpad((row_number() over (order by id))::text, 5, '0') end,
       email, '+23324' || lpad((row_number() over (order by id))::text, 7, '0'), created_at
  from auth.users where email like 'customer%@school.example';

insert into public.user_roles (user_id, role)
select id, case when email like '%00@school.example' then 'admin' else 'moderator' end
  from public.profiles where email like 'customer%0@school.example';

insert into public.orders (id, user_id, total_amount, status, shipping_address, recipient_name, recipient_email,
                           recipient_phone, stock_held, created_at)
select ('c' || lpad(to_hex((n::bigint * 2654435761) & 268435455), 7, '0') || '-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
       ('a0000000-0000-4000-8000-' || lpad((1 + n::bigint * 31 % accounts)::text, 12, '0'))::uuid,
       round((random() * 4000 + 45)::numeric, 2),
       case when n > orders - 100 then 'pending' when n > orders - 300 then 'processing' when n > orders - 600 then 'shipped'
         when n % 12 = 0 then 'cancelled' else 'delivered' end,
       n % 500 || ' High Street, Accra', 'Recipient ' || n, 'recipient' || n || '@school.example',
       '+23320' || lpad(n::text, 7, '0'), n % 12 <> 0, timestamptz '2024-02-01' + n * between_orders
  from size, generate_series(1, size.orders) as n;

insert into public.order_items (order_id, book_id, sold_book_id, quantity, price, title, publisher)
select o.id, b.id, b.id, 1 + line * 3, b.price, b.title, b.publisher
  from (select id, row_number() over (order by created_at) as n from public.orders
         where id::text like 'c%-0000-4000-8000-%') as o
  cross join lateral generate_series(1, 2 + (o.n % 2)::int) as line
  -- One book in ten is never sold.
  join shelf b on b.n = 1 + (o.n * 13 + line * 997) % (select count(*) * 9 / 10 from shelf);

-- Every other delivered order has been paid, one in 250 of them only in part, and the rest are still due; one cancelled order in 100 was
-- paid, and one payment in 1,000 waits for a decision.
insert into public.payments (order_id, order_number, user_id, kind, method, amount, reference, state, reason, received_amount,
                             received_currency, paid_on, created_at, settled_at)
select id, number, user_id, 'payment', case when n % 3 = 0 then 'mobile_money' else 'paystack' end,
       case when n % 500 = 0 then 40 else total_amount end, 'P' || n, case when waits then 'needs_decision' else 'settled' end,
       case when waits then 'wrong_amount' end, case when waits then 1 end, case when waits then 'GHS' end,
       case when not waits then created_at::date end, created_at, case when not waits then created_at end
  from (select *, n % 2000 = 2 and n % 3 <> 0 as waits
          from (select *, row_number() over (order by created_at) as n from public.orders
                 where id::text like 'c%-0000-4000-8000-%') as numbered) as o
 where (status = 'delivered' and n % 2 = 0) or (status = 'cancelled' and n % 1200 = 0);
update public.orders o set paid_amount = s.paid, has_undecided_payment = s.undecided
  from (select order_id, coalesce(sum(amount) filter (where state = 'settled'), 0) as paid,
               bool_or(state = 'needs_decision') as undecided from public.payments group by order_id) as s
 where s.order_id = o.id;

insert into public.reviews (book_id, user_id, rating, review_text, created_at)
select b.id, ('a0000000-0000-4000-8000-' || lpad((1 + r.n::bigint * 29 % accounts)::text, 12, '0'))::uuid, 1 + r.n % 5,
       case when r.n % 6 = 0 then null else 'Our class used it for a term and it did what we bought it for. Note ' || r.n end,
       timestamptz '2024-03-01' + r.n * interval '1 hour'
  from size, generate_series(1, size.reviews) as r (n) join shelf b on b.n = 1 + r.n::bigint * 17 % (select count(*) from shelf);

-- What every second customer waits for, and what every fourth one wishes for.
insert into public.stock_alerts (user_id, book_id)
select p.id, b.id from (select id, row_number() over (order by id) as n from public.profiles) as p
  join shelf b on b.n = 1 + p.n * 7 % (select count(*) from shelf) where p.n % 2 = 0;
insert into public.wishlists (user_id, book_id)
select p.id, b.id from (select id, row_number() over (order by id) as n from public.profiles) as p
  join shelf b on b.n = 1 + p.n * 11 % (select count(*) from shelf) where p.n % 4 = 0;

insert into public.audit_log (happened_at, actor, table_name, row_id, action, after)
select timestamptz '2024-01-31', ('a0000000-0000-4000-8000-' || lpad('100', 12, '0'))::uuid, 'user_roles', user_id::text, 'insert',
       jsonb_build_object('user_id', user_id, 'role', role) from public.user_roles;
insert into public.audit_log (happened_at, actor, table_name, row_id, action, before, after)
select o.created_at + interval '1 day', ('a0000000-0000-4000-8000-' || lpad('100', 12, '0'))::uuid, 'orders', o.id::text,
       'update', jsonb_build_object('id', o.id, 'number', o.number, 'status', 'pending'),
       jsonb_build_object('id', o.id, 'number', o.number, 'status', o.status)
  from public.orders o where o.id::text like 'c%-0000-4000-8000-%';

drop table shelf, size;
set session_replication_role = origin;
-- As the triggers would have.
select private.count_tallies(), private.count_sales();
