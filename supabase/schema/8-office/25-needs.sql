-- What a school term needs and the shop doesn't have yet: from booklists, the same term last year and waiting customers, less what is in
-- stock, on its way or in a draft; and draft purchase orders of it. Why so: docs/decisions/0050. For staff alone.

/*
 * The day from which the books of a term are bought: when the term before it in the settings has ended, at most 60
 * days before the term.
 */
create function private.term_sales_from(_from date)
returns date language sql stable set search_path = '' as $$
  select greatest(_from - 60, (
    select max((t ->> 'to')::date) + 1 from public.shop_settings s, jsonb_array_elements(s.value) as t
     where s.id = 'schoolTerms' and (t ->> 'to')::date < _from))
$$;

/*
 * What is compared for a term: the booklists of its school year, which a term from August on begins, and the sales since then; and its
 * sales beside those of last year's term. That is the one of the settings that shares most days with the same days a year before, or else
 * those days.
 */
create function private.need_periods(_from date, _to date)
returns table (school_year text, year_from date, sales_from date, last_from date, last_to date)
language sql stable set search_path = '' as $$
  with before as (
    select (_from - interval '1 year')::date as first, (_to - interval '1 year')::date as last,
           (extract(year from _from) - case when extract(month from _from) < 8 then 1 else 0 end)::int as year
  ), last_term as (
    select t.first, t.last
      from before b, (select (t ->> 'from')::date as first, (t ->> 'to')::date as last
                        from public.shop_settings s, jsonb_array_elements(s.value) as t where s.id = 'schoolTerms') as t
     where t.first <= b.last and t.last >= b.first and t.last < _from
     order by least(t.last, b.last) - greatest(t.first, b.first) desc, t.first limit 1
  )
  select b.year || '/' || b.year + 1, make_date(b.year, 9, 1) - 60, private.term_sales_from(_from),
         private.term_sales_from(coalesce(l.first, b.first)), coalesce(l.last, b.last)
    from before b left join last_term l on true
$$;

/*
 * Staff: what a term from _from to _to needs, by supplier and title: books of which more are needed than there are, and those on booklists
 * whose number of pupils is unknown; with _covered all that are needed. _supplier: a supplier's id, 'none', or all; _publisher a name.
 *
 * needed = the larger of (listed - sold_in_year, sold_last_year - sold_in_term, 0) + waiting; proposed = needed - stock - on_its_way -
 * drafted, at least 0. listed: pupils times copies of the required lines of published booklists. lists: [{"booklist_id", "school",
 * "class_name", "pupils" or null, "copies", "is_required"}]. Copies of open orders left the stock when they were placed. A book's supplier is
 * the one of its last purchase order that is not cancelled, otherwise that of its publisher's; hidden ones don't count. found: of how many
 * lines these are the first _limit.
 */
create function private.list_purchase_needs(
  _from date, _to date, _supplier text default null, _publisher text default null, _covered boolean default false, _limit int default 1000
)
returns table (
  book_id uuid, title text, publisher text, isbn text, supplier_id uuid, supplier_name text, lists jsonb, listed bigint,
  sold_in_year bigint, sold_last_year bigint, sold_in_term bigint, waiting bigint, stock int, on_its_way bigint, drafted bigint,
  needed bigint, proposed bigint, found bigint
) language plpgsql stable security definer set search_path = '' set work_mem = '32MB' as $$
declare
  today constant date := private.today();
  days record;
