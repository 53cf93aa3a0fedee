-- Staff can cancel a consultation's date; the customer gets an email, with a calendar file that removes it.

alter table public.consultations
  add column cancelled_meets_at timestamptz(0),
  add column cancelled_in_calendars boolean not null default false;

/*
 * The one list of the kinds of emails: who gets them, 'customer', 'recipient' (of someone else's order), 'supplier' or 'owner', and what their text is
 * read from when they are sent. A new kind is a new line here and in app/lib/email-kinds.ts, which has its name and leads to its text.
 */
create or replace function private.email_kinds()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "order_placed": {"audience": "customer", "topic": "order"},
    "order_status_changed": {"audience": "customer", "topic": "order"},
    "order_changed": {"audience": "customer", "topic": "order"},
    "order_cancelled": {"audience": "customer", "topic": "order"},
    "downloads_ready": {"audience": "customer", "topic": "order"},
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
    "consultation_received": {"audience": "customer", "topic": "consultation"},
    "consultation_answered": {"audience": "customer", "topic": "consultation"},
    "consultation_dated": {"audience": "customer", "topic": "consultation"},
    "consultation_cancelled": {"audience": "customer", "topic": "consultation"},
    "recipient_order_placed": {"audience": "recipient", "topic": "order"},
    "recipient_order_shipped": {"audience": "recipient", "topic": "order"},
    "new_order": {"audience": "owner", "topic": "order"},
    "order_cancelled_by_customer": {"audience": "owner", "topic": "order"},
    "payment_needs_decision": {"audience": "owner", "topic": "payment"},
    "quote_requested": {"audience": "owner", "topic": "quote"},
    "consultation_requested": {"audience": "owner", "topic": "consultation"},
    "low_stock": {"audience": "owner", "topic": "stock"}
  }'::jsonb
$$;

/* Staff: cancels the date and emails that; the consultation itself stays open. Returns the new version. */
create function private.cancel_consultation_date(_id uuid, _version int)
returns int language plpgsql security definer set search_path = '' as $$
declare
  consultation public.consultations;
begin
  perform private.require_duty('schools');
  consultation := private.lock_open_consultation(_id, _version);
  if consultation.meets_at is null then
    perform private.refuse('PT409', 'consultation_not_dated', 'This consultation has no date.');
  end if;
  -- Locked, so that it isn't sent before this is committed.
  perform from public.outgoing_emails m
   where m.kind = 'consultation_dated' and m.event = _id::text || ':' || consultation.revision and m.state = 'waiting' and m.attempts = 0
     for update;
  update public.consultations
     set cancelled_meets_at = meets_at, cancelled_in_calendars = not found or revision > 1, meets_at = null, meets_how = null, meeting_place = null, revision = revision + 1,
         version = version + 1, updated_at = clock_timestamp()
   where id = _id returning * into consultation;
  if consultation.email is not null and consultation.cancelled_meets_at > clock_timestamp() then
    perform private.queue_email('consultation_cancelled', consultation.id::text || ':' || consultation.revision, null);
  end if;
  return consultation.version;
end $$;
select private.expose('cancel_consultation_date', 'authenticated', 'service_role');

/*
 * What an email about a consultation says of it; null for any other email, and when there is nothing to say any more: it was deleted, or
 * the appointment was changed since or is over. answer is the text of the answer that the email is about. has_calendar_file is false if
 * no email with a date has left the shop, so that no calendar has one.
 */
create or replace function private.email_consultation(_email public.outgoing_emails)
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
