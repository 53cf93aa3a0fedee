-- The plan of an import says how far prices and stocks move and what is odd about them, before anything is applied.

drop function public.summarise_book_import, private.summarise_book_import;
drop function public.preview_book_import, private.preview_book_import;

/*
 * What a list's prices are compared with: their median, and the price that most of them are. Of up to 1,000 rows spread over the list, so
 * that a large one costs no more, and each of its ranges is compared with the same.
 */
create function private.usual_prices(_import_id uuid, out median numeric, out commonest numeric)
language sql stable set search_path = '' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with ends as (
    select min(r.line) as first, max(r.line) as last from public.book_import_rows r where r.import_id = _import_id
  )
  select case when count(*) >= 20 then percentile_disc(0.5) within group (order by s.price) end, mode() within group (order by s.price)
    from ends e
   cross join generate_series(e.first, e.last, greatest((e.last - e.first) / 1000, 1)) as spread (line)
   cross join lateral (
     -- A range with a limit: otherwise the planner, which may take the import for empty, reads all its rows for each of these lines.
     select case when r.problems = '{}' then (r.fields ->> 'price')::numeric end as price from public.book_import_rows r
      where r.import_id = _import_id and r.line >= spread.line and r.line <= spread.line order by r.line limit 1
   ) as s
   where s.price is not null
$$;

/*
 * The plan of the rows after one line up to another, with what is odd about each: signs that a price has lost its decimal point, that a
 * column was taken for another one or has slipped by a row. What a copy costs is for those with the duty reports.
 */
create function private.weigh_import_rows(_import_id uuid, _after_line int, _to_line int)
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
create function private.oddity_level(_kind text, _count bigint, _known bigint, _priced bigint)
returns text language sql immutable set search_path = '' as $$
  select case _kind
    when 'tenfold' then 'grave'
    when 'same_price' then case when _count >= 20 and _count >= 0.9 * _priced then 'grave' end
    when 'other_title' then case when _count >= 50 or _count >= 5 and _count >= 0.1 * _known then 'grave' else 'odd' end
    when 'sold_out' then case when _count >= 5 and _count >= 0.1 * _known then 'odd' end
    else 'odd' end
$$;

/*
 * Staff: how many rows an import would add, update, leave and refuse: all, or those after a line up to another. Of existing books: how
 * many stocks it would change, how many it keeps although the file has another number, and how many have changed since the export; and
 * how many books keep something else that was changed in the shop since. Of the refused, how many are no books but sums, headings and notes.
 * figures: sums of prices (in cedis) and copies before and after, the ten largest moves of prices by ratio and by amount and of stocks, and
 * what is odd, with the first ten rows of each kind. They continue _so_far, the figures of the rows before, so that a large import
 * is read range by range; the counts are those of the range.
 */
