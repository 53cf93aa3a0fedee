-- Emails about a changed role: to the person, and to every other admin, who would otherwise not hear of it.

/* Queues them about the last entry of the log about this person's role. Addresses that can't exist, as the first admin's, get none. */
create function private.queue_role_emails(_user_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
declare
  entry bigint := (select max(a.id) from public.audit_log a
                    where a.table_name = 'user_roles' and coalesce(a.after, a.before) ->> 'user_id' = _user_id::text);
begin
  perform private.queue_email(case when p.id = _user_id then 'own_role_changed' else 'role_changed' end, entry || ':' || p.id, null)
     from public.profiles p
    where p.email !~* '\.invalid$'
      and (p.id = _user_id or exists (select from public.user_roles r where r.user_id = p.id and r.role = 'admin'))
      -- Nobody else has to hear of a shop's first admin.
      and exists (select from public.user_roles r where r.user_id <> _user_id and r.role = 'admin');
end $$;

/*
 * What an email about a changed role says; null for any other email, when its person or its reader has closed their account, and when the
 * reader of an email about somebody else is no longer an admin. by_name is null if a command changed it.
 */
create function private.email_role(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'email', reader.email, 'name', reader.full_name, 'of_name', person.full_name, 'of_email', person.email,
    'former', coalesce(a.before ->> 'role', 'user'), 'role', coalesce(a.after ->> 'role', 'user'),
    'by_name', coalesce(actor.full_name, actor.email), 'at', a.happened_at)
    from (select case when private.email_topic(_email.kind) = 'role' then private.email_event(_email) end as event) as e
    join public.audit_log a on a.id = split_part(e.event, ':', 1)::bigint
    join public.profiles reader on reader.id = split_part(e.event, ':', 2)::uuid and reader.email is not null
    join public.profiles person on person.id = (coalesce(a.after, a.before) ->> 'user_id')::uuid and person.email is not null
    left join public.profiles actor on actor.id = a.actor
   where _email.kind = 'own_role_changed' or exists (select from public.user_roles r where r.user_id = reader.id and r.role = 'admin')
$$;
