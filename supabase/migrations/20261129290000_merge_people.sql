-- Two accounts of one customer become one, after a look at what moves.

create index audit_log_merged_people on public.audit_log ((after ->> 'closed_account')) where table_name = 'profiles' and action = 'merge';

/*
 * Writes one row of the log: the row before (null if it is new) and after (null if it was deleted). An update of the ignored columns
 * alone, which are maintained automatically, is not logged.
 */
create or replace function private.write_audit(_table text, _before jsonb, _after jsonb, _ignored text[] default '{}')
returns void language plpgsql security definer set search_path = '' as $$
declare
  derived constant text[] := '{search_text,word_text,title_key,name_key,isbn_key,isbn13,school_key,class_key,paid_amount,has_undecided_payment,payment_state,owed_back,returned_amount}';
  task constant text := coalesce(current_setting('shop.task', true), '');
begin
  -- Not for the demo catalogue, which no person adds or removes; nor while an order's lines are changed or accounts
  -- are merged, each of which is one row.
  if task in ('demo', 'change', 'merge') then return; end if;
  _before := _before - derived;
  _after := _after - derived;
  if _before - _ignored = _after - _ignored then return; end if;
  insert into public.audit_log (table_name, row_id, action, before, after)
  values (_table, coalesce(_after, _before) ->> 'id',
          case when _after is null then 'delete' when _before is not null then 'update' when task = 'restore' then 'restore' else 'insert' end,
          _before, _after);
end $$;

/*
 * The only rule for changes of state; amounts never change. Two exceptions: notes of an anonymised customer are emptied, and a merged
 * account's payments get the other customer.
 */
create or replace function private.keep_payment()
returns trigger language plpgsql set search_path = '' as $$
declare
  known constant text[] := array['open>settled', 'open>failed', 'open>needs_decision', 'failed>settled', 'failed>needs_decision',
                                 'needs_decision>settled', 'needs_decision>set_aside'];
begin
  if tg_op = 'DELETE' then
    perform private.refuse('PT403', 'append_only', 'Payments cannot be deleted.');
  end if;
  if (new.state <> old.state and old.state || '>' || new.state <> all (known))
     or (new.amount <> old.amount and old.state <> 'needs_decision')
     or (new.id, new.order_id, new.kind, new.method, new.reference, new.about)
        is distinct from (old.id, old.order_id, old.kind, old.method, old.reference, old.about)
     or (new.user_id is distinct from old.user_id and coalesce(current_setting('shop.task', true), '') <> 'merge')
     or (old.state in ('settled', 'set_aside') and new.note is distinct from old.note and new.note is not null) then
    perform private.refuse('PT409', 'payment_is_final', 'This payment can no longer be changed.');
  end if;
  return new;
end $$;

-- A quote that goes to another account as accounts are merged stays as it was sent.
drop trigger stamp_quote on public.quotes;
create trigger stamp_quote before update on public.quotes
  for each row when ((new.user_id <> old.user_id) is not true) execute function private.stamp_quote();

