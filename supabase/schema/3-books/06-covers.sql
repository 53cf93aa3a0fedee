-- The bucket of cover images: anyone may view them by URL; staff with the duty Catalogue add, replace and delete them.
-- Files named event-picture-… are pictures of events, and need the duty Events instead. JPEG only, because the back
-- office turns every picture into one.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('book-covers', 'book-covers', true, 5242880, array['image/jpeg'])
on conflict (id) do update
  set public = excluded.public, file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;

/*
 * 120 new covers of one admin within 10 minutes: more than a day's work by hand ever brings, and an end to a script
 * or a stolen session that would fill the disk. It counts covers that are there, and only the caller's own. It is in
 * the policy because a hosted project's storage.objects takes no triggers from us, and every storage checks the policy
 * before it takes the file in. It raises instead of returning false, so that there is a message: a hosted project's
 * storage responds 500 with it at the end of its own message, the embedded backend 429.
 */
create function private.admits_cover()
returns boolean language plpgsql stable security definer set search_path = '' as $$
declare
  earliest timestamptz;
  minutes int;
begin
  select created_at into earliest from storage.objects
   where bucket_id = 'book-covers' and owner_id = auth.uid()::text and created_at > now() - interval '10 minutes'
   order by created_at desc offset 119 limit 1;
  if found then
    minutes := greatest(1, ceil(extract(epoch from earliest + interval '10 minutes' - now()) / 60))::int;
    perform private.refuse('PT429', 'too_many_covers',
      format('You have uploaded 120 covers within 10 minutes. Please try again in %s minute%s.', minutes,
        case when minutes > 1 then 's' end),
      jsonb_build_object('limit', 120, 'retry_after_seconds', minutes * 60));
  end if;
  return true;
end $$;
grant execute on function private.admits_cover to authenticated, service_role;

-- Reading a public bucket by URL needs no policy; only staff may list it.
create policy "staff list book covers" on storage.objects
  for select to authenticated
  using (bucket_id = 'book-covers' and case when name like 'event-picture-%' then (select private.has_duty('events')) else (select private.has_duty('catalogue')) end);
create policy "staff add book covers" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'book-covers' and case when name like 'event-picture-%' then (select private.has_duty('events')) else (select private.has_duty('catalogue')) end
              and (select private.admits_cover()));
create policy "staff replace book covers" on storage.objects
  for update to authenticated
  using (bucket_id = 'book-covers' and case when name like 'event-picture-%' then (select private.has_duty('events')) else (select private.has_duty('catalogue')) end)
  with check (bucket_id = 'book-covers' and case when name like 'event-picture-%' then (select private.has_duty('events')) else (select private.has_duty('catalogue')) end);
create policy "staff delete book covers" on storage.objects
  for delete to authenticated
  using (bucket_id = 'book-covers' and case when name like 'event-picture-%' then (select private.has_duty('events')) else (select private.has_duty('catalogue')) end);
