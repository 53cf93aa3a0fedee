-- What emails about consultations say.

/*
 * What an email about a consultation says of it; null for any other email, and when there is nothing to say any more: it was deleted, or
 * the appointment was changed since or is over. answer is the text of the answer that the email is about. has_calendar_file is false if
 * no email with a date has left the shop, so that no calendar has one.
 */
create function private.email_consultation(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', c.id, 'has_account', c.user_id is not null, 'name', c.name, 'email', c.email, 'phone', c.phone, 'institution', c.institution,
    'subject', c.subject, 'classes', c.classes, 'wished_days', c.wished_days, 'about', c.about, 'answer', a.body, 'meets_at', c.meets_at,
    'meets_how', c.meets_how, 'meeting_place', c.meeting_place, 'cancelled_meets_at', c.cancelled_meets_at, 'revision', c.revision,
    'updated_at', c.updated_at, 'has_calendar_file', c.cancelled_in_calendars)
    -- Of other emails it need not be an id, and the joins below may be tried before a condition.
    from (select case when private.email_topic(_email.kind) = 'consultation' then private.email_event(_email) end as event) as e
    left join public.consultation_answers a on a.id = case _email.kind when 'consultation_answered' then e.event::uuid end
    join public.consultations c
      on c.id = case _email.kind when 'consultation_answered' then a.consultation_id else split_part(e.event, ':', 1)::uuid end
   where case _email.kind
           when 'consultation_answered' then a.id is not null
           when 'consultation_dated' then c.id::text || ':' || c.revision = e.event and c.meets_at > clock_timestamp() and c.closed_at is null
           when 'consultation_cancelled' then c.id::text || ':' || c.revision = e.event and c.cancelled_meets_at > clock_timestamp()
           when 'consultation_requested' then c.closed_at is null
           else true end
$$;
