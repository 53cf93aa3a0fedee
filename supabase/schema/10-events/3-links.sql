-- The links in emails about events. Opening one changes nothing, because mail scanners open links too: its page asks
-- for confirmation, and a click sends the token to one of the functions below.

/* Only this form of a token is stored. */
create function private.hash_token(_token text)
returns bytea language sql immutable parallel safe strict set search_path = '' as $$
  select sha256(convert_to(_token, 'utf8'))
$$;

/* Creates a link for an email that is about to be sent; returns the token, 122 random bits in 32 digits. */
create function private.new_event_link(_kind text, _id uuid)
returns text language plpgsql strict security definer set search_path = '' as $$
declare
  token constant text := replace(gen_random_uuid()::text, '-', '');
begin
  insert into private.event_links (token_hash, kind, registration_id, subscriber_id)
  values (private.hash_token(token), _kind, case _kind when 'registration' then _id end, case _kind when 'subscription' then _id end);
  return token;
end $$;

/*
 * Everyone with a token: what its link is about; no row for an unknown one. kind: 'registration' or 'subscription'. state, of a registration:
 * 'registered', 'waiting', 'cancelled' or, once the event is over or the registration deleted, 'over'; of a subscription: 'requested',
 * 'confirmed' or 'ended'. title and starts_at are the event's.
 */
create function private.find_event_link(_token text)
returns table (kind text, state text, title text, starts_at timestamptz) language sql stable security definer set search_path = '' as $$
  select l.kind,
         case when l.kind = 'registration' then case when e.ends_at > now() then r.state else 'over' end
              when s.id is null then 'ended' when s.confirmed_at is null then 'requested' else 'confirmed' end,
         e.title, e.starts_at
    from private.event_links l
    left join public.event_registrations r on r.id = l.registration_id
    left join public.events e on e.id = r.event_id
    left join public.event_subscribers s on s.id = l.subscriber_id
   where l.token_hash = private.hash_token(_token)
$$;
select private.expose('find_event_link', 'anon', 'authenticated', 'service_role');

/* Everyone with a token: cancels that registration while its event is not over. Returns whether the token is known. */
create function private.cancel_event_registration(_token text)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
  link private.event_links;
  event public.events;
begin
  select * into link from private.event_links l where l.token_hash = private.hash_token(_token) and l.kind = 'registration';
  if not found then return false; end if;
  event := private.lock_event((select r.event_id from public.event_registrations r where r.id = link.registration_id));
  if event.ends_at > clock_timestamp() then perform private.cancel_registration(event, link.registration_id); end if;
  return true;
end $$;
select private.expose('cancel_event_registration', 'anon', 'authenticated', 'service_role');

/*
 * Everyone: requests an email about each new event; the link in a first email confirms it. The response and the
 * errors are the same whether the address is new, unconfirmed or on the list. An address, however it is written, gets
 * at most 3 such emails, 10 minutes apart; all together 200 an hour, because anyone can enter anyone's address.
 */
create function private.subscribe_to_events(_email text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  given constant text := private.clean_line(_email);
  mailbox constant text := private.mailbox_key(given);
  subscriber public.event_subscribers;
begin
  perform private.require_text('email', 'The email address', given, 320, true);
  perform private.require_contact('email', given, null, null);
  perform private.require_plain_email('email', given);
  -- One after the other, so that parallel requests are counted too.
  perform pg_advisory_xact_lock(hashtext('public.event_subscribers'), 0);
  if (select count(*) from public.event_subscribers s where s.requested_at > clock_timestamp() - interval '1 hour') >= 200 then
    perform private.refuse('PT429', 'too_many_subscriptions', 'There are too many requests at the moment. Please try again in an hour.',
      '{"limit": 200, "retry_after_seconds": 3600}');
  end if;
  if (select sum(s.requests) >= 3 or max(s.requested_at) >= clock_timestamp() - interval '10 minutes'
        from public.event_subscribers s where s.confirmed_at is null and private.mailbox_key(s.email_key) = mailbox) then
    return;
  end if;
  insert into public.event_subscribers as s (email) values (given)
  on conflict (email_key) do update set requests = s.requests + 1, requested_at = clock_timestamp() where s.confirmed_at is null
  returning * into subscriber;
  if subscriber.id is not null then
    perform private.queue_email('event_subscription', subscriber.id || ':' || subscriber.requests, null);
  end if;
end $$;
select private.expose('subscribe_to_events', 'anon', 'authenticated', 'service_role');

/* Everyone with a token: puts that address on the list. Returns whether the token is known and the address has not been removed since. */
create function private.confirm_event_subscription(_token text)
returns boolean language sql security definer set search_path = '' as $$
  with confirmed as (
    update public.event_subscribers s set confirmed_at = coalesce(s.confirmed_at, clock_timestamp())
      from private.event_links l where l.token_hash = private.hash_token(_token) and s.id = l.subscriber_id
    returning s.id
  )
  select exists (select from confirmed)
$$;
select private.expose('confirm_event_subscription', 'anon', 'authenticated', 'service_role');

/* Everyone with a token: removes that address from the list. Returns whether the token is known; once more changes nothing. */
create function private.unsubscribe_from_events(_token text)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
  link private.event_links;
begin
  select * into link from private.event_links l where l.token_hash = private.hash_token(_token) and l.kind = 'subscription';
  if not found then return false; end if;
  delete from public.event_subscribers where id = link.subscriber_id;
  return true;
end $$;
select private.expose('unsubscribe_from_events', 'anon', 'authenticated', 'service_role');
