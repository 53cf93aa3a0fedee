-- What a school term needs, as draft purchase orders; and purchase orders as emails to suppliers.

alter table public.booklists
  -- How many pupils are expected in the class. Null while nobody knows.
  add column pupils integer,
  add constraint booklists_pupils_are_sane check (pupils between 1 and 9999);

drop function public.save_booklist, private.save_booklist;
drop function public.admin_read_booklist, private.admin_read_booklist;
drop function public.admin_list_unsent_emails, private.admin_list_unsent_emails;

create function private.save_booklist(
  _school text, _class_name text, _school_year text, _lines jsonb, _id uuid default null,
  _updated_at timestamptz default null, _introduction text default null, _is_listed boolean default false,
  _pupils int default null
) returns public.booklists language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  declare
    school_name constant text := private.clean_line(_school);
    class constant text := private.clean_line(_class_name);
    intro constant text := private.clean_text(_introduction);
    list public.booklists;
    lines public.booklist_lines[];
  begin
    perform private.require_text('school', 'The school', school_name, 200, true);
    perform private.require_text('class_name', 'The class', class, 100, true);
    perform private.require_text('introduction', 'The introduction', intro, 2000);
    perform private.require_school_year(_school_year);
    if _pupils is not null then
      perform private.require_number('pupils', 'The number of pupils', _pupils, 1, 9999);
    end if;
    if _updated_at is null then
      perform set_config('shop.task', 'new booklist', true);
      insert into public.booklists (id, school, class_name, school_year, introduction, is_listed, pupils)
      values (coalesce(_id, gen_random_uuid()), school_name, class, _school_year, intro, coalesce(_is_listed, false), _pupils)
      on conflict (id) do nothing returning * into list;
      -- Already saved, perhaps by a request whose response was lost: that list has a version.
      if not found then perform private.lock_booklist(_id, null); end if;
    else
      perform private.lock_booklist(_id, _updated_at);
    end if;
    lines := private.read_booklist_lines(coalesce(list.id, _id), _lines);
    delete from public.booklist_lines l
     where l.booklist_id = _id and l.id <> all (array(select u.id from unnest(lines) as u));
    insert into public.booklist_lines as l (id, booklist_id, position, book_id, title, copies, is_required, note)
    select u.id, u.booklist_id, u.position, u.book_id, u.title, u.copies, u.is_required, u.note from unnest(lines) as u
    on conflict (id) do update
      set position = excluded.position, book_id = excluded.book_id, title = excluded.title, copies = excluded.copies,
          is_required = excluded.is_required, note = excluded.note;
    if _updated_at is not null then
      update public.booklists
         set school = school_name, class_name = class, school_year = _school_year, introduction = intro,
             is_listed = coalesce(_is_listed, false), pupils = _pupils
       where id = _id returning * into list;
      if list.status = 'published' then perform private.require_booklist_lines(list.id); end if;
    end if;
    perform set_config('shop.task', '', true);
    return list;
  end;
end $$;

select private.expose('save_booklist', 'authenticated', 'service_role');

create or replace function private.copy_booklist(_id uuid, _school_year text)
returns public.booklists language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  declare
    list public.booklists;
  begin
    perform private.require_school_year(_school_year);
    insert into public.booklists (school, class_name, school_year, introduction, is_listed, pupils)
    select b.school, b.class_name, _school_year, b.introduction, b.is_listed, b.pupils
      from public.booklists b where b.id = _id
    returning * into list;
    if not found then
      perform private.refuse('PT404', 'booklist_not_found', 'This booklist no longer exists.');
    end if;
    perform set_config('shop.task', 'new booklist', true);
    insert into public.booklist_lines (booklist_id, position, book_id, title, copies, is_required, note)
    select list.id, l.position, l.book_id, coalesce(b.title, l.title), l.copies, l.is_required, l.note
      from public.booklist_lines l left join public.books b on b.id = l.book_id where l.booklist_id = _id;
    perform set_config('shop.task', '', true);
    return list;
  end;
