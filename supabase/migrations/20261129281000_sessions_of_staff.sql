-- Admins see where a person is signed in, and end one session, such as that of a lost phone.

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
  return found;
end $$;
select private.expose('end_session_of', 'authenticated', 'service_role');
