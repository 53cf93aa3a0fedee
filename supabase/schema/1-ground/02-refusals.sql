-- One way to refuse a request, and the checks that most forms need.

/*
 * Refuses the request. The status is a PT4xx code, which the data API turns into that HTTP status; the
 * message is a sentence for people; the detail is JSON whose "code" is stable for programs.
 */
create function private.refuse(_status text, _code text, _message text, _facts jsonb default '{}')
returns void language plpgsql immutable set search_path = '' as $$
begin
  raise exception using
    errcode = _status,
    message = _message,
    detail = (jsonb_build_object('code', _code) || _facts)::text;
end $$;
grant execute on function private.refuse to anon, authenticated, service_role;

/*
 * Refuses a text that is too long or missing, before a CHECK would: the CHECK is the backstop, this is the
 * clear message. The label is the word that people read, the field the column's name. Returns the text.
 */
create function private.require_text(_field text, _label text, _value text, _at_most int, _required boolean default false)
returns text language plpgsql immutable set search_path = '' as $$
begin
  if _required and _value is null then
    perform private.refuse('PT400', 'invalid_field', _label || ' is required.',
      jsonb_build_object('field', _field, 'rule', 'required'));
  elsif length(_value) > _at_most then
    perform private.refuse('PT400', 'invalid_field', format('%s is too long (at most %s characters).', _label, _at_most),
      jsonb_build_object('field', _field, 'rule', 'max_length', 'limit', _at_most));
  end if;
  return _value;
end $$;
grant execute on function private.require_text to anon, authenticated, service_role;

/* The same for numbers: a null, or a value outside its bounds, is refused with a message. */
create function private.require_number(_field text, _label text, _value numeric, _least numeric, _most numeric)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _value is null or _value < _least or _value > _most then
    perform private.refuse('PT400', 'invalid_field', format('%s must be between %s and %s.', _label, _least, _most),
      jsonb_build_object('field', _field, 'rule', 'range', 'min', _least, 'max', _most));
  end if;
end $$;
grant execute on function private.require_number to anon, authenticated, service_role;

/* Refuses an amount of money that is not whole pesewas: a column of two decimals would round it without a word. Null passes. */
create function private.require_pesewas(_field text, _label text, _amount numeric)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _amount <> round(_amount, 2) then
    perform private.refuse('PT400', 'invalid_field', _label || ' has at most two decimals.',
      jsonb_build_object('field', _field, 'rule', 'decimals'));
  end if;
end $$;
grant execute on function private.require_pesewas to anon, authenticated, service_role;

/* Refuses a value that is none of these. Null passes. */
create function private.require_choice(_field text, _label text, _value text, _choices text[])
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _value <> all (_choices) then
    perform private.refuse('PT400', 'invalid_field', format('%s must be one of: %s.', _label, array_to_string(_choices, ', ')),
      jsonb_build_object('field', _field, 'rule', 'choice', 'choices', _choices));
  end if;
end $$;
grant execute on function private.require_choice to anon, authenticated, service_role;
