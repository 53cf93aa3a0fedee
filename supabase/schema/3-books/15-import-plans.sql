-- What an import would do: the dry run that is shown before anything changes, and that applying it follows.

/*
 * The fields whose values an export marks, in the order of the marks. A new field goes to the end: an older file has marks only for the
 * fields of its day. The stock has a column of its own.
 */
create function private.marked_fields()
returns text[] language sql immutable parallel safe set search_path = '' as $$
  select '{title,authors,publisher,isbn,price,course,subject,grade_level,age_range,curriculum_type,edition,description,image_url,shelf,kind,
           digital_by,sale_state,available_on,newer_isbn}'::text[]
$$;

/*
 * The marks of a book's fields, six digits for each, by which a file that comes back shows what was changed in it. Of the ISBN it is that of
 * its key, so that another spelling of it is no change.
 */
create function private.marks_of(_book jsonb, _isbn_key text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select 'm' || string_agg(left(md5(coalesce(case f.name when 'isbn' then _isbn_key else _book ->> f.name end, '')), 6), '' order by f.position)
    from unnest(private.marked_fields()) with ordinality as f (name, position)
$$;

/*
 * Staff: these books as an export writes them, in this order, at most 1,000: the columns of books that staff may read, and marks, all marks
 * of the row. Values and marks are of one moment.
 */
create function private.export_books(_book_ids uuid[])
returns setof jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_a_duty();
  if cardinality(_book_ids) > 1000 then
    perform private.refuse('PT400', 'too_many_rows', 'Export at most 1,000 books at once.');
  end if;
  return query
    select e.book || jsonb_build_object('marks', private.marks_of(e.book, b.isbn_key))
      from unnest(_book_ids) with ordinality as asked (id, position)
      join public.books b on b.id = asked.id
     cross join lateral (select to_jsonb(b) - '{search_text,word_text,title_key,isbn_key,isbn13,for_sale}'::text[] as book) as e
     order by asked.position;
end $$;
select private.expose('export_books', 'authenticated', 'service_role');

/*
 * What an import would do, row by row, for the rows after one line up to another. A book is found by the id that an export gave the
 * row, else by what its ISBN identifies; otherwise the row is a new book. A field that is absent or empty keeps the book's value; in a
 * new book the import's defaults apply. Copies are sold while a file is edited, so the stock of an existing book is set only if the row says
 * that it is still what it was in the export, or if the import sets it on purpose; stock is 'moved' where it has changed since an export
 * whose number nobody edited, and 'kept' where the file has another number and the book keeps its own. A row with marks changes only what
 * was changed in the file: a field of which the shop has another value since stays, and is in moved; one that was changed in both is a
 * problem. Books that earlier steps of the same import have added are not there yet for a row's
 * ISBN: what a row does must not depend on how many rows a step has.
 */
create function private.plan_book_import(_import_id uuid, _after_line int, _to_line int)
returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb, stock text, moved text[])
language sql stable security definer set search_path = ''
-- Rows that were staged a moment ago are not in the statistics. Otherwise a step of 2,000 rows with one ISBN reads 4,002,000 rows in place
-- of less than 40,000.
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with import as (
    select * from public.book_imports where id = _import_id
  ), found as materialized (
    select r.line, r.fields, r.problems, r.isbn_key, r.given_id, own.id is not null as by_id, twins.copies,
           coalesce(own.id, twin.id) as book_id,
           case when own.id is not null then to_jsonb(own) when twin.id is not null then to_jsonb(twin) end
             - '{search_text,word_text,title_key,isbn_key,isbn13,average_rating,review_count,created_at,updated_at}'::text[]
             as before,
           -- The stored spelling stays when it means the same; a rounded one is then no problem either.
           case when own.id is not null
                then own.isbn_key is not distinct from private.isbn_key(r.fields ->> 'isbn') end as same_isbn,
           r.isbn_problem, coalesce(own.isbn_key, twin.isbn_key) as shop_key,
           -- Of an existing book. The stock of a digital title follows its files and codes.
           case when coalesce(own.kind, twin.kind) <> 'digital' then (r.fields ->> 'stock_quantity')::int end as file_stock,
           (r.fields ->> 'seen_stock')::int as seen_stock,
           coalesce(own.stock_quantity, twin.stock_quantity) as shop_stock,
           -- By this ISBN, rows without an id find the same book.
           case when own.id is null or own.id = twins.first_id then twins.isbn_key end as shared_key
      from public.book_import_rows r
      -- Each book is looked up by a range, in order: the statistics of a table that was empty a minute ago take it for empty still, and
      -- then only the order keeps the planner from reading all books for each row, along any index.
      left join lateral (
        select b.* from public.books b where b.id >= r.given_id and b.id <= r.given_id order by b.id limit 1
      ) as own on true
      -- An aggregate, because with the order of creation and a limit the look-up is planned along another index.
      cross join lateral (
        select key.isbn_key, count(o.id) as copies, (array_agg(o.id order by o.created_at, o.id))[1] as first_id
          from (select case when own.id is null then r.isbn_key else own.isbn_key end as isbn_key) as key
          left join lateral (
            select b.id, b.created_at from public.books b
             where b.isbn_key >= key.isbn_key and b.isbn_key <= key.isbn_key order by b.isbn_key offset 0
          ) as o on not exists (select from public.book_import_rows a
                            where a.book_id = o.id and (a.import_id = _import_id) is true and a.action = 'add' offset 0)
         group by key.isbn_key
      ) as twins
      left join lateral (
        select b.* from public.books b
         where b.id >= twins.first_id and b.id <= twins.first_id and own.id is null order by b.id limit 1
      ) as twin on true
     where r.import_id = _import_id and r.line > _after_line and r.line <= coalesce(_to_line, 2147483647)
  ), compared as (
    select f.*, coalesce(m.untouched, '{}') as untouched, coalesce(m.moved, '{}') as moved, m.disputed
      from (select found.*, found.fields ->> 'marks' as seen,
                   case when found.fields ? 'marks' then private.marks_of(found.fields, found.isbn_key) end as in_file,
                   case when found.fields ? 'marks' then private.marks_of(found.before, found.shop_key) end as in_shop
              from found offset 0) as f
     cross join lateral (
       select array_agg(c.name) filter (where c.in_file = c.seen) as untouched,
              array_agg(c.name order by c.position) filter (where c.in_file = c.seen and c.in_shop <> c.seen) as moved,
              array_agg(c.name order by c.position) filter (where c.in_shop not in (c.seen, c.in_file) and c.in_file <> c.seen) as disputed
         from (select u.name, u.position, substr(f.seen, u.start, 6) as seen, substr(f.in_file, u.start, 6) as in_file,
                      substr(f.in_shop, u.start, 6) as in_shop
                 from (select n.name, n.position, 6 * n.position::int - 4 as start
                         from unnest(private.marked_fields()) with ordinality as n (name, position)) as u
                where f.before is not null and f.fields ->> u.name is not null and length(f.seen) >= u.start + 5) as c
     ) as m
  ), merged as materialized (
    select f.*,
      -- The first row of the file that means the same book. A range, because for what equals a value the planner walks along all lines
      -- to find the first; and only the first is read, though thousands may have the same ISBN, such as "N/A". "is true" keeps the
      -- planner from reading all rows of the import, which it may take for none.
      least(
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.book_id >= f.book_id and e.book_id <= f.book_id
          order by e.book_id, e.line limit 1),
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.given_id >= coalesce(f.book_id, f.given_id)
            and e.given_id <= coalesce(f.book_id, f.given_id)
          order by e.given_id, e.line limit 1),
        (select e.line from public.book_import_rows e
          where (e.import_id = _import_id) is true and e.isbn_key >= f.shared_key and e.isbn_key <= f.shared_key
            and (select g.id from public.books g where g.id >= e.given_id and g.id <= e.given_id order by g.id limit 1) is null
            and case when f.book_id is null then coalesce(e.given_id, f.given_id) is null else true end
          order by e.isbn_key, e.line limit 1)
      ) as first_line,
      case when f.book_id is null then
        jsonb_build_object('publisher', i.default_publisher, 'price', i.default_price,
                           'stock_quantity', case when not f.fields ? 'bad_stock' then i.default_stock end)
          || jsonb_strip_nulls(f.fields - '{bad_price,bad_stock,seen_price,seen_stock,marks}'::text[])
      else
        f.before
          || jsonb_strip_nulls(
               f.fields - '{bad_price,bad_stock,seen_price,seen_stock,marks,stock_quantity}'::text[] - f.untouched
                 - case when f.by_id and not f.same_isbn then '{}' else '{isbn}' end::text[])
          || jsonb_strip_nulls(jsonb_build_object('stock_quantity', case
               when f.seen_stock = f.shop_stock or f.seen_stock is null and i.sets_stock then f.file_stock end))
      end as after,
      case when f.seen_stock is null then case when not i.sets_stock and f.file_stock <> f.shop_stock then 'kept' end
           when f.seen_stock = f.shop_stock or f.file_stock = f.shop_stock then null
           when f.file_stock = f.seen_stock then 'moved'
           when f.file_stock is not null then 'contradicts' end as stock
      from compared f cross join import i
  ), judged as (
    select m.*, m.problems
      || case when m.isbn_problem is not null and not (m.by_id and m.same_isbn) and 'isbn' <> all (m.untouched) then array[m.isbn_problem] else '{}' end
      || case when m.copies > 1 and not m.by_id then
           array[format('%s books in the shop have this ISBN. Add the ID from an export to say which one.', m.copies)]
         else '{}' end
      || case when m.book_id is null and m.given_id is not null and exists (
           select from public.audit_log a
            where a.table_name = 'books' and a.row_id = m.given_id::text and a.action = 'delete'
         ) then array['This book was deleted from the shop. Restore it in Activity, or empty its ID to add it again.']
         else '{}' end
      -- A change of prices names the price that it was made from.
      || case when m.fields ? 'seen_price' and m.before is null then array['This book was deleted since this list was made.']
              when (m.fields ->> 'seen_price')::numeric <> (m.before ->> 'price')::numeric
              then array['The price of this book was changed since this list was made.'] else '{}' end
      || case when m.stock = 'contradicts'
              then array[format('The stock was %s in the export and is %s now. Export the books again, or change it on the stock card.',
                                m.seen_stock, m.shop_stock)] else '{}' end
      || case when m.disputed is not null
              then array[format('Changed both in the shop and in the file since the export: %s. Export the books again, or make the change in the shop.',
                                (select string_agg(coalesce(t.label, replace(d.name, '_', ' ')), ', ' order by d.position)
                                   from unnest(m.disputed) with ordinality as d (name, position)
                                   left join private.book_texts() as t on t.name = d.name))] else '{}' end
      || case when m.before is not null and 'digital' in (m.before ->> 'kind', m.after ->> 'kind')
                and (m.before -> 'kind' <> m.after -> 'kind' or m.before -> 'digital_by' <> m.after -> 'digital_by')
                and private.is_digital_in_use(m.book_id)
              then array['This title has files, codes or sales, so its kind and way of delivery can''t change.'] else '{}' end
      -- A row without fields is not a row of books: its problems say so.
      || case when m.fields <> '{}' and m.after ->> 'title' is null then array['The title is missing.'] else '{}' end
      || case when m.fields <> '{}' and m.after ->> 'price' is null and not (m.fields ? 'bad_price')
              then array['The price is missing.'] else '{}' end
      || case when private.fits_shelves(m.after ->> 'title', m.after ->> 'publisher', m.after ->> 'course', m.after ->> 'subject',
                                        m.after ->> 'grade_level') then '{}'
              else array['Title, publisher, course, subject and grade level are too long together.'] end
      || case when m.first_line is null or m.first_line = m.line then '{}'
              when m.given_id is null then array[format('The same ISBN is in line %s.', m.first_line)]
              else array[format('The same book is in line %s.', m.first_line)] end as all_problems
      from merged m
  )
  select j.line,
         case when cardinality(j.all_problems) > 0 then 'refused'
              when j.book_id is null then 'add'
              when j.after = j.before then 'unchanged'
              else 'update' end,
         j.book_id, j.all_problems, j.before, j.after, j.stock, j.moved
    from judged j
