-- What the guidance page, the contact page and the home page claim is the owner's: new settings.

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

-- A shop without the demo, which has a value of its own for each of these, starts with nothing claimed here either.
insert into public.shop_settings (id, value)
select own.id, own.value
  from (values
    ('replyPromise', '""'::jsonb), ('publishersIntroduction', '""'), ('guidanceHeadline', '"Resource Selection Guidance"'),
    ('guidanceIntroduction', '""'), ('guidanceReasons', '[]'), ('guidanceSteps', '[]'), ('guidanceOffer', '""')) as own (id, value)
 where (select count(*) from public.shop_settings s
         where s.id in ('whyChoose', 'listsReason', 'parcelReason', 'deliveryTitle', 'deliveryReason', 'trustReason', 'storyIntroduction',
                        'mission', 'vision', 'yearsInWords')) = 10
on conflict (id) do nothing;
