-- Email addresses and phone numbers. The forms' own checks (shared/text/email.ts, shared/text/phone.ts) say the same; null stays null.

/* One email address in its plain form at a domain with a dot. */
create function private.is_email(_text text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select btrim(_text) ~ '^[^[:space:]@"(),:;<>[\\\]]+@[^[:space:]@"(),:;<>[\\\].]+(\.[^[:space:]@"(),:;<>[\\\].]+)+$'
$$;
grant execute on function private.is_email to authenticated, service_role;

/*
 * A phone number as it is stored and shown: '+233 24 412 3456' for a number of Ghana, however it was typed, '+442079460018' for one with
 * another country's code, and the bare digits of any other. Null for anything else, and for what nobody can have: one digit repeated, or a
 * country code that begins with 0.
 */
create function private.phone(_text text)
returns text language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  dialled text := regexp_replace(regexp_replace(private.plain_code(_text), '^tel(ephone)?[.:]+', '', 'i'), '[=''"]+', '', 'g');
  national text;
begin
  dialled := translate(regexp_replace(dialled, '^([0-9]+)\.0$', '\1'), ' ().-/', '');
  dialled := regexp_replace(dialled, '^00', '+');
  if dialled !~ '^\+?[0-9]{6,15}$' or dialled ~ '^\+?([0-9])\1*$' or dialled ~ '^\+0' then return null; end if;
  -- Nine digits after the country's code or the leading 0, which spreadsheets drop.
  national := coalesce(substring(dialled from '^\+?2330?([1-9][0-9]{8})$'), substring(dialled from '^0([1-9][0-9]{8})$'),
                       substring(dialled from '^[235][0-9]{8}$'));
  return case when national is null then dialled
              else format('+233 %s %s %s', left(national, 2), substr(national, 3, 3), substr(national, 6)) end;
end $$;
grant execute on function private.phone to authenticated, service_role;

create function private.is_phone(_text text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select private.phone(_text) is not null
$$;
grant execute on function private.is_phone to authenticated, service_role;

/* A number in the form in which it is stored; a text that is none stays as it is, for require_contact to refuse, or as it was before. */
create function private.written_phone(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select coalesce(private.phone(_text), private.clean_line(_text))
$$;
grant execute on function private.written_phone to authenticated, service_role;

/* The last nine digits, which are the same however a number of Ghana is written. */
create function private.phone_key(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select right(regexp_replace(_text, '[^0-9]', '', 'g'), 9)
$$;

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
    perform private.refuse('PT400', 'invalid_field', 'Please enter an email address without accents or other special letters.',
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

/* Whether two phone numbers are the same, however they are written. */
create function private.is_same_phone(_one text, _other text)
returns boolean language sql immutable parallel safe set search_path = '' as $$
  select private.is_phone(_one) and private.is_phone(_other)
     and private.phone_key(private.phone(_one)) = private.phone_key(private.phone(_other))
$$;