$$;

create function private.require_book_import(_import_id uuid)
returns void language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('catalogue');
  if not exists (select from public.book_imports where id = _import_id) then
    perform private.refuse('PT404', 'import_not_found', 'This import no longer exists.');
  end if;
end $$;

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
create function private.oddity_level(_kind text, _count bigint, _known bigint, _priced bigint)
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

/*
 * Staff: how many rows an import would add, update, leave and refuse, and how many are not books to sell but sums, headings and notes
 * (not_books): all, or those after a line up to another. Of existing books: how many stocks it would change, how many it keeps although
 * the file has another number, and how many have changed since the export; and how many books keep something else that was changed in the
 * shop since.
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
             count(*) filter (where w.action = 'unchanged') as same,
             count(*) filter (where w.action = 'refused' and not w.not_a_book) as bad,
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
 * Staff: the dry run, by line: action (add, update, unchanged, refused; not_a_book for a sum, a heading or a note), problems as messages, the
 * book before and after, which fields stay as they were changed in the shop since the export (moved), the list's own price, where it is not
 * in cedis, and the cells of a row that is left out.
 * _action shows one kind of rows alone, _odd those with one oddity; _after_line continues behind a line, _to_line ends with one; at most
 * 1,000 rows at once.
 */
create function private.preview_book_import(
  _import_id uuid, _action text default null, _after_line int default 0, _page_size int default 50, _to_line int default null,
  _odd text default null
)
returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb, moved text[], source_price numeric, source_currency text,
               cells jsonb)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  at_most constant int := least(greatest(coalesce(_page_size, 50), 1), 1000);
  from_line int := coalesce(_after_line, 0);
  next_line int;
  found_rows int := 0;
  more int;
