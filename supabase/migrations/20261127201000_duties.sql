-- Duties: what people who are no admins may do in the back office. Policies and functions require the duty where they required an admin.

/*
 * What staff may do in the back office. Admins have all duties, moderators have 'reviews'; others are rows of staff_duties. The last three
 * add to the others: to download lists with personal data, to pay money back, to delete what a duty is about.
 */
create function private.duties()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select '{orders,payments,stock,catalogue,schools,reviews,reports,people,events,settings,exports,refunds,deletions}'::text[]
$$;

/*
 * True for a person with this duty, the secret key and the database's owner. SECURITY DEFINER, because it is asked in everyone's requests.
 * Policies write (select private.has_duty(…)): once per query, not once per row.
 */
create function private.has_duty(_duty text)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(current_setting('role', true), 'none') not in ('anon', 'authenticated')
    or exists (select from public.user_roles
                where user_id = auth.uid() and (role = 'admin' or role = 'moderator' and _duty = 'reviews'))
    or exists (select from public.staff_duties where user_id = auth.uid() and duty = _duty);
end $$;
grant execute on function private.has_duty to anon, authenticated, service_role;

/* True for a person with any duty, the secret key and the database's owner. */
create function private.has_a_duty()
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(current_setting('role', true), 'none') not in ('anon', 'authenticated')
    or exists (select from public.user_roles where user_id = auth.uid() and role in ('admin', 'moderator'))
    or exists (select from public.staff_duties where user_id = auth.uid());
end $$;
grant execute on function private.has_a_duty to anon, authenticated, service_role;

/* Refuses whoever lacks one of these duties, and names it. */
create function private.require_duty(variadic _duties text[])
returns void language plpgsql stable set search_path = '' as $$
declare
  duty text;
begin
  foreach duty in array _duties loop
    if not private.has_duty(duty) then
      perform private.refuse('PT403', 'duty_missing', format('You don''t have the duty %s. Ask an admin for it.', initcap(duty)),
        jsonb_build_object('duty', duty));
    end if;
  end loop;
end $$;

create function private.require_a_duty()
returns void language plpgsql stable set search_path = '' as $$
begin
  if not private.has_a_duty() then
    perform private.refuse('PT403', 'duty_missing', 'You don''t have a duty in the back office. Ask an admin for one.');
  end if;
end $$;

-- Duties that admins give to people who are no admins (private.duties). Whoever has one may open the back office, and sees what it is about.

create table public.staff_duties (
  id bigint generated always as identity primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  duty text not null,
  created_at timestamptz not null default now(),
  constraint staff_duties_are_given_once unique (user_id, duty),
  constraint staff_duties_duty_is_known check (duty = any (private.duties()))
);

alter table public.staff_duties enable row level security;
grant select on public.staff_duties to authenticated, service_role;

create policy "people read their own duties, staff all" on public.staff_duties
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.has_duty('people')));

create trigger record_audit after insert or delete on public.staff_duties
  for each row execute function private.record_audit();

/*
 * Admins: gives a person some duties and takes others away; returns those that the person has then. Duties in neither list stay as they
 * are, so two admins at once don't undo each other's changes.
 */
create function private.change_duties(_user_id uuid, _give text[] default '{}', _take text[] default '{}')
returns text[] language plpgsql security definer set search_path = '' as $$
declare
  given constant text[] := coalesce(_give, '{}');
