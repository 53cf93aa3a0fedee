-- Quotes: a school requests prices for its cart, staff respond with prices, quantities and a validity, the school accepts and so
-- orders. Only functions write the two tables. A change by staff takes a quote back to requested until it is sent
-- again: what customers may read and accept is always what was sent, and nothing of a draft.

create table public.quotes (
  id uuid primary key default gen_random_uuid(),
  -- Counts up from 1 every year without gaps; assigned when the quote is first sent.
  year integer,
  number integer,
  -- 'Q2026-0007'
  reference text generated always as (
    'Q' || year::text || '-' || case when number < 1000 then lpad(number::text, 4, '0') else number::text end
  ) stored,
  -- Restrict: an account with quotes is anonymised, not deleted. Null while the customer of a quote that staff began has no account:
  -- they read it by a link (private.quote_links).
  user_id uuid references public.profiles (id) on delete restrict,
  -- When an account took over a quote that had none.
  claimed_at timestamptz,
  institution text,
  contact_name text,
  contact_email text,
  contact_phone text,
  -- From the customer, and to the customer.
  message text,
  note text,
  -- How and where it is delivered, and how that is charged: by the fees, by an amount that staff agreed, or not at all, because the prices
  -- include it. The fee, in cedis, is null while a draft follows the fees; sending fixes it.
  delivery_method text not null default 'deliver',
  region text,
  delivery_pricing text not null default 'fees',
  delivery_fee numeric(10, 2),
  -- Whether staff began it for the customer, who sees nothing of it before it is first sent.
  begun_by_staff boolean not null default false,
  status text not null default 'requested',
  -- The last day on which it can be accepted, in Ghana, which is on UTC all year.
  valid_until date,
  -- Increases with every change: a decision names the version that it is about.
  version integer not null default 1,
  -- When its present content was sent; null while the content is a draft.
  sent_at timestamptz,
  decided_at timestamptz,
  -- The order created by accepting it. No foreign key: a deleted order can be restored.
  order_id uuid,
  purchase_order_number text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  -- What the back office's search looks through; the phone also as bare digits.
  search_text text collate "C" generated always as (
    coalesce('q' || year::text || '-' || case when number < 1000 then lpad(number::text, 4, '0') else number::text end, '')
    || E'\n' || coalesce(private.fold(institution), '') || E'\n' || coalesce(private.fold(contact_name), '') || E'\n'
    || coalesce(private.fold(contact_email), '') || E'\n' || coalesce(contact_phone, '') || E'\n'
    || coalesce(regexp_replace(contact_phone, '[^0-9]', '', 'g'), '') || E'\n'
    || coalesce(private.fold(purchase_order_number), '')
  ) stored,
  constraint quotes_number_is_unique unique (year, number),
  constraint quotes_number_is_whole check ((year is null) = (number is null) and number >= 1),
  constraint quotes_one_an_order unique (order_id),
  constraint quotes_status_is_known check (status in ('requested', 'sent', 'accepted', 'declined', 'withdrawn')),
  constraint quotes_sent_is_complete check (
    status not in ('sent', 'accepted')
    or (sent_at is not null and number is not null and valid_until is not null and delivery_fee is not null)
  ),
  constraint quotes_delivery_is_sane check (
    delivery_method in ('deliver', 'collect', 'bus_station') and coalesce(region = any (private.regions()), true)
    and case delivery_pricing when 'fees' then true when 'agreed' then delivery_fee is not null
                              when 'included' then coalesce(delivery_fee = 0, false) else false end
    and coalesce(delivery_fee between 0 and 99999.99, true)
  ),
  constraint quotes_without_account_are_of_staff check (user_id is not null or begun_by_staff),
  constraint quotes_accepted_has_an_order check ((status = 'accepted') = (order_id is not null)),
  constraint quotes_contact_is_short check (
    length(institution) <= 200 and length(contact_name) <= 200 and length(contact_email) <= 320
    and length(contact_phone) <= 40
  ),
  constraint quotes_texts_are_short check (
    length(message) <= 2000 and length(note) <= 2000 and length(purchase_order_number) <= 60
  )
);
create index quotes_by_customer on public.quotes (user_id, created_at desc, id desc);
create index quotes_newest_first on public.quotes (created_at desc, id desc);
create index quotes_by_status on public.quotes (status, created_at desc, id desc);
create index quotes_search on public.quotes using gin (search_text extensions.gin_trgm_ops);

alter table public.quotes enable row level security;
grant select on public.quotes to authenticated, service_role;

create policy "customers read what they were sent, staff all" on public.quotes
  for select to authenticated
  using ((user_id = (select auth.uid()) and sent_at is not null) or (select private.has_duty('schools')));

create table public.quote_lines (
  id uuid primary key default gen_random_uuid(),
  quote_id uuid not null references public.quotes (id) on delete cascade,
  -- No foreign key: the line outlives its book, and counts again when the book is restored.
  book_id uuid not null,
  position integer not null,
  -- Whether the customer requested it; otherwise staff added it.
  requested boolean not null default false,
  -- The book's title and price in the shop when the line was added.
  title text not null,
  publisher text,
  isbn text,
  shop_price numeric(10, 2) not null,
  unit_price numeric(10, 2) not null,
  quantity integer not null,
  constraint quote_lines_one_line_a_book unique (quote_id, book_id),
  constraint quote_lines_quantity_is_sane check (quantity between 1 and 9999),
  constraint quote_lines_prices_are_not_negative check (unit_price >= 0 and shop_price >= 0)
);

