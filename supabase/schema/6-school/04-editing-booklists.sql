-- How staff write booklists: a list is saved together with its lines, and only if it has not changed since it was
-- opened.

/* Locks and returns the list if it still has the version that the caller has seen. */
create function private.lock_booklist(_id uuid, _updated_at timestamptz)
returns public.booklists language plpgsql set search_path = '' as $$
declare
  list public.booklists;
begin
  select * into list from public.booklists where id = _id for update;
  if not found then
    perform private.refuse('PT404', 'booklist_not_found', 'This booklist no longer exists.');
  elsif list.updated_at is distinct from _updated_at then
    perform private.refuse('PT409', 'booklist_changed', 'This booklist has since been changed.',
      jsonb_build_object('updated_at', list.updated_at));
  end if;
  return list;
end $$;

create function private.require_school_year(_school_year text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if coalesce(_school_year !~ '^20[0-9]{2}/20[0-9]{2}$'
              or right(_school_year, 4)::int <> left(_school_year, 4)::int + 1, true) then
    perform private.refuse('PT400', 'invalid_field', 'The school year must be two years, such as 2026/2027.',
      jsonb_build_object('field', 'school_year', 'rule', 'school_year'));
  end if;
end $$;

/* One given line, cleaned, without its list and position; refuses an invalid one, naming it. */
create function private.read_booklist_line(_given jsonb, _line int)
returns public.booklist_lines language plpgsql stable set search_path = '' as $$
declare
  line public.booklist_lines;
begin
  if jsonb_typeof(_given) <> 'object' then
    perform private.refuse('PT400', 'invalid_rows', format('Line %s must be an object.', _line));
  end if;
  line.book_id := private.as_uuid(_given ->> 'book_id');
  line.title := coalesce((select b.title from public.books b where b.id = line.book_id),
                         private.clean_line(_given ->> 'title'));
  perform private.require_text('title', format('The title of line %s', _line), line.title, 500, true);
  line.copies := case when not _given ? 'copies' then 1 when _given ->> 'copies' ~ '^[0-9]{1,4}$' then (_given ->> 'copies')::int end;
  perform private.require_number('copies', format('The number of copies in line %s', _line), line.copies, 1, 99);
  line.is_required := _given ->> 'is_required' is distinct from 'false';
  line.note := private.clean_line(_given ->> 'note');
  perform private.require_text('note', format('The note of line %s', _line), line.note, 300);
  return line;
end $$;

/*
 * The lines of a save, in order. A line keeps its id as long as it stays on the list, because parents' choices refer
 * to it.
 */
create function private.read_booklist_lines(_booklist_id uuid, _lines jsonb)
returns public.booklist_lines[] language plpgsql stable set search_path = '' as $$
declare
  lines public.booklist_lines[] := '{}';
  line public.booklist_lines;
  given jsonb;
begin
  if jsonb_typeof(_lines) is distinct from 'array' then
    perform private.refuse('PT400', 'invalid_rows', 'Lines must be a list.');
  elsif jsonb_array_length(_lines) > 200 then
    perform private.refuse('PT400', 'too_many_lines', 'A booklist can have up to 200 lines.', jsonb_build_object('limit', 200));
  end if;
  for given in select value from jsonb_array_elements(_lines) loop
    line := private.read_booklist_line(given, cardinality(lines) + 1);
    line.position := cardinality(lines) + 1;
    line.booklist_id := _booklist_id;
    line.id := coalesce(
      (select l.id from public.booklist_lines l
        where l.booklist_id = _booklist_id and l.id::text = lower(given ->> 'id')
          and l.id <> all (array(select u.id from unnest(lines) as u))), gen_random_uuid());
    if exists (select from unnest(lines) as u where u.book_id = line.book_id) then
      perform private.refuse('PT400', 'invalid_field', format('%s is on the list twice.', line.title),
        jsonb_build_object('field', 'book_id', 'rule', 'unique', 'line', line.position));
    end if;
    lines := lines || line;
  end loop;
  return lines;
end $$;

/*
 * Staff: saves a list with all its lines, or nothing. _id of a new list is the client's, so that a repeated save makes no second list;
 * _updated_at is the version that was opened, null for a new list. _pupils expected, 0 if unknown; null, as from a page of an older
 * version, keeps what is stored. _lines in their order: [{ id (of a line that stays), book_id or title, copies, is_required, note }].
 * Refuses booklist_changed when the list has another version by now, which a new one that was saved before has too, and a published list
 * without lines.
 */
create function private.save_booklist(
  _school text, _class_name text, _school_year text, _lines jsonb, _id uuid default null,
  _updated_at timestamptz default null, _introduction text default null, _is_listed boolean default false,
  _pupils int default null
) returns public.booklists language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  declare
    school_name constant text := private.clean_line(_school);
    class constant text := private.clean_line(_class_name);
    intro constant text := private.clean_text(_introduction);
    list public.booklists;
    lines public.booklist_lines[];
  begin
    perform private.require_text('school', 'The school', school_name, 200, true);
    perform private.require_text('class_name', 'The class', class, 100, true);
    perform private.require_text('introduction', 'The introduction', intro, 2000);
    perform private.require_school_year(_school_year);
    if _pupils <> 0 then
      perform private.require_number('pupils', 'The number of pupils', _pupils, 1, 9999);
    end if;
    if _updated_at is null then
      perform set_config('shop.task', 'new booklist', true);
      insert into public.booklists (id, school, class_name, school_year, introduction, is_listed, pupils)
      values (coalesce(_id, gen_random_uuid()), school_name, class, _school_year, intro, coalesce(_is_listed, false), nullif(_pupils, 0))
      on conflict (id) do nothing returning * into list;
      -- Already saved, perhaps by a request whose response was lost: that list has a version.
      if not found then perform private.lock_booklist(_id, null); end if;
    else
      perform private.lock_booklist(_id, _updated_at);
    end if;
    lines := private.read_booklist_lines(coalesce(list.id, _id), _lines);
    delete from public.booklist_lines l
     where l.booklist_id = _id and l.id <> all (array(select u.id from unnest(lines) as u));
    insert into public.booklist_lines as l (id, booklist_id, position, book_id, title, copies, is_required, note)
    select u.id, u.booklist_id, u.position, u.book_id, u.title, u.copies, u.is_required, u.note from unnest(lines) as u
    on conflict (id) do update
      set position = excluded.position, book_id = excluded.book_id, title = excluded.title, copies = excluded.copies,
          is_required = excluded.is_required, note = excluded.note;
    if _updated_at is not null then
      update public.booklists
         set school = school_name, class_name = class, school_year = _school_year, introduction = intro,
             is_listed = coalesce(_is_listed, false), pupils = nullif(coalesce(_pupils, pupils), 0)
       where id = _id returning * into list;
      if list.status = 'published' then perform private.require_booklist_lines(list.id); end if;
    end if;
    perform set_config('shop.task', '', true);
    return list;
  end;
end $$;
select private.expose('save_booklist', 'authenticated', 'service_role');

create function private.require_booklist_lines(_id uuid)
returns void language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from public.booklist_lines where booklist_id = _id) then
    perform private.refuse('PT409', 'booklist_empty', 'A published booklist needs at least one line.');
  end if;