/* Staff: as forget_customer. Activity says that it was done, and who did it: _by names them when the web server calls for them. */
create or replace function private.anonymise_customer(_user_id uuid, _by uuid default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
  was_named boolean;
begin
  perform private.require_duty('people', 'deletions');
  perform private.require_forgettable(_user_id);
  -- False when it is repeated, and once the log says that the account was merged into another. A hosted project's closed account has an
  -- address at nobody.invalid.
  was_named := private.merged_into(_user_id) is null
               and exists (select from public.profiles
                            where id = _user_id and (full_name is not null or phone is not null or email not like '%@nobody.invalid'));
  kept := private.forget_customer(_user_id, 'Names can be removed');
  if was_named then
    insert into public.audit_log (actor, table_name, row_id, action, before)
    values (coalesce(auth.uid(), _by), 'profiles', _user_id::text, 'delete', jsonb_build_object('id', _user_id, 'user_id', _user_id));
  end if;
  return kept;
end $$;

/* The account into which this one was merged; null for all others. */
create function private.merged_into(_user_id uuid)
returns uuid language sql stable security definer set search_path = '' as $$
  select (a.after ->> 'id')::uuid from public.audit_log a
   where a.table_name = 'profiles' and a.action = 'merge' and a.after ->> 'closed_account' = _user_id::text
   order by a.id desc limit 1
$$;

/* The account's email address if it is confirmed, as it is compared. */
create function private.confirmed_email(_user_id uuid)
returns text language sql stable security definer set search_path = '' as $$
  select lower(u.email) from auth.users u where u.id = _user_id and u.email_confirmed_at is not null
$$;

/*
 * Refuses to merge an account with itself, the caller's own, and those of staff, whose rights nobody may get this way; one that is closed,
 * unless this merge closed it; and into one whose email isn't confirmed, which may be a stranger's, or which has been merged itself.
 */
create function private.require_mergeable(_from uuid, _into uuid)
returns void language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from unnest(array[_from, _into]) as one where not exists (select from public.profiles p where p.id = one)) then
    perform private.refuse('PT404', 'user_not_found', 'One of these people no longer has an account.');
  elsif _from = _into then
    perform private.refuse('PT409', 'same_account', 'This is the same account. Choose the other one.');
  elsif auth.uid() in (_from, _into) then
    perform private.refuse('PT409', 'own_account', 'One of the two accounts is your own. Ask a colleague to merge them.');
  elsif exists (select from public.user_roles r where r.user_id in (_from, _into) and r.role <> 'user')
     or exists (select from public.staff_duties d where d.user_id in (_from, _into)) then
    perform private.refuse('PT409', 'is_staff', 'One of the two people is staff. Only customers'' accounts can be merged.');
  elsif private.merged_into(_into) is not null then
    perform private.refuse('PT409', 'account_merged', 'The account that stays has already been merged into another one.');
  elsif not exists (select from auth.users u where u.id = _into and u.email not like '%@nobody.invalid') then
    perform private.refuse('PT409', 'account_closed', 'The account that stays is closed, so nothing can be merged into it.');
  elsif private.confirmed_email(_into) is null then
    perform private.refuse('PT409', 'unconfirmed_account',
      'The account that stays has an email address that isn''t confirmed yet. Its owner must first follow the link in our email.');
  elsif not exists (select from auth.users u where u.id = _from and u.email not like '%@nobody.invalid')
    and private.merged_into(_from) is distinct from _into then
    perform private.refuse('PT409', 'account_closed', 'The other account is closed, and its details have been erased.');
  end if;
end $$;

-- What two accounts both have, and what does not fit: by these, the look before and the merge agree.

/* Of two reviews of one book, the older. */
create function private.doubled_reviews(_from uuid, _into uuid)
returns setof uuid language sql stable security definer set search_path = '' as $$
  select case when f.created_at > i.created_at then i.id else f.id end
    from public.reviews f join public.reviews i on i.book_id = f.book_id and i.user_id = _into
   where f.user_id = _from
$$;

/* Of two requests about one book, the later: the earlier has the better place. */
create function private.doubled_alerts(_from uuid, _into uuid)
returns setof uuid language sql stable security definer set search_path = '' as $$
  select case when f.created_at < i.created_at then i.id else f.id end
    from public.stock_alerts f join public.stock_alerts i on i.book_id = f.book_id and i.user_id = _into
   where f.user_id = _from
$$;

/* Of two registrations of one name for one event, the one without a place, or the later. */
create function private.doubled_registrations(_from uuid, _into uuid)
returns setof uuid language sql stable security definer set search_path = '' as $$
  select case when (f.state = 'waiting', f.number) > (i.state = 'waiting', i.number) then f.id else i.id end
    from public.event_registrations f
    join public.event_registrations i on i.event_id = f.event_id and i.name_key = f.name_key and lower(i.email) = private.confirmed_email(_into)
   where lower(f.email) = private.confirmed_email(_from) and f.state <> 'cancelled' and i.state <> 'cancelled'
