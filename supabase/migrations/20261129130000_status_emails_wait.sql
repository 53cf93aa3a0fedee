-- The emails about an order's status wait for a moment, so that staff can take a change back. Several changes send one email, and none if the
-- order is back where its customer knows it.

alter table public.outgoing_emails add column from_status text;
alter table public.outgoing_emails drop constraint outgoing_emails_state_is_known;
alter table public.outgoing_emails add constraint outgoing_emails_state_is_known check (state in ('waiting', 'sent', 'given_up', 'stopped'));

drop function private.queue_emails(text[], text, uuid, text);

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

/*
 * Emails of these kinds about one event. An event that has its email already makes no second one, and never fails because of it. Nor
 * does one whose customer or recipient has no address: a caller without an account need not give one. Planned once, as
 * private.move_locked_stock.
 */
create function private.queue_emails(
  _kinds text[], _event text, _order_id uuid, _status text default null, _from_status text default null, _seconds int default 0)
returns void language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  insert into public.outgoing_emails (kind, event, order_id, status, from_status, due_at, mailbox)
  with asked as materialized (select kind, private.email_audience(kind) as audience from unnest(_kinds) as kind)
  select asked.kind, _event, _order_id, _status, _from_status, clock_timestamp() + _seconds * interval '1 second', case when asked.audience = 'recipient' then of_order.mailbox end
    from asked
    left join (
      -- As in email_order.
      select o.id, case when o.user_id is null then o.recipient_email else p.email end as customer,
             -- Only plain letters: a domain with others has countless spellings, each of which would count as another address.
             lower(o.recipient_email) <> lower(p.email) and o.recipient_email !~ '[^!-~]' as names_another,
             encode(sha256(convert_to(lower(o.recipient_email), 'utf8')), 'hex') as mailbox
        from public.orders o left join public.profiles p on p.id = o.user_id) as of_order on of_order.id = _order_id
   where case asked.audience when 'recipient' then of_order.names_another
           when 'owner' then true else of_order.id is null or of_order.customer is not null end
  on conflict (kind, event) do nothing;
end $$;

/* What set_order_statuses does, for callers that have asked for the duty. */
create or replace function private.write_order_statuses(
  _order_ids uuid[], _shown text[], _status text, _shipment jsonb default null, _steps_back text[] default '{}')
returns table (order_id uuid, number bigint, problem text)
language plpgsql security definer set search_path = '' as $$
declare
  orders constant int := coalesce(array_length(_order_ids, 1), 0);
  shipment jsonb := '{}';
  step text;
  current public.orders;
  changed public.orders;
begin
  if orders not between 1 and 200 or array_length(_shown, 1) is distinct from orders then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 200 orders, with the status that was shown for each.');
  end if;
  if _status = 'shipped' and jsonb_typeof(_shipment) = 'object' then shipment := private.read_shipment(_shipment); end if;
  perform private.lock_stock(true);
  for place in 1 .. orders loop
    -- Each failure is rolled back on its own.
    begin
      order_id := _order_ids[place];
      problem := null;
      select * into current from public.orders where id = order_id for no key update;
      step := private.step_back(current.status, _status, current.paid_amount);
      changed := jsonb_populate_record(current, shipment || jsonb_build_object('status', _status));
      if current.id is null then
        problem := 'It no longer exists.';
      elsif current.status is distinct from _shown[place] and current.status is distinct from _status then
        problem := format('It is now %s. Check it before you change its status.', current.status);
      elsif orders > 1 and step is not null and step <> all (coalesce(_steps_back, '{}')) then
        problem := private.word_step_back(step, current.status);
      elsif current.status = 'shipped' and _shown[place] is distinct from 'shipped' and changed is distinct from current then
        problem := 'It has been shipped already, with other details. Check them before you change them.';
      elsif changed is distinct from current then
        update public.orders
           set status = _status, carrier = changed.carrier, parcel_number = changed.parcel_number, driver_phone = changed.driver_phone
         where id = current.id;
        -- One that still waits will say so.
        if current.status = _status and not exists (
          select from public.outgoing_emails e
           where e.order_id = current.id and e.from_status is not null and e.state = 'waiting' and e.attempts = 0) then
          perform private.queue_emails('{order_status_changed,recipient_order_shipped}', format('%s:%s', current.id, clock_timestamp()),
            current.id, _status);
        end if;
      end if;
    exception when sqlstate 'PT409' then
      problem := sqlerrm;
    end;
    number := current.number;
    return next;
  end loop;