end $$;

/* Staff: publishes or withdraws a list, or makes it a draft again; with the version that was opened, as save_booklist. */
create function private.set_booklist_status(_id uuid, _updated_at timestamptz, _status text)
returns public.booklists language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  declare
    list public.booklists;
  begin
    if _status is null or _status not in ('draft', 'published', 'withdrawn') then
      perform private.refuse('PT400', 'invalid_field', 'Unknown booklist status.',
        jsonb_build_object('field', 'status', 'rule', 'choice', 'choices', array['draft', 'published', 'withdrawn']));
    end if;
    perform private.lock_booklist(_id, _updated_at);
    if _status = 'published' then perform private.require_booklist_lines(_id); end if;
    update public.booklists set status = _status where id = _id returning * into list;
    return list;
  end;
end $$;
select private.expose('set_booklist_status', 'authenticated', 'service_role');

/* Staff: deletes a draft. */
create function private.delete_booklist(_id uuid, _updated_at timestamptz)
returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  if (private.lock_booklist(_id, _updated_at)).status <> 'draft' then
    perform private.refuse('PT409', 'booklist_not_draft', 'Only a draft can be deleted. Withdraw the list instead.');
  end if;
  delete from public.booklists where id = _id;
end $$;
select private.expose('delete_booklist', 'authenticated', 'service_role');

/*
 * Staff: creates a draft for another school year with the lines of this list. admin_read_booklist names newer
 * editions.
 */
create function private.copy_booklist(_id uuid, _school_year text)
returns public.booklists language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_duty('schools');
  declare
    list public.booklists;
  begin
    perform private.require_school_year(_school_year);
    insert into public.booklists (school, class_name, school_year, introduction, is_listed, pupils)
    select b.school, b.class_name, _school_year, b.introduction, b.is_listed, b.pupils
      from public.booklists b where b.id = _id
    returning * into list;
    if not found then
      perform private.refuse('PT404', 'booklist_not_found', 'This booklist no longer exists.');
    end if;
    perform set_config('shop.task', 'new booklist', true);
    insert into public.booklist_lines (booklist_id, position, book_id, title, copies, is_required, note)
    select list.id, l.position, l.book_id, coalesce(b.title, l.title), l.copies, l.is_required, l.note
      from public.booklist_lines l left join public.books b on b.id = l.book_id where l.booklist_id = _id;
    perform set_config('shop.task', '', true);
    return list;
  end;
end $$;
select private.expose('copy_booklist', 'authenticated', 'service_role');
