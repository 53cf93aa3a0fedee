-- Other editions of a list's books; and what staff read of one booklist: its lines with newer editions, and its sales.

/* The edition named in a text: the 2 of '2nd Edition', 'Second edition' or '2'. Null when there is none. */
create function private.edition_in(_text text)
returns int language sql immutable parallel safe set search_path = '' as $$
  select coalesce(
    substring(said from '\m([0-9]{1,4})(?:st|nd|rd|th)?\M')::int,
    array_position(array['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'],
      substring(said from '\m(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\M')))
    from private.fold(_text) as said
$$;

/* The folded title without the edition in it: 'physics' of 'Physics (2nd ed.)' and of 'Physics, Second Edition'. */
create function private.title_without_edition(_title_key text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select btrim(regexp_replace(_title_key,
    '[ ,:;(\[-]*\m([0-9]{1,3}(st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\M *ed(ition|n)?\M\.?[)\]]?', ''))
$$;

/* The edition of a book, from its own field or else its title; a book that names none is a first edition. */
create function private.edition_of(_edition text, _title_key text)
returns int language sql immutable parallel safe set search_path = '' as $$
  select coalesce(private.edition_in(_edition),
    private.edition_in(substring(_title_key from '(\m(?:[0-9]{1,3}(?:st|nd|rd|th)|[a-z]+)\M *ed(?:ition|n)?\M)')), 1)
$$;

/*
 * The newest edition of a book that the shop also sells: the one that its fields name, otherwise the same title and publisher with a
 * higher edition. Null without one.
 */
create function private.newer_edition(_book public.books)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(
    (select private.book_card(n) from private.named_editions(_book) as n where n.for_sale > -2 limit 1),
    (select private.book_card(b)
       from private.title_without_edition(_book.title_key) as work
       join public.books b
         on b.title_key >= work and b.title_key < work || chr(1114111) and private.title_without_edition(b.title_key) = work
        and b.publisher is not distinct from _book.publisher
      where work <> '' and b.for_sale > -2
        and private.edition_of(b.edition, b.title_key) > private.edition_of(_book.edition, _book.title_key)
      order by private.edition_of(b.edition, b.title_key) desc, b.created_at desc, b.id
      limit 1))
$$;

/*
 * The newest edition in stock in place of a book: one that its fields name, otherwise one of the same title and publisher. Null without
 * one.
 */
create function private.edition_in_stock(_book public.books)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(
    (select private.book_card(n) from private.named_editions(_book) as n where n.for_sale > 0 limit 1),
    (select private.book_card(b)
       from private.title_without_edition(_book.title_key) as work
       join public.books b
         on b.title_key >= work and b.title_key < work || chr(1114111) and private.title_without_edition(b.title_key) = work
        and b.publisher is not distinct from _book.publisher
      where work <> '' and b.id <> _book.id and b.for_sale > 0
      order by private.edition_of(b.edition, b.title_key) desc, b.created_at desc, b.id
      limit 1))
$$;

/*
 * Staff: a list in any state; no row when it does not exist. lines as in find_booklist, each also with newer: the newest
 * edition of its book if the shop sells a newer one, otherwise null.
 */
create function private.admin_read_booklist(_id uuid)
returns table (
  id uuid, code text, school text, class_name text, school_year text, introduction text, status text, is_listed boolean,
  pupils int, created_at timestamptz, updated_at timestamptz, lines jsonb
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  return query
    select b.id, b.code, b.school, b.class_name, b.school_year, b.introduction, b.status, b.is_listed, b.pupils, b.created_at,
           b.updated_at::timestamptz, coalesce((
             select jsonb_agg(line || jsonb_build_object('newer', private.newer_edition(book)) order by place)
               from jsonb_array_elements(private.booklist_lines(b.id)) with ordinality as l (line, place)
               left join public.books book on book.id = (line ->> 'book_id')::uuid), '[]')
      from public.booklists b where b.id = _id;
end $$;
select private.expose('admin_read_booklist', 'authenticated', 'service_role');

/*
 * Staff: a list's sales: the whole list first (line_id null, including books that have since left it), then each line
 * with at least one order. An order counts when its customer had put the book into the cart from this list up to 90
 * days before, and with at most as many copies; cancelled orders don't count. A customer who used two lists with the
 * same book counts for both. amount is in cedis.
 */
create function private.admin_list_booklist_sales(_id uuid)
returns table (line_id uuid, orders bigint, copies bigint, amount numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
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
select private.expose('admin_list_booklist_sales', 'authenticated', 'service_role');
