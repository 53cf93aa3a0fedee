-- What a review found: of returns, people, quotes and imports.

/* Ends a change of email that has not been confirmed: its link no longer counts. */
create function private.end_email_change(_user_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.has_own_accounts() then return; end if;
  update auth.users set email_change = null, email_change_sent_at = null, updated_at = now() where id = _user_id and email_change is not null;
  if found then
    execute 'delete from private_shop.email_links where user_id = $1 and kind = ''email_change''' using _user_id;
  end if;
end $$;

/* Removes what names this customer from their quotes, which keep their numbers and lines; an open one is withdrawn. */
create function private.forget_quotes(_user_id uuid)
returns void language sql security definer set search_path = '' as $$
  update public.quotes
     set institution = null, contact_name = null, contact_email = null, contact_phone = null, message = null, note = null,
         purchase_order_number = null, status = case when status in ('requested', 'sent') then 'withdrawn' else status end
   where user_id = _user_id;
$$;

/*
 * Staff: what the shop holds about a person with an account; null if there is none. Lists have their number of rows and the ten newest.
 * What needs a further duty is null without it: orders, what is owed and the notes on orders (orders), quotes and consultations (schools),
 * reviews (reviews), registrations (events). Amounts in cedis.
 */
create or replace function private.admin_find_person(_user_id uuid)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  person public.profiles;
  account auth.users;
begin
  perform private.require_duty('people');
  select * into person from public.profiles p where p.id = _user_id;
  if not found then return null; end if;
  select * into account from auth.users u where u.id = _user_id;
  return jsonb_build_object(
    'profile', to_jsonb(person) - '{search_text,terms_version}'::text[],
    'is_confirmed', account.email_confirmed_at is not null,
    -- A hosted project's closed account has an address at nobody.invalid.
    'is_open', coalesce(account.email not like '%@nobody.invalid', false),
    -- While the link lasts; whoever requested it, they or staff.
    'new_email', case when account.email_change_sent_at > now() - interval '1 hour' then nullif(account.email_change, '') end,
    'can_change_email', private.has_own_accounts(),
    'role', coalesce((select r.role from public.user_roles r where r.user_id = _user_id order by r.id desc limit 1), 'user'),
    'duties', array(select d.duty from public.staff_duties d where d.user_id = _user_id),
    'notes', private.newest_of_person(_user_id,
      'select n.id, n.body, n.created_at, coalesce(p.full_name, p.email) as by_name
         from private.person_notes n left join public.profiles p on p.id = n.actor where n.user_id = $1'),
    'cart', private.newest_of_person(_user_id,
      'select b.id, b.title, c.quantity, c.created_at from public.cart_items c join public.books b on b.id = c.book_id where c.user_id = $1'),
    'wishlist', private.newest_of_person(_user_id,
      'select b.id, b.title, w.created_at from public.wishlists w join public.books b on b.id = w.book_id where w.user_id = $1'),
    'stock_alerts', private.newest_of_person(_user_id,
      'select b.id, b.title, a.created_at from public.stock_alerts a join public.books b on b.id = a.book_id where a.user_id = $1'),
    'orders', case when private.has_duty('orders') then private.newest_of_person(_user_id,
      'select o.id, o.number, o.created_at, o.status, o.total_amount, o.payment_state, o.owed_back, o.user_id is null as is_by_phone
         from private.orders_of_person($1) as o') end,
    'owed', case when private.has_duty('orders') then (
      select jsonb_build_object(
               'due', coalesce(sum(o.total_amount - o.returned_amount - o.paid_amount) filter (where o.payment_state in ('due', 'part_paid')), 0),
               'back', coalesce(sum(o.owed_back), 0))
        from private.orders_of_person(_user_id) as o) end,
    'order_notes', case when private.has_duty('orders') then private.newest_of_person(_user_id,
      'select n.id, n.body, n.created_at, o.number, coalesce(p.full_name, p.email) as by_name
         from private.orders_of_person($1) as o join public.order_notes n on n.order_id = o.id
         left join public.profiles p on p.id = n.actor where n.body is not null') end,
    'quotes', case when private.has_duty('schools') then private.newest_of_person(_user_id,
      'select q.id, q.reference, q.institution, private.quote_status(q.status, q.valid_until) as status, q.created_at
         from public.quotes q where q.user_id = $1') end,
    'consultations', case when private.has_duty('schools') then private.newest_of_person(_user_id,
      'select c.id, c.subject, c.institution, c.status, c.created_at
         from public.consultations c where c.id = any (private.consultations_of($1))') end,
    'reviews', case when private.has_duty('reviews') then private.newest_of_person(_user_id,
      'select r.id, b.title, r.rating, r.review_text, r.hidden_at is not null as is_hidden, r.created_at
         from public.reviews r join public.books b on b.id = r.book_id where r.user_id = $1') end,
    'registrations', case when private.has_duty('events') then private.newest_of_person(_user_id,
      'select r.id, e.id as event_id, e.title, e.starts_at, r.state, r.created_at
         from auth.users u join public.event_registrations r on lower(r.email) = lower(u.email) join public.events e on e.id = r.event_id
        where u.id = $1 and u.email_confirmed_at is not null') end);
end $$;

/* Staff: adds a note about a person, once per _note_id. The person never sees it. */
create or replace function private.add_person_note(_note_id uuid, _user_id uuid, _body text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  body constant text := private.clean_text(_body);
  known_email text;
begin
  perform private.require_duty('people');
  perform private.require_text('body', 'The note', body, 2000, true);
  -- Held until the end, so that a person who is being forgotten is forgotten with this note.
  select email into known_email from public.profiles where id = _user_id for share;
  if not found then
    perform private.refuse('PT404', 'user_not_found', 'This person no longer has an account.');
  elsif known_email is null then
    perform private.refuse('PT409', 'account_closed', 'This account is closed, and its details have been erased.');
  end if;
  insert into private.person_notes (id, user_id, body) values (coalesce(_note_id, gen_random_uuid()), _user_id, body)
  on conflict (id) do nothing;
end $$;

/* Locks an account whose email staff change; of staff, only admins. */
create or replace function private.lock_account(_user_id uuid)
returns auth.users language plpgsql security definer set search_path = '' as $$
declare
  account auth.users;
begin
  if not private.has_own_accounts() then
    perform private.refuse('PT409', 'own_account_only', 'In this shop, only customers themselves can change their email, under My Account.');
  end if;
  select * into account from auth.users where id = _user_id for update;
  if not found then
    perform private.refuse('PT404', 'user_not_found', 'This person no longer has an account.');
  elsif account.email is null then
    perform private.refuse('PT409', 'account_closed', 'This account is closed, and its details have been erased.');
  end if;
  -- Once it is locked: a role that is being given has then ended the change, or is seen.
  perform private.require_admin_for_staff(_user_id);
  return account;
end $$;

/*
 * Staff: asks the owner of another email address to confirm that they want it for this account, which keeps its address until then. Both
 * addresses get the emails of customers who change their own. _seen_email is the address that was shown. Repeated within a minute, it sends
 * nothing.
 */
create or replace function private.request_email_change(_user_id uuid, _seen_email text, _email text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  account auth.users;
  requested constant text := lower(private.clean_line(_email));
begin
  perform private.require_duty('people');
  account := private.lock_account(_user_id);
  perform private.require_text('email', 'The email', requested, 254, true);
  perform private.require_contact('email', requested, null, null);
  perform private.require_plain_email('email', requested);
  if account.email is distinct from _seen_email then
    perform private.refuse('PT409', 'person_changed', 'The email has changed since you opened this page. Check it before you change it.');
  elsif account.email = requested then
    perform private.refuse('PT400', 'invalid_field', 'This is already their email address.',
      jsonb_build_object('field', 'email', 'rule', 'changed'));
  elsif exists (select from auth.users u where u.email = requested and u.email_confirmed_at is not null) then
    perform private.refuse('PT409', 'email_taken', 'Another account has this email address.');
  end if;
  if account.email_change = requested and account.email_change_sent_at > now() - interval '1 minute' then return; end if;
  update auth.users set email_change = requested, email_change_sent_at = now(), updated_at = now() where id = _user_id;
  execute 'insert into private_shop.account_tasks (task) values ($1)'
    using jsonb_build_object('kind', 'change-email', 'userId', _user_id, 'email', requested, 'redirectTo', null);
  perform private.write_audit('profiles',
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'new_email', account.email_change),
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'new_email', requested));
end $$;

/* Staff: takes back a change of email that has not been confirmed; its link no longer counts. Repeating it changes nothing. */
create or replace function private.withdraw_email_change(_user_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  account auth.users;
begin
  perform private.require_duty('people');
  account := private.lock_account(_user_id);
  if account.email_change is null then return; end if;
  perform private.end_email_change(_user_id);
  perform private.write_audit('profiles',
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'new_email', account.email_change),
    jsonb_build_object('id', _user_id, 'user_id', _user_id, 'new_email', null));
end $$;

/*
 * A change of role is one entry of the log, with the role before and after, whether it replaced a row, and tells the person and every other
 * admin (8-roles in 7-emails). Runs before replace_roles, since triggers run in the order of their names.
 */
create or replace function private.record_role()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  former jsonb := to_jsonb(old);
begin
  if tg_op = 'DELETE' and exists (select from public.user_roles r where r.user_id = old.user_id and r.id > old.id) then return null; end if;
  if tg_op = 'INSERT' then
    select to_jsonb(r) into former from public.user_roles r where r.user_id = new.user_id and r.id < new.id order by r.id desc limit 1;
  end if;
  perform private.write_audit('user_roles', former, to_jsonb(new));
  if tg_op = 'INSERT' and new.role <> 'user' then
    -- Staff with the duty People may have asked for it while this was a customer's account.
    perform private.end_email_change(new.user_id);
  end if;
  if coalesce(former ->> 'role', 'user') <> coalesce(new.role, 'user') then
    perform private.queue_role_emails(coalesce(new.user_id, old.user_id));
  end if;
  return null;
end $$;

/*
 * Admins: gives a person some duties and takes others away; returns the resulting duties. Duties in neither list stay
 * as they are, so two admins at once don't undo each other's changes.
 */
create or replace function private.change_duties(_user_id uuid, _give text[] default '{}', _take text[] default '{}')
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
  if cardinality(given) > 0 then
    -- As in record_role.
    perform private.end_email_change(_user_id);
  end if;
  return array(select duty from public.staff_duties where user_id = _user_id order by array_position(private.duties(), duty));
end $$;

/*
 * Returns copies of an order: [{order_item_id, copies, left, resalable, refund}], left what could still be returned when staff looked, refund in cedis for all copies of the line, by default their
 * price. The caller has locked stock and order.
 */
create or replace function private.write_return(_return_id uuid, _order public.orders, _lines jsonb, _reason text, _note text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := case when jsonb_typeof(_lines) = 'array' then jsonb_array_length(_lines) else 0 end;
  written_note constant text := private.clean_text(_note);
  line record;
begin
  if titles not between 1 and 1000
     or (select count(distinct l.order_item_id) from jsonb_to_recordset(_lines) as l (order_item_id uuid)) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 1,000 different lines of the order, with the copies of each.');
  end if;
  perform private.require_text('reason', 'The reason', _reason, 20, true);
  perform private.require_choice('reason', 'The reason', _reason, private.return_reasons());
  perform private.require_text('note', 'The note', written_note, 500);
  insert into public.order_returns (id, order_id, reason, note, of_cancelled)
  values (_return_id, _order.id, _reason, written_note, _order.status = 'cancelled');
  for line in
    select l.order_item_id, l.copies, l."left" as seen, coalesce(l.resalable, true) as resalable, l.refund, c.book_id, i.title, i.price,
           coalesce(c.copies, 0) as most, c.has_codes
      from jsonb_to_recordset(_lines) as l (order_item_id uuid, copies int, "left" int, resalable boolean, refund numeric)
      left join public.order_items i on i.id = l.order_item_id and i.order_id = _order.id
      left join private.copies_to_return(_order.id) as c on c.order_item_id = i.id
  loop
    if line.title is null then
      perform private.refuse('PT404', 'line_not_found', 'A line of this order no longer exists. Check the order again.');
    end if;
    perform private.require_number('copies', 'The number of copies', line.copies, 1, 9999);
    if line.seen <> line.most then
      perform private.refuse('PT409', 'return_outdated',
        format('Copies of %s have been returned since you opened this form. Check the order''s history first.', line.title));
    end if;
    if line.copies > line.most then
      perform private.refuse('PT409', 'more_than_ordered', case line.most
          when 0 then format('No copies of %s can be returned any more.', line.title)
          else format('%s: only %s can still be returned.', line.title, line.most) end,
        jsonb_build_object('order_item_id', line.order_item_id, 'title', line.title, 'most', line.most));
    end if;
    line.refund := case when _order.status = 'cancelled' then 0 else coalesce(line.refund, line.price * line.copies) end;
    perform private.require_number('refund', 'The refund', line.refund, 0, line.price * line.copies);
    perform private.require_pesewas('refund', 'The refund', line.refund);
    insert into public.order_return_lines (return_id, order_item_id, book_id, title, copies, resalable, refund)
    -- A licence code that nobody was given can always be sold.
    values (_return_id, line.order_item_id, line.book_id, line.title, line.copies, line.resalable or line.has_codes, line.refund);
  end loop;
  if private.sum_returns(_order.id) > _order.total_amount then
    perform private.refuse('PT409', 'more_than_total', 'The refunds can''t be more than the order''s total.');
  end if;
  perform private.move_returned_copies(_return_id, _order.id, 1, 'return');
  update public.orders
     set returned_amount = private.sum_returns(id), stock_held = exists (select from private.copies_to_return(id))
   where id = _order.id;
  perform private.log_return(_return_id, 'return');
end $$;

/*
 * Staff: returns copies of a shipped, delivered or cancelled order, once per _return_id. _lines as in write_return; _reason one of
 * return_reasons. Of a cancelled order no refund is written down, since all that was paid for it is owed back.
 */
create or replace function private.return_copies(_return_id uuid, _order_id uuid, _lines jsonb, _reason text, _note text default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  known public.order_returns;
begin
  perform private.require_duty('orders');
  of_order := private.lock_order_with_stock(_order_id);
  select * into known from public.order_returns r where r.id = _return_id and r.order_id = _order_id;
  if found then
    if known.undone_at is not null or (known.reason, known.note) is distinct from (_reason, private.clean_text(_note)) or exists (
      select from (select l.order_item_id, l.copies, l.refund from public.order_return_lines l where l.return_id = known.id) as stored
        full join jsonb_to_recordset(_lines) as l (order_item_id uuid, copies int, refund numeric) using (order_item_id)
       where stored.copies is distinct from l.copies or known.of_cancelled is false and stored.refund <> l.refund
    ) then
      perform private.refuse('PT409', 'return_exists',
        'This return was already recorded, before your last changes. You''ll find it in the order''s history.');
    end if;
    return;
  end if;
  if private.is_open(of_order.status) then
    perform private.refuse('PT409', 'order_not_sent', 'This order hasn''t been sent yet. Change or cancel it instead.');
  end if;
  if not of_order.stock_held then
    perform private.refuse('PT409', 'nothing_to_return', 'All copies of this order have already been returned.');
  end if;
  perform private.write_return(coalesce(_return_id, gen_random_uuid()), of_order, _lines, _reason, _note);
end $$;

/* Staff: returns all copies of an order that have not been returned, as good as new. It refunds nothing: nobody has decided that. */
create or replace function private.return_to_stock(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  lines jsonb;
begin
  perform private.require_duty('orders');
  of_order := private.lock_order_with_stock(_order_id);
  select jsonb_agg(jsonb_build_object('order_item_id', c.order_item_id, 'copies', c.copies, 'refund', 0)) into lines
    from private.copies_to_return(_order_id) as c where of_order.stock_held;
  if lines is null then
    perform private.refuse('PT409', 'nothing_to_return', 'All copies of this order have already been returned.');
  end if;
  perform private.write_return(gen_random_uuid(), of_order, lines, 'other', null);
end $$;

/*
 * Staff: begins a quote for an account, or, from an older quote (_copy_of), for its customer and with its delivery and the books that are
 * still sold, at today's prices; returns its id. _quote_id is chosen by the client, so that a retry begins nothing twice; refused if that
 * quote is for someone else: staff may have changed what they typed because the first response was lost.
 */
create or replace function private.begin_quote(
  _quote_id uuid, _user_id uuid, _institution text, _contact_name text, _contact_email text, _contact_phone text,
  _copy_of uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
  before public.quotes;
begin
  perform private.require_duty('schools');
  quote := private.read_quote_contact(_institution, _contact_name, _contact_email, _contact_phone);
  if _copy_of is null then
    -- Whoever has a quote for an account sees the account.
    perform private.require_duty('people');
    select p.id, coalesce(nullif(p.delivery_method, 'download'), 'deliver'), p.region
      into quote.user_id, quote.delivery_method, quote.region
      from public.profiles p where p.id = _user_id and p.email is not null;
    if not found then
      perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
    end if;
  else
    before := private.lock_quote(_copy_of, true);
    if before.institution is null then
      perform private.refuse('PT409', 'quote_without_customer', 'The details of this quote''s customer have been erased.');
    end if;
    quote.user_id := before.user_id;
    quote.delivery_method := before.delivery_method;
    quote.region := before.region;
  end if;
  -- Held until the end, so that a person who is being forgotten is forgotten with this quote.
  perform from public.profiles p where p.id = quote.user_id and p.email is not null for share;
  if not found then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  -- A retry that overtakes its first request waits for it.
  perform pg_advisory_xact_lock(hashtext('private.begin_quote'), hashtext(_quote_id::text));
  select * into before from public.quotes where id = _quote_id;
  if found then
    if (before.user_id, before.institution, before.contact_name, before.contact_email, before.contact_phone)
       is distinct from (quote.user_id, quote.institution, quote.contact_name, quote.contact_email, quote.contact_phone) then
      perform private.refuse('PT409', 'quote_exists', 'This quote was already created, before your last changes. You''ll find it under Quotes.');
    end if;
    return _quote_id;
  end if;
  insert into public.quotes (id, user_id, institution, contact_name, contact_email, contact_phone, delivery_method, region, begun_by_staff)
  values (coalesce(_quote_id, gen_random_uuid()), quote.user_id, quote.institution, quote.contact_name, quote.contact_email,
          quote.contact_phone, quote.delivery_method, quote.region, true)
  returning * into quote;
  insert into public.quote_lines (quote_id, book_id, position, title, publisher, isbn, shop_price, unit_price, quantity)
  select quote.id, b.id, l.position, b.title, b.publisher, b.isbn, b.price, b.price, l.quantity
    from public.quote_lines l join public.books b on b.id = l.book_id
   where l.quote_id = _copy_of;
  return quote.id;
end $$;

/*
 * What delivery of an order costs with books of this total, in cedis: the fees' rule, but not where it was agreed in the quote that the
 * order came from, or is included in its prices. Refuses what can't be delivered, whatever its fee.
 */
create or replace function private.changed_delivery_fee(_order public.orders, _books_total numeric, _is_digital boolean)
returns numeric language plpgsql stable security definer set search_path = '' as $$
declare
  fee constant numeric := private.order_delivery_fee(_order.region, _order.delivery_method, _books_total, _is_digital);
begin
  if fee is null or not _is_digital and exists (
    select from public.quotes q
     where q.order_id = _order.id and q.delivery_pricing <> 'fees'
       and private.quoted_delivery_fee(q, _order.delivery_method, _order.region) is not null
  ) then
    return _order.delivery_fee;
  end if;
  return fee;
end $$;

/*
 * What an import would do, row by row, for the rows after one line up to another. A book is found by the id that an export gave the
 * row, else by what its ISBN identifies; otherwise the row is a new book. A field that is absent or empty keeps the book's value; in a
 * new book the import's defaults apply. Copies are sold while a file is edited, so the stock of an existing book is set only if the row says
 * that it is still what it was in the export, or if the import sets it on purpose; stock is 'moved' where it has changed since an export
 * whose number nobody edited, and 'kept' where the file has another number and the book keeps its own. A row with marks changes only what
 * was changed in the file: a field of which the shop has another value since stays, and is in moved; one that was changed in both is a
 * problem. Books that earlier steps of the same import have added are not there yet for a row's
 * ISBN: what a row does must not depend on how many rows a step has.
 */
create or replace function private.plan_book_import(_import_id uuid, _after_line int, _to_line int)
returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb, stock text, moved text[])
language sql stable security definer set search_path = ''
-- Rows that were staged a moment ago are not in the statistics. Otherwise a step of 2,000 rows with one ISBN reads 4,002,000 rows in place
-- of less than 40,000.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with import as (
    select * from public.book_imports where id = _import_id
  ), found as materialized (
    select r.line, r.fields, r.problems, r.isbn_key, r.given_id, own.id is not null as by_id, twins.copies,
           coalesce(own.id, twin.id) as book_id,
           case when own.id is not null then to_jsonb(own) when twin.id is not null then to_jsonb(twin) end
             - '{search_text,word_text,title_key,isbn_key,isbn13,average_rating,review_count,created_at,updated_at}'::text[]
             as before,
           -- The stored spelling stays when it means the same; a rounded one is then no problem either.
           case when own.id is not null
                then own.isbn_key is not distinct from private.isbn_key(r.fields ->> 'isbn') end as same_isbn,
           r.isbn_problem, coalesce(own.isbn_key, twin.isbn_key) as shop_key,
           -- Of an existing book. The stock of a digital title follows its files and codes.
           case when coalesce(own.kind, twin.kind) <> 'digital' then (r.fields ->> 'stock_quantity')::int end as file_stock,
           (r.fields ->> 'seen_stock')::int as seen_stock,
           coalesce(own.stock_quantity, twin.stock_quantity) as shop_stock,
           -- By this ISBN, rows without an id find the same book.
           case when own.id is null or own.id = twins.first_id then twins.isbn_key end as shared_key
      from public.book_import_rows r
      -- Each book is looked up by a range, in order: the statistics of a table that was empty a minute ago take it for empty still, and
      -- then only the order keeps the planner from reading all books for each row, along any index.
      left join lateral (
        select b.* from public.books b where b.id >= r.given_id and b.id <= r.given_id order by b.id limit 1
      ) as own on true
      -- An aggregate, because with the order of creation and a limit the look-up is planned along another index.
      cross join lateral (
        select key.isbn_key, count(o.id) as copies, (array_agg(o.id order by o.created_at, o.id))[1] as first_id
          from (select case when own.id is null then r.isbn_key else own.isbn_key end as isbn_key) as key
          left join lateral (
            select b.id, b.created_at from public.books b
             where b.isbn_key >= key.isbn_key and b.isbn_key <= key.isbn_key order by b.isbn_key offset 0
          ) as o on not exists (select from public.book_import_rows a
                            where a.book_id = o.id and (a.import_id = _import_id) is true and a.action = 'add' offset 0)
         group by key.isbn_key
      ) as twins
      left join lateral (
        select b.* from public.books b
         where b.id >= twins.first_id and b.id <= twins.first_id and own.id is null order by b.id limit 1
      ) as twin on true
     where r.import_id = _import_id and r.line > _after_line and r.line <= coalesce(_to_line, 2147483647)
  ), compared as (
    select f.*, coalesce(m.untouched, '{}') as untouched, coalesce(m.moved, '{}') as moved, m.disputed
      from (select found.*, found.fields ->> 'marks' as seen,
                   case when found.fields ? 'marks' then private.marks_of(found.fields, found.isbn_key) end as in_file,
                   case when found.fields ? 'marks' then private.marks_of(found.before, found.shop_key) end as in_shop
              from found offset 0) as f
     cross join lateral (
       select array_agg(c.name) filter (where c.in_file = c.seen) as untouched,
              array_agg(c.name order by c.position) filter (where c.in_file = c.seen and c.in_shop <> c.seen) as moved,
              array_agg(c.name order by c.position) filter (where c.in_shop not in (c.seen, c.in_file) and c.in_file <> c.seen) as disputed
         from (select u.name, u.position, substr(f.seen, u.start, 6) as seen, substr(f.in_file, u.start, 6) as in_file,
                      substr(f.in_shop, u.start, 6) as in_shop
                 from (select n.name, n.position, 6 * n.position::int - 4 as start
                         from unnest(private.marked_fields()) with ordinality as n (name, position)) as u
                where f.before is not null and f.fields ->> u.name is not null and length(f.seen) >= u.start + 5) as c
     ) as m
  ), merged as materialized (
    select f.*,
      -- The first row of the file that means the same book. A range, because for what equals a value the planner walks along all lines
      -- to find the first; and only the first is read, though thousands may have the same ISBN, such as "N/A". "is true" keeps the
      -- planner from reading all rows of the import, which it may take for none.
      least(
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.book_id >= f.book_id and e.book_id <= f.book_id
          order by e.book_id, e.line limit 1),
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.given_id >= coalesce(f.book_id, f.given_id)
            and e.given_id <= coalesce(f.book_id, f.given_id)
          order by e.given_id, e.line limit 1),
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.isbn_key >= f.shared_key and e.isbn_key <= f.shared_key
            and (select g.id from public.books g where g.id >= e.given_id and g.id <= e.given_id order by g.id limit 1) is null
            and case when f.book_id is null then coalesce(e.given_id, f.given_id) is null else true end
          order by e.isbn_key, e.line limit 1)
      ) as first_line,
      case when f.book_id is null then
        jsonb_build_object('publisher', i.default_publisher, 'price', i.default_price,
                           'stock_quantity', case when not f.fields ? 'bad_stock' then i.default_stock end)
          || jsonb_strip_nulls(f.fields - '{bad_price,bad_stock,seen_price,seen_stock,marks}'::text[])
      else
        f.before
          || jsonb_strip_nulls(
               f.fields - '{bad_price,bad_stock,seen_price,seen_stock,marks,stock_quantity}'::text[] - f.untouched
                 - case when f.by_id and not f.same_isbn then '{}' else '{isbn}' end::text[])
          || jsonb_strip_nulls(jsonb_build_object('stock_quantity', case
               when f.seen_stock = f.shop_stock or f.seen_stock is null and i.sets_stock then f.file_stock end))
      end as after,
      case when f.seen_stock is null then case when not i.sets_stock and f.file_stock <> f.shop_stock then 'kept' end
           when f.seen_stock = f.shop_stock or f.file_stock = f.shop_stock then null
           when f.file_stock = f.seen_stock then 'moved'
           when f.file_stock is not null then 'contradicts' end as stock
      from compared f cross join import i
  ), judged as (
    select m.*, m.problems
      || case when m.isbn_problem is not null and not (m.by_id and m.same_isbn) and 'isbn' <> all (m.untouched) then array[m.isbn_problem] else '{}' end
      || case when m.copies > 1 and not m.by_id then
           array[format('%s books in the shop have this ISBN. Add the ID from an export to say which one.', m.copies)]
         else '{}' end
      || case when m.book_id is null and m.given_id is not null and exists (
           select from public.audit_log a
            where a.table_name = 'books' and a.row_id = m.given_id::text and a.action = 'delete'
         ) then array['This book was deleted from the shop. Restore it in Activity, or empty its ID to add it again.']
         else '{}' end
      -- A change of prices names the price that it was made from.
      || case when m.fields ? 'seen_price' and m.before is null then array['This book was deleted since this list was made.']
              when (m.fields ->> 'seen_price')::numeric <> (m.before ->> 'price')::numeric
              then array['The price of this book was changed since this list was made.'] else '{}' end
      || case when m.stock = 'contradicts'
              then array[format('The stock was %s in the export and is %s now. Export the books again, or change it on the stock card.',
                                m.seen_stock, m.shop_stock)] else '{}' end
      || case when m.disputed is not null
              then array[format('Changed both in the shop and in the file since the export: %s. Export the books again, or make the change in the shop.',
                                (select string_agg(coalesce(t.label, replace(d.name, '_', ' ')), ', ' order by d.position)
                                   from unnest(m.disputed) with ordinality as d (name, position)
                                   left join private.book_texts() as t on t.name = d.name))] else '{}' end
      || case when m.before is not null and 'digital' in (m.before ->> 'kind', m.after ->> 'kind')
                and (m.before -> 'kind' <> m.after -> 'kind' or m.before -> 'digital_by' <> m.after -> 'digital_by')
                and private.is_digital_in_use(m.book_id)
              then array['This title has files, codes or sales, so its kind and way of delivery can''t change.'] else '{}' end
      -- A row without fields is not a row of books: its problems say so.
      || case when m.fields <> '{}' and m.after ->> 'title' is null then array['The title is missing.'] else '{}' end
      || case when m.fields <> '{}' and m.after ->> 'price' is null and not (m.fields ? 'bad_price')
              then array['The price is missing.'] else '{}' end
      || case when private.fits_shelves(m.after ->> 'title', m.after ->> 'publisher', m.after ->> 'course', m.after ->> 'subject',
                                        m.after ->> 'grade_level') then '{}'
              else array['Title, publisher, course, subject and grade level are too long together.'] end
      || case when m.first_line is null or m.first_line = m.line then '{}'
              when m.given_id is null then array[format('The same ISBN is in line %s.', m.first_line)]
              else array[format('The same book is in line %s.', m.first_line)] end as all_problems
      from merged m
  )
  select j.line,
         case when cardinality(j.all_problems) > 0 then 'refused'
              when j.book_id is null then 'add'
              when j.after = j.before then 'unchanged'
              else 'update' end,
         j.book_id, j.all_problems, j.before, j.after, j.stock, j.moved
    from judged j
$$;

/*
 * Customers: one of their own quotes, or no row. lines: [{"book_id", "title", "publisher", "isbn", "requested", "quantity",
 * "shop_price", "unit_price", "stock", "image_url", "subject", "course"}]. unit_price, valid_until, note and delivery_fee are null while
 * the quote is being prepared; stock is null for a book that is no longer sold. shop is the seller of the day on which it was sent.
 */
create or replace function private.find_own_quote(_quote_id uuid)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, order_id uuid,
  purchase_order_number text, lines jsonb, shop jsonb, delivery_method text, region text, delivery_pricing text,
  delivery_fee numeric
) language sql stable security definer set search_path = '' as $$
  select q.id, q.reference, q.institution, q.contact_name, q.contact_email, q.contact_phone, q.message,
         case when q.sent_at is not null then q.note end, private.quote_status(q.status, q.valid_until),
         case when q.sent_at is not null then q.valid_until end, q.version, q.created_at, q.sent_at, q.order_id,
         q.purchase_order_number, private.quote_lines_as_json(q.id, q.sent_at is not null),
         private.seller_at(q.sent_at), private.quote_delivery_method(q), q.region, q.delivery_pricing,
         case when q.sent_at is not null then private.quote_delivery_fee(q) end
    from public.quotes q
   where q.id = _quote_id and q.user_id = auth.uid() and (not q.begun_by_staff or q.number is not null)
$$;

/* Locks a quote and returns it; refuses when it does not exist, or is not the caller's own unless they are staff. */
create or replace function private.lock_quote(_quote_id uuid, _as_staff boolean)
returns public.quotes language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  select * into quote from public.quotes
   -- Not what staff have begun and not sent.
   where id = _quote_id and (_as_staff or user_id = auth.uid() and (not begun_by_staff or number is not null))
     for no key update;
  if not found then
    perform private.refuse('PT404', 'quote_not_found', 'This quote does not exist.');
  end if;
  return quote;
end $$;

/*
 * Removes everything that names this customer, unless an order or a payment of theirs is not settled; returns how many of their orders
 * stay. _what: see require_settled_orders.
 */
create or replace function private.forget_customer(_user_id uuid, _what text)
returns int language plpgsql security definer set search_path = '' as $$
declare
  order_ids uuid[];
  kept int;
begin
  if not exists (select from public.profiles where id = _user_id) then
    perform private.refuse('PT404', 'customer_not_found', 'This customer does not exist.');
  end if;
  -- The lock under which their orders are placed (limit_orders): one that is being placed in another tab is waited for.
  perform pg_advisory_xact_lock(hashtext('public.orders'), hashtext(_user_id::text));
  delete from public.staff_duties where user_id = _user_id;
  delete from public.cart_items where user_id = _user_id;
  delete from public.wishlists where user_id = _user_id;
  delete from public.stock_alerts where user_id = _user_id;
  delete from private.booklist_additions where user_id = _user_id;
  delete from private.cart_requests where user_id = _user_id;
  delete from public.consultations where id = any (private.consultations_of(_user_id));
  -- Before the orders: one that is being accepted now is waited for, and its order is forgotten too.
  perform private.forget_quotes(_user_id);
  order_ids := private.orders_of(_user_id);
  kept := private.scrub_orders(order_ids);
  -- After the orders are locked, so that none is reopened meanwhile. A refusal undoes all of it.
  perform private.require_settled_orders(order_ids, _what);
  -- After the orders, some of which are found by the phone number.
  update public.profiles
     set full_name = null, email = null, phone = null, address = null, city = null, postal_code = null, region = null, landmark = null, digital_address = null,
         delivery_method = null, bus_station = null
   where id = _user_id;
  -- After the profile, which is locked while staff begin a quote or add a note.
  perform private.forget_quotes(_user_id);
  delete from private.person_notes where user_id = _user_id;
  update public.reviews set review_text = null where user_id = _user_id;
  update public.payments set note = null where user_id = _user_id and note is not null;
  delete from private.review_reports where user_id = _user_id;
  perform private.forget_event_contact(u.email) from auth.users u where u.id = _user_id and u.email_confirmed_at is not null;

  perform set_config('shop.task', 'anonymise', true);
  update public.audit_log
     set before = private.scrub(before), after = private.scrub(after)
   where table_name in ('orders', 'reviews', 'user_roles', 'quotes', 'payments', 'profiles')
     and coalesce(after, before) ->> 'user_id' = _user_id::text;
  perform set_config('shop.task', '', true);
  return kept;
end $$;

/*
 * Staff: what anonymise_customer and anonymise_caller would forget, changing nothing. {orders, consultations, quotes, reviews,
 * registrations, order_count, problem}: each order with its number, name, status and total, none without the duty for orders, and problem as
 * the sentence with which they would refuse.
 * What only an admin may do is refused.
 */
create or replace function private.preview_anonymising(_user_id uuid default null, _who text default null)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  order_ids uuid[];
  contacts text[];
  problem text;
begin
  perform private.require_duty('people', 'deletions');
  order_ids := private.orders_of(_user_id) || private.orders_of_caller(_who);
  begin
    perform private.require_forgettable(_user_id);
    perform private.require_settled_orders(order_ids, 'Names can be removed');
  exception when sqlstate 'PT409' then problem := sqlerrm;
  end;
  contacts := array(
    select lower(u.email) from auth.users u where u.id = _user_id and u.email_confirmed_at is not null
    union
    select lower(btrim(_who)) where private.bare_order_number(_who) !~ '^[0-9]{1,8}$');
  return jsonb_build_object(
    'order_count', (select count(distinct o.id) from private.orders_to_forget(order_ids) as o),
    'orders', (select coalesce(jsonb_agg(distinct jsonb_build_object(
                        'number', o.number, 'name', o.recipient_name, 'status', o.status, 'total', o.total_amount)), '[]')
                 from private.orders_to_forget(order_ids) as o where private.has_duty('orders')),
    'quotes', (select count(*) from public.quotes q where q.user_id = _user_id),
    'reviews', (select count(*) from public.reviews r where r.user_id = _user_id),
    'consultations', (select count(*) from public.consultations c
                       where c.id = any (private.consultations_of(_user_id))
                          or exists (select from unnest(contacts) as contact
                                      where c.id = any (private.consultations_of_contact(contact)))),
    -- For events, and for emails about new ones.
    'registrations', (select count(*) from unnest(contacts) as contact join public.event_registrations r
                          on lower(r.email) = contact or private.is_same_phone(r.phone, contact))
                     + (select count(*) from unnest(contacts) as contact join public.event_subscribers s
                          on s.email_key = contact),
    'problem', problem);
end $$;
