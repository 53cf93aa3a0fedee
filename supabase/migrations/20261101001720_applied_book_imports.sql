-- Applying an import, all of it or nothing, and taking the last one back.

create function private.apply_book_import(_import_id uuid, _skip_refused boolean)
returns public.book_imports language plpgsql security definer set search_path = '' as $$
declare
  import public.book_imports;
  bad int;
begin
  perform private.require_staff();
  perform private.lock_stock(false);
  perform private.lock_book_import(_import_id, 'staged');
  perform from public.books
   where isbn_key in (select r.isbn_key from public.book_import_rows r where r.import_id = _import_id)
      or id in (select r.given_id from public.book_import_rows r where r.import_id = _import_id)
   order by id for no key update;

  update public.book_import_rows r
     set action = p.action, problems = p.problems, before = p.before, after = p.after,
         cells = case p.action when 'refused' then r.cells end,
         book_id = case p.action when 'add' then coalesce(r.given_id, gen_random_uuid()) else p.book_id end
    from private.plan_book_import(_import_id) as p
   where r.import_id = _import_id and r.line = p.line;
  select count(*) into bad from public.book_import_rows where import_id = _import_id and action = 'refused';
  if bad > 0 and not coalesce(_skip_refused, false) then
    perform private.refuse('PT409', 'import_has_problems', format('%s rows have problems. Nothing was imported.', bad),
      jsonb_build_object('refused', bad));
  end if;

  perform set_config('shop.stock_reason', 'import', true);
  perform private.insert_books(array(
    select r.after || jsonb_build_object('id', r.book_id) from public.book_import_rows r
     where r.import_id = _import_id and r.action = 'add' order by r.line));
  perform private.update_books(array(
    select r.after from public.book_import_rows r where r.import_id = _import_id and r.action = 'update'));
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
  values ('books', _import_id::text, 'import', to_jsonb(import) - 'headings');
  -- Until then searches would be planned for the catalogue as it was: without the trigram index where it was empty.
  if import.added + import.updated >= 100 then analyze public.books; end if;
  return import;
end $$;
revoke execute on function private.apply_book_import(uuid, boolean) from public;
grant execute on function private.apply_book_import(uuid, boolean) to authenticated, service_role;

/*
 * A book as it was before an import, except what has been changed since. Of its stock, only the difference that the
 * import made is undone, never below 0.
 */
create function private.without_import(_now jsonb, _before jsonb, _after jsonb)
returns jsonb language sql immutable set search_path = '' as $$
  select jsonb_object_agg(field, case
    when field = 'stock_quantity' then
      to_jsonb(greatest(value::int - (_after ->> field)::int + (_before ->> field)::int, 0))
    when value = _after -> field then _before -> field
    else value end)
  from jsonb_each(_now) as f (field, value)
$$;
revoke execute on function private.without_import(jsonb, jsonb, jsonb) from public;

/*
 * Takes back the import that was applied last. A book that the import added is deleted unless it has been ordered or
 * edited since.
 */
create function private.undo_book_import(_import_id uuid)
returns table (restored bigint, deleted bigint, kept bigint)
language plpgsql security definer set search_path = '' as $$
declare
  import public.book_imports;
begin
  perform private.require_staff();
  perform private.lock_stock(true);
  import := private.lock_book_import(_import_id, 'applied');
  if exists (select from public.book_imports where status = 'applied' and applied_at > import.applied_at) then
    perform private.refuse('PT409', 'import_not_last', 'Only the last import can be undone.');
  end if;
  perform from public.books
   where id in (select r.book_id from public.book_import_rows r
                 where r.import_id = _import_id and r.action in ('add', 'update'))
   order by id for no key update;

  perform set_config('shop.stock_reason', 'import', true);
  restored := private.update_books(array(
    select private.without_import(to_jsonb(o), r.before, r.after)
      from public.book_import_rows r join public.books o on o.id = r.book_id
     where r.import_id = _import_id and r.action = 'update'));
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
          to_jsonb(import) - 'headings' || jsonb_build_object('restored', restored, 'deleted', deleted, 'kept', kept));
  return next;
end $$;
revoke execute on function private.undo_book_import(uuid) from public;
grant execute on function private.undo_book_import(uuid) to authenticated, service_role;

/*
 * Staff: applies an import, all of it or nothing. Rows with problems refuse it, unless they are to be left out. Ten thousand rows
 * take longer than the 8 seconds of any other request; the data API takes the function's own statement_timeout.
 */
create function public.apply_book_import(_import_id uuid, _skip_refused boolean default false)
returns public.book_imports language sql set search_path = '' set statement_timeout = '120s' as $$
  select private.apply_book_import(_import_id, _skip_refused)
$$;
revoke execute on function public.apply_book_import(uuid, boolean) from public, anon, authenticated, service_role;
grant execute on function public.apply_book_import(uuid, boolean) to authenticated, service_role;

/* Staff: takes back the last applied import; answers how many books were restored, deleted, kept as they are. */
create function public.undo_book_import(_import_id uuid)
returns table (restored bigint, deleted bigint, kept bigint)
language sql set search_path = '' set statement_timeout = '120s' as $$
  select * from private.undo_book_import(_import_id)
$$;
revoke execute on function public.undo_book_import(uuid) from public, anon, authenticated, service_role;
grant execute on function public.undo_book_import(uuid) to authenticated, service_role;