end $$;

create function private.admin_read_booklist(_id uuid)
returns table (
  id uuid, code text, school text, class_name text, school_year text, introduction text, status text, is_listed boolean,
  pupils int, created_at timestamptz, updated_at timestamptz, lines jsonb
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  return query
    select b.id, b.code, b.school, b.class_name, b.school_year, b.introduction, b.status, b.is_listed, b.pupils, b.created_at,
           b.updated_at::timestamptz, coalesce((
             select jsonb_agg(line || jsonb_build_object('newer', private.newer_edition(book)) order by place)
               from jsonb_array_elements(private.booklist_lines(b.id)) with ordinality as l (line, place)
               left join public.books book on book.id = (line ->> 'book_id')::uuid), '[]')
      from public.booklists b where b.id = _id;
end $$;

select private.expose('admin_read_booklist', 'authenticated', 'service_role');

create or replace function private.import_booklists(_lists jsonb, _dry_run boolean default true, _publish boolean default false)
returns table (place int, action text, id uuid, updated_at timestamptz, lines jsonb, changes jsonb, problems jsonb)
language plpgsql security definer set search_path = '' as $$
declare
  saves constant boolean := not coalesce(_dry_run, true);
  list record;
  plan jsonb;
  own public.booklists;
  saved public.booklists;
begin
  perform private.require_duty('schools');
  if jsonb_typeof(_lists) is distinct from 'array' or jsonb_array_length(_lists) > 100 or exists (
       select from jsonb_array_elements(_lists) as l
        where jsonb_typeof(l) <> 'object' or jsonb_typeof(l -> 'lines') is distinct from 'array'
           or exists (select from jsonb_array_elements(case jsonb_typeof(l -> 'lines') when 'array' then l -> 'lines' end) as line
                       where jsonb_typeof(line) <> 'object')) then
    perform private.refuse('PT400', 'invalid_rows', 'Lists must be an array of at most 100 objects with lines.');
  end if;
  -- In the same order for every caller, so that two concurrent imports wait for each other instead of deadlocking.
  for list in
    select l.value, named.name
      from jsonb_array_elements(_lists) as l,
           private.fold(concat_ws(E'\n', l.value ->> 'school', l.value ->> 'class_name', l.value ->> 'school_year')) as named (name)
     where saves order by named.name collate "C"
  loop
    perform pg_advisory_xact_lock(hashtext('public.booklists'), hashtext(list.name));
    perform from private.booklists_named(list.value ->> 'school', list.value ->> 'class_name', list.value ->> 'school_year') as same
       join public.booklists b on b.id = same.id for update of b;
  end loop;

  for list in select l.value, l.place from jsonb_array_elements(_lists) with ordinality as l (value, place) order by l.place loop
    plan := private.plan_booklist(list.value);
    if saves and plan ->> 'action' in ('add', 'update') then
      if (plan ->> 'updated_at')::timestamptz is distinct from (list.value ->> 'updated_at')::timestamptz then
        plan := plan || jsonb_build_object('action', 'refused', 'problems', jsonb_build_array(jsonb_build_object('line', null,
          'message', 'Someone else has changed this booklist since the file was checked. Check the file again.')));
      else
        select * into own from public.booklists b where b.id = (plan ->> 'id')::uuid;
        saved := private.save_booklist(coalesce(own.school, plan ->> 'school'), coalesce(own.class_name, plan ->> 'class_name'),
          plan ->> 'school_year', plan -> 'lines', own.id, own.updated_at, own.introduction, coalesce(own.is_listed, true), own.pupils);
        if plan ->> 'action' = 'add' and _publish then
          saved := private.set_booklist_status(saved.id, saved.updated_at, 'published');
        end if;
        plan := plan || jsonb_build_object('id', saved.id, 'updated_at', saved.updated_at);
      end if;
    end if;
    place := list.place;
    action := plan ->> 'action';
    id := (plan ->> 'id')::uuid;
    updated_at := (plan ->> 'updated_at')::timestamptz;
    lines := plan -> 'lines';
    changes := plan -> 'changes';
    problems := plan -> 'problems';
    return next;
  end loop;
end $$;

create or replace function private.email_kinds()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "order_placed": {"audience": "customer", "topic": "order"},
    "order_status_changed": {"audience": "customer", "topic": "order"},
    "order_changed": {"audience": "customer", "topic": "order"},
    "order_cancelled": {"audience": "customer", "topic": "order"},
    "order_paid": {"audience": "customer", "topic": "payment"},
    "order_refunded": {"audience": "customer", "topic": "payment"},
    "quote_sent": {"audience": "customer", "topic": "quote"},
    "back_in_stock": {"audience": "customer", "topic": "alert"},
    "event_registered": {"audience": "customer", "topic": "registration"},
    "event_place": {"audience": "customer", "topic": "registration"},
    "event_changed": {"audience": "customer", "topic": "registration"},
    "event_cancelled": {"audience": "customer", "topic": "registration"},
    "event_subscription": {"audience": "customer", "topic": "subscription"},
    "event_published": {"audience": "customer", "topic": "subscription"},
    "purchase_order_sent": {"audience": "supplier", "topic": "purchase"},
    "recipient_order_placed": {"audience": "recipient", "topic": "order"},
    "recipient_order_shipped": {"audience": "recipient", "topic": "order"},
    "new_order": {"audience": "owner", "topic": "order"},
    "order_cancelled_by_customer": {"audience": "owner", "topic": "order"},
    "payment_needs_decision": {"audience": "owner", "topic": "payment"},
    "quote_requested": {"audience": "owner", "topic": "quote"},
    "low_stock": {"audience": "owner", "topic": "stock"}
  }'::jsonb
