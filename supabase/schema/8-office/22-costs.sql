-- What books cost the shop: an average that receipts update, and the resulting margin. For staff alone.

-- The average cost per copy from a moment on. No foreign key: sales of a deleted
-- book still count. Rows are only added, so that an order's lines are taken away again at the cost at which they were counted.
create table private.book_costs (
  book_id uuid not null,
  since timestamptz not null,
  -- In cedis; null once the only receipt with a cost was undone.
  average numeric(16, 6),
  primary key (book_id, since),
  constraint book_costs_average_is_not_negative check (average >= 0)
);
alter table private.book_costs enable row level security;

/*
 * The cost of copies ordered at a moment, in pesewas; null if unknown. A receipt and an order both lock the book's
 * row first, so a cost that an order has not seen is later than the order.
 */
create function private.cost_of_copies(_book_id uuid, _copies int, _at timestamptz)
returns bigint language sql stable security definer set search_path = '' as $$
  select round(_copies * 100 * c.average)::bigint
    from private.book_costs c where c.book_id = _book_id and c.since <= _at order by c.since desc limit 1
$$;

/*
 * Moves the average costs by the lines of a receipt that have one: booked (1), weighed by the copies that were in stock, or undone (-1), as if
 * they had never come. Copies in stock whose cost was not known get that of the first receipt. The caller has locked the books and
 * moved their stock.
 */
create function private.move_costs(_receipt_id uuid, _sign int)
returns void language sql security definer set search_path = '' as $$
  insert into private.book_costs (book_id, since, average)
  select l.book_id, greatest(clock_timestamp(), c.since + interval '1 microsecond'), round(a.average, 6)
    from public.receipt_lines l
    join public.receipts r on r.id = l.receipt_id
    join public.books b on b.id = l.book_id
    left join lateral (select * from private.book_costs c where c.book_id = l.book_id order by c.since desc limit 1) as c on true
   cross join lateral (
     select case
       when _sign > 0 and c.average is null then l.cost_cedis
       when _sign > 0 then (c.average * (b.stock_quantity - l.copies) + l.cost_cedis * l.copies) / b.stock_quantity
       when not exists (select from public.receipt_lines o join public.receipts ro on ro.id = o.receipt_id
                         where o.book_id = l.book_id and o.receipt_id <> r.id and o.copies > 0 and o.cost_cedis is not null and ro.undone_at is null)
         then null
       when b.stock_quantity > 0 then greatest((c.average * (b.stock_quantity + l.copies) - l.cost_cedis * l.copies) / b.stock_quantity, 0)
       else (select e.average from private.book_costs e where e.book_id = l.book_id and e.since < r.created_at order by e.since desc limit 1)
     end as average) as a
   where l.receipt_id = _receipt_id and l.copies > 0 and l.cost_cedis is not null
$$;

/* Staff: what a copy of a book costs on average, in cedis; null if no receipt with a cost brought any. */
create function private.read_book_cost(_book_id uuid)
returns numeric language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  return (select round(c.average, 2) from private.book_costs c where c.book_id = _book_id order by c.since desc limit 1);
end $$;
select private.expose('read_book_cost', 'authenticated', 'service_role');

/* Staff: the copies in stock and what they cost, as far as it is known; copies without a cost are counted apart. */
create function private.report_stock_value()
returns table (copies bigint, cost numeric, unknown_copies bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  return query
    select coalesce(sum(b.stock_quantity) filter (where c.average is not null), 0)::bigint, coalesce(round(sum(b.stock_quantity * c.average), 2), 0),
           coalesce(sum(b.stock_quantity) filter (where c.average is null), 0)::bigint
      from public.books b
      left join (select distinct on (k.book_id) k.book_id, k.average from private.book_costs k order by k.book_id, k.since desc) as c on c.book_id = b.id
     where b.stock_quantity > 0 and b.kind <> 'digital';
end $$;
select private.expose('report_stock_value', 'authenticated', 'service_role');
