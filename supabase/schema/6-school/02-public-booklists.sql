-- The public part of booklists: a published one by its code, and the listed ones by their school and class.

/*
 * The lines of a list in order, each with its book, or null if the shop does not sell it; one that is sold out also with other, an edition
 * that is in stock, or null.
 */
create function private.booklist_lines(_booklist_id uuid)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
           'id', l.id, 'title', l.title, 'copies', l.copies, 'is_required', l.is_required, 'note', l.note,
           'book_id', l.book_id, 'book', private.book_card(b))
           || case when b.for_sale <= 0 then jsonb_build_object('other', private.edition_in_stock(b)) else '{}' end
           order by l.position), '[]')
    from public.booklist_lines l left join public.books b on b.id = l.book_id
   where l.booklist_id = _booklist_id
$$;

/*
 * The published list with this code, however it is typed; no row for any other. lines: [{ id, title, copies (per pupil),
 * is_required, note, book_id, book, other }] in their order; book is what cards show of it (price in cedis), or null where the
 * shop does not sell it, and other an edition to have in place of one that is sold out.
 */
create function private.find_booklist(_code text)
returns table (code text, school text, class_name text, school_year text, introduction text, updated_at timestamptz, lines jsonb)
language sql stable security definer set search_path = '' as $$
  select b.code, b.school, b.class_name, b.school_year, b.introduction, b.updated_at, private.booklist_lines(b.id)
    from public.booklists b
   where b.code = private.booklist_code(_code) and b.status = 'published'
$$;
select private.expose('find_booklist', 'anon', 'authenticated', 'service_role');

/*
 * The conditions for a list to have each of a text's terms in one of its forms, in its words or, with _in_school, in its
 * school's name.
 */
create function private.booklist_conditions_of(_q text, _in_school boolean)
returns text[] language sql stable set search_path = '' as $$
  select coalesce(array_agg((
           select '(' || string_agg(format('%s like %L',
                    case when _in_school then 'split_part(b.word_text, ''|'', 1)' else 'b.word_text' end,
                    private.words_pattern(form)), ' or ') || ')'
             from unnest(words) as form) order by ordinal), '{}')
    from private.search_terms(_q) where words is not null
$$;

/*
 * Published and listed lists by a text of at least 3 characters: part of the school's name, or words of school, class and
 * year in any order, by school, then newest year, then class; if no list has all words, those with the most. At most 100. The queries are built as
 * text, so that the trigram indexes are used (decision 4).
 */
create function private.search_booklists(_q text)
returns table (code text, school text, class_name text, school_year text)
language plpgsql stable security definer set search_path = '' as $$
declare
  has constant text[] := private.booklist_conditions_of(_q, false);
  school_has constant text[] := private.booklist_conditions_of(_q, true);
  fields constant text := 'b.code, b.school, b.class_name, b.school_year';
  public_ones constant text := 'b.status = ''published'' and b.is_listed';
begin
  if length(private.clean_line(left(_q, 200))) < 3 then return; end if;
  return query execute format(
    'select %s from public.booklists b where %s and (b.school_key like %L or %s)'
    ' order by b.school_key, b.school_year desc, b.class_key, b.id limit 100',
    fields, public_ones, private.contains_pattern(_q), coalesce(nullif(array_to_string(has, ' and '), ''), 'false'));
  if found or cardinality(has) < 2 then return; end if;
  -- No list has all terms: those with the most, at least half, and of these the ones whose school has the most.
  return query execute format(
    'with found as materialized (select b.* from public.booklists b where %s and (%s) limit 5000),'
    ' scored as (select b.*, %s as terms, %s as school_terms from found b),'
    ' best as (select * from scored where terms * 2 >= %s order by terms desc, school_terms desc limit 1)'
    ' select %s from scored b join best on (b.terms, b.school_terms) = (best.terms, best.school_terms)'
    ' order by b.school_key, b.school_year desc, b.class_key, b.id limit 100',
    public_ones, array_to_string(has, ' or '),
    '(' || array_to_string(has, ')::int + (') || ')::int', '(' || array_to_string(school_has, ')::int + (') || ')::int',
    cardinality(has), fields);
end $$;
select private.expose('search_booklists', 'anon', 'authenticated', 'service_role');
