-- What admins have changed of the shop's name, words, fees and limits. A setting without a row has the value of the owner's files
-- (shared/owner), which only the app knows.

/*
 * The database's half of shared/owner/settings.ts: what each setting may be, and who reads it ('page' and 'server' are public). A new
 * setting is a new line here and there; a test compares the two.
 */
create function private.setting_rules()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "name": {"kind": "line", "label": "Name", "max": 60, "required": true, "reader": "page"},
    "tagline": {"kind": "line", "label": "Tagline", "max": 200, "required": true, "reader": "page"},
    "description": {"kind": "text", "label": "Description", "max": 300, "reader": "page"},
    "legalName": {"kind": "line", "label": "Legal name", "max": 200, "reader": "page"},
    "registrationNumber": {"kind": "line", "label": "Registration number", "max": 60, "reader": "page"},
    "taxNumber": {"kind": "line", "label": "Tax number (TIN)", "max": 60, "reader": "page"},
    "address": {"kind": "lines", "label": "Address", "max": 100, "reader": "page"},
    "mapLink": {"kind": "url", "label": "Map link", "max": 500, "reader": "page"},
    "phones": {"kind": "phones", "label": "Phone numbers", "max": 30, "reader": "page"},
    "whatsApp": {"kind": "phone", "label": "WhatsApp number", "max": 30, "reader": "page"},
    "email": {"kind": "email", "label": "Email", "max": 254, "reader": "page"},
    "openingHours": {"kind": "lines", "label": "Opening hours", "max": 100, "reader": "page"},
    "replyPromise": {"kind": "line", "label": "When you reply", "max": 100, "reader": "server"},
    "facebook": {"kind": "url", "label": "Facebook page", "max": 500, "reader": "page"},
    "instagram": {"kind": "url", "label": "Instagram page", "max": 500, "reader": "page"},
    "headline": {"kind": "line", "label": "Headline", "max": 80, "required": true, "reader": "server"},
    "headlineEnd": {"kind": "line", "label": "End of the headline, in gold", "max": 80, "reader": "server"},
    "introduction": {"kind": "text", "label": "Introduction", "max": 300, "reader": "server"},
    "deliveryPromise": {"kind": "line", "label": "Promise after the introduction", "max": 200, "reader": "server"},
    "publishersIntroduction": {"kind": "text", "label": "Beside the publishers", "max": 300, "reader": "server"},
    "years": {"kind": "line", "label": "Years", "max": 20, "reader": "server"},
    "yearsInWords": {"kind": "line", "label": "Years in words", "max": 40, "reader": "server"},
    "publishers": {"kind": "line", "label": "Publishers", "max": 20, "reader": "server"},
    "regions": {"kind": "line", "label": "Regions", "max": 20, "reader": "server"},
    "institutions": {"kind": "line", "label": "Institutions", "max": 20, "reader": "server"},
    "guidedInstitutions": {"kind": "line", "label": "Institutions advised", "max": 20, "reader": "server"},
    "resources": {"kind": "line", "label": "Resources", "max": 20, "reader": "server"},
    "satisfaction": {"kind": "line", "label": "Satisfaction", "max": 20, "reader": "server"},
    "whyChoose": {"kind": "text", "label": "Under ''Why Choose …''", "max": 300, "reader": "server"},
    "listsReason": {"kind": "text", "label": "We know the book lists", "max": 400, "reader": "server"},
    "parcelReason": {"kind": "text", "label": "Everything in one parcel", "max": 400, "reader": "server"},
    "deliveryTitle": {"kind": "line", "label": "Delivery, in a few words", "max": 60, "reader": "server"},
    "deliveryReason": {"kind": "text", "label": "Delivery, as a reason to buy here", "max": 400, "reader": "server"},
    "trustReason": {"kind": "text", "label": "Trusted by schools", "max": 400, "reader": "server"},
    "storyIntroduction": {"kind": "text", "label": "Introduction", "max": 300, "reader": "server"},
    "story": {"kind": "lines", "label": "Our story", "max": 2000, "reader": "server"},
    "mission": {"kind": "text", "label": "Our mission", "max": 1000, "reader": "server"},
    "vision": {"kind": "text", "label": "Our vision", "max": 1000, "reader": "server"},
    "guidanceHeadline": {"kind": "line", "label": "Headline", "max": 80, "required": true, "reader": "server"},
    "guidanceIntroduction": {"kind": "text", "label": "Introduction", "max": 300, "reader": "server"},
    "guidanceReasons": {"kind": "lines", "label": "Why Choose Our Guidance", "max": 400, "reader": "server"},
    "guidanceSteps": {"kind": "lines", "label": "How it works", "max": 400, "reader": "server"},
    "guidanceOffer": {"kind": "line", "label": "Offer below the steps", "max": 80, "reader": "server"},
    "deliveryFees": {"kind": "fees", "label": "Delivery fees", "max": 99999.99, "reader": "page"},
    "deliveryTerms": {"kind": "text", "label": "Delivery times and terms", "max": 1000, "reader": "page"},
    "payment": {"kind": "text", "label": "How customers pay", "max": 1000, "reader": "page"},
    "mobileMoneyNetwork": {"kind": "line", "label": "Mobile money: network", "max": 40, "reader": "page"},
    "mobileMoneyNumber": {"kind": "line", "label": "Mobile money: number", "max": 30, "reader": "page"},
    "mobileMoneyName": {"kind": "line", "label": "Mobile money: name", "max": 60, "reader": "page"},
    "mobileMoneyReference": {"kind": "line", "label": "Mobile money: reference", "max": 60, "reader": "page"},
    "taxes": {"kind": "taxes", "label": "Taxes included in the prices", "max": 100, "reader": "page"},
    "howToPay": {"kind": "text", "label": "How to pay, on invoices", "max": 1000, "reader": "page"},
    "deliveryNote": {"kind": "text", "label": "At the foot of a delivery note", "max": 1000, "reader": "page"},
    "quotePayment": {"kind": "text", "label": "How to pay, on quotes", "max": 1000, "reader": "page"},
    "quoteRequest": {"kind": "text", "label": "Above the form that requests a quote", "max": 1000, "reader": "page"},
    "searchOrder": {"kind": "choice", "label": "Searches are sorted by", "max": 20, "choices": ["title", "best"], "reader": "page"},
    "searchWords": {"kind": "words", "label": "Words that mean the same", "max": 100, "reader": "staff"},
    "lowStock": {"kind": "number", "label": "Low stock is fewer than", "min": 1, "max": 1000, "reader": "page"},
    "downloadTimes": {"kind": "number", "label": "Downloads of a file for each copy", "min": 1, "max": 100, "reader": "staff"},
    "downloadHours": {"kind": "number", "label": "Hours for which a download link works", "min": 1, "max": 168, "reader": "staff"},
    "statusEmailSeconds": {"kind": "number", "label": "Seconds before an email about a status leaves", "min": 0, "max": 600, "reader": "staff"},
    "countAgainAbove": {"kind": "number", "label": "Count again above a difference of", "min": 0, "max": 1000, "reader": "staff"},
    "moreOnTheWay": {"kind": "yes", "label": "Customers see ''More on their way''", "max": 0, "reader": "page"},
    "schoolTerms": {"kind": "terms", "label": "School terms", "max": 60, "reader": "staff"},
    "ownerEmail": {"kind": "email", "label": "Your email for notices", "max": 254, "reader": "staff"},
    "legalStatus": {"kind": "line", "label": "Legal status", "max": 200, "reader": "server"},
    "placeOfRegistration": {"kind": "line", "label": "Place of registration", "max": 200, "reader": "server"},
    "officeBearers": {"kind": "lines", "label": "Office bearers", "max": 100, "reader": "server"},
    "memberships": {"kind": "lines", "label": "Memberships", "max": 200, "reader": "server"},
    "codeOfConduct": {"kind": "line", "label": "Code of conduct", "max": 200, "reader": "server"},
    "disputes": {"kind": "text", "label": "Settling disputes", "max": 1000, "reader": "server"},
    "dataProtectionNumber": {"kind": "line", "label": "Data Protection Commission number", "max": 60, "reader": "server"},
    "deliveryAndReturns": {"kind": "text", "label": "Delivery and returns", "max": 20000, "reader": "server"},
    "terms": {"kind": "text", "label": "Terms", "max": 20000, "reader": "server"},
    "privacy": {"kind": "text", "label": "Privacy", "max": 20000, "reader": "server"},
    "forgetOrdersAfterYears": {"kind": "number", "label": "Years until names are removed from orders", "min": 0, "max": 50, "reader": "server"},
    "forgetRegistrationsAfterDays": {"kind": "number", "label": "Days until registrations for events are deleted", "min": 1, "max": 365, "reader": "server"},
    "staffSecondStep": {"kind": "yes", "label": "Staff need a second step at sign-in", "max": 0, "reader": "staff"},
    "openingDone": {"kind": "lines", "label": "Done or dismissed on the dashboard''s list of first steps", "max": 60, "reader": "staff"}
  }'::jsonb
