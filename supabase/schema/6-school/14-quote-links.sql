-- Links by which a customer without an account reads the quote that staff made for them, whoever they give it to too. One account takes
-- the quote over, to accept it; from then on it is among that account's quotes, and its links open nothing.

create table private.quote_links (
  -- Only this form of the secret is stored (private.hash_token).
  token_hash bytea primary key,
  quote_id uuid not null references public.quotes (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp()
);
create index quote_links_by_quote on private.quote_links (quote_id);

alter table private.quote_links enable row level security;

/* Creates a link to a quote; returns its token, 122 random bits in 32 digits, or null for one that has an account or was never sent. */
create function private.new_quote_link(_quote_id uuid)
returns text language plpgsql strict security definer set search_path = '' as $$
declare
  token constant text := replace(gen_random_uuid()::text, '-', '');
begin
  insert into private.quote_links (token_hash, quote_id)
  select private.hash_token(token), q.id
    from public.quotes q where q.id = _quote_id and q.user_id is null and q.number is not null;
  return case when found then token end;
end $$;

/* Whether the token opens this quote. */
create function private.opens_quote(_token text, _quote public.quotes)
returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return _quote.user_id is null and _quote.number is not null and exists (
    select from private.quote_links l where l.quote_id = _quote.id and l.token_hash = private.hash_token(_token));
end $$;

/* Everyone with a link: its quote as find_own_quote has it, or no row: the link was stopped, or an account has the quote by now. */
create function private.find_linked_quote(_quote_id uuid, _token text)
returns table (
  id uuid, reference text, institution text, contact_name text, contact_email text, contact_phone text, message text,
  note text, status text, valid_until date, version int, created_at timestamptz, sent_at timestamptz, order_id uuid,
  purchase_order_number text, lines jsonb, shop jsonb, delivery_method text, region text, delivery_pricing text,
  delivery_fee numeric
) language sql stable security definer set search_path = '' as $$
  select sent.* from public.quotes q cross join lateral private.quote_as_sent(q) as sent
   where q.id = _quote_id and private.opens_quote(_token, q)
$$;
select private.expose('find_linked_quote', 'anon', 'authenticated', 'service_role');

/* Customers with a link: takes its quote into their account, so that they can accept it; repeating it changes nothing. */
create function private.claim_quote(_quote_id uuid, _token text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  -- The quote before the account, like forgetting.
  select * into quote from public.quotes q where q.id = _quote_id for no key update;
  if quote.user_id = auth.uid() then return; end if;
  if not coalesce(private.opens_quote(_token, quote), false) then
    perform private.refuse('PT404', 'quote_not_found', 'This link no longer opens a quote.');
  end if;
  -- Held until the end, so that a person who is being forgotten is forgotten with this quote.
  perform from public.profiles p where p.id = auth.uid() and p.email is not null and private.merged_into(p.id) is null for share;
  if not found then
    perform private.refuse('PT403', 'account_needed', 'Please sign in to accept this quote.');
  end if;
  update public.quotes set user_id = auth.uid(), claimed_at = clock_timestamp() where id = _quote_id;
end $$;
select private.expose('claim_quote', 'authenticated');

/* Staff: a new link to a quote that was sent to a customer without an account; returns its token. The earlier links still open it. */
create function private.create_quote_link(_quote_id uuid)
returns text language plpgsql security definer set search_path = '' as $$
declare
  quote public.quotes;
begin
  perform private.require_duty('schools');
  quote := private.lock_quote(_quote_id, true);
  if quote.institution is null then
    perform private.refuse('PT409', 'quote_without_customer', 'The details of this quote''s customer have been erased.');
  elsif quote.user_id is not null then
    perform private.refuse('PT409', 'quote_has_account', 'This quote is in the customer''s account, under My Quotes.');
  elsif quote.number is null then
    perform private.refuse('PT409', 'quote_not_sent', 'Send the quote first.');
  end if;
  return private.new_quote_link(_quote_id);
end $$;
select private.expose('create_quote_link', 'authenticated', 'service_role');

/*
 * Staff: stops all links to a quote if it is still this version, and takes it back from an account that took it over by one; returns the
 * version that it has then. Refused once it is accepted.
 */
create function private.stop_quote_links(_quote_id uuid, _version int)
returns int language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  perform private.lock_open_quote(_quote_id, _version);
  delete from private.quote_links where quote_id = _quote_id;
  -- Its new version also stops an email that has not left, whose link would be a new one.
  update public.quotes set user_id = case when claimed_at is null then user_id end, claimed_at = null where id = _quote_id;
  return (select version from public.quotes where id = _quote_id);
end $$;
select private.expose('stop_quote_links', 'authenticated', 'service_role');
