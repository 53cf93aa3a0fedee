-- Email addresses and phone numbers. The checkout's own checks (app/lib/email.ts, app/features/delivery/phone.ts) say the same.

/*
 * One email address in its plain form at a domain with a dot, and one phone number of 6 to 15 digits as people write
 * it. The checkout's own checks (app/lib/email.ts, app/features/delivery/phone.ts) say the same; null stays null.
 */
create function private.is_email(_text text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select btrim(_text) ~ '^[^[:space:]@"(),:;<>[\\\]]+@[^[:space:]@"(),:;<>[\\\].]+(\.[^[:space:]@"(),:;<>[\\\].]+)+$'
$$;
grant execute on function private.is_email to authenticated, service_role;

create function private.is_phone(_text text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select regexp_replace(_text, '[[:space:]()./-]', '', 'g') ~ '^\+?[0-9]{6,15}$'
$$;
grant execute on function private.is_phone to authenticated, service_role;

/* Refuses an email address or a phone number that reaches no one; the fields are the columns' names. Null passes. */
create function private.require_contact(_email_field text, _email text, _phone_field text, _phone text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if not private.is_email(_email) then
    perform private.refuse('PT400', 'invalid_field', 'Please enter a valid email address.',
      jsonb_build_object('field', _email_field, 'rule', 'email'));
  elsif not private.is_phone(_phone) then
    perform private.refuse('PT400', 'invalid_field', 'Please enter a valid phone number.',
      jsonb_build_object('field', _phone_field, 'rule', 'phone'));
  end if;
end $$;
grant execute on function private.require_contact to authenticated, service_role;

/*
 * For forms that anyone can send: refuses an email address with other letters than a to z. Their domains have
 * countless spellings, and each would count as another address of the same mailbox. This doesn't apply to accounts or
 * to what staff enter. Null passes.
 */
create function private.require_plain_email(_field text, _email text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _email ~ '[^!-~]' then
    perform private.refuse('PT400', 'invalid_field', 'Please enter an email address with the letters a to z alone.',
      jsonb_build_object('field', _field, 'rule', 'email'));
  end if;
end $$;

/*
 * The mailbox that an email address, or a phone number's digits, reaches: without what follows a +, and for Gmail
 * without dots. Only for counting a person's emails: addresses are stored and compared as typed.
 */
create function private.mailbox_key(_contact text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select case when domain = '' then name when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
         else name || '@' || domain end
    from (select split_part(split_part(lower(_contact), '@', 1), '+', 1), split_part(lower(_contact), '@', 2)) as parts (name, domain)
$$;

/* Whether two phone numbers are the same, however they are written: Ghana's have nine digits after the country's code or the leading 0. */
create function private.is_same_phone(_one text, _other text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select private.is_phone(_one) and private.is_phone(_other)
     and right(regexp_replace(_one, '[^0-9]', '', 'g'), 9) = right(regexp_replace(_other, '[^0-9]', '', 'g'), 9)
$$;