$$;
grant execute on function private.setting_rules to anon, authenticated, service_role;

create table public.shop_settings (
  -- The setting's name. The log names its rows by their id.
  id text primary key,
  value jsonb not null,
  updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  constraint shop_settings_are_known check (private.setting_rules() ? id)
);
alter table public.shop_settings enable row level security;
grant select on public.shop_settings to anon, authenticated, service_role;

create policy "everyone reads the public settings" on public.shop_settings
  for select to anon, authenticated
  using (private.setting_rules() -> id ->> 'reader' in ('page', 'server') or (select private.has_duty('settings'))
    or id = 'schoolTerms' and (select private.has_a_duty()));

create trigger stamp_updated_at before update on public.shop_settings
  for each row execute function private.stamp_updated_at();
create trigger record_audit after insert or update or delete on public.shop_settings
  for each row execute function private.record_audit('updated_at');

/* All changed settings that the caller may read, by name. */
create function public.list_settings()
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(id, value), '{}') from public.shop_settings
$$;
grant execute on function public.list_settings to anon, authenticated, service_role;

/* Refuses a setting by its name. */
create function private.refuse_setting(_name text, _rule text, _message text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  perform private.refuse('PT400', 'invalid_field', format(_message, private.setting_rules() -> _name ->> 'label'),
    jsonb_build_object('field', _name, 'rule', _rule));
end $$;

/* The text of a setting, or one of its lines, as it is stored. */
create function private.checked_setting_text(_name text, _value jsonb, _kind text)
returns text language plpgsql immutable set search_path = '' as $$
declare
  rule constant jsonb := private.setting_rules() -> _name;
  cleaned text;
begin
  if jsonb_typeof(_value) is distinct from 'string' then perform private.refuse_setting(_name, 'type', '%s must be a text.'); end if;
  cleaned := coalesce(case when _kind = 'text' then private.clean_text(_value #>> '{}') else private.clean_line(_value #>> '{}') end, '');
  if length(cleaned) > (rule ->> 'max')::int then
    perform private.refuse_setting(_name, 'max_length', '%s is too long (at most ' || (rule ->> 'max') || ' characters'
      || case when _kind in ('line', 'text', 'email', 'phone', 'url') then ').' else ' each).' end);
  elsif cleaned = '' then
    return '';
  elsif _kind = 'email' and not private.is_email(cleaned) then
    perform private.refuse_setting(_name, 'email', '%s must be an email address, such as orders@shop.example.');
  elsif _kind in ('phone', 'phones') then
    cleaned := private.phone(cleaned);
    -- Anyone may read it, even from abroad.
    if cleaned ~ '^\+' then return cleaned; end if;
    perform private.refuse_setting(_name, 'phone', '%s must be a Ghanaian number or have a country code, such as 030 200 0140 or +233 30 200 0140.');
  elsif _kind = 'url' and not private.is_web_address(cleaned) then
    perform private.refuse_setting(_name, 'url', '%s must be an address that starts with https://.');
  elsif _kind = 'choice' and not rule -> 'choices' ? cleaned then
    perform private.refuse_setting(_name, 'choice', '%s: unknown choice.');
  end if;
  return cleaned;
end $$;

/* A setting's value as it is stored; refused by name if it may not have it. */
create function private.checked_setting(_name text, _value jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  rule constant jsonb := private.setting_rules() -> _name;
  kind constant text := rule ->> 'kind';
  item jsonb;
  line text;
  checked jsonb := '[]';
begin
  if rule is null then
    perform private.refuse('PT400', 'invalid_field', 'Unknown setting.', jsonb_build_object('field', _name, 'rule', 'known'));
  elsif kind in ('line', 'text', 'email', 'phone', 'url', 'choice') then
    line := private.checked_setting_text(_name, _value, kind);
    if line = '' and ((rule ->> 'required')::boolean or kind = 'choice') then
      perform private.refuse_setting(_name, 'required', '%s is required.');
    end if;
    return to_jsonb(line);
  elsif kind = 'yes' then
    if jsonb_typeof(_value) is distinct from 'boolean' then perform private.refuse_setting(_name, 'type', '%s must be yes or no.'); end if;
    return _value;
  elsif kind = 'number' then
    if jsonb_typeof(_value) is distinct from 'number' or (_value #>> '{}')::numeric <> trunc((_value #>> '{}')::numeric)
       or (_value #>> '{}')::numeric not between coalesce((rule ->> 'min')::numeric, 0) and (rule ->> 'max')::numeric then
      perform private.refuse_setting(_name, 'range',
        format('%%s must be a whole number from %s to %s.', coalesce(rule ->> 'min', '0'), rule ->> 'max'));
    end if;
    return to_jsonb((_value #>> '{}')::int);
  end if;
  if jsonb_typeof(_value) is distinct from 'array' or jsonb_array_length(_value) > (case kind when 'words' then 1000 else 50 end) then
    perform private.refuse_setting(_name, 'max_lines', '%s has too many lines.');
  end if;
  for item in select * from jsonb_array_elements(_value) loop
    if kind in ('lines', 'phones') then
      line := private.checked_setting_text(_name, item, kind);
      if line <> '' then checked := checked || to_jsonb(line); end if;
    elsif kind = 'words' then
      checked := checked || jsonb_build_array(private.checked_search_words(_name, item));
    elsif kind = 'terms' then
      checked := checked || private.checked_school_term(_name, item);
    elsif kind = 'fees' then
      checked := checked || private.checked_delivery_fee(_name, item);
    else
      checked := checked || private.checked_tax(_name, item);
    end if;
  end loop;
  if kind = 'taxes' and (select sum((tax ->> 'percent')::numeric) from jsonb_array_elements(checked) as tax) > 100 then
    perform private.refuse_setting(_name, 'max', '%s together can''t be more than 100%%.');
  end if;
  return checked;
end $$;

create function private.checked_search_words(_name text, _line jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  words jsonb;
begin
  if jsonb_typeof(_line) is distinct from 'array' or jsonb_array_length(_line) not between 2 and 50 then
    perform private.refuse_setting(_name, 'words', '%s: each line needs at least two words, with commas between them.');
  end if;
  select jsonb_agg(word) into words
    from (select private.checked_setting_text(_name, item, 'words') as word from jsonb_array_elements(_line) as item) as checked
   where word <> '';
  if coalesce(jsonb_array_length(words), 0) < 2 then
    perform private.refuse_setting(_name, 'words', '%s: each line needs at least two words, with commas between them.');
  end if;
  return words;
end $$;

/* A line of the delivery fees: {"method": "deliver", "regions": […], "below": 300, "fee": 20}, all but the fee optional. */
create function private.checked_delivery_fee(_name text, _fee jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  regions constant jsonb := _fee -> 'regions';
  amounts constant jsonb[] := array[_fee -> 'fee', _fee -> 'below'];
  amount jsonb;
begin
  if jsonb_typeof(_fee) is distinct from 'object' or _fee - array['method', 'regions', 'below', 'fee'] <> '{}'
     or jsonb_typeof(_fee -> 'fee') is distinct from 'number' then
    perform private.refuse_setting(_name, 'fee', '%s: each line needs a fee in cedis.');
  end if;
  foreach amount in array amounts loop
    continue when amount is null;
    if jsonb_typeof(amount) <> 'number' or amount::numeric not between 0 and 99999.99 or amount::numeric <> round(amount::numeric, 2)
       or amount = _fee -> 'below' and amount::numeric = 0 then
      perform private.refuse_setting(_name, 'range', '%s: an amount must be between 0 and 99,999.99 cedis.');
    end if;
  end loop;
  if regions is not null and (jsonb_typeof(regions) <> 'array' or jsonb_array_length(regions) = 0
     or not (regions <@ to_jsonb(private.regions()))) then
    perform private.refuse_setting(_name, 'region', '%s: a line names a region that Ghana doesn''t have, or none.');
  end if;
  if _fee ? 'method' and _fee -> 'method' not in ('"deliver"', '"bus_station"') then
    perform private.refuse_setting(_name, 'method', '%s: each line must be for delivery to the address, to a bus parcel station, or for both.');
  end if;
  return _fee;
end $$;

/* {"name": "Term 1", "from": "2026-09-15", "to": "2026-12-17"} */
create function private.checked_school_term(_name text, _term jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  day text;
  term_name text;
begin
  if jsonb_typeof(_term) is not distinct from 'object' and jsonb_typeof(_term -> 'name') = 'string' then
    term_name := nullif(private.checked_setting_text(_name, _term -> 'name', 'terms'), '');
  end if;
  foreach day in array array[_term ->> 'from', _term ->> 'to'] loop
    -- The second condition only for what the first has found to be digits.
    if term_name is null or coalesce(day, '') !~ '^[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'
       or right(day, 2)::int > extract(day from (left(day, 8) || '01')::date + interval '1 month' - interval '1 day')
       or _term ->> 'to' < _term ->> 'from' then
      perform private.refuse_setting(_name, 'term',
        '%s: each line needs a name, a first and a last day, such as Term 1: 2026-09-15 to 2026-12-17.');
    end if;
  end loop;
  return jsonb_build_object('name', term_name, 'from', _term ->> 'from', 'to', _term ->> 'to');
end $$;

create function private.checked_tax(_name text, _tax jsonb)
returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  tax_name text;
begin
  if jsonb_typeof(_tax) is distinct from 'object' or jsonb_typeof(_tax -> 'percent') is distinct from 'number'
     or jsonb_typeof(_tax -> 'name') is distinct from 'string' then
    perform private.refuse_setting(_name, 'tax', '%s: each line needs a name and a percentage, such as VAT 15.');
  end if;
  tax_name := private.clean_line(_tax ->> 'name');
  if tax_name is null or length(tax_name) > 60 or (_tax ->> 'percent')::numeric not between 0.01 and 100 then
    perform private.refuse_setting(_name, 'tax', '%s: each line needs a name and a percentage, such as VAT 15.');
  end if;
  return jsonb_build_object('name', tax_name, 'percent', (_tax ->> 'percent')::numeric);
end $$;
