-- A booklist saved by a page of an older version, which doesn't know the expected pupils, keeps them.

create or replace function private.save_booklist(
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