alter table public.quote_lines enable row level security;
grant select on public.quote_lines to authenticated, service_role;

-- The quote is read under its own policy: a customer does not see a draft's lines either.
create policy "people read the lines of the quotes that they may read" on public.quote_lines
  for select to authenticated
  using (
    (select private.has_duty('schools'))
    or exists (select from public.quotes q where q.id = quote_id and q.user_id = (select auth.uid()))
  );

/* The status as people see it: a sent quote whose last day has passed is expired. */
create function private.quote_status(_status text, _valid_until date)
returns text language sql stable set search_path = '' as $$
  select case when _status = 'sent' and _valid_until < private.today() then 'expired' else _status end
$$;

create function private.stamp_quote()
returns trigger language plpgsql set search_path = '' as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
-- A quote that goes to another account as accounts are merged stays as it was sent.
create trigger stamp_quote before update on public.quotes
  for each row when ((new.user_id <> old.user_id) is not true) execute function private.stamp_quote();
create trigger stamp_updated_at before update on public.quotes
  for each row execute function private.stamp_updated_at();

create trigger record_audit after insert or update or delete on public.quotes
  for each row execute function private.record_audit('updated_at', 'version');
-- A request is one row of the log; the lines that come with it are in the quote.
create trigger record_added_line after insert on public.quote_lines
  for each row when (not new.requested) execute function private.record_audit();
create trigger record_audit after update or delete on public.quote_lines
  for each row execute function private.record_audit('position');

/* Locks a quote and returns it; refuses when it does not exist, or is not the caller's own unless they are staff. */
create function private.lock_quote(_quote_id uuid, _as_staff boolean)
returns public.quotes language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  select * into quote from public.quotes
   -- Not what staff have begun and not sent.
   where id = _quote_id and (_as_staff or user_id = auth.uid() and (not begun_by_staff or number is not null))
     for no key update;
  if not found then
    perform private.refuse('PT404', 'quote_not_found', 'This quote does not exist.');
  end if;
  return quote;
end $$;

create function private.require_quote_version(_quote public.quotes, _version int)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _version is distinct from _quote.version then
    perform private.refuse('PT409', 'quote_changed', 'This quote has since been changed. Please check it again.',
      jsonb_build_object('version', _quote.version));
  end if;
end $$;

/* The lines of a quote in order, with current stock, which is null for a book that is no longer sold. */
create function private.quote_lines_as_json(_quote_id uuid, _with_prices boolean)
returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
           'book_id', l.book_id, 'title', l.title, 'publisher', l.publisher, 'isbn', l.isbn, 'requested', l.requested,
           'quantity', l.quantity, 'shop_price', l.shop_price, 'unit_price', case when _with_prices then l.unit_price end,
           'stock', b.for_sale, 'image_url', b.image_url, 'subject', b.subject, 'course', b.course,
           'kind', b.kind)
           order by l.position, l.id), '[]')
    from public.quote_lines l left join public.books b on b.id = l.book_id
   where l.quote_id = _quote_id
$$;

/* Whether everything in a quote is digital, and nothing is delivered; books that were deleted count as what they were. */
create function private.is_digital_quote(_quote_id uuid)
returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce(bool_and(coalesce(b.kind = 'digital', g.digital_by is not null)), false)
    from public.quote_lines l
    left join public.books b on b.id = l.book_id
    left join private.gone_books g on g.id = l.book_id
   where l.quote_id = _quote_id
$$;

/* What the books of a quote cost at its prices, in cedis. */
create function private.quote_books_total(_quote_id uuid)
returns numeric language sql stable security definer set search_path = '' as $$
  select coalesce(sum(unit_price * quantity), 0) from public.quote_lines where quote_id = _quote_id
$$;

/* What its delivery costs, in cedis: for a draft by today's fees. Null while they depend on a region that is missing. */
create function private.quote_delivery_fee(_quote public.quotes)
returns numeric language sql stable security definer set search_path = '' as $$
  select case when private.is_digital_quote(_quote.id) then 0
              else coalesce(_quote.delivery_fee, private.delivery_fee(_quote.region, _quote.delivery_method,
                                                                      private.quote_books_total(_quote.id))) end
$$;

/* The way of delivery as people read it: digital titles alone are downloaded. */
create function private.quote_delivery_method(_quote public.quotes)
returns text language sql stable security definer set search_path = '' as $$
  select case when private.is_digital_quote(_quote.id) then 'download' else _quote.delivery_method end
$$;

/*
 * What a sent quote says delivery by this method to this region costs; null for a choice that it says nothing of, for which the fees
 * decide. A quote without a region is for all of them, and prices that include delivery do so wherever it goes.
 */
create function private.quoted_delivery_fee(_quote public.quotes, _method text, _region text)
returns numeric language sql immutable set search_path = '' as $$
  select case when _quote.delivery_pricing = 'included'
                or _method = _quote.delivery_method
                   and (_method = 'collect' or _quote.region is null or _quote.region is not distinct from nullif(_region, ''))
              then _quote.delivery_fee end
$$;

/* Refuses an unknown delivery method or region. */
create function private.require_quote_delivery(_method text, _region text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  perform private.require_choice('delivery_method', 'The way of delivery', coalesce(_method, ''), '{deliver,collect,bus_station}'),
    private.require_choice('region', 'The region', _region, private.regions());
end $$;
