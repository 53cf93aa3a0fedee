import type { Database } from "#tests/support/database.ts";
import { wrongTallies } from "#tests/support/tallies.ts";
import { acceptedInvariants, emailInvariants, findRows } from "./email-steps.ts";
import { paymentInvariants } from "./payment-steps.ts";

/** What must hold in a shop at rest, each as a query that answers the rows that break it. */
const invariants: Record<string, string> = {
  "stock is never negative": "select id from public.books where stock_quantity < 0",
  "stock is the book's initial stock plus the sum of its movements": `
    select b.id, b.stock_quantity, s.stock as came_with, m.moved
    from (select id, stock_quantity from public.books union all select id, stock_quantity from private.gone_books) b
    join torture.starting_stock s on s.book_id = b.id
    cross join lateral (
      select coalesce(sum(quantity), 0)::int as moved from public.stock_movements where book_id = b.id
    ) m
    where b.stock_quantity <> s.stock + m.moved`,
  "a book is either for sale or deleted": `
    select s.book_id from torture.starting_stock s
    where 1 <> (select count(*) from (select id from public.books union all select id from private.gone_books) b
                where b.id = s.book_id)`,
  "a line refers to its book while that is for sale": `
    select i.id, i.book_id, i.sold_book_id from public.order_items i left join public.books b on b.id = i.sold_book_id
    where i.book_id is distinct from b.id`,
  "an order's total is the sum of its items and its delivery fee": `
    select o.id, o.total_amount, o.delivery_fee, sum(i.price * i.quantity) as items
    from public.orders o join public.order_items i on i.order_id = o.id
    group by o.id having o.total_amount <> sum(i.price * i.quantity) + o.delivery_fee`,
  "no order is without items": `
    select id from public.orders o where not exists (select from public.order_items where order_id = o.id)`,
  "an order that holds copies has taken each of them once, and one that does not has none": `
    select o.id, o.status, o.stock_held, i.sold_book_id, i.quantity, coalesce(sum(m.quantity), 0) as moved
    from public.orders o
    join public.order_items i on i.order_id = o.id
    left join public.stock_movements m on m.order_id = o.id and m.book_id = i.sold_book_id and m.reason <> 'damaged'
    group by o.id, i.id
    having coalesce(sum(m.quantity), 0) <> case
      when exists (select from private.digital_titles(array[i.sold_book_id]) d where d.digital_by = 'file') then 0
      when o.stock_held then private.copies_returned(i.id) - i.quantity
      else -private.codes_given(o.id, i.sold_book_id) end`,
  "no more copies of a line are sent than were ordered, and none of digital titles": `
    select i.order_id, i.id, i.quantity, private.copies_sent(i.id) as sent from public.order_items i
    where private.copies_sent(i.id) > case when i.kind = 'digital' then 0 else i.quantity end`,
  "copies are sent of lines of the shipment's order": `
    select l.shipment_id, l.order_item_id
    from public.order_shipments s join public.order_shipment_lines l on l.shipment_id = s.id
    where s.undone_at is null and not exists (
      select from public.order_items i where i.id = l.order_item_id and i.order_id = s.order_id)`,
  "what was sent of an order is out of stock until it is returned": `
    select o.id, o.status, o.stock_held from public.orders o
    where not o.stock_held and exists (
      select from public.order_items i where i.order_id = o.id and private.copies_sent(i.id) > private.copies_returned(i.id))`,
  "a title has as many free codes as copies in stock and copies that orders hold": `
    select b.id, b.stock_quantity, free.codes, held.copies
    from (select id, stock_quantity from public.books where digital_by = 'code'
          union all select id, stock_quantity from private.gone_books where digital_by = 'code') b
    cross join lateral (select count(*) as codes from private.licence_codes c where c.book_id = b.id and c.order_id is null) free
    cross join lateral (
      select coalesce(sum(i.quantity - private.codes_given(o.id, b.id) - private.copies_returned(i.id)), 0) as copies
      from public.orders o join public.order_items i on i.order_id = o.id
      where i.sold_book_id = b.id and o.stock_held) held
    where free.codes <> b.stock_quantity + held.copies`,
  "an order has no more codes than copies, and all of them while it is paid": `
    select o.id, i.sold_book_id, i.quantity, private.codes_given(o.id, i.sold_book_id) as given
    from public.orders o join public.order_items i on i.order_id = o.id
    cross join lateral (select from private.digital_titles(array[i.sold_book_id]) d where d.digital_by = 'code') as coded
    where private.codes_given(o.id, i.sold_book_id) > i.quantity
       or (o.stock_held and private.has_digital_access(o.paid_amount, o.total_amount - o.returned_amount, o.status)
           and private.codes_given(o.id, i.sold_book_id) + private.copies_returned(i.id) < i.quantity)`,
  "a digital title by file has all copies while it has a file": `
    select b.id, b.stock_quantity from public.books b
    where b.digital_by = 'file' and b.stock_quantity <> case when exists (
      select from private.digital_files f where f.book_id = b.id and f.removed_at is null) then private.unlimited_copies() else 0 end`,
  "an accepted quote is its order: the same copies at the same prices": `
    select q.id, q.order_id from public.quotes q join public.orders o on o.id = q.order_id
    where exists (
      select from (select book_id, quantity, unit_price from public.quote_lines where quote_id = q.id) l
      full join (select sold_book_id, quantity, price from public.order_items where order_id = q.order_id) i
        on i.sold_book_id = l.book_id and i.quantity = l.quantity and i.price = l.unit_price
      where l.book_id is null or i.sold_book_id is null)`,
  "quotes are numbered without gaps": `
    select q.year, count(*) as quotes, max(q.number) as newest, max(y.last_number) as counter
    from public.quotes q full join (select * from private.yearly_numbers where series = 'quotes') y on y.year = q.year
    where q.number is not null or q.id is null
    group by q.year having count(*) <> max(q.number) or max(q.number) is distinct from max(y.last_number)`,
  "a booklist's lines are numbered from 1 without gaps, and a published list has some": `
    select b.id, b.status, count(l.id) as lines, max(l.position) as last
    from public.booklists b left join public.booklist_lines l on l.booklist_id = b.id
    group by b.id
    having count(l.id) <> coalesce(max(l.position), 0) or (b.status = 'published' and count(l.id) = 0)`,
  "invoices are numbered without gaps": `
    select i.year, count(*) as invoices, max(i.number) as newest, max(y.last_number) as counter
    from public.invoices i full join (select * from private.yearly_numbers where series = 'invoices') y on y.year = i.year
    group by i.year having count(*) <> max(i.number) or max(i.number) is distinct from max(y.last_number)`,
  "a cart holds a book once, with at least one copy": `
    select user_id, book_id from public.cart_items group by user_id, book_id
    having count(*) > 1 or min(quantity) < 1 or max(quantity) > 999`,
  "every order is in the audit log": `
    select id from public.orders o where not exists (
      select from public.audit_log
      where table_name = 'orders' and row_id = o.id::text and action in ('insert', 'restore'))`,
  "every missing order is in the audit log as deleted": `
    select distinct order_id from public.stock_movements m
    where order_id is not null and not exists (select from public.orders where id = m.order_id)
      and not exists (
        select from public.audit_log where table_name = 'orders' and row_id = m.order_id::text and action = 'delete')`,
  "the last event of an order names its status": `
    select o.id, o.status, e.to_status
    from public.orders o
    join lateral (
      select to_status from public.order_events where order_id = o.id order by id desc limit 1
    ) e on true
    where e.to_status <> o.status`,
  "an order without events is still pending": `
    select id from public.orders o
    where status <> 'pending' and not exists (select from public.order_events where order_id = o.id)`,
  "the dashboard's figures are what counting gives": wrongTallies,
  ...paymentInvariants,
  ...emailInvariants,
  ...acceptedInvariants,
  "there is an admin": "select 'none' where not exists (select from public.user_roles where role = 'admin')",
};

/** The broken invariants with the rows that break them (at most five each); empty when all hold. */
export async function findBrokenInvariants(database: Pick<Database, "query">): Promise<string[]> {
  return findRows((query) => database.query(query), invariants);
}
