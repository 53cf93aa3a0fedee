-- Many booklists from one file, a few dozen a call. A list is imported completely or left out, and one that already
-- matches the file stays unchanged: an interrupted import is finished by importing the same file again. For staff
-- alone.

/* The list for a school, class and year, however they are spelled; more than one if staff keep several. */
create function private.booklists_named(_school text, _class_name text, _school_year text)
returns setof public.booklists language sql stable set search_path = '' as $$
  select * from public.booklists b
   where b.school_key = private.fold(_school) and b.school_year = _school_year
     and b.class_key = private.booklist_class_key(_class_name)
$$;

/*
 * Reads a line of the file: a line of a list, or { line, message } if it is invalid. _taken are the list's lines
 * before it.
 */
create function private.plan_booklist_line(_given jsonb, _book_ids uuid[], _taken jsonb)
returns jsonb language plpgsql stable set search_path = '' as $$
declare
  file_line constant int := case when _given ->> 'line' ~ '^[0-9]{1,9}$' then (_given ->> 'line')::int end;
  isbn constant text := private.clean_line(_given ->> 'isbn');
  title constant text := private.clean_line(_given ->> 'title');
  line public.booklist_lines;
  before jsonb;
begin
  if cardinality(_book_ids) > 1 then
    perform private.refuse('PT400', 'ambiguous', format('%s books in the shop match %s. Give the ISBN of one of them.',
      cardinality(_book_ids), coalesce(isbn, title)));
  elsif _book_ids is null and (private.book_code(title) ~ '^[0-9]{7,}[0-9X]$' or title is null and isbn is not null) then
    perform private.refuse('PT400', 'unknown_isbn',
      format('The shop has no book with the ISBN %s. Give its title too if the list should name it all the same.', coalesce(isbn, title)));
  end if;
  line := private.read_booklist_line(_given || jsonb_build_object('book_id', _book_ids[1]), file_line);
  select t into before from jsonb_array_elements(_taken) as t
   where case when line.book_id is null then t ->> 'book_id' is null and private.fold(t ->> 'title') = private.fold(line.title)
              else t ->> 'book_id' = line.book_id::text end limit 1;
  if found then
    perform private.refuse('PT400', 'repeated', format('The same book is in line %s.', before -> 'line'));
  end if;
  return jsonb_build_object('line', file_line, 'book_id', line.book_id, 'title', line.title, 'copies', line.copies,
                            'is_required', line.is_required, 'note', line.note);
exception when sqlstate 'PT400' then
  return jsonb_build_object('line', file_line, 'message', sqlerrm);
end $$;

/*
 * A file's lines as a save expects them, each with the id of the list's existing line for the same book or text, if
 * there is one.
 */
create function private.with_booklist_line_ids(_booklist_id uuid, _lines jsonb)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(line || jsonb_build_object('id', own.id, 'book_id', coalesce(line ->> 'book_id', own.book_id::text)) order by place), '[]')
    from jsonb_array_elements(_lines) with ordinality as given (line, place)
    left join lateral (
      select l.id, l.book_id from public.booklist_lines l
       where l.booklist_id = _booklist_id
         and case when line ->> 'book_id' is not null then l.book_id::text = line ->> 'book_id'
                  -- Free text, or the title of a book that has since been deleted.
                  else private.fold(l.title) = private.fold(line ->> 'title')
                   and not exists (select from public.books b where b.id = l.book_id) end
       order by l.position limit 1
    ) as own on true
$$;

/*
 * How a list's lines would change: [{ title, before, after }], before null for a new line and after for a removed
 * one.
 */
