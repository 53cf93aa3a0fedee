/* A publisher's other spellings are still found after it has a new name. */

/*
 * Staff: names in books that belong to no publisher, with their number of books: those that look like this publisher's, or like one that
 * it had before, first. _q only those that contain it. The first 50.
 */
create or replace function private.list_publisher_spellings(_publisher_id uuid, _q text default null)
returns table (spelling text, books bigint, is_close boolean) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('catalogue');
  return query
    with own as (
      select private.publisher_key(p.name) as key from public.publishers p where p.id = _publisher_id
      union
      select private.publisher_key(earlier.name)
        from public.audit_log a
        cross join lateral (select a.before ->> 'name' as name union select jsonb_object_keys(a.after -> 'renamed')) as earlier
       where a.table_name = 'publishers' and a.row_id = _publisher_id::text and earlier.name is not null
    ), spelled as (
      select t.value as spelling, sum(t.rows)::bigint as books, private.publisher_key(t.value) as key
        from private.tallies t
       where t.counted = 'books' and t.value <> '' and not exists (select from public.publishers p where p.name = t.value)
         and (private.clean_line(_q) is null or private.fold(t.value) like private.contains_pattern(_q))
       group by t.value having sum(t.rows) > 0
    )
    select s.spelling, s.books,
           exists (
             select from own o
              where s.key = o.key or extensions.similarity(s.key, o.key) >= 0.5
                 or least(length(s.key), length(o.key)) >= 3 and (strpos(s.key, o.key) > 0 or strpos(o.key, s.key) > 0)
           ) as is_close
      from spelled s
     where exists (select from public.publishers p where p.id = _publisher_id)
     order by 3 desc, 2 desc, 1 limit 50;
end $$;
