-- Emails about orders, quotes, stock and events. Each is a row, written in the transaction of the change itself, so that
-- neither exists without the other. A row names its event, not its recipient or text: both are read from the order
-- when the email is sent (see 2-content), and no name or address is stored here.

-- An account's emails go to the account's confirmed address. Whoever else is to receive an order gets a short copy without a word that
-- the sender typed, at most two a day besides those about parcels: anyone can enter anyone's address at the checkout.

/*
 * The one list of the kinds of emails: who gets them, 'customer', 'recipient' (of someone else's order), 'supplier' or 'owner', and what their text is
 * read from when they are sent. A new kind is a new line here and in shared/shop/email-kinds.ts, which has its name and leads to its text.
 */
create function private.email_kinds()
returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select '{
    "order_placed": {"audience": "customer", "topic": "order"},
    "order_status_changed": {"audience": "customer", "topic": "order"},
    "order_part_shipped": {"audience": "customer", "topic": "shipment"},
    "order_part_undone": {"audience": "customer", "topic": "shipment"},
    "order_changed": {"audience": "customer", "topic": "order"},
    "order_cancelled": {"audience": "customer", "topic": "order"},
    "downloads_ready": {"audience": "customer", "topic": "order"},
    "order_paid": {"audience": "customer", "topic": "payment"},
    "order_refunded": {"audience": "customer", "topic": "payment"},
    "quote_sent": {"audience": "customer", "topic": "quote"},
    "back_in_stock": {"audience": "customer", "topic": "alert"},
    "event_registered": {"audience": "customer", "topic": "registration"},
    "event_place": {"audience": "customer", "topic": "registration"},
    "event_changed": {"audience": "customer", "topic": "registration"},
    "event_cancelled": {"audience": "customer", "topic": "registration"},
    "event_subscription": {"audience": "customer", "topic": "subscription"},
    "event_published": {"audience": "customer", "topic": "subscription"},
    "purchase_order_sent": {"audience": "supplier", "topic": "purchase"},
    "consultation_received": {"audience": "customer", "topic": "consultation"},
    "consultation_answered": {"audience": "customer", "topic": "consultation"},
    "consultation_dated": {"audience": "customer", "topic": "consultation"},
    "consultation_cancelled": {"audience": "customer", "topic": "consultation"},
    "recipient_order_placed": {"audience": "recipient", "topic": "order"},
    "recipient_order_part_shipped": {"audience": "recipient", "topic": "shipment"},
    "recipient_order_part_undone": {"audience": "recipient", "topic": "shipment"},
    "recipient_order_shipped": {"audience": "recipient", "topic": "order"},
    "new_order": {"audience": "owner", "topic": "order"},
    "order_cancelled_by_customer": {"audience": "owner", "topic": "order"},
    "payment_needs_decision": {"audience": "owner", "topic": "payment"},
    "quote_requested": {"audience": "owner", "topic": "quote"},
    "consultation_requested": {"audience": "owner", "topic": "consultation"},
    "low_stock": {"audience": "owner", "topic": "stock"},
    "own_role_changed": {"audience": "customer", "topic": "role"},
    "role_changed": {"audience": "customer", "topic": "role"}
  }'::jsonb
$$;

