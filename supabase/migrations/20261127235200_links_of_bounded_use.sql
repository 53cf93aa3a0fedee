-- A link sends at most five times its file: passed on, it would serve everybody for a day.

alter table private.download_tickets add column sent bigint not null default 0;

drop function public.find_download, private.find_download;
/*
 * The web server, for each request, and with _bytes before it sends these: what a link leads to now, {state, id, name, type, size, pieces,
 * sha256}. state: 'ready', 'expired', 'used' when the link has sent five times its file, so that one that is passed on doesn't serve
 * everybody, or 'ended' when the order has no access any more or the file was removed. Null for an unknown token.
 */
create function private.find_download(_token text, _bytes int default 0)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  is_used boolean := false;
begin
  if _bytes > 0 then
    update private.download_tickets t set sent = t.sent + _bytes
      from private.digital_files f
     where t.token_hash = private.hash_token(_token) and f.id = t.file_id and t.sent + _bytes <= 5 * f.size;
    is_used := not found;
  end if;
  return (
    select jsonb_build_object(
           'state', case when o.id is null or f.removed_at is not null or not private.has_order_access(o)
                           -- Taken out of the order since.
                           or not exists (select from public.order_items i where i.order_id = o.id and i.sold_book_id = f.book_id) then 'ended'
                         when is_used or _bytes = 0 and t.sent >= 5 * f.size then 'used'
                         when t.expires_at <= clock_timestamp() then 'expired' else 'ready' end,
           'id', f.id, 'name', f.name, 'type', f.type, 'size', f.size, 'pieces', f.pieces, 'sha256', f.sha256)
    from private.download_tickets t
    join private.digital_files f on f.id = t.file_id
    left join public.orders o on o.id = t.order_id
   where t.token_hash = private.hash_token(_token));
end $$;
select private.expose('find_download', 'service_role');
