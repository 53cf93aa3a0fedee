-- Who is staff.

/*
 * True for an admin's own request. SECURITY DEFINER, because the policies of user_roles call it too. Policies write
 * (select private.is_admin()): once per query, not once per row.
 */
create function private.is_admin()
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.user_roles where user_id = auth.uid() and role = 'admin');
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
