-- The back office's list of booklists, a single one with newer editions of its books, and its sales.

create function private.booklist_conditions(_status text, _q text)
returns text language sql immutable set search_path = '' as $$
  select coalesce(string_agg(condition, ' and '), 'true')
  from (
    select format('b.status = %L', _status) as condition where _status <> ''
    union all
    select format('(b.search_text like %L or b.code = %L)', private.contains_pattern(_q), private.booklist_code(_q))
     where private.contains_pattern(_q) is not null
  ) as conditions
$$;
revoke execute on function private.booklist_conditions(text, text) from public;

create function private.admin_list_booklists(_status text, _q text, _sort text, _descending boolean, _page int, _page_size int)
returns table (
  id uuid, code text, school text, class_name text, school_year text, status text, is_listed boolean,
  created_at timestamptz, updated_at timestamptz, lines bigint
) language plpgsql stable security definer set search_path = '' as $$
declare
  sorted text := case _sort
    when 'school' then case when _descending
      then 'b.school_key desc, b.school_year asc, b.class_key desc, b.id desc'
      else 'b.school_key asc, b.school_year desc, b.class_key asc, b.id asc' end
    when 'school_year' then case when _descending
      then 'b.school_year desc, b.school_key asc, b.class_key asc, b.id asc'
      else 'b.school_year asc, b.school_key asc, b.class_key asc, b.id asc' end
    else case when coalesce(_descending, true) then 'b.updated_at desc, b.id desc' else 'b.updated_at asc, b.id asc' end end;