begin
  perform private.require_book_import(_import_id);
  if _action = 'not_a_book' and _odd is null then
    -- The file's reader has said why they are left out, whatever the shop has. There may be few in a large import.
    return query
      select r.line, _action, null::uuid, r.problems, null::jsonb, '{}'::jsonb, '{}'::text[], null::numeric, null::text, r.cells
        from public.book_import_rows r
       where r.import_id = _import_id and r.line > from_line and r.line <= coalesce(_to_line, 2147483647)
         and r.not_a_book and r.problems <> '{}'
       order by r.line limit at_most;
    return;
  end if;
  -- A page is mostly full before all rows are compared with the shop.
  loop
    select max(n.line) into next_line
      from (select r.line from public.book_import_rows r
             where r.import_id = _import_id and r.line > from_line and r.line <= coalesce(_to_line, 2147483647)
             order by r.line limit 2000) as n;
    exit when next_line is null;
    return query
      select w.line, what.action, w.book_id, w.problems, w.before, w.after, w.moved, w.source_price, w.source_currency, file.cells
        from private.weigh_import_rows(_import_id, from_line, next_line) as w
       cross join lateral (select case when w.action = 'refused' and w.not_a_book then 'not_a_book' else w.action end as action) as what
        left join lateral (
          -- A range with a limit, as the planner may take the import for empty and read all its rows for each line.
          select r.cells from public.book_import_rows r
           where r.import_id = _import_id and r.line >= w.line and r.line <= w.line and w.action = 'refused' order by r.line limit 1
        ) as file on true
       where (_action is null or what.action = _action) and (_odd is null or _odd = any (w.odd))
       order by w.line limit at_most - found_rows;
    get diagnostics more = row_count;
    found_rows := found_rows + more;
    from_line := next_line;
    exit when found_rows >= at_most;
  end loop;