create function private.booklist_changes(_booklist_id uuid, _lines jsonb)
returns jsonb language sql stable set search_path = '' as $$
  with old as (
    select l.id, l.title, l.position,
           jsonb_build_object('copies', l.copies, 'is_required', l.is_required, 'note', l.note) as fields
      from public.booklist_lines l where l.booklist_id = _booklist_id
  ), new as (
    select coalesce((line ->> 'id')::uuid, gen_random_uuid()) as id, line ->> 'title' as title, place,
           jsonb_build_object('copies', line -> 'copies', 'is_required', line -> 'is_required', 'note', line -> 'note') as fields
      from jsonb_array_elements(_lines) with ordinality as given (line, place)
  )
  select coalesce(jsonb_agg(jsonb_build_object('title', coalesce(new.title, old.title), 'before', old.fields, 'after', new.fields)
                            order by coalesce(new.place, old.position), new.place is null), '[]')
    from old full join new using (id) where old.fields is distinct from new.fields
$$;

/*
 * What importing a list would do: { action: add, update, unchanged or refused; id, updated_at of the list in the shop; school,
 * class_name, school_year; lines as a save takes them; changes; problems: [{ line, message }], line null for the whole list }.
 */
create function private.plan_booklist(_list jsonb)
returns jsonb language plpgsql stable set search_path = '' as $$
declare
  plan jsonb := jsonb_build_object('school', private.clean_line(_list ->> 'school'),
    'class_name', private.clean_line(_list ->> 'class_name'), 'school_year', private.clean_line(_list ->> 'school_year'));
  given constant jsonb := _list -> 'lines';
  own public.booklists;
  same bigint;
  lines jsonb := '[]';
  problems jsonb := '[]';
  read record;
  planned jsonb;
begin
  begin
    perform private.require_text('school', 'The school', plan ->> 'school', 200, true);
    perform private.require_text('class_name', 'The class', plan ->> 'class_name', 100, true);
    perform private.require_school_year(plan ->> 'school_year');
    if jsonb_array_length(given) not between 1 and 200 then
      perform private.refuse('PT400', 'too_many_lines', 'A booklist has 1 to 200 lines.');
    end if;
    select count(*) into same
      from private.booklists_named(plan ->> 'school', plan ->> 'class_name', plan ->> 'school_year');
    if same > 1 then
      perform private.refuse('PT400', 'ambiguous', format('The shop has %s booklists for this school, class and year.', same));
    end if;
  exception when sqlstate 'PT400' then
    return plan || jsonb_build_object('action', 'refused', 'changes', jsonb_build_array(), 'lines', jsonb_build_array(),
      'problems', jsonb_build_array(jsonb_build_object('line', null, 'message', sqlerrm)));
  end;

  for read in
    select l.line, m.book_ids
      from jsonb_array_elements(given) with ordinality as l (line, place)
      left join (
        select f.line as place, array_agg(f.book_id) as book_ids
          from private.matching_books(array(
            select left(coalesce(private.clean_line(t ->> 'isbn'), t ->> 'title'), 500)
              from jsonb_array_elements(given) with ordinality as texts (t, place) order by place)) as f
         group by f.line
      ) as m using (place)
     order by place
  loop
    planned := private.plan_booklist_line(read.line, read.book_ids, lines);
    if planned ? 'message' then problems := problems || planned; else lines := lines || planned; end if;
  end loop;

  select * into own from private.booklists_named(plan ->> 'school', plan ->> 'class_name', plan ->> 'school_year');
  lines := private.with_booklist_line_ids(own.id, lines);
  return plan || jsonb_build_object(
    'id', own.id, 'updated_at', own.updated_at, 'problems', problems, 'lines', lines,
    'changes', private.booklist_changes(own.id, lines),
    'action', case
      when problems <> '[]' then 'refused'
      when own.id is null then 'add'
      -- The same lines in the same order.
      when private.booklist_changes(own.id, lines) = '[]' and not exists (
             select from jsonb_array_elements(lines) with ordinality as new (line, place)
               join public.booklist_lines l on l.id = (line ->> 'id')::uuid
              where place <> (select count(*) from public.booklist_lines o
                               where o.booklist_id = own.id and o.position <= l.position)) then 'unchanged'
      else 'update' end);
