-- What an import would do: the dry run that is shown before anything changes, and that applying it follows.

/*
 * What an import would do, row by row: found by what identifies a book, otherwise added. A field that is absent or empty
 * keeps the book's value; in a new book the import's defaults stand in for it.
 */
create function private.plan_book_import(_import_id uuid)
returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb)
language sql stable security definer set search_path = '' as $$
  with import as (
    select * from public.book_imports where id = _import_id
  ), found as (
    select r.line, r.fields, r.problems, r.isbn_key, b.id as book_id,
           to_jsonb(b) - '{search_text,title_key,isbn_key,isbn13,average_rating,review_count,created_at,updated_at}'::text[]
             as before,
           first_value(r.line) over (partition by r.isbn_key order by r.line) as first_line
      from public.book_import_rows r
      -- All found books at once: a look-up a row, with its order and limit, is planned along the wrong index.
      left join (
        select distinct on (o.isbn_key) o.* from public.books o
         where o.isbn_key in (select isbn_key from public.book_import_rows where import_id = _import_id)
         order by o.isbn_key, o.created_at, o.id
      ) as b on b.isbn_key = r.isbn_key
     where r.import_id = _import_id
  ), merged as (
    select f.*,
      case when f.book_id is null then
        jsonb_build_object('publisher', i.default_publisher, 'price', i.default_price, 'stock_quantity', i.default_stock)
          || jsonb_strip_nulls(f.fields - 'bad_price')
      else
        f.before || jsonb_strip_nulls(f.fields - '{isbn,bad_price}'::text[])
      end as after
      from found f cross join import i
  ), judged as (
    select m.*, m.problems
      || case when m.after ->> 'title' is null then array['The title is missing.'] else '{}' end
      || case when m.after ->> 'price' is null and not (m.fields ? 'bad_price') then array['The price is missing.'] else '{}' end
      || case when m.isbn_key is not null and m.first_line <> m.line
              then array[format('The same ISBN is in line %s.', m.first_line)] else '{}' end as all_problems
      from merged m
  )
  select j.line,
         case when cardinality(j.all_problems) > 0 then 'refused'
              when j.book_id is null then 'add'
              when j.after = j.before then 'unchanged'
              else 'update' end,
         j.book_id, j.all_problems, j.before, j.after
    from judged j
$$;
revoke execute on function private.plan_book_import(uuid) from public;

create function private.require_book_import(_import_id uuid)
returns void language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  if not exists (select from public.book_imports where id = _import_id) then
    perform private.refuse('PT404', 'import_not_found', 'This import no longer exists.');
  end if;
end $$;
revoke execute on function private.require_book_import(uuid) from public;

create function private.summarise_book_import(_import_id uuid)
returns table (rows bigint, added bigint, updated bigint, unchanged bigint, refused bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_book_import(_import_id);
  return query
    select count(*), count(*) filter (where p.action = 'add'), count(*) filter (where p.action = 'update'),
           count(*) filter (where p.action = 'unchanged'), count(*) filter (where p.action = 'refused')
      from private.plan_book_import(_import_id) as p;
end $$;
revoke execute on function private.summarise_book_import(uuid) from public;
grant execute on function private.summarise_book_import(uuid) to authenticated, service_role;

create function private.preview_book_import(_import_id uuid, _action text, _after_line int, _page_size int)
returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_book_import(_import_id);
  return query
    select * from private.plan_book_import(_import_id) as p
     where (_action is null or p.action = _action) and p.line > coalesce(_after_line, 0)
     order by p.line limit least(greatest(coalesce(_page_size, 50), 1), 1000);
end $$;
revoke execute on function private.preview_book_import(uuid, text, int, int) from public;
grant execute on function private.preview_book_import(uuid, text, int, int) to authenticated, service_role;

/* Staff: how many rows an import would add, update, leave and refuse. */
create function public.summarise_book_import(_import_id uuid)
returns table (rows bigint, added bigint, updated bigint, unchanged bigint, refused bigint)
language sql stable set search_path = '' as $$
  select * from private.summarise_book_import(_import_id)
$$;
revoke execute on function public.summarise_book_import(uuid) from public, anon, authenticated, service_role;
grant execute on function public.summarise_book_import(uuid) to authenticated, service_role;

/*
 * Staff: the dry run, by line: action (add, update, unchanged, refused), problems in words, the book before and after.
 * _action shows one kind of rows alone; _after_line continues behind a line; at most 1,000 rows at once.
 */
create function public.preview_book_import(
  _import_id uuid, _action text default null, _after_line int default 0, _page_size int default 50
) returns table (line int, action text, book_id uuid, problems text[], before jsonb, after jsonb)
language sql stable set search_path = '' as $$
  select * from private.preview_book_import(_import_id, _action, _after_line, _page_size)
$$;
revoke execute on function public.preview_book_import(uuid, text, int, int) from public, anon, authenticated, service_role;
grant execute on function public.preview_book_import(uuid, text, int, int) to authenticated, service_role;
