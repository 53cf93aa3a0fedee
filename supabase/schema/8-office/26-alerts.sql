-- What somebody has to look at, as figures for the owner's monitoring (server/web/shop-state.ts).

/*
 * The shop's own: emails that wait and for how many seconds the oldest has, those given up in the last 7 days that nobody has sent again,
 * and payments on which staff have to decide.
 */
create function private.count_open_work()
returns table (emails_waiting bigint, email_waits numeric, emails_unsent bigint, payments_to_decide bigint)
language sql stable security definer set search_path = '' as $$
  select count(*), coalesce(extract(epoch from clock_timestamp() - min(e.created_at)), 0),
         (select count(*) from private.unsent_emails()),
         (select count(*) from public.payments p where p.state = 'needs_decision')
    from public.outgoing_emails e where e.state = 'waiting'
$$;
select private.expose('count_open_work', 'service_role');
