-- Applying an import, all of it or nothing, and taking the last one back.

create function private.apply_book_import(_import_id uuid, _skip_refused boolean)
returns public.book_imports language plpgsql security definer set search_path = '' as $$
declare
  import public.book_imports;
  bad int;
begin
  perform private.require_staff();
  perform private.lock_book_import(_import_id, 'staged');
  perform from public.books
   where isbn_key in (select r.isbn_key from public.book_import_rows r where r.import_id = _import_id)
   order by id for no key update;

  update public.book_import_rows r
     set action = p.action, problems = p.problems, before = p.before, after = p.after,
         book_id = case p.action when 'add' then gen_random_uuid() else p.book_id end
    from private.plan_book_import(_import_id) as p
   where r.import_id = _import_id and r.line = p.line;
  select count(*) into bad from public.book_import_rows where import_id = _import_id and action = 'refused';
  if bad > 0 and not coalesce(_skip_refused, false) then
    perform private.refuse('PT409', 'import_has_problems', format('%s rows have problems. Nothing was imported.', bad),
      jsonb_build_object('refused', bad));
  end if;

  perform set_config('shop.stock_reason', 'import', true);
  insert into public.books (id, title, publisher, isbn, description, price, stock_quantity, image_url, course, subject,
                            grade_level, age_range, curriculum_type, edition)
  select r.book_id, b.title, b.publisher, b.isbn, b.description, b.price, b.stock_quantity, b.image_url, b.course,
         b.subject, b.grade_level, b.age_range, b.curriculum_type, b.edition
    from public.book_import_rows r, jsonb_populate_record(null::public.books, r.after) as b
   where r.import_id = _import_id and r.action = 'add'
   order by r.line;
  update public.books o
     set title = b.title, publisher = b.publisher, description = b.description, price = b.price,
         stock_quantity = b.stock_quantity, image_url = b.image_url, course = b.course, subject = b.subject,
         grade_level = b.grade_level, age_range = b.age_range, curriculum_type = b.curriculum_type, edition = b.edition
    from public.book_import_rows r, jsonb_populate_record(null::public.books, r.after) as b
   where r.import_id = _import_id and r.action = 'update' and o.id = r.book_id;
  perform set_config('shop.stock_reason', '', true);

  update public.book_imports i
     set status = 'applied', applied_at = clock_timestamp(), added = n.added, updated = n.updated,
         unchanged = n.unchanged, refused = n.refused
    from (
      select count(*) filter (where action = 'add') as added, count(*) filter (where action = 'update') as updated,
             count(*) filter (where action = 'unchanged') as unchanged, count(*) filter (where action = 'refused') as refused
        from public.book_import_rows where import_id = _import_id
    ) as n
   where i.id = _import_id
  returning i.* into import;
  insert into public.audit_log (table_name, row_id, action, after)
  values ('books', _import_id::text, 'import', to_jsonb(import));
  return import;
end $$;
revoke execute on function private.apply_book_import(uuid, boolean) from public;
grant execute on function private.apply_book_import(uuid, boolean) to authenticated, service_role;

/*
 * Takes back the import that was applied last. A field goes back to what it was unless somebody changed it since;
 * stock goes back by the difference that the import made, never below 0. A book that the import added is deleted
 * unless it has been ordered or edited since.
 */
create function private.undo_book_import(_import_id uuid)
returns table (restored bigint, deleted bigint, kept bigint)
language plpgsql security definer set search_path = '' as $$
declare
  import public.book_imports;
begin
  perform private.require_staff();
  import := private.lock_book_import(_import_id, 'applied');
  if exists (select from public.book_imports where status = 'applied' and applied_at > import.applied_at) then
    perform private.refuse('PT409', 'import_not_last', 'Only the last import can be undone.');
  end if;
  perform from public.books
   where id in (select r.book_id from public.book_import_rows r
                 where r.import_id = _import_id and r.action in ('add', 'update'))
   order by id for no key update;

  perform set_config('shop.stock_reason', 'import', true);
  with undone as (
    update public.books o
       set title = case when o.title is not distinct from n.title then b.title else o.title end,
           publisher = case when o.publisher is not distinct from n.publisher then b.publisher else o.publisher end,
           description = case when o.description is not distinct from n.description then b.description else o.description end,
           price = case when o.price = n.price then b.price else o.price end,
           stock_quantity = greatest(o.stock_quantity - n.stock_quantity + b.stock_quantity, 0),
           image_url = case when o.image_url is not distinct from n.image_url then b.image_url else o.image_url end,
           course = case when o.course is not distinct from n.course then b.course else o.course end,
           subject = case when o.subject is not distinct from n.subject then b.subject else o.subject end,
           grade_level = case when o.grade_level is not distinct from n.grade_level then b.grade_level else o.grade_level end,
           age_range = case when o.age_range is not distinct from n.age_range then b.age_range else o.age_range end,
           curriculum_type = case when o.curriculum_type is not distinct from n.curriculum_type
                                  then b.curriculum_type else o.curriculum_type end,
           edition = case when o.edition is not distinct from n.edition then b.edition else o.edition end
      from public.book_import_rows r,
           jsonb_populate_record(null::public.books, r.before) as b,
           jsonb_populate_record(null::public.books, r.after) as n
     where r.import_id = _import_id and r.action = 'update' and o.id = r.book_id
    returning o.id
  )
  select count(*) into restored from undone;
  with undone as (
    delete from public.books o
     using public.book_import_rows r
     where r.import_id = _import_id and r.action = 'add' and o.id = r.book_id
       and not exists (select from public.order_items i where i.book_id = o.id)
       and not exists (select from public.audit_log a
                        where a.table_name = 'books' and a.row_id = o.id::text and a.action = 'update')
    returning o.id
  )
  select count(*) into deleted from undone;
  perform set_config('shop.stock_reason', '', true);

  kept := import.added + import.updated - restored - deleted;
  update public.book_imports set status = 'undone', undone_at = clock_timestamp() where id = _import_id;
  insert into public.audit_log (table_name, row_id, action, after)
  values ('books', _import_id::text, 'undo',
          to_jsonb(import) || jsonb_build_object('restored', restored, 'deleted', deleted, 'kept', kept));
  return next;
end $$;
revoke execute on function private.undo_book_import(uuid) from public;
grant execute on function private.undo_book_import(uuid) to authenticated, service_role;

/* Staff: applies an import, all of it or nothing. Rows with problems refuse it, unless they are to be left out. */
create function public.apply_book_import(_import_id uuid, _skip_refused boolean default false)
returns public.book_imports language sql set search_path = '' as $$
  select private.apply_book_import(_import_id, _skip_refused)
$$;
revoke execute on function public.apply_book_import(uuid, boolean) from public, anon, authenticated, service_role;
grant execute on function public.apply_book_import(uuid, boolean) to authenticated, service_role;

/* Staff: takes back the last applied import; answers how many books were restored, deleted, kept as they are. */
create function public.undo_book_import(_import_id uuid)
returns table (restored bigint, deleted bigint, kept bigint)
language sql set search_path = '' as $$
  select * from private.undo_book_import(_import_id)
$$;
revoke execute on function public.undo_book_import(uuid) from public, anon, authenticated, service_role;
grant execute on function public.undo_book_import(uuid) to authenticated, service_role;
