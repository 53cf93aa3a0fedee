-- Who is staff: admins, and people with duties (2-people/7-duties.sql).

/*
 * What a request lacks for staff's rights: 'code' if the session has not passed the user's second step, 'factor' if
 * the user has none while the owner's setting requires one. Null if nothing. Only this function decides it.
 */
create function private.second_step_missing()
returns text language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from auth.mfa_factors where user_id = auth.uid() and status = 'verified') then
    return case when auth.jwt() ->> 'aal' = 'aal2' then null else 'code' end;
  end if;
  return case when (select value = 'true' from public.shop_settings where id = 'staffSecondStep') then 'factor' end;
end $$;

/*
 * True for an admin's own request. SECURITY DEFINER, because the policies of user_roles call it too. Policies write
 * (select private.is_admin()): once per query, not once per row.
 */
create function private.is_admin()
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.user_roles where user_id = auth.uid() and role = 'admin')
    and private.second_step_missing() is null;
end $$;
grant execute on function private.is_admin to anon, authenticated, service_role;

/*
 * True for an admin, the secret key and the database's owner. The setting "role" keeps the request's role inside
 * SECURITY DEFINER functions, where current_user is the function's owner.
 */
create function private.is_staff()
returns boolean language sql stable set search_path = '' as $$
  select coalesce(current_setting('role', true), 'none') not in ('anon', 'authenticated') or private.is_admin()
$$;
grant execute on function private.is_staff to authenticated, service_role;

create function private.require_staff()
returns void language plpgsql stable set search_path = '' as $$
begin
  if not private.is_staff() then
    perform private.refuse('PT403', 'admin_only', 'Only an admin may do this.');
  end if;
end $$;
grant execute on function private.require_staff to authenticated, service_role;

/*
 * What staff may do in the back office. Admins have all duties, moderators have 'reviews'; others are rows of staff_duties. The last three
 * add to the others: to download lists with personal data, to pay money back, to delete what a duty is about.
 */
create function private.duties()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select '{orders,payments,stock,catalogue,schools,reviews,reports,people,events,settings,exports,refunds,deletions}'::text[]
$$;

/*
 * True for a user with this duty, the secret key and the database's owner. SECURITY DEFINER, because everyone's
 * requests call it. Policies write (select private.has_duty(…)): once per query, not once per row.
 */
create function private.has_duty(_duty text)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(current_setting('role', true), 'none') not in ('anon', 'authenticated')
    or (exists (select from public.user_roles
                 where user_id = auth.uid() and (role = 'admin' or role = 'moderator' and _duty = 'reviews'))
        or exists (select from public.staff_duties where user_id = auth.uid() and duty = _duty))
       and private.second_step_missing() is null;
end $$;
grant execute on function private.has_duty to anon, authenticated, service_role;

/* True for a user with any duty, the secret key and the database's owner. */
create function private.has_a_duty()
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(current_setting('role', true), 'none') not in ('anon', 'authenticated')
    or (exists (select from public.user_roles where user_id = auth.uid() and role in ('admin', 'moderator'))
        or exists (select from public.staff_duties where user_id = auth.uid()))
       and private.second_step_missing() is null;
end $$;
grant execute on function private.has_a_duty to anon, authenticated, service_role;

/* Refuses callers without one of these duties, and names it. */
create function private.require_duty(variadic _duties text[])
returns void language plpgsql stable set search_path = '' as $$
declare
  duty text;
begin
  foreach duty in array _duties loop
    if not private.has_duty(duty) then
      perform private.refuse('PT403', 'duty_missing', format('You don''t have the duty %s. Ask an admin for it.', initcap(duty)),
        jsonb_build_object('duty', duty));
    end if;
  end loop;
end $$;

create function private.require_a_duty()
returns void language plpgsql stable set search_path = '' as $$
begin
  if not private.has_a_duty() then
    perform private.refuse('PT403', 'duty_missing', 'You don''t have a duty in the back office. Ask an admin for one.');
  end if;
end $$;