end $$;
select private.expose('preview_book_import', 'authenticated', 'service_role');

/*
 * Staff: the rows with problems that an import leaves out or has left out, by line, with the reasons and the cells, to be repaired and
 * imported again; with _not_books the lines that are not books to sell in their place. _after_line continues behind a line, _to_line ends
 * with one; at most 1,000 rows at once.
 */
create function private.list_rows_left_out(
  _import_id uuid, _after_line int default 0, _page_size int default 500, _to_line int default null, _not_books boolean default false
)
returns table (line int, problems text[], cells jsonb)
language plpgsql stable security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  at_most constant int := least(greatest(coalesce(_page_size, 500), 1), 1000);
begin
  perform private.require_book_import(_import_id);
  if (select status <> 'staged' from public.book_imports where id = _import_id) then
    return query
      select r.line, r.problems, r.cells from public.book_import_rows r
       where r.import_id = _import_id and r.line > coalesce(_after_line, 0) and r.line <= coalesce(_to_line, 2147483647)
         and r.action = 'refused' and r.not_a_book = coalesce(_not_books, false)
       order by r.line limit at_most;
  else
    return query
      select p.line, p.problems, p.cells
        from private.preview_book_import(_import_id, case when _not_books then 'not_a_book' else 'refused' end, _after_line, at_most, _to_line) as p
       order by p.line;
  end if;
end $$;
select private.expose('list_rows_left_out', 'authenticated', 'service_role');
