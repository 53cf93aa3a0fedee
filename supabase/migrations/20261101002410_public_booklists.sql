-- The public part of booklists: a published one by its code, and the listed ones by their school.

/* A book with the fields shown on cards. */
create function private.book_card(_book public.books)
returns jsonb language sql immutable set search_path = '' as $$
  select case when _book.id is not null then jsonb_build_object(
    'id', _book.id, 'title', _book.title, 'authors', _book.authors, 'publisher', _book.publisher, 'isbn', _book.isbn,
    'price', _book.price, 'stock_quantity', _book.stock_quantity, 'course', _book.course, 'subject', _book.subject,
    'grade_level', _book.grade_level, 'edition', _book.edition, 'image_url', _book.image_url,
    'average_rating', _book.average_rating, 'review_count', _book.review_count) end
$$;
revoke execute on function private.book_card(public.books) from public;
grant execute on function private.book_card(public.books) to anon, authenticated, service_role;

/* The lines of a list in order, each with its book, or null if the shop does not sell it. */
create function private.booklist_lines(_booklist_id uuid)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
           'id', l.id, 'title', l.title, 'copies', l.copies, 'is_required', l.is_required, 'note', l.note,
           'book_id', l.book_id, 'book', private.book_card(b)) order by l.position), '[]')
    from public.booklist_lines l left join public.books b on b.id = l.book_id
   where l.booklist_id = _booklist_id
$$;
revoke execute on function private.booklist_lines(uuid) from public;

create function private.find_booklist(_code text)
returns table (code text, school text, class_name text, school_year text, introduction text, updated_at timestamptz, lines jsonb)
language sql stable security definer set search_path = '' as $$
  select b.code, b.school, b.class_name, b.school_year, b.introduction, b.updated_at, private.booklist_lines(b.id)
    from public.booklists b
   where b.code = private.booklist_code(_code) and b.status = 'published'
$$;
revoke execute on function private.find_booklist(text) from public;
grant execute on function private.find_booklist(text) to anon, authenticated, service_role;

/*
 * The published list with this code, however it is typed; no row for any other. lines: [{ id, title, copies (per pupil),
 * is_required, note, book_id, book }] in their order; book is what cards show of it (price in cedis), or null where the
 * shop does not sell it.
 */
create function public.find_booklist(_code text)
returns table (code text, school text, class_name text, school_year text, introduction text, updated_at timestamptz, lines jsonb)
language sql stable set search_path = '' as $$
  select * from private.find_booklist(_code)
$$;
revoke execute on function public.find_booklist(text) from public, anon, authenticated, service_role;
grant execute on function public.find_booklist(text) to anon, authenticated, service_role;

/* As text, so that the trigram index is used (see catalogue). */
create function private.search_booklists(_q text)
returns table (code text, school text, class_name text, school_year text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if length(private.clean_line(left(_q, 200))) < 3 then return; end if;
  return query execute format(
    'select b.code, b.school, b.class_name, b.school_year from public.booklists b
      where b.school_key like %L and b.status = ''published'' and b.is_listed
      order by b.school_key, b.school_year desc, b.class_key, b.id limit 100', private.contains_pattern(_q));
end $$;
revoke execute on function private.search_booklists(text) from public;
grant execute on function private.search_booklists(text) to anon, authenticated, service_role;

/*
 * Published and listed lists of schools whose name contains _q (at least 3 characters), by school, then newest year,
 * then class; at most 100.
 */
create function public.search_booklists(_q text)
returns table (code text, school text, class_name text, school_year text)
language sql stable set search_path = '' as $$
  select * from private.search_booklists(_q)
$$;
revoke execute on function public.search_booklists(text) from public, anon, authenticated, service_role;
grant execute on function public.search_booklists(text) to anon, authenticated, service_role;