create function private.summarise_book_import(
  _import_id uuid, _after_line int default 0, _to_line int default null, _so_far jsonb default null
)
returns table (
  rows bigint, added bigint, updated bigint, unchanged bigint, refused bigint, stock_changed bigint, stock_kept bigint, stock_moved bigint,
  fields_moved bigint, not_books bigint, figures jsonb
)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
begin
  perform private.require_book_import(_import_id);
  return query
    with weighed as materialized (
      select w.line, w.action, w.stock as stock_note, w.moved, w.not_a_book, w.sets_price, w.odd, w.after ->> 'title' as title,
             nullif(w.before ->> 'title', w.after ->> 'title') as old_title, w.after ->> 'publisher' as publisher,
             (w.before ->> 'price')::numeric as old_price, (w.after ->> 'price')::numeric as price,
             (w.before ->> 'stock_quantity')::int as old_stock, (w.after ->> 'stock_quantity')::int as stock
        from private.weigh_import_rows(_import_id, coalesce(_after_line, 0), _to_line) as w
    ), counted as (
      select count(*) as total, count(*) filter (where w.action = 'add') as adds, count(*) filter (where w.action = 'update') as updates,
             count(*) filter (where w.action = 'unchanged') as same, count(*) filter (where w.action = 'refused') as bad,
             count(*) filter (where w.action = 'update' and w.old_stock <> w.stock) as restocked,
             count(*) filter (where w.action <> 'refused' and w.stock_note = 'kept') as kept,
             count(*) filter (where w.action <> 'refused' and w.stock_note = 'moved') as sold,
             count(*) filter (where w.action <> 'refused' and w.moved <> '{}') as edited,
             count(*) filter (where w.action = 'refused' and w.not_a_book) as others
        from weighed w
    ), summed as (
      select s.key, sum(s.value::numeric) as value
        from (
          select e.key, e.value
            from (
              select count(*) filter (where w.action <> 'add') as known, count(*) filter (where w.sets_price) as priced,
                     count(*) filter (where w.price > w.old_price) as rise, count(*) filter (where w.price < w.old_price) as fall,
                     count(*) filter (where w.price = w.old_price) as stay,
                     coalesce(sum(w.old_price) filter (where w.price <> w.old_price), 0) as price_before,
                     coalesce(sum(w.price) filter (where w.price <> w.old_price), 0) as price_after,
                     count(*) filter (where w.stock > w.old_stock) as more, count(*) filter (where w.stock < w.old_stock) as fewer,
                     coalesce(sum(w.old_stock) filter (where w.stock <> w.old_stock), 0) as copies_before,
                     coalesce(sum(w.stock) filter (where w.stock <> w.old_stock), 0) as copies_after,
                     coalesce(sum(w.stock) filter (where w.action = 'add'), 0) as new_copies
                from weighed w where w.action <> 'refused'
            ) as of_range cross join jsonb_each_text(to_jsonb(of_range)) as e
          union all
          select e.key, e.value from jsonb_each_text(_so_far -> 'sums') as e
        ) as s
       group by s.key
    ), moves as (
      select w.line, w.title, w.old_price, w.price, w.old_stock, w.stock
        from weighed w where w.action = 'update' and (w.price <> w.old_price or w.stock <> w.old_stock)
      union
      select m.* from jsonb_to_recordset(coalesce(_so_far -> 'price_ratios', '[]') || coalesce(_so_far -> 'price_amounts', '[]')
                                         || coalesce(_so_far -> 'stock_moves', '[]'))
                   as m (line int, title text, old_price numeric, price numeric, old_stock int, stock int)
    ), sized as (
      select m.line, to_jsonb(m) as move,
             case when m.price <> m.old_price then greatest(m.price / nullif(m.old_price, 0), m.old_price / nullif(m.price, 0)) end as ratio,
             nullif(abs(m.price - m.old_price), 0) as amount, nullif(abs(m.stock - m.old_stock), 0) as copies
        from moves m
    ), odd_rows as (
      select k.kind, w.line, w.title, w.old_title, w.old_price, w.price, w.old_stock, w.stock, w.publisher
        from weighed w cross join unnest(w.odd) as k (kind)
    ), odd_counts as (
      select c.kind, sum(c.rows_of_kind)::bigint as rows_of_kind
        from (select o.kind, count(*) as rows_of_kind from odd_rows o group by o.kind
              union all
              select o ->> 'kind', (o ->> 'count')::bigint from jsonb_array_elements(_so_far -> 'oddities') as o) as c
       group by c.kind
    ), odd_firsts as (
      -- One row of each new publisher.
      select distinct on (x.kind, case x.kind when 'new_publisher' then x.publisher else x.line::text end) x.*
        from (select o.* from odd_rows o
              union all
              select o ->> 'kind', e.* from jsonb_array_elements(_so_far -> 'oddities') as o
               cross join jsonb_to_recordset(o -> 'examples') as e (line int, title text, old_title text, old_price numeric, price numeric,
                                                                    old_stock int, stock int, publisher text)) as x
       order by x.kind, case x.kind when 'new_publisher' then x.publisher else x.line::text end, x.line
    ), odd_examples as (
      select n.kind, jsonb_agg(jsonb_strip_nulls(to_jsonb(n) - '{kind,place}'::text[]) order by n.line) as examples
        from (select f.*, row_number() over (partition by f.kind order by f.line) as place from odd_firsts f) as n
       where n.place <= 10
       group by n.kind
    ), sums as (
      select jsonb_object_agg(s.key, s.value) as sums from summed s
    )
    select c.total, c.adds, c.updates, c.same, c.bad, c.restocked, c.kept, c.sold, c.edited, c.others,
           jsonb_build_object(
             'sums', s.sums,
             'price_ratios', (select coalesce(jsonb_agg(t.move order by t.ratio desc, t.line), '[]') from (
               select z.* from sized z where z.ratio is not null order by z.ratio desc, z.line limit 10) as t),
             'price_amounts', (select coalesce(jsonb_agg(t.move order by t.amount desc, t.line), '[]') from (
               select z.* from sized z where z.amount is not null order by z.amount desc, z.line limit 10) as t),
             'stock_moves', (select coalesce(jsonb_agg(t.move order by t.copies desc, t.line), '[]') from (
               select z.* from sized z where z.copies is not null order by z.copies desc, z.line limit 10) as t),
             'oddities', (select coalesce(jsonb_agg(jsonb_build_object('kind', o.kind, 'count', o.rows_of_kind, 'examples', e.examples,
                 'level', private.oddity_level(o.kind, o.rows_of_kind, (s.sums ->> 'known')::bigint, (s.sums ->> 'priced')::bigint))
                 order by o.kind), '[]')
               from odd_counts o join odd_examples e on e.kind = o.kind))
      from counted c cross join sums s;
end $$;
select private.expose('summarise_book_import', 'authenticated', 'service_role');

/*
 * Staff: the dry run, by line: action (add, update, unchanged, refused), problems as messages, the book before and after, which fields
 * stay as they were changed in the shop since the export (moved), and the list's own price, where it is not in cedis.
 * _action shows one kind of rows alone, _odd those with one oddity; _after_line continues behind a line, _to_line ends with one; at most
 * 1,000 rows at once.
 */
create function private.preview_book_import(
  _import_id uuid, _action text default null, _after_line int default 0, _page_size int default 50, _to_line int default null,
  _odd text default null
)
returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb, moved text[], source_price numeric, source_currency text)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  at_most constant int := least(greatest(coalesce(_page_size, 50), 1), 1000);
  from_line int := coalesce(_after_line, 0);
  next_line int;
  found_rows int := 0;
  more int;
begin
  perform private.require_book_import(_import_id);
  -- A page is mostly full before all rows are compared with the shop.
  loop
    select max(n.line) into next_line
      from (select r.line from public.book_import_rows r
             where r.import_id = _import_id and r.line > from_line and r.line <= coalesce(_to_line, 2147483647)
             order by r.line limit 2000) as n;
    exit when next_line is null;
    return query
      select w.line, w.action, w.book_id, w.problems, w.before, w.after, w.moved, w.source_price, w.source_currency
        from private.weigh_import_rows(_import_id, from_line, next_line) as w
       where (_action is null or w.action = _action) and (_odd is null or _odd = any (w.odd))
       order by w.line limit at_most - found_rows;
    get diagnostics more = row_count;
    found_rows := found_rows + more;
    from_line := next_line;
    exit when found_rows >= at_most;
  end loop;
end $$;
select private.expose('preview_book_import', 'authenticated', 'service_role');