$$;

create or replace function private.has_nothing_to_say(_email public.outgoing_emails)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return case private.email_topic(_email.kind)
    when 'stock' then private.email_stock() is null
    when 'quote' then private.email_quote(_email) is null
    when 'alert' then private.email_stock_alert(_email) is null
    when 'registration' then private.email_registration(_email) is null
    when 'subscription' then private.email_subscription(_email) is null
    when 'purchase' then private.email_purchase(_email) is null
    -- Another email says that it is.
    when 'order' then _email.kind = 'order_changed' and _email.resend_of is null
      and exists (select from public.orders o where o.id = _email.order_id and o.status = 'cancelled')
    else false
  end;
end $$;

create or replace function private.email_problem(_email public.outgoing_emails, _order jsonb)
returns text language sql stable set search_path = '' as $$
  select case
    when _email.order_id is not null and _order is null then 'The order was deleted.'
    when private.email_audience(_email.kind) = 'customer' and _email.order_id is not null and _order ->> 'email' is null
      or private.email_audience(_email.kind) = 'recipient' and _order ->> 'recipient_email' is null then 'The order has no email address.'
    when private.email_audience(_email.kind) = 'supplier' and _order is not null and _order ->> 'email' is null then 'The supplier has no email address.'
  end
$$;

create or replace function private.claim_email()
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  email public.outgoing_emails;
  of_order jsonb;
  of_quote jsonb;
  of_alert jsonb;
  of_registration jsonb;
  of_subscription jsonb;
  of_purchase jsonb;
  stock jsonb;
  problem text;
  late constant interval := interval '3 days';
