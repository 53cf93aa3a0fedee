-- Digital addresses (GhanaPostGPS): typed hyphens are where the parts end, and a region that does not exist is an error.

/*
 * A GhanaPost digital address as it is written, 'GA-183-8164', from however it was typed: the letters of the region and of the district, the
 * area's three to five digits, the place's four. Hyphens and spaces that were typed are where its parts end. Anything else comes back
 * cleaned, for require_delivery to refuse.
 */
create or replace function private.digital_address(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select nullif(regexp_replace(regexp_replace(regexp_replace(upper(private.plain_code(_text)), '^[=''" .-]+|[''" .-]+$', '', 'g'),
    '^([ABCEGNUVW][A-Z0-9])[ ./-]*([0-9]{3,5})[ ./-]*([0-9]{4})$', '\1-\2-\3'),
    '^(X[A-Z0-9])[ ./-]*([0-9]{4,5})[ ./-]*([0-9]{4})$', '\1-\2-\3'), '')
$$;

/*
 * Whether a digital address can be one: GhanaPostGPS has letters for ten regions, and in the Upper West (X) no area has only three digits.
 * Null passes.
 */
create function private.is_digital_address(_text text)
returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select _text ~ '^([ABCEGNUVW][A-Z0-9]-[0-9]{3,5}|X[A-Z0-9]-[0-9]{4,5})-[0-9]{4}$'
$$;
grant execute on function private.is_digital_address to authenticated, service_role;

/*
 * What a table may hold of a delivery, as the last line of defence; require_delivery says it in words, and is stricter with digital
 * addresses: rows from before may have one that nothing has.
 */
create or replace function private.is_delivery(
  _region text, _landmark text, _digital_address text, _method text, _bus_station text, _note text
) returns boolean language sql immutable parallel safe set search_path = '' as $$
  select coalesce(_region = any (private.regions()), true) and coalesce(_method = any (private.delivery_methods()), true)
     and coalesce(_digital_address ~ '^[A-Z][A-Z0-9]-[0-9]{3,5}-[0-9]{4}$', true)
     and coalesce(length(_landmark), 0) <= 200 and coalesce(length(_bus_station), 0) <= 200 and coalesce(length(_note), 0) <= 500
$$;

/* Refuses what is_delivery refuses, and a parcel to a bus station that is not named. The fields are the columns' names. */
create or replace function private.require_delivery(
  _region text, _landmark text, _digital_address text, _method text, _bus_station text, _note text
) returns void language plpgsql immutable set search_path = '' as $$
begin
  if _region <> all (private.regions()) then
    perform private.refuse('PT400', 'invalid_field', 'Unknown region.',
      jsonb_build_object('field', 'region', 'rule', 'choice', 'choices', private.regions()));
  elsif _method <> all (private.delivery_methods()) then
    perform private.refuse('PT400', 'invalid_field', 'Unknown way of delivery.',
      jsonb_build_object('field', 'delivery_method', 'rule', 'choice', 'choices', private.delivery_methods()));
  elsif not private.is_digital_address(_digital_address) then
    perform private.refuse('PT400', 'invalid_field', 'Please enter a valid digital address, such as GA-183-8164.',
      jsonb_build_object('field', 'digital_address', 'rule', 'digital_address'));
  end if;
  perform private.require_text('landmark', 'The landmark', _landmark, 200),
    private.require_text('bus_station', 'The bus parcel station', _bus_station, 200, coalesce(_method = 'bus_station', false)),
    private.require_text('delivery_note', 'The delivery note', _note, 500);
end $$;

create or replace function private.check_profile()
returns trigger language plpgsql set search_path = '' as $$
begin
  new.full_name := private.clean_line(new.full_name);
  new.phone := private.written_phone(new.phone);
  new.address := private.clean_line(new.address);
  new.city := private.clean_line(new.city);
  new.postal_code := private.clean_line(new.postal_code);
  new.landmark := private.clean_line(new.landmark);
  new.digital_address := private.digital_address(new.digital_address);
  new.bus_station := private.clean_line(new.bus_station);
  perform private.require_text('full_name', 'The name', new.full_name, 200);
  perform private.require_text('phone', 'The phone number', new.phone, 40);
  perform private.require_text('address', 'The address', new.address, 600);
  perform private.require_text('city', 'The city', new.city, 200);
  perform private.require_text('postal_code', 'The postal code', new.postal_code, 100);
  -- A digital address from before, which would be refused today, does not keep the rest from being saved.
  perform private.require_delivery(new.region, new.landmark,
    case when tg_op = 'INSERT' or new.digital_address is distinct from old.digital_address then new.digital_address end,
    new.delivery_method, new.bus_station, null);
  return new;
end $$;
