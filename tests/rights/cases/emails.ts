import { type Case, placed, refusedByConstraint, refusedByForeignKey } from "./case.ts";

export const emailCases: Case[] = [
  {
    proves: "orders.queue_order_emails",
    title: "placing an order queues an email to its customer and one to the owner",
    as: "customer",
    sql: placed,
    afterwards:
      "select string_agg(kind, ' ' order by kind) from public.outgoing_emails where order_id not in (:order, :delivered, :returned_order, :sent_order, :gone_order)",
    answer: "yes, new_order order_placed",
  },
  {
    proves: "orders.queue_status_emails",
    title: "a changed status queues an email",
    as: "admin",
    sql: "update public.orders set status = 'shipped' where id = :order",
    afterwards:
      "select string_agg(kind || ' ' || status, ' ') from public.outgoing_emails where order_id = :order and status is not null",
    answer: "yes, order_status_changed shipped",
  },
  {
    proves: "books.queue_stock_alerts",
    title: "a book that is back in stock queues an email to each customer who waits for it",
    as: "admin",
    sql: "update public.books set stock_quantity = 1 where id = :sold_out_book",
    afterwards: "select kind from public.outgoing_emails where event = :alert",
    answer: "yes, back_in_stock",
  },
  {
    proves: "outgoing_emails.use_up_stock_alert",
    title: "a customer no longer waits for a book once the email about it is sent",
    given: ["insert into public.outgoing_emails (kind, event) values ('back_in_stock', :alert)"],
    as: "database",
    sql: "update public.outgoing_emails set state = 'sent', settled_at = now() where event = :alert",
    afterwards: "select count(*) from public.stock_alerts where id = :alert",
    answer: "yes, 0",
  },
  ...refusedByForeignKey([
    ["stock_alerts.stock_alerts_book_id_fkey", "update stock_alerts set book_id = gen_random_uuid()"],
    ["stock_alerts.stock_alerts_user_id_fkey", "update stock_alerts set user_id = gen_random_uuid()"],
  ]),
  ...refusedByConstraint([
    [
      "stock_alerts.stock_alerts_one_a_book",
      "23505",
      "insert into stock_alerts (user_id, book_id) select user_id, book_id from public.stock_alerts",
    ],
    [
      "outgoing_emails.outgoing_emails_one_per_event",
      "23505",
      "insert into outgoing_emails (kind, event, order_id) values ('order_placed', :order, :order)",
    ],
    [
      "outgoing_emails.outgoing_emails_kind_is_known",
      "23514",
      "update outgoing_emails set kind = 'newsletter' where id = :email",
    ],
    [
      "outgoing_emails.outgoing_emails_state_is_known",
      "23514",
      "update outgoing_emails set state = 'lost' where id = :email",
    ],
    [
      "outgoing_emails.outgoing_emails_have_a_cause",
      "23514",
      "update outgoing_emails set event = null where id = :email",
    ],
    [
      "outgoing_emails.outgoing_emails_settle_once",
      "23514",
      "update outgoing_emails set settled_at = null where id = :email",
    ],
    [
      "outgoing_emails.outgoing_emails_reason_is_short",
      "23514",
      "update outgoing_emails set reason = repeat('x', 301) where id = :email",
    ],
  ]),
];