begin
  perform private.give_up_old_emails(late);
  for looked in 1 .. 200 loop
    select * into email from public.outgoing_emails
     where state = 'waiting' and created_at >= clock_timestamp() - late
       -- No pause is that long: a clock that was ahead has written it, and the row would wait until then.
       and (due_at <= clock_timestamp() or due_at > clock_timestamp() + interval '2 hours')
     -- An order's email passes those about books that are back and new events, however many are late because the mail server is slow.
     order by kind in ('back_in_stock', 'event_published'), due_at, created_at limit 1
       for update skip locked;
    if not found then return null; end if;
    if private.email_audience(email.kind) = 'recipient' then
      -- One at a time, so that workers don't send two last ones at once.
      perform pg_advisory_xact_lock(hashtextextended('copies for recipients', 47));
      update public.outgoing_emails set mailbox = null
       where mailbox is not null and state <> 'waiting' and coalesce(settled_at, created_at) <= clock_timestamp() - interval '1 day';
    end if;
    of_order := private.email_order(email.order_id);
    stock := case when private.email_topic(email.kind) = 'stock' then private.email_stock() end;
    of_quote := private.email_quote(email);
    of_alert := private.email_stock_alert(email);
    of_registration := private.email_registration(email);
    of_subscription := private.email_subscription(email);
    of_purchase := private.email_purchase(email);
    problem := private.email_problem(email, coalesce(of_order, of_quote, of_purchase));
    if problem is not null then
      update public.outgoing_emails
         set state = 'given_up', reason = btrim(problem), lease = null, settled_at = clock_timestamp()
       where id = email.id;
    elsif private.has_nothing_to_say(email) or private.is_copy_too_many(email) then
      delete from public.outgoing_emails where id = email.id;
    else
      update public.outgoing_emails
         set lease = gen_random_uuid(), attempts = attempts + 1, due_at = clock_timestamp() + private.email_lease()
       where id = email.id
      returning * into email;
      return jsonb_build_object(
        'id', email.id, 'lease', email.lease, 'kind', email.kind, 'status', email.status, 'created_at', email.created_at,
        'audience', private.email_audience(email.kind), 'order', of_order, 'stock', stock,
        'payment', private.email_payment(email), 'quote', of_quote, 'alert', of_alert,
        -- Null for other emails. Each attempt has a link of its own: only its hash is stored.
        'registration', of_registration || jsonb_build_object('token', private.new_event_link('registration', (of_registration ->> 'id')::uuid)),
        'subscription', of_subscription || jsonb_build_object('token', private.new_event_link('subscription', (of_subscription ->> 'id')::uuid)),
        'purchase', of_purchase);
    end if;
  end loop;
  return null;
end $$;

create or replace function private.resend_email(_email_id uuid)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  given public.outgoing_emails;
  first_id uuid;
  made uuid;
begin
  select * into given from public.outgoing_emails where id = _email_id;
  if private.email_topic(given.kind) = 'purchase' then
    perform private.require_duty('stock');
  else
    perform private.require_duty('orders');
  end if;
  if given.id is null then
    perform private.refuse('PT404', 'email_not_found', 'This email no longer exists.');
  end if;
  first_id := coalesce(given.resend_of, given.id);
  -- Two simultaneous presses are two requests: the second one waits here and then finds the first one's row.
  perform from public.outgoing_emails where id = first_id for update;
  if exists (select from public.outgoing_emails where first_id in (id, resend_of) and state = 'waiting') then
    perform private.refuse('PT409', 'email_waiting', 'This email is already waiting to be sent.');
  end if;
  if given.order_id is not null and not exists (select from public.orders where id = given.order_id) then
    perform private.refuse('PT404', 'order_not_found', 'This order no longer exists.');
  end if;
  if private.has_nothing_to_say(given) then
    perform private.refuse('PT409', 'nothing_to_say', 'This email would be out of date: the quote, the purchase order or the stock has changed.');
  end if;
  insert into public.outgoing_emails (kind, order_id, status, mailbox, resend_of)
  values (given.kind, given.order_id, given.status, given.mailbox, first_id) returning id into made;
  return made;
end $$;