begin
  perform private.require_staff();
  -- The lock under which roles are written. Whoever has waited may no longer be an admin.
  perform pg_advisory_xact_lock(hashtext('public.user_roles'));
  perform private.require_staff();
  if not (given || coalesce(_take, '{}')) <@ private.duties() then
    perform private.refuse('PT400', 'invalid_field', 'Unknown duty.',
      jsonb_build_object('field', 'duty', 'rule', 'choice', 'choices', private.duties()));
  end if;
  perform from public.profiles where id = _user_id for key share;
  if not found then
    perform private.refuse('PT404', 'user_not_found', 'This person no longer has an account.');
  end if;
  if cardinality(given) > 0 and exists (select from public.user_roles where user_id = _user_id and role = 'admin') then
    perform private.refuse('PT409', 'has_all_duties', 'An admin has all duties.');
  end if;
  -- An unconfirmed address may belong to anyone.
  if cardinality(given) > 0 and exists (select from auth.users where id = _user_id and email_confirmed_at is null) then
    perform private.refuse('PT409', 'unconfirmed_account',
      'This person has not confirmed their email address yet. They can have duties once they have followed the link in our email.');
  end if;
  delete from public.staff_duties where user_id = _user_id and duty = any (_take);
  insert into public.staff_duties (user_id, duty) select _user_id, duty from unnest(given) as duty on conflict do nothing;
  return array(select duty from public.staff_duties where user_id = _user_id order by array_position(private.duties(), duty));
end $$;
select private.expose('change_duties', 'authenticated', 'service_role');

create or replace function private.replace_roles()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.user_roles where user_id = new.user_id and id < new.id;
  -- An admin has all duties. Those given before must not come back when the role is taken away.
  if new.role = 'admin' then delete from public.staff_duties where user_id = new.user_id; end if;
  return null;
end $$;