end $$;

/*
 * Staff: saves up to 100 lists of a file, or reports what that would do. _lists: [{ school, class_name, school_year,
 * updated_at (of the list in the shop, as the dry run returned it; absent for a new one), lines: [{ line (in the
 * file), isbn, title, copies, is_required, note }] }]. One row a list, place counted from 1; action 'add', 'update',
 * 'unchanged' or 'refused'; problems: [{ line, message }]. A list with problems, or with another updated_at by now,
 * is left out, the others are saved. New lists are drafts, or with _publish published.
 */
create function private.import_booklists(_lists jsonb, _dry_run boolean default true, _publish boolean default false)
returns table (place int, action text, id uuid, updated_at timestamptz, lines jsonb, changes jsonb, problems jsonb)
language plpgsql security definer set search_path = '' as $$
declare
  saves constant boolean := not coalesce(_dry_run, true);
  list record;
  plan jsonb;
  own public.booklists;
  saved public.booklists;
begin
  perform private.require_duty('schools');
  if jsonb_typeof(_lists) is distinct from 'array' or jsonb_array_length(_lists) > 100 or exists (
       select from jsonb_array_elements(_lists) as l
        where jsonb_typeof(l) <> 'object' or jsonb_typeof(l -> 'lines') is distinct from 'array'
           or exists (select from jsonb_array_elements(case jsonb_typeof(l -> 'lines') when 'array' then l -> 'lines' end) as line
                       where jsonb_typeof(line) <> 'object')) then
    perform private.refuse('PT400', 'invalid_rows', 'Lists must be an array of at most 100 objects with lines.');
  end if;
  -- In the same order for every caller, so that two concurrent imports wait for each other instead of deadlocking.
  for list in
    select l.value, named.name
      from jsonb_array_elements(_lists) as l,
           private.fold(concat_ws(E'\n', l.value ->> 'school', l.value ->> 'class_name', l.value ->> 'school_year')) as named (name)
     where saves order by named.name collate "C"
  loop
    perform pg_advisory_xact_lock(hashtext('public.booklists'), hashtext(list.name));
    perform from private.booklists_named(list.value ->> 'school', list.value ->> 'class_name', list.value ->> 'school_year') as same
       join public.booklists b on b.id = same.id for update of b;
  end loop;

  for list in select l.value, l.place from jsonb_array_elements(_lists) with ordinality as l (value, place) order by l.place loop
    plan := private.plan_booklist(list.value);
    if saves and plan ->> 'action' in ('add', 'update') then
      if (plan ->> 'updated_at')::timestamptz is distinct from (list.value ->> 'updated_at')::timestamptz then
        plan := plan || jsonb_build_object('action', 'refused', 'problems', jsonb_build_array(jsonb_build_object('line', null,
          'message', 'Someone else has changed this booklist since the file was checked. Check the file again.')));
      else
        select * into own from public.booklists b where b.id = (plan ->> 'id')::uuid;
        saved := private.save_booklist(coalesce(own.school, plan ->> 'school'), coalesce(own.class_name, plan ->> 'class_name'),
          plan ->> 'school_year', plan -> 'lines', own.id, own.updated_at, own.introduction, coalesce(own.is_listed, true), own.pupils);
        if plan ->> 'action' = 'add' and _publish then
          saved := private.set_booklist_status(saved.id, saved.updated_at, 'published');
        end if;
        plan := plan || jsonb_build_object('id', saved.id, 'updated_at', saved.updated_at);
      end if;
    end if;
    place := list.place;
    action := plan ->> 'action';
    id := (plan ->> 'id')::uuid;
    updated_at := (plan ->> 'updated_at')::timestamptz;
    lines := plan -> 'lines';
    changes := plan -> 'changes';
    problems := plan -> 'problems';
    return next;
  end loop;
end $$;
select private.expose('import_booklists', 'authenticated', 'service_role');
