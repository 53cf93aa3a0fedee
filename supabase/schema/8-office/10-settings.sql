-- Changing settings, and what follows from a change.

/* Has the parts of the database that need a setting's value use this one. */
create function private.apply_setting(_name text, _value jsonb)
returns void language plpgsql security definer set search_path = '' as $$
begin
  case _name
    when 'name' then perform private.set_shop_name(_value #>> '{}');
    when 'deliveryFees' then perform private.set_delivery_fees(_value);
    when 'searchWords' then perform private.set_search_words(_value);
    else null;
  end case;
end $$;

create function private.apply_changed_setting()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.apply_setting(new.id, new.value);
  perform private.publish_terms();
  -- Cached pages show the settings too.
  perform nextval('private.catalogue_versions');
  return null;
end $$;
create trigger apply_changed_setting after insert or update on public.shop_settings
  for each row execute function private.apply_changed_setting();

/*
 * Orders, quotes and requests with their customers' data are emailed to these addresses: whoever may change them reads what other duties
 * are about.
 */
create function private.guard_notice_address()
returns trigger language plpgsql set search_path = '' as $$
begin
  if not private.is_staff() then
    perform private.refuse('PT403', 'admin_only', 'Only an admin may change the shop''s email addresses: orders and requests are sent there.');
  end if;
  return new;
end $$;
create trigger guard_notice_address before insert or update on public.shop_settings
  for each row when (new.id in ('ownerEmail', 'email')) execute function private.guard_notice_address();

create trigger guard_second_step before insert or update on public.shop_settings
  for each row when (new.id = 'staffSecondStep') execute function private.guard_second_step_setting();

/*
 * Each start of the shop and `npm run migrate`: the values of the owner's files, which the database uses while no admin has
 * changed them, and `paysOnline`.
 */
create function private.set_first_settings(_first jsonb)
returns void language plpgsql set search_path = '' as $$
begin
  -- One change at a time, as in update_settings: an admin's value that is being saved applies, not the files' one before it.
  perform pg_advisory_xact_lock(hashtext('shop_settings'));
  insert into private.earlier_first_settings (name, value)
  select f.name, f.value from private.first_settings f join jsonb_each(_first) as first on first.key = f.name where f.value <> first.value;
  insert into private.first_settings as f (name, value) select key, value from jsonb_each(_first)
  on conflict (name) do update set value = excluded.value where f.value <> excluded.value;
  perform private.apply_setting(first.key, coalesce(s.value, first.value))
     from jsonb_each(_first) as first left join public.shop_settings s on s.id = first.key;
  perform private.publish_terms();
end $$;

/* A new database without the demo: what its settings are in place of the demo's words. Changed ones stay. */
create function private.set_own_settings(_own jsonb)
returns void language sql set search_path = '' as $$
  insert into public.shop_settings (id, value) select key, private.checked_setting(key, value) from jsonb_each(_own)
  on conflict (id) do nothing
$$;

/*
 * Admins change settings: all of _values, {name: value}, or none. _seen has the updated_at of each that was changed before, as the
 * caller has read it: one that has been changed since is refused, so that nobody overwrites what they have not seen.
 */
create function private.update_settings(_values jsonb, _seen jsonb)
returns setof public.shop_settings language plpgsql security definer set search_path = '' as $$
declare
  checked jsonb;
  stale text[];
begin
  perform private.require_duty('settings');
  if jsonb_typeof(_values) is distinct from 'object' or jsonb_typeof(_seen) is distinct from 'object' then
    perform private.refuse('PT400', 'invalid_request', 'Settings are sent by name.');
  end if;
  select jsonb_object_agg(key, private.checked_setting(key, value)) into checked from jsonb_each(_values);
  -- One change at a time: a setting without a row has nothing to lock.
  perform pg_advisory_xact_lock(hashtext('shop_settings'));
  select array_agg(name order by name) into stale
    from jsonb_object_keys(_values) as name left join public.shop_settings s on s.id = name
   where s.updated_at is distinct from (_seen ->> name)::timestamptz;
  if stale is not null then
    perform private.refuse('PT409', 'settings_changed', 'Someone else has changed this since you opened it.',
      jsonb_build_object('fields', stale));
  end if;
  insert into public.shop_settings as s (id, value) select key, value from jsonb_each(checked)
  on conflict (id) do update set value = excluded.value where s.value is distinct from excluded.value;
  return query select * from public.shop_settings s where _values ? s.id;
end $$;
select private.expose('update_settings', 'authenticated', 'service_role');
