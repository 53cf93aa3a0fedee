-- Where orders and requests are emailed to is for admins to change.

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
