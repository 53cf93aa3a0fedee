-- What staff do with the shop's emails: resend one, and see which were not sent.

/* Staff: resends an email with its order's current content; returns the new one's id. */
create function private.resend_email(_email_id uuid)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  given public.outgoing_emails;
  first_id uuid;
  made uuid;
begin
  select * into given from public.outgoing_emails where id = _email_id;
  if private.email_topic(given.kind) = 'purchase' then
    perform private.require_duty('stock');
  elsif private.email_topic(given.kind) = 'role' then
    perform private.require_staff();
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
select private.expose('resend_email', 'authenticated', 'service_role');

/*
 * The emails of the last 7 days that were given up, about orders, quotes, purchase orders, payments and stock. One that is sent again takes the first one's
 * place until it is sent.
 */
create function private.unsent_emails()
returns setof public.outgoing_emails language sql stable set search_path = '' as $$
  select e.*
    from public.outgoing_emails e
   where (e.state = 'given_up' and e.settled_at > clock_timestamp() - interval '7 days'
          or e.state = 'waiting' and exists (
            select from public.outgoing_emails before
             where e.resend_of in (before.id, before.resend_of) and before.state = 'given_up'
               and before.settled_at > clock_timestamp() - interval '7 days'))
     and (e.order_id is null or exists (select from public.orders o where o.id = e.order_id))
     and not private.has_nothing_to_say(e)
     and not exists (select from public.outgoing_emails later
                      where later.resend_of in (e.id, e.resend_of) and later.created_at > e.created_at)
$$;

/* Staff: resends all emails that could not be sent, only once however many staff click at the same time; returns how many. */
create function private.resend_unsent_emails()
returns bigint language plpgsql security definer set search_path = '' as $$
declare
  resent bigint;
begin
  perform private.require_duty('orders');
  -- As resend_email does: who comes second waits here and then finds the first one's rows. In one order, so that nobody waits in a circle.
  perform from public.outgoing_emails
   where id = any (array(select coalesce(u.resend_of, u.id) from private.unsent_emails() as u where u.state = 'given_up'))
   order by id for update;
  insert into public.outgoing_emails (kind, order_id, status, mailbox, resend_of)
  select u.kind, u.order_id, u.status, u.mailbox, coalesce(u.resend_of, u.id) from private.unsent_emails() as u where u.state = 'given_up';
  get diagnostics resent = row_count;
  return resent;
end $$;
select private.expose('resend_unsent_emails', 'authenticated', 'service_role');

/* Staff: emails that could not be sent in the last 7 days, newest first. _page from 1, _page_size at most 1,000 (50). */
create function private.admin_list_unsent_emails(_page int default 1, _page_size int default 50)
returns table (
  id uuid, kind text, status text, state text, reason text, due_at timestamptz, settled_at timestamptz, order_id uuid,
  order_number bigint, quote_id uuid, quote_reference text, purchase_order_id uuid, purchase_reference text,
  consultation_id uuid, event_id uuid, event_title text
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query execute
    'select e.id, e.kind, e.status, e.state, e.reason, e.due_at, e.settled_at, o.id, o.number, q.id, q.reference, p.id, p.reference,
            (private.email_consultation(row(e.*)::public.outgoing_emails) ->> ''id'')::uuid, (v.event ->> ''id'')::uuid, v.event ->> ''title''
       from (select * from private.unsent_emails() order by coalesce(settled_at, created_at) desc, id'
         || private.paging(_page, _page_size) || $query$) as e
       left join public.outgoing_emails f on f.id = e.resend_of
       left join public.orders o on o.id = e.order_id
       left join public.quotes q on private.email_topic(e.kind) = 'quote' and q.id::text = split_part(coalesce(e.event, f.event), ':', 1)
       left join public.purchase_orders p on private.email_topic(e.kind) = 'purchase' and p.id::text = split_part(coalesce(e.event, f.event), ':', 1)
      cross join lateral (
        select coalesce(private.email_registration(row(e.*)::public.outgoing_emails),
                        private.email_subscription(row(e.*)::public.outgoing_emails)) -> 'event' as event) as v
      order by coalesce(e.settled_at, e.created_at) desc, e.id$query$;
end $$;
select private.expose('admin_list_unsent_emails', 'authenticated', 'service_role');

/* Staff: how many rows admin_list_unsent_emails has: exact. */
create function private.admin_count_unsent_emails()
returns bigint language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return (select count(*) from private.unsent_emails());
end $$;
select private.expose('admin_count_unsent_emails', 'authenticated', 'service_role');
