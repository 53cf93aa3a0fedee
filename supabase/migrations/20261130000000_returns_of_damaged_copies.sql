-- Of one title, some of the copies that come back can be sold again and others can't: one return takes both.

alter table public.order_return_lines drop constraint order_return_lines_pkey;
alter table public.order_return_lines add constraint order_return_lines_pkey primary key (return_id, order_item_id, resalable);

/* Writes a return, or that it was undone, into the log, as one row about its order. */
create or replace function private.log_return(_return_id uuid, _action text)
returns void language sql volatile security definer set search_path = '' as $$
  insert into public.audit_log (table_name, row_id, action, after)
  select 'orders', o.id, _action, jsonb_build_object('number', o.number, 'reason', r.reason, 'note', r.note, 'refund', sum(l.refund),
         'lines', jsonb_agg(jsonb_build_object('title', l.title, 'quantity', l.copies, 'resalable', l.resalable)
                            order by private.fold(l.title), l.order_item_id, l.resalable desc))
    from public.order_returns r
    join public.orders o on o.id = r.order_id
    join public.order_return_lines l on l.return_id = r.id
   where r.id = _return_id
   group by o.id, r.id
$$;

/*
 * The lines of a return as they are stored. _lines as in write_return. A licence code that nobody was given can always be sold.
 */
create function private.lines_to_return(_order_id uuid, _lines jsonb)
returns table (order_item_id uuid, copies int, seen int, resalable boolean, refund numeric)
language sql stable security definer set search_path = '' as $$
  select l.order_item_id, l.copies, l."left", coalesce(l.resalable, true) or d.digital_by is not null, l.refund
    from jsonb_to_recordset(_lines) as l (order_item_id uuid, copies int, "left" int, resalable boolean, refund numeric)
    left join public.order_items i on i.id = l.order_item_id and i.order_id = _order_id
    left join private.digital_titles(array(select o.sold_book_id from public.order_items o where o.order_id = _order_id)) as d
      on d.book_id = i.sold_book_id
$$;

/*
 * Returns copies of an order: [{order_item_id, copies, left, resalable, refund}], at most one for the copies of a title that can be sold
 * again and one for the others; left what could still be returned of it when staff looked, refund in cedis for all of these copies, by
 * default their price. The caller has locked stock and order.
 */
create or replace function private.write_return(_return_id uuid, _order public.orders, _lines jsonb, _reason text, _note text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  titles constant int := case when jsonb_typeof(_lines) = 'array' then jsonb_array_length(_lines) else 0 end;
  written_note constant text := private.clean_text(_note);
  line record;
begin
  if titles not between 1 and 1000
     or (select count(distinct (l.order_item_id, coalesce(l.resalable, true)))
           from jsonb_to_recordset(_lines) as l (order_item_id uuid, resalable boolean)) <> titles then
    perform private.refuse('PT400', 'invalid_rows', 'Name 1 to 1,000 different lines of the order, with the copies of each.');
  end if;
  perform private.require_text('reason', 'The reason', _reason, 20, true);
  perform private.require_choice('reason', 'The reason', _reason, private.return_reasons());
  perform private.require_text('note', 'The note', written_note, 500);
  insert into public.order_returns (id, order_id, reason, note, of_cancelled)
  values (_return_id, _order.id, _reason, written_note, _order.status = 'cancelled');
  for line in
    select l.*, c.book_id, i.title, i.price, coalesce(c.copies, 0) as most,
           sum(l.copies) over (partition by l.order_item_id) as of_title
      from private.lines_to_return(_order.id, _lines) as l
      left join public.order_items i on i.id = l.order_item_id and i.order_id = _order.id
      left join private.copies_to_return(_order.id) as c on c.order_item_id = i.id
  loop
    if line.title is null then
      perform private.refuse('PT404', 'line_not_found', 'A line of this order no longer exists. Check the order again.');
    end if;
    perform private.require_number('copies', 'The number of copies', line.copies, 1, 9999);
    if line.seen <> line.most then
      perform private.refuse('PT409', 'return_outdated',
        format('Copies of %s have been returned since you opened this form. Check the order''s history first.', line.title));
    end if;
    if line.of_title > line.most then
      perform private.refuse('PT409', 'more_than_ordered', case line.most
          when 0 then format('No copies of %s can be returned any more.', line.title)
          else format('%s: only %s can still be returned.', line.title, line.most) end,
        jsonb_build_object('order_item_id', line.order_item_id, 'title', line.title, 'most', line.most));
    end if;
    line.refund := case when _order.status = 'cancelled' then 0 else coalesce(line.refund, line.price * line.copies) end;
    perform private.require_number('refund', 'The refund', line.refund, 0, line.price * line.copies);
    perform private.require_pesewas('refund', 'The refund', line.refund);
    insert into public.order_return_lines (return_id, order_item_id, book_id, title, copies, resalable, refund)
    values (_return_id, line.order_item_id, line.book_id, line.title, line.copies, line.resalable, line.refund)
    on conflict (return_id, order_item_id, resalable)
    do update set copies = order_return_lines.copies + excluded.copies, refund = order_return_lines.refund + excluded.refund;
  end loop;
  if private.sum_returns(_order.id) > _order.total_amount then
    perform private.refuse('PT409', 'more_than_total', 'The refunds can''t be more than the order''s total.');
  end if;
  perform private.move_returned_copies(_return_id, _order.id, 1, 'return');
  update public.orders
     set returned_amount = private.sum_returns(id), stock_held = exists (select from private.copies_to_return(id))
   where id = _order.id;
  perform private.log_return(_return_id, 'return');
end $$;

/*
 * Staff: returns copies of a shipped, delivered or cancelled order, once per _return_id. _lines as in write_return; _reason one of
 * return_reasons. Of a cancelled order no refund is written down, since all that was paid for it is owed back.
 */
create or replace function private.return_copies(_return_id uuid, _order_id uuid, _lines jsonb, _reason text, _note text default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  of_order public.orders;
  known public.order_returns;
begin
  perform private.require_duty('orders');
  of_order := private.lock_order_with_stock(_order_id);
  select * into known from public.order_returns r where r.id = _return_id and r.order_id = _order_id;
  if found then
    if known.undone_at is not null or (known.reason, known.note) is distinct from (_reason, private.clean_text(_note)) or exists (
      select from (select l.order_item_id, l.resalable, l.copies, l.refund from public.order_return_lines l where l.return_id = known.id) as stored
        full join (select t.order_item_id, t.resalable, sum(t.copies) as copies, sum(t.refund) as refund
                     from private.lines_to_return(_order_id, _lines) as t group by t.order_item_id, t.resalable) as l
          using (order_item_id, resalable)
       where stored.copies is distinct from l.copies or known.of_cancelled is false and stored.refund <> l.refund
    ) then
      perform private.refuse('PT409', 'return_exists',
        'This return was already recorded, before your last changes. You''ll find it in the order''s history.');
    end if;
    return;
  end if;
  if private.is_open(of_order.status) then
    perform private.refuse('PT409', 'order_not_sent', case when private.is_part_sent(_order_id)
      then 'The rest of this order hasn''t been sent yet. Send it first, then record what came back.'
      else 'This order hasn''t been sent yet. Change or cancel it instead.' end);
  end if;
  if not of_order.stock_held then
    perform private.refuse('PT409', 'nothing_to_return', 'All copies of this order have already been returned.');
  end if;
  perform private.write_return(coalesce(_return_id, gen_random_uuid()), of_order, _lines, _reason, _note);
end $$;
