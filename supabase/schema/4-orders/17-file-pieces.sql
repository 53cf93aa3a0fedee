-- The bucket of the pieces of digital titles' files. Staff with the duty add them; nobody else reads them, and
-- customers get them only from the web server. Its own API checks that the first piece is what its type says
-- (server/api/storage).

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('digital-files', 'digital-files', false, private.piece_bytes(), private.digital_types() || '{application/octet-stream}'::text[])
on conflict (id) do update
  set public = excluded.public, file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;

/* The file that a piece belongs to, by its name; null for any other name. */
create function private.file_of_piece(_name text)
returns uuid language sql immutable parallel safe set search_path = '' as $$
  select case when _name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/00([0-4][0-9]|50)$' and _name !~ '0000$' then left(_name, 36)::uuid end
$$;

/* Whether a piece belongs to a file that can be downloaded: it can't be replaced or deleted then. */
create function private.is_piece_in_use(_name text)
returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from private.digital_files f where f.id = private.file_of_piece(_name) and f.removed_at is null)
$$;
grant execute on function private.is_piece_in_use to authenticated, service_role;

/*
 * Refuses a piece with another name than {id}/0001 to {id}/0050, one of a complete file, and more than 150 of one
 * person within 10 minutes, 600 MiB: so that no script or stolen session can fill the disk. It is called in the
 * policy, for the reasons of private.admits_cover.
 */
create function private.admits_piece(_name text)
returns boolean language plpgsql stable security definer set search_path = '' as $$
declare
  earliest timestamptz;
  minutes int;
begin
  if private.file_of_piece(_name) is null then
    perform private.refuse('PT400', 'invalid_piece', 'A file is uploaded in at most 50 pieces.');
  elsif exists (select from private.digital_files f where f.id = private.file_of_piece(_name)) then
    perform private.refuse('PT409', 'file_complete', 'This file is complete. Upload a new one instead.');
  end if;
  select created_at into earliest from storage.objects
   where bucket_id = 'digital-files' and owner_id = auth.uid()::text and created_at > now() - interval '10 minutes'
   order by created_at desc offset 149 limit 1;
  if found then
    minutes := greatest(1, ceil(extract(epoch from earliest + interval '10 minutes' - now()) / 60))::int;
    perform private.refuse('PT429', 'too_many_pieces',
      format('You have uploaded 600 MB within 10 minutes. The upload can continue in %s minute%s.', minutes, case when minutes > 1 then 's' end),
      jsonb_build_object('limit', 150, 'retry_after_seconds', minutes * 60));
  end if;
  return true;
end $$;
grant execute on function private.admits_piece to authenticated, service_role;

create policy "staff list pieces of files" on storage.objects
  for select to authenticated using (bucket_id = 'digital-files' and (select private.has_duty('catalogue')));
create policy "staff add pieces of files" on storage.objects
  for insert to authenticated
  with check (case when bucket_id = 'digital-files' then (select private.has_duty('catalogue')) and private.admits_piece(name) else false end);
-- A piece that is sent again because its response was lost.
create policy "staff replace pieces of files" on storage.objects
  for update to authenticated
  using (bucket_id = 'digital-files' and (select private.has_duty('catalogue')) and not private.is_piece_in_use(name))
  with check (case when bucket_id = 'digital-files' then (select private.has_duty('catalogue')) and private.admits_piece(name) else false end);
create policy "staff delete pieces of files" on storage.objects
  for delete to authenticated
  using (bucket_id = 'digital-files' and (select private.has_duty('catalogue')) and not private.is_piece_in_use(name));

/*
 * For the nightly housekeeping: the names of pieces that are a day old and belong to no file, or to one that was
 * removed a day ago; a few hundred at a time.
 */
create function private.list_spare_pieces(_most int default 500)
returns table (name text) language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
   where o.bucket_id = 'digital-files' and o.created_at < now() - interval '1 day'
     and not exists (
       select from private.digital_files f
        where f.id = private.file_of_piece(o.name) and coalesce(f.removed_at, now()) > now() - interval '1 day')
   order by o.name limit _most
$$;
select private.expose('list_spare_pieces', 'service_role');