$$;

/* Of two subscriptions to emails about new events, the one that isn't confirmed, or the closed account's. */
create function private.doubled_subscriptions(_from uuid, _into uuid)
returns setof uuid language sql stable security definer set search_path = '' as $$
  select case when f.confirmed_at is not null and i.confirmed_at is null then i.id else f.id end
    from public.event_subscribers f join public.event_subscribers i on i.email_key = private.confirmed_email(_into)
   where f.email_key = private.confirmed_email(_from)
$$;

/* The cart's lines as far as they fit into the other cart, which has at most 999 copies of a book and 1,000 books. */
create function private.cart_to_move(_from uuid, _into uuid)
returns table (book_id uuid, quantity int, created_at timestamptz) language sql stable security definer set search_path = '' as $$
  select l.book_id, l.fits, l.created_at
    from (select f.book_id, f.created_at, least(f.quantity, 999 - coalesce(i.quantity, 0)) as fits, i.id is null as is_new,
                 row_number() over (partition by i.id is null order by f.created_at desc, f.id) as place
            from public.cart_items f left join public.cart_items i on i.user_id = _into and i.book_id = f.book_id
           where f.user_id = _from) as l
   where l.fits > 0 and (not l.is_new or l.place + (select count(*) from public.cart_items where user_id = _into) <= 1000)
$$;

/* The books of a wishlist that the other doesn't have, as far as they fit into it. */
create function private.wishes_to_move(_from uuid, _into uuid)
returns table (book_id uuid, created_at timestamptz) language sql stable security definer set search_path = '' as $$
  select w.book_id, w.created_at
    from (select f.book_id, f.created_at, row_number() over (order by f.created_at desc, f.id) as place
            from public.wishlists f
           where f.user_id = _from and not exists (select from public.wishlists i where i.user_id = _into and i.book_id = f.book_id)) as w
   where w.place + (select count(*) from public.wishlists where user_id = _into) <= 1000
$$;

/*
 * What merging two accounts would move, changing nothing: how many of each, and in doubles what both have, of which one is deleted.
 * registrations include the subscription to emails about new events. Amounts are in cedis, and null without the duty for orders.
 */
create function private.plan_merge(_from uuid, _into uuid)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  order_ids constant uuid[] := private.orders_of(_from);
  from_email constant text := private.confirmed_email(_from);
begin
  return (
    select jsonb_build_object('orders', count(*), 'by_phone', count(*) filter (where o.user_id is null))
           || case when private.has_duty('orders') then jsonb_build_object(
                'total', coalesce(sum(o.total_amount), 0), 'paid', coalesce(sum(o.paid_amount), 0),
                'due', coalesce(sum(p.due), 0), 'back', coalesce(sum(o.owed_back), 0))
              else '{"total": null, "paid": null, "due": null, "back": null}' end
      from public.orders o join private.order_payments p on p.order_id = o.id where o.id = any (order_ids)
  ) || jsonb_build_object(
    'payments', (select count(*) from public.payments p where p.user_id = _from or p.order_id = any (order_ids)),
    'quotes', cardinality(private.quotes_of(_from)),
    'consultations', cardinality(private.consultations_of(_from)),
    'registrations', (select count(*) from public.event_registrations r
                       where lower(r.email) = from_email and r.id not in (select private.doubled_registrations(_from, _into)))
                     + (select count(*) from public.event_subscribers s
                         where s.email_key = from_email and s.id not in (select private.doubled_subscriptions(_from, _into))),
    'reviews', (select count(*) from public.reviews r where r.user_id = _from and r.id not in (select private.doubled_reviews(_from, _into))),
    'wishlist', (select count(*) from private.wishes_to_move(_from, _into)),
    'cart', (select count(*) from private.cart_to_move(_from, _into)),
    'copies', (select coalesce(sum(c.quantity), 0) from private.cart_to_move(_from, _into) as c),
    'stock_alerts', (select count(*) from public.stock_alerts a
                      where a.user_id = _from and a.id not in (select private.doubled_alerts(_from, _into))),
    'notes', (select count(*) from private.person_notes n where n.user_id = _from),
    'doubles', jsonb_build_object(
      'reviews', (select count(*) from private.doubled_reviews(_from, _into)),
      'registrations', (select count(*) from private.doubled_registrations(_from, _into))
                       + (select count(*) from private.doubled_subscriptions(_from, _into)),
      'stock_alerts', (select count(*) from private.doubled_alerts(_from, _into)),
      -- With what doesn't fit.
      'wishlist', (select count(*) from public.wishlists w where w.user_id = _from) - (select count(*) from private.wishes_to_move(_from, _into)),
      'copies', (select coalesce(sum(c.quantity), 0) from public.cart_items c where c.user_id = _from)
                - (select coalesce(sum(c.quantity), 0) from private.cart_to_move(_from, _into) as c)));
