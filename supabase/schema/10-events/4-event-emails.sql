-- What emails about events say. Like other emails, they are built when they are sent, and outdated ones are dropped.

/* An event as its emails show it. */
create function private.event_as_json(_event public.events)
returns jsonb language sql stable set search_path = '' as $$
  select jsonb_build_object('id', _event.id, 'slug', _event.slug, 'title', _event.title, 'kind', _event.kind, 'is_online', _event.is_online,
                            'place', _event.place, 'starts_at', _event.starts_at, 'ends_at', _event.ends_at, 'price', _event.price)
$$;

/*
 * A registration as its email needs it; null for any other email, and when there is nothing to say any more: it is cancelled, the event is
 * over or cancelled, or its time or place was changed again. Only those with a place get the link to join.
 */
create function private.email_registration(_email public.outgoing_emails)
returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', r.id, 'email', r.email, 'state', r.state, 'event', private.event_as_json(e)
           || jsonb_build_object('join_link', case when r.state = 'registered' then e.join_link end))
    from public.event_registrations r join public.events e on e.id = r.event_id
   where r.id = case when private.email_topic(_email.kind) = 'registration' then split_part(private.email_event(_email), ':', 1)::uuid end
     and r.state <> 'cancelled' and r.email is not null and e.ends_at > clock_timestamp()
     and e.state = case _email.kind when 'event_cancelled' then 'cancelled' else 'published' end
     and (_email.kind <> 'event_changed' or split_part(private.email_event(_email), ':', 2) = e.revision::text)
$$;

/*
 * What a subscriber's email says: the new event, or null in the email that asks for the confirmation. Null for any other email, and when
 * there is nothing to say any more: the address is no longer on the list or already is, or the event was withdrawn or is over.
 */
create function private.email_subscription(_email public.outgoing_emails)
returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  named constant text[] := string_to_array(private.email_event(_email), ':');
begin
  if private.email_topic(_email.kind) is distinct from 'subscription' then
    return null;
  elsif _email.kind = 'event_subscription' then
    return (select jsonb_build_object('id', s.id, 'email', s.email, 'event', null)
              from public.event_subscribers s where s.id = named[1]::uuid and s.confirmed_at is null and s.requests::text = named[2]);
  end if;
  return (select jsonb_build_object('id', s.id, 'email', s.email, 'event', private.event_as_json(e))
            from public.event_subscribers s, public.events e
           where s.id = named[2]::uuid and s.confirmed_at is not null
             and e.id = named[1]::uuid and e.state = 'published' and e.ends_at > clock_timestamp());
end $$;

/*
 * Emails everyone on the list about a published event: each address once, however often it is published. One email per second, behind those
 * about orders.
 */
create function private.queue_event_announcement(_event_id uuid)
returns void language sql security definer set search_path = '' as $$
  insert into public.outgoing_emails (kind, event, due_at)
  select 'event_published', _event_id || ':' || s.id,
         clock_timestamp() + (row_number() over (order by s.confirmed_at, s.id) - 1) * interval '1 second'
    from public.event_subscribers s where s.confirmed_at is not null
  on conflict (kind, event) do nothing
$$;

/* Emails everyone with a place or on the waiting list: the event was changed (to this revision) or cancelled. */
create function private.queue_event_news(_kind text, _event public.events)
returns void language sql security definer set search_path = '' as $$
  insert into public.outgoing_emails (kind, event)
  select _kind, case _kind when 'event_changed' then r.id || ':' || _event.revision else r.id::text end
    from public.event_registrations r where r.event_id = _event.id and r.state <> 'cancelled' and r.email is not null
  on conflict (kind, event) do nothing
$$;