create function private.admin_list_unsent_emails(_page int default 1, _page_size int default 50)
returns table (
  id uuid, kind text, status text, state text, reason text, due_at timestamptz, settled_at timestamptz, order_id uuid,
  order_number bigint, quote_id uuid, quote_reference text, purchase_order_id uuid, purchase_reference text
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query execute
    'select e.id, e.kind, e.status, e.state, e.reason, e.due_at, e.settled_at, o.id, o.number, q.id, q.reference, p.id, p.reference
       from (select * from private.unsent_emails() order by coalesce(settled_at, created_at) desc, id'
         || private.paging(_page, _page_size) || $query$) as e
       left join public.outgoing_emails f on f.id = e.resend_of
       left join public.orders o on o.id = e.order_id
       left join public.quotes q on private.email_topic(e.kind) = 'quote' and q.id::text = split_part(coalesce(e.event, f.event), ':', 1)
       left join public.purchase_orders p on private.email_topic(e.kind) = 'purchase' and p.id::text = split_part(coalesce(e.event, f.event), ':', 1)
      order by coalesce(e.settled_at, e.created_at) desc, e.id$query$;
end $$;

select private.expose('admin_list_unsent_emails', 'authenticated', 'service_role');

/*
 * From which day the books of a term are bought: when the term before it in the settings has ended, at most 60 days before the term.
 */
create function private.term_sales_from(_from date)
returns date language sql stable set search_path = '' as $$
  select greatest(_from - 60, (
    select max((t ->> 'to')::date) + 1 from public.shop_settings s, jsonb_array_elements(s.value) as t
     where s.id = 'schoolTerms' and (t ->> 'to')::date < _from))
$$;

/*
 * What is compared for a term: the booklists of its school year, which a term from August on begins, and the sales since then; and its
 * sales beside those of last year's term. That is the one of the settings that shares most days with the same days a year before, or else
 * those days.
 */
create function private.need_periods(_from date, _to date)
returns table (school_year text, year_from date, sales_from date, last_from date, last_to date)
language sql stable set search_path = '' as $$
  with before as (
    select (_from - interval '1 year')::date as first, (_to - interval '1 year')::date as last,
           (extract(year from _from) - case when extract(month from _from) < 8 then 1 else 0 end)::int as year
  ), last_term as (
    select t.first, t.last
      from before b, (select (t ->> 'from')::date as first, (t ->> 'to')::date as last
                        from public.shop_settings s, jsonb_array_elements(s.value) as t where s.id = 'schoolTerms') as t
     where t.first <= b.last and t.last >= b.first and t.last < _from
     order by least(t.last, b.last) - greatest(t.first, b.first) desc, t.first limit 1
  )
  select b.year || '/' || b.year + 1, make_date(b.year, 9, 1) - 60, private.term_sales_from(_from),
         private.term_sales_from(coalesce(l.first, b.first)), coalesce(l.last, b.last)
    from before b left join last_term l on true
$$;

/*
 * Staff: what a term from _from to _to needs, by supplier and title: books of which more are needed than there are, and those on booklists
 * whose number of pupils is unknown; with _covered all that are needed. _supplier: a supplier's id, 'none', or all; _publisher a name.
 *
 * needed = the larger of (listed - sold_in_year, sold_last_year - sold_in_term, 0) + waiting; proposed = needed - stock - on_its_way -
 * drafted, at least 0. listed: pupils times copies of the required lines of published booklists. lists: [{"booklist_id", "school",
 * "class_name", "pupils" or null, "copies", "is_required"}]. Copies of open orders left the stock when they were placed. A book's supplier is
 * the one of its last purchase order that is not cancelled, otherwise that of its publisher's; hidden ones don't count. found: of how many
 * lines these are the first _limit.
 */
create function private.list_purchase_needs(
  _from date, _to date, _supplier text default null, _publisher text default null, _covered boolean default false, _limit int default 1000
)
returns table (
  book_id uuid, title text, publisher text, isbn text, supplier_id uuid, supplier_name text, lists jsonb, listed bigint,
  sold_in_year bigint, sold_last_year bigint, sold_in_term bigint, waiting bigint, stock int, on_its_way bigint, drafted bigint,
  needed bigint, proposed bigint, found bigint
) language plpgsql stable security definer set search_path = '' set work_mem = '32MB' as $$
declare
  today constant date := private.today();
  days record;
begin
  perform private.require_duty('stock');
  perform private.require_period(_from, _to);
  select * into days from private.need_periods(_from, _to);
  return query
    with listed as materialized (
      select l.book_id, coalesce(sum(l.copies * n.pupils) filter (where l.is_required), 0)::bigint as copies,
             bool_or(l.is_required and n.pupils is null) as is_unknown,
             jsonb_agg(jsonb_build_object('booklist_id', n.id, 'school', n.school, 'class_name', n.class_name, 'pupils', n.pupils,
               'copies', l.copies, 'is_required', l.is_required) order by n.school_key, n.class_key, n.id) as lists
        from public.booklists n join public.booklist_lines l on l.booklist_id = n.id
       where n.status = 'published' and n.school_year = days.school_year and l.book_id is not null
       group by 1
    ), sold as materialized (
      select s.key::uuid as book_id, sum(s.copies) filter (where s.period = 'year') as in_year,
             sum(s.copies) filter (where s.period = 'last') as last_year, sum(s.copies) filter (where s.period = 'term') as in_term
        from (select 'year' as period, y.key, y.copies from private.sales_of('book', days.year_from, least(today, _to), null, null) as y
              union all
              select 'last', l.key, l.copies from private.sales_of('book', days.last_from, days.last_to, null, null) as l
              union all
              select 'term', t.key, t.copies from private.sales_of('book', days.sales_from, least(today, _to), null, null) as t) as s
       where s.key <> ''
       group by 1
    ), waits as materialized (
      select a.book_id, count(*) as customers from public.stock_alerts a group by 1
    ), purchased as materialized (
      select l.book_id, o.supplier_id, o.created_at, o.id, s.hidden,
             case when o.status in ('sent', 'part_received') then greatest(l.copies - l.received, 0) else 0 end as sent,
             case when o.status = 'draft' then greatest(l.copies - l.received, 0) else 0 end as drafted
        from public.purchase_order_lines l join public.purchase_orders o on o.id = l.purchase_order_id
        join public.suppliers s on s.id = o.supplier_id
       where o.status <> 'cancelled'
    ), coming as materialized (
      select p.book_id, sum(p.sent)::bigint as sent, sum(p.drafted)::bigint as drafted from purchased p group by 1
    ), of_book as materialized (
      select distinct on (p.book_id) p.book_id, p.supplier_id from purchased p where not p.hidden
       order by p.book_id, p.created_at desc, p.id
    ), of_publisher as materialized (
      select distinct on (b.publisher) b.publisher, p.supplier_id
        from purchased p join public.books b on b.id = p.book_id where not p.hidden and b.publisher is not null
       order by b.publisher, p.created_at desc, p.id
    ), needs as (
      select b.id, b.title, b.title_key, b.publisher, b.isbn, b.stock_quantity, coalesce(ob.supplier_id, op.supplier_id) as supplier_id,
             coalesce(l.lists, '[]') as lists, coalesce(l.copies, 0) as listed, coalesce(l.is_unknown, false) as is_unknown,
             coalesce(s.in_year, 0)::bigint as in_year, coalesce(s.last_year, 0)::bigint as last_year,
             coalesce(s.in_term, 0)::bigint as in_term, coalesce(w.customers, 0) as waiting, coalesce(c.sent, 0) as sent,
             coalesce(c.drafted, 0) as drafted,
             (greatest(coalesce(l.copies, 0) - coalesce(s.in_year, 0), coalesce(s.last_year, 0) - coalesce(s.in_term, 0), 0)
               + coalesce(w.customers, 0))::bigint as needed
        from public.books b
        left join listed l on l.book_id = b.id
        left join sold s on s.book_id = b.id
        left join waits w on w.book_id = b.id
        left join coming c on c.book_id = b.id
        left join of_book ob on ob.book_id = b.id
        left join of_publisher op on op.publisher = b.publisher
       where (_publisher is null or b.publisher = _publisher)
    )
    select n.id, n.title, n.publisher, n.isbn, n.supplier_id, p.name, n.lists, n.listed, n.in_year, n.last_year, n.in_term, n.waiting,
           n.stock_quantity, n.sent, n.drafted, n.needed, greatest(n.needed - n.stock_quantity - n.sent - n.drafted, 0),
           count(*) over ()
      from needs n left join public.suppliers p on p.id = n.supplier_id
     where (n.needed > n.stock_quantity + n.sent + n.drafted or n.is_unknown or coalesce(_covered, false) and n.needed > 0)
       and (_supplier is null or coalesce(n.supplier_id::text, 'none') = _supplier)
     order by p.name_key nulls last, n.title_key, n.id
     limit least(greatest(coalesce(_limit, 1000), 1), 1000);
end $$;
select private.expose('list_purchase_needs', 'authenticated', 'service_role');

/*
 * Staff: begins a draft purchase order for each supplier of _lines, all of them or none: [{"book_id", "supplier_id", "copies"}], at most
 * 1,000. A line has the price and discount of the last purchase order of the book from the supplier in its currency; otherwise the
 * supplier's usual discount and, from a supplier that counts in cedis, the shop's price, or else 0, which staff fill in. The same _id again
 * begins none. unpriced: lines with the price 0.
 */
create function private.draft_needed_purchases(_id uuid, _lines jsonb)
returns table (purchase_order_id uuid, supplier_name text, titles bigint, unpriced bigint)
language plpgsql security definer set search_path = '' as $$
declare
  uuid_form constant text := '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';
  supplier record;
begin
  perform private.require_duty('stock');
  if _id is null or jsonb_typeof(_lines) is distinct from 'array' or jsonb_array_length(_lines) not between 1 and 1000 or exists (
    select from jsonb_array_elements(_lines) as l
     where (jsonb_typeof(l) = 'object' and l ->> 'book_id' ~ uuid_form and l ->> 'supplier_id' ~ uuid_form) is not true
  ) then
    perform private.refuse('PT400', 'invalid_lines', 'A proposal has between 1 and 1,000 lines, each with a book, a supplier and copies.');
  end if;
  for supplier in select (l ->> 'supplier_id')::uuid as id from jsonb_array_elements(_lines) as l group by 1 order by 1 loop
    purchase_order_id := md5(_id::text || supplier.id::text)::uuid;
    perform private.create_purchase_order(purchase_order_id, supplier.id);
    -- Of two presses at once the second one waits here; then the draft has its lines.
    perform from public.purchase_orders o where o.id = purchase_order_id and o.version = 1 for no key update;
    if found then
      perform private.update_purchase_order(purchase_order_id, 1, (
        select jsonb_agg(jsonb_build_object('book_id', l.value ->> 'book_id', 'copies', l.value -> 'copies',
                 'list_price', coalesce(before.list_price, case when s.currency = 'GHS' then b.price end, 0),
                 'discount', coalesce(before.discount, s.discount)) order by b.title_key, l.place)
          from jsonb_array_elements(_lines) with ordinality as l (value, place)
          join public.suppliers s on s.id = supplier.id
          left join public.books b on b.id = (l.value ->> 'book_id')::uuid
          left join (
            select distinct on (p.book_id) p.book_id, p.list_price, p.discount
              from public.purchase_order_lines p
              join public.purchase_orders o on o.id = p.purchase_order_id and o.status <> 'cancelled' and o.supplier_id = supplier.id
              join public.suppliers t on t.id = o.supplier_id and t.currency = o.currency
             order by p.book_id, o.created_at desc, o.id) as before on before.book_id = b.id
         where (l.value ->> 'supplier_id')::uuid = supplier.id));
    end if;
    select s.name, count(*), count(*) filter (where p.list_price = 0) into supplier_name, titles, unpriced
      from public.suppliers s left join public.purchase_order_lines p on p.purchase_order_id = draft_needed_purchases.purchase_order_id
     where s.id = supplier.id group by s.name;
    return next;
  end loop;
end $$;
select private.expose('draft_needed_purchases', 'authenticated', 'service_role');

/* The event of the email: one for each time that it is marked as sent. */
create function private.purchase_email_event(_purchase public.purchase_orders)
returns text language sql immutable set search_path = '' as $$
  select _purchase.id || ':' || (extract(epoch from _purchase.sent_at) * 1000000)::bigint
$$;

/*
 * What an email about a purchase order says and its files contain; null for any other email, and when the purchase order was changed,
 * cancelled, received or sent anew since. Amounts in its currency.
 */
create function private.email_purchase(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', o.id, 'reference', o.reference, 'currency', o.currency, 'sent_at', o.sent_at, 'note', o.note, 'supplier_name', s.name,
    'contact_name', s.contact_name, 'email', s.email, 'phone', s.phone, 'terms', s.terms, 'total', l.total, 'lines', l.lines)
    from public.purchase_orders o join public.suppliers s on s.id = o.supplier_id
   cross join lateral (
     select sum(p.line_cost) as total, jsonb_agg(jsonb_build_object('isbn', p.isbn, 'title', p.title, 'publisher', p.publisher,
              'copies', p.copies, 'list_price', p.list_price, 'discount', p.discount, 'amount', p.line_cost) order by p.position, p.id) as lines
       from public.purchase_order_lines p where p.purchase_order_id = o.id) as l
   where o.id = case when private.email_topic(_email.kind) = 'purchase' then split_part(private.email_event(_email), ':', 1)::uuid end
     and o.status in ('sent', 'part_received') and private.purchase_email_event(o) = private.email_event(_email)
$$;

/* Staff: emails a purchase order that is marked as sent to its supplier, once each time that it was marked, however often this is called. */
create function private.email_purchase_order(_id uuid, _version int)
returns void language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_duty('stock');
  purchase := private.lock_purchase_order(_id, _version);
  if purchase.status not in ('sent', 'part_received') then
    perform private.refuse('PT409', 'purchase_order_not_sent', 'Mark this purchase order as sent before you email it.',
      jsonb_build_object('status', purchase.status));
  elsif not exists (select from public.suppliers s where s.id = purchase.supplier_id and s.email is not null) then
    perform private.refuse('PT409', 'supplier_without_email', 'This supplier has no email address.');
  end if;
  perform private.queue_email('purchase_order_sent', private.purchase_email_event(purchase), null);
end $$;
select private.expose('email_purchase_order', 'authenticated', 'service_role');

/* Staff: the emails of a purchase order, the newest first. is_current: of the last time that it was marked as sent. */
create function private.list_purchase_emails(_id uuid)
returns table (id uuid, state text, reason text, due_at timestamptz, created_at timestamptz, settled_at timestamptz, is_current boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('stock');
  return query
    select e.id, e.state, e.reason, e.due_at, e.created_at, e.settled_at, f.event = private.purchase_email_event(o)
      from public.purchase_orders o
      join public.outgoing_emails f on f.kind = 'purchase_order_sent' and starts_with(f.event, o.id::text)
      join public.outgoing_emails e on e.id = f.id or e.resend_of = f.id
     where o.id = _id
     order by e.created_at desc, e.id;
end $$;
select private.expose('list_purchase_emails', 'authenticated', 'service_role');