end $$;

/* The registrations for events and the subscription, which are found by the account's email address alone; freed places go to those who wait. */
create function private.move_event_contact(_from uuid, _into uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  from_email constant text := private.confirmed_email(_from);
  into_email constant text := (select u.email from auth.users u where u.id = _into);
  event public.events;
begin
  delete from public.event_subscribers where id in (select private.doubled_subscriptions(_from, _into));
  update public.event_subscribers set email = into_email where email_key = from_email;
  for event in
    select e.* from public.events e where e.id in (select r.event_id from public.event_registrations r where lower(r.email) = from_email)
     order by e.id for no key update
  loop
    delete from public.event_registrations r where r.event_id = event.id and r.id in (select private.doubled_registrations(_from, _into));
    update public.event_registrations r set email = into_email where r.event_id = event.id and lower(r.email) = from_email;
    perform private.fill_event_places(event);
  end loop;
end $$;

/* Moves everything of the one account to the other. The caller has locked both, and whatever could add to them. */
create function private.move_to_account(_from uuid, _into uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  -- Also those by phone, which would be forgotten with the email address and phone number by which they are found, and deleted ones.
  order_ids constant uuid[] := private.orders_of(_from);
  consultation_ids constant uuid[] := private.consultations_of(_from);
  payment_ids uuid[];
  quote_ids uuid[];
begin
  delete from public.reviews where id in (select private.doubled_reviews(_from, _into));
  delete from public.stock_alerts where id in (select private.doubled_alerts(_from, _into));
  insert into public.cart_items as c (user_id, book_id, quantity, created_at)
  select _into, m.book_id, m.quantity, m.created_at from private.cart_to_move(_from, _into) as m order by m.book_id
  on conflict (user_id, book_id) do update set quantity = least(c.quantity + excluded.quantity, 999);
  delete from public.cart_items where user_id = _from;
  insert into public.wishlists (user_id, book_id, created_at)
  select _into, m.book_id, m.created_at from private.wishes_to_move(_from, _into) as m order by m.book_id
  on conflict (user_id, book_id) do nothing;
  delete from public.wishlists where user_id = _from;
  insert into private.booklist_additions as a (booklist_id, user_id, book_id, copies, first_added_at, last_added_at)
  select booklist_id, _into, book_id, copies, first_added_at, last_added_at from private.booklist_additions where user_id = _from
  on conflict (booklist_id, user_id, book_id) do update
     set copies = least(a.copies + excluded.copies, 1000000), first_added_at = least(a.first_added_at, excluded.first_added_at),
         last_added_at = greatest(a.last_added_at, excluded.last_added_at);
  delete from private.booklist_additions where user_id = _from;
  insert into private.review_reports (review_id, user_id, created_at)
  select review_id, _into, created_at from private.review_reports where user_id = _from on conflict do nothing;
  delete from private.review_reports where user_id = _from;

  -- One entry says all of it: neither a row of the log for each order, nor a new version of each quote.
  perform set_config('shop.task', 'merge', true);
  -- In the order in which others lock several.
  perform from public.orders where id = any (order_ids) order by id for no key update;
  update public.orders set user_id = _into where id = any (order_ids);
  payment_ids := array(select id from public.payments where user_id = _from or order_id = any (order_ids));
  update public.payments set user_id = _into where id = any (payment_ids);
  quote_ids := private.quotes_of(_from);
  update public.quotes set user_id = _into where id = any (quote_ids);
  update public.consultations set user_id = _into where id = any (consultation_ids);
  update public.reviews set user_id = _into where user_id = _from;
  update public.stock_alerts set user_id = _into where user_id = _from;
  update private.person_notes set user_id = _into where user_id = _from;
  update private.download_tickets set user_id = _into where user_id = _from;
  perform private.move_event_contact(_from, _into);
  update public.profiles i set full_name = coalesce(i.full_name, f.full_name), phone = coalesce(i.phone, f.phone)
    from public.profiles f where i.id = _into and f.id = _from and (i.full_name is null or i.phone is null);

  -- What the log says of these rows is forgotten with the account that has them now, and restored to it. Who did something stays.
  perform set_config('shop.task', 'anonymise', true);
  update public.audit_log
     set before = before || jsonb_build_object('user_id', _into), after = after || jsonb_build_object('user_id', _into)
   where (table_name = 'orders' and row_id = any (order_ids::text[]))
      or (table_name = 'payments' and row_id = any (payment_ids::text[]))
      or (table_name = 'quotes' and row_id = any (quote_ids::text[]))
      -- Deleted ones, too.
      or (table_name = 'reviews' and coalesce(after, before) ->> 'user_id' = _from::text);
  perform set_config('shop.task', '', true);
end $$;

/*
 * Staff: moves everything of the account _from to the account _into, and returns what moved as private.plan_merge does, with problem: null.
 * With _dry_run it changes nothing, and problem is the sentence with which it would refuse. Repeated, it moves what has come since, if anything.
 * The web server closes _from afterwards.
 */
create function private.merge_people(_from uuid, _into uuid, _dry_run boolean default true)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  plan jsonb;
begin
  perform private.require_duty('people', 'deletions');
  if _dry_run then
    begin
      perform private.require_mergeable(_from, _into);
    exception when sqlstate 'PT409' then return jsonb_build_object('problem', sqlerrm);
    end;
    return private.plan_merge(_from, _into) || '{"problem": null}';
  end if;
  -- Two merges come one after the other, and no order, review or bulk of a cart's lines in between.
  perform private.lock_stock(true);
  -- As forget_customer, which forgets all that has come to an account, or is waited for.
  perform pg_advisory_xact_lock(hashtext('public.orders'), hashtext(least(_from, _into)::text));
  perform pg_advisory_xact_lock(hashtext('public.orders'), hashtext(greatest(_from, _into)::text));
  -- Before consultations are: one that is being requested is waited for.
  perform from public.profiles where id in (_from, _into) order by id for no key update;
  perform pg_advisory_xact_lock(hashtext('public.consultations'));
  perform private.require_mergeable(_from, _into);
  plan := private.plan_merge(_from, _into);
  perform private.move_to_account(_from, _into);
  if private.merged_into(_from) is distinct from _into then
    insert into public.audit_log (table_name, row_id, action, after)
    values ('profiles', _into::text, 'merge',
            jsonb_build_object('id', _into, 'user_id', _into, 'closed_account', _from)
            || (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(plan)
                 where key in ('orders', 'quotes', 'consultations', 'registrations', 'reviews') and value <> '0'));
  end if;
  return plan || '{"problem": null}';
end $$;
select private.expose('merge_people', 'authenticated', 'service_role');