/* Who gets the emails of a kind; null for an unknown kind. */
create function private.email_audience(_kind text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select private.email_kinds() -> _kind ->> 'audience'
$$;

/* What the text of an email of this kind is read from. */
create function private.email_topic(_kind text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select private.email_kinds() -> _kind ->> 'topic'
$$;

create table public.outgoing_emails (
  -- Also the email's Message-ID.
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  -- What it is about: the order's id, the id of an order_events row, a shipment's id, a quote's id with its version, a purchase order's id with the time at which
  -- it was marked as sent, a stock alert's id, a registration's id (with the event's revision), a subscriber's id with a number, an event's id
  -- with a subscriber's, an entry of the log about a role with its reader's id, or a day. Null for an email that staff send again.
  event text,
  -- No foreign key: it outlives the order, and is found again when the order is restored.
  order_id uuid,
  -- The order's new status.
  status text,
  -- Of a copy for an order's recipient: a hash of the address, for a day. Closing an account removes the address from its orders, and must
  -- not make room for more copies.
  mailbox text,
  -- The first email, when staff send it again.
  resend_of uuid,
  state text not null default 'waiting',
  attempts integer not null default 0,
  -- When a worker may take it next; while one has it, when its lease ends.
  due_at timestamptz not null default clock_timestamp(),
  lease uuid,
  -- Why it has not been sent, as a sentence for staff.
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  -- When it was sent, given up or stopped by staff.
  settled_at timestamptz,
  -- Of an email about a change of status that waits for staff to take it back: the status that its customer knew before.
  from_status text,
  constraint outgoing_emails_one_per_event unique (kind, event),
  constraint outgoing_emails_kind_is_known check (private.email_audience(kind) is not null),
  constraint outgoing_emails_state_is_known check (state in ('waiting', 'sent', 'given_up', 'stopped')),
  constraint outgoing_emails_have_a_cause check ((event is null) = (resend_of is not null)),
  constraint outgoing_emails_settle_once check ((state = 'waiting') = (settled_at is null)),
  constraint outgoing_emails_reason_is_short check (length(reason) <= 300)
);
-- In the order in which they are sent (claim_email): behind ten thousand others, the first one is found as quickly.
create index outgoing_emails_due on public.outgoing_emails ((kind in ('back_in_stock', 'event_published', 'event_changed', 'event_cancelled')), due_at, created_at) where state = 'waiting';
create index outgoing_emails_oldest on public.outgoing_emails (created_at) where state = 'waiting';
create index outgoing_emails_by_order on public.outgoing_emails (order_id, created_at);
create index outgoing_emails_given_up on public.outgoing_emails (settled_at desc) where state = 'given_up';
-- The copies of the last day (is_copy_too_many).
create index outgoing_emails_copies on public.outgoing_emails (coalesce(settled_at, created_at)) where mailbox is not null;
create index outgoing_emails_by_first on public.outgoing_emails (resend_of) where resend_of is not null;

alter table public.outgoing_emails enable row level security;
grant select on public.outgoing_emails to authenticated, service_role;

create policy "staff read the shop's emails" on public.outgoing_emails
  for select to authenticated using ((select private.has_duty('orders')));

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

create function private.queue_email(_kind text, _event text, _order_id uuid, _status text default null)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_emails(array[_kind], _event, _order_id, _status);
end $$;

/* The emails about a new order, which a customer places from the cart or by accepting a quote. */
create function private.queue_order_emails(_order_id uuid)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_emails('{order_placed,recipient_order_placed,new_order}', _order_id::text, _order_id);
end $$;

/*
 * Once a day from 07:00 in Ghana (UTC): an email about low stock, if any book has fallen to it since the last one. Asked by the
 * worker rather than by a trigger, because orders would wait for each other at the day's one row.
 */
create function private.queue_low_stock_email(_now timestamptz default clock_timestamp())
returns void language plpgsql security definer set search_path = '' as $$
declare
  today text := (_now at time zone 'UTC')::date;
  last_one timestamptz;
begin
  if extract(hour from _now at time zone 'UTC') < 7
     or exists (select from public.outgoing_emails where kind = 'low_stock' and event = today) then
    return;
  end if;
  select max(created_at) into last_one from public.outgoing_emails where kind = 'low_stock' and event is not null;
  if exists (
    select from public.books b
     where b.stock_quantity < private.low_stock() and b.kind <> 'digital' and b.for_sale >= 0
       and b.stock_quantity - (
         select coalesce(sum(m.quantity), 0) from public.stock_movements m
          where m.book_id = b.id and m.created_at > coalesce(last_one, '-infinity')
       ) >= private.low_stock()
  ) then
    perform private.queue_email('low_stock', today, null);
  end if;
end $$;
grant execute on function private.queue_low_stock_email to service_role;
