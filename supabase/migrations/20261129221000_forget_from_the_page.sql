-- Staff forget a person on their page, by the rules of the command; Activity says who did it.

/*
 * Refuses people whom the caller may not forget: oneself, since closing one's own account needs the password, admins, since the log
 * would no longer say who did what, and other staff unless the caller is an admin.
 */
create function private.require_forgettable(_user_id uuid)
returns void language plpgsql stable security definer set search_path = '' as $$
begin
  if _user_id = auth.uid() then
    perform private.refuse('PT409', 'own_account', 'This is you. Close your own account under My Account.');
  elsif exists (select from public.user_roles where user_id = _user_id and role = 'admin') then
    perform private.refuse('PT409', 'is_admin', 'This person is an admin. Take the role away first.');
  end if;
  perform private.require_admin_for_staff(_user_id);
end $$;

drop function public.anonymise_customer(uuid);
drop function private.anonymise_customer(uuid);

/* Staff: as forget_customer. Activity says that it was done, and who did it: _by names them when the web server calls for them. */
create function private.anonymise_customer(_user_id uuid, _by uuid default null)
returns int language plpgsql security definer set search_path = '' as $$
declare
  kept int;
  was_named boolean;
begin
  perform private.require_duty('people', 'deletions');
  perform private.require_forgettable(_user_id);
  -- False when it is repeated. A hosted project's closed account has an address at nobody.invalid.
  was_named := exists (select from public.profiles
                        where id = _user_id and (full_name is not null or phone is not null or email not like '%@nobody.invalid'));
  kept := private.forget_customer(_user_id, 'Names can be removed');
  if was_named then
    insert into public.audit_log (actor, table_name, row_id, action, before)
    values (coalesce(auth.uid(), _by), 'profiles', _user_id::text, 'delete', jsonb_build_object('id', _user_id, 'user_id', _user_id));
  end if;
  return kept;
end $$;
select private.expose('anonymise_customer', 'authenticated', 'service_role');

/*
 * Staff: what anonymise_customer and anonymise_caller would forget, changing nothing. {orders, consultations, quotes, reviews,
 * registrations, problem}: each order with its number, name, status and total, and problem as the sentence with which they would refuse.
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
    'orders', (select coalesce(jsonb_agg(distinct jsonb_build_object(
                        'number', o.number, 'name', o.recipient_name, 'status', o.status, 'total', o.total_amount)), '[]')
                 from private.orders_to_forget(order_ids) as o),
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
