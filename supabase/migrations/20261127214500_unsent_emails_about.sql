-- Emails that could not be sent say which consultation or event they are about.

drop function public.admin_list_unsent_emails;
drop function private.admin_list_unsent_emails;
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
