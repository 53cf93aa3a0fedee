-- The dates of the school year, for reports.

/*
 * The database's half of app/owner/settings.ts: what each setting may be, and who reads it ('page' and 'server' are public). A new
 * setting is a new line here and there; a test compares the two.
 */
create or replace function private.setting_rules()
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
    "facebook": {"kind": "url", "label": "Facebook page", "max": 500, "reader": "page"},
    "instagram": {"kind": "url", "label": "Instagram page", "max": 500, "reader": "page"},
    "headline": {"kind": "line", "label": "Headline", "max": 80, "required": true, "reader": "page"},
    "headlineEnd": {"kind": "line", "label": "End of the headline, in gold", "max": 80, "reader": "page"},
    "introduction": {"kind": "text", "label": "Introduction", "max": 300, "reader": "page"},
    "deliveryPromise": {"kind": "line", "label": "Promise after the introduction", "max": 200, "reader": "page"},
    "years": {"kind": "line", "label": "Years", "max": 20, "reader": "page"},
    "yearsInWords": {"kind": "line", "label": "Years in words", "max": 40, "reader": "page"},
    "publishers": {"kind": "line", "label": "Publishers", "max": 20, "reader": "page"},
    "regions": {"kind": "line", "label": "Regions", "max": 20, "reader": "page"},
    "institutions": {"kind": "line", "label": "Institutions", "max": 20, "reader": "page"},
    "guidedInstitutions": {"kind": "line", "label": "Institutions guided", "max": 20, "reader": "page"},
    "resources": {"kind": "line", "label": "Resources", "max": 20, "reader": "page"},
    "satisfaction": {"kind": "line", "label": "Satisfaction", "max": 20, "reader": "page"},
    "whyChoose": {"kind": "text", "label": "Under ''Why Choose …''", "max": 300, "reader": "page"},
    "listsReason": {"kind": "text", "label": "We know the book lists", "max": 400, "reader": "page"},
    "parcelReason": {"kind": "text", "label": "Everything in one parcel", "max": 400, "reader": "page"},
    "deliveryTitle": {"kind": "line", "label": "Delivery, in a few words", "max": 60, "reader": "page"},
    "deliveryReason": {"kind": "text", "label": "Delivery, as a reason to buy here", "max": 400, "reader": "page"},
    "trustReason": {"kind": "text", "label": "Trusted by schools", "max": 400, "reader": "page"},
    "storyIntroduction": {"kind": "text", "label": "Introduction", "max": 300, "reader": "server"},
    "story": {"kind": "lines", "label": "Our story", "max": 2000, "reader": "server"},
    "mission": {"kind": "text", "label": "Our mission", "max": 1000, "reader": "server"},
    "vision": {"kind": "text", "label": "Our vision", "max": 1000, "reader": "server"},
    "deliveryFees": {"kind": "fees", "label": "Delivery fees", "max": 99999.99, "reader": "page"},
    "deliveryTerms": {"kind": "text", "label": "Delivery times and terms", "max": 1000, "reader": "page"},
    "payment": {"kind": "text", "label": "How customers pay", "max": 1000, "reader": "page"},
    "taxes": {"kind": "taxes", "label": "Taxes included in the prices", "max": 100, "reader": "page"},
    "howToPay": {"kind": "text", "label": "How to pay, on invoices", "max": 1000, "reader": "page"},
    "deliveryNote": {"kind": "text", "label": "At the foot of a delivery note", "max": 1000, "reader": "page"},
    "quotePayment": {"kind": "text", "label": "How to pay, on quotes", "max": 1000, "reader": "page"},
    "quoteRequest": {"kind": "text", "label": "Above the form that requests a quote", "max": 1000, "reader": "page"},
    "searchOrder": {"kind": "choice", "label": "Searches are sorted by", "max": 20, "choices": ["title", "best"], "reader": "page"},
    "searchWords": {"kind": "words", "label": "Words that mean the same", "max": 100, "reader": "staff"},
    "lowStock": {"kind": "number", "label": "Low stock is fewer than", "min": 1, "max": 1000, "reader": "page"},
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
    "openingDone": {"kind": "lines", "label": "Done or dismissed on the dashboard''s list of first steps", "max": 60, "reader": "staff"}
  }'::jsonb
$$;

/* A setting's value as it is stored; refused by name if it may not have it. */
create or replace function private.checked_setting(_name text, _value jsonb)
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
  return checked;
end $$;

/* {"name": "Term 1", "from": "2026-09-15", "to": "2026-12-17"} */
create or replace function private.checked_school_term(_name text, _term jsonb)
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

