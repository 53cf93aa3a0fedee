-- A statement of mobile money or of a bank: which orders its lines pay, and recording many payments at once.

-- Unpaid orders by amount due, so that matching a statement doesn't read every order.
create index orders_owed on public.orders ((total_amount - returned_amount - paid_amount), created_at desc)
  where payment_state in ('due', 'part_paid');

/* The words of a folded name, without titles such as Mrs: a payer is recognised with or without them, in any order of words. */
create function private.name_words(_folded text)
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select array(select distinct w from unnest(string_to_array(translate(_folded, E'.,;:/()"''-|\n\t', '              '), ' ')) as w
                where w <> all ('{"",mr,mrs,ms,miss,dr,rev,madam,sir}'))
$$;

/* The last nine digits of each phone number in a text, by which Ghana's numbers are told apart (private.is_same_phone). */
create function private.phone_keys(_text text)
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select coalesce(array_agg(m[1]), '{}')
    from regexp_matches(_text, '(?<![0-9])(?:\+?233|00233|0)([0-9]{9})(?![0-9])', 'g') as m
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
create function private.order_numbers_in(_narration text, _name text, _reference text)
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

/* Refuses what is not a list of 1 to 1,000 objects. */
create function private.require_statement_lines(_lines jsonb)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_typeof(_lines) is distinct from 'array' then
    perform private.refuse('PT400', 'invalid_rows', 'Lines must be a list of objects.');
  elsif jsonb_array_length(_lines) not between 1 and 1000
        or exists (select from jsonb_array_elements(_lines) as l where jsonb_typeof(l) <> 'object') then
    perform private.refuse('PT400', 'too_many_lines', 'Send 1 to 1,000 lines at once.', jsonb_build_object('limit', 1000));
  end if;
end $$;