end $$;

/* For how long they wait. Until an admin changes it, as in app/owner/settings.ts. */
create function private.status_email_seconds()
returns int language sql stable set search_path = '' as $$
  select coalesce((select (value #>> '{}')::int from public.shop_settings where id = 'statusEmailSeconds'), 60)
$$;

/*
 * The emails about a change of an order's status, which is this event of its history. They replace those that still wait, and tell the
 * customer of the change from the status that they knew. What a customer changes is told at once.
 */
create or replace function private.queue_status_emails(_order public.orders, _from text, _event_id bigint)
returns void language plpgsql security definer set search_path = '' as $$
declare
  by_customer constant boolean := coalesce(_order.user_id = auth.uid(), false);
  seconds constant int := case when by_customer then 0 else private.status_email_seconds() end;
  last public.outgoing_emails;
  known text := _from;
begin
  -- An order that is delivered because it can be downloaded has an email of its own (private.settle_digital).
  if current_setting('shop.task', true) = 'download' then return; end if;
  -- A worker that is taking one now has it, and its customer is told; the lock waits for that.
  perform from public.outgoing_emails where order_id = _order.id and from_status is not null and state = 'waiting' for update;
  select * into last from public.outgoing_emails
   where order_id = _order.id and kind in ('order_status_changed', 'order_cancelled') order by created_at desc, id limit 1;
  if last.from_status is not null and (last.state = 'stopped' or (last.state = 'waiting' and last.attempts = 0)) then
    known := last.from_status;
  end if;
  delete from public.outgoing_emails where order_id = _order.id and from_status is not null and state = 'waiting' and attempts = 0;
  perform private.queue_emails(c.emails, _event_id::text, _order.id, _order.status,
                               case when seconds > 0 then known end, seconds)
     from private.status_changes() as c where c.from_status = known and c.to_status = _order.status;
  if by_customer and _order.status = 'cancelled' then
    perform private.queue_email('order_cancelled_by_customer', _event_id::text, _order.id, _order.status);
  end if;
end $$;

/* Staff: the orders about whose status emails leave soon, and in how many seconds; the next ones first, at most 200. */
create function private.list_waiting_status_emails()
returns table (order_id uuid, order_number bigint, from_status text, status text, emails int, seconds int)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('orders');
  return query
    select o.id, o.number, min(e.from_status), min(e.status), count(*)::int,
           greatest(0, ceil(extract(epoch from min(e.due_at) - clock_timestamp())))::int
      from public.outgoing_emails e join public.orders o on o.id = e.order_id
     where e.state = 'waiting' and e.attempts = 0 and e.from_status is not null
     group by o.id order by min(e.due_at), o.id limit 200;
end $$;
select private.expose('list_waiting_status_emails', 'authenticated', 'service_role');

/*
 * Staff: stops the waiting emails about the status of these orders, at most 200; returns how many. One that a worker has taken is not stopped.
 * A stopped one can be sent again.
 */
create function private.stop_status_emails(_order_ids uuid[])
returns bigint language plpgsql security definer set search_path = '' as $$
declare
  stopped bigint;
begin
  perform private.require_duty('orders');
  update public.outgoing_emails
     set state = 'stopped', settled_at = clock_timestamp()
   where order_id = any (_order_ids[:200]) and state = 'waiting' and attempts = 0 and from_status is not null;
  get diagnostics stopped = row_count;
  return stopped;
end $$;
select private.expose('stop_status_emails', 'authenticated', 'service_role');
