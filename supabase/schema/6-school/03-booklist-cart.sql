-- A booklist's books into the cart by one call, by the rule of private.add_books_to_cart.

/* The chosen lines of a published list, in order; refuses a code without a published list. */
create function private.chosen_booklist_lines(_code text, _line_ids uuid[])
returns table (booklist_id uuid, line_id uuid, book_id uuid, title text, copies int)
language plpgsql stable security definer set search_path = '' as $$
declare
  list_id constant uuid := (
    select b.id from public.booklists b where b.code = private.booklist_code(_code) and b.status = 'published');
begin
  if list_id is null then
    perform private.refuse('PT404', 'booklist_not_found', 'This booklist is not available.');
  end if;
  return query
    select list_id, l.id, l.book_id, l.title, l.copies
      from public.booklist_lines l where l.booklist_id = list_id and l.id = any (_line_ids) order by l.position;
end $$;
grant execute on function private.chosen_booklist_lines to authenticated, service_role;

/* Records what the caller added from a list (see admin_list_booklist_sales). */
create function private.note_booklist_additions(_code text, _book_ids uuid[], _copies int[])
returns void language sql security definer set search_path = '' as $$
  insert into private.booklist_additions as a (booklist_id, user_id, book_id, copies)
  select l.booklist_id, auth.uid(), taken.book_id, taken.copies
    from unnest(_book_ids, _copies) as taken (book_id, copies)
    join public.booklist_lines l on l.book_id = taken.book_id
    join public.booklists b on b.id = l.booklist_id and b.code = private.booklist_code(_code) and b.status = 'published'
   where taken.copies > 0
   order by taken.book_id
  on conflict (booklist_id, user_id, book_id)
    do update set copies = least(a.copies + excluded.copies, 1000000), last_added_at = clock_timestamp()
$$;
grant execute on function private.note_booklist_additions to authenticated, service_role;

/*
 * Puts chosen lines of a published list into the caller's cart, for a number of children (1 to 999): copies per pupil times
 * children, as far as the cart allows. One row for each chosen line of the list: wanted and added are copies; problem
 * as in private.add_books_to_cart, null when all were added and are in stock. Repeated with the same _request_id, the
 * call adds nothing and returns the same.
 */
create function public.add_booklist_to_cart(_code text, _line_ids uuid[], _children int default 1, _request_id text default null)
returns table (line_id uuid, book_id uuid, title text, wanted int, added int, problem text)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  lines jsonb;
  outcome jsonb;
begin
  perform private.require_number('children', 'The number of children', _children, 1, 999);
  select coalesce(jsonb_agg(to_jsonb(l)), '[]') into lines from private.chosen_booklist_lines(_code, _line_ids) as l;
  select coalesce(jsonb_agg(to_jsonb(a)), '[]') into outcome
    from (select array_agg(l.book_id) as book_ids, array_agg(l.copies * _children) as quantities
            from jsonb_to_recordset(lines) as l (book_id uuid, copies int) where l.book_id is not null) as chosen,
         private.add_books_to_cart(book_ids, quantities, _request_id) as a;
  perform private.note_booklist_additions(_code, array_agg(a.book_id), array_agg(a.added))
    from jsonb_to_recordset(outcome) as a (book_id uuid, added int, repeated boolean) where not a.repeated;
  return query
    select l.line_id, l.book_id, l.title, l.copies * _children, coalesce(a.added, 0),
           case when l.book_id is null then 'not_sold' else a.problem end
      from jsonb_to_recordset(lines) as l (line_id uuid, book_id uuid, title text, copies int)
      left join jsonb_to_recordset(outcome) as a (book_id uuid, added int, problem text) on a.book_id = l.book_id;
end $$;
grant execute on function public.add_booklist_to_cart to authenticated;
