-- Where customers send mobile money by hand, and the reference by which staff find the order.

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
    "headline": {"kind": "line", "label": "Headline", "max": 80, "required": true, "reader": "server"},
    "headlineEnd": {"kind": "line", "label": "End of the headline, in gold", "max": 80, "reader": "server"},
    "introduction": {"kind": "text", "label": "Introduction", "max": 300, "reader": "server"},
    "deliveryPromise": {"kind": "line", "label": "Promise after the introduction", "max": 200, "reader": "server"},
    "years": {"kind": "line", "label": "Years", "max": 20, "reader": "server"},
    "yearsInWords": {"kind": "line", "label": "Years in words", "max": 40, "reader": "server"},
    "publishers": {"kind": "line", "label": "Publishers", "max": 20, "reader": "server"},
    "regions": {"kind": "line", "label": "Regions", "max": 20, "reader": "server"},
    "institutions": {"kind": "line", "label": "Institutions", "max": 20, "reader": "server"},
    "guidedInstitutions": {"kind": "line", "label": "Institutions guided", "max": 20, "reader": "server"},
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

/*
 * The number of the order that a text names as the setting 'Mobile money: reference' has it, such as 1042 in 'ADW-1042'; null where
 * the reference is nothing but the number. Case and spaces don't matter.
 */
create function private.number_in_reference(_text text)
returns bigint language sql stable set search_path = '' as $$
  select substring(_text from '(?i)(?<![[:alnum:]])' || parts[1] || '0*([1-9][0-9]{0,17})(?![0-9])' || parts[2])::bigint
    from (select array_agg(regexp_replace(regexp_replace(part, '([^[:alnum:][:space:]])', '\\\1', 'g'), '[[:space:]]+', '[[:space:]]*', 'g')
                           order by position) as parts
            from public.shop_settings setting, regexp_split_to_table(setting.value #>> '{}', '\{order\}') with ordinality as piece (part, position)
           where setting.id = 'mobileMoneyReference') as setting
   where cardinality(parts) = 2 and parts <> array['', '']
$$;

/*
 * The orders that a text names: by number after 'order' or '#', by the number of their invoice, or by nothing but the number ("named");
 * and those whose number is merely among its words, which may be anything: also a school's own purchase order, a standing order of the
 * bank's, or a cheque.
 */
create or replace function private.order_numbers_in(_narration text, _name text, _reference text)
returns table (number bigint, named boolean) language sql stable rows 1 set search_path = '' as $$
  select m[1]::bigint, true
    from regexp_matches(concat_ws(' | ', _narration, _name, _reference),
           '(?:(?<!\m(?:standing|purchase|payment|pay|money|postal|bank|banker''?s?)[[:space:].:#-]{0,3})\m(?:orders?|ord)'
           '|(?<![[:alnum:]])(?<!\m(?:orders?|ord|cheque|check|chq|receipt|rcpt|account|acc|acct|a/c|teller|slip|till|agent|branch|terminal|batch|po)'
           '(?:[[:space:].:]+(?:no|nr|number))?[[:space:].:-]{0,3})#)[[:space:].:#-]*(?:(?:no|nr|number)[[:space:].:#-]*)?0*([1-9][0-9]{3,8})(?![0-9])', 'gi') as m
  union
  select o.number, true
    from regexp_matches(concat_ws(' | ', _narration, _name, _reference),
           '\minv(?:oice)?[[:space:].:#-]*(?:no[[:space:].:#-]*)?(20[0-9]{2}) ?[-/ ] ?([0-9]{1,9})(?![0-9])', 'gi') as m
    join public.invoices i on i.year = m[1]::int and i.number = m[2]::int
    join public.orders o on o.id = i.order_id
  union
  select private.number_in_reference(part), true from unnest(array[_narration, _name, _reference]) as part
   where private.number_in_reference(part) is not null
  union
  select substring(_narration from '^[[:space:]]*(?:[Nn][Oo][.:]?)?[[:space:]]*([1-9][0-9]{3,8})[[:space:].]*$')::bigint, true
  union
  select m[1]::bigint, false
    from regexp_matches(concat_ws(' | ', _narration, _name),
           '(?<![0-9A-Za-z/]|[0-9][.,-])([1-9][0-9]{3,8})(?![0-9A-Za-z/]|[.,-][0-9])', 'g') as m
$$;

/* An order is found by its own texts or by its customer's. */
create or replace function private.order_conditions(_status text, _q text, _method text, _region text, _payment text)
returns text language plpgsql stable set search_path = '' as $$
declare
  conditions text := case when _status <> '' then format('o.status = %L', _status) else 'true' end
    || case when _method = 'send' then ' and o.delivery_method <> ''collect'''
            when _method <> '' then format(' and o.delivery_method = %L', _method) else '' end
    || case when _region <> '' then format(' and o.region = %L', _region) else '' end
    || case _payment
         when 'due' then ' and o.payment_state in (''due'', ''part_paid'')'
         when 'paid' then ' and o.payment_state = ''paid'''
         when 'needs_decision' then ' and (o.has_undecided_payment or o.payment_state = ''too_much'')'
         else '' end;
  typed constant text := private.bare_order_number(_q);
  -- Digits after '#' or 'No.' mean the order's number alone; without them they may be part of a phone number too.
  number constant text := substring(typed from '^[0-9]{1,18}$');
  only_number constant boolean := length(number) < 8 and typed <> btrim(_q);
  referred constant bigint := private.number_in_reference(_q);
  own text;
  theirs text;
begin
  if only_number then return format('%s and o.number = %s', conditions, number); end if;
  if referred is not null then return format('%s and o.number = %s', conditions, referred); end if;
  own := private.found_by_text('o.search_text', typed);
  theirs := private.found_by_text('x.search_text', typed);
  if own is null then return conditions; end if;
  if number is not null then own := format('o.number = %s or %s', number, own); end if;
  return format('%s and (%s or %s)', conditions, own, private.refers_to_found('o.user_id', 'uuid', 'public.profiles', theirs));
end $$;
