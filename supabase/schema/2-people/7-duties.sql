-- Duties that admins assign to other people (private.duties). Anyone with a duty can open the back office, and sees
-- its data.

create table public.staff_duties (
  id bigint generated always as identity primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  duty text not null,
  created_at timestamptz not null default now(),
  constraint staff_duties_are_given_once unique (user_id, duty),
  constraint staff_duties_duty_is_known check (duty = any (private.duties()))
);

alter table public.staff_duties enable row level security;
grant select on public.staff_duties to authenticated, service_role;

create policy "people read their own duties, staff all" on public.staff_duties
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.has_duty('people')));

create trigger record_audit after insert or delete on public.staff_duties
  for each row execute function private.record_audit();

/*
 * Admins: gives a person some duties and takes others away; returns the resulting duties. Duties in neither list stay
 * as they are, so two admins at once don't undo each other's changes.
 */
create function private.change_duties(_user_id uuid, _give text[] default '{}', _take text[] default '{}')
returns text[] language plpgsql security definer set search_path = '' as $$
declare
  given constant text[] := coalesce(_give, '{}');
begin
  perform private.require_staff();
  -- The lock under which roles are written. Whoever has waited may no longer be an admin.
  perform pg_advisory_xact_lock(hashtext('public.user_roles'));
  perform private.require_staff();
  if not (given || coalesce(_take, '{}')) <@ private.duties() then
    perform private.refuse('PT400', 'invalid_field', 'Unknown duty.',
      jsonb_build_object('field', 'duty', 'rule', 'choice', 'choices', private.duties()));
  end if;
  perform from public.profiles where id = _user_id for key share;
  if not found then
    perform private.refuse('PT404', 'user_not_found', 'This person no longer has an account.');
  end if;
  if cardinality(given) > 0 and exists (select from public.user_roles where user_id = _user_id and role = 'admin') then
    perform private.refuse('PT409', 'has_all_duties', 'An admin has all duties.');
  end if;
  -- An unconfirmed address may belong to anyone.
  if cardinality(given) > 0 and exists (select from auth.users where id = _user_id and email_confirmed_at is null) then
    perform private.refuse('PT409', 'unconfirmed_account',
      'This person has not confirmed their email address yet. They can have duties once they have followed the link in our email.');
  end if;
  delete from public.staff_duties where user_id = _user_id and duty = any (_take);
  insert into public.staff_duties (user_id, duty) select _user_id, duty from unnest(given) as duty on conflict do nothing;
  if cardinality(given) > 0 then
    -- As in record_role.
    perform private.end_email_change(_user_id);
  end if;
  return array(select duty from public.staff_duties where user_id = _user_id order by array_position(private.duties(), duty));
end $$;
select private.expose('change_duties', 'authenticated', 'service_role');