begin
  perform private.require_staff();
  return query execute
    'select b.id, b.code, b.school, b.class_name, b.school_year, b.status, b.is_listed, b.created_at, b.updated_at,
            (select count(*) from public.booklist_lines l where l.booklist_id = b.id)
       from (select b.id from public.booklists b where ' || private.booklist_conditions(_status, _q)
         || ' order by ' || sorted || private.paging(_page, _page_size) || ') as page
         join public.booklists b on b.id = page.id
      order by ' || sorted;
end $$;
revoke execute on function private.admin_list_booklists(text, text, text, boolean, int, int) from public;
grant execute on function private.admin_list_booklists(text, text, text, boolean, int, int) to authenticated, service_role;

/*
 * Staff: booklists. _status draft, published or withdrawn; _q part of the school, class, year or code. _sort updated_at
 * (default), school or school_year. Last changed first by default; _page from 1, _page_size at most 1,000 (50).
 */
create function public.admin_list_booklists(
  _status text default null, _q text default null, _sort text default 'updated_at', _descending boolean default null,
  _page int default 1, _page_size int default 50
) returns table (
  id uuid, code text, school text, class_name text, school_year text, status text, is_listed boolean,
  created_at timestamptz, updated_at timestamptz, lines bigint
) language sql stable set search_path = '' as $$
  select * from private.admin_list_booklists(_status, _q, _sort, _descending, _page, _page_size)
$$;
revoke execute on function public.admin_list_booklists(text, text, text, boolean, int, int) from public, anon, authenticated, service_role;
grant execute on function public.admin_list_booklists(text, text, text, boolean, int, int) to authenticated, service_role;

create function private.admin_count_booklists(_status text, _q text)
returns bigint language plpgsql stable security definer set search_path = '' as $$
declare
  found_rows bigint;
begin
  perform private.require_staff();
  execute 'select count(*) from public.booklists b where ' || private.booklist_conditions(_status, _q) into found_rows;
  return found_rows;
end $$;
revoke execute on function private.admin_count_booklists(text, text) from public;
grant execute on function private.admin_count_booklists(text, text) to authenticated, service_role;

/* Staff: how many rows admin_list_booklists has with the same filters: exact. */
create function public.admin_count_booklists(_status text default null, _q text default null)
returns bigint language sql stable set search_path = '' as $$
  select private.admin_count_booklists(_status, _q)
$$;
revoke execute on function public.admin_count_booklists(text, text) from public, anon, authenticated, service_role;
grant execute on function public.admin_count_booklists(text, text) to authenticated, service_role;

/* The edition named in a text: the 2 of '2nd Edition', 'Second edition' or '2'. Null when there is none. */
create function private.edition_in(_text text)
returns int language sql immutable parallel safe set search_path = '' as $$
  select coalesce(
    substring(said from '\m([0-9]{1,4})(?:st|nd|rd|th)?\M')::int,
    array_position(array['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'],
      substring(said from '\m(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\M')))
    from private.fold(_text) as said
$$;
revoke execute on function private.edition_in(text) from public;

/* The folded title without the edition in it: 'physics' of 'Physics (2nd ed.)' and of 'Physics, Second Edition'. */
create function private.title_without_edition(_title_key text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select btrim(regexp_replace(_title_key,
    '[ ,:;(\[-]*\m([0-9]{1,2}(st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\M *ed(ition|n)?\M\.?[)\]]?', ''))
$$;
revoke execute on function private.title_without_edition(text) from public;

/* The edition of a book, from its own field or else its title; a book that names none is a first edition. */
create function private.edition_of(_edition text, _title_key text)
returns int language sql immutable parallel safe set search_path = '' as $$
  select coalesce(private.edition_in(_edition),
    private.edition_in(substring(_title_key from '(\m(?:[0-9]{1,2}(?:st|nd|rd|th)|[a-z]+)\M *ed(?:ition|n)?\M)')), 1)
$$;
revoke execute on function private.edition_of(text, text) from public;

/*
 * The newest edition of a book that the shop also sells: the same title and publisher, a higher edition. Null without
 * one.
 */
create function private.newer_edition(_book public.books)
returns jsonb language sql stable set search_path = '' as $$
  select private.book_card(b)
    from private.title_without_edition(_book.title_key) as work
    join public.books b
      on b.title_key >= work and b.title_key < work || chr(1114111) and private.title_without_edition(b.title_key) = work
     and b.publisher is not distinct from _book.publisher
   where work <> '' and private.edition_of(b.edition, b.title_key) > private.edition_of(_book.edition, _book.title_key)
   order by private.edition_of(b.edition, b.title_key) desc, b.created_at desc, b.id
   limit 1
$$;
revoke execute on function private.newer_edition(public.books) from public;

create function private.admin_read_booklist(_id uuid)
returns table (
  id uuid, code text, school text, class_name text, school_year text, introduction text, status text, is_listed boolean,
  created_at timestamptz, updated_at timestamptz, lines jsonb
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    select b.id, b.code, b.school, b.class_name, b.school_year, b.introduction, b.status, b.is_listed, b.created_at,
           b.updated_at::timestamptz, coalesce((
             select jsonb_agg(line || jsonb_build_object('newer', private.newer_edition(book)) order by place)
               from jsonb_array_elements(private.booklist_lines(b.id)) with ordinality as l (line, place)
               left join public.books book on book.id = (line ->> 'book_id')::uuid), '[]')
      from public.booklists b where b.id = _id;
end $$;
revoke execute on function private.admin_read_booklist(uuid) from public;
grant execute on function private.admin_read_booklist(uuid) to authenticated, service_role;

/*
 * Staff: a list in any state; no row when it does not exist. lines as in find_booklist, each also with newer: the newest
 * edition of its book if the shop sells a newer one, otherwise null.
 */
create function public.admin_read_booklist(_id uuid)
returns table (
  id uuid, code text, school text, class_name text, school_year text, introduction text, status text, is_listed boolean,
  created_at timestamptz, updated_at timestamptz, lines jsonb
) language sql stable set search_path = '' as $$
  select * from private.admin_read_booklist(_id)
$$;
revoke execute on function public.admin_read_booklist(uuid) from public, anon, authenticated, service_role;
grant execute on function public.admin_read_booklist(uuid) to authenticated, service_role;

create function private.admin_list_booklist_sales(_id uuid)
returns table (line_id uuid, orders bigint, copies bigint, amount numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_staff();
  return query
    with sold as (
      select l.id as line_id, o.id as order_id, least(i.quantity, a.copies) as copies, i.price
        from private.booklist_additions a
        join public.orders o on o.user_id = a.user_id and o.status <> 'cancelled'
         and o.created_at between a.first_added_at and a.last_added_at + interval '90 days'
        join public.order_items i on i.order_id = o.id and i.sold_book_id = a.book_id
        left join public.booklist_lines l on l.booklist_id = a.booklist_id and l.book_id = a.book_id
       where a.booklist_id = _id
    )
    select null::uuid, count(distinct s.order_id), coalesce(sum(s.copies), 0)::bigint, coalesce(sum(s.copies * s.price), 0)
      from sold s
    union all
    select s.line_id, count(distinct s.order_id), sum(s.copies)::bigint, sum(s.copies * s.price)
      from sold s where s.line_id is not null group by s.line_id;
end $$;
revoke execute on function private.admin_list_booklist_sales(uuid) from public;
grant execute on function private.admin_list_booklist_sales(uuid) to authenticated, service_role;

/*
 * Staff: a list's sales: the whole list first (line_id null, including books that have since left it), then each line
 * with at least one order. An order counts when its customer had put the book into the cart from this list up to 90
 * days before, and with at most as many copies; cancelled orders don't count. A customer who used two lists with the
 * same book counts for both. amount is in cedis.
 */
create function public.admin_list_booklist_sales(_id uuid)
returns table (line_id uuid, orders bigint, copies bigint, amount numeric)
language sql stable set search_path = '' as $$
  select * from private.admin_list_booklist_sales(_id)
$$;
revoke execute on function public.admin_list_booklist_sales(uuid) from public, anon, authenticated, service_role;
grant execute on function public.admin_list_booklist_sales(uuid) to authenticated, service_role;
