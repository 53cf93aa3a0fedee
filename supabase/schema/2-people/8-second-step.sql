-- The second step at sign-in, and where people are signed in. Factors and sessions are rows of the accounts' own schema, which a hosted
-- project has too.

/* What the caller's session lacks to have staff's rights (private.second_step_missing): the page asks for the code, or leads to the set-up. */
create function private.own_second_step()
returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return private.second_step_missing();
end $$;
select private.expose('own_second_step', 'authenticated');

/* The caller's sessions, the latest first; `is_this` is the current one. At most 50. */
create function private.list_own_sessions()
returns table (id uuid, user_agent text, created_at timestamptz, last_used_at timestamptz, is_this boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select s.id, s.user_agent, s.created_at, greatest(s.created_at, s.updated_at, s.refreshed_at at time zone 'UTC'),
           s.id::text is not distinct from auth.jwt() ->> 'session_id'
      from auth.sessions s
     where s.user_id = auth.uid()
     order by 5 desc, 4 desc
     limit 50;
end $$;
select private.expose('list_own_sessions', 'authenticated');

/* Ends one of the caller's sessions; returns whether there was one. Its token stays valid for some seconds, on a hosted project for up to an hour. */
create function private.end_own_session(_id uuid)
returns boolean language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions where id = _id and user_id = auth.uid();
  return found;
end $$;
select private.expose('end_own_session', 'authenticated');

/* Admins: where a person is signed in, the one last used first; is_this is the session that asks. */
create function private.list_sessions_of(_user_id uuid)
returns table (id uuid, user_agent text, created_at timestamptz, last_used_at timestamptz, is_this boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    select s.id, s.user_agent, s.created_at, greatest(s.created_at, s.updated_at, s.refreshed_at at time zone 'UTC'),
           s.id::text is not distinct from auth.jwt() ->> 'session_id'
      from auth.sessions s
     where s.user_id = _user_id
     order by 4 desc, 1
     limit 50;
end $$;
select private.expose('list_sessions_of', 'authenticated', 'service_role');

/* Admins: ends one of a person's sessions, as end_own_session does; returns whether there was one. */
create function private.end_session_of(_user_id uuid, _id uuid)
returns boolean language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_staff();
  delete from auth.sessions where id = _id and user_id = _user_id;
  if not found then return false; end if;
  insert into public.audit_log (table_name, row_id, action, before)
  values ('sessions', _user_id, 'delete', jsonb_build_object('user_id', _user_id));
  return true;
end $$;
select private.expose('end_session_of', 'authenticated', 'service_role');

/* Admins: which of these people have a second step. */
create function private.people_with_second_step(_ids uuid[])
returns setof uuid language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query select f.user_id from auth.mfa_factors f where f.user_id = any (_ids) and f.status = 'verified' group by 1;
end $$;
select private.expose('people_with_second_step', 'authenticated', 'service_role');

/*
 * Admins and the owner's command, for a lost phone: removes a person's second step and ends all their sessions. Returns whether there was
 * one. They are told by email; a hosted project sends none.
 */
create function private.remove_second_step(_user_id uuid)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
  address text;
  removed int;
begin
  perform private.require_staff();
  select u.email into address from auth.users u where u.id = _user_id for update;
  if not found then
    perform private.refuse('PT404', 'user_not_found', 'This person no longer has an account.');
  end if;
  -- Whoever has waited may no longer be an admin.
  perform private.require_staff();
  delete from auth.mfa_factors where user_id = _user_id and status = 'verified';
  get diagnostics removed = row_count;
  delete from auth.mfa_factors where user_id = _user_id;
  if removed = 0 then return false; end if;
  delete from auth.sessions where user_id = _user_id;
  insert into public.audit_log (table_name, row_id, action, before)
  values ('second_steps', _user_id, 'delete', jsonb_build_object('user_id', _user_id));
  if address is not null and to_regclass('private_shop.account_tasks') is not null then
    execute 'insert into private_shop.account_tasks (task) values ($1)'
      using jsonb_build_object('kind', 'account-notice', 'notice', 'second-step-removed', 'email', address);
  end if;
  return true;
end $$;
select private.expose('remove_second_step', 'authenticated', 'service_role');

/*
 * Requiring the second step is for admins who have taken theirs: otherwise whoever turns it on would lock themselves out. The owner's
 * command can turn it off (the secret key).
 */
create function private.guard_second_step_setting()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('role', true) is distinct from 'authenticated' then return new; end if;
  perform private.require_staff();
  if new.value = 'true' and not exists (select from auth.mfa_factors where user_id = auth.uid() and status = 'verified') then
    perform private.refuse('PT409', 'own_second_step_first', 'Set up your own second step first, under My Account.');
  end if;
  return new;
end $$;
