-- An import that takes many titles of the shop off sale says so, and has it confirmed where that is half of its books.

/*
 * The plan of the rows after one line up to another, with what is odd about each: signs that a price has lost its decimal point, that a
 * column was taken for another one or has slipped by a row. What a copy costs is for those with the duty reports.
 */
create or replace function private.weigh_import_rows(_import_id uuid, _after_line int, _to_line int)
returns table (
  line int, action text, book_id uuid, problems text[], before jsonb, after jsonb, stock text, moved text[], not_a_book boolean,
  source_price numeric, source_currency text, sets_price boolean, odd text[]
)
language plpgsql stable security definer set search_path = ''
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  usual record := private.usual_prices(_import_id);
  sees_costs constant boolean := private.has_duty('reports');
  has_publishers constant boolean := exists (select from public.books where publisher is not null);
  off_sale constant text[] := '{last_copies,not_for_sale}';
begin
  return query
    select p.line, p.action, p.book_id, p.problems, p.before, p.after, p.stock, p.moved, r.not_a_book, r.source_price, r.source_currency,
           v.sets_price,
           case when p.action in ('add', 'update') then array_remove(array[
             case when v.ratio >= 9.5 or v.ratio <= 1 / 9.5 then 'tenfold' when v.ratio > 2 or v.ratio < 0.5 then 'doubled' end,
             case when v.sets_price and v.price = usual.commonest then 'same_price' end,
             case when p.action = 'update' and private.title_key(p.before ->> 'title') <> private.title_key(p.after ->> 'title')
                    and (not array_remove(string_to_array(private.word_text(array[p.before ->> 'title']), ' '), '')
                             && array_remove(string_to_array(private.word_text(array[p.after ->> 'title']), ' '), '')
                         -- A list of one series has words in common in all its rows.
                         or exists (select from public.books b
                                     where b.title_key = private.title_key(p.after ->> 'title') and b.id <> p.book_id))
                  then 'other_title' end,
             case when v.sets_price and v.price = 0 then 'free' end,
             case when p.action = 'add' and v.sets_price and v.price > 0 and (v.price > 20 * usual.median or v.price < usual.median / 20)
                  then 'far_price' end,
             case when sees_costs and p.action = 'update' and v.sets_price
                    and v.price < (select c.average from private.book_costs c where c.book_id = p.book_id order by c.since desc limit 1)
                  then 'below_cost' end,
             case when (p.before ->> 'stock_quantity')::int > 0 and (p.after ->> 'stock_quantity')::int = 0 then 'sold_out' end,
             case when p.action = 'update' and array_position(off_sale, p.after ->> 'sale_state')
                                               > coalesce(array_position(off_sale, p.before ->> 'sale_state'), 0) then 'off_sale' end,
             case when has_publishers and p.after ->> 'publisher' is distinct from p.before ->> 'publisher'
                    and not exists (select from public.books b where b.publisher = p.after ->> 'publisher')
                    and not exists (select from public.publishers k where k.name = p.after ->> 'publisher')
                  then 'new_publisher' end
           ], null) else '{}' end
      from private.plan_book_import(_import_id, _after_line, _to_line) as p
     cross join lateral (
       select i.* from public.book_import_rows i
        where i.import_id = _import_id and i.line >= p.line and i.line <= p.line order by i.line limit 1
     ) as r
     cross join lateral (
       select (p.after ->> 'price')::numeric as price,
              case when p.action = 'update' then nullif((p.after ->> 'price')::numeric, 0) / nullif((p.before ->> 'price')::numeric, 0) end as ratio,
              -- A new book's default price is nobody's mistake in the file.
              case p.action when 'add' then coalesce(r.fields ->> 'price' is not null, false)
                            when 'update' then p.after -> 'price' <> p.before -> 'price' else false end as sets_price
     ) as v;
end $$;

/*
 * How much is too much: whether a kind of oddity is worth showing ('odd') or has to be confirmed ('grave'), by how many rows have it. _known
 * are the rows of books that the shop has, _priced those that set a price.
 */
create or replace function private.oddity_level(_kind text, _count bigint, _known bigint, _priced bigint)
returns text language sql immutable set search_path = '' as $$
  select case _kind
    when 'tenfold' then 'grave'
    when 'same_price' then case when _count >= 20 and _count >= 0.9 * _priced then 'grave' end
    when 'other_title' then case when _count >= 50 or _count >= 5 and _count >= 0.1 * _known then 'grave' else 'odd' end
    when 'sold_out' then case when _count >= 5 and _count >= 0.1 * _known then 'odd' end
    when 'off_sale' then case when _count >= 20 and _count >= 0.5 * _known then 'grave'
                              when _count >= 20 and _count >= 0.05 * _known then 'odd' end
    else 'odd' end
$$;