/* Refuses payment methods that have no statement. */
create function private.require_statement_method(_method text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _method is null or _method not in ('mobile_money', 'bank_transfer') then
    perform private.refuse('PT400', 'invalid_field', 'Choose mobile money or bank transfer.',
      jsonb_build_object('field', 'method', 'rule', 'choice', 'choices', jsonb_build_array('mobile_money', 'bank_transfer')));
  end if;
end $$;

/*
 * Staff: which orders the lines of a statement pay, up to 1,000 objects with amount (cedis, money received), day, and what else the statement
 * says: reference (the transaction's id), name and phone of the payer, narration. Records nothing. One row for each line, in order from 1:
 *   outcome 'recorded': a payment of this method has this reference; 'repeated': an earlier line has it, about_line; 'proposed': the first
 *           of orders; 'doubtful': staff choose among orders, or nothing; 'unknown': no order was found
 *   reason  what the orders were found by: 'number' or 'named' (their number stands among other words, or as an order's number),
 *           'phone', 'name' (with this amount due), or only 'amount' (due)
 *   doubt   why nothing is proposed: 'several' orders; 'other_line' (the order is proposed for about_line and not more is due); 'more_than_due';
 *           'nothing_due'; 'other_amount' (the number among other words, but another amount is due); 'similar' (a payment of this day,
 *           amount and method without a reference is recorded, for about_order)
 *   matches how many orders (at most 500 of one amount are looked at, the newest); orders the newest ten of them.
 */
create function private.match_statement(_method text, _lines jsonb)
returns table (line int, outcome text, reason text, doubt text, about_line int, about_order bigint, matches int, orders jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('payments');
  perform private.require_statement_method(_method);
  perform private.require_statement_lines(_lines);
  return query
  with given as materialized (
    select e.place::int as line, (e.l ->> 'amount')::numeric as amount, (e.l ->> 'day')::date as day,
           upper(private.clean_line(left(e.l ->> 'reference', 200))) as reference, left(e.l ->> 'narration', 500) as narration,
           left(e.l ->> 'name', 200) as name, left(e.l ->> 'phone', 100) as phone
      from jsonb_array_elements(_lines) with ordinality as e (l, place)
  ), typed as materialized (
    select g.*, private.name_words(private.fold(g.name)) as payer, private.name_words(private.fold(concat_ws(' ', g.name, g.narration))) as words,
           private.phone_keys(concat_ws(' ', g.phone, g.name, g.narration))
             || nullif(right(substring(regexp_replace(g.phone, '[^0-9]', '', 'g') from '^.{9,15}$'), 9), '') as phones,
           min(g.line) over (partition by g.reference) as first_line
      from given g
  ), recorded as materialized (
    select t.line, p.order_number from typed t join lateral (
      select p.order_number from public.payments p
       where p.method = _method and p.method <> 'paystack' and upper(p.reference) = t.reference and p.kind = 'payment'
         and not exists (select from public.payments c where c.kind = 'correction' and c.about = p.id)
       limit 1) as p on true
  ), open_lines as materialized (
    select t.* from typed t
     where (t.reference is null or t.line = t.first_line) and not exists (select from recorded r where r.line = t.line)
  ), days_payments as materialized (
    select p.paid_on, p.amount, p.reference is null as bare, max(p.order_number) as order_number from public.payments p
     where p.state = 'settled' and p.method = _method and p.kind = 'payment' and p.paid_on in (select distinct l.day from open_lines l)
       and not exists (select from public.payments c where c.kind = 'correction' and c.about = p.id)
     group by 1, 2, 3
  ), owed as materialized (
    select a.amount, o.id, o.recent, o.of_amount, split_part(o.search_text, E'\n', 2) as recipient, split_part(x.search_text, E'\n', 1) as customer,
           array[right(split_part(o.search_text, E'\n', 5), 9), right(split_part(x.search_text, E'\n', 4), 9)] as phones
      from (select distinct l.amount from open_lines l) as a
     cross join lateral (
       select o.id, o.user_id, o.search_text, row_number() over (order by o.created_at desc) as recent, count(*) over () as of_amount
         from (select * from public.orders o where o.payment_state in ('due', 'part_paid') and o.total_amount - o.returned_amount - o.paid_amount = a.amount
                order by o.created_at desc limit 500) as o) as o
      left join public.profiles x on x.id = o.user_id
  ), owed_phones as materialized (
    select distinct w.amount, w.id, u.phone from owed w cross join unnest(w.phones) as u (phone) where length(u.phone) = 9
  ), line_phones as materialized (
    select distinct l.line, l.amount, u.phone from open_lines l cross join unnest(l.phones) as u (phone)
  ), by_phone as materialized (
    select distinct l.line, w.id from line_phones l join owed_phones w on w.amount = l.amount and w.phone = l.phone
  ), owed_words as materialized (
    select n.amount, n.id, n.at, cardinality(n.words) as size, u.word
      from (select w.amount, w.id, 1 as at, private.name_words(w.recipient) as words from owed w
            union all select w.amount, w.id, 2, private.name_words(w.customer) from owed w where w.customer is distinct from w.recipient) as n
     cross join unnest(n.words) as u (word)
  ), line_words as materialized (
    select l.line, l.amount, u.word, u.word = any (l.payer) as is_payer, cardinality(l.payer) as payer_size
      from open_lines l cross join unnest(l.words) as u (word)
  ), by_name as materialized (
    -- All words of the order's name, at least two, are the line's, or all of the payer's are the order's.
    select distinct l.line, w.id from line_words l join owed_words w on w.amount = l.amount and w.word = l.word
     group by l.line, l.payer_size, w.id, w.at, w.size
    having (w.size >= 2 and count(*) = w.size) or (l.payer_size >= 2 and count(*) filter (where l.is_payer) = l.payer_size)
  ), numbered as materialized (
    select l.line, o.id, bool_or(n.named) as named, l.amount, d.due,
           bool_or(right(split_part(o.search_text, E'\n', 5), 9) = any (l.phones)
                   or (cardinality(l.payer) >= 2 and l.payer <@ private.name_words(split_part(o.search_text, E'\n', 2)))) as by_person
      from open_lines l cross join lateral private.order_numbers_in(l.narration, l.name, l.reference) as n
      join public.orders o on o.number = n.number
     cross join lateral (select case when o.status = 'cancelled' then 0 else greatest(o.total_amount - o.returned_amount - o.paid_amount, 0) end as due) as d
     group by l.line, o.id, l.amount, d.due
  ), found (line, id, rank, reason, of_amount) as (
    select n.line, n.id, case when n.named then 1
                              when n.due = n.amount or (n.by_person and n.amount <= n.due) then 2
                              else 5 end,
           case when n.named then 'named' else 'number' end, 0
      from numbered n where n.named or n.due > 0
    union all
    select p.line, p.id, 3, 'phone', 0 from by_phone p
    union all
    select n.line, n.id, 3, 'name', 0 from by_name n where not exists (select from by_phone p where p.line = n.line and p.id = n.id)
    union all
    select l.line, w.id, 4, 'amount', w.of_amount from open_lines l join owed w on w.amount = l.amount and w.recent <= 10
  ), best as (
    select f.*, rank() over (partition by f.line order by f.rank) as place from found f
  ), chosen as materialized (
    select b.line, b.rank, b.id, b.reason, greatest(b.of_amount, count(*) over (partition by b.line)) as matches,
           row_number() over (partition by b.line order by o.created_at desc, o.id) as at, o.number, o.status, o.total_amount,
           o.recipient_name, o.user_id, o.created_at, l.amount,
           case when o.status = 'cancelled' then 0 else greatest(o.total_amount - o.returned_amount - o.paid_amount, 0) end as due
      from best b join open_lines l on l.line = b.line join public.orders o on o.id = b.id
     where b.place = 1
  ), proposed as (
    -- What stronger and earlier lines pay of an order is no longer due for the others.
    select c.line, sum(c.amount) over of_order > c.due as is_too_much, first_value(c.line) over of_order as first_line
      from chosen c where c.matches = 1 and c.rank <= 4 and c.amount <= c.due
    window of_order as (partition by c.id order by c.rank, c.line rows unbounded preceding)
  ), listed as (
    select c.line, min(c.reason) filter (where c.at = 1) as reason, min(c.rank) as rank, min(c.matches)::int as matches, min(c.due) as due,
           jsonb_agg(jsonb_build_object('id', c.id, 'number', c.number, 'status', c.status, 'total', c.total_amount, 'due', c.due,
             'recipient', c.recipient_name, 'customer', x.full_name, 'placed_at', c.created_at) order by c.at) as orders
      from chosen c left join public.profiles x on x.id = c.user_id
     where c.at <= 10 group by c.line
  ), judged as (
    select t.line, r.line is not null as is_recorded, l.line is null and r.line is null as is_repeated, t.first_line,
           r.order_number as recorded_order, f.reason, f.matches, f.orders, p.first_line as other_line,
           case when s.order_number is not null then s.order_number end as similar_order,
           case when s.paid_on is not null then 'similar'
                when f.matches > 1 then 'several'
                when f.due = 0 then 'nothing_due'
                when f.rank = 5 then 'other_amount'
                when t.amount > f.due then 'more_than_due'
                when p.is_too_much then 'other_line' end as doubt
      from typed t
      left join recorded r on r.line = t.line
      left join open_lines l on l.line = t.line
      left join listed f on f.line = t.line
      left join proposed p on p.line = t.line
      left join lateral (
        select d.paid_on, d.order_number from days_payments d
         where l.line is not null and d.paid_on = l.day and d.amount = l.amount and (d.bare or l.reference is null)
         limit 1) as s on true
  )
  select j.line,
         case when j.is_recorded then 'recorded' when j.is_repeated then 'repeated'
              when j.doubt is not null then 'doubtful' when j.reason is null then 'unknown' else 'proposed' end,
         j.reason, j.doubt, case when j.is_repeated then j.first_line when j.doubt = 'other_line' then j.other_line end,
         case when j.is_recorded then j.recorded_order when j.doubt = 'similar' then j.similar_order end,
         coalesce(j.matches, 0), coalesce(j.orders, '[]')
    from judged j order by j.line;
end $$;
select private.expose('match_statement', 'authenticated', 'service_role');

/*
 * Staff: records up to 1,000 payments of one method, each as record_payment does: objects with line (of the statement), order_id, amount,
 * paid_on, reference and more_than_due (whether staff have confirmed that). All are recorded or none: if any is refused, details "lines"
 * lists each refused one with its line, order_number, code and message. Returns how many payments there are. _statement_id is made by
 * the client: a line of the same statement is recorded once, however often it is sent.
 */
create function private.record_statement(_statement_id uuid, _method text, _payments jsonb)
returns int language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  payment record;
  earlier public.payments;
  of_number bigint;
  message text;
  facts text;
  refused jsonb := '[]';
begin
  perform private.require_duty('payments');
  perform private.require_statement_method(_method);
  perform private.require_statement_lines(_payments);
  if _statement_id is null then
    perform private.refuse('PT400', 'invalid_field', 'The statement has no id.', jsonb_build_object('field', 'statement_id', 'rule', 'required'));
  end if;
  if (select count(distinct coalesce((e.p ->> 'line')::int, e.place::int))
        from jsonb_array_elements(_payments) with ordinality as e (p, place)) < jsonb_array_length(_payments) then
    perform private.refuse('PT400', 'invalid_rows', 'Name each line of the statement once.');
  end if;
  -- Against what locks several orders in another order; then orders before references, each by a fixed order, as record_payment
  -- takes one of each.
  perform private.lock_stock(false);
  perform o.id from public.orders o
    where o.id in (select (p ->> 'order_id')::uuid from jsonb_array_elements(_payments) as p) order by o.id for no key update;
  perform pg_advisory_xact_lock(hashtext('public.payments'), k.key) from (
    select distinct hashtext(upper(private.clean_line(p ->> 'reference'))) as key from jsonb_array_elements(_payments) as p
     where private.clean_line(p ->> 'reference') is not null order by 1) as k;
  for payment in
    select md5(_statement_id::text || ' ' || g.line)::uuid as id, g.* from (
      select coalesce((e.p ->> 'line')::int, e.place::int) as line, (e.p ->> 'order_id')::uuid as order_id, (e.p ->> 'amount')::numeric as amount,
             (e.p ->> 'paid_on')::date as paid_on, e.p ->> 'reference' as reference, (e.p ->> 'more_than_due')::boolean as more_than_due, e.place
        from jsonb_array_elements(_payments) with ordinality as e (p, place)) as g
     order by g.place
  loop
    begin
      select * into earlier from public.payments where id = payment.id;
      if found and (earlier.order_id, earlier.amount, earlier.method) is distinct from (payment.order_id, payment.amount, _method) then
        perform private.refuse('PT409', 'payment_recorded', format('This has already been recorded for order %s.', earlier.order_number));
      end if;
      perform private.record_payment(payment.id, payment.order_id, 'payment', _method, payment.amount, payment.paid_on, payment.reference,
                                     null, payment.more_than_due);
    exception when sqlstate 'PT400' or sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics message = message_text, facts = pg_exception_detail;
      select o.number into of_number from public.orders o where o.id = payment.order_id;
      refused := refused || jsonb_build_object('line', payment.line, 'order_number', of_number, 'code', facts::jsonb ->> 'code',
                                               'message', message);
    end;
  end loop;
  if refused <> '[]' then
    perform private.refuse('PT409', 'payments_refused',
      format('Nothing was recorded. Line %s%s: %s%s', refused #>> '{0,line}', ', order ' || (refused #>> '{0,order_number}'),
             refused #>> '{0,message}',
             case jsonb_array_length(refused) when 1 then '' when 2 then ' One more line was refused.'
               else format(' %s more lines were refused.', jsonb_array_length(refused) - 1) end),
      jsonb_build_object('lines', refused));
  end if;
  return jsonb_array_length(_payments);
end $$;
select private.expose('record_statement', 'authenticated', 'service_role');

/* Staff: the order with this number, for a line that was not matched, with what is due; no row if there is none. */
create function private.find_payable_order(_number bigint)
returns table (id uuid, number bigint, due numeric, name text) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('payments');
  return query
    select o.id, o.number, p.due, o.recipient_name
      from public.orders o join private.order_payments p on p.order_id = o.id where o.number = _number;
end $$;
select private.expose('find_payable_order', 'authenticated', 'service_role');