begin
  perform private.require_duty('stock');
  perform private.require_period(_from, _to);
  select * into days from private.need_periods(_from, _to);
  return query
    with listed as materialized (
      select l.book_id, coalesce(sum(l.copies * n.pupils) filter (where l.is_required), 0)::bigint as copies,
             bool_or(l.is_required and n.pupils is null) as is_unknown,
             jsonb_agg(jsonb_build_object('booklist_id', n.id, 'school', n.school, 'class_name', n.class_name, 'pupils', n.pupils,
               'copies', l.copies, 'is_required', l.is_required) order by n.school_key, n.class_key, n.id) as lists
        from public.booklists n join public.booklist_lines l on l.booklist_id = n.id
       where n.status = 'published' and n.school_year = days.school_year and l.book_id is not null
       group by 1
    ), sold as materialized (
      select s.key as book_id, s.copies[1] as in_year, s.copies[2] as last_year, s.copies[3] as in_term
        from private.copies_sold(array[days.year_from, days.last_from, days.sales_from],
                                 array[least(today, _to), days.last_to, least(today, _to)]) as s
    ), waits as materialized (
      select a.book_id, count(*) as customers from public.stock_alerts a group by 1
    ), purchased as materialized (
      select l.book_id, o.supplier_id, o.created_at, o.id, s.hidden,
             case when o.status in ('sent', 'part_received') then greatest(l.copies - l.received, 0) else 0 end as sent,
             case when o.status = 'draft' then greatest(l.copies - l.received, 0) else 0 end as drafted
        from public.purchase_order_lines l join public.purchase_orders o on o.id = l.purchase_order_id
        join public.suppliers s on s.id = o.supplier_id
       where o.status <> 'cancelled'
    ), coming as materialized (
      select p.book_id, sum(p.sent)::bigint as sent, sum(p.drafted)::bigint as drafted from purchased p group by 1
    ), of_book as materialized (
      select distinct on (p.book_id) p.book_id, p.supplier_id from purchased p where not p.hidden
       order by p.book_id, p.created_at desc, p.id
    ), of_publisher as materialized (
      select distinct on (b.publisher) b.publisher, p.supplier_id
        from purchased p join public.books b on b.id = p.book_id where not p.hidden and b.publisher is not null
       order by b.publisher, p.created_at desc, p.id
    ), needs as (
      select b.id, b.title, b.title_key, b.publisher, b.isbn, b.stock_quantity, coalesce(ob.supplier_id, op.supplier_id) as supplier_id,
             coalesce(l.lists, '[]') as lists, coalesce(l.copies, 0) as listed, coalesce(l.is_unknown, false) as is_unknown,
             coalesce(s.in_year, 0)::bigint as in_year, coalesce(s.last_year, 0)::bigint as last_year,
             coalesce(s.in_term, 0)::bigint as in_term, coalesce(w.customers, 0) as waiting, coalesce(c.sent, 0) as sent,
             coalesce(c.drafted, 0) as drafted,
             (greatest(coalesce(l.copies, 0) - coalesce(s.in_year, 0), coalesce(s.last_year, 0) - coalesce(s.in_term, 0), 0)
               + coalesce(w.customers, 0))::bigint as needed
        from public.books b
        left join listed l on l.book_id = b.id
        left join sold s on s.book_id = b.id
        left join waits w on w.book_id = b.id
        left join coming c on c.book_id = b.id
        left join of_book ob on ob.book_id = b.id
        left join of_publisher op on op.publisher = b.publisher
       where (_publisher is null or b.publisher = _publisher) and b.kind <> 'digital' and b.for_sale > -2
    )
    select n.id, n.title, n.publisher, n.isbn, n.supplier_id, p.name, n.lists, n.listed, n.in_year, n.last_year, n.in_term, n.waiting,
           n.stock_quantity, n.sent, n.drafted, n.needed, greatest(n.needed - n.stock_quantity - n.sent - n.drafted, 0),
           count(*) over ()
      from needs n left join public.suppliers p on p.id = n.supplier_id
     where (n.needed > n.stock_quantity + n.sent + n.drafted or n.is_unknown or coalesce(_covered, false) and n.needed > 0)
       and (_supplier is null or coalesce(n.supplier_id::text, 'none') = _supplier)
     order by p.name_key nulls last, n.title_key, n.id
     limit least(greatest(coalesce(_limit, 1000), 1), 1000);
end $$;
select private.expose('list_purchase_needs', 'authenticated', 'service_role');

/*
 * Staff: begins a draft purchase order for each supplier of _lines, all of them or none: [{"book_id", "supplier_id",
 * "copies"}], at most 1,000. A line has the price and discount of the last purchase order of the book from the
 * supplier in its currency; otherwise the supplier's usual discount and, from a supplier that counts in cedis, the
 * shop's price, or else 0, which staff fill in. Idempotent by _id. unpriced: lines with the price 0.
 */
create function private.draft_needed_purchases(_id uuid, _lines jsonb)
returns table (purchase_order_id uuid, supplier_name text, titles bigint, unpriced bigint)
language plpgsql security definer set search_path = '' as $$
declare
  supplier record;
begin
  perform private.require_duty('stock');
  if _id is null or jsonb_typeof(_lines) is distinct from 'array' or jsonb_array_length(_lines) not between 1 and 1000 or exists (
    select from jsonb_array_elements(_lines) as l
     where jsonb_typeof(l) <> 'object' or private.as_uuid(l ->> 'book_id') is null or private.as_uuid(l ->> 'supplier_id') is null
  ) then
    perform private.refuse('PT400', 'invalid_lines', 'A proposal has between 1 and 1,000 lines, each with a book, a supplier and copies.');
  end if;
  for supplier in select (l ->> 'supplier_id')::uuid as id from jsonb_array_elements(_lines) as l group by 1 order by 1 loop
    purchase_order_id := md5(_id::text || supplier.id::text)::uuid;
    perform private.create_purchase_order(purchase_order_id, supplier.id);
    -- Of two presses at once the second one waits here; then the draft has its lines.
    perform from public.purchase_orders o where o.id = purchase_order_id and o.version = 1 for no key update;
    if found then
      perform private.update_purchase_order(purchase_order_id, 1, (
        select jsonb_agg(jsonb_build_object('book_id', l.value ->> 'book_id', 'copies', l.value -> 'copies',
                 'list_price', coalesce(before.list_price, case when s.currency = 'GHS' then b.price end, 0),
                 'discount', coalesce(before.discount, s.discount)) order by b.title_key, l.place)
          from jsonb_array_elements(_lines) with ordinality as l (value, place)
          join public.suppliers s on s.id = supplier.id
          left join public.books b on b.id = (l.value ->> 'book_id')::uuid
          left join (
            select distinct on (p.book_id) p.book_id, p.list_price, p.discount
              from public.purchase_order_lines p
              join public.purchase_orders o on o.id = p.purchase_order_id and o.status <> 'cancelled' and o.supplier_id = supplier.id
              join public.suppliers t on t.id = o.supplier_id and t.currency = o.currency
             order by p.book_id, o.created_at desc, o.id) as before on before.book_id = b.id
         where (l.value ->> 'supplier_id')::uuid = supplier.id));
    end if;
    select s.name, count(*), count(*) filter (where p.list_price = 0) into supplier_name, titles, unpriced
      from public.suppliers s left join public.purchase_order_lines p on p.purchase_order_id = draft_needed_purchases.purchase_order_id
     where s.id = supplier.id group by s.name;
    return next;
  end loop;
end $$;
select private.expose('draft_needed_purchases', 'authenticated', 'service_role');