create or replace function private.anonymise_customer(_user_id uuid)
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
begin
  perform private.require_duty('people', 'deletions');
  if not exists (select from public.profiles where id = _user_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  -- Staff are not forgotten by their colleagues.
  if exists (select from public.user_roles where user_id = _user_id and role <> 'user')
     or exists (select from public.staff_duties where user_id = _user_id) then
    perform private.require_staff();
  end if;
  delete from public.staff_duties where user_id = _user_id;
  delete from public.cart_items where user_id = _user_id;
  delete from public.wishlists where user_id = _user_id;
  delete from public.stock_alerts where user_id = _user_id;
  delete from private.booklist_additions where user_id = _user_id;
  delete from private.cart_requests where user_id = _user_id;
  -- Quotes keep their numbers and lines, and an open one is withdrawn. Before the orders: one that is being accepted
  -- now is waited for, and its order is forgotten too.
  update public.quotes
     set institution = null, contact_name = null, contact_email = null, contact_phone = null, message = null, note = null,
         purchase_order_number = null, status = case when status in ('requested', 'sent') then 'withdrawn' else status end
   where user_id = _user_id;
  kept := private.scrub_orders(private.orders_of(_user_id));
  -- After the orders, some of which are found by the phone number.
  update public.profiles
     set full_name = null, email = null, phone = null, address = null, city = null, postal_code = null, region = null, landmark = null, digital_address = null,
         delivery_method = null, bus_station = null
   where id = _user_id;
  update public.reviews set review_text = null where user_id = _user_id;
  update public.payments set note = null where user_id = _user_id and note is not null;
  delete from private.review_reports where user_id = _user_id;

  perform set_config('shop.task', 'anonymise', true);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where table_name in ('orders', 'reviews', 'user_roles', 'quotes', 'payments')
     and coalesce(after, before) ->> 'user_id' = _user_id::text;
  perform set_config('shop.task', '', true);
  return kept;
end $$;

create or replace function private.place_order_for(
  _order_id uuid, _customer_id uuid, _book_ids uuid[], _quantities int[], _total numeric, _order jsonb
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := coalesce(array_length(_book_ids, 1), 0);
  placed public.orders;
  before public.orders;
  prices numeric[];
  missing int;
begin
  perform private.require_duty('orders');
  -- Whoever has an order for an account sees the account.
  if _customer_id is not null then perform private.require_duty('people'); end if;
  placed := private.read_order(_order);
  -- A caller may have no email address; staff leave it empty.
  placed.recipient_email := private.clean_line(placed.recipient_email);
  placed.recipient_phone := private.clean_line(placed.recipient_phone);
  placed := private.clean_order(placed);
  -- A retry that overtakes its first request waits for it.
  perform pg_advisory_xact_lock(hashtext('private.place_order_for'), hashtext(_order_id::text));
  -- Before any row, like everything that moves stock.
  perform private.lock_stock(false);
  select * into before from public.orders where id = _order_id;
  if found then
    if before.user_id is distinct from _customer_id
       or private.typed_of_order(to_jsonb(before)) <> private.typed_of_order(to_jsonb(placed))
       or exists (select from (select sold_book_id, quantity from public.order_items where order_id = _order_id) as l (id, quantity)
                    full join unnest(_book_ids, _quantities) as asked (id, quantity) using (id, quantity)
                   where l is null or asked is null) then
      perform private.refuse('PT409', 'order_exists',
        format('This was placed as order %s before your last changes. Change it there.', before.number),
        jsonb_build_object('number', before.number));
    end if;
    return _order_id;
  end if;
  placed.id := coalesce(_order_id, gen_random_uuid());
  placed.user_id := _customer_id;
  if _customer_id is not null and not exists (select from public.profiles where id = _customer_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  perform private.require_text('recipient_name', 'The name', placed.recipient_name, 200, true);
  perform private.require_text('recipient_phone', 'The phone number', placed.recipient_phone, 40, true);

  if titles not between 1 and 500 or array_length(_quantities, 1) is distinct from titles
     or (select count(distinct id) from unnest(_book_ids) as id) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 500 different books, with one quantity for each.');
  end if;
  perform private.require_number('quantity', 'The quantity', quantity, 1, 999) from unnest(_quantities) as quantity;
  perform private.lock_books(_book_ids);
  select array_agg(b.price order by l.place), coalesce(sum(b.price * l.quantity), 0), count(*) - count(b.id)
    into prices, placed.total_amount, missing
    from unnest(_book_ids, _quantities) with ordinality as l (id, quantity, place) left join public.books b on b.id = l.id;
  if missing > 0 then
    perform private.refuse('PT404', 'book_not_found', 'A book of this order is no longer sold.');
  end if;
  placed.delivery_fee := private.require_delivery_fee(placed.region, placed.delivery_method, placed.total_amount);
  placed.total_amount := placed.total_amount + placed.delivery_fee;
  if placed.total_amount is distinct from _total then
    perform private.refuse('PT409', 'total_changed', format('This order now costs GH₵%s. Tell the customer before you place it.',
      to_char(placed.total_amount, 'FM999999990.00')), jsonb_build_object('total', placed.total_amount, 'delivery_fee', placed.delivery_fee));
  end if;
  perform private.require_number('total', 'The total', placed.total_amount, 0, 99999999.99);

  placed.status := 'pending';
  placed.stock_held := true;
  perform private.insert_order(placed);
  perform private.fill_order(placed.id, _book_ids, _quantities, prices);
  perform private.queue_order_emails(placed.id);
  return placed.id;
end $$;

/* Staff: the names of those who changed the status of this order or wrote about it, their email if they have no name. */
create function private.list_order_actors(_order_id uuid)
returns table (id uuid, name text) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query
    select p.id, coalesce(p.full_name, p.email) from public.profiles p
     where p.id in (select e.actor from public.order_events e where e.order_id = _order_id
                    union select n.actor from public.order_notes n where n.order_id = _order_id);
end $$;
select private.expose('list_order_actors', 'authenticated', 'service_role');

/* Staff: the order with this number, for a line that was not matched, with what is due; no row if there is none. */
create function private.find_payable_order(_number bigint)
returns table (id uuid, number bigint, due numeric, name text) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('payments');
  return query
    select o.id, o.number, p.due, o.recipient_name
      from public.orders o join private.order_payments p on p.order_id = o.id where o.number = _number;
end $$;
select private.expose('find_payable_order', 'authenticated', 'service_role');

drop index public.audit_log_roles_by_person;
create index audit_log_roles_by_person on public.audit_log ((coalesce(after, before) ->> 'user_id'))
  where table_name in ('user_roles', 'staff_duties');

create or replace function private.user_conditions(_role text, _q text)
returns text language sql immutable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('u.id in (select r.user_id from public.user_roles r where r.role = %L)', _role) as condition
      where _role <> '' and _role not in ('user', 'duties')
    union all
    select 'exists (select from public.staff_duties d where d.user_id = u.id)' where _role = 'duties'
    union all
    select 'not exists (select from public.user_roles r where r.user_id = u.id and r.role <> ''user'')' where _role = 'user'
    union all
    select '(' || found || ')' from private.found_by_text('u.search_text', _q) as found where found is not null
  ) as conditions
$$;

create or replace function private.audit_conditions(_table_name text, _actor uuid, _q text)
returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('a.table_name = %L', _table_name) as condition where _table_name <> ''
    union all
    select format('a.actor = %L::uuid', _actor) where _actor is not null
    union all
    -- A role or duty is found by its person as well as by who gave it; what was deleted by its title.
    -- An order's entries go in by their ids: the planner has no statistics on its number, and would read the log from its end for them.
    select format('(a.row_id = %L or %s or %s or a.table_name in (''user_roles'', ''staff_duties'') and %s or %s)',
                  private.clean_line(_q), private.contains_condition('a.titles', _q), private.refers_to_found('a.actor', 'uuid', 'public.profiles', found),
                  private.refers_to_found('(coalesce(a.after, a.before) ->> ''user_id'')', 'text', 'public.profiles', found),
                  case when cardinality(entries) > 0 then format('a.id = any (%L::bigint[])', entries) else 'false' end)
      from private.contains_condition('x.search_text', _q) as found,
           (select array(select x.id from public.audit_log x
                          where x.table_name = 'orders' and coalesce(x.after, x.before) ->> 'number' = private.bare_order_number(_q))
           ) as of_order (entries)
     where found is not null
  ) as conditions
$$;

create or replace function private.admin_list_audit(
  _table_name text default null, _actor uuid default null, _q text default null, _sort text default 'id', _descending boolean default null,
  _page int default 1, _page_size int default 50
)
returns table (
  id bigint, happened_at timestamptz, actor uuid, actor_name text, actor_email text, table_name text, row_id text,
  action text, before jsonb, after jsonb, restorable boolean
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case when coalesce(_descending, true) then 'a.id desc' else 'a.id asc' end;
begin
  if _table_name = 'shop_settings' then perform private.require_duty('settings'); else perform private.require_staff(); end if;
  return query execute
    'select a.id, a.happened_at, a.actor, p.full_name, p.email, a.table_name, a.row_id, a.action, a.before, a.after,
              a.action in (''delete'', ''change'') and not exists (
                select from public.audit_log later
                 where later.table_name = a.table_name and later.row_id = a.row_id and later.action = a.action and later.id > a.id
              ) and case case a.action when ''change'' then a.action else a.table_name end
                when ''change'' then exists (
                  select from public.orders x where x.id::text = a.row_id and x.status in (''pending'', ''processing''))
                when ''books'' then not exists (select from public.books x where x.id::text = a.row_id)
                when ''orders'' then not exists (select from public.orders x where x.id::text = a.row_id)
                when ''reviews'' then not exists (select from public.reviews x where x.id::text = a.row_id)
                  and exists (select from public.books x where x.id::text = a.before ->> ''book_id'')
                when ''publishers'' then not exists (select from public.publishers x where x.id::text = a.row_id)
                else false end
       from (select a.id from public.audit_log a where ' || private.audit_conditions(_table_name, _actor, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.audit_log a on a.id = page.id left join public.profiles p on p.id = a.actor
      order by ' || sorted;
end $$;

create or replace function private.todays_work()
returns table (
  to_pack bigint, to_send bigint, to_collect bigint, unpaid bigint, owed numeric, owed_since date, quotes_waiting bigint,
  waiting_for_books bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_a_duty();
  if private.has_duty('orders') then
    to_pack := private.admin_count_orders(_status => 'pending');
    to_send := private.admin_count_orders(_status => 'processing', _method => 'send');
    to_collect := private.admin_count_orders(_status => 'processing', _method => 'collect');
    unpaid := private.admin_count_orders(_payment => 'due');
    owed := (select round(coalesce(sum(s.owed), 0) / 100.0, 2)
               from (select s.owed from private.sales s where s.dimension = 'region' and s.grain = 'month'
                     union all select c.owed from private.sales_changes c) as s);
    owed_since := (select (o.created_at at time zone 'UTC')::date from public.orders o where o.payment_state in ('due', 'part_paid')
                    order by o.created_at limit 1);
  end if;
  if private.has_duty('schools') then quotes_waiting := private.admin_count_quotes(_status => 'requested'); end if;
  if private.has_duty('reports') then
    waiting_for_books := (select count(*) from public.stock_alerts a join public.books b on b.id = a.book_id where b.stock_quantity > 0);
  end if;
  return next;
end $$;

create or replace function private.dashboard_stats()
returns table (total_users bigint, total_books bigint, total_stock bigint, total_orders bigint, total_reviews bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_a_duty();
  return query select
    case when private.has_duty('people') then coalesce(sum(t.rows) filter (where t.counted = 'profiles'), 0)::bigint end,
    coalesce(sum(t.rows) filter (where t.counted = 'books'), 0)::bigint,
    coalesce(sum(t.copies) filter (where t.counted = 'books'), 0)::bigint,
    case when private.has_duty('orders') then coalesce(sum(t.rows) filter (where t.counted = 'orders'), 0)::bigint end,
    case when private.has_duty('reviews') then coalesce(sum(t.rows) filter (where t.counted = 'reviews'), 0)::bigint end
    from private.tallies t;
end $$;

create or replace function private.order_timeline(_order_id uuid)
returns table (step text, happened_at timestamptz)
language sql stable security definer set search_path = '' as $$
  with mine as (
    select o.id, o.total_amount, o.created_at from public.orders o
     where o.id = _order_id and (o.user_id = auth.uid() or private.has_duty('orders'))
  ), moved as (
    select x.kind, x.settled_at, mine.total_amount, sum(x.amount) over (order by x.settled_at, x.id) as paid
      from mine join public.payments x on x.order_id = mine.id and x.state = 'settled' and x.kind <> 'correction'
     where not exists (select from public.payments c where c.about = x.id and c.kind = 'correction')
  )
  select 'placed', created_at from mine
  union all
  select e.to_status, e.created_at from mine join public.order_events e on e.order_id = mine.id
  union all
  select 'paid', min(settled_at) from moved where paid >= total_amount having count(*) > 0
  union all
  select 'refunded', settled_at from moved where kind = 'refund'
   order by 2, 1
$$;

create or replace function private.issue_invoice(_order_id uuid)
returns table (reference text, issued_at timestamptz, changed_at timestamptz) language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  invoice public.invoices;
begin
  -- Locked, so that two people who open it for the first time use up only one number.
  select * into of_order from public.orders
   where id = _order_id and (user_id = auth.uid() or private.has_duty('orders'))
     for no key update;
  if not found then
    perform private.refuse('PT404', 'order_not_found', 'This order does not exist.');
  end if;
  select * into invoice from public.invoices i where i.order_id = _order_id;
  if not found then
    if of_order.status = 'cancelled' then
      perform private.refuse('PT409', 'order_cancelled', 'A cancelled order gets no invoice.');
    end if;
    -- Number and date are of the same moment, even if the year ends while waiting for the order's lock.
    invoice.issued_at := clock_timestamp();
    invoice.year := extract(year from invoice.issued_at at time zone 'UTC');
    insert into public.invoices (order_id, year, number, issued_at)
    values (_order_id, invoice.year, private.next_yearly_number('invoices', invoice.year), invoice.issued_at)
    returning * into invoice;
  end if;
  return query
    select invoice.reference, invoice.issued_at, (
      select max(l.happened_at) from public.audit_log l
       where l.table_name = 'orders' and l.row_id = _order_id::text and l.action = 'change' and l.happened_at > invoice.issued_at);
end $$;

-- Each policy, with its name: staff are no longer admins alone.

alter policy "everyone reads the public settings" on public.shop_settings
  using (private.setting_rules() -> id ->> 'reader' in ('page', 'server') or (select private.has_duty('settings'))
    or id = 'schoolTerms' and (select private.has_a_duty()));
alter policy "customers read their own profile, admins all" on public.profiles rename to "customers read their own profile, staff all";
alter policy "customers read their own profile, staff all" on public.profiles
  using (id = (select auth.uid()) or (select private.has_duty('people')));
alter policy "admins add books" on public.books rename to "staff add books";
alter policy "staff add books" on public.books
  with check ((select private.has_duty('catalogue')));
alter policy "admins change books" on public.books rename to "staff change books";
alter policy "staff change books" on public.books
  using ((select private.has_duty('catalogue'))) with check ((select private.has_duty('catalogue')));
alter policy "admins delete books" on public.books rename to "staff delete books";
alter policy "staff delete books" on public.books
  using ((select private.has_duty('catalogue')) and (select private.has_duty('deletions')));
alter policy "admins read stock movements" on public.stock_movements rename to "staff read stock movements";
alter policy "staff read stock movements" on public.stock_movements
  using ((select private.has_duty('stock')));
alter policy "admins read imports" on public.book_imports rename to "staff read imports";
alter policy "staff read imports" on public.book_imports
  using ((select private.has_duty('catalogue')));
alter policy "admins read the rows of imports" on public.book_import_rows rename to "staff read the rows of imports";
alter policy "staff read the rows of imports" on public.book_import_rows
  using ((select private.has_duty('catalogue')));
alter policy "admins read reviews" on public.reviews rename to "staff read reviews";
alter policy "staff read reviews" on public.reviews
  using ((select private.has_duty('reviews')));
alter policy "admins delete reviews" on public.reviews rename to "staff delete reviews";
alter policy "staff delete reviews" on public.reviews
  using ((select private.has_duty('reviews')) and (select private.has_duty('deletions')));
alter policy "everyone reads shown publishers" on public.publishers
  using (shown <> 'nowhere' or (select private.has_duty('catalogue')));
alter policy "admins delete publishers" on public.publishers rename to "staff delete publishers";
alter policy "staff delete publishers" on public.publishers
  using ((select private.has_duty('catalogue')) and (select private.has_duty('deletions')));
alter policy "customers read their own orders, admins all" on public.orders rename to "customers read their own orders, staff all";
alter policy "customers read their own orders, staff all" on public.orders
  using (user_id = (select auth.uid()) or (select private.has_duty('orders')));
alter policy "admins set the status of any order" on public.orders rename to "staff set the status of any order";
alter policy "staff set the status of any order" on public.orders
  using ((select private.has_duty('orders'))) with check ((select private.has_duty('orders')));
alter policy "admins delete orders" on public.orders rename to "staff delete orders";
alter policy "staff delete orders" on public.orders
  using ((select private.has_duty('orders')) and (select private.has_duty('deletions')));
alter policy "people read the lines of the orders that they may read" on public.order_items
  using (
    (select private.has_duty('orders'))
    or exists (select from public.orders o where o.id = order_id and o.user_id = (select auth.uid()))
  );
alter policy "admins read the history of orders" on public.order_events rename to "staff read the history of orders";
alter policy "staff read the history of orders" on public.order_events
  using ((select private.has_duty('orders')));
alter policy "admins read the notes about orders" on public.order_notes rename to "staff read the notes about orders";
alter policy "staff read the notes about orders" on public.order_notes
  using ((select private.has_duty('orders')));
alter policy "customers read the payments of their own orders, admins all" on public.payments rename to "customers read the payments of their own orders, staff all";
alter policy "customers read the payments of their own orders, staff all" on public.payments
  using (user_id = (select auth.uid()) or (select private.has_duty('payments')));
alter policy "customers read the invoices of their own orders, admins all" on public.invoices rename to "customers read the invoices of their own orders, staff all";
alter policy "customers read the invoices of their own orders, staff all" on public.invoices
  using (
    (select private.has_duty('orders'))
    or exists (select from public.orders o where o.id = order_id and o.user_id = (select auth.uid()))
  );
alter policy "admins read the closings" on public.closings rename to "staff read the closings";
alter policy "staff read the closings" on public.closings
  using ((select private.has_duty('payments')));
alter policy "admins read booklists" on public.booklists rename to "staff read booklists";
alter policy "staff read booklists" on public.booklists
  using ((select private.has_duty('schools')));
alter policy "admins read the lines of booklists" on public.booklist_lines rename to "staff read the lines of booklists";
alter policy "staff read the lines of booklists" on public.booklist_lines
  using ((select private.has_duty('schools')));
alter policy "customers read what they were sent, admins all" on public.quotes rename to "customers read what they were sent, staff all";
alter policy "customers read what they were sent, staff all" on public.quotes
  using ((user_id = (select auth.uid()) and sent_at is not null) or (select private.has_duty('schools')));
alter policy "people read the lines of the quotes that they may read" on public.quote_lines
  using (
    (select private.has_duty('schools'))
    or exists (select from public.quotes q where q.id = quote_id and q.user_id = (select auth.uid()))
  );
alter policy "admins read the shop's emails" on public.outgoing_emails rename to "staff read the shop's emails";
alter policy "staff read the shop's emails" on public.outgoing_emails
  using ((select private.has_duty('orders')));
alter policy "admins read suppliers" on public.suppliers rename to "staff read suppliers";
alter policy "staff read suppliers" on public.suppliers
  using ((select private.has_duty('stock')));
alter policy "admins read purchase orders" on public.purchase_orders rename to "staff read purchase orders";
alter policy "staff read purchase orders" on public.purchase_orders
  using ((select private.has_duty('stock')));
alter policy "admins read the lines of purchase orders" on public.purchase_order_lines rename to "staff read the lines of purchase orders";
alter policy "staff read the lines of purchase orders" on public.purchase_order_lines
  using ((select private.has_duty('stock')));
alter policy "admins read receipts" on public.receipts rename to "staff read receipts";
alter policy "staff read receipts" on public.receipts
  using ((select private.has_duty('stock')));
alter policy "admins read the lines of receipts" on public.receipt_lines rename to "staff read the lines of receipts";
alter policy "staff read the lines of receipts" on public.receipt_lines
  using ((select private.has_duty('stock')));
alter policy "admins read stock counts" on public.stock_counts rename to "staff read stock counts";
alter policy "staff read stock counts" on public.stock_counts
  using ((select private.has_duty('stock')));
alter policy "admins read the books of stock counts" on public.stock_count_books rename to "staff read the books of stock counts";
alter policy "staff read the books of stock counts" on public.stock_count_books
  using ((select private.has_duty('stock')));
alter policy "admins read stock scans" on public.stock_scans rename to "staff read stock scans";
alter policy "staff read stock scans" on public.stock_scans
  using ((select private.has_duty('stock')));

-- A hosted project lets others than the table's owner create and drop its policies, not rename them.
drop policy "admins list book covers" on storage.objects;
drop policy "admins add book covers" on storage.objects;
drop policy "admins replace book covers" on storage.objects;
drop policy "admins delete book covers" on storage.objects;
create policy "staff list book covers" on storage.objects
  for select to authenticated using (bucket_id = 'book-covers' and (select private.has_duty('catalogue')));
create policy "staff add book covers" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'book-covers' and (select private.has_duty('catalogue')) and (select private.admits_cover()));
create policy "staff replace book covers" on storage.objects
  for update to authenticated
  using (bucket_id = 'book-covers' and (select private.has_duty('catalogue')))
  with check (bucket_id = 'book-covers' and (select private.has_duty('catalogue')));
create policy "staff delete book covers" on storage.objects
  for delete to authenticated using (bucket_id = 'book-covers' and (select private.has_duty('catalogue')));

-- Beside the profiles' own policy: whoever packs a parcel sees whom it is for, and no other account.
create policy "staff read the customers of orders" on public.profiles
  for select to authenticated
  using ((select private.has_duty('orders')) and exists (select from public.orders o where o.user_id = profiles.id));

-- What each function of the back office checks first. The bodies are those that there are: only the check changes.
do $do$
declare
  checked record;
  source text;
begin
  for checked in
    select each.statement, name from (values
    ('perform private.require_duty(''people'', ''deletions'');',
     'anonymise_caller'),
    ('perform private.require_duty(''catalogue'');',
     'create_book_import stage_book_import_rows require_book_import apply_book_import undo_book_import save_publisher order_publishers
     count_publisher_books list_publisher_spellings merge_publisher_spellings stage_price_change change_book'),
    ('perform private.require_duty(''reviews'');',
     'moderate_review admin_list_reviews admin_count_reviews'),
    ('perform private.require_duty(''settings'', ''deletions'');',
     'clear_demo'),
    ('perform private.require_duty(''orders'');',
     'return_to_stock add_order_note set_order_statuses resend_email resend_unsent_emails admin_list_unsent_emails
     admin_count_unsent_emails admin_count_orders change_order undo_order_change'),
    ('perform private.require_duty(''catalogue'', ''deletions'');',
     'restore_book restore_publisher'),
    ('perform private.require_duty(''reviews'', ''deletions'');',
     'restore_review'),
    ('perform private.require_duty(''orders'', ''deletions'');',
     'restore_order'),
    ('perform private.require_duty(''payments'');',
     'correct_payment decide_payment admin_list_payments admin_count_payments_to_decide admin_sum_payments close_day list_closings
     match_statement record_statement'),
    ('perform private.require_duty(''payments'', ''refunds'');',
     'refund_payment'),
    ('perform private.require_duty(''payments'');
  -- More than a screen shows is an export.
  if _page_size > 200 then perform private.require_duty(''exports''); end if;',
     'admin_find_payments'),
    ('perform private.require_duty(''schools'');',
     'save_booklist set_booklist_status delete_booklist copy_booklist admin_read_booklist admin_list_booklist_sales import_booklists
     update_quote send_quote withdraw_quote admin_find_quote admin_list_booklists admin_count_booklists admin_list_quotes
     admin_count_quotes'),
    ('perform private.require_duty(''orders'');
  -- More than a screen shows is an export.
  if _page_size > 200 then perform private.require_duty(''exports''); end if;',
     'admin_list_orders'),
    ('perform private.require_duty(''orders'', ''exports'');',
     'admin_list_order_lines'),
    ('perform private.require_duty(''settings'');',
     'update_settings count_old_orders'),
    ('perform private.require_duty(''reports'');',
     'sum_sales check_sales read_sales_check report_sales report_sales_over_time report_owed report_takings report_unsold report_wanted
     report_demand report_demand_over_time report_wished report_listed'),
    ('perform private.require_duty(''stock'');',
     'list_stock_movements count_stock_movements change_stock save_supplier remove_supplier list_suppliers create_purchase_order
     update_purchase_order send_purchase_order cancel_purchase_order admin_find_purchase_order admin_list_purchase_orders
     admin_count_purchase_orders book_receipt undo_receipt list_receipts begin_stock_count scan_stock mark_none_found
     recount_stock book_stock_count discard_stock_count list_stock_counts count_stock_counts list_stock_count_books
     count_stock_count_books'),
    ('perform private.require_duty(''people'');
  -- More than a screen shows is an export.
  if _page_size > 200 then perform private.require_duty(''exports''); end if;',
     'admin_list_users'),
    ('perform private.require_duty(''people'');',
     'admin_count_users'),
    ('perform private.require_a_duty();',
     'admin_list_books admin_count_books')
    ) as each (statement, names), regexp_split_to_table(each.names, '\s+') as name
  loop
    source := pg_catalog.pg_get_functiondef(('private.' || checked.name)::regproc);
    if source not like '%perform private.require_staff();%' then raise 'private.% does not check its caller', checked.name; end if;
    execute replace(source, 'perform private.require_staff();', checked.statement);
  end loop;
end $do$;

do $do$
declare
  source constant text := pg_catalog.pg_get_functiondef('private.record_payment'::regproc);
begin
  execute replace(replace(source, 'perform private.require_staff();', 'perform private.require_duty(''payments'');'),
    E'  if _method is null', E'  if _kind = ''refund'' then perform private.require_duty(''refunds''); end if;\n  if _method is null');
end $do$;
