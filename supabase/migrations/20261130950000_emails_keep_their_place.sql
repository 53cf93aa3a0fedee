-- An email that a broken mail server did not take keeps its place, so that later ones to the same person don't pass it, and
-- a fault of the mail server costs it no try. One that was not tried after all can still be withdrawn.

drop function public.record_failed_email(uuid, uuid, text, boolean);
drop function private.record_failed_email(uuid, uuid, text, boolean);

/*
 * The worker: the email was not accepted; why, and whether that is final. Ignored when the lease is another worker's by now.
 * Another try after 5 s, then 30 s, 2, 10 and 30 minutes; none if it is final, or a day old after five attempts. A shop that
 * was without power for a day sends what is waiting when it is back, even if its connection takes some minutes longer.
 * _keeps_place: the mail server is at fault, so later emails to the same person must not pass this one: it is due at once. That costs
 * it no try, but it doesn't count as untried either: the mail server may have accepted it before the connection broke.
 */
create function private.record_failed_email(
  _email_id uuid, _lease uuid, _reason text, _final boolean default false, _keeps_place boolean default false)
returns void language sql security definer set search_path = '' as $$
  update public.outgoing_emails
     set state = case when last_try then 'given_up' else 'waiting' end,
         settled_at = case when last_try then clock_timestamp() end,
         due_at = case when _keeps_place then created_at else
           clock_timestamp() + (array[5, 30, 120, 600, 1800])[least(greatest(attempts, 1), 5)] * interval '1 second' end,
         reason = case when last_try and not _final then 'It could not be sent within a day. ' else '' end
                  || left(private.clean_line(_reason), 200),
         attempts = case when _keeps_place then greatest(attempts - 1, 1) else attempts end,
         lease = null
    from (select e.id, _final or (not _keeps_place and e.attempts >= 5 and e.created_at < clock_timestamp() - interval '1 day') as last_try
            from public.outgoing_emails e where e.id = _email_id) as tried
   where outgoing_emails.id = tried.id and lease = _lease and state = 'waiting'
$$;
select private.expose('record_failed_email', 'service_role');

/* The worker: it has not tried the email, which goes back to its place. Ignored when the lease is another worker's by now. */
create function private.return_email(_email_id uuid, _lease uuid)
returns void language sql security definer set search_path = '' as $$
  update public.outgoing_emails
     set attempts = greatest(attempts - 1, 0), due_at = created_at, lease = null
   where id = _email_id and lease = _lease and state = 'waiting'
$$;
select private.expose('return_email', 'service_role');
