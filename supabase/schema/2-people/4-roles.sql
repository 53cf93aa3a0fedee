-- Roles: user, moderator or admin. A person has at most one; no row means user. Only admins write them. The last
-- admin cannot be demoted or deleted, not even by two admins at the same time.

create table public.user_roles (
  id bigint generated always as identity primary key,
  -- Not unique, so that the embed in profiles stays a list; a trigger keeps one row per person.
  user_id uuid not null references public.profiles (id) on delete cascade,
  role text not null,
  created_at timestamptz not null default now(),
  constraint user_roles_role_is_known check (role in ('user', 'moderator', 'admin'))
);
create index user_roles_by_person on public.user_roles (user_id, role);
create index user_roles_admins on public.user_roles (user_id) where role = 'admin';

alter table public.user_roles enable row level security;
grant select, delete on public.user_roles to authenticated, service_role;
grant insert (user_id, role) on public.user_roles to authenticated, service_role;

create policy "people read their own role, admins all" on public.user_roles
  for select to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()));
create policy "admins give roles" on public.user_roles
  for insert to authenticated with check ((select private.is_admin()));
create policy "admins take roles away" on public.user_roles
  for delete to authenticated using ((select private.is_admin()));

/*
 * Roles are written one at a time. After the wait, the writer's role is checked again: another admin may have demoted
 * them meanwhile, and their statement still sees the earlier roles.
 */
create function private.queue_role_writes()
returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.require_staff();
  perform pg_advisory_xact_lock(hashtext('public.user_roles'));
  perform private.require_staff();
  return null;
end $$;
create trigger queue_role_writes before insert or update or delete on public.user_roles
  for each statement execute function private.queue_role_writes();

-- Runs as the owner, who may read accounts: an unconfirmed address may belong to anyone.
create function private.check_role()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.role is null or new.role not in ('user', 'moderator', 'admin') then
    perform private.refuse('PT400', 'invalid_field', 'The role must be user, moderator or admin.',
      jsonb_build_object('field', 'role', 'rule', 'choice', 'choices', jsonb_build_array('user', 'moderator', 'admin')));
  end if;
  if new.role <> 'user'
     and exists (select from auth.users where id = new.user_id and email_confirmed_at is null) then
    perform private.refuse('PT409', 'unconfirmed_account',
      'This person has not confirmed their email address yet. They can have a role once they have followed the link in our email.');
  end if;
  return new;
end $$;
create trigger check_role before insert or update on public.user_roles
  for each row execute function private.check_role();

/*
 * A new role replaces the person's others, in the same statement: an admin who first deleted their own row would
 * have lost the right to insert. After, not before: the check below then already sees the new row.
 */
create function private.replace_roles()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.user_roles where user_id = new.user_id and id < new.id;
  -- An admin has all duties. Those given before must not come back when the role is taken away.
  if new.role = 'admin' then delete from public.staff_duties where user_id = new.user_id; end if;
  return null;
end $$;
create trigger replace_roles after insert on public.user_roles
  for each row execute function private.replace_roles();

/* Runs under the lock taken above, and as the owner so that it sees every role. */
create function private.keep_an_admin()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from gone where role = 'admin')
     and not exists (select from public.user_roles where role = 'admin') then
    perform private.refuse('PT409', 'last_admin', 'The last admin cannot be demoted or deleted.');
  end if;
  return null;
end $$;
create trigger keep_an_admin_on_delete after delete on public.user_roles
  referencing old table as gone
  for each statement execute function private.keep_an_admin();
create trigger keep_an_admin_on_update after update on public.user_roles
  referencing old table as gone
  for each statement execute function private.keep_an_admin();

/* The caller's role, or any person's for an admin: row level security decides, and a hidden role reads as user. */
create function public.get_user_role(_user_id uuid)
returns text language sql stable set search_path = '' as $$
  select coalesce((select role from public.user_roles where user_id = _user_id order by id desc limit 1), 'user')
$$;
grant execute on function public.get_user_role to authenticated, service_role;

/*
 * A change of role is one entry of the log, with the role before and after, whether it replaced a row, and tells the person and every other
 * admin (9-roles in 7-emails). Runs before replace_roles, since triggers run in the order of their names.
 */
create function private.record_role()
returns trigger language plpgsql security definer set search_path = '' as $$
declare
  former jsonb := to_jsonb(old);
begin
  if tg_op = 'DELETE' and exists (select from public.user_roles r where r.user_id = old.user_id and r.id > old.id) then return null; end if;
  if tg_op = 'INSERT' then
    select to_jsonb(r) into former from public.user_roles r where r.user_id = new.user_id and r.id < new.id order by r.id desc limit 1;
  end if;
  perform private.write_audit('user_roles', former, to_jsonb(new));
  if tg_op = 'INSERT' and new.role <> 'user' then
    -- Staff with the duty People may have asked for it while this was a customer's account.
    perform private.end_email_change(new.user_id);
  end if;
  if coalesce(former ->> 'role', 'user') <> coalesce(new.role, 'user') then
    perform private.queue_role_emails(coalesce(new.user_id, old.user_id));
  end if;
  return null;
end $$;
create trigger record_audit after insert or update or delete on public.user_roles
  for each row execute function private.record_role();
