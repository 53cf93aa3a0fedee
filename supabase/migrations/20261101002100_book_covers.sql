-- The bucket of cover images: everybody may look at them by their address, admins add, replace and delete them. JPEG
-- alone, because the back office crops every picture into one.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('book-covers', 'book-covers', true, 5242880, array['image/jpeg'])
on conflict (id) do update
  set public = excluded.public, file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;

-- Reading a public bucket by address needs no policy; listing it is for admins.
create policy "admins list book covers" on storage.objects
  for select to authenticated using (bucket_id = 'book-covers' and (select private.is_admin()));
create policy "admins add book covers" on storage.objects
  for insert to authenticated with check (bucket_id = 'book-covers' and (select private.is_admin()));
create policy "admins replace book covers" on storage.objects
  for update to authenticated
  using (bucket_id = 'book-covers' and (select private.is_admin()))
  with check (bucket_id = 'book-covers' and (select private.is_admin()));
create policy "admins delete book covers" on storage.objects
  for delete to authenticated using (bucket_id = 'book-covers' and (select private.is_admin()));
