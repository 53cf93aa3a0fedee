-- Registrations are deleted some days after their event (the setting forgetRegistrationsAfterDays), and when a person asks to be forgotten.

create function private.forget_registrations_after_days()
returns int language sql stable set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'forgetRegistrationsAfterDays'), 30)
$$;

/*
 * For the nightly housekeeping: deletes registrations for events that were longer ago than the setting allows, subscriptions that nobody
 * confirmed within a week, and links that are a year old and lead nowhere. Returns how many registrations were deleted; at most _most.
 */
create function private.forget_old_registrations(_most int default 500)
returns int language plpgsql security definer set search_path = '' as $$
declare
  over_since constant timestamptz := now() - make_interval(days => private.forget_registrations_after_days());
  deleted int;
begin
  delete from public.event_subscribers where confirmed_at is null and requested_at < now() - interval '7 days';
  delete from private.event_links where registration_id is null and subscriber_id is null and created_at < now() - interval '1 year';
  with gone as (
    delete from public.event_registrations where id = any (array(
      select r.id from public.event_registrations r join public.events e on e.id = r.event_id
       where e.ends_at < over_since order by e.ends_at, r.number limit _most))
    returning event_id, state
  ), counted as (
    update public.events e set past_registrations = e.past_registrations + g.registered
      from (select event_id, count(*) filter (where state = 'registered') as registered from gone group by 1) as g
     where e.id = g.event_id and g.registered > 0
  )
  select count(*) into deleted from gone;
  return deleted;
end $$;
select private.expose('forget_old_registrations', 'service_role');

/* Deletes the registrations and the subscription of an email address or a phone number; their places go to those who wait. */
create function private.forget_event_contact(_contact text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  event public.events;
begin
  delete from public.event_subscribers where email_key = lower(btrim(_contact));
  for event in
    select e.* from public.events e where e.id in (
      select r.event_id from public.event_registrations r
       where lower(r.email) = lower(btrim(_contact)) or private.is_same_phone(r.phone, _contact))
     order by e.id for no key update
  loop
    delete from public.event_registrations r
     where r.event_id = event.id and (lower(r.email) = lower(btrim(_contact)) or private.is_same_phone(r.phone, _contact));
    perform private.fill_event_places(event);
  end loop;
end $$;

/* What the shop holds about events of the caller, for own_data: by their account's confirmed email address. */
create function private.own_event_data()
returns jsonb language sql stable security definer set search_path = '' as $$
  with known as (
    select lower(u.email) as email from auth.users u where u.id = auth.uid() and u.email_confirmed_at is not null
  )
  select jsonb_build_object(
    'registrations', (
      select coalesce(jsonb_agg(jsonb_build_object('event', e.title, 'starts_at', e.starts_at, 'name', r.name, 'email', r.email, 'phone', r.phone,
                                                   'institution', r.institution, 'state', r.state, 'created_at', r.created_at)
                                order by r.created_at), '[]')
        from public.event_registrations r join public.events e on e.id = r.event_id join known on lower(r.email) = known.email),
    'news_since', (select s.confirmed_at from public.event_subscribers s join known on s.email_key = known.email))
$$;
