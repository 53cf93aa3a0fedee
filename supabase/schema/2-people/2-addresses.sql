-- How an order reaches its customer in Ghana: what profiles and orders store about it. The choices and formats are also in
-- shared/orders/delivery.ts and app/features/delivery/digital-address.ts; tests compare them.

/* Ghana's 16 regions, in the order of the alphabet. */
create function private.regions()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select array['Ahafo', 'Ashanti', 'Bono', 'Bono East', 'Central', 'Eastern', 'Greater Accra', 'North East', 'Northern', 'Oti',
               'Savannah', 'Upper East', 'Upper West', 'Volta', 'Western', 'Western North']
$$;
grant execute on function private.regions to authenticated, service_role;

create function private.delivery_methods()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select array['deliver', 'collect', 'bus_station', 'download']
$$;
grant execute on function private.delivery_methods to authenticated, service_role;

/*
 * A GhanaPost digital address as it is written, 'GA-183-8164', from however it was typed: the letters of the region and of the district, the
 * area's three to five digits, the place's four. Hyphens and spaces that were typed are where its parts end. Anything else comes back
 * cleaned, for require_delivery to refuse.
 */
create function private.digital_address(_text text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select nullif(regexp_replace(regexp_replace(regexp_replace(upper(private.plain_code(_text)), '^[=''" .-]+|[''" .-]+$', '', 'g'),
    '^([ABCEGNUVW][A-Z0-9])[ ./-]*([0-9]{3,5})[ ./-]*([0-9]{4})$', '\1-\2-\3'),
    '^(X[A-Z0-9])[ ./-]*([0-9]{4,5})[ ./-]*([0-9]{4})$', '\1-\2-\3'), '')
$$;
grant execute on function private.digital_address to authenticated, service_role;

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
create function private.is_delivery(
  _region text, _landmark text, _digital_address text, _method text, _bus_station text, _note text
) returns boolean language sql immutable parallel safe set search_path = '' as $$
  select coalesce(_region = any (private.regions()), true) and coalesce(_method = any (private.delivery_methods()), true)
     and coalesce(_digital_address ~ '^[A-Z][A-Z0-9]-[0-9]{3,5}-[0-9]{4}$', true)
     and coalesce(length(_landmark), 0) <= 200 and coalesce(length(_bus_station), 0) <= 200 and coalesce(length(_note), 0) <= 500
$$;
grant execute on function private.is_delivery to authenticated, service_role;

/* Refuses what is_delivery refuses, and a parcel to a bus station that is not named. The fields are the columns' names. */
create function private.require_delivery(
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
grant execute on function private.require_delivery to authenticated, service_role;
